"""What the tests of the converters share: files of a test's own, and the way of what comes out into a store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert import FORMATS
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.source import Records
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Task

if TYPE_CHECKING:
    from pathlib import Path


def lines(path: Path, *records: Any) -> Path:
    """The records as JSON lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def converted(name: str, *paths: Path) -> tuple[list[Converted], list[Omitted]]:
    """What a format makes of some files: tasks, each read back by the formats' own rules, and what is left out."""
    tasks: list[Converted] = []
    omitted: list[Omitted] = []
    for one in FORMATS[name](Records(paths, LIMITS)):
        if isinstance(one, Omitted):
            omitted.append(one)
            continue
        read_struct(read_object(canonical(one.task)), Task)
        if one.rating is not None:
            assert read_struct(read_object(canonical(to_plain(one.rating))), Rating) == one.rating
        tasks.append(one)
    return tasks, omitted


def task(path: Path, name: str, record: Any) -> dict[str, Any]:
    """The task that one record becomes."""
    (only,), omitted = converted(name, lines(path / "source.jsonl", record))
    assert not omitted
    return only.task
