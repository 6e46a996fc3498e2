"""The cards of the report side by side, in as many columns as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_rater.audit import report_tables
from desktop_rater.audit.charts import of_report
from desktop_rater.audit.charts.dots import dots
from desktop_rater.audit.charts.matrix import matrix
from desktop_rater.audit.charts.shares import shares
from desktop_rater.audit.charts.times import times
from desktop_rater.ui import theme
from desktop_rater.ui.report.card import Card, ChartCard
from desktop_rater.ui.report.raters_card import RatersCard

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.audit.report import Report
    from desktop_rater.audit.wording import Wording

THREE, TWO = 1_180, 720  # widths from which so many columns stand side by side
GAP, SIDE = 12, 16
UPPER, LOWER, LEAST, MOST, TALLEST = 285, 355, 250, 460, 560
Place = tuple[int, int, int]  # row, column, columns
PLACES: dict[int, dict[str, Place]] = {
    3: {"agreement": (0, 0, 1), "confusion": (0, 1, 1), "shares": (0, 2, 1), "times": (1, 0, 1), "raters": (1, 1, 2)},
    2: {"agreement": (0, 0, 1), "confusion": (0, 1, 1), "shares": (1, 0, 1), "times": (1, 1, 1), "raters": (2, 0, 2)},
    1: {"agreement": (0, 0, 1), "confusion": (1, 0, 1), "shares": (2, 0, 1), "times": (3, 0, 1), "raters": (4, 0, 1)},
}


class Board(QScrollArea):
    """`question_wanted` and `rater_wanted` come from charts where a row or a bar was chosen."""

    question_wanted = Signal(str)
    rater_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        theme.ground(self._inside, "win")
        self.agreement, self.confusion = ChartCard("report_agreement"), ChartCard("report_confusion")
        self.shares, self.times = ChartCard("report_shares"), ChartCard("report_times")
        self.raters = RatersCard("report_raters")
        self.cards: dict[str, Card] = {
            "agreement": self.agreement,
            "confusion": self.confusion,
            "shares": self.shares,
            "times": self.times,
            "raters": self.raters,
        }
        for card in self.cards.values():
            card.setParent(self._inside)
        self.setWidget(self._inside)
        for card in (self.agreement, self.shares, self.times):
            card.chart.chosen.connect(self._chosen)
        theme.follow(self, self._arrange)

    def show_report(self, report: Report, question: str, words: Wording) -> None:
        """Fill all cards."""
        _agreement(self.agreement, report, question, words)
        _confusion(self.confusion, report, question, words)
        _shares(self.shares, report, question, words)
        _times(self.times, report, words)
        self.raters.show_report(report, question, words)
        self._arrange()

    def panes(self) -> tuple[Card, ...]:
        """The cards that hold something."""
        return tuple(card for card in self.cards.values() if not isinstance(card, ChartCard) or card.button.isEnabled())

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

    def _arrange(self) -> None:
        """Put the cards in their places: three columns fill the window, fewer are scrolled through."""
        px, port = theme.px, self.viewport().size()
        columns = 3 if port.width() >= px(THREE) else 2 if port.width() >= px(TWO) else 1
        side, gap = px(SIDE), px(GAP)
        wide = (port.width() - 2 * side - gap * (columns - 1)) / columns
        heights = self._heights(columns, wide, port.height() - 2 * side)
        tops = [side + sum(heights[:row]) + gap * row for row in range(len(heights))]
        for name, (row, column, span) in PLACES[columns].items():
            left = side + (wide + gap) * column
            right = left + wide * span + gap * (span - 1)
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                left, right = port.width() - right, port.width() - left
            self.cards[name].setGeometry(round(left), tops[row], round(right) - round(left), heights[row])
        self._inside.resize(port.width(), tops[-1] + heights[-1] + side)

    def _heights(self, columns: int, wide: float, room: int) -> list[int]:
        """The heights of the rows."""
        px = theme.px
        if columns == max(PLACES):
            shared = max(room, px(UPPER + LOWER)) - px(GAP)
            upper = round(shared * UPPER / (UPPER + LOWER))
            return [upper, shared - upper]
        heights = [px(LEAST)] * (1 + max(row for row, _column, _span in PLACES[columns].values()))
        for name, (row, _column, _span) in PLACES[columns].items():
            card = self.cards[name]
            needed = card.heightForWidth(int(wide)) if card.hasHeightForWidth() else card.sizeHint().height()
            heights[row] = max(heights[row], min(needed, px(MOST if name != "raters" else TALLEST)))
        return heights


def _agreement(card: ChartCard, report: Report, question: str, words: Wording) -> None:
    card.say(words.agreement, words.intervals)
    rows = of_report.dot_rows(report, question, words)
    if not rows:
        card.show_nothing(QCoreApplication.translate("Report", "This rubric asks nothing that figures can compare."))
        return
    said = ". ".join(row.words for row in rows)
    card.show_chart(lambda sheet: dots(rows, sheet, said), report_tables.agreement(report, question, words), ())


def _confusion(card: ChartCard, report: Report, question: str, words: Wording) -> None:
    card.say(words.confusion, words.row_share)
    table = of_report.matrix_of(report, question, words)
    if table is None or not any(map(any, table.counts)):
        card.show_nothing(QCoreApplication.translate("Report", "No rating has a majority of others to stand against."))
        return
    confused = of_report.confused(table, words)
    foot = (confused, of_report.tied(report, question, words))
    card.show_chart(
        lambda sheet: matrix(table, sheet, confused), report_tables.confusion(report, question, words), foot
    )


def _shares(card: ChartCard, report: Report, question: str, words: Wording) -> None:
    card.say(words.shares, "")
    labels, rows = of_report.share_rows(report, question, words)
    if not rows:
        card.show_nothing(words.many_labels if report.raters else words.no_label)
        return
    foot = of_report.share_notes(report, question, words)
    table = report_tables.shares(report, question, words)
    card.show_chart(lambda sheet: shares(labels, rows, sheet, foot[0]), table, (" ".join(foot),))


def _times(card: ChartCard, report: Report, words: Wording) -> None:
    card.say(words.time_target if of_report.of_targets(report) else words.time_task, "")
    rows = of_report.time_rows(report, words)
    if all(row.median is None for row in rows):
        card.show_nothing(words.no_time)
        return
    seconds = report.guideline_seconds
    minutes = seconds / 60 if seconds is not None else None
    foot = (words.time_note, of_report.guideline_words(report, words))
    card.show_chart(
        lambda sheet: times(rows, sheet, unit=words.minutes, guideline=minutes, words=words.time_note),
        report_tables.times(report, words),
        foot,
    )
