"""Azure test sets of questions and answers, and the results of evaluating them.

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
from desktop_rater.bundle.convert.azure_history import history_of
from desktop_rater.bundle.convert.azure_spoken import Spoken, spoken
from desktop_rater.bundle.convert.azure_tools import calls_of
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.shape import kind_of
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.answers import Answers
from desktop_rater.model.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

NAME = "azure-qa"

_QUESTION = ("question", "query")
_ANSWER = ("answer", "response")
_TRUTH = ("ground_truth", "truth")
_CONVERSATIONS = ("conversation", "messages")


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each record with an answer, and the scores of an evaluation as a rating.

    Where an agent was asked and its messages are the answer, what it called on the way are the response's tools.
    Raises `BundleError` for a record of another shape, and where two names of one field hold different values.
    """
    for count, (line, where, plain) in enumerate(records_of(records), 1):
        with records.trouble():
            converted = _converted(f"qa-{count:04}", line, where, dict(plain))
        yield converted


def _converted(task: str, line: int, where: str, plain: dict[str, Any]) -> Converted | Omitted:
    scores = scores_in(plain)
    question = _said(plain, _QUESTION, where)
    answer = _said(plain, _ANSWER, where)
    if question is None:
        if any(name in plain for name in _CONVERSATIONS):
            raise Fault(f"{where}: it is a conversation", "Convert it with --from azure-conversation.")
        raise Fault(f"{where}: it has neither `question` nor `query`")
    if answer is None or answer == [] or (isinstance(answer, str) and not answer.strip()):
        words = "it has neither `answer` nor `response`" if answer is None else "its answer is empty"
        return Omitted(line=line, why=f"{words}, so there is nothing to rate")
    asked = [{"role": "user", "content": question}] if isinstance(question, str) else question
    answered = [{"role": "assistant", "content": answer}] if isinstance(answer, str) else answer
    said = (
        Spoken(prompt=question, answer=answer)
        if isinstance(question, str) and isinstance(answer, str)
        else spoken([*asked, *answered], where, answers_from=len(asked))
    )
    if isinstance(said, str):
        return Omitted(line=line, why=said)
    return _task(task, line, where, plain, said, scores)


def _said(plain: dict[str, Any], names: tuple[str, ...], where: str) -> str | list[Any] | None:
    """A text, or the messages that an agent took and wrote."""
    called = next((name for name in names if plain.get(name) is not None), names[0])
    value = take(plain, names, where)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, dict) and "role" in part for part in value):
        return value
    raise Fault(f"{where}: `{called}` is {kind_of(value)}, not a text")


def _task(task: str, line: int, where: str, plain: dict[str, Any], said: Spoken, scores: dict[str, Any]) -> Converted:
    documents = Documents(where)
    documents.add(take(plain, ("documents",), where), "documents")
    documents.add(take(plain, ("context",), where), "context")
    documents.add(said.context, "context")
    reference = take_text(plain, _TRUTH, where)
    earlier = history_of(take(plain, ("chat_history",), where), where)
    tools = said.tools or calls_of(plain.pop("tool_calls", None))
    made: dict[str, Any] = {
        "id": task,
        "prompt": {"text": said.prompt},
        "history": [*earlier, *said.history],
        "responses": [response_of(said.answer, tools)],
        "context": documents.plain,
        "reference": reference or None,
        "meta": {"source": NAME, "line": line, **said.beside, **documents.beside, **plain},
    }
    return Converted(
        line=line,
        task={key: value for key, value in made.items() if value not in (None, [])},
        rating=_rating(task, scores) if scores else None,
    )


def _rating(task: str, scores: dict[str, Any]) -> Rating:
    return Rating(task=task, rater=NAME, rubric=RUBRIC, answers=Answers(responses={RESPONSE: scores}))
