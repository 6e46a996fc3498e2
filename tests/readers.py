"""A store that has to be there, to look at it."""

from pathlib import Path

from desktop_rater.store.open_store import open_reader
from desktop_rater.store.store import Store


def reader_of(folder: Path) -> Store:
    """It in the folder; a test that finds none there fails."""
    store = open_reader(folder)
    assert store is not None, f"{folder} is no store"
    return store
