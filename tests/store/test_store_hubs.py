"""A store knows its hubs by their projects: what waits for one stays with it, wherever the hub moves."""

import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Signature
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_in_place, salvage_to
from desktop_rater.store import backups, hubs, keys, mailbox, schema
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged, StoreError
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
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.sqlite_tools import Database
from tests.audit.results import GOOD, Desk
from tests.readers import reader_of
from tests.store.going_back import restored
from tests.store.hub_items import NOW, PROJECT, RATER, URL, arrived, connected, queued, sent, sha256, states
from tests.store.killed_at import noon

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


def test_a_hub_that_is_left_keeps_what_waits(store):
    connected(store)
    queued(store)
    hubs.unset_current_hub(store, PROJECT)
    assert hubs.current_hub(store) is None
    assert states(store) == ["queued"]


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


KEY = "c" * 64
KEEP_NAMES = "DROP TRIGGER outbox_items_never_change"


@pytest.fixture
def exchanging(folder):
    """A closed store with a hub: one thing went, one waits, one failed, and a bundle is there to import."""
    with open_writer(folder, command="the window") as store:
        connected(store)
        hubs.record_response(store, PROJECT, now=NOW, skew=-2.0)
        sent(store, b"first", made_of="november at noon")
        waits, bad = queued(store, b"second", revision=2), queued(store, b"third", revision=3)
        mailbox.mark_uploading(store, waits.key, now=NOW)
        mailbox.mark_failed(store, bad.key, "too_large", "It is too large.", now=NOW)
        arrived(store)
    return folder


def test_a_sound_store_says_what_waits(exchanging):
    report = examine_store(exchanging)
    assert report.sound
    (words,) = [one.text for one in report.notes if one.check == "hubs"]
    assert words == "The hub of kelp: 2 files wait for it, and no sync has succeeded yet."


@pytest.mark.parametrize("harm", ["gone", "altered"])
@pytest.mark.parametrize(("box", "data"), [("outbox", b"second"), ("inbox", b"a bundle")])
def test_a_file_that_is_not_what_it_was_is_noticed_and_never_sent(exchanging, box, data, harm):
    file = exchanging / box / sha256(data)
    file.unlink() if harm == "gone" else file.write_bytes(b"x" + data[1:])
    (fault,) = examine_store(exchanging).faults
    assert fault.check == "hub files"
    assert f"in the {box} is missing or modified" in fault.text
    with reader_of(exchanging) as store:
        waits = [one for one in mailbox.due_items(store, PROJECT, now=NOW) if mailbox.item_content(store, one) is None]
        here = [one for one in mailbox.list_arrivals(store, PROJECT) if mailbox.arrival_content(store, one) is None]
        assert (len(waits), len(here)) == ((1, 0) if box == "outbox" else (0, 1))
    with open_writer(exchanging, command="sync") as store:  # it is made again, with the same bytes
        mailbox.store_file(exchanging, box, [data])
        assert len(states(store)) == 3
    assert examine_store(exchanging).sound


def test_what_has_gone_needs_no_file_here(exchanging):
    (exchanging / "outbox" / sha256(b"first")).unlink()
    (exchanging / "outbox" / sha256(b"third")).unlink()  # that one failed, which is told already
    assert examine_store(exchanging).sound


def test_only_the_newest_of_what_has_gone_keeps_its_file(exchanging):
    with open_writer(exchanging, command="the window") as store:
        sent(store, b"fourth", revision=4)
    open_writer(exchanging, command="the window").close()
    there = {file.name for file in mailbox.list_files(exchanging, "outbox")}
    assert there == {sha256(b"second"), sha256(b"third"), sha256(b"fourth")}


def test_an_altered_row_is_a_fault_of_the_store_and_of_a_backup(exchanging, damage):
    damage(KEEP_NAMES, "UPDATE outbox SET name = 'results/r-17/december/1.zip' WHERE revision = 2")
    assert any(one.check == "outbox" for one in examine_store(exchanging).faults)
    with open_writer(exchanging, command="backup") as store, pytest.raises(StoreDamaged):
        back_up(store, now=noon, progress=Progress())


def test_a_trigger_that_is_gone_is_noticed_in_a_backup(exchanging, damage):
    damage("DROP TRIGGER outbox_goes_step_by_step")
    with open_writer(exchanging, command="backup") as store, pytest.raises(StoreDamaged):
        back_up(store, now=noon, progress=Progress())


def test_a_backup_holds_the_hub_and_what_waits_for_it(exchanging):
    with open_writer(exchanging, command="backup") as store:
        back_up(store, now=noon, progress=Progress())
        sent(store, b"fourth", revision=4)
        assert backups.backup_is_needed(store, backups.newest_good_backup(exchanging))
    restored(exchanging, "00001")
    with reader_of(exchanging) as store:
        assert [row.url for row in hubs.list_hubs(store)] == [URL]
        assert states(store) == ["verified", "uploading", "failed"]


def test_a_restored_store_tells_no_lies_and_what_it_does_not_know_stays_with_the_replaced_one(exchanging):
    """What went or waited after the backup is nothing to it: the hub shows it, or the replaced store has it still."""
    with open_writer(exchanging, command="backup") as store:
        back_up(store, now=noon, progress=Progress())
        (waits,) = mailbox.list_items(store, PROJECT, ["uploading"])
        mailbox.mark_uploaded(store, waits.key, now=NOW)
        mailbox.mark_verified(store, waits.key, now=NOW)
        queued(store, b"after the backup", revision=4)
    replaced = restored(exchanging, "00001").replaced
    with open_writer(exchanging, command="the window") as store:
        (again,) = mailbox.due_items(store, PROJECT, now=NOW)  # the hub holds it already, and says so
        assert (again.name, again.state) == (waits.name, "uploading")
        assert mailbox.item_content(store, again) is not None
        assert not hubs.record_verified_sync(store, PROJECT, now=NOW)
    assert not (exchanging / "outbox" / sha256(b"after the backup")).exists()
    with open_writer(replaced, command="the window") as store:
        assert states(store) == ["verified", "verified", "failed", "queued"]
        assert all(
            mailbox.item_content(store, one) is not None
            for one in mailbox.list_items(store, PROJECT, (*mailbox.UNDER_WAY, "failed"))
        )


def test_a_disk_that_knows_no_second_names_gets_copies(exchanging, tmp_path, monkeypatch):
    def refuse(*_names):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    (tmp_path / "other").mkdir()
    mailbox.share_box(exchanging, "outbox", tmp_path / "other")
    assert {file.name for file in mailbox.list_files(tmp_path / "other", "outbox")} == {
        file.name for file in mailbox.list_files(exchanging, "outbox")
    }
    assert mailbox.intact_file(tmp_path / "other", "outbox", sha256(b"second")) is not None


def assert_saved(folder):
    with open_writer(folder, command="the window") as store:
        (row,) = hubs.list_hubs(store)
        assert (row.url, row.current, row.skew) == (URL, True, -2.0)
        first, second, third = mailbox.list_items(store, PROJECT)
        assert (first.state, first.made_of) == ("verified", "november at noon")
        assert second.state == "uploading", "as after any end of a sync"
        assert (third.state, third.last_error) == ("failed", "It is too large.")
        assert mailbox.item_content(store, second) is not None
        assert [arrival.state for arrival in mailbox.list_arrivals(store, PROJECT)] == ["fetched"]
    assert examine_store(folder).sound


def test_of_a_damaged_store_what_waits_for_the_hub_is_saved(exchanging, file, tmp_path):
    back_up_store(file.parent)
    spoil(file)
    saved = salvage_to(exchanging, tmp_path / "saved", now=NOW, progress=Progress())
    assert saved.lost == ()
    assert_saved(tmp_path / "saved")
    assert mailbox.intact_file(exchanging, "outbox", sha256(b"second")) is not None


def test_and_in_place_as_well(exchanging, file):
    back_up_store(file.parent)
    spoil(file)
    done = salvage_in_place(exchanging, now=NOW, progress=Progress())
    assert done.lost == ()
    assert_saved(exchanging)
    assert done.aside is not None
    assert mailbox.intact_file(done.aside, "outbox", sha256(b"third")) is not None


@pytest.mark.parametrize("key", [KEY, ""])
def test_the_leads_key_is_saved_of_a_damaged_store(exchanging, file, tmp_path, key):
    with open_writer(exchanging, command="the window") as store:
        hubs.pin_lead_key(store, PROJECT, key)
    back_up_store(file.parent)
    spoil(file)
    salvage_to(exchanging, tmp_path / "saved", now=NOW, progress=Progress())
    with reader_of(tmp_path / "saved") as store:
        assert [(row.project, row.lead_key) for row in hubs.list_hubs(store)] == [(PROJECT, key)]


def test_a_hub_of_a_damaged_store_from_before_the_leads_keys_is_saved(folder, file, tmp_path):
    """Its row is one column shorter, also after the store was updated."""
    folder.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None, factory=Database)) as connection:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        schema.migrate_tables(connection, target=8)
        columns = "project, title, url, user, connected, current"
        values = (PROJECT, "Kelp", URL, "ann", "2026-11-20T12:00:00Z", 1)
        connection.execute(f"INSERT INTO hubs ({columns}) VALUES (?, ?, ?, ?, ?, ?)", values)
    with open_writer(folder, command="the window") as store:
        assert [row.lead_key for row in hubs.list_hubs(store)] == [""]
    back_up_store(file.parent)
    spoil(file)
    salvage_to(folder, tmp_path / "saved", now=NOW, progress=Progress())
    with reader_of(tmp_path / "saved") as store:
        assert [(row.url, row.lead_key) for row in hubs.list_hubs(store)] == [(URL, "")]


def back_up_store(folder):
    with open_writer(folder, command="test") as store:
        back_up(store, now=lambda: NOW, progress=Progress())


def spoil(file):
    data = bytearray(file.read_bytes())
    data[:100] = b"\0" * 100  # SQLite opens no such file
    file.write_bytes(data)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    desk = Desk(tmp_path_factory.mktemp("once"))
    desk.opened(*(desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")), desk.bundle)
    return desk.store


@pytest.fixture
def signed(once, folder):
    """Results of ann, signed, and of bo, not signed."""
    shutil.copytree(once, folder)
    with open_writer(folder, command="test") as store:
        (key,) = store.db.execute("SELECT key FROM received WHERE rater = 'ann'").fetchone()
        keys.record_signature(store, key, Signature("signed", KEY))
    return folder


def said(folder):
    with reader_of(folder) as store:
        return sorted(keys.signatures_of_bundle(store, "kelp").values(), key=lambda one: one.state)


def test_how_results_were_signed_is_saved_of_a_damaged_store(signed, file, tmp_path):
    before = said(signed)
    assert [one.state for one in before] == ["signed", "unsigned"]
    back_up_store(file.parent)
    spoil(file)
    salvage_to(signed, tmp_path / "saved", now=NOW, progress=Progress())
    assert said(tmp_path / "saved") == before


def test_a_signature_that_was_put_to_other_results_is_noticed(signed, damage, tmp_path):
    back_up_store(signed)
    damage("UPDATE signatures SET state = 'signed', key = 'cc' WHERE state = 'unsigned'")
    assert [one.check for one in examine_store(signed).faults] == ["signatures"]
    with pytest.raises(StoreDamaged, match="was modified"):
        said(signed)
    salvage_to(signed, tmp_path / "saved", now=NOW, progress=Progress())
    assert [one.state for one in said(tmp_path / "saved")] == ["signed", "unsigned"]
