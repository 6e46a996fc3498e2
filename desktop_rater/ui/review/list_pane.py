"""The left pane of the review screen: filters, the number reviewed, and the items."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.audit.items import (
    EVERYTHING,
    FLAGS,
    Depth,
    ItemFilter,
    ItemOrder,
    ItemTest,
    ReviewItem,
    depth_of,
    matching_items,
)
from desktop_rater.ui.review.items import (
    ItemKey,
    ItemList,
    ItemModel,
    ItemRow,
    LabelLooks,
    flag_text,
    group_text,
    list_item_row,
    list_item_rows,
)
from desktop_rater.ui.review.label_panel import LabelPanel
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.bars import Chip
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, isolated, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.window.action_palette import PaletteEntry, PaletteSection

translate = QCoreApplication.translate
MAX_NAME_LENGTH = 40
ENTROPIES, LABEL_COUNTS = (0.1, 0.5, 1.0, 1.5), (1, 2, 3)
Offer = tuple[str, ItemFilter, str]
"""Text of a filter, the filter with it, and the number of items that match."""
REMOVING_KEYS = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


def order_text(order: ItemOrder) -> str:
    """Return the name of the figure that the list is ordered by."""
    return {
        "disagreement": translate("Review", "Most disagreement first"),
        "entropy": translate("Review", "Largest entropy first"),
        "certainty": translate("Review", "Least certain first"),
        "distance": translate("Review", "Labels furthest apart first"),
        "labels": translate("Review", "Most labels first"),
        "ratings": translate("Review", "Most ratings first"),
    }[order]


ORDERS: tuple[ItemOrder, ...] = ("disagreement", "entropy", "certainty", "distance", "labels", "ratings")


def _depth_text(depth: Depth) -> str:
    return {
        "target": translate("Review", "Targets"),
        "response": translate("Review", "Responses"),
        "task": translate("Review", "Whole tasks"),
    }[depth]


class ReviewFilters(QObject):
    """The filter in use. Its filters are offered in sections, with the number of items that match each."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.filter = EVERYTHING
        self._items: Sequence[ReviewItem] = ()
        self._looks = LabelLooks()
        self._blind = False
        self.marks: dict[str, ItemTest] = {}  # offered by plug-ins, by their texts
        self._added: list[str] = []  # texts of the chips, the last one added last

    def show_items(self, items: Sequence[ReviewItem], looks: LabelLooks, *, blind: bool) -> None:
        """Take the items to count. `blind`: filters by what raters did are neither offered nor kept."""
        self._items, self._looks, self._blind = items, looks, blind
        if blind:
            wanted = self.filter
            self.filter = ItemFilter(words=wanted.words, reviewed=wanted.reviewed, sampled=wanted.sampled)

    def set_filter(self, wanted: ItemFilter) -> None:
        if wanted != self.filter:
            self.filter = wanted
            self.changed.emit()

    # -- in use

    def chips(self) -> list[tuple[str, ItemFilter]]:
        """Return the text of each filter in use with the filter without it, the last one added last."""
        in_use = dict(self._in_use())
        self._added = [text for text in self._added if text in in_use]
        self._added += [text for text in in_use if text not in self._added]
        return [(text, in_use[text]) for text in self._added]

    def _in_use(self) -> Iterator[tuple[str, ItemFilter]]:
        wanted = self.filter
        if wanted.reviewed is not None:
            text = self.tr("reviewed") if wanted.reviewed else self.tr("not reviewed yet")
            yield text, replace(wanted, reviewed=None)
        if wanted.sampled:
            yield self.tr("in the sample"), replace(wanted, sampled=False)
        if wanted.tied:
            yield self.tr("without a final label"), replace(wanted, tied=False)
        if wanted.entropy_over is not None:
            yield self._entropy_text(wanted.entropy_over), replace(wanted, entropy_over=None)
        if wanted.most_labels:
            yield self._count_text(wanted.most_labels), replace(wanted, most_labels=0)
        if wanted.depth is not None:
            yield _depth_text(wanted.depth), replace(wanted, depth=None)
        names = {"mark": wanted.mark, "rater": isolated(wanted.rater[:MAX_NAME_LENGTH])}
        yield from ((text, replace(wanted, **{field: ""})) for field, text in names.items() if text)
        if wanted.label is not None:
            yield self._looks.text(wanted.label), replace(wanted, label=None)
        for flag in FLAGS:
            if flag in wanted.flags:
                yield flag_text(flag), replace(wanted, flags=wanted.flags - {flag})
        if wanted.group is not None:
            yield group_text(wanted.group), replace(wanted, group=None)

    def drop_last(self) -> None:
        """Remove the filter that was added last."""
        chips = self.chips()
        if chips:
            self.set_filter(chips[-1][1])

    def _entropy_text(self, bits: float) -> str:
        return self.tr("Entropy over {bits}").format(bits=formatting.figure(bits))

    def _count_text(self, labels: int) -> str:
        text = self.tr("One label") if labels == 1 else self.tr("{n} labels or fewer")
        return text.format(n=formatting.number(labels))

    # -- offered

    def sections(self) -> list[PaletteSection]:
        """Return what can be chosen: the filters in use to remove, those to add, and the order of the list."""
        chips = self.chips()
        in_use: list[Offer] = [(text, wanted, self.tr("remove")) for text, wanted in chips]
        if len(chips) > 1:
            in_use.append((self.tr("Clear filters"), ItemFilter(words=self.filter.words), ""))
        offered: list[tuple[str, Iterable[Offer]]] = [(self.tr("In use"), in_use), (self.tr("Places"), self._places())]
        if not self._blind:
            offered += [
                (self.tr("Label"), self._labels()),
                (self.tr("Disagreement"), self._groups()),
                (self.tr("Marks"), self._flags()),
                (self.tr("Rater"), self._raters()),
                (self.tr("Order"), self._orders()),
            ]
        sections = [self._section(title, offers) for title, offers in offered]
        return [section for section in sections if section.entries]

    def order_sections(self) -> list[PaletteSection]:
        """Return the orders of the list."""
        return [self._section(self.tr("Order"), self._orders())]

    def _section(self, title: str, offers: Iterable[Offer]) -> PaletteSection:
        """Return a section without what would change nothing."""

        def entry(text: str, wanted: ItemFilter, end: str) -> PaletteEntry:
            row = ListRow(("filter", title, text), formatting.capitalized(text), end=end)
            return PaletteEntry(row, lambda: self.set_filter(wanted), text)

        return PaletteSection(title, tuple(entry(*offer) for offer in offers if offer[1] != self.filter))

    def _places(self) -> Iterator[Offer]:
        wanted = self.filter
        yield self.tr("Not reviewed yet"), replace(wanted, reviewed=False), ""
        yield self.tr("Reviewed"), replace(wanted, reviewed=True), ""
        yield self.tr("In the sample"), replace(wanted, sampled=True), ""
        if self._blind:
            return
        tied = sum(item.tied for item in self._items)
        yield self.tr("Without a final label"), replace(wanted, tied=True), formatting.number(tied)
        for text in self.marks:
            yield text, replace(wanted, mark=text), ""
        depths = Counter(depth_of(item.where) for item in self._items)
        for depth, count in depths.items() if len(depths) > 1 else ():
            yield _depth_text(depth), replace(wanted, depth=depth), formatting.number(count)

    def _labels(self) -> Iterator[Offer]:
        counts = Counter(label for item in self._items for label in item.label_counts if label)
        for label, count in counts.most_common():
            yield self._looks.text(label), replace(self.filter, label=label), formatting.number(count)

    def _groups(self) -> Iterator[Offer]:
        for bits in ENTROPIES:
            yield self._entropy_text(bits), replace(self.filter, entropy_over=bits), ""
        for labels in LABEL_COUNTS:
            yield self._count_text(labels), replace(self.filter, most_labels=labels), ""
        for group, count in Counter(item.group for item in self._items).items():
            yield group_text(group), replace(self.filter, group=group), formatting.number(count)

    def _flags(self) -> Iterator[Offer]:
        counts = Counter(flag for item in self._items for flag in item.flags)
        for flag in FLAGS:
            if counts[flag]:
                chosen = replace(self.filter, flags=self.filter.flags | {flag})
                yield flag_text(flag), chosen, formatting.number(counts[flag])

    def _raters(self) -> Iterator[Offer]:
        one_of_each_task = {item.task: item for item in self._items}.values()
        for rater in sorted({rating.rater for item in one_of_each_task for rating in item.entries.ratings}):
            yield " ".join(rater.split())[:MAX_NAME_LENGTH], replace(self.filter, rater=rater), ""

    def _orders(self) -> Iterator[Offer]:
        for order in ORDERS:
            yield order_text(order), replace(self.filter, order=order), ""


class FilterChip(Chip):
    """A filter in use; a click or Delete removes it."""

    def __init__(self, text: str, remove: Callable[[], object]) -> None:
        super().__init__()
        self.setText(f"{visible(text)}  ×")
        self.setAccessibleName(visible(self.tr("Remove the filter: {name}").format(name=text)))
        self.setChecked(True)
        self.clicked.connect(lambda _on=False: remove())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in REMOVING_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class FilterChips(QWidget):
    """A chip for each filter in use."""

    def __init__(self, filters: ReviewFilters, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_chips")
        self._filters = filters
        self._flow = FlowLayout(self, spacing=4, alike=False)
        self.chips: list[FilterChip] = []
        self.hide()

    @property
    def text(self) -> str:
        """The filters in use as text."""
        return ", ".join(text for text, _wanted in self._filters.chips())

    def show_filters(self) -> None:
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for text, wanted in self._filters.chips():
            chip = FilterChip(text, lambda wanted=wanted: self._filters.set_filter(wanted))
            self._flow.addWidget(chip)
            self.chips.append(chip)
        self.setVisible(bool(self.chips))
        self.updateGeometry()


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
        super().__init__(parent, name="review_list_pane")
        self.setAccessibleName(self.tr("Items to review"))
        theme.set_ground(self, "panel")
        self._items: dict[ItemKey, ReviewItem] = {}
        self._sampled = self._reviewed = self._shown = 0  # items
        self._looks, self._hidden, self._share, self._blind = LabelLooks(), frozenset[ItemKey](), None, False
        self.model = ItemModel(self)
        self._head = self._make_head()
        self.list = ItemList(self.model)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        self.list.setMinimumHeight(1)  # where the window is low, the panel below it needs the space
        column = tight_column(self, self._head, horizontal_line(), (self.list, 1), spacing=0)
        self._make_empty_label(column)
        self.labels = LabelPanel(self)
        column.addWidget(self.labels)
        self._typing_timer = DelayedCall(self, FILTER_DELAY_MS, self._apply_text)
        self.filters.changed.connect(self._update_list)
        theme.follow(self, self._measure)
        self._update_list()

    def _make_head(self) -> QVBoxLayout:
        self.filter = FilterField()
        self.filter.setObjectName("review_filter")
        for set_text in (self.filter.setAccessibleName, self.filter.setPlaceholderText):
            set_text(self.tr("Filter targets"))
        self.filter.textEdited.connect(lambda _text: self._typing_timer.start())
        self.filter.textChanged.connect(lambda text: None if text else self._typing_timer.start())
        self.filter.entered.connect(self.list_focus)
        self.filters = ReviewFilters(self)
        self.chips = FilterChips(self.filters)
        self._shown_label = PlainLabel(name="shown_count", size="small", bold=True)
        self._total_label = ElidedLabel(name="reviewed_of", size="small")
        row = tight_row(None, self._shown_label, (self._total_label, 1), spacing=4)
        self._order_button = LinkButton("", name="review_order", clicked=self.orders_wanted)
        self.filter_button = LinkButton(self.tr("Filter"), "E", name="review_filter_menu", clicked=self.filters_wanted)
        buttons = tight_row(None, self._order_button, 1, self.filter_button, spacing=4)
        self._waiting_row = QWidget()
        self._waiting_text = ElidedLabel(name="results_waiting", size="small")
        tight_row(
            self._waiting_row,
            Icon("triangle-exclamation", ink="warn"),
            (self._waiting_text, 1),
            LinkButton(self.tr("Results"), "R", name="show_waiting", clicked=self.results_wanted),
            spacing=6,
        )
        head = fill(QVBoxLayout(), self.filter, self.chips, row, buttons, self._waiting_row)
        self._waiting_row.hide()
        return head

    def _make_empty_label(self, column: QVBoxLayout) -> None:
        self._empty_label = WrappedLabel(name="nothing_to_review", ink="text2")
        self._empty_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._empty_label.setContentsMargins(16, 24, 16, 8)
        fill(column, self._empty_label, 0)

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
        return matching_items(self._items.values(), self.filters.filter, self.filters.marks)

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
