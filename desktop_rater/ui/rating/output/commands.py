"""Commands to print the open task with its rating, and to copy it as text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QPageLayout
from PySide6.QtWidgets import QDialog

from desktop_rater.ui.rating.output.task_output import output_lines, plain_text, printed_document
from desktop_rater.ui.rating.rating_place import RatingPlace
from desktop_rater.ui.rating.session import Session
from desktop_rater.work.rating.task_text import target_blocks, task_blocks

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

MARGIN_MM = 18


class OutputCommands(QObject):
    """Print or copy the state of the rating that is shown."""

    def __init__(self, place: RatingPlace, session: Session) -> None:
        super().__init__(place.form_pane)
        self._session = session
        self._form_pane = place.form_pane

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"print_task": self.ask_printer, "copy_task": self.copy_task, "copy_target": self.copy_target}

    def copy_task(self) -> None:
        state = self._session.state
        if state is not None:
            blocks = task_blocks(state.task, state.rating, state.outcome)
            self._copy(plain_text(output_lines(blocks)), self.tr("The task is copied as text."))

    def copy_target(self) -> None:
        state, target = self._session.state, self._session.target
        if state is None or target is None:
            self._session.hinted.emit(self.tr("Select a target first."))
            return
        blocks = target_blocks(state.task, state.rating, state.outcome, target)
        self._copy(plain_text(output_lines(blocks)), self.tr("The target is copied with its rating."))

    def _copy(self, text: str, message: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._session.hinted.emit(message)

    def ask_printer(self) -> None:
        """Ask for a printer, or a PDF file, and print."""
        if self._session.state is None:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - not before the first print

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._session.state.task.id[:80])
        dialog = QPrintDialog(printer, self._form_pane.window())
        dialog.setObjectName("print_dialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.print_task(printer))
        QDialog.open(dialog)

    def print_task(self, printer: "QPrinter") -> None:
        """Print the open task with its rating."""
        state = self._session.state
        if state is None:
            return
        margins = printer.pageLayout().margins(QPageLayout.Unit.Millimeter)
        for set_margin in (margins.setLeft, margins.setTop, margins.setRight, margins.setBottom):
            set_margin(MARGIN_MM)
        printer.setPageMargins(margins, QPageLayout.Unit.Millimeter)
        blocks = task_blocks(state.task, state.rating, state.outcome)
        printed_document(output_lines(blocks), QGuiApplication.font()).print_(printer)
