"""Say whether everything is here, and who is missing what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, json_option, show
from desktop_rater.store.opening import open_reader
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.audit_desk import audits
from desktop_rater.work.audit_status import assignment, audit_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.status import RaterState, Status

_FILE = click.Path(path_type=Path)
_NAMED_AT_MOST = 20


@click.command()
@click.argument("bundle", required=False, type=KNOWN)
@click.option("--assigned", type=_FILE, help="The table of `bundle assign`: then who sent nothing shows too.")
@json_option
@click.pass_obj
def status(folder: Path, bundle: str | None, assigned: Path | None, *, as_json: bool) -> int:
    """Say whether all results of a bundle are here: who is missing what, and what stands open.

    Without BUNDLE each bundle with results is told of. The status is 0 where everything is here, and 1 where
    something is missing or open.
    """
    if assigned is not None and bundle is None:
        raise click.UsageError("--assigned is of one bundle: name it.")
    whose = assignment(assigned) if assigned is not None else None
    store = open_reader(folder)
    if store is None:
        if bundle is not None:
            raise NotThere(f"There are no results of a bundle {bundle!r} in the store.", f"{folder} is no store yet.")
        found: list[Status] = []
    else:
        with store, store.at_one_moment():
            names = [bundle] if bundle is not None else audits(store)
            found = [audit_status(store, name, whose) for name in names]
    lines = [line for one in found for line in words(one)]
    show({"bundles": [one.plain() for one in found]}, lines or ["No results were received yet."], as_json=as_json)
    return DONE if all(one.whole for one in found) else LOOK


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
    for task in one.short[:_NAMED_AT_MOST]:
        who = f", {_some(task.lacking)} still to rate it" if task.lacking else ""
        yield f"    {task.task}: {task.ratings:,} ratings{who}"
    if len(one.short) > _NAMED_AT_MOST:
        yield f"    … and {len(one.short) - _NAMED_AT_MOST:,} more"


def _of(rater: RaterState) -> Iterator[str]:
    if not rater.results:
        yield f"nothing came yet, {rater.due:,} tasks due"
        return
    yield f"{rater.complete:,} complete" + (f" of {rater.due:,}" if rater.due else "")
    if rater.skipped:
        yield f"{rater.skipped:,} skipped"
    if rater.lacks:
        yield f"{rater.lacks:,} missing" + (f" ({_some(rater.lacking)})" if rater.lacking else "")
    for count, what in (
        (len(rater.forked), "tasks with two ratings that do not name each other"),
        (len(rater.stale), "of a text or rubric that is not the latest"),
        (len(rater.unknown_before), "results that take the place of some that are not here"),
        (rater.earlier, "replaced by newer ones"),
        (rater.reworked, "reworked"),
        (len(rater.strange), "that were not assigned"),
    ):
        if count:
            yield f"{count:,} {what}"
    for holds, what in ((rater.model, "a model"), (rater.practice, "practice"), (rater.partial, "partial")):
        if holds:
            yield what


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED_AT_MOST:,} more" if len(names) > _NAMED_AT_MOST else ""
    return ", ".join(names[:_NAMED_AT_MOST]) + more
