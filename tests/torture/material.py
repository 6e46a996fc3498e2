"""What the processes that are stopped work on: stores with tasks in them, and bundles to be imported."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.format.values import utc_now
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.operations.store.backup import back_up
from desktop_rater.pages import warc
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import make, take_in, task
from tests.pages.warc_files import answer
from tests.store.older import lay

RATER = "r-17"
BUNDLE = "november"
TASKS = 7
INCOMING = 3  # bundles, of two revisions each
LINES = 60
DOCUMENTS, PASSAGES = 12, 4  # of a library, and of each document
PAGE = b"a page that came with a bundle"


def names() -> list[str]:
    """The ids of the tasks that answers are given to."""
    return [f"t{number}" for number in range(TASKS)]


def nothing(_folder: Path) -> None:
    """No store yet."""


def rated(folder: Path) -> None:
    """`folder/store` with a bundle of a few tasks, backed up, no ratings yet, and a folder for results."""
    made = make(folder / f"{BUNDLE}.zip", (task(name, "Paris is old.", "It is large.") for name in names()))
    with open_writer(folder / "store", command="a test") as store:
        take_in(store, made)
        back_up(store, now=utc_now, progress=Progress())
    (folder / "out").mkdir()


def incoming(folder: Path) -> None:
    """The same, and bundles with pages in `folder/incoming`."""
    rated(folder)
    _make_incoming(folder)


def sample(folder: Path) -> None:
    """A store with the sample in it."""
    with open_writer(folder / "store", command="a test") as store:
        take_in(store, sample_bundle_path())
        back_up(store, now=utc_now, progress=Progress())


def sample_and_incoming(folder: Path) -> None:
    """A store with the sample in it, and bundles that are still to come in."""
    sample(folder)
    _make_incoming(folder)


def documents(folder: Path) -> None:
    """A store with a bundle, and documents for a library in `folder/docs`."""
    rated(folder)
    (folder / "docs").mkdir()
    for number in range(DOCUMENTS):
        write_document(folder / "docs", number, "0")


def write_document(folder: Path, number: int, version: str) -> None:
    """A text of several passages, each of which has the version."""
    lines = [f"document{number} version{version} line{line} {'kelp ' * 90}" for line in range(PASSAGES)]
    (folder / f"{number}.txt").write_text("\n\n".join(lines))


def old(folder: Path) -> None:
    """A store of the first version, as it was left then."""
    store = folder / "store"
    (store / "snapshots").mkdir(parents=True)
    (store / "snapshots" / f"{hashlib.sha256(PAGE).hexdigest()}.warc.gz").write_bytes(PAGE)
    lay(store / "store.sqlite3", 1)


def state(line: tuple[Any, ...]) -> str:
    """What a window has said of a rating, to be compared with what is stored."""
    return json.dumps(list(line), sort_keys=True)


def _make_incoming(folder: Path) -> None:
    place = folder / "incoming"
    pages = place / "pages"
    pages.mkdir(parents=True)
    for number in range(3):
        body = b"<p>Kelp. " + os.urandom(30_000).hex().encode()
        page = warc.write_snapshot(answer(url=f"https://kelp{number}.example/", body=body))
        (pages / f"{number}.warc.gz").write_bytes(page)
    for number in range(INCOMING):
        for revision in (1, 2):
            tasks = [task(f"b{n}", f"Sentence {n} of {revision}.", "And more. " * 30) for n in range(LINES * revision)]
            path = place / f"b{number}-{revision}.zip"
            make(path, tasks, id=f"b{number}", revision=revision, snapshots=pages)
