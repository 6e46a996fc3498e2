"""Responses of a bundle with the columns of their tasks' `meta`, their prompt and their final values. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from desktop_rater.model.errors import RaterError
from desktop_rater.plugins.statistics.systems import SYSTEM_COLUMNS, MetaColumn, PlaceValue, SystemsBase

LANGUAGE = "language"
"""Column of the prompt's language, where `meta` has none of that name."""

PROMPT_ID = "prompt_id"
_MOST_VALUES = 200

FinalValues = Mapping[tuple[str, str, str], Any]
"""(Task, place, `id` of a judged question) → final label, with its `value`."""


class TaskFacts(Struct, frozen=True, kw_only=True):
    """Facts of a task that figures need; `prompt` identifies its prompt and history.

    `targets`: target → response. `f1`: response → token F1 against the reference, if the task has one. `raters`: the
    people who rated it.
    """

    id: str
    meta: dict[str, Any]
    prompt: str
    language: str
    responses: tuple[str, ...]
    targets: dict[str, str] = {}
    f1: dict[str, float] = {}
    raters: frozenset[str] = frozenset()


class SystemResponse(Struct, frozen=True, kw_only=True):
    """One response and the final values of its places, in the order of the labels."""

    task: TaskFacts
    id: str
    values: tuple[PlaceValue, ...]

    def column(self, name: str) -> str:
        """Return the response's value of a column; empty without one."""
        value = self.task.meta.get(name)
        if isinstance(value, dict):
            value = value.get(self.id)
        if value is None and name == LANGUAGE:
            value = self.task.language
        if isinstance(value, bool):
            return "true" if value else "false"
        return f"{value:g}" if isinstance(value, float) else str(value) if isinstance(value, str | int) else ""

    def columns(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.column(name) for name in names)

    def matches(self, where: Iterable[tuple[str, str]]) -> bool:
        """Tell if it has, of each column named, one of the values given for it."""
        wanted: dict[str, set[str]] = {}
        for name, value in where:
            wanted.setdefault(name, set()).add(value)
        return all(self.column(name) in values for name, values in wanted.items())


def system_responses(tasks: Sequence[TaskFacts], labels: FinalValues) -> list[SystemResponse]:
    """Return the responses of all rated tasks, with their values. Values of the whole task count for its only one."""
    by_task: dict[str, dict[str, list[PlaceValue]]] = {}
    facts = {task.id: task for task in tasks}
    for (task, where, question), label in labels.items():
        if task in facts:
            values = by_task.setdefault(task, {})
            response = _response_of(facts[task], where)
            if response is not None:
                values.setdefault(response, []).append((where, question, label.value))
    return [
        SystemResponse(task=task, id=response, values=tuple(by_task[task.id].get(response, ())))
        for task in tasks
        if task.id in by_task
        for response in task.responses
    ]


def _response_of(task: TaskFacts, where: str) -> str | None:
    kind, _, name = where.partition("/")
    if kind == "responses":
        return name
    if kind == "targets":
        return task.targets.get(name)
    return task.responses[0] if len(task.responses) == 1 else None


def meta_columns_of(responses: Sequence[SystemResponse]) -> tuple[MetaColumn, ...]:
    """Return the columns that can group or filter: those with several values, not one of its own for each response."""
    names = dict.fromkeys(name for response in responses for name in response.task.meta)
    columns = []
    for name in dict.fromkeys([*SYSTEM_COLUMNS, *names, LANGUAGE]):
        counts = Counter(response.column(name) for response in responses)
        del counts[""]
        several = 1 < len(counts) <= _MOST_VALUES and (len(counts) < len(responses) or len(responses) < 3)
        if counts and (several or name in SYSTEM_COLUMNS):
            pairs = {
                (prompt_of(response, ""), response.column(name)) for response in responses if response.column(name)
            }
            repeats = len(pairs) > len({prompt for prompt, _ in pairs})
            columns.append(MetaColumn(name=name, values=tuple(sorted(counts.items())), repeats=repeats))
    return tuple(columns)


def check_columns(responses: Sequence[SystemResponse], names: Iterable[str]) -> None:
    """Raise `RaterError` for a column that no response has: an empty report would look like a result."""
    for name in names:
        if not any(response.column(name) for response in responses):
            there = ", ".join(sorted({column for response in responses for column in response.task.meta})) or "none"
            raise RaterError(f"No task has {name!r} in its meta.", f"Columns: {there[:400]}.", "Correct the column.")


def system_column(responses: Sequence[SystemResponse]) -> str:
    """Return the column that names the system; empty if none does."""
    return next((name for name in SYSTEM_COLUMNS if any(response.column(name) for response in responses)), "")


def prompt_of(response: SystemResponse, pair: str) -> str:
    """Return the identity of a response's prompt: the chosen column, `prompt_id`, or the prompt itself."""
    named = response.column(pair) if pair else response.column(PROMPT_ID)
    return named or (response.task.id if pair else response.task.prompt)


def base_of(responses: Iterable[SystemResponse], pair: str) -> SystemsBase:
    """Count what figures of these responses rest on."""
    every = list(responses)
    return SystemsBase(
        prompts=len({prompt_of(response, pair) for response in every}),
        tasks=len({response.task.id for response in every}),
        responses=len(every),
        targets=sum(len(set(_targets(response))) for response in every),
        raters=len(frozenset[str]().union(*(response.task.raters for response in every))),
    )


def _targets(response: SystemResponse) -> Iterator[str]:
    return (where for where, *_ in response.values if where.startswith("targets/"))
