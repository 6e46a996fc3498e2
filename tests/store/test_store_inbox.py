"""What a hub has is seen, fetched and taken, each once; its files come whole or not at all."""

import sqlite3
from itertools import product

import pytest

from desktop_rater.store import mailbox
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.open_store import open_writer
from tests.store.hub_items import NOW, PROJECT, RATER, arrived, assigned, connected, received_file, sha256

WAYS = {"seen": [], "fetched": ["fetched"], "taken": ["fetched", "taken"], "refused": ["refused"]}


@pytest.fixture
def store(store):
    connected(store)
    return store


def states(store):
    return [one.state for one in mailbox.list_arrivals(store, PROJECT)]


def test_a_bundle_arrives_and_is_taken_once(store, folder):
    key = arrived(store)
    (one,) = mailbox.list_arrivals(store, PROJECT, rater=RATER, states=["fetched"])
    assert mailbox.arrival_content(store, one) == folder / "inbox" / sha256(b"a bundle")
    mailbox.mark_imported(store, [key], now=NOW)
    assert mailbox.imported_bundles(store, PROJECT, RATER) == {"november"}
    assert mailbox.list_files(folder, "inbox") == []
    mailbox.record_arrivals(store, [assigned(b"a bundle")], now=NOW)
    assert states(store) == ["taken"]
    assert mailbox.known_arrivals(store, PROJECT, RATER) == {one.name}


def test_a_file_that_two_wait_for_stays_until_both_have_it(store, folder):
    first, second = arrived(store), arrived(store, rater="r-18")
    mailbox.mark_imported(store, [first], now=NOW)
    assert len(mailbox.list_files(folder, "inbox")) == 1
    mailbox.mark_refused(store, second, "It is for somebody else.", now=NOW)
    assert mailbox.list_files(folder, "inbox") == []
    assert mailbox.list_arrivals(store, PROJECT, states=["refused"])[0].last_error == "It is for somebody else."


def test_wrong_bytes_leave_nothing(store, folder):
    with mailbox.receive_file(folder, "inbox", sha256(b"a bundle")) as file:
        file.write(b"a login page")
        assert not file.keep()
    assert list((folder / "inbox").iterdir()) == []


def test_a_broken_connection_leaves_nothing(store, folder):
    with pytest.raises(ConnectionAbortedError), mailbox.receive_file(folder, "inbox", sha256(b"a bundle")) as file:
        file.write(b"a bun")
        break_off()
    assert list((folder / "inbox").iterdir()) == []


def break_off():
    raise ConnectionAbortedError


def test_nothing_is_called_fetched_without_its_file(store):
    mailbox.record_arrivals(store, [assigned(b"a bundle")], now=NOW)
    (one,) = mailbox.list_arrivals(store, PROJECT)
    with pytest.raises(NotInStore):
        mailbox.mark_fetched(store, one.key, now=NOW)
    assert states(store) == ["seen"]


def test_what_lost_its_file_is_fetched_once_more(store, folder):
    key = arrived(store)
    (folder / "inbox" / sha256(b"a bundle")).write_bytes(b"a bungle")
    (one,) = mailbox.list_arrivals(store, PROJECT)
    assert mailbox.arrival_content(store, one) is None
    mailbox.mark_for_refetch(store, [key], now=NOW)
    assert received_file(store, b"a bundle")
    mailbox.mark_fetched(store, key, now=NOW)
    assert mailbox.arrival_content(store, one) is not None


@pytest.mark.parametrize(("begin", "to"), [*product(mailbox.ARRIVAL_TRANSITIONS, mailbox.ARRIVAL_TRANSITIONS)])
def test_a_step_that_the_table_does_not_have_is_refused_by_the_program_and_by_the_database(store, begin, to):
    mailbox.record_arrivals(store, [assigned(b"a bundle")], now=NOW)
    (one,) = mailbox.list_arrivals(store, PROJECT)
    for state in WAYS[begin]:
        store.db.execute("UPDATE inbox SET state = ?", (state,))
    if to in mailbox.ARRIVAL_TRANSITIONS[begin]:
        store.db.execute("UPDATE inbox SET state = ?", (to,))
        return
    with pytest.raises(sqlite3.IntegrityError, match="no such step"):
        store.db.execute("UPDATE inbox SET state = ?", (to,))
    received_file(store, b"a bundle")
    steps = {
        "seen": lambda: mailbox.mark_for_refetch(store, [one.key], now=NOW),
        "fetched": lambda: mailbox.mark_fetched(store, one.key, now=NOW),
        "taken": lambda: mailbox.mark_imported(store, [one.key], now=NOW),
        "refused": lambda: mailbox.mark_refused(store, one.key, "No.", now=NOW),
    }
    with pytest.raises(RuntimeError, match="no such step"):
        steps[to]()
    assert states(store) == [begin]


@pytest.mark.parametrize("box", mailbox.MAILBOXES)
def test_what_a_killed_program_left_goes_at_the_next_start_and_what_waits_stays(folder, box):
    with open_writer(folder, command="the window") as store:
        connected(store)
        arrived(store)
        mailbox.store_file(folder, box, [b"without a row"])
        (folder / box / ".desktop-rater-abcdefgh.part").write_bytes(b"half")
        (folder / box / "notes.txt").write_text("not ours")
        assert any("never finished" in one.text for one in examine_store(folder).notes) is False  # it may be at work
    open_writer(folder, command="the window").close()
    left = {file.name for file in (folder / box).iterdir()}
    assert left == {"notes.txt", *([sha256(b"a bundle")] if box == "inbox" else [])}


@pytest.mark.parametrize("name", ["../../etc/passwd", "a" * 63, "A" * 64, ""])
def test_no_file_gets_a_name_that_is_no_hash(folder, name):
    with pytest.raises(StoreError, match="not valid"):
        mailbox.mailbox_path(folder, "inbox", name)


@pytest.mark.posix("Windows has access control lists, not modes")
def test_files_are_for_their_owner_only(store, folder):
    arrived(store)
    assert (folder / "inbox").stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in mailbox.list_files(folder, "inbox"))


@pytest.mark.posix("links need a special right on Windows")
def test_a_link_in_the_place_of_a_file_is_not_followed(store, folder, tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"a bundle")
    mailbox.store_file(folder, "inbox", [b"something"])
    (folder / "inbox" / sha256(b"a bundle")).symlink_to(tmp_path / "elsewhere")
    assert mailbox.intact_file(folder, "inbox", sha256(b"a bundle")) is None
