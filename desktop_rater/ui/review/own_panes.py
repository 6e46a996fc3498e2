"""Text, page and form of the lead's own rating, side by side, and one at a time where there is no room for more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.separator import Separator

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.ui.form_pane import FormPane
    from desktop_rater.ui.pair.room import PairRoom
    from desktop_rater.ui.preview.pane import PreviewPane
    from desktop_rater.ui.text_pane import TextPane

ONE_PANE, TWO_PANES, LOW, FLAT, PAIR_WIDE = 900, 1400, 800, 640, 1000
FORM, NARROW_FORM, PAGE_SHARE = 500, 420, 0.52
AT_TEXT, AT_PAGE, AT_FORM = range(3)


class OwnPanes(QWidget):
    """A page takes the place of the text where three do not fit. The form of a pair stands beneath it."""

    def __init__(self, text: TextPane, page: PreviewPane, form: FormPane, pair: PairRoom) -> None:
        super().__init__()
        self._text, self._page, self._form, self._pair = text, page, form, pair
        self._shown = AT_FORM
        self._texts = QWidget()
        self._column = QVBoxLayout(self._texts)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(text, 1)
        self._line = Separator()
        self._line.hide()
        self._column.addWidget(self._line)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("own_panes")
        self._split.setHandleWidth(1)
        for at, pane in enumerate((self._texts, page, form)):
            self._split.addWidget(pane)
            self._split.setStretchFactor(at, int(at == AT_TEXT))
            self._split.setCollapsible(at, True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._split)
        page.opened.connect(lambda: self._show(AT_PAGE))
        page.shut.connect(lambda: self._show(AT_FORM))
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        theme.follow(self, self.arrange)

    @property
    def _size(self) -> tuple[float, float]:
        zoom = theme.look().zoom / 100
        return self.width() / zoom, self.window().height() / zoom

    def arrange(self) -> None:
        """Share the room out again."""
        wide, high = self._size
        if self.width() < 100:
            return
        paired = self._pair.is_wanted and wide >= PAIR_WIDE and not self._page.is_open
        self._put_form(beneath=paired)
        one_alone = self._pair.is_wanted and not paired
        self._text.fold(low=high < LOW, strip=high >= FLAT, one_alone=one_alone, paired=paired)
        self._pair.arrange(on=paired)
        self._form.fold(low=high < LOW)
        self._share(paired=paired)

    def _put_form(self, *, beneath: bool) -> None:
        if beneath is (self._form.parentWidget() is self._texts):
            return
        if beneath:
            self._column.addWidget(self._form)
        else:
            self._split.addWidget(self._form)
        self._line.setVisible(beneath)
        self._form.show()

    def _share(self, *, paired: bool) -> None:
        wide, _high = self._size
        room, page = self.width(), self._page.is_open
        if paired:
            self._split.setSizes([room, 0])
        elif wide < ONE_PANE:
            self._split.setSizes([room if at == self._shown else 0 for at in range(3)])
        else:
            form = theme.px(FORM if wide >= TWO_PANES else NARROW_FORM)
            rest = room - form
            beside = round(rest * PAGE_SHARE) if page and wide >= TWO_PANES else rest if self._reads else 0
            self._split.setSizes([rest - beside, beside, form])

    @property
    def _reads(self) -> bool:
        """Whether the page has the place that it shares with the text."""
        return self._page.is_open and self._shown == AT_PAGE

    def _show(self, at: int) -> None:
        self._shown = at
        self.arrange()

    def switch_text_and_page(self) -> None:
        """The keys go from the page to the text, and back."""
        if not self._page.is_open:
            return
        if self._page.has_keys:
            self._show(AT_TEXT)
            next((pane.view for pane in self._text.panes), self._text).setFocus()
        else:
            self._show(AT_PAGE)
            self._page.take_keys()

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        panes = (self._texts, self._page, self._form)
        at = next((at for at, pane in enumerate(panes) if new is not None and pane.isAncestorOf(new)), None)
        wide, _high = self._size
        shares = wide < ONE_PANE or (wide < TWO_PANES and self._page.is_open and at != AT_FORM)
        if at is not None and at != self._shown and shares:
            self._show(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
