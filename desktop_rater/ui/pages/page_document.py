"""Page as a text document, with its links and marks, and the painting of the marks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from math import ceil

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
)

from desktop_rater.format.edit import speaking_of, with_stance
from desktop_rater.format.page import Page
from desktop_rater.format.rating import Evidence, Stance
from desktop_rater.text.markdown import PARAGRAPH_BREAK
from desktop_rater.text.page_offsets import PageOffsetMap, blanked, split_html
from desktop_rater.text.quotes import find_best_passage, find_quote, find_word_spans, search_words
from desktop_rater.text.untrusted import boxed, hidden_characters, is_blank
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.evidence_fields import STANCE_MARKS
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import isolated, set_cleaned_html
from desktop_rater.ui.widgets.text_document import FIXED, SEMIBOLD, ReadDocument, Typography, fragments
from desktop_rater.ui.widgets.text_view import SightPainter
from desktop_rater.ui.widgets.theme import paint_box
from desktop_rater.ui.widgets.theme_tokens import TYPE

Span = tuple[int, int]
BAR, BAR_AT, SHAPE, SHAPE_AT = 3, 6, 13, 18
_STRUCK, _TAG = re.compile(r"<s>(.*?)</s>", re.DOTALL), re.compile(r"<[^>]*>")


class PageBrush(SightPainter):
    """Painter of the marks of a page."""

    def words(self, spans: Iterable[Span]) -> None:
        """Mark the words of the claim: with the tint of the claim itself, in high contrast with a dotted line."""
        for span in self._visible(spans):
            for piece in self.sight.pieces(*span):
                field = self.field(piece)
                if self.colors.high:
                    pen = QPen(QColor(self.colors.cur_edge), 2 * self.unit, Qt.PenStyle.DotLine)
                    self.painter.setPen(pen)
                    self.painter.drawLine(field.bottomLeft(), field.bottomRight())
                else:
                    paint_box(self.painter, field.adjusted(-1, 0, 1, 0), 2, fill=QColor(self.colors.sel))

    def draw_selection(self, first: int, last: int) -> None:
        """Mark the selected passage without gaps between the lines."""
        line, size = self.look.line, self.look.size
        self.painter.setPen(Qt.PenStyle.NoPen)
        # A third of the line's extra height is below the letters.
        below = round((line - size) / 2 + size * 0.1)
        for piece in self.sight.pieces(first, last):
            field = QRectF(piece.left, piece.baseline + below - line, piece.right - piece.left, line)
            self.painter.fillRect(field, QColor(self.colors.pick))

    def link(self, first: int, last: int) -> None:
        self.painter.setPen(QPen(QColor(self.colors.accent), 2))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for piece in self.sight.pieces(first, last):
            self.painter.drawRoundedRect(self.field(piece).adjusted(-2, 0, 2, 0), 3, 3)

    def passage(self, first: int, last: int) -> None:
        """Draw a bar beside the passage with most words of the claim."""
        pieces = tuple(self.sight.pieces(first, last))
        if not pieces:
            return
        top, bottom = self.field(pieces[0]).top(), self.field(pieces[-1]).bottom()
        near, wide = self.margin + self.outwards * BAR_AT * self.unit, BAR * self.unit
        left = near if self.look.backwards else near - wide
        paint_box(self.painter, QRectF(left, top, wide, bottom - top), 1.5, fill=QColor(self.colors.cur_edge))

    def draw_evidence(self, first: int, last: int, shape: str) -> None:
        """Mark a passage that is evidence: its stance in the margin, and a line below it."""
        pieces = tuple(self.sight.pieces(first, last))
        ink = QColor(self.colors.text2)
        for piece in pieces:
            field = self.field(piece)
            self.painter.setPen(QPen(ink, self.unit))
            self.painter.drawLine(field.bottomLeft(), field.bottomRight())
        if pieces and pieces[0].first:
            side = SHAPE * self.unit
            center = QPointF(
                self.margin + self.outwards * SHAPE_AT * self.unit, pieces[0].baseline - self.look.size / 3
            )
            field = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
            shapes.paint_shape(self.painter, field, shape, ink, QColor(self.colors.surface))

    def _visible(self, spans: Iterable[Span]) -> Iterable[Span]:
        first, last = self.sight.span
        return (span for span in spans if span[0] < last and span[1] > first)


CONTEXT_LENGTH = 32  # code points of context stored before and after a quote
# Code points searched at once: more would block the window for too long.
SEARCH_STEP = 20_000


class PageMarks:
    """Marks of a page, as code points of its text."""

    def __init__(self, text: str, unshown: Sequence[Span] = (), html: str = "") -> None:
        self._text = text
        self._unshown = unshown
        self._html = html
        self._claim = ""
        self._words: frozenset[str] = frozenset()
        self._places: dict[PagePassage, Span | None] = {}
        self._searched_to = 0
        self._best_of_parts: list[Span] = []
        self.best: Span | None = None
        self.evidence_marks: tuple[tuple[Span, str], ...] = ()

    def set_claim(self, claim: str) -> bool:
        """Mark the words of a claim; return False if they are marked already."""
        if claim == self._claim:
            return False
        self._claim, self._words = claim, search_words(claim)
        self._searched_to, self._best_of_parts, self.best = 0, [], None
        return True

    def search_next(self) -> bool:
        """Search the next part of the page for the claim; return False at its end."""
        start, end = self._searched_to, self._part_end(self._searched_to)
        if start == end or not self._words:
            return False
        best = find_best_passage(self._text[start:end], self._words)
        if best is not None:
            self._best_of_parts.append((start + best[0], start + best[1]))
        self._searched_to = end
        self.best = self._best_of_all()
        return end < len(self._text)

    def _part_end(self, start: int) -> int:
        """Return the end of the next part. Parts are of equal size: in a short rest every word would seem rare."""
        length = len(self._text)
        size = ceil(length / ceil(length / SEARCH_STEP)) if length else 0
        if start + size >= length:
            return length
        line_end = self._text.rfind("\n", start + 1, start + size)
        return line_end if line_end > 0 else start + size

    def _best_of_all(self) -> Span | None:
        """Return the best of the parts' best passages, compared with each other."""
        if len(self._best_of_parts) < 2:
            return self._best_of_parts[0] if self._best_of_parts else None
        joined = "\n".join(self._text[first:last].replace("\n", " ") for first, last in self._best_of_parts)
        best = find_best_passage(joined, self._words)
        number = joined.count("\n", 0, best[0]) if best is not None else 0
        return self._best_of_parts[number]

    def words_in(self, start: int, end: int) -> Iterator[Span]:
        return ((start + first, start + last) for first, last in find_word_spans(self._text[start:end], self._words))

    def place_of(self, passage: PagePassage) -> Span | None:
        """Return the span of a passage; `None` if the page does not have it."""
        if passage not in self._places:
            self._places[passage] = span_of_passage(self._text, passage, self._unshown, self._html)
        return self._places[passage]

    def set_evidence(self, pieces: Iterable[Evidence]) -> None:
        quoted = (
            (PagePassage(piece.quote, piece.prefix, piece.suffix), piece.stance) for piece in pieces if piece.quote
        )
        placed = ((self.place_of(passage), STANCE_MARKS.get(stance, "")) for passage, stance in quoted)
        self.evidence_marks = tuple((place, shape) for place, shape in placed if place is not None)


def span_of_passage(text: str, passage: PagePassage, unshown: Sequence[Span] = (), html: str = "") -> Span | None:
    """Return the span of a passage in a text: an exact match, or else an approximate one.

    Quotes of older versions lack the spans of the text that are `unshown`, such as the headings of cells, and have the
    words that the page strikes out, which only its `html` has.
    """
    start = text.find(passage.prefix + passage.quote + passage.suffix) if passage.quote else -1
    if start >= 0:
        return start + len(passage.prefix), start + len(passage.prefix) + len(passage.quote)
    quote = passage.quote, passage.prefix, passage.suffix
    place = find_quote(text, *quote) or (find_quote(blanked(text, unshown), *quote) if unshown else None)
    struck = {unescape(_TAG.sub("", part)) for part in _STRUCK.findall(html)} if place is None else ()
    kept = passage.quote
    for words in sorted(struck, key=len, reverse=True):
        kept = kept.replace(words, "") if words.strip() else kept
    if kept == passage.quote or is_blank(kept):
        return place
    return span_of_passage(text, PagePassage(kept, passage.prefix, passage.suffix), unshown)


def passage_at(text: str, span: Span) -> PagePassage:
    """Return the passage of a span, with the text around it."""
    start, end = span
    return PagePassage(text[start:end], text[max(0, start - CONTEXT_LENGTH) : start], text[end : end + CONTEXT_LENGTH])


def found_passage(page: Page, passage: PagePassage) -> PagePassage | None:
    """Return a passage as the whole page has it; `None` if it does not."""
    text = page.whole_text or page.text
    span = span_of_passage(text, passage, page.whole_unshown) if passage.quote else None
    return passage_at(text, span) if span is not None else None


# Characters of a part: formatting one takes a few milliseconds, so input is handled in between.
PART_LENGTH = 4_000
LEAST_TITLE = 8


class PagePart(ReadDocument):
    """Part of a page in the reading type."""

    def dress(self, html: str) -> None:
        set_cleaned_html(self, html)
        self._space_rendered_blocks()
        self._format_characters()
        self._format_lists_and_tables()

    def _block_format(self, block: QTextBlock) -> QTextBlockFormat:
        if block.blockFormat().nonBreakableLines():
            form = QTextBlockFormat(block.blockFormat())
            form.setProperty(QTextFormat.Property.BlockCodeFence, "`")
            QTextCursor(block).setBlockFormat(form)
        form = super()._block_format(block)
        ruler = form.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        if block.length() == 1 and not ruler:
            # Qt adds an empty line before and after each table.
            form.setLineHeight(1, FIXED)
            form.setBottomMargin(0)
        elif QTextCursor(block).currentTable() is not None:
            form.setBottomMargin(0)
        return form


class PageDocument(ReadDocument):
    """Document of a page. `places` maps the page's text to positions, as far as it is loaded."""

    def __init__(self, parent: QObject | None, font: QFont, look: Typography) -> None:
        super().__init__(parent, font, look)
        self.places = PageOffsetMap("")
        self._parts: Iterator[str] = iter(())
        self._byline = ""
        self.is_whole = True

    def begin_page(
        self, html: str, text: str, *, title: str, byline: Sequence[str], unshown: Sequence[Span] = ()
    ) -> None:
        """Show the first part of cleaned HTML, whose text is `text`, below the title and the parts of the byline."""
        self.places = PageOffsetMap(text, unshown)
        self._parts = split_html(html, PART_LENGTH)
        self.is_whole = False
        part = self._make_part(next(self._parts, ""))
        own_title = _own_title(part, title)
        if own_title or title:
            shown = own_title or title  # with boxes, which move no offset
            shown = boxed(shown, (offset for offset, _name in hidden_characters(shown)))
            self._write(shown, "title", "text", below=4)
        if own_title:
            self.places.add(own_title, 0)
            _cut_first_block(part)
        if byline:
            # Isolate each part: a date in an Arabic line stays readable.
            self._write(", ".join(isolated(part) for part in byline), "small", "text2", below=self.look.gap)
        self._append(part)

    def add_part(self) -> bool:
        """Add the next part; return False once the page is complete."""
        html = next(self._parts, None)
        self.is_whole = html is None
        if html is not None:
            self._append(self._make_part(html))
        return not self.is_whole

    def _make_part(self, html: str) -> PagePart:
        part = PagePart(None, self.own_font, self.look)
        part.dress(html)
        return part

    def _write(self, text: str, kind: str, ink: str, *, below: float) -> None:
        """Add a line above the page."""
        size, height = TYPE[kind]
        form = QTextBlockFormat()
        form.setLineHeight(theme.reading_px(height), FIXED)
        form.setBottomMargin(below)
        form.setHeadingLevel(1 if kind == "title" else 0)
        letters = QTextCharFormat()
        letters.setProperty(QTextFormat.Property.FontPixelSize, theme.reading_px(size))
        letters.setForeground(QColor(theme.color(None, ink)))
        letters.setFontWeight(SEMIBOLD if kind == "title" else QFont.Weight.Normal)
        cursor = self._cursor_at_end()
        cursor.setBlockFormat(form)
        cursor.insertText(text, letters)

    def _append(self, part: PagePart) -> None:
        raw, text = part.toRawText(), unstruck_text(part)
        part.box_hidden([place for place in hidden_characters(raw) if raw[place[0]] != PARAGRAPH_BREAK])
        first = part.begin()
        cursor = self._cursor_at_end()
        current = cursor.block()
        number = current.blockNumber()
        cursor.insertFragment(QTextDocumentFragment(part))
        block = self.findBlockByNumber(number)
        # Qt keeps the format of the block it inserts the first block into; before a list it leaves it empty.
        form = QTextBlockFormat(first.blockFormat() if first.textList() is None else _collapsed_format())
        QTextCursor(block).setBlockFormat(form)
        self.places.add(text, self.characterCount() - part.characterCount())

    def _cursor_at_end(self) -> QTextCursor:
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self.characterCount() > 1:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        return cursor


def unstruck_text(document: QTextDocument) -> str:
    """Return the raw text of a document with blanks for struck parts, which are no part of the page's text."""
    units = bytearray(document.toRawText().encode("utf-16-le", "surrogatepass"))
    for position, length, form in fragments(document):
        if form.fontStrikeOut():
            units[2 * position : 2 * (position + length)] = b" \0" * length
    return units.decode("utf-16-le", "surrogatepass")


def _collapsed_format() -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(1, FIXED)
    return form


def _own_title(part: PagePart, title: str) -> str:
    """Return the first heading of the page if it is the page's title; "" otherwise."""
    first = " ".join(part.begin().text().split())
    heading = part.begin().blockFormat().headingLevel() > 0
    same = first == title or (len(first) >= LEAST_TITLE and (first in title or title in first))
    return first if first and heading and same else ""


def _cut_first_block(part: PagePart) -> None:
    cursor = QTextCursor(part)
    following = part.begin().next()
    if following.isValid():
        form = QTextBlockFormat(following.blockFormat())
        cursor.setPosition(following.position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        QTextCursor(part.begin()).setBlockFormat(form)
    else:
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()


class PositionedLink(Struct, frozen=True):
    """Link between two positions of a document."""

    first: int
    last: int
    url: str


def link_after(document: QTextDocument, position: int) -> PositionedLink | None:
    """Return the first link that begins at or after a position."""
    block = document.findBlock(min(position, document.characterCount() - 1))
    while block.isValid():
        anchor = next((link for link in _anchors(block) if link.first >= position), None)
        if anchor is not None:
            return anchor
        block = block.next()
    return None


def link_before(document: QTextDocument, position: int) -> PositionedLink | None:
    """Return the last link that ends at or before a position."""
    block = document.findBlock(position)
    while block.isValid():
        anchors = [link for link in _anchors(block) if link.last <= position]
        if anchors:
            return anchors[-1]
        block = block.previous()
    return None


def _anchors(block: QTextBlock) -> Iterator[PositionedLink]:
    """Iterate over the links of a block. Adjacent fragments of one link, such as bold words, are joined."""
    anchor: PositionedLink | None = None
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        form, first = fragment.charFormat(), fragment.position()
        url = form.anchorHref() if form.isAnchor() else ""
        if anchor is not None and (anchor.url, anchor.last) == (url, first):
            anchor = PositionedLink(anchor.first, first + fragment.length(), url)
        else:
            if anchor is not None:
                yield anchor
            anchor = PositionedLink(first, first + fragment.length(), url) if url else None
        iterator += 1
    if anchor is not None:
        yield anchor


NEW_ID = "new"  # id of a piece that is not in the rating yet


def evidence_url(page: Page) -> str:
    """Return the URL that evidence stores: the requested one if it is the same page, otherwise the final one."""
    return page.url if not page.final_url or page_key(page.url) == page_key(page.final_url) else page.final_url


def refers_to_page(piece: Evidence, page: Page) -> bool:
    """Return whether a piece of evidence refers to this page, by either of its URLs."""
    return refers_to_url(page, piece.url)


def refers_to_url(page: Page, url: str) -> bool:
    """Return whether a URL is one of the page's two."""
    return page_key(url) is not None and page_key(url) in {page_key(page.url), page_key(page.final_url)}


def take_evidence(
    existing: Sequence[Evidence],
    page: Page,
    passage: PagePassage | None,
    stance: Stance,
    *,
    claims: Sequence[str] = (),
    opened: str = "",
) -> tuple[Evidence, dict[str, Evidence | None]]:
    """Return the evidence that a page or passage becomes for claims of a target, or for a place without claims.

    With it come the ids of other evidence that changes: what each becomes, `None` if it is removed.

    A page occurs once per claim and stance: a further passage replaces the quote. If the passage is present with
    another stance, its stance changes; a row of this page without a stance receives it. The same passage with the same
    stance speaks of further claims. Evidence keeps what it says about claims that are not concerned.
    """
    mine = [item for item in existing if refers_to_page(item, page)]
    here = [item for item in mine if not claims or not item.claim_ids or not set(claims).isdisjoint(item.claim_ids)]
    choice = [
        *(item for item in mine if item.stance == stance and _has_quote(item, passage)),
        *(item for item in here if item.stance == stance),
        *(item for item in here if passage is not None and _has_quote(item, passage)),
        *(item for item in here if item.stance is None),
    ]
    piece = choice[0] if choice else Evidence(id=NEW_ID, url=evidence_url(page))
    changes = piece.stance not in {None, stance} or bool(passage and piece.quote and not _has_quote(piece, passage))
    others: dict[str, Evidence | None] = {}
    if changes and claims and not set(piece.claim_ids) <= set(claims):
        others[piece.id] = _without_claims(piece, claims)
        piece = Evidence(id=NEW_ID, url=piece.url, title=piece.title, opened=piece.opened)
    reason = piece.reason if piece.stance == stance else None
    piece = with_stance(_filled_in(piece, page, passage, opened), stance, reason)
    if claims:
        piece = speaking_of(piece, dict.fromkeys((*piece.claim_ids, *claims)))
        same = (item for item in here if item.id not in {piece.id, *others} and item.stance == stance)
        others |= {item.id: _without_claims(item, claims) for item in same if item.claim_ids}
    return piece, others


def _has_quote(piece: Evidence, passage: PagePassage | None) -> bool:
    return piece.quote.split() == (passage.quote.split() if passage is not None else [])


def _without_claims(piece: Evidence, claims: Sequence[str]) -> Evidence | None:
    remaining = [name for name in piece.claim_ids if name not in claims]
    return speaking_of(piece, remaining) if remaining else None


def set_quote(
    existing: Sequence[Evidence], page: Page, passage: PagePassage, selected: str | None, *, opened: str = ""
) -> Evidence:
    """Return the piece with the passage as its quote: the selected one of this page, one without, or a new one."""
    mine = [item for item in existing if refers_to_page(item, page)]
    choice = [*(item for item in mine if item.id == selected), *(item for item in mine if not item.quote)]
    piece = choice[0] if choice else Evidence(id=NEW_ID, url=evidence_url(page))
    return _filled_in(piece, page, passage, opened)


def _filled_in(piece: Evidence, page: Page, passage: PagePassage | None, opened: str) -> Evidence:
    """Fill in what the page declares; what the rater wrote stays."""
    if passage is not None:
        piece = replace(piece, quote=passage.quote, prefix=passage.prefix, suffix=passage.suffix)
    return replace(
        piece,
        title=piece.title or " ".join(page.title.split()),
        opened=piece.opened or opened or None,
        snapshot=page.snapshot or piece.snapshot,
        library=page.library if page.snapshot else piece.library,
    )
