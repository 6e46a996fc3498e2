"""Column maps: the short form of a map, as text or TOML with fields only."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop_rater.bundle.convert.maps.record_map import FIELDS_TEXT, RecordMap, checked_map, read_map
from desktop_rater.bundle.errors import BundleFault, bundle_errors
from desktop_rater.bundle.jsonl import read_small_text

_FIELDS = "id|prompt|lang|history|messages|reference|targets|claims|response|context|tools|meta"
_BORDER = re.compile(rf",(?=\s*(?:{_FIELDS})(?:\.[^=,]*)?\s*=)")
_STRANGE = re.compile(r",\s*([\w.]+)\s*=")
_GUESSED = re.compile(
    r"id|prompt|lang|history|reference|(?:response|context)(?:\.[^.=]+)?|response\.[^.=]+\.format|meta\..+"
)
_HINT_GUESSED = (
    "Nothing was written. Name the columns, like --columns prompt=question,response=answer, or of two responses "
    "response.a=… and response.b=…. `bundle map` proposes which."
)
_HINT = "Nothing was written. Write it like prompt=question,response.a=answer,meta.topic=subject."


def read_column_map(given: str) -> RecordMap:
    """Read a map given by a user: as text, or as the path of a TOML file. Raises `BundleError`."""
    with bundle_errors("The column map", "used", _HINT):
        if given.endswith(".toml"):
            return read_map(read_small_text(Path(given)), Path(given).name)
        return checked_map(_parsed_text(given))


def guessed_column_map(names: Iterable[str]) -> RecordMap:
    """Return the map of columns named like the fields. Raises `BundleError` without prompt or response."""
    with bundle_errors("The column map", "guessed", _HINT_GUESSED):
        return checked_map((name, name) for name in names if _GUESSED.fullmatch(name))


def _parsed_text(given: str) -> Iterator[tuple[str, str]]:
    for part in _BORDER.split(given):
        strange = _STRANGE.search(part)
        if strange:
            raise BundleFault(f"A task has no field {strange[1]!r}; there are {FIELDS_TEXT}")
        field, equals, column = part.partition("=")
        if not equals or not column.strip():
            raise BundleFault(f"{part.strip()!r} is not a pair of field and column")
        yield field.strip(), column.strip()
