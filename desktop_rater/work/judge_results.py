"""Each rating of a results zip, judged again: whether it is what was exported, and whether a rule breaks."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.lines import RatingLine, TaskLine
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model import edit
from desktop_rater.model.canonical import sha256
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import HistoryLine
from desktop_rater.model.rating import Problem, Rating
from desktop_rater.model.task import Task
from desktop_rater.rubric import Outcome, Rubric, check, leaving, leaving_sha256
from desktop_rater.rubric.leaving import OUTSIDE_HASH
from desktop_rater.rubric.suggestions import counted
from desktop_rater.work import rubrics
from desktop_rater.work.as_rated import Places

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.bundle.results import OpenResults

_MOST_BYTES = 20_000_000  # of tasks whose places are kept
_ALTERED = "Ask the rater to export again."


class Known:
    """Rubrics and places of targets that several results zips share, each worked out once.

    Of tasks the last ones are kept: results of many raters hold the same ones, and memory stays bounded.
    """

    def __init__(self) -> None:
        self._rubrics: dict[tuple[str, str | None], Rubric] = {}
        self._borrowed: dict[tuple[str, str], bool] = {}
        self._places: dict[tuple[bytes, str, str], Places] = {}
        self.tasks: dict[bytes, Task] = {}
        self._size = 0

    def rubric(self, ref: str, toml: str | None, source: str) -> Rubric:
        """By which results were rated. Raises `RubricError`."""
        if (ref, toml) not in self._rubrics:
            self._rubrics[ref, toml] = rubrics.of_bundle(ref, toml, source)
        return self._rubrics[ref, toml]

    def is_under_a_borrowed_name(self, ref: str, toml: str | None) -> bool:
        """Whether results bring a rubric that is called like a built-in one, and is another."""
        if toml is None:
            return False
        if (ref, toml) not in self._borrowed:
            self._borrowed[ref, toml] = rubrics.is_under_a_borrowed_name(self.rubric(ref, toml, ref))
        return self._borrowed[ref, toml]

    def places(self, line: TaskLine, rubric: Rubric, lang: str) -> Places:
        """Where the targets of a task stand. Raises `BundleError` for a line that is no task."""
        if line.task is None:
            raise BundleError(line.trouble)
        key = line.raw, rubric.basis, lang
        if key not in self._places:
            self._size += len(line.raw)
            if self._size > _MOST_BYTES:
                self._places.clear()
                self.tasks.clear()
                self._size = len(line.raw)
            self.tasks[line.raw] = line.task
            self._places[key] = Places(line.task, rubric, lang)
        return self._places[key]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A rating that is what was exported. `broken`: the blocking problems of one that is called complete.

    `sha256` is that of its leaving form; `counts_wrong`: its suggestions came to something else than it says.
    """

    line: RatingLine
    task_line: TaskLine
    history: tuple[HistoryLine, ...]
    task: Task
    outcome: Outcome
    sha256: str
    broken: tuple[Problem, ...] = ()
    counts_wrong: bool = False
    strange_borders: tuple[str, ...] = ()


def judge_results(path: Path, results: OpenResults, rubric: Rubric, known: Known) -> Iterator[Judged]:
    """Each rating in turn. Raises `BundleError` where something is not as it was exported."""
    manifest = results.manifest
    total = manifest.counts.complete + manifest.counts.skipped
    if total == 0 or total > manifest.counts.tasks or (total < manifest.counts.tasks) is not manifest.partial:
        raise _altered(path, "Its manifest says that it is partial or whole, and its counts say otherwise")
    for line, task_line, history in side_by_side(path, results, known):
        rating = line.rating
        digest = _refuse_altered(path, results, line, history)
        task = known.places(task_line, rubric, manifest.bundle.language).of(rating)
        outcome = check(rubric, task, rating)
        broken = outcome.blocking and rating.status == "complete"
        if not broken:
            _compare(path, rating, outcome)
        yield Judged(
            line=line,
            task_line=task_line,
            history=tuple(history),
            task=task,
            outcome=outcome,
            sha256=digest,
            broken=tuple(one for one in outcome.problems if one.level == "block") if broken else (),
            counts_wrong=task.suggestions is not None and counted(rubric, task, rating, outcome) != rating.suggestions,
            strange_borders=tuple(_strange_borders(task, rating)),
        )


def side_by_side(
    path: Path, results: OpenResults, known: Known
) -> Iterator[tuple[RatingLine, TaskLine, list[HistoryLine]]]:
    """Each rating with its task and history: the three files have one order, so none has to stand in memory."""
    tasks = results.tasks(known.tasks)
    histories = groupby(results.history(), key=lambda line: line.task)
    for line in results.ratings():
        name = line.rating.task
        task = next(tasks, None)
        told, history = next(histories, (None, iter(())))
        if task is None or task.id != name or told != name:
            raise _altered(path, f'Task "{name}" does not stand in the same place in all files')
        yield line, task, list(history)
    more = next(tasks, None)
    if more is not None:
        raise _altered(path, f'tasks.jsonl holds task "{more.id}", which has no rating here')
    surplus = next(histories, None)
    if surplus is not None:
        raise _altered(path, f'history.jsonl tells of task "{surplus[0]}", which has no rating here')


def _refuse_altered(path: Path, results: OpenResults, line: RatingLine, history: list[HistoryLine]) -> str:
    """The SHA-256 of a rating's leaving form. Raises `BundleError` where it is not what was exported."""
    rating = line.rating
    where = f'Task "{rating.task}"'
    manifest = results.manifest
    if rating.status == "incomplete":
        raise _altered(path, f"{where}: its rating is incomplete, and such do not leave")
    if (rating.rater, rating.rubric) != (manifest.rater, manifest.rubric):
        raise _altered(path, f"{where}: its rating names another rater or rubric than the manifest")
    numbers = [revision.revision for revision in history]
    if numbers != list(range(1, rating.revision + 1)) or not numbers:
        raise _altered(path, f"{where}: its history does not lead to revision {rating.revision}")
    digest = _sha256(line, history[-1].sha256)
    if history[-1].sha256 != digest or rating.changed not in (None, history[-1].changed):
        raise _altered(path, f"{where}: its rating is not the one of which the history tells")
    return digest


def _sha256(line: RatingLine, told: str) -> str:
    """The SHA-256 of a rating's leaving form. Where the very line has the one that is told, nothing is written anew."""
    if b"null" not in line.raw:  # what has no value does not stand in the form
        plain = msgspec.json.decode(line.raw)
        rest = {key: value for key, value in plain.items() if key not in OUTSIDE_HASH}
        if sha256(msgspec.json.encode(rest, order="sorted")) == told:
            return told
    return leaving_sha256(line.rating)


def _compare(path: Path, rating: Rating, outcome: Outcome) -> None:
    """Raise where the rating says that something else was decided, or holds what is hidden."""
    where = f'Task "{rating.task}"'
    again = leaving(rating, outcome)
    if _differ(again.decided, rating.decided) or _differ(again.problems, rating.problems):
        raise _altered(path, f"{where}: it says that something else was decided than its answers imply")
    if _differ(again.answers, rating.answers) or again.evidence != rating.evidence:
        raise _altered(path, f"{where}: it holds answers or evidence that are hidden")


def _differ(one: Any, other: Any) -> bool:
    """Whether two parts of ratings would be written differently."""
    return one != other and to_plain(one) != to_plain(other)


def _strange_borders(task: Task, rating: Rating) -> Iterator[str]:
    """Corrected borders that tell of no target as it stands in this task: no judgement hangs on them."""
    for name, border in rating.borders.items():
        target = task.target(name)
        if target is None or not edit.belongs(task, target, border):
            yield f'The corrected border of "{name}" in task "{task.id}" does not fit the text.'


def _altered(path: Path, what: str) -> BundleError:
    return BundleError(f"{path.name} has been altered or damaged", f"{what}.", _ALTERED)
