"""Everything of a task at once: the search in its texts, and the task on paper and on the clipboard."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
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
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from desktop_rater.format.task import ToolCall
from desktop_rater.operations.rating.task_text import TaskBlock, target_blocks, task_blocks
from desktop_rater.text.spans import Utf16Map, WidgetTextMap
from desktop_rater.text.text_search import SEPARATOR
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.pages.context_pane import document_name
from desktop_rater.ui.pages.evidence_fields import stance_text
from desktop_rater.ui.rating.form_view import skip_reason_text
from desktop_rater.ui.rating.pair.arrangement import RatingPlace
from desktop_rater.ui.rating.response_pane import ResponsePane
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.rating.tool_output import call_texts
from desktop_rater.ui.widgets.find_bar import Match, SearchedTexts, cursor_offset, select_span
from desktop_rater.ui.widgets.formatting import quoted
from desktop_rater.ui.widgets.json_tree import Path
from desktop_rater.ui.widgets.labels import text_direction, visible
from desktop_rater.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


translate = QCoreApplication.translate
MAX_NAME_LENGTH = 60
Piece = tuple[Path, bool, str]  # a text of a tool call: its path, whether it is a key, and the text


@dataclass(frozen=True, slots=True)
class SearchedText:
    """A text of the task: where it is, how a span of it is shown, and the widget that shows it."""

    text: str
    where: str
    show: Callable[[int, int], None]
    widget: QWidget
    is_shown: Callable[[], bool] = bool
    source: TextView | None = None  # Markdown that is shown rendered by this view


class TaskSearch:
    """Search in the open task. The texts are gathered once, and again after one is laid out anew."""

    def __init__(self, texts: TaskTextPane) -> None:
        self._pane = texts
        self._key: tuple[object, ...] = ()
        self._texts: list[SearchedText] = []
        self._searched = SearchedTexts(())

    @property
    def name(self) -> str:
        return translate("TaskSearch", "everything of this task")

    def find(self, query: str) -> list[Match]:
        self._gather()
        return [match for match in self._searched.find(query) if not self._is_rendered(match)]

    def _is_rendered(self, match: Match) -> bool:
        """Return whether a match in Markdown is in the rendered text as well, where it was found already."""
        text = self._texts[match.text]
        if text.source is None:
            return False
        span = text.source.shown_map.shown_span(match.start, match.end)
        return span is not None and span[1] - span[0] == Utf16Map(text.text[match.start : match.end]).units

    def start(self) -> tuple[int, int]:
        """Return the text that has the focus, else the current response, and the place of its cursor."""
        self._gather()
        current = self._pane.current_pane
        for widget in (QApplication.focusWidget(), current.view if current is not None else None):
            for number, text in enumerate(self._texts):
                if widget is None or not (text.widget is widget or text.widget.isAncestorOf(widget)):
                    continue
                if isinstance(text.widget, ResponseView):
                    return number, cursor_offset(text.widget)
                if text.is_shown():
                    return number, 0
        return 0, 0

    def place_name(self, match: Match) -> str:
        return self._texts[match.text].where

    def show(self, match: Match) -> None:
        self._texts[match.text].show(match.start, match.end)

    def focus(self) -> None:
        current = self._pane.current_pane
        if current is not None:
            current.view.setFocus()

    # -- the texts

    def _gather(self) -> None:
        responses = ((pane.response, pane.view.document()) for pane in self._pane.panes)
        key = (self._pane.prompt.parts, self._pane.citing.context.documents, *responses)
        if key != self._key:
            self._key = key
            self._texts = [*self._prompt_texts(), *self._response_texts(), *self._context_texts()]
            self._searched = SearchedTexts(text.text for text in self._texts)

    def _prompt_texts(self) -> Iterator[SearchedText]:
        prompt = self._pane.prompt
        for index, part in enumerate(prompt.parts):
            where = translate("TaskSearch", "in the reference") if index else translate("TaskSearch", "in the prompt")
            is_shown = partial(self._shows_part, index)
            ends = [start for start, _length in part.turns[1:]] + [len(part.text)]
            for number, ((start, length), end) in enumerate(zip(part.turns, ends, strict=False), 1):
                where = translate("TaskSearch", "in turn {n} of the conversation").format(n=number)
                begin = start + length
                show = partial(self._show_prompt, index, begin)
                yield SearchedText(part.text[begin:end], where, show, prompt, is_shown)
            if not part.turns:
                yield SearchedText(part.text, where, partial(self._show_prompt, index, 0), prompt, is_shown)

    def _shows_part(self, index: int) -> bool:
        return self._pane.prompt.part == index

    def _show_prompt(self, index: int, before: int, start: int, end: int) -> None:
        prompt = self._pane.prompt
        prompt.show_part(index)
        prompt.text.stop_following()
        prompt.text.select_source(before + start, before + end)

    def _response_texts(self) -> Iterator[SearchedText]:
        panes = self._pane.panes
        for pane in panes:
            view, response = pane.view, pane.response
            name = response_letter(response.id)
            alone = len(panes) == 1
            where = translate("TaskSearch", "in the response")
            where = where if alone else translate("TaskSearch", "in response {name}").format(name=name)
            yield SearchedText(view.document().toRawText(), visible(where), partial(self._show_response, pane), view)
            if view.is_rendered:
                where = translate("TaskSearch", "in the Markdown source")
                show = partial(self._show_source, pane)
                yield SearchedText(response.text, where, show, pane, source=view)
            for number, call in enumerate(response.tools, 1):
                yield from self._call_texts(pane, number, call)

    def _call_texts(self, pane: ResponsePane, number: int, call: ToolCall) -> Iterator[SearchedText]:
        name = visible(" ".join(call.name.split())[:MAX_NAME_LENGTH])
        in_output = translate("TaskSearch", "in the output of {name}").format(name=name)
        in_input = translate("TaskSearch", "in the input of {name}").format(name=name)
        in_name = translate("TaskSearch", "in the name of a tool")
        parts: list[tuple[str, list[Piece]]] = [(in_name, [((), True, call.name)])]
        texts = list(call_texts(call))
        size = sum(path[:1] == (0,) for path, _is_key, _text in texts) if call.input is not None else 0
        if len(self._pane.panes) > 1:
            of_response = translate("TaskSearch", "{place}, response {name}")
            letter = response_letter(pane.response.id)
            in_output, in_input = (of_response.format(place=place, name=letter) for place in (in_output, in_input))
        parts += [(in_input, texts[:size]), (in_output, texts[size:])]
        for where, pieces in parts:
            starts = list(accumulate((len(text) + 1 for _path, _is_key, text in pieces), initial=0))
            text = SEPARATOR.join(text for _path, _is_key, text in pieces)
            show = partial(self._show_call, pane, number, pieces, starts)
            yield SearchedText(text, where, show, pane.tool_part, lambda where=where: where != in_name)

    def _show_response(self, pane: ResponsePane, start: int, end: int) -> None:
        self._pane.show_response(pane.response.id)
        select_span(pane.view, start, end)

    def _show_source(self, pane: ResponsePane, start: int, _end: int) -> None:
        """Scroll to the nearest rendered character."""
        self._pane.show_response(pane.response.id)
        cursor = QTextCursor(pane.view.document())
        cursor.setPosition(min(pane.view.shown_map.to_shown(start), pane.view.document().characterCount() - 1))
        pane.view.setTextCursor(cursor)
        pane.view.ensureCursorVisible()

    def _show_call(
        self, pane: ResponsePane, number: int, pieces: Sequence[Piece], starts: Sequence[int], start: int, end: int
    ) -> None:
        piece = bisect_right(starts, start) - 1
        path, is_key, _text = pieces[piece]
        self._pane.show_response(pane.response.id)
        pane.tool_part.show_match(number, path, start - starts[piece], end - starts[piece], in_key=is_key)

    def _context_texts(self) -> Iterator[SearchedText]:
        context = self._pane.citing.context
        for index, document in enumerate(context.documents):
            name = visible(document_name(document)[:MAX_NAME_LENGTH])
            where = translate("TaskSearch", "in the document {name}").format(name=name)
            text, show = document.text[:MAX_SHOWN_CHARACTERS], partial(self._show_document, index)
            yield SearchedText(text, where, show, context, partial(self._shows_document, index))
            where = translate("TaskSearch", "in the title of a document")
            yield SearchedText(document.title, where, partial(self._show_title, index), context)

    def _shows_document(self, index: int) -> bool:
        return self._pane.citing.context.document == index

    def _show_title(self, index: int, _start: int, _end: int) -> None:
        self._pane.citing.documents.set_open(wanted=True)
        self._pane.citing.context.show_document(index)

    def _show_document(self, index: int, start: int, end: int) -> None:
        self._show_title(index, start, end)
        self._pane.citing.context.view.select_source(start, end)


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
