"""Task list, text and form side by side, and what becomes of them in a small window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.chips import Chips
from desktop_rater.ui.folds import NARROW_FORM, RAIL, TASKS, TEXT, Fold, fold_for
from desktop_rater.ui.rail import Rail
from desktop_rater.ui.separator import Separator

if TYPE_CHECKING:
    from desktop_rater.ui.form_pane import FormPane
    from desktop_rater.ui.task_list import TaskList
    from desktop_rater.ui.text_pane import TextPane

NAMES = ("tasks", "text", "form")


class Panes(QWidget):
    """Folds by itself and unfolds when the room is back; a fold made by hand stays."""

    def __init__(self, tasks: TaskList, text: TextPane, form: FormPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panes_page")
        self.task_list, self.text_pane, self.form_pane = tasks, text, form
        self.fold: Fold | None = None
        self._by_hand = False
        self._one = 1  # the pane that is shown where there is room for one
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
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setObjectName("panes")
        self.split.setHandleWidth(1)
        for at, pane in enumerate((self._slot, text, form)):
            self.split.addWidget(pane)
            self.split.setStretchFactor(at, int(at == 1))
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
        for name, words in zip(NAMES, (self.tr("Tasks"), self.tr("Text"), self.tr("Questions")), strict=True):
            switch.show_words(name, words)
        switch.setContentsMargins(8, 2, 8, 2)
        switch.chosen.connect(lambda name: self._show_one(NAMES.index(name)))
        theme.ground(switch, "win")
        switch.hide()
        return switch

    # -- folding

    def refold(self, *, again: bool = False) -> None:
        """Fold as the window's size asks for."""
        if self.width() < 100:
            return
        window, zoom = self.window(), theme.look().zoom / 100
        fold = fold_for(self.width() / zoom, window.height() / zoom, folded_by_hand=self._by_hand)
        if fold == self.fold and not again:
            return
        self.fold = fold
        window.setProperty("low", fold.low)
        self._close_over()
        self.task_list.setVisible(not fold.rail)
        self.rail.setVisible(fold.rail)
        self._switch.setVisible(fold.one_pane)
        self.text_pane.fold(low=fold.low, strip=fold.strip)
        self.form_pane.fold(low=fold.low)
        self._arrange(fold)

    def _arrange(self, fold: Fold) -> None:
        px = theme.px
        for at in range(3):
            self.split.setCollapsible(at, fold.one_pane)
        if fold.one_pane:
            self._slot.setMinimumWidth(0)
            self._slot.setMaximumWidth(16_777_215)
            for pane in (self.text_pane, self.form_pane):
                pane.setMinimumWidth(0)
            self._show_one(self._one)
            return
        self._slot.setMinimumWidth(px(RAIL if fold.rail else 190))
        self._slot.setMaximumWidth(px(RAIL) if fold.rail else px(2 * TASKS))
        self.text_pane.setMinimumWidth(px(TEXT if self.width() >= px(NARROW_FORM + TEXT + RAIL) else 320))
        self.form_pane.setMinimumWidth(px(min(fold.form, NARROW_FORM)))
        tasks, form = px(RAIL if fold.rail else TASKS), px(fold.form)
        self.split.setSizes([tasks, max(px(TEXT), self.width() - tasks - form - 2), form])

    def _show_one(self, at: int) -> None:
        """Of the panes, show that one alone. The others stay where the focus can find them."""
        self._one = at
        self._switch.choose(NAMES[at])
        if self.fold is not None and self.fold.one_pane:
            self.split.setSizes([self.width() if one == at else 0 for one in range(3)])

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or self.fold is None:
            return
        if self._is_over and not (new is self.task_list or self.task_list.isAncestorOf(new)):
            self._close_over()
        if self.fold.one_pane:
            panes = (self._slot, self.text_pane, self.form_pane)
            found = next((at for at, pane in enumerate(panes) if pane.isAncestorOf(new)), self._one)
            if found != self._one:
                self._show_one(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
        if self.fold is not None and self.fold.one_pane:
            self._show_one(self._one)
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
        elif self.fold.rail and not fold_for(self.width() * 100 / theme.look().zoom, 900).rail:
            self._by_hand = False
            self.refold()
        elif self.fold.rail:
            self._open_over()
        else:
            self._by_hand = True
            self.refold()

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
