"""What the two kinds of Azure test sets share: the names of their fields, their documents and their scores.

The names changed from one generation of the evaluators to the next, and both are in use.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.shape import kind_of, put, unpacked
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop_rater.bundle.convert.source import Records

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
_SCORES = {  # as the evaluators name them → the question
    "groundedness": "groundedness",
    "relevance": "relevance",
    "coherence": "coherence",
    "fluency": "fluency",
    "similarity": "similarity",
    "retrieval": "retrieval",
}
_RISKS = {
    "hate_unfairness": "hateful_unfair",
    "sexual": "sexual",
    "violence": "violent",
    "self_harm": "self_harm",
}
_MOST_OF_A_SCALE = 5
_HALF = 0.5
_MOST_OF_A_RISK = 7


def records_of(records: Records) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The records with their lines and where they stand: JSON lines, a list, or the `rows` of an evaluation."""
    for members in records.members():
        whole: dict[str, Any] = {}
        first = 1
        for line, key, value in members:
            if key is None:
                yield line, f"line {line}", _without_sides(value)
            else:
                first = line if not whole else first
                with records.trouble():
                    put(whole, key, value, line)
        rows = whole.get(_ROWS)
        if isinstance(rows, list):
            yield from _rows(rows, first, records)
        elif whole:
            yield first, f"line {first}", _without_sides(whole)


def _rows(rows: list[Any], line: int, records: Records) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for number, row in enumerate(rows, 1):
        where = f"line {line}, row {number}"
        if not isinstance(row, dict):
            with records.trouble():
                raise Fault(f"{where}: not an object, but {kind_of(row)}")
        yield line, where, _without_sides(row)


def _without_sides(row: dict[str, Any]) -> dict[str, Any]:
    """A row of results says what was put in and what came out; the short name goes to what was put in."""
    if not any(key.startswith(_SIDES[0]) for key in row):
        return row
    plain: dict[str, Any] = {}
    for key, value in row.items():
        side = next((side for side in _SIDES if key.startswith(side)), "")
        short = key.removeprefix(side)
        plain[key if short in plain else short] = value
    return plain


def take(plain: dict[str, Any], names: tuple[str, ...], where: str) -> Any:
    """The value that stands under one of the names, which are taken out; `None` where there is none.

    Raises `Fault` where two of them stand there with different values.
    """
    found = [(name, plain.pop(name)) for name in names if name in plain]
    given = [(name, value) for name, value in found if value is not None]
    for name, value in given[1:]:
        if value != given[0][1]:
            raise Fault(f"{where}: `{given[0][0]}` and `{name}` both stand there, with different values")
    return given[0][1] if given else None


def take_text(plain: dict[str, Any], names: tuple[str, ...], where: str) -> str | None:
    """As `take`, of a text. Raises `Fault` where it is something else."""
    called = next((name for name in names if plain.get(name) is not None), names[0])
    value = take(plain, names, where)
    if value is not None and not isinstance(value, str):
        raise Fault(f"{where}: `{called}` is {kind_of(value)}, not a text")
    return value


def response_of(text: str, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The one response of a task, with the calls of tools that led to it."""
    return {"id": RESPONSE, "text": text, **({"tools": tools} if tools else {})}


class Documents:
    """The documents of one task, each with an id of its own."""

    def __init__(self, where: str) -> None:
        self.plain: list[dict[str, Any]] = []
        self._kept: dict[str, list[dict[str, Any]]] = {}
        self._where = where
        self._ids: set[str] = set()

    @property
    def beside(self) -> dict[str, Any]:
        """What stood among them and is no document, by name."""
        return {name: kept[0] if len(kept) == 1 else kept for name, kept in self._kept.items()}

    def add(self, value: Any, name: str) -> None:
        """What stands under `context` or `documents`: texts, documents, a list of these, or documents by marker."""
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
                self._keep(rest, name)
            case dict() if _is_document(value):
                self._add_document(value, name)
            case dict() if value and all(isinstance(part, dict) and _is_document(part) for part in value.values()):
                for marker, document in value.items():
                    self._add_document({"id": _MARKER.sub(r"\1", marker), **document}, name)
            case dict():
                self._keep(value, name)
            case _:
                raise Fault(f"{self._where}: `{name}` is {kind_of(value)}, not a text or a document")

    def _add_one(self, value: Any, name: str) -> None:
        """One of several is a document even where its text is not given, so that what cites it finds it."""
        if isinstance(value, dict) and "citations" not in value and any(value.get(key) for key in _NAMED):
            self._add_document(value, name)
        else:
            self.add(value, name)

    def _keep(self, value: dict[str, Any], name: str) -> None:
        if value:
            self._kept.setdefault(name, []).append(value)

    def _add_text(self, text: str, name: str) -> None:
        """A text, in the documents whose names stand before each of its parts, as search results are often joined."""
        written = unpacked(text)
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
                words = f"{kind_of(parts[part])} where a text was expected"
                raise Fault(f"{self._where}: a document of `{name}` holds {words}")
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
    """Whether what a text writes down as JSON are documents, rather than an example in a document."""
    match written:
        case {"citations": _}:
            return True
        case list():
            return bool(written) and all(isinstance(one, dict) and _is_document(one) for one in written)
    return False


def scores_in(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that the scores of an evaluation are; what the rubric does not offer is no answer."""
    answers: dict[str, Any] = {}
    plain = _by_short_name(plain)
    for score, question in _SCORES.items():
        value = _number(plain, (f"gpt_{score}", score))
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


def _by_short_name(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The values without the name that somebody gave the evaluator, such as "quality" in `quality.gpt_fluency`.

    Where a conversation was evaluated turn by turn, the last turn counts: a mean over turns is no score of an answer.
    """
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
    return next((float(one) for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)), None)
