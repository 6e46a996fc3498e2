"""Focus: typing widgets, restoring the focus after a dialog, and the ring around the focused control."""

from typing import TypeGuard

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QInputMethodEvent, QKeyEvent, QPaintEvent, QPen, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFocusFrame,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QProxyStyle,
    QScrollArea,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)
from shiboken6 import isValid

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import LineLimit
from desktop_rater.ui.widgets.labels import set_window_title
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.window.window_place import available_size

KEYS_DIMMED = "keys_dimmed"  # property of a window: where plain keys stay now, if they do not act on the task
TYPING, IN_BAR = "typing", "bar"
ENTER_AT, TAKES_ENTER = "enter_at", "takes_enter"  # properties of a button and of the list or field of its Enter
MODIFIER_KEYS = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_CapsLock,
    Qt.Key.Key_unknown,
}


def is_typing(widget: QWidget | None) -> TypeGuard[QWidget]:
    """Return whether plain keys type in a widget."""
    return isinstance(widget, (QPlainTextEdit, QLineEdit)) and not widget.isReadOnly()


def may_be_shortcut(event: QEvent) -> bool:
    """Return whether a field is told of a key with a modifier other than Shift."""
    return (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and bool(event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier)
        and event.key() not in MODIFIER_KEYS
    )


class CompositionKeeper(QObject):
    """Commits the text that an input method is composing in a field before the field is left.

    Also before a click or a shortcut that leaves the focus where it is, since its action may read the field.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field
        self._composed = ""
        self._cleared = ""  # composed until just now
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QInputMethodEvent):
            composed, self._composed = self._composed, event.preeditString()
            if composed and not event.preeditString() and not event.commitString():
                # Cancelled, or about to be left: Anthy, for one, clears it just before the field knows.
                self._cleared = composed
                QTimer.singleShot(0, self, self._forget)
            window = QGuiApplication.focusWindow()
            if self._composed and window is not None:
                window.installEventFilter(self)  # until the next click
        elif event.type() == QEvent.Type.FocusAboutToChange or (self._composed and may_be_shortcut(event)):
            self.commit()
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWindow):
            watched.removeEventFilter(self)
            if not self._field.underMouse():
                self.commit()
        return False

    def _forget(self) -> None:
        self._cleared = ""

    def commit(self) -> None:
        """Make the text that is being composed a part of the field."""
        if self._composed:
            QGuiApplication.inputMethod().commit()
        left = self._composed or self._cleared
        self._forget()
        if left:
            event = QInputMethodEvent()
            event.setCommitString(left)
            QCoreApplication.sendEvent(self._field, event)


class FieldHelp(QObject):
    """Gives each field its composition keeper and its limit when it first has the focus, and dims the signs of keys."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._drawn_for: tuple[str, QWidget | None] | None = None  # the content before may have left it dimmed
        QApplication.instance().focusChanged.connect(self._moved)  # ty: ignore[missing-attribute]

    def _moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        # Later: the focus also moves while widgets are deleted, and they must not be looked for then.
        QTimer.singleShot(0, self, self._dim_keys)
        if is_typing(new) and new.findChild(CompositionKeeper) is None:
            CompositionKeeper(new)
            if isinstance(new, QLineEdit) and new.validator() is None:
                LineLimit(new)

    def _dim_keys(self) -> None:
        """Have the signs of keys drawn dimmed while these keys would only type, or stay in a bar or a list."""
        focus = QApplication.focusWidget()
        state = TYPING if is_typing(focus) else IN_BAR if keeps_keys(focus) else ""
        receiver = focus if focus is not None and focus.property(TAKES_ENTER) else None
        if (state, receiver) != self._drawn_for and self._window.isActiveWindow():
            self._drawn_for = state, receiver
            self._window.setProperty(KEYS_DIMMED, state)
            for button in self._window.findChildren(QAbstractButton):
                button.update()


def commit_composition() -> None:
    """Make what is being composed a part of the field that has the focus."""
    field, direct = QApplication.focusWidget(), Qt.FindChildOption.FindDirectChildrenOnly
    for keeper in field.findChildren(CompositionKeeper, options=direct) if field is not None else ():
        keeper.commit()


def keeps_keys(widget: QWidget | None) -> bool:
    """Return whether a widget is in a bar of which no plain key goes further."""
    while widget is not None and not widget.property("keeps_keys"):
        widget = widget.parentWidget()
    return widget is not None


class FocusRestorer:
    """Remembers the focused widget, which may be gone later: a banner that opened the dialog, or a replaced row."""

    def __init__(self) -> None:
        self._before: QWidget | None = None

    def remember(self) -> None:
        self._before = QApplication.focusWidget()

    def restore(self, window: QWidget | None = None) -> None:
        """Return the focus after a dialog has closed; `window`: the window to activate, if not the dialog's own."""
        if window is not None:
            window.activateWindow()
        widget, self._before = self._before, None
        if widget is not None and isValid(widget) and widget.isVisible():
            widget.setFocus()


class WindowDialog(QDialog):
    """A dialog of a window: it fits into the window, and returns the focus when it closes."""

    def __init__(self, window: QWidget, name: str, title: str) -> None:
        super().__init__(window)
        self.setObjectName(name)
        set_window_title(self, title)
        self._window = window
        self._focus = FocusRestorer()
        self._scrolls = False
        self.setProperty("keeps_keys", True)
        FieldHelp(self)

    def open_with(self, width: float, height: float | None = None) -> None:
        """Open with this size at 100 %, or as much of it as fits; the height is that of its layout if not given."""
        self._focus.remember()
        most = (self._window.size() - QSize(32, 32)).boundedTo(available_size(self._window))
        width_px = min(theme.px(width), most.width())
        natural = max(self.sizeHint().height(), self.heightForWidth(width_px))  # wrapped texts need more in less width
        if height is None and natural > most.height():
            self._scroll_content()
        self.resize(width_px, min(natural if height is None else theme.px(height), most.height()))
        self.open()

    def _scroll_content(self) -> None:
        """Put the content into an area that scrolls, unless it is in one."""
        layout = self.layout()
        if layout is None or self._scrolls:
            return
        self._scrolls = True
        content = QWidget()
        content.setLayout(layout)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(content)
        tight_column(self).addWidget(area)

    def done(self, result: int) -> None:
        super().done(result)
        self._focus.restore(self._window)


RINGED = (QAbstractButton, QComboBox)  # fields show focus by their border; tabs, lists and texts by their current item
OWN_RING = "own_ring"  # property of controls that paint the ring inside themselves, for lack of space

RING_WIDTH, RING_GAP = 2, 1
FRAME_MARGINS = {QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin}


class RingStyle(QProxyStyle):
    """Adds the distance between control and ring, which no style has by itself."""

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        return RING_WIDTH + RING_GAP if metric in FRAME_MARGINS else super().pixelMetric(metric, option, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        # Above all widgets: above the control alone, a row as high as the control would clip the ring.
        above = hint == QStyle.StyleHint.SH_FocusFrame_AboveWidget
        return 1 if above else super().styleHint(hint, option, widget, returnData)


class FocusRing(QFocusFrame):
    """A ring of two pixels in the accent colour, one pixel from the control; one ring per window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("focus_ring")
        self._window = window
        style = RingStyle()
        style.setParent(self)  # Qt does not own a widget's style: owned by Python, it could be deleted before the ring
        self.setStyle(style)
        self.hide()  # otherwise it is shown with the window, around nothing, until a button has the focus
        QApplication.instance().focusChanged.connect(self._moved)  # ty: ignore[missing-attribute]

    def _moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        inside = isinstance(new, RINGED) and new.window() is self._window and not new.property(OWN_RING)
        self.setWidget(new if inside else None)  # ty: ignore[invalid-argument-type]

    def paintEvent(self, _event: QPaintEvent) -> None:
        with smooth_painter(self) as painter:
            painter.setPen(QPen(QColor(theme.tokens(self).accent), RING_WIDTH))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
