"""A card of the report: a heading, a chart or its table, and what is said beneath."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.glyph_button import GlyphButton
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.report.chart import PAD, Chart
from desktop_rater.ui.report.table_view import ReportTable
from desktop_rater.ui.theme_tokens import BOX_RADIUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.audit.report_tables import Table
    from desktop_rater.ui.report.chart import Draw

SIDE, TOP, BOTTOM, GAP = 15, 8, 10, 6
MUCH, UNBOUNDED = 1_000, 16_777_215


class Card(QFrame):
    """A frame with a heading; what it holds is put into `body`."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.title = PlainLabel()
        theme.write(self.title, bold=True)
        self.note = ElidedLabel()
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        theme.write(self.note, "small")
        theme.quiet(self.note)
        self.head = QHBoxLayout()
        self.head.addWidget(self.title)
        self.head.addWidget(self.note, 1)
        self.column = QVBoxLayout(self)
        self.column.addLayout(self.head)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        side, inner = theme.px(SIDE - PAD), theme.px(PAD)
        self.column.setContentsMargins(side, theme.px(TOP), side, theme.px(BOTTOM))
        self.head.setContentsMargins(inner, 0, inner, 0)
        self.column.setSpacing(theme.px(GAP))

    def say(self, title: str, note: str) -> None:
        """The heading, and what stands beside it."""
        self.title.setText(title)
        self.note.setText(note)
        self.setAccessibleName(title)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.line), 1))
        painter.setBrush(QColor(colors.surface))
        radius = theme.px(BOX_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()


class TableButton(GlyphButton):
    """Filled while the table is shown."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.isChecked():
            colors = theme.tokens(self)
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.accent), 1))
            painter.setBrush(QColor(colors.sel))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            painter.end()
        super().paintEvent(_event)


class ChartCard(Card):
    """A chart, which can be looked at as a table. Where there is nothing to draw it says why."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.chart = Chart(f"{name}_chart")
        self.table = ReportTable(f"{name}_table")
        self._nothing = WrappedLabel(name=f"{name}_nothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        theme.quiet(self._nothing)
        self.button = TableButton(QCoreApplication.translate("Report", "Show as table"), "table")
        self.button.setObjectName(f"{name}_as_table")
        self.button.setCheckable(True)
        self.button.toggled.connect(lambda _on: self._show())
        self.head.addWidget(self.button)
        self._room = QWidget()
        self._body = QStackedLayout(self._room)
        self._body.setContentsMargins(0, 0, 0, 0)
        for one in (self.chart, self.table, self._nothing):
            self._body.addWidget(one)
        self.column.addWidget(self._room, MUCH)
        self.foot = WrappedLabel()
        theme.follow(self.foot, lambda: self.foot.setContentsMargins(theme.px(PAD), 0, theme.px(PAD), 0))
        theme.write(self.foot, "small")
        theme.quiet(self.foot)
        self.column.addWidget(self.foot)
        self.column.addStretch(1)
        theme.follow(self, self._show)
        self.setFocusProxy(self.chart)

    @property
    def as_table(self) -> bool:
        """Whether the table is shown."""
        return self.button.isChecked()

    @property
    def shown(self) -> QWidget:
        """The chart, the table, or why there is neither."""
        if self._nothing.text():
            return self._nothing
        return self.table if self.as_table else self.chart

    def toggle_table(self) -> None:
        """Show the table in the place of the chart, or the chart again. The focus goes along."""
        if not self.button.isEnabled():
            return
        inside = self.shown.hasFocus()
        self.button.toggle()
        if inside:
            self.shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_chart(self, draw: Draw, table: Table, foot: Sequence[str]) -> None:
        """Show a chart, its table, and what is said beneath."""
        self._nothing.setText("")
        self.table.setAccessibleName(self.title.text())
        self.chart.show_chart(self.title.text(), draw)
        self.table.show_table(table)
        self.foot.setText("\n".join(one for one in foot if one))
        self._show()

    def show_nothing(self, why: str) -> None:
        """Say why there is no chart."""
        self._nothing.setText(why)
        self.foot.setText("")
        self._show()

    def _show(self) -> None:
        there = not self._nothing.text()
        self.button.setEnabled(there)
        self.foot.setVisible(bool(self.foot.text()))
        # What is said beneath stands right under a chart that needs less than there is.
        chart = there and not self.as_table
        self._room.setMaximumHeight(self.chart.sizeHint().height() if chart else UNBOUNDED)
        self._body.setCurrentWidget(self.shown)
        self.setFocusProxy(self.shown)
