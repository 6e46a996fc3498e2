"""How the targets of a task stand in the eyes of most raters, for the text of the review room. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from desktop_rater.model.place import TASK, Place
from desktop_rater.rubric.values import same
from desktop_rater.ui.labels import TargetState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.audit.disagreement import Label
    from desktop_rater.audit.items import Item
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.review.looks import Looks


def place_of(task: Task, where: str) -> Place:
    """The place that a `where` names; the task itself where that is not in it any more."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        target = task.target(name)
        return Place(response=target.response, target=name) if target is not None else TASK
    return Place(response=name) if kind == "responses" and task.response(name) is not None else TASK


def states_of(items: Iterable[Item], looks: Looks, rubric: Rubric) -> dict[str, TargetState]:
    """Target → its final label, else the one that most raters gave. `items` are those of one task."""
    found = {}
    for item in items:
        kind, _, name = item.where.partition("/")
        if kind == "targets":
            found[name] = _state(_label(item), looks, rubric)
    return found


def _label(item: Item) -> Label | None:
    if item.final is not None or item.tied:
        return item.final
    given = Counter(one.label for one in item.entries if one.label is not None)
    return given.most_common(1)[0][0] if given else None


def _state(label: Label | None, looks: Looks, rubric: Rubric) -> TargetState:
    if label is None:
        return TargetState("todo")
    judged = looks.judged.get(label.question)
    names = [judged.question, *(one[0] for one in judged.closing)] if judged is not None else []
    closed = {one[2]: one[1] for one in judged.closing} if judged is not None else {}
    for name in names:
        question = rubric.questions[name].question
        for choice in question.choices:
            if same(choice.id, label.value) or choice.id == closed.get(str(label.value)):
                return TargetState("label", (question, choice))
    return TargetState("done")
