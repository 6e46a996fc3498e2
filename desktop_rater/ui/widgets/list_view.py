"""Lists of frozen rows, with one model and one delegate for all of them, and the widths of columns."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from msgspec import Struct, structs
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPen,
    QTextBlock,
    QTextDocument,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rater.text.untrusted import has_unseen
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import (
    LEFT_LINE,
    RIGHT_LINE,
    draw_text,
    elided_text,
    name_widget,
    plain_tooltip,
    right_to_left,
    visible,
)
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

Index = QModelIndex | QPersistentModelIndex
LIST_ROW_ROLE = Qt.ItemDataRole.UserRole
PAINT_FIRST_MS = 30  # until lists follow a task or an answer, which is painted first
ROOT = QModelIndex()
PAD, MARK, MARK_ROOM, HEADING = 12, 16, 24, 27


class ListRow(Struct, frozen=True):
    """A row: a title, and `detail`, on a second line in lists that have one. `tone` colours `detail_end`.

    `mark` is the name of a state or a shape, `mark_tone` the label tone of its ink. `id` is unique in the list; it may
    be any hashable value. Of a heading, only `title` and `end` are painted.
    """

    id: Any
    title: str
    end: str = ""
    detail: str = ""
    detail_end: str = ""
    mark: str = ""
    mark_tone: str = ""
    tone: str = ""
    bold: bool = False
    back: str = ""
    state: str = ""  # the meaning of the mark, for screen readers
    heading: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "end", "detail", "detail_end"):
            text: str = getattr(self, name)
            if has_unseen(text):
                structs.force_setattr(self, name, visible(text))

    @property
    def spoken(self) -> str:
        """The text of the whole row for a screen reader."""
        return ", ".join(part for part in (self.title, self.state, self.end, self.detail, self.detail_end) if part)

    @property
    def tooltip(self) -> str:
        return ""


def row_data(row: ListRow, role: int) -> Any:
    """Return the data of a row for a role."""
    if role == LIST_ROW_ROLE:
        return row
    if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
        return visible(row.spoken)
    return plain_tooltip(row.tooltip) if role == Qt.ItemDataRole.ToolTipRole and row.tooltip else None


class ListRowModel(QAbstractListModel):
    """A model of a list that is held in memory; headings can't be selected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ListRow, ...] = ()
        self._row_numbers: dict[Any, int] = {}

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return row_data(self.rows[index.row()], role) if index.isValid() else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].heading:
            return Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def show(self, rows: Sequence[ListRow]) -> None:
        """Show other rows. With unchanged ids they are only repainted, which keeps selection and scroll position."""
        before, after = self.rows, tuple(rows)
        if [row.id for row in before] != [row.id for row in after]:
            self.beginResetModel()
            self.rows = after
            self._row_numbers = {row.id: number for number, row in enumerate(after) if not row.heading}
            self.endResetModel()
            return
        self.rows = after
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(number), self.index(number))

    def row_of(self, row_id: object) -> int:
        return self._row_numbers.get(row_id, -1)


class LazyRowModel(QAbstractListModel):
    """A model that creates each row when it is first needed: there may be thousands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._make: Callable[[int], ListRow]
        self._rows: dict[int, ListRow] = {}

    def show(self, count: int, make: Callable[[int], ListRow], *, reset: bool) -> None:
        """Set the number of rows and the function that creates one; without `reset` they are only repainted."""
        if reset:
            self.beginResetModel()
        self._count, self._make, self._rows = count, make, {}
        if reset:
            self.endResetModel()
        elif count:
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def row(self, number: int) -> ListRow:
        """Return a row, and keep it until the next `show`."""
        if number not in self._rows:
            self._rows[number] = self._make(number)
        return self._rows[number]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return row_data(self.row(index.row()), role) if index.isValid() else None


class ListRowDelegate(QStyledItemDelegate):
    """Paints rows of one or two lines, as high as the font needs, and headings; texts literally, never as HTML.

    Subclasses override `paint_row`, and `height_of` where rows have different heights.
    """

    view: Any  # the list, a `RowList`; subclasses name its class
    ruled = False  # `paint_row` draws a line below each row

    def __init__(self, view: "RowList", *, two_lines: bool, pad: int = PAD, marks: bool = True) -> None:
        super().__init__(view)
        self.view = view
        self._two_lines = two_lines
        self._pad = pad
        self._marks = marks

    @property
    def font(self) -> QFont:
        return self.view.font()

    @property
    def small(self) -> QFont:
        """The font of the second line."""
        return font_of(self.font, pixels=theme.px(TYPE["small"][0]))

    def height(self) -> int:
        """Return the height of a row: 44 for two lines, 30 for one, at the default font size."""
        first = QFontMetrics(self.font).height()
        return first + QFontMetrics(self.small).height() + theme.px(13) if self._two_lines else first + theme.px(14)

    def height_of(self, index: Index) -> int:  # noqa: ARG002 - all rows are alike
        return self.height()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the width is the view's
        return QSize(80, self.height_of(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow = index.data(LIST_ROW_ROLE)
        painter.save()
        if row.heading:
            self._paint_heading(painter, option.rect, row)
        else:
            self.paint_row(painter, option.rect, option.state, row, index)
        painter.restore()

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        """Paint a row that is not a heading."""
        del index
        inner = self.paint_background(painter, rect, state, row)
        height = QFontMetrics(self.font).height()
        top = QRect(inner.left(), inner.top() + theme.px(5), inner.width(), height) if self._two_lines else inner
        if self._marks:
            self.paint_mark(painter, rect, top.center().y(), row)
        painter.setFont(self.font)
        ink = theme.color(self.view, "text")
        rest = self.paint_line(painter, top, row.title, row.end, ink, self.soft, bold=row.bold)
        if row.detail and not self._two_lines:
            self.paint_line(painter, rest, row.detail, "", self.soft, self.soft)
        if self._two_lines:
            painter.setFont(self.small)
            below = QRect(top.left(), top.bottom() + theme.px(4), top.width(), QFontMetrics(self.small).height())
            end_ink = theme.color(self.view, row.tone) if row.tone else self.soft
            self.paint_line(painter, below, row.detail, row.detail_end, self.soft, end_ink)

    def _paint_heading(self, painter: QPainter, rect: QRect, row: ListRow) -> None:
        line = theme.color(self.view, "line")
        painter.fillRect(rect, theme.color(self.view, "win"))
        if not self.ruled:
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, line)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
        font = self.small
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0)
        self.paint_line(painter, inner, row.title, row.end, self.soft, self.soft)

    @property
    def soft(self) -> QColor:
        return theme.color(self.view, "text2")

    @property
    def mirrored(self) -> bool:
        return self.view.isRightToLeft()

    def paint_background(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow) -> QRect:
        """Paint the background. Return the rectangle for text."""
        colors = theme.tokens()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        back = colors.sel if selected else getattr(colors, row.back) if row.back else colors.hover if hovered else ""
        if back:
            painter.fillRect(rect, QColor(back))
        if selected:
            rail = theme.px(3)
            left = rect.right() - rail + 1 if self.mirrored else rect.left()
            painter.fillRect(left, rect.top(), rail, rect.height(), QColor(colors.accent))
        if selected and colors.high:
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        pad, mark_width = theme.px(self._pad), theme.px(MARK_ROOM) if self._marks else 0
        leading, trailing = (0, mark_width) if self.mirrored else (mark_width, 0)
        return rect.adjusted(pad + leading, 0, -pad - trailing, 0)

    def paint_mark(self, painter: QPainter, rect: QRect, y: float, row: ListRow) -> None:
        """Paint the mark of a row, `y` its middle."""
        size, pad = theme.px(MARK), theme.px(self._pad)
        left = rect.right() + 1 - pad - size if self.mirrored else rect.left() + pad
        tone = theme.tone(row.mark_tone)
        ink = QColor(tone.ink) if tone is not None else theme.color(self.view, ink_of(row.mark))
        square = QRectF(left, y + 0.5 - size / 2, size, size)
        if row.mark in shapes.ICONS:
            shapes.paint_icon(painter, square, row.mark, ink)
            return
        shapes.paint_shape(painter, square, row.mark, ink, theme.color(self.view, "surface"))

    def paint_line(
        self, painter: QPainter, rect: QRect, text: str, end: str, ink: QColor, end_ink: QColor, *, bold: bool = False
    ) -> QRect:
        """Paint one line in the painter's font: a text that is elided, and a word at the end that is not.

        Return the space that a text from left to right leaves.
        """
        mirrored = self.mirrored
        if QGuiApplication.isRightToLeft():  # the direction with which a painter begins
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if end:
            end = elided_text(painter.fontMetrics(), end, rect.width() * 2 // 3)
            draw_text(painter, rect, LEFT_LINE if mirrored else RIGHT_LINE, end, ink=end_ink)
            used = painter.fontMetrics().horizontalAdvance(end) + theme.px(8)
            rect = rect.adjusted(used if mirrored else 0, 0, 0 if mirrored else -used, 0)
        if bold:
            painter.setFont(font_of(painter.font(), bold=True))
        painter.setPen(ink)
        flat = " ".join(text.split())
        elided = elided_text(painter.fontMetrics(), flat, rect.width())
        if right_to_left(flat):  # the ellipsis belongs at the end of the text, which is the left in Arabic
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            draw_text(painter, rect, RIGHT_LINE, elided)
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        else:
            draw_text(painter, rect, LEFT_LINE, elided)
        return rect.adjusted(painter.fontMetrics().horizontalAdvance(elided) + theme.px(16), 0, 0, 0)


def ink_of(mark: str) -> str:
    """Return the colour name of a state."""
    return shapes.STATES[mark][1] if mark in shapes.STATES else "text2"


def _select_silently(view: QListView, index: QModelIndex) -> None:
    selection = view.selectionModel()
    selection.blockSignals(True)
    selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    selection.blockSignals(False)


class ItemStrip(QListView):
    """Items beside each other, scrolled without scroll bars."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        for hide in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            hide(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def keyboardSearch(self, _search: str) -> None:
        """Ignore letters: they answer questions and do not search in strips."""

    def select(self, index: QModelIndex) -> None:
        """Make an item the current one. The selection emits no signal."""
        _select_silently(self, index)
        self.viewport().update()


class RowList(QListView):
    """A list of `ListRow`s. `fit_rows(most)` makes it as high as its rows, up to `most` of them."""

    delegate_class: ClassVar[type[ListRowDelegate]] = ListRowDelegate

    def __init__(
        self,
        name: str,
        *,
        two_lines: bool,
        label: str = "",
        pad: int = PAD,
        marks: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        name_widget(self, name, label)
        self._most = 0
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.row_delegate = self.delegate_class(self, two_lines=two_lines, pad=pad, marks=marks)
        self.setItemDelegate(self.row_delegate)
        theme.follow_language(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose no row with the right button, which opens a menu for it."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def keyboardSearch(self, _search: str) -> None:
        """Ignore letters: they answer questions and do not search in lists."""

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Repaint a changed row. QListView would lay out all rows again, whose heights are unchanged."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._most:
            self.fit_rows(self._most)

    def vary_heights(self) -> None:
        """Ask the delegate for the height of each row, and scroll by pixels."""
        self.setUniformItemSizes(False)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        theme.follow(self, self.scheduleDelayedItemsLayout)

    def fit_rows(self, most: int) -> None:
        """Make the list as high as its rows, at most `most` of them."""
        self._most = most
        rows = max(1, min(most, self.model().rowCount()))
        self.setFixedHeight(rows * self.row_delegate.height() + 2 * self.frameWidth())

    def rows_height(self) -> int:
        model = self.model()
        return sum(self.row_delegate.height_of(model.index(row, 0)) for row in range(model.rowCount()))

    def select_row(self, row: int) -> None:
        """Select a row, or none with −1, and scroll to it. The selection emits no signal."""
        before, index = self.currentIndex(), self.model().index(row, 0)
        _select_silently(self, index)
        for changed in (before, index):  # the view has heard nothing
            self.update(changed)
        if index.isValid():
            self.scrollTo(index)


MAX_WORD_CHARACTERS = 40  # a longer word, such as an address, may be split
MAX_COLUMN_CHARACTERS = 60  # a column gets no wider for the sake of one line
_SLACK = 2  # pixels: widths of words are fractions
_EDGE = 1  # pixel: in Qt 6.9 a table may be that much wider than its columns and borders


class TableColumns:
    """The columns of the tables of a document: the widths that their longest words and whole texts need."""

    def __init__(self, document: QTextDocument) -> None:
        self._tables = [(table, *_needs(table, document.defaultFont())) for table in _tables(document)]
        self._widths = (-1.0, -1.0)
        self._lacking = 0.0

    def fit(self, width: float, beyond: float = 0, *, backwards: bool = False) -> float:
        """Distribute a width among the columns: each gets what its words need, then what its texts need.

        `beyond`: width of the margin after the text, which a wide table may use. `backwards`: tables end at the right;
        their own alignment would ignore margins. Return what the widest table needs in addition to the width.
        """
        if (width, beyond) == self._widths or not self._tables:
            return self._lacking
        self._widths = width, beyond
        needs = [
            sum(least) + table.format().toTableFormat().border() * (len(least) + 1) + _EDGE
            for table, least, _ in self._tables
        ]
        self._lacking = max(0.0, max(needs) - width)
        for (table, least, wanted), needed in zip(self._tables, needs, strict=True):
            form = table.format().toTableFormat()
            spare = max(0.0, width - needed)
            asked = sum(wanted) - sum(least)
            share = min(1.0, spare / asked) if asked > 0 else 0.0
            widths = [float(int(low + (high - low) * share)) for low, high in zip(least, wanted, strict=True)]
            form.setColumnWidthConstraints([QTextLength(QTextLength.Type.FixedLength, column) for column in widths])
            if backwards:
                form.setLeftMargin(width + self._lacking - sum(widths) - needed + sum(least))
            else:
                form.setRightMargin(-max(0.0, min(needed - width, beyond)))
            table.setFormat(form)
        return self._lacking


def _tables(document: QTextDocument) -> Iterator[QTextTable]:
    return (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))


def _needs(table: QTextTable, font: QFont) -> tuple[list[float], list[float]]:
    """Return the widths that the longest word, and the longest text, of each column need."""
    metrics: dict[str, QFontMetricsF] = {}
    form = table.format().toTableFormat()
    padding = 2 * form.cellPadding() + form.border() + _SLACK
    letter = QFontMetricsF(font).averageCharWidth()
    least, wanted = [0.0] * table.columns(), [0.0] * table.columns()
    for row in range(table.rows()):
        for column in range(table.columns()):
            block = table.cellAt(row, column).firstCursorPosition().block()
            word, text = _widths(block, metrics)
            least[column] = max(least[column], min(word, MAX_WORD_CHARACTERS * letter))
            wanted[column] = max(wanted[column], min(text, MAX_COLUMN_CHARACTERS * letter))
    least = [width + padding for width in least]
    return least, [max(low, width + padding) for low, width in zip(least, wanted, strict=True)]


def _widths(block: QTextBlock, metrics: dict[str, QFontMetricsF]) -> tuple[float, float]:
    """Return the width of the longest word of a cell, and of all its text. Neighbouring runs may be one word."""
    longest = word = total = 0.0
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        form, text = fragment.charFormat(), fragment.text()
        if form.isImageFormat():
            parts = [form.toImageFormat().width() * fragment.length()]
        else:
            font = form.font()
            measure = metrics.setdefault(font.key(), QFontMetricsF(font))
            total += measure.horizontalAdvance(" ") * text.count(" ")
            parts = [measure.horizontalAdvance(part) for part in text.split(" ")]
        for index, part in enumerate(parts):
            word = word + part if index == 0 else part
            longest = max(longest, word)
            total += part
        fragments += 1
    return longest, total
