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
    response_of,
    scores_in,
    take,
    take_text,
)
from desktop_rater.bundle.convert.azure_spoken import spoken
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.shape import kind_of, unpacked
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


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each conversation in which the assistant has answered.

    The prompt is the user's turn before the last answer, the other turns before it are the history, and what the
    answer cites is the context. Calls of tools between the two are the answer's. Turns after it stand in `meta.later`.
    Raises `BundleError` for a record of another shape.
    """
    for count, (line, where, plain) in enumerate(records_of(records), 1):
        with records.trouble():
            converted = _converted(f"cv-{count:04}", line, where, dict(plain))
        yield converted


def _converted(task: str, line: int, where: str, plain: dict[str, Any]) -> Converted | Omitted:
    scores = scores_in(plain)
    messages, around = _messages(plain, where)
    said = spoken(messages, where)
    if isinstance(said, str):
        return Omitted(line=line, why=said)
    documents = Documents(where)
    for context in (said.context, around.pop("context", None), take(plain, ("context",), where)):
        documents.add(context, "context")
    reference = take_text(plain, _TRUTH, where)
    made: dict[str, Any] = {
        "id": task,
        "prompt": {"text": said.prompt},
        "history": said.history,
        "responses": [response_of(said.answer, said.tools)],
        "context": documents.plain,
        "reference": reference or None,
        "meta": {"source": NAME, "line": line, **said.beside, **documents.beside, **around, **plain},
    }
    return Converted(
        line=line,
        task={key: value for key, value in made.items() if value not in (None, [])},
        rating=_rating(task, scores) if scores else None,
    )


def _messages(plain: dict[str, Any], where: str) -> tuple[list[Any], dict[str, Any]]:
    """The messages, and what stands beside them."""
    around: dict[str, Any] = {}
    inner = plain["conversation"] = unpacked(plain.get("conversation"))
    if isinstance(inner, dict):
        if "messages" not in inner:
            raise Fault(f"{where}: `conversation` has no `messages`")
        around = {key: value for key, value in inner.items() if key != "messages"}
        plain["conversation"] = inner["messages"]
    messages = unpacked(take(plain, _MESSAGES, where))
    if messages is None:
        if any(name in plain for name in _QUESTIONS):
            raise Fault(f"{where}: it is a question with its answer", "Convert it with --from azure-qa.")
        raise Fault(f"{where}: it has neither `messages` nor `conversation`")
    if not isinstance(messages, list):
        raise Fault(f"{where}: its messages are {kind_of(messages)}, not a list")
    return messages, around


def _rating(task: str, scores: dict[str, Any]) -> Rating:
    return Rating(task=task, rater=NAME, rubric=RUBRIC, answers=Answers(responses={RESPONSE: scores}))
