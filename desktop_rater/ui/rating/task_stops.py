"""Stops and work steps of a task: their order, their questions, the next open ones, and each target's state. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from desktop_rater.format.rating import Claim, Problem, Rating
from desktop_rater.format.rubric import Choice, ConditionTable, Question, Rule
from desktop_rater.format.task import Response, Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.rubric import ActiveQuestion, CheckOutcome, Rubric, suggest
from desktop_rater.rubric.condition import ANY, same_value

REQUIRED_PREFIX = "required:"
LINK_FACTS = {"links_unopened", "tool_links_unopened"}


class FormQuestion(NamedTuple):
    """Question in the form: `where` it is asked, and the place that gets its answer."""

    where: str
    place: Place
    asked: ActiveQuestion

    @property
    def question(self) -> Question:
        return self.asked.question

    @property
    def open(self) -> bool:
        """Return whether a required answer is missing."""
        return self.asked.is_open


def place_path(place: Place) -> str:
    """Return the name of a place in problems; evidence is ignored."""
    if place.target is not None:
        return f"targets/{place.target}" + (f"/claims/{place.claim}" if place.claim is not None else "")
    return f"responses/{place.response}" if place.response is not None else "task"


def stop_of(place: Place) -> Place:
    """Return the target, response or task that a place belongs to."""
    if place.claim is None and place.evidence is None:
        return place
    return Place(response=place.response, target=place.target)


def task_stops(rubric: Rubric, task: Task, outcome: CheckOutcome) -> tuple[Place, ...]:
    """Return what is rated one after the other: the targets of each response, the response, then the whole task."""
    evidence = rubric.file.evidence
    per_response = bool(rubric.questions_by_scope["response"]) or (evidence is not None and evidence.per == "response")
    places: list[Place] = []
    for response in task.responses:
        if rubric.per_target:
            mine = [target for target in task.targets or () if target.response == response.id]
            mine.sort(key=lambda target: target.start or 0)
            places += [Place(response=response.id, target=target.id) for target in mine]
        if per_response:
            places.append(Place(response=response.id))
    if not places or outcome.asked.get(place_path(TASK_PLACE)):
        places.append(TASK_PLACE)
    return tuple(places)


def form_questions(rubric: Rubric, outcome: CheckOutcome, place: Place) -> tuple[FormQuestion, ...]:
    """Return the questions of a place in the rubric's order; for a claim, its own and those of its target."""
    stop = stop_of(place)
    where = place_path(stop)
    questions = [FormQuestion(where, stop, question) for question in outcome.asked.get(where, ())]
    if place.claim is not None:
        claim = Place(response=place.response, target=place.target, claim=place.claim)
        where = place_path(claim)
        questions += [FormQuestion(where, claim, question) for question in outcome.asked.get(where, ())]
        questions.sort(key=lambda form_question: rubric.order[form_question.question.id])
    return tuple(questions)


def visible_claims(outcome: CheckOutcome, rating: Rating, target: str | None) -> tuple[Claim, ...]:
    """Return the recorded claims of a target that are not hidden."""
    claims = rating.claims.get(target, ()) if target is not None else ()
    return tuple(claim for claim in claims if f"targets/{target}/claims/{claim.id}" in outcome.kept) if claims else ()


def next_open_question(questions: Sequence[FormQuestion], after: str | None) -> FormQuestion | None:
    """Return the next question without a required answer, after the one with id `after`, cyclically."""
    names = [question.asked.question.id for question in questions]
    start = names.index(after) + 1 if after in names else 0
    is_open = [question for question in (*questions[start:], *questions[:start]) if question.asked.is_open]
    return is_open[0] if is_open else None


def blocked_stops(outcome: CheckOutcome) -> frozenset[Place]:
    """Return the stops with a blocking problem."""
    places = outcome.places
    return frozenset([stop_of(places[problem.where]) for problem in outcome.problems if problem.level == "block"])


def is_unanswered(problem: Problem) -> bool:
    """Return whether the problem is a question that is not answered yet."""
    return problem.rule.startswith(REQUIRED_PREFIX)


def stops_with_questions(outcome: CheckOutcome) -> frozenset[Place]:
    """Return the stops at which a question is not answered yet."""
    return frozenset(
        [
            stop_of(outcome.places[problem.where])
            for problem in outcome.problems
            if problem.rule.startswith(REQUIRED_PREFIX)
        ]
    )


def without_repeats(problems: Iterable[Problem], outcome: CheckOutcome) -> list[Problem]:
    """Return the problems without those that say of a claim or of a target what another one says there already."""
    said: set[tuple[str, str, str | None, Place]] = set()
    kept = []
    for problem in problems:
        place = outcome.places[problem.where]
        about = problem.level, problem.rule if problem.message is None or is_unanswered(problem) else problem.message
        if said.isdisjoint({(*about, place.evidence, stop_of(place)), (*about, place.evidence, place)}):
            kept.append(problem)
        said.add((*about, place.evidence, place))
    return kept


def is_acknowledged(rating: Rating, problem: Problem) -> bool:
    """Return whether the rater has acknowledged a warning."""
    acknowledged = ((warning.rule, warning.where) for warning in rating.acknowledged)
    return problem.level == "warn" and (problem.rule, problem.where) in acknowledged


class StopProblems(NamedTuple):
    """Problems of a stop, the acknowledged ones apart, its open questions, and the problems `elsewhere`.

    `is_any`: there is a problem or an open question anywhere. Only questions that are open are no problems here.
    """

    here: tuple[Problem, ...]
    acknowledged: tuple[Problem, ...]
    unanswered: int
    elsewhere: tuple[Problem, ...]
    is_any: bool


def problems_around(outcome: CheckOutcome, rating: Rating, stop: Place) -> StopProblems:
    """Return the problems of a stop, blocking ones first, and those of the other stops."""
    places = outcome.places
    accepted = {(warning.rule, warning.where) for warning in rating.acknowledged}
    wrong = [problem for problem in outcome.problems if not problem.rule.startswith(REQUIRED_PREFIX)]
    missing = [problem for problem in outcome.problems_of(stop.target) if problem.rule.startswith(REQUIRED_PREFIX)]
    groups: tuple[list[Problem], list[Problem], list[Problem]] = [], [], []
    for problem in without_repeats(wrong, outcome):
        let_stand = problem.level == "warn" and (problem.rule, problem.where) in accepted
        is_here = stop_of(places[problem.where]) == stop
        if is_here or not let_stand:
            groups[2 if not is_here else 1 if let_stand else 0].append(problem)
    here, acknowledged, elsewhere = groups
    here.sort(key=lambda problem: problem.level != "block")
    unanswered = len([problem for problem in missing if stop_of(places[problem.where]) == stop])
    is_any = bool(here or elsewhere) or len(wrong) < len(outcome.problems)
    return StopProblems(tuple(here), tuple(acknowledged), unanswered, tuple(elsewhere), is_any)


def is_about_links(rubric: Rubric, problem: Problem) -> bool:
    """Return whether the problem is about links that were not opened."""
    rule = rule_of_problem(rubric, problem)
    return rule is not None and rule.require is not None and not LINK_FACTS.isdisjoint(rule.require)


def rule_of_problem(rubric: Rubric, problem: Problem) -> Rule | None:
    """Return the rule that a problem breaks; none for a missing answer or a contradiction."""
    return next((rule for rule in rubric.file.rules if rule.id == problem.rule), None)


def question_of_problem(rubric: Rubric, problem: Problem) -> str | None:
    """Return the question that a problem is about, if any."""
    kind, _, name = problem.rule.partition(":")
    if kind == "required":
        return name
    if kind == "contradicts":
        return next((row.sets for row in rubric.file.decide if row.id == name), None)
    rule = rule_of_problem(rubric, problem)
    condition = rule.require or rule.when or {} if rule is not None else {}
    return next((name for name in _condition_names(condition) if name in rubric.questions), None)


def blocking_question(rubric: Rubric, outcome: CheckOutcome, place: Place) -> str | None:
    """Return the question of a blocking problem at a place whose questions are all answered."""
    where = place_path(place)
    problems = [problem for problem in outcome.problems if problem.level == "block" and problem.where == where]
    if any(is_unanswered(problem) for problem in problems):
        return None
    about = (question_of_problem(rubric, problem) for problem in problems)
    return next((name for name in about if name is not None), None)


def _condition_names(condition: ConditionTable) -> Iterator[str]:
    """Return the names in a condition, including those in its `any`."""
    for name, wanted in condition.items():
        if name == ANY:
            for part in wanted:
                yield from _condition_names(part)
        else:
            yield name


def response_letter(response: str) -> str:
    """Return the display name of a response: "a" is A, as in the texts of the rubrics."""
    return response.upper() if len(response) == 1 else response


StepKind = Literal["prompt", "response", "tools", "questions"]
StepState = Literal["todo", "done", "warns", "blocked"]
TOOLS_STAGE = "tools"
PROMPT_STEP = "prompt"


class WorkStep(Struct, frozen=True):
    """Step of the order of work. `name` is the rubric's name for its questions; `place` is where they are asked."""

    kind: StepKind
    place: Place
    name: str = ""
    questions: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.kind if self.kind == PROMPT_STEP else f"{self.kind} {place_path(self.place)} {self.name}".strip()

    @property
    def reads(self) -> bool:
        """Return whether the step has no questions, only something to read."""
        return not self.questions


def has_work_order(rubric: Rubric, task: Task) -> bool:
    """Return whether a task is done in steps: the rubric names stages, or asks about one response after the other."""
    if rubric.per_target or not rubric.questions_by_scope["response"]:
        return False
    return len(task.responses) > 1 or any(question.stage for question in rubric.file.questions)


def work_steps(rubric: Rubric, task: Task, outcome: CheckOutcome) -> tuple[WorkStep, ...]:
    """Return the steps of a task for the questions asked now; empty if there is only one."""
    if not has_work_order(rubric, task):
        return ()
    order = [WorkStep(PROMPT_STEP, Place(response=task.responses[0].id) if task.responses else TASK_PLACE)]
    for response in task.responses:
        order += _response_steps(response, outcome)
    order += _question_steps(TASK_PLACE, outcome)
    return tuple(order) if len(order) > 1 else ()


def _response_steps(response: Response, outcome: CheckOutcome) -> Iterable[WorkStep]:
    place = Place(response=response.id)
    yield WorkStep("response", place)
    asking = _question_steps(place, outcome)
    about_tools = [step for step in asking if step.kind == "tools"]
    if about_tools:
        yield from about_tools
    elif response.tools:
        yield WorkStep("tools", place)
    yield from (step for step in asking if step.kind != "tools")


def _question_steps(place: Place, outcome: CheckOutcome) -> list[WorkStep]:
    """Group the questions of a place by their stage, else each on its own."""
    groups: dict[str, list[str]] = {}
    group = ""
    for active in outcome.asked.get(place_path(place), ()):
        # An optional question joins the group before it.
        joins = group and not active.required
        group = active.question.stage or (group if joins else active.question.ask)
        groups.setdefault(group, []).append(active.question.id)
    steps = []
    for name, questions in groups.items():
        about_tools = place.response is not None and name.casefold() == TOOLS_STAGE
        steps.append(WorkStep("tools" if about_tools else "questions", place, name, tuple(questions)))
    return steps


def work_step_states(
    steps: Sequence[WorkStep], rubric: Rubric, outcome: CheckOutcome, passed: Collection[str]
) -> tuple[StepState, ...]:
    """Return the state of each step. A reading step is done once it was `passed`, or a later step has an answer."""
    answered = [any(question.value is not None for question in _step_questions(step, outcome)) for step in steps]
    last = max((index for index, is_answered in enumerate(answered) if is_answered), default=-1)
    broken = {step: _problem_state(step, steps, rubric, outcome) for step in steps}
    return tuple(
        _step_state(step, broken[step], read=step.id in passed or index < last, outcome=outcome)
        for index, step in enumerate(steps)
    )


def _step_state(step: WorkStep, broken: StepState | None, *, read: bool, outcome: CheckOutcome) -> StepState:
    if step.reads:
        return (broken or "done") if read else "todo"
    is_open = any(question.is_open for question in _step_questions(step, outcome))
    return broken or ("todo" if is_open else "done")


def _step_questions(step: WorkStep, outcome: CheckOutcome) -> list[ActiveQuestion]:
    questions = outcome.asked.get(place_path(step.place), ())
    return [question for question in questions if question.question.id in step.questions]


def first_question_of_step(step: WorkStep, outcome: CheckOutcome) -> str | None:
    """Return the first open question of a step, else its first one."""
    here = _step_questions(step, outcome)
    first = next((question for question in here if question.is_open), next(iter(here), None))
    return first.question.id if first is not None else None


def _problem_state(
    step: WorkStep, steps: Sequence[WorkStep], rubric: Rubric, outcome: CheckOutcome
) -> StepState | None:
    here = [
        problem
        for problem in outcome.problems
        if not is_unanswered(problem) and step_of_problem(problem, steps, rubric, outcome) == step
    ]
    if any(problem.level == "block" for problem in here):
        return "blocked"
    return "warns" if here else None


def step_of_problem(
    problem: Problem, steps: Sequence[WorkStep], rubric: Rubric, outcome: CheckOutcome
) -> WorkStep | None:
    """Return the step in which a problem can be fixed: that of its question, else of its response or tools."""
    stop = stop_of(outcome.places[problem.where])
    here = [step for step in steps if step.place == stop and step.kind != PROMPT_STEP]
    about = question_of_problem(rubric, problem)
    asking = next((step for step in here if about is not None and about in step.questions), None)
    if asking is not None:
        return asking
    tools = next((step for step in here if step.kind == "tools"), None)
    rule = rule_of_problem(rubric, problem)
    condition = (rule.require or rule.when or {}) if rule is not None else {}
    if tools is not None and any(name.startswith("tool") for name in condition):
        return tools
    return next(iter(here), None)


def current_work_step(
    steps: Sequence[WorkStep], reading: str | None, stop: Place, question: str | None
) -> WorkStep | None:
    """Return the current step: the reading step, else the step of the current question."""
    read = next((step for step in steps if step.id == reading), None)
    if read is not None and (read.kind == PROMPT_STEP or read.place == stop):
        return read
    here = [step for step in steps if step.place == stop and step.kind != PROMPT_STEP]
    return next((step for step in here if question in step.questions), next(iter(here), None))


def first_reading_step(
    steps: Sequence[WorkStep], states: Sequence[StepState], stop: Place, *, from_start: bool = False
) -> str | None:
    """Return the reading step to start with at a stop; the prompt if the whole task is new (`from_start`)."""
    for step, state in zip(steps, states, strict=True):
        wanted = step.kind == PROMPT_STEP if from_start else step.place == stop and step.kind != PROMPT_STEP
        if wanted:
            return step.id if step.reads and state == "todo" else None
    return None


def next_work_step(steps: Sequence[WorkStep], states: Sequence[StepState], current: WorkStep) -> WorkStep | None:
    """Return the next step that is not done."""
    index = steps.index(current) + 1
    return next(
        (step for step, state in zip(steps[index:], states[index:], strict=True) if state in ("todo", "blocked")), None
    )


TargetStateKind = Literal["todo", "part", "label", "done", "suggested", "skipped"]
TargetLabel = tuple["Question", "Choice"]


class TargetState(Struct, frozen=True):
    """State of a target. `label` is the rater's, or the bundle's suggestion if `kind` is "suggested"."""

    kind: TargetStateKind
    label: TargetLabel | None = None
    blocked: bool = False

    @property
    def tone(self) -> str:
        """Return the tone of the chosen label; a suggestion has none."""
        return self.label[1].tone if self.label is not None and self.kind != "suggested" else ""

    @property
    def shape(self) -> str:
        """Return the shape of the state: the label's own, else that of the kind."""
        own = self.label[1].shape if self.label is not None and self.kind == "label" else ""
        return own or ("done" if self.kind == "label" else self.kind)

    @property
    def text(self) -> str:
        """Return the label as text, empty without one."""
        return label_text(self.label) if self.label is not None else ""


def label_text(label: TargetLabel) -> str:
    """Return a label as text: its choice, with the question if the choice alone is unclear, as in "No"."""
    question, choice = label
    return choice.label if question.per == "claim" else f"{question.ask} {choice.label}"


def all_target_states(
    rubric: Rubric,
    task: Task,
    rating: Rating,
    outcome: CheckOutcome,
    stops: Iterable[Place],
    before: tuple[CheckOutcome, dict[Place, TargetState]] | None = None,
) -> dict[Place, TargetState]:
    """Return the state of each stop of a task; those of targets that were not checked again are as `before` an edit."""
    same: dict[Place, TargetState] = {}
    if before is not None:
        earlier_outcome, states = before
        unchanged = {name for name, part in outcome.parts.items() if name and earlier_outcome.parts.get(name) is part}
        same = {stop: state for stop, state in states.items() if stop.target in unchanged}
    places = outcome.places
    wrong = {
        stop_of(places[problem.where])
        for problem in outcome.problems
        if problem.level == "block" and not problem.rule.startswith(REQUIRED_PREFIX)
    }
    return {
        stop: same.get(stop) or _stop_state(rubric, task, rating, outcome, stop, blocked=stop in wrong)
        for stop in stops
    }


def own_label(rubric: Rubric, rating: Rating, outcome: CheckOutcome, stop: Place) -> TargetLabel | None:
    """Return the rater's label of a stop; with claims the worst of theirs, once each has one."""
    claims = [claim.id for claim in visible_claims(outcome, rating, stop.target)]
    worst = _worst_label(rubric, outcome, stop, claims) if claims else None
    return worst or label_of_answers(rubric, _answers(outcome, stop))


def claim_label(rubric: Rubric, outcome: CheckOutcome, place: Place) -> TargetLabel | None:
    """Return the rater's label of a claim."""
    return label_of_answers(rubric, _answers(outcome, place))


def worst_labels(
    rubric: Rubric, outcome: CheckOutcome, stop: Place, claims: Iterable[Claim]
) -> tuple[TargetLabel, ...]:
    """Return the worst answer that the claims have so far, for each question that is combined from them."""
    labels = []
    answers = [_answers(outcome, Place(stop.response, stop.target, claim.id)) for claim in claims]
    for name, order in rubric.file.combine.items():
        question = rubric.questions[name].question
        given = [claim_answers.get(name) for claim_answers in answers]
        worst = next((value for value in order if any(same_value(value, answer) for answer in given)), None)
        choice = _choice_for(question, worst)
        if choice is not None:
            labels.append((question, choice))
    return tuple(labels)


def _stop_state(
    rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome, stop: Place, *, blocked: bool
) -> TargetState:
    if rating.status == "skipped":
        return TargetState("skipped")
    label = own_label(rubric, rating, outcome, stop)
    if label is not None:
        return TargetState("skipped" if label[1].shape == "skipped" else "label", label, blocked)
    suggested = suggest.open_suggestions(rubric, task, rating, outcome, stop)
    answered = any(value is not None for value in _answers(outcome, stop).values())
    if suggested and not answered:
        return TargetState("suggested", label_of_answers(rubric, suggested))
    where = place_path(stop)
    claims = visible_claims(outcome, rating, stop.target)
    places = [where, *(f"{where}/claims/{claim.id}" for claim in claims)]
    questions = [question for place in places for question in outcome.asked.get(place, ())]
    if questions and not any(question.is_open for question in questions):
        return TargetState("done", None, blocked)
    return TargetState("part" if answered else "todo", None, blocked)


def _answers(outcome: CheckOutcome, place: Place) -> dict[str, Any]:
    return {question.question.id: question.value for question in outcome.asked.get(place_path(place), ())}


def label_of_answers(rubric: Rubric, given: Mapping[str, Any]) -> TargetLabel | None:
    """Return the answer among those to a place that is its label."""
    for name, needs_tone in rubric.label_order:
        question = rubric.questions[name].question
        choice = _choice_for(question, given.get(name))
        if choice is not None and (choice.tone or not needs_tone):
            return question, choice
    return None


def _choice_for(question: Question, value: Any) -> Choice | None:
    return (
        next((choice for choice in question.choices if same_value(choice.id, value)), None)
        if value is not None
        else None
    )


def _worst_label(rubric: Rubric, outcome: CheckOutcome, stop: Place, claims: list[str]) -> TargetLabel | None:
    for name, order in rubric.file.combine.items():
        given = [_answers(outcome, Place(stop.response, stop.target, claim)).get(name) for claim in claims]
        if any(value is None for value in given):
            continue
        worst = next((value for value in order if any(same_value(value, answer) for answer in given)), None)
        question = rubric.questions[name].question
        choice = _choice_for(question, worst)
        if choice is not None:
            return question, choice
    return None
