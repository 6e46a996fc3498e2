"""Figures of a bundle's results as one struct, shared by commands, CSV, the HTML page and the window."""

import msgspec
from msgspec.structs import force_setattr

from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.results import Caution, RaterListBasis
from desktop_rater.stats.bootstrap import NO_DATA


class ReportFigure(msgspec.Struct, frozen=True, kw_only=True):
    """Figure with its 95 % interval, the number of units, tasks and raters behind it; `why` a part is missing.

    A figure without a value always has a reason.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    tasks: int = 0
    raters: int = 0
    why: str = ""

    def __post_init__(self) -> None:
        if self.value is None and not self.why:
            force_setattr(self, "why", NO_DATA)


class QuestionAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of raters on one question.

    `figures`: name as in `stats.agreement_figures` → figure. `units`, of `tasks`, have at least two ratings; `pairs`
    are pairs of ratings of one unit. `rated` units have at least one, by `raters` raters. On a scale
    `krippendorff_alpha` is ordinal, and `krippendorff_alpha.interval` uses the steps as distances.
    """

    question: JudgedQuestion
    figures: dict[str, ReportFigure]
    units: int = 0
    ratings: int = 0
    pairs: int = 0
    rated: int = 0
    raters: int = 0
    tasks: int = 0


class ConfusionMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """Values given (rows) against the majority of the others (columns), in the order of `values`.

    `tied`: ratings of units where the others have no majority; they are in no cell.
    """

    question: str
    values: tuple[Value, ...]
    counts: tuple[tuple[int, ...], ...]
    tied: int = 0


class DifferingUnit(msgspec.Struct, frozen=True, kw_only=True):
    """Unit on which raters differ.

    `given`: value → count, most frequent first; `distance` is from 0 to 1. For one rater, `own` is that rater's value,
    and `given` those of the others.
    """

    task: str
    where: str
    question: str
    quote: str
    given: tuple[tuple[Value, int], ...]
    distance: float
    own: Value | None = None


class TimeSpread(msgspec.Struct, frozen=True, kw_only=True):
    """Active seconds: median, 10th and 90th percentile; `n` values of `tasks`.

    `median_low` and `median_high`: the interval of the median; `why` there is none.
    """

    median: float
    low: float
    high: float
    n: int
    tasks: int = 0
    median_low: float | None = None
    median_high: float | None = None
    why: str = ""


class RaterPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two raters on one question, over the units that both rated: `figures` as in `QuestionAgreement`."""

    question: str
    one: str
    other: str
    figures: dict[str, ReportFigure]


class LabelChanges(msgspec.Struct, frozen=True, kw_only=True):
    """Number of main labels in a rater's superseded results that are unchanged in the effective ones.

    `other_rubric`: of the `total`, those that were given by another revision of the rubric.
    """

    same: int = 0
    total: int = 0
    other_rubric: int = 0


class RaterFigures(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one rater.

    `labels`: question → count of each value, in the order of its values, and `label_shares` the share. `claims`: number
    of places where evidence was asked for: recorded claims, and targets or responses without any. Of the evidence
    `unopened` was never opened, `unquoted` has no quote, and `unkept` has no stored page. `reused_evidence`: pieces,
    and `reused_answers`: places whose answers were taken from decided cases or from earlier ratings. Of the warnings
    `warnings_let_stand` were acknowledged and `warnings_left` were not. `unresearched`: share of the `claims` that rest
    on what everybody knows, with no page, text or research, if the rubric has such answers. `others`: question → alpha
    with the others; `alike`: question → share of the others with the same value. `gold`: share of judgements that agree
    with gold. `repeats`: share of equal answers on tasks that occur twice, under two ids. `texts`: mean score of
    written justifications. `written`: characters.
    """

    rater: str
    model: bool = False
    tasks: int = 0
    skipped: int = 0
    targets: int = 0
    per_task: TimeSpread | None = None
    per_target: TimeSpread | None = None
    labels: dict[str, tuple[int, ...]] = {}
    label_shares: dict[str, tuple[ReportFigure, ...]] = {}
    claims: int = 0
    evidence: int = 0
    unresearched: ReportFigure = ReportFigure()
    unopened: int = 0
    unquoted: int = 0
    unkept: int = 0
    reused_evidence: int = 0
    reused_answers: int = 0
    warnings_left: int = 0
    warnings_let_stand: int = 0
    revisions: int = 0
    others: dict[str, ReportFigure] = {}
    alike: dict[str, ReportFigure] = {}
    gold: ReportFigure = ReportFigure()
    repeats: ReportFigure = ReportFigure()
    texts: ReportFigure = ReportFigure()
    differing: tuple[DifferingUnit, ...] = ()
    changed: LabelChanges = LabelChanges()
    written: int = 0


class ScaleRater(msgspec.Struct, frozen=True, kw_only=True):
    """A rater on a scale: `offset` is how much more is given than the others would give at the same places.

    `severity` is that of the many-facet model in log-odds, higher for lower ratings; `fits`: infit and outfit.
    """

    rater: str
    mean: ReportFigure
    offset: ReportFigure
    severity: ReportFigure = ReportFigure()
    fits: tuple[float, float] | None = None


class ScaleFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of a scale, by name as in `audit.scale_figures`, and its raters by name; `why` there is no model."""

    question: str
    figures: dict[str, ReportFigure]
    raters: tuple[ScaleRater, ...] = ()
    why: str = ""


class RaterTrend(msgspec.Struct, frozen=True, kw_only=True):
    """Change of a rater: agreement with the others a `week` and by `practice`, and `time`; see `scale_figures`."""

    rater: str
    week: ReportFigure
    practice: ReportFigure
    time: ReportFigure


class PlaceFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Place with the share of raters who miss the others' majority, and how that goes with their other places."""

    task: str
    where: str
    difficulty: ReportFigure
    discrimination: ReportFigure


class ComparedRater(msgspec.Struct, frozen=True, kw_only=True):
    """Rater who was left out: shares of the units where the model, or the rater, is at least as close to the others.

    `difference`: the rater's share minus the model's. `wins`: for the model.
    """

    rater: str
    model: ReportFigure
    own: ReportFigure
    difference: ReportFigure
    p: float
    wins: bool


class ModelCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of a model with people on one question.

    `alike`: share of the people's values that are the model's; `alpha`: Krippendorff's, of the model with the people;
    `people`: that of the people among themselves; `gold`: share of judgements that agree with gold. `winning_rate`:
    share of the raters that the model wins against, `replaces`: it is high enough, None without a comparison; `why`
    there is none. `advantage`: probability that the model is at least as close to the others as a rater. `needed`: the
    smallest epsilon with which it could replace a rater.
    """

    bundle: str
    model: str
    question: str
    ask: str
    epsilon: float
    least_tasks: int
    seed: int
    alike: ReportFigure
    alpha: ReportFigure
    people: ReportFigure
    gold: ReportFigure
    advantage: ReportFigure
    winning_rate: ReportFigure
    replaces: bool | None
    needed: float | None
    why: str = ""
    raters: tuple[ComparedRater, ...] = ()
    too_few: tuple[tuple[str, int], ...] = ()
    cautions: tuple[Caution, ...] = ()


class LibraryShare(msgspec.Struct, frozen=True, kw_only=True):
    """Share of the evidence from an offline library, `name` and `date`; or of a label that rests on libraries alone.

    Such a label, a `value` of a `question`, was given by `raters` at `places` (task, place, rater) without evidence,
    after searches of libraries and nothing else.
    """

    name: str = ""
    date: str = ""
    question: str = ""
    value: Value | None = None
    count: int
    of: int
    raters: int
    places: tuple[tuple[str, str, str], ...] = ()


class ReportFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter of the results; empty fields match everything.

    `since` and `until` are days, such as 2026-11-01, both included. Several `raters` are compared with each other only,
    a single one with all the others. `models`: they count as raters too. `tolerance`: number of scale steps by which an
    answer may differ from gold and still agree. `question`: the only one whose figures are computed. `raters_random`:
    intervals of agreement also cover that other raters might have been asked.
    """

    raters: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    question: str = ""
    models: bool = False
    tolerance: int = 0
    raters_random: bool = False


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """Complete report.

    `raters` always by name. `results`: number of results zips it is based on. `tasks` and `targets`: number rated by
    anybody. `guideline_seconds`: the minimum research time required by a rule before a label, with that label's text.
    `differing`: the units that disagree most, of each question. `all_raters`: raters to choose from, and `days`: the
    first and last day of changes. `forked`, `stale`: raters whose results do not name each other, and number of ratings
    of a superseded text. `repeated`: number of tasks that occur twice. `models`: those that
    rated, against the people on the main question. `cautions`: why figures are not final. `raters_from`: what the list
    of raters rests on. `libraries`: shares of offline libraries in the evidence, and of labels that rest on them.
    `revisions`: rubric → ratings by it, where there are several; those by `rubric` count. `pull`: figures by name as in
    `audit.compute_report`, and `pull_left_out` the ratings that an earlier version did not count for them.
    """

    bundle: str
    title: str
    seed: int
    computed: str
    results: int
    tasks: int
    targets: int
    raters: tuple[RaterFigures, ...]
    agreement: tuple[QuestionAgreement, ...]
    confusions: tuple[ConfusionMatrix, ...]
    differing: tuple[DifferingUnit, ...] = ()
    guideline_seconds: float | None = None
    guideline_label: str = ""
    filter: ReportFilter = ReportFilter()
    rubric: str = ""
    ratings: int = 0
    all_raters: tuple[str, ...] = ()
    days: tuple[str, str] | None = None
    pairs: tuple[RaterPair, ...] = ()
    scales: tuple[ScaleFigures, ...] = ()
    trends: tuple[RaterTrend, ...] = ()
    hardest: tuple[PlaceFigures, ...] = ()
    gold_tasks: int = 0
    repeated: int = 0
    forked: tuple[str, ...] = ()
    models: tuple[ModelCheck, ...] = ()
    stale: int = 0
    cautions: tuple[Caution, ...] = ()
    raters_from: RaterListBasis = "results"
    libraries: tuple[LibraryShare, ...] = ()
    revisions: dict[str, int] = {}
    pull: dict[str, ReportFigure] = {}
    pull_left_out: int = 0
