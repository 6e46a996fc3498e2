"""The command that sends a rater's work back."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, json_option, say, show, terminal_progress, updating
from desktop_rater.model.limits import now
from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.return_work import ReturnedWork, return_work

_NAMED_AT_MOST = 20


@click.command(name="return")
@click.argument("bundle", type=KNOWN)
@click.option("--rater", required=True, type=KNOWN, help="Whose work goes back.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The bundle to write.")
@json_option
@click.pass_obj
def return_(folder: Path, bundle: str, rater: str, out: Path, *, as_json: bool) -> int:
    """Write what was sent back to a rater as a bundle: 0 written, 1 nothing is to go back, or not all of it can.

    The rater imports it, sees the comments and goes on from the earlier answers. Its results take the place of those.
    """
    reader = open_reader(folder)
    if reader is None:
        raise NotThere(f"There are no results of a bundle {bundle!r} in the store.", f"{folder} is no store yet.")
    reader.close()
    with open_writer(folder, command="audit return", updating=updating) as store:
        done = return_work(store, bundle, rater, out, progress=terminal_progress("Sending back"), now=now)
    show(_plain(done), [_words(done, rater)], as_json=as_json)
    for task in done.waiting[:_NAMED_AT_MOST]:
        say(f"{task}: it goes back once this has come back, since it is in other results that do not follow these.")
    for task, where in done.outdated[:_NAMED_AT_MOST]:
        say(f"{task}, {where}: another rating counts since it was sent back, so it stays here.")
    return DONE if done.rework is not None and not done.waiting else LOOK


def _plain(done: ReturnedWork) -> dict[str, object]:
    rework = done.rework
    return {
        "written": rework is not None,
        "out": str(done.out) if rework is not None else None,
        "id": rework.id if rework is not None else None,
        "revision": rework.revision if rework is not None else None,
        "round": rework.round if rework is not None else None,
        "again": done.again,
        "tasks": [one.task for one in rework.tasks] if rework is not None else [],
        "comments": rework.comments if rework is not None else 0,
        "waiting": list(done.waiting),
        "outdated": [{"task": task, "where": where} for task, where in done.outdated],
    }


def _words(done: ReturnedWork, rater: str) -> str:
    rework = done.rework
    if rework is None:
        return f"Nothing was written: nothing of {rater} is to go back."
    tasks = "1 task" if len(rework.tasks) == 1 else f"{len(rework.tasks):,} tasks"
    comments = "1 comment" if rework.comments == 1 else f"{rework.comments:,} comments"
    before = ", the same as before" if done.again else ""
    return f"{done.out}: {tasks} with {comments}, {rework.id} revision {rework.revision}{before}"
