"""Export results as evaluation records: Inspect's logs, Scout's validation sets, OpenTelemetry's GenAI events."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from desktop_rater import __version__
from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rubric import WRITTEN_KINDS
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.values import parse_time
from desktop_rater.operations.results_tables import ResultsFormat
from desktop_rater.operations.results_tables.tables import (
    ExportUnit,
    RatedTask,
    as_text,
    export_units,
    grouped_by_task,
    task_names,
    value_label,
)
from desktop_rater.rubric.condition import is_number
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.untrusted import escape_formula

JsonObject = dict[str, Any]

_EVAL_LOG_VERSION = 2
_NO_MODEL = "none/none"  # what Inspect calls an evaluation without a model
_ROLES = {"system", "assistant"}


def write_inspect(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write an Inspect log in JSON: a sample for each task, with a score by each rater. Raises `BundleFault`.

    Inspect reads the header of a log from its beginning, so the keys have this order.
    """
    groups = grouped_by_task(rated)
    ratings = [item for group in groups for item in group]
    bundles = ", ".join(sorted({item.bundle for item in ratings}))
    samples = [_sample(name, group) for name, group in zip(_sample_ids(groups), groups, strict=True)]
    raters = sorted({item.rating.rater for item in ratings})
    log = {
        "version": _EVAL_LOG_VERSION,
        "status": "success",
        "eval": {
            "created": max((item.rating.changed or "" for item in ratings), default="") or "1970-01-01T00:00:00Z",
            "task": _joined([_text(group[0].task, "task") for group in groups]) or bundles,
            "run_id": _joined([_text(group[0].task, "run_id") for group in groups]),
            "dataset": {
                "name": bundles,
                "samples": len(groups),
                "sample_ids": list(dict.fromkeys(sample["id"] for sample in samples)),
            },
            "model": _joined([_text(group[0].task, "model") for group in groups]) or _NO_MODEL,
            "config": {},
            "packages": {"desktop-rater": __version__},
            "metadata": {"rubric": _joined([item.rubric.ref for item in ratings]), "raters": raters},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": len(groups),
            "completed_samples": len(groups),
            "scores": [{"name": rater, "scorer": rater, "metrics": {}} for rater in raters],
        },
        "stats": {"started_at": "", "completed_at": "", "model_usage": {}},
        "samples": samples,
    }
    path.write_text(json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8", newline="")


def _joined(values: list[str]) -> str:
    return ", ".join(sorted({value for value in values if value}))


def _text(task: Task, name: str) -> str:
    value = task.meta.get(name)
    return value if isinstance(value, str) else ""


def _epoch(task: Task) -> int:
    epoch = task.meta.get("epoch")
    return epoch if type(epoch) is int and epoch > 0 else 1


def _sample_ids(groups: list[list[RatedTask]]) -> list[str | int]:
    """Return the ids of the log that the tasks are from, if they have them, else those of the tasks."""
    ids = [group[0].task.meta.get("id") for group in groups]
    plain_ids: list[str | int] = [id_ for id_ in ids if isinstance(id_, str | int) and not isinstance(id_, bool)]
    pairs = {(id_, _epoch(group[0].task)) for id_, group in zip(plain_ids, groups, strict=False)}
    return plain_ids if len(pairs) == len(plain_ids) == len(groups) else list(task_names(groups))


def _sample(name: str | int, group: list[RatedTask]) -> JsonObject:
    task = group[0].task
    turns = [(turn.role, turn.text) for turn in task.history]
    messages = [{"role": role if role in _ROLES else "user", "content": text} for role, text in turns]
    messages.append({"role": "user", "content": task.prompt.text})
    answers = [{"role": "assistant", "content": response.text} for response in task.responses]
    return {
        "id": name,
        "epoch": _epoch(task),
        "input": messages,
        "target": task.reference or "",
        "messages": [*messages, answers[0]],
        "output": {
            "model": _text(task, "model") or _NO_MODEL,
            "choices": [{"message": answer, "stop_reason": "stop"} for answer in answers],
            "completion": task.responses[0].text,
        },
        "scores": {item.rating.rater: _score(item) for item in group},
        "metadata": {**task.meta, "bundle": group[0].bundle, "revision": group[0].revision},
    }


def _score(rated: RatedTask) -> JsonObject:
    """Return one rater's values by place and question; texts are the explanation."""
    rating = rated.rating
    values: JsonObject = {}
    texts = []
    places: JsonObject = {}
    for unit in export_units(rated):
        for name, value in rated.labels(unit.where, unit.answers).items():
            question = rated.rubric.questions[name].question
            if question.kind in WRITTEN_KINDS:
                texts.append(f"{unit.where}: {format_answer(question, value)}")
            else:
                values[f"{unit.where}/{name}"] = value if is_number(value) else as_text(value)
        if unit.text is not None:
            places[unit.where] = {"text": unit.text, "start": unit.start, "end": unit.end}
    about = {
        "status": rating.status,
        "changed": rating.changed,
        "rubric": rating.rubric,
        "active_seconds": rating.time.active_seconds,
        "places": places,
        "evidence": [to_plain(piece) for piece in rating.evidence],
        "decided": to_plain(rating.decided),
        "skipped": to_plain(rating.skipped) if rating.skipped is not None else None,
    }
    texts += [rating.note] if rating.note else []
    return {"value": values, "explanation": "\n".join(texts) or None, "metadata": about}


_EVENT = "gen_ai.evaluation.result"
_TRACE, _SPAN = re.compile(r"(?!0{32})[0-9a-f]{32}"), re.compile(r"(?!0{16})[0-9a-f]{16}")
_RESPONSE_ID = re.compile("chatcmpl-|resp_|msg_|gen-")  # the ids of responses begin so; others may be a record's
_INFO = 9  # severity number


def write_otel(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write OTLP JSON lines, each with the events of one rating: one for each question and place."""
    scope = {"name": "desktop_rater", "version": __version__}
    service = {"service.name": "desktop-rater", "service.version": __version__}
    with path.open("x", encoding="utf-8", newline="") as file:
        for rated_task in rated:
            logs = {"scope": scope, "logRecords": list(_events(rated_task))}
            plain = {"resourceLogs": [{"resource": {"attributes": _attributes(service)}, "scopeLogs": [logs]}]}
            file.write(json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def _events(rated: RatedTask) -> Iterator[JsonObject]:
    rating = rated.rating
    for unit in export_units(rated):
        given = rated.labels(unit.where, unit.answers)
        questions = {name: rated.rubric.questions[name].question for name in given}
        judged = [name for name in given if questions[name].kind not in WRITTEN_KINDS]
        texts = [format_answer(questions[name], given[name]) for name in given if name not in judged]
        for name in judged or list(given)[:1]:
            yield _event(rated, unit, {"gen_ai.evaluation.name": name, **_scored(rated, name, given[name]),
                                       "gen_ai.evaluation.explanation": "\n".join(texts) or None})  # fmt: skip
    if rating.status == "skipped":
        reason = rating.skipped.reason if rating.skipped is not None else ""
        comment = rating.skipped.comment if rating.skipped is not None else ""
        about = {"gen_ai.evaluation.name": "task", "error.type": reason or "skipped"}
        yield _event(rated, None, {**about, "gen_ai.evaluation.explanation": comment or None})


def _scored(rated: RatedTask, name: str, value: Any) -> JsonObject:
    question = rated.rubric.questions[name].question
    if is_number(value):
        return {
            "gen_ai.evaluation.score.value": float(value),
            "gen_ai.evaluation.score.label": value_label(question, value),
        }
    return {} if question.kind in WRITTEN_KINDS else {"gen_ai.evaluation.score.label": as_text(value)}


def _event(rated: RatedTask, unit: ExportUnit | None, evaluation: JsonObject) -> JsonObject:
    task, rating = rated.task, rated.rating
    trace, span = _text(task, "trace_id") or _text(task, "trace"), _text(task, "span_id")
    response = _text(task, "response_id") or (_text(task, "id") if _RESPONSE_ID.match(_text(task, "id")) else None)
    attributes = {
        **evaluation,
        "gen_ai.response.id": response,
        "desktop_rater.format": rated.bundle,
        "desktop_rater.revision": rated.revision,
        "desktop_rater.rubric": rating.rubric,
        "desktop_rater.task": rated.task.id,
        "desktop_rater.rater": rating.rater,
        "desktop_rater.place": unit.where if unit is not None else "task",
        "desktop_rater.text": unit.text if unit is not None else None,
    }
    moment = str(int(parse_time(rating.changed).timestamp()) * 10**9) if rating.changed else None
    return {
        **({"timeUnixNano": moment, "observedTimeUnixNano": moment} if moment else {}),
        "severityNumber": _INFO,
        "eventName": _EVENT,
        "attributes": _attributes(attributes),
        **({"traceId": trace} if _TRACE.fullmatch(trace) else {}),
        **({"spanId": span} if _TRACE.fullmatch(trace) and _SPAN.fullmatch(span) else {}),
    }


def _attributes(values: JsonObject) -> list[JsonObject]:
    """Return attributes in the JSON of OTLP, in which a whole number is a string."""
    attributes = []
    for name, value in values.items():
        match value:
            case str():
                attributes.append({"key": name, "value": {"stringValue": value}})
            case float():
                attributes.append({"key": name, "value": {"doubleValue": value}})
            case int():
                attributes.append({"key": name, "value": {"intValue": str(value)}})
    return attributes


_TRUTHS = {"yes": "true", "no": "false", True: "true", False: "false"}


def write_validation_set(path: Path, rated: Iterable[RatedTask]) -> None:
    """Write a validation set of Inspect Scout: a case for each task, with what all its raters answered.

    The targets are the answers about tasks and responses. A rubric without such has labels, the choices about targets
    and claims, which are true if one of them has it. Raises `BundleFault` if there is neither.
    """
    groups = grouped_by_task(rated)
    cases = [[_case_values(item) for item in group if item.rating.status != "skipped"] for group in groups]
    columns = sorted({column for case in cases for values in case for column in values})
    columns = [column for column in columns if column.startswith(_TARGET)] or columns
    rows = []
    for name, group, case in zip(task_names(groups), groups, cases, strict=True):
        given = [[values[column] for values in case if column in values] for column in columns]
        agreed = [as_text(values[0]) if values and values.count(values[0]) == len(values) else "" for values in given]
        id_ = _text(group[0].task, "uuid") or _text(group[0].task, "transcript_id") or name
        rows += [[escape_formula(id_), *agreed]] if any(agreed) else []
    if not rows:
        raise BundleFault("It has no answer on which all raters agree, so there is no validation set")
    with path.open("x", encoding="utf-8", newline="") as file:
        only = len(columns) == 1 and columns[0].startswith(_TARGET)
        csv.writer(file, lineterminator="\n").writerows([["id", *(["target"] if only else columns)], *rows])


_TARGET = "target_"


def _case_values(rated: RatedTask) -> dict[str, Any]:
    """Return the values of one rating by column; "yes" and "no" are true and false."""
    values: dict[str, Any] = {}
    several = len(rated.task.responses) > 1
    for unit in export_units(rated):
        for name, value in rated.labels(unit.where, unit.answers).items():
            question = rated.rubric.questions[name].question
            if unit.scope in ("task", "response") and question.kind != "text":
                column = f"{unit.response}_{name}" if several and unit.response else name
                values[f"{_TARGET}{column}"] = _TRUTHS.get(value, value) if isinstance(value, str) else value
            for choice in question.choices if unit.target is not None else ():
                column = f"label_{name}_{choice.id}"
                holds = choice.id in (value if isinstance(value, list | tuple) else [value])
                values[column] = _TRUTHS[holds or values.get(column) == _TRUTHS[True]]
    return values


INSPECT = ResultsFormat(write_inspect)
INSPECT_SCOUT = ResultsFormat(write_validation_set)
OTEL = ResultsFormat(write_otel)
