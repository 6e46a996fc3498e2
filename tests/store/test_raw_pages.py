"""Rows are read from the bytes of a file as SQLite wrote them, and no bytes at all stop the reading."""

from __future__ import annotations

import random
import shutil
import sqlite3

import pytest

from desktop_rater.store import raw_pages


@pytest.mark.parametrize("page_size", [512, 1024, 4096, 65536])
@pytest.mark.parametrize("log", [False, True], ids=["one file", "with a log"])
def test_rows_are_read_as_sqlite_wrote_them(tmp_path, page_size, log):
    chance = random.Random(page_size)
    file = tmp_path / "any.sqlite3"
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a, b, c)")
    connection.execute("CREATE TABLE w (a, b, c, d, e, f, PRIMARY KEY (a)) WITHOUT ROWID")
    values = [None, 0, 1, -1, 127, -128, 2**15, -(2**23), 2**31, -(2**47), 2**62, -(2**63), 0.5, "", "ü🙂\0", b"\xff"]
    rows = {}
    for number in range(80):
        length = chance.choice([0, 3, 60, page_size // 4, page_size - 40, page_size, 3 * page_size])
        rows[number * 7 - 900] = (chance.choice(values), "é" * (length // 2), chance.randbytes(length))
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", ((key, *row) for key, row in rows.items()))
    connection.executemany("INSERT INTO w VALUES (?, ?, ?, ?, ?, ?)", ((key, *row, 1, 2) for key, row in rows.items()))
    if log:
        for name in ("any.sqlite3", "any.sqlite3-wal"):
            shutil.copy(tmp_path / name, tmp_path / f"copy-{name}")
    connection.close()
    name = "copy-any.sqlite3" if log else "any.sqlite3"
    with raw_pages.open_raw_pages(tmp_path / name, tmp_path / f"{name}-wal") as pages:
        found = [one for one in pages.records(lambda _rowid, columns: columns in {4, 6}) if one is not None]
    assert {one.rowid: tuple(one.values[1:]) for one in found if one.rowid is not None} == rows
    assert {one.values[0]: tuple(one.values[1:4]) for one in found if one.rowid is None} == rows


@pytest.mark.parametrize("seed", range(30))
def test_no_bytes_at_all_stop_the_reading(tmp_path, seed):
    chance = random.Random(seed)
    file = tmp_path / "any.sqlite3"
    content = bytearray(b"SQLite format 3\0" + chance.randbytes(40 * 1024)) if seed % 2 else bytearray()
    for start in range(0, len(content) - 1, 1024):
        content[start : start + 1] = chance.choice([b"\x0d", b"\x0a", b"\x02"])
    file.write_bytes(content)
    (tmp_path / "log").write_bytes(bytes.fromhex("377f0682") + chance.randbytes(20_000))
    with raw_pages.open_raw_pages(file, tmp_path / "log") as pages:
        for record in pages.records(lambda _rowid, _columns: True):
            assert record is None or isinstance(record.values, list)
