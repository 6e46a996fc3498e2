"""Pane of the research record: time, stopwatch, record and comment of a target, in place of the form."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.format.rating import LibraryName, Rating, ResearchEntry
from desktop_rater.format.values import Place
from desktop_rater.rubric.research import (
    RequiredResearch,
    ResearchTotals,
    entries_at,
    required_research,
    research_totals,
)
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import display_host
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form import question_row
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.work_time import Stopwatch
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar, ThinBar
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import NamedGroup, ScrollColumn, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import MARK, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.keys import cap_text

translate = QCoreApplication.translate
MAX_NAMED_PAGES, MAX_TITLE = 12, 60
MIN_REPORTED_SECONDS = 60  # less is no search, and no sentence of a draft
KIND_ICONS = {"search": "search", "page": "page", "outside": "globe"}


def minutes_text(seconds: float) -> str:
    """Return a duration as minutes and seconds: "6:12"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def engine_text(engine: str | None) -> str:
    """Return the name of a search engine or library."""
    return dict(SETTINGS_BY_ID["search_engine"].choices).get(engine or "", engine or "")


def libraries_text(libraries: Iterable[LibraryName]) -> str:
    """Return libraries with their dates, as a list."""
    return formatting.listing(map(formatting.library_text, libraries))


def passages_text(count: int | None) -> str:
    """Return the number of passages that a search found; "" if it is not known."""
    text = translate("Research", "1 passage") if count == 1 else translate("Research", "{n} passages")
    return "" if count is None else text.format(n=formatting.number(count))


def outcome_text(entry: ResearchEntry) -> str:
    """Return the outcome of an entry in a few words."""
    if entry.kind == "search" and entry.libraries:
        libraries = libraries_text(entry.libraries)
        if entry.hits == 0:
            return translate("Research", "nothing found in {libraries}").format(libraries=libraries)
        return ", ".join(part for part in (passages_text(entry.hits), libraries) if part)
    if entry.kind == "search":
        return engine_text(entry.engine)
    if entry.kind == "outside":
        return translate("Research", "reported, not measured")
    return {
        "taken": translate("Research", "evidence taken"),
        "nothing": translate("Research", "nothing taken"),
        "dead": translate("Research", "did not load"),
        "sign_in": translate("Research", "needs a sign-in"),
        "not_shown": translate("Research", "could not be shown"),
    }.get(entry.outcome or "", "")


def _title(entry: ResearchEntry) -> str:
    if entry.kind == "search":
        return formatting.quoted(entry.query or "")
    if entry.kind == "outside":
        return translate("Research", "Research in your browser")
    return entry.title or display_host(entry.url or "") or entry.url or ""


def research_row(row_id: int, entry: ResearchEntry, *, is_open: bool = False) -> ListRow:
    """Return the row of an entry."""
    host = _source_text(entry) if entry.kind == "page" else ""
    outcome = translate("Research", "open now") if is_open else outcome_text(entry)
    when = datetime.fromisoformat(entry.at).astimezone() if entry.at else None
    kinds = {
        "search": translate("Research", "Search"),
        "page": translate("Research", "Page"),
        "outside": translate("Research", "Browser"),
    }
    return ListRow(
        row_id,
        _title(entry),
        end=minutes_text(entry.seconds) if entry.seconds else "",
        detail=", ".join(part for part in (host if host != _title(entry) else "", outcome) if part),
        detail_end=formatting.clock(when) if when is not None else "",
        mark="offline" if entry.outcome == "dead" else KIND_ICONS[entry.kind],
        state=kinds[entry.kind],
    )


def entry_text(entry: ResearchEntry, *, timed: bool = True) -> str:
    """Return an entry on one line: "14:02, “words”, DuckDuckGo"."""
    row = research_row(0, entry)
    parts = (row.detail_end if timed else "", row.title, row.detail, row.end)
    return ", ".join(part for part in parts if part)


def counts_text(totals: ResearchTotals) -> str:
    """Return the number of searches and pages: "3 searches, 5 pages"."""
    searches = translate("Research", "1 search") if totals.searches == 1 else translate("Research", "{n} searches")
    pages = translate("Research", "1 page") if totals.pages == 1 else translate("Research", "{n} pages")
    parts = (searches.format(n=formatting.number(totals.searches)), pages.format(n=formatting.number(totals.pages)))
    return ", ".join(parts)


def times_text(totals: ResearchTotals) -> str:
    """Return the measured and the reported time."""
    if not totals.reported:
        return translate("Research", "{time} in this program").format(time=minutes_text(totals.measured))
    template = translate("Research", "{time} in this program, {reported} in your browser")
    return template.format(time=minutes_text(totals.measured), reported=minutes_text(totals.reported))


def summary_text(totals: ResearchTotals) -> str:
    """Return one line for the review: "3 searches, 5 pages, 9:40 min of which 3:28 reported"."""
    if totals.reported:
        template = translate("Research", "{counts}, {time} min of which {reported} reported")
    else:
        template = translate("Research", "{counts}, {time} min")
    time, reported = minutes_text(totals.seconds), minutes_text(totals.reported)
    return template.format(counts=counts_text(totals), time=time, reported=reported)


def required_text(totals: ResearchTotals, required: RequiredResearch | None) -> str:
    """Return the research time, and the one that a rule of the rubric asks for."""
    if required is None:
        return translate("Research", "{time} min").format(time=minutes_text(totals.seconds))
    labels = translate("Research", " or ").join(required.labels)
    least = minutes_text(required.seconds)
    if not labels:
        return translate("Research", "{time} of {least} min").format(time=minutes_text(totals.seconds), least=least)
    template = translate("Research", "{time} of {least} min before {label}")
    return template.format(time=minutes_text(totals.seconds), least=least, label=labels)


def draft_sentences(rating: Rating, target: str | None, response: str | None) -> dict[str, str]:
    """Return the sentences that sum up the research on a target or response, by what they are about."""
    entries = entries_at(rating, target, response)
    place = (target, None) if target is not None else (None, response)
    found = any((piece.target, piece.response) == place for piece in rating.evidence)
    sentences = dict(_search_sentences(entries, found=found))
    templates = {
        "taken": (
            translate("Research", "Evidence on 1 page: {pages}."),
            translate("Research", "Evidence on {n} pages: {pages}."),
        ),
        "nothing": (
            translate("Research", "Looked at 1 page without result: {pages}."),
            translate("Research", "Looked at {n} pages without result: {pages}."),
        ),
        "sign_in": (
            translate("Research", "1 page needs a sign-in: {pages}."),
            translate("Research", "{n} pages need a sign-in: {pages}."),
        ),
        "dead": (
            translate("Research", "1 page did not load: {pages}."),
            translate("Research", "{n} pages did not load: {pages}."),
        ),
        "not_shown": (
            translate("Research", "1 page could not be shown: {pages}."),
            translate("Research", "{n} pages could not be shown: {pages}."),
        ),
    }
    for outcome, (single, several) in templates.items():
        pages = {page_key(entry.url or ""): _page_name(entry) for entry in entries if entry.outcome == outcome}
        if pages:
            names = list(dict.fromkeys(pages.values()))
            if len(names) > MAX_NAMED_PAGES:
                more = translate("Research", "{n} more").format(n=len(names) - MAX_NAMED_PAGES)
                names = [*names[:MAX_NAMED_PAGES], more]
            template = single if len(pages) == 1 else several
            sentences[outcome] = template.format(n=formatting.number(len(pages)), pages=", ".join(names))
    reported = sum(entry.seconds or 0 for entry in entries if entry.kind == "outside")
    if reported >= MIN_REPORTED_SECONDS:
        template = translate("Research", "Searched for {time} min in my own browser.")
        sentences["outside"] = template.format(time=minutes_text(reported))
    return sentences


def _search_sentences(entries: Iterable[ResearchEntry], *, found: bool) -> Iterable[tuple[str, str]]:
    """Yield a sentence for each group of engines that were asked the same words."""
    words: dict[str, dict[str, None]] = {}
    searches = [entry for entry in entries if entry.kind == "search"]
    yield from _library_sentences([entry for entry in searches if entry.libraries])
    for entry in searches:
        if not entry.libraries:
            words.setdefault(engine_text(entry.engine), {})[formatting.quoted(entry.query or "")] = None
    engines: dict[tuple[str, ...], list[str]] = {}
    for engine, queries in words.items():
        engines.setdefault(tuple(queries), []).append(engine)
    plain = translate("Research", "Searched {engines} for {words}.")
    nothing = translate("Research", "Searched {engines} for {words}: nothing found.")
    for queries, names in engines.items():
        joined = formatting.listing(queries)
        text = (plain if found else nothing).format(engines=formatting.listing(names), words=joined)
        yield f"search {names[0]}", text


def _library_sentences(searches: Iterable[ResearchEntry]) -> Iterable[tuple[str, str]]:
    """Yield a sentence for each outcome of searches in the same libraries: one for all words without a passage."""
    hits_by_search = {(libraries_text(entry.libraries or ()), entry.query or ""): entry.hits for entry in searches}
    outcomes: dict[tuple[str, str], list[str]] = {}
    for (libraries, query), hits in hits_by_search.items():
        outcome = translate("Research", "nothing found") if hits == 0 else passages_text(hits)
        outcomes.setdefault((libraries, outcome), []).append(formatting.quoted(query))
    for (libraries, outcome), queries in outcomes.items():
        template = translate("Research", "Searched {engines} for {words}: {outcome}.")
        plain = translate("Research", "Searched {engines} for {words}.")
        words = formatting.listing(queries)
        yield (
            f"search {libraries} {outcome}",
            (template if outcome else plain).format(engines=libraries, words=words, outcome=outcome),
        )


def _source_text(entry: ResearchEntry) -> str:
    return libraries_text(entry.libraries) if entry.libraries else display_host(entry.url or "")


def _page_name(entry: ResearchEntry) -> str:
    host, title = _source_text(entry) or (entry.url or ""), " ".join((entry.title or "").split())
    return f"{title} ({host})" if title and title != host and len(title) <= MAX_TITLE else host


def drafted_text(text: str, before: Mapping[str, str], sentences: Mapping[str, str]) -> str:
    """Return a comment with the sentences in place of those drafted `before`.

    A drafted sentence that was edited or deleted stays as it is; new sentences follow the last drafted one.
    """
    end = len(text.rstrip())
    for name, old in before.items():
        start = text.find(old)
        if start >= 0:
            new = sentences.get(name, "")
            text = text[:start] + new + text[start + len(old) :]
            end = start + len(new)
    added = " ".join(sentence for name, sentence in sentences.items() if name not in before)
    head, tail = text[:end], text[end:]
    if added and head.strip():
        added = f" {added}"
    return f"{head}{added}{tail}".strip()


TICK_MS = 1_000
MIN_ROWS = 2  # of the list; in a lower window the pane scrolls


def research_here(session: Session) -> Rating:
    """Return the rating with all research of the open task, also that which it does not hold yet."""
    return session.research.with_all(session.bundle, session.rating)


def totals_here(session: Session) -> ResearchTotals:
    """Return the totals of the current target or response, up to now."""
    place = session.place
    totals = research_totals(research_here(session), place.target, place.response)
    if place.target is None:
        return totals
    return ResearchTotals(
        searches=totals.searches, pages=totals.pages, measured=session.seconds_here(), reported=totals.reported
    )


def text_question(session: Session) -> str | None:
    """Return the text question that a comment is drafted into: the current one, else the first."""
    names = [question.question.id for question in session.form_questions if question.question.kind == "text"]
    return session.current_question if session.current_question in names else next(iter(names), None)


class ResearchDelegate(ListRowDelegate):
    """Paints the kind of an entry as an icon."""

    ruled = True

    def paint_mark(self, painter: QPainter, rect: QRect, y: float, row: ListRow) -> None:
        size, pad = theme.px(MARK), theme.px(self._pad)
        left = rect.right() + 1 - pad - size if self.mirrored else rect.left() + pad
        shapes.paint_icon(painter, QRectF(left, y + 0.5 - size / 2, size, size), row.mark, self.soft)


class ResearchList(RowList):
    """List of research entries."""

    delegate_class = ResearchDelegate
    removal_wanted = Signal()
    correction_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("research_list", two_lines=True, pad=PANE, parent=parent)
        self.setAccessibleName(self.tr("Research on this target"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        theme.set_ground(self.viewport(), "surface")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), MIN_ROWS * self.row_delegate.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and event.key() == Qt.Key.Key_F2:  # elsewhere it edits a claim
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.correction_wanted.emit()
        else:
            super().keyPressEvent(event)


class ResearchPane(NamedGroup):
    """Shows the research on the current target or response. Its comment is the same answer as in the form."""

    back_wanted = Signal()
    stopwatch_wanted = Signal()
    draft_wanted = Signal()

    def __init__(self, session: Session, stopwatch: Stopwatch, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="research_pane")
        self.setAccessibleName(self.tr("Research"))
        theme.set_ground(self, "panel")
        self._session = session
        self._stopwatch = stopwatch
        self._entries: tuple[ResearchEntry, ...] = ()
        self._comment: QuestionRow | None = None
        self.model = ListRowModel(self)
        self.list = ResearchList()
        self.list.setModel(self.model)
        body = QWidget()
        theme.set_ground(body, "panel")
        self._area = ScrollColumn(content=body, focus=Qt.FocusPolicy.NoFocus)
        theme.set_ground(self._area.viewport(), "panel")
        tight_column(self, self._area, spacing=0)
        OverlayScrollBar(self._area)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_buttons())
        self._column = tight_column(
            body,
            self._make_time(),
            self._make_stopwatch(),
            horizontal_line(),
            self._make_record_head(),
            horizontal_line(),
            (self.list, 1),
            spacing=0,
        )
        self._empty = WrappedLabel(name="research_empty", ink="text2")
        text = self.tr("No searches or pages yet. Search with {key}, or open a page.")
        self._empty.setText(text.format(key=cap_text("Alt S")))
        self._empty.setContentsMargins(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12))
        self._column.addWidget(self._empty, 1, Qt.AlignmentFlag.AlignTop)
        self._column.addWidget(horizontal_line())
        self.draft = KeyButton(
            self.tr("Draft from the record"), "Shift W", name="draft_comment", flat=True, clicked=self.draft_wanted
        )
        self.setFocusProxy(self.list)
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self.refresh)
        session.updated.connect(self.refresh)
        self.hide()

    def _make_time(self) -> QWidget:
        head = QWidget()
        self._time = WrappedLabel(name="research_time", bold=True)
        back = LinkButton(self.tr("Back to the form"), "Shift F4", name="close_research", clicked=self.back_wanted)
        row = fill(QHBoxLayout(), (self._time, 1), back)
        self._bar = ThinBar()
        self._parts = ElidedLabel(name="research_parts", size="small", ink="text2")
        column = fill(QVBoxLayout(head), row, self._bar, self._parts)

        def measure() -> None:
            theme.pad(column, PANE, 8, 12, 8)
            column.setSpacing(theme.px(6))

        theme.follow(head, measure)
        return head

    def _make_stopwatch(self) -> QWidget:
        bar = QWidget()
        theme.set_ground(bar, "sel")
        self._outside = ElidedLabel(name="research_outside")
        self._switch = KeyButton(self.tr("Start"), "F4", name="stopwatch", clicked=self.stopwatch_wanted)
        row = tight_row(bar, Icon("clock", ink="accent"), (self._outside, 1), self._switch, spacing=theme.px(8))
        theme.follow(bar, lambda: theme.pad(row, PANE, 6, 12, 6))
        return bar

    def _make_record_head(self) -> QWidget:
        head = QWidget()
        title = PlainLabel(self.tr("Record"), bold=True)
        self._counts = ElidedLabel(name="research_counts", size="small", ink="text2")
        self.correct = KeyButton(
            self.tr("Correct the time"), "F2", name="correct_research", flat=True, clicked=self.list.correction_wanted
        )
        self.leave_out = KeyButton(
            self.tr("Leave out"), "Delete", name="leave_out_research", flat=True, clicked=self.list.removal_wanted
        )
        row = tight_row(head, title, (self._counts, 1), self.correct, self.leave_out, spacing=theme.px(8))
        theme.follow(head, lambda: theme.pad(row, PANE, 2, 8, 2))
        return head

    # -- content

    @property
    def chosen(self) -> ResearchEntry | None:
        row = self.list.currentIndex().row()
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def write(self) -> None:
        """Focus the comment."""
        row = self._comment
        if row is not None:
            row.write()
            # After the layout has settled: the field grows with its text.
            QTimer.singleShot(0, row, lambda: self._area.ensureWidgetVisible(row, 0, 8))

    def set_open(self, *, on: bool) -> None:
        self.setVisible(on)
        (self._tick.start if on else self._tick.stop)()
        self.refresh()

    def refresh(self) -> None:
        session = self._session
        if self.isHidden() or session.task is None or session.rubric is None:
            return
        place, rating = session.place, research_here(session)
        self._entries = entries_at(rating, place.target, place.response)
        self._show_time(place)
        rows = [
            research_row(number, entry, is_open=session.research.is_open(entry))
            for number, entry in enumerate(self._entries)
        ]
        chosen = self.list.currentIndex().row()
        self.model.show(rows)
        if rows and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(min(max(chosen, 0), len(rows) - 1)))
        self.list.setVisible(bool(rows))
        self._empty.setHidden(bool(rows))
        self.setFocusProxy(self.list if rows else self._switch)
        self._show_comment()
        self._show_buttons()

    def _show_time(self, place: Place) -> None:
        session = self._session
        assert session.rubric is not None
        required = required_research(session.rubric) if place.target is not None else None
        totals = totals_here(session)
        self._time.setText(required_text(totals, required))
        self._parts.setText(times_text(totals))
        self._bar.setHidden(required is None)
        if required is not None:
            self._bar.show_share(totals.measured / required.seconds, totals.reported / required.seconds)
        self._counts.setText(counts_text(totals))
        if self._stopwatch.is_running:
            running = self.tr("{time} in your browser, running").format(time=minutes_text(self._stopwatch.seconds))
            self._outside.setText(running)
        else:
            self._outside.setText(self.tr("Research in your own browser"))
        self._switch.set_label(self.tr("Stop") if self._stopwatch.is_running else self.tr("Start"))

    def _show_comment(self) -> None:
        """Show the text question of the place under the record."""
        session = self._session
        name = text_question(session)
        asked = next((question for question in session.form_questions if question.question.id == name), None)
        if self._comment is not None and (asked is None or self._comment.question is not asked.question):
            self.draft.setParent(None)
            self._comment.hide()
            self._comment.deleteLater()
            self._comment = None
        if asked is None:
            return
        if self._comment is None:
            row = self._comment = question_row(asked.question)
            row.typed.connect(lambda question, value: session.answer(question, value, typing=True))
            row.left.connect(session.pause_typing)
            row.add_beneath(self.draft)
            self._column.addWidget(row)
        self._comment.show_question(asked, current=False)
        self._comment.setEnabled(not session.read_only)
        self.draft.setVisible(bool(self._entries))

    def _show_buttons(self) -> None:
        entry, locked = self.chosen, bool(self._session.read_only)
        self.leave_out.setEnabled(entry is not None and not locked)
        self.correct.setVisible(entry is not None and entry.kind == "outside" and not locked)
        self._switch.setEnabled(not locked)


class DraftHint(QWidget):
    """Line under a text question that leads to the research; it offers a draft while a problem asks for the text."""

    wanted = Signal()  # the research record

    def __init__(self, session: Session, question: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"draft_hint_{question}")
        self._session = session
        self._question = question
        self._counts = LinkButton("", "Shift F4", clicked=self.wanted)
        self.draft = KeyButton(self.tr("Draft from the record"), "Shift W", flat=True)
        tight_row(self, self._counts, 1, self.draft)
        session.updated.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        session = self._session
        place = session.place
        has_entries = session.task is not None and bool(
            entries_at(research_here(session), place.target, place.response)
        )
        self.setVisible(has_entries)
        if has_entries:
            self._counts.set_label(counts_text(totals_here(session)))
            self.draft.setVisible(not session.read_only and self._is_wanted())

    def _is_wanted(self) -> bool:
        session = self._session
        assert session.rubric is not None
        where = task_stops.place_path(session.stop)
        return any(
            task_stops.question_of_problem(session.rubric, problem) == self._question
            for problem in session.outcome.problems
            if problem.where == where or problem.where.startswith(f"{where}/")
        )
