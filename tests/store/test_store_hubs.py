"""A store knows its hubs by their projects: what waits for one stays with it, wherever the hub moves."""

from datetime import timedelta

import pytest

from desktop_rater.store import hubs, mailbox
from desktop_rater.store.errors import StoreError
from desktop_rater.store.keys import (
    KEYS_FROM_FILES,
    OWN_KEYS,
    KeyEvent,
    SeenKey,
    decide_key,
    keys_by_rater,
    known_keys,
    list_rater_keys,
    record_keys,
)
from tests.store.hub_items import NOW, PROJECT, RATER, URL, connected, queued, sent, states

LATER = NOW + timedelta(hours=3)


def current(store):
    row = hubs.current_hub(store)
    assert row is not None
    return row


def test_a_store_begins_without_a_hub(store):
    assert (hubs.list_hubs(store), hubs.current_hub(store), hubs.hub_by_url(store, URL)) == ([], None, None)
    assert (mailbox.list_arrivals(store, PROJECT), mailbox.due_items(store, PROJECT, now=NOW)) == ([], [])


def test_the_hub_that_was_connected_last_is_the_current_one_whatever_the_clock_says(store):
    connected(store)
    hubs.set_current_hub(store, project="other", title="", url="folder:/srv", user="", now=NOW - timedelta(days=9))
    assert current(store).project == "other"
    assert connected(store).current
    assert [one.current for one in hubs.list_hubs(store)] == [True, False]


def test_a_hub_that_moved_keeps_what_waits_for_it(store):
    connected(store)
    queued(store)
    hubs.pause_hub(store, PROJECT, "moved", "The hub is at another address now.")
    moved = connected(store, url="webdavs://new.example/team")
    assert (moved.url, moved.paused) == ("webdavs://new.example/team", "")
    assert hubs.hub_by_url(store, URL) is None
    assert states(store) == ["queued"]


def test_another_project_at_a_known_address_is_refused_and_nothing_changes(store):
    before = connected(store)
    with pytest.raises(StoreError, match="belongs to another project"):
        connected(store, "other")
    connected(store, "third", "folder:/srv")
    with pytest.raises(StoreError, match="belongs to another project"):
        connected(store, "third", URL)
    assert hubs.hub_by_project(store, PROJECT) == hubs.hub_by_url(store, URL)
    assert hubs.hub_by_url(store, URL) == before.__class__(**{**as_dict(before), "current": False})
    assert hubs.hub_by_project(store, "other") is None


def as_dict(row):
    return {name: getattr(row, name) for name in row.__struct_fields__}


def test_a_pause_lasts_until_it_is_taken_back_or_the_hub_is_connected_again(store):
    connected(store)
    hubs.pause_hub(store, PROJECT, "gone", "The hub's marker is gone.")
    assert (current(store).paused_kind, current(store).paused) == ("gone", "The hub's marker is gone.")
    hubs.resume_hub(store, PROJECT)
    assert current(store).paused_kind == ""
    hubs.pause_hub(store, PROJECT, "sign_in", "Sign in.")
    assert connected(store).paused == ""


def test_a_hub_that_was_asked_shows_its_clock(store):
    connected(store)
    hubs.record_response(store, PROJECT, now=NOW, skew=-412.5)
    hubs.record_response(store, PROJECT, now=LATER)
    assert (current(store).asked, current(store).skew) == ("2026-11-20T12:12:00Z", -412.5)


def test_a_sync_counts_as_good_only_when_nothing_that_was_tried_is_unverified(store):
    connected(store)
    assert hubs.record_verified_sync(store, PROJECT, now=NOW)
    sent(store, b"gone")
    key = queued(store, b"waits", revision=2).key
    assert hubs.record_verified_sync(store, PROJECT, now=NOW)  # it came while the sync ran
    mailbox.mark_uploading(store, key, now=NOW)
    assert not hubs.record_verified_sync(store, PROJECT, now=LATER)
    mailbox.mark_uploaded(store, key, now=NOW)
    assert not hubs.record_verified_sync(store, PROJECT, now=LATER)
    mailbox.retry_later(store, key, "away", "No answer.", next_try=LATER, now=NOW)
    assert not hubs.record_verified_sync(store, PROJECT, now=LATER)
    assert current(store).verified == "2026-11-20T09:12:00Z"
    mailbox.mark_failed(store, key, "too_large", "It is too large.", now=NOW)
    assert hubs.record_verified_sync(store, PROJECT, now=LATER)
    assert current(store).verified == "2026-11-20T12:12:00Z"


def test_a_hub_that_is_left_keeps_what_waits_and_one_that_is_forgotten_does_not(store, folder):
    connected(store)
    queued(store)
    record_keys(store, [SeenKey(RATER, "a" * 64)], PROJECT, now=NOW)
    hubs.unset_current_hub(store, PROJECT)
    assert hubs.current_hub(store) is None
    assert states(store) == ["queued"]
    hubs.forget_hub(store, PROJECT)
    assert (hubs.list_hubs(store), states(store), list_rater_keys(store)) == ([], [], [])
    assert mailbox.list_files(folder, "outbox") == []


def test_each_key_of_a_rater_is_known_from_when_it_was_first_seen(store):
    first, second, other = SeenKey(RATER, "a" * 64), SeenKey(RATER, "c" * 64), SeenKey("r-18", "b" * 64)
    assert record_keys(store, [first, other], PROJECT, now=NOW) == 2
    assert record_keys(store, [first, second], PROJECT, now=LATER) == 1
    assert record_keys(store, [first], OWN_KEYS, now=LATER) == 1
    assert [one.seen for one in list_rater_keys(store, RATER) if one.project] == [
        "2026-11-20T09:12:00Z",
        "2026-11-20T12:12:00Z",
    ]


def test_a_later_key_waits_until_an_earlier_one_has_signed_for_it_or_the_lead_has_chosen_it(store):
    first, signed_for, foreign = "a" * 64, "b" * 64, "c" * 64
    record_keys(store, [SeenKey(RATER, first)], PROJECT, now=NOW)
    later = [SeenKey(RATER, foreign), SeenKey(RATER, "d" * 64, foreign), SeenKey(RATER, signed_for, first)]
    record_keys(store, later, PROJECT, now=LATER)
    assert keys_by_rater(store) == {RATER: {first, signed_for}}
    record_keys(store, [SeenKey(RATER, foreign, lead="Ana")], KEYS_FROM_FILES, now=LATER)
    assert keys_by_rater(store) == {RATER: {first, signed_for, foreign}}


def test_a_key_that_was_called_back_stays_so_wherever_it_is_seen_again(store):
    stolen = SeenKey(RATER, "a" * 64)
    record_keys(store, [stolen], PROJECT, now=NOW)
    called_back = KeyEvent(rater=RATER, key=stolen.key, project="", kind="called back", by="Ana", reason="It was lost.")
    decide_key(store, called_back, now=LATER)
    for project in (PROJECT, "moss", KEYS_FROM_FILES):
        record_keys(store, [stolen], project, now=LATER)
    record_keys(store, [SeenKey(RATER, "b" * 64, stolen.key)], PROJECT, now=LATER)
    keys = known_keys(store)
    assert keys.valid == {}
    assert keys.ever == {RATER}
