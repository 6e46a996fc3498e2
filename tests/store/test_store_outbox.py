"""What goes to a hub goes step by step, and no step can be left out, not even by somebody else's program."""

import sqlite3
from datetime import timedelta
from itertools import pairwise, product

import pytest

from desktop_rater.store import mailbox
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.open_store import open_writer
from tests.readers import reader_of
from tests.store.hub_items import NOW, PROJECT, RATER, connected, item, queued, sent, sha256, states

LATER = NOW + timedelta(minutes=4)
WAYS: dict[mailbox.OutgoingState, list[mailbox.OutgoingState]] = {
    "queued": [],
    "uploading": ["uploading"],
    "uploaded": ["uploading", "uploaded"],
    "verified": ["uploading", "uploaded", "verified"],
    "failed": ["failed"],
}


@pytest.fixture
def store(store):
    connected(store)
    return store


def by_hand(store, key, *several):
    for state in several:
        store.db.execute("UPDATE outbox SET state = ? WHERE key = ?", (state, key))


def step(store, key, to):
    match to:
        case "queued":
            mailbox.retry_later(store, key, "away", "No answer.", next_try=LATER, now=NOW)
        case "uploading":
            mailbox.mark_uploading(store, key, now=NOW)
        case "uploaded":
            mailbox.mark_uploaded(store, key, now=NOW)
        case "verified":
            mailbox.mark_verified(store, key, now=NOW)
        case "failed":
            mailbox.mark_failed(store, key, "too_large", "It is too large.", now=NOW)


def test_an_item_goes_from_the_queue_to_what_the_hub_is_known_to_hold(store):
    key = queued(store).key
    assert mailbox.mark_uploading(store, key, now=NOW).attempts == 1
    mailbox.mark_uploaded(store, key, now=NOW)
    assert [one.state for one in mailbox.due_items(store, PROJECT, now=NOW)] == ["uploaded"]
    mailbox.mark_verified(store, key, now=LATER)
    (one,) = mailbox.list_items(store, PROJECT)
    assert (one.state, one.attempts, one.next_try, one.last_error) == ("verified", 1, "", "")
    assert one.changed == "2026-11-20T09:16:00Z"
    assert mailbox.due_items(store, PROJECT, now=LATER) == []


def test_what_is_queued_twice_goes_once_and_keeps_its_state(store):
    key = sent(store, b"results", made_of="november at noon")
    again = queued(store, b"results", made_of="november at one")
    assert (again.key, again.state, again.made_of) == (key, "verified", "november at one")
    assert len(mailbox.list_items(store, PROJECT)) == 1


def test_nothing_is_queued_without_its_bytes_or_without_its_hub(store):
    with pytest.raises(NotInStore, match="not queued"):
        mailbox.enqueue(store, item(b"never stored"), now=NOW)
    with pytest.raises(StoreError):
        queued(store, b"for nobody", project="unknown")
    assert mailbox.list_items(store, PROJECT) == []


def test_two_files_never_get_one_name(store):
    known = queued(store)
    digest, size = mailbox.store_file(store.folder, "outbox", [b"other bytes"])
    new = mailbox.NewOutgoing(project=PROJECT, kind="key", name=known.name, sha256=digest, size=size)
    with pytest.raises(StoreError, match="same name"):
        mailbox.enqueue(store, new, now=NOW)


def test_each_hub_has_a_queue_of_its_own(store):
    connected(store, "other", "folder:/srv/other")
    queued(store)
    queued(store, project="other")
    assert states(store) == states(store, "other") == ["queued"]


@pytest.mark.parametrize(("begin", "to"), [*product(mailbox.OUTBOX_TRANSITIONS, mailbox.OUTBOX_TRANSITIONS)])
def test_a_step_that_the_table_does_not_have_is_refused_by_the_program_and_by_the_database(store, begin, to):
    key = queued(store).key
    by_hand(store, key, *WAYS[begin])
    if to in mailbox.OUTBOX_TRANSITIONS[begin]:
        by_hand(store, key, to)
        return
    with pytest.raises(sqlite3.IntegrityError, match="no such step"):
        by_hand(store, key, to)
    with pytest.raises(RuntimeError, match="no such step"):
        step(store, key, to)
    assert states(store) == [begin]


def test_the_ways_of_these_tests_are_steps_of_the_table():
    for begin, way in WAYS.items():
        assert (way or [begin])[-1] == begin
        whole: list[mailbox.OutgoingState] = ["queued", *way]
        assert all(to in mailbox.OUTBOX_TRANSITIONS[at] for at, to in pairwise(whole))


@pytest.mark.parametrize(
    "how",
    [
        "UPDATE outbox SET sha256 = '0'",
        "UPDATE outbox SET name = 'results/a/b/1.zip'",
        "UPDATE outbox SET rater = 'r-18'",
        """
        INSERT INTO outbox SELECT 9, project, kind, rater, bundle, revision, 'n', sha256, size, made_of, 'verified',
            attempts, next_try, error_kind, last_error, queued, changed, row_sha256 FROM outbox
        """,
    ],
)
def test_what_goes_is_never_exchanged_and_nothing_begins_as_verified(store, how):
    queued(store)
    with pytest.raises(sqlite3.IntegrityError, match=r"never changed|queued first"):
        store.db.execute(how)


def test_what_did_not_go_waits_for_its_time(store):
    key = queued(store).key
    mailbox.mark_uploading(store, key, now=NOW)
    mailbox.retry_later(store, key, "busy", "The hub asks to wait.", next_try=LATER, now=NOW)
    assert mailbox.due_items(store, PROJECT, now=NOW) == []
    (one,) = mailbox.due_items(store, PROJECT, now=LATER)
    assert (one.state, one.attempts, one.error_kind, one.last_error) == ("queued", 1, "busy", "The hub asks to wait.")


def test_a_clock_that_was_set_back_keeps_nothing_waiting_for_a_year(store):
    key = queued(store).key
    mailbox.mark_uploading(store, key, now=NOW)
    mailbox.retry_later(store, key, "away", "No answer.", next_try=LATER, now=NOW)
    assert len(mailbox.due_items(store, PROJECT, now=NOW - timedelta(days=365))) == 1


def test_what_a_user_stops_counts_as_no_attempt(store):
    key = queued(store).key
    mailbox.mark_uploading(store, key, now=NOW)
    mailbox.requeue_unattempted(store, key, "", "", now=NOW)
    (one,) = mailbox.due_items(store, PROJECT, now=NOW)
    assert (one.state, one.attempts, one.next_try) == ("queued", 0, "")
    mailbox.requeue_unattempted(store, key, "sign_in", "Sign in.", now=NOW)
    assert mailbox.list_items(store, PROJECT)[0].attempts == 0


def test_what_failed_waits_for_somebody_and_the_others_go_on(store):
    bad, good = queued(store, b"too large"), queued(store, b"fine", revision=2)
    mailbox.mark_uploading(store, bad.key, now=NOW)
    mailbox.mark_failed(store, bad.key, "too_large", "It is too large.", now=NOW)
    assert [one.key for one in mailbox.due_items(store, PROJECT, now=NOW)] == [good.key]
    assert [one.state for one in mailbox.list_items(store, PROJECT)] == ["failed", "queued"]
    assert mailbox.retry_items(store, PROJECT, [bad.key], now=NOW) == 1
    (one, _) = mailbox.due_items(store, PROJECT, now=NOW)
    assert (one.state, one.attempts) == ("queued", 0)


def test_to_try_again_lets_what_waits_go_at_once_and_what_has_gone_be(store):
    sent(store, b"gone")
    key = queued(store, b"waits", revision=2).key
    mailbox.mark_uploading(store, key, now=NOW)
    mailbox.retry_later(store, key, "away", "No answer.", next_try=LATER, now=NOW)
    assert mailbox.retry_items(store, PROJECT, now=NOW) == 1
    assert [one.key for one in mailbox.due_items(store, PROJECT, now=NOW)] == [key]


@pytest.mark.parametrize("left", ["queued", "uploading", "uploaded"])
def test_what_a_killed_program_had_under_way_is_due_as_it_stands(folder, left):
    with open_writer(folder, command="the window") as store:
        connected(store)
        key = queued(store).key
        by_hand(store, key, *WAYS[left])
    with open_writer(folder, command="the window") as store:
        (one,) = mailbox.due_items(store, PROJECT, now=NOW)
        assert (one.key, one.state) == (key, left)
        assert mailbox.item_content(store, one) == folder / "outbox" / sha256(b"results")


def test_what_a_hub_has_lost_goes_once_more(store):
    key = sent(store)
    mailbox.requeue_missing(store, [key], now=NOW)
    (one,) = mailbox.due_items(store, PROJECT, now=NOW)
    assert (one.state, one.attempts) == ("queued", 0)
    assert mailbox.item_content(store, one) is not None


def test_the_newest_results_of_a_bundle_are_those_of_the_highest_revision(store):
    queued(store, b"first", revision=1)
    second = queued(store, b"second", revision=2)
    queued(store, b"of another", revision=7, bundle="december")
    newest = mailbox.newest_results(store, PROJECT, RATER, "november")
    assert newest is not None
    assert newest.key == second.key
    assert mailbox.newest_results(store, PROJECT, "r-18", "november") is None


def test_a_hub_that_is_forgotten_in_the_middle_is_no_bug(store):
    key = queued(store).key
    store.db.execute("DELETE FROM hubs")  # as by another program
    with pytest.raises(NotInStore, match="no longer in the outbox"):
        mailbox.mark_uploading(store, key, now=NOW)


def test_who_only_looks_sees_each_step(store, folder):
    queued(store)
    with reader_of(folder) as reader:
        (one,) = mailbox.due_items(reader, PROJECT, now=NOW)
        mailbox.mark_uploading(store, one.key, now=NOW)
        assert states(reader) == ["uploading"]
        assert mailbox.item_content(reader, one) is not None
