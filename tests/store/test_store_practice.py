"""Stores with gold for practice: what a backup, a restore and a salvage keep of it, and what the doctor says."""

import sqlite3

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.store.backup import back_up, export_backup
from desktop_rater.operations.store.salvage import salvage_in_place
from desktop_rater.store import backups, bundles
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from tests.operations.bundles import RATER, make, noon, rating, take_in, task, write_lines, writer
from tests.readers import reader_of
from tests.store.going_back import restored

TASKS = [task(f"t-{number}") for number in range(4)]
GOLD = [rating(f"t-{number}", rater="lead", note=f"Look up {number}.") for number in range(3)]


@pytest.fixture
def practised(folder, tmp_path):
    """A store with a bundle for practice, one task of it rated, and a backup of all that."""
    lines = write_lines(tmp_path / "gold.jsonl", GOLD)
    with writer(folder) as store:
        take_in(store, make(tmp_path / "kelp.zip", TASKS, gold=lines, practice=True))
        rate_from_file(
            store, "kelp", write_lines(tmp_path / "r.jsonl", [rating("t-0")]), RATER, progress=Progress(), now=noon
        )
        back_up(store, now=noon, progress=Progress())
    return folder


@pytest.fixture
def damage(file):
    def run(*statements):
        connection = sqlite3.connect(file, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    return run


def gold_in(folder):
    """Which tasks have a gold answer."""
    with reader_of(folder) as store:
        return [number for number in range(4) if bundles.find_gold(store, "kelp", f"t-{number}") is not None]


def salvaged(folder):
    return salvage_in_place(folder, now=noon(), progress=Progress())


@pytest.mark.parametrize("as_zip", [False, True])
def test_a_restored_backup_has_all_of_it(practised, tmp_path, damage, as_zip):
    source = "00001"
    if as_zip:
        with reader_of(practised) as store:
            export_backup(store, tmp_path / "all.zip", now=noon, progress=Progress())
        source = tmp_path / "all.zip"
    damage("DELETE FROM gold")
    restored(practised, source)
    assert gold_in(practised) == [0, 1, 2]
    assert examine_store(practised).sound


def test_a_backup_is_not_made_of_gold_that_was_altered(practised, damage):
    damage("UPDATE gold SET line = CAST(replace(line, 'Look', 'Book') AS BLOB) WHERE key & 1")
    assert [fault.check for fault in examine_store(practised).faults] == ["gold"]
    with writer(practised) as store, pytest.raises(StoreDamaged, match="gold answer of the task 't-1' was altered"):
        back_up(store, now=noon, progress=Progress())
    assert [one.good for one in backups.list_backups(practised, check_cancelled=lambda: None)] == [True]


def test_a_salvaged_store_has_all_of_it_again(practised, file):
    content = bytearray(file.read_bytes())
    content[:4096] = bytes(4096)
    file.write_bytes(content)
    assert salvaged(practised).lost == ()
    assert gold_in(practised) == [0, 1, 2]
    assert examine_store(practised).sound


def test_what_is_altered_comes_from_a_backup(practised, damage):
    damage("UPDATE gold SET line = CAST(replace(line, 'Look', 'Book') AS BLOB)")
    assert salvaged(practised).lost == ()
    assert gold_in(practised) == [0, 1, 2]
