"""Use a language model as a rater: ask it the questions of a rubric about targets, a response, or the whole task."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Response, Task
from desktop_rater.model.values import Place
from desktop_rater.oracle.prompts import TEXT, DataPiece, OracleRequest, choice_of, list_of, object_of, shorten_data

MOST_STEPS = 101  # of a scale: more would be too long a list of answers
_TOKENS_OF_WORDS, _TOKENS_OF_A_SENTENCE, _TOKENS = 400, 120, 200
_NONE = "none"  # code of no answer, for questions that may stay open
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


class JudgeQuestion(msgspec.Struct, frozen=True):
    """Question with the values that it offers, in order; no values for a text. `optional`: it may stay open."""

    question: Question
    values: tuple[Any, ...] = ()
    optional: bool = False


class JudgedPlace(msgspec.Struct, frozen=True):
    """Questions at one place. `so_far`: answers already given there, question id → value; `quote`: that of a target."""

    place: Place
    questions: tuple[JudgeQuestion, ...]
    so_far: Mapping[str, str] = {}
    quote: str = ""


class JudgeTask(msgspec.Struct, frozen=True, kw_only=True):
    """One request about a task: about several targets of a response, or about one other place.

    `guideline`: passages that belong to the questions. `reasons`: each answer with its reason. `instructions`: the
    lead's own, for a single question.
    """

    task: Task
    response: str | None
    places: tuple[JudgedPlace, ...]
    guideline: tuple[str, ...] = ()
    reasons: bool = False
    instructions: str = ""

    @property
    def of_targets(self) -> bool:
        return self.places[0].place.target is not None

    @property
    def questions(self) -> dict[str, JudgeQuestion]:
        """Questions of all places by id, in the order of their numbers."""
        return {item.question.id: item for place in self.places for item in place.questions}


class PlaceAnswers(msgspec.Struct, frozen=True):
    """Answers of the model at one place, and the reasons for them: question id → value, and → text."""

    place: Place
    answers: dict[str, Any]
    reasons: dict[str, str]


def judge_request(judge_task: JudgeTask) -> tuple[OracleRequest, bool]:
    """Return the request to the model, and whether part of the task had to be shortened."""
    pieces, shortened = [], False
    for name, text in _material(judge_task):
        sent, is_cut = shorten_data(text)
        shortened = shortened or is_cut
        pieces.append(DataPiece(name, sent))
    schemas = [_schema(judge_task, place) for place in judge_task.places]
    schema = schemas[0]
    if judge_task.of_targets:
        schema = object_of({f"t{number}": part for number, part in enumerate(schemas, 1)})
    entries = [entry for part in schemas for entry in part["properties"].values()]
    words = _TOKENS_OF_A_SENTENCE if judge_task.of_targets or judge_task.reasons else _TOKENS_OF_WORDS
    most = _TOKENS + sum(words if entry is TEXT else 20 for entry in entries)
    request = OracleRequest(
        about="judge", pieces=tuple(pieces), schema=schema, most_tokens=most, instructions=judge_task.instructions
    )
    return request, shortened


def judge_answers(judge_task: JudgeTask, value: Mapping[str, Any]) -> Iterator[PlaceAnswers]:
    """Yield the model's answers at each place."""
    numbers = _numbers(judge_task)
    for number, place in enumerate(judge_task.places, 1):
        given = value[f"t{number}"] if judge_task.of_targets else value
        answers, reasons = {}, {}
        for item in place.questions:
            name = item.question.id
            answer = _value_of(item, given[f"q{numbers[name]}"])
            reason = given.get(f"r{numbers[name]}", "").strip()
            if answer not in (None, "", []):
                answers[name] = answer
                reasons |= {name: reason} if reason else {}
        yield PlaceAnswers(place.place, answers, reasons)


def _numbers(judge_task: JudgeTask) -> dict[str, int]:
    return {name: number for number, name in enumerate(judge_task.questions, 1)}


def _value_of(item: JudgeQuestion, given: Any) -> Any:
    if not item.values:
        return given.strip()
    if isinstance(given, list):
        return [item.values[_index_of_code(code)] for code in dict.fromkeys(given)]
    return None if given == _NONE else item.values[_index_of_code(given)]


def _index_of_code(code: str) -> int:
    return int(code.removeprefix("a")) - 1


def _schema(judge_task: JudgeTask, place: JudgedPlace) -> dict[str, Any]:
    """Return the schema of the answers at a place; a reason comes before its answer."""
    numbers, entries = _numbers(judge_task), {}
    for item in place.questions:
        number = numbers[item.question.id]
        if judge_task.reasons and item.values:
            entries[f"r{number}"] = TEXT
        entries[f"q{number}"] = _schema_of(item)
    return object_of(entries)


def _schema_of(item: JudgeQuestion) -> dict[str, Any]:
    if not item.values:
        return TEXT
    codes = [f"a{number}" for number in range(1, len(item.values) + 1)]
    if item.question.kind == "choices":
        return list_of(choice_of(codes), len(codes))
    return choice_of([*codes, _NONE] if item.optional else codes)


def _material(judge_task: JudgeTask) -> Iterable[tuple[str, str]]:
    task = judge_task.task
    for passage in judge_task.guideline:
        yield "guideline", passage
    questions = judge_task.questions.values()
    yield "questions", "\n\n".join(_question(number, item) for number, item in enumerate(questions, 1))
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
    places = judge_task.places
    if judge_task.of_targets:
        yield "targets", "\n".join(f"t{number}: {_line(place.quote)}" for number, place in enumerate(places, 1))
    so_far = [
        f"t{number}, {name}: {value}" if judge_task.of_targets else f"{name}: {value}"
        for number, place in enumerate(places, 1)
        for name, value in place.so_far.items()
    ]
    if so_far:
        yield "so far", "\n".join(so_far)


def _line(text: str) -> str:
    return " ".join(text.split())


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
    if item.optional and question.kind != "choices":
        lines.append(f"{_NONE}: None of these answers applies.")
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


def guideline_passages(guideline: str, questions: Iterable[Question]) -> tuple[str, ...]:
    """Return the sections that the questions name, each with those below it; all of the text if they name none."""
    titles = (title for question in questions for title in (question.section, question.guideline) if title)
    return _passages(guideline, frozenset(title.casefold() for title in titles))


@lru_cache(maxsize=100)  # the same for all tasks
def _passages(guideline: str, wanted: frozenset[str]) -> tuple[str, ...]:
    text = guideline.replace("\r\n", "\n")
    hidden = _FENCED.sub(lambda match: " " * len(match[0]), text)
    headings = list(_HEADING.finditer(hidden))
    passages: list[str] = []
    reached = 0
    for number, heading in enumerate(headings):
        if heading[2].casefold() not in wanted or heading.start() < reached:
            continue
        level = len(heading[1])
        reached = next((later.start() for later in headings[number + 1 :] if len(later[1]) <= level), len(text))
        passages.append(text[heading.start() : reached].strip())
    return tuple(passages) or ((text.strip(),) if text.strip() else ())
