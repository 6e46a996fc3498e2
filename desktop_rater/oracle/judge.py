"""Use a language model as a rater: ask it the questions of a rubric about one response, or about the whole task."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Response, Task
from desktop_rater.oracle.prompts import TEXT, DataPiece, OracleRequest, choice_of, list_of, object_of, shorten_data

MOST_STEPS = 101  # of a scale: more would be too long a list of answers
_TOKENS_OF_WORDS, _TOKENS = 400, 200


class JudgeQuestion(msgspec.Struct, frozen=True):
    """Question with the values that it offers, in order; no values for a text answer."""

    question: Question
    values: tuple[Any, ...] = ()


class JudgeTask(msgspec.Struct, frozen=True):
    """Questions at one place of a task. `so_far`: answers already given there, question id → value."""

    task: Task
    response: str | None
    questions: tuple[JudgeQuestion, ...]
    so_far: Mapping[str, Any] = {}


def judge_request(judge_task: JudgeTask) -> tuple[OracleRequest, bool]:
    """Return the request to the model, and whether part of the task had to be shortened."""
    pieces, shortened = [], False
    for name, text in _material(judge_task):
        sent, is_cut = shorten_data(text)
        shortened = shortened or is_cut
        pieces.append(DataPiece(name, sent))
    schema = object_of({f"q{number}": _schema(question) for number, question in enumerate(judge_task.questions, 1)})
    words = sum(not question.values for question in judge_task.questions)
    most = _TOKENS + _TOKENS_OF_WORDS * words + 20 * len(judge_task.questions)
    return OracleRequest(about="judge", pieces=tuple(pieces), schema=schema, most_tokens=most), shortened


def judge_answers(judge_task: JudgeTask, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model's answers: question id → value."""
    answers = {}
    for number, question in enumerate(judge_task.questions, 1):
        given = value[f"q{number}"]
        answer: Any
        if not question.values:
            answer = given.strip()
        elif isinstance(given, list):
            answer = [question.values[_index_of_code(code)] for code in dict.fromkeys(given)]
        else:
            answer = question.values[_index_of_code(given)]
        if answer not in ("", []):
            answers[question.question.id] = answer
    return answers


def _index_of_code(code: str) -> int:
    return int(code.removeprefix("a")) - 1


def _schema(item: JudgeQuestion) -> dict[str, Any]:
    if not item.values:
        return TEXT
    codes = choice_of([f"a{number}" for number in range(1, len(item.values) + 1)])
    return list_of(codes, len(item.values)) if item.question.kind == "choices" else codes


def _material(judge_task: JudgeTask) -> Iterable[tuple[str, str]]:
    task = judge_task.task
    yield (
        "questions",
        "\n\n".join(_question(number, question) for number, question in enumerate(judge_task.questions, 1)),
    )
    if task.history:
        yield "conversation", "\n\n".join(f"{turn.role}: {turn.text}" for turn in task.history)
    yield "prompt", task.prompt.text
    for document in task.context:
        yield "document", "\n".join(part for part in (document.title, document.url, document.text) if part)
    if task.reference:
        yield "reference", task.reference
    for response in task.responses:
        if judge_task.response in (None, response.id):
            yield "response", _response(response, several=len(task.responses) > 1)
    if judge_task.so_far:
        yield "so far", "\n".join(f"{name}: {value}" for name, value in judge_task.so_far.items())


def _response(response: Response, *, several: bool) -> str:
    return f"Response {response.id}\n\n{response.text}" if several else response.text


def _question(number: int, item: JudgeQuestion) -> str:
    question = item.question
    lines = [f"q{number} ({question.id}): {question.ask}", question.hint]
    if not item.values:
        return "\n".join(line for line in (*lines, "Answer in one or two sentences.") if line)
    if question.kind == "choices":
        lines.append("Several answers may hold.")
    lines += [
        f"a{number_of_value}: {_meaning(question, value)}" for number_of_value, value in enumerate(item.values, 1)
    ]
    return "\n".join(line for line in lines if line)


def _meaning(question: Question, value: Any) -> str:
    """Return the text of a value: label and hint of a choice, anchor and level of a scale step."""
    if question.kind != "scale":
        choice = next(candidate for candidate in question.choices if candidate.id == value)
        return f"{choice.label}. {choice.hint}".rstrip(". ")
    anchor = next((candidate.label for candidate in question.anchors if candidate.at == value), "")
    level = next((candidate.label for candidate in question.levels if value <= candidate.to), "")
    return ": ".join(part for part in (f"{value:g}", level, anchor) if part)


def answer_texts(questions: Sequence[Question], answers: Mapping[str, Any]) -> dict[str, str]:
    """Return earlier answers as text, to remind the model of them."""
    by_id = {candidate.id: candidate for candidate in questions}
    texts = {}
    for name, value in answers.items():
        question = by_id.get(name)
        if question is None or question.kind in ("text", "number"):
            texts[name] = str(value)
        else:
            values = value if isinstance(value, list | tuple) else [value]
            texts[name] = ", ".join(_meaning(question, part) for part in values)
    return texts
