"""The row at the top: the menus, the rooms, and the way to every action."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenuBar, QSizePolicy, QTabBar, QVBoxLayout, QWidget

from desktop_rater.ui import icons, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import PlainLabel, set_tooltip
from desktop_rater.ui.separator import line

HEIGHT, FIND_WIDTH = 36, 214
PALETTE = "action_palette"


class FindButton(QAbstractButton):
    """Looks like a field, because what it opens is one."""

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
        """The key that opens it, as it is bound now."""
        self._key = key
        self.setAccessibleName(f"{self.text()}, {key}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(FIND_WIDTH), theme.px(26))

    def minimumSizeHint(self) -> QSize:
        """Its sign and its key: the rooms come first where there is little room."""
        return QSize(cap_size(self, self._key).width() + theme.px(40), theme.px(26))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.surface))
        painter.setPen(QPen(QColor(colors.edge), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        cap, pad, size = cap_size(self, self._key), px(8), px(16)
        icon_x = self.width() - pad - size if mirrored else pad
        cap_x = pad if mirrored else self.width() - pad - cap.width()
        middle = self.height() / 2
        icons.paint(painter, QRectF(icon_x, middle - size / 2, size, size), "search", QColor(colors.text2))
        left, right = (pad + cap.width(), pad + size) if mirrored else (pad + size, pad + cap.width())
        words = QRect(left + px(6), 0, self.width() - left - right - px(12), self.height())
        painter.setPen(QColor(colors.text2))
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, shown)
        draw_cap(painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), self._key, self)
        painter.end()


class Rooms(QTabBar):
    """What the window is for now. The current room stands on a line of accent."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rooms")
        self.setAccessibleName(self.tr("Rooms"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._names: tuple[str, ...] = ()
        self.offer(("rate",), "rate")
        self.currentChanged.connect(self._choose)

    def offer(self, names: tuple[str, ...], current: str) -> None:
        """Show these rooms."""
        words = {"rate": self.tr("Rate"), "review": self.tr("Review"), "report": self.tr("Report")}
        with QSignalBlocker(self):
            while self.count():
                self.removeTab(0)
            for name in names:
                self.addTab(words[name])
            self._names = names
            self.setCurrentIndex(names.index(current))
        self.updateGeometry()

    def show_room(self, name: str) -> None:
        """Say where the user stands."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self._names.index(name))
        self.update()

    def _choose(self, at: int) -> None:
        if 0 <= at < len(self._names):
            self.chosen.emit(self._names[at])

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def tabSizeHint(self, index: int) -> QSize:
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(self.tabText(index)) + theme.px(28)
        return QSize(wide, theme.px(HEIGHT) - 1)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = QPainter(self)
        for index in range(self.count()):
            rect, on = self.tabRect(index), index == self.currentIndex()
            painter.setFont(self._bold() if on else self.font())
            painter.setPen(QColor(colors.text if on else colors.text2))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
            if on:
                thick = theme.px(2)
                painter.fillRect(rect.left(), rect.bottom() + 1 - thick, rect.width(), thick, QColor(colors.accent))
                if self.hasFocus():
                    painter.setPen(QPen(QColor(colors.accent), 2))
                    painter.drawRoundedRect(rect.adjusted(2, 4, -2, -5), 4, 4)
        painter.end()


class Header(QWidget):
    """Menus at the leading side, the way to every action at the trailing one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        theme.ground(self, "win")
        self.menu_bar = QMenuBar()
        self.menu_bar.setObjectName("menus")
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.rooms = Rooms()
        self.find_button = FindButton()
        self.find_button.clicked.connect(self._find)
        self._row = QHBoxLayout()
        self._row.addWidget(self.menu_bar)
        self._row.addWidget(self.rooms, 0, Qt.AlignmentFlag.AlignBottom)
        self.standing = PlainLabel(name="standing")
        theme.write(self.standing, bold=True)
        self.standing.hide()
        self._row.addStretch(1)
        self._row.addWidget(self.standing)
        self._row.addWidget(self.find_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row)
        column.addWidget(line())
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(8), 0, theme.px(8), 0)
        self._row.setSpacing(theme.px(12))
        self.setFixedHeight(theme.px(HEIGHT))

    def show_standing(self, words: str, why: str) -> None:
        """Say here, as long as the window is open, what makes it another than it seems, and on asking why."""
        self.standing.setText(words)
        set_tooltip(self.standing, why)
        self.standing.setAccessibleDescription(why)
        self.standing.show()

    def show_ways(self) -> None:
        """Offer the way to every action where there is one, with the key that it has now."""
        action = self._palette()
        self.find_button.setVisible(action is not None)
        if action is not None:
            self.find_button.show_key(keys.Shown(keys.shown(action.shortcut().toString())))

    def _palette(self) -> QAction | None:
        return self.window().findChild(QAction, PALETTE)

    def _find(self) -> None:
        action = self._palette()
        if action is not None:
            action.trigger()
