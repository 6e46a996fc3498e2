"""Page shown instead of the window when the store can't be opened: the error and the recovery options."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.store.backup import RestorePlan, prepare_restore
from desktop_rater.operations.store.salvage import RecoveryOptions, SalvagedStore, recovery_options, salvage_in_place
from desktop_rater.store.backups import Backup
from desktop_rater.ui.store.connections import utc_moment
from desktop_rater.ui.store.restore import StartMessage, install_prepared
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import read_only_text
from desktop_rater.ui.widgets.formatting import revision_count
from desktop_rater.ui.widgets.labels import WrappedLabel, set_optional_text, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, centered_column
from desktop_rater.ui.window.jobs import Jobs

WIDTH = 640


class RescuePage(QScrollArea):
    """A page with up to two recovery options and Quit. Nothing is changed before the user chooses."""

    ended = Signal()

    def __init__(self, folder: Path, error: RaterError, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.setObjectName("rescue_page")
        self.setWindowTitle(self.tr("Desktop Rater"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.message: StartMessage | None = None
        self._folder = folder
        self._error = error
        self._now = now
        self._jobs = Jobs(self)
        self._running: Progress | None = None
        self._lay_out()
        self._offer(RecoveryOptions(backup=None, salvage=False))
        self._find_options()

    def _lay_out(self) -> None:
        page = QWidget()
        theme.set_ground(page, "surface")
        column = centered_column(page, WIDTH)
        self._title = WrappedLabel(self._error.title, name="rescue_title", size="title", bold=True)
        column.addWidget(self._title)
        self._text = WrappedLabel(self._error.message, name="rescue_words")
        column.addWidget(self._text)
        self._place = WrappedLabel(self._place_text(), name="rescue_place", ink="text2")
        column.addWidget(self._place)
        self._place.setVisible(bool(self._place.text()))
        self._hint = WrappedLabel(name="rescue_hint")
        column.addWidget(self._hint)
        self.lost = read_only_text("rescue_lost", self.tr("Missing data"))
        self.lost.setMinimumHeight(theme.px(120))
        self.lost.hide()
        column.addWidget(self.lost)
        self._bar = QWidget()
        self._buttons = FlowLayout(self._bar, spacing=8)
        column.addWidget(self._bar)
        self.setWidget(page)

    def _place_text(self) -> str:
        mentioned = str(self._folder) in self._error.message
        return "" if mentioned else self.tr("The store is in {folder}.").format(folder=self._folder)

    # -- options

    def _find_options(self) -> None:
        work = partial(recovery_options, self._folder, self._error)
        self._begin(work, self._offer, self.tr("Looking for backups …"))

    def _offer(self, choices: RecoveryOptions) -> None:
        self._hint.setText(self._hint_of(choices))
        options: list[tuple[str, str, Callable[[], object]]] = []
        if choices.salvage:
            options.append(("rescue_salvage", self.tr("Recover the store"), self.salvage))
        if choices.backup is not None:
            backup = choices.backup
            label = self.tr("Restore the backup of {date}, {revisions}")
            label = label.format(date=utc_moment(backup.made), revisions=revision_count(backup.ratings or 0))
            options.append(("rescue_restore", label, partial(self.restore, backup)))
        options.append(("rescue_quit", self.tr("Quit"), self.close))
        self._show_options(options)

    def _hint_of(self, choices: RecoveryOptions) -> str:
        if choices.salvage and choices.backup is not None:
            return self.tr(
                "Recovering restores the newest good backup and adds every answer that was saved after it, from the "
                "journal. The backup alone holds the store as it was at that time. Either way, the damaged files are "
                "kept."
            )
        if choices.salvage:
            return self.tr(
                "There is no good backup. The answers in the journal can be saved to a new store; the bundles have to "
                "be imported again. The damaged files are kept."
            )
        return self._error.hint

    def _show_options(self, options: list[tuple[str, str, Callable[[], object]]]) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for number, (name, label, action) in enumerate(options):
            button = KeyButton(
                label,
                primary=number == 0 and len(options) > 1,
                name=name,
                clicked=lambda _checked=False, action=action: action(),
            )
            self._buttons.addWidget(button)
            if number == 0:
                button.setFocus()
            button.show()
        self._bar.updateGeometry()

    # -- recovery

    def salvage(self) -> None:
        def work(progress: Progress) -> SalvagedStore:
            return salvage_in_place(self._folder, now=self._now(), progress=progress)

        self._begin(work, self._salvaged, self.tr("Recovering the store …"))

    def restore(self, backup: Backup) -> None:
        why_not = self.tr("it is damaged")

        def work(progress: Progress) -> StartMessage:
            prepared: RestorePlan = prepare_restore(
                self._folder, backup.path, None, why_not=why_not, now=self._now, progress=progress
            )
            return install_prepared(self._folder, prepared, now=self._now)

        self._begin(work, self._close_with, self.tr("Restoring the backup …"))

    def _begin(self, work: Callable[[Progress], object], done: Callable[..., None], status: str) -> None:
        self._hint.setText(status)
        self._show_options([("rescue_stop", self.tr("Stop and quit"), self.close)])

        def progressed(count: int, total: int) -> None:
            if total:
                self._hint.setText(f"{status} {count * 100 // total} %")

        self._running = self._jobs.start(
            work, queue="net", receiver=self, done=done, failed=self._failed, progressed=progressed
        )

    def _salvaged(self, saved: SalvagedStore) -> None:
        template = self.tr(
            "Recovered: {revisions}, {joined} of them from the journal. Tasks: {tasks}, bundles: {bundles}, stored "
            "pages: {pages}."
        )
        summary = template.format(
            revisions=revision_count(saved.revisions),
            joined=formatting.number(saved.joined),
            tasks=formatting.number(saved.tasks),
            bundles=formatting.number(saved.bundles),
            pages=formatting.number(saved.snapshots),
        )
        aside = (
            self.tr("The damaged files are in {place}.").format(place=saved.aside) if saved.aside is not None else ""
        )
        self._title.setText(self.tr("The store has been recovered."))
        self._text.setText(summary)
        set_optional_text(self._place, aside)
        lost = self.tr("No known losses.")
        if saved.lost:
            lost = self.tr("Missing, and listed in {report}: {n}")
            lost = lost.format(report=saved.report, n=formatting.number(len(saved.lost)))
            self.lost.setPlainText(visible("\n".join(saved.lost)))
            self.lost.show()
        self._hint.setText(lost)
        self.message = StartMessage("warn" if saved.lost else "info", f"{summary} {lost}")
        self._show_options(
            [
                ("rescue_open", self.tr("Open the store"), self.close),
                ("rescue_quit", self.tr("Quit"), partial(self._close_with, None)),
            ]
        )

    def _failed(self, error: Exception) -> None:
        expected = isinstance(error, RaterError)
        self._title.setText(error.title if expected else self.tr("Unexpected error."))
        self._text.setText(error.message if expected else type(error).__name__)
        self._show_options(
            [("rescue_again", self.tr("Try again"), self._find_options), ("rescue_quit", self.tr("Quit"), self.close)]
        )
        self._hint.setText(error.hint if expected else "")

    def _close_with(self, message: StartMessage | None) -> None:
        self.message = message
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.stop()
        self._jobs.close()
        event.accept()
        self.ended.emit()


def show_rescue_page(
    app: QApplication, folder: Path, error: RaterError, *, now: Callable[[], datetime]
) -> StartMessage | None:
    """Show the page until the user is done. Return the message for the next window, `None` if it is not to open."""
    theme.add_style_sheet()  # the frame may have been shown without
    page = RescuePage(folder, error, now)
    page.resize(theme.px(900), theme.px(600))
    page.show()
    page.activateWindow()
    app.exec()
    message = page.message
    page.deleteLater()
    return message
