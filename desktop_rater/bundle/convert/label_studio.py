"""Label Studio: tasks, as they are imported there or come out of it, with the spans that were marked in them.

Spans become targets. What predictions answer becomes suggestions, and what the first annotation answers a rating, as
far as the rubric asks such questions and offers such values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.label_studio_fields import Fields
from desktop_rater.bundle.convert.label_studio_results import Answered, Spans
from desktop_rater.bundle.convert.shape import kind_of
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.answers import Answers
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

NAME = "label-studio"
RUBRIC = "span-factuality@1"

# What stands beside the keys of the project where an export is flat.
_OF_AN_EXPORT = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "annotations", "predictions"}
)


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each record: with `data`, as tasks are imported and exported, or flat.

    Raises `BundleError` for a record of another shape, and where none of its keys is known to be the response.
    """
    seen: set[str] = set()
    for count, (line, plain) in enumerate(records, 1):
        with records.trouble():
            number = plain.get("id")
            is_number = isinstance(number, int) and not isinstance(number, bool)
            name = f"ls-{number}" if is_number else f"ls-r{count:04}"
            if name in seen:
                yield Omitted(line=line, name=name, why="a task with this id stood there already")
                continue
            seen.add(name)
            yield _converted(name, line, plain)


def _converted(name: str, line: int, plain: dict[str, Any]) -> Converted | Omitted:
    where = f"line {line}"
    data = plain.get("data")
    if "data" in plain and not isinstance(data, dict):
        raise Fault(f"{where}: `data` is {kind_of(data)}, not an object")
    flat = data is None
    fields = Fields({key: value for key, value in plain.items() if key not in _OF_AN_EXPORT} if flat else data, where)
    if not fields.responses:
        return Omitted(line=line, name=name, why="its response is empty, so there is nothing to rate")
    spans = Spans({id_: text for id_, (_, text) in fields.responses.items()})
    annotated = [spans.add(results) for results in _lists(plain, "annotations", where)]
    predicted = [spans.add(results) for results in _lists(plain, "predictions", where)]
    if flat:
        spans.add(_flat_spans(fields.rest))
    task = _task(name, line, fields, spans)
    if predicted:
        task["suggestions"] = _answers(predicted[0])
    return Converted(
        line=line,
        task=task,
        rating=_rating(name, annotated),
        called="span",
        unplaced=tuple(spans.unplaced),
        loose=True,
    )


def _task(name: str, line: int, fields: Fields, spans: Spans) -> dict[str, Any]:
    meta: dict[str, Any] = {"source": NAME, "line": line}
    if fields.rest:
        meta["data"] = fields.rest
    if any(spans.labels.values()):
        meta["labels"] = spans.labels
    if spans.unplaced:
        meta["unplaced"] = [{"id": lost.target, "text": lost.quote} for lost in spans.unplaced]
    task: dict[str, Any] = {
        "id": name,
        "prompt": {"text": fields.prompt},
        "responses": [{"id": id_, "text": text} for id_, (_, text) in fields.responses.items()],
        "context": fields.context,
        "reference": fields.reference,
        "meta": meta,
        "targets": [to_plain(target) for target in spans.targets],  # none: the import splits the responses
    }
    return {key: value for key, value in task.items() if value not in (None, [])}


def _lists(plain: dict[str, Any], kind: str, where: str) -> list[list[Any]]:
    """The results of each annotation or prediction that was not cancelled."""
    found = []
    given = plain.get(kind) or []
    if not isinstance(given, list):
        raise Fault(f"{where}: `{kind}` is {kind_of(given)}, not a list")
    for one in given:
        if isinstance(one, dict) and not one.get("was_cancelled"):
            results = one.get("result", [])
            if not isinstance(results, list):
                raise Fault(f"{where}: `result` of one of its `{kind}` is {kind_of(results)}, not a list")
            found.append(results)
    return found


def _flat_spans(rest: dict[str, Any]) -> list[Any]:
    """What a flat export says of spans: under the name of their control, without a word of where they are from."""
    return [
        {"id": f"{name} {number}", "value": value}
        for name, values in rest.items()
        if isinstance(values, list)
        for number, value in enumerate(values)
        if isinstance(value, dict)
    ]


def _answers(answered: Answered) -> dict[str, Any]:
    return {"task": answered.task, "responses": answered.responses, "targets": answered.targets}


def _rating(name: str, annotated: list[Answered]) -> Rating | None:
    if not annotated:
        return None
    return Rating(task=name, rater=NAME, answers=Answers(**_answers(annotated[0])))
