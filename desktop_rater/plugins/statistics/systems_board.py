"""The cards about systems, laid out in one to three columns."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QWidget

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import ReportPanel, summary_panel
from desktop_rater.plugins.statistics import systems_panels
from desktop_rater.plugins.statistics.rounds import TURNS, gain_text, rounds_text, turn_texts, turned_table
from desktop_rater.plugins.statistics.systems import RoundsReport, SystemsReport
from desktop_rater.plugins.statistics.systems_meanings import systems_meanings
from desktop_rater.ui.report.card import LARGE_STRETCH, ChartCard, PlacesCard, ReportCard, TextCard
from desktop_rater.ui.report.chart import CHART_PAD
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, LinkButton
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
        self._texts = Wording()
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
            enter_at=self.places,
        )
        self.places.doubleClicked.connect(lambda _index: self.open_chosen())
        self.turns = {turn: ChoiceButton("") for turn in TURNS}
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

    def show_rounds(self, report: SystemsReport, rounds: RoundsReport, panel: ReportPanel, texts: Wording) -> None:
        self._report, self._rounds, self._texts = report, rounds, texts
        self.counts.setText(rounds_text(rounds, texts))
        self.gain.setText(gain_text(report, rounds, texts))
        for turn, text in turn_texts(rounds, texts).items():
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
        self.places.show_table(turned_table(self._report, self._rounds, turn, self._texts))
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


THREE_COLUMNS, TWO_COLUMNS = 1_180, 800  # minimum widths
GAP, SIDE, MAX_HEIGHT = 12, 16, 1_400
FIRST, LAST = ("wrote", "places"), "answers"  # cards over all columns
translate = QCoreApplication.translate


class SystemsBoard(QScrollArea):
    """The cards that have something to show. `figure_wanted` carries the key of a chosen figure."""

    figure_wanted = Signal(tuple)
    open_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("systems_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.setWidget(self._inside)
        self.cards: dict[str, ChartCard | PlacesCard] = {}
        self._shown: tuple[str, ...] = ()
        self.places = PlacesCard("systems_places", self._inside)
        self.places.hide()
        self.places.open_wanted.connect(self.open_wanted)
        self.summary = TextCard("systems_summary", self._inside)
        self.cards["places"] = self.places
        theme.follow(self, self._arrange)

    def show_report(self, report: SystemsReport, texts: Wording) -> None:
        """Show a card for each panel; cards stay, so that the focus and the table of a card do."""
        panels = systems_panels.all_panels(report, texts)
        self.summary.show_panel(summary_panel(systems_meanings(report, texts).summary, texts))
        for name, panel in panels.items():
            card = self._card(name)
            card.set_title(panel.title, panel.note)
            if isinstance(card, RoundsCard) and report.rounds is not None:
                card.show_rounds(report, report.rounds, panel, texts)
            elif panel.draw is not None:
                card.show_chart(panel.draw, panel.table, panel.foot)
        names = list(panels)
        self._shown = (*names[:1], "places", *names[1:])
        self.places.hide()
        for name, card in self.cards.items():
            if name != "places":
                card.setVisible(name in panels)
        self._arrange()

    def _card(self, name: str) -> ChartCard:
        card = self.cards.get(name)
        if not isinstance(card, ChartCard):
            kind = RoundsCard if name == "rounds" else ChartCard
            card = self.cards[name] = kind(f"systems_{name}", self._inside)
            card.chart.chosen.connect(self._chosen)
            card.button.toggled.connect(lambda _on: self._arrange())
            if isinstance(card, RoundsCard):
                card.open_wanted.connect(self.open_wanted)
        return card

    def _chosen(self, key: Key) -> None:
        if key[0] in {"difference", "strength", "duel"} or (key[0] == "figure" and len(key) > 2):
            self.figure_wanted.emit(key)

    def show_places(self, panel: ReportPanel) -> None:
        """Show the places behind a figure below the first card."""
        self.places.show_places(panel)
        self.places.show()
        self._arrange()
        self.places.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(self.places)

    def hide_places(self) -> bool:
        """Close the list of places; return whether it was open."""
        was_open = not self.places.isHidden()
        self.places.hide()
        self._arrange()
        return was_open

    def panes(self) -> tuple[ReportCard, ...]:
        return tuple(self.cards[name] for name in self._shown if not self.cards[name].isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _arrange(self) -> None:
        """Set the geometry of the cards: each goes into the column that is shortest; two rounds take two columns."""
        px = theme.px
        side, gap, width = px(SIDE), px(GAP), self.viewport().width()
        names = [name for name in self._shown if not self.cards[name].isHidden()]
        narrow = [name for name in names if name not in {*FIRST, LAST}]
        columns = 3 if width >= px(THREE_COLUMNS) else 2 if width >= px(TWO_COLUMNS) else 1
        spans = {"rounds": min(2, columns)}
        columns = max(1, min(columns, sum(spans.get(name, 1) for name in narrow)))
        column_width = (width - 2 * side - gap * (columns - 1)) / columns
        top = side
        if not self.summary.isHidden():
            self.summary.setGeometry(side, side, width - 2 * side, self.summary.height_for(width - 2 * side))
            top += self.summary.height() + gap
        bottoms = [top] * columns
        order = [name for name in FIRST if name in names]
        order += sorted(narrow, key=lambda name: name != "rounds")
        order += [LAST] if LAST in names else []
        for name in order:
            card = self.cards[name]
            as_table = isinstance(card, ChartCard) and card.as_table
            span = spans.get(name, 1) if name in narrow and not as_table else columns
            starts = range(columns - span, -1, -1) if name == "rounds" else range(columns - span + 1)
            start = min(starts, key=lambda at: max(bottoms[at : at + span]))
            top = max(bottoms[start : start + span])
            left = side + start * (column_width + gap)
            right = left + column_width * span + gap * (span - 1)
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                left, right = width - right, width - left
            height = min(card.height_for(round(right - left)), px(MAX_HEIGHT))
            card.setGeometry(round(left), top, round(right) - round(left), height)
            bottoms[start : start + span] = [top + height + gap] * span
        self._inside.resize(width, max(bottoms) - gap + side)
