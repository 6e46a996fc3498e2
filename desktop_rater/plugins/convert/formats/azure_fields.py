"""Field names, documents and scores common to both kinds of Azure test sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.errors import BundleFault
from desktop_rater.plugins.convert.conversion import json_type, parsed_json_text, put_member

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.source import SourceRecords


RUBRIC = "response-quality@1"
RESPONSE = "a"

_ROWS = "rows"
_SIDES = ("inputs.", "outputs.")
_TITLED = re.compile(r"(?:\A|\n\n)(?P<title>[^\s:]+\.[A-Za-z]{2,5}(?:#[^\s:]+)?): ?")
_MARKER = re.compile(r"\[([^\[\]]+)\]")
_TITLES = ("title", "name", "filepath", "filename")
_TEXTS = ("content", "text", "chunk", "page_content")
_URLS = ("url", "source_url")
_NAMED = ("id", *_TITLES, *_URLS)
_PER_TURN = "evaluation_per_turn"
# The questions have the names of their evaluators,
_SCORES = ("groundedness", "relevance", "coherence", "fluency", "similarity", "retrieval")
# or others: evaluator's name → question.
_RISKS = {"hate_unfairness": "hateful_unfair", "sexual": "sexual", "violence": "violent", "self_harm": "self_harm"}
_MOST_OF_A_SCALE = 5
_HALF = 0.5
_MOST_OF_A_RISK = 7


def azure_records(records: SourceRecords) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the records with line number and location: JSON lines, a list, or the `rows` of an evaluation."""
    for members in records.members():
        whole: dict[str, Any] = {}
        first = 1
        for line, key, value in members:
            if key is None:
                yield line, f"line {line}", _without_sides(value)
            else:
                first = line if not whole else first
                with records.translate_errors():
                    put_member(whole, key, value, line)
        rows = whole.get(_ROWS)
        if isinstance(rows, list):
            yield from _rows(rows, first, records)
        elif whole:
            yield first, f"line {first}", _without_sides(whole)


def _rows(rows: list[Any], line: int, records: SourceRecords) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for number, row in enumerate(rows, 1):
        where = f"line {line}, row {number}"
        if not isinstance(row, dict):
            with records.translate_errors():
                raise BundleFault(f"{where}: not an object, but {json_type(row)}")
        yield line, where, _without_sides(row)


def _without_sides(row: dict[str, Any]) -> dict[str, Any]:
    """Strip the prefixes of inputs and outputs from a row of results; the short name goes to the input."""
    if not any(key.startswith(_SIDES[0]) for key in row):
        return row
    plain: dict[str, Any] = {}
    for key, value in row.items():
        side = next((side for side in _SIDES if key.startswith(side)), "")
        short = key.removeprefix(side)
        plain[key if short in plain else short] = value
    return plain


def take_value(plain: dict[str, Any], names: tuple[str, ...], where: str) -> Any:
    """Remove the names and return their value. Raises `BundleFault` if two have different values."""
    present = [(name, plain.pop(name)) for name in names if name in plain]
    given = [(name, value) for name, value in present if value is not None]
    for name, value in given[1:]:
        if value != given[0][1]:
            raise BundleFault(f"{where}: `{given[0][0]}` and `{name}` are both set, with different values")
    return given[0][1] if given else None


def take_text(plain: dict[str, Any], names: tuple[str, ...], where: str) -> str | None:
    """Return a text as `take_value` does. Raises `BundleFault` if it is not a text."""
    called = next((name for name in names if plain.get(name) is not None), names[0])
    value = take_value(plain, names, where)
    if value is not None and not isinstance(value, str):
        raise BundleFault(f"{where}: `{called}` is {json_type(value)}, not a text")
    return value


def response_of(text: str, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the only response of a task, with the tool calls that led to it."""
    return {"id": RESPONSE, "text": text, **({"tools": tools} if tools else {})}


class Documents:
    """Documents of one task, each with a unique id."""

    def __init__(self, where: str) -> None:
        self.plain: list[dict[str, Any]] = []
        self._other_values: dict[str, list[dict[str, Any]]] = {}
        self._where = where
        self._ids: set[str] = set()

    @property
    def extra(self) -> dict[str, Any]:
        return {name: values[0] if len(values) == 1 else values for name, values in self._other_values.items()}

    def add(self, value: Any, name: str) -> None:
        """Add the value of `context` or `documents`: texts, documents, a list of these, or documents by marker."""
        match value:
            case None | "" | []:
                return
            case str():
                self._add_text(value, name)
            case list():
                for part in value:
                    self._add_one(part, name)
            case {"citations": citations, **rest}:
                for part in citations if isinstance(citations, list) else [citations]:
                    self._add_one(part, f"{name}.citations")
                self._add_other(rest, name)
            case dict() if _is_document(value):
                self._add_document(value, name)
            case dict() if value and all(isinstance(part, dict) and _is_document(part) for part in value.values()):
                for marker, document in value.items():
                    self._add_document({"id": _MARKER.sub(r"\1", marker), **document}, name)
            case dict():
                self._add_other(value, name)
            case _:
                raise BundleFault(f"{self._where}: `{name}` is {json_type(value)}, not a text or a document")

    def _add_one(self, value: Any, name: str) -> None:
        """Add one of several values, which is a document even without text, so that citations find it."""
        if isinstance(value, dict) and "citations" not in value and any(value.get(key) for key in _NAMED):
            self._add_document(value, name)
        else:
            self.add(value, name)

    def _add_other(self, value: dict[str, Any], name: str) -> None:
        if value:
            self._other_values.setdefault(name, []).append(value)

    def _add_text(self, text: str, name: str) -> None:
        """Add a text, split as search results are often joined: each part begins with a document name."""
        written = parsed_json_text(text)
        if _holds_documents(written):
            self.add(written, name)
            return
        starts = list(_TITLED.finditer(text))
        if not starts or starts[0].start() > 0:
            self._append(None, {"text": text})
            return
        ends = [*(match.start() for match in starts[1:]), len(text)]
        for match, end in zip(starts, ends, strict=True):
            self._append(None, {"title": match["title"], "text": text[match.end() : end].strip("\n")})

    def _add_document(self, document: Mapping[str, Any], name: str) -> None:
        rest = {key: value for key, value in document.items() if key != "id" and value is not None}
        parts: dict[str, Any] = {}
        for part, keys in (("title", _TITLES), ("text", _TEXTS), ("url", _URLS)):
            key = next((key for key in keys if document.get(key)), None)
            parts[part] = rest.pop(key) if key else ""
            if not isinstance(parts[part], str):
                words = f"{json_type(parts[part])} where a text was expected"
                raise BundleFault(f"{self._where}: a document of `{name}` holds {words}")
        id_ = document.get("id")
        more = {key: value for key, value in rest.items() if value != "" and key not in parts}
        self._append(str(id_) if isinstance(id_, (str, int)) and id_ != "" else None, {**more, **parts})

    def _append(self, id_: str | None, document: dict[str, Any]) -> None:
        number = len(self.plain) + 1
        wanted = id_ or f"c{number}"
        while wanted in self._ids:
            wanted = f"{id_ or 'c'}-{number}"
            number += 1
        self._ids.add(wanted)
        self.plain.append({"id": wanted, **{key: part for key, part in document.items() if part != ""}})


def _is_document(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in _TEXTS)


def _holds_documents(written: Any) -> bool:
    """Return whether JSON in a text is a list of documents, rather than an example within a document."""
    match written:
        case {"citations": _}:
            return True
        case list():
            return bool(written) and all(isinstance(item, dict) and _is_document(item) for item in written)
    return False


def scores_in(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of an evaluation as answers; values that the rubric does not offer are dropped."""
    answers: dict[str, Any] = {}
    plain = _by_short_name(plain)
    for question in _SCORES:
        value = _number(plain, (f"gpt_{question}", question))
        step = _HALF if question == "retrieval" else 1
        if value is not None and 1 <= value <= _MOST_OF_A_SCALE and value % step == 0:
            answers[question] = value if value % 1 else int(value)
    for risk, question in _RISKS.items():
        value = _number(plain, (f"{risk}_score",))
        if value is None or value % 1 or not 0 <= value <= _MOST_OF_A_RISK:
            continue
        answers[question] = int(value)
        reason = plain.get(f"{risk}_reason")
        if isinstance(reason, str) and reason.strip():
            answers[f"{question}_reason"] = reason.strip()
    return answers


def turn_scores(plain: Mapping[str, Any], turns: int) -> list[dict[str, Any]]:
    """Return the scores of each turn; none if they are not given turn by turn, one for each."""
    lists = [
        (name, values)
        for key, value in plain.items()
        if key.rpartition(".")[2] == _PER_TURN and isinstance(value, dict)
        for name, values in value.items()
        if isinstance(values, list) and len(values) == turns
    ]
    return [scores_in({name: values[turn] for name, values in lists}) for turn in range(turns)]


def _by_short_name(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Strip the evaluator's own name from keys, as in `quality.gpt_fluency`; of scores turn by turn the last counts."""
    short: dict[str, Any] = {}
    for key, value in plain.items():
        short.setdefault(key.rpartition(".")[2], value)
    short |= {key: value for key, value in plain.items() if "." not in key}
    for key, value in plain.items():
        if key.rpartition(".")[2] == _PER_TURN and isinstance(value, dict):
            short |= {name: values[-1] for name, values in value.items() if isinstance(values, list) and values}
    return short


def _number(plain: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    values = (plain.get(name) for name in names)
    numbers = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool))
    return next((float(number) for number in numbers), None)
