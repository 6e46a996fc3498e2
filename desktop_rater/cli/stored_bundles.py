"""Opening of a command's store, and the commands for its bundles: revisions, putting away, removing."""

from pathlib import Path

import click
import msgspec

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    TEXT,
    json_option,
    migration_progress,
    pick,
    print_result,
)
from desktop_rater.format.values import utc_now
from desktop_rater.operations.bundles.revisions import (
    BundleChanged,
    bring_bundle_back,
    check_removal,
    go_to_revision,
    holdings_text,
    put_bundle_away,
    remove_bundle,
)
from desktop_rater.operations.rating.settings_file import peek_settings, read_settings, write_settings
from desktop_rater.paths import settings_file
from desktop_rater.settings import LEAD_ROLE, Settings, with_setting
from desktop_rater.store.bundle_events import list_revisions
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.store import Store


def configured_settings(folder: Path) -> Settings:
    """Return the settings that belong to a store."""
    return peek_settings(settings_file(folder))


def record_lead(folder: Path, name: str | None) -> None:
    """Make the user of a store the QA lead in its settings, with a name if there is none. Raises `RaterError`."""
    path = settings_file(folder)
    if not name or peek_settings(path).role == LEAD_ROLE:
        return
    file = read_settings(path, now=utc_now())
    settings = with_setting(file.settings, "role", LEAD_ROLE)
    write_settings(path, settings if settings.rater else with_setting(settings, "rater", name), file.further)


def writer(folder: Path, command: str) -> Store:
    """Open a store for writing, created or migrated if necessary."""
    return open_writer(folder, command=command, updating=migration_progress)


def existing_reader(folder: Path, missing: str) -> Store:
    """Open a store read-only. Raises `NotInStore` with the title `missing` if there is none."""
    store = open_reader(folder)
    if store is None:
        raise NotInStore(missing, f"There is no store in {folder} yet.")
    return store


def existing_writer(folder: Path, missing: str, command: str) -> Store:
    """Open a store for writing; it must exist, so that a refused command creates none."""
    existing_reader(folder, missing).close()
    return writer(folder, command)


def no_bundle(bundle: str) -> str:
    """Return the title of the error for a missing bundle."""
    return f"There is no bundle {bundle!r} in the store."


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
