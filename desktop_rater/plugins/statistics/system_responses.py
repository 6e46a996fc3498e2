"""Responses of a bundle with their columns, prompt and final values, and which systems are preferred in pairs."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.questions import JudgedQuestion, Value, judged_questions
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.status import natural_key
from desktop_rater.format.errors import RaterError
from desktop_rater.plugins.statistics.systems import (
    SYSTEM_COLUMNS,
    MetaColumn,
    PlaceValue,
    SystemDuel,
    SystemPreferences,
    SystemsBase,
    SystemStrength,
)
from desktop_rater.rubric.display_order import FIRST_SIDE, SECOND_SIDE
from desktop_rater.stats.cluster_bootstrap import draw_weights, estimate_from_draws, no_value, share
from desktop_rater.translation import N_

LANGUAGE = "language"
"""Column of the prompt's language, where `meta` has none of that name."""

PROMPT_ID = "prompt_id"
Floats = NDArray[np.float64]
_MOST_VALUES = 200

FinalValues = Mapping[tuple[str, str, str], Any]
"""(Task, place, `id` of a judged question) → final label, with its `value`."""


class TaskFacts(Struct, frozen=True, kw_only=True):
    """Facts of a task that figures need; `prompt` identifies its prompt and history, and is empty without a prompt.

    `targets`: target → response. `f1`: response → token F1 against the reference, if the task has one. `raters`: the
    people who rated it.
    """

    id: str
    meta: dict[str, Any]
    prompt: str
    language: str
    responses: tuple[str, ...]
    targets: dict[str, str] = {}
    f1: dict[str, float] = {}
    raters: frozenset[str] = frozenset()


class SystemResponse(Struct, frozen=True, kw_only=True):
    """One response and the final values of its places, in the order of the labels."""

    task: TaskFacts
    id: str
    values: tuple[PlaceValue, ...]

    def column(self, name: str) -> str:
        """Return the response's value of a column; empty without one."""
        value = self.task.meta.get(name)
        if isinstance(value, dict):
            value = value.get(self.id)
        if value is None and name == LANGUAGE:
            value = self.task.language
        if isinstance(value, bool):
            return "true" if value else "false"
        return f"{value:g}" if isinstance(value, float) else str(value) if isinstance(value, str | int) else ""

    def columns(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.column(name) for name in names)

    def matches(self, where: Iterable[tuple[str, str]]) -> bool:
        """Tell if it has, of each column named, one of the values given for it."""
        wanted: dict[str, set[str]] = {}
        for name, value in where:
            wanted.setdefault(name, set()).add(value)
        return all(self.column(name) in values for name, values in wanted.items())


def system_responses(tasks: Sequence[TaskFacts], labels: FinalValues) -> list[SystemResponse]:
    """Return the responses of all rated tasks, with their values. Values of the whole task count for its only one."""
    by_task: dict[str, dict[str, list[PlaceValue]]] = {}
    facts = {task.id: task for task in tasks}
    for (task, where, question), label in labels.items():
        if task in facts:
            values = by_task.setdefault(task, {})
            response = _response_of(facts[task], where)
            if response is not None:
                values.setdefault(response, []).append((where, question, label.value))
    return [
        SystemResponse(task=task, id=response, values=tuple(by_task[task.id].get(response, ())))
        for task in tasks
        if task.id in by_task
        for response in task.responses
    ]


_MOST_LABELS, _LEAST_ALIKE = 50, 0.01  # labels of a question whose labels are drawn, and kappa there


def is_measured(label: FinalLabel) -> bool:
    """Tell if it is known how sure a final label is: two people or more have decided it."""
    return label.value is not None and label.by != "lead" and label.votes > 1


def drawn_labels(
    labels: Mapping[PlaceQuestion, FinalLabel],
    groups: Mapping[PlaceQuestion, str],
    questions: Mapping[str, JudgedQuestion],
    random: np.random.Generator,
    *,
    is_model: bool,
) -> Iterator[dict[PlaceQuestion, FinalLabel]]:
    """Yield final labels again and again, those that are measured drawn anew from what their votes allow.

    Of a model of raters that is its posterior. Otherwise a label is what most of all such raters would say (of a scale
    the median), and their shares are drawn from Dirichlet's distribution: it adds to the votes of a place those of a
    prior with the shares of all votes of its group, whose weight follows from Fleiss' kappa (Skellam 1948; Mosimann
    1962).
    """
    strata: dict[tuple[str, str], list[PlaceQuestion]] = {}
    for key in sorted(groups):
        if key[2] in questions and key in labels and is_measured(labels[key]):
            strata.setdefault((key[2], groups[key]), []).append(key)
    tables = []
    for (name, _), keys in strata.items():
        values = sorted({value for key in keys for value, _ in labels[key].posterior},
                        key=lambda value: (isinstance(value, str), value))  # fmt: skip
        if 1 < len(values) <= _MOST_LABELS:
            how = "posterior" if is_model and questions[name].measure != "interval" else questions[name].measure
            shares = np.array([[dict(labels[key].posterior).get(value, 0.0) for value in values] for key in keys])
            counts = np.array([labels[key].votes for key in keys])
            tables.append((keys, values, shares if how == "posterior" else _dirichlet(shares, counts), how))
    while True:
        drawn = dict(labels)
        for keys, values, weights, how in tables:
            chances = weights if how == "posterior" else random.standard_gamma(weights)
            level = (random.random((len(keys), 1)) if how == "posterior" else 0.5) * chances.sum(axis=1, keepdims=True)
            at = chances.argmax(axis=1) if how == "nominal" else (chances.cumsum(axis=1) < level)[:, :-1].sum(axis=1)
            drawn |= {key: labels[key]._replace(value=values[number]) for key, number in zip(keys, at, strict=True)}
        yield drawn


def _dirichlet(shares: Floats, counts: Floats) -> Floats:
    """Return the parameters of each place's distribution: its votes, and those of the prior."""
    votes = shares * counts[:, None]
    every = votes.sum(axis=0) / votes.sum()
    chance = float((every**2).sum())
    equal = (((votes**2).sum(axis=1) - counts) / (counts * (counts - 1))).mean()
    return votes + every * (1 / min(1.0, max(_LEAST_ALIKE, (equal - chance) / (1 - chance))) - 1)


def _response_of(task: TaskFacts, where: str) -> str | None:
    kind, _, name = where.partition("/")
    if kind == "responses":
        return name
    if kind == "targets":
        return task.targets.get(name)
    return task.responses[0] if len(task.responses) == 1 else None


def meta_columns_of(responses: Sequence[SystemResponse]) -> tuple[MetaColumn, ...]:
    """Return the columns that can group or filter: those with several values, not one of its own for each response."""
    names = dict.fromkeys(name for response in responses for name in response.task.meta)
    columns = []
    for name in dict.fromkeys([*SYSTEM_COLUMNS, *names, LANGUAGE]):
        counts = Counter(response.column(name) for response in responses)
        del counts[""]
        several = 1 < len(counts) <= _MOST_VALUES and (len(counts) < len(responses) or len(responses) < 3)
        if counts and (several or name in SYSTEM_COLUMNS):
            pairs = {
                (prompt_of(response, ""), response.column(name)) for response in responses if response.column(name)
            }
            repeats = len(pairs) > len({prompt for prompt, _ in pairs})
            columns.append(MetaColumn(name=name, values=tuple(sorted(counts.items())), repeats=repeats))
    return tuple(columns)


def check_columns(responses: Sequence[SystemResponse], names: Iterable[str]) -> None:
    """Raise `RaterError` for a column that no response has: an empty report would look like a result."""
    for name in names:
        if not any(response.column(name) for response in responses):
            there = ", ".join(sorted({column for response in responses for column in response.task.meta})) or "none"
            raise RaterError(f"No task has {name!r} in its meta.", f"Columns: {there[:400]}.", "Correct the column.")


def system_column(responses: Sequence[SystemResponse]) -> str:
    """Return the column that names the system; empty if none does."""
    return next((name for name in SYSTEM_COLUMNS if any(response.column(name) for response in responses)), "")


def prompt_of(response: SystemResponse, pair: str) -> str:
    """Return the identity of a response's prompt: the chosen column, `prompt_id`, the prompt, otherwise the task."""
    named = response.column(pair) if pair else response.column(PROMPT_ID)
    return named or ("" if pair else response.task.prompt) or response.task.id


def base_of(responses: Iterable[SystemResponse], pair: str) -> SystemsBase:
    """Count what figures of these responses rest on."""
    every = list(responses)
    return SystemsBase(
        prompts=len({prompt_of(response, pair) for response in every}),
        tasks=len({response.task.id for response in every}),
        responses=len(every),
        targets=sum(len(set(_targets(response))) for response in every),
        raters=len(frozenset[str]().union(*(response.task.raters for response in every))),
        ratings=sum(len(raters) for raters in {response.task.id: response.task.raters for response in every}.values()),
    )


def _targets(response: SystemResponse) -> Iterator[str]:
    return (where for where, *_ in response.values if where.startswith("targets/"))


Pair = tuple[int, int]

_RIDGE = 1e-9  # keeps the parameter of a system that never lost finite; moves others by less than they are printed with
_LONGEST_STEP = 2.0
_MOST_STEPS = 100
_EXACT = 1e-10


class PairedModel(NamedTuple):
    """Fitted model, for each set of counts: log strengths (n, systems) with mean 0, order effect and tie parameter.

    `order` is `None` if it can't be told from the strengths, `ties` if there are none.
    """

    strengths: Floats
    order: Floats | None
    ties: Floats | None

    def win_chances(self) -> Floats:
        """Return the chance of each to be preferred to another one, ties as half, averaged over the others.

        Neither is shown first. 0.5 is even.
        """
        tie = np.zeros(len(self.strengths)) if self.ties is None else self.ties
        half = (self.strengths[:, :, None] - self.strengths[:, None, :]) / 2
        first, second, neither = np.exp(half), np.exp(-half), tie[:, None, None]
        chances = (first + neither / 2) / (first + second + neither)
        systems = self.strengths.shape[1]
        return (chances.sum(axis=2) - 0.5) / (systems - 1)


def fit_pairs(pairs: list[Pair], counts: Floats, *, order: bool = True) -> PairedModel:
    """Fit the model. `pairs`: (shown first, shown second); `counts` (n, pairs, 3): first preferred, neither, second.

    The pairs must connect all systems. Without ties there is no tie parameter; without `order`, or if each system
    always has its side, no order effect.
    """
    systems = 1 + max(max(pair) for pair in pairs)
    has_order, has_ties = order and order_is_known(pairs), bool(counts[..., 1].any())
    design = _design(pairs, systems, order=has_order) / 2
    totals, balance = counts.sum(axis=2), counts[..., 0] - counts[..., 2]
    size = design.shape[1] + has_ties
    pinned = np.diag(np.full(size, _RIDGE))
    pinned[:systems, :systems] += 1  # the strengths have the sum 0
    outer = (design[:, :, None] * design[:, None, :]).reshape(len(pairs), -1)
    parameters = np.zeros((len(counts), size))
    for _ in range(_MOST_STEPS):
        half = parameters[:, : design.shape[1]] @ design.T
        neither = np.exp(parameters[:, -1:]) if has_ties else np.zeros((len(counts), 1))
        first, second = np.exp(half), np.exp(-half)
        whole = first + second + neither
        lead, tied = (first - second) / whole, neither / whole
        slope = np.empty((len(counts), size))
        slope[:, : design.shape[1]] = (balance - totals * lead) @ design
        curve = np.empty((len(counts), size, size))
        spread = totals * (1 - tied - lead**2)
        curve[:, : design.shape[1], : design.shape[1]] = (spread @ outer).reshape(len(counts), *[design.shape[1]] * 2)
        if has_ties:
            slope[:, -1] = (counts[..., 1] - totals * tied).sum(axis=1)
            curve[:, -1, :-1] = curve[:, :-1, -1] = -(totals * lead * tied) @ design
            curve[:, -1, -1] = (totals * tied * (1 - tied)).sum(axis=1)
        step = np.linalg.solve(curve + pinned, (slope - parameters @ pinned)[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        parameters += step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, _EXACT))
        if longest.max() < _EXACT:
            break
    return PairedModel(
        parameters[:, :systems],
        parameters[:, systems] if has_order else None,
        np.exp(parameters[:, -1]) if has_ties else None,
    )


def order_is_known(pairs: list[Pair]) -> bool:
    """Tell if an advantage of the one shown first differs from any strengths: not if each has its side."""
    systems = 1 + max(max(pair) for pair in pairs)
    ranks = [np.linalg.matrix_rank(_design(pairs, systems, order=order)) for order in (False, True)]
    return ranks[1] > ranks[0]


def are_connected(pairs: list[Pair]) -> bool:
    """Tell if all systems have been compared, directly or through others."""
    systems = 1 + max(max(pair) for pair in pairs)
    return bool(np.linalg.matrix_rank(_design(pairs, systems, order=False)) == systems - 1)


def _design(pairs: list[Pair], systems: int, *, order: bool) -> Floats:
    design = np.zeros((len(pairs), systems + order))
    for row, (first, second) in enumerate(pairs):
        design[row, first], design[row, second] = 1, -1
    if order:
        design[:, -1] = 1
    return design


_TASK = "task"
NOT_CONNECTED = N_("Report", "not all systems have been compared, directly or through others")
ALWAYS_ALIKE = N_("Report", "it was always preferred, or never: too little for an interval")
ONE_SIDE = N_("Report", "each system was always shown on the same side")


class _Comparison(NamedTuple):
    """One pair of responses, the first shown first; `outcome`: 0 it is preferred, 1 neither, 2 the second."""

    prompt: str
    first: str
    second: str
    outcome: int

    def exchanged(self) -> "_Comparison":
        """Return the same comparison with the second shown first."""
        return _Comparison(self.prompt, self.second, self.first, 2 - self.outcome)


class ComparedPairs(NamedTuple):
    """Comparisons of one question: final preferences of the pairs, in the order of their files.

    `judgements`: each rater's own preference, in the order that the rater saw; none if all saw that of the file.
    `used`: the responses compared. `open`: how many pairs have no final preference.
    """

    question: JudgedQuestion
    pairs: list[_Comparison]
    judgements: list[_Comparison]
    used: list[SystemResponse]
    open: int

    def final(self, seed: int) -> "PreferenceFigures":
        return PreferenceFigures(self.pairs, seed, self.raters)

    def seen(self, seed: int) -> "PreferenceFigures":
        """Return the figures that depend on the order in which responses were seen."""
        return PreferenceFigures(self.judgements or self.pairs, seed, self.raters)

    @property
    def raters(self) -> int:
        return len(frozenset[str]().union(*(response.task.raters for response in self.used)))


def compared_pairs(
    audit: Audit,
    groups: Mapping[str, Sequence[SystemResponse]],
    labels: FinalValues,
    pair: str,
    questions: Collection[str],
) -> Iterator[ComparedPairs]:
    """Yield the comparisons of each comparison question that has any. `pair`: the column of the prompt."""
    by_task: dict[str, list[tuple[str, SystemResponse]]] = {}
    for name, responses in groups.items():
        for response in responses:
            by_task.setdefault(response.task.id, []).append((name, response))
    compared = {task: named for task, named in by_task.items() if len(named) == 2 and named[0][0] != named[1][0]}
    digests = _digests_in_other_orders(audit, compared)
    for question in judged_questions(audit.rubric):
        if question.id not in questions:
            continue
        result = ComparedPairs(question, [], [], [], 0)
        for task, named in compared.items():
            order = named[0][1].task.responses
            (first, response), (second, _) = sorted(named, key=lambda entry: order.index(entry[1].id))
            prompt = prompt_of(response, pair)
            label = labels.get((task, _TASK, question.id))
            outcome = None if label is None else outcome_of(label.value)
            if outcome is not None:
                result.pairs.append(_Comparison(prompt, first, second, outcome))
                result.used.extend(response for _, response in named)
            elif label is not None:
                result = result._replace(open=result.open + 1)
            for digest in digests.get(task, ()):
                outcome = outcome_of(question.value(digest.values.get(_TASK, {})))
                if outcome is not None:
                    judgement = _Comparison(prompt, first, second, outcome)
                    result.judgements.append(judgement.exchanged() if digest.exchanged else judgement)
        if result.pairs:
            yield result


def _digests_in_other_orders(audit: Audit, tasks: Collection[str]) -> dict[str, list[Digest]]:
    """Return the digests of people's complete ratings by task; none if all raters saw the order of the file."""
    digests: dict[str, list[Digest]] = {}
    exchanged = False
    for (task, rater), rating in audit.ratings.items():
        if task in tasks and rater not in audit.models:
            digest = rating.digest
            if digest.status == "complete":
                digests.setdefault(task, []).append(digest)
                exchanged |= digest.exchanged
    return digests if exchanged else {}


def preferences(compared: ComparedPairs, pair: str, seed: int) -> SystemPreferences:
    """Return the preferences of a comparison question. `pair`: the column of the prompt."""
    seen = compared.seen(seed)
    strengths, ties = seen.strengths()
    duels = tuple(compared.final(seed).duels())
    counts = {row.name: sum(duel.pairs for duel in duels if row.name in {duel.one, duel.other}) for row in strengths}
    return SystemPreferences(
        question=compared.question.id,
        ask=compared.question.ask,
        base=base_of(compared.used, pair),
        pairs=len(compared.pairs),
        open=compared.open,
        strengths=tuple(replace(strength, pairs=counts[strength.name]) for strength in strengths),
        duels=duels,
        first=seen.first(),
        tie_parameter=ties,
        judgements=len(compared.judgements),
    )


def outcome_of(value: Value | None) -> int | None:
    """Return 0, 1 or 2 for the first, neither and the second; a scale is negative for the first."""
    if value is None:
        return None
    if isinstance(value, str):
        name = value.casefold()
        return 0 if name in FIRST_SIDE else 2 if name in SECOND_SIDE else 1
    return 1 + (value > 0) - (value < 0)


class PreferenceFigures:
    """Sums of comparisons by prompt, in the order of the systems' names."""

    def __init__(self, pairs: Sequence[_Comparison], seed: int, raters: int) -> None:
        self._systems = sorted({name for pair in pairs for name in (pair.first, pair.second)}, key=natural_key)
        index = {name: number for number, name in enumerate(self._systems)}
        self._orders = sorted({(index[pair.first], index[pair.second]) for pair in pairs})
        column = {order: number for number, order in enumerate(self._orders)}
        prompts = {prompt: row for row, prompt in enumerate(dict.fromkeys(pair.prompt for pair in pairs))}
        self._sums = np.zeros((len(prompts), len(self._orders), 3))
        for pair in pairs:
            self._sums[prompts[pair.prompt], column[index[pair.first], index[pair.second]], pair.outcome] += 1
        self._prompts, self._seed, self._raters = list(prompts), seed, raters

    def first(self) -> ReportFigure:
        """Return the share of pairs in which the response shown first is preferred, ties as half."""
        by_order = self._sums.sum(axis=1)
        estimate = share(by_order[:, 0] + by_order[:, 1] / 2, by_order.sum(axis=1))
        why = estimate.why if order_is_known(self._orders) else ONE_SIDE
        return as_figure(estimate._replace(why=why), int(by_order.sum()), self._raters)

    def duels(self) -> Iterator[SystemDuel]:
        """Yield the counts of every two systems that were compared."""
        for number, other in combinations(range(len(self._systems)), 2):
            wins, ties, losses = self._counts_of(number, other).T
            if wins.any() or ties.any() or losses.any():
                yield SystemDuel(
                    one=self._systems[number],
                    other=self._systems[other],
                    wins=int(wins.sum()),
                    ties=int(ties.sum()),
                    losses=int(losses.sum()),
                    figure=as_figure(
                        share(wins + ties / 2, wins + ties + losses), int((wins + ties + losses).sum()), self._raters
                    ),
                )

    def _counts_of(self, one: int, other: int) -> Floats:
        """Return by prompt: `one` preferred, neither, `other` preferred, in both orders."""
        counts = np.zeros((len(self._sums), 3))
        for column, order in enumerate(self._orders):
            if order == (one, other):
                counts += self._sums[:, column]
            elif order == (other, one):
                counts += self._sums[:, column, ::-1]
        return counts

    def chances(self) -> dict[str, float]:
        """Return the strength of each system alone, without its interval."""
        if not are_connected(self._orders):
            return {}
        chances = fit_pairs(self._orders, self._sums.sum(axis=0)[None]).win_chances()[0]
        return dict(zip(self._systems, map(float, chances), strict=True))

    def strengths(self) -> tuple[tuple[SystemStrength, ...], float | None]:
        """Return the strength of each system, and the tie parameter."""
        count = len(self._systems)
        of_system = [self._of_system(number) for number in range(count)]
        if not are_connected(self._orders):
            nothing = [no_value(int(won.any(axis=1).sum()), NOT_CONNECTED) for won in of_system]
            pairs = [int(won.sum()) for won in of_system]
            return tuple(
                SystemStrength(name=name, pairs=count, figure=as_figure(estimate, count, self._raters))
                for name, count, estimate in zip(self._systems, pairs, nothing, strict=True)
            ), None
        model = fit_pairs(self._orders, self._sums.sum(axis=0)[None])
        drawn = self._drawn_chances()
        rows = []
        for number, name in enumerate(self._systems):
            won = of_system[number]
            estimate = estimate_from_draws(
                float(model.win_chances()[0, number]), drawn[:, number], int(won.any(axis=1).sum())
            )
            alike = not (won[:, 1:].any() and won[:, :2].any())
            if alike:
                estimate = estimate._replace(low=None, high=None, why=ALWAYS_ALIKE)
            strength = None if alike else float(model.strengths[0, number])
            figure = as_figure(estimate, int(won.sum()), self._raters)
            rows.append(SystemStrength(name=name, pairs=int(won.sum()), figure=figure, log_strength=strength))
        return tuple(rows), None if model.ties is None else float(model.ties[0])

    def _of_system(self, number: int) -> Floats:
        """Return by prompt: the system preferred, neither, another preferred."""
        return sum(
            (self._counts_of(number, other) for other in range(len(self._systems)) if other != number),
            start=np.zeros((len(self._sums), 3)),
        )

    def _drawn_chances(self) -> Floats:
        flat = draw_weights(self._seed, self._prompts).T.astype(np.float64) @ self._sums.reshape(len(self._sums), -1)
        model: PairedModel = fit_pairs(self._orders, flat.reshape(len(flat), len(self._orders), 3))
        return model.win_chances()
