"""Figures of one question from counts by task: agreement, confusions, raters with the others, pairs and scales."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from desktop_rater.audit.figures import (
    FEW_VALUES,
    MOST_DIFFERING,
    AnswerRows,
    RaterAnswers,
    agreement_of_table,
    as_figures,
    confusion_of,
    differing_unit,
    rater_answers,
)
from desktop_rater.audit.items import distance_between, value_distance
from desktop_rater.audit.question_units import ValueCounts, other_counts
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import (
    ConfusionMatrix,
    DifferingUnit,
    PlaceFigures,
    QuestionAgreement,
    RaterPair,
    ScaleFigures,
)
from desktop_rater.audit.scale_figures import MEASURES, MOST_PLACES, figures_of_scale, place_figure
from desktop_rater.plugins.dataset.relations import QuestionRows, ReportRows, runs
from desktop_rater.stats.agreement import RatingsTable, RatingValue, grouped_ratings_table, unit_ratings
from desktop_rater.stats.agreement_figures import SingleRatings
from desktop_rater.stats.cluster_bootstrap import Indices
from desktop_rater.stats.rater_agreement import OthersAgreement, agreement_with_others, pair_figures
from desktop_rater.stats.reliability import item_analysis
from desktop_rater.stats.weighted_agreement import ScaleRatings

MOST_SCALED = 2_000_000  # ratings on a scale, whose figures hold them all
_MOST_CELLS = 50_000_000  # of tasks and raters


class UnitKind(NamedTuple):
    """Kind of units: the counts of people's values, and the values of both, if there are two people in all."""

    counts: ValueCounts
    both: tuple[RatingValue, RatingValue] | None


class OwnAnswers(NamedTuple):
    """A rater's answers, and their kinds beside the others: own value and counts of the rest."""

    rows: AnswerRows
    sums: OthersAgreement
    units: Indices  # the number of the kind of the unit, -1 if no person judged it


class QuestionFigures:
    """Figures of one question. `rows`: those of the report."""

    def __init__(self, rows: ReportRows, question: JudgedQuestion) -> None:
        self.question = question
        self._rows = rows
        self.values: tuple[Value, ...] = ()
        self.people: tuple[int, ...] = ()
        none = pa.array([], pa.int64())
        table = pa.table({"position": none, "kind": pa.array([], pa.string()), "units": none})
        if question.id in rows.answered:
            self._given = QuestionRows(rows, question.id)
            self.values, self.people = self._given.values, self._given.people
            table = self._given.kinds_by_task().sort_by([("position", "ascending"), ("kind", "ascending")])
        self._texts = pa.array(sorted(set(table.column("kind").unique().to_pylist())), pa.string())
        self._kind = self._numbers_of(table.column("kind"))
        self._task, self._units = (table.column(name).to_numpy() for name in ("position", "units"))
        self.kinds = tuple(self._kind_of(text) for text in self._texts.to_pylist())
        self._times = np.bincount(self._kind, self._units, len(self.kinds)).astype(np.intp)

    def _numbers_of(self, texts: pa.ChunkedArray) -> Indices:
        """Return the number of each kind, -1 for none."""
        numbers = pc.call_function("index_in", [texts], pc.SetLookupOptions(value_set=self._texts))
        return numbers.fill_null(-1).to_numpy().astype(np.intp)

    def _kind_of(self, text: str) -> UnitKind:
        numbers, size = (
            sorted(map(int, text.split(","))),
            len(self.values),
        )  # of two raters, the second one's are higher
        counted = Counter(self.values[number % size] for number in sorted(number % size for number in numbers))
        both = len(self.people) == len(numbers) == 2
        return UnitKind(
            tuple(counted.items()), (self.values[numbers[0]], self.values[numbers[1] - size]) if both else None
        )

    def agreement(self, seed: int, *, raters_random: bool) -> QuestionAgreement:
        """Return all figures of agreement. `raters_random`: the intervals also cover that others might have rated."""
        tasks, clusters = np.unique(self._task, return_inverse=True)
        kinds = [unit_ratings(*kind) for kind in self.kinds]
        raters = [self._rows.raters[number] for number in self.people]
        table = grouped_ratings_table(raters, kinds, self._kind.tolist(), self._units.tolist())
        given = self._single_ratings(table) if raters_random else None
        return agreement_of_table(self.question, table, clusters, self._rows.names(tasks), seed, given)

    def _single_ratings(self, table: RatingsTable) -> SingleRatings:
        place = np.array([table.places.get(value, -1) for value in self.values], dtype=np.intp)
        parts = [
            (np.full(len(own.units), number), own.rows.task, own.units, place[own.rows.value], own.rows.times)
            for number, own in self.by_rater()
            if number in self.people
        ]
        none = np.zeros((5, 0), dtype=np.intp)
        return SingleRatings(*(np.concatenate(columns) for columns in zip(*parts, none, strict=True)))

    def others(self) -> Counter[tuple[Value, Value | None]]:
        """Count each value that people gave with the majority of the others, `None` if there is a tie."""
        counted: Counter[tuple[Value, Value | None]] = Counter()
        for kind, times in zip(self.kinds, self._times.tolist(), strict=True):
            if sum(n for _, n in kind.counts) > 1:
                for value, n in kind.counts:
                    counted[value, _majority(other_counts(kind.counts, value))] += n * times
        return counted

    def confusion(self, given: Counter[tuple[Value, Value | None]] | None) -> ConfusionMatrix | None:
        """Return the matrix of values beside the majority of the others; `None` without a fixed set of values."""
        return confusion_of(self.question, given or {}) if self.question.looks else None

    def differing(self) -> tuple[DifferingUnit, ...]:
        """Return the units that disagree most; among equals those judged by most people first."""
        far = {
            number: (-value_distance(self.question, dict(counts)), -sum(n for _, n in counts))
            for number, (counts, _) in enumerate(self.kinds)
            if len(counts) > 1
        }
        listed, units = {}, 0
        for number in sorted(far, key=far.__getitem__):
            if units >= MOST_DIFFERING and far[number] > max(listed.values()):
                break
            listed[number] = far[number]
            units += int(self._times[number])
        order = {kind: rank for rank, kind in enumerate(sorted(set(listed.values())))}
        numbers = {str(self._texts[number]): number for number in listed}
        ranks = {text: order[far[number]] for text, number in numbers.items()}
        rows = self._given.first_units(ranks, MOST_DIFFERING) if ranks else []
        return tuple(
            differing_unit(self.question, place, self.kinds[number].counts, -far[number][0])
            for place, number in zip(self._places(rows), (numbers[row["kind"]] for row in rows), strict=True)
        )

    def differing_by_rater(self) -> dict[int, tuple[DifferingUnit, ...]]:
        """Return for each rater the units that differ most from the others, those with the most consensus first."""
        far: dict[tuple[str, int, bool], tuple[float, int, ValueCounts]] = {}
        for text, (counts, _) in zip(self._texts.to_pylist(), self.kinds, strict=True):
            for code, own in enumerate(self.values):
                for by_model in (False, True):
                    if not by_model and (len(counts) < 2 or own not in dict(counts)):
                        continue
                    others = counts if by_model else other_counts(counts, own)
                    apart = sum(
                        distance_between(own, value, self.question.span) * n for value, n in others if value != own
                    )
                    if apart:
                        agreed = max(n for value, n in others if value != own)
                        far[text, code, by_model] = -apart / sum(n for _, n in others), -agreed, others
        order = {key: rank for rank, key in enumerate(sorted({kind[:2] for kind in far.values()}))}
        ranks = {key: order[kind[:2]] for key, kind in far.items()}
        listed: dict[int, list[DifferingUnit]] = {}
        rows = self._given.first_by_rater(ranks, MOST_DIFFERING) if ranks else []
        for place, row in zip(self._places(rows), rows, strict=True):
            nearness, _, others = far[row["kind"], row["code"], row["by_model"]]
            unit = differing_unit(self.question, place, others, -nearness, self.values[row["code"]])
            listed.setdefault(row["number"], []).append(unit)
        return {number: tuple(units) for number, units in listed.items()}

    def _places(self, rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
        names = self._rows.names(np.array([row["position"] for row in rows], dtype=np.intp))
        return [(name, row["place"]) for name, row in zip(names, rows, strict=True)]

    def by_rater(self) -> Iterator[tuple[int, OwnAnswers]]:
        """Yield each rater's answers, in the order of the raters' numbers."""
        for number, table in runs(self._given.own_by_rater(), "number") if self.values else ():
            by_model = number not in self.people
            task, code, times = (table.column(name).to_numpy() for name in ("position", "code", "times"))
            unit = self._numbers_of(table.column("kind"))
            order = np.lexsort((code, unit, task))
            task, code, times, unit = task[order], code[order], times[order], unit[order]
            used, at = np.unique(unit * len(self.values) + code, return_inverse=True)
            kinds: list[tuple[Value, ValueCounts]] = []
            numbers = []
            for key in used.tolist():
                at_unit, own = divmod(key, len(self.values))
                counts = self.kinds[at_unit].counts if at_unit >= 0 else ()
                others = counts if by_model else other_counts(counts, self.values[own])
                numbers.append(len(kinds) if others else -1)
                kinds += [(self.values[own], others)] if others else []
            rows = AnswerRows(task, code, np.array(numbers, dtype=np.intp)[at], times)
            yield number, OwnAnswers(rows, agreement_with_others(kinds, self.question.measure), unit)

    def answers(self, own: OwnAnswers) -> RaterAnswers:
        """Return the figures of a rater's answers."""
        return rater_answers(self.question, self.values, own.sums, own.rows)

    def others_of(self, own: OwnAnswers, *, by_model: bool) -> Counter[tuple[Value, Value | None]]:
        """Count one rater's values as `others` does."""
        counted: Counter[tuple[Value, Value | None]] = Counter()
        rows = zip(own.rows.value.tolist(), own.units.tolist(), own.rows.times.tolist(), strict=True)
        for code, unit, times in rows:
            value = self.values[code]
            counts = self.kinds[unit].counts if unit >= 0 else ()
            others = counts if by_model else other_counts(counts, value)
            if others:
                counted[value, _majority(others)] += times
        return counted

    def hardest(self, totals: Mapping[int, tuple[int, int]]) -> tuple[PlaceFigures, ...]:
        """Return the places that are hardest. `totals`: of each person, judgements beside a majority, and hits."""
        difficulty: dict[int, float] = {}
        for number, (counts, _) in enumerate(self.kinds):
            majorities = [(value, n, _majority(other_counts(counts, value))) for value, n in counts]
            judged = sum(n for _, n, most in majorities if most is not None)
            if judged:
                difficulty[number] = 1 - sum(n for value, n, most in majorities if most == value) / judged
        order = {value: rank for rank, value in enumerate(sorted(set(difficulty.values()), reverse=True))}
        numbers = {str(self._texts[number]): number for number in difficulty}
        ranks = {text: order[difficulty[number]] for text, number in numbers.items()}
        units = self._given.first_units(ranks, MOST_PLACES) if ranks else []
        item, rater, hit = [], [], []
        for row in self._given.people_at(units) if units else ():
            value = self.values[row["code"]]
            most = _majority(other_counts(self.kinds[numbers[units[row["unit"]]["kind"]]].counts, value))
            if most is not None:
                item.append(row["unit"])
                rater.append(row["number"])
                hit.append(float(most == value))
        if not item:
            return ()
        raters, at = np.unique(rater, return_inverse=True)
        given, hits = np.array([totals[number] for number in raters.tolist()], dtype=np.float64).T
        difficulties, discriminations = item_analysis(np.array(hit), np.array(item), at, (given, hits))
        figures = zip(difficulties.tolist(), discriminations.tolist(), np.bincount(item).tolist(), strict=True)
        return tuple(place_figure(place, *of) for place, of in zip(self._places(units), figures, strict=True))

    def pairs(self, raters: Sequence[int], only: int | None) -> Iterator[RaterPair]:
        """Yield each pair of raters with common units, or each with one of them."""
        count, question = len(self._rows.raters), self.question
        judged = [sum(n for _, n in kind.counts) for kind in self.kinds]
        together = int((self._times * [n * (n - 1) // 2 for n in judged]).sum())
        paired = self._given.pairs(raters, count, together) if self.values else ()
        for pair, table in chain.from_iterable(runs(some, "pair", "position") for some in paired):
            first, second = divmod(pair, count)
            if only is not None and only not in {first, second}:
                continue
            task, own, others, times = (
                table.column(name).to_numpy() for name in ("position", "code", "other", "times")
            )
            values = self.values
            if len(values) > FEW_VALUES:
                used, compact = np.unique(np.stack([own, others]), return_inverse=True)
                (own, others), values = compact.reshape(2, -1), tuple(values[number] for number in used)
            (computed,) = pair_figures(np.zeros_like(task), own, others, task, values, question.measure, times)
            names = self._rows.raters[first], self._rows.raters[second]
            figures = as_figures(computed, int(times.sum()), 2)
            yield RaterPair(question=question.id, one=names[0], other=names[1], figures=figures)

    def judged_units(self) -> int:
        """Count the units that anybody judged."""
        return (
            0
            if not self.values
            else int(self._given.given.select("position", "place").distinct().count().to_pyarrow().as_py())
        )

    def scale(self, seed: int) -> ScaleFigures | str | None:
        """Return the figures of a scale, why there are none of this one, or `None` if it is no scale."""
        if self.question.measure not in MEASURES or not self.people:
            return None
        ratings = int((self._times * [sum(n for _, n in kind.counts) for kind in self.kinds]).sum())
        if ratings > MOST_SCALED or len(np.unique(self._task)) * len(self.people) > _MOST_CELLS:
            return f"{ratings:,} ratings are too many"
        given = self._given.given
        table = given.filter(~given.by_model).select("position", "place", "number", "code").to_pyarrow()
        table = table.sort_by([("position", "ascending"), ("place", "ascending"), ("number", "ascending")])
        task, number, code = (table.column(name).to_numpy() for name in ("position", "number", "code"))
        place = np.unique(table.column("place").to_numpy().astype(str), return_inverse=True)[1]
        plain = [value if isinstance(value, float) else None for value in self.values]
        wanted = np.array([value is not None for value in plain])[code]
        task, number, code, place = task[wanted], number[wanted], code[wanted], place[wanted]
        if not len(code):
            return None
        _, unit = np.unique(task * (place.max() + 1) + place, return_inverse=True)
        tasks, cluster = np.unique(task, return_inverse=True)
        names = np.array(self._rows.names(tasks))
        by_name = np.argsort(names)
        raters, rater = np.unique(number, return_inverse=True)
        return figures_of_scale(
            self.question,
            ScaleRatings(
                unit,
                rater,
                np.argsort(by_name)[cluster],
                np.array([0.0 if value is None else value for value in plain])[code],
                tuple(self._rows.raters[number] for number in raters.tolist()),
                tuple(names[by_name].tolist()),
            ),
            seed,
        )


def _majority(counts: ValueCounts) -> Value | None:
    best = max((n for _, n in counts), default=0)
    most = [value for value, n in counts if n == best]
    return most[0] if len(most) == 1 else None
