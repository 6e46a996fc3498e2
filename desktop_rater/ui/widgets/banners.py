"""Message banners at the top of a pane, each with at most two actions. They never take the focus."""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rater.model.errors import RaterError
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, tight_column, tight_row
from desktop_rater.ui.widgets.theme import color

BannerKind = Literal["info", "warn", "block"]
BannerAction = tuple[str, "Callable[[], object]"]


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
        row = QHBoxLayout(self)
        above = 2 if one_line else 8
        row.setContentsMargins(16, above, 8, above)
        row.setSpacing(12)
        column = QHBoxLayout() if one_line else QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(self.label, 1 if one_line else 0)  # beside it, the buttons are as wide as their texts
        row.addLayout(column, 1)
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
