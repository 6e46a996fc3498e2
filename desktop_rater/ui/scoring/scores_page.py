"""The scores of a run as a table: raters by name, which is no ranking, each figure with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit import shown
from desktop_rater.audit.report_tables import Cell, Column, Table
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.report.table_view import ReportTable
from desktop_rater.ui.report.words import wording

if TYPE_CHECKING:
    from desktop_rater.work.score_justifications import RaterScored, Scores

WAYS = ("AV", "AMV", "AFV", "AFMV")


class ScoresPage(QWidget):
    """What the report shows in its column of text scores from now on."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_scores")
        self.setAccessibleName(self.tr("Scores"))
        theme.ground(self, "surface")
        self._scores: Scores | None = None
        self.title = PlainLabel(name="scores_title")
        theme.write(self.title, "title", bold=True)
        self.note = WrappedLabel(name="scores_note")
        theme.quiet(self.note)
        self.table = ReportTable("scores_table")
        self.table.setAccessibleName(self.tr("Scores by rater"))
        ways = WrappedLabel(
            self.tr(
                "AV: mean over all points. AMV: over the point of each topic whose answer dares most. AFV, AFMV: the"
                " same over the two topics with the most points. 0.5 is what silence has, and any answer that is given"
                " without looking."
            )
        )
        theme.write(ways, "small")
        theme.quiet(ways)
        back = KeyButton(self.tr("Back to the texts"), "Esc")
        back.setObjectName("scores_back")
        back.clicked.connect(self.left)
        row = QHBoxLayout()
        row.addWidget(back)
        row.addStretch(1)
        column = QVBoxLayout(self)
        for one in (self.title, self.note, self.table, ways):
            column.addWidget(one)
        column.addLayout(row)
        column.addStretch(1)
        theme.pad(column, 24, 20, 24, 16)
        theme.follow(self, lambda: column.setSpacing(theme.px(10)))
        self.setFocusProxy(self.table)

    def show_scores(self, scores: Scores, model: str) -> None:
        """Show what a run came to; `model`: who answered, empty for the lead."""
        by_hand, by_model = self.tr("Scores by hand"), self.tr("Scores by the model {model}").format(model=model)
        self.title.setText(by_model if model else by_hand)
        total, scored = len(scores.texts), len(scores.texts) - scores.unscored
        said = self.tr("{scored} of {total} texts of raters are scored. The report shows AV as the text score.")
        words = said.format(scored=spelling.number(scored), total=spelling.number(total))
        noted = sum(bool(one.notes) and one.scores is not None for one in scores.texts)
        more = self.tr("Points of {n} texts count as silent, since the answers could not be used.")
        self.note.setText(f"{words} {more.format(n=spelling.number(noted))}" if noted else words)
        self.table.show_table(self._table(scores))
        self.table.setMinimumHeight(min(self.table.sizeHint().height(), theme.px(400)))
        self.table.setMaximumHeight(self.table.sizeHint().height())

    def _table(self, scores: Scores) -> Table:
        columns = (Column(self.tr("Rater")), Column(self.tr("Texts"), figures=True))
        raters = sorted(scores.raters, key=lambda one: one.rater)
        return Table(
            (*columns, *(Column(way, figures=True) for way in WAYS)),
            tuple(self._row(one) for one in raters),
            tuple((one.rater,) for one in raters),
        )

    def _row(self, one: RaterScored) -> tuple[Cell, ...]:
        words = wording()
        named = self.tr("{rater} (model)").format(rater=one.rater) if one.model else one.rater
        count = self.tr("{scored} of {written}").format(
            scored=spelling.number(one.scored), written=spelling.number(one.written)
        )
        figures = [one.figure(way) for way in WAYS]
        cells = [Cell(shown.with_interval(each, words, words.not_scored), quiet=each.value is None) for each in figures]
        return (Cell(named), Cell(count), *cells)
