"""The order of work of a task: what is read and what is asked, one after the other. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_rater.model.place import TASK, Place
from desktop_rater.ui import moves

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from desktop_rater.model.rating import Problem
    from desktop_rater.model.task import Response, Task
    from desktop_rater.rubric import Asked, Outcome, Rubric

Kind = Literal["prompt", "response", "tools", "questions"]
State = Literal["todo", "done", "warns", "blocked"]
TOOLS = "tools"
PROMPT = "prompt"


@dataclass(frozen=True)
class WorkStep:
    """`name` is what the rubric calls the questions of the step; `place` is where they are asked."""

    kind: Kind
    place: Place
    name: str = ""
    questions: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.kind if self.kind == PROMPT else f"{self.kind} {moves.where_of(self.place)} {self.name}".strip()

    @property
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return not self.questions


def has_order(rubric: Rubric, task: Task) -> bool:
    """Whether a task is worked through in steps: the rubric names stages, or asks of one response after the other."""
    if rubric.per_target or not rubric.asking["response"]:
        return False
    return len(task.responses) > 1 or any(question.stage for question in rubric.file.questions)


def steps_of(rubric: Rubric, task: Task, outcome: Outcome) -> tuple[WorkStep, ...]:
    """The steps of a task, as the questions that are asked now make them; none where they say nothing."""
    if not has_order(rubric, task):
        return ()
    found = [WorkStep(PROMPT, Place(response=task.responses[0].id) if task.responses else TASK)]
    for response in task.responses:
        found += _of_response(response, outcome)
    found += _asking(TASK, outcome)
    return tuple(found) if len(found) > 1 else ()


def _of_response(response: Response, outcome: Outcome) -> Iterable[WorkStep]:
    place = Place(response=response.id)
    yield WorkStep("response", place)
    asking = _asking(place, outcome)
    about_tools = [step for step in asking if step.kind == "tools"]
    if about_tools:
        yield from about_tools
    elif response.tools:
        yield WorkStep("tools", place)
    yield from (step for step in asking if step.kind != "tools")


def _asking(place: Place, outcome: Outcome) -> list[WorkStep]:
    """The questions of a place in groups: by the stage that they name, else each for itself."""
    groups: dict[str, list[str]] = {}
    last = ""
    for asked in outcome.asked.get(moves.where_of(place), ()):
        last = _group(asked, last)
        groups.setdefault(last, []).append(asked.question.id)
    return [WorkStep(_kind(place, name), place, name, tuple(questions)) for name, questions in groups.items()]


def _group(asked: Asked, before: str) -> str:
    """What can be left open goes with what stands before it."""
    question = asked.question
    return question.stage or (before if before and not asked.required else question.ask)


def _kind(place: Place, name: str) -> Kind:
    return "tools" if place.response is not None and name.casefold() == TOOLS else "questions"


def states_of(
    steps: Sequence[WorkStep], rubric: Rubric, outcome: Outcome, passed: Collection[str]
) -> tuple[State, ...]:
    """How each step stands. What is only read is done once it was `passed`, or something behind it is answered."""
    answered = [_answered(step, outcome) for step in steps]
    last = max((at for at, there in enumerate(answered) if there), default=-1)
    broken = {step: _level(step, steps, rubric, outcome) for step in steps}
    return tuple(
        _state(step, broken[step], read=step.id in passed or at < last, outcome=outcome)
        for at, step in enumerate(steps)
    )


def _state(step: WorkStep, broken: State | None, *, read: bool, outcome: Outcome) -> State:
    if step.reads:
        return (broken or "done") if read else "todo"
    here = _asked(step, outcome)
    is_open = any(one.required and one.value is None for one in here)
    return broken or ("todo" if is_open else "done")


def _answered(step: WorkStep, outcome: Outcome) -> bool:
    return any(one.value is not None for one in _asked(step, outcome))


def _asked(step: WorkStep, outcome: Outcome) -> list[Asked]:
    asked = outcome.asked.get(moves.where_of(step.place), ())
    return [one for one in asked if one.question.id in step.questions]


def _level(step: WorkStep, steps: Sequence[WorkStep], rubric: Rubric, outcome: Outcome) -> State | None:
    here = [one for one in outcome.problems if not moves.is_open(one) and step_of(one, steps, rubric, outcome) == step]
    if any(one.level == "block" for one in here):
        return "blocked"
    return "warns" if here else None


def step_of(problem: Problem, steps: Sequence[WorkStep], rubric: Rubric, outcome: Outcome) -> WorkStep | None:
    """The step where a problem can be mended: that of its question, else where its response or tools are read."""
    stop = moves.stop_of(outcome.places[problem.where])
    here = [step for step in steps if step.place == stop and step.kind != PROMPT]
    about = moves.concerns(rubric, problem)
    asking = next((step for step in here if about is not None and about in step.questions), None)
    if asking is not None:
        return asking
    tools = next((step for step in here if step.kind == "tools"), None)
    if tools is not None and _is_about_tools(rubric, problem):
        return tools
    return next(iter(here), None)


def _is_about_tools(rubric: Rubric, problem: Problem) -> bool:
    rule = next((one for one in rubric.file.rules if one.id == problem.rule), None)
    asked = (rule.require or rule.when or {}) if rule is not None else {}
    return any(name.startswith("tool") for name in asked)


def current_of(steps: Sequence[WorkStep], reading: str | None, stop: Place, rail: str | None) -> WorkStep | None:
    """The step where the rater is: what is being read, else the one with the question at the rail."""
    read = next((step for step in steps if step.id == reading), None)
    if read is not None and (read.kind == PROMPT or read.place == stop):
        return read
    here = [step for step in steps if step.place == stop and step.kind != PROMPT]
    return next((step for step in here if rail in step.questions), next(iter(here), None))


def reading_at(
    steps: Sequence[WorkStep], states: Sequence[State], stop: Place, *, from_start: bool = False
) -> str | None:
    """What has to be read first at a stop; `from_start` where the whole task is new, the prompt."""
    for step, state in zip(steps, states, strict=True):
        wanted = step.kind == PROMPT if from_start else step.place == stop and step.kind != PROMPT
        if wanted:
            return step.id if step.reads and state == "todo" else None
    return None


def onward_from(steps: Sequence[WorkStep], states: Sequence[State], current: WorkStep) -> WorkStep | None:
    """The next step that is not done yet."""
    at = steps.index(current) + 1
    return next(
        (step for step, state in zip(steps[at:], states[at:], strict=True) if state in ("todo", "blocked")), None
    )
