"""Tables and JSON lines of any shape, by a map that says which column becomes what of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.columns import CONTEXT, FORMAT, META, PROMPT, RESPONSE, Columns
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.delimited import ANOTHER, quoted, rows_by_column
from desktop_rater.bundle.convert.documents import documents_of, turns_of
from desktop_rater.bundle.convert.nested import MISSING, leaf, without_leaves
from desktop_rater.bundle.convert.shape import kind_of
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

CSV, JSONL = "csv", "jsonl"
_FORMATS = ("plain", "markdown")


def convert_csv(records: Records, columns: Columns, delimiter: str | None) -> Iterator[Converted | Omitted]:
    """A task for each row. Raises `BundleError` naming the line, and for a column that is not there."""
    tasks = _Tasks(CSV, columns, records)
    for pieces in records.pieces():
        with records.trouble():
            for line, row in rows_by_column(pieces, delimiter, columns.needed, LIMITS):
                yield tasks.next(line, records.cleaned(row))


def convert_jsonl(records: Records, columns: Columns) -> Iterator[Converted | Omitted]:
    """A task for each object; a column is a key, or keys with full stops between. Raises `BundleError` as above."""
    tasks = _Tasks(JSONL, columns, records)
    for line, record in records:
        with records.trouble():
            one = tasks.next(line, record)
        yield one
    with records.trouble():
        tasks.refuse_never_seen()


class _Tasks:
    """Rows on their way to tasks, and what is known of all of them."""

    def __init__(self, kind: str, columns: Columns, records: Records) -> None:
        self._kind = kind
        self._columns = columns
        self._records = records
        self._count = 0
        self._ids: dict[str, str] = {}
        self._names: dict[str, None] = {}
        self._never_seen = set(columns.needed)

    def next(self, line: int, row: dict[str, Any]) -> Converted | Omitted:
        """The task of a row, or why there is none. Raises `Fault` where a value can't be what it is called."""
        self._count += 1
        if self._never_seen:
            self._never_seen = {name for name in self._never_seen if leaf(row, name) is MISSING}
            self._names.update(dict.fromkeys(row))
        one = _Row(row, f"line {line}", self._columns)
        id_ = one.id or f"{self._kind}-{self._count:04}"
        missing = one.missing()
        if missing:
            return Omitted(line=line, why=missing, name=one.id)
        plain = one.task(id_, {"source": self._kind, "line": line})
        place = f"line {line} of {self._records.path.name}"
        before = self._ids.setdefault(id_, place)
        if before is not place:
            raise Fault(f'line {line}: the id "{id_}" stands in {before} already')
        return Converted(line=line, task=plain)

    def refuse_never_seen(self) -> None:
        """Raise `Fault` for keys that no object has."""
        if self._never_seen and self._count:
            words = f"No key is called {quoted(sorted(self._never_seen))}; there are {quoted(self._names)}"
            raise Fault(words, ANOTHER)


class _Row:
    """One row by the fields of a task."""

    def __init__(self, row: dict[str, Any], where: str, columns: Columns) -> None:
        self._row = row
        self._where = where
        self._columns = columns
        self.id = self._id()

    def missing(self) -> str:
        """Why there is no task; "" where there is one."""
        fields = self._columns.fields
        if "id" in fields and not self.id:
            return f'its id is missing (column "{fields["id"]}")'
        if self._text(fields[PROMPT]) is None:
            return f'its prompt is missing (column "{fields[PROMPT]}")'
        if not self._responses():
            names = ", ".join(f'"{column}"' for column in self._columns.responses.values())
            return f"it has no response (column {names})"
        return ""

    def task(self, id_: str, meta: dict[str, Any]) -> dict[str, Any]:
        """The task as plain JSON. What the map does not name stands in `meta` under its own name."""
        fields = self._columns.fields
        prompt = {"text": self._text(fields[PROMPT]) or ""}
        if lang := self._optional("lang"):
            prompt["lang"] = lang
        plain: dict[str, Any] = {"id": id_, "prompt": prompt, "responses": self._responses()}
        if history := turns_of(self._value(fields.get("history")), self._place("history")):
            plain["history"] = history
        if context := self._context():
            plain["context"] = context
        if reference := self._optional("reference"):
            plain["reference"] = reference
        return {**plain, "meta": {**meta, **without_leaves(self._row, self._columns.needed), **self._meta()}}

    def _id(self) -> str:
        value = self._value(self._columns.fields.get("id"))
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            raise Fault(f"{self._place('id')} is {kind_of(value)}, not a text")
        return (value or "").strip()

    def _responses(self) -> list[dict[str, Any]]:
        formats = {id_.removesuffix(f".{FORMAT}"): column for id_, column in self._columns.of(RESPONSE)}
        found = []
        for id_, column in self._columns.responses.items():
            text = self._text(column)
            if text is None or not text.strip():
                continue
            response = {"id": id_, "text": text}
            if f"{RESPONSE}.{id_}.{FORMAT}" in self._columns.fields:
                response[FORMAT] = self._format(formats[id_])
            found.append(response)
        return found

    def _format(self, column: str) -> str:
        said = (self._text(column) or _FORMATS[0]).strip().lower()
        if said not in _FORMATS:
            raise Fault(f'{self._where}, column "{column}": {said!r} is neither plain nor markdown')
        return said

    def _context(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for id_, column in self._columns.of(CONTEXT):
            found += documents_of(self._value(column), id_, f'{self._where}, column "{column}"')
        seen: set[str] = set()
        for one in found:
            number = 2
            wanted = one["id"]
            while one["id"] in seen:
                one["id"] = f"{wanted}-{number}"
                number += 1
            seen.add(one["id"])
        return found

    def _meta(self) -> dict[str, Any]:
        return {name: value for name, column in self._columns.of(META) if (value := self._value(column)) is not None}

    def _optional(self, field: str) -> str:
        column = self._columns.fields.get(field)
        return (self._text(column) or "") if column else ""

    def _text(self, column: str) -> str | None:
        """The text of a column; `None` where the row has none. Raises `Fault` where it is something else."""
        value = self._value(column)
        if value is not None and not isinstance(value, str):
            raise Fault(f'{self._where}, column "{column}" is {kind_of(value)}, not a text')
        return value

    def _value(self, column: str | None) -> Any:
        value = MISSING if column is None else leaf(self._row, column)
        return None if value is MISSING else value

    def _place(self, field: str) -> str:
        return f'{self._where}, column "{self._columns.fields.get(field, "")}"'
