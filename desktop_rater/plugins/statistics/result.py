"""Result of an audit as one struct, shared by the command, CSV, the HTML page and the window."""

from typing import Literal

import msgspec

from desktop_rater.audit.questions import JudgedQuestion, LabelMethod, Value
from desktop_rater.audit.report import ReportFigure, TimeSpread
from desktop_rater.audit.results import Caution

StratumKind = Literal["differ", "agree", "one"]
STRATA: tuple[StratumKind, ...] = ("differ", "agree", "one")
GoalState = Literal["shown", "refuted", "open", ""]
FigureName = Literal["errors", "final", "blind", "gold", "repeats", "offset"]
FIGURES: tuple[FigureName, ...] = ("errors", "final", "blind", "gold", "repeats", "offset")
MIN_TASKS = 20  # a rater with fewer is not compared with chance


class ResultRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Request of a result. `final`: the method of final labels; empty for the one chosen for the bundle."""

    goal: float = 0.05
    final: LabelMethod | Literal[""] = ""


class ResultStratum(msgspec.Struct, frozen=True, kw_only=True):
    """Stratum: places where raters `differ` or `agree`, or with `one` rating.

    `ratings` of people at `places`; of these `drawn` places, and judged ratings, of which `wrong`.
    """

    kind: StratumKind
    places: int
    ratings: int
    drawn: int
    judged: int
    wrong: int


class DrawStep(msgspec.Struct, frozen=True, kw_only=True):
    """Larger sample: places in all and of each stratum, and the bound if the rates stay."""

    places: int
    by_stratum: dict[StratumKind, int]
    bound: float


class LabelMistake(msgspec.Struct, frozen=True, kw_only=True):
    """Wrong ratings with the label `given`, where the lead's is `right`; `None` where the lead gave none."""

    given: Value
    right: Value | None
    count: int


class ErrorResult(msgspec.Struct, frozen=True, kw_only=True):
    """Errors in all work. `lower` and `bound`: one-sided 95 % bounds of the rate.

    `waiting`: drawn ratings that are not judged. `steps`: ever larger samples; `enough`: the first whose bound is below
    the goal, `None` if none is.
    """

    figure: ReportFigure
    lower: float | None
    bound: float | None
    wrong: int
    goal: float
    state: GoalState
    strata: tuple[ResultStratum, ...]
    waiting: int
    steps: tuple[DrawStep, ...]
    enough: DrawStep | None
    mistakes: tuple[LabelMistake, ...]

    @property
    def drawn(self) -> int:
        return sum(stratum.drawn for stratum in self.strata)

    @property
    def more(self) -> int:
        """Return how many more places to draw for the goal."""
        return max(0, self.enough.places - self.drawn) if self.enough is not None and self.state != "shown" else 0


class BandedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """Figure of a rater with the band of chance, if it is compared; `outside`: its whole interval is."""

    figure: ReportFigure
    band: tuple[float, float] | None = None
    outside: bool = False


class RaterPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Place behind a rater's figures: the lead judged the rating `wrong`, or it differs from the final label."""

    task: str
    where: str
    quote: str
    question: str
    own: Value
    final: Value | None
    wrong: bool | None
    alike: int


class AuditedRater(msgspec.Struct, frozen=True, kw_only=True):
    """Rater: figures by name, agreement with final labels by week, time, and the places behind.

    `differing`: ratings that differ from a final label; in `shared` of them another rater said the same.
    """

    rater: str
    tasks: int
    ratings: int
    figures: dict[FigureName, BandedFigure]
    weeks: tuple[tuple[str, ReportFigure], ...] = ()
    per_target: bool = True
    time: TimeSpread | None = None
    differing: int = 0
    shared: int = 0
    places: tuple[RaterPlace, ...] = ()

    @property
    def outside(self) -> tuple[FigureName, ...]:
        return tuple(name for name, banded in self.figures.items() if banded.outside)

    @property
    def compared(self) -> bool:
        return self.tasks >= MIN_TASKS


class AuditResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an audit. `raters` by name; `names`: the figures that any rater has.

    Of `compared` figures, `outside` lie outside their band, and `by_chance` would be expected to. `band_of_week`: as of
    agreement with final labels. `questions`: those that are labels.
    """

    bundle: str
    title: str
    seed: int
    computed: str
    request: ResultRequest
    rubric: str
    method: LabelMethod
    tasks: int
    places: int
    ratings: int
    errors: ErrorResult
    raters: tuple[AuditedRater, ...]
    names: tuple[FigureName, ...]
    compared: int
    outside: int
    by_chance: float
    questions: tuple[JudgedQuestion, ...]
    scale: JudgedQuestion | None = None
    cautions: tuple[Caution, ...] = ()
