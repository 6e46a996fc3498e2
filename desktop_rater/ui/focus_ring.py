"""The ring around the control that the keys go to."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFocusFrame,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from desktop_rater.ui import theme

RINGED = (QAbstractButton, QComboBox)  # fields show it as their border, tabs, lists and texts by what is current
OWN_RING = "own_ring"  # the property of a control that paints it inside itself, where there is no room around it

WIDE, AWAY = 2, 1
ROOM = {QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin}


class RingStyle(QProxyStyle):
    """Leaves the room between control and ring that no style leaves by itself."""

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        return WIDE + AWAY if metric in ROOM else super().pixelMetric(metric, option, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        # Above all of the window: beside the control alone, a row that is as high as the control would cut the ring.
        above = hint == QStyle.StyleHint.SH_FocusFrame_AboveWidget
        return 1 if above else super().styleHint(hint, option, widget, returnData)


class FocusRing(QFocusFrame):
    """Two pixels of accent, one pixel away from the control; one ring for a whole window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("focus_ring")
        self._window = window
        style = RingStyle()
        style.setParent(self)  # Qt takes no style over: kept by Python, it is gone while the ring still asks for it
        self.setStyle(style)
        self.hide()  # or it is shown with the window, around nothing, until a button first has the focus
        QApplication.instance().focusChanged.connect(self._moved)  # ty: ignore[missing-attribute]

    def _moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        inside = isinstance(new, RINGED) and new.window() is self._window and not new.property(OWN_RING)
        self.setWidget(new if inside else None)  # ty: ignore[invalid-argument-type]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.tokens(self).accent), WIDE))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()
