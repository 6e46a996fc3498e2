"""A store that has to be there, to look at it."""

from pathlib import Path

from desktop_rater.store import ratings
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.store import Store


def reader_of(folder: Path) -> Store:
    """It in the folder; a test that finds none there fails."""
    store = open_reader(folder)
    assert store is not None, f"{folder} is no store"
    return store


def head_of(store: Store, bundle: str, task: str, rater: str) -> ratings.StoredRating:
    """The latest revision of a rating that has to be there."""
    head = ratings.rating_head(store, bundle, task, rater)
    assert head is not None, f"{rater} has not rated {task}"
    return head
