"""The cards of the report, laid out in one to three columns."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_panels import (
    ReportPanel,
    agreement_panel,
    confusion_panel,
    models_panel,
    shares_panel,
    times_panel,
)
from desktop_rater.audit.report_tables import MANY_RATERS
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.audit.scales.scale_panels import scale_panel, scale_raters_panel, trends_panel
from desktop_rater.ui.report.card import ChartCard, ReportCard, TableCard
from desktop_rater.ui.report.raters_card import RatersCard
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme

THREE_COLUMNS, TWO_COLUMNS = 1_180, 720  # minimum widths for three and two columns
GAP, SIDE = 12, 16
UPPER_CARDS = {"agreement", "confusion", "shares", "times", "raters"}
UPPER, LOWER, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT, MAX_RATERS_HEIGHT = 285, 355, 250, 460, 560
translate = QCoreApplication.translate
CardPlace = tuple[int, int, int]  # row, column, columns
CardRows = tuple[tuple[tuple[str, int], ...], ...]  # rows of cards, each with the number of its columns
CARD_ROWS: dict[int, CardRows] = {
    3: (
        (("agreement", 1), ("confusion", 1), ("shares", 1)),
        (("times", 1), ("raters", 2)),
        (("scale", 1), ("scale_raters", 2)),
        (("models", 3),),
        (("trends", 3),),
    ),
    2: (
        (("agreement", 1), ("confusion", 1)),
        (("shares", 1), ("times", 1)),
        (("raters", 2),),
        (("scale", 2),),
        (("scale_raters", 2),),
        (("models", 2),),
        (("trends", 2),),
    ),
    1: tuple(
        ((name, 1),)
        for name in ("agreement", "confusion", "shares", "times", "raters", "scale", "scale_raters", "models", "trends")
    ),
}
# With many raters each card is as high as it is: the screen scrolls as one page, the raters first.
LONG_CARD_ROWS: dict[int, CardRows] = {
    3: (
        (("agreement", 1), ("confusion", 1), ("scale", 1)),
        (("raters", 3),),
        (("scale_raters", 3),),
        (("shares", 2), ("times", 1)),
        (("models", 3),),
        (("trends", 3),),
    ),
    2: (
        (("agreement", 1), ("confusion", 1)),
        (("scale", 2),),
        (("raters", 2),),
        (("scale_raters", 2),),
        (("shares", 1), ("times", 1)),
        (("models", 2),),
        (("trends", 2),),
    ),
    1: tuple(
        ((name, 1),)
        for name in ("agreement", "confusion", "scale", "raters", "scale_raters", "shares", "times", "models", "trends")
    ),
}


class ReportBoard(QScrollArea):
    """The cards of the report. Charts emit `question_wanted` and `rater_wanted` for a chosen row or bar."""

    question_wanted = Signal(str)
    rater_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._waiting: list[Callable[[], None]] = []  # what shows the other cards
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._show_next)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.agreement, self.confusion = ChartCard("report_agreement"), ChartCard("report_confusion")
        self.shares, self.times = ChartCard("report_shares"), ChartCard("report_times")
        self.raters = RatersCard("report_raters")
        self.scale, self.scale_raters = ChartCard("report_scale"), TableCard("report_scale_raters")
        self.models, self.trends = TableCard("report_models"), TableCard("report_trends")
        self.cards: dict[str, ReportCard] = {
            "agreement": self.agreement,
            "confusion": self.confusion,
            "shares": self.shares,
            "times": self.times,
            "raters": self.raters,
            "scale": self.scale,
            "scale_raters": self.scale_raters,
            "models": self.models,
            "trends": self.trends,
        }
        for card in self.cards.values():
            card.setParent(self._inside)
        self.setWidget(self._inside)
        for card in (self.agreement, self.shares, self.times):
            card.chart.chosen.connect(self._chosen)
        self.raters.resized.connect(self._arrange)
        for table in (self.raters.table, self.scale_raters.table, self.trends.table):
            table.moved.connect(lambda _row, table=table: self._follow_row(table))
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._follow_focus)
        theme.follow(self, self._arrange)

    def show_report(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        """Show the figures; those of many raters card by card, so that the window answers in between."""
        cards = (self._show_agreement, self._show_scale, self._show_raters, self._show_shares, self._show_times)
        tables = (
            (self.scale_raters, partial(scale_raters_panel, report, question, texts)),
            (self.models, partial(models_panel, report, texts)),
            (self.trends, partial(trends_panel, report, texts)),
        )
        self._waiting = [partial(show, report, question, texts) for show in cards]
        self._waiting += [partial(_show_table, card, panel) for card, panel in tables]
        self._show_next()
        while self._waiting and len(report.raters) <= MANY_RATERS:
            self._show_next()
        if self._waiting:
            self._timer.start()
        else:
            self._arrange()

    @property
    def is_complete(self) -> bool:
        """Tell if all cards are shown."""
        return not self._waiting

    def _show_next(self) -> None:
        self._waiting.pop(0)()
        if not self._waiting:
            self._timer.stop()
        if self._timer.isActive() or not self._waiting:
            self._arrange()

    def _show_agreement(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        agreement, confusion = agreement_panel(report, question, texts), confusion_panel(report, question, texts)
        none = translate("Report", "This rubric has no questions whose answers can be compared.")
        _fill(self.agreement, agreement, tuple(filter(None, agreement.foot[1:2])), none)  # the heading has the base
        no_majority = translate("Report", "No rating can be compared: the other raters have no majority.")
        _fill(self.confusion, confusion, confusion.foot, no_majority)

    def _show_raters(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        self.raters.show_report(report, question, texts)

    def _show_shares(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        shares = shares_panel(report, question, texts)
        _fill(self.shares, shares, (" ".join(shares.foot),), texts.many_labels if report.raters else texts.no_label)

    def _show_times(self, report: AuditReport, _question: str, texts: ReportTexts) -> None:
        times = times_panel(report, texts)
        _fill(self.times, times, times.foot, texts.no_time)
        self.times.setVisible(times.draw is not None)

    def _show_scale(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        scale = scale_panel(report, question, texts)
        self.scale.setVisible(scale is not None)
        if scale is not None:
            _fill(self.scale, scale, scale.foot, texts.no_pair)

    def panes(self) -> tuple[ReportCard, ...]:
        shown = (card for card in self.cards.values() if not card.isHidden())
        return tuple(card for card in shown if not isinstance(card, ChartCard) or card.button.isEnabled())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _chosen(self, key: tuple[str, ...]) -> None:
        if key[0] == "question":
            self.question_wanted.emit(key[1])
        elif key[0] == "rater":
            self.rater_wanted.emit(key[1])

    def _places(self, columns: int) -> dict[str, CardPlace]:
        """Return the place of each card; where one is hidden, the last one of its row takes its columns."""
        places: dict[str, CardPlace] = {}
        row = 0
        for names in (LONG_CARD_ROWS if self.raters.is_long else CARD_ROWS)[columns]:
            column = 0
            visible = [(name, span) for name, span in names if not self.cards[name].isHidden()]
            for name, span in visible:
                places[name] = row, column, columns - column if name == visible[-1][0] else span
                column += span
            row += bool(visible)
        return places

    def _arrange(self) -> None:
        """Set the geometry of the cards: three columns of few raters fill the window; everything else scrolls."""
        px, port = theme.px, self.viewport().size()
        columns = 3 if port.width() >= px(THREE_COLUMNS) else 2 if port.width() >= px(TWO_COLUMNS) else 1
        side, gap = px(SIDE), px(GAP)
        width = (port.width() - 2 * side - gap * (columns - 1)) / columns
        heights = self._heights(columns, width, port.height() - 2 * side)
        tops = [side + sum(heights[:row]) + gap * row for row in range(len(heights))]
        for name, (row, column, span) in self._places(columns).items():
            left = side + (width + gap) * column
            right = left + width * span + gap * (span - 1)
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                left, right = port.width() - right, port.width() - left
            self.cards[name].setGeometry(round(left), tops[row], round(right) - round(left), heights[row])
        self._inside.resize(port.width(), tops[-1] + heights[-1] + side)

    def _heights(self, columns: int, width: float, available: int) -> list[int]:
        """Return the heights of the rows."""
        px, places = theme.px, self._places(columns)
        heights = [0] * (1 + max(row for row, _column, _span in places.values()))
        long = self.raters.is_long
        for name, (row, _column, span) in places.items():
            card, wide = self.cards[name], round(width * span + px(GAP) * (span - 1))
            needed = card.height_for(wide)
            if not long:
                least = MIN_ROW_HEIGHT if name in UPPER_CARDS else 0
                most = MAX_RATERS_HEIGHT if name == "raters" else MAX_ROW_HEIGHT if columns < max(CARD_ROWS) else LOWER
                needed = max(px(least), min(needed, px(most)))
            heights[row] = max(heights[row], needed)
        if columns == max(CARD_ROWS) and not long:
            shared = max(available, px(UPPER + LOWER)) - px(GAP)
            heights[0] = round(shared * UPPER / (UPPER + LOWER))
            heights[1] = shared - heights[0]
            if not self.scale.isHidden():
                heights[2] = px(LOWER)
        return heights

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Scroll to what got the focus, on a page that is longer than the window."""
        if isinstance(new, ReportTable):
            self._follow_row(new)
        elif new is not None and self.raters.is_long and self._inside.isAncestorOf(new):
            self.ensureWidgetVisible(new, 0, theme.px(GAP))

    def _follow_row(self, table: ReportTable) -> None:
        """Scroll to the row that was moved to."""
        if self.raters.is_long and table.hasFocus() and self._inside.isAncestorOf(table):
            rect = table.visualRect(table.currentIndex())
            place = table.viewport().mapTo(self._inside, rect.center())
            self.ensureVisible(0, place.y(), 0, 2 * rect.height())


def _fill(card: ChartCard, panel: ReportPanel, foot: Sequence[str], missing: str) -> None:
    card.set_title(panel.title, panel.note)
    if panel.draw is None:
        card.show_nothing(missing)
    else:
        card.show_chart(panel.draw, panel.table, foot)


def _show_table(card: TableCard, panel_of: Callable[[], ReportPanel | None]) -> None:
    panel = panel_of()
    card.setVisible(panel is not None)
    if panel is not None:
        card.show_panel(panel)
