"""The cards of the report, laid out in one to three columns."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_panels import ReportPanel, agreement_panel, confusion_panel, shares_panel, times_panel
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.audit.scales.scale_panels import scale_panel, scale_raters_panel
from desktop_rater.ui.report.card import ChartCard, ReportCard, TableCard
from desktop_rater.ui.report.raters_card import RatersCard
from desktop_rater.ui.widgets import theme

THREE_COLUMNS, TWO_COLUMNS = 1_180, 720  # minimum widths for three and two columns
GAP, SIDE = 12, 16
UPPER, LOWER, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT, MAX_RATERS_HEIGHT = 285, 355, 250, 460, 560
translate = QCoreApplication.translate
CardPlace = tuple[int, int, int]  # row, column, columns
CARD_PLACES: dict[int, dict[str, CardPlace]] = {
    3: {"agreement": (0, 0, 1), "confusion": (0, 1, 1), "shares": (0, 2, 1), "times": (1, 0, 1), "raters": (1, 1, 2)},
    2: {"agreement": (0, 0, 1), "confusion": (0, 1, 1), "shares": (1, 0, 1), "times": (1, 1, 1), "raters": (2, 0, 2)},
    1: {"agreement": (0, 0, 1), "confusion": (1, 0, 1), "shares": (2, 0, 1), "times": (3, 0, 1), "raters": (4, 0, 1)},
}
SCALE_PLACES: dict[int, dict[str, CardPlace]] = {
    3: {"scale": (2, 0, 1), "scale_raters": (2, 1, 2)},
    2: {"scale": (3, 0, 2), "scale_raters": (4, 0, 2)},
    1: {"scale": (5, 0, 1), "scale_raters": (6, 0, 1)},
}


class ReportBoard(QScrollArea):
    """The cards of the report. Charts emit `question_wanted` and `rater_wanted` for a chosen row or bar."""

    question_wanted = Signal(str)
    rater_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.agreement, self.confusion = ChartCard("report_agreement"), ChartCard("report_confusion")
        self.shares, self.times = ChartCard("report_shares"), ChartCard("report_times")
        self.raters = RatersCard("report_raters")
        self.scale, self.scale_raters = ChartCard("report_scale"), TableCard("report_scale_raters")
        self.cards: dict[str, ReportCard] = {
            "agreement": self.agreement,
            "confusion": self.confusion,
            "shares": self.shares,
            "times": self.times,
            "raters": self.raters,
            "scale": self.scale,
            "scale_raters": self.scale_raters,
        }
        for card in self.cards.values():
            card.setParent(self._inside)
        self.setWidget(self._inside)
        for card in (self.agreement, self.shares, self.times):
            card.chart.chosen.connect(self._chosen)
        theme.follow(self, self._arrange)

    def show_report(self, report: AuditReport, question: str, texts: ReportTexts) -> None:
        agreement, confusion = agreement_panel(report, question, texts), confusion_panel(report, question, texts)
        shares, times = shares_panel(report, question, texts), times_panel(report, texts)
        none = translate("Report", "This rubric has no questions whose answers can be compared.")
        _fill(self.agreement, agreement, tuple(filter(None, agreement.foot[1:2])), none)  # the heading has the base
        no_majority = translate("Report", "No rating can be compared: the other raters have no majority.")
        _fill(self.confusion, confusion, confusion.foot, no_majority)
        _fill(self.shares, shares, (" ".join(shares.foot),), texts.many_labels if report.raters else texts.no_label)
        _fill(self.times, times, times.foot, texts.no_time)
        self.raters.show_report(report, question, texts)
        scale, of_raters = scale_panel(report, question, texts), scale_raters_panel(report, question, texts)
        for card, panel in ((self.scale, scale), (self.scale_raters, of_raters)):
            card.setVisible(panel is not None)
        if scale is not None and of_raters is not None:
            _fill(self.scale, scale, scale.foot, texts.no_pair)
            self.scale_raters.show_panel(of_raters)
        self._arrange()

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
        return CARD_PLACES[columns] | ({} if self.scale.isHidden() else SCALE_PLACES[columns])

    def _arrange(self) -> None:
        """Set the geometry of the cards: three columns fill the window, a scale's below them; fewer scroll."""
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
        if columns == max(CARD_PLACES):
            shared = max(available, px(UPPER + LOWER)) - px(GAP)
            upper = round(shared * UPPER / (UPPER + LOWER))
            return [upper, shared - upper, *([] if self.scale.isHidden() else [px(LOWER)])]
        heights = [px(MIN_ROW_HEIGHT)] * (1 + max(row for row, _column, _span in places.values()))
        for name, (row, _column, _span) in places.items():
            card = self.cards[name]
            needed = card.heightForWidth(int(width)) if card.hasHeightForWidth() else card.sizeHint().height()
            heights[row] = max(heights[row], min(needed, px(MAX_ROW_HEIGHT if name != "raters" else MAX_RATERS_HEIGHT)))
        return heights


def _fill(card: ChartCard, panel: ReportPanel, foot: Sequence[str], missing: str) -> None:
    card.set_title(panel.title, panel.note)
    if panel.draw is None:
        card.show_nothing(missing)
    else:
        card.show_chart(panel.draw, panel.table, foot)
