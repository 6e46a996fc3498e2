"""Say whether everything is here, and who is missing what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, show, some
from desktop_rater.cli.desk import desk_to_read
from desktop_rater.cli.signed import signing_words
from desktop_rater.store.opening import open_reader
from desktop_rater.work.audit_desk import audits
from desktop_rater.work.audit_status import assignment, audit_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.status import RaterState, Status, TaskState

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("bundle", required=False, type=KNOWN)
@click.option("--assigned", type=_FILE, help="The table of `bundle assign`: then who sent nothing shows too.")
@json_option
@click.pass_obj
def status(folder: Path, bundle: str | None, assigned: Path | None, *, as_json: bool) -> int:
    """Say whether all results of a bundle are here: who is missing what, and what stands open.

    Without BUNDLE each bundle with results is told of. The status is 0 where everything is here, and 1 where
    something is missing or open, or a signature is not right.
    """
    if assigned is not None and bundle is None:
        raise click.UsageError("--assigned is of one bundle: name it.")
    whose = assignment(assigned) if assigned is not None else None
    store = open_reader(folder) if bundle is None else desk_to_read(folder, bundle)
    found: list[Status] = []
    if store is not None:
        with store, store.at_one_moment():
            names = [bundle] if bundle is not None else audits(store)
            found = [audit_status(store, name, whose) for name in names]
    lines = [line for one in found for line in words(one)]
    show({"bundles": [one.plain() for one in found]}, lines or ["No results were received yet."], as_json=as_json)
    doubtful = any(signing.doubtful for one in found for rater in one.raters for signing in rater.signings)
    return LOOK if doubtful or not all(one.whole for one in found) else DONE


def words(one: Status) -> Iterator[str]:
    """A line for the bundle, one for each rater, and one for each task that is short of ratings."""
    title = f" ({one.title})" if one.title != one.bundle else ""
    here = "everything is here" if one.whole else "something is missing or open"
    yield f"{one.bundle}{title}: {one.ratings:,} ratings of {one.tasks:,} tasks, {here}"
    for rater in one.raters:
        yield f"  {rater.rater}: {', '.join(_of(rater))}"
    unrated = sum(not task.ratings for task in one.short)
    if one.short:
        yield f"  Tasks with too few ratings: {len(one.short):,}, without any: {unrated:,}"
    yield from (f"    {line}" for line in first([_short(task) for task in one.short]))


def _short(task: TaskState) -> str:
    who = f", {some(task.lacking)} still to rate it" if task.lacking else ""
    return f"{task.task}: {task.ratings:,} ratings{who}"


def _of(rater: RaterState) -> Iterator[str]:
    if not rater.results:
        yield f"nothing came yet, {rater.due:,} tasks due"
        return
    yield f"{rater.complete:,} complete" + (f" of {rater.due:,}" if rater.due else "")
    if rater.skipped:
        yield f"{rater.skipped:,} skipped"
    if rater.lacks:
        yield f"{rater.lacks:,} missing" + (f" ({some(rater.lacking)})" if rater.lacking else "")
    for count, what in (
        (len(rater.forked), "tasks with two ratings that do not name each other"),
        (len(rater.stale), "of a text or rubric that is not the latest"),
        (len(rater.unknown_before), "results that take the place of some that are not here"),
        (rater.earlier, "replaced by newer ones"),
        (rater.reworked, "reworked"),
        (rater.unsent, "verdicts to send"),
        (len(rater.out), "sent back and still out"),
        (len(rater.strange), "that were not assigned"),
    ):
        if count:
            yield f"{count:,} {what}"
    if rater.signing is not None and rater.signing.kind != "unsigned":
        yield signing_words(rater.signing)
    for holds, what in ((rater.model, "a model"), (rater.practice, "practice"), (rater.partial, "partial")):
        if holds:
            yield what
