"""Cards of the report: a heading, a chart or its table, and notes below; and the places behind a figure."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from desktop_rater.audit.report_panels import DrawPicture, ReportPanel, ReportTableData
from desktop_rater.ui.report.chart import CHART_PAD, ChartView
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import GlyphButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, set_optional_text, visible
from desktop_rater.ui.widgets.layouts import fill
from desktop_rater.ui.widgets.theme import paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import BOX_RADIUS

SIDE, TOP, BOTTOM, GAP = 15, 8, 10, 6
LARGE_STRETCH, MAX_WIDGET_HEIGHT, PLACES_HEIGHT = 1_000, 16_777_215, 38 + 7 * 30 + 2


class ReportCard(QFrame):
    """A frame with a heading; the content goes into `column`."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.title = PlainLabel(bold=True)
        self.note = ElidedLabel(size="small", ink="text2")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.head = fill(QHBoxLayout(), self.title, (self.note, 1))
        self.column = fill(QVBoxLayout(self), self.head)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        side, inner = theme.px(SIDE - CHART_PAD), theme.px(CHART_PAD)
        self.column.setContentsMargins(side, theme.px(TOP), side, theme.px(BOTTOM))
        self.head.setContentsMargins(inner, 0, inner, 0)
        self.column.setSpacing(theme.px(GAP))

    def set_title(self, title: str, note: str) -> None:
        self.title.setText(title)
        self.note.setText(note)
        self.setAccessibleName(visible(title))

    def height_for(self, width: int) -> int:
        """Return the height at which nothing of the card has to be scrolled."""
        return self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        with smooth_painter(self) as painter:
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.setBrush(QColor(colors.surface))
            radius = theme.px(BOX_RADIUS)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


class TextCard(ReportCard):
    """The summary of a report in sentences; hidden without any."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.first, self.text = WrappedLabel(name=f"{name}_first"), WrappedLabel(name=f"{name}_text")
        theme.set_type(self.first, bold=True)
        for label in (self.first, self.text):
            self.column.addWidget(label)
            theme.follow(label, partial(_indent, label))

    def show_panel(self, panel: ReportPanel) -> None:
        self.set_title(panel.title, panel.note)
        self.first.setText("".join(panel.foot[:1]))
        self.text.setText("\n".join(panel.foot[1:]))
        self.setVisible(bool(panel.foot))


class TableToggle(GlyphButton):
    """A button that is filled while the table is shown."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.isChecked():
            colors = theme.tokens(self)
            with smooth_painter(self) as painter:
                paint_box(
                    painter,
                    QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                    4,
                    fill=QColor(colors.sel),
                    edge=QPen(QColor(colors.accent), 1),
                )
        super().paintEvent(_event)


class TableCard(ReportCard):
    """A table with a heading and notes below."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.table = ReportTable(f"{name}_table")
        self.foot = note_label()
        self.column.addWidget(self.table, LARGE_STRETCH)
        fill(self.column, self.foot, 1)
        self.setFocusProxy(self.table)

    def show_panel(self, panel: ReportPanel) -> None:
        self.set_title(panel.title, panel.note)
        self.table.setAccessibleName(panel.title)
        self.table.show_table(panel.table)
        self.table.setMaximumHeight(self.table.sizeHint().height())
        set_optional_text(self.foot, "\n".join(panel.foot))


def note_label() -> WrappedLabel:
    """Return an empty label for the notes below a chart or a table."""
    foot = WrappedLabel(size="small", ink="text2")
    theme.follow(foot, partial(_indent, foot))
    return foot


def _indent(label: WrappedLabel) -> None:
    label.setContentsMargins(theme.px(CHART_PAD), 0, theme.px(CHART_PAD), 0)


class ChartCard(ReportCard):
    """A chart that can be shown as a table; without data, a label with the reason."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.chart = ChartView(f"{name}_chart")
        self.table = ReportTable(f"{name}_table")
        self._reason = WrappedLabel(name=f"{name}_reason", ink="text2")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.button = TableToggle(QCoreApplication.translate("Report", "Show as a table"), "table")
        self.button.setObjectName(f"{name}_as_table")
        self.button.setCheckable(True)
        self.button.toggled.connect(lambda _on: self._update())
        self.head.addWidget(self.button)
        self._content_box = QWidget()
        self._body = QStackedLayout(self._content_box)
        self._body.setContentsMargins(0, 0, 0, 0)
        for widget in (self.chart, self.table, self._reason):
            self._body.addWidget(widget)
        self.content_row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.content_row.addWidget(self._content_box, LARGE_STRETCH)
        self.column.addLayout(self.content_row, LARGE_STRETCH)
        self.foot = note_label()
        fill(self.column, self.foot, 1)
        theme.follow(self, self._update)
        self.setFocusProxy(self.chart)

    @property
    def as_table(self) -> bool:
        return self.button.isChecked()

    @property
    def content(self) -> QWidget:
        """The chart, the table, or the label that says why there is neither."""
        if self._reason.text():
            return self._reason
        return self.table if self.as_table else self.chart

    def height_for(self, width: int) -> int:
        """Return the height at which nothing of the card has to be scrolled."""
        margins, spacing = self.column.contentsMargins(), self.column.spacing()
        inner = width - margins.left() - margins.right()
        heights = [self.head.sizeHint().height(), self.content_height(inner)]
        if self.foot.text():
            heights.append(self.foot.heightForWidth(inner))
        return margins.top() + margins.bottom() + sum(heights) + spacing * len(heights)

    def content_height(self, width: int) -> int:
        """Return the height of the chart, or of the table that is shown instead."""
        return self.table.sizeHint().height() if self.as_table else self.chart.height_for(width)

    def toggle_table(self) -> None:
        """Switch between chart and table; the focus follows."""
        if not self.button.isEnabled():
            return
        inside = self.content.hasFocus()
        self.button.toggle()
        if inside:
            self.content.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_chart(self, draw: DrawPicture, table: ReportTableData, foot: Sequence[str]) -> None:
        self._reason.setText("")
        self.table.setAccessibleName(self.title.text())
        self.chart.show_chart(self.title.text(), draw)
        self.table.show_table(table)
        self.foot.setText("\n".join(note for note in foot if note))
        self._update()

    def show_nothing(self, why: str) -> None:
        self._reason.setText(why)
        self.foot.setText("")
        self._update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update()

    def _update(self) -> None:
        has_chart = not self._reason.text()
        self.button.setEnabled(has_chart)
        self.foot.setVisible(bool(self.foot.text()))
        # Keep the notes right below a chart that is shorter than the card.
        chart_visible = has_chart and not self.as_table
        margins = self.column.contentsMargins()
        height = self.chart.height_for(self.width() - margins.left() - margins.right())
        self._content_box.setMaximumHeight(height if chart_visible else MAX_WIDGET_HEIGHT)
        self._body.setCurrentWidget(self.content)
        self.setFocusProxy(self.content)


class PlacesCard(ReportCard):
    """The places behind a figure. `open_wanted` carries the task and place to open in the review."""

    open_wanted = Signal(str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.table = ReportTable(f"{name}_table", names=False)
        self._none = WrappedLabel()
        self.open_button = LinkButton(
            QCoreApplication.translate("Report", "Open in review"),
            "Enter",
            name=f"{name}_open",
            clicked=self.open_chosen,
            enter_at=self.table,
        )
        self.table.doubleClicked.connect(lambda _index: self.open_chosen())
        self.head.addWidget(self.open_button)
        fill(self.column, (self.table, LARGE_STRETCH), self._none)
        self.setFocusProxy(self.table)

    def show_places(self, panel: ReportPanel) -> None:
        self.set_title(panel.title, panel.note)
        self.table.setAccessibleName(panel.title)
        self.table.show_table(panel.table)
        self._none.setText(" ".join(panel.foot))
        self.open_button.setVisible(bool(panel.table.rows))
        self.table.choose(0)

    def height_for(self, width: int) -> int:  # noqa: ARG002 - as high as its rows
        margins = self.column.contentsMargins()
        body = self.table.sizeHint().height() if self.open_button.isVisibleTo(self) else self._none.sizeHint().height()
        parts = (margins.top(), margins.bottom(), self.head.sizeHint().height(), 2 * self.column.spacing())
        return sum(parts) + min(body, theme.px(PLACES_HEIGHT))

    def open_chosen(self) -> None:
        if self.table.key:
            self.open_wanted.emit(*self.table.key)
