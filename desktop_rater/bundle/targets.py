"""Where the targets of a task stand, before anybody rates it."""

from __future__ import annotations

from itertools import islice
from typing import Literal

import msgspec

from desktop_rater.model.task import Response, Target, Task
from desktop_rater.text.quotes import Place, close_place, place, stands_at
from desktop_rater.text.sentences import sentences

CONTEXT = 32  # code points of prefix and suffix, as much as other annotation tools keep

# What placing the targets of one task may cost: no honest task comes near it, and a hostile one takes a second or two.
MOST_TARGETS = 10_000
MOST_RESPONSES = 1_000_000  # characters of its responses: a window has to lay them out
MOST_SPLIT = 500_000  # characters of them that are split into sentences
MOST_QUOTED = 4_000_000  # characters of all its targets together: each is kept with its quote
MOST_SEARCHED = 2 * 10**8  # characters in which quotes are looked for to the letter, for all its targets together
MOST_CLOSE_WORK = 5 * 10**8  # characters of the response times those of the quote, for all its targets together
CLOSE_WORK = 1_000  # what a character of the response costs at most beside it, where much is nearly the quote

How = Literal["exact", "context", "close"]


class Unplaced(msgspec.Struct, frozen=True, kw_only=True):
    """A target that finds no place, and why. `close`: how like its quote (0.95-1.0) a text is that could be taken."""

    target: str
    quote: str
    why: str
    close: float | None = None


class Aligned(msgspec.Struct, frozen=True, kw_only=True):
    """A target that stands elsewhere than its offsets say. `quote` is what the file said, `found` what stands there.

    `how`: to the letter at its only place, between its prefix and suffix, or nearly so.
    """

    target: str
    how: How
    quote: str
    found: str
    similarity: float = 1.0


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """`task` is `None` where all its targets were lost; else start, end, quote, prefix and suffix of each agree.

    `why`: it is left out for what would take too long.
    """

    task: Task | None
    why: str = ""
    unplaced: tuple[Unplaced, ...] = ()
    aligned: tuple[Aligned, ...] = ()


def prepare(task: Task, *, per_target: bool, accept_close: bool, lang: str) -> Prepared:
    """Place the targets of a task, or, where the rubric asks per target and there are none, make the sentences them.

    `accept_close`: take a place that is 95 % like the quote. `lang`: the bundle's language, for tasks that say none.
    """
    splits = per_target and task.targets is None
    why = _too_much(task, splits=splits)
    if why:
        return Prepared(task=None, why=why)
    if splits:
        targets = _split(task, task.prompt.lang or lang or "en")
        if len(targets) > MOST_TARGETS:
            return Prepared(task=None, why=f"it has more than {MOST_TARGETS:,} sentences")
        return Prepared(task=msgspec.structs.replace(task, targets=targets))
    if task.targets is None:
        return Prepared(task=task)
    kept: list[Target] = []
    unplaced: list[Unplaced] = []
    aligned: list[Aligned] = []
    search = _Search(task, accept_close=accept_close)
    for target in task.targets:
        found = search.place(target)
        if isinstance(found, Unplaced):
            unplaced.append(found)
            continue
        response, at = found
        placed = at_place(target, response.text, at)
        kept.append(placed)
        if at.how != "offsets":
            aligned.append(
                Aligned(
                    target=target.id,
                    how=at.how,
                    quote=target.quote or "",
                    found=placed.quote or "",
                    similarity=at.similarity,
                )
            )
    lost = bool(task.targets) and not kept
    left = None if lost else msgspec.structs.replace(task, targets=tuple(kept))
    return Prepared(task=left, unplaced=tuple(unplaced), aligned=tuple(aligned))


def _too_much(task: Task, *, splits: bool) -> str:
    """What of a task is more than is taken in; "" where nothing is."""
    length = sum(len(response.text) for response in task.responses)
    if length > MOST_RESPONSES:
        return f"its responses have more than {MOST_RESPONSES:,} characters"
    if splits and length > MOST_SPLIT:
        return f"it has {length:,} characters, and up to {MOST_SPLIT:,} are split into sentences"
    return f"it has more than {MOST_TARGETS:,} targets" if len(task.targets or ()) > MOST_TARGETS else ""


def at_place(target: Target, text: str, at: Place) -> Target:
    """The target with its place; a prefix and suffix that agree with the text stay as they are."""
    prefix, suffix = target.prefix, target.suffix
    if not prefix or not text[: at.start].endswith(prefix):
        prefix = text[max(0, at.start - CONTEXT) : at.start]
    if not suffix or not text.startswith(suffix, at.end):
        suffix = text[at.end : at.end + CONTEXT]
    return msgspec.structs.replace(
        target, start=at.start, end=at.end, quote=text[at.start : at.end], prefix=prefix, suffix=suffix
    )


def _split(task: Task, lang: str) -> tuple[Target, ...]:
    spans = (
        (response, start, end)
        for response in task.responses
        for start, end in sentences(response.text, lang, markdown=response.format == "markdown")
    )
    return tuple(
        Target(
            id=f"s{number}",
            response=response.id,
            start=start,
            end=end,
            quote=response.text[start:end],
            prefix=response.text[max(0, start - CONTEXT) : start],
            suffix=response.text[end : end + CONTEXT],
        )
        for number, (response, start, end) in enumerate(islice(spans, MOST_TARGETS + 1), 1)
    )


class _Search:
    """Looks for the places of a task's targets, until it has cost too much."""

    def __init__(self, task: Task, *, accept_close: bool) -> None:
        self._task = task
        self._accept_close = accept_close
        self._searched = self._compared = self._quoted = 0

    def place(self, target: Target) -> tuple[Response, Place] | Unplaced:
        found = self._find(target)
        if isinstance(found, Unplaced):
            return found
        self._quoted += found[1].end - found[1].start
        if self._quoted > MOST_QUOTED:
            why = f"the targets of its task have more than {MOST_QUOTED:,} characters"
            return Unplaced(target=target.id, quote="", why=why)
        return found

    def _find(self, target: Target) -> tuple[Response, Place] | Unplaced:
        quote = target.quote or ""
        response = self._task.response(target.response)
        if response is None:
            return Unplaced(target=target.id, quote=quote, why=f'the task has no response "{target.response}"')
        text = response.text
        found = stands_at(text, target.start, target.end, target.quote)
        if found is not None:
            return response, found
        if not quote:
            return Unplaced(target=target.id, quote=quote, why=_why_no_offsets(target, text))
        return self._look_for(quote, target, response)

    def _look_for(self, quote: str, target: Target, response: Response) -> tuple[Response, Place] | Unplaced:
        text = response.text
        self._searched += len(text)
        if self._searched > MOST_SEARCHED:
            return Unplaced(target=target.id, quote=quote, why="too many quotes are to be looked for in so long a text")
        found = place(text, target.start, target.end, target.quote, target.prefix, target.suffix)
        if found is not None:
            return response, found
        near = self._close(text, quote, target.start)
        if near is not None and self._accept_close:
            return response, near
        why = f'its quote stands {"more than once" if quote in text else "nowhere"} in response "{response.id}"'
        return Unplaced(target=target.id, quote=quote, why=why, close=near.similarity if near else None)

    def _close(self, text: str, quote: str, near: int | None) -> Place | None:
        work = len(text) * (len(quote) + CLOSE_WORK)
        if self._compared + work > MOST_CLOSE_WORK:
            return None
        self._compared += work
        return close_place(text, quote, near=near)


def _why_no_offsets(target: Target, text: str) -> str:
    if target.start is None or target.end is None:
        return "it has neither a quote nor both offsets"
    if target.start == target.end:
        return "it is empty"
    return f"it runs from {target.start:,} to {target.end:,} in a text of {len(text):,} characters"
