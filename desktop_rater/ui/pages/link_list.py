"""List of all links of the task: which of them the rater has opened, and with what result."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from urllib.parse import quote

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import QFrame, QStyle, QWidget

from desktop_rater.format.page import DEAD_STATES, PageState
from desktop_rater.format.rating import CONTRADICTING, NEUTRAL, SUPPORTING, LinkVerdict, Stance
from desktop_rater.rubric.links import TaskLink, link_verdicts, task_links
from desktop_rater.text.untrusted import hidden_characters
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import split_url
from desktop_rater.ui.pages.evidence_fields import verdict_name
from desktop_rater.ui.pages.evidence_pane import without_scheme
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, draw_text
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS, Index, LazyRowModel, ListRow, ListRowDelegate, RowList
from desktop_rater.ui.widgets.theme import font_of

PAD, BETWEEN = 16, 12
MIN_URL_SHARE = 0.45  # share of a row: the other columns give way first
LONGEST = 2_000


class LinkRow(ListRow, frozen=True):
    """Row of a link. `title` is the address, `detail` its role, `end` when it was opened; `strong` if it was not."""

    strong: bool = False
    url: str = ""

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.state, self.title, self.detail, self.end) if part)

    @property
    def tooltip(self) -> str:
        return split_url(self.url[:LONGEST]).spoken


def next_unopened(links: Sequence[TaskLink], opened: Collection[str], here: str | None, after: int) -> int | None:
    """Return the row of the next link to open, wrapping around; those of the response `here` come first.

    A page that both responses link to counts at its place in the current one.
    """
    mine: dict[str | None, int] = {}
    for row, link in enumerate(links):
        if link.response == here and not link.placeholder:
            mine.setdefault(link.page, row)

    def order(row: int) -> tuple[bool, bool, int]:
        position = mine.get(links[row].page, row)
        return links[row].page not in mine, position <= after, position

    rows = [row for row, link in enumerate(links) if link.counts and link.page not in opened]
    return min(rows, key=order, default=None)


def displayed_address(url: str) -> str:
    """Return a URL for display: without its scheme, with invisible characters percent-encoded."""
    short = without_scheme(url[:LONGEST])
    hidden = {index for index, _name in hidden_characters(short)}
    hidden |= {index for index, character in enumerate(short) if character in "\t\n\r"}
    return "".join(quote(character) if index in hidden else character for index, character in enumerate(short))


def elided_address(address: str, metrics: QFontMetrics, width: int) -> str:
    """Return an address elided to a width: the host is kept as long as possible, and both ends of the path."""
    if metrics.horizontalAdvance(address) <= width:
        return address
    host, slash, path = address.partition("/")
    if metrics.horizontalAdvance(f"{host}{slash}…") > width:
        # Elide the start of a host: its end identifies the owner.
        return metrics.elidedText(host, Qt.TextElideMode.ElideLeft, width)
    width_left = width - metrics.horizontalAdvance(host + slash)
    shown = host + slash + metrics.elidedText(path, Qt.TextElideMode.ElideMiddle, width_left)
    return shown if metrics.horizontalAdvance(shown) <= width else f"{host}{slash}…"  # kerning may widen it


class LinkRowDelegate(ListRowDelegate):
    """Delegate for rows with a mark, the address, its role, and when it was opened."""

    view: "LinkRowList"

    def height(self) -> int:
        return QFontMetrics(self.font).height() + theme.px(12)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, LinkRow), "the list has no others"
        inner = self.paint_background(painter, rect, state, row)
        trailing = theme.px(8)  # the space for a mark on the far side is not needed
        inner = inner.adjusted(-trailing if self.mirrored else 0, 0, 0 if self.mirrored else trailing, 0)
        self.paint_mark(painter, rect, rect.center().y(), row)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        ends = max(self._width(text, strong=strong) for text, strong in self.view.end_words)
        font = self._end_font(strong=row.strong)
        area = self._paint_at_end(painter, inner, row.end, font, "text" if row.strong else "text2", ends)
        area = self._paint_at_end(painter, area, row.detail, self.small, "text2", 0)
        self._address(painter, area, row)

    def _end_font(self, *, strong: bool) -> QFont:
        return font_of(self.small, bold=strong)

    def _width(self, text: str, *, strong: bool) -> int:
        return QFontMetrics(self._end_font(strong=strong)).horizontalAdvance(text)

    def _paint_at_end(self, painter: QPainter, area: QRect, text: str, font: QFont, ink: str, least: int) -> QRect:
        """Paint a text at the end of the area; return the remaining area."""
        metrics = QFontMetrics(font)
        most = round(area.width() * (1 - MIN_URL_SHARE))
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, most)
        painter.setFont(font)
        painter.setPen(theme.color(self.view, ink))
        side = Qt.AlignmentFlag.AlignLeft if self.mirrored else Qt.AlignmentFlag.AlignRight
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        draw_text(painter, area, flags, elided)
        used = max(metrics.horizontalAdvance(elided), min(least, most))
        used += theme.px(BETWEEN) if used else 0
        return area.adjusted(used if self.mirrored else 0, 0, 0 if self.mirrored else -used, 0)

    def _address(self, painter: QPainter, area: QRect, row: LinkRow) -> None:
        painter.setFont(self.font)
        painter.setPen(theme.color(self.view, "text"))
        side = Qt.AlignmentFlag.AlignRight if self.mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        draw_text(painter, area, flags, elided_address(row.title, QFontMetrics(self.font), area.width()))


class LinkRowList(RowList):
    """List with the end texts aligned in one column."""

    delegate_class = LinkRowDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, pad=PAD, parent=parent)
        self.not_opened, self.opened, self.now = self.tr("not opened"), self.tr("opened"), self.tr("now")
        self.counted = self.tr("counted, not opened")
        self.end_words = ((self.not_opened, True), (self.opened, False), (self.now, False), ("00:00", False))


class LinkProgress(Struct, frozen=True):
    """State of the link pages. `here`: page → stances of its evidence at the current place.

    `evidence_pages` holds every page that is evidence anywhere in the task, `counted` those that are only counted as
    opened, `times` page → when its evidence was opened, if known.
    """

    opened: frozenset[str] = frozenset()
    here: dict[str, frozenset[Stance | None]] = {}
    evidence_pages: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    verdicts: dict[str, LinkVerdict] = {}
    times: dict[str, str] = {}


def link_progress(session: Session) -> LinkProgress:
    """Return the current state."""
    if session.task is None:
        return LinkProgress()
    rating = session.rating
    here: dict[str, frozenset[Stance | None]] = {}
    for piece in session.evidence_here:
        page = page_key(piece.url)
        if page is not None:
            here[page] = here.get(page, frozenset()) | {piece.stance}
    pieces = [(page, piece) for piece in rating.evidence if (page := page_key(piece.url)) is not None]
    times: dict[str, str] = {}
    for page, piece in pieces:
        if piece.opened is not None:
            times[page] = max(piece.opened, times.get(page, ""))
    opened, counted = (
        frozenset(page for page in map(page_key, urls) if page is not None)
        for urls in (rating.links_opened, rating.links_counted)
    )
    evidence_pages = frozenset(page for page, _piece in pieces)
    return LinkProgress(opened, here, evidence_pages, counted, link_verdicts(rating), times)


MOST_ROWS = 5
HEAD = 32
NEXT_KEY = "Shift O"


class LinkList(QWidget):
    """List in which a click, or Space on the current row, opens the page."""

    link_wanted = Signal(str)  # a URL
    next_wanted = Signal()  # open the next unopened link

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("links")
        self._session = session
        self._most = MOST_ROWS
        self._links: tuple[TaskLink, ...] | None = None  # `None`: not looked for yet
        self._is_outdated = False  # the rows are those of the task before
        self._later = DelayedCall(self, PAINT_FIRST_MS, self._catch_up)
        self._states: dict[str, PageState] = {}
        self._times: dict[str, datetime] = {}
        self._shown: frozenset[str] = frozenset()
        self._progress = LinkProgress()
        self.list = LinkRowList("link_list")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Links of this task"))
        self.model = LazyRowModel(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._clicked)
        self.list.installEventFilter(self)
        tight_column(self, self._make_head(), self.list, spacing=0)
        theme.set_ground(self, "surface")
        session.opened.connect(self._show_task)
        session.updated.connect(self._refresh_if_changed)
        self._show_task()

    def _make_head(self) -> QWidget:
        head = QWidget()
        self._count = ElidedLabel(name="links_opened", size="small", ink="text2")
        self.next_button = LinkButton(
            self.tr("Next unopened"), NEXT_KEY, name="next_unopened", clicked=self.next_wanted
        )
        row = tight_row(
            head,
            PlainLabel(self.tr("Links"), size="interface", bold=True),
            (self._count, 1),
            self.next_button,
            spacing=theme.px(8),
        )
        theme.pad(row, 16, 0, 8, 0, height=HEAD)
        return head

    # -- updates

    def show_page(self, *urls: str, when: datetime | None = None) -> None:
        """Mark the page shown now by its requested and final URLs; without one, no page is shown."""
        pages = [page for page in map(page_key, urls) if page is not None]
        if not pages and not self._shown:
            self.list.selectionModel().clear()
            return
        self._catch_up()
        self._shown = frozenset(pages)
        if when is not None:
            self._times |= dict.fromkeys(pages, when)
        self.refresh()
        row = self._shown_row()
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
        else:
            self.list.selectionModel().clear()

    def show_states(self, states: Mapping[str, PageState]) -> None:
        """Set the states of pages when they were last fetched: page → state."""
        self._states |= states
        self.refresh()

    # -- queries

    @property
    def links(self) -> tuple[TaskLink, ...]:
        """Return the links of the task."""
        if self._links is None:
            session = self._session
            placeholders = session.rubric.file.links.placeholders if session.rubric is not None else ()
            self._links = task_links(session.task, tuple(placeholders)) if session.task is not None else ()
        return self._links

    @property
    def next_url(self) -> str | None:
        """Return the next unopened link, those of the current response first."""
        row = next_unopened(
            self.links, link_progress(self._session).opened, self._session.place.response, self._shown_row()
        )
        return self.links[row].url if row is not None else None

    @property
    def chosen_url(self) -> str | None:
        """Return the URL of the current row if it can be opened."""
        row = self.list.currentIndex().row()
        return self._url_of(row) if 0 <= row < len(self.links) else None

    def link_of(self, *urls: str) -> str | None:
        """Return the page of the first URL that is a link of the task."""
        pages = {link.page for link in self.links} if urls else set()
        return next((page for page in map(page_key, urls) if page is not None and page in pages), None)

    # -- showing

    def _show_task(self) -> None:
        self._times, self._states, self._links = {}, {}, None
        self._shown = frozenset()
        self._is_outdated = True
        self._later.start()

    def _catch_up(self) -> None:
        """Show the links of the open task."""
        if self._is_outdated:
            self._is_outdated = False
            self.refresh(anew=True)
            self.fold(self._most)

    def showEvent(self, event: QShowEvent) -> None:
        self._catch_up()
        super().showEvent(event)

    def _refresh_if_changed(self) -> None:
        """Refresh only on changes that concern the links: most edits do not, such as each letter of a comment."""
        if not self._is_outdated and link_progress(self._session) != self._progress:
            self.refresh()

    def fold(self, most: int) -> None:
        """Show at most this many rows; with 0 only the head."""
        self._most = most
        self.list.fit_rows(max(1, most))
        self.list.setVisible(bool(self.links) and most > 0)

    def refresh(self, *, anew: bool = False) -> None:
        """Show the current state of each link, `anew` if the task has changed."""
        if self._is_outdated:
            return
        self._progress = link_progress(self._session)
        opened = self._progress.opened
        counting = [link for link in self.links if link.counts]
        opened_count = sum(link.page in opened for link in counting)
        text = self.tr("{n} of {total} opened").format(
            n=formatting.number(opened_count), total=formatting.number(len(counting))
        )
        self._count.setText(text if counting else self.tr("no links to open"))
        self.next_button.setEnabled(opened_count < len(counting))
        self.model.show(len(self.links), self._line, reset=anew)

    def _line(self, row: int) -> LinkRow:
        link = self.links[row]
        is_open = link.page in self._progress.opened
        state = self._states.get(link.page or "")
        mark = "done" if is_open else "open"
        state_text = self.list.opened if is_open else ""
        verdict = self._progress.verdicts.get(link.page or "")
        if is_open and link.page in self._progress.counted:
            mark, state_text = "counted", self.list.counted
        elif is_open and state in DEAD_STATES:
            mark, state_text = "dead", self.tr("dead")
        if verdict is not None:
            mark, state_text = verdict, verdict_name(verdict)
        if not link.valid or link.placeholder:
            mark, state_text = "nothing", ""
        return LinkRow(
            str(row),
            displayed_address(link.url),
            detail=self._role(link, state, is_open=is_open),
            end=self._opened_text(link, is_open=is_open) if link.counts else "",
            mark=mark,
            state=state_text,
            strong=link.counts and not is_open,
            url=link.url,
        )

    def _role(self, link: TaskLink, state: PageState | None, *, is_open: bool) -> str:
        if not link.valid:
            return self.tr("no valid address")
        if link.placeholder:
            return self.tr("placeholder")
        if link.same_as is not None:
            return self.tr("same as line {n}").format(n=link.same_as + 1)
        verdict = verdict_name(self._progress.verdicts.get(link.page or "")).lower()
        if verdict:
            return ", ".join(part for part in (verdict, self._stance_text(link)) if part)
        default = self.tr("not taken yet") if is_open else self._source(link)
        return self._stance_text(link) or self._error_text(state) or default

    def _stance_text(self, link: TaskLink) -> str:
        """Return the stance of the evidence taken from the page, here or elsewhere in the task."""
        here = self._progress.here.get(link.page or "", frozenset())
        if {SUPPORTING, CONTRADICTING} <= here:
            return self.tr("both sides")
        if NEUTRAL in here and len(here) == 1:
            return self.tr("does not decide")
        if SUPPORTING in here:
            return self.tr("supports")
        if CONTRADICTING in here:
            return self.tr("contradicts")
        if here:
            return self.tr("taken")
        return self.tr("taken elsewhere") if link.page in self._progress.evidence_pages else ""

    def _error_text(self, state: PageState | None) -> str:
        """Return why the last fetch returned no page."""
        return {
            "login": self.tr("sign-in"),
            "not_found": self.tr("not found"),
            "refused": self.tr("refused"),
            "failed": self.tr("server error"),
            "blocked": self.tr("blocked"),
            "too_large": self.tr("too large"),
            "other_type": self.tr("not a text"),
            "unreachable": self.tr("unreachable"),
            "timeout": self.tr("no answer"),
            "broken": self.tr("unreadable"),
        }.get(state or "ok", "")

    def _source(self, link: TaskLink) -> str:
        """Return which text contains the link."""
        task = self._session.task
        single, template = {
            "response": (self.tr("in the response"), self.tr("in response {name}")),
            "tool": (self.tr("in the tool output"), self.tr("in the tools of {name}")),
            "cited": (self.tr("cited by the response"), self.tr("cited by {name}")),
        }[link.source]
        alone = task is None or len(task.responses) == 1
        return single if alone else template.format(name=response_letter(link.response))

    def _opened_text(self, link: TaskLink, *, is_open: bool) -> str:
        if not is_open:
            return self.list.not_opened
        if link.page in self._progress.counted:
            return self.list.counted
        if link.page in self._shown:
            return self.list.now
        when = self._opened_at(link.page)
        return formatting.clock(when.astimezone()) if when is not None else self.list.opened

    def _opened_at(self, page: str | None) -> datetime | None:
        """Return the time the page was opened in this window, or taken as evidence, if known."""
        stored = self._progress.times.get(page or "")
        return self._times.get(page or "") or (datetime.fromisoformat(stored) if stored is not None else None)

    def _shown_row(self) -> int:
        if not self._shown:
            return -1
        return next((row for row, link in enumerate(self.links) if link.page in self._shown), -1)

    # -- keys and clicks

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self.list and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # ty: ignore[invalid-assignment]
            if key.key() == Qt.Key.Key_Space and self.chosen_url is not None:
                self.link_wanted.emit(self.chosen_url)
                return True
        return False

    def _clicked(self, index: QModelIndex) -> None:
        url = self._url_of(index.row())
        if url is not None:
            self.link_wanted.emit(url)

    def _url_of(self, row: int) -> str | None:
        link = self.links[row]
        return link.url if link.valid and not link.placeholder else None
