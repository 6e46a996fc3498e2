"""Which column of a table, or key of a JSON object, becomes what of a task.

A map is written as `prompt=question,response.a=answer`, or as a TOML file with the same names.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.plain_files import text_of
from desktop_rater.bundle.trouble import Fault, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PROMPT, RESPONSE, CONTEXT, META = "prompt", "response", "context", "meta"
FORMAT = "format"
FIRST = "a"
"""The id of a response that is called nothing else."""

_SINGLE = ("id", PROMPT, "lang", "history", "reference")
_SEVERAL = (RESPONSE, CONTEXT, META)
_FIELD = re.compile(
    rf"(?:{'|'.join(_SINGLE)})|(?:{RESPONSE}|{CONTEXT})(?:\.[^.=]+)?|{RESPONSE}\.[^.=]+\.format|meta\.[^=]+"
)
_BORDER = re.compile(rf",(?=\s*(?:{'|'.join((*_SINGLE, *_SEVERAL))})(?:\.[^=,]*)?\s*=)")
_STRANGE = re.compile(r",\s*([\w.]+)\s*=")
_FIELDS = "id, prompt, lang, history, response.ID, response.ID.format, reference, context.ID and meta.NAME"
_HINT = "Nothing was written. Write it like prompt=question,response.a=answer,meta.topic=subject."
_PAIR = 2


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Field of a task → column, in the order in which they were given."""

    fields: dict[str, str]

    def of(self, kind: str) -> Iterator[tuple[str, str]]:
        """(what stands behind the full stop, column) of each field of that kind."""
        for field, column in self.fields.items():
            name, _, rest = field.partition(".")
            if name == kind:
                yield rest, column

    @property
    def responses(self) -> dict[str, str]:
        """The id of each response → its column."""
        return {id_ or FIRST: column for id_, column in self.of(RESPONSE) if not id_.endswith(f".{FORMAT}")}

    @property
    def needed(self) -> set[str]:
        """The columns that have to be there."""
        return set(self.fields.values())

    @property
    def pair(self) -> bool:
        """Whether two responses are compared."""
        return len(self.responses) == _PAIR


def columns_of(given: str) -> Columns:
    """The map that a user gives: in words, or the path of a TOML file. Raises `BundleError`."""
    with named("The column map", "used", _HINT):
        if given.endswith(".toml"):
            return _checked(_of_toml(Path(given)))
        return _checked(_of_words(given))


def columns_named_so(names: Iterable[str]) -> Columns:
    """The map of columns that are called as the fields are. Raises `BundleError` without prompt or response."""
    with named("The column map", "guessed", _HINT):
        return _checked((name, name) for name in names if _FIELD.fullmatch(name))


def _of_words(given: str) -> Iterator[tuple[str, str]]:
    for part in _BORDER.split(given):
        strange = _STRANGE.search(part)
        if strange:
            raise Fault(f"A task has no field {strange[1]!r}; there are {_FIELDS}")
        field, equals, column = part.partition("=")
        if not equals or not column.strip():
            raise Fault(f"{part.strip()!r} does not say which column becomes what")
        yield field.strip(), column.strip()


def _of_toml(path: Path) -> Iterator[tuple[str, str]]:
    try:
        plain = tomllib.loads(text_of(path))
    except tomllib.TOMLDecodeError as error:
        raise Fault(f"{path.name} is not TOML: {error}") from error
    except RecursionError as error:
        raise Fault(f"{path.name} is nested too deeply") from error
    yield from _flat(plain, "", path)


def _flat(plain: Mapping[str, Any], before: str, path: Path) -> Iterator[tuple[str, str]]:
    for key, value in plain.items():
        field = f"{before}.{key}" if before else key
        if isinstance(value, dict):
            yield from _flat(value, field, path)
        elif isinstance(value, str):
            yield field, value
        else:
            raise Fault(f"{path.name}: {field} is no text, and should be the name of a column")


def _checked(pairs: Iterable[tuple[str, str]]) -> Columns:
    fields: dict[str, str] = {}
    for field, column in pairs:
        if not _FIELD.fullmatch(field):
            raise Fault(f"A task has no field {field!r}; there are {_FIELDS}")
        if field in fields or (field == f"{RESPONSE}.{FIRST}" and RESPONSE in fields):
            raise Fault(f"{field} is named twice")
        fields[field] = column
    columns = Columns(fields=fields)
    if PROMPT not in fields or not columns.responses:
        raise Fault(f"It does not say which column is the {PROMPT if PROMPT not in fields else RESPONSE}")
    if RESPONSE in fields and f"{RESPONSE}.{FIRST}" in fields:
        raise Fault(f"{RESPONSE} and {RESPONSE}.{FIRST} are the same response")
    return columns
