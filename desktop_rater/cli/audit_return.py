"""The command that sends raters' work back."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, say, show, terminal_progress
from desktop_rater.cli.desk import desk_to_write
from desktop_rater.model.limits import now
from desktop_rater.work.return_by_hub import ReturnedByHub, return_by_hub
from desktop_rater.work.return_work import ReturnedWork, return_all, return_work

_FILE = click.Path(path_type=Path)


@click.command(name="return")
@click.argument("bundle", type=KNOWN)
@click.option("--rater", type=KNOWN, help="Whose work goes back.")
@click.option("--out", type=_FILE, help="The bundle to write for that rater.")
@click.option("--out-dir", type=_FILE, help="Or a folder, for a bundle for each rater who gets something.")
@click.option("--hub", is_flag=True, help="Or send it by the hub: it goes with the next sync. All, without --rater.")
@json_option
@click.pass_obj
def return_(
    folder: Path, bundle: str, rater: str | None, out: Path | None, out_dir: Path | None, *, hub: bool, as_json: bool
) -> int:
    """Write what was sent back to a rater as a bundle: 0 written, 1 nothing is to go back, or not all of it can.

    The rater imports it, sees the comments and goes on from the earlier answers. Its results take the place of those.
    """
    _refuse_unclear(rater, out, out_dir, hub=hub)
    watch = terminal_progress("Sending back")
    with desk_to_write(folder, bundle, "audit return") as store:
        by_hub: ReturnedByHub | None = None
        if hub:
            raters = None if rater is None else (rater,)
            by_hub = return_by_hub(store, bundle, raters, progress=watch, now=now)
            done = by_hub.raters
        elif out_dir is not None:
            done = return_all(store, bundle, out_dir, progress=watch, now=now).raters
        else:
            assert rater is not None
            assert out is not None
            done = ((rater, return_work(store, bundle, rater, out, progress=watch, now=now)),)
    _show(done, by_hub, as_json=as_json, several=rater is None)
    written = [one for _, one in done if one.rework is not None]
    return DONE if written and not any(one.waiting for one in written) else LOOK


def _refuse_unclear(rater: str | None, out: Path | None, out_dir: Path | None, *, hub: bool) -> None:
    if hub and (out is not None or out_dir is not None):
        raise click.UsageError("Give --hub without --out and --out-dir: it writes no file.")
    if not hub and out_dir is None and (rater is None or out is None):
        raise click.UsageError("Give --rater and --out, or --out-dir for all raters, or --hub.")
    if out_dir is not None and (rater is not None or out is not None):
        raise click.UsageError("Give --out-dir by itself: it is for all raters.")


def _show(
    done: tuple[tuple[str, ReturnedWork], ...], by_hub: ReturnedByHub | None, *, as_json: bool, several: bool
) -> None:
    plain = [{"rater": rater, **_plain(one), **_plain_hub(rater, by_hub)} for rater, one in done]
    lines = [_words(one, rater, by_hub) for rater, one in done if one.rework is not None or not several]
    show({"raters": plain} if several else plain[0], lines or ["Nothing was written: nothing is to go back."],
         as_json=as_json)  # fmt: skip
    for rater, one in done:
        name = f"{rater}, " if several else ""
        why = "it goes back once this has come back, since it is in results that do not follow these."
        say(*first([f"{name}{task}: {why}" for task in one.waiting]))
        why = "it came back as it was. It goes again once you say something else to it."
        say(*first([f"{name}{task}: {why}" for task in one.unchanged]))
        why = "another rating counts since it was sent back, so it stays here."
        say(*first([f"{task}, {where}: {why}" for task, where in one.outdated if not several]))


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
        "unchanged": list(done.unchanged),
        "outdated": [{"task": task, "where": where} for task, where in done.outdated],
    }


def _plain_hub(rater: str, by_hub: ReturnedByHub | None) -> dict[str, object]:
    if by_hub is None:
        return {}
    return {"out": None, "hub": True, "project": by_hub.project, "there": rater in by_hub.there}


def _words(done: ReturnedWork, rater: str, by_hub: ReturnedByHub | None) -> str:
    rework = done.rework
    if rework is None:
        return f"Nothing was written: nothing of {rater} is to go back."
    tasks = "1 task" if len(rework.tasks) == 1 else f"{len(rework.tasks):,} tasks"
    comments = "1 comment" if rework.comments == 1 else f"{rework.comments:,} comments"
    before = ", the same as before" if done.again else ""
    where = str(done.out)
    if by_hub is not None:
        how = "Lies there" if rater in by_hub.there else "Goes there with the next sync"
        where = f"{by_hub.hub_title}: {how} for {rater}"
    sign = "," if by_hub is not None else ":"
    return f"{where}{sign} {tasks} with {comments}, {rework.id} revision {rework.revision}{before}"
