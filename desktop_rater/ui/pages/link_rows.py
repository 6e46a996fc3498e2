"""Rows of the link list: model, painting, and the state of each link in the rating."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QWidget

from desktop_rater.model.rating import LinkVerdict, Stance
from desktop_rater.rubric.links import TaskLink, link_verdicts
from desktop_rater.text.unseen_characters import hidden_characters
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.address_bar import split_url
from desktop_rater.ui.pages.evidence_pane import without_scheme
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.list_view import Index, ListRow, ListRowDelegate, RowList
from desktop_rater.ui.widgets.theme import font_of

PAD, BETWEEN = 16, 12
MIN_URL_SHARE = 0.45  # share of a row: the other columns give way first
LONGEST = 2_000


@dataclass(frozen=True)
class LinkRow(ListRow):
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

    view: LinkRowList

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


@dataclass(frozen=True)
class LinkProgress:
    """State of the link pages. `here`: page → stances of its evidence at the current place.

    `evidence_pages` holds every page that is evidence anywhere in the task, `counted` those that are only counted as
    opened, `times` page → when its evidence was opened, if known.
    """

    opened: frozenset[str] = frozenset()
    here: dict[str, frozenset[Stance | None]] = field(default_factory=dict)
    evidence_pages: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    verdicts: dict[str, LinkVerdict] = field(default_factory=dict)
    times: dict[str, str] = field(default_factory=dict)


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
