"""What a hub has is seen, fetched and taken, each once; its files come whole or not at all."""

from __future__ import annotations

import sqlite3
from itertools import product

import pytest

from desktop_rater.store import boxes, hubs, inbox
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import open_writer
from desktop_rater.store.trouble import NotThere, StoreError
from tests.store.hub_items import NOW, PROJECT, RATER, arrived, assigned, connected, received_file, sha256

WAYS = {"seen": [], "fetched": ["fetched"], "taken": ["fetched", "taken"], "refused": ["refused"]}


@pytest.fixture
def store(store):
    connected(store)
    return store


def states(store):
    return [one.state for one in inbox.listed(store, PROJECT)]


def test_a_bundle_arrives_and_is_taken_once(store, folder):
    key = arrived(store)
    (one,) = inbox.listed(store, PROJECT, rater=RATER, states=["fetched"])
    assert inbox.content(store, one) == folder / "inbox" / sha256(b"a bundle")
    inbox.taken(store, [key], now=NOW)
    assert inbox.taken_bundles(store, PROJECT, RATER) == {"november"}
    assert boxes.listed(folder, "inbox") == []
    inbox.seen(store, [assigned(b"a bundle")], now=NOW)
    assert states(store) == ["taken"]
    assert inbox.known(store, PROJECT, RATER) == {one.name}


def test_a_file_that_two_wait_for_stays_until_both_have_it(store, folder):
    first, second = arrived(store), arrived(store, rater="r-18")
    inbox.taken(store, [first], now=NOW)
    assert len(boxes.listed(folder, "inbox")) == 1
    inbox.refused(store, second, "It is for somebody else.", now=NOW)
    assert boxes.listed(folder, "inbox") == []
    assert inbox.listed(store, PROJECT, states=["refused"])[0].last_error == "It is for somebody else."


def test_wrong_bytes_leave_nothing(store, folder):
    with boxes.receiving(folder, "inbox", sha256(b"a bundle")) as file:
        file.write(b"a login page")
        assert not file.keep()
    assert list((folder / "inbox").iterdir()) == []


def test_a_broken_connection_leaves_nothing(store, folder):
    with pytest.raises(ConnectionAbortedError), boxes.receiving(folder, "inbox", sha256(b"a bundle")) as file:
        file.write(b"a bun")
        break_off()
    assert list((folder / "inbox").iterdir()) == []


def break_off():
    raise ConnectionAbortedError


def test_nothing_is_called_fetched_without_its_file(store):
    inbox.seen(store, [assigned(b"a bundle")], now=NOW)
    (one,) = inbox.listed(store, PROJECT)
    with pytest.raises(NotThere):
        inbox.fetched(store, one.key, now=NOW)
    assert states(store) == ["seen"]


def test_what_lost_its_file_is_fetched_once_more(store, folder):
    key = arrived(store)
    (folder / "inbox" / sha256(b"a bundle")).write_bytes(b"a bungle")
    (one,) = inbox.listed(store, PROJECT)
    assert inbox.content(store, one) is None
    inbox.again(store, [key], now=NOW)
    assert received_file(store, b"a bundle")
    inbox.fetched(store, key, now=NOW)
    assert inbox.content(store, one) is not None


@pytest.mark.parametrize(("begin", "to"), [*product(inbox.MOVES, inbox.MOVES)])
def test_a_step_that_the_table_does_not_have_is_refused_by_the_program_and_by_the_database(store, begin, to):
    inbox.seen(store, [assigned(b"a bundle")], now=NOW)
    (one,) = inbox.listed(store, PROJECT)
    for state in WAYS[begin]:
        store.db.execute("UPDATE inbox SET state = ?", (state,))
    if to in inbox.MOVES[begin]:
        store.db.execute("UPDATE inbox SET state = ?", (to,))
        return
    with pytest.raises(sqlite3.IntegrityError, match="no such step"):
        store.db.execute("UPDATE inbox SET state = ?", (to,))
    received_file(store, b"a bundle")
    steps = {
        "seen": lambda: inbox.again(store, [one.key], now=NOW),
        "fetched": lambda: inbox.fetched(store, one.key, now=NOW),
        "taken": lambda: inbox.taken(store, [one.key], now=NOW),
        "refused": lambda: inbox.refused(store, one.key, "No.", now=NOW),
    }
    with pytest.raises(RuntimeError, match="no such step"):
        steps[to]()
    assert states(store) == [begin]


@pytest.mark.parametrize("box", boxes.BOXES)
def test_what_a_killed_program_left_goes_at_the_next_start_and_what_waits_stays(folder, box):
    with open_writer(folder, command="the window") as store:
        connected(store)
        arrived(store)
        boxes.keep(folder, box, [b"without a row"])
        (folder / box / ".desktop-rater-abcdefgh.part").write_bytes(b"half")
        (folder / box / "notes.txt").write_text("not ours")
        assert any("never finished" in one.text for one in examine(folder).notes) is False  # it may be at work
    open_writer(folder, command="the window").close()
    left = {file.name for file in (folder / box).iterdir()}
    assert left == {"notes.txt", *([sha256(b"a bundle")] if box == "inbox" else [])}


@pytest.mark.parametrize("name", ["../../etc/passwd", "a" * 63, "A" * 64, ""])
def test_no_file_gets_a_name_that_is_no_hash(folder, name):
    with pytest.raises(StoreError, match="no such name"):
        boxes.path(folder, "inbox", name)


def test_files_are_for_their_owner_only(store, folder):
    arrived(store)
    assert (folder / "inbox").stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in boxes.listed(folder, "inbox"))


def test_a_link_in_the_place_of_a_file_is_not_followed(store, folder, tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"a bundle")
    boxes.keep(folder, "inbox", [b"something"])
    (folder / "inbox" / sha256(b"a bundle")).symlink_to(tmp_path / "elsewhere")
    assert boxes.intact(folder, "inbox", sha256(b"a bundle")) is None


def test_a_hub_that_is_forgotten_takes_its_files_along(store, folder):
    arrived(store)
    hubs.forget(store, PROJECT)
    assert boxes.listed(folder, "inbox") == []
    assert inbox.listed(store, PROJECT) == []
