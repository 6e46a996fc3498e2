"""Texts of a tool call."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.task import ToolCall
from desktop_rater.text.offsets import WidgetTextMap
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow

MAX_JSON_LENGTH = 200_000
MAX_JSON_LINE_LENGTH = 100  # length of JSON shown on one line
MAX_ARGUMENTS = 40  # of a call, on its line
MAX_CALL_LINE_LENGTH = 400  # characters of one line; more does not fit on a screen

translate = QCoreApplication.translate

# The state of each status, with shape and ink from `shapes`.
CALL_STATES = {"ok": "done", "no_results": "warns", "empty": "warns", "error": "failed", "missing": "nothing"}
WORST_FIRST = ("failed", "warns", "nothing", "done")


class ToolCallRow(ListRow):
    """Row of a call: its status is `state`, its time `end`; input and output are `detail`, an error `detail_end`."""

    @property
    def tooltip(self) -> str:
        return self.spoken


def tool_call_row(call: ToolCall, calls: Sequence[ToolCall] = ()) -> ToolCallRow:
    """Return the row of one of several calls."""
    given = arguments_line(call, calls)
    gave = single_line(call.output) if call.output not in (None, "") else ""
    fails = call.status == "error"
    if call.status in ("empty", "no_results") and not gave:
        gave = translate("ToolWords", "(nothing)")
    line = " → ".join(isolated(part) for part in (given, "" if fails else gave) if part)
    name = " ".join(WidgetTextMap(call.name[:MAX_CALL_LINE_LENGTH]).shown.split())
    return ToolCallRow(
        None,
        name,
        end=call_time_text(call.at),
        detail=line,
        detail_end=gave if fails else "",
        mark=tool_call_state(call),
        state=call_status_text(call.status),
    )


def arguments_line(call: ToolCall, calls: Sequence[ToolCall] = ()) -> str:
    """Return the beginning of the input on one line: first the arguments in which calls of the same tool differ."""
    if not isinstance(call.input, dict) or not call.input:
        return "" if call.input is None else single_line(call.input)
    others = [other.input.items() for other in calls if other.name == call.name and isinstance(other.input, dict)]
    arguments = list(call.input.items())[:MAX_ARGUMENTS]
    arguments.sort(key=lambda argument: all(argument in other for other in others))
    return single_line(", ".join(f"{name}: {single_line(value)}" for name, value in arguments))


def failed_first(calls: Sequence[ToolCall]) -> list[tuple[int, ToolCall]]:
    """Return calls with their numbers, failed ones first, else in call order."""
    return sorted(enumerate(calls, 1), key=lambda pair: WORST_FIRST.index(tool_call_state(pair[1])))


def tool_call_state(call: ToolCall) -> str:
    """Return the state that represents a call's status."""
    return CALL_STATES.get(call.status, "nothing")


def call_status_text(status: str) -> str:
    """Return the text of a status."""
    return {
        "ok": translate("ToolWords", "ok"),
        "no_results": translate("ToolWords", "no results"),
        "empty": translate("ToolWords", "empty result"),
        "error": translate("ToolWords", "error"),
        "missing": translate("ToolWords", "output not stored"),
    }.get(status, status)


def call_time_text(timestamp: str | None) -> str:
    """Return the time of a tool response with its time zone, since prices and times are judged by that moment."""
    if timestamp is None:
        return ""
    try:
        when = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    if when.tzinfo is None:
        return timestamp
    when = when.astimezone(UTC)
    time = formatting.clock(when, seconds=when.second > 0)
    return translate("ToolWords", "{day}, {time} UTC").format(day=formatting.day(when), time=time)


def formatted_json(value: Any, *, whole: bool = False) -> str:
    """Return a tool's input or output: text unchanged, JSON indented if one line is too short.

    JSON is limited in length unless it is wanted `whole`; an ellipsis shows that it is cut.
    """
    if isinstance(value, str):
        return value
    line = _limited(value, MAX_JSON_LINE_LENGTH + 1)
    if len(line) <= MAX_JSON_LINE_LENGTH:
        return line
    if whole:
        return json.dumps(value, ensure_ascii=False, indent=2)
    text = _limited(value, MAX_JSON_LENGTH, indent=2)
    return f"{text}\n…" if len(text) == MAX_JSON_LENGTH else text


def single_line(value: Any) -> str:
    """Return the beginning of an input or output, on one line."""
    begun = _limited(value, MAX_CALL_LINE_LENGTH)
    line = " ".join(WidgetTextMap(begun).shown.split())
    return f"{line} …" if len(begun) == MAX_CALL_LINE_LENGTH else line


def _limited(value: Any, most: int, indent: int | None = None) -> str:
    if isinstance(value, str):
        return value[:most]
    parts: list[str] = []
    size = 0
    for part in json.JSONEncoder(ensure_ascii=False, indent=indent).iterencode(value):
        parts.append(part[: most - size])
        size += len(parts[-1])
        if size >= most:
            break
    return "".join(parts)
