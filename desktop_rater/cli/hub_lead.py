"""`hub take` and `hub lead-key`: the rater's word for what the trusted lead has not signed."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from desktop_rater.cli.hub import hub_opener, hub_options, known_hubs, without_retry_hints
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    ID,
    RATER,
    json_option,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, writer
from desktop_rater.cli.sync import held_lines, import_json
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.signature import fingerprint
from desktop_rater.model.values import utc_now
from desktop_rater.store import hubs
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.inbox import Arrival
from desktop_rater.store.store import Store
from desktop_rater.work.hub.connect import read_marker, trust_lead_key
from desktop_rater.work.hub.context import LeadKey
from desktop_rater.work.hub.receive import import_arrivals, waiting_arrivals


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
