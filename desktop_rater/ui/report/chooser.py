"""A button that opens a menu of what can be chosen, and says what is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.plain import text_direction
from desktop_rater.ui.theme_tokens import CONTROL, CONTROL_RADIUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

Choice = tuple[str, str]  # what it stands for, and its words
PAD, GAP, ARROW, WIDEST, LONGEST = 8, 4, 12, 240, 80


class StayingMenu(QMenu):
    """Stays open while several are ticked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if not self._tick(action):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._tick(self.activeAction()):
            super().keyPressEvent(event)

    def _tick(self, action: QAction | None) -> bool:
        several = action is not None and action.isCheckable() and action.isEnabled() and action.data() is not None
        if several and action is not None:
            action.trigger()
        return several


class Chooser(QAbstractButton):
    """One of several, or any of them where `several`; none chosen is all of them."""

    chosen = Signal(tuple)

    def __init__(self, name: str, *, several: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._several = several
        self._choices: tuple[Choice, ...] = ()
        self._all = ""
        self._what = ""
        self.now: tuple[str, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open)
        theme.follow(self, self.updateGeometry)

    def offer(self, what: str, choices: Sequence[Choice], now: Sequence[str], *, every: str = "") -> None:
        """What can be chosen, and what is. `every`: the words for all of them."""
        self._what, self._all = what, every
        self._choices = tuple(choices)
        there = {one for one, _words in choices}
        self.now = tuple(one for one in now if one in there)
        self._say()

    def open(self) -> None:
        """Show the menu under the button."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def menu(self) -> QMenu:
        """The menu as it would be shown now."""
        menu = StayingMenu(self) if self._several else QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        if self._all:
            every = menu.addAction(self._all)
            every.setCheckable(True)
            every.setChecked(not self.now)
            every.triggered.connect(lambda _on=False: self._choose(()))
            menu.addSeparator()
        for one, words in self._choices:
            action = menu.addAction(_one_line(words).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(one in self.now)
            action.setData(one if self._several else None)
            action.triggered.connect(lambda on, one=one: self._tick(one, on=on))
        return menu

    def _tick(self, one: str, *, on: bool) -> None:
        if not self._several:
            self._choose((one,))
            return
        kept = {*self.now, one} if on else {*self.now} - {one}
        self._choose(tuple(name for name, _words in self._choices if name in kept))

    def _choose(self, now: tuple[str, ...]) -> None:
        if now != self.now:
            self.now = now
            self._say()
            self.chosen.emit(now)

    def _say(self) -> None:
        words = dict(self._choices)
        chosen = ", ".join(_one_line(words[one]) for one in self.now) if self.now else self._all
        self.setText(chosen)
        self.setAccessibleName(f"{self._what}: {chosen}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = min(theme.px(WIDEST), self.fontMetrics().horizontalAdvance(self.text()) + 2)  # fractions of pixels
        return QSize(words + theme.px(2 * PAD + GAP + ARROW), theme.px(CONTROL))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.raised))
        painter.setPen(QPen(QColor(colors.edge), 1))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(CONTROL_RADIUS), px(CONTROL_RADIUS)
        )
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        arrow_x = px(PAD) if mirrored else self.width() - px(PAD + ARROW)
        box = QRectF(arrow_x, (self.height() - px(ARROW)) / 2, px(ARROW), px(ARROW))
        shapes.paint(painter, box, "chevron-down", QColor(colors.text), QColor(colors.raised))
        left = px(PAD + GAP + ARROW) if mirrored else px(PAD)
        words = QRect(left, 0, self.width() - px(2 * PAD + GAP + ARROW), self.height())
        painter.setPen(QColor(colors.text))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
        painter.setLayoutDirection(text_direction(shown, self.layoutDirection()))
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(words, start | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()


def _one_line(words: str) -> str:
    line = " ".join(words[: 2 * LONGEST].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
