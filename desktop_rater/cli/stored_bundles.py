"""Commands for the bundles in the store: their revisions, putting them away, and removing them."""

from pathlib import Path

import click
import msgspec

from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, ID, TEXT, json_option, pick, print_result
from desktop_rater.cli.stores import existing_reader, existing_writer, no_bundle
from desktop_rater.model.values import utc_now
from desktop_rater.store.bundle_events import list_revisions
from desktop_rater.store.errors import NotInStore
from desktop_rater.work.bundles.revisions import (
    BundleChanged,
    bring_bundle_back,
    check_removal,
    go_to_revision,
    holdings_text,
    put_bundle_away,
    remove_bundle,
)

_STORED_ID = click.argument("bundle_id", metavar="ID", type=ID)
_REASON = click.option("--reason", type=TEXT, help="Why; it is recorded.")


@click.command("put-away")
@_STORED_ID
@_REASON
@json_option
@click.pass_obj
def put_away(folder: Path, bundle_id: str, reason: str | None, *, as_json: bool) -> int:
    """Leave a bundle of the store out of all lists. Its ratings stay, and are still exported and sent."""
    with existing_writer(folder, no_bundle(bundle_id), "bundle put-away") as store:
        return _print_change(put_bundle_away(store, bundle_id, reason=reason or "", now=utc_now), as_json=as_json)


@click.command("bring-back")
@_STORED_ID
@_REASON
@json_option
@click.pass_obj
def bring_back(folder: Path, bundle_id: str, reason: str | None, *, as_json: bool) -> int:
    """List a bundle again that was put away."""
    with existing_writer(folder, no_bundle(bundle_id), "bundle bring-back") as store:
        return _print_change(bring_bundle_back(store, bundle_id, reason=reason or "", now=utc_now), as_json=as_json)


@click.command("remove")
@_STORED_ID
@click.option("--yes", is_flag=True, help="Remove it; without this, only what would be deleted is printed.")
@json_option
@click.pass_obj
def remove(folder: Path, bundle_id: str, *, yes: bool, as_json: bool) -> int:
    """Remove a bundle with its tasks, ratings and pages from the store.

    Refused while it holds ratings that were neither exported nor sent.
    """
    if yes:
        with existing_writer(folder, no_bundle(bundle_id), "bundle remove") as store:
            removed = remove_bundle(store, bundle_id, now=utc_now)
        result = {**pick(removed, "id", "removed"), **msgspec.to_builtins(removed.holdings)}
        print_result(result, [removed.message], as_json=as_json)
        return EXIT_OK
    with existing_reader(folder, no_bundle(bundle_id)) as store:
        check = check_removal(store, bundle_id)
    result = {
        "id": check.id,
        "removed": False,
        **msgspec.to_builtins(check.holdings),
        "on_hold": msgspec.to_builtins(check.on_hold),
        "audited": check.audited,
    }
    lines = [f"{bundle_id} holds {holdings_text(check.holdings)}."]
    lines.append(check.refusal or "Nothing was removed. Remove it with --yes.")
    print_result(result, lines, as_json=as_json)
    return EXIT_ATTENTION if check.refusal else EXIT_OK


@click.command("revision")
@_STORED_ID
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@_REASON
@json_option
@click.pass_obj
def revision(folder: Path, bundle_id: str, number: int | None, reason: str | None, *, as_json: bool) -> int:
    """Go to revision N of a bundle in the store; without N, list its revisions.

    Ratings of tasks that revision N lacks stay in the store, and come back with their revision.
    """
    if number is None:
        return _print_revisions(folder, bundle_id, as_json=as_json)
    with existing_writer(folder, no_bundle(bundle_id), "bundle revision") as store:
        changed = go_to_revision(store, bundle_id, number, reason=reason or "", now=utc_now)
    return _print_change(changed, as_json=as_json)


def _print_revisions(folder: Path, bundle_id: str, *, as_json: bool) -> int:
    with existing_reader(folder, no_bundle(bundle_id)) as store:
        revisions = list_revisions(store, bundle_id)
    if not revisions:
        raise NotInStore(no_bundle(bundle_id))
    lines = [
        f"{row.revision}: {row.tasks:,} tasks, {row.rated:,} rated, imported {row.imported}"
        f"{', the current one' if row.current else ''}"
        for row in revisions
    ]
    fields = ("revision", "tasks", "rated", "imported", "current")
    print_result({"id": bundle_id, "revisions": [pick(row, *fields) for row in revisions]}, lines, as_json=as_json)
    return EXIT_OK


def _print_change(changed: BundleChanged, *, as_json: bool) -> int:
    result = {**pick(changed, "outcome", "id", "revision"), **pick(changed.effect, "finished", "begun", "reopened")}
    print_result(result, [changed.message], as_json=as_json)
    return EXIT_OK
