"""Export results for annotation tools: records with responses for Argilla, and texts with spans for doccano."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from desktop_rater.format.rubric import WRITTEN_KINDS, Question
from desktop_rater.format.strict_json import to_plain
from desktop_rater.operations.results_tables import ResultsFormat
from desktop_rater.operations.results_tables.tables import (
    ExportUnit,
    RatedTask,
    as_text,
    export_units,
    grouped_by_task,
    task_names,
)
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import ScaleDomain
from desktop_rater.rubric.load import format_answer

JsonObject = dict[str, Any]
_MAX_STEPS = 11  # Argilla's rating question has at most so many values
_USERS = uuid5(NAMESPACE_URL, "https://docs.argilla.io/ desktop-rater")


def _spans(rated: RatedTask, unit: ExportUnit) -> list[tuple[int, int]]:
    """Return the offsets of a target, or of a claim: its own, otherwise those of its target."""
    if unit.claim is not None and not unit.spans:
        target = rated.task.target(unit.target or "")
        return [(target.start or 0, target.end or 0)] if target is not None else []
    if unit.spans:
        return [(span.start, span.end) for span in unit.spans]
    return [(unit.start, unit.end)] if unit.start is not None and unit.end is not None else []


def write_doccano(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write JSON lines for sequence labelling: one for each response and rater, with `question: value` as labels."""
    number = 0
    with path.open("x", encoding="utf-8", newline="") as file:
        for rated_task in rated:
            for line in _doccano_lines(rated_task):
                number += 1
                file.write(json.dumps({"id": number, **line}, ensure_ascii=False, allow_nan=False) + "\n")


def _doccano_lines(rated: RatedTask) -> Iterator[JsonObject]:
    rating = rated.rating
    units = list(export_units(rated))
    for response in rated.task.responses:
        labels: list[tuple[int, int, str]] = []
        answers: JsonObject = {}
        comments = [rating.note] if rating.note else []
        if rating.skipped is not None:
            comments.append(": ".join(filter(None, ("skipped", rating.skipped.reason, rating.skipped.comment))))
        for unit in units:
            if unit.response not in (None, response.id):
                continue
            for name, value in rated.labels(unit.where, unit.answers).items():
                question = rated.rubric.questions[name].question
                if unit.target is None:
                    answers[name] = value
                elif question.kind in WRITTEN_KINDS:
                    comments.append(f"{unit.where}: {format_answer(question, value)}")
                else:
                    labels += [
                        (start, end, f"{name}: {as_text(part)}")
                        for start, end in _spans(rated, unit)
                        for part in (value if isinstance(value, list | tuple) else [value])
                    ]
        yield {
            "text": response.text,
            "label": sorted(set(labels)),
            "Comments": comments,
            "bundle": rated.bundle,
            "task": rated.task.id,
            "response": response.id,
            "rater": rating.rater,
            "status": rating.status,
            "answers": answers,
            "evidence": [to_plain(piece) for piece in rating.evidence],
            "prompt": rated.task.prompt.text,
        }


def write_argilla(path: Path, rated: Iterable[RatedTask], rubric: Rubric) -> bytes:
    """Write records for `dataset.records.from_json`; return the settings of their dataset. Raises `BundleFault`."""
    groups = grouped_by_task(rated)
    most = max((len(group[0].task.responses) for group in groups), default=1)
    questions = _Questions(rubric, most)
    records = [_record(name, group, questions) for name, group in zip(task_names(groups), groups, strict=True)]
    path.write_text(
        json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8", newline=""
    )
    return json.dumps(questions.settings(), ensure_ascii=False, indent=1).encode() + b"\n"


def response_field(number: int) -> str:
    """Return the name of the field with a response, counted from 1."""
    return f"response_{number}"


class _Questions:
    """Questions of the dataset: each question of the rubric for the task, or for every response by its number."""

    def __init__(self, rubric: Rubric, responses: int) -> None:
        self._responses = responses
        self._rubric = rubric
        self._by_key: dict[tuple[str, int], JsonObject] = {}
        names: set[str] = set()
        for question in rubric.file.questions:
            if question.per == "evidence":
                continue
            for number in [0] if question.per == "task" else range(1, responses + 1):
                settings = self._settings(question, number)
                if settings is not None:
                    slug = re.sub(r"[^a-z0-9_-]", "-", question.id.lower()) + (f"_{number}" if number else "")
                    while slug in names or slug.startswith(("-", "_")):
                        slug = f"q{slug}"
                    names.add(slug)
                    about = {"name": slug, "title": question.ask, "required": False, "settings": settings}
                    self._by_key[question.id, number] = about

    def name(self, question: str, number: int) -> str | None:
        about = self._by_key.get((question, number))
        return None if about is None else about["name"]

    def kind(self, question: str, number: int) -> str:
        return self._by_key[question, number]["settings"]["type"]

    def _settings(self, question: Question, number: int) -> JsonObject | None:
        options = [{"value": choice.id, "text": choice.label, "description": None} for choice in question.choices]
        if question.per in {"target", "claim"}:
            if not options:
                return None
            return {"type": "span", "field": response_field(number), "allow_overlapping": True, "options": options}
        match question.kind:
            case "choice":
                return {"type": "label_selection", "options": options}
            case "choices":
                return {"type": "multi_label_selection", "options": options, "options_order": "natural"}
            case "scale":
                domain = self._rubric.questions[question.id].domain
                steps = list(domain.all()) if isinstance(domain, ScaleDomain) else []
                if 1 < len(steps) <= _MAX_STEPS and all(float(step).is_integer() and 0 <= step <= 10 for step in steps):
                    return {"type": "rating", "options": [{"value": int(step)} for step in steps]}
        return {"type": "text", "use_markdown": False}

    def settings(self) -> JsonObject:
        """Return the settings that `Settings.from_json` reads."""
        fields = [("prompt", True)] + [
            (response_field(number), number == 1) for number in range(1, self._responses + 1)
        ]
        return {
            "guidelines": None,
            "questions": list(self._by_key.values()),
            "fields": [
                {"name": name, "title": name, "required": required, "settings": {"type": "text", "use_markdown": False}}
                for name, required in fields
            ],
            "vectors": [],
            "metadata": [],
            "allow_extra_metadata": True,
        }


def _record(name: str, group: list[RatedTask], questions: _Questions) -> JsonObject:
    task = group[0].task
    users = {item.rating.rater: str(uuid5(_USERS, item.rating.rater)) for item in group}
    responses: dict[str, list[JsonObject]] = {}
    for item in group:
        status = "discarded" if item.rating.status == "skipped" else "submitted"
        for question, value in _values(item, questions).items():
            responses.setdefault(question, []).append(
                {"value": value, "user_id": users[item.rating.rater], "status": status}
            )
    return {
        "id": name,
        "fields": {"prompt": task.prompt.text}
        | {response_field(number): response.text for number, response in enumerate(task.responses, 1)},
        "metadata": {
            "bundle": group[0].bundle,
            "revision": group[0].revision,
            "raters": list(users),
            "skipped": [item.rating.rater for item in group if item.rating.status == "skipped"],
            "user_ids": list(users.values()),
            **{key: value for key, value in task.meta.items() if isinstance(value, str | int | float)},
        },
        "suggestions": {},
        "responses": responses,
        "vectors": {},
        "status": "completed",
    }


def _values(rated: RatedTask, questions: _Questions) -> JsonObject:
    numbers = {response.id: number for number, response in enumerate(rated.task.responses, 1)}
    values: JsonObject = {}
    for unit in export_units(rated):
        for name, value in rated.labels(unit.where, unit.answers).items():
            number = numbers.get(unit.response or "", 0)
            called = questions.name(name, number)
            if called is None:
                continue
            kind = questions.kind(name, number)
            if kind == "span":
                parts = value if isinstance(value, list | tuple) else [value]
                values.setdefault(called, []).extend(
                    {"start": start, "end": end, "label": str(part)}
                    for start, end in _spans(rated, unit)
                    for part in parts
                )
            else:
                values[called] = int(value) if kind == "rating" else as_text(value) if kind == "text" else value
    return values


ARGILLA = ResultsFormat(write_argilla, ".settings.json")
DOCCANO = ResultsFormat(write_doccano)
