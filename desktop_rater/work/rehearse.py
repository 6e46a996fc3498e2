"""Results of made-up raters: to try an audit before there are real ones, and to see how many raters a bundle needs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.made_up import Base, Traits, base_of, earlier_states, made_up, traits
from desktop_rater.audit.ways import Ways
from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.plain_files import structs
from desktop_rater.bundle.put import put_all_in_place
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.results import NewResults, ResultLines, write_results
from desktop_rater.bundle.sources import Spool
from desktop_rater.bundle.trouble import named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.derived import derived_from
from desktop_rater.model.kept import to_plain
from desktop_rater.model.limits import format_time, parse_time
from desktop_rater.model.manifests import BundleManifest, BundleRef, Counts, HistoryLine
from desktop_rater.model.rating import Rating
from desktop_rater.rubric import check, leaving, leaving_sha256
from desktop_rater.rubric.suggestions import counted
from desktop_rater.work.incoming import LeftOut, incoming, refuse_empty, rubric_of
from desktop_rater.work.known_parts import known_parts
from desktop_rater.work.rate import judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric

NAME = "made-up-{:02}"
MOST_RATERS = 500
_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest that a zip knows, for a bundle that does not say when it was made
_BREAK = 600  # seconds between two tasks at most
_TWICE, _SHARE = 4, 0.3  # each so many-th rater had exported before, so much of the tasks


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted. `noise`: how many of the judgements differ from those of the ratings it starts from."""

    raters: int
    seed: int
    noise: float = 0.1


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A results zip of a made-up rater. `skipped`: tasks that no way was found to rate."""

    out: Path
    rater: str
    sha256: str
    complete: int
    skipped: int
    supersedes: str | None = None


class Rehearsed(msgspec.Struct, frozen=True, kw_only=True):
    """All that was written. `unrated`: tasks that the ratings lack, so that all of their answers are made up."""

    bundle: str
    written: tuple[Written, ...]
    unrated: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class _Task(NamedTuple):
    raw: bytes
    base: Base


class _Stage(NamedTuple):
    """The bundle, read whole; `pages` is where its stored pages lie for now."""

    manifest: BundleManifest
    rubric: Rubric
    rubric_toml: str | None
    ways: Ways
    tasks: list[_Task]
    pages: dict[str, Path]


def rehearse(path: Path, ratings: Path | None, folder: Path, wanted: Rehearsal, progress: Progress) -> Rehearsed:
    """Write the results of so many made-up raters of a bundle to `folder`, all or none. The same seed, the same bytes.

    They rate as `ratings` does, a `.jsonl` file, else as the bundle's gold answers, with noise. Raises `RaterError`.
    """
    names = [NAME.format(number) for number in range(1, wanted.raters + 1)]
    twice = names[_TWICE - 1 :: _TWICE]
    files = [*(f"{name}.zip" for name in names), *(f"{name}-before.zip" for name in twice)]
    with named(folder, "written", TRY_AGAIN):
        folder.mkdir(exist_ok=True)
        with put_all_in_place(folder, files) as beside:
            stage, unrated, left_out = _read(path, ratings, beside, wanted)
            raters = _raters(stage, names, wanted)
            written: list[Written] = []
            for count, rater in enumerate(raters):
                progress(count, len(raters))
                written += _write(stage, rater, beside, wanted.seed, twice=rater.name in twice)
            progress(len(raters), len(raters))
    done = tuple(replace(one, out=folder / one.out.name) for one in written)
    return Rehearsed(bundle=stage.manifest.id, written=done, unrated=tuple(unrated), left_out=tuple(left_out))


def _read(path: Path, ratings: Path | None, folder: Path, wanted: Rehearsal) -> tuple[_Stage, list[str], list[LeftOut]]:
    given = {one.task: one for _, one in structs(ratings, Rating)} if ratings is not None else {}
    unrated: list[str] = []
    left_out: list[LeftOut] = []
    tasks: list[_Task] = []
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
        given = given or {one.task: one for one in bundle.gold()}
        rubric = rubric_of(bundle, path)
        ways = Ways(rubric, _random(wanted.seed, "ways"))
        for line in incoming(bundle.tasks(), rubric, lang=manifest.language):
            left_out += line.left_out
            if line.task is None:
                continue
            task = line.task
            first = given.get(task.id)
            if first is None:
                unrated.append(task.id)
            rating, _ = known_parts(first or Rating(task=task.id), task)
            base = base_of(ways, task, rating, _random(wanted.seed, "task", task.id))
            tasks.append(_Task(line.raw, base))
        refuse_empty(path, len(tasks), left_out)
        bundle.verify_rest()
        pages = _pages(bundle, tasks, folder)
        stage = _Stage(manifest, rubric, bundle.rubric_toml, ways, tasks, pages)
    return stage, unrated, left_out


def _pages(bundle: OpenBundle, tasks: Iterable[_Task], folder: Path) -> dict[str, Path]:
    """The stored pages that the first ratings name, put down so that results can take them along."""
    wanted = {piece.snapshot for task in tasks for piece in task.base.rating.evidence if piece.snapshot}
    found = {}
    for sha256 in sorted(wanted.intersection(bundle.snapshots)):
        found[sha256] = folder / sha256
        with found[sha256].open("wb") as file:
            file.writelines(bundle.snapshot(sha256))
    return found


def _raters(stage: _Stage, names: Iterable[str], wanted: Rehearsal) -> list[Traits]:
    labels = tuple(look.id for look in stage.ways.main.looks) if stage.ways.main is not None else ()
    return [traits(name, wanted.noise, labels, _random(wanted.seed, "rater", name)) for name in names]


def _write(stage: _Stage, rater: Traits, folder: Path, seed: int, *, twice: bool) -> Iterator[Written]:
    supersedes = None
    if twice:
        few = [one for one in stage.tasks if _random(seed, "before", rater.name, one.base.task.id).random() < _SHARE]
        few = few or stage.tasks[:1]
        first = _results(stage, rater, few, folder / f"{rater.name}-before.zip", seed, "before", None)
        supersedes = first.sha256
        yield first
    yield _results(stage, rater, stage.tasks, folder / f"{rater.name}.zip", seed, "rates", supersedes)


def _results(
    stage: _Stage, rater: Traits, tasks: list[_Task], out: Path, seed: int, turn: str, supersedes: str | None
) -> Written:
    manifest = stage.manifest
    clock = parse_time(manifest.created or _NO_TIME) + timedelta(days=1)
    skipped = 0
    named_pages: set[str] = set()
    with Spool(out.parent) as spool:
        lines = ResultLines(spool)
        for task in tasks:
            rating, history = _rated(stage, rater, task, clock, _random(seed, turn, rater.name, task.base.task.id))
            lines.add([canonical(to_plain(rating))], [task.raw], history)
            clock = parse_time(history[-1].changed)
            skipped += rating.status == "skipped"
            named_pages |= {piece.snapshot for piece in rating.evidence if piece.snapshot}
        new = NewResults(
            bundle=BundleRef(
                id=manifest.id,
                revision=manifest.revision,
                sha256=manifest.files[TASKS].sha256,
                language=manifest.language,
                derived=derived_from(manifest.unknown),
            ),
            rater=rater.name,
            rubric=manifest.rubric,
            counts=Counts(tasks=len(stage.tasks), complete=len(tasks) - skipped, skipped=skipped),
            moment=format_time(clock),
            partial=len(tasks) < len(stage.tasks),
            practice=manifest.practice,
            supersedes=supersedes,
            rubric_toml=stage.rubric_toml,
            snapshots={name: path for name, path in stage.pages.items() if name in named_pages},
        )
        sha256 = write_results(out, new, lines)
    done = len(tasks) - skipped
    return Written(out=out, rater=rater.name, sha256=sha256, complete=done, skipped=skipped, supersedes=supersedes)


def _rated(
    stage: _Stage, rater: Traits, task: _Task, clock: datetime, random: Random
) -> tuple[Rating, list[HistoryLine]]:
    """A rating as it leaves, and the revisions that led to it."""
    rating, _ = made_up(stage.ways, task.base, rater, random)
    rating = replace(rating, rater=rater.name, rubric=stage.manifest.rubric)
    history: list[HistoryLine] = []
    left = rating
    begun = clock + timedelta(seconds=random.randrange(_BREAK))
    for state in (*earlier_states(task.base.task, rating, random), rating):
        last = state is rating
        left = _leaving(stage, task.base.task, state, finished=last)
        when = begun + timedelta(seconds=int(state.time.active_seconds + state.time.idle_seconds))
        number = len(history) + 1
        left = replace(left, revision=number, changed=format_time(when))
        done = "finished the task" if last else "answered"
        history.append(
            HistoryLine(
                task=rating.task, revision=number, changed=format_time(when), done=done, sha256=leaving_sha256(left)
            )
        )
    return left, history


def _leaving(stage: _Stage, task: Task, rating: Rating, *, finished: bool) -> Rating:
    outcome = check(stage.rubric, task, rating)
    rating = judged(rating, outcome, as_complete=finished)
    rating = replace(rating, suggestions=counted(stage.rubric, task, rating, outcome))
    return leaving(rating, outcome)


def _random(seed: int, *names: str) -> Random:
    """What this alone is drawn by: the same whatever else is drawn, and in whatever order."""
    return Random("\n".join([str(seed), *names]))  # noqa: S311 - nothing secret hangs on it
