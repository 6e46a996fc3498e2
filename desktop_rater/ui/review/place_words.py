"""A place in words, as the head of the room says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.moves import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.task import Task

translate = QCoreApplication.translate


def where_words(task: Task, where: str) -> str:
    """The place in its task: "target 3 of 5"."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        order = {response.id: at for at, response in enumerate(task.responses)}
        targets = sorted(task.targets or (), key=lambda one: (order.get(one.response, 0), one.start or 0))
        at = next((at for at, one in enumerate(targets, 1) if one.id == name), 0)
        words = translate("Review", "target {n} of {total}")
        return words.format(n=spelling.number(at), total=spelling.number(len(targets)))
    if kind == "responses":
        return translate("Review", "response {name}").format(name=isolated(spoken(name)[:40]))
    return translate("Review", "the whole task")


def how_many(wheres: Sequence[str]) -> str:
    """So many targets; places, where some of them are none."""
    count, targets = len(wheres), all(one.startswith("targets/") for one in wheres)
    if count == 1:
        return translate("Review", "1 target") if targets else translate("Review", "1 place")
    words = translate("Review", "{n} targets") if targets else translate("Review", "{n} places")
    return words.format(n=spelling.number(count))
