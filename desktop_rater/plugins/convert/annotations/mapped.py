"""Ratings in tables and records of any shape, by the paths of a map."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.errors import BundleError, BundleFault, bundle_errors
from desktop_rater.plugins.convert.annotations.annotation import (
    SourceAnnotation,
    SourceAnswer,
    SourcePlace,
    SourceRatings,
    shortened,
    source_seconds,
    span_answers,
)
from desktop_rater.plugins.convert.conversion import parsed_json_text
from desktop_rater.plugins.convert.maps import MapSource
from desktop_rater.plugins.convert.maps.mapped_task import apply_map
from desktop_rater.plugins.convert.maps.record_map import (
    CONSTANT,
    PathMatch,
    RatingMap,
    RecordMap,
    checked_map,
    label_text,
    matches,
    quoted_key,
)
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.untrusted import restored_cell

TABLE = "table"

_BORDER = re.compile(r",(?=\s*[\w.-]+\s*=)")
_HINT = "Write it like task=item,rater=user,question=aspect,value=score, or value.QUESTION=column. Nothing was written."
_NAMES = {
    "task": ("task", "task_id", "item", "item_id", "instance_id", "instance", "unit", "unit_id", "doc_id", "id"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "user", "user_id", "worker", "worker_id", "coder"),
    "place": ("place", "where"),
    "target": ("target", "target_id"),
    "response": ("response_id",),
    "question": ("question", "aspect", "attribute", "dimension", "variable"),
    "value": ("value", "answer", "label", "rating", "score"),
    "time": ("time", "timestamp", "changed", "updated_at", "created_at", "date"),
    "seconds": ("seconds", "lead_time", "duration"),
}
"""Field of a rating → names of columns that are read as such, the first that exists."""
_TEXTS = ("prompt", "response", "reference", "context")
_STATEMENTS = {"kind", "question", "value", "target", "rater", "task"}  # columns of this program's own tables
_ESCAPED = (".csv", ".tsv")  # whose cells may begin with an apostrophe for spreadsheets


def parse_rating_columns(given: str) -> RecordMap:
    """Return the map of a text like `task=item,rater=user,value.fluency=score`. Raises `BundleError`."""
    names = {"task", "rater", "place", "target", "question", "value", "time", "seconds", "note", "skipped", "marks"}
    ratings: dict[str, Any] = {"values": {}}
    texts: list[tuple[str, str]] = []
    with bundle_errors("The columns", "used", _HINT):
        for part in _BORDER.split(given):
            name, equals, path = (piece.strip() for piece in part.partition("="))
            if not equals or not path:
                raise BundleFault(f"{part.strip()!r} is not a pair of field and column")
            if name.startswith("value."):
                ratings["values"][name.removeprefix("value.")] = path
            elif name in names:
                ratings[name] = path
            else:
                texts.append((name, path))
        if {"prompt", "messages"}.isdisjoint(name for name, _ in texts) and texts:
            texts.append(("prompt", CONSTANT))  # texts alone
        return checked_map(texts, RecordMap(fields={}, ratings=RatingMap(**ratings)))


def chosen_rating_map(
    record_map: RecordMap | None, columns: str | None, marked: Mapping[str, str], unmarked: Mapping[str, str]
) -> RecordMap | None:
    """Return the map with the columns, and what marks answer, in the place of its own; `None` if nothing is given.

    Raises `BundleError` for a map of tasks alone.
    """
    if record_map is not None and record_map.ratings is None:
        raise BundleError("The map can't be used", "It has no [ratings].", _HINT)
    own = (record_map.ratings if record_map is not None else None) or RatingMap()
    if columns is not None:
        given = parse_rating_columns(columns)
        kept = {field: getattr(own, field) for field in ("answers", "marked", "unmarked", "units", "only")}
        own = replace(given.ratings or own, **kept)
        record_map = replace(given, rubric=record_map.rubric if record_map is not None else "")
    own = replace(own, marked={**own.marked, **marked}, unmarked={**own.unmarked, **unmarked})
    if record_map is None and own == RatingMap():
        return None
    return replace(record_map or RecordMap(fields={}), ratings=own)


def guess_rating_map(columns: Collection[str], questions: Collection[str], given: RatingMap, file: str) -> RecordMap:
    """Return the map of columns named like fields, or like questions of the rubric. Raises `BundleError`.

    `given`: what is known of it; `file`: its name.
    """
    by_name = {column.lower(): column for column in reversed(list(columns))}
    fields = {
        field: quoted_key(by_name[name])
        for field, names in _NAMES.items()
        if (name := next((name for name in names if name in by_name), None)) is not None
    }
    values = {
        name: quoted_key(name) for name in questions if name in columns and quoted_key(name) not in fields.values()
    }
    only = {"kind": "answer"} if by_name.keys() >= _STATEMENTS else {}
    if only:
        fields["response"] = by_name["response"]
    if values and "question" not in fields:
        fields.pop("value", None)
    texts = {name: name for name in _TEXTS if name in by_name and not only}
    if not {"prompt", "response"} <= texts.keys():
        texts = {}
    with bundle_errors(f"The columns of {file}", "guessed", _HINT):
        for field in ("task", "rater"):
            if field not in fields:
                raise BundleFault(f"No column is called {' or '.join(_NAMES[field])}; there are {', '.join(columns)}")
        if not values and "value" not in fields:
            names = ", ".join(questions) or "none"
            raise BundleFault(
                f"No column holds values: none is called value, or like a question of the rubric ({names})"
            )
        ratings = replace(given, **{"values": values, "only": only, **fields})
        return checked_map(texts.items(), RecordMap(fields={}, ratings=ratings))


def read_mapped(records: SourceRecords, record_map: RecordMap, delimiter: str | None = None) -> SourceRatings:
    """Return the ratings of files by a map with `ratings`. Raises `BundleError`."""
    assert record_map.ratings is not None, "only such a map is used"
    source = SourceRatings(TABLE)
    records.on_fault = source.leave_out(records)
    rows = MapSource(records, record_map, delimiter=delimiter)
    for number, (line, row) in enumerate(rows, 1):
        is_own_table = record_map.ratings.only and records.path.suffix.lower() in _ESCAPED
        record = {key: restored_cell(cell) for key, cell in row.items()} if is_own_table else row
        with records.record(line):
            _add_record(source, record_map, record_map.ratings, f"{records.path.name}, line {line}", number, record)
    for omitted in rows.left_out:
        source.losses.add("record", f"line {omitted.line}: {omitted.why}")
    return source


def _add_record(
    source: SourceRatings, record_map: RecordMap, ratings: RatingMap, where: str, number: int, record: dict[str, Any]
) -> None:
    for path, wanted in ratings.only.items():
        if (text := _text(record, path)) != wanted:
            source.losses.add("other", f"{where}: {path} is {shortened(text)}")
            return
    has_texts = bool(record_map.responses or "messages" in record_map.fields)
    task = _text(record, ratings.task or record_map.fields.get("id", ""))
    if not task and has_texts and not ratings.task:
        task = f"{number}"
    if task:
        plain = None
        if has_texts:
            mapped = apply_map(record_map, record, id_=task, where=where, source=TABLE)
            known = task in source.tasks
            if mapped.task is not None:
                plain = {**mapped.task, "id": task}
            elif not known or source.tasks[task].plain is None:
                source.losses.add("record", f"{where}: {mapped.why}")
            for field in () if known else mapped.without_response:
                source.losses.add("response", f"{where}: {field}")
        if not source.add_task(where, task, (task,), plain):
            return
    raters = [hit for hit in matches(record, ratings.rater) if hit.value not in (None, "")] if ratings.rater else []
    if not raters:
        source.losses.add("no_rater", where)
    for rater in raters:
        _add_rating(source, ratings, where, task, rater, record)


def _add_rating(
    source: SourceRatings, ratings: RatingMap, where: str, task: str, rater: PathMatch, record: dict[str, Any]
) -> None:
    at = rater.indexes
    named = _text(record, ratings.place, at) or _text(record, ratings.target, at)
    place = SourcePlace(name=named, response=_text(record, ratings.response, at))
    values = {_text(record, ratings.question, at): ratings.value} if ratings.value else {}
    answers = [
        SourceAnswer(place, name, value)
        for name, path in {**values, **ratings.values}.items()
        for value in _values(record, path, at)
    ]
    marks = [mark for value in _values(record, ratings.marks, at) for mark in _marks(value)]
    skipped = _text(record, ratings.skipped, at)
    source.add(
        SourceAnnotation(
            where=where,
            task=task,
            rater=label_text(rater.value),
            answers=(*answers, *span_answers(marks)),
            whole=bool(ratings.marks),
            marked=bool(ratings.marks),
            changed=source.time(next(_values(record, ratings.time, at), None), where),
            seconds=source_seconds(next(_values(record, ratings.seconds, at), None)),
            note=_text(record, ratings.note, at),
            skipped=skipped if skipped not in ("", "false", "0") else None,
        )
    )


def _values(record: dict[str, Any], path: str, at: tuple[int, ...]) -> Iterator[Any]:
    """Yield the values at a path that belong to the rater at these indexes."""
    if not path:
        return
    for hit in matches(record, path):
        length = min(len(hit.indexes), len(at))
        if hit.indexes[:length] == at[:length] and hit.value not in (None, ""):
            yield hit.value


def _text(record: dict[str, Any], path: str, at: tuple[int, ...] = ()) -> str:
    return next((label_text(value).strip() for value in _values(record, path, at)), "")


def _marks(value: Any) -> list[Any]:
    """Return the spans in a value: a list of spans, or one span."""
    value = parsed_json_text(value)
    if isinstance(value, list) and not (value and isinstance(value[0], int)):
        return value
    return [value]
