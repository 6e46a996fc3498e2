"""Targets of the open task that are selected to be answered together. Pure."""

import re
from collections.abc import Iterable, Sequence

from desktop_rater.model.task import Task

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LIST_LINE = re.compile(r"[ \t]{2,}\S|[ \t]*(?:[-*+•‣◦–]|\d{1,9}[.)])[ \t]")  # an item, or a further line of it


class TargetSelection:
    """The selected targets; none while each target is answered by itself.

    A range goes from its anchor to its moving `end`; `targets` are in no order.
    """

    def __init__(self) -> None:
        self.targets: frozenset[str] = frozenset()
        self.end: str | None = None
        self._anchor: str | None = None

    def __len__(self) -> int:
        return len(self.targets)

    def clear(self) -> None:
        self.targets, self.end, self._anchor = frozenset(), None, None

    def extend_to(self, order: Sequence[str], here: str, target: str) -> None:
        """Select the range from the anchor, which is `here` at first, to a target."""
        anchor = self._anchor if self._anchor in order else here
        first, last = sorted((order.index(anchor), order.index(target)))
        self._set(order[first : last + 1])
        self._anchor, self.end = anchor, target

    def switch(self, here: str, target: str) -> None:
        """Select a target besides the others, or leave it out."""
        self._set({here, *self.targets} ^ {target} if target != here else self.targets)
        self._anchor = self.end = target

    def select(self, targets: Iterable[str]) -> None:
        self._set(targets)
        self._anchor = self.end = None

    def leave_out(self, targets: Iterable[str]) -> None:
        self._set(self.targets.difference(targets))

    def _set(self, targets: Iterable[str]) -> None:
        chosen = frozenset(targets)
        self.targets = chosen if len(chosen) > 1 else frozenset()


def end_of_block(task: Task, order: Sequence[str], target: str, direction: int) -> str:
    """Return the last target (or the first, backwards) of the table, list or paragraph that a target is in.

    At the end of its block that is the last target of its response. `order` are the targets as they are rated.
    """
    start = reached = task.target(target)
    response = task.response(start.response) if start is not None else None
    if start is None or reached is None or response is None:
        return target
    index = order.index(target)
    names = order[index + 1 :] if direction > 0 else order[:index][::-1]
    way = [other for name in names if (other := task.target(name)) is not None and other.response == response.id]
    for following in way:
        first, second = (reached, following) if direction > 0 else (following, reached)
        apart = _BLANK_LINE.search(response.text, first.end or 0, second.start or 0)
        if apart and not all(_is_in_list(response.text, part.start or 0) for part in (first, second)):
            break
        reached = following
    return way[-1].id if reached is start and way else reached.id


def _is_in_list(text: str, offset: int) -> bool:
    """Return whether the line of an offset belongs to an item of a list, whose items may be blank lines apart."""
    return _LIST_LINE.match(text, text.rfind("\n", 0, offset) + 1) is not None
