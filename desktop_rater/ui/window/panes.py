"""The panes: task list, text, page and form side by side, folding in small windows."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import PairArrangement
from desktop_rater.ui.rating.task_list import TaskList, TaskRail
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import Chips
from desktop_rater.ui.widgets.layouts import OrderedSplitter, Separator, tight_column
from desktop_rater.ui.window.window_place import NARROW_FORM, RAIL, TASKS, TEXT, PaneLayout, PaneSizes, pane_layout

if TYPE_CHECKING:
    from desktop_rater.ui.pages.preview_pane import PreviewPane

NAMES = ("tasks", "text", "page", "form")
AT_TASKS, AT_TEXT, AT_PAGE, AT_FORM = range(4)
NARROW_TEXT = 280  # the minimum width of text and page while both are shown


class Panes(QWidget):
    """Folds panes when space is short and unfolds them later; a list folded by hand stays folded.

    The form is beside the text; of a pair it holds the questions about both and is beneath them.
    """

    def __init__(
        self,
        tasks: TaskList,
        text: TaskTextPane,
        form: FormPane,
        pair: PairArrangement,
        sizes: PaneSizes,
    ) -> None:
        super().__init__()
        self.setObjectName("panes_page")
        self.pair, self._sizes = pair, sizes
        self.task_list, self.text_pane, self.form_pane = tasks, text, form
        self._preview: PreviewPane | None = None  # made with the first page
        self.fold: PaneLayout | None = None
        self._folded_by_hand = self._is_overlaid = False
        self._one = AT_TEXT  # the pane shown if there is space for one only
        self._place = AT_PAGE  # which of text and page is visible if they share one place
        column = tight_column(self, spacing=0)
        self._switch = self._make_switch()
        column.addWidget(self._switch)
        self.rail = TaskRail(tasks)
        self.rail.opened.connect(self.toggle_tasks)
        self._slot = QWidget()
        tight_column(self._slot, tasks, self.rail, spacing=0)
        self._texts = pair.heights
        self._stand_in = QWidget(self)  # where the page would be, before the first one and in a window of its own
        self._stand_in.hide()
        self._all: tuple[QWidget, ...] = (self._slot, self._texts, self._stand_in, form)
        self.split = OrderedSplitter(Qt.Orientation.Horizontal)
        self.split.setObjectName("panes")
        self.split.setHandleWidth(1)
        for index, pane in enumerate(self._all):
            self.split.addWidget(pane)
            self.split.setStretchFactor(index, int(index == AT_TEXT))
        self.split.splitterMoved.connect(self._dragged)
        sizes.changed.connect(lambda: self.refold(again=True))
        column.addWidget(self.split, 1)
        self._edge = Separator(self, upright=True)
        self._edge.hide()
        tasks.picked.connect(self._picked)
        tasks.list.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        theme.follow(self, lambda: self.refold(again=True))

    def _make_switch(self) -> Chips:
        switch = Chips("pane_switch", NAMES)
        switch.setAccessibleName(self.tr("Pane"))
        for name, text in zip(
            NAMES, (self.tr("Tasks"), self.tr("Text"), self.tr("Page"), self.tr("Questions")), strict=True
        ):
            switch.show_words(name, text, visible=name != NAMES[AT_PAGE])
        switch.setContentsMargins(8, 2, 8, 2)
        switch.chosen.connect(lambda name: self._show_one(NAMES.index(name)))
        theme.set_ground(switch, "win")
        switch.hide()
        return switch

    # -- folding

    def refold(self, *, again: bool = False) -> None:
        """Lay the panes out for the size of the window and the open page."""
        if self.width() < 100:
            return
        window, pair_wanted = self.window(), self.pair.is_wanted
        fold = self._layout(folded_by_hand=self._folded_by_hand)
        if fold == self.fold and not again:
            return
        self.fold = fold
        self._place_form(fold)
        window.setProperty("low", fold.low)
        self._close_overlay()
        self.task_list.setVisible(not fold.rail)
        self.rail.setVisible(fold.rail)
        self._switch.setVisible(fold.one_pane)
        self._switch.show_words(NAMES[AT_PAGE], self.tr("Page"), visible=fold.preview)
        one_alone = pair_wanted and (fold.one_pane or fold.preview)
        self.text_pane.fold(low=fold.one_line, strip=fold.strip, one_alone=one_alone, paired=fold.pair)
        self.pair.arrange(on=fold.pair)
        self.form_pane.fold(low=fold.low)
        if self._preview is not None:
            self._preview.links.fold(fold.links)
        self._arrange(fold)

    def _layout(self, *, folded_by_hand: bool) -> PaneLayout:
        zoom, preview = theme.look().zoom / 100, self._page_here
        size = self.width() / zoom, self.window().height() / zoom
        return pane_layout(*size, folded_by_hand=folded_by_hand, preview=preview, pair=self.pair.is_wanted)

    def show_task(self) -> None:
        """Lay out for another task, which may or may not be a pair."""
        if self.fold is None or self.pair.is_outdated:
            self.refold(again=True)
        else:
            self.pair.show_strip()

    def _place_form(self, fold: PaneLayout) -> None:
        """Put the form beneath a pair, beside anything else, preserving the focus in it."""
        beneath = self.form_pane.parentWidget() is self._texts
        if beneath is not fold.pair:
            focus = QApplication.focusWidget()
            focused = focus if focus is not None and self.form_pane.isAncestorOf(focus) else None
            if fold.pair:
                self._texts.hold(self.form_pane)
            else:
                self.split.addWidget(self.form_pane)
                self.split.setStretchFactor(AT_FORM, 0)
            self.form_pane.show()
            if focused is not None:
                focused.setFocus()

    def _arrange(self, fold: PaneLayout) -> None:
        px = theme.px
        for index in range(self.split.count()):
            self.split.setCollapsible(index, fold.one_pane or (fold.shared and index in {AT_TEXT, AT_PAGE}))
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
        self._set_minimum_widths(fold)
        if fold.shared:
            self._show_place(self._place)
            return
        widths = self._widths(fold, self._sizes)
        if widths[AT_TEXT] < self.text_pane.minimumWidth():  # the stored widths of a larger window do not fit here
            widths = self._widths(fold, PaneSizes())
        self.split.setSizes(widths)

    def _widths(self, fold: PaneLayout, sizes: PaneSizes) -> list[int]:
        """Return the widths of the panes: stored ones, else the defaults."""
        px = theme.px
        tasks = px(RAIL) if fold.rail else sizes.width(f"{fold.name}/tasks", TASKS)
        form = 0 if fold.pair else sizes.width(f"{fold.name}/form", fold.form)
        remaining = self.width() - tasks - form - (1 if fold.pair else 2) - fold.preview
        default = fold.page(remaining * 100 / theme.look().zoom)
        page = sizes.width(f"{fold.name}/page", default) if fold.preview else 0
        return [tasks, remaining - page, page, form]

    def _dragged(self, _at: int, handle: int) -> None:
        """Store dragged widths. A handle is before the pane of its number; the text takes the remaining width."""
        fold, sizes = self.fold, self.split.sizes()
        if fold is None or fold.one_pane:
            return
        if handle == AT_TEXT and not fold.rail:
            self._sizes.store_width(f"{fold.name}/tasks", sizes[AT_TASKS])
        if handle in {AT_PAGE, AT_FORM} and fold.preview and not fold.shared:
            self._sizes.store_width(f"{fold.name}/page", sizes[AT_PAGE])
        if handle == AT_FORM and not fold.pair:
            self._sizes.store_width(f"{fold.name}/form", sizes[AT_FORM])

    def _set_minimum_widths(self, fold: PaneLayout) -> None:
        px = theme.px
        is_wide = self.width() >= px(NARROW_FORM + TEXT + RAIL) and not fold.preview
        minimum = 0 if fold.shared else TEXT if is_wide else NARROW_TEXT if fold.preview else 320
        self.text_pane.setMinimumWidth(px(minimum))
        self._all[AT_PAGE].setMinimumWidth(px(minimum))

    def _show_one(self, pane: int) -> None:
        """Show one pane only. The others stay visible for the focus chain, with no width."""
        if pane == AT_PAGE and not self._page_here:
            pane = AT_TEXT
        self._one = pane
        self._switch.choose(NAMES[pane])
        if self.fold is not None and self.fold.one_pane:
            self.split.setSizes([self.width() if index == pane else 0 for index in range(len(self._all))])

    def _show_place(self, pane: int) -> None:
        """Show text or page in the place that they share."""
        self._place = pane
        if self.fold is not None and self.fold.shared:
            tasks, text, page, form = self._widths(self.fold, self._sizes)
            width = text + page
            if width < theme.px(NARROW_TEXT):
                tasks, text, page, form = self._widths(self.fold, PaneSizes())
                width = text + page
            self.split.setSizes([tasks, width if pane == AT_TEXT else 0, width if pane == AT_PAGE else 0, form])

    # -- the page

    @property
    def _page_here(self) -> bool:
        """Return whether a page is open in this window."""
        return self._preview is not None and self._all[AT_PAGE] is self._preview and self._preview.is_open

    def hold_page(self, preview: "PreviewPane") -> None:
        """Take in the pane of pages, which is made with the first page."""
        self._preview = preview
        self._put_at_page(preview)
        self._stand_in.setParent(self)
        preview.hide()
        if self.fold is not None:
            preview.links.fold(self.fold.links)
        preview.opened.connect(self._preview_opened)
        preview.closed.connect(self._preview_shut)

    def take_page_out(self, preview: "PreviewPane") -> bool:
        """Leave the page to another window until it is put back; return whether it is open."""
        was_open = preview.is_open
        self._put_at_page(self._stand_in)
        self._stand_in.hide()
        preview.setMinimumWidth(0)
        self._preview_shut()
        return was_open

    def put_page_back(self, preview: "PreviewPane") -> None:
        was_open = preview.is_open
        self._put_at_page(preview)
        self._stand_in.setParent(self)
        preview.setVisible(was_open)
        self._preview_opened()

    def _put_at_page(self, page: QWidget) -> None:
        self.split.replaceWidget(AT_PAGE, page)
        self._all = (self._slot, self._texts, page, self.form_pane)

    def _preview_opened(self) -> None:
        if self._page_here:
            self._one = self._place = AT_PAGE
        self.refold(again=True)

    def _preview_shut(self) -> None:
        if self._one == AT_PAGE:
            self._one = AT_TEXT
        self.refold(again=True)

    def switch_text_and_page(self) -> None:
        """Move the focus between page and text; where they share a place, show the focused one."""
        if self._preview is None or not self._preview.is_open:
            return
        if self._preview.has_focus:
            views = [pane.view for pane in self.text_pane.panes if pane.isVisible()]
            (views[0] if views else self.text_pane).setFocus()
            self.activateWindow()
        else:
            self._preview.focus_page()

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or self.fold is None or QApplication.activePopupWidget() is not None:
            return  # a popup, such as that of the bundle box, gives the focus back
        if self._is_overlaid and not (new is self.task_list or self.task_list.isAncestorOf(new)):
            self._close_overlay()
        pane_index = next(
            (index for index, pane in enumerate(self._all) if pane is new or pane.isAncestorOf(new)), None
        )
        if self.fold.one_pane and pane_index not in {None, self._one}:
            self._show_one(pane_index)
        elif self.fold.shared and pane_index in {AT_TEXT, AT_PAGE} and pane_index != self._place:
            self._show_place(pane_index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
        if self.fold is not None and self.fold.one_pane:
            self._show_one(self._one)
        elif self.fold is not None and self.fold.preview:
            self._arrange(self.fold)
        if self._is_overlaid:
            self._place_overlay()

    # -- the list as an overlay

    def toggle_tasks(self) -> None:
        """Fold or unfold the list, as an overlay over the text if there is no space beside it."""
        if self.fold is None or self.fold.one_pane:
            self.task_list.list.setFocus()
        elif self._is_overlaid:
            self._close_overlay()
            self.form_pane.form.setFocus()
        elif self.fold.rail and not self._layout(folded_by_hand=False).rail:
            self._folded_by_hand = False
            self.refold()
        elif self.fold.rail:
            self._open_overlay()
        else:
            self._folded_by_hand = True
            self.refold()

    def show_tasks(self) -> None:
        if self.fold is not None and self.fold.rail and not self._is_overlaid:
            self._open_overlay()

    def _open_overlay(self) -> None:
        self._is_overlaid = True
        self.task_list.setParent(self)
        self._place_overlay()
        self.task_list.show()
        self.task_list.raise_()
        self._edge.show()
        self._edge.raise_()
        self.task_list.list.setFocus()
        self.task_list.list.scrollTo(self.task_list.list.currentIndex())

    def _place_overlay(self) -> None:
        width = theme.px(TASKS)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - width if mirrored else 0
        self.task_list.setGeometry(left, 0, width, self.height())
        self._edge.setGeometry(left - 1 if mirrored else width, 0, 1, self.height())

    def _close_overlay(self) -> None:
        if not self._is_overlaid:
            return
        self._is_overlaid = False  # first: the focus moves with the list, which would close it once more
        self._edge.hide()
        slot = self._slot.layout()
        assert isinstance(slot, QVBoxLayout)
        slot.insertWidget(0, self.task_list)
        self.task_list.setVisible(self.fold is None or not self.fold.rail)

    def _picked(self) -> None:
        if self._is_overlaid:
            self._close_overlay()
            self.form_pane.form.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the overlaid list on Return and Esc, before the window handles them."""
        if watched is self.task_list.list and self._is_overlaid and isinstance(event, QKeyEvent):
            closes = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}
            if closes and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if closes and event.type() == QEvent.Type.KeyPress:
                self._picked()
                return True
        return False
