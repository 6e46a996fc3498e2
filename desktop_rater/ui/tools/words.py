"""A tool call in words: how it went, when, and what it was given and gave."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.text.offsets import ShownMap
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.task import ToolCall

MOST_CHARACTERS = 200_000
MOST_ON_A_LINE = 100  # of JSON that is shown whole
MOST_SEEN = 400  # of one line: more does not fit on any screen

translate = QCoreApplication.translate

# The state of each status, whose shape and ink stand in `shapes`.
STATES = {"ok": "done", "no_results": "warns", "empty": "warns", "error": "failed", "missing": "nothing"}
WORST_FIRST = ("failed", "warns", "nothing", "done")


@dataclass(frozen=True)
class CallWords:
    """What stands in the row of a call. `below` is a line of its own, for what went wrong."""

    name: str
    status: str
    when: str
    line: str
    below: str
    state: str

    @property
    def spoken(self) -> str:
        """The row in one breath."""
        return ", ".join(filter(None, (self.name, self.status, self.when, self.line, self.below)))


def words_of(call: ToolCall) -> CallWords:
    """A call as its row shows it."""
    given = seen(call.input) if call.input is not None else ""
    gave = seen(call.output) if call.output not in (None, "") else ""
    fails = call.status == "error"
    if call.status in ("empty", "no_results") and not gave:
        gave = translate("ToolWords", "(nothing)")
    line = " → ".join(isolated(part) for part in (given, "" if fails else gave) if part)
    name = " ".join(ShownMap(call.name[:MOST_SEEN]).shown.split())
    return CallWords(name, status_words(call.status), when_words(call.at), line, gave if fails else "", state_of(call))


def worst_first(calls: Sequence[ToolCall]) -> list[tuple[int, ToolCall]]:
    """Calls with their numbers, those that did not go well first, else in the order in which they were made."""
    return sorted(enumerate(calls, 1), key=lambda pair: WORST_FIRST.index(state_of(pair[1])))


def state_of(call: ToolCall) -> str:
    """The state that a call's status looks like."""
    return STATES.get(call.status, "nothing")


def status_words(status: str) -> str:
    """How a call went."""
    return {
        "ok": translate("ToolWords", "ok"),
        "no_results": translate("ToolWords", "no results"),
        "empty": translate("ToolWords", "empty answer"),
        "error": translate("ToolWords", "error"),
        "missing": translate("ToolWords", "no output kept"),
    }.get(status, status)


def when_words(at: str | None) -> str:
    """When a tool answered: prices and times are judged by that moment, so its zone stands with it."""
    if at is None:
        return ""
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return at
    if when.tzinfo is None:
        return at
    when = when.astimezone(UTC)
    time = spelling.clock(when, seconds=when.second > 0)
    return translate("ToolWords", "{day}, {time} UTC").format(day=spelling.day(when), time=time)


def shown_json(value: Any) -> str:
    """A tool's input or output: text as it stands, JSON with indents where one line is not enough; bounded."""
    line = _bounded(value, MOST_ON_A_LINE + 1)
    if not isinstance(value, str) and len(line) <= MOST_ON_A_LINE:
        return line
    return _bounded(value, MOST_CHARACTERS, indent=2)


def seen(value: Any) -> str:
    """The beginning of an input or output, on one line."""
    begun = _bounded(value, MOST_SEEN)
    line = " ".join(ShownMap(begun).shown.split())
    return f"{line} …" if len(begun) == MOST_SEEN else line


def _bounded(value: Any, most: int, indent: int | None = None) -> str:
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
