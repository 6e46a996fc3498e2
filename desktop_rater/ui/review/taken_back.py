"""What was said in this sitting, so that it can be taken back and said again. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.ui.review.item_rows import Name
    from desktop_rater.work.review import Step


@dataclass(frozen=True)
class Spoken:
    """One thing that the lead said, and where."""

    steps: tuple[Step, ...]
    name: Name
    rater: str = ""


@dataclass
class Sayings:
    """To take something back is to say what held before. What was said earlier then holds by another revision."""

    done: list[Spoken] = field(default_factory=list)
    undone: list[Spoken] = field(default_factory=list)

    def add(self, spoken: Spoken) -> None:
        """Something new was said: nothing can be said again."""
        if spoken.steps:
            self.done.append(spoken)
            self.undone.clear()

    def took_back(self, spoken: Spoken, steps: Sequence[Step]) -> None:
        """The last thing was taken back by `steps`."""
        self.done.remove(spoken)
        self.undone.append(Spoken(tuple(steps), spoken.name, spoken.rater))
        self.done = _held_by(self.done, spoken.steps, steps)

    def said_again(self, spoken: Spoken, steps: Sequence[Step]) -> None:
        """What was taken back last was said again by `steps`."""
        self.undone.remove(spoken)
        self.done.append(Spoken(tuple(steps), spoken.name, spoken.rater))
        self.undone = _held_by(self.undone, spoken.steps, steps)


def _held_by(kept: list[Spoken], before: Sequence[Step], now: Sequence[Step]) -> list[Spoken]:
    """The state that each subject is in again was said by an earlier revision, and is held by the newest since."""
    newest = {one.subject: one.after for one in now}
    held = {(one.subject, one.before): newest[one.subject] for one in before if one.subject in newest}

    def moved(step: Step) -> Step:
        return replace(step, after=held.get((step.subject, step.after), step.after))

    return [Spoken(tuple(map(moved, one.steps)), one.name, one.rater) for one in kept]
