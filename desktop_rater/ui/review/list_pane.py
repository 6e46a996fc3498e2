"""The left pane of the review screen: filters, the number reviewed, and the items."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.audit.filters import matching_items
from desktop_rater.audit.items import ReviewItem
from desktop_rater.ui.review.item_filters import FilterChips, ReviewFilters, order_text
from desktop_rater.ui.review.items import ItemKey, ItemList, ItemModel, ItemRow, list_item_row, list_item_rows
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.label_panel import LabelPanel
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row

FILTER_DELAY_MS = 120


def _is_reviewed(item: ReviewItem) -> bool:
    return item.sampled and bool(item.decided or item.entries.verdicts) and item.reviewed == "all"


class ReviewListPane(NamedGroup):
    """The list of items. It emits the chosen item; the navigator then marks the current one."""

    item_wanted = Signal(object)  # ItemKey
    results_wanted = Signal()
    filters_wanted = Signal()  # the list of what can be chosen
    orders_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_list_pane")
        self.setAccessibleName(self.tr("Items to review"))
        theme.set_ground(self, "panel")
        self._items: dict[ItemKey, ReviewItem] = {}
        self._sampled = self._reviewed = self._shown = 0  # items
        self._looks, self._hidden, self._share, self._blind = LabelLooks(), frozenset[ItemKey](), None, False
        self.model = ItemModel(self)
        column = tight_column(self, spacing=0)
        self._head = self._make_head()
        column.addLayout(self._head)
        self.list = ItemList(self.model)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        column.addWidget(horizontal_line())
        self.list.setMinimumHeight(1)  # where the window is low, the panel below it needs the space
        column.addWidget(self.list, 1)
        self._make_empty_label(column)
        self.labels = LabelPanel(self)
        column.addWidget(self.labels)
        self._typing_timer = DelayedCall(self, FILTER_DELAY_MS, self._apply_text)
        self.filters.changed.connect(self._update_list)
        theme.follow(self, self._measure)
        self._update_list()

    def _make_head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        self.filter = FilterField()
        self.filter.setObjectName("review_filter")
        for set_text in (self.filter.setAccessibleName, self.filter.setPlaceholderText):
            set_text(self.tr("Filter targets"))
        self.filter.textEdited.connect(lambda _text: self._typing_timer.start())
        self.filter.textChanged.connect(lambda text: None if text else self._typing_timer.start())
        self.filter.entered.connect(self.list_focus)
        head.addWidget(self.filter)
        self.filters = ReviewFilters(self)
        self.chips = FilterChips(self.filters)
        head.addWidget(self.chips)
        row = tight_row(spacing=4)
        self._shown_label = PlainLabel(name="shown_count", size="small", bold=True)
        row.addWidget(self._shown_label)
        self._total_label = ElidedLabel(name="reviewed_of", size="small")
        row.addWidget(self._total_label, 1)
        head.addLayout(row)
        buttons = tight_row(spacing=4)
        self._order_button = LinkButton("", name="review_order", clicked=self.orders_wanted)
        buttons.addWidget(self._order_button)
        buttons.addStretch(1)
        self.filter_button = LinkButton(self.tr("Filter"), "E", name="review_filter_menu", clicked=self.filters_wanted)
        buttons.addWidget(self.filter_button)
        head.addLayout(buttons)
        self._waiting_row = QWidget()
        waiting = tight_row(self._waiting_row, spacing=6)
        waiting.addWidget(Icon("triangle-exclamation", ink="warn"))
        self._waiting_text = ElidedLabel(name="results_waiting", size="small")
        waiting.addWidget(self._waiting_text, 1)
        waiting.addWidget(LinkButton(self.tr("Results"), "R", name="show_waiting", clicked=self.results_wanted))
        head.addWidget(self._waiting_row)
        self._waiting_row.hide()
        return head

    def _make_empty_label(self, column: QVBoxLayout) -> None:
        self._empty_label = WrappedLabel(name="nothing_to_review", ink="text2")
        self._empty_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._empty_label.setContentsMargins(16, 24, 16, 8)
        column.addWidget(self._empty_label)
        column.addStretch(0)

    def _measure(self) -> None:
        self._head.setContentsMargins(theme.px(12), theme.px(12), theme.px(12), theme.px(6))
        self._head.setSpacing(theme.px(6))

    # -- content

    def show_items(
        self,
        items: Sequence[ReviewItem],
        looks: LabelLooks,
        hidden: Collection[ItemKey] = (),
        share: float | None = None,
        *,
        blind: bool = False,
    ) -> None:
        """Show these items as far as they match the filters; of those in `hidden` nothing that raters did.

        `blind`: the lead answers first, so neither the filters nor headings say how far raters agree.
        """
        self._items = {(item.task, item.where): item for item in items}
        self._sampled, self._reviewed = sum(item.sampled for item in items), sum(map(_is_reviewed, items))
        self._looks, self._hidden, self._share = looks, frozenset(hidden), share
        self._blind = blind
        self.filters.show_items(items, looks, blind=blind)
        self.list.setAccessibleName(self.tr("Places") if blind else self.tr("Places, most disagreement first"))
        self._update_list()

    def show_waiting(self, count: int) -> None:
        """Show how many results wait for the lead's decision."""
        singular, plural = self.tr("1 result waits for you"), self.tr("{n} results wait for you")
        self._waiting_text.setText((singular if count == 1 else plural).format(n=formatting.number(count)))
        self._waiting_row.setVisible(count > 0)

    def show_item(self, item: ReviewItem) -> None:
        """Update one item. It stays in the list even where the filters no longer match."""
        name = item.task, item.where
        self._reviewed += _is_reviewed(item) - _is_reviewed(self._items[name])
        self._items[name] = item
        self.model.update_item(name)
        self._update_count()

    def _row_of(self, name: ItemKey) -> ItemRow:
        order = self.filters.filter.order
        return list_item_row(self._items[name], self._looks, hide=name in self._hidden, order=order)

    def show_current(self, name: ItemKey) -> None:
        self.list.select_row(self.model.row_of(name))

    @property
    def visible_items(self) -> tuple[ReviewItem, ...]:
        return matching_items(self._items.values(), self.filters.filter)

    def _apply_text(self) -> None:
        self._typing_timer.stop()
        self.filters.set_filter(replace(self.filters.filter, words=self.filter.text().strip()))

    def clear_filters(self) -> None:
        self.filter.clear()
        self._typing_timer.stop()
        self.filters.set_filter(type(self.filters.filter)())

    def _update_list(self) -> None:
        current = self.list.currentIndex()
        chosen = self.model.key_at(current.row()) if current.isValid() else None
        items = self.visible_items
        rows = list_item_rows(items, self._share, order=self.filters.filter.order, headed=not self._blind)
        self.model.show_items(rows, self._row_of)
        if chosen is not None and not self.list.currentIndex().isValid():
            self.show_current(chosen)
        self.chips.show_filters()
        self._shown = len(items)
        self._update_count()
        filtered = bool(self.chips.chips or self.filters.filter.words)
        self._empty_label.setText(
            self.tr("No items match the filter.") if filtered else self.tr("There are no ratings yet.")
        )
        self._empty_label.setVisible(not items)
        self.list.setVisible(bool(items))

    def _update_count(self) -> None:
        self._shown_label.setText(formatting.number(self._shown))
        text = self.tr("of {total} shown, {n} of {sampled} reviewed")
        if self._sampled == len(self._items):
            text = self.tr("of {total} shown, {n} reviewed")
        total, sampled = formatting.number(len(self._items)), formatting.number(self._sampled)
        self._total_label.setText(text.format(total=total, n=formatting.number(self._reviewed), sampled=sampled))
        self._order_button.setVisible(not self._blind)
        self._order_button.set_label(order_text(self.filters.filter.order))

    def show_sampled(self, *, on: bool) -> None:
        self.filters.set_filter(replace(self.filters.filter, sampled=on))

    # -- commands

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def list_focus(self) -> None:
        self._apply_text()
        self.list.setFocus()

    def _current_changed(self, index: QModelIndex) -> None:
        key = self.model.key_at(index.row()) if index.isValid() else None
        if key is not None:
            self.item_wanted.emit(key)
