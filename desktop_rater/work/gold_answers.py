"""Gold answers on their way into a bundle or a store: each has to answer a task of the bundle, whole, by its rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from desktop_rater.bundle.names import GOLD
from desktop_rater.bundle.plain_files import structs_of_lines
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import Rating
from desktop_rater.rubric import Rubric, check, leaving
from desktop_rater.work.known_parts import known_parts
from desktop_rater.work.rate import judged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Outcome

MOST_BYTES = 2**25  # of the gold answers that a rater's store takes; they wait in memory for their tasks
_NAMED = 3


class _Waiting(NamedTuple):
    where: str
    rating: Rating


class GoldAnswers:
    """They wait until their task passes by. `good`: (task id, the line in which it leaves), as the tasks stand.

    `strict`: one that speaks of a target that is not there is no good one. In practice a task has one gold answer.
    """

    def __init__(self, called: str, *, strict: bool, practice: bool) -> None:
        self.good: list[tuple[str, bytes]] = []
        self._called = called
        self._strict = strict
        self._practice = practice
        self._waiting: dict[str, list[_Waiting]] = {}
        self._faults: list[str] = []

    def add(self, where: str, rating: Rating) -> None:
        """Take up a gold answer; `where` names its file and line."""
        others = self._waiting.setdefault(rating.task, [])
        rating = replace(rating, rater=rating.rater or "gold")
        same = next((one for one in others if self._practice or one.rating.rater == rating.rater), None)
        if same is None:
            others.append(_Waiting(where, rating))
        else:
            self._faults.append(f'{where}, task "{rating.task}": {same.where} answers the same task')

    def judge(self, rubric: Rubric, task: Task) -> None:
        """Check what answers a task whose targets are placed."""
        for where, rating in self._waiting.pop(task.id, ()):
            if rating.rubric not in ("", rubric.ref, rubric.file.id):
                self._fault(where, task, f"it answers {rating.rubric}, and the bundle asks {rubric.ref}")
                continue
            known, strange = known_parts(replace(rating, rubric=rubric.ref), task)
            if strange and self._strict:
                self._fault(where, task, f"the task has no {', '.join(strange[:_NAMED])}")
                continue
            outcome = check(rubric, task, known)
            if outcome.blocking:
                self._fault(where, task, f"it is not whole by {rubric.ref}: {_blocking(outcome)}")
                continue
            form = leaving(judged(known, outcome, as_complete=True), outcome)
            self.good.append((task.id, canonical(to_plain(form))))

    def _fault(self, where: str, task: Task, why: str) -> None:
        self._faults.append(f'{where}, task "{task.id}": {why}')

    def faults(self) -> Iterator[str]:
        """What is wrong, once every task has passed by."""
        yield from self._faults
        for waiting in self._waiting.values():
            for where, rating in waiting:
                yield f'{where}, task "{rating.task}": the bundle has no such task'

    def refuse_faults(self) -> None:
        """Raise `BundleError` where something is wrong, or where practice has no gold answer."""
        found = list(self.faults())
        if found:
            more = f" … and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
            raise BundleError(f"{self._called} is refused", f"{'; '.join(found[:_NAMED])}{more}.", "Nothing was made.")
        if self._practice and not self.good:
            raise BundleError(f"{self._called} is refused", "It holds no gold answer.", "Nothing was made.")

    def lines(self) -> Iterator[bytes]:
        """The lines of the good ones. To be read once every task has passed by."""
        for _, line in self.good:
            yield line


def gold_of_file(path: Path | None, *, practice: bool) -> GoldAnswers:
    """The gold answers of a `.jsonl` file. Raises `BundleError`, also for practice without one."""
    if path is None:
        if practice:
            raise BundleError(
                "The bundle can't be made", "After each task of practice its gold answer is shown.", "Add --gold."
            )
        return GoldAnswers(GOLD, strict=True, practice=False)
    answers = GoldAnswers(path.name, strict=True, practice=practice)
    for where, rating in structs_of_lines(path, Rating):
        answers.add(where, rating)
    return answers


def read_gold(bundle: OpenBundle) -> GoldAnswers:
    """The gold answers that a bundle for practice brings; none of any other bundle. Raises `BundleError`."""
    answers = GoldAnswers(GOLD, strict=False, practice=True)
    if not bundle.manifest.practice:
        return answers
    size = bundle.manifest.files[GOLD].bytes
    if size > MOST_BYTES:
        raise BundleError(f"{GOLD} is refused", f"It has {size:,} bytes, and practice takes {MOST_BYTES:,}.")
    for line in bundle.gold_lines():
        answers.add(f"{GOLD}, line {line.number}", line.rating)
    return answers


def _blocking(outcome: Outcome) -> str:
    blocks = [f"{one.rule} at {one.where}" for one in outcome.problems if one.level == "block"]
    more = f" and {len(blocks) - _NAMED:,} more" if len(blocks) > _NAMED else ""
    return ", ".join(blocks[:_NAMED]) + more
