"""Relational expressions over the tables of a dataset: what a report counts, reduced to counts by task.

They run on any engine of ibis. Judgements of a unit become its kind: the sorted numbers of its values, as text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from ibis import Table, _

from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import ReportFilter
from desktop_rater.plugins.dataset.parts import REPORT_TABLES
from desktop_rater.stats.cluster_bootstrap import Indices

_OF_RATING = (
    "status",
    "changed",
    "seconds",
    "claims",
    "evidence",
    "unresearched",
    "unopened",
    "unquoted",
    "unkept",
    "revision",
    "exchanged",
)
BLOCK_ROWS = 1_000_000  # read at once
_DICTS = 50_000  # made of rows at once
MOST_PAIRED = 10_000_000  # pairs of judgements that are counted and sorted at once


class ReportRows:
    """Rows of one bundle that a filter selects. Raters and tasks are numbered: by name, and by position."""

    def __init__(self, tables: Mapping[str, Table], bundle: str, wanted: ReportFilter) -> None:
        of_bundle = {name: tables[name].filter(tables[name].bundle == bundle) for name in REPORT_TABLES}
        self._tables = {**of_bundle, "tasks": tables["tasks"]}  # a text that several bundles have is one row
        counted = self._tables["counted"]
        named = rows_of(counted.filter(counted.standing == "counts").select("rater", "model").distinct())
        self.raters: tuple[str, ...] = tuple(sorted({row["rater"] for row in named}))
        self.models = frozenset(row["rater"] for row in named if row["model"])
        self._wanted = wanted
        self.ratings = cached(self._selected(self._rated("counts")))

    def table(self, name: str) -> Table:
        """Return a table's rows of the bundle."""
        return self._tables[name]

    def _rated(self, standing: str) -> Table:
        counted = self._tables["counted"]
        numbers = numbered("rater", self.raters, "number")
        audited = self._tables["audited_tasks"].select("task", "position")
        return (
            counted.filter(counted.standing == standing)
            .select("results", "task", "rater", "model")
            .join(self._tables["ratings"].select("results", "task", *_OF_RATING), ["results", "task"])
            .join(audited, "task")
            .join(numbers, "rater")
            .mutate(changed=_.changed.fill_null(""))
        )

    def _selected(self, rated: Table) -> Table:
        wanted, day = self._wanted, rated.changed.substr(0, 10)
        chosen = [rated.rater.isin(wanted.raters if len(wanted.raters) > 1 else self.raters)]
        chosen += [day >= wanted.since] if wanted.since else []
        chosen += [day <= wanted.until] if wanted.until else []
        by_model = ibis.literal(value=False) if wanted.models else rated.model
        return rated.filter(chosen).mutate(by_model=by_model)

    @cached_property
    def days(self) -> tuple[str, str] | None:
        """The first and last day of changes, of all ratings that count."""
        rated = self._rated("counts")
        days = rated.filter(rated.changed != "").mutate(day=_.changed.substr(0, 10))
        (row,) = rows_of(days.agg(first=days.day.min(), last=days.day.max()))
        return (row["first"], row["last"]) if row["first"] else None

    @cached_property
    def task_names(self) -> pa.ChunkedArray:
        """The id of the task at each position."""
        audited = self._tables["audited_tasks"].select("position", "task").order_by("position").to_pyarrow()
        if audited.column("position").to_pylist()[-1:] != [len(audited) - 1]:
            raise ValueError("the positions of the tasks have gaps")
        return audited.column("task")

    def names(self, positions: Indices) -> list[str]:
        """Return the ids of tasks."""
        return self.task_names.take(pa.array(positions)).to_pylist()

    def labels(self, question: str) -> Table:
        """Return the judgements on a question, with the number of the rater and the position of the task."""
        labels, ratings = self._tables["labels"], self.ratings
        return (
            labels.filter(labels.question == question)
            .select("results", "task", "place", "value", "number")
            .rename(plain="number")
            .join(ratings.select("results", "task", "position", "number", "by_model"), ["results", "task"])
        )

    @cached_property
    def answered(self) -> dict[str, dict[Value, str]]:
        """The values that each question has, in order, and their texts."""
        labels = self._tables["labels"].semi_join(self.ratings, ["results", "task"])
        answered: dict[str, dict[Value, str]] = {}
        for row in rows_of(labels.select("question", "value", "number").distinct()):
            value = row["value"] if row["number"] is None else float(row["number"])
            answered.setdefault(row["question"], {})[value] = row["value"]
        return {question: {value: texts[value] for value in sorted(texts)} for question, texts in answered.items()}

    @property
    def complete(self) -> Table:
        """The ratings that people completed."""
        return self.ratings.filter(self.ratings.status == "complete", ~self.ratings.model)

    def votes(self, codes: Table) -> Table:
        """Return the votes at each place, with the response and depth of it, and the raters of the task without a vote.

        `codes`: the number of each value of each question. A vote is the sorted numbers of all answers of a rater.
        """
        complete = self.complete
        labels = self._tables["labels"].select("results", "task", "place", "response", "question", "value")
        given = labels.join(codes, ["question", "value"]).join(
            complete.select("results", "task", "position", "number"), ["results", "task"]
        )
        by_rater = given.mutate(part=given.code.cast("string")).group_by("position", "place", "number")
        votes = by_rater.agg(vote=_.part.collect().sort().join(","), response=_.response.max())
        votes = votes.group_by("position", "place")
        places = votes.agg(votes=_.vote.collect().sort().join(";"), given=_.count(), response=_.response.max())
        raters = complete.group_by("position").agg(raters=complete.count())
        return places.join(raters, "position").mutate(depth=_.place.split("/")[0], silent=_.raters - _.given)

    def completed_tasks(self) -> Table:
        """Return the tasks that people completed, each with its text as JSON and the raters' numbers."""
        complete = self.complete.mutate(part=_.number.cast("string"))
        raters = complete.group_by("position").agg(raters=complete.part.collect().join(","))
        audited = self._tables["audited_tasks"].select("position", "task", "text")
        return raters.join(audited, "position").join(self._tables["tasks"].select("text", "line"), "text")

    def order_of_responses(self, questions: Sequence[str]) -> Table:
        """Return the order of the responses that each person saw, with the judgements on the task, if there are any."""
        seen = self.complete.select("results", "task", "number", "exchanged")
        labels = self._tables["labels"]
        labels = labels.filter(labels.place == "task", labels.question.isin(questions or [""]))
        labels = labels.select("results", "task", "question", "value", plain="number")
        return seen.left_join(labels, ["results", "task"], rname="{name}_label")

    def labels_at(self, tasks: Sequence[str]) -> Table:
        """Return all judgements on some tasks."""
        labels = self._tables["labels"].select("results", "task", "place", "question", "value", "number")
        chosen = labels.rename(plain="number").join(numbered("task", tasks, "_of").select("task"), "task")
        return chosen.join(self.ratings.select("results", "task", "number"), ["results", "task"])

    def changes(self, questions: Sequence[str], dependent: Sequence[str]) -> Table:
        """Count by rater the judgements of replaced ratings, and those among them that are still the same.

        Of several replaced ratings of a task the last one counts. A judgement on a `dependent` question counts only
        where the later rating has one too.
        """
        columns = ("number", "position", "place", "question", "value")
        labels = self._tables["labels"].select("results", "task", "place", "question", "value")
        earlier = self._selected(self._rated("earlier")).select("results", "task", "number", "position")
        before = labels.filter(labels.question.isin(questions)).join(earlier, ["results", "task"])
        last = before.group_by("number", "position", "place", "question").agg(value=before.value.argmax(before.results))
        current = labels.join(self.ratings.select("results", "task", "number", "position"), ["results", "task"])
        judged = last.semi_join(current, ["number", "position"])
        now = current.select(*columns).rename(now="value")
        both = judged.left_join(now, ["number", "position", "place", "question"], rname="{name}_now")
        both = both.filter(both.now.notnull() | ~both.question.isin(dependent or [""]))
        return both.group_by("number").agg(
            total=both.count(), same=(both.now.notnull() & (both.now == both.value)).sum()
        )

    def duplicates(self) -> Table:
        """Return the tasks with ratings that occur twice, each with what is the same, by position."""
        tasks, counted = self._tables["tasks"], self._tables["counted"]
        rated = self._tables["audited_tasks"].semi_join(counted.filter(counted.standing == "counts"), "task")
        named = rated.select("task", "position", "text").join(tasks.select("text", "content"), "text")
        several = named.group_by("content").agg(tasks=named.count())
        return named.semi_join(several.filter(several.tasks > 1), "content").order_by("position")

    def lines(self, tasks: Sequence[str]) -> Table:
        """Return the texts of some tasks, as JSON."""
        audited = self._tables["audited_tasks"].select("task", "text")
        listed = audited.join(numbered("task", tasks, "_of").select("task"), "task")
        return listed.join(self._tables["tasks"].select("text", "line"), "text")

    def seconds_at_targets(self) -> Table:
        """Return the active seconds at each target."""
        return cached(self._of_places("seconds"))

    def characters(self) -> Table:
        """Sum the characters written, by rater."""
        rows = self._of_places("characters")
        return rows.group_by("number").agg(characters=rows.characters.sum())

    def _of_places(self, column: str) -> Table:
        places = self._tables["places"]
        given = places.filter(places[column] > 0).select("results", "task", column)
        return given.join(self.ratings.select("results", "task", "number", "position"), ["results", "task"])

    def warnings(self) -> Table:
        """Count the warnings, acknowledged or not, by rater."""
        warnings = self._tables["warnings"].select("results", "task", "let_stand")
        rows = warnings.join(self.ratings.select("results", "task", "number"), ["results", "task"])
        return rows.group_by("number", "let_stand").agg(warnings=rows.count())


class QuestionRows:
    """Judgements on one question, which has some. `values` in order; `people`: numbers of the raters who are people."""

    def __init__(self, rows: ReportRows, question: str) -> None:
        labels, texts = rows.labels(question), rows.answered[question]
        self.values: tuple[Value, ...] = tuple(texts)
        codes = numbered("value", list(texts.values()), "code")
        self.given = cached(labels.join(codes, "value").select("position", "place", "number", "by_model", "code"))
        raters = rows_of(self.given.filter(~self.given.by_model).select("number").distinct())
        self.people: tuple[int, ...] = tuple(sorted(row["number"] for row in raters))

    @cached_property
    def units(self) -> Table:
        """The units that people judged, each with its kind. Of two raters, the second one's values are counted on."""
        rows = self.given.filter(~self.given.by_model)
        part = rows.code
        if len(self.people) == 2:
            part = rows.code + ibis.ifelse(rows.number == self.people[1], len(self.values), 0)
        rows = rows.mutate(part=part.cast("string"))
        return cached(rows.group_by("position", "place").agg(kind=rows.part.collect().sort().join(",")))

    def kinds_by_task(self) -> pa.Table:
        """Count the units of each task and kind."""
        units = self.units
        return units.group_by("position", "kind").agg(units=units.count()).to_pyarrow()

    def own_by_rater(self) -> Table:
        """Count each rater's judgements of each task, kind and value."""
        rows = self._beside_units().group_by("number", "position", "kind", "code")
        return cached(rows.agg(times=_.count()))

    def _beside_units(self) -> Table:
        return self.given.left_join(self.units, ["position", "place"], rname="{name}_unit").drop(
            "position_unit", "place_unit"
        )

    def pairs(self, raters: Sequence[int], count: int, together: int) -> Iterator[Table]:
        """Count the units of each pair of raters by task and both values; a pair is `first` * `count` + `second`.

        Pairs of some raters at a time, so that not all of them are sorted at once. `together`: pairs of judgements.
        """
        rows = self.given.filter(self.given.number.isin(raters)).select("position", "place", "number", "code")
        others = rows.rename(second="number", other="code")
        step = max(1, len(raters) * MOST_PAIRED // max(1, together))
        for start in range(0, len(raters), step):
            both = rows.filter(rows.number.isin(raters[start : start + step])).join(others, ["position", "place"])
            both = both.filter(both.number < both.second).mutate(pair=both.number * count + both.second)
            yield cached(both.group_by("pair", "position", "code", "other").agg(times=both.count()))

    def first_units(self, ranks: Mapping[str, int], most: int) -> list[dict[str, Any]]:
        """Return the first units, by the rank of their kinds, in order."""
        units = self.units.join(_ranked({"kind": list(ranks)}, ranks.values()), "kind")
        return rows_of(units.order_by("rank", "position", units.place.length(), "place").limit(most))

    def people_at(self, units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return what people answered at some units; `unit` is the number of each."""
        columns = {name: [unit[name] for unit in units] for name in ("position", "place")}
        listed = ibis.memtable(pa.table({**columns, "unit": pa.array(range(len(units)), pa.int64())}))
        given = self.given.filter(~self.given.by_model)
        return rows_of(given.join(listed, ["position", "place"]).select("unit", "number", "code"))

    def first_by_rater(self, ranks: Mapping[tuple[str, int, bool], int], most: int) -> list[dict[str, Any]]:
        """Return the first judgements of each rater, by the rank of (kind, value, by a model), in order."""
        kinds, codes, by_model = zip(*ranks, strict=True)
        ranked = _ranked({"kind": kinds, "code": codes, "by_model": by_model}, ranks.values())
        rows = self._beside_units().join(ranked, ["kind", "code", "by_model"])
        order = [rows["rank"], rows.position, rows.place.length(), rows.place]
        rows = rows.mutate(at=ibis.row_number().over(group_by=rows.number, order_by=order))
        return rows_of(rows.filter(rows["at"] < most).order_by("number", "at"))


def cached(table: Table) -> Table:
    """Let the engine compute a table once, and keep it while it is used."""
    if table.get_backend().name == "pyspark":
        table.limit(0).to_pyarrow()  # ibis 12 hands tables in memory to Spark only where rows are read
    return table.cache()


def numbered(name: str, texts: Sequence[str], number: str) -> Table:
    """Return a table of texts and their positions."""
    columns = {name: pa.array(texts, pa.string()), number: pa.array(range(len(texts)), pa.int64())}
    return ibis.memtable(pa.table(columns))


def _ranked(columns: Mapping[str, Sequence[object]], ranks: Iterable[int]) -> Table:
    return ibis.memtable(pa.table({**columns, "rank": pa.array(ranks, pa.int64())}))


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a small table."""
    return table.to_pyarrow().to_pylist()


def rows_in_pieces(table: Table, by: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table in the order of a column of integers; only some are held."""
    for block in _blocks(table, [by]):
        for batch in block.to_batches(max_chunksize=_DICTS):
            yield from batch.to_pylist()


def runs(table: Table, by: str, *more: str) -> Iterator[tuple[int, pa.Table]]:
    """Yield the rows of each number in a column, ordered by it and by further columns; only some are held."""
    for block in _blocks(table, [by, *more]):
        numbers = block.column(by).to_numpy()
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
        for start, end in pairwise([*starts.tolist(), len(numbers)]):
            yield int(numbers[start]), block.slice(start, end - start)


def _blocks(table: Table, order: Sequence[str]) -> Iterator[pa.Table]:
    """Yield the rows in blocks of all rows of some numbers in the first column, each by a query of its own.

    Not as a stream: DuckDB ends one without an error when another query starts or a table is dropped.
    """
    by = order[0]
    counts = table.group_by(by).agg(rows=table.count()).order_by(by).to_pyarrow()
    numbers, rows = (counts.column(name).to_numpy() for name in (by, "rows"))
    block = (np.cumsum(rows) - rows) // BLOCK_ROWS
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(numbers)]):
        of_block = table.filter(table[by].between(int(numbers[start]), int(numbers[end - 1])))
        yield of_block.order_by(*order).to_pyarrow()
