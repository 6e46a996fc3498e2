"""The left pane: bundle, filter, how far the bundle is, and its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.rows import LineList
from desktop_rater.ui.thin_bar import ThinBar
from desktop_rater.ui.tokens import quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.tasks import ListState, StateCounts
    from desktop_rater.ui.task_model import TaskModel

FILTER_PAUSE_MS = 150


class TaskList(QWidget):
    """Says which bundle and which task are wanted; what lies on the desk decides what is marked."""

    bundle_wanted = Signal(str)
    task_wanted = Signal(str)

    def __init__(self, model: TaskModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("task_list_pane")
        self.model = model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._make_head())
        self.list = LineList("task_list", two_lines=True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Tasks"))
        self.list.setModel(model)
        self.list.setMinimumWidth(180)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(self.list, 1)
        self._none = WrappedLabel(name="no_tasks")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._none.setContentsMargins(16, 24, 16, 8)
        quiet(self._none)
        column.addWidget(self._none)
        self._clear = QPushButton(self.tr("Clear the filter"))
        self._clear.setObjectName("clear_filter")
        self._clear.clicked.connect(self.clear_filter)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(0)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        model.counted.connect(self._show_counts)
        model.modelReset.connect(self._filled)
        self._filled()

    def _make_head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setSpacing(8)
        self.bundles = QComboBox()
        self.bundles.setObjectName("bundles")
        self.bundles.setAccessibleName(self.tr("Bundle"))
        self.bundles.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.bundles.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bundles.activated.connect(lambda at: self.bundle_wanted.emit(self.bundles.itemData(at)))
        head.addWidget(self.bundles)
        self._only = ElidedLabel(name="bundle_title")
        head.addWidget(self._only)
        self.filter = QLineEdit()
        self.filter.setObjectName("filter")
        self.filter.setAccessibleName(self.tr("Filter tasks"))
        self.filter.setPlaceholderText(self.tr("Filter tasks   /"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumHeight(28)
        self.filter.setTextMargins(4, 0, 4, 0)
        self.filter.textEdited.connect(lambda _text: self._pause.start())
        self.filter.textChanged.connect(lambda text: None if text else self._pause.start())
        self.filter.installEventFilter(self)
        head.addWidget(self.filter)
        row = QHBoxLayout()
        self._done = PlainLabel(name="done_count")
        font = QFont(self._done.font())
        font.setWeight(QFont.Weight.DemiBold)
        self._done.setFont(font)
        row.addWidget(self._done, 1)
        head.addLayout(row)
        self._bar = ThinBar()
        head.addWidget(self._bar)
        self.states = QComboBox()
        self.states.setObjectName("states")
        self.states.setAccessibleName(self.tr("Which tasks are shown"))
        for state, words in self._states():
            self.states.addItem(words, state)
        self.states.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.states.activated.connect(lambda _at: self._ask())
        head.addWidget(self.states)
        return head

    def _states(self) -> tuple[tuple[ListState, str], ...]:
        return (
            ("all", self.tr("All")),
            ("unfinished", self.tr("To do")),
            ("incomplete", self.tr("Begun")),
            ("complete", self.tr("Complete")),
            ("skipped", self.tr("Skipped")),
        )

    def show_bundles(self, rows: Sequence[BundleRow], current: str) -> None:
        """The bundles that are here; with one there is nothing to choose, but its title."""
        self.bundles.clear()
        for row in rows:
            self.bundles.addItem(" ".join(row.title.split())[:200], row.id)
        self.bundles.setCurrentIndex(self.bundles.findData(current))
        self._only.setText(rows[0].title if rows else "")
        self._only.setVisible(len(rows) == 1)
        self.bundles.setVisible(len(rows) > 1)

    def show_bundle(self, bundle: str) -> None:
        """The tasks of another bundle."""
        self.bundles.setCurrentIndex(self.bundles.findData(bundle))
        self.filter.clear()
        self.states.setCurrentIndex(0)
        self._pause.stop()
        self.model.show(bundle)

    def show_open(self, task: str | None) -> None:
        """Mark the task that lies on the desk."""
        self.model.mark_open(task)
        index = self.model.index(self.model.row_of(task))
        selection = self.list.selectionModel()
        selection.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        self.list.viewport().update()
        if index.isValid():
            self.list.scrollTo(index)

    def clear_filter(self) -> None:
        """Show all tasks again."""
        self.filter.clear()
        self.states.setCurrentIndex(0)
        self._ask()

    @property
    def in_use(self) -> bool:
        """Whether the rater is going through the list, or types a filter."""
        return self.list.hasFocus() or (self.filter.hasFocus() and bool(self.filter.text()))

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return in the filter keeps it and goes to the list: it is not the window's "go on"."""
        if watched is self.filter and isinstance(event, QKeyEvent):
            into = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down} and not event.modifiers()
            if into and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if into and event.type() == QEvent.Type.KeyPress:
                self.list.setFocus()
                return True
        return False

    def _ask(self) -> None:
        self._pause.stop()
        if self.model.bundle:
            state = cast("ListState", self.states.currentData())
            self.model.show(self.model.bundle, self.filter.text().strip(), state)

    def _filled(self) -> None:
        empty = bool(self.model.bundle) and self.model.rowCount() == 0
        filtered = bool(self.filter.text().strip()) or self.states.currentIndex() > 0
        self._none.setText(self.tr("No task is like that.") if filtered else self.tr("This bundle has no tasks."))
        self._none.setVisible(empty)
        self._clear.setVisible(empty and filtered)
        self.list.setVisible(not empty)

    def _show_counts(self, counts: StateCounts) -> None:
        done = counts.complete + counts.skipped
        self._done.setText(self.tr("{n} of {total} done").format(n=done, total=counts.all))
        self._bar.show_share(done / max(1, counts.all))
        figures = {
            "all": counts.all,
            "unfinished": counts.untouched + counts.incomplete,
            "incomplete": counts.incomplete,
            "complete": counts.complete,
            "skipped": counts.skipped,
        }
        for at, (state, words) in enumerate(self._states()):
            self.states.setItemText(at, f"{words}  {figures[state]}")

    def _chosen(self, index: QModelIndex) -> None:
        task = self.model.task_at(index.row())
        if task is not None:
            self.task_wanted.emit(task)
