"""Locate the targets of a task before it is rated, also those that ratings of earlier versions name."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from desktop_rater.format.strict_json import canonical_json, read_json_object
from desktop_rater.format.task import Response, Target, Task
from desktop_rater.text.quotes import QuotePlace, find_similar_place, place_at_offsets, place_quote
from desktop_rater.text.sentences import find_sentences, numbered_sentences

CONTEXT = 32  # code points of prefix and suffix, as in other annotation tools

# Limits of locating the targets of one task: far above real tasks, and a second or two for a hostile one.
MOST_TARGETS = 10_000
MOST_RESPONSES = 1_000_000  # characters of its responses, which a window has to lay out
MOST_SPLIT = 500_000  # characters of them that are split into sentences
MOST_QUOTED = 4_000_000  # characters of all its targets together: each stores its quote
MOST_SEARCHED = 2 * 10**8  # characters searched for exact quotes, for all its targets together
MOST_CLOSE_WORK = 5 * 10**8  # characters of the response times those of the quote, for all its targets together
CLOSE_WORK = 1_000  # maximum additional cost per character of the response, if much of it resembles the quote

MatchKind = Literal["exact", "context", "close"]
UnplacedReason = Literal["nowhere", "close", "several", "no-response", "no-quote", "empty", "outside", "limit"]


class UnplacedTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Target that could not be located: `reason`, and `why` in words.

    `close`: similarity (0.95-1.0) of a text that could be used.
    """

    target: str
    quote: str
    why: str
    reason: UnplacedReason = "nowhere"
    close: float | None = None


class RelocatedTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Target located elsewhere than at its offsets.

    `quote` is the text in the file, `found` the text at its place. `how`: at the only exact occurrence, between its
    prefix and suffix, or by similarity.
    """

    target: str
    how: MatchKind
    quote: str
    found: str
    similarity: float = 1.0


class PreparedTask(msgspec.Struct, frozen=True, kw_only=True):
    """Prepared task, whose targets agree in all fields; `None` if all were lost. `why`: it exceeds a limit."""

    task: Task | None
    why: str = ""
    unplaced: tuple[UnplacedTarget, ...] = ()
    aligned: tuple[RelocatedTarget, ...] = ()


def prepare_task(task: Task, *, per_target: bool, accept_close: bool, lang: str) -> PreparedTask:
    """Locate the targets of a task or, if the rubric asks per target and there are none, use its sentences as targets.

    `accept_close`: accept a place that is 95 % similar to the quote. `lang`: the bundle's language, for tasks without
    one.
    """
    splits = per_target and task.targets is None
    why = _too_much(task, splits=splits)
    if why:
        return PreparedTask(task=None, why=why)
    if splits:
        targets = _split(task, task.prompt.lang or lang or "en")
        if len(targets) > MOST_TARGETS:
            return PreparedTask(task=None, why=f"it has more than {MOST_TARGETS:,} sentences")
        return PreparedTask(task=msgspec.structs.replace(task, targets=targets))
    if task.targets is None:
        return PreparedTask(task=task)
    placed_targets: list[Target] = []
    unplaced: list[UnplacedTarget] = []
    aligned: list[RelocatedTarget] = []
    search = _Search(task, accept_close=accept_close)
    for target in task.targets:
        result = search.place(target)
        if isinstance(result, UnplacedTarget):
            unplaced.append(result)
            continue
        response, position = result
        placed = target_at(target, response.text, position)
        placed_targets.append(placed)
        if position.how != "offsets":
            aligned.append(
                RelocatedTarget(
                    target=target.id,
                    how=position.how,
                    quote=target.quote or "",
                    found=placed.quote or "",
                    similarity=position.similarity,
                )
            )
    lost = bool(task.targets) and not placed_targets
    prepared = None if lost else msgspec.structs.replace(task, targets=tuple(placed_targets))
    return PreparedTask(task=prepared, unplaced=tuple(unplaced), aligned=tuple(aligned))


def _too_much(task: Task, *, splits: bool) -> str:
    """Return the limit that a task exceeds; "" if none."""
    length = sum(len(response.text) for response in task.responses)
    if length > MOST_RESPONSES:
        return f"its responses have more than {MOST_RESPONSES:,} characters"
    if splits and length > MOST_SPLIT:
        return f"it has {length:,} characters; at most {MOST_SPLIT:,} can be split into sentences"
    return f"it has more than {MOST_TARGETS:,} targets" if len(task.targets or ()) > MOST_TARGETS else ""


def line_with_places(raw: bytes, task: Task, aligned: Iterable[RelocatedTarget]) -> bytes:
    """Return a task's line with the places of its targets if one was located by similarity, else the line to the byte.

    `task`: the prepared task. Targets that could not be located stay as they are.
    """
    if not any(entry.how == "close" for entry in aligned):
        return raw
    plain = read_json_object(raw)
    for entry in plain["targets"]:
        placed = task.target(entry["id"])
        if placed is not None:
            names = ("start", "end", "quote", *(name for name in ("prefix", "suffix") if name in entry))
            entry.update({name: getattr(placed, name) for name in names})
    return canonical_json(plain)


def target_at(target: Target, text: str, position: QuotePlace) -> Target:
    """Return the target with its place; a prefix and suffix that agree with the text remain unchanged."""
    prefix, suffix = target.prefix, target.suffix
    if not prefix or not text[: position.start].endswith(prefix):
        prefix = text[max(0, position.start - CONTEXT) : position.start]
    if not suffix or not text.startswith(suffix, position.end):
        suffix = text[position.end : position.end + CONTEXT]
    return msgspec.structs.replace(
        target,
        start=position.start,
        end=position.end,
        quote=text[position.start : position.end],
        prefix=prefix,
        suffix=suffix,
    )


def _split(task: Task, lang: str) -> tuple[Target, ...]:
    """Return the sentences as targets.

    They are numbered as by the rules of earlier versions, so that an existing rating is about the same sentences: what
    is no target any more leaves a gap, and further parts of what was one sentence are `s5-2`, `s5-3` and so on.
    """
    targets: list[Target] = []
    last = 0
    for response in task.responses:
        text, markdown = response.text, response.format == "markdown"
        for (start, end), number, part in numbered_sentences(text, lang, markdown=markdown, after=last):
            last = number
            if part == 0:
                continue
            targets.append(
                Target(
                    id=f"s{number}" if part == 1 else f"s{number}-{part}",
                    response=response.id,
                    start=start,
                    end=end,
                    quote=text[start:end],
                    prefix=text[max(0, start - CONTEXT) : start],
                    suffix=text[end : end + CONTEXT],
                )
            )
            if len(targets) > MOST_TARGETS:
                return tuple(targets)
    return tuple(targets)


class _Search:
    """Search for a task's targets, with a limit on its total cost."""

    def __init__(self, task: Task, *, accept_close: bool) -> None:
        self._task = task
        self._accept_close = accept_close
        self._searched = self._compared = self._quoted = 0

    def place(self, target: Target) -> tuple[Response, QuotePlace] | UnplacedTarget:
        result = self._find(target)
        if isinstance(result, UnplacedTarget):
            return result
        self._quoted += result[1].end - result[1].start
        if self._quoted > MOST_QUOTED:
            why = f"the targets of its task have more than {MOST_QUOTED:,} characters"
            return UnplacedTarget(target=target.id, quote="", why=why, reason="limit")
        return result

    def _find(self, target: Target) -> tuple[Response, QuotePlace] | UnplacedTarget:
        quote = target.quote or ""
        response = self._task.response(target.response)
        if response is None:
            why = f'the task has no response "{target.response}"'
            return UnplacedTarget(target=target.id, quote=quote, why=why, reason="no-response")
        text = response.text
        position = place_at_offsets(text, target.start, target.end, target.quote)
        if position is not None:
            return response, position
        if not quote:
            reason: UnplacedReason = "outside"
            if target.start is None or target.end is None:
                reason, why = "no-quote", "it has neither a quote nor both offsets"
            elif target.start == target.end:
                reason, why = "empty", "it is empty"
            else:
                why = f"it runs from {target.start:,} to {target.end:,} in a text of {len(text):,} characters"
            return UnplacedTarget(target=target.id, quote=quote, why=why, reason=reason)
        return self._look_for(quote, target, response)

    def _look_for(self, quote: str, target: Target, response: Response) -> tuple[Response, QuotePlace] | UnplacedTarget:
        text = response.text
        self._searched += len(text)
        if self._searched > MOST_SEARCHED:
            why = "the text is too long for so many quotes"
            return UnplacedTarget(target=target.id, quote=quote, why=why, reason="limit")
        position = place_quote(text, target.start, target.end, target.quote, target.prefix, target.suffix)
        if position is not None:
            return response, position
        near = self._close(text, quote, target.start)
        if near is not None and self._accept_close:
            return response, near
        repeated = quote in text
        why = f'its quote occurs {"more than once" if repeated else "nowhere"} in response "{response.id}"'
        reason = "close" if near else "several" if repeated else "nowhere"
        close = near.similarity if near else None
        return UnplacedTarget(target=target.id, quote=quote, why=why, reason=reason, close=close)

    def _close(self, text: str, quote: str, near: int | None) -> QuotePlace | None:
        work = len(text) * (len(quote) + CLOSE_WORK)
        if self._compared + work > MOST_CLOSE_WORK:
            return None
        self._compared += work
        return find_similar_place(text, quote, near=near)


def split_as_before(task: Task, lang: str) -> tuple[Target, ...]:
    """Return the sentences of a task by the earlier rules."""
    language = task.prompt.lang or lang or "en"
    targets: list[Target] = []
    for response in task.responses:
        for start, end in find_sentences(response.text, language, markdown=response.format == "markdown", earlier=True):
            target = Target(id=f"s{len(targets) + 1}", response=response.id)
            targets.append(target_at(target, response.text, QuotePlace(start, end, "offsets")))
            if len(targets) > MOST_TARGETS:
                return ()
    return tuple(targets)
