"""A task with its rating as a sequence of text blocks, for printing and for copying as plain text. Pure."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from desktop_rater.format.rating import Claim, Evidence, Rating
from desktop_rater.format.task import Response, Target, Task
from desktop_rater.rubric import CheckOutcome
from desktop_rater.rubric.load import format_answer

BlockKind = Literal[
    "task", "turn", "prompt", "reference", "response", "target", "claim", "answer", "evidence", "note", "skipped"
]


class TaskBlock(NamedTuple):
    """One block. `name` is what it belongs to: a role, a response, a question or a number."""

    kind: BlockKind
    name: str = ""
    text: str = ""
    evidence: Evidence | None = None


def task_blocks(task: Task, rating: Rating, outcome: CheckOutcome) -> tuple[TaskBlock, ...]:
    """Return a task and its rating: the texts with numbered targets, and what the rater says of each."""
    return tuple(_task_blocks(task, rating, outcome))


def target_blocks(task: Task, rating: Rating, outcome: CheckOutcome, target: Target) -> tuple[TaskBlock, ...]:
    """Return one target with what the rater says of it."""
    response = task.response(target.response)
    targets = targets_in_order(task, response) if response is not None else ()
    number = targets.index(target) + 1 if target in targets else 0
    return tuple(_target(rating, outcome, target, _offset(task, target.response) + number))


def targets_in_order(task: Task, response: Response) -> tuple[Target, ...]:
    """Return the targets of a response in the order of its text."""
    own = (target for target in task.targets or () if target.response == response.id)
    return tuple(sorted(own, key=lambda target: target.start or 0))


def numbered_text(text: str, targets: Iterable[Target], first: int) -> str:
    """Return a text with the number of each target before it, as in "[3] Paris is a city."."""
    starts = sorted(((target.start or 0, number) for number, target in enumerate(targets, first)), reverse=True)
    for start, number in starts:
        text = f"{text[:start]}[{number}] {text[start:]}"
    return text


def _offset(task: Task, response_id: str) -> int:
    """Return the number of targets in the responses before one."""
    names = [response.id for response in task.responses]
    before = set(names[: names.index(response_id)]) if response_id in names else set()
    return sum(target.response in before for target in task.targets or ())


def _task_blocks(task: Task, rating: Rating, outcome: CheckOutcome) -> Iterator[TaskBlock]:
    yield TaskBlock("task", task.id)
    for turn in task.history:
        yield TaskBlock("turn", turn.role, turn.text)
    yield TaskBlock("prompt", text=task.prompt.text)
    if task.reference is not None:
        yield TaskBlock("reference", text=task.reference)
    for response in task.responses:
        targets, before = targets_in_order(task, response), _offset(task, response.id)
        name = response.id if len(task.responses) > 1 else ""
        yield TaskBlock("response", name, numbered_text(response.text, targets, before + 1))
        for number, target in enumerate(targets, before + 1):
            yield from _target(rating, outcome, target, number)
        yield from _said_at(rating, outcome, f"responses/{response.id}")
    yield from _said_at(rating, outcome, "task")
    if rating.skipped is not None and rating.status == "skipped":
        yield TaskBlock("skipped", rating.skipped.reason, rating.skipped.comment)
    if rating.note:
        yield TaskBlock("note", text=rating.note)


def _target(rating: Rating, outcome: CheckOutcome, target: Target, number: int) -> Iterator[TaskBlock]:
    where = f"targets/{target.id}"
    yield TaskBlock("target", str(number), target.quote or "")
    claims: tuple[Claim, ...] = rating.claims.get(target.id, ())
    kept = [claim for claim in claims if f"{where}/claims/{claim.id}" in outcome.kept]
    for index, claim in enumerate(kept, 1):
        yield TaskBlock("claim", str(index), claim.text)
        yield from _said_at(rating, outcome, f"{where}/claims/{claim.id}")
    yield from _said_at(rating, outcome, where)


def _said_at(rating: Rating, outcome: CheckOutcome, where: str) -> Iterator[TaskBlock]:
    for item in outcome.asked.get(where, ()):
        if item.value is not None:
            yield TaskBlock("answer", item.question.ask, format_answer(item.question, item.value))
    for piece in rating.evidence:
        if f"{where}/evidence/{piece.id}" in outcome.kept:
            yield TaskBlock("evidence", evidence=piece)
