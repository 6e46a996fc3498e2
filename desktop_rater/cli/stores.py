"""Open the store of a command, and read its settings."""

from pathlib import Path

from desktop_rater.cli.output import migration_progress
from desktop_rater.model.values import utc_now
from desktop_rater.paths import settings_file
from desktop_rater.settings import LEAD_ROLE, Settings, with_setting
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.store import Store
from desktop_rater.work.rating.settings_file import peek_settings, read_settings, write_settings


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
