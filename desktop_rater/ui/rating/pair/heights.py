"""Splitter with the responses of a pair above and their questions below."""

from math import ceil

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import OrderedSplitter
from desktop_rater.ui.widgets.labels import set_tooltip
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.pane_layout import PaneSizes

HANDLE_HEIGHT, GRIP_WIDTH, GRIP_HEIGHT = 8, 40, 2
QWIDGETSIZE_MAX = 16_777_215
TEXTS_SHARE = 0.5  # of the window's height, at least, unless the rater dragged the handle
STEP = 24  # of the handle by a key


class GripHandle(QSplitterHandle):
    """Handle with a grip in its middle."""

    def __init__(self, splitter: QSplitter) -> None:
        super().__init__(Qt.Orientation.Vertical, splitter)
        name, key_names = self.tr("Height of texts and questions"), "Ctrl Shift ↑ ↓"
        self.setAccessibleName(name)
        set_tooltip(self, f"{name}, {keys.cap_text(key_names)}")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the handle go where it is dragged."""
        heights = self.splitter()
        assert isinstance(heights, PairSplitter)
        heights.is_dragged = True
        super().mouseMoveEvent(event)
        heights.is_dragged = False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color(self, "hover" if self.underMouse() else "win"))
        for y in (0, self.height() - 1):
            painter.fillRect(0, y, self.width(), 1, theme.color(self, "line"))
        wide, high = theme.px(GRIP_WIDTH), theme.px(GRIP_HEIGHT)
        grip = QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)
        painter.fillRect(grip, theme.color(self, "edge"))
        painter.end()


class PairSplitter(OrderedSplitter):
    """The text pane and, of a pair, the form pane below it. A dragged handle stays there on screens of this size."""

    def __init__(self, text: QWidget, sizes: PaneSizes) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setObjectName("pair_heights")
        self.setChildrenCollapsible(False)
        self._text, self._sizes = text, sizes
        self._form: QWidget | None = None
        self.is_dragged = False
        self.addWidget(text)
        self.setStretchFactor(0, 1)
        self.splitterMoved.connect(lambda: sizes.store_share(self._name, self, 1))
        theme.follow(self, lambda: self.setHandleWidth(theme.px(HANDLE_HEIGHT)))

    def createHandle(self) -> QSplitterHandle:
        return GripHandle(self)

    @property
    def _name(self) -> str:
        """Return the name of the share in the settings: another screen has another one."""
        screen = self.screen()
        size = screen.size()
        return f"pair {screen.name()[:40]} {size.width()}x{size.height()}/questions"

    def hold(self, form: QWidget) -> None:
        self._form = form
        self.addWidget(form)
        self.setStretchFactor(1, 0)

    def fit(self, wanted: int, least: int, around_texts: int, *, fixed: bool) -> None:
        """Give the form the `wanted` height, but the texts at least half of the window's; a dragged share decides.

        `least` is the form's lowest height, `around_texts` that of the text pane's parts above the texts. A `fixed`
        form has its lowest height and no handle.
        """
        if self._form is None or self.indexOf(self._form) < 0 or self.is_dragged:
            return
        total = self.height() - self.handleWidth()
        most = total - around_texts - ceil(self.window().height() * TEXTS_SHARE)
        share = self._sizes.share(self._name, 0)
        height = least if fixed else round(total * share) if share else max(least, min(wanted, most))
        self._form.setMaximumHeight(least if fixed else QWIDGETSIZE_MAX)
        self.handle(1).setEnabled(not fixed)
        if self.sizes() != [total - height, height]:
            self.setSizes([total - height, height])

    def move_handle(self, by: int) -> None:
        """Move the handle down (1) or up (-1) by one line of the form."""
        if self.count() > 1 and self.handle(1).isEnabled():
            texts, questions = self.sizes()
            self.is_dragged = True
            self.setSizes([texts + by * theme.px(STEP), questions - by * theme.px(STEP)])
            self.is_dragged = False
            self._sizes.store_share(self._name, self, 1)
