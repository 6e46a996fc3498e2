"""The header: menus, screen tabs, and the button that finds an action."""

from collections.abc import Mapping

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenuBar, QSizePolicy, QTabBar, QWidget

from desktop_rater.ui.widgets import icons, theme
from desktop_rater.ui.widgets.buttons import draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.labels import PlainLabel, draw_text, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.theme import font_of, smooth_painter
from desktop_rater.ui.window import keys

HEIGHT, FIND_WIDTH = 36, 214
PALETTE = "action_palette"


class FindButton(QAbstractButton):
    """A button that looks like a field, because it opens one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_action")
        self.setText(self.tr("Find an action"))
        self._key = "Ctrl K"
        self.setAccessibleName(f"{self.text()}, {self._key}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_key(self, key: str) -> None:
        self._key = key
        self.setAccessibleName(f"{self.text()}, {key}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(FIND_WIDTH), theme.px(26))

    def minimumSizeHint(self) -> QSize:
        """Return the size of its icon and key only: the screen tabs take precedence."""
        return QSize(key_cap_size(self, self._key).width() + theme.px(40), theme.px(26))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = smooth_painter(self)
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.surface))
        painter.setPen(QPen(QColor(colors.edge), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        cap, pad, size = key_cap_size(self, self._key), px(8), px(16)
        icon_x = self.width() - pad - size if mirrored else pad
        cap_x = pad if mirrored else self.width() - pad - cap.width()
        middle = self.height() / 2
        icons.paint_icon(painter, QRectF(icon_x, middle - size / 2, size, size), "search", QColor(colors.text2))
        left, right = (pad + cap.width(), pad + size) if mirrored else (pad + size, pad + cap.width())
        text_rect = QRect(left + px(6), 0, self.width() - left - right - px(12), self.height())
        painter.setPen(QColor(colors.text2))
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        elided = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text_rect.width())
        draw_text(painter, text_rect, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, elided)
        draw_key_cap(painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), self._key, self)
        painter.end()


class ScreenTabs(QTabBar):
    """The tabs of the screens. The current one has an accent line."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rooms")
        self.setAccessibleName(self.tr("Screens"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._names: tuple[str, ...] = ()
        self.offer({"rate": self.tr("Rate")}, "rate")
        self.currentChanged.connect(self._choose)

    def offer(self, labels: Mapping[str, str], current: str) -> None:
        """Show a tab for each screen: name → label."""
        with QSignalBlocker(self):
            while self.count():
                self.removeTab(0)
            for label in labels.values():
                self.addTab(label)
            self._names = tuple(labels)
            self.setCurrentIndex(self._names.index(current))
        self.updateGeometry()

    def show_screen(self, name: str) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self._names.index(name))
        self.update()

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._names):
            self.chosen.emit(self._names[index])

    def _bold(self) -> QFont:
        return font_of(self.font(), bold=True)

    def tabSizeHint(self, index: int) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.tabText(index)) + theme.px(28)
        return QSize(width, theme.px(HEIGHT) - 1)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = QPainter(self)
        for index in range(self.count()):
            rect, on = self.tabRect(index), index == self.currentIndex()
            painter.setFont(self._bold() if on else self.font())
            painter.setPen(QColor(colors.text if on else colors.text2))
            draw_text(painter, rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
            if on:
                thick = theme.px(2)
                painter.fillRect(rect.left(), rect.bottom() + 1 - thick, rect.width(), thick, QColor(colors.accent))
                if self.hasFocus():
                    painter.setPen(QPen(QColor(colors.accent), 2))
                    painter.drawRoundedRect(rect.adjusted(2, 4, -2, -5), 4, 4)
        painter.end()


class Header(QWidget):
    """The menus at the leading side, the find button at the trailing one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        theme.set_ground(self, "win")
        self.menu_bar = QMenuBar()
        self.menu_bar.setObjectName("menus")
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.screen_tabs = ScreenTabs()
        self.find_button = FindButton()
        self.find_button.clicked.connect(self._find)
        self._row = QHBoxLayout()
        self._row.addWidget(self.menu_bar)
        self._row.addWidget(self.screen_tabs, 0, Qt.AlignmentFlag.AlignBottom)
        self.standing = PlainLabel(name="standing", bold=True)
        self.standing.hide()
        self._row.addStretch(1)
        self._row.addWidget(self.standing)
        self._row.addWidget(self.find_button)
        column = tight_column(self, spacing=0)
        column.addLayout(self._row)
        column.addWidget(horizontal_line())
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(8), 0, theme.px(8), 0)
        self._row.setSpacing(theme.px(12))
        self.setFixedHeight(theme.px(HEIGHT))

    def show_state(self, text: str, reason: str) -> None:
        """Show a permanent note about the state of the window, with the reason as its tooltip."""
        self.standing.setText(text)
        set_tooltip(self.standing, reason)
        self.standing.setAccessibleDescription(visible(reason))
        self.standing.show()

    def update_find_button(self) -> None:
        """Show the find button if the action exists, with its current key."""
        action = self.window().findChild(QAction, PALETTE)
        self.find_button.setVisible(action is not None)
        if action is not None:
            self.find_button.show_key(keys.KeyText(keys.key_text(action.shortcut().toString())))

    def _find(self) -> None:
        action = self.window().findChild(QAction, PALETTE)
        if action is not None:
            action.trigger()
