"""Message banners, which never take the focus: at the top of a pane, or below a field that refuses a text."""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QPalette, QValidator
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from desktop_rater.format.errors import RaterError
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, announce, tight_column, tight_row
from desktop_rater.ui.widgets.theme import color

BannerKind = Literal["info", "warn", "block"]
BannerAction = tuple[str, "Callable[[], object]"]
MAX_TEXT_LENGTH = 20_000  # characters of a text of several lines
LEAST_WIDTH = 320
# Qt records one step of undo for each character of a line, so that a text without end is cut before it is refused.
_MAX_CHECKED = 10_000_000


class Banner(QFrame):
    """A message and the actions that it offers."""

    def __init__(
        self,
        kind: BannerKind,
        text: str,
        actions: Sequence[BannerAction] = (),
        parent: QWidget | None = None,
        *,
        one_line: bool = False,
    ) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setObjectName(f"banner_{kind}")
        self.setAutoFillBackground(True)
        self.label = ElidedLabel(text) if one_line else WrappedLabel(text)
        above = 2 if one_line else 8
        column = QHBoxLayout() if one_line else QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(self.label, 1 if one_line else 0)  # beside it, the buttons are as wide as their texts
        row = tight_row(self, (column, 1), spacing=12, margins=(16, above, 8, above))
        if not one_line:
            self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = [self._button(action) for action in actions]
        if self.buttons:
            action_bar = QWidget()
            flow = tight_row(action_bar, spacing=8) if one_line else FlowLayout(action_bar, spacing=8)
            for button in self.buttons:
                flow.addWidget(button)
            column.addWidget(action_bar)
        self.close_button = QToolButton()
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setFixedSize(26, 26)
        self.close_button.setAccessibleName(self.tr("Close this message"))
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        theme.follow(self, self._paint)

    def _button(self, action: BannerAction) -> QPushButton:
        button = QPushButton(action[0])
        # `clicked` passes a Boolean that the action does not take.
        button.clicked.connect(lambda _checked=False, run=action[1]: run())
        return button

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ParentChange:
            self._paint()

    def _paint(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, color(self, f"{self.kind}_back"))
        self.setPalette(palette)
        palette_of_text = self.label.palette()
        if self.kind != "info":
            palette_of_text.setColor(QPalette.ColorRole.WindowText, color(self, self.kind))
        self.label.setPalette(palette_of_text)


class Banners(QWidget):
    """The banners of a pane, one for each key: a new banner replaces the one with the same key."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banners")
        self._shown: dict[str, Banner] = {}
        self.one_line = False  # for the banners to come
        self._before: QWidget | None = None  # the widget that had the focus before a banner
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        self._column = tight_column(self, spacing=1)

    def show_banner(self, key: str, kind: BannerKind, text: str, actions: Sequence[BannerAction] = ()) -> Banner:
        """Show a banner. Each of its actions closes it."""
        self.drop(key)
        banner = Banner(kind, text, actions, one_line=self.one_line)
        for button in banner.buttons:
            # Its action may have shown another banner in its place.
            button.clicked.connect(lambda: self.drop(key) if self._shown.get(key) is banner else None)
        banner.close_button.clicked.connect(lambda: self.drop(key))
        self._shown[key] = banner
        self._column.addWidget(banner)
        self.changed.emit()
        return banner

    def show_error(self, error: RaterError, key: str = "trouble") -> None:
        self.show_banner(key, "block", str(error))

    def drop(self, key: str) -> None:
        banner = self._shown.pop(key, None)
        if banner is not None:
            focus, before = QApplication.focusWidget(), self._before
            inside = focus is not None and banner.isAncestorOf(focus)
            if inside and before is not None and isValid(before) and before.isVisible():
                before.setFocus()
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and new is not None and self.isAncestorOf(new) and not self.isAncestorOf(old):
            self._before = old

    def text(self, key: str) -> str | None:
        banner = self._shown.get(key)
        return banner.label.text() if banner is not None else None

    def banner(self, key: str) -> Banner | None:
        return self._shown.get(key)


class LineLimit(QValidator):
    """Refuses, as a whole, what would make a line longer than its field takes. `QLineEdit` itself cuts it silently."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field)
        self._field, self._most, self._length = field, field.maxLength(), 0
        field.setMaxLength(_MAX_CHECKED)
        field.setValidator(self)
        field.inputRejected.connect(lambda: QTimer.singleShot(0, self, self._say))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        self._length = len(text)
        fits = self._length <= self._most
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, position

    def _say(self) -> None:
        if len(self._field.text()) <= self._most:  # a text that the program itself shows is never refused
            say_refused(self._field, self._field.textEdited, self._length, self._most)


def say_refused(field: QWidget, edited: SignalInstance, length: int, most: int) -> None:
    """Say below a field that it would have held so many characters, until it is edited or left."""
    window = field.window()
    for earlier in window.findChildren(Banner, "refused_text"):
        earlier.close()
    template = QCoreApplication.translate(
        "TextLimit", "Nothing was inserted: the field would hold {n} characters, and takes at most {most}."
    )
    text = template.format(n=formatting.number(length), most=formatting.number(most))
    message = Banner("warn", text, parent=window)
    message.setObjectName("refused_text")
    message.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    message.close_button.clicked.connect(message.close)
    edited.connect(message.close)
    QApplication.instance().focusChanged.connect(message.close)  # ty: ignore[missing-attribute]
    width = min(max(field.width(), theme.px(LEAST_WIDTH)), window.width())
    message.resize(width, max(message.heightForWidth(width), message.sizeHint().height()))
    place_under(message, field)
    message.show()
    announce(field, text)


def place_under(widget: QWidget, field: QWidget) -> None:
    """Place a widget under a field of its window, or above it if there is not enough space."""
    window = field.window()
    corner = field.mapTo(window, QPoint(0, field.height() + 2))
    if corner.y() + widget.height() > window.height():
        corner = field.mapTo(window, QPoint(0, -widget.height() - 2))
    widget.move(max(0, min(corner.x(), window.width() - widget.width())), max(0, corner.y()))
    widget.raise_()
