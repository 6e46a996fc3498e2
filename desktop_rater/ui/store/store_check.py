"""Check the store: the report of the integrity check, with recovery options if there are faults."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.store.doctor import DoctorFinding, DoctorReport
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import read_only_text
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import fill, tight_column
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

WIDTH, HEIGHT = 680, 460


class StoreCheckDialog(WindowDialog):
    """A dialog with a verdict, the findings as text to copy, and the recovery options."""

    salvage_wanted = Signal()
    restore_wanted = Signal()
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, "store_check", self.tr("Check the store"))
        self.is_read = False  # the report is complete
        column = tight_column(self, spacing=12, margins=(24, 20, 24, 16))
        self._title = PlainLabel(name="check_title", size="title", bold=True)
        column.addWidget(self._title)
        self._text = WrappedLabel(name="check_words", ink="text2")
        column.addWidget(self._text)
        self.findings = read_only_text("check_findings", self.tr("Findings"))
        column.addWidget(self.findings, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self._salvage = self._button("check_salvage", self.tr("Recover the store …"), self.salvage_wanted)
        self._restore = self._button("check_restore", self.tr("Restore a backup …"), self.restore_wanted)
        fill(foot, self._salvage, self._restore, 1)
        self._close = KeyButton(self.tr("Close"), "Esc", primary=True, name="check_close", clicked=self.reject)
        foot.addWidget(self._close)
        column.addLayout(foot)

    def _button(self, name: str, label: str, wanted: SignalInstance) -> KeyButton:
        button = KeyButton(label, name=name, clicked=self.accept)
        button.clicked.connect(lambda _checked=False: wanted.emit())
        return button

    def begin(self, folder: Path) -> None:
        self.is_read = False
        self._title.setText(self.tr("Reading the store …"))
        self._text.setText(str(folder))
        self.findings.setPlainText("")
        self._offer(faults=False)
        self.open_with(WIDTH, HEIGHT)
        self._close.setFocus()

    def show_progress(self, done: int, total: int) -> None:
        if total:
            self._title.setText(self.tr("Reading the store: {n} of {total} checks").format(n=done, total=total))

    def show_report(self, report: DoctorReport) -> None:
        count = len(report.faults)
        title = self.tr("No faults found in the store.")
        if count:
            title = self.tr("1 fault in the store") if count == 1 else self.tr("{n} faults in the store")
        self._title.setText(title.format(n=formatting.number(count)))
        parts = ((self.tr("Faults"), report.faults), (self.tr("Notes"), report.notes))
        self.findings.setPlainText(visible("\n\n".join(_lines(name, findings) for name, findings in parts if findings)))
        # A damaged backup is no reason to replace an intact store.
        self._offer(faults=any(fault.check != "backups" for fault in report.faults))
        self.is_read = True

    def show_failure(self, text: str) -> None:
        """Show that the check itself failed."""
        self._title.setText(self.tr("The store can't be checked."))
        self.findings.setPlainText(visible(text))
        self.is_read = True

    def _offer(self, *, faults: bool) -> None:
        self._salvage.setVisible(faults)
        self._restore.setVisible(faults)

    def done(self, result: int) -> None:
        self.left.emit()
        super().done(result)


class StoreCheck(QObject):
    """Runs the integrity check beside the open store and shows its report."""

    def __init__(self, window: MainWindow, perform: WorkRunner, folder: Path, restore: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._folder = folder
        self._running: Progress | None = None
        self._faults: tuple[DoctorFinding, ...] = ()
        self._journal_failure = ""
        self.dialog = StoreCheckDialog(window)
        self.dialog.salvage_wanted.connect(self._request_rescue)
        self.dialog.restore_wanted.connect(restore)
        self.dialog.left.connect(self._give_up)

    def warn_missing_log(self) -> None:
        """Warn at the start that the store is older than when it was last used."""
        text = self.tr(
            "The latest answers may be missing: the program ended without closing the store, and the "
            "store's log file has since disappeared."
        )
        self._window.banners.show_banner("log", "warn", text, [(self.tr("Check the store"), self.ask)])

    def warn_journal(self, failure: str) -> None:
        """Warn once for each series of failures that the journal can't be written; `failure` is empty if it can."""
        if failure and not self._journal_failure:
            text = self.tr(
                "Your answers are saved, but the journal beside the store can't be written. Until it can, a damaged "
                "store can be recovered only from its backups."
            )
            banner = self._window.banners.show_banner("journal", "warn", text, [(self.tr("Check the store"), self.ask)])
            set_tooltip(banner.label, failure)
        elif not failure:
            self._window.banners.drop("journal")
        self._journal_failure = failure

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"check_store": self.ask}

    def ask(self) -> None:
        from desktop_rater.operations.store.backup import check_store  # noqa: PLC0415 - only when it is used

        self.dialog.begin(self._folder)
        self._running = self._perform.fetch(
            partial(check_store, self._folder),
            done=self._checked,
            failed=self._failed,
            progressed=self.dialog.show_progress,
        )

    def show_error(self, error: RaterError) -> None:
        """Show a known error; for damage, with a button that checks the store."""
        actions = [(self.tr("Check the store"), self.ask)] if isinstance(error, StoreDamaged) else []
        self._window.banners.show_banner("trouble", "block", str(error), actions)

    def _checked(self, report: DoctorReport) -> None:
        self._running = None
        self._faults = report.faults
        self.dialog.show_report(report)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self.dialog.show_failure(str(error) if isinstance(error, RaterError) else type(error).__name__)

    def _request_rescue(self) -> None:
        first = self._faults[0].text if self._faults else ""
        self._window.reopen_wanted.emit(StoreDamaged(self.tr("The store is damaged."), first))

    def _give_up(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._perform.cancel(running)


def _lines(name: str, findings: tuple[DoctorFinding, ...]) -> str:
    return "\n".join((name, *(f"{finding.check}: {finding.text}" for finding in findings)))
