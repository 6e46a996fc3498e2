"""One line of a `.jsonl` file of the zips: a task, a rating, a revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from desktop_rater.bundle.directory import shown
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.kept import Kept
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import NotSound, numbered_lines, read_object, read_struct
from desktop_rater.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.bundle.limits import Limits

K = TypeVar("K", bound=Kept)


class TaskLine(msgspec.Struct, frozen=True, kw_only=True):
    r"""A line of tasks.jsonl.

    `raw` is the line to the byte, a "\r" included, without its "\n" and the file's BOM. `task` is `None` for an object
    that is not a good task; `trouble` then says why, naming line, id and field, and `id` is set where one can be read.
    """

    number: int
    raw: bytes
    task: Task | None = None
    id: str | None = None
    trouble: str = ""


class RatingLine(msgspec.Struct, frozen=True, kw_only=True):
    r"""A line of ratings.jsonl; `raw` is the line to the byte, without its "\n"."""

    number: int
    raw: bytes
    rating: Rating


def read_lines(chunks: Iterable[bytes], name: str, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of the file `name`. Raises `Fault`."""
    try:
        for number, raw in numbered_lines(chunks, limits.line_bytes):
            if number > limits.lines:
                raise Fault(f"{name} has more than {limits.lines:,} lines")
            check_parts(number, raw, name, limits)
            yield number, raw
    except NotSound as error:
        raise Fault(f"{name}, {error}") from error


def check_parts(number: int, raw: bytes, name: str, limits: Limits) -> None:
    """Raise `Fault` where the line would take many times its size in memory."""
    for signs, most, what in (
        ((b"[", b"{"), limits.line_parts, "lists and objects"),
        ((b'"',), limits.line_quotes, "quotation marks"),
        ((b",",), limits.line_commas, "commas"),
    ):
        if len(raw) > most and sum(map(raw.count, signs)) > most:
            raise Fault(f"{name}, line {number}: it has more than {most:,} {what}")


def read_task(number: int, raw: bytes, name: str, seen: dict[str, int]) -> TaskLine:
    """The task that a line of the file `name` holds.

    `seen` maps the ids of good tasks to their lines, and this one is added: of two tasks with one id the second is
    not good. Raises `Fault` where the line is not one sound JSON object.
    """
    plain = _read_object(number, raw, name)
    found = plain.get("id")
    id_ = found if isinstance(found, str) and found else None
    try:
        task = read_struct(plain, Task)
        if task.id in seen:
            raise NotSound(f"line {seen[task.id]} holds a task with this id already")
    except NotSound as error:
        return TaskLine(number=number, raw=raw, id=id_, trouble=f"{_where(name, number, 'task', id_)}: {error}")
    seen[task.id] = number
    return TaskLine(number=number, raw=raw, task=task, id=task.id)


def read_line(number: int, raw: bytes, name: str, shape: type[K]) -> K:
    """The struct that a line of the file `name` holds. Raises `Fault` naming line, task and field."""
    plain = _read_object(number, raw, name)
    task = plain.get("task")
    try:
        return read_struct(plain, shape)
    except NotSound as error:
        raise Fault(f"{_where(name, number, 'task', task)}: {error}") from error


def _read_object(number: int, raw: bytes, name: str) -> dict[str, Any]:
    try:
        return read_object(raw)
    except NotSound as error:
        raise Fault(f"{name}, line {number}: {error}") from error


def _where(name: str, number: int, kind: str, id_: object) -> str:
    return f'{name}, line {number}, {kind} "{shown(id_)}"' if isinstance(id_, str) else f"{name}, line {number}"
