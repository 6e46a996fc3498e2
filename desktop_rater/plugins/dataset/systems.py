"""Figures about the systems over a dataset: an engine collects the votes, and the functions of a laptop decide them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ibis import Table

from desktop_rater.audit.compute_systems import make_systems_report
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.final_labels import FinalLabel, PlaceQuestion
from desktop_rater.audit.label_rules import LabelRule
from desktop_rater.audit.questions import judged_questions
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.system_responses import TaskFacts
from desktop_rater.audit.systems import MetricSet, SystemsReport, SystemsRequest
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import read_json_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.plugins.dataset.figures import VoteDecisions, audit_row, cautions_of
from desktop_rater.plugins.dataset.relations import ReportRows, cached, rows_in_pieces, rows_of
from desktop_rater.work.audit.systems import facts_of
from desktop_rater.work.rubrics.rubrics import bundle_rubric_of

MOST_TASKS = 100_000  # whose responses and weights of draws are held


def dataset_systems(
    tables: Mapping[str, Table], bundle: str, request: SystemsRequest, *, seed: int, computed: str
) -> SystemsReport:
    """Compute the figures about systems by the engine of the tables, by the votes without decisions of the lead.

    Raises `RaterError` for an unknown bundle, for what is not computed over a dataset, and for too many tasks.
    """
    rule, plain = _rule_of(request), audit_row(tables, bundle)
    rows = ReportRows(tables, bundle, ReportFilter())
    rubric = bundle_rubric_of(plain["rubric"], plain["rubric_toml"], bundle)
    (tasks,) = rows_of(rows.complete.agg(tasks=rows.complete.position.nunique()))
    if tasks["tasks"] > MOST_TASKS:
        why = f"{tasks['tasks']:,} tasks are rated, and the figures hold those of at most {MOST_TASKS:,}."
        raise RaterError(
            "The dataset is too large for figures about systems.", why, "Build a dataset with fewer tasks."
        )
    decisions = VoteDecisions(rows, judged_questions(rubric), rule)
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
    comparisons = MetricSet(rubric, request, has_references=False).comparisons
    if comparisons and rows_of(rows.complete.filter(rows.complete.exchanged).select("task").limit(1)):
        audit.ratings.update(_as_seen(rows, sorted(comparisons)))
    facts = list(_facts(rows, responses))
    return make_systems_report(audit, facts, labels, request, seed=seed, computed=computed)


def _rule_of(request: SystemsRequest) -> LabelRule:
    title = "That is not computed over a dataset."
    if request.raters_random or request.against or request.against_bundle:
        why = "Rounds, and intervals over raters, need the single ratings."
        raise RaterError(title, why, "Leave --against and --raters-random out, or open the dataset in a store.")
    for by in ("majority", "median"):
        if request.final == by:
            return LabelRule(by=by, threshold=request.threshold)
    raise RaterError(title, f"{request.final!r} is fitted to all votes.", "Choose --final majority or median.")


def _facts(rows: ReportRows, responses: Mapping[str, dict[str, str]]) -> Iterator[TaskFacts]:
    for row in rows_in_pieces(rows.completed_tasks(), "position"):
        task = read_struct(read_json_object(row["line"].encode()), Task)
        targets = responses.get(row["task"], {})
        if len(task.responses) == 1:
            targets = dict.fromkeys(targets, task.responses[0].id)
        yield facts_of(task, targets, frozenset(rows.raters[int(number)] for number in row["raters"].split(",")))


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
