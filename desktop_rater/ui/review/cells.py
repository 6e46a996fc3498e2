"""Cells of the comparison as frozen values with their layout and painting, and raters in groups by their label."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.items import Label, ReviewEntry, ReviewItem, depth_of
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.format.rating import SUPPORTING, Evidence
from desktop_rater.text.urls import page_key
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import right_to_left, visible
from desktop_rater.ui.widgets.list_view import ink_of
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

SIMILAR, MAX_COMPARED, PARTING_SHARE = 80, 20, 0.5
GroupName = tuple[Label | None, bool]
"""The label of a group, and whether its raters skipped the task."""


@dataclass(frozen=True)
class AnswerGroup:
    """The raters who gave one label, people before models; without a `label` those who gave none, or `skipped`."""

    label: Label | None
    entries: tuple[ReviewEntry, ...]
    skipped: bool = False

    @property
    def name(self) -> GroupName:
        return self.label, self.skipped

    @property
    def votes(self) -> int:
        """The number of people."""
        return sum(not entry.model for entry in self.entries)

    @property
    def median_seconds(self) -> float | None:
        times = [entry.seconds for entry in self.entries if entry.seconds is not None and not entry.model]
        return median(times) if times else None


def answer_groups(item: ReviewItem, question: JudgedQuestion | None) -> tuple[AnswerGroup, ...]:
    """Return the groups of a place, the largest first, steps of a scale in their order; those without a label last."""
    members: dict[GroupName, list[ReviewEntry]] = {}
    for entry in item.entries:
        members.setdefault((None if entry.skipped else entry.label, entry.skipped), []).append(entry)
    groups = [AnswerGroup(label, tuple(entries), skipped) for (label, skipped), entries in members.items()]
    ordered = question is not None and question.measure != "nominal"

    def rank(group: AnswerGroup) -> tuple[object, ...]:
        value = group.label.value if group.label is not None else ""
        by_value = ordered and isinstance(value, float)
        return group.label is None, group.skipped, value if by_value else 0.0, -group.votes, str(value)

    return tuple(sorted(groups, key=rank))


@dataclass(frozen=True)
class PooledPage:
    """A page that `raters` of a group took as evidence, `rater` one of them; without a `piece` only opened."""

    url: str
    raters: int
    rater: str
    piece: Evidence | None = None


def pooled_pages(raters: Sequence[RaterOnTask], where: str) -> tuple[list[PooledPage], list[PooledPage]]:
    """Return the pages taken at a place, then those opened for the task but not taken, each by its raters."""
    used: dict[str, dict[str, Evidence]] = defaultdict(dict)
    opened: dict[str, dict[str, str]] = defaultdict(dict)
    for of in raters:
        for piece in of.rating.evidence:
            if f"{where}/evidence/{piece.id}" in of.outcome.kept:
                used[page_key(piece.url) or piece.url].setdefault(of.rater, piece)
        elsewhere = {page_key(piece.url) for piece in of.rating.evidence}
        for url in of.rating.links_opened:
            if page_key(url) not in elsewhere:
                opened[page_key(url) or url][of.rater] = url
    pages = []
    for by_rater in used.values():
        uses = {rater: (piece.stance, " ".join(piece.quote.split())) for rater, piece in by_rater.items()}
        usual = Counter(uses.values()).most_common(1)[0][0]
        rater = next(rater for rater, use in uses.items() if use == usual)
        pages.append(PooledPage(by_rater[rater].url, len(by_rater), rater, by_rater[rater]))
    only_opened = [(key, urls) for key, urls in opened.items() if key not in used]
    seen = [PooledPage(next(iter(urls.values())), len(urls), next(iter(urls))) for _key, urls in only_opened]
    return _most_used(pages), _most_used(seen)


def _most_used(pages: Sequence[PooledPage]) -> list[PooledPage]:
    return sorted(pages, key=lambda page: (-page.raters, page.url))


def pooled_comments(comments: Sequence[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Return comments (rater and text) that differ, each with the number of others like it, most of these first."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where there are many raters

    pooled: list[list[tuple[str, str]]] = []
    for rater, text in comments:
        first_texts = [" ".join(some[0][1].casefold().split()) for some in pooled[:MAX_COMPARED]]
        words = " ".join(text.casefold().split())
        like = process.extractOne(words, first_texts, scorer=fuzz.token_sort_ratio, score_cutoff=SIMILAR)
        if like is None:
            pooled.append([(rater, text)])
        else:
            pooled[like[2]].append((rater, text))
    pooled.sort(key=len, reverse=True)
    return [(*some[0], len(some) - 1) for some in pooled]


@dataclass(frozen=True)
class Parting:
    """The first question on which the two largest groups part; without a `question`, whether a page was taken.

    `value` is an answer that `counts` of the groups' raters gave, of so many each in `of`.
    """

    question: JudgedQuestion | None
    value: Value
    counts: tuple[int, int]
    of: tuple[int, int]


def parting_question(
    task: AuditedTask, where: str, groups: Sequence[AnswerGroup], judged: Mapping[str, JudgedQuestion]
) -> Parting | None:
    """Return the first question, in the order of the rubric, on which the two largest groups part, then the evidence.

    They part if the shares of an answer among their raters are at least half apart.
    """
    largest = sorted((group for group in groups if group.label is not None), key=lambda group: -group.votes)[:2]
    if len(largest) < 2 or not all(group.votes for group in largest):
        return None
    ratings = {of.rater: of for of in task.raters}
    first, second = ([ratings[rater] for rater in _people(group) if rater in ratings] for group in largest)
    labels = {name for group in largest if group.label is not None for name in _label_names(group.label, judged)}
    depth = depth_of(where)
    for question in judged.values():
        if question.per == depth and question.id not in labels and not labels & question.hangs_on:
            given = [Counter(question.value(of.received.digest.values.get(where, {})) for of in some)
                     for some in (first, second)]  # fmt: skip
            parting = _widest(question, given, (len(first), len(second)))
            if parting is not None:
                return parting
    with_page: list[Counter[Value | None]] = [
        Counter(SUPPORTING for of in some if of.received.digest.evidence.get(where)) for some in (first, second)
    ]
    return _widest(None, with_page, (len(first), len(second)))


def _people(group: AnswerGroup) -> Iterator[str]:
    return (entry.rater for entry in group.entries if not entry.model)


def _label_names(label: Label, judged: Mapping[str, JudgedQuestion]) -> Iterator[str]:
    yield label.question
    yield judged[label.question].question


def _widest(
    question: JudgedQuestion | None, given: Sequence[Counter[Value | None]], of: tuple[int, int]
) -> Parting | None:
    values = [value for value in given[0] | given[1] if value is not None]
    if not values or not all(of):
        return None

    def gap(value: Value) -> float:
        return abs(given[0][value] / of[0] - given[1][value] / of[1])

    widest = max(values, key=lambda value: (gap(value), given[0][value], str(value)))
    if gap(widest) < PARTING_SHARE:
        return None
    return Parting(question, widest, (given[0][widest], given[1][widest]), of)


MAX_PART_LENGTH = 700  # characters displayed of one part; the tooltip has the rest
MAX_TIP_LENGTH = 4_000


@dataclass(frozen=True)
class CellPart:
    """A piece of text in a cell, on lines of its own.

    `mark` is the name of a shape or a state, `tone` the tone of a label that colours it. `deep`: indented below a part
    with a mark. `end`: a figure at the end of the first line. `piece`: a click shows that evidence as it is stored;
    `url`: a page that was opened; `rater`: this rater's own column; `more`: the list of all raters. A `chip` stands
    beside the one before it.
    """

    text: str
    ink: str = "text"
    bold: bool = False
    small: bool = True
    mark: str = ""
    tone: str = ""
    deep: bool = False
    barred: bool = False
    piece: Evidence | None = field(default=None, hash=False)  # unknown fields of a newer format may not be hashable
    url: str = ""
    end: str = ""
    rater: str = ""
    more: bool = False
    chip: bool = False

    @property
    def display_text(self) -> str:
        """The text as displayed, shortened to `MAX_PART_LENGTH` characters."""
        text = self.text.strip()
        return text if len(text) <= MAX_PART_LENGTH else f"{text[: MAX_PART_LENGTH - 1]}…"

    @property
    def opens(self) -> bool:
        return self.piece is not None or bool(self.url or self.rater) or self.more

    @property
    def spoken(self) -> str:
        """The text for screen readers, with its figure."""
        return " ".join(f"{self.end} {self.display_text}".split())


@dataclass(frozen=True)
class ComparisonCell:
    """The content of one row for one rater. `details` is shown as a tooltip."""

    parts: tuple[CellPart, ...] = ()
    details: str = ""

    @property
    def spoken(self) -> str:
        """The text of the cell for screen readers."""
        return ", ".join(part.spoken for part in self.parts)

    @property
    def tip(self) -> str:
        """The details, or the whole text where a part is too long to be displayed, else an empty string."""
        if self.details:
            return self.details[:MAX_TIP_LENGTH]
        if all(len(part.text) <= MAX_PART_LENGTH for part in self.parts):
            return ""
        return "\n\n".join(part.text for part in self.parts)[:MAX_TIP_LENGTH]


@dataclass(frozen=True)
class ComparisonRow:
    """The heading of a row; `note` is shown below it, with a warning mark."""

    id: str
    title: str
    note: str = ""


@dataclass(frozen=True)
class ComparisonColumn:
    """One rater's answers, or those of a group, a cell for each row. `key` is the key that chooses it.

    A group has no `rater` but a `title`, and the shape and tone of its label.
    """

    rater: str
    cells: tuple[ComparisonCell, ...]
    key: str = ""
    aside: str = ""
    model: str = ""
    title: str = ""
    mark: str = ""
    tone: str = ""
    group: GroupName | None = None

    @property
    def name(self) -> str:
        return self.title or self.rater


@dataclass(frozen=True)
class Comparison:
    """All raters of one item, side by side."""

    rows: tuple[ComparisonRow, ...] = ()
    columns: tuple[ComparisonColumn, ...] = ()
    name: tuple[str, str] = field(default=("", ""))  # task and where

    @property
    def is_grouped(self) -> bool:
        return any(column.group is not None for column in self.columns)

    def column_of(self, rater: str) -> int:
        """Return the column of a rater, −1 without one."""
        columns = enumerate(self.columns)
        return next((index for index, column in columns if rater and column.rater == rater), -1)

    def group_of(self, group: GroupName | None) -> int:
        """Return the column of a group, −1 without one."""
        columns = enumerate(self.columns)
        return next((index for index, column in columns if group is not None and column.group == group), -1)


ACROSS, ABOVE, BETWEEN = 12, 7, 3
MARK, MARK_INDENT, BAR = 14, 19, 3
CHIP_PAD, CHIP_GAP = 6, 5


@dataclass(frozen=True)
class PartLayout:
    """A part with its text layout; `rect` is its place in the cell, and `end` the layout of its figure."""

    part: CellPart
    lines: QTextLayout
    rect: QRectF
    end: QTextLayout | None = None


def lay_out_cell(cell: ComparisonCell, width: float, widget: QWidget) -> tuple[PartLayout, ...]:
    """Lay out the parts of a cell of that width, from its top left corner."""
    px = theme.px
    layouts: list[PartLayout] = []
    top = float(px(ABOVE))
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    whole = width - 2 * px(ACROSS)
    for part in cell.parts:
        if part.chip:
            rect, lines = _chip_layout(part, layouts, whole, top, widget)
            layouts.append(PartLayout(part, lines, rect))
            top = rect.bottom() + px(CHIP_GAP)
            continue
        indent = px(MARK_INDENT) if part.mark or part.deep or part.barred else 0
        end = _text_layout(part, part.end, _natural_width(part, part.end, widget), widget) if part.end else None
        used = _natural_width(part, part.end, widget) + px(CHIP_PAD) if end is not None else 0
        wide = max(px(24), whole - indent - used)
        lines = _text_layout(part, part.display_text, wide, widget)
        height = lines.boundingRect().height()
        left = px(ACROSS) + (used if mirrored else indent)
        layouts.append(PartLayout(part, lines, QRectF(left, top, wide, height), end))
        top += height + px(BETWEEN)
    return tuple(layouts)


def _chip_layout(
    part: CellPart, before: list[PartLayout], whole: float, top: float, widget: QWidget
) -> tuple[QRectF, QTextLayout]:
    """Return the place of a chip, beside the chip before it if there is room, and its text."""
    px = theme.px
    wide = min(_natural_width(part, part.display_text, widget) + 2 * px(CHIP_PAD), whole)
    lines = _text_layout(part, part.display_text, wide - 2 * px(CHIP_PAD), widget)
    height = lines.boundingRect().height() + px(6)
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    edge = px(ACROSS) + (whole - wide if mirrored else 0)
    if before and before[-1].part.chip:
        last = before[-1].rect
        beside = last.left() - px(CHIP_GAP) - wide if mirrored else last.right() + px(CHIP_GAP)
        if px(ACROSS) <= beside and beside + wide <= px(ACROSS) + whole + 0.5:
            return QRectF(beside, last.top(), wide, last.height()), lines
    return QRectF(edge, top, wide, height), lines


def _natural_width(part: CellPart, text: str, widget: QWidget) -> int:
    return QFontMetrics(part_font(part, widget)).horizontalAdvance(visible(text)) + 2


def cell_height(laid: tuple[PartLayout, ...]) -> int:
    """Return the height that a cell needs."""
    bottom = laid[-1].rect.bottom() if laid else theme.px(ABOVE)
    return int(bottom + theme.px(ABOVE) + 0.5)


def _text_layout(part: CellPart, text: str, width: float, widget: QWidget) -> QTextLayout:
    lines = QTextLayout(visible(text).replace("\n", "\u2028"), part_font(part, widget))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    backwards = right_to_left(text)
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if mirrored or backwards else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    lines.setTextOption(option)
    height = 0.0
    least = QFontMetrics(lines.font()).lineSpacing() + 1
    lines.beginLayout()
    while (line := lines.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += max(line.height(), least)
    lines.endLayout()
    return lines


def part_font(part: CellPart, widget: QWidget) -> QFont:
    """Return the font of a part."""
    return font_of(widget.font(), pixels=theme.px(TYPE["small" if part.small else "interface"][0]), bold=part.bold)


def paint_cell(painter: QPainter, corner: QPointF, laid: tuple[PartLayout, ...], widget: QWidget, ground: str) -> None:
    """Paint a cell at its top left corner, on a background of that name."""
    for layout in laid:
        part = layout.part
        position = corner + layout.rect.topLeft()
        if part.chip:
            _paint_chip(painter, layout, position, widget)
            continue
        painter.setPen(theme.color(widget, "accent" if part.opens and part.ink == "text" else part.ink))
        layout.lines.draw(painter, position)
        if layout.end is not None:
            painter.setPen(theme.color(widget, "text2"))
            mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
            used = _natural_width(part, part.end, widget) + theme.px(CHIP_PAD)
            left = -used if mirrored else layout.rect.width() + theme.px(CHIP_PAD)
            layout.end.draw(painter, position + QPointF(left, 0))
        if part.mark:
            _paint_mark(painter, part, position, layout, widget, ground)
        if part.barred:
            wide, gap = theme.px(BAR), theme.px(6)
            mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = position.x() + layout.rect.width() + gap if mirrored else position.x() - gap - wide
            bar = QRectF(left, position.y() - 1, wide, layout.rect.height() + 2)
            painter.fillRect(bar, theme.color(widget, "accent"))


def _paint_chip(painter: QPainter, layout: PartLayout, position: QPointF, widget: QWidget) -> None:
    if not layout.part.more:
        painter.setBrush(theme.color(widget, "raised"))
        painter.setPen(theme.color(widget, "accent" if layout.part.bold else "edge"))
        box = QRectF(position, layout.rect.size()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.color(widget, layout.part.ink))
    layout.lines.draw(painter, position + QPointF(theme.px(CHIP_PAD), theme.px(3)))


def _paint_mark(
    painter: QPainter, part: CellPart, position: QPointF, layout: PartLayout, widget: QWidget, ground: str
) -> None:
    size, indent = theme.px(MARK), theme.px(MARK_INDENT)
    tone = theme.tone(part.tone)
    ink = QColor(tone.ink) if tone is not None else theme.color(widget, ink_of(part.mark))
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    left = position.x() + layout.rect.width() + indent - size if mirrored else position.x() - indent
    line = layout.lines.lineAt(0)
    middle = position.y() + line.y() + line.height() / 2
    field = QRectF(left - 1, middle - size / 2 - 1, size + 2, size + 2)
    shapes.paint_shape(painter, field, part.mark, ink, theme.color(widget, ground))
