"""A task with its rating on paper and on the clipboard: headings in the window's language, and the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QPageLayout,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QDialog

from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.pages.stances import stance_text
from desktop_rater.ui.rating.form_bars import skip_reason_text
from desktop_rater.ui.rating.rating_place import RatingPlace
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets.formatting import quoted
from desktop_rater.ui.widgets.labels import text_direction, visible
from desktop_rater.work.rating.task_text import TaskBlock, target_blocks, task_blocks

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

translate = QCoreApplication.translate
PRINTED_POINTS, INDENT_POINTS = 10, 14
MARGIN_MM = 18
PARTS = {"task", "turn", "prompt", "reference", "response", "target", "skipped", "note"}


class OutputLine(NamedTuple):
    """A heading with the text under it, or a line of details that is indented."""

    heading: str
    text: str
    indent: int = 0
    quote: str = ""

    @property
    def lead(self) -> str:
        """The heading before a text on the same line; a question keeps its mark only."""
        return self.heading if self.heading.endswith("?") else f"{self.heading}:"


def output_lines(blocks: Iterable[TaskBlock]) -> tuple[OutputLine, ...]:
    """Return the blocks of a task with their headings."""
    return tuple(map(_line, blocks))


def _line(block: TaskBlock) -> OutputLine:
    piece = block.evidence
    if piece is not None:
        page = " – ".join(part for part in (piece.title.strip(), readable_url(piece.url)) if part)
        text = "\n".join(part for part in (page, piece.note.strip()) if part)
        return OutputLine(stance_text(piece) or translate("TaskOutput", "Evidence"), text, 1, piece.quote)
    response = translate("TaskOutput", "Response")
    if block.kind == "response" and block.name:
        response = translate("TaskOutput", "Response {name}").format(name=response_letter(block.name))
    heading = {
        "task": translate("TaskOutput", "Task {name}").format(name=block.name),
        "turn": block.name,
        "prompt": translate("TaskOutput", "Prompt"),
        "reference": translate("TaskOutput", "Reference"),
        "response": response,
        "target": translate("TaskOutput", "Target {n}").format(n=block.name),
        "claim": translate("TaskOutput", "Claim {n}").format(n=block.name),
        "skipped": translate("TaskOutput", "Skipped: {reason}").format(reason=skip_reason_text(block.name)),
        "note": translate("TaskOutput", "Note to the QA lead"),
    }.get(block.kind, block.name)
    return OutputLine(heading, block.text, int(block.kind not in PARTS))


def plain_text(lines: Iterable[OutputLine]) -> str:
    """Return the lines as plain text; the texts themselves are unchanged."""
    parts = []
    for line in lines:
        if line.indent:
            parts.append(f"  {line.lead} {line.text}")
        else:
            parts.append(f"\n{line.heading}" + (f"\n{line.text}" if line.text else ""))
        if line.quote:
            parts.append(f"    {quoted(line.quote)}")
    return "\n".join(parts).strip() + "\n"


def printed_document(lines: Iterable[OutputLine], font: QFont) -> QTextDocument:
    """Return a document of plain text blocks; hidden characters are spelled out, and no text is read as HTML."""
    document = QTextDocument()
    base = QFont(font)
    base.setPointSizeF(PRINTED_POINTS)
    document.setDefaultFont(base)
    cursor = QTextCursor(document)
    for number, line in enumerate(lines):
        if line.indent:
            _insert(cursor, f"{line.lead} ", line.text, indent=INDENT_POINTS)
        else:
            _insert(cursor, line.heading, "", above=10, larger=number == 0)
            if line.text:
                _insert(cursor, "", line.text)
        if line.quote:
            _insert(cursor, "", quoted(line.quote), indent=2 * INDENT_POINTS)
    return document


def _insert(
    cursor: QTextCursor, heading: str, text: str, *, indent: float = 0, above: float = 2, larger: bool = False
) -> None:
    block = QTextBlockFormat()
    block.setLayoutDirection(text_direction(text or heading, QGuiApplication.layoutDirection()))
    block.setTopMargin(above)
    block.setLeftMargin(indent)
    bold, plain = QTextCharFormat(), QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    bold.setFontPointSize(PRINTED_POINTS + 3 * larger)
    plain.setFontPointSize(PRINTED_POINTS)
    if cursor.position():
        cursor.insertBlock(block)
    else:
        cursor.setBlockFormat(block)
    for part, look in ((heading, bold), (text, plain)):
        # A line feed would begin a block without this one's margins.
        cursor.insertText(visible(WidgetTextMap(part).shown).replace("\n", "\u2028"), look)


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

        printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)  # the document's margins are in its pixels
        printer.setDocName(self._session.state.task.id[:80])
        dialog = QPrintDialog(printer, self._form_pane.window())
        dialog.setObjectName("print_dialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.print_task(printer))
        QDialog.open(dialog)

    def print_task(self, printer: QPrinter) -> None:
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
