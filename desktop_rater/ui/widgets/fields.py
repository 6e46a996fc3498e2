"""Input fields: filter, text of several lines, number, and lines that handle Return and Escape themselves."""

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QRect, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from desktop_rater.settings import Setting
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.banners import MAX_TEXT_LENGTH, say_refused
from desktop_rater.ui.widgets.buttons import KeyButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.labels import draw_text, name_widget, visible
from desktop_rater.ui.widgets.layouts import NamedGroup, tight_row
from desktop_rater.ui.widgets.theme import FIELD_FRAME, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL

FILTER_KEY = "/"


class FilterField(QLineEdit):
    """A filter field in which Return keeps the filter and moves to the list, instead of the window's default action."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "filter", self.tr("Filter tasks"))
        self.setPlaceholderText(self.tr("Filter tasks"))
        self.setClearButtonEnabled(True)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(CONTROL))
        margin = theme.px(18)  # on both sides: right-to-left text begins at the other end
        self.setTextMargins(margin, 0, margin, 0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _goes_in(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _goes_in(event):
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with smooth_painter(self) as painter:
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            size, pad, middle = theme.px(16), theme.px(8), self.height() / 2
            x = self.width() - pad - size if mirrored else pad
            shapes.paint_icon(painter, QRectF(x, middle - size / 2, size, size), "search", theme.color(self, "text2"))
            if not self.text() and not self.hasFocus():
                cap = key_cap_size(self, FILTER_KEY)
                x = pad if mirrored else self.width() - pad - cap.width()
                draw_key_cap(painter, QRectF(x, middle - cap.height() / 2, cap.width(), cap.height()), FILTER_KEY, self)


def _goes_in(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down} and not event.modifiers()


def read_only_text(name: str, label: str) -> QPlainTextEdit:
    """Return a view of plain text to read and copy; Tab leaves it."""
    view = QPlainTextEdit()
    name_widget(view, name, visible(label))
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    return view


MIN_TEXT_LINES, MAX_TEXT_LINES = 2, 6
FULL_TEXT_WIDTH = 10_000  # a text takes the full width, so its label is above it
PARAGRAPH_SEPARATOR = "\u2029"


class GrowingTextEdit(QPlainTextEdit):
    """Text field that grows from two to six lines; one line without focus in a low window or a compact row.

    Tab leaves it; Escape and Ctrl Enter are handled by the window.
    """

    left = Signal()
    typed = Signal(str)

    def __init__(
        self, parent: QWidget | None = None, *, name: str = "", label: str = "", placeholder: str = ""
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        name_widget(self, name, label)
        self._shown = ""
        self._unvisited = False  # no cursor was put into this text yet
        self.rests_in_one_line = False
        self.least_height = 0
        self.max_length = MAX_TEXT_LENGTH
        self.textChanged.connect(self._changed)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow_language(self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())

    def text(self) -> str:
        """Return the typed text; `toPlainText` would change no-break spaces and line separators."""
        return self.document().toRawText().replace(PARAGRAPH_SEPARATOR, "\n")

    def show_text(self, text: str) -> None:
        """Show a text; the cursor and line ends are unchanged if it is shown already."""
        if text != self._shown:
            self._shown, self._unvisited = text, True
            self.blockSignals(True)
            self.setPlainText(WidgetTextMap(text).shown)
            self.blockSignals(False)
            self.updateGeometry()

    def write_on(self) -> None:
        """Focus the field with the cursor at the end of its text."""
        self.setFocus()
        self.moveCursor(QTextCursor.MoveOperation.End)

    def _changed(self) -> None:
        text = self.text()
        if text != self._shown:
            self._shown = text
            self.typed.emit(text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert what is pasted or dropped, unless the text would be too long to be edited at ease."""
        selected = self.textCursor().selectionEnd() - self.textCursor().selectionStart()
        length = self.document().characterCount() - 1 - selected + len(source.text())
        if length > self.max_length:
            say_refused(self, self.typed, length, self.max_length)
        else:
            super().insertFromMimeData(source)

    def sizeHint(self) -> QSize:
        # A plain text document measures its height in lines. In a low window one is shown without the focus.
        rests = (self.rests_in_one_line or bool(self.window().property("low"))) and not self.hasFocus()
        lines = 1 if rests else max(MIN_TEXT_LINES, min(MAX_TEXT_LINES, int(self.document().size().height())))
        margins = 2 * (self.document().documentMargin() + theme.px(FIELD_FRAME))
        # Hide the top of the next line beneath a single line.
        spare = 2 if lines > 1 else -self.document().documentMargin()
        height = int(lines * self.fontMetrics().lineSpacing() + margins + spare)
        return QSize(FULL_TEXT_WIDTH, max(height, theme.px(self.least_height)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # There is no space for a scroll bar beside a single line.
        one_line = self.height() < 2 * self.fontMetrics().lineSpacing()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if one_line else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)

    @property
    def hides_lines(self) -> bool:
        """Return whether only the first line of several is visible, without a scroll bar."""
        one_line = self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        return one_line and self.document().size().height() > 1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an ellipsis at the end of the line if there are more."""
        super().paintEvent(event)
        if self.hides_lines:
            painter, view = QPainter(self.viewport()), self.viewport().rect()
            field = QRect(0, 0, self.fontMetrics().horizontalAdvance("…") + theme.px(8), view.height())
            if not self.isRightToLeft():
                field.moveRight(view.right())
            painter.fillRect(field, self.palette().base())
            draw_text(painter, field, Qt.AlignmentFlag.AlignCenter, "…", ink=theme.color(self, "text2"))
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._unvisited and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.moveCursor(QTextCursor.MoveOperation.End)
        self._unvisited = False
        self.updateGeometry()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.updateGeometry()
        self.left.emit()


class FieldEdit(QLineEdit):
    """Line edit in which Return leaves the field, instead of going on to the next question as elsewhere."""

    left = Signal()

    def __init__(
        self, parent: QWidget | None = None, *, name: str = "", label: str = "", placeholder: str = ""
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        name_widget(self, name, label)
        self._shown = ""
        self.textEdited.connect(self._remember)
        self.setMinimumHeight(28)
        theme.follow_language(self)

    def show_text(self, text: str) -> None:
        """Show a text; the cursor is unchanged if it is shown already."""
        if text != self._shown:
            self._shown = text
            self.setText(text)
            self.setCursorPosition(0)

    def _remember(self, text: str) -> None:
        self._shown = text

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and _is_plain_return(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_plain_return(event):
            focus_parent(self)
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def focus_parent(field: QWidget) -> None:
    """Give the focus to the nearest parent that accepts it, so that keys still reach the form."""
    above = field.parentWidget()
    while above is not None and above.focusPolicy() == Qt.FocusPolicy.NoFocus:
        above = above.parentWidget()
    if above is not None:
        above.setFocus()
    else:
        field.clearFocus()


def _is_plain_return(event: QEvent) -> bool:
    if not isinstance(event, QKeyEvent):
        return False
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and plain == Qt.KeyboardModifier.NoModifier


STEPS: dict[int, int] = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class _StepEdit(FieldEdit):
    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in STEPS:
            self.stepped.emit(STEPS[event.key()])
            return
        super().keyPressEvent(event)


class NumberField(NamedGroup):
    """A number field that takes the typed text when it is left, and ignores invalid or out-of-range numbers."""

    chosen = Signal(int)

    def __init__(self, setting: Setting, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setting = setting
        self._value: int = setting.default
        self.field = _StepEdit()
        self.field.setAccessibleName(visible(label))
        theme.follow(self.field, lambda: self.field.setFixedWidth(theme.px(80)))
        self.field.left.connect(self._take)
        self.field.stepped.connect(self.step)
        row = tight_row(self, self.field, spacing=5)
        for text, name, delta in (("−", self.tr("Less"), -1), ("+", self.tr("More"), 1)):
            button = KeyButton(text)
            button.setAccessibleName(visible(f"{label}: {name}"))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys do the same
            button.clicked.connect(lambda _on=False, delta=delta: self.step(delta))
            row.addWidget(button)
        row.addStretch(1)

    def show_value(self, value: int) -> None:
        self._value = value
        self.field.show_text(f"{value}{self._setting.unit}")

    def step(self, delta: int) -> None:
        row = self._setting
        self._choose(max(row.min, min(row.max, self._value + delta * row.step)))

    def _take(self) -> None:
        typed = re.sub(r"\D", "", self.field.text())[:9]
        self._choose(int(typed) if typed and self._setting.accepts(int(typed)) else self._value)

    def _choose(self, value: int) -> None:
        if value != self._value:
            self.chosen.emit(value)
        self.show_value(value)


_OWN = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}


class LineField(QLineEdit):
    """A one-line field. `entered` carries 1, or −1 with Shift."""

    entered = Signal(int)
    left = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        name: str = "",
        label: str = "",
        placeholder: str = "",
        entered: Callable[[int], object] | SignalInstance | None = None,
        left: Callable[[], object] | SignalInstance | None = None,
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        name_widget(self, name, label)
        if entered is not None:
            self.entered.connect(entered)
        if left is not None:
            self.left.connect(left)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _OWN:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
