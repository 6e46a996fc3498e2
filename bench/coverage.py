"""`python -m bench.coverage [RUNS]`: how often intervals of 95 % hold the true value in simulated audits, as a table.

What a rater sees in a sentence is the sum of effects of its task, of the sentence, of the rater, and of chance; above a
bound the rater says yes. The true value of a figure is that of 30,000 tasks; that of the audit's result is the rate of
all work, from which places are drawn. The table is in docs/auditing.md, and `tests/stats/test_coverage.py` repeats it
with fewer runs.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_rater.plugins.statistics.acceptance import SampledStratum, error_rate
from desktop_rater.stats.agreement import counted_ratings_table
from desktop_rater.stats.agreement_figures import SingleRatings, agreement_figures, over_raters, statistics_of, summed
from desktop_rater.stats.cluster_bootstrap import DRAWS, divided, draw_weights, group_difference, ratio, share

Floats = NDArray[np.float64]
RUNS, MOST = 2_000, 40
LEAST_STEP, MOST_STEP = 1, 5
AUDITED_TASKS, DRAWN = 300, 0.15
CASES, HELD_OUT, PULLED = 0.6, 0.1, 0.3  # of ratings: with decided cases, of those held out; of others, that follow
WEIGHTS = draw_weights(1, [f"t{task}" for task in range(AUDITED_TASKS)], DRAWS)


class Design(NamedTuple):
    """Audit of `tasks`, each given to `each` (from, to) of `raters`, a share of whose ratings is `missing`.

    A task has one to nine sentences; `uneven` ones one to forty, many with few. `rate`: share of yes.
    """

    tasks: int = 40
    uneven: bool = False
    raters: int = 4
    each: tuple[int, int] = (4, 4)
    missing: float = 0.0
    rate: float = 0.4


DESIGNS = {
    "nested": Design(),
    "unequal": Design(uneven=True, raters=8, each=(2, 6)),
    "gappy": Design(raters=6, each=(4, 4), missing=0.4),
    "rare": Design(rate=0.07),
    "crowd": Design(raters=20, each=(3, 3)),
}


class Seen(NamedTuple):
    """Sentences of tasks: the `task` of each, its own `quality`, what each rater sees, and who was `asked`."""

    task: NDArray[np.intp]
    quality: Floats
    views: Floats
    asked: NDArray[np.bool_]


def seen(design: Design, random: np.random.Generator, tasks: int, leanings: Floats) -> Seen:
    """Draw tasks. `leanings`: how easily each rater says yes, (raters,) or (tasks, raters)."""
    if design.uneven:
        count = np.clip(np.round(random.lognormal(1, 1, tasks)), 1, MOST).astype(np.intp)
    else:
        count = random.integers(1, 10, tasks)
    task = np.repeat(np.arange(tasks), count)
    quality = random.normal(size=tasks)[task] + random.normal(size=len(task))
    shape = len(task), design.raters
    leaning = leanings[task] if leanings.ndim == 2 else leanings
    turn = random.random((tasks, design.raters)).argsort(axis=1).argsort(axis=1)
    least, most = design.each
    asked = (turn < random.integers(least, most + 1, tasks)[:, None])[task] & (random.random(shape) >= design.missing)
    kept = asked.any(axis=1)
    views = quality[:, None] + leaning + random.normal(size=shape)
    return Seen(task[kept], quality[kept], views[kept], asked[kept])


def own_leanings(design: Design) -> Floats:
    """Return the leanings of raters who stay the same in every audit."""
    return np.linspace(-0.4, 0.4, design.raters)


def some_leanings(design: Design, random: np.random.Generator, *tasks: int) -> Floats:
    """Draw the leanings of other raters, or those of other raters in each task."""
    return random.normal(0, 0.5, (*tasks, design.raters))


@cache
def bound_for(design: Design) -> float:
    """Return the bound above which the design's share of the views lies."""
    given = seen(design, np.random.default_rng(9), 4_000, own_leanings(design))
    return float(np.quantile(given.views[given.asked], 1 - design.rate))


@cache
def kinds_of(raters: int):  # noqa: ANN201 - a table and its columns
    """Return the table of all kinds of sentences, (said no, said yes), and the number of each kind."""
    kinds = [(no, yes) for no in range(raters + 1) for yes in range(raters + 1 - no) if no + yes]
    counts = [tuple((value, n) for value, n in enumerate(kind) if n) for kind in kinds]
    number = np.full((raters + 1, raters + 1), -1)
    number[tuple(np.array(kinds).T)] = np.arange(len(kinds))
    return counted_ratings_table([f"r{rater}" for rater in range(raters)], counts), number


def table_of(design: Design, given: Seen):  # noqa: ANN201 - as above
    """Return the table of what raters said."""
    table, number = kinds_of(design.raters)
    yes = (given.views > bound_for(design)) & given.asked
    kind = number[(given.asked & ~yes).sum(axis=1), yes.sum(axis=1)]
    return table._replace(kinds=kind, times=defaultdict(int, Counter(kind.tolist()))), yes


def sums(given: Seen, yes: NDArray[np.bool_], tasks: int) -> Floats:
    """Return yes, ratings, and the sum of a scale's steps, of each task."""
    steps = np.clip(np.round(3 + given.views), LEAST_STEP, MOST_STEP) * given.asked
    columns = np.zeros((3, tasks))
    for row, values in enumerate((yes, given.asked, steps)):
        columns[row] = np.bincount(given.task, values.sum(axis=1), tasks)
    return columns


@cache
def true_values(design: Design, *, other_raters: bool) -> dict[str, float]:
    """Compute the figures from very many tasks, of the same raters or of others in each task."""
    random, tasks = np.random.default_rng(8), 30_000
    leanings = some_leanings(design, random, tasks) if other_raters else own_leanings(design)
    given = seen(design, random, tasks, leanings)
    table, yes = table_of(design, given)
    columns, every = summed(table, "nominal", np.zeros(len(table.kinds), dtype=np.intp), WEIGHTS[:1])
    hits, ratings, grades = (of_task.sum() for of_task in sums(given, yes, tasks))
    statistics = statistics_of(columns, "nominal") | {"percent": lambda parts: divided(parts[:, 2], parts[:, 1])}
    found = {name: float(statistics[name](every.total)[0]) for name in ("krippendorff_alpha", "gwet_ac1", "percent")}
    return found | {"share": hits / ratings, "mean": grades / ratings}


class Tally:
    """How often each figure has an interval, and how often that holds the true value."""

    def __init__(self) -> None:
        self.held: dict[str, list[bool]] = defaultdict(list)
        self.runs: Counter[str] = Counter()

    def add(self, name: str, low: float | None, high: float | None, true: float) -> None:
        self.runs[name] += 1
        if low is not None and high is not None:
            self.held[name].append(low - 1e-12 <= true <= high + 1e-12)

    def coverage(self, name: str) -> float:
        return float(np.mean(self.held[name])) if self.held[name] else float("nan")

    def given(self, name: str) -> float:
        return len(self.held[name]) / self.runs[name]


def audit_agreement(design: Design, random: np.random.Generator, tally: Tally) -> None:
    """Simulate one audit of these raters: agreement, a share and a mean over tasks."""
    given, true = seen(design, random, design.tasks, own_leanings(design)), true_values(design, other_raters=False)
    table, yes = table_of(design, given)
    weights = WEIGHTS[: design.tasks]
    figures = agreement_figures(table, "nominal", given.task, weights).figures
    hits, ratings, grades = sums(given, yes, design.tasks)
    chosen = {name: figures[name] for name in ("krippendorff_alpha", "gwet_ac1") if name in figures}
    for name, figure in (
        chosen | {"share": share(hits, ratings), "mean": ratio(grades, ratings, (LEAST_STEP, MOST_STEP))}
    ).items():
        tally.add(name, figure.low, figure.high, true[name])


def audit_over_raters(design: Design, random: np.random.Generator, tally: Tally) -> None:
    """Simulate one audit whose raters are drawn too: agreement over tasks and raters."""
    given = seen(design, random, design.tasks, some_leanings(design, random))
    table, yes = table_of(design, given)
    true = true_values(design, other_raters=True)
    figures = agreement_figures(table, "nominal", given.task, WEIGHTS[: design.tasks]).figures
    at, rater = np.nonzero(given.asked)
    single = SingleRatings(rater, given.task[at], np.asarray(table.kinds)[at], yes[at, rater] * 1, np.ones_like(at))
    chosen = {name: figures[name] for name in ("krippendorff_alpha", "percent") if name in figures}
    for name, figure in over_raters(chosen, table, "nominal", single).items():
        tally.add(f"{name}, raters", figure.low, figure.high, true[name])


def strata_of(given: Seen, wrong: NDArray[np.bool_], random: np.random.Generator) -> list[SampledStratum]:
    """Draw places of all work, and judge every rating at them."""
    ratings, failed = given.asked.sum(axis=1), (wrong & given.asked).sum(axis=1)
    group = np.where(ratings == 1, 2, np.where((failed == 0) | (failed == ratings), 1, 0))
    drawn = random.permutation(len(group))[: int(np.ceil(DRAWN * len(group)))]
    strata = []
    for number in range(3):
        places, chosen = np.flatnonzero(group == number), np.sort(drawn[group[drawn] == number])
        at, rater = np.nonzero(given.asked[chosen])
        if len(places):
            sizes = int(ratings[places].sum()), len(places), len(chosen), len(chosen)
            rows = given.task[chosen][at], chosen[at], wrong[chosen][at, rater]
            strata.append(SampledStratum(f"{number}", *sizes, *rows))
    return strata


def audit_errors(design: Design, random: np.random.Generator, tally: Tally) -> None:
    """Simulate the verdicts on a sample of all work."""
    given = seen(design, random, AUDITED_TASKS, own_leanings(design))
    bound = bound_for(design)
    wrong = (given.views > bound) != (given.quality > bound)[:, None]
    true = float(wrong[given.asked].mean())
    rate = error_rate(strata_of(given, wrong, random))
    tally.add("result", rate.low, rate.high, true)
    tally.add("result, at most", 0.0 if rate.upper is not None else None, rate.upper, true)


def audit_pull(design: Design, random: np.random.Generator, tally: Tally) -> None:
    """Simulate raters who are shown most cases, at some of the places with any, and then take their answer."""
    given = seen(design, random, design.tasks, own_leanings(design))
    equal = given.views > bound_for(design)
    cases, held_out = given.asked & (random.random(equal.shape) < CASES), random.random(equal.shape) < HELD_OUT
    equal |= ~held_out & (random.random(equal.shape) < PULLED)
    sides = [cases & ~held_out, cases & held_out]
    counts = (
        np.bincount(given.task, part.sum(axis=1), design.tasks) for side in sides for part in (side & equal, side)
    )
    figure = group_difference(*(count.astype(np.float64) for count in counts))
    tally.add("pull", figure.low, figure.high, PULLED * (1 - true_values(design, other_raters=False)["share"]))


def coverage(design: Design, runs: int, seed: int = 1) -> Tally:
    """Simulate all audits of a design."""
    tally = Tally()
    for run in range(runs):
        random = np.random.default_rng([seed, run])
        for audit in (audit_agreement, audit_over_raters, audit_errors):
            audit(design, random, tally)
        audit_pull(design, np.random.default_rng([seed, run]), tally)
    return tally


FIGURES = {
    "share": "share",
    "mean": "mean of a scale",
    "gwet_ac1": "AC1",
    "krippendorff_alpha": "α",
    "krippendorff_alpha, raters": "α, other raters",
    "percent, raters": "percent, other raters",
    "result": "audit's result",
    "result, at most": "its bound",
    "pull": "pull",
}


def main(runs: int) -> None:
    """Print the table."""
    print(f"| design | {' | '.join(FIGURES.values())} |\n|---|{'---|' * len(FIGURES)}")
    for name, design in DESIGNS.items():
        tally = coverage(design, runs)
        cells = [
            f"{100 * tally.coverage(figure):.1f}" + (f" ({of:.0%})" if (of := tally.given(figure)) < 0.985 else "")
            for figure in FIGURES
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
