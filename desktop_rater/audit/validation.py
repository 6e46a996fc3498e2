"""Validation of text scores against a lead's grades: correlations, and a model's answers against the lead's. Pure."""

from collections.abc import Iterable
from math import ceil
from typing import Literal

import msgspec

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Caution
from desktop_rater.stats.scores import PointOpinion

ScoreSource = Literal["hand", "own_points", "model", "grade"]
IntervalUnit = Literal["task", "text"]
TextKey = tuple[str, str, str, str]
"""Task, place, question and rater of a text."""

BASELINE = "grade"  # the rule of the baseline, a model that is asked for a grade
OPINIONS: tuple[PointOpinion, ...] = (1, None, 0)  # order of rows and columns of compared answers


class GradedText(msgspec.Struct, frozen=True, kw_only=True):
    """Text with the lead's grade."""

    task: str
    where: str
    question: str
    rater: str
    text: str
    grade: float

    @property
    def key(self) -> TextKey:
        return self.task, self.where, self.question, self.rater


class SourceScores(msgspec.Struct, frozen=True, kw_only=True):
    """Scores of texts, by rule, from one source of answers.

    `source`: the lead ("hand"), a model that answers the lead's points or finds its own, or a model asked for a grade.
    """

    source: ScoreSource
    model: str = ""
    scores: dict[TextKey, dict[str, float]]


class ComparedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of a model about a text and a point, and that of the lead. `task`: the first with this text."""

    task: str
    where: str
    text: str
    point: str
    lead: PointOpinion
    model: PointOpinion

    @property
    def inverted(self) -> bool:
        """True if one agrees and the other disagrees."""
        return self.lead is not None and self.model is not None and self.lead != self.model


class ScoreCorrelations(msgspec.Struct, frozen=True, kw_only=True):
    """Correlations of one score with the grades, by name as in `stats.correlation`.

    `above`: its Spearman's rho minus that of the `baseline`, a model asked for a grade, over the texts that have both.
    `values`: (number of the text, score). `apart`: (number of the text, how far its rank by score lies above that by
    grade, from -1 to 1), furthest first.
    """

    source: ScoreSource
    model: str
    rule: str
    figures: dict[str, ReportFigure]
    above: ReportFigure | None = None
    baseline: str = ""
    values: tuple[tuple[int, float], ...] = ()
    apart: tuple[tuple[int, float], ...] = ()

    @property
    def name(self) -> tuple[str, str]:
        """The source and its model."""
        return self.source, self.model


class AnswerErrors(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answers to the lead's points, against the lead's: `counts` by lead (rows) and model, as `OPINIONS`.

    `errors`: share of the answers that differ. `inversions`: share of contradictions where both take a side.
    """

    model: str
    counts: tuple[tuple[int, ...], ...]
    texts: int
    errors: ReportFigure
    inversions: ReportFigure
    inverted: tuple[ComparedAnswer, ...]


class ScoreValidation(msgspec.Struct, frozen=True, kw_only=True):
    """Validation of a bundle's text scores. `unit`: what the intervals draw. `to_grade`: number of all texts."""

    bundle: str
    title: str
    seed: int
    computed: str
    unit: IntervalUnit
    texts: tuple[GradedText, ...]
    to_grade: int
    leads: tuple[str, ...]
    rows: tuple[ScoreCorrelations, ...]
    answers: tuple[AnswerErrors, ...]
    cautions: tuple[Caution, ...] = ()

    @property
    def tasks(self) -> int:
        return len({text.task for text in self.texts})

    @property
    def raters(self) -> int:
        return len({text.rater for text in self.texts})

    def of(self, name: tuple[str, str]) -> tuple[ScoreCorrelations, ...]:
        """Return the scores of a source, then the baseline that they are compared with."""
        own = tuple(row for row in self.rows if row.name == name)
        baselines = {row.baseline for row in own if row.baseline}
        return own + tuple(row for row in self.rows if row.rule == BASELINE and row.model in baselines)

    def answers_of(self, model: str) -> AnswerErrors | None:
        return next((answers for answers in self.answers if answers.model == model), None)


def best_row(rows: Iterable[ScoreCorrelations]) -> ScoreCorrelations | None:
    """Return the score that follows the grades best by Spearman's rho, which is no baseline."""
    ranked = [row for row in rows if row.rule != BASELINE and row.figures["spearman"].value is not None]
    return max(ranked, key=lambda row: row.figures["spearman"].value or 0, default=None)


def texts_needed(above: ReportFigure) -> int | None:
    """Return about how many texts would tell a score from the baseline, if the difference stays."""
    if above.value is None or above.low is None or above.high is None or above.value <= 0 or above.low > 0:
        return None
    return ceil(above.n * ((above.value - above.low) / above.value) ** 2)
