"""One sentence at the top of a pane, with at most two ways out. It never takes the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.theme import color

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.model.trouble import RaterError

Kind = Literal["info", "warn", "block"]
Way = tuple[str, "Callable[[], object]"]


class Banner(QFrame):
    """What is so, and what can be done about it."""

    def __init__(self, kind: Kind, text: str, ways: Sequence[Way] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setObjectName(f"banner_{kind}")
        self.setAutoFillBackground(True)
        self.label = WrappedLabel(text)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(self.label)
        row.addLayout(column, 1)
        self.buttons = [self._button(way) for way in ways]
        if self.buttons:
            actions = QWidget()
            flow = FlowLayout(actions, spacing=8)
            for button in self.buttons:
                flow.addWidget(button)
            column.addWidget(actions)
        self.close_button = QToolButton()
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setFixedSize(26, 26)
        self.close_button.setAccessibleName(self.tr("Close this message"))
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        theme.follow(self, self._paint)

    def _button(self, way: Way) -> QPushButton:
        button = QPushButton(way[0])
        # A click brings a Boolean that a way out knows nothing of.
        button.clicked.connect(lambda _checked=False, run=way[1]: run())
        return button

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ParentChange:
            self._paint()

    def _paint(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, color(self, f"{self.kind}_back"))
        self.setPalette(palette)
        words = self.label.palette()
        if self.kind != "info":
            words.setColor(QPalette.ColorRole.WindowText, color(self, self.kind))
        self.label.setPalette(words)


class Banners(QWidget):
    """The banners of a pane, one for each key: the same trouble again takes the place of its first banner."""

    came = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banners")
        self._shown: dict[str, Banner] = {}
        self._host: QWidget | None = None
        self._before: QWidget | None = None  # where the focus was before it came to a banner
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)

    def show_banner(self, key: str, kind: Kind, text: str, ways: Sequence[Way] = ()) -> Banner:
        """Show a banner. Each way out closes it."""
        self.drop(key)
        banner = Banner(kind, text, ways)
        for button in banner.buttons:
            button.clicked.connect(lambda: self._drop_this(key, banner))
        banner.close_button.clicked.connect(lambda: self.drop(key))
        self._shown[key] = banner
        self._column.addWidget(banner)
        self._stand()
        self.came.emit()
        return banner

    def lie_over(self, host: QWidget | None) -> None:
        """Lie over the top of what `host` holds, which nothing moves then. With `None` a layout has to take them."""
        if self._host is not None:
            self._host.removeEventFilter(self)
        self._host = host
        if host is not None:
            self.setParent(host)
            host.installEventFilter(self)
            self._stand()

    @property
    def is_over(self) -> bool:
        """Whether they are in no layout."""
        return self._host is not None

    def _stand(self) -> None:
        if self._host is not None:
            wide = self._host.width()
            self.setGeometry(0, 0, wide, max(self._column.heightForWidth(wide), self._column.sizeHint().height()))
            self.setVisible(bool(self._shown))
            self.raise_()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._stand()
        return done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._host and event.type() == QEvent.Type.Resize:
            self._stand()
        return False

    def trouble(self, error: RaterError, key: str = "trouble") -> None:
        """What is known to be wrong."""
        self.show_banner(key, "block", str(error))

    def drop(self, key: str) -> None:
        """Take a banner away, if it is there."""
        banner = self._shown.pop(key, None)
        if banner is not None:
            self._give_focus_back(banner)
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
            self._stand()

    def _give_focus_back(self, banner: Banner) -> None:
        focus, before = QApplication.focusWidget(), self._before
        inside = focus is not None and banner.isAncestorOf(focus)
        if inside and before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and new is not None and self.isAncestorOf(new) and not self.isAncestorOf(old):
            self._before = old

    def text(self, key: str) -> str | None:
        """What a banner says; `None` where it is not shown."""
        banner = self._shown.get(key)
        return banner.label.text() if banner is not None else None

    def banner(self, key: str) -> Banner | None:
        return self._shown.get(key)

    def _drop_this(self, key: str, banner: Banner) -> None:
        if self._shown.get(key) is banner:
            self.drop(key)
