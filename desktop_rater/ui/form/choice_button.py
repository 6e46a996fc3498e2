"""A choice with the key that takes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.tokens import tokens

PADDING = 9
GAP = 6
MOST_WIDTH = 440


class ChoiceButton(QAbstractButton):
    """Checkable; the key cap stands behind the label. Long labels take several lines."""

    def __init__(self, label: str, key: str = "", hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label
        self._key = key
        self._reserve = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_tooltip(self, hint)
        self._name()

    @property
    def key(self) -> str:
        """The key shown on the cap, empty where there is none."""
        return self._key

    def set_key(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self._name()
            self.updateGeometry()
            self.update()

    def reserve_key(self) -> None:
        """Keep room for a key that comes later, so that nothing moves then."""
        self._reserve = True

    def _name(self) -> None:
        self.setAccessibleName(f"{self.label}, {self._key}" if self._key else self.label)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _cap(self) -> QSize:
        """The size of the key cap: the same whether or not it is shown, so that nothing moves when it comes."""
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(self._key or "0")
        return QSize(max(wide + 8, metrics.height() + 1), metrics.height() + 2)

    def _label_size(self) -> QSize:
        metrics = QFontMetrics(self._bold())
        room = MOST_WIDTH - 2 * PADDING - GAP - self._cap().width()
        return metrics.boundingRect(0, 0, room, 10_000, Qt.TextFlag.TextWordWrap, self.label).size()

    def sizeHint(self) -> QSize:
        label = self._label_size()
        cap = GAP + self._cap().width() if self._key or self._reserve else 0
        return QSize(max(30, label.width() + 2 * PADDING + cap + 2), max(30, label.height() + 12))

    def minimumSizeHint(self) -> QSize:
        return QSize(30, 30)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = tokens(self)
        role = QPalette.ColorRole
        on = self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        back = (
            QColor(colors.sel if on else colors.hover) if on or self.underMouse() else self.palette().color(role.Base)
        )
        painter.setBrush(back)
        edge = QColor(colors.accent if on else colors.edge)
        painter.setPen(QPen(edge, 1.5 if on else 1.0))
        painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRoundedRect(box, 4, 4)
        text = self.palette().color(role.Text)
        painter.setPen(text if self.isEnabled() else QColor(colors.text2))
        painter.setFont(self._bold() if on else self.font())
        cap = self._cap()
        right = GAP + cap.width() if self._key else 0
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        inner = self.rect().adjusted(PADDING + (right if mirrored else 0), 0, -PADDING - (0 if mirrored else right), 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(inner, flags, self.label)
        if self._key:
            left = PADDING if mirrored else self.width() - PADDING - cap.width()
            where = QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height())
            draw_cap(painter, where, self._key, self, on=on)
        painter.end()


def draw_cap(
    painter: QPainter, where: QRectF, key: str, widget: QWidget, *, on: bool = False, ink: QColor | None = None
) -> None:
    """A key cap; in `ink` on a filled button."""
    colors = tokens(widget)
    font = QFont(widget.font())
    font.setPixelSize(max(11, widget.fontInfo().pixelSize() - 2))
    painter.setFont(font)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink or QColor(colors.accent if on else colors.edge), 1))
    painter.drawRoundedRect(where.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(ink or (widget.palette().color(QPalette.ColorRole.Text) if on else QColor(colors.text2)))
    painter.drawText(where, Qt.AlignmentFlag.AlignCenter, key)
