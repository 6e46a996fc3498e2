"""The left pane of the review room: filter, how far the review is, and the places, most disagreement first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit.filters import matching
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.filter_field import FilterField
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.review.filter_menu import FilterMenu
from desktop_rater.ui.review.item_list import ItemList
from desktop_rater.ui.review.item_rows import ItemModel, Name, row_of, rows_of
from desktop_rater.ui.review.looks import Looks
from desktop_rater.ui.separator import line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop_rater.audit.items import Item

FILTER_PAUSE_MS = 120


class ListPane(QWidget):
    """Says which place is wanted; what is judged decides which one is marked."""

    wanted = Signal(object)  # Name
    picked = Signal()  # by Return: the lead is done with the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_list_pane")
        self.setAccessibleName(self.tr("What is reviewed"))
        theme.ground(self, "panel")
        self._items: Sequence[Item] = ()
        self._looks, self._hidden, self._share = Looks(), frozenset[Name](), None
        self.model = ItemModel(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = self._make_head()
        column.addLayout(self._head)
        self.list = ItemList(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(line())
        column.addWidget(self.list, 1)
        self._make_nothing(column)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FILTER_PAUSE_MS)
        self._pause.timeout.connect(self._narrow)
        self.filters.wanted_changed.connect(self._show)
        theme.follow(self, self._measure)
        self._show()

    def _make_head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        self.filter = FilterField()
        self.filter.setObjectName("review_filter")
        for name in (self.filter.setAccessibleName, self.filter.setPlaceholderText):
            name(self.tr("Filter targets"))
        self.filter.textEdited.connect(lambda _text: self._pause.start())
        self.filter.textChanged.connect(lambda text: None if text else self._pause.start())
        self.filter.entered.connect(self.list_focus)
        head.addWidget(self.filter)
        row = QHBoxLayout()
        row.setSpacing(4)
        self._done = PlainLabel(name="reviewed_count")
        theme.write(self._done, "small", bold=True)
        row.addWidget(self._done)
        self._of = ElidedLabel(name="reviewed_of")
        theme.write(self._of, "small")
        row.addWidget(self._of, 1)
        self.filter_button = Link(self.tr("Filters"), "E")
        self.filter_button.setObjectName("review_filter_menu")
        self.filter_button.clicked.connect(self.open_filters)
        row.addWidget(self.filter_button)
        head.addLayout(row)
        self.filters = FilterMenu(self)
        self._wanted_row = QWidget()
        wanted = QHBoxLayout(self._wanted_row)
        wanted.setContentsMargins(0, 0, 0, 0)
        self._wanted_words = ElidedLabel(name="review_wanted")
        theme.write(self._wanted_words, "small")
        wanted.addWidget(self._wanted_words, 1)
        clear = Link(self.tr("Clear"))
        clear.setObjectName("review_clear")
        clear.clicked.connect(self.clear_filters)
        wanted.addWidget(clear)
        head.addWidget(self._wanted_row)
        return head

    def _make_nothing(self, column: QVBoxLayout) -> None:
        self._none = WrappedLabel(name="nothing_to_review")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._none.setContentsMargins(16, 24, 16, 8)
        theme.quiet(self._none)
        column.addWidget(self._none)
        column.addStretch(0)

    def _measure(self) -> None:
        self._head.setContentsMargins(theme.px(12), theme.px(12), theme.px(12), theme.px(6))
        self._head.setSpacing(theme.px(6))

    # -- what is shown

    def show_items(
        self, items: Sequence[Item], looks: Looks, *, hidden: Collection[Name] = (), share: float | None = None
    ) -> None:
        """Show these, as far as the filters let them through; of those in `hidden` no label."""
        self._items, self._looks, self._hidden, self._share = items, looks, frozenset(hidden), share
        self.filters.show_items(items, looks)
        self._show()

    def show_item(self, item: Item) -> None:
        """Show one of them as it is now. It stays where it is, whatever the filters want."""
        name = item.task, item.where
        self._items = tuple(item if (one.task, one.where) == name else one for one in self._items)
        self.model.put(row_of(item, self._looks, hide=name in self._hidden))
        self._count()

    def show_current(self, name: Name) -> None:
        """Mark the place that is judged."""
        index = self.model.index(self.model.row_of(name))
        selection = self.list.selectionModel()
        before = selection.currentIndex()
        selection.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        for row in (before, index):
            self.list.update(row)
        if index.isValid():
            self.list.scrollTo(index)

    @property
    def shown(self) -> tuple[Item, ...]:
        """What the filters let through."""
        return matching(self._items, self.filters.wanted)

    def _narrow(self) -> None:
        self._pause.stop()
        self.filters.want(replace(self.filters.wanted, words=self.filter.text().strip()))

    def clear_filters(self) -> None:
        """Show all places again."""
        self.filter.clear()
        self._pause.stop()
        self.filters.want(type(self.filters.wanted)())

    def _show(self) -> None:
        chosen = self.model.rows[self.list.currentIndex().row()].name if self.list.currentIndex().isValid() else None
        shown = self.shown
        self.model.show(tuple(rows_of(shown, self._looks, self._hidden, self._share)))
        if chosen is not None and not self.list.currentIndex().isValid():
            self.show_current(chosen)
        words = self.filters.words
        self._wanted_row.setVisible(bool(words))
        self._wanted_words.setText(words)
        self._count()
        filtered = bool(words or self.filters.wanted.words)
        self._none.setText(self.tr("No place is like that.") if filtered else self.tr("Nothing is rated yet."))
        self._none.setVisible(not shown)
        self.list.setVisible(bool(shown))

    def _count(self) -> None:
        counted = [one for one in self._items if one.sampled]
        done = sum(one.reviewed == "all" for one in counted)
        self._done.setText(spelling.number(done))
        self._of.setText(self.tr("of {total} reviewed").format(total=spelling.number(len(counted))))

    def show_sampled(self, *, on: bool) -> None:
        """Only what was drawn, or all again."""
        self.filters.want(replace(self.filters.wanted, sampled=on))

    # -- the ways in

    def open_filters(self) -> None:
        """The menu of filters, under its button."""
        button = self.filter_button
        self.filters.menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def list_focus(self) -> None:
        self._narrow()
        self.list.setFocus()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and not self.model.rows[index.row()].is_head:
            self.wanted.emit(self.model.rows[index.row()].name)
