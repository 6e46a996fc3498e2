"""Figures about the systems that wrote the responses, as one struct for commands, tables, the page and the window."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Literal

import msgspec

from desktop_rater.audit.questions import JudgedQuestion, Value, ValueStyle, judged_questions
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Caution
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rubric import Question
from desktop_rater.plugins.statistics.fragility import Fragility
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.display_order import is_comparison

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
    ratings: int = 0


class SystemMetric(msgspec.Struct, frozen=True, kw_only=True):
    """Column of the figures.

    `label`: share of a value of the label, of the places that have one of its own values (such as factual sentences).
    `severe`: severe errors per response. `clean`: share of responses without an error. `share`: of a value of another
    question; of a named level, `value` is its lowest step, and `below` that of the next level. `mean`: of a scale or
    number. `f1`: mean token F1 against the reference. `defect`: share of responses at or above a step of a
    risk, or with one of `values`. `unit`: what the shares and means are of. `values`: what counts, also for `severe`
    and `clean`. `good`: a higher figure is better, a lower one is, or neither is known. `main`: the figure by which
    rounds are compared. `decisive`: of a judgement, not of a step towards one.
    """

    id: str
    kind: MetricKind
    unit: Literal["target", "response", "task"]
    question: str = ""
    ask: str = ""
    value: Value | None = None
    text: str = ""
    below: float | None = None
    values: tuple[str, ...] = ()
    tone: str = ""
    shape: str = ""
    good: Direction = ""
    low: float | None = 0
    high: float | None = 1
    main: bool = False
    decisive: bool = True

    @property
    def is_share(self) -> bool:
        """Tell if it is a share of units, shown in percent."""
        return self.kind in {"label", "clean", "share", "defect"}

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value, infinite where there is none."""
        return -inf if self.low is None else self.low, inf if self.high is None else self.high

    def counts(self, value: Value) -> bool:
        """Tell if a share of single answers counts an answer."""
        if self.values or isinstance(value, str) or isinstance(self.value, str) or self.value is None:
            return value in self.values or value == self.value
        if self.kind == "defect":
            return value >= self.value
        return value == self.value or (self.below is not None and self.value < value < self.below)


class LabelledFigure(ReportFigure, frozen=True, kw_only=True):
    """Figure whose interval from `labels_low` to `labels_high` also holds that final labels may be wrong.

    That is known at `measured` of the `places` with a final label: those that two people or more have decided.
    """

    labels_low: float | None = None
    labels_high: float | None = None
    measured: int = 0
    places: int = 0


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
    """Place that a figure counts, with its text and final value of the `question`."""

    task: str
    where: str
    quote: str
    value: Value
    question: str = ""


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


class AssistedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """Figure of a system by people and a model together, or of `one` minus `other`; beside it that of `people` alone.

    `weight`: that of the model, from 0 to 1. `clusters`: the prompts, of which people judged `labelled`. `saving`: 0.39
    if the interval is that of people alone after 39 % more prompts.
    """

    metric: str
    one: str
    other: str = ""
    people: ReportFigure
    figure: ReportFigure
    weight: float | None = msgspec.field(name="lambda")
    clusters: int
    labelled: int
    saving: float | None


class AssistedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures with the help of one model, which rated everything, or `why` there are none."""

    model: str
    why: str = ""
    figures: tuple[AssistedFigure, ...] = ()

    def of(self, metric: str, one: str, other: str = "") -> AssistedFigure | None:
        return next((row for row in self.figures if (row.metric, row.one, row.other) == (metric, one, other)), None)


class SystemsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the systems of a bundle.

    `columns`: those that `by` and `where` can name. `system_column`: the one that names the system, empty if no task
    has one: then all responses are one group. `groups` in natural order of their names. `open`: places without a final
    label, which are in no figure. `fragility`: of the two systems that lead, in each figure that compares them.
    `assisted`: for each model, where people have rated a part of the tasks. `why`: there are no figures at all.
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
    assisted: tuple[AssistedFigures, ...] = ()
    fragility: tuple[Fragility, ...] = ()
    open: int = 0
    why: str = ""
    cautions: tuple[Caution, ...] = ()

    @property
    def main_metric(self) -> SystemMetric | None:
        """The figure by which systems are compared first."""
        return next((metric for metric in self.metrics if metric.main), None)

    @property
    def main_figures(self) -> list[ReportFigure]:
        """Figures of each system that are compared first."""
        main = [metric.id for metric in self.metrics if metric.main]
        return [group.figures[name].figure for group in self.groups for name in main if name in group.figures]

    def metric(self, name: str) -> SystemMetric | None:
        return next((metric for metric in self.metrics if metric.id == name), None)


_GOOD_TONE = "accurate"
_ERROR_TONES = {"inaccurate", "unsupported"}
_MOST_VALUES = 11  # a scale with more steps has a mean only

PlaceValue = tuple[str, str, Value | None]
"""Place, `id` of a judged question, and its final value; `None` while it is open."""


ResponseCell = tuple[int, float, float]
"""Metric, and the part and whole of it that one response contributes."""


class MetricSet:
    """Metrics of a rubric, and what one response contributes to each."""

    def __init__(self, rubric: Rubric, request: SystemsRequest, *, has_references: bool) -> None:
        self._rubric = rubric
        judged = judged_questions(rubric)
        self.label = next((question for question in judged if question.main), None)
        self.severity = _severity(rubric, self.label)
        self.comparisons = frozenset(
            question.id for question in judged if is_comparison(rubric.questions[question.question].question)
        )
        self.errors = _chosen(request.errors, self.label, _errors(rubric, self.label), "--error")
        self.severe = _severe(rubric, self.severity, request.severe)
        self._defect = request.defect
        replaced = {} if self.label is None else {self.label.question, self.label.id}
        metrics = list(self._of_label())
        for question in judged:
            if question.id not in replaced and question.id not in self.comparisons:
                metrics += self._of_question(question)
        if has_references:
            metrics.append(SystemMetric(id="f1", kind="f1", unit="response", good="higher"))
        ends = (metric for metric in metrics if metric.kind in {"label", "mean"} and metric.good == "higher")
        chosen = next(ends, next(iter(metrics), None))
        self.metrics = tuple(msgspec.structs.replace(metric, main=metric is chosen) for metric in metrics)
        self._by_question: dict[str, list[tuple[int, SystemMetric]]] = {}
        for index, metric in enumerate(self.metrics):
            if metric.kind in {"label", "share", "mean", "defect"}:
                self._by_question.setdefault(metric.question, []).append((index, metric))
        self._of_kind = {metric.kind: index for index, metric in enumerate(self.metrics)}

    @property
    def main(self) -> SystemMetric | None:
        return next((metric for metric in self.metrics if metric.main), None)

    def cells(self, values: Sequence[PlaceValue], f1: float | None) -> Iterator[ResponseCell]:
        """Yield what one response contributes, by the final values of its places."""
        for _, question, value in values:
            if value is not None:
                yield from self._of_value(question, value)
        labels = [value for _, name, value in values if self.label is not None and name == self.label.id]
        if labels and self.severity is not None and "severe" in self._of_kind:
            severe = sum(name == self.severity.id and value in self.severe for _, name, value in values)
            yield self._of_kind["severe"], severe, 1
        if labels and "clean" in self._of_kind:
            wrong = any(value in self.errors for value in labels)
            if wrong or None not in labels:  # with an open place it is not known
                yield self._of_kind["clean"], not wrong, 1
        if f1 is not None and "f1" in self._of_kind:
            yield self._of_kind["f1"], f1, 1

    def _of_value(self, question: str, value: Value) -> Iterator[ResponseCell]:
        rows = self._by_question.get(question, ())
        if question == (self.label.id if self.label is not None else "") and not any(
            metric.value == value for _, metric in rows if metric.kind == "label"
        ):
            rows = [row for row in rows if row[1].kind != "label"]  # such as "not factual"
        several = msgspec.json.decode(value) if isinstance(value, str) and value.startswith("[") else None
        for index, metric in rows:
            if metric.kind == "mean" and not isinstance(value, str):
                yield index, value, 1
            elif metric.kind != "mean":
                yield index, any(map(metric.counts, several)) if several else metric.counts(value), 1

    def _of_label(self) -> Iterator[SystemMetric]:
        label = self.label
        if label is None or label.id in self.comparisons:
            return
        if label.measure != "nominal":
            yield from self._of_question(label)
            return
        closing = {value for *_, value in label.closing}
        best, worst = best_value(self._rubric, label), _ends(self._rubric, label)[1]
        for look in label.looks:
            if look.id not in closing:
                bad = look.id in self.errors or look.id == worst
                yield _share(label, look, "label", "higher" if look.id == best else "lower" if bad else "")
        if self.severity is not None and self.severe:
            yield SystemMetric(
                id="severe", kind="severe", unit="response", question=self.severity.id, ask=self.severity.ask,
                values=self.severe, text=_texts(self.severity, self.severe), good="lower", high=None,
            )  # fmt: skip
        if self.errors:
            yield SystemMetric(
                id="clean", kind="clean", unit="response", question=label.id, ask=label.ask, values=self.errors,
                text=_texts(label, self.errors), good="higher",
            )  # fmt: skip

    def _of_question(self, question: JudgedQuestion) -> Iterator[SystemMetric]:
        rubric_question = self._rubric.questions[question.question].question
        looks = question.looks or tuple(
            ValueStyle(choice.id, choice.label, choice.tone, choice.shape) for choice in rubric_question.choices
        )
        defects = defect_values(self._rubric, rubric_question)
        if rubric_question.levels or defects:
            yield SystemMetric(
                id=f"defect:{question.id}", kind="defect", unit=question.per, question=question.id, ask=question.ask,
                value=None if defects else self._defect, values=defects, text=_texts(question, defects), good="lower",
            )  # fmt: skip
        if question.measure != "nominal":
            yield SystemMetric(
                id=f"mean:{question.id}", kind="mean", unit=question.per, question=question.id, ask=question.ask,
                good="lower" if rubric_question.levels else "higher" if question.measure == "ordinal" else "",
                low=question.low, high=question.high,
            )  # fmt: skip
        if rubric_question.levels:
            starts = level_starts(rubric_question)
            for level, low, below in zip(
                rubric_question.levels, starts, [*starts[1:], rubric_question.levels[-1].to + 1], strict=True
            ):
                share = _share(question, ValueStyle(low, level.label), "share", "")
                yield msgspec.structs.replace(share, id=f"{question.id}:{level.id}", below=below)
        elif len(looks) <= _MOST_VALUES:
            best, worst = _ends(self._rubric, question)
            for look in looks:
                good: Direction = "higher" if look.id == best else "lower" if look.id == worst else ""
                yield _share(question, look, "share", good)


def defect_values(rubric: Rubric, question: Question) -> tuple[str, ...]:
    """Return the choices that are a defect: of a question that is asked of attacks, those toned as errors."""
    if "meta_attack" not in rubric.questions[question.id].relevant.names():
        return ()
    return tuple(choice.id for choice in question.choices if choice.tone in _ERROR_TONES)


def level_starts(question: Question) -> list[float]:
    """Return the lowest step of each named level of a scale."""
    later = [level.to + (question.step or 1) for level in question.levels[:-1]]
    return [float(question.min or 0), *later]


def best_value(rubric: Rubric, question: JudgedQuestion) -> Value | None:
    """Return the best value of a question: with the tone of what is accurate, otherwise the end of its ranking."""
    toned = next((look.id for look in question.looks if look.tone == _GOOD_TONE), None)
    return toned if toned is not None else _ends(rubric, question)[0]


def ranking(rubric: Rubric, question: JudgedQuestion) -> tuple[Value, ...]:
    """Return the values of a question from worst to best, as its rubric combines or compares them."""
    if question.measure != "nominal":
        return tuple(look.id for look in question.looks)
    compare = rubric.file.compare.by if rubric.file.compare is not None else {}
    order: tuple[Value, ...] = rubric.file.combine.get(question.question) or compare.get(question.question, ())
    return order


def _ends(rubric: Rubric, question: JudgedQuestion) -> tuple[Value | None, Value | None]:
    order = ranking(rubric, question) if question.measure == "nominal" else ()
    return (order[-1], order[0]) if order else (None, None)


def _errors(rubric: Rubric, label: JudgedQuestion | None) -> tuple[str, ...]:
    if label is None or label.measure != "nominal" or label.per != "target":
        return ()  # a response with one label has an error or not: the share of the label says so
    toned = tuple(str(look.id) for look in label.looks if look.tone in _ERROR_TONES)
    worst = _ends(rubric, label)[1]
    return toned or (() if worst is None else (str(worst),))


def _severity(rubric: Rubric, label: JudgedQuestion | None) -> JudgedQuestion | None:
    """Return the question that ranks errors: another one whose values are combined, at the depth of the label."""
    if label is None:
        return None
    return next(
        (
            question
            for question in judged_questions(rubric)
            if question.question in rubric.file.combine
            and question.question != label.question
            and question.per == label.per
        ),
        None,
    )


def _severe(rubric: Rubric, severity: JudgedQuestion | None, mildest: str) -> tuple[str, ...]:
    if severity is None:
        if mildest:
            raise RaterError(f"{rubric.ref} has no question of severity.", hint="Leave --severe out.")
        return ()
    order = [str(value) for value in ranking(rubric, severity)]
    if not mildest:
        return tuple(order[:-1])
    _chosen((mildest,), severity, (), "--severe")
    return tuple(order[: order.index(mildest) + 1])


def _chosen(
    names: tuple[str, ...], question: JudgedQuestion | None, default: tuple[str, ...], option: str
) -> tuple[str, ...]:
    offered = [str(look.id) for look in question.looks] if question is not None else []
    unknown = next((name for name in names if name not in offered), None)
    if unknown is not None:
        why = f"There are: {', '.join(offered) or 'none'}."
        raise RaterError(f"{unknown!r} is not a value of the label or severity.", why, f"Correct {option}.")
    return names or default


def _share(question: JudgedQuestion, look: ValueStyle, kind: MetricKind, good: Direction) -> SystemMetric:
    return SystemMetric(
        id=f"{question.id}:{look.id:g}" if isinstance(look.id, float) else f"{question.id}:{look.id}",
        kind=kind,
        unit=question.per,
        question=question.id,
        ask=question.ask,
        value=look.id,
        text=look.label,
        tone=look.tone,
        shape=look.shape,
        good=good,
        decisive=question.decisive,
    )


def _texts(question: JudgedQuestion, values: Iterable[str]) -> str:
    return ", ".join(question.text_of(value) for value in values)
