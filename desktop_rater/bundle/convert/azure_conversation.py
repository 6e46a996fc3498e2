"""Azure test sets of conversations: the last answer is rated, with what it cites as its context.

https://learn.microsoft.com/azure/ai-foundry/how-to/develop/evaluate-sdk
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.azure_fields import (
    RESPONSE,
    RUBRIC,
    Documents,
    records_of,
    scores_in,
    take,
    take_text,
)
from desktop_rater.bundle.convert.azure_history import turn_of
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.shape import kind_of
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.answers import Answers
from desktop_rater.model.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

NAME = "azure-conversation"

_MESSAGES = ("messages", "conversation")
_TRUTH = ("ground_truth", "truth")
_QUESTIONS = ("question", "query")
_ASSISTANT = "assistant"
_USER = "user"


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each conversation in which the assistant has answered.

    The prompt is the user's turn before the last answer, the turns before are the history, and what the answer cites
    is the context. Turns after it stand in `meta.later`. Raises `BundleError` for a record of another shape.
    """
    for count, (line, where, plain) in enumerate(records_of(records), 1):
        with records.trouble():
            converted = _converted(f"cv-{count:04}", line, where, dict(plain))
        yield converted


def _converted(task: str, line: int, where: str, plain: dict[str, Any]) -> Converted | Omitted:
    scores = scores_in(plain)
    turns, around = _turns(plain, where)
    last = _last(turns, _ASSISTANT, len(turns))
    if last is None:
        return Omitted(line=line, why="the assistant has not answered, so there is nothing to rate")
    asked = _last(turns, _USER, last)
    if asked is None:
        return Omitted(line=line, why="no user has asked anything before the answer")
    documents = Documents(where)
    documents.add(turns[last].get("context"), "context")
    for context in (around.pop("context", None), take(plain, ("context",), where)):
        documents.add(context, "context")
    reference = take_text(plain, _TRUTH, where)
    between = turns[asked + 1 : last]
    meta: dict[str, Any] = {"source": NAME, "line": line, **around, **plain}
    if turns[last + 1 :]:
        meta["later"] = turns[last + 1 :]
    made: dict[str, Any] = {
        "id": task,
        "prompt": {"text": turns[asked]["text"]},
        "history": [*turns[:asked], *between],
        "responses": [{"id": RESPONSE, "text": turns[last]["text"]}],
        "context": documents.plain,
        "reference": reference or None,
        "meta": meta,
    }
    return Converted(
        line=line,
        task={key: value for key, value in made.items() if value not in (None, [])},
        rating=_rating(task, scores) if scores else None,
    )


def _turns(plain: dict[str, Any], where: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The turns with some text, and what else is kept: what stands beside them, and turns such as calls of tools."""
    around: dict[str, Any] = {}
    inner = plain.get("conversation")
    if isinstance(inner, dict):
        if "messages" not in inner:
            raise Fault(f"{where}: `conversation` has no `messages`")
        around = {key: value for key, value in inner.items() if key != "messages"}
        plain["conversation"] = inner["messages"]
    messages = take(plain, _MESSAGES, where)
    if messages is None:
        if any(name in plain for name in _QUESTIONS):
            raise Fault(f"{where}: it is a question with its answer", "Convert it with --from azure-qa.")
        raise Fault(f"{where}: it has neither `messages` nor `conversation`")
    if not isinstance(messages, list):
        raise Fault(f"{where}: its messages are {kind_of(messages)}, not a list")
    turns = [turn_of(message, f"{where}, message {number}") for number, message in enumerate(messages, 1)]
    silent = [turn for turn in turns if not turn["text"].strip()]
    if silent:
        around["without_text"] = silent
    return [turn for turn in turns if turn["text"].strip()], around


def _last(turns: list[dict[str, Any]], role: str, before: int) -> int | None:
    return next((at for at in range(before - 1, -1, -1) if turns[at]["role"] == role), None)


def _rating(task: str, scores: dict[str, Any]) -> Rating:
    return Rating(task=task, rater=NAME, rubric=RUBRIC, answers=Answers(responses={RESPONSE: scores}))
