"""The card with two rounds of the same tasks: a chart, and the places that turned."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from desktop_rater.audit import round_panels
from desktop_rater.audit.charts.shapes import Key
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.systems import RoundsReport, SystemsReport
from desktop_rater.audit.systems_texts import SystemsTexts
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.report.card import LARGE_STRETCH, ChartCard
from desktop_rater.ui.report.chart import CHART_PAD
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import tight_column

BESIDE, LIST_HEIGHT = 760, 300  # minimum width for the list beside the chart
STRIP_PAD = 8


class RoundsCard(ChartCard):
    """Tasks that turned better or worse. `open_wanted` carries the task and place to open in the review."""

    open_wanted = Signal(str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._report: SystemsReport | None = None
        self._rounds: RoundsReport | None = None
        self._texts = SystemsTexts()
        self.turn = ""
        self._strip = QWidget()
        theme.set_ground(self._strip, "sel")
        strip = QHBoxLayout(self._strip)
        self.counts, self.gain = PlainLabel(bold=True), WrappedLabel(name=f"{name}_gain")
        strip.addWidget(self.counts)
        strip.addWidget(self.gain, 1)
        self.column.insertWidget(1, self._strip)
        self.places = ReportTable(f"{name}_places", names=False)
        self.open_button = LinkButton(
            QCoreApplication.translate("Report", "Open in review"),
            "Enter",
            name=f"{name}_open",
            clicked=self.open_chosen,
        )
        self.places.doubleClicked.connect(lambda _index: self.open_chosen())
        self.turns = {turn: ChoiceButton("") for turn in round_panels.TURNS}
        self._side = QWidget()
        side = tight_column(self._side)
        row = QHBoxLayout()
        for turn, button in self.turns.items():
            button.setObjectName(f"{name}_{turn}")
            button.clicked.connect(lambda _on=False, turn=turn: self.show_turn(turn))
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.open_button)
        side.addLayout(row)
        side.addWidget(self.places, 1)
        self.content_row.addWidget(self._side, LARGE_STRETCH)
        self.chart.chosen.connect(self._choose_task)
        self.chart.stays_marked = True
        self.places.moved.connect(lambda _row: self._mark_task())
        self.button.toggled.connect(lambda _on: self._place_list())

        def measure() -> None:
            pad = theme.px(STRIP_PAD)
            strip.setContentsMargins(pad, theme.px(4), pad, theme.px(4))
            strip.setSpacing(2 * pad)
            side.setContentsMargins(theme.px(CHART_PAD), 0, theme.px(CHART_PAD), 0)
            side.setSpacing(theme.px(CHART_PAD))

        theme.follow(self, measure)

    def show_rounds(self, report: SystemsReport, rounds: RoundsReport, panel: ReportPanel, texts: SystemsTexts) -> None:
        self._report, self._rounds, self._texts = report, rounds, texts
        self.counts.setText(round_panels.rounds_text(rounds, texts))
        self.gain.setText(round_panels.gain_text(report, rounds, texts))
        for turn, text in round_panels.turn_texts(rounds, texts).items():
            self.turns[turn].set_label(text)
        if panel.draw is not None:
            self.show_chart(panel.draw, panel.table, panel.foot)
        self.show_turn("worse" if rounds.worse else "better")

    def show_turn(self, turn: str) -> None:
        """List the places of the tasks that turned better, worse, or are the same."""
        if self._report is None or self._rounds is None:
            return
        self.turn = turn
        for name, button in self.turns.items():
            button.setChecked(name == turn)
        self.places.show_table(round_panels.turned_table(self._report, self._rounds, turn, self._texts))
        self.places.setAccessibleName(self.turns[turn].label)
        if self.places.table_model.rowCount():
            self.places.choose(0)

    def _choose_task(self, key: Key) -> None:
        """Show the places of the task of a line of the chart."""
        assert self._rounds is not None, "there is a chart once there are rounds"
        self.show_turn(self._rounds.tasks[int(key[1])].turn)
        self.places.choose([row[0] for row in self.places.table_model.table.keys].index(str(key[1])))
        self.places.setFocus(Qt.FocusReason.OtherFocusReason)

    def _mark_task(self) -> None:
        """Mark the line of the task whose place is current in the list."""
        if self.places.key:
            self.chart.mark_key(("task", int(self.places.key[0])))

    def open_chosen(self) -> None:
        key = self.places.key
        if key:
            self.open_wanted.emit(key[1], key[2])

    def content_height(self, width: int) -> int:
        beside = self._is_beside(width)
        inner = width - 2 * theme.px(STRIP_PAD) - self.counts.sizeHint().width()
        strip = max(self.gain.heightForWidth(max(1, inner)), self.counts.sizeHint().height()) + theme.px(14)
        side = theme.px(LIST_HEIGHT)
        body = super().content_height(width // 2 if beside else width)
        return strip + (max(side, body) if beside else side + body + theme.px(CHART_PAD))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_list()

    def _place_list(self) -> None:
        beside = self._is_beside(self.width())
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self.content_row.setDirection(direction)

    def _is_beside(self, width: int) -> bool:
        return width >= theme.px(BESIDE) and not self.as_table
