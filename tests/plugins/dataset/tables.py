"""Datasets made of audits that a test writes down, without results zips."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.audit.compute_report import ReportInputs
from desktop_rater.audit.questions import judged_questions, judgements
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.plugins.dataset.judge import value_columns
from desktop_rater.plugins.dataset.parts import FORMAT, REPORT_TABLES, SCHEMA_VERSION, DatasetManifest, TableWriter


def write_dataset(
    folder: Path,
    audit: Audit,
    beside: ReportInputs,
    *,
    parts: int = 1,
    seed: int = 0,
    toml: str | None = None,
    lines: Mapping[str, dict[str, Any]] | None = None,
) -> DatasetManifest:
    """Write the tables of a report in so many files, their rows in an order of chance. `lines`: texts of tasks."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in REPORT_TABLES}
    for name, row in _rows(audit, beside, toml, lines or {}):
        rows[name].append({"bundle": audit.bundle, **row})
    files = []
    for name, all_rows in rows.items():
        random.Random(f"{seed} {name}").shuffle(all_rows)
    for part in range(parts):
        with TableWriter(folder) as writer:
            for name, all_rows in rows.items():
                writer.write(name, writer.arrow(name, all_rows[part::parts]))
            files += writer.close()
    return DatasetManifest(format=FORMAT, schema=SCHEMA_VERSION, files=tuple(files))


def _rows(
    audit: Audit, beside: ReportInputs, toml: str | None, lines: Mapping[str, dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    twins = {task: group[0] for group in beside.twice for task in group}
    yield "audits", {
        "title": audit.title, "rubric": audit.rubric.ref, "rubric_toml": toml, "language": "en",
        "known": False, "stale": len(audit.stale), "forks": [], "held": [],
        "cautions": msgspec.to_builtins(audit.cautions), "scored": "then",
    }  # fmt: skip
    for position, task in enumerate(audit.tasks):
        yield "audited_tasks", {"task": task, "position": position, "text": f"text of {task}"}
        plain = {"id": task, "prompt": {"text": f"About {task}."}, "responses": [{"id": "r", "text": "x"}]}
        line = canonical_json(lines.get(task, plain))
        yield (
            "tasks",
            {"text": f"text of {task}", "task": task, "content": twins.get(task, task), "line": line.decode()},
        )
        for number, (values, partial) in enumerate(
            [(values, False) for values in beside.gold.get(task, ())]
            + [(values, True) for values in beside.partial_gold.get(task, ())]
        ):
            yield "gold", {"task": task, "number": number, "partial": partial, "values": values}
    for rater, figure in beside.scores.items():
        yield "scores", {"rater": rater, **msgspec.structs.asdict(figure), "scored": "then"}
    for rater in audit.raters:
        yield "raters", {"rater": rater, "model": rater in audit.models, "forked": False}
    for standing, ratings in (("counts", audit.ratings.values()), ("earlier", audit.earlier)):
        for rating in ratings:
            yield from _of_rating(audit, rating, standing)


def _of_rating(audit: Audit, rating: ReceivedRating, standing: str) -> Iterator[tuple[str, dict[str, Any]]]:
    digest = rating.digest
    at = {"results": rating.results, "task": rating.task}
    yield "counted", {**at, "rater": rating.rater, "model": rating.rater in audit.models, "standing": standing}
    names = ("status", "changed", "seconds", "claims", "unopened", "unquoted", "unkept", "exchanged")
    unresearched = None if digest.unresearched is None else sum(digest.unresearched.values())
    sums = {"evidence": sum(digest.evidence.values()), "revision": digest.revisions, "unresearched": unresearched}
    yield "ratings", {**at, **{name: getattr(digest, name) for name in names}, **sums}
    for place, values in digest.values.items():
        for question, value in judgements(values, judged_questions(audit.rubric)).items():
            yield "labels", {**at, "place": place, "question": question, **value_columns(value)}
    seconds = {f"targets/{name}": number for name, number in digest.targets.items()}
    for place in {*seconds, *digest.texts}:
        characters = digest.texts.get(place, 0)
        yield "places", {**at, "place": place, "seconds": seconds.get(place), "characters": characters}
    for warning in digest.warnings:
        yield "warnings", {**at, "rule": warning.rule, "place": warning.where, "let_stand": warning.let_stand}
