"""Use a language model as a rater: ask it the questions of a rubric about targets, a response, or the whole task."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import WRITTEN_KINDS, Question
from desktop_rater.format.task import Response, Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.plugins.scoring.client import (
    TEXT,
    DataPiece,
    OracleRequest,
    choice_of,
    list_of,
    object_of,
    shorten_data,
)
from desktop_rater.plugins.scoring.session import OracleSession
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.condition import ScaleDomain
from desktop_rater.rubric.provenance import comparable_title, guideline_headings
from desktop_rater.rubric.suggest import (
    REASONS_KEY,
    rubric_for_model,
    with_questions_before,
    without_research,
)

MOST_STEPS = 101  # of a scale: more would be too long a list of answers
_TOKENS_OF_WORDS, _TOKENS_OF_A_SENTENCE, _TOKENS = 400, 120, 200
_NONE = "none"  # code of no answer, for questions that may stay open


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


def judge_answers(
    judge_task: JudgeTask, value: Mapping[str, Any]
) -> Iterator[tuple[Place, dict[str, Any], dict[str, str]]]:
    """Yield each place with the model's answers there, and the reasons for them, both by question id."""
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
        yield place.place, answers, reasons


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
        if question is None or question.kind in ("text", "number", "list"):
            texts[name] = str(value)
        else:
            values = value if isinstance(value, list | tuple) else [value]
            texts[name] = ", ".join(_meaning(question, part) for part in values)
    return texts


def section_titles(questions: Iterable[Question]) -> frozenset[str]:
    """Return the titles of the guideline's sections that questions name, in one case."""
    titles = (title for question in questions for title in (question.section, question.guideline))
    return frozenset(comparable_title(title) for title in titles if title)


@lru_cache(maxsize=100)  # the same for all tasks
def guideline_passages(guideline: str, wanted: frozenset[str], named: frozenset[str]) -> tuple[str, ...]:
    """Return the sections that a person reads for some questions: the `wanted` ones, and those of no question.

    A section comes with those below it. Those of other questions, which are `named` too, are left out.
    """
    text = guideline.replace("\r\n", "\n")
    headings = guideline_headings(text)
    titles = [comparable_title(heading.title) for heading in headings]
    starts = [*(heading.start for heading in headings), len(text)]
    passages = [text[: starts[0]]]
    reached = left_out = 0
    for number, (heading, title) in enumerate(zip(headings, titles, strict=True)):
        later = range(number + 1, len(headings))
        end = next((other for other in later if headings[other].level <= heading.level), len(headings))
        if number < reached or (number < left_out and title not in wanted):
            continue
        if title in named - wanted:
            left_out = end
            continue
        is_whole = title in wanted or not named.intersection(titles[number + 1 : end])
        reached = end if is_whole else number + 1
        passages.append(text[starts[number] : starts[reached]])
    return tuple(passage.strip() for passage in passages if passage.strip())


MAX_QUESTION_ROUNDS = 6
TARGETS_OF_A_CALL, TARGETS_WITH_REASONS = 40, 20
_MOST_OF_QUOTES, _MOST_OF_A_QUOTE = 12_000, 2_000  # characters
_NOT_ASKED = "Nothing was asked."


class JudgeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Way of asking a model. `questions`: only these; empty means all that a model can answer.

    `one_metric`: one question a call. `reasons`: with a reason for each answer. `prompts`: instructions for single
    questions, question id → text, which count if it is asked alone. `prompt_files`: SHA-256 of the files that hold
    them, by name. `guideline`: Markdown of the bundle.
    """

    questions: tuple[str, ...] = ()
    one_metric: bool = False
    reasons: bool = False
    prompts: Mapping[str, str] = {}
    prompt_files: Mapping[str, str] = {}
    guideline: str = ""


class JudgePlan(msgspec.Struct, frozen=True, kw_only=True):
    """Plan of a run: the rubric with these questions alone, and those of the whole one that are left out.

    `depths`: question → the round in which it can come up. `named`: the sections of the guideline that questions of
    the whole rubric name.
    """

    rubric: Rubric
    options: JudgeOptions = JudgeOptions()
    questions: tuple[str, ...] = ()
    depths: dict[str, int] = {}
    left_out: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()

    def passages(self, questions: Sequence[Question]) -> tuple[str, ...]:
        return guideline_passages(self.options.guideline, section_titles(questions), self.named)


def plan_judging(rubric: Rubric, options: JudgeOptions) -> JudgePlan:
    """Decide what a model is asked. Raises `RaterError` if it can't rate by this rubric, before anything is asked."""
    title = f"A model can't rate by {rubric.ref}."
    unknown = [name for name in options.questions if name not in rubric.questions]
    if unknown:
        raise RaterError(
            f"There is no question {unknown[0]!r}.", _NOT_ASKED, f"Questions: {', '.join(rubric.questions)}."
        )
    possible = without_research(rubric)
    chosen = with_questions_before(rubric, options.questions or possible)
    barred = next((name for name in options.questions if name not in possible), None)
    if barred is not None:
        why = f"{rubric.questions[barred].question.ask} It rests on pages that have to be opened."
        raise RaterError(title, why, f"{_NOT_ASKED} Choose other questions with --question.")
    names = tuple(name for name in possible if name in chosen)
    endless = next((name for name in names if not _can_be_asked(rubric, name, required=True)), None)
    if endless is not None:
        why = f"It requires {endless!r}, which has no list of at most {MOST_STEPS} answers."
        raise RaterError(title, why, f"{_NOT_ASKED} Choose the other questions with --question.")
    names = tuple(name for name in names if _can_be_asked(rubric, name, required=False))
    if not any(rubric.questions[name].question.kind not in WRITTEN_KINDS for name in names):
        why = "All its questions rest on pages that have to be opened, or ask for words or numbers."
        raise RaterError(title, why, f"{_NOT_ASKED} Have people rate it.")
    part = rubric_for_model(rubric, names)
    left_out = tuple(name for name in rubric.questions if name not in part.questions)
    return JudgePlan(
        rubric=part,
        options=options,
        questions=tuple(part.questions),
        depths=_depths(part),
        left_out=left_out,
        named=section_titles(compiled.question for compiled in rubric.questions.values()),
    )


def _can_be_asked(rubric: Rubric, name: str, *, required: bool) -> bool:
    """Return whether a question has a list of answers or is a text; `required`: optional ones may have neither."""
    compiled = rubric.questions[name]
    if required and compiled.required is None:
        return True
    return compiled.question.kind == "text" or bool(_offered_values(rubric, compiled.question))


def _offered_values(rubric: Rubric, question: Question) -> tuple[Any, ...]:
    """Return the values a question offers, empty if it has no list."""
    if question.kind in ("choice", "choices"):
        return tuple(choice.id for choice in question.choices)
    domain = rubric.questions[question.id].domain
    if question.kind == "scale" and isinstance(domain, ScaleDomain):
        steps = domain.all()
        return tuple(steps) if len(steps) <= MOST_STEPS else ()
    return ()


class JudgedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A model's rating. `why`: reason why there is no valid answer. `shortened`: the task was sent truncated."""

    rating: Rating
    why: str = ""
    shortened: bool = False


def rate_tasks_by_model(
    plan: JudgePlan, tasks: Sequence[Task], asking: OracleSession, progress: Progress
) -> list[JudgedTask]:
    """Ask about targets, responses and tasks, in rounds, since answers decide what else is asked.

    Raises what `asking` raises.
    """
    dialogs = [_TaskDialog(plan, task) for task in tasks]
    for _ in range(MAX_QUESTION_ROUNDS):
        open_now = [(dialog, judging) for dialog in dialogs for judging in dialog.open()]
        if not open_now:
            break
        requests = [judge_request(judging) for _, judging in open_now]
        answers = asking.ask([request for request, _ in requests], progress)
        for (dialog, judging), (_, is_cut), answer in zip(open_now, requests, answers, strict=True):
            dialog.shortened = dialog.shortened or is_cut
            if answer.value is None:
                dialog.why = dialog.why or f"{_place_label(judging)}: {answer.why}"
            else:
                dialog.record(judging, answer.value)
    return [JudgedTask(rating=dialog.rating, why=dialog.why, shortened=dialog.shortened) for dialog in dialogs]


def judge_requests(plan: JudgePlan, task: Task, asking: OracleSession) -> Iterator[OracleRequest]:
    """Yield the requests for a task without sending them; stored replies lead to their follow-up questions.

    For each one without a reply, as many more are assumed as answers can lead to at the same place.
    """
    dialog = _TaskDialog(plan, task)
    for _ in range(MAX_QUESTION_ROUNDS):
        for judging in dialog.open():
            request, _ = judge_request(judging)
            yield request
            value = asking.cached_answer(request)
            if value is not None:
                dialog.record(judging, value)
            elif not asking.has_reply(request):
                later = [replace(place, so_far={"so far": "x" * 200}) for place in judging.places]
                again = judge_request(replace(judging, places=tuple(later)))[0]
                yield from repeat(again, _requests_after(plan, judging))


def _requests_after(plan: JudgePlan, judging: JudgeTask) -> int:
    """Return how many requests can follow at the same place: a round for each answer that is needed before the next."""
    per = "target" if judging.of_targets else "task" if judging.response is None else "response"
    scopes = {"target", "claim"} if per == "target" else {per}
    depths = {name: depth for name, depth in plan.depths.items() if plan.rubric.questions[name].question.per in scopes}
    here = min(depths[name] for name in judging.questions)
    if not plan.options.one_metric:
        return max(depths.values()) - here
    *_, last = (name for name, depth in depths.items() if depth == here)
    return sum(depth > here for depth in depths.values()) if last in judging.questions else 0


def _depths(rubric: Rubric) -> dict[str, int]:
    """Return question → the first round in which it can come up, at most the last one."""
    before = {
        name: {test.name for test in entry.relevant.all_tests() if test.wants_value and test.name in rubric.questions}
        for name, entry in rubric.questions.items()
    }
    for rule in (rule for scope in rubric.rules_by_scope.values() for rule in scope):
        wanted = rule.require.names() if rule.require is not None and rule.rule.level == "block" else ()
        for name in wanted:
            if name in before and rubric.questions[name].question.kind == "text":
                before[name] |= {earlier for earlier in rule.when.names() if earlier in rubric.questions}
    depths = dict.fromkeys(before, 1)
    for _ in range(MAX_QUESTION_ROUNDS):
        depths = {
            name: min(MAX_QUESTION_ROUNDS, 1 + max((depths[earlier] for earlier in before[name]), default=0))
            for name in before
        }
    return depths


class _TaskDialog:
    def __init__(self, plan: JudgePlan, task: Task) -> None:
        self._plan = plan
        self._rubric = plan.rubric
        self._task = task
        self._tried: set[tuple[str, str]] = set()
        self._reasons: dict[str, dict[str, str]] = {}
        self.rating = Rating(task=task.id)
        self.shortened = False
        self.why = ""

    def open(self) -> list[JudgeTask]:
        """Return the unanswered questions that were not asked before; none after a failed answer."""
        if self.why:
            return []
        outcome = check_rating(self._rubric, self._task, self.rating)
        judgings: list[JudgeTask] = []
        for response in self._task.responses:
            targets = [target for target in self._task.targets or () if target.response == response.id]
            places = [self._open_at(outcome, Place(target=target.id), target.quote or "") for target in targets]
            judgings += self._requests(response.id, [place for place in places if place is not None])
            own = self._open_at(outcome, Place(response=response.id))
            judgings += self._requests(response.id, [own] if own is not None else [])
        whole = self._open_at(outcome, TASK_PLACE)
        return [*judgings, *self._requests(None, [whole] if whole is not None else [])]

    def _open_at(self, outcome: CheckOutcome, place: Place, quote: str = "") -> JudgedPlace | None:
        where = _where(place)
        entries = outcome.asked.get(where, ())
        wanted = self._texts_that_rules_want(outcome, where)
        items = [
            JudgeQuestion(entry.question, values, optional=not entry.required)
            for entry in entries
            if entry.value is None and (where, entry.question.id) not in self._tried
            for values in [_offered_values(self._rubric, entry.question)]
            if values or (entry.question.kind == "text" and (entry.required or entry.question.id in wanted))
        ]
        if not items:
            return None
        self._tried |= {(where, item.question.id) for item in items}
        answers = {entry.question.id: entry.value for entry in entries if entry.value is not None}
        so_far = answer_texts([entry.question for entry in entries], answers)
        return JudgedPlace(place, tuple(items), so_far, quote[:_MOST_OF_A_QUOTE])

    def _texts_that_rules_want(self, outcome: CheckOutcome, where: str) -> set[str]:
        """Return the names in the rules that block here: a text among them has to be written."""
        broken = {problem.rule for problem in outcome.problems if (problem.where, problem.level) == (where, "block")}
        rules = (rule for scope in self._rubric.rules_by_scope.values() for rule in scope)
        requires = (rule.require for rule in rules if rule.rule.id in broken and rule.require is not None)
        return {name for condition in requires for name in condition.names()}

    def _requests(self, response: str | None, places: list[JudgedPlace]) -> Iterator[JudgeTask]:
        """Yield the requests about some places: in groups of targets, and question by question if that is wanted."""
        options = self._plan.options
        for group in _groups(places, TARGETS_WITH_REASONS if options.reasons else TARGETS_OF_A_CALL):
            questions = {item.question.id: item.question for place in group for item in place.questions}
            for names in [[name] for name in questions] if options.one_metric else [list(questions)]:
                yield JudgeTask(
                    task=self._task,
                    response=response,
                    places=tuple(_with_only(group, names)),
                    guideline=self._plan.passages([questions[name] for name in names]),
                    reasons=options.reasons,
                    instructions=options.prompts.get(names[0], "") if len(names) == 1 else "",
                )

    def record(self, judging: JudgeTask, value: Mapping[str, Any]) -> None:
        for place, answers, reasons in judge_answers(judging, value):
            for name, answer in answers.items():
                self.rating = edit.with_answer(self.rating, place, name, answer)
            if reasons:
                where = _where(place)
                self._reasons[where] = {**self._reasons.get(where, {}), **reasons}
                self.rating = replace(self.rating, unknown={REASONS_KEY: self._reasons})


def _where(place: Place) -> str:
    if place.target is not None:
        return f"targets/{place.target}"
    return "task" if place.response is None else f"responses/{place.response}"


def _with_only(places: Iterable[JudgedPlace], names: Collection[str]) -> Iterator[JudgedPlace]:
    for place in places:
        items = tuple(item for item in place.questions if item.question.id in names)
        if items:
            yield replace(place, questions=items)


def _groups(places: list[JudgedPlace], most: int) -> Iterator[list[JudgedPlace]]:
    """Yield groups of places that fit into one request."""
    group: list[JudgedPlace] = []
    for place in places:
        size = sum(len(other.quote) for other in group) + len(place.quote)
        if group and (len(group) == most or size > _MOST_OF_QUOTES):
            yield group
            group = []
        group.append(place)
    if group:
        yield group


def _place_label(judging: JudgeTask) -> str:
    return "the task" if judging.response is None else f"response {judging.response}"
