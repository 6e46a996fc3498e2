"""Filters of the review list: the list that offers them, and a chip for each one in use."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.filters import EVERYTHING, ItemFilter, ItemOrder
from desktop_rater.audit.items import FLAGS, Depth, ReviewItem, depth_of
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.texts import flag_text, group_text
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.bars import Chip
from desktop_rater.ui.widgets.labels import isolated, visible
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.list_view import ListRow
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
        if wanted.rater:
            yield isolated(wanted.rater[:MAX_NAME_LENGTH]), replace(wanted, rater="")
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
            row = ListRow(("filter", title, text), text[:1].upper() + text[1:], end=end)
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
