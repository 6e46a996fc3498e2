"""Put a rubric into a store of its own, with tasks that show its form; and again after each change of its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import Kept, to_plain
from desktop_rater.model.limits import format_time
from desktop_rater.model.progress import Progress
from desktop_rater.rubric import check
from desktop_rater.store import bundles
from desktop_rater.store.history import history
from desktop_rater.store.opening import open_writer
from desktop_rater.work import browse, rubrics
from desktop_rater.work.import_bundle import Imported, import_bundle
from desktop_rater.work.make_bundle import Wanted, make_from_file
from desktop_rater.work.open_task import open_task
from desktop_rater.work.rate import FROM_FILE, rate_from_file
from desktop_rater.work.remember_place import Spot, remember
from desktop_rater.work.sample_tasks import sample_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from desktop_rater.store.store import Store

BUNDLE, RATER = "rubric-preview", "preview"
_MOST_LOOKED_AT = 50


class Previewed(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked at: a TOML file or a built-in id, and the engineer's own tasks and ratings, where there are any.

    `folder` is temporary: the store and all that is made for it lie there.
    """

    rubric: str
    folder: Path
    tasks: Path | None = None
    ratings: Path | None = None
    guidelines: Path | None = None

    @property
    def store(self) -> Path:
        """The store, which nobody else knows."""
        return self.folder / "store"

    @property
    def file(self) -> Path | None:
        """What to look at for changes; a built-in rubric has none."""
        return rubrics.own_file(self.rubric)


def begin_preview(previewed: Previewed, *, now: Callable[[], datetime]) -> None:
    """Make the store. Raises `RaterError`, first of all for a rubric that can't be loaded."""
    rubrics.named(previewed.rubric)
    with open_writer(previewed.store, command="rubric preview") as store:
        renew_preview(store, previewed, now=now)
        if previewed.ratings is not None:
            rate_from_file(store, BUNDLE, previewed.ratings, RATER, progress=Progress(), now=now)
        remember(store, RATER, BUNDLE, _longest_form(store))


def _longest_form(store: Store) -> Spot:
    """Where the most is asked: that is what an author wants to see first."""
    rubric = browse.rubric(store, BUNDLE)
    longest = (0, Spot(task=""))
    for row in browse.task_page(store, BUNDLE, RATER, limit=_MOST_LOOKED_AT).rows:
        opened = open_task(store, BUNDLE, row.id, RATER)
        outcome = check(rubric, opened.task, opened.rating)
        for where, asked in outcome.asked.items():
            if len(asked) > longest[0]:
                longest = len(asked), Spot(task=row.id, place=outcome.places[where])
    return longest[1]


def renew_preview(store: Store, previewed: Previewed, *, now: Callable[[], datetime]) -> Imported:
    """Take the rubric in as it stands now. Answers given by hand stay. Raises `RaterError`: nothing changes then."""
    rubric = rubrics.named(previewed.rubric)
    samples = sample_tasks(rubric) if previewed.tasks is None else ()
    tasks = previewed.tasks or _written(previewed.folder / "tasks.jsonl", [one.task for one in samples])
    known = bundles.find(store, BUNDLE)
    wanted = Wanted(
        rubric=previewed.rubric,
        id=BUNDLE,
        revision=1 if known is None else known.revision + 1,
        title=rubric.file.title or rubric.ref,
        created=format_time(now()),
        guidelines=previewed.guidelines,
    )
    path = previewed.folder / f"{BUNDLE}.zip"
    make_from_file(path, tasks, wanted, Progress())
    imported = import_bundle(store, path, progress=Progress(), now=now)
    fresh = [one.rating for one in samples if _is_untouched(store, one.task.id)]
    if fresh:
        ratings = _written(previewed.folder / "ratings.jsonl", fresh)
        rate_from_file(store, BUNDLE, ratings, RATER, progress=Progress(), now=now)
    return imported


def _is_untouched(store: Store, task: str) -> bool:
    """Whether nobody has answered anything in it by hand."""
    return all(row.done == FROM_FILE for row in history(store, BUNDLE, task, RATER))


def _written(path: Path, things: Iterable[Kept]) -> Path:
    path.write_bytes(b"".join(canonical(to_plain(one)) + b"\n" for one in things))
    return path
