"""`sync`, `hub take` and `hub lead-key`: exchange with a hub without a window, and whom the rater trusts there."""

import os
import random
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from desktop_rater.cli.hub import (
    clock_warning,
    hub_opener,
    hub_options,
    hub_url,
    hub_user,
    known_hubs,
    without_retry_hints,
)
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    ID,
    RATER,
    json_option,
    limited_lines,
    pick,
    print_error,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, writer
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import HubMarker, fingerprint
from desktop_rater.format.values import utc_now
from desktop_rater.hub.errors import ITEM_KINDS, RETRIED_ERROR_KINDS, HubError
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.bundles.import_bundle import index_bundles
from desktop_rater.operations.hub.connect import connect_to_hub, read_marker, trust_lead_key
from desktop_rater.operations.hub.context import (
    LeadKey,
    SyncContext,
    SyncEnvironment,
    SyncOptions,
    SyncResult,
    SyncStep,
)
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.operations.hub.receive import ImportedArrivals, import_arrivals, waiting_arrivals
from desktop_rater.operations.hub.sync import sync_until, sync_with_hub
from desktop_rater.operations.hub.transfer import retry_all
from desktop_rater.store import hubs
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import Arrival
from desktop_rater.store.store import Store


class _SyncOptions(NamedTuple):
    rater: str
    wanted: SyncOptions
    patience: int
    takes: bool
    again: bool
    sign: SyncEnvironment
    unsigned: str


@click.command("sync")
@click.argument("url", required=False)
@click.option("--rater", type=RATER, help="The rater's name; default: the name in the settings.")
@click.option("--partial", is_flag=True, help="Send complete and skipped tasks, even if others are open.")
@click.option("--bundle", "bundles", multiple=True, help="Also send this bundle, although it is not from this hub.")
@click.option("--no-import", is_flag=True, help="Fetch the rater's bundles without importing them.")
@click.option("--again", is_flag=True, help="Retry what has failed or was refused.")
@click.option(
    "--patience",
    type=click.IntRange(0, 86_400),
    default=60,
    show_default=True,
    help="Seconds to wait for pending transfers.",
)
@hub_options
@json_option
@click.pass_obj
def sync_command(folder: Path, url: str | None, *, as_json: bool, **options: Any) -> int:
    """Exchange with a hub: import what was assigned and sent back, and send what is complete.

    With a URL that hub is connected, and later syncs without one use it. Exit status 0: nothing is pending, 1:
    something is pending, has failed or was left out, 2: the hub was refused, and nothing was sent.
    """
    sync_options = _read_options(folder, options)
    existing = _known_hub(url, folder)
    address = existing.url if existing is not None else hub_url(url or "")
    with closing(hub_opener(address, folder, options)()) as hub:
        # The marker of a new hub is read before a store is created or another hub is disconnected.
        marker = read_marker(hub, Progress()) if existing is None or not existing.current else None
        user = hub_user(address, folder, options)
        with writer(folder, "sync") as store:
            row = _connected_row(store, existing, marker, address, user)
            synced, arrivals = _exchange(store, hub, row, sync_options)
    print_result(_sync_json(synced, arrivals), _sync_lines(synced, arrivals), as_json=as_json)
    _print_details(synced, arrivals)
    if sync_options.unsigned and any(upload.kind in {"results", "returned"} for upload in synced.uploaded):
        print_message(f"They were sent without a signature: {sync_options.unsigned}")
    return _status(synced, arrivals, sync_options)


def _read_options(folder: Path, options: dict[str, Any]) -> _SyncOptions:
    rater = options["rater"] or configured_settings(folder).rater
    if not rater.strip():
        raise click.UsageError("A sync needs the rater's name: give --rater.")
    key = open_rater_keys(folder, os.environ).for_use(rater)
    return _SyncOptions(
        rater=rater,
        wanted=SyncOptions(partial=options["partial"], bundles=frozenset(options["bundles"])),
        patience=options["patience"],
        takes=not options["no_import"],
        again=options["again"],
        sign=SyncEnvironment(utc_now, random.random, key.key),
        unsigned=key.why,
    )


def _known_hub(url: str | None, folder: Path) -> HubRow | None:
    rows = known_hubs(folder)
    if url is not None:
        address = hub_url(url)
        return next((row for row in rows if row.url == address), None)
    row = next((row for row in rows if row.current), None)
    if row is None:
        raise NotInStore(
            "No hub is connected.", f"There is none in {folder}.", "Give its address: desktop-rater sync URL"
        )
    return row


def _connected_row(store: Store, existing: HubRow | None, marker: HubMarker | None, address: str, user: str) -> HubRow:
    """Return the hub's row, updated if necessary. Raises `HubError` if another project had that address."""
    if marker is not None:
        connected = connect_to_hub(store, marker, address, user, utc_now())
        if connected.change == "moved":
            print_message(f"{connected.row.title} has a new address.")
        if connected.lead.is_new:
            print_message(_pinned_text(connected.lead))
        return connected.row
    assert existing is not None, "without a marker it is known"
    if existing.current and existing.user == user:
        return existing
    return hubs.set_current_hub(
        store, project=existing.project, title=existing.title, url=existing.url, user=user, now=utc_now()
    )


def _exchange(store: Store, hub: Hub, row: HubRow, sync_options: _SyncOptions) -> tuple[SyncResult, ImportedArrivals]:
    progress = terminal_progress("Syncing")
    if sync_options.again:
        retry_all(store, row.project, now=utc_now())

    def on_step(step: SyncStep) -> None:
        progress(step.done, step.total)

    context = SyncContext(
        lambda work: work(store), store, hub, row, sync_options.rater, sync_options.sign, Progress(), on_step
    )
    synced = sync_until(
        partial(sync_with_hub, context, sync_options.wanted),
        patience=sync_options.patience,
        clock=time.monotonic,
        wait=time.sleep,
    )
    progress(1, 1)  # end the line
    imports = ImportedArrivals()
    if sync_options.takes:
        imports = import_arrivals(
            store, row.project, sync_options.rater, progress=terminal_progress("Importing"), now=utc_now
        )
        index_bundles(store, progress=Progress())
    return synced, imports


def import_json(arrivals: ImportedArrivals) -> dict[str, Any]:
    """Return the imported and the held downloads as JSON."""
    return {
        "imported": [{**pick(item, "id", "revision", "outcome"), "tasks": item.imported} for item in arrivals.imported],
        "held": [
            {**pick(item.arrival, "name", "bundle", "revision", "title", "tasks", "signed"), "why": item.why}
            for item in arrivals.held
        ],
    }


def _sync_json(synced: SyncResult, arrivals: ImportedArrivals) -> dict[str, Any]:
    return {
        "project": synced.project,
        **import_json(arrivals),
        **pick(synced, "uploaded", "there"),
        "waiting": [
            {**pick(item, "bundle", "name", "state", "attempts"), "next_try": item.next_try or None, "why": item.why}
            for item in synced.waiting
        ],
        "refused": [pick(item, "name", "why") for item in (*synced.refused, *arrivals.refused)],
        **pick(synced, "not_sent", "missing", "forks", "skew", "stopped"),
        "lead": {
            "key": synced.lead.pinned or None,
            "named": synced.lead.named or None,
            "pinned_now": synced.lead.is_new,
        },
    }


def _sync_lines(synced: SyncResult, arrivals: ImportedArrivals) -> list[str]:
    lines = [item.message for item in arrivals.imported]
    sent_items = [item for item in (*synced.uploaded, *synced.there) if item.kind != "key"]
    lines += [f"{item.bundle or item.name} is on the hub, read back and compared." for item in sent_items]
    if synced.fetched and not (arrivals.imported or arrivals.held):
        lines.append(f"Bundles fetched but not imported: {synced.fetched:,}")
    if not lines and synced.stopped is None:
        lines.append("Nothing new.")
    return lines


def _print_details(synced: SyncResult, arrivals: ImportedArrivals) -> None:
    if synced.stopped is not None:
        print_error(HubError(synced.stopped.kind, synced.stopped.title, synced.stopped.message, synced.stopped.hint))
    for lines in (
        [f"{item.bundle or item.name} waits ({item.state}). {item.why}".rstrip() for item in synced.waiting],
        held_lines(arrivals),
        [f"{item.name}: {item.why}" for item in (*synced.refused, *arrivals.refused)],
        [
            f"{item.bundle} is not sent. {item.why}"
            + (f" Send it with --bundle {item.bundle}." if item.strange else "")
            for item in synced.not_sent
        ],
        [f"{name} was missing on the hub and will be sent again." for name in synced.missing],
        [f"Another computer has sent results of {item} for this rater. Both are kept." for item in synced.forks],
    ):
        print_message(*limited_lines(lines))
    lead_key_text = _lead_key_text(synced, arrivals)
    print_message(*([lead_key_text] if lead_key_text else []), *clock_warning(synced.skew))


def _pinned_text(lead: LeadKey) -> str:
    return (
        f"The lead's key of this hub is {fingerprint(lead.pinned)}. From now on only bundles that are signed with it "
        "are imported by themselves. Compare it with the lead's."
    )


def _lead_key_text(synced: SyncResult, arrivals: ImportedArrivals) -> str:
    lead = synced.lead
    if synced.stopped is not None:
        return ""
    if lead.is_new:
        return _pinned_text(lead)
    if lead.has_changed:
        named = f"another lead's key, {fingerprint(lead.named)}" if lead.named else "no lead's key"
        return (
            f"The hub now names {named}. It is not trusted; {fingerprint(lead.pinned)} still is. If the lead confirms "
            "the change, use `hub lead-key`."
        )
    if not lead.pinned and (synced.fetched or arrivals.imported):
        return "Nobody vouches for the bundles of this hub, since it names no key of a lead."
    return ""


def held_lines(arrivals: ImportedArrivals) -> list[str]:
    """Return a line for each download that was not imported, with the command that imports it."""
    lines = []
    for item in arrivals.held:
        signer = "signed by a key that is not the lead's" if item.arrival.signed == "foreign" else "not signed"
        why, option = (item.why, "--replace") if item.why else (f"It is {signer}.", "--unsigned")
        title = f"{item.arrival.title or item.arrival.bundle}, revision {item.arrival.revision}"
        lines.append(f"{title}: not imported. {why} To import it: hub take {item.arrival.name} {option}")
    return lines


def _status(synced: SyncResult, arrivals: ImportedArrivals, sync_options: _SyncOptions) -> int:
    transferred = synced.uploaded or synced.there or synced.fetched or arrivals.imported
    if synced.stopped is not None and synced.stopped.kind not in RETRIED_ERROR_KINDS | ITEM_KINDS and not transferred:
        return EXIT_REFUSED
    # An incomplete bundle is no problem, unless it was requested.
    left_out = [
        item for item in synced.not_sent if not item.open or item.strange or item.bundle in sync_options.wanted.bundles
    ]
    attention = (
        synced.stopped or synced.waiting or synced.refused or arrivals.refused or left_out or synced.forks
    ) or (arrivals.held or synced.lead.has_changed)
    return EXIT_ATTENTION if attention else EXIT_OK


@click.command()
@click.argument("name", type=ID)
@click.option("--rater", type=RATER, help="The rater's name; default: the name in the settings.")
@click.option("--unsigned", is_flag=True, help="Import it although the lead has not signed it.")
@click.option("--replace", is_flag=True, help="Import it although it puts rated tasks out of sight.")
@json_option
@click.pass_obj
def take(folder: Path, name: str, rater: str | None, *, unsigned: bool, replace: bool, as_json: bool) -> int:
    """Import a download that a sync has left alone.

    NAME is its name on the hub, as `sync` prints it, or the id of its bundle. Exit status 0: imported, 2: not.
    """
    rater = rater or configured_settings(folder).rater
    if not rater.strip():
        raise click.UsageError("The rater's name is needed: give --rater.")
    with writer(folder, "hub take") as store:
        project, arrival = _waiting(store, rater, name)
        imports = import_arrivals(
            store,
            project,
            rater,
            progress=terminal_progress("Importing"),
            now=utc_now,
            only=frozenset({arrival.key}),
            unsigned=unsigned,
            hide_work=replace,
        )
        index_bundles(store, progress=Progress())
    print_result(import_json(imports), [item.message for item in imports.imported], as_json=as_json)
    print_message(*held_lines(imports), *(f"{item.name}: {item.why}" for item in imports.refused))
    if imports.lost:
        print_message("Its file is missing. The next sync downloads it again.")
    return EXIT_OK if imports.imported else EXIT_REFUSED


def _waiting(store: Store, rater: str, name: str) -> tuple[str, Arrival]:
    """Return the project of the connected hub, and the download of that name. Raises `RaterError`."""
    hub = hubs.current_hub(store)
    if hub is None:
        raise NotInStore("No hub is connected.", "This store is not connected to a hub.")
    arrivals = [entry for entry in waiting_arrivals(store, hub.project, rater) if name in {entry.name, entry.bundle}]
    contents = {entry.sha256: entry for entry in arrivals}
    if not contents:
        why = f"No download of {rater} that waits to be imported is called {name}."
        raise NotInStore("There is no such download.", why, "Use `sync`, which lists them.")
    if len(contents) > 1:
        names = ", ".join(entry.name for entry in contents.values())
        raise RaterError(f"{name} is not unique.", f"These downloads contain it: {names}.", "Give one of these names.")
    return hub.project, arrivals[0]


@click.command("lead-key")
@click.argument("url")
@click.option("--trust", type=ID, metavar="KEY", help="Trust this key, which the hub must name: its 16 first digits.")
@hub_options
@json_option
@click.pass_obj
def lead_key(folder: Path, url: str, trust: str | None, *, as_json: bool, **options: Any) -> int:
    """Show the key that a hub's lead signs with, and trust a new one.

    Compare the key with the lead's by another way, such as by telephone, before you trust it. Exit status 0: the hub
    names the trusted key, 1: it names another one or none.
    """
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        marker = read_marker(hub, Progress())
    named = marker.lead_key or ""
    pinned = next((row.lead_key for row in known_hubs(folder) if row.project == marker.project), None)
    if trust is not None:
        _refuse_other_key(trust, named)
        if pinned is None:
            raise NotInStore("The hub is not connected.", f"This store has no hub of {marker.project}.", "Sync first.")
        with writer(folder, "hub lead-key") as store:
            trust_lead_key(store, marker.project, named)
        pinned = named
    lead = LeadKey(pinned or "", named)
    result = {"project": marker.project, "key": lead.pinned or None, "named": lead.named or None}
    lines = [
        f"Trusted: {fingerprint(lead.pinned) if lead.pinned else 'none yet'}",
        f"Named by the hub: {fingerprint(lead.named) if lead.named else 'none'}",
    ]
    print_result(result, lines, as_json=as_json)
    return EXIT_OK if lead.named and lead.named == lead.pinned else EXIT_ATTENTION


def _refuse_other_key(given: str, named: str) -> None:
    """Raise `RaterError` unless the digits given are those of the key that the hub names."""
    digits = "".join(given.split()).lower()
    shortest = len("".join(fingerprint(named).split())) if named else 1
    if len(digits) < shortest or not named.startswith(digits):
        why = f"The hub names {fingerprint(named)}." if named else "The hub names no key of a lead."
        raise RaterError("The key is not trusted.", f"{why} You gave {given}.", "Compare it with the lead's again.")
