"""Task list, text, page and form side by side, and what becomes of them in a small window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.chips import Chips
from desktop_rater.ui.folds import NARROW_FORM, RAIL, TASKS, TEXT, Fold, fold_for
from desktop_rater.ui.pane_sizes import PaneSizes
from desktop_rater.ui.rail import Rail
from desktop_rater.ui.separator import Separator

if TYPE_CHECKING:
    from desktop_rater.ui.form_pane import FormPane
    from desktop_rater.ui.pair.room import PairRoom
    from desktop_rater.ui.preview.pane import PreviewPane
    from desktop_rater.ui.task_list import TaskList
    from desktop_rater.ui.text_pane import TextPane

NAMES = ("tasks", "text", "page", "form")
AT_TASKS, AT_TEXT, AT_PAGE, AT_FORM = range(4)
NARROW_TEXT = 280  # what text and page have at least where they share the room that there is


class Panes(QWidget):
    """Folds by itself and unfolds when the room is back; a fold made by hand stays.

    The form stands beside the text; of a pair it is what is asked about both, and stands beneath them.
    """

    def __init__(
        self, tasks: TaskList, text: TextPane, preview: PreviewPane, form: FormPane, pair: PairRoom, sizes: PaneSizes
    ) -> None:
        super().__init__()
        self.setObjectName("panes_page")
        self._pair, self._sizes = pair, sizes
        self.task_list, self.text_pane, self.preview, self.form_pane = tasks, text, preview, form
        self.fold: Fold | None = None
        self._by_hand = False
        self._one = AT_TEXT  # the pane that is shown where there is room for one
        self._place = AT_PAGE  # which of text and page is seen where they share one place
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._switch = self._make_switch()
        column.addWidget(self._switch)
        self.rail = Rail(tasks)
        self.rail.opened.connect(self.toggle_tasks)
        self._slot = QWidget()
        slot = QVBoxLayout(self._slot)
        slot.setContentsMargins(0, 0, 0, 0)
        slot.setSpacing(0)
        slot.addWidget(tasks)
        slot.addWidget(self.rail)
        self._texts = QWidget()
        self._column = QVBoxLayout(self._texts)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(text, 1)
        self._edge_of_form = Separator()
        self._edge_of_form.hide()
        self._column.addWidget(self._edge_of_form)
        self._all = (self._slot, self._texts, preview, form)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setObjectName("panes")
        self.split.setHandleWidth(1)
        for at, pane in enumerate(self._all):
            self.split.addWidget(pane)
            self.split.setStretchFactor(at, int(at == AT_TEXT))
        self.split.splitterMoved.connect(self._dragged)
        sizes.changed.connect(lambda: self.refold(again=True))
        column.addWidget(self.split, 1)
        self._edge = Separator(self, upright=True)
        self._edge.hide()
        tasks.picked.connect(self._picked)
        tasks.list.installEventFilter(self)
        preview.opened.connect(self._preview_opened)
        preview.shut.connect(self._preview_shut)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        theme.follow(self, lambda: self.refold(again=True))

    def _make_switch(self) -> Chips:
        switch = Chips("pane_switch", NAMES)
        switch.setAccessibleName(self.tr("Pane"))
        for name, words in zip(
            NAMES, (self.tr("Tasks"), self.tr("Text"), self.tr("Page"), self.tr("Questions")), strict=True
        ):
            switch.show_words(name, words, there=name != NAMES[AT_PAGE])
        switch.setContentsMargins(8, 2, 8, 2)
        switch.chosen.connect(lambda name: self._show_one(NAMES.index(name)))
        theme.ground(switch, "win")
        switch.hide()
        return switch

    # -- folding

    def refold(self, *, again: bool = False) -> None:
        """Fold as the window's size asks for, and as what is open does."""
        if self.width() < 100:
            return
        window, zoom = self.window(), theme.look().zoom / 100
        size = self.width() / zoom, window.height() / zoom
        wanted = self._pair.is_wanted
        fold = fold_for(*size, folded_by_hand=self._by_hand, preview=self.preview.is_open, pair=wanted)
        if fold == self.fold and not again:
            return
        self.fold = fold
        self._place_form(fold)
        window.setProperty("low", fold.low)
        self._close_over()
        self.task_list.setVisible(not fold.rail)
        self.rail.setVisible(fold.rail)
        self._switch.setVisible(fold.one_pane)
        self._switch.show_words(NAMES[AT_PAGE], self.tr("Page"), there=fold.preview)
        one_alone = wanted and (fold.one_pane or fold.preview)
        self.text_pane.fold(low=fold.one_line, strip=fold.strip, one_alone=one_alone, paired=fold.pair)
        self._pair.arrange(on=fold.pair)
        self.form_pane.fold(low=fold.low)
        self.preview.links.fold(fold.links)
        self._arrange(fold)

    def show_task(self) -> None:
        """Another task is open: it may be a pair, or none."""
        if self.fold is None or self._pair.is_wanted or self._pair.is_on:
            self.refold(again=True)

    def _place_form(self, fold: Fold) -> None:
        """Beneath a pair, beside everything else. What has the keys there keeps them."""
        beneath = self.form_pane.parentWidget() is self._texts
        if beneath is not fold.pair:
            focus = QApplication.focusWidget()
            kept = focus if focus is not None and self.form_pane.isAncestorOf(focus) else None
            if fold.pair:
                self._column.addWidget(self.form_pane)
            else:
                self.split.addWidget(self.form_pane)
                self.split.setStretchFactor(AT_FORM, 0)
            self._edge_of_form.setVisible(fold.pair)
            self.form_pane.show()
            if kept is not None:
                kept.setFocus()

    def _arrange(self, fold: Fold) -> None:
        px = theme.px
        for at in range(self.split.count()):
            self.split.setCollapsible(at, fold.one_pane or (fold.shared and at in {AT_TEXT, AT_PAGE}))
        if fold.one_pane:
            self._slot.setMinimumWidth(0)
            self._slot.setMaximumWidth(16_777_215)
            for pane in self._all[1:]:
                pane.setMinimumWidth(0)
            self._show_one(self._one)
            return
        self._slot.setMinimumWidth(px(RAIL if fold.rail else 190))
        self._slot.setMaximumWidth(px(RAIL) if fold.rail else px(2 * TASKS))
        self.form_pane.setMinimumWidth(0 if fold.pair else px(min(fold.form, NARROW_FORM)))
        self._set_least(fold)
        if fold.shared:
            self._show_place(self._place)
            return
        wanted = self._shares(fold, self._sizes)
        if wanted[AT_TEXT] < self.text_pane.minimumWidth():  # what was dragged in a larger window has no room here
            wanted = self._shares(fold, PaneSizes())
        self.split.setSizes(wanted)

    def _shares(self, fold: Fold, sizes: PaneSizes) -> list[int]:
        """The widths of the panes: those that were dragged, else the usual ones."""
        px = theme.px
        tasks = px(RAIL) if fold.rail else sizes.width(f"{fold.name}/tasks", TASKS)
        form = 0 if fold.pair else sizes.width(f"{fold.name}/form", fold.form)
        room = self.width() - tasks - form - (1 if fold.pair else 2) - fold.preview
        usual = fold.page(room * 100 / theme.look().zoom)
        page = sizes.width(f"{fold.name}/page", usual) if fold.preview else 0
        return [tasks, room - page, page, form]

    def _dragged(self, _at: int, handle: int) -> None:
        """A handle stands before the pane of its number. The text has what the others leave."""
        fold, sizes = self.fold, self.split.sizes()
        if fold is None or fold.one_pane:
            return
        if handle == AT_TEXT and not fold.rail:
            self._sizes.keep_width(f"{fold.name}/tasks", sizes[AT_TASKS])
        if handle in {AT_PAGE, AT_FORM} and fold.preview and not fold.shared:
            self._sizes.keep_width(f"{fold.name}/page", sizes[AT_PAGE])
        if handle == AT_FORM and not fold.pair:
            self._sizes.keep_width(f"{fold.name}/form", sizes[AT_FORM])

    def _set_least(self, fold: Fold) -> None:
        """How narrow text and page may become."""
        px = theme.px
        wide = self.width() >= px(NARROW_FORM + TEXT + RAIL) and not fold.preview
        least = 0 if fold.shared else TEXT if wide else NARROW_TEXT if fold.preview else 320
        self.text_pane.setMinimumWidth(px(least))
        self.preview.setMinimumWidth(px(least))

    def _show_one(self, at: int) -> None:
        """Of the panes, show that one alone. The others stay where the focus can find them."""
        if at == AT_PAGE and not self.preview.is_open:
            at = AT_TEXT
        self._one = at
        self._switch.choose(NAMES[at])
        if self.fold is not None and self.fold.one_pane:
            self.split.setSizes([self.width() if one == at else 0 for one in range(len(self._all))])

    def _show_place(self, at: int) -> None:
        """Of text and page, show that one in the place that they share."""
        self._place = at
        if self.fold is not None and self.fold.shared:
            tasks, text, page, form = self._shares(self.fold, self._sizes)
            room = text + page
            if room < theme.px(NARROW_TEXT):
                tasks, text, page, form = self._shares(self.fold, PaneSizes())
                room = text + page
            self.split.setSizes([tasks, room if at == AT_TEXT else 0, room if at == AT_PAGE else 0, form])

    # -- the page

    def _preview_opened(self) -> None:
        self._one = self._place = AT_PAGE
        self.refold(again=True)

    def _preview_shut(self) -> None:
        if self._one == AT_PAGE:
            self._one = AT_TEXT
        self.refold(again=True)

    def switch_text_and_page(self) -> None:
        """The keys go from the page to the text, and back; where both share a place, so do the eyes."""
        if not self.preview.is_open:
            return
        if self.preview.has_keys:
            views = [pane.view for pane in self.text_pane.panes if pane.isVisible()]
            (views[0] if views else self.text_pane).setFocus()
        else:
            self.preview.take_keys()

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or self.fold is None:
            return
        if self._is_over and not (new is self.task_list or self.task_list.isAncestorOf(new)):
            self._close_over()
        found = next((at for at, pane in enumerate(self._all) if pane is new or pane.isAncestorOf(new)), None)
        if self.fold.one_pane and found not in {None, self._one}:
            self._show_one(found)
        elif self.fold.shared and found in {AT_TEXT, AT_PAGE} and found != self._place:
            self._show_place(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
        if self.fold is not None and self.fold.one_pane:
            self._show_one(self._one)
        elif self.fold is not None and self.fold.preview:
            self._arrange(self.fold)
        if self._is_over:
            self._lay_over()

    # -- the list over the text

    def toggle_tasks(self) -> None:
        """Fold the list, or unfold it: over the text where there is no room beside it."""
        if self.fold is None or self.fold.one_pane:
            self.task_list.list.setFocus()
        elif self._is_over:
            self._close_over()
            self.form_pane.form.setFocus()
        elif self.fold.rail and not self._fold_without_hand().rail:
            self._by_hand = False
            self.refold()
        elif self.fold.rail:
            self._open_over()
        else:
            self._by_hand = True
            self.refold()

    def _fold_without_hand(self) -> Fold:
        return fold_for(self.width() * 100 / theme.look().zoom, 900, preview=self.preview.is_open)

    def show_tasks(self) -> None:
        """Make the list, and its filter, fit to be typed in."""
        if self.fold is not None and self.fold.rail and not self._is_over:
            self._open_over()

    @property
    def _is_over(self) -> bool:
        return self.task_list.parentWidget() is self

    def _open_over(self) -> None:
        self.task_list.setParent(self)
        self._lay_over()
        self.task_list.show()
        self.task_list.raise_()
        self._edge.show()
        self._edge.raise_()
        self.task_list.list.setFocus()
        self.task_list.list.scrollTo(self.task_list.list.currentIndex())

    def _lay_over(self) -> None:
        wide = theme.px(TASKS)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - wide if mirrored else 0
        self.task_list.setGeometry(left, 0, wide, self.height())
        self._edge.setGeometry(left - 1 if mirrored else wide, 0, 1, self.height())

    def _close_over(self) -> None:
        if not self._is_over:
            return
        self._edge.hide()
        slot = self._slot.layout()
        assert isinstance(slot, QVBoxLayout)
        slot.insertWidget(0, self.task_list)
        self.task_list.setVisible(self.fold is None or not self.fold.rail)

    def _picked(self) -> None:
        if self._is_over:
            self._close_over()
            self.form_pane.form.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return and Esc close the list where it lies over the text: they are not the window's then."""
        if watched is self.task_list.list and self._is_over and isinstance(event, QKeyEvent):
            closes = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}
            if closes and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if closes and event.type() == QEvent.Type.KeyPress:
                self._picked()
                return True
        return False
