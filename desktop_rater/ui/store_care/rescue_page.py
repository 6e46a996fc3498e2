"""What shows in place of the window where the store can't be opened: what is wrong, and the ways to get on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.jobs import Jobs
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.spoken_size import revisions
from desktop_rater.ui.store_care.restoring import Said, put_in_place
from desktop_rater.ui.store_care.stores import spoken_moment
from desktop_rater.work.rescue import Choices, Rescued, choices, salvage_in_place
from desktop_rater.work.restore_backup import Prepared, prepare

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Backup

WIDTH = 640


class RescuePage(QScrollArea):
    """One question with two ways out and an end. Nothing is touched before the user says so."""

    ended = Signal()

    def __init__(self, folder: Path, trouble: RaterError, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.setObjectName("rescue_page")
        self.setWindowTitle(self.tr("Desktop Rater"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.said: Said | None = None
        self._folder = folder
        self._trouble = trouble
        self._now = now
        self._jobs = Jobs(self)
        self._running: Progress | None = None
        self._lay_out()
        self._offer(Choices(backup=None, salvage=False))
        self._look()

    def _lay_out(self) -> None:
        page = QWidget()
        theme.ground(page, "surface")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 24, 24, 24)
        outer.addStretch(1)
        middle = QVBoxLayout()
        outer.addLayout(middle, 100)
        outer.addStretch(1)
        box = QWidget()
        box.setMaximumWidth(theme.px(WIDTH))
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self._title = WrappedLabel(self._trouble.title, name="rescue_title")
        theme.write(self._title, "title", bold=True)
        column.addWidget(self._title)
        self._words = WrappedLabel(self._trouble.message, name="rescue_words")
        column.addWidget(self._words)
        self._place = WrappedLabel(self._place_words(), name="rescue_place")
        theme.quiet(self._place)
        self._place.setVisible(bool(self._place.text()))
        column.addWidget(self._place)
        self._hint = WrappedLabel(name="rescue_hint")
        column.addWidget(self._hint)
        self.lost = QPlainTextEdit()
        self.lost.setObjectName("rescue_lost")
        self.lost.setAccessibleName(self.tr("What is lost"))
        self.lost.setReadOnly(True)
        self.lost.setTabChangesFocus(True)
        self.lost.setMinimumHeight(theme.px(120))
        self.lost.hide()
        column.addWidget(self.lost)
        self._bar = QWidget()
        self._buttons = FlowLayout(self._bar, spacing=8)
        column.addWidget(self._bar)
        middle.addStretch(1)
        middle.addWidget(box)
        middle.addStretch(2)
        self.setWidget(page)

    def _place_words(self) -> str:
        told = str(self._folder) in self._trouble.message
        return "" if told else self.tr("The store lies in {folder}.").format(folder=self._folder)

    # -- what is offered

    def _look(self) -> None:
        """See in the background what can be done."""
        work = partial(choices, self._folder, self._trouble)
        self._begin(work, self._offer, self.tr("Looking for backups …"))

    def _offer(self, can: Choices) -> None:
        self._hint.setText(self._hint_of(can))
        ways: list[tuple[str, str, Callable[[], object]]] = []
        if can.salvage:
            ways.append(("rescue_salvage", self.tr("Save what can be read"), self.salvage))
        if can.backup is not None:
            backup = can.backup
            words = self.tr("Restore the backup of {date}, {revisions}")
            words = words.format(date=spoken_moment(backup.made), revisions=revisions(backup.ratings or 0))
            ways.append(("rescue_restore", words, partial(self.restore, backup)))
        ways.append(("rescue_quit", self.tr("Quit"), self.close))
        self._show_ways(ways)

    def _hint_of(self, can: Choices) -> str:
        if can.salvage and can.backup is not None:
            return self.tr(
                "Save what can be read keeps every answer that can be verified, from the damaged files and from the "
                "backups. The backup is the store as it was then. Either way the damaged files are kept."
            )
        if can.salvage:
            return self.tr(
                "There is no backup. Every answer that can be verified can be saved into a new store; what can't be is "
                "named. The damaged files are kept."
            )
        return self._trouble.hint

    def _show_ways(self, ways: list[tuple[str, str, Callable[[], object]]]) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for number, (name, words, do) in enumerate(ways):
            button = KeyButton(words, primary=number == 0 and len(ways) > 1)
            button.setObjectName(name)
            button.clicked.connect(lambda _checked=False, do=do: do())
            self._buttons.addWidget(button)
            if number == 0:
                button.setFocus()
            button.show()
        self._bar.updateGeometry()

    # -- what is done

    def salvage(self) -> None:
        """Save what can be read into a new store."""

        def work(progress: Progress) -> Rescued:
            return salvage_in_place(self._folder, now=self._now(), progress=progress)

        self._begin(work, self._salvaged, self.tr("Reading what is left …"))

    def restore(self, backup: Backup) -> None:
        """Go back to a backup."""
        why_not = self.tr("it is damaged")

        def work(progress: Progress) -> Said:
            made: Prepared = prepare(self._folder, backup.path, None, why_not=why_not, now=self._now, progress=progress)
            return put_in_place(self._folder, made, now=self._now)

        self._begin(work, self._restored, self.tr("Restoring the backup …"))

    def _begin(self, work: Callable[[Progress], object], done: Callable[..., None], words: str) -> None:
        self._hint.setText(words)
        self._show_ways([("rescue_stop", self.tr("Stop and quit"), self.close)])

        def progressed(count: int, total: int) -> None:
            if total:
                self._hint.setText(f"{words} {count * 100 // total} %")

        self._running = self._jobs.start(
            work, lane="net", receiver=self, done=done, failed=self._failed, progressed=progressed
        )

    def _salvaged(self, saved: Rescued) -> None:
        words = self.tr("Saved: {revisions}. Tasks: {tasks}, bundles: {bundles}, stored pages: {pages}.")
        told = words.format(
            revisions=revisions(saved.revisions),
            tasks=spelling.number(saved.tasks),
            bundles=spelling.number(saved.bundles),
            pages=spelling.number(saved.snapshots),
        )
        kept = self.tr("The damaged files lie in {place}.").format(place=saved.aside) if saved.aside is not None else ""
        self._title.setText(self.tr("What could be read is saved."))
        self._words.setText(told)
        self._place.setText(kept)
        self._place.setVisible(bool(kept))
        lost = self.tr("Nothing is known to be lost.")
        if saved.lost:
            lost = self.tr("Lost, and listed in {report}: {n}")
            lost = lost.format(report=saved.report, n=spelling.number(len(saved.lost)))
            self.lost.setPlainText("\n".join(saved.lost))
            self.lost.show()
        self._hint.setText(lost)
        self.said = Said("warn" if saved.lost else "info", f"{told} {lost}")
        self._show_ways(
            [
                ("rescue_open", self.tr("Open the store"), self._go_on),
                ("rescue_quit", self.tr("Quit"), self._quit),
            ]
        )

    def _restored(self, said: Said) -> None:
        self.said = said
        self._go_on()

    def _failed(self, error: Exception) -> None:
        known = isinstance(error, RaterError)
        self._title.setText(error.title if known else self.tr("That did not work."))
        self._words.setText(error.message if known else type(error).__name__)
        self._show_ways(
            [("rescue_again", self.tr("Look again"), self._look), ("rescue_quit", self.tr("Quit"), self.close)]
        )
        self._hint.setText(error.hint if known else "")

    def _go_on(self) -> None:
        self.close()

    def _quit(self) -> None:
        self.said = None
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.stop()
        self._jobs.close()
        event.accept()
        self.ended.emit()


def ask(app: QApplication, folder: Path, trouble: RaterError, *, now: Callable[[], datetime]) -> Said | None:
    """Show the page until the user is done; what the window is to say first, `None` where it is not to open."""
    page = RescuePage(folder, trouble, now)
    page.resize(theme.px(900), theme.px(600))
    page.show()
    page.activateWindow()
    app.exec()
    said = page.said
    page.deleteLater()
    return said
