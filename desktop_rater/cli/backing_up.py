"""Commands that keep copies of the store and go back to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, LOOK, json_option, say, show, terminal_progress
from desktop_rater.model.limits import now
from desktop_rater.store import backups
from desktop_rater.store.opening import open_reader
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.back_up import back_up, write_out
from desktop_rater.work.restore_backup import chosen, restore_backup

if TYPE_CHECKING:
    from desktop_rater.store.backups import Backup
    from desktop_rater.store.store import Store

_GOOD = {True: "good", False: "NOT GOOD", None: "not looked at"}


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Write one zip there, with the stored pages.")
@click.option("--list", "only_list", is_flag=True, help="Read the backups that there are, and say how they are.")
@json_option
@click.pass_obj
def backup(folder: Path, out: Path | None, *, only_list: bool, as_json: bool) -> int:
    """Back the store up, also beside an open window. The last five good backups are kept."""
    if only_list:
        return _list(folder, as_json=as_json)
    store = open_reader(folder)
    if store is None:
        raise NotThere(f"There is no store in {folder}.", "So there is nothing to back up.")
    with store:
        if out is not None:
            return _write_out(store, out, as_json=as_json)
        made = back_up(store, now=now, progress=terminal_progress("Backing up"))
    if made is None:
        raise AssertionError(folder)
    show(_plain(made), [f"{made.path}: {_words(made)}"], as_json=as_json)
    return DONE


def _write_out(store: Store, out: Path, *, as_json: bool) -> int:
    written = write_out(store, out, now=now, progress=terminal_progress("Backing up"))
    words = f"{out}: {written.ratings:,} revisions, {written.pages:,} stored pages, {_megabytes(written.size)}"
    result = {"out": str(out), "ratings": written.ratings, "pages": written.pages, "size": written.size}
    show({**result, "left_out": written.left_out}, [words], as_json=as_json)
    for name in written.left_out:
        say(f"Left out: {name} is not what its name says.")
    return LOOK if written.left_out else DONE


def _list(folder: Path, *, as_json: bool) -> int:
    progress = terminal_progress("Reading")
    found = backups.listed(folder, look=lambda: progress(0, 0))
    lines = [f"{one.path.name}  {one.made}  {_words(one)}, {_GOOD[one.good]}" for one in found]
    show([_plain(one) for one in found], lines or ["There is no backup."], as_json=as_json)
    return LOOK if any(one.good is False for one in found) else DONE


@click.command()
@click.argument("backup", required=False, metavar="[BACKUP]")
@json_option
@click.pass_obj
def restore(folder: Path, backup: str | None, *, as_json: bool) -> int:
    """Put a backup in the place of the store, which is kept aside.

    BACKUP is a file, or the beginning of a name that `backup --list` shows; the newest good one without it.
    """
    source = chosen(folder, backup)
    done = restore_backup(folder, source, command="restore", now=now, progress=terminal_progress("Restoring"))
    lines = [f"{folder}: restored from {source.name}, {done.ratings:,} revisions"]
    if done.replaced is not None:
        lines.append(f"The store that was there lies in {done.replaced}.")
    result = {
        "restored": str(source),
        "ratings": done.ratings,
        "replaced": done.replaced and str(done.replaced),
        "backed_up": done.backed_up and str(done.backed_up),
    }
    show(result, lines, as_json=as_json)
    if done.not_backed_up:
        say(f"The store that was there could not be backed up before: {done.not_backed_up}")
    return DONE


def _plain(one: Backup) -> dict[str, Any]:
    return {
        "name": one.path.name,
        "path": str(one.path),
        "made": one.made,
        "version": one.version,
        "ratings": one.ratings,
        "size": one.size,
        "good": one.good,
    }


def _words(one: Backup) -> str:
    ratings = "what it holds is not known" if one.ratings is None else f"{one.ratings:,} revisions"
    return f"{ratings}, {_megabytes(one.size)}"


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
