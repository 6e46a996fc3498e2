"""What the tests of restoring share: a store, a backup of what it was, and the way back."""

import hashlib

from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import find_backup, restore_backup
from desktop_rater.store.open_store import open_reader
from tests.store.killed_at import noon

PAGE = b"a page as it came"
SHA = hashlib.sha256(PAGE).hexdigest()


def revisions(folder):
    """How many there are, as one who only looks sees it."""
    reader = open_reader(folder)
    if reader is None:
        return None
    with reader:
        return reader.db.execute("SELECT count(*) FROM ratings").fetchone()[0]


def restored(folder, word=None, progress=None):
    source = find_backup(folder, None if word is None else str(word))
    return restore_backup(folder, source, command="restore", now=noon, progress=progress or Progress())


def files(folder):
    """Content by name, but for what says who holds the store."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in {"lock", "holder.json"})
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
