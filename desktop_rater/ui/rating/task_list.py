"""Left pane: the filter, the progress of the bundle, and its tasks; folded, a rail of shapes."""

from collections.abc import Sequence
from typing import cast

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QListView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.operations.rating.rater_state import BundleOverview
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.tasks import ListState, StateCounts
from desktop_rater.ui.rating.task_model import TaskModel
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.bars import Chips, ThinBar
from desktop_rater.ui.widgets.buttons import PaintedButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.formatting import remaining_time
from desktop_rater.ui.widgets.labels import (
    ElidedLabel,
    PlainLabel,
    WrappedLabel,
    ZoomedComboBox,
    name_widget,
    plain_tooltip,
    set_tooltip,
    visible,
)
from desktop_rater.ui.widgets.layouts import NamedGroup, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import MARK, Index, ListRow, ListRowDelegate, RowList
from desktop_rater.ui.widgets.theme import paint_box, smooth_painter
from desktop_rater.ui.window.keys import cap_text
from desktop_rater.ui.window.window_place import RAIL

FILTER_PAUSE_MS = 50
LIST_STATES: tuple[ListState, ...] = ("all", "unfinished", "blocked")


DETAIL_ROLE = Qt.ItemDataRole.UserRole + 1
POPUP_WIDTH, ROW_HEIGHT = 460, 28
MAX_TITLE = 200


class BundleChoice(Struct, frozen=True):
    """A bundle in the box; `detail` is its progress and due date."""

    id: str
    title: str
    detail: str = ""


class DetailDelegate(QStyledItemDelegate):
    """Adds the detail to the title in the open box, in rows that a pointer hits."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, theme.px(ROW_HEIGHT)))

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        detail = index.data(DETAIL_ROLE)
        if detail:
            option.text = f"{index.data()}  ·  {detail}"


class BundleBox(ZoomedComboBox):
    """The bundles in the order in which they are due. The last row may lead to those that are hidden."""

    opening = Signal()  # before its rows are shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "bundles", self.tr("Bundle"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.view().setItemDelegate(DetailDelegate(self))

    def show_bundles(self, choices: Sequence[BundleChoice], hidden: str, current: str) -> None:
        """Show other bundles, and the row of the hidden ones unless it is empty."""
        self.clear()
        for choice in choices:
            self.addItem(visible(" ".join(choice.title.split())[:MAX_TITLE]), choice.id)
            self._describe(self.count() - 1, choice.detail)
        if hidden:
            self.addItem(hidden)
        self.setCurrentIndex(self.findData(current))
        self.setVisible(self.count() > 1)

    def show_details(self, choices: Sequence[BundleChoice]) -> None:
        """Show the progress of bundles, in this order; those that are not in the box are ignored."""
        details = {choice.id: choice.detail for choice in choices}
        known = {self.itemData(row): self.itemText(row) for row in range(self.count())}
        ordered = [BundleChoice(choice.id, known[choice.id], choice.detail) for choice in choices if choice.id in known]
        if len(ordered) == len(known) - (None in known) and not self.view().isVisible():
            self.show_bundles(ordered, known.get(None, ""), self.currentData() or "")
            return
        for row in range(self.count()):
            self._describe(row, details.get(self.itemData(row), ""))

    def _describe(self, row: int, detail: str) -> None:
        self.setItemData(row, detail, DETAIL_ROLE)
        spoken = ", ".join(part for part in (self.itemText(row), detail) if part)
        self.setItemData(row, spoken, Qt.ItemDataRole.AccessibleTextRole)
        self.setItemData(row, plain_tooltip(spoken), Qt.ItemDataRole.ToolTipRole)

    def showPopup(self) -> None:
        self.opening.emit()
        self.view().setMinimumWidth(min(theme.px(POPUP_WIDTH), self.window().width() - theme.px(32)))
        super().showPopup()


class TaskList(NamedGroup):
    """Task list pane. It emits the wanted bundle or task; the open one is marked by the caller."""

    bundle_wanted = Signal(str)
    put_away_wanted = Signal()  # the list of bundles, with those put away
    task_wanted = Signal(str)
    picked = Signal()  # chosen by mouse or Return: the rater has finished with the list

    def __init__(self, model: TaskModel, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="task_list_pane")
        self.setAccessibleName(self.tr("Tasks"))
        theme.set_ground(self, "panel")
        self.model = model
        self._top: QPersistentModelIndex | None = None
        self._head = self._make_head()
        self.list = self._make_list()
        column = tight_column(self, self._head, horizontal_line(), (self.list, 1), spacing=0)
        self._make_empty_notice(column)
        self._pause = DelayedCall(self, FILTER_PAUSE_MS, self._apply_filter)
        model.counted.connect(self._show_counts)
        model.progressed.connect(self._show_progress)
        model.modelReset.connect(self._show_empty)
        model.filled.connect(self._show_name)
        theme.follow(self, self._measure)
        self._show_empty()

    def _make_head(self) -> QVBoxLayout:
        self.bundles = BundleBox()
        self.bundles.activated.connect(self._choose_bundle)
        self.filter = FilterField()
        self.filter.textEdited.connect(lambda _text: self._pause.start())
        self.filter.textChanged.connect(lambda text: None if text else self._pause.start())
        self.filter.entered.connect(self._into_list)
        self._done = PlainLabel(name="done_count", size="small", bold=True)
        self._of = PlainLabel(name="of_count", size="small")
        self._left = ElidedLabel(name="time_left", size="small", ink="text2")
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight)
        row = tight_row(None, self._done, self._of, (self._left, 1), spacing=4)
        self._bar = ThinBar()
        self.states = Chips("states", LIST_STATES)
        self.states.setAccessibleName(self.tr("Filter by state"))
        self.states.chosen.connect(lambda _state: self._apply_filter())
        return fill(QVBoxLayout(), self.bundles, self.filter, row, self._bar, self.states)

    def _make_list(self) -> RowList:
        rows = RowList("task_list", two_lines=True, label=self.tr("Tasks"))
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setModel(self.model)
        theme.set_paper(rows, "panel")
        rows.selectionModel().currentChanged.connect(self._chosen)
        rows.clicked.connect(lambda _index: self.picked.emit())
        rows.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.model.rowsAboutToBeInserted.connect(lambda _parent, first, _last: self._remember_top(first))
        self.model.rowsInserted.connect(lambda _parent, first, _last: self._restore_top(first))
        return rows

    def _scrolled(self, value: int) -> None:
        if value == self.list.verticalScrollBar().minimum():
            self.model.fetch_before()

    def _remember_top(self, first: int) -> None:
        """Remember the top row before rows are inserted above it."""
        self._top = QPersistentModelIndex(self.list.indexAt(QPoint(1, 1))) if first == 0 else None

    def _restore_top(self, first: int) -> None:
        if first == 0 and self._top is not None and self._top.isValid():
            self.list.scrollTo(self._top, QListView.ScrollHint.PositionAtTop)

    def _make_empty_notice(self, column: QVBoxLayout) -> None:
        self._none = WrappedLabel(name="no_tasks", ink="text2")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._none.setContentsMargins(16, 24, 16, 8)
        column.addWidget(self._none)
        self._clear = QPushButton(self.tr("Clear the filter"))
        self._clear.setObjectName("clear_filter")
        self._clear.clicked.connect(self.clear_filter)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(0)

    def _measure(self) -> None:
        self._head.setContentsMargins(theme.px(12), theme.px(12), theme.px(12), theme.px(8))
        self._head.setSpacing(theme.px(8))

    def show_bundles(self, rows: Sequence[BundleRow], current: str) -> None:
        """Show the bundles, and how many are put away; a single one needs no chooser: the window's title names it."""
        listed = [BundleChoice(row.id, row.title) for row in rows if not row.put_away]
        put_away = len(rows) - len(listed)
        text = self.tr("1 put away …") if put_away == 1 else self.tr("{n} put away …")
        self.bundles.show_bundles(listed, text.format(n=formatting.number(put_away)) if put_away else "", current)

    def _choose_bundle(self, index: int) -> None:
        bundle = self.bundles.itemData(index)
        self._show_name()
        if bundle is None:
            self.put_away_wanted.emit()
        else:
            self.bundle_wanted.emit(bundle)

    def _show_name(self) -> None:
        """Select the bundle of the rows in the box; another one only when its rows are there."""
        self.bundles.setCurrentIndex(self.bundles.findData(self.model.bundle))

    def show_bundle(self, bundle: str) -> None:
        self.filter.clear()
        self.states.choose("all")
        self._pause.stop()
        self._left.setText("")
        self.model.show(bundle)

    def show_open(self, task: str | None, position: int) -> None:
        self.model.load_around(position)
        self.model.mark_open(task)
        self.list.select_row(self.model.row_of(task))

    def clear_filter(self) -> None:
        self.filter.clear()
        self.states.choose("all")
        self._apply_filter()

    @property
    def in_use(self) -> bool:
        """Return whether the rater is using the list or typing a filter."""
        return self.list.hasFocus() or (self.filter.hasFocus() and bool(self.filter.text()))

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def _into_list(self) -> None:
        self.list.setFocus()

    def _apply_filter(self) -> None:
        self._pause.stop()
        if self.model.bundle:
            self.model.show(self.model.bundle, self.filter.text().strip(), cast("ListState", self.states.current))

    def _show_empty(self) -> None:
        empty = bool(self.model.bundle) and self.model.rowCount() == 0
        filtered = bool(self.filter.text().strip()) or self.states.current != "all"
        none = self.tr("No tasks match the filter.") if filtered else self.tr("This bundle has no tasks.")
        unsearched = self.tr("{n} tasks can’t be searched yet.").format(n=formatting.number(self.model.unsearched))
        parts = (none if empty else "", unsearched if self.model.unsearched else "")
        self._none.setText(" ".join(filter(None, parts)))
        self._none.setVisible(any(parts))
        self._clear.setVisible(empty and filtered)
        self.list.setVisible(not empty)
        self.list.scrollToTop()

    def _show_counts(self, counts: StateCounts) -> None:
        spelt, chips = formatting.number, self.states
        chips.show_words("all", self.tr("All {n}").format(n=spelt(counts.all)))
        chips.show_words("unfinished", self.tr("To do {n}").format(n=spelt(counts.untouched + counts.incomplete)))
        visible = counts.blocked > 0 or chips.current == "blocked"
        chips.show_words("blocked", self.tr("Blocked {n}").format(n=spelt(counts.blocked)), visible=visible)

    def _show_progress(self, progress: BundleOverview) -> None:
        self._done.setText(formatting.number(progress.done))
        total = formatting.unit_count(progress.unit, progress.total)
        self._of.setText(self.tr("of {total}").format(total=total))
        self._bar.show_share(progress.done / max(1, progress.total))
        is_known = progress.seconds_left is not None and progress.open
        self._left.setText(remaining_time(progress.seconds_left or 0) if is_known else "")

    def _chosen(self, index: QModelIndex) -> None:
        task = self.model.task_at(index.row())
        if task is not None:
            self.task_wanted.emit(task)


RAIL_ROW_HEIGHT = 26


class ShapeDelegate(ListRowDelegate):
    """Row with a shape only; its text is the tooltip and the accessible text."""

    def height(self) -> int:
        return theme.px(RAIL_ROW_HEIGHT)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all rows are alike
        return QSize(theme.px(RAIL), self.height())

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        self.paint_background(painter, rect, state, row)
        self.paint_mark(painter, rect, rect.center().y(), row)


class ShapeList(RowList):
    """List of shapes."""

    delegate_class = ShapeDelegate


class TaskListButton(PaintedButton):
    """Button that opens the task list over the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "open_tasks", self.tr("Task list, {key}").format(key=cap_text("Ctrl B")))
        set_tooltip(self, self.accessibleName())
        theme.follow(self, lambda: self.setFixedSize(theme.px(30), theme.px(30)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with smooth_painter(self) as painter:
            if self.underMouse():
                paint_box(painter, self.rect(), 4, fill=theme.color(self, "hover"))
            size = theme.px(16)
            field = QRectF((self.width() - size) / 2, (self.height() - size) / 2, size, size)
            shapes.paint_icon(painter, field, "list", theme.color(self, "text2"))


class TaskRail(QWidget):
    """Narrow list that shares rows and selection with the task list."""

    opened = Signal()

    def __init__(self, tasks: TaskList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        theme.set_ground(self, "panel")
        column = tight_column(self, spacing=0, margins=(0, 8, 0, 0))
        self._button = TaskListButton()
        self._button.clicked.connect(self.opened)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        self._done = PlainLabel(name="rail_done")
        self._of = PlainLabel(name="rail_of")
        for label in (self._done, self._of):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            theme.set_type(label, "small", bold=label is self._done)
            column.addWidget(label)
        theme.set_ink(self._of)
        column.addSpacing(8)
        self.list = ShapeList("task_rail", two_lines=False, pad=(RAIL - MARK) // 2)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Tasks"))
        self.list.setModel(tasks.model)
        self.list.setSelectionModel(tasks.list.selectionModel())
        theme.set_paper(self.list, "panel")
        column.addWidget(self.list, 1)
        tasks.model.progressed.connect(self._show_progress)
        theme.follow(self, lambda: self.setFixedWidth(theme.px(RAIL)))

    def _show_progress(self, progress: BundleOverview) -> None:
        done, total = formatting.number(progress.done), formatting.number(progress.total)
        # The longest text that fits into the rail.
        for label, texts in ((self._done, (done,)), (self._of, (self.tr("of {total}").format(total=total), total))):
            metrics = label.fontMetrics()
            shown = next((text for text in texts if metrics.horizontalAdvance(text) <= theme.px(RAIL - 2)), "…")
            label.setText(shown)
            set_tooltip(label, "" if shown == texts[0] else texts[0])

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)  # ty: ignore[invalid-argument-type]
        self.list.scrollTo(self.list.currentIndex())
