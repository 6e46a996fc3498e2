"""A store in one zip: what was put in comes out, also where the database is too large for one entry."""

import hashlib
import zipfile

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.operations.store.backup import open_backup, write_backup
from tests.format import zips

PAGE = b"a page"
SHA = hashlib.sha256(PAGE).hexdigest()
MOMENT = "2026-11-20T12:00:00Z"


def look():
    pass


@pytest.mark.parametrize("part", [1_000, 3_000, 10_000, 1 << 30])
def test_a_large_database_comes_in_parts_and_back_whole(tmp_path, part):
    content = bytes(range(256)) * 39 + b"the end"
    (tmp_path / "database").write_bytes(content)
    (tmp_path / "page").write_bytes(PAGE)
    write_backup(tmp_path / "b.zip", tmp_path / "database", {SHA: tmp_path / "page"}, MOMENT, look, part=part)
    with open_backup(tmp_path / "b.zip") as backup:
        assert backup.size == len(content)
        assert b"".join(backup.database()) == content
        assert backup.snapshots == (SHA,)
        assert b"".join(backup.snapshot(SHA)) == PAGE
    with zipfile.ZipFile(tmp_path / "b.zip") as zip_:
        assert len(zip_.namelist()) == 1 + -(-len(content) // part)


@pytest.mark.parametrize(
    "names",
    [
        ["tasks.jsonl"],
        ["store.sqlite3", "../store.sqlite3"],
        ["store.sqlite3", "store.sqlite3-wal"],
        ["store.sqlite3", "snapshots/page.html"],
        ["store.sqlite3", "lock"],
        ["store.sqlite3.001"],
        [],
    ],
)
def test_what_is_no_backup_is_refused(tmp_path, names):
    zips.pack(tmp_path / "b.zip", dict.fromkeys(names, b"content"))
    with pytest.raises(BundleError), open_backup(tmp_path / "b.zip"):
        pass
