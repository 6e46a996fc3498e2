"""What a hub does wrong: each kind of trouble holds up what it is about, and nothing else, and mends by itself."""

import pytest

from desktop_rater.format.change import Cancelled
from desktop_rater.format.hub_names import returned_name
from desktop_rater.format.signing import SigningKey
from desktop_rater.http.request import MAX_TRIES
from desktop_rater.hub.errors import HubError
from desktop_rater.operations.hub import sync as sync_module
from desktop_rater.store import mailbox
from desktop_rater.store.mailbox import NewOutgoing

from .bundles import make, task
from .hubs import PROJECT, Failing, fails

# What a cancelled sync leaves, by what it was doing: no attempt is counted but one that came through.
LEFT = {"put_new": {("queued", 0)}, "get": {("queued", 0), ("uploaded", 1)}, "list": set()}
BEFORE = "2026-11-20T12:00:00Z"


@pytest.fixture
def done(tmp_path, laptop):
    """Two bundles that are complete and wait to go."""
    laptop.get_all([make(tmp_path / f"{name}.zip", [task("t-1")]) for name in ("a", "b")], "t-1")
    laptop.clock.seconds = 60
    return laptop


def row_of(laptop, bundle):
    (row,) = [one for one in mailbox.list_items(laptop.store, PROJECT) if one.bundle == bundle]
    return row


def only_a(kind, verb="put_new", **more):
    return lambda hub: Failing(hub, fails(kind, verb, "/a/", **more))


@pytest.mark.parametrize("kind", ["too_large", "other"])
def test_an_item_that_never_goes_is_said_so_and_the_others_go(done, kind):
    synced = done.sync(only_a(kind))
    assert synced.stopped is None
    assert [one.bundle for one in synced.uploaded] == ["b"]
    assert [(one.bundle, one.state, one.attempts) for one in synced.waiting] == [("a", "failed", 1)]
    again = done.sync()
    assert (again.uploaded, again.waiting) == ((), synced.waiting)
    mailbox.retry_items(done.store, PROJECT, now=done.clock())
    assert [one.bundle for one in done.sync().uploaded] == ["a"]


@pytest.mark.parametrize("kind", ["away", "busy", "torn"])
def test_one_item_that_fails_for_now_holds_up_no_other(done, kind):
    synced = done.sync(only_a(kind))
    assert [one.bundle for one in synced.uploaded] == ["b"]
    assert [(one.bundle, one.state) for one in synced.waiting] == [("a", "queued")]
    assert synced.again > 0
    assert done.row.verified == BEFORE
    assert done.row.paused_kind == ""


def test_it_is_not_tried_before_its_time_and_then_by_itself(done):
    first = done.sync(only_a("away"))
    early = done.sync()
    assert (early.uploaded, row_of(done, "a").attempts) == ((), 1)
    done.clock.seconds += first.again
    assert [one.bundle for one in done.sync().uploaded] == ["a"]
    assert row_of(done, "a").attempts == 2


def test_who_asks_for_it_need_not_wait(done):
    done.sync(only_a("away"))
    assert [one.bundle for one in done.sync(at_once=True).uploaded] == ["a"]


def test_a_hub_that_is_away_is_not_tried_for_each_item(done):
    made = []
    synced = done.sync(lambda hub: made.append(Failing(hub, fails("away", "put_new"))) or made[0])
    assert synced.stopped.kind == "away"
    assert [one for one in made[0].calls if one[0] == "put_new"] == [
        ("put_new", row_of(done, "a").name),
        ("put_new", row_of(done, "b").name),
    ]
    assert done.row.paused_kind == ""


def test_a_hub_that_asks_to_wait_is_left_alone_as_long(done):
    synced = done.sync(lambda hub: Failing(hub, fails("busy", "put_new", retry_after=120)))
    assert synced.stopped.kind == "busy"
    assert (row_of(done, "a").attempts, row_of(done, "b").attempts) == (1, 0)
    assert synced.again >= 120
    done.clock.seconds += 119
    assert [one.bundle for one in done.sync().uploaded] == ["b"]
    done.clock.seconds += 2
    assert [one.bundle for one in done.sync().uploaded] == ["a"]


def test_after_the_last_try_it_waits_for_somebody(done):
    for _ in range(MAX_TRIES + 2):
        done.sync(only_a("away"), at_once=True)
    row = row_of(done, "a")
    assert (row.state, row.attempts, row.error_kind) == ("failed", MAX_TRIES, "away")
    assert row.last_error


def test_a_clock_that_was_set_back_holds_nothing_up(done):
    done.clock.seconds = 10 * 365 * 86_400
    done.sync(only_a("away"))
    done.clock.seconds = 0
    assert [one.bundle for one in done.sync().uploaded] == ["a"]


def test_without_a_sign_in_nothing_goes_and_no_attempt_counts(done):
    synced = done.sync(lambda hub: Failing(hub, fails("sign_in", "put_new")))
    assert (synced.stopped.kind, synced.uploaded, synced.again) == ("sign_in", (), None)
    assert [(row_of(done, name).state, row_of(done, name).attempts) for name in "ab"] == [("queued", 0)] * 2
    assert done.row.paused_kind == "sign_in"
    assert done.row.paused
    assert len(done.sync().uploaded) == 2
    assert (done.row.paused_kind, done.row.paused) == ("", "")


@pytest.mark.parametrize("kind", ["rights", "full", "place", "moved", "certificate", "not_a_hub"])
def test_what_somebody_has_to_mend_pauses_the_hub_with_words(done, kind):
    synced = done.sync(lambda hub: Failing(hub, fails(kind, "put_new")))
    assert (synced.stopped.kind, done.row.paused_kind) == (kind, kind)
    assert done.row.verified == BEFORE
    assert len(done.sync().uploaded) == 2


def test_a_key_that_may_not_be_published_holds_up_no_results(tmp_path, done):
    done.key = SigningKey(bytes(32))
    synced = done.sync(lambda hub: Failing(hub, fails("rights", "put_new", "keys/")))
    assert synced.stopped is None
    assert [one.bundle for one in synced.uploaded] == ["a", "b"]
    assert [(one.kind, one.state) for one in synced.waiting] == [("key", "failed")]


def test_bytes_that_come_back_otherwise_are_never_taken_for_verified(done):
    def torn(verb, name):
        if verb == "get" and "/a/" in name:
            raise HubError("torn", "It is torn.")

    synced = done.sync(lambda hub: Failing(hub, torn))
    assert [one.bundle for one in synced.uploaded] == ["b"]
    assert row_of(done, "a").state == "queued"
    again = done.sync(at_once=True)
    assert [one.bundle for one in again.there] == ["a"]


@pytest.mark.parametrize("marker", [None, b'{"format":"desktop-rater/hub","version":1,"project":"another"}', b"<html>"])
def test_a_hub_that_was_emptied_or_swapped_gets_nothing_and_loses_nothing(tmp_path, done, marker):
    place = tmp_path / "hub" / "hub.json"
    was = place.read_bytes()
    place.unlink()
    if marker is not None:
        place.write_bytes(marker)
    files = sorted(tmp_path.glob("hub/**/*"))
    made = []
    synced = done.sync(lambda hub: made.append(Failing(hub, lambda *_: None)) or made[0])
    assert synced.stopped.kind in {"gone", "swapped", "not_a_hub"}
    assert made[0].calls == [("get", "hub.json")]
    assert sorted(tmp_path.glob("hub/**/*")) == files
    assert done.row.paused_kind == synced.stopped.kind
    assert {one.state for one in mailbox.list_arrivals(done.store, PROJECT)} == {"taken"}
    place.write_bytes(was)
    assert len(done.sync().uploaded) == 2
    assert done.row.paused_kind == ""


def test_a_hub_that_was_emptied_and_set_up_again_gets_all_of_it_again(tmp_path, done):
    before = done.sync().uploaded
    for one in before:
        (tmp_path / "hub" / one.name).unlink()
    lost = done.sync()
    assert set(lost.missing) == {one.name for one in before}
    assert set(done.sync().uploaded) == set(before)


def test_a_hub_that_lost_the_key_gets_it_again(tmp_path, done):
    done.key = SigningKey(bytes(range(32)))
    done.sync()
    (key,) = (tmp_path / "hub" / "keys" / "r-17").iterdir()
    said = key.read_bytes()
    key.unlink()
    assert [name.rpartition("/")[2] for name in done.sync().missing] == [key.name]
    assert [one.kind for one in done.sync().uploaded] == ["key"]
    assert key.read_bytes() == said


def test_a_hub_that_lost_work_that_was_sent_back_gets_it_again(tmp_path, done):
    digest, size = mailbox.store_file(done.store.folder, "outbox", [b"work"])
    name = returned_name("r-18", digest)
    new = NewOutgoing(
        project=PROJECT, kind="returned", rater="r-18", bundle="b-return", name=name, sha256=digest, size=size
    )
    mailbox.enqueue(done.store, new, now=done.clock())
    done.sync()
    (tmp_path / "hub" / name).unlink()
    assert done.sync().missing == (name,)
    done.sync()
    assert (tmp_path / "hub" / name).read_bytes() == b"work"


def test_results_that_somebody_made_longer_on_the_hub_do_not_pause_it(tmp_path, done):
    first, second = done.sync().uploaded
    with (tmp_path / "hub" / first.name).open("ab") as file:
        file.write(b"more")
    assert done.sync().missing == (first.name,)
    last = done.sync()
    assert [(one.name, one.state) for one in last.waiting] == [(first.name, "failed")]
    assert (last.stopped, done.row.paused_kind) == (None, "")
    assert done.sync().missing == ()
    assert (tmp_path / "hub" / second.name).is_file()


@pytest.mark.parametrize("other", ["an empty folder", "the hub of another project"])
def test_what_went_to_another_hub_amid_a_sync_does_not_count_as_sent(tmp_path, done, other):
    hub, ours, theirs = tmp_path / "hub", tmp_path / "ours", tmp_path / "theirs"
    theirs.mkdir()
    if other == "the hub of another project":
        (theirs / "hub.json").write_text((hub / "hub.json").read_text("utf-8").replace(PROJECT, "another"), "utf-8")

    def pulled_out(verb, name):
        if verb == "put_new" and not ours.exists():
            hub.rename(ours)
            theirs.rename(hub)

    before = done.row.verified
    synced = done.sync(lambda opened: Failing(opened, pulled_out))
    assert synced.stopped.kind in {"gone", "swapped"}
    assert (synced.uploaded, done.row.verified) == ((), before)
    assert done.items() == [("a", "queued"), ("b", "queued")]
    hub.rename(theirs)
    ours.rename(hub)
    assert len(done.sync().uploaded) == 2


def test_a_list_that_is_behind_is_not_taken_for_a_loss(done):
    class Behind(Failing):
        def list(self, folder, progress):
            return ()

    done.sync()
    behind = done.sync(lambda hub: Behind(hub, lambda *_: None))
    assert (behind.missing, behind.whole) == ((), True)


def test_what_waits_is_counted_while_the_hub_is_out_of_reach(done):
    for kind in ("away", "place", "certificate"):
        synced = done.sync(lambda hub, kind=kind: Failing(hub, fails(kind, "get", "hub.json")))
        assert [(one.bundle, one.attempts) for one in synced.waiting] == [("a", 0), ("b", 0)]
    assert len(done.sync().uploaded) == 2


@pytest.mark.parametrize("step", ["put_new", "get", "list"])
def test_what_is_cancelled_goes_on_with_the_next_sync(done, step):
    def cancel(verb, name):
        if verb == step and (verb == "list" or "results/" in name):
            raise Cancelled

    with pytest.raises(Cancelled):
        done.sync(lambda hub: Failing(hub, cancel))
    assert {(one.state, one.attempts) for one in mailbox.list_items(done.store, PROJECT)} <= LEFT[step]
    after = done.sync()
    assert after.whole
    assert len(after.uploaded) + len(after.there) == 2


def test_the_clock_of_the_hub_is_noted(done):
    class Skewed(Failing):
        skew = 400.0

    synced = done.sync(lambda hub: Skewed(hub, lambda *_: None))
    assert (synced.skew, done.row.skew) == (400.0, 400.0)


def test_results_that_no_hub_takes_are_named_and_hold_up_nothing(done, monkeypatch):
    monkeypatch.setattr(sync_module, "MAX_HUB_ZIP_BYTES", 10)
    synced = done.sync()
    assert [one.bundle for one in synced.not_sent] == ["a", "b"]
    assert (synced.stopped, synced.waiting) == (None, ())


@pytest.mark.parametrize("may_read", [True, False])
def test_a_key_folder_that_may_not_be_listed_pauses_nothing(done, may_read):
    class Shut(Failing):
        def list(self, folder, progress):
            if folder.startswith("keys/"):
                raise HubError("rights", "Not you.")
            return self._hub.list(folder, progress)

    done.key = SigningKey(bytes(range(32)))
    done.sync()
    shut = done.sync(lambda hub: Shut(hub, (lambda *_: None) if may_read else fails("rights", "get", "keys/")))
    assert (shut.stopped, shut.missing, shut.whole) == (None, (), True)
