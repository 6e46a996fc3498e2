"""What the output of a tool says of how its call went, and the output as JSON where it is some."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import msgspec

from desktop_rater.bundle.convert.shape import depth_of
from desktop_rater.model.canonical import canonical
from desktop_rater.model.strict_json import NotSound, read_value
from desktop_rater.model.task import ToolStatus

_MOST_READ = 1_000_000  # characters: beyond it a text stays a text
_DEEPEST = 40  # a task may be 64 levels deep, and the output stands some levels below its top
_FAILED_FROM, _FAILED_TO = 400, 600
_CODES = ("statusCode", "status_code", "status", "code")
_FAILING = ("error", "errors")
_REFUSALS = re.compile(
    r"not subscribed|(?:doesn't|does not|doesn’t) exist|too many requests|rate limit|quota|unauthori[sz]ed|forbidden|"
    r"invalid api key|unreachable|timed out|access denied|blocked|internal server error|not found|bad gateway",
    re.IGNORECASE,
)
_CUT = re.compile(
    r'\{"error": "(?P<error>(?:[^"\\]|\\.)*)(?:"(?:, "response": "?(?P<response>.*))?|"?, "?[a-z]*)?$', re.DOTALL
)
_ENVELOPE = '{"error": ""'
_ERROR_TEXT = re.compile(r"(?:error|exception|traceback)\b|timed? ?out\b", re.IGNORECASE)
_ERROR_PAGE = re.compile(
    r"<title>[^<]*(?:\b[45]\d\d\b|error|forbidden|not found|denied|unavailable)[^<]*</title>", re.IGNORECASE
)


class Output(msgspec.Struct, frozen=True):
    """What a tool gave back. `cut`: the source holds it only in part."""

    status: ToolStatus
    value: Any
    cut: bool = False


def read_output(text: str) -> Output:
    """The status that an output shows, and the output, unpacked from the envelope of `error` and `response`.

    An envelope that was cut off is unpacked as far as it goes; where nothing is left of its response that is missing.
    """
    value = value_of(text)
    if isinstance(value, dict) and set(value) == {"error", "response"}:
        inner = value["response"]
        inner = value_of(inner) if isinstance(inner, str) else inner
        if value["error"]:
            return Output("error", {"error": value["error"], "response": inner})
        return Output(status_of(inner), inner)
    cut = _CUT.match(value) if isinstance(value, str) else None
    if cut and cut["error"]:
        return Output("error", value, cut=True)
    if cut or (value and isinstance(value, str) and _ENVELOPE.startswith(value)):
        inner = _unescaped(cut["response"] or "") if cut else ""
        return Output(status_of(inner), inner, cut=True) if inner else Output("missing", None, cut=True)
    return Output(status_of(value), value)


def status_of(value: Any) -> ToolStatus:
    """`empty` for nothing at all, `no_results` for lists and objects that hold nothing, `error` for a refusal."""
    if value in (None, {}) or (isinstance(value, str) and not value.strip().strip("\"'")):
        return "empty"
    if _is_error(value):
        return "error"
    return "ok" if _holds_something(value) else "no_results"


def value_of(text: str) -> Any:
    """The value that a text writes down, if the formats can hold it; else the text itself."""
    value = written_value(text)
    if value is text:
        return text
    try:
        return text if depth_of(value) > _DEEPEST else read_value(canonical(value))
    except (NotSound, TypeError, ValueError, RecursionError):
        return text


def written_value(text: str) -> Any:
    """The value that a text writes down, as JSON or as Python does; the text itself where it is neither."""
    if len(text) > _MOST_READ or not text.strip():
        return text
    for read in (_of_json, ast.literal_eval):
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return text


def _of_json(text: str) -> Any:
    return json.loads(text, strict=False)


def _unescaped(text: str) -> str:
    """What a JSON string says that lacks its quotation marks, and may end in the middle of an escape."""
    for end in range(min(6, len(text)) + 1):
        try:
            value = json.loads(f'"{text[: len(text) - end]}"', strict=False)
        except ValueError:
            continue
        return value
    return text


def _is_error(value: Any) -> bool:
    if isinstance(value, str):
        start = value.lstrip(" \t\r\n\"'")
        return bool(_ERROR_TEXT.match(start) or (start.startswith("<") and _ERROR_PAGE.search(value)))
    if not isinstance(value, dict):
        return False
    codes = [value.get(name) for name in _CODES]
    if any(
        isinstance(code, int) and not isinstance(code, bool) and _FAILED_FROM <= code < _FAILED_TO for code in codes
    ):
        return True
    if any(value.get(name) for name in _FAILING) or value.get("success") is False or value.get("status") == "error":
        return True
    message = value.get("message")
    return set(value) <= {"message", "info"} and isinstance(message, str) and bool(_REFUSALS.search(message))


def _holds_something(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_something, value.values()))
    if isinstance(value, list):
        return any(map(_holds_something, value))
    return value is not None and value != ""
