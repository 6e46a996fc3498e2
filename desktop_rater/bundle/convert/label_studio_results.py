"""The results of a Label Studio annotation or prediction: spans, and the answers that hang on them."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from desktop_rater.bundle.targets import Unplaced, at_place
from desktop_rater.model.task import Target
from desktop_rater.text.offsets import Utf16Map
from desktop_rater.text.quotes import Place, place, stands_at

_LABELS = ("labels", "hypertextlabels", "paragraphlabels")
_NUMBERED = re.compile(r"\D*?([1-9])")
_OUR_NAME = re.compile(r"(?:[1-9]|task)\.(.+)", re.DOTALL)
_OUR_CLAIM = ["claim"]
_LETTERS = "abcdefghi"


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """Answers by the names of their controls, shaped like those of a rating."""

    task: dict[str, Any] = {}
    responses: dict[str, dict[str, Any]] = {}
    targets: dict[str, dict[str, Any]] = {}


class Spans:
    """The spans of all annotations and predictions of one task; two at the same place are one target.

    `texts`: the responses, by id.
    """

    def __init__(self, texts: dict[str, str]) -> None:
        self.targets: list[Target] = []
        self.unplaced: list[Unplaced] = []
        self.labels: dict[str, list[str]] = {}
        self._texts = texts
        self._units = {id_: Utf16Map(text) for id_, text in texts.items()}
        self._at: dict[tuple[str, int, int], str] = {}

    def add(self, results: list[Any]) -> Answered:
        """Take one list of results; the answers of it, with the targets that they are given to."""
        regions: dict[str, str] = {}
        for result in filter(_is_span, results):
            name = self._span(result)
            if name is not None and isinstance(result.get("id"), str):
                regions[result["id"]] = name
        answered = Answered()
        for result in results:
            found = _answer(result)
            if found is None:
                continue
            question, value = found
            target = regions.get(str(result.get("id", "")))
            if target is not None:
                answered.targets.setdefault(target, {})[question] = value
            elif "start" not in result["value"]:  # else it hangs on a span that was not taken
                answered.task[question] = value
                answered.responses.setdefault(self._response(result) or "a", {})[question] = value
        return answered

    def _span(self, result: dict[str, Any]) -> str | None:
        value = result["value"]
        if result.get("parentID") and value.get("labels") == _OUR_CLAIM:  # a claim is no target
            return None
        lists = (value.get(kind) for kind in _LABELS)
        labels = [label for one in lists if isinstance(one, list) for label in one if isinstance(label, str)]
        found = self._place(result)
        quote = value.get("text") if isinstance(value.get("text"), str) else ""
        if found is None:
            name = f"u{len(self.unplaced) + 1}"
            why = "it stands in none of the responses where it says, nor anywhere else just once"
            self.unplaced.append(Unplaced(target=name, quote=quote or "", why=why))
            return None
        response, at = found
        name = self._at.setdefault((response, at.start, at.end), f"s{len(self.targets) + 1}")
        if len(self._at) > len(self.targets):
            self.targets.append(at_place(Target(id=name, response=response), self._texts[response], at))
        known = self.labels.setdefault(name, [])
        known += [label for label in labels if label not in known]
        return name

    def _place(self, result: dict[str, Any]) -> tuple[str, Place] | None:
        wanted = self._response(result)
        for response in [wanted] if wanted is not None else list(self._texts):
            at = _place_in(self._units[response], result["value"])
            if at is not None:
                return response, at
        return None

    def _response(self, result: dict[str, Any]) -> str | None:
        """The response that a result names by number, where there are several."""
        if len(self._texts) == 1:
            return next(iter(self._texts))
        number = _NUMBERED.fullmatch(str(result.get("to_name", "")))
        letter = _LETTERS[int(number[1]) - 1] if number else str(result.get("to_name", ""))[-1:].lower()
        return letter if letter in self._texts else None


def _is_span(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
        return False
    value = result["value"]
    return "start" in value and any(isinstance(value.get(kind), list) for kind in _LABELS)


def _place_in(units: Utf16Map, value: dict[str, Any]) -> Place | None:
    """Where a span stands: at its offsets, in code points or, of older versions, in UTF-16 units; else its quote."""
    text = units.text
    quote = value.get("text") if isinstance(value.get("text"), str) else None
    start, end = _offset(value.get("start")), _offset(value.get("end"))
    at = stands_at(text, start, end, quote)
    if at is None and start is not None and end is not None and 0 <= start < end <= units.units:
        at = stands_at(text, units.to_code_point(start), units.to_code_point(end), quote)
    return at or place(text, None, None, quote)


def _offset(value: Any) -> int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return int(value) if whole else None


def _answer(result: Any) -> tuple[str, Any] | None:
    """(question, value) of what is no span: choices, stars, a number, words."""
    if not isinstance(result, dict) or not isinstance(result.get("value"), dict) or _is_span(result):
        return None
    name, value = result.get("from_name"), _value(result["value"], str(result.get("type")))
    if not isinstance(name, str) or not name or value is None:
        return None
    ours = _OUR_NAME.fullmatch(name)
    return ours[1] if ours else name, value


def _value(value: dict[str, Any], kind: str) -> Any:
    match value:
        case {"choices": [*choices]}:
            return choices[0] if len(choices) == 1 else choices
        case {"rating": int() | float() as stars}:
            return stars
        case {"number": int() | float() as number}:
            return number
        case {"text": [*texts]} if kind == "textarea":
            return "\n".join(str(text) for text in texts)
    return None
