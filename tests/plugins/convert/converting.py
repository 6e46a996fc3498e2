"""What the tests of the converters share: files of a test's own, and the way of what comes out into a store."""

import json
from pathlib import Path
from typing import Any

from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.run import FORMATS
from desktop_rater.plugins.convert.source import SourceRecords


def lines(path: Path, *records: Any) -> Path:
    """The records as JSON lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def converted(name: str, *paths: Path) -> tuple[list[ConvertedRecord], list[OmittedRecord]]:
    """What a format makes of some files: tasks, each read back by the formats' own rules, and what is left out."""
    tasks: list[ConvertedRecord] = []
    omitted: list[OmittedRecord] = []
    for one in FORMATS[name](SourceRecords(paths, LIMITS)):
        if isinstance(one, OmittedRecord):
            omitted.append(one)
            continue
        read_struct(read_json_object(canonical_json(one.task)), Task)
        if one.rating is not None:
            assert read_struct(read_json_object(canonical_json(to_plain(one.rating))), Rating) == one.rating
        tasks.append(one)
    return tasks, omitted


def task(path: Path, name: str, record: Any) -> dict[str, Any]:
    """The task that one record becomes."""
    (only,), omitted = converted(name, lines(path / "source.jsonl", record))
    assert not omitted
    return only.task
