"""Open the store of a command, and read its settings."""

from pathlib import Path

from desktop_rater.cli.output import migration_progress
from desktop_rater.paths import settings_file
from desktop_rater.settings import Settings
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.store import Store
from desktop_rater.work.rating.settings_file import peek_settings


def configured_settings(folder: Path) -> Settings:
    """Return the settings that belong to a store."""
    return peek_settings(settings_file(folder))


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
