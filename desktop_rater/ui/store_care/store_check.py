"""Check the store: the doctor's report, with the ways on where something is wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_rater.model.trouble import RaterError
from desktop_rater.store.trouble import StoreDamaged
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.work.check_store import check_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.report import Finding, Report
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform

WIDTH, HEIGHT = 680, 460


class CheckDialog(QDialog):
    """One sentence, the findings as text that can be copied, and what can be done."""

    salvage_wanted = Signal()
    restore_wanted = Signal()
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("store_check")
        self.setWindowTitle(self.tr("Check the store"))
        self._window = window
        self._focus = FocusBack()
        self.is_read = False  # all that there is to say is said
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self._title = PlainLabel(name="check_title")
        theme.write(self._title, "title", bold=True)
        column.addWidget(self._title)
        self._words = WrappedLabel(name="check_words")
        theme.quiet(self._words)
        column.addWidget(self._words)
        self.findings = QPlainTextEdit()
        self.findings.setObjectName("check_findings")
        self.findings.setAccessibleName(self.tr("What was found"))
        self.findings.setReadOnly(True)
        self.findings.setTabChangesFocus(True)
        column.addWidget(self.findings, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self._salvage = self._button("check_salvage", self.tr("Save what can be read …"), self.salvage_wanted)
        self._restore = self._button("check_restore", self.tr("Restore a backup …"), self.restore_wanted)
        foot.addWidget(self._salvage)
        foot.addWidget(self._restore)
        foot.addStretch(1)
        self._close = KeyButton(self.tr("Close"), "Esc", primary=True)
        self._close.setObjectName("check_close")
        self._close.clicked.connect(self.reject)
        foot.addWidget(self._close)
        column.addLayout(foot)

    def _button(self, name: str, words: str, wanted: SignalInstance) -> KeyButton:
        button = KeyButton(words)
        button.setObjectName(name)
        button.clicked.connect(self.accept)
        button.clicked.connect(lambda _checked=False: wanted.emit())
        return button

    def begin(self, folder: Path) -> None:
        """Open, before there is anything to say."""
        self._focus.remember()
        self.is_read = False
        self._title.setText(self.tr("Reading the store …"))
        self._words.setText(str(folder))
        self.findings.setPlainText("")
        self._offer(faults=False)
        self.resize(min(theme.px(WIDTH), self._window.width() - 32), min(theme.px(HEIGHT), self._window.height() - 32))
        self.open()
        self._close.setFocus()

    def show_progress(self, done: int, total: int) -> None:
        """How far it is."""
        if total:
            self._title.setText(self.tr("Reading the store: {n} of {total} checks").format(n=done, total=total))

    def show_report(self, report: Report) -> None:
        """All of it."""
        count = len(report.faults)
        words = self.tr("The store is sound.")
        if count:
            words = self.tr("1 fault in the store") if count == 1 else self.tr("{n} faults in the store")
        self._title.setText(words.format(n=spelling.number(count)))
        parts = ((self.tr("Faults"), report.faults), (self.tr("Notes"), report.notes))
        self.findings.setPlainText("\n\n".join(_lines(name, findings) for name, findings in parts if findings))
        # A backup that is not good is no reason to leave the store that is.
        self._offer(faults=any(one.check != "backups" for one in report.faults))
        self.is_read = True

    def show_failure(self, words: str) -> None:
        """The check itself did not work."""
        self._title.setText(self.tr("The store can't be checked."))
        self.findings.setPlainText(words)
        self.is_read = True

    def _offer(self, *, faults: bool) -> None:
        self._salvage.setVisible(faults)
        self._restore.setVisible(faults)

    def done(self, result: int) -> None:
        """The focus goes back to where it was."""
        super().done(result)
        self.left.emit()
        self._focus.give(self._window)


class StoreCheck(QObject):
    """Asks the doctor beside the open store, and says what it found."""

    rescue_wanted = Signal(object)  # StoreDamaged: the window is to close, and the damage to be dealt with

    def __init__(self, window: MainWindow, perform: Perform, folder: Path, restore: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._folder = folder
        self._running: Progress | None = None
        self._found: tuple[Finding, ...] = ()
        self.dialog = CheckDialog(window)
        self.dialog.salvage_wanted.connect(self._rescue)
        self.dialog.restore_wanted.connect(restore)
        self.dialog.left.connect(self._give_up)

    def say_log_was_gone(self) -> None:
        """Say at the start that the store is older than what was last seen of it."""
        words = self.tr(
            "The last answers may be missing: the program ended without closing the store, and its log is gone since."
        )
        self._window.banners.show_banner("log", "warn", words, [(self.tr("Check the store"), self.ask)])

    def does(self) -> dict[str, Callable[[], object]]:
        """What its action does."""
        return {"check_store": self.ask}

    def ask(self) -> None:
        """Check the store now."""
        self.dialog.begin(self._folder)
        self._running = self._perform.fetch(
            partial(check_store, self._folder),
            done=self._checked,
            failed=self._failed,
            progressed=self.dialog.show_progress,
        )

    def show_trouble(self, error: RaterError) -> None:
        """What is known to be wrong; where it is damage, with the way to look into it."""
        ways = [(self.tr("Check the store"), self.ask)] if isinstance(error, StoreDamaged) else []
        self._window.banners.show_banner("trouble", "block", str(error), ways)

    def _checked(self, report: Report) -> None:
        self._running = None
        self._found = report.faults
        self.dialog.show_report(report)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self.dialog.show_failure(str(error) if isinstance(error, RaterError) else type(error).__name__)

    def _rescue(self) -> None:
        first = self._found[0].text if self._found else ""
        self.rescue_wanted.emit(StoreDamaged(self.tr("The store is damaged."), first))

    def _give_up(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._perform.cancel(running)


def _lines(name: str, findings: tuple[Finding, ...]) -> str:
    return "\n".join((name, *(f"{one.check}: {one.text}" for one in findings)))
