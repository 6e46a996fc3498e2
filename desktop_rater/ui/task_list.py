"""The left pane: filter, how far the bundle is, and its tasks; folded, a rail of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QListView, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.chips import Chips
from desktop_rater.ui.chooser import Chooser
from desktop_rater.ui.filter_field import FilterField
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.rows import LineList
from desktop_rater.ui.separator import line
from desktop_rater.ui.spoken_time import about_left
from desktop_rater.ui.thin_bar import ThinBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.tasks import ListState, StateCounts
    from desktop_rater.ui.task_model import TaskModel
    from desktop_rater.work.today import Left

FILTER_PAUSE_MS = 150
STATES: tuple[ListState, ...] = ("all", "unfinished", "blocked")


class TaskList(QWidget):
    """Says which bundle and which task are wanted; what lies on the desk decides what is marked."""

    bundle_wanted = Signal(str)
    task_wanted = Signal(str)
    picked = Signal()  # by the mouse, or by Return: the rater is done with the list

    def __init__(self, model: TaskModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("task_list_pane")
        self.setAccessibleName(self.tr("Tasks"))
        theme.ground(self, "panel")
        self.model = model
        self._top: QPersistentModelIndex | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = self._make_head()
        column.addLayout(self._head)
        column.addWidget(line())
        self.list = self._make_list()
        column.addWidget(self.list, 1)
        self._make_nothing(column)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        model.counted.connect(self._show_counts)
        model.paced.connect(self._show_left)
        model.modelReset.connect(self._filled)
        theme.follow(self, self._measure)
        self._filled()

    def _make_head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        self.bundles = Chooser()
        self.bundles.setObjectName("bundles")
        self.bundles.setAccessibleName(self.tr("Bundle"))
        self.bundles.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.bundles.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bundles.activated.connect(lambda at: self.bundle_wanted.emit(self.bundles.itemData(at)))
        head.addWidget(self.bundles)
        self.filter = FilterField()
        self.filter.textEdited.connect(lambda _text: self._pause.start())
        self.filter.textChanged.connect(lambda text: None if text else self._pause.start())
        self.filter.entered.connect(self._into_list)
        head.addWidget(self.filter)
        row = QHBoxLayout()
        row.setSpacing(4)
        self._done = PlainLabel(name="done_count")
        theme.write(self._done, "small", bold=True)
        row.addWidget(self._done)
        self._of = PlainLabel(name="of_count")
        theme.write(self._of, "small")
        row.addWidget(self._of)
        self._left = ElidedLabel(name="time_left")
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight)
        theme.write(self._left, "small")
        theme.quiet(self._left)
        row.addWidget(self._left, 1)
        head.addLayout(row)
        self._bar = ThinBar()
        head.addWidget(self._bar)
        self.states = Chips("states", STATES)
        self.states.setAccessibleName(self.tr("Which tasks are shown"))
        self.states.chosen.connect(lambda _state: self._ask())
        head.addWidget(self.states)
        return head

    def _make_list(self) -> LineList:
        shown = LineList("task_list", two_lines=True)
        shown.setFrameShape(QFrame.Shape.NoFrame)
        shown.setAccessibleName(self.tr("Tasks"))
        shown.setModel(self.model)
        theme.paper(shown, "panel")
        shown.selectionModel().currentChanged.connect(self._chosen)
        shown.clicked.connect(lambda _index: self.picked.emit())
        shown.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.model.rowsAboutToBeInserted.connect(lambda _parent, first, _last: self._hold_still(first))
        self.model.rowsInserted.connect(lambda _parent, first, _last: self._go_on_there(first))
        return shown

    def _scrolled(self, value: int) -> None:
        if value == self.list.verticalScrollBar().minimum():
            self.model.fetch_before()

    def _hold_still(self, first: int) -> None:
        """What comes above the rows moves nothing under the eye."""
        self._top = QPersistentModelIndex(self.list.indexAt(QPoint(1, 1))) if first == 0 else None

    def _go_on_there(self, first: int) -> None:
        if first == 0 and self._top is not None and self._top.isValid():
            self.list.scrollTo(self._top, QListView.ScrollHint.PositionAtTop)

    def _make_nothing(self, column: QVBoxLayout) -> None:
        self._none = WrappedLabel(name="no_tasks")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._none.setContentsMargins(16, 24, 16, 8)
        theme.quiet(self._none)
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
        """The bundles that are here; with one there is nothing to choose, and the window's title says which it is."""
        self.bundles.clear()
        for row in rows:
            self.bundles.addItem(" ".join(row.title.split())[:200], row.id)
        self.bundles.setCurrentIndex(self.bundles.findData(current))
        self.bundles.setVisible(len(rows) > 1)

    def show_bundle(self, bundle: str) -> None:
        """The tasks of another bundle."""
        self.bundles.setCurrentIndex(self.bundles.findData(bundle))
        self.filter.clear()
        self.states.choose("all")
        self._pause.stop()
        self._left.setText("")
        self.model.show(bundle)

    def show_open(self, task: str | None, position: int) -> None:
        """Mark the task that lies on the desk, and show the list where it stands."""
        self.model.reach(position)
        self.model.mark_open(task)
        index = self.model.index(self.model.row_of(task))
        selection = self.list.selectionModel()
        before = selection.currentIndex()
        selection.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        for row in (before, index):  # nobody told the view; the other rows are as they were
            self.list.update(row)
        if index.isValid():
            self.list.scrollTo(index)

    def clear_filter(self) -> None:
        """Show all tasks again."""
        self.filter.clear()
        self.states.choose("all")
        self._ask()

    @property
    def in_use(self) -> bool:
        """Whether the rater is going through the list, or types a filter."""
        return self.list.hasFocus() or (self.filter.hasFocus() and bool(self.filter.text()))

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def _into_list(self) -> None:
        self.list.setFocus()

    def _ask(self) -> None:
        self._pause.stop()
        if self.model.bundle:
            self.model.show(self.model.bundle, self.filter.text().strip(), cast("ListState", self.states.current))

    def _filled(self) -> None:
        empty = bool(self.model.bundle) and self.model.rowCount() == 0
        filtered = bool(self.filter.text().strip()) or self.states.current != "all"
        self._none.setText(self.tr("No task is like that.") if filtered else self.tr("This bundle has no tasks."))
        self._none.setVisible(empty)
        self._clear.setVisible(empty and filtered)
        self.list.setVisible(not empty)
        self.list.scrollToTop()

    def _show_counts(self, counts: StateCounts) -> None:
        done, spelt = counts.complete + counts.skipped, spelling.number
        self._done.setText(spelt(done))
        self._of.setText(self.tr("of {total} done").format(total=spelt(counts.all)))
        self._bar.show_share(done / max(1, counts.all))
        chips = self.states
        chips.show_words("all", self.tr("All {n}").format(n=spelt(counts.all)))
        chips.show_words("unfinished", self.tr("To do {n}").format(n=spelt(counts.untouched + counts.incomplete)))
        there = counts.blocked > 0 or chips.current == "blocked"
        chips.show_words("blocked", self.tr("Blocked {n}").format(n=spelt(counts.blocked)), there=there)

    def _show_left(self, left: Left) -> None:
        known = left.seconds is not None and left.tasks > 0
        self._left.setText(about_left(left.seconds or 0) if known else "")

    def _chosen(self, index: QModelIndex) -> None:
        task = self.model.task_at(index.row())
        if task is not None:
            self.task_wanted.emit(task)
