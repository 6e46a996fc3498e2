"""Whether a task is shown as a pair. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric

PAIR = 2


def is_pair(rubric: Rubric | None, task: Task | None) -> bool:
    """Two responses that are compared: something is asked of the whole task, and nothing of targets or claims."""
    if rubric is None or task is None or len(task.responses) != PAIR:
        return False
    return not rubric.per_target and bool(rubric.asking["task"]) and bool(rubric.asking["response"])
