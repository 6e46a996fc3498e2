"""A language model as one more rater: the questions of a rubric about one response, or about the task as a whole.

Nothing of a bundle comes into the instructions, and nothing of it into the schema either: an answer is named by a
letter and a number of ours, and what it means stands with the questions, in the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Task
from desktop_rater.oracle.request import TEXT, Piece, Request, choice_of, list_of, object_of
from desktop_rater.oracle.shield import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_rater.model.task import Response

MOST_STEPS = 101  # of a scale: with more it is no list of answers
_TOKENS_OF_WORDS, _TOKENS = 400, 200


class Asked(msgspec.Struct, frozen=True):
    """A question with the values that it offers, in their order; none where words are asked for."""

    question: Question
    values: tuple[Any, ...] = ()


class Judging(msgspec.Struct, frozen=True):
    """Questions at one place of a task. `so_far`: what was answered there already, question id → value."""

    task: Task
    response: str | None
    asked: tuple[Asked, ...]
    so_far: Mapping[str, Any] = {}


def judge_request(judging: Judging) -> tuple[Request, bool]:
    """The question to the model; and whether something of the task was too long to be sent whole."""
    pieces, shortened = [], False
    for name, text in _material(judging):
        sent, is_cut = cut(text)
        shortened = shortened or is_cut
        pieces.append(Piece(name, sent))
    schema = object_of({f"q{number}": _schema(one) for number, one in enumerate(judging.asked, 1)})
    words = sum(not one.values for one in judging.asked)
    most = _TOKENS + _TOKENS_OF_WORDS * words + 20 * len(judging.asked)
    return Request(about="judge", pieces=tuple(pieces), schema=schema, most_tokens=most), shortened


def judged(judging: Judging, value: Mapping[str, Any]) -> dict[str, Any]:
    """What the model answered: question id → value."""
    found = {}
    for number, one in enumerate(judging.asked, 1):
        given = value[f"q{number}"]
        answer: Any
        if not one.values:
            answer = given.strip()
        elif isinstance(given, list):
            answer = [one.values[_at(code)] for code in dict.fromkeys(given)]
        else:
            answer = one.values[_at(given)]
        if answer not in ("", []):
            found[one.question.id] = answer
    return found


def _at(code: str) -> int:
    return int(code.removeprefix("a")) - 1


def _schema(asked: Asked) -> dict[str, Any]:
    if not asked.values:
        return TEXT
    codes = choice_of([f"a{number}" for number in range(1, len(asked.values) + 1)])
    return list_of(codes, len(asked.values)) if asked.question.kind == "choices" else codes


def _material(judging: Judging) -> Iterable[tuple[str, str]]:
    task = judging.task
    yield "questions", "\n\n".join(_question(number, one) for number, one in enumerate(judging.asked, 1))
    if task.history:
        yield "conversation", "\n\n".join(f"{turn.role}: {turn.text}" for turn in task.history)
    yield "prompt", task.prompt.text
    for document in task.context:
        yield "document", "\n".join(part for part in (document.title, document.url, document.text) if part)
    if task.reference:
        yield "reference", task.reference
    for response in task.responses:
        if judging.response in (None, response.id):
            yield "response", _response(response, several=len(task.responses) > 1)
    if judging.so_far:
        yield "so far", "\n".join(f"{name}: {value}" for name, value in judging.so_far.items())


def _response(response: Response, *, several: bool) -> str:
    return f"Response {response.id}\n\n{response.text}" if several else response.text


def _question(number: int, asked: Asked) -> str:
    question = asked.question
    lines = [f"q{number} ({question.id}): {question.ask}", question.hint]
    if not asked.values:
        return "\n".join(line for line in (*lines, "Answer in one or two sentences.") if line)
    if question.kind == "choices":
        lines.append("Several answers may hold.")
    lines += [f"a{at}: {_meaning(question, value)}" for at, value in enumerate(asked.values, 1)]
    return "\n".join(line for line in lines if line)


def _meaning(question: Question, value: Any) -> str:
    """A value in words: the label and hint of a choice, the anchor and level of a step."""
    if question.kind != "scale":
        choice = next(one for one in question.choices if one.id == value)
        return f"{choice.label}. {choice.hint}".rstrip(". ")
    anchor = next((one.label for one in question.anchors if one.at == value), "")
    level = next((one.label for one in question.levels if value <= one.to), "")
    return ": ".join(part for part in (f"{value:g}", level, anchor) if part)


def in_words(questions: Sequence[Question], answers: Mapping[str, Any]) -> dict[str, str]:
    """Answers as the model is reminded of them."""
    by_id = {one.id: one for one in questions}
    found = {}
    for name, value in answers.items():
        question = by_id.get(name)
        if question is None or question.kind in ("text", "number"):
            found[name] = str(value)
        else:
            values = value if isinstance(value, list | tuple) else [value]
            found[name] = ", ".join(_meaning(question, one) for one in values)
    return found
