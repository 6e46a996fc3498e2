"""The manual, the log, a report about a crash, and what the program is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.paths import program_document
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, isolated
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.window.crash_report import DetailsDialog, versions
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.startup import application_icon
from desktop_rater.ui.window.transfer import FileChoice
from desktop_rater.work.event_log import read_log

if TYPE_CHECKING:
    from desktop_rater.ui.window.manual import ManualWindow

REPORTED_LINES = 200  # of the log
ABOUT_WIDTH, ABOUT_ICON = 520, 64


class HelpCommands(QObject):
    """The actions of the menu Help that concern the program as a whole."""

    def __init__(self, window: QWidget, files: FileChoice, log: Path) -> None:
        super().__init__(window)
        self._window = window
        self._files = files
        self._log = log
        self._manual: ManualWindow | None = None

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "manual": self.show_manual,
            "show_log": self.show_log,
            "report_problem": self.report_problem,
            "about": self.show_about,
        }

    def show_manual(self) -> None:
        """Open the manual, where it was left."""
        from desktop_rater.ui.window.manual import ManualWindow  # noqa: PLC0415 - only when it is used

        if self._manual is None:
            self._manual = ManualWindow(program_document("docs"), self._window)
        self._manual.open()

    def show_log(self) -> None:
        text = read_log(self._log) or self.tr("The log is empty.")
        notice = self.tr("This is the log of the program, {path}. It contains no rated texts, names or addresses.")
        self._show("log", self.tr("Log"), notice.format(path=isolated(str(self._log))), text, at_end=True)

    def report_problem(self) -> None:
        """Show what a report about a crash should contain."""
        notice = self.tr(
            "Save this report, and send it with a description of what you did to those who look after the program. It "
            "contains versions and the latest events, but no rated texts, names or addresses."
        )
        log = "\n".join(read_log(self._log).splitlines()[-REPORTED_LINES:])
        self._show("report", self.tr("Report a crash"), notice, "\n".join((*versions(), "", log)))

    def show_about(self) -> None:
        dialog = AboutDialog(self._window, "\n".join(versions()))
        for button, file in ((dialog.licence, "LICENSE"), (dialog.notices, "THIRD-PARTY-NOTICES.txt")):
            button.clicked.connect(lambda _checked=False, name=file: self._show_document(name))
        dialog.ask()

    def _show_document(self, name: str) -> None:
        notice = self.tr("{name}, as it came with the program.").format(name=name)
        self._show("document", self.tr("About Desktop Rater"), notice, program_document(name).read_text("utf-8"))

    def _show(self, name: str, title: str, notice: str, text: str, *, at_end: bool = False) -> None:
        dialog = DetailsDialog(self._window, self._files, name, title)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show_details(notice, text, at_end=at_end)


class AboutDialog(WindowDialog):
    """Name, versions and licence, with buttons for the texts of the licences."""

    def __init__(self, window: QWidget, versions: str) -> None:
        super().__init__(window, "about", self.tr("About Desktop Rater"))
        self.finished.connect(self.deleteLater)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        head = tight_row(spacing=16)
        icon = PlainLabel()
        icon.setPixmap(application_icon().pixmap(theme.px(ABOUT_ICON)))
        icon.setAccessibleName(self.tr("Desktop Rater"))
        head.addWidget(icon)
        head.addWidget(PlainLabel(self.tr("Desktop Rater"), name="about_name", size="title", bold=True), 1)
        column.addLayout(head)
        text = self.tr("Judge, offline and with evidence, whether what an AI wrote is true.")
        column.addWidget(WrappedLabel(text))
        self.versions = WrappedLabel(versions, name="about_versions", ink="text2")
        column.addWidget(self.versions)
        licence = self.tr(
            "Licensed under the Apache License 2.0. The program contains Qt and other software with licences of "
            "their own, which the third-party notices reproduce."
        )
        column.addWidget(WrappedLabel(licence, ink="text2"))
        foot = tight_row(spacing=8)
        copy = KeyButton(
            self.tr("Copy versions"), name="about_copy", clicked=lambda: QGuiApplication.clipboard().setText(versions)
        )
        self.licence = KeyButton(self.tr("Licence"), name="about_licence", clicked=self.accept)
        self.notices = KeyButton(self.tr("Third-party notices"), name="about_notices", clicked=self.accept)
        for button in (copy, self.licence, self.notices):
            foot.addWidget(button)
        foot.addStretch(1)
        self._close = KeyButton(self.tr("Close"), "Esc", primary=True, name="about_close", clicked=self.reject)
        foot.addWidget(self._close)
        column.addLayout(foot)

    def ask(self) -> None:
        self.open_with(ABOUT_WIDTH)
        self._close.setFocus()
