"""Text of a task with its rating: headings in the window's language, plain text, and a document to print."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QGuiApplication, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from desktop_rater.text.offsets import WidgetTextMap
from desktop_rater.ui.pages.stances import stance_text
from desktop_rater.ui.rating.form_bars import skip_reason_text
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets.formatting import quoted
from desktop_rater.ui.widgets.labels import text_direction, visible
from desktop_rater.work.rating.task_text import TaskBlock

translate = QCoreApplication.translate
PRINTED_POINTS, INDENT_POINTS = 10, 14
PARTS = {"task", "turn", "prompt", "reference", "response", "target", "skipped", "note"}


class OutputLine(NamedTuple):
    """A heading with the text under it, or a line of details that is indented."""

    heading: str
    text: str
    indent: int = 0
    quote: str = ""


def output_lines(blocks: Iterable[TaskBlock]) -> tuple[OutputLine, ...]:
    """Return the blocks of a task with their headings."""
    return tuple(map(_line, blocks))


def _line(block: TaskBlock) -> OutputLine:
    piece = block.evidence
    if piece is not None:
        page = " – ".join(part for part in (piece.title.strip(), piece.url) if part)
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
            parts.append(f"  {line.heading}: {line.text}")
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
            _insert(cursor, f"{line.heading}: ", line.text, indent=INDENT_POINTS)
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
