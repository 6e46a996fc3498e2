"""Related tables of results: tasks, targets, ratings, evidence and raters, with keys that join; columns of tasks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.results_tables.tables import (
    ColumnKind,
    ExportColumn,
    RatedTask,
    Row,
    TaskTexts,
    columns_of_kinds,
    libraries_cell,
    wide_columns,
    wide_rows,
)
from desktop_rater.rubric import Rubric

META = "meta."
"""Prefix of the columns of a task's `meta`, which may have the name of another column."""

ALL_META, NO_META = "all", "none"
MAX_META_COLUMNS = 500
_WHOLE_META = ExportColumn("meta", "any")

_KEY = columns_of_kinds(bundle="enum", revision="whole", task="text")
_TASKS = columns_of_kinds(
    prompt="text",
    lang="enum",
    history="any",
    response_ids="list",
    responses="list",
    tool_calls="whole",
    context="any",
    reference="text",
)
_TARGETS = columns_of_kinds(target="text", response="text", start="whole", end="whole", text="text")
_RATINGS = columns_of_kinds(skipped="enum", warnings="whole", note="text", display_order="list")
_EVIDENCE = columns_of_kinds(
    rater="enum",
    evidence="text",
    response="text",
    target="text",
    claims="list",
    stance="enum",
    reason="enum",
    url="text",
    title="text",
    quote="text",
    note="text",
    opened="time",
    snapshot="text",
    library="text",
)
RATER_COLUMNS = columns_of_kinds(
    bundle="enum",
    revision="whole",
    rater="enum",
    rubric="enum",
    tasks="whole",
    complete="whole",
    skipped="whole",
    partial="flag",
    practice="flag",
    adjudicated="flag",
    model="text",
    signature="enum",
)
"""Columns of the table `raters`, a row for each results zip."""

_TEXTS = columns_of_kinds(prompt="text", response_text="text")


class TaskColumns(msgspec.Struct, frozen=True, kw_only=True):
    """Columns of the task that are added to each row. `texts`: the prompt, and the response of the row."""

    meta: tuple[ExportColumn, ...] = ()
    texts: bool = False

    @property
    def columns(self) -> tuple[ExportColumn, ...]:
        return (*self.meta, *(_TEXTS if self.texts else ()))

    def row(self, task: Task, response: str | None = None) -> Row:
        """Return the values for a row; of `meta` that maps responses to values, a response's row has its own.

        A row about the whole task has the response text if there is only one.
        """
        values: Row = {column.name: task.meta.get(column.name.removeprefix(META)) for column in self.meta}
        values = {
            name: value[response] if isinstance(value, dict) and response in value else value
            for name, value in values.items()
        }
        if _WHOLE_META in self.meta:
            values = {_WHOLE_META.name: task.meta or None}
        if self.texts:
            rated_response = task.responses[0] if len(task.responses) == 1 else task.response(response or "")
            values |= {
                "prompt": task.prompt.text,
                "response_text": rated_response.text if rated_response is not None else None,
            }
        return values


def meta_columns(metas: Iterable[Mapping[str, Any]], names: Sequence[str]) -> tuple[ExportColumn, ...]:
    """Return a column for each of the names in the tasks' `meta`: by default, or for `all`, for each that there is.

    `none`: no columns. If there are more than 500, one column has the whole `meta` as JSON. Raises `BundleFault`.
    """
    if tuple(names) == (NO_META,):
        return ()
    kinds: dict[str, ColumnKind | None] = {}
    for meta in metas:
        for name, value in meta.items():
            kind = _kind(value)
            before = kinds.setdefault(name, kind)
            if kind is not None and before != kind:
                kinds[name] = kind if before is None else "number" if {before, kind} == {"whole", "number"} else "any"
    chosen = sorted(kinds) if not names or ALL_META in names else list(dict.fromkeys(names))
    if len(chosen) > MAX_META_COLUMNS:
        return (_WHOLE_META,)
    missing = next((name for name in chosen if name not in kinds), None)
    if missing is not None:
        existing = ", ".join(sorted(kinds)[:MAX_META_COLUMNS]) or "none at all"
        raise BundleFault(f"No task has {missing!r} in its meta; there are: {existing}", "Correct --meta.")
    return tuple(ExportColumn(META + name, kinds[name] or "any") for name in chosen)


_KINDS: dict[type, ColumnKind | None] = {
    type(None): None,
    bool: "flag",
    int: "whole",
    float: "number",
    str: "text",
}


def _kind(value: Any) -> ColumnKind | None:
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return "list"
    return _KINDS.get(type(value), "any")


RATERS = "raters"
RELATIONAL = ("tasks", "targets", "ratings", "evidence", RATERS)


def relational_table(
    name: str, rubrics: Iterable[Rubric], meta: tuple[ExportColumn, ...]
) -> tuple[tuple[ExportColumn, ...], Callable[[Iterable[RatedTask]], Iterator[Row]]]:
    """Return one of `RELATIONAL`, except `raters`. `meta`: the columns of `meta` in the table of tasks."""
    match name:
        case "tasks":
            added = TaskColumns(meta=meta)
            return (*_KEY, *_TASKS, *meta), lambda rated: _tasks(rated, added)
        case "targets":
            return (*_KEY, *_TARGETS), _targets
        case "ratings":
            return (*wide_columns(rubrics), *_RATINGS), _ratings
    return (*_KEY, *_EVIDENCE), _evidence


def _key(rated: RatedTask) -> tuple[str, int, str]:
    return rated.bundle, rated.revision, rated.task.id


def _keys(rated: RatedTask) -> Row:
    return {"bundle": rated.bundle, "revision": rated.revision, "task": rated.task.id}


def _tasks(rated: Iterable[RatedTask], added: TaskColumns) -> Iterator[Row]:
    """Yield each task once. Raises `BundleFault` if results contain different texts under one key."""
    texts = TaskTexts()
    for rated_task in rated:
        task = rated_task.task
        if texts.add(rated_task):
            yield {
                **_keys(rated_task),
                "prompt": task.prompt.text,
                "lang": task.prompt.lang or None,
                "history": [to_plain(turn) for turn in task.history] or None,
                "response_ids": [response.id for response in task.responses],
                "responses": [response.text for response in task.responses],
                "tool_calls": sum(len(response.tools) for response in task.responses),
                "context": [to_plain(document) for document in task.context] or None,
                "reference": task.reference,
                **added.row(task),
            }


def _targets(rated: Iterable[RatedTask]) -> Iterator[Row]:
    """Yield each target once, with the borders of the task."""
    seen: set[tuple[str, int, str, str]] = set()
    for rated_task in rated:
        for target in rated_task.task.targets or ():
            key = (*_key(rated_task), target.id)
            if key not in seen:
                seen.add(key)
                yield {
                    **_keys(rated_task),
                    "target": target.id,
                    "response": target.response,
                    "start": target.start,
                    "end": target.end,
                    "text": target.quote,
                }


def _ratings(rated: Iterable[RatedTask]) -> Iterator[Row]:
    for rated_task in rated:
        rating = rated_task.rating
        about = {
            "skipped": rating.skipped.reason if rating.skipped is not None else None,
            "warnings": len(rating.problems),
            "note": rating.note or None,
            "display_order": rating.display_order and list(rating.display_order),
        }
        for row in wide_rows(rated_task):
            yield {**row, **about} if row["unit"] == "task" else row


def _evidence(rated: Iterable[RatedTask]) -> Iterator[Row]:
    for rated_task in rated:
        for piece in rated_task.rating.evidence:
            target = rated_task.task.target(piece.target or "")
            yield {
                **_keys(rated_task),
                "rater": rated_task.rating.rater,
                "evidence": piece.id,
                "response": piece.response or (target.response if target is not None else None),
                "target": piece.target,
                "claims": list(piece.claim_ids),
                "stance": piece.stance,
                "reason": piece.reason,
                "url": piece.url or None,
                "title": piece.title or None,
                "quote": piece.quote or None,
                "note": piece.note or None,
                "opened": piece.opened,
                "snapshot": piece.snapshot,
                "library": libraries_cell(piece.library),
            }
