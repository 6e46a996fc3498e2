"""Check results from scratch, with nothing else at hand: files, hashes, history, and every rule again."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.results import open_results
from desktop_rater.bundle.targets import prepare
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model import edit
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import Problem, Rating
from desktop_rater.rubric import Outcome, Rubric, check, leaving, leaving_sha256
from desktop_rater.rubric.suggestions import counted
from desktop_rater.work import rubrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.bundle.lines import TaskLine
    from desktop_rater.bundle.results import OpenResults
    from desktop_rater.model.manifests import HistoryLine
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.task import Task

_ALTERED = "Ask the rater to export again."
_STEP = 200


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Results that are what they say. `broken`: (task id, blocking problems) of ratings that are called complete."""

    bundle: str
    revision: int
    rater: str
    complete: int
    skipped: int
    partial: bool
    practice: bool = False
    broken: tuple[tuple[str, tuple[Problem, ...]], ...]
    notes: tuple[str, ...]


def check_results(path: Path, progress: Progress) -> Checked:
    """Raises `BundleError` for what is no results zip, altered or damaged, and `RubricError` for its rubric."""
    with open_results(path) as results:
        manifest = results.manifest
        results.verify_files(progress)
        rubric = rubrics.of_bundle(manifest.rubric, results.rubric_toml, path.name)
        notes: list[str] = []
        if rubrics.is_under_a_borrowed_name(rubric):
            notes.append(f"The results bring a rubric of their own under the name {rubric.ref}: read its rules first.")
        broken = []
        missing: set[str] = set()
        miscounted = 0
        total = manifest.counts.complete + manifest.counts.skipped
        if total == 0 or total > manifest.counts.tasks or (total < manifest.counts.tasks) is not manifest.partial:
            raise _altered(path, "Its manifest says that it is partial or whole, and its counts say otherwise")
        for done, (rating, task, history) in enumerate(side_by_side(path, results), 1):
            problems = _judge(path, results, rubric, task, rating, history)
            if problems:
                broken.append((rating.task, problems))
            miscounted += _is_miscounted(task, rating, rubric, manifest.bundle.language)
            if rating.borders:
                notes += _strange_borders(as_rated(task, rating, rubric, manifest.bundle.language), rating)
            missing |= {piece.snapshot for piece in rating.evidence if piece.snapshot} - set(results.snapshots)
            if done % _STEP == 0:
                progress(done, total)
        return Checked(
            bundle=manifest.bundle.id,
            revision=manifest.bundle.revision,
            rater=manifest.rater,
            complete=manifest.counts.complete,
            skipped=manifest.counts.skipped,
            partial=manifest.partial,
            practice=manifest.practice,
            broken=tuple(broken),
            notes=(
                *notes,
                *_miscounted(miscounted),
                *(f"The snapshot {sha256} is named by evidence and is not here." for sha256 in sorted(missing)),
            ),
        )


def side_by_side(path: Path, results: OpenResults) -> Iterator[tuple[Rating, TaskLine, list[HistoryLine]]]:
    """Each rating with its task and history: the three files have one order, so none has to stand in memory."""
    tasks = results.tasks()
    histories = groupby(results.history(), key=lambda line: line.task)
    for line in results.ratings():
        rating = line.rating
        task = next(tasks, None)
        name, history = next(histories, (None, iter(())))
        if task is None or task.id != rating.task or name != rating.task:
            raise _altered(path, f'Task "{rating.task}" does not stand in the same place in all files')
        yield rating, task, list(history)
    more = next(tasks, None)
    if more is not None:
        raise _altered(path, f'tasks.jsonl holds task "{more.id}", which has no rating here')
    surplus = next(histories, None)
    if surplus is not None:
        raise _altered(path, f'history.jsonl tells of task "{surplus[0]}", which has no rating here')


def _judge(
    path: Path, results: OpenResults, rubric: Rubric, line: TaskLine, rating: Rating, history: list[HistoryLine]
) -> tuple[Problem, ...]:
    """The blocking problems of one rating. Raises `BundleError` where it is not what was exported."""
    where = f'Task "{rating.task}"'
    manifest = results.manifest
    if rating.status == "incomplete":
        raise _altered(path, f"{where}: its rating is incomplete, and such do not leave")
    if (rating.rater, rating.rubric) != (manifest.rater, manifest.rubric):
        raise _altered(path, f"{where}: its rating names another rater or rubric than the manifest")
    numbers = [revision.revision for revision in history]
    if numbers != list(range(1, rating.revision + 1)) or not numbers:
        raise _altered(path, f"{where}: its history does not lead to revision {rating.revision}")
    if history[-1].sha256 != leaving_sha256(rating) or rating.changed not in (None, history[-1].changed):
        raise _altered(path, f"{where}: its rating is not the one of which the history tells")
    task = as_rated(line, rating, rubric, manifest.bundle.language)
    outcome = check(rubric, task, rating)
    if rating.status == "complete" and outcome.blocking:
        return tuple(problem for problem in outcome.problems if problem.level == "block")
    _compare(path, where, rating, outcome)
    return ()


def _compare(path: Path, where: str, rating: Rating, outcome: Outcome) -> None:
    """Raise where the rating says that something else was decided, or holds what is hidden."""
    again = leaving(rating, outcome)
    if _differ(again.decided, rating.decided) or _differ(again.problems, rating.problems):
        raise _altered(path, f"{where}: it says that something else was decided than its answers imply")
    if _differ(again.answers, rating.answers) or again.evidence != rating.evidence:
        raise _altered(path, f"{where}: it holds answers or evidence that are hidden")


def _differ(one: Any, other: Any) -> bool:
    """Whether two parts of ratings would be written differently."""
    return one != other and to_plain(one) != to_plain(other)


def as_rated(line: TaskLine, rating: Rating, rubric: Rubric, lang: str) -> Task:
    """The task as it was rated: the targets that find their place, and those that the rating speaks of.

    Whether a place that is only close was taken is the importer's choice, and shows in the rating.
    """
    task = line.task
    if task is None:
        raise BundleError(line.trouble)
    exact = prepare(task, per_target=rubric.per_target, accept_close=False, lang=lang)
    if not exact.unplaced:
        return exact.task or task
    close = prepare(task, per_target=rubric.per_target, accept_close=True, lang=lang).task or task
    certain = {target.id for target in (exact.task.targets if exact.task else None) or ()}
    spoken = rating.answers.targets.keys() | rating.claims.keys()
    return replace(close, targets=tuple(one for one in close.targets or () if one.id in certain | spoken))


def _is_miscounted(line: TaskLine, rating: Rating, rubric: Rubric, lang: str) -> bool:
    """Whether the suggestions came to something else than the rating says; no judgement hangs on it."""
    if line.task is None or line.task.suggestions is None:
        return False
    task = as_rated(line, rating, rubric, lang)
    return counted(rubric, task, rating, check(rubric, task, rating)) != rating.suggestions


def _miscounted(ratings: int) -> list[str]:
    return [f"Ratings whose counts of suggestions are not those of their answers: {ratings:,}."] if ratings else []


def _strange_borders(task: Task, rating: Rating) -> Iterator[str]:
    """Corrected borders that tell of no target as it stands in this task: no judgement hangs on them."""
    for name, border in rating.borders.items():
        target = task.target(name)
        if target is None or not edit.belongs(task, target, border):
            yield f'The corrected border of "{name}" in task "{task.id}" does not fit the text.'


def _altered(path: Path, what: str) -> BundleError:
    return BundleError(f"{path.name} has been altered or damaged", f"{what}.", _ALTERED)
