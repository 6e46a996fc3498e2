"""Sync without a window."""

from __future__ import annotations

import os
import random
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from desktop_rater.cli.answer import (
    DONE,
    LOOK,
    REFUSED,
    WORDS,
    first,
    json_option,
    say,
    say_trouble,
    show,
    terminal_progress,
    updating,
)
from desktop_rater.cli.hub_options import address_of, hub_options, known_hubs, opening, user_of
from desktop_rater.cli.hub_probe import skew_words
from desktop_rater.hub.trouble import ITEM, LATER, HubTrouble
from desktop_rater.model.limits import now
from desktop_rater.model.progress import Progress
from desktop_rater.paths import settings_file
from desktop_rater.store import hubs
from desktop_rater.store.opening import open_writer
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.between import Between, SyncMeans, Wanted
from desktop_rater.work.connect_hub import connect
from desktop_rater.work.hub_marker import read_marker
from desktop_rater.work.keep_settings import settings_as_they_are
from desktop_rater.work.rater_key import rater_keys
from desktop_rater.work.send_again import send_again
from desktop_rater.work.sync import sync
from desktop_rater.work.sync_patiently import sync_patiently
from desktop_rater.work.take_arrivals import Taken, take_arrivals

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.hub.interface import Hub
    from desktop_rater.model.hub import HubMarker
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.store import Store
    from desktop_rater.work.between import Step
    from desktop_rater.work.synced import NotSent, Sent, Synced


class _Asked(NamedTuple):
    """What the options say."""

    rater: str
    wanted: Wanted
    patience: int
    takes: bool
    again: bool
    sign: SyncMeans
    unsigned: str


class _Done(NamedTuple):
    """What came of it."""

    synced: Synced
    taken: Taken


@click.command("sync")
@click.argument("url", required=False)
@click.option("--rater", type=WORDS, help="Whose bundles and results; the name in the settings without it.")
@click.option("--partial", is_flag=True, help="Send what is complete or skipped, even if the rest stays.")
@click.option("--bundle", "bundles", multiple=True, help="Send this one too, although it did not come from this hub.")
@click.option("--no-import", is_flag=True, help="Fetch what is there for the rater, and do not import it.")
@click.option("--again", is_flag=True, help="Try once more what has failed or was refused.")
@click.option(
    "--patience", type=click.IntRange(0, 86_400), default=60, show_default=True, help="Seconds to wait for what waits."
)
@hub_options
@json_option
@click.pass_obj
def sync_command(folder: Path, url: str | None, *, as_json: bool, **given: Any) -> int:
    """Exchange with a hub: import what was assigned and sent back, and send what is complete.

    With a URL that hub is connected, and syncs without one go there from then on. 0: nothing waits, 1: something waits,
    has failed or was left out, 2: the hub was refused, and nothing was sent.
    """
    asked = _asked(folder, given)
    known = _known(url, folder)
    address = known.url if known is not None else address_of(url or "")
    with closing(opening(address, folder, given)()) as hub:
        # A hub that syncs do not go to yet is asked whose it is, before there is a store or another hub is left.
        marker = read_marker(hub, Progress()) if known is None or not known.current else None
        user = user_of(address, folder, given)
        with open_writer(folder, command="sync", updating=updating) as store:
            done = _exchange(store, hub, _row(store, known, marker, address, user), asked)
    show(_plain(done), _words(done), as_json=as_json)
    _say_more(done)
    if asked.unsigned and any(one.kind == "results" for one in done.synced.uploaded):
        say(f"They went without a signature: {asked.unsigned}")
    return _status(done, asked)


def _asked(folder: Path, given: dict[str, Any]) -> _Asked:
    rater = given["rater"] or settings_as_they_are(settings_file(folder)).rater
    if not rater.strip():
        raise click.UsageError("Whose bundles and results has to be known: give --rater.")
    key = rater_keys(folder, os.environ).for_use(rater)
    return _Asked(
        rater=rater,
        wanted=Wanted(partial=given["partial"], bundles=frozenset(given["bundles"])),
        patience=given["patience"],
        takes=not given["no_import"],
        again=given["again"],
        sign=SyncMeans(now, random.random, key.key),
        unsigned=key.why,
    )


def _known(url: str | None, folder: Path) -> HubRow | None:
    """The hub that the store knows at that address, or the connected one; `None` for one that is new."""
    known = known_hubs(folder)
    if url is not None:
        address = address_of(url)
        return next((row for row in known if row.url == address), None)
    row = next((row for row in known if row.current), None)
    if row is None:
        raise NotThere("No hub is connected.", f"{folder} knows none.", "Name its address: desktop-rater sync URL")
    return row


def _row(store: Store, known: HubRow | None, marker: HubMarker | None, address: str, user: str) -> HubRow:
    """The hub as it is remembered from now on. Raises `HubTrouble` where another project was there."""
    if marker is not None:
        connected = connect(store, marker, address, user, now())
        if connected.was == "moved":
            say(f"{connected.row.title} is at another address now.")
        return connected.row
    assert known is not None, "without a marker it is known"
    if known.current and known.user == user:
        return known
    return hubs.connect(store, project=known.project, title=known.title, url=known.url, user=user, now=now())


def _exchange(store: Store, hub: Hub, row: HubRow, asked: _Asked) -> _Done:
    watch = terminal_progress("Syncing")
    if asked.again:
        send_again(store, row.project, now=now())

    def once() -> Synced:
        told = partial(_tell, watch)
        between = Between(lambda work: work(store), store, hub, row, asked.rater, asked.sign, Progress(), told)
        return sync(between, asked.wanted)

    done = sync_patiently(once, patience=asked.patience, clock=time.monotonic, wait=time.sleep)
    watch(1, 1)  # ends the line
    taken = Taken()
    if asked.takes:
        taken = take_arrivals(store, row.project, asked.rater, progress=terminal_progress("Importing"), now=now)
    return _Done(done, taken)


def _tell(watch: Progress, step: Step) -> None:
    watch(step.done, step.total)


def _plain(done: _Done) -> dict[str, Any]:
    synced = done.synced
    return {
        "project": synced.project,
        "imported": [
            {"id": one.id, "revision": one.revision, "outcome": one.outcome, "tasks": one.imported}
            for one in done.taken.imported
        ],
        "uploaded": [_sent(one) for one in synced.uploaded],
        "there": [_sent(one) for one in synced.there],
        "waiting": [
            {
                "bundle": one.bundle,
                "name": one.name,
                "state": one.state,
                "attempts": one.attempts,
                "next_try": one.next_try or None,
                "why": one.why,
            }
            for one in synced.waiting
        ],
        "refused": [{"name": one.name, "why": one.why} for one in (*synced.refused, *done.taken.refused)],
        "not_sent": [
            {"bundle": one.bundle, "why": one.why, "open": one.open, "strange": one.strange} for one in synced.not_sent
        ],
        "missing": list(synced.missing),
        "forks": list(synced.forks),
        "skew": synced.skew,
        "stopped": None
        if synced.stopped is None
        else {
            "kind": synced.stopped.kind,
            "title": synced.stopped.title,
            "message": synced.stopped.message,
            "hint": synced.stopped.hint,
        },
    }


def _sent(one: Sent) -> dict[str, Any]:
    return {"kind": one.kind, "bundle": one.bundle, "name": one.name, "sha256": one.sha256, "revision": one.revision}


def _words(done: _Done) -> list[str]:
    synced = done.synced
    lines = [one.words for one in done.taken.imported]
    sent = [one for one in (*synced.uploaded, *synced.there) if one.kind != "key"]
    lines += [f"{one.bundle or one.name} is on the hub, read back and compared." for one in sent]
    if synced.fetched and not done.taken.imported:
        lines.append(f"Bundles that came and are not imported: {synced.fetched:,}")
    if not lines and synced.stopped is None:
        lines.append("Nothing new.")
    return lines


def _say_more(done: _Done) -> None:
    synced = done.synced
    if synced.stopped is not None:
        say_trouble(HubTrouble(synced.stopped.kind, synced.stopped.title, synced.stopped.message, synced.stopped.hint))
    say(*first([f"{one.bundle or one.name} waits ({one.state}). {one.why}".rstrip() for one in synced.waiting]))
    say(*first([f"{one.name}: {one.why}" for one in (*synced.refused, *done.taken.refused)]))
    say(*first([f"{one.bundle} is not sent. {one.why}{_send_it(one)}" for one in synced.not_sent]))
    say(*first([f"{name} was gone from the hub, and goes again." for name in synced.missing]))
    say(*first([f"Another laptop has sent results of {one} for this rater. Both stay." for one in synced.forks]))
    say(*skew_words(synced.skew))


def _send_it(one: NotSent) -> str:
    return f" Send it with --bundle {one.bundle}." if one.strange else ""


def _status(done: _Done, asked: _Asked) -> int:
    synced = done.synced
    came_through = synced.uploaded or synced.there or synced.fetched or done.taken.imported
    if synced.stopped is not None and synced.stopped.kind not in LATER | ITEM and not came_through:
        return REFUSED
    # A bundle that is not done yet is no trouble, but where it was asked for.
    left_out = [one for one in synced.not_sent if not one.open or one.strange or one.bundle in asked.wanted.bundles]
    look = synced.stopped or synced.waiting or synced.refused or done.taken.refused or left_out or synced.forks
    return LOOK if look else DONE
