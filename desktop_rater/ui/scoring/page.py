"""The page on which justifications are scored: a row above, points and text side by side, or what is in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton, Link
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.report.chooser import Chooser
from desktop_rater.ui.scoring.model_panel import ModelPanel
from desktop_rater.ui.scoring.points_pane import PointsPane
from desktop_rater.ui.scoring.points_sides import PointsSides
from desktop_rater.ui.scoring.scores_page import ScoresPage
from desktop_rater.ui.scoring.text_pane import TextPane
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import CONTROL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.ui.pane_sizes import PaneSizes
    from desktop_rater.ui.scoring.sheet import Sheet


class ScoringPage(QWidget):
    """Shows; what it means stands elsewhere."""

    question_wanted = Signal(str)
    trust_wanted = Signal(tuple)

    def __init__(self, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_page")
        theme.ground(self, "win")
        self.has_model = False
        self.banners = Banners()
        self.banners.setObjectName("scoring_banners")
        self.points, self.text = PointsPane(), TextPane()
        self.sides = PointsSides(self.points, self.text, sizes)
        self.scores, self.model = ScoresPage(), ModelPanel()
        self.waiting = PlainLabel(name="scoring_waiting")
        self.waiting.setContentsMargins(24, 24, 24, 24)
        self.stack = QStackedWidget()
        for one in (self.waiting, self._make_nothing(), self.sides, self.scores, self.model):
            self.stack.addWidget(one)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        column.addWidget(self.banners)
        column.addWidget(self.stack, 1)
        self.stack.currentChanged.connect(lambda _at: self._show_ways())

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=12, alike=False)
        self.title = PlainLabel(self.tr("Score justifications"), name="scoring_title")
        theme.write(self.title, bold=True)
        self.questions = Chooser("scoring_question")
        self.questions.chosen.connect(lambda now: self.question_wanted.emit(now[0]))
        self.trusted = Chooser("scoring_trusted", several=True)
        self.trusted.chosen.connect(self.trust_wanted)
        self.far = PlainLabel(name="scoring_far")
        theme.quiet(self.far)
        self.model_link = Link(self.tr("Language model…"), "L")
        self.model_link.setObjectName("scoring_to_model")
        self.scores_link = Link(self.tr("Scores"), "V")
        self.scores_link.setObjectName("scoring_to_scores")
        self.back = KeyButton(self.tr("Back to the report"), "Esc")
        self.back.setObjectName("scoring_back")
        for one in (self.title, self.questions, self.trusted, self.far, self.model_link, self.scores_link):
            flow.addWidget(one)
        row.addWidget(choices, 1)
        row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        theme.pad(row, 16, 6, 16, 6)

        def measure() -> None:
            for one in (self.title, self.far):
                one.setFixedHeight(theme.px(CONTROL))

        theme.follow(box, measure)
        return box

    def _make_nothing(self) -> QWidget:
        self.nothing = QWidget()
        self.nothing.setObjectName("scoring_nothing")
        theme.ground(self.nothing, "surface")
        column = QVBoxLayout(self.nothing)
        title = PlainLabel(self.tr("There is no gold text yet"))
        theme.write(title, "title", bold=True)
        words = WrappedLabel(
            self.tr(
                "What raters write is held against texts that count as right, and there is none. Open your copy of the"
                " bundle with its gold (Ctrl O in the report), or choose raters whose texts count as gold (G)."
            )
        )
        theme.write(words, "prompt")
        theme.quiet(words)
        column.addStretch(2)
        column.addWidget(title)
        column.addWidget(words)
        column.addStretch(3)
        theme.follow(self.nothing, lambda: words.setMaximumWidth(theme.px(560)))
        theme.pad(column, 48, 24, 48, 24)
        return self.nothing

    # -- what is shown

    def _show_ways(self) -> None:
        """Scores and the model have ways of their own, and Esc leads from there to the texts."""
        elsewhere = self.stack.currentWidget() in {self.scores, self.model}
        for one in (self.questions, self.trusted, self.far, self.scores_link, self.back):
            one.setVisible(not elsewhere)
        self.model_link.setVisible(self.has_model and not elsewhere)

    def offer_model(self, on: bool) -> None:
        """Whether there is a language model that can be asked."""
        self.has_model = on
        self._show_ways()

    def show_raters(self, raters: Sequence[str], trusted: Sequence[str]) -> None:
        """Whose texts count as gold too."""
        nobody = self.tr("Gold alone")
        self.trusted.offer(self.tr("Texts that count as gold"), [(one, one) for one in raters], trusted, every=nobody)

    def show_sheet(self, sheet: Sheet) -> None:
        """The state of everything."""
        questions = [(one.id, one.ask) for one in sheet.desk.clusters]
        self.questions.offer(self.tr("Question"), questions, (sheet.cluster.id,))
        total = len(sheet.texts)
        far = self.tr("{done} of 1 text") if total == 1 else self.tr("{done} of {total} texts")
        self.far.setText(far.format(done=spelling.number(sheet.done), total=spelling.number(total)))
        self.far.updateGeometry()
        self.scores_link.setEnabled(sheet.is_enough)
        self.points.show_sheet(sheet)
        self.text.show_sheet(sheet)
