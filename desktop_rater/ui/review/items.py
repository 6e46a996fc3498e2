"""The review list: group headings, quotes, and each rater's label as its shape."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QStyle, QWidget

from desktop_rater.audit.items import ReviewItem
from desktop_rater.audit.label_rules import MODEL_METHODS
from desktop_rater.ui.review.label_looks import LabelLooks, LabelToken
from desktop_rater.ui.review.texts import certainty_text, group_text, percent_text
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.list_view import HEADING, Index, ListRow, ListRowDelegate, ListRowModel, RowList, ink_of

ItemKey = tuple[str, str]  # task and where
MAX_TOKEN_LENGTH = 4  # of a label beside a quote
MAX_SINGLE_TOKENS = 5  # raters up to which labels are shown one by one
TOKEN_SHAPE, TOKEN_GAP = 16, 7
translate = QCoreApplication.translate


@dataclass(frozen=True)
class ItemRow(ListRow):
    """The row of an item; its id is an `ItemKey`, its mark the review state, `labels` the labels as a text."""

    tokens: tuple[LabelToken, ...] = ()
    labels: str = ""

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.title, self.labels, self.state) if part)


def list_item_rows(
    items: Sequence[ReviewItem],
    looks: LabelLooks,
    hidden: Collection[ItemKey],
    share: float | None,
    *,
    by_certainty: bool = False,
    headed: bool = True,
) -> Iterator[ListRow]:
    """Yield rows in the order of the items, below the headings of their groups or of how certain their labels are.

    Of items in `hidden` nothing is shown that raters did. `share` is the sampled share of the items, if any. `headed`:
    there are headings, which say how far raters agree.
    """
    heading_of = certainty_text if by_certainty else (lambda item: group_text(item.group))
    headings = [heading_of(item) for item in items]
    counts = Counter(headings)
    previous = None
    for item, heading in zip(items, headings, strict=True):
        if headed and heading != previous:
            title = previous = heading
            if item.sampled and share is not None and share < 1:
                percent = formatting.figure(round(share * 100, 1)).removesuffix(".0")
                title = translate("Review", "{group}, sampled {n} %").format(group=title, n=percent)
            yield ListRow(None, title, end=formatting.number(counts[previous]), heading=True)
        yield list_item_row(item, looks, hide=(item.task, item.where) in hidden)


def list_item_row(item: ReviewItem, looks: LabelLooks, *, hide: bool) -> ItemRow:
    """Return the row of one item."""
    title, place = " ".join(item.quote.split())[:200] or item.task, item_place_text(item)
    if hide:
        return ItemRow((item.task, item.where), title, detail=place)
    labels = [entry.label for entry in item.entries if not entry.skipped]
    if len(labels) <= MAX_SINGLE_TOKENS:
        tokens = tuple(looks.token(label) for label in labels)
    else:
        tokens = tuple(looks.token(label, count) for label, count in Counter(labels).most_common(4))
    counts = Counter(looks.text(label) or "–" for label in labels)
    labels_text = ", ".join(f"{count} {label}" for label, count in counts.most_common())
    probable = (
        percent_text(item.certainty[0]) if item.method in MODEL_METHODS and item.posterior and not item.decided else ""
    )
    end = " · ".join(filter(None, (item_flag_text(item, looks), probable)))
    if any(len(token.text) > MAX_TOKEN_LENGTH for token in tokens):
        tokens, end = (), labels_text  # texts do not fit beside the quote
    mark, state = {
        "all": ("done", translate("Review", "reviewed")),
        "part": ("part", translate("Review", "begun")),
        "none": ("", translate("Review", "not reviewed")),
    }[item.reviewed]
    return ItemRow(
        (item.task, item.where),
        title,
        detail=place,
        detail_end=end,
        mark=mark,
        state=state,
        tokens=tokens,
        labels=labels_text,
    )


def item_place_text(item: ReviewItem) -> str:
    """Return task and target: "t-0018, s3"."""
    _kind, _, name = item.where.partition("/")
    return f"{item.task[:60]}, {name[:40]}" if name else item.task[:60]


def item_flag_text(item: ReviewItem, looks: LabelLooks) -> str:
    """Return the first flag of an item: decided, tied, outdated, forked, gold missed, or what differs but the label."""
    if item.decided:
        return translate("Review", "decided in bulk") if item.in_bulk else translate("Review", "decided")
    if item.tied:
        return translate("Review", "open") if item.method in MODEL_METHODS else translate("Review", "tied")
    flags = {flag for entry in item.entries for flag in entry.flags}
    texts = {
        "outdated": translate("Review", "verdict outdated"),
        "forked": translate("Review", "forked"),
        "gold-missed": translate("Review", "gold missed"),
    }
    differs = translate("Review", "{question} differs")
    named = [differs.format(question=looks.title(question)) for question in item.differing]
    return next((text for flag, text in texts.items() if flag in flags), named[0] if named else "")


class ItemModel(ListRowModel):
    """The model of the review list."""

    @property
    def keys(self) -> list[ItemKey]:
        return [row.id for row in self.rows if not row.heading]

    def neighbour(self, key: ItemKey, by: int) -> ItemKey | None:
        """Return the next item, or with −1 the previous one; from none, the first."""
        step = 1 if by > 0 else -1
        index = self._row_numbers.get(key, -1 if step > 0 else len(self.rows)) + step
        while 0 <= index < len(self.rows):
            if not self.rows[index].heading:
                return self.rows[index].id
            index += step
        return None


class ItemDelegate(ListRowDelegate):
    """A delegate for items of two lines and headings of one."""

    def height_of(self, index: Index) -> int:
        # Called for every row of a long list: do not go through `data`.
        model: ItemModel = index.model()  # ty: ignore[invalid-assignment]
        return theme.px(HEADING) if model.rows[index.row()].heading else self.height()

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, ItemRow), "all other rows are headings"
        inner = self.paint_background(painter, rect, state, row)
        top = QRect(inner.left(), inner.top() + theme.px(5), inner.width(), QFontMetrics(self.font).height())
        used = self._tokens(painter, top, row.tokens)
        text_rect = top.adjusted(used, 0, 0, 0) if self.mirrored else top.adjusted(0, 0, -used, 0)
        painter.setFont(self.font)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        self.paint_line(painter, text_rect, row.title, "", theme.color(self.view, "text"), self.soft, bold=selected)
        painter.setFont(self.small)
        below = QRect(top.left(), top.bottom() + theme.px(4), top.width(), QFontMetrics(self.small).height())
        below = self._state(painter, below, row.mark)
        self.paint_line(painter, below, row.detail, row.detail_end, self.soft, self.soft)

    def _state(self, painter: QPainter, rect: QRect, state: str) -> QRect:
        """Paint the review state at the end of the second line; return the remaining rectangle."""
        if not state:
            return rect
        size = theme.px(14)
        left = rect.left() if self.mirrored else rect.right() + 1 - size
        ink = theme.color(self.view, ink_of(state))
        field = QRectF(left, rect.center().y() + 0.5 - size / 2, size, size)
        shapes.paint_shape(painter, field, state, ink, theme.color(self.view, "panel"))
        used = size + theme.px(5)
        return rect.adjusted(used, 0, 0, 0) if self.mirrored else rect.adjusted(0, 0, -used, 0)

    def _tokens(self, painter: QPainter, rect: QRect, tokens: Sequence[LabelToken]) -> int:
        """Paint the labels at the end of a line, in the order of the raters; return the width they take."""
        small = QFontMetrics(self.small)
        widths = [self._width(token, small) for token in tokens]
        gap = theme.px(TOKEN_GAP)
        total = sum(widths) + gap * max(0, len(widths) - 1)
        x = rect.left() if self.mirrored else rect.right() + 1 - total
        painter.setFont(self.small)
        for token, width in zip(tokens, widths, strict=True):
            self._token(painter, QRect(x, rect.top(), width, rect.height()), token)
            x += width + gap
        return total + theme.px(8) if tokens else 0

    def _width(self, token: LabelToken, metrics: QFontMetrics) -> int:
        shape = theme.px(TOKEN_SHAPE) if token.shape else 0
        text_width = metrics.horizontalAdvance(_token_text(token))
        return shape + text_width + (theme.px(2) if shape and text_width else 0)

    def _token(self, painter: QPainter, rect: QRect, token: LabelToken) -> None:
        size = theme.px(TOKEN_SHAPE)
        tone = theme.tone(token.tone)
        if token.shape:
            ink = QColor(tone.ink) if tone is not None else theme.color(self.view, ink_of(token.shape))
            field = QRectF(rect.left(), rect.center().y() + 0.5 - size / 2, size, size)
            shapes.paint_shape(painter, field, token.shape, ink, theme.color(self.view, "surface"))
        painter.setPen(self.soft)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        draw_text(painter, rect, end | Qt.TextFlag.TextSingleLine, _token_text(token))


def _token_text(token: LabelToken) -> str:
    return " ".join(part for part in (token.text, str(token.count) if token.count else "") if part)


class ItemList(RowList):
    """The items. Left and right go from rater to rater."""

    delegate_class = ItemDelegate
    sideways = Signal(int)

    def __init__(self, model: ItemModel, parent: QWidget | None = None) -> None:
        super().__init__("review_list", two_lines=True, marks=False, parent=parent)
        self.setAccessibleName(self.tr("Places, most disagreement first"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.vary_heights()
        theme.set_paper(self, "panel")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.sideways.emit(-step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step)
            return
        super().keyPressEvent(event)
