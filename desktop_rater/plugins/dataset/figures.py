"""Figures of a dataset, on an engine of ibis: the report of a bundle, and the comparison of systems."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeVar

import ibis
import msgspec
import numpy as np
import pyarrow as pa
from ibis import Table
from msgspec.structs import replace

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion, Votes, decisions_at
from desktop_rater.audit.compute_report import (
    ReportInputs,
    accepted_values,
    guideline_of,
    judging_questions,
    with_quotes,
)
from desktop_rater.audit.digest import Digest, DigestWarning
from desktop_rater.audit.figures import (
    MOST_SHARES,
    AnswerRows,
    ComparisonBasis,
    RaterAnswers,
    as_figure,
    figures_of_rater,
    rater_answers,
)
from desktop_rater.audit.question_units import Judgements, UnitPlace
from desktop_rater.audit.questions import MAJORITY, JudgedQuestion, LabelRule, Value, judged_questions
from desktop_rater.audit.report import (
    AuditReport,
    ConfusionMatrix,
    LabelChanges,
    RaterFigures,
    RaterTrend,
    ReportFigure,
    ReportFilter,
    ScaleFigures,
)
from desktop_rater.audit.results import Audit, Caution, ReceivedRating
from desktop_rater.audit.reviews import Reviews, Values
from desktop_rater.audit.scale_figures import rater_trend
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import prepared_type, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.load_audit import TargetPlacements
from desktop_rater.operations.audit.report import refuse_unknown
from desktop_rater.operations.audit.review import quotes_of
from desktop_rater.operations.audit.text_scores import OUTDATED_REASON
from desktop_rater.operations.rubrics import bundle_rubric_of
from desktop_rater.plugins.dataset.connect import DatasetReport, FinalLabelShares
from desktop_rater.plugins.dataset.question_figures import OwnAnswers, QuestionFigures
from desktop_rater.plugins.dataset.relations import ReportRows, cached, rows_in_pieces, rows_of, runs
from desktop_rater.rubric.display_order import is_comparison
from desktop_rater.rubric.research import counts_unresearched
from desktop_rater.stats.cluster_bootstrap import Indices, share
from desktop_rater.stats.rater_agreement import agreement_with_others

_NOT_ASKED = ""  # no value of a question is empty
_PLACES = {"task": "task", "responses": "responses/a", "targets": "targets/a"}
Answers = dict[str, Value]


def final_label_shares(rows: ReportRows, questions: Sequence[JudgedQuestion]) -> tuple[FinalLabelShares, ...]:
    """Return the share of each final value of each question, without decisions of the lead."""
    decisions = VoteDecisions(rows, questions, MAJORITY)
    if decisions.votes is None:
        return ()
    kinds = decisions.votes.group_by("position", "depth", "votes", "silent")
    table = kinds.agg(places=ibis._.count()).to_pyarrow()
    task, places = table.column("position").to_numpy(), table.column("places").to_numpy()
    numbers: dict[tuple[str, str, int], int] = {}
    keys = zip(*(table.column(name).to_pylist() for name in ("depth", "votes", "silent")), strict=True)
    kind = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
    decided = [decisions.of(*key) for key in numbers]
    finals = ((question.id, [final.get(question.id, _NOT_ASKED) for final in decided]) for question in questions)
    return tuple(
        _shares(name, final, kind, task, places)
        for name, final in finals
        if any(value not in {None, _NOT_ASKED} for value in final)
    )


class VoteDecisions:
    """Final values by votes: those of equal votes are decided once. `votes`: `ReportRows.votes`, if there are any."""

    def __init__(self, rows: ReportRows, questions: Sequence[JudgedQuestion], rule: LabelRule) -> None:
        self._questions = questions
        self._rule = rule
        plain = {question.id for question in questions if question.id == question.question}
        self._coded = [(name, value) for name, texts in rows.answered.items() if name in plain for value in texts]
        texts = [rows.answered[name][value] for name, value in self._coded]
        codes = {
            "question": [name for name, _ in self._coded],
            "value": texts,
            "code": pa.array(range(len(texts)), pa.int64()),
        }
        self.votes = rows.votes(ibis.memtable(pa.table(codes))) if texts else None
        self._decided: dict[tuple[str, str, int], dict[str, Value | None]] = {}

    def of(self, depth: str, votes: str, silent: int) -> dict[str, Value | None]:
        """Return the final value of each question that these votes are about, `None` while it is open."""
        key = depth, votes, silent
        if key not in self._decided:
            given = [dict(self._coded[int(code)] for code in vote.split(",")) for vote in votes.split(";")]
            where = _PLACES.get(depth, _PLACES["task"])
            self._decided[key] = self._decide(where, [*given, *({} for _ in range(silent))])
        return self._decided[key]

    def _decide(self, where: str, votes: Sequence[Answers]) -> dict[str, Value | None]:
        ratings = [
            ReceivedRating(
                results="", task="", rater=str(number), text="", sha256="", revision=0,
                summary=Digest(status="complete", values={where: answers} if answers else {}),
            )
            for number, answers in enumerate(votes)
        ]  # fmt: skip
        given = Votes("", ratings, Reviews(), self._questions, self._rule)
        return {decision.question: decision.value for decision in decisions_at(self._questions, given, where)}


def _shares(
    question: str, final: Sequence[Value | None], kind: Indices, task: Indices, places: Indices
) -> FinalLabelShares:
    values = sorted({value for value in final if value is not None and value != _NOT_ASKED}, key=str)
    numbers: dict[Value | None, int] = {None: -1, _NOT_ASKED: -2} | {value: n for n, value in enumerate(values)}
    code = np.array([numbers[value] for value in final])[kind]
    tasks, at = np.unique(task, return_inverse=True)
    parts = np.zeros((len(tasks), len(values)))
    np.add.at(parts, (at[code >= 0], code[code >= 0]), places[code >= 0])
    wholes, counts = parts.sum(axis=1), parts.sum(axis=0)
    most = sorted(range(len(values)), key=lambda number: -counts[number]) if len(values) <= MOST_SHARES else []
    figures = [(values[number], as_figure(share(parts[:, number], wholes), int(counts.sum()))) for number in most]
    return FinalLabelShares(
        question=question,
        places=int(counts.sum()),
        open=int(places[code == -1].sum()),
        shares=tuple(figures),
    )


def dataset_report(
    tables: Mapping[str, Table], bundle: str, wanted: ReportFilter, *, seed: int, computed: str
) -> DatasetReport:
    """Compute the report of a bundle by the engine of the tables. Raises `RaterError` for an unknown bundle.

    `tables`: name → table of any engine of ibis, with the columns of `dataset.schema`; `REPORT_TABLES` are needed.
    """
    return _Report(tables, audit_row(tables, bundle), wanted, seed).make(computed)


def audit_row(tables: Mapping[str, Table], bundle: str) -> dict[str, Any]:
    """Return the row of a bundle in `audits`. Raises `RaterError` for an unknown bundle."""
    audits = rows_of(tables["audits"].filter(tables["audits"].bundle == bundle))
    if not audits:
        raise RaterError(f"The dataset has no bundle {bundle!r}.", hint="audit dataset info names its bundles.")
    return audits[0]


def cautions_of(audit: Mapping[str, Any]) -> tuple[Caution, ...]:
    """Return what keeps the figures of a bundle from being final."""
    return msgspec.json.decode(audit["cautions"] or "[]", type=prepared_type(tuple[Caution, ...]))


class _Report:
    """One report while it is made."""

    def __init__(self, tables: Mapping[str, Table], audit: Mapping[str, Any], wanted: ReportFilter, seed: int) -> None:
        self._audit = audit
        self._wanted = wanted
        self._seed = seed
        self._rubric = bundle_rubric_of(audit["rubric"], audit["rubric_toml"], audit["bundle"])
        self._questions = judged_questions(self._rubric)
        listed = rows_of(tables["raters"].filter(tables["raters"].bundle == audit["bundle"]).select("rater"))
        refuse_unknown(wanted, [question.id for question in self._questions], sorted(row["rater"] for row in listed))
        self._rows = ReportRows(tables, audit["bundle"], wanted)
        self._main = next((question for question in self._questions if question.main), None)
        self._name = wanted.question or (self._main.id if self._main is not None else "")
        self._only = wanted.raters[0] if len(wanted.raters) == 1 else ""
        self._left_out: list[str] = ["models"] if self._rows.models and not wanted.models else []
        self._answers: dict[str, dict[int, RaterAnswers]] = {}
        self._confusions: dict[str, ConfusionMatrix | None] = {}
        self._trends: list[RaterTrend] = []
        self._totals: dict[int, tuple[int, int]] = {}

    def make(self, computed: str) -> DatasetReport:
        rows, audit = self._rows, self._audit
        questions = [QuestionFigures(rows, question) for question in self._questions]
        agreement = tuple(
            figures.agreement(self._seed, raters_random=self._wanted.raters_random) for figures in questions
        )
        scales = [scale for figures in questions if (scale := self._scale(figures)) is not None]
        for figures in questions:
            self._confusions[figures.question.id] = figures.confusion(None if self._only else figures.others())
        chosen = next((figures for figures in questions if figures.question.id == self._name), None)
        for figures in questions:
            if figures is not chosen:
                for number, own in figures.by_rater():
                    self._add_answers(figures, number, own)
        raters = tuple(self._raters(chosen))
        guideline = guideline_of(self._rubric, self._main)
        listed = rows_of(rows.table("raters").order_by("rater"))
        (base,) = rows_of(rows.ratings.agg(
            results=rows.ratings.results.nunique(), tasks=rows.ratings.position.nunique(), ratings=rows.ratings.count()
        ))  # fmt: skip
        gold = self._inputs
        report = AuditReport(
            bundle=audit["bundle"],
            title=audit["title"],
            seed=self._seed,
            computed=computed,
            results=base["results"],
            tasks=base["tasks"],
            targets=chosen.judged_units() if chosen is not None else 0,
            raters=raters,
            agreement=agreement,
            confusions=tuple(matrix for matrix in self._confusions.values() if matrix is not None),
            differing=tuple(unit for figures in questions for unit in figures.differing()),
            guideline_seconds=guideline[0] if guideline is not None else None,
            guideline_label=guideline[1] if guideline is not None else "",
            filter=self._wanted,
            rubric=self._rubric.ref,
            ratings=base["ratings"],
            all_raters=tuple(row["rater"] for row in listed),
            days=rows.days,
            scales=tuple(scales),
            trends=tuple(self._trends),
            hardest=chosen.hardest(self._totals) if chosen is not None else (),
            pairs=tuple(chosen.pairs(*self._paired())) if chosen is not None else (),
            gold_tasks=len(gold.gold.keys() | gold.partial_gold.keys()),
            repeated=sum(map(len, gold.twice)),
            forked=tuple(row["rater"] for row in listed if row["forked"]),
            stale=audit["stale"],
            cautions=cautions_of(audit),
            raters_from=audit.get("raters_from") or "results",  # a dataset that an earlier version has built
        )
        return DatasetReport(
            report=self._with_quotes(report),
            final_labels=final_label_shares(rows, self._questions),
            left_out=tuple(self._left_out),
        )

    def _scale(self, figures: QuestionFigures) -> ScaleFigures | None:
        scale = figures.scale(self._seed)
        if isinstance(scale, str):
            self._left_out.append(f"scales.{figures.question.id}: {scale}")
            return None
        return scale

    def _add_answers(self, figures: QuestionFigures, number: int, own: OwnAnswers) -> None:
        name = figures.question.id
        self._answers.setdefault(name, {})[number] = figures.answers(own)
        if self._rows.raters[number] == self._only:
            by_model = number not in figures.people
            self._confusions[name] = figures.confusion(figures.others_of(own, by_model=by_model))

    @cached_property
    def _inputs(self) -> ReportInputs:
        gold: dict[bool, dict[str, tuple[Values, ...]]] = {False: {}, True: {}}
        for row in rows_of(self._rows.table("gold").order_by("number")):
            of_task = gold[bool(row["partial"])]
            of_task[row["task"]] = (*of_task.get(row["task"], ()), msgspec.json.decode(row["values"]))
        twice: dict[str, list[str]] = {}
        for row in rows_of(self._rows.duplicates()):
            twice.setdefault(row["content"], []).append(row["task"])
        scores = ((row["rater"], self._score(row)) for row in rows_of(self._rows.table("scores")))
        return ReportInputs(
            gold=gold[False],
            partial_gold=gold[True],
            twice=tuple(map(tuple, twice.values())),
            scores={rater: figure for rater, figure in scores if figure is not None},
        )

    def _score(self, row: Mapping[str, Any]) -> ReportFigure | None:
        """Return the mean score of a rater's justifications, if any were scored."""
        if row["scored"] != self._audit["scored"]:
            return ReportFigure(why=OUTDATED_REASON)
        names = ("value", "low", "high", "n", "tasks", "why")
        return ReportFigure(**{name: row[name] for name in names}) if row["n"] else None

    def _judgements(self, tasks: Sequence[str]) -> dict[str, Judgements]:
        """Return the judgements on the tasks that raters are compared on one by one."""
        by_rater: dict[str, dict[UnitPlace, dict[str, Value]]] = {}
        for row in rows_of(self._rows.labels_at(tasks)) if tasks else ():
            own = by_rater.setdefault(self._rows.raters[row["number"]], {})
            value = row["value"] if row["plain"] is None else float(row["plain"])
            own.setdefault((row["task"], row["place"]), {})[row["question"]] = value
        return {rater: dict(own) for rater, own in by_rater.items()}

    def _raters(self, chosen: QuestionFigures | None) -> Iterator[RaterFigures]:
        """Yield the figures of each rater, whose rows alone are held."""
        beside, rows = self._inputs, self._rows
        judged = judging_questions(self._questions)
        basis = ComparisonBasis(
            questions=self._questions,
            units=(),
            judgements=self._judgements([*{*beside.gold, *beside.partial_gold, *chain(*beside.twice)}]),
            chosen=self._name,
            judged=judged,
            dependent=self._rubric.combined_answers,
            gold=accepted_values(self._questions, beside),
            tolerance=self._wanted.tolerance,
            twice=beside.twice,
            earlier={},
            other_rubrics=(),
            seed=self._seed,
            scores=beside.scores,
            unresearched=counts_unresearched(self._rubric),
        )
        differing = chosen.differing_by_rater() if chosen is not None else {}
        changes = {row["number"]: row for row in rows_of(rows.changes(sorted(judged), sorted(basis.dependent)))}
        work = RaterWork(rows)
        own_of_chosen = SortedItems(chosen.by_rater() if chosen is not None else iter(()))
        for number, ratings in work.by_rater():
            rater, own = rows.raters[number], own_of_chosen.of(number)
            if chosen is not None and own is not None:
                self._add_answers(chosen, number, own)
                self._add_trend(rater, ratings, own)
                if number in chosen.people:
                    beside_others = chosen.others_of(own, by_model=False)
                    judged_beside = sum(n for (_, most), n in beside_others.items() if most is not None)
                    hits = sum(n for (value, most), n in beside_others.items() if most == value)
                    self._totals[number] = judged_beside, hits
            if self._only in {"", rater}:
                answers = {
                    name: self._answers.get(name, {}).get(number) or no_answers(question)
                    for name, question in ((question.id, question) for question in self._questions)
                }
                row = figures_of_rater(rater, ratings, basis, answers, model=rater in rows.models)
                changed = changes.get(number, {})
                yield replace(
                    row,
                    differing=differing.get(number, ()),
                    changed=LabelChanges(same=changed.get("same", 0), total=changed.get("total", 0)),
                )

    def _add_trend(self, rater: str, ratings: Sequence[ReceivedRating], own: OwnAnswers) -> None:
        shared = own.rows.kind >= 0
        if not shared.any() or (rater in self._rows.models and not self._wanted.models):
            return
        times = own.rows.times[shared]
        agreed = np.repeat(own.sums.alike[own.rows.kind[shared]], times)
        positions, task = np.unique(np.repeat(own.rows.task[shared], times), return_inverse=True)
        numbers = {name: number for number, name in enumerate(self._rows.names(positions))}
        self._trends.append(rater_trend(rater, ratings, numbers, agreed, task))

    def _paired(self) -> tuple[list[int], int | None]:
        rows = self._rows
        given = {row["number"] for row in rows_of(rows.ratings.select("number").distinct())}
        only = rows.raters.index(self._only) if self._only in rows.raters else None
        models = frozenset() if self._wanted.models else rows.models
        named = [number for number in sorted(given) if rows.raters[number] not in models or number == only]
        return named, only if self._only else None

    def _with_quotes(self, report: AuditReport) -> AuditReport:
        listed = chain(report.differing, *(rater.differing for rater in report.raters))
        places: dict[str, set[str]] = {}
        for unit in listed:
            places.setdefault(unit.task, set()).add(unit.where)
        quotes: dict[str, dict[str, str]] = {}
        for row in rows_of(self._rows.lines(sorted(places))):
            task = read_struct(read_json_object(row["line"].encode()), Task)
            rated = {where.split("/")[1] for where in places[row["task"]] if where.startswith("targets/")}
            quotes[row["task"]] = quotes_of(TargetPlacements(task, self._rubric, self._audit["language"]), rated)
        return with_quotes(report, lambda task, where: quotes.get(task, {}).get(where, ""))


def no_answers(question: JudgedQuestion) -> RaterAnswers:
    """Return the figures of a rater without answers to a question."""
    none = np.zeros(0, dtype=np.intp)
    return rater_answers(question, (), agreement_with_others([], question.measure), AnswerRows(none, none, none))


T = TypeVar("T")


class SortedItems(Generic[T]):
    """Items sorted by number, each of which is asked for once, in that order."""

    def __init__(self, items: Iterator[tuple[int, T]]) -> None:
        self._items = items
        self._next = next(items, None)

    def of(self, number: int) -> T | None:
        """Return the item of a number, if there is one."""
        while self._next is not None and self._next[0] < number:
            self._next = next(self._items, None)
        return self._next[1] if self._next is not None and self._next[0] == number else None


class RaterWork:
    """Ratings of each rater without their answers, made from the rows of a dataset."""

    def __init__(self, rows: ReportRows) -> None:
        self._rows = rows
        self._characters = {row["number"]: row["characters"] for row in rows_of(rows.characters())}
        self._warnings: dict[int, list[DigestWarning]] = {}
        for row in rows_of(rows.warnings()):
            warning = DigestWarning("", "", let_stand=row["let_stand"])
            self._warnings.setdefault(row["number"], []).extend([warning] * row["warnings"])

    def by_rater(self) -> Iterator[tuple[int, list[ReceivedRating]]]:
        """Yield the ratings of each rater; what is only summed over a rater is in the first one."""
        seconds = SortedItems(runs(self._rows.seconds_at_targets(), "number"))
        for number, table in runs(self._rows.ratings, "number"):
            at_targets: dict[int, list[float]] = {}
            timed = seconds.of(number)
            for row in timed.to_pylist() if timed is not None else ():
                at_targets.setdefault(row["position"], []).append(row["seconds"])
            ratings = [
                self._rating(row, at_targets.get(row["position"], ()))
                for row in sorted(table.to_pylist(), key=lambda row: row["task"])
            ]
            sums = replace(
                ratings[0].digest,
                texts={"": self._characters.get(number, 0)},
                warnings=tuple(self._warnings.get(number, ())),
            )
            yield number, [replace(ratings[0], summary=sums), *ratings[1:]]

    def _rating(self, row: Mapping[str, Any], seconds: Sequence[float]) -> ReceivedRating:
        digest = Digest(
            status=row["status"],
            seconds=row["seconds"] or 0,
            targets={str(index): value for index, value in enumerate(seconds)},
            claims=row["claims"] or 0,
            evidence={"": row["evidence"] or 0},
            unresearched=None if row["unresearched"] is None else {"": row["unresearched"]},
            unopened=row["unopened"] or 0,
            unquoted=row["unquoted"] or 0,
            unkept=row["unkept"] or 0,
            revisions=row["revision"] or 0,
            changed=row["changed"],
        )
        return ReceivedRating(
            results=row["results"], task=row["task"], rater=row["rater"], text="", sha256="",
            revision=digest.revisions, summary=digest,
        )  # fmt: skip


MOST_TASKS = 100_000  # whose responses and weights of draws are held


def dataset_labels(
    tables: Mapping[str, Table], bundle: str, final: str, threshold: float
) -> tuple[Audit, Iterator[tuple[Task, dict[str, str], frozenset[str]]], dict[PlaceQuestion, FinalLabel]]:
    """Decide the final labels of a bundle by the votes, without decisions of the lead; and return the rated tasks.

    Raises `RaterError` for an unknown bundle, for a method that is not computed over a dataset, and for too many tasks.
    """
    rule, plain = _rule_of(final, threshold), audit_row(tables, bundle)
    rows = ReportRows(tables, bundle, ReportFilter())
    rubric = bundle_rubric_of(plain["rubric"], plain["rubric_toml"], bundle)
    (tasks,) = rows_of(rows.complete.agg(tasks=rows.complete.position.nunique()))
    if tasks["tasks"] > MOST_TASKS:
        why = f"{tasks['tasks']:,} tasks are rated, and the figures hold those of at most {MOST_TASKS:,}."
        raise RaterError(
            "The dataset is too large for figures about systems.", why, "Build a dataset with fewer tasks."
        )
    questions = judged_questions(rubric)
    decisions = VoteDecisions(rows, questions, rule)
    labels: dict[PlaceQuestion, FinalLabel] = {}
    responses: dict[str, dict[str, str]] = {}
    names = rows.task_names.to_pylist()
    for row in rows_in_pieces(cached(decisions.votes), "position") if decisions.votes is not None else ():
        task, place = names[row["position"]], row["place"]
        for question, value in decisions.of(row["depth"], row["votes"], row["silent"]).items():
            labels[task, place, question] = FinalLabel(value)
        if place.startswith("targets/"):
            responses.setdefault(task, {})[place.partition("/")[2]] = row["response"]
    audit = Audit(
        bundle=bundle,
        title=plain["title"],
        rubric=rubric,
        tasks=(),
        raters=rows.raters,
        models=rows.models,
        ratings={},
        cautions=cautions_of(plain),
    )
    comparisons = sorted(item.id for item in questions if is_comparison(rubric.questions[item.question].question))
    if comparisons and rows_of(rows.complete.filter(rows.complete.exchanged).select("task").limit(1)):
        audit.ratings.update(_as_seen(rows, comparisons))
    return audit, _rated_tasks(rows, responses), labels


def _rule_of(final: str, threshold: float) -> LabelRule:
    for by in ("majority", "median"):
        if final == by:
            return LabelRule(by=by, threshold=threshold)
    raise RaterError(
        "That is not computed over a dataset.",
        f"{final!r} is fitted to all votes.",
        "Choose --final majority or median.",
    )


def _rated_tasks(
    rows: ReportRows, responses: Mapping[str, dict[str, str]]
) -> Iterator[tuple[Task, dict[str, str], frozenset[str]]]:
    for row in rows_in_pieces(rows.completed_tasks(), "position"):
        task = read_struct(read_json_object(row["line"].encode()), Task)
        targets = responses.get(row["task"], {})
        if len(task.responses) == 1:
            targets = dict.fromkeys(targets, task.responses[0].id)
        raters = frozenset(rows.raters[int(number)] for number in row["raters"].split(","))
        yield task, targets, raters


def _as_seen(rows: ReportRows, questions: list[str]) -> dict[tuple[str, str], ReceivedRating]:
    """Return each person's judgements on tasks with the order of the responses in which they were made."""
    ratings: dict[tuple[str, str], ReceivedRating] = {}
    for row in rows_in_pieces(rows.order_of_responses(questions), "number"):
        key = row["task"], rows.raters[row["number"]]
        if key not in ratings:
            digest = Digest(status="complete", values={"task": {}}, exchanged=row["exchanged"])
            ratings[key] = ReceivedRating(
                results="", task=key[0], rater=key[1], text="", sha256="", revision=0, summary=digest
            )
        if row["question"] is not None:
            value = row["value"] if row["plain"] is None else row["plain"]
            ratings[key].digest.values["task"][row["question"]] = value
    return ratings
