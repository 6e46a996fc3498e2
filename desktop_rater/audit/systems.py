"""Figures about the systems that wrote the responses, as one struct for commands, tables, the page and the window."""

from typing import Literal

import msgspec

from desktop_rater.audit.judged_questions import Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Caution

SYSTEM_COLUMNS = ("system", "model", "systems")
"""Columns of `meta` that name the system, the first that occurs."""

Direction = Literal["higher", "lower", ""]
MetricKind = Literal["label", "severe", "clean", "share", "mean", "f1", "defect"]


class SystemsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Selection of responses, their groups and the final labels; empty fields have their default.

    `by`: columns of `meta` whose values make the groups, by default the system. `where`: (column, value); a response
    has one of the values of each column. `against`: the same for the earlier round, in the bundle `against_bundle` or,
    without one, in the same bundle.
    `pair`: the column whose equal values are one prompt, by default `prompt_id`, otherwise the prompt itself. `final`:
    the way of deciding labels, at `threshold` or above. `errors`: values of the label that are errors; `severe`: the
    mildest level of severity that counts; `defect`: the lowest step of a risk that is a defect. `raters_random`: the
    intervals also cover that other raters might have been asked.
    """

    by: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    against: tuple[tuple[str, str], ...] = ()
    against_bundle: str = ""
    pair: str = ""
    final: str = "majority"
    threshold: float = 0
    errors: tuple[str, ...] = ()
    severe: str = ""
    defect: float = 4
    raters_random: bool = False


class MetaColumn(msgspec.Struct, frozen=True, kw_only=True):
    """Column of the tasks' `meta` that can group or filter: each value with its number of responses, by name.

    `repeats`: some prompt occurs with several of its values, so that two of them can be compared as rounds.
    """

    name: str
    values: tuple[tuple[str, int], ...]
    repeats: bool = False


class SystemsBase(msgspec.Struct, frozen=True, kw_only=True):
    """Number of what the figures rest on. `prompts`: tasks with the same prompt count once, and are drawn together."""

    prompts: int = 0
    tasks: int = 0
    responses: int = 0
    targets: int = 0
    raters: int = 0


class SystemMetric(msgspec.Struct, frozen=True, kw_only=True):
    """Column of the figures.

    `label`: share of a value of the label, of the places that have one of its own values (such as factual sentences).
    `severe`: severe errors per response. `clean`: share of responses without an error. `share`: of a value of another
    question. `mean`: of a scale or number. `f1`: mean token F1 against the reference. `defect`: share of responses at
    or above a step of a risk. `unit`: what the shares and means are of. `values`: what counts, for `severe`, `clean`
    and `defect`. `good`: a higher figure is better, a lower one is, or neither is known. `main`: the figure by which
    rounds are compared. `decisive`: of a judgement, not of a step towards one.
    """

    id: str
    kind: MetricKind
    unit: Literal["target", "response", "task"]
    question: str = ""
    ask: str = ""
    value: Value | None = None
    text: str = ""
    values: tuple[str, ...] = ()
    tone: str = ""
    shape: str = ""
    good: Direction = ""
    low: float = 0
    high: float | None = 1
    main: bool = False
    decisive: bool = True

    @property
    def is_share(self) -> bool:
        """Tell if it is a share of units, shown in percent."""
        return self.kind in {"label", "clean", "share", "defect"}


class SystemFigure(msgspec.Struct, frozen=True, kw_only=True):
    """Figure of one group: `part` of `whole`, as in "201 of 258"; of a mean, `part` is the sum."""

    part: float
    whole: int
    figure: ReportFigure


class SystemGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Responses with the same values of the columns: `values` in their order. `figures`: metric → figure."""

    name: str
    values: tuple[str, ...]
    base: SystemsBase
    figures: dict[str, SystemFigure]


class SystemDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The figure of `one` minus that of `other`; `shared`: number of prompts that both answered.

    `p` is of a permutation of the two within shared prompts, and among the others; `holm` is adjusted for all pairs of
    groups of this metric (Holm 1979).
    """

    metric: str
    one: str
    other: str
    figure: ReportFigure
    p: float | None = None
    holm: float | None = None
    shared: int = 0


class SystemDuel(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of responses of two systems: number preferred of each, and ties. `figure`: share of `one`, ties as half."""

    one: str
    other: str
    wins: int
    ties: int
    losses: int
    figure: ReportFigure

    @property
    def pairs(self) -> int:
        return self.wins + self.ties + self.losses


class SystemStrength(msgspec.Struct, frozen=True, kw_only=True):
    """Probability that a system is preferred to another one, ties as half, averaged over the others; 0.5 is even.

    `log_strength`: the parameter of the model, 0 for the average system.
    """

    name: str
    pairs: int
    figure: ReportFigure
    log_strength: float | None = None


class SystemPreferences(msgspec.Struct, frozen=True, kw_only=True):
    """Preferences of one comparison question.

    `strengths`: Bradley–Terry with ties (Davidson 1970), without the advantage of the response shown first. `first`:
    share of the pairs in which the response shown first is preferred, ties as half. `open`: pairs without a final
    preference. `judgements`: how many single ratings are behind `strengths` and `first`, because raters saw pairs in
    different orders; 0 if they rest on the final preferences, as `duels` do.
    """

    question: str
    ask: str
    base: SystemsBase
    pairs: int
    open: int
    strengths: tuple[SystemStrength, ...]
    duels: tuple[SystemDuel, ...]
    first: ReportFigure
    tie_parameter: float | None = None
    judgements: int = 0


class FigurePlace(msgspec.Struct, frozen=True, kw_only=True):
    """Place that a figure counts, with its text and final value."""

    task: str
    where: str
    quote: str
    value: Value


class TurnedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Place with another final value than in the earlier round.

    `before` is missing if the earlier response has no such sentence, `after` if the later has none. `where` is of
    `task`, `where_before` of `task_before`; empty where there is none. `quote`: the later text, otherwise the earlier.
    """

    task: str
    where: str
    task_before: str
    where_before: str
    quote: str
    before: Value | None
    after: Value | None
    better: bool


class PairedTask(msgspec.Struct, frozen=True, kw_only=True):
    """Prompt in both rounds, with the main figure before and after. `turn`: the later round is better or worse."""

    task: str
    task_before: str
    before: float
    after: float
    turn: Literal["better", "same", "worse"]
    places: tuple[TurnedPlace, ...] = ()


class RoundDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The later figure minus the earlier one over the paired prompts. `p`: sign flips of the prompts' differences."""

    metric: str
    before: SystemFigure
    after: SystemFigure
    figure: ReportFigure
    p: float | None = None
    holm: float | None = None


class RoundsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Two rounds of the same prompts. `metric`: the one by which a task turned better or worse.

    `p`: exact sign test of the tasks that turned. `tasks`: most gained first. `unpaired`: tasks in only one of the
    rounds, later and earlier.
    """

    bundle_before: str
    before: str
    after: str
    metric: str
    better: int
    same: int
    worse: int
    p: float | None
    differences: tuple[RoundDifference, ...]
    tasks: tuple[PairedTask, ...]
    unpaired: tuple[int, int] = (0, 0)


class SystemsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the systems of a bundle.

    `columns`: those that `by` and `where` can name. `system_column`: the one that names the system, empty if no task
    has one: then all responses are one group. `groups` in natural order of their names. `open`: places without a final
    label, which are in no figure. `why`: there are no figures at all.
    """

    bundle: str
    title: str
    rubric: str
    seed: int
    computed: str
    request: SystemsRequest
    columns: tuple[MetaColumn, ...]
    system_column: str
    base: SystemsBase
    metrics: tuple[SystemMetric, ...]
    groups: tuple[SystemGroup, ...]
    differences: tuple[SystemDifference, ...] = ()
    preferences: tuple[SystemPreferences, ...] = ()
    rounds: RoundsReport | None = None
    open: int = 0
    why: str = ""
    cautions: tuple[Caution, ...] = ()

    @property
    def main_metric(self) -> SystemMetric | None:
        """The figure by which systems are compared first."""
        return next((metric for metric in self.metrics if metric.main), None)

    def metric(self, name: str) -> SystemMetric | None:
        return next((metric for metric in self.metrics if metric.id == name), None)
