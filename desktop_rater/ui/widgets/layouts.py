"""The program's own layouts, separators, and a splitter that shows one pane at a time in little room."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.ui.widgets import theme

Box = TypeVar("Box", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
NO_MARGINS: Margins = (0, 0, 0, 0)
# A widget or a layout, also with its stretch factor; a number alone is the factor of an empty stretch.
LayoutPart = QWidget | QLayout | int | tuple[QWidget | QLayout, int]


def fill(box: Box, *parts: LayoutPart) -> Box:
    """Add widgets, layouts and stretches to a row or a column, in their order, and return it."""
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, int):
            box.addStretch(item)
        elif isinstance(item, QLayout):
            box.addLayout(item, stretch)
        else:
            box.addWidget(item, stretch)
    return box


def tight_column(
    parent: QWidget | None = None, *parts: LayoutPart, spacing: int = -1, margins: Margins = NO_MARGINS
) -> QVBoxLayout:
    """Return a column of `parts` without margins, and with the spacing of the style, unless they are given."""
    return _tight(QVBoxLayout(parent) if parent is not None else QVBoxLayout(), parts, spacing, margins)


def tight_row(
    parent: QWidget | None = None, *parts: LayoutPart, spacing: int = -1, margins: Margins = NO_MARGINS
) -> QHBoxLayout:
    """Return a row of `parts` without margins, and with the spacing of the style, unless they are given."""
    return _tight(QHBoxLayout(parent) if parent is not None else QHBoxLayout(), parts, spacing, margins)


def _tight(box: Box, parts: Sequence[LayoutPart], spacing: int, margins: Margins) -> Box:
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    return fill(box, *parts)


def discard(widget: QWidget) -> None:
    """Take a widget out of its layout, and delete it later, since it may be handling an event."""
    parent = widget.parentWidget()
    layout = parent.layout() if parent is not None else None
    if layout is not None:
        layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def height_for_width(upright: QSizePolicy.Policy = QSizePolicy.Policy.Minimum) -> QSizePolicy:
    """Return the policy of a widget whose height depends on the width that it gets."""
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, upright)
    policy.setHeightForWidth(True)
    return policy


def centered_column(page: QWidget, width: float) -> QVBoxLayout:
    """Return a column in the upper middle of a page, at most `width` wide at 100 %."""
    box = QWidget()
    box.setMaximumWidth(theme.px(width))
    outer = fill(QHBoxLayout(page), 1, (fill(QVBoxLayout(), 1, box, 2), 100), 1)
    outer.setContentsMargins(24, 24, 24, 24)
    return tight_column(box, spacing=12)


@contextmanager
def placed_once(layout: QLayout) -> Generator[None]:
    """Suspend a layout, so that it is activated once, not after each widget that is shown or hidden."""
    layout.setEnabled(False)
    try:
        yield
    finally:
        layout.setEnabled(True)


class ItemsLayout(QLayout):
    """A layout whose height depends on its width. Subclasses place the items."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 0) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def in_window(self, rect: QRect, place: QRect) -> QRect:
        """Return a rectangle in `rect`, given from the leading side, as screen coordinates."""
        parent = self.parentWidget()
        if parent is None or parent.layoutDirection() != Qt.LayoutDirection.RightToLeft or not place.isValid():
            return place
        mirrored = QRect(place)
        mirrored.moveLeft(rect.left() + rect.right() - place.right())
        return mirrored


FOUR = 4


class FlowLayout(ItemsLayout):
    """A wrapping row; each line as high as its highest widget. Four widgets that are `alike` wrap two by two."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 5, alike: bool = True) -> None:
        super().__init__(parent, spacing=spacing)
        self._alike = alike

    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(width, max((size.height() for size in hints), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        x, y, row, placed = rect.x(), rect.y(), 0, 0
        column = self._column(rect.width()) if self._alike else 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(rect.width(), 10_000))
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            width = column or size.width()
            full = placed == 2 if column else x + width > rect.x() + rect.width()
            if x > rect.x() and full:
                x, y, row, placed = rect.x(), y + row + self.spacing(), 0, 0
            if move:
                item.setGeometry(self.in_window(rect, QRect(QPoint(x, y), size)))
            x, row, placed = x + width + self.spacing(), max(row, size.height()), placed + 1
        return y + row - rect.y()

    def _column(self, width: int) -> int:
        """Return the width of each of two columns; 0 without columns."""
        widths = [item.sizeHint().width() for item in self._items if not item.isEmpty()]
        wraps = sum(widths) + self.spacing() * (len(widths) - 1) > width
        fits = len(widths) == FOUR and 2 * max(widths) + self.spacing() <= width
        return max(widths) if wraps and fits else 0


class ScrollColumn(QScrollArea):
    """A frameless scroll area that scrolls downwards only: its content is as wide as the area."""

    def __init__(
        self,
        name: str = "",
        parent: QWidget | None = None,
        *,
        content: QWidget | None = None,
        focus: Qt.FocusPolicy = Qt.FocusPolicy.StrongFocus,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(focus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if content is not None:
            self.setWidget(content)


class Separator(QWidget):
    """A line one pixel wide at any zoom."""

    def __init__(self, parent: QWidget | None = None, *, upright: bool = False) -> None:
        super().__init__(parent)
        along, across = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        self.setSizePolicy(across if upright else along, along if upright else across)
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color(self, "line"))


def horizontal_line(parent: QWidget | None = None) -> Separator:
    """Return a horizontal separator."""
    return Separator(parent)


class FocusSplitter(QWidget):
    """Panes side by side; below `one_pane_width` (at 100 %) only the one with the focus.

    Subclasses return the widths of the panes from `_widths`, and call `theme.follow(self, self.arrange)` after they
    have added them, so that the panes have their new sizes first. Panes may be made as children of `splitter`: a
    widget with children that gets another parent is styled again with all of them.
    """

    def __init__(
        self,
        name: str,
        panes: Sequence[QWidget] = (),
        *,
        one_pane_width: int,
        visible: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._panes: tuple[QWidget, ...] = ()
        self._one_pane_width, self._visible = one_pane_width, visible
        self._is_cramped = False  # a pane is wider than it should be, since it needs so much
        self.splitter = OrderedSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName(name)
        self.splitter.setHandleWidth(1)
        self.add_panes(*panes)
        tight_row(self, self.splitter)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def add_panes(self, *panes: QWidget) -> None:
        """Add panes behind those that are there."""
        self._panes += panes
        for pane in panes:
            self.splitter.addWidget(pane)

    @property
    def one_pane(self) -> bool:
        """Return whether only one pane fits."""
        return self.width() < theme.px(self._one_pane_width)

    def arrange(self) -> None:
        """Set the widths that suit the available size."""
        whole = [self.width() if index == self._visible else 0 for index in range(len(self._panes))]
        widths = whole if self.one_pane else self._widths()
        self.splitter.setSizes(widths)
        self._is_cramped = any(width > wanted for width, wanted in zip(self.splitter.sizes(), widths, strict=False))

    def _widths(self) -> Sequence[int]:
        """Return the widths of the panes side by side."""
        raise NotImplementedError

    def _show_pane(self, index: int) -> None:
        self._visible = index
        self.arrange()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or not self.isVisible():
            return
        for index, pane in enumerate(self._panes):
            if pane is new or pane.isAncestorOf(new):
                self._pane_focused(index)
                return

    def _pane_focused(self, index: int) -> None:
        """Handle the focus moving into a pane."""
        if index != self._visible:
            self._visible = index
            if self.one_pane:
                self.arrange()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._is_cramped:
            self.arrange()  # a pane may need less now
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


class NamedGroup(QFrame):
    """A part of the window with an accessible name, which screen readers say on entering it.

    Qt reports a frame as a group, and a plain `QWidget` as filler whose name is skipped. A factory of accessible
    objects in Python is no way out: it crashes on the items of Qt WebEngine.
    """

    def __init__(self, parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)


class OrderedSplitter(QSplitter):
    """A splitter whose panes screen readers read in the order in which they stand; Qt's own reverses it."""

    def addWidget(self, widget: QWidget) -> None:
        super().addWidget(widget)
        self._keep_order()

    def insertWidget(self, index: int, widget: QWidget) -> None:
        super().insertWidget(index, widget)
        self._keep_order()

    def _keep_order(self) -> None:
        panes = [pane for index in range(self.count()) if (pane := self.widget(index)) is not None]
        for pane in reversed(panes):
            pane.lower()


def announce(source: QObject, text: str) -> None:
    """Have a screen reader say `text` after what it is saying now."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # noqa: PLC0415 - their enums take long to make

    event = QAccessibleAnnouncementEvent(source, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)
