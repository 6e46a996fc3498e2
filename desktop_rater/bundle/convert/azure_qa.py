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
    scores_in,
    take,
    take_text,
)
from desktop_rater.bundle.convert.azure_history import history_of
from desktop_rater.bundle.convert.converted import Converted, Omitted
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

    Raises `BundleError` for a record of another shape, and where two names of one field hold different values.
    """
    for count, (line, where, plain) in enumerate(records_of(records), 1):
        with records.trouble():
            converted = _converted(f"qa-{count:04}", line, where, dict(plain))
        yield converted


def _converted(task: str, line: int, where: str, plain: dict[str, Any]) -> Converted | Omitted:
    scores = scores_in(plain)
    question = take_text(plain, _QUESTION, where)
    answer = take_text(plain, _ANSWER, where)
    if question is None:
        if any(name in plain for name in _CONVERSATIONS):
            raise Fault(f"{where}: it is a conversation", "Convert it with --from azure-conversation.")
        raise Fault(f"{where}: it has neither `question` nor `query`")
    if answer is None or not answer.strip():
        words = "it has neither `answer` nor `response`" if answer is None else "its answer is empty"
        return Omitted(line=line, why=f"{words}, so there is nothing to rate")
    documents = Documents(where)
    documents.add(take(plain, ("documents",), where), "documents")
    documents.add(take(plain, ("context",), where), "context")
    reference = take_text(plain, _TRUTH, where)
    made: dict[str, Any] = {
        "id": task,
        "prompt": {"text": question},
        "history": history_of(take(plain, ("chat_history",), where), where),
        "responses": [{"id": RESPONSE, "text": answer}],
        "context": documents.plain,
        "reference": reference or None,
        "meta": {"source": NAME, "line": line, **plain},
    }
    return Converted(
        line=line,
        task={key: value for key, value in made.items() if value not in (None, [])},
        rating=_rating(task, scores) if scores else None,
    )


def _rating(task: str, scores: dict[str, Any]) -> Rating:
    return Rating(task=task, rater=NAME, rubric=RUBRIC, answers=Answers(responses={RESPONSE: scores}))
