"""The left pane of the review screen: filters, the number reviewed, and the items."""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_rater.audit.filters import EVERYTHING, ItemFilter, matching_items
from desktop_rater.audit.items import FLAGS, ReviewItem
from desktop_rater.ui.review.items import ItemKey, ItemList, ItemModel, list_item_row, list_item_rows
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.texts import flag_text, group_text
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import FilterField
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, isolated
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row

translate = QCoreApplication.translate
MAX_NAME_LENGTH = 40


class ReviewFilterMenu(QObject):
    """A menu rebuilt whenever it opens, with the number of items that match each filter."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.filter = EVERYTHING
        self._items: Sequence[ReviewItem] = ()
        self._looks: LabelLooks | None = None
        self._blind = False
        self.menu = QMenu(parent)
        self.menu.setObjectName("review_filters")
        self.menu.aboutToShow.connect(self._fill)

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

    # -- the menu

    def _fill(self) -> None:
        self.menu.clear()
        wanted = self.filter
        self._add(self.tr("Not reviewed yet"), replace(wanted, reviewed=None if wanted.reviewed is False else False),
                  wanted.reviewed is False)  # fmt: skip
        self._add(
            self.tr("Reviewed"), replace(wanted, reviewed=None if wanted.reviewed else True), bool(wanted.reviewed)
        )
        self._add(self.tr("In the sample"), replace(wanted, sampled=not wanted.sampled), wanted.sampled)
        if not self._blind:
            self._fill_by_answers()
        self.menu.addSeparator()
        self._add(
            self.tr("Clear filters"),
            ItemFilter(words=wanted.words),
            False,
            possible=replace(wanted, words="") != EVERYTHING,
        )

    def _fill_by_answers(self) -> None:
        wanted = self.filter
        self._add(self.tr("Without a final label"), replace(wanted, tied=not wanted.tied), wanted.tied)
        self._add(
            self.tr("Least certain first"),
            replace(wanted, order="disagreement" if wanted.order == "certainty" else "certainty"),
            wanted.order == "certainty",
        )
        self.menu.addSeparator()
        for flag in FLAGS:
            on = flag in wanted.flags
            count = sum(any(flag in entry.flags for entry in item.entries) for item in self._items)
            chosen = replace(wanted, flags=wanted.flags ^ {flag})
            self._add(f"{flag_text(flag)}\t{formatting.number(count)}", chosen, on, possible=on or count > 0)
        self.menu.addSeparator()
        self._fill_raters()
        self._fill_labels()
        self._fill_groups()

    def _fill_raters(self) -> None:
        menu = self.menu.addMenu(self.tr("Rater"))
        for rater in sorted({entry.rater for item in self._items for entry in item.entries}):
            on = rater == self.filter.rater
            self._add(_menu_text(rater), replace(self.filter, rater="" if on else rater), on, menu)

    def _fill_labels(self) -> None:
        menu = self.menu.addMenu(self.tr("Label"))
        counts = Counter(label for item in self._items for label in {entry.label for entry in item.entries} if label)
        for label, count in counts.most_common():
            on = label == self.filter.label
            name = self._looks.text(label) if self._looks is not None else str(label.value)
            chosen = replace(self.filter, label=None if on else label)
            self._add(f"{_menu_text(name)}\t{formatting.number(count)}", chosen, on, menu)

    def _fill_groups(self) -> None:
        menu = self.menu.addMenu(self.tr("Disagreement"))
        for group, count in Counter(item.group for item in self._items).items():
            on = group == self.filter.group
            chosen = replace(self.filter, group=None if on else group)
            self._add(f"{group_text(group)}\t{formatting.number(count)}", chosen, on, menu)

    def _add(
        self, text: str, chosen: ItemFilter, on: bool, menu: QMenu | None = None, *, possible: bool = True
    ) -> None:
        action = QAction(text, menu or self.menu)
        action.setCheckable(True)
        action.setChecked(on)
        action.setEnabled(possible)
        action.triggered.connect(lambda _on=False: self.set_filter(chosen))
        (menu or self.menu).addAction(action)

    # -- as text

    @property
    def text(self) -> str:
        """The current filter as text; empty without a filter."""
        wanted = self.filter
        parts = [
            self.tr("not reviewed yet") if wanted.reviewed is False else self.tr("reviewed") if wanted.reviewed else ""
        ]
        parts += [
            self.tr("in the sample") if wanted.sampled else "",
            self.tr("without a final label") if wanted.tied else "",
        ]
        parts += [isolated(wanted.rater[:MAX_NAME_LENGTH])]
        parts += [self._looks.text(wanted.label) if self._looks is not None else ""]
        parts += [flag_text(flag) for flag in FLAGS if flag in wanted.flags]
        parts += [group_text(wanted.group) if wanted.group is not None else ""]
        parts += [self.tr("least certain first") if wanted.order == "certainty" else ""]
        return ", ".join(part for part in parts if part)


def _menu_text(name: str) -> str:
    """Return a name of an item or a rater as menu text, without mnemonics."""
    flat = " ".join(name.split())[:MAX_NAME_LENGTH]
    return isolated(flat).replace("&", "&&")


FILTER_DELAY_MS = 120


def _is_reviewed(item: ReviewItem) -> bool:
    return item.sampled and item.reviewed == "all"


class ReviewListPane(NamedGroup):
    """The list of items. It emits the chosen item; the navigator then marks the current one."""

    item_wanted = Signal(object)  # Name
    picked = Signal()  # by Return
    results_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_list_pane")
        self.setAccessibleName(self.tr("Items to review"))
        theme.set_ground(self, "panel")
        self._items: dict[ItemKey, ReviewItem] = {}
        self._sampled = self._reviewed = 0  # items
        self._looks, self._hidden, self._share, self._blind = LabelLooks(), frozenset[ItemKey](), None, False
        self.model = ItemModel(self)
        column = tight_column(self, spacing=0)
        self._head = self._make_head()
        column.addLayout(self._head)
        self.list = ItemList(self.model)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        column.addWidget(horizontal_line())
        column.addWidget(self.list, 1)
        self._make_empty_label(column)
        self._typing_timer = QTimer(self, singleShot=True, interval=FILTER_DELAY_MS)
        self._typing_timer.timeout.connect(self._apply_text)
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
        row = QHBoxLayout()
        row.setSpacing(4)
        self._reviewed_label = PlainLabel(name="reviewed_count", size="small", bold=True)
        row.addWidget(self._reviewed_label)
        self._total_label = ElidedLabel(name="reviewed_of", size="small")
        row.addWidget(self._total_label, 1)
        self.filter_button = LinkButton(self.tr("Filters"), "E", name="review_filter_menu", clicked=self.open_filters)
        row.addWidget(self.filter_button)
        head.addLayout(row)
        self._waiting_row = QWidget()
        waiting = tight_row(self._waiting_row, spacing=6)
        waiting.addWidget(Icon("triangle-exclamation", ink="warn"))
        self._waiting_text = ElidedLabel(name="results_waiting", size="small")
        waiting.addWidget(self._waiting_text, 1)
        waiting.addWidget(LinkButton(self.tr("Results"), "R", name="show_waiting", clicked=self.results_wanted))
        head.addWidget(self._waiting_row)
        self._waiting_row.hide()
        self.filters = ReviewFilterMenu(self)
        self._filter_row = QWidget()
        wanted = tight_row(self._filter_row)
        self._filter_text = ElidedLabel(name="review_wanted", size="small")
        wanted.addWidget(self._filter_text, 1)
        wanted.addWidget(LinkButton(self.tr("Clear"), name="review_clear", clicked=self.clear_filters))
        head.addWidget(self._filter_row)
        return head

    def _make_empty_label(self, column: QVBoxLayout) -> None:
        self._empty_label = WrappedLabel(name="nothing_to_review")
        self._empty_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._empty_label.setContentsMargins(16, 24, 16, 8)
        theme.set_ink(self._empty_label)
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
        self.model.update_row(list_item_row(item, self._looks, hide=name in self._hidden))
        self._update_count()

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
        chosen = self.model.rows[current.row()].id if current.isValid() else None
        items = self.visible_items
        by_certainty = self.filters.filter.order == "certainty"
        rows = list_item_rows(
            items, self._looks, self._hidden, self._share, by_certainty=by_certainty, headed=not self._blind
        )
        self.model.show(tuple(rows))
        if chosen is not None and not self.list.currentIndex().isValid():
            self.show_current(chosen)
        text = self.filters.text
        self._filter_row.setVisible(bool(text))
        self._filter_text.setText(text)
        self._update_count()
        filtered = bool(text or self.filters.filter.words)
        self._empty_label.setText(
            self.tr("No items match the filter.") if filtered else self.tr("There are no ratings yet.")
        )
        self._empty_label.setVisible(not items)
        self.list.setVisible(bool(items))

    def _update_count(self) -> None:
        self._reviewed_label.setText(formatting.number(self._reviewed))
        self._total_label.setText(self.tr("of {total} reviewed").format(total=formatting.number(self._sampled)))

    def show_sampled(self, *, on: bool) -> None:
        self.filters.set_filter(replace(self.filters.filter, sampled=on))

    # -- commands

    def open_filters(self) -> None:
        button = self.filter_button
        self.filters.menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def drop_filter(self) -> None:
        """Remove the filter that was added last."""

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def list_focus(self) -> None:
        self._apply_text()
        self.list.setFocus()

    def _current_changed(self, index: QModelIndex) -> None:
        if index.isValid() and not self.model.rows[index.row()].heading:
            self.item_wanted.emit(self.model.rows[index.row()].id)
