"""The search of the libraries in the preview, with its passages to read or to take; the form of a new library."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QListView, QStyle, QVBoxLayout, QWidget

from desktop_rater.app.assembly import Application
from desktop_rater.format.change import Progress
from desktop_rater.format.page import Page
from desktop_rater.format.rating import ResearchEntry
from desktop_rater.operations.pages.stored_pages import StoredPage, store_page
from desktop_rater.pages.web_client import FetchedPage
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import read_document
from desktop_rater.plugins.library.window import (
    LibraryAnswer,
    PassageResult,
    days_beyond,
    library_name,
    query_of,
    search_for_claim,
)
from desktop_rater.text.comparison import ComparedValue
from desktop_rater.text.quotes import Span
from desktop_rater.text.spans import Utf16Map
from desktop_rater.text.untrusted import boxed, hidden_characters
from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.evidence_fields import stance_name
from desktop_rater.ui.pages.page_document import found_passage, passage_at
from desktop_rater.ui.pages.page_search import PAUSE_MS, STEPS
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import Chip
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall, LatestRequest
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.formatting import day_text, library_text, listing, number
from desktop_rater.ui.widgets.labels import (
    PlainLabel,
    WrappedLabel,
    elided_text,
    isolated,
    set_tooltip,
    text_direction,
    visible,
)
from desktop_rater.ui.widgets.layouts import (
    FlowLayout,
    NamedGroup,
    announce,
    fill,
    horizontal_line,
    tight_column,
    tight_row,
)
from desktop_rater.ui.widgets.list_view import (
    HEADING,
    LIST_ROW_ROLE,
    Index,
    ListRow,
    ListRowDelegate,
    ListRowModel,
    RowList,
)
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.focus import WindowDialog

translate = QCoreApplication.translate
SETTLED_MS = 2_000  # typed words that stay for so long are a search of the record
MAX_LINES, MAX_NAME, ABOVE, BETWEEN = 3, 60, 8, 3


class PassageRow(ListRow, frozen=True):
    """The row of a passage: `title` and `detail` are those of its document, `end` is its library.

    `state` tells what it was taken as; `values` are those of the claim that it lacks or has otherwise.
    """

    excerpt: str = ""
    quote_end: int = 0
    words: tuple[Span, ...] = ()
    values: str = ""

    @property
    def spoken(self) -> str:
        parts = (self.state, self.title, self.detail, self.end, self.excerpt, self.values)
        return ", ".join(part for part in parts if part)

    @property
    def tooltip(self) -> str:
        return "\n".join(part for part in (self.excerpt, self.values) if part)


def marked_name(library: Library, name: str) -> str:
    """Return a name of a library, marked if it came from a hub without the lead's signature."""
    return translate("LibrarySearch", "{library}, not signed").format(library=name) if library.unsigned else name


def values_text(claim: str, values: Sequence[ComparedValue], lacking: str = "") -> str:
    """Return the values of a claim that a passage has otherwise, and those that it lacks."""
    names = {value: isolated(" ".join(claim[value.start : value.end].split())) for value in values}
    differs = translate("LibrarySearch", "differs: {value} / {other}")
    parts = [differs.format(value=names[value], other=isolated(value.other)) for value in values if value.other]
    if missing := dict.fromkeys(names[value] for value in values if value.finding == "absent"):
        lacking = lacking or translate("LibrarySearch", "not in this passage: {values}")
        parts.append(lacking.format(values=", ".join(missing)))
    return " · ".join(parts)


class PassageDelegate(ListRowDelegate):
    """Paints the title, the library, the passage with the words of the query marked, and its values to look at."""

    def height_of(self, index: Index) -> int:
        row = index.data(LIST_ROW_ROLE)
        if row.heading:
            return max(theme.px(HEADING), QFontMetrics(self.small).height() + theme.px(BETWEEN))
        lines = self._excerpt(row, self.view.viewport().width() - 2 * theme.px(PANE)).boundingRect().height()
        below = QFontMetrics(self.small).height() + theme.px(BETWEEN) if row.values else 0
        return int(lines + below + QFontMetrics(self.font).height() + theme.px(2 * ABOVE + BETWEEN)) + 1

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, PassageRow), "the list has no others"
        inner = self.paint_background(painter, rect, state, row).adjusted(0, theme.px(ABOVE), 0, -theme.px(ABOVE))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        top = QRect(inner.left(), inner.top(), inner.width(), QFontMetrics(self.font).height())
        ink, warn, end = (
            theme.color(self.view, "text"),
            theme.color(self.view, "warn"),
            filter(None, (row.state, row.end)),
        )
        painter.setFont(self.font)
        rest = self.paint_line(painter, top, row.title, " · ".join(end), ink, self.soft, bold=True)
        painter.setFont(self.small)
        if not self.mirrored:
            self.paint_line(painter, rest.adjusted(-theme.px(8), 0, 0, 0), row.detail, "", self.soft, self.soft)
        painter.setPen(self.soft)
        self._excerpt(row, inner.width(), elided=True).draw(
            painter, QPointF(inner.left(), top.bottom() + theme.px(BETWEEN))
        )
        inner.setTop(inner.bottom() - painter.fontMetrics().height() + 1)
        self.paint_line(painter, inner, row.values, "", warn, warn)

    def _excerpt(self, row: PassageRow, width: int, *, elided: bool = False) -> QTextLayout:
        """Lay out the passage: what would be quoted in the colour of text, the words of the query marked."""
        units, colors = Utf16Map(row.excerpt), theme.tokens(self.view)
        text = boxed(row.excerpt, (offset for offset, _name in hidden_characters(row.excerpt)))
        text = elided_text(QFontMetrics(self.font), text, width, MAX_LINES) if elided else text
        quoted, word, option = QTextCharFormat(), QTextCharFormat(), QTextOption()
        quoted.setForeground(QColor(colors.text))
        word.setFontUnderline(colors.high)
        word.setBackground(QColor(colors.surface if colors.high else colors.pick))
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(text_direction(text, self.view.layoutDirection()))
        marks, lines = (
            [((0, row.quote_end), quoted), *((span, word) for span in row.words)],
            QTextLayout(text, self.font),
        )
        lines.setTextOption(option)
        lines.setFormats([_format_range(units, span, form) for span, form in marks])
        lines.beginLayout()
        for _number in range(MAX_LINES):
            if (line := lines.createLine()).isValid():
                line.setLineWidth(max(width, 40))
                line.setPosition(QPointF(0, line.lineNumber() * line.height()))
        lines.endLayout()
        return lines


def _format_range(units: Utf16Map, span: Span, form: QTextCharFormat) -> QTextLayout.FormatRange:
    part = QTextLayout.FormatRange()
    start, end = (units.to_utf16(min(offset, len(units.text))) for offset in span)
    part.start, part.length, part.format = start, end - start, form
    return part


class PassageList(RowList):
    """The passages that were found."""

    delegate_class = PassageDelegate


class PassagesView(NamedGroup):
    """A list of passages in place of the page. Enter opens the one at hand, S and C take it, Esc leads back."""

    passage_changed = Signal()

    def __init__(self, application: Application, name: str, title: str, label: str) -> None:
        super().__init__(name=name)
        self.setAccessibleName(title)
        self._session, self._browsing = application.session, application.browsing
        self._pane = application.window.preview
        theme.set_ground(self, "surface")
        self.list = PassageList(f"{name}_rows", two_lines=True, label=label, pad=PANE, marks=False)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.vary_heights()
        self.list.setProperty("takes_enter", True)
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(lambda *_indexes: self.passage_changed.emit())
        self.list.doubleClicked.connect(lambda _index: self.open_passage())
        self.passage_changed.connect(self._pane.take_bar.refresh)
        self._keys: dict[tuple[QObject, int], Callable[[], object]] = {
            (self.list, Qt.Key.Key_Return): self.open_passage,
            (self.list, Qt.Key.Key_Enter): self.open_passage,
            (self.list, Qt.Key.Key_Escape): self.leave,
        }
        self.list.installEventFilter(self)

    def open_passage(self) -> None:
        """Open the page of the passage at hand (overridden)."""
        raise NotImplementedError

    def leave(self) -> None:
        """Return to the page that was open before the list, or else to the task."""
        page = self._browsing.page
        if page is not None and page.library is None:
            self._pane.show_page_again()
        else:
            self._browsing.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the list, and those of a field, also before a shortcut takes them."""
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        function = self._keys.get((watched, event.key()))
        if function is not None and event.type() == QEvent.Type.KeyPress:
            function()
        event.setAccepted(function is not None or event.isAccepted())
        return function is not None


class LibrarySearch(PassagesView):
    """Search in place of the page. The arrow keys choose a passage, Enter opens its document, S and C take it."""

    def __init__(self, application: Application, commands: Any) -> None:  # a `window.LibraryCommands`
        label = translate("LibrarySearch", "Passages of the libraries")
        super().__init__(application, "library_search", translate("LibrarySearch", "Libraries"), label)
        self._commands, self._web, self._perform = commands, application.web, application.perform
        self._record = application.window.parts["pages"].recorder.add
        self._claim = self._filled = ""  # the claim, and its words as they were filled in
        self._off: set[str] = set()  # ids of the libraries that are switched off
        self._answer, self._answered = LibraryAnswer(), ""  # and its query
        # The search that was recorded last; whether the next answer belongs to the record at once.
        self._recorded, self._records = (), False
        self._pages: dict[tuple[str, ...], Page] = {}  # stored documents of this task, by bundle, library and place
        self._job: Progress | None = None
        self._latest, self._reading = LatestRequest(), LatestRequest()
        self._pause = DelayedCall(self, PAUSE_MS, self.ask)
        self._settled = DelayedCall(self, SETTLED_MS, self.record)
        self._lay_out()
        self._session.opened.connect(self._forget)
        self._session.place_changed.connect(self._follow)
        self._session.rating_changed.connect(self._show_rows)

    def _lay_out(self) -> None:
        self.field = LineField(
            name="library_field",
            label=self.tr("Search the libraries"),
            placeholder=self.tr("Words to search for, exact words in quotation marks"),
            entered=lambda _by: self.open_passage(),
            left=self.leave,
        )
        self.field.textEdited.connect(lambda _text: (self._pause.start(), self._settled.stop()))
        self.chips = NamedGroup(name="library_chips")
        self.chips.setAccessibleName(self.tr("Libraries to search"))
        self._flow = FlowLayout(self.chips, spacing=4, alike=False)
        self.count_label = PlainLabel(name="library_count", bold=True)
        self.notes_label = WrappedLabel(name="library_notes", size="small", ink="text2")
        self.late_label = WrappedLabel(name="library_late", size="small", ink="warn")
        self._keys |= {(self.field, key): partial(self._step, by) for key, by in STEPS.items()}
        self._keys[self.field, Qt.Key.Key_Tab] = self.list.setFocus  # Shift Tab goes on to the switches
        self.field.installEventFilter(self)
        head = fill(QVBoxLayout(), self.field, self.chips, self.late_label, self.count_label, self.notes_label)
        tight_column(self, head, horizontal_line(), (self.list, 1), spacing=0)
        theme.pad(head, PANE, 8, PANE, 8, spacing=6)
        self.setFocusProxy(self.field)

    # -- what is searched

    def begin(self) -> None:
        """Search for the words of the current claim, or else of the target."""
        self.setFocusProxy(self.field)
        self._fill()
        self.field.setFocus()
        self.field.end(False)
        self.field.home(True)
        self._records = True
        self.ask()

    def show_libraries(self) -> None:
        """Show the libraries, each with a switch."""
        for chip in self.chips.findChildren(Chip):
            chip.hide()
            chip.deleteLater()
        for library in self._commands.searched:
            chip, name = Chip(), library_text(library_name(library))
            name = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
            chip.setText(visible(marked_name(library, name)))
            chip.setObjectName(f"library_{library.id}")
            chip.setEnabled(library.ready)
            chip.setChecked(library in self.chosen)
            set_tooltip(chip, library.licence if library.ready else self.tr("It is not indexed yet."))
            chip.toggled.connect(partial(self._switch, library.id))
            self._flow.addWidget(chip)
        self.ask()

    def _switch(self, library: str, on: bool) -> None:
        (self._off.discard if on else self._off.add)(library)
        self.ask()

    @property
    def chosen(self) -> tuple[Library, ...]:
        """Return the libraries that are searched."""
        return tuple(library for library in self._commands.ready if library.id not in self._off)

    def _fill(self) -> None:
        self._claim = claim_or_quote(self._session)
        self._filled = query_of(self._claim)
        self.field.setText(self._filled)

    def _follow(self) -> None:
        """Show the passages for another claim, unless the rater typed words of their own."""
        if self.isVisible() and self.field.text() == self._filled and claim_or_quote(self._session) != self._claim:
            self._fill()
            self.ask()

    def ask(self) -> None:
        """Search; of several searches, the last one counts."""
        self._pause.stop()
        self._latest.replace()
        if self._job is not None:
            self._perform.cancel(self._job)
        self._job, query, libraries = None, self.field.text().strip(), self.chosen
        answer = self._commands.known_answer(query, self._claim, libraries) if query else LibraryAnswer()
        if answer is not None:
            self._show(query, answer)
            return
        work = partial(search_for_claim, self._commands.store, query, self._claim, libraries)
        self._job = self._perform.fetch(work, done=self._latest.only(partial(self._show, query)))

    def _show(self, query: str, answer: LibraryAnswer) -> None:
        self._job, self._answer, self._answered = None, answer, query
        self._show_rows()
        self.list.setCurrentIndex(self.model.index(0))
        without = listing(library_text(library_name(library)) for library in answer.without)
        nothing = self.tr("Nothing found in {libraries}.").format(libraries=without) if without else ""
        late, days = (
            self.tr("The claim is about {day}; {library} ends on {end}."),
            days_beyond(self._claim, self.chosen),
        )
        notes = [
            late.format(day=isolated(day), library=isolated(row.name), end=day_text(row.date)) for day, row in days
        ]
        texts = {self.count_label: self.count_text(answer) if query else "", self.notes_label: nothing}
        for label, text in {**texts, self.late_label: "\n".join(notes)}.items():
            label.setText(text)
            label.setVisible(bool(text))
        self.passage_changed.emit()
        if self._records:
            self.record()
        elif query != self._filled:
            self._settled.start()
        self._records = False
        if self.isVisible():
            announce(self, f"{self.count_label.text()} {self.notes_label.text()}")

    def count_text(self, answer: LibraryAnswer) -> str:
        """Return how many passages an answer has, in how many documents."""
        if not self.chosen:
            return self.tr("No library can be searched. Add or switch on one.")
        count, documents = len(answer.results), len({result.passage.place for result in answer.results})
        single = self.tr("1 passage") if count == 1 else self.tr("{n} passages in 1 document")
        several = self.tr("{n} passages in {m} documents, best first") if count else self.tr("Nothing found")
        return (single if documents == 1 else several).format(n=number(count), m=number(documents))

    def _show_rows(self) -> None:
        pieces = self._session.evidence_here if self._session.task is not None else ()
        stances = {" ".join(piece.quote.split()): stance_name(piece.stance) for piece in pieces}
        self.model.show([self._row(result, stances) for result in self._answer.results])

    def _row(self, result: PassageResult, stances: dict[str, str]) -> PassageRow:
        passage, (start, end) = result.passage, result.quote
        title, heading = " ".join(passage.title.split()) or passage.place, " ".join(passage.heading.split())
        return PassageRow(
            (result.library.id, passage.place, passage.start, self._answered),
            title,
            end=marked_name(result.library, library_text(library_name(result.library))),
            detail=heading if heading != title else "",
            state=stances.get(" ".join(passage.text[start:end].split()), ""),
            excerpt=result.excerpt,
            quote_end=end - start,
            words=result.words,
            values=values_text(self._claim, result.values),
        )

    # -- the passage at hand

    @property
    def result(self) -> PassageResult | None:
        """Return the passage that keys act on."""
        row = self.list.currentIndex().row()
        return self._answer.results[row] if 0 <= row < len(self._answer.results) else None

    @property
    def passage(self) -> PagePassage | None:
        """Return the words of it that would be quoted."""
        return passage_at(self.result.passage.text, self.result.quote) if self.result is not None else None

    def with_passage(self, use: Callable[[Page, PagePassage | None], None]) -> None:
        """Read and store the document of the passage at hand, and pass on both."""
        session = self._session
        where = session.task, session.place

        def take(passage: PagePassage, page: Page) -> None:
            quoted = found_passage(page, passage)
            if (session.task, session.place) != where:
                self._session.hinted.emit(self.tr("Nothing was taken: you are at another place by now."))
            elif quoted is None:
                self._session.hinted.emit(self.tr("The document has the passage in other words. Select what it says."))
                self._open_page(passage, page)
            else:
                visit = ResearchEntry(kind="page", url=page.url, title=page.title or None, outcome="taken")
                self._record(visit, page.library)
                use(page, quoted)

        self._with_document(take)

    def open_passage(self) -> None:
        """Open the document of the passage at hand, at the passage; Esc leads back. The last request counts."""
        self._reading.replace()
        self._with_document(self._reading.only(self._open_page))

    def _open_page(self, passage: PagePassage, page: Page) -> None:
        if self.isVisible():
            self.setFocusProxy(self.list if self.list.hasFocus() else self.field)
            self._pane.passages_before = self
            self._browsing.open_stored(page.url, page.snapshot or "", passage)

    def _with_document(self, use: Callable[[PagePassage, Page], object]) -> None:
        """Read the document of the passage at hand as a page, and store its snapshot before it is used."""
        result, passage, bundle = self.result, self.passage, self._session.bundle
        self.record()
        if result is None or passage is None:
            self._session.hinted.emit(self.tr("There is no passage."))
            return
        key = bundle, result.library.id, result.passage.place
        if key in self._pages:
            use(passage, self._pages[key])
            return

        def store(fetched: FetchedPage) -> None:
            if fetched.page.shows:
                self._perform.perform(store_page, fetched, bundle, done=keep, first=True)
            else:
                self._session.hinted.emit(fetched.page.why or self.tr("The document has no text."))

        def keep(stored: StoredPage) -> None:
            self._pages[key] = stored.page
            use(passage, stored.page)

        read = partial(read_document, self._commands.store, result.library, result.passage.place, self._web)
        self._perform.fetch(read, done=store)

    # -- the record

    def record(self) -> None:
        """Add the search to the record of the place, once for the same words and libraries."""
        self._settled.stop()
        answer, place = self._answer, self._session.place
        search = (place.target, place.response, self._answered, answer.searched)
        if self.isVisible() and answer.searched and self._job is None and search != self._recorded:
            self._recorded = search
            self._record(
                ResearchEntry(kind="search", query=self._answered, hits=len(answer.results)),
                *map(library_name, answer.searched),
            )

    def _forget(self) -> None:
        self._settled.stop()
        self._reading.replace()
        self._pages.clear()
        self._filled, self._claim, self._recorded = "", "", ()
        self.field.clear()
        self.ask()

    # -- keys

    def _step(self, by: int) -> None:
        """Choose another passage while the field has the focus."""
        row = max(0, min(self.list.currentIndex().row() + by, self.model.rowCount() - 1))
        self.list.setCurrentIndex(self.model.index(row))
        self.record()


class FieldsDialog(WindowDialog):
    """A form of one-line fields. Enter confirms it, Esc closes it.

    `names` are those of the dialog and of its button, `fields` has the label and the first text of each. `confirm`
    takes the texts by the keys of the fields, and returns what is wrong with them, or nothing.
    """

    def __init__(
        self,
        window: QWidget,
        name: str,
        names: tuple[str, str],
        fields: Mapping[str, tuple[str, str]],
        confirm: Callable[[dict[str, str]], str],
    ) -> None:
        super().__init__(window, f"{name}_dialog", names[0])
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._try, self._fields, rows = confirm, {}, []
        for key, (label, text) in fields.items():
            field = LineField(name=f"{name}_{key}", label=label, entered=self._confirm, left=self.reject)
            field.setText(text)
            self._fields[key] = field
            rows += [PlainLabel(label, size="small", ink="text2"), field]
        self._fault = WrappedLabel(name=f"{name}_fault", ink="block")
        self._fault.hide()
        cancel = KeyButton(self.tr("Cancel"), "Esc", name=f"{name}_cancel", clicked=self.reject)
        go_on = KeyButton(names[1], "Enter", primary=True, name=f"{name}_go", clicked=self._confirm)
        title, foot = PlainLabel(names[0], size="title", bold=True), tight_row(None, 1, cancel, go_on, spacing=8)
        tight_column(self, title, *rows, self._fault, foot, spacing=8, margins=(24, 20, 24, 16))

    def _confirm(self, *_by: object) -> None:
        fault = self._try({key: " ".join(field.text().split()) for key, field in self._fields.items()})
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))
        if not fault:
            self.accept()
