"""Bundles come from a hub and results go there; whatever happens between, nothing is lost and nothing is sent twice."""

from desktop_rater.format.change import Progress
from desktop_rater.format.results import open_results
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.bundles.subsets import split_bundle
from desktop_rater.operations.hub.receive import waiting_arrivals
from desktop_rater.operations.rating.export import export_results
from desktop_rater.store import mailbox

from .bundles import make, rating, take_in, task, write_lines
from .hubs import PROJECT, Failing, Laptop, Team, fails
from .sending_back import sent


def test_what_is_assigned_comes_and_what_is_complete_goes(tmp_path, team, laptop):
    team.publish(make(tmp_path / "b.zip", [task("t-1"), task("t-2")]), "r-17", "r-18")
    came = laptop.sync()
    assert (came.fetched, came.stopped, came.uploaded) == (1, None, ())
    taken = laptop.take()
    assert [(one.id, one.imported) for one in taken.imported] == [("b", 2)]
    assert taken.bundles == {"b"}

    laptop.rate("b", "t-1")
    half = laptop.sync()
    assert [(one.bundle, one.open) for one in half.not_sent] == [("b", 1)]
    assert not team.results("r-17")

    laptop.rate("b", "t-2")
    done = laptop.sync()
    assert [one.bundle for one in done.uploaded] == ["b"]
    assert done.whole
    assert laptop.items() == [("b", "verified")]
    assert list(team.results("r-17")) == [done.uploaded[0].name]
    assert laptop.row.verified == "2026-11-20T12:00:00Z"


def test_results_on_the_hub_are_those_of_an_export(tmp_path, team, laptop):
    team.publish(make(tmp_path / "b.zip", [task("t-1")]), "r-17")
    laptop.sync()
    laptop.take()
    laptop.rate("b", "t-1")
    (sent,) = laptop.sync().uploaded
    with open_results(tmp_path / "hub" / sent.name) as results:
        assert (results.manifest.rater, results.manifest.counts.complete) == ("r-17", 1)


def test_a_second_sync_with_nothing_new_sends_and_makes_nothing(tmp_path, team, laptop):
    team.publish(make(tmp_path / "b.zip", [task("t-1")]), "r-17")
    laptop.sync()
    laptop.take()
    laptop.rate("b", "t-1")
    laptop.sync()
    before = mailbox.list_items(laptop.store, PROJECT)
    laptop.clock.seconds = 60
    again = laptop.sync()
    assert (again.fetched, again.uploaded, again.there, again.whole) == (0, (), (), True)
    assert mailbox.list_items(laptop.store, PROJECT) == before
    assert laptop.row.verified == "2026-11-20T12:01:00Z"


def test_of_an_unfinished_bundle_what_is_done_goes_where_that_is_wanted(tmp_path, team, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1"), task("t-2")]), "t-1")
    (part,) = laptop.sync(partial=True).uploaded
    laptop.rate("b", "t-2")
    (whole,) = laptop.sync().uploaded
    with open_results(tmp_path / "hub" / part.name) as first, open_results(tmp_path / "hub" / whole.name) as second:
        assert (first.manifest.partial, second.manifest.partial) == (True, False)
        assert second.manifest.supersedes == part.sha256
    assert (part.revision, whole.revision) == (1, 2)


def test_work_that_was_sent_back_comes_and_its_results_go(tmp_path, team, laptop, place):
    back = sent(place).out
    team.give_back(back, "r-17")
    assert laptop.sync().fetched == 1
    (came,) = waiting_arrivals(laptop.store, PROJECT, "r-17")
    assert (came.kind, came.tasks) == ("returned", 2)
    (taken,) = laptop.take().imported
    assert taken.id == came.bundle
    laptop.rate_so(taken.id, rating("t-1"), rating("t-2", {"factual": "no"}, {"factual": "no"}))
    (done,) = laptop.sync().uploaded
    assert done.bundle == taken.id


def test_practice_the_samples_and_what_came_from_elsewhere_stay_here(tmp_path, team, laptop):
    take_in(laptop.store, make(tmp_path / "other.zip", [task("t-1")]))
    take_in(laptop.store, make(tmp_path / "sample-pairs.zip", [task("t-1")]))
    gold = write_lines(tmp_path / "gold.jsonl", [rating("t-1")])
    take_in(laptop.store, make(tmp_path / "p.zip", [task("t-1")], gold=gold, practice=True))
    for bundle in ("other", "sample-pairs", "p"):
        laptop.rate(bundle, "t-1")
    done = laptop.sync()
    assert [(one.bundle, one.strange) for one in done.not_sent] == [("other", True)]
    assert not team.results("r-17")
    named = laptop.sync(bundles=frozenset({"other", "p", "sample-pairs"}))
    assert [one.bundle for one in named.uploaded] == ["other"]
    assert {one.bundle for one in named.not_sent} == {"p", "sample-pairs"}


def test_a_rater_of_two_projects_sends_each_its_own(tmp_path, team, laptop):
    laptop.get(make(tmp_path / "week-1.zip", [task("t-1")]), "t-1")
    (tmp_path / "dunes").mkdir()
    dunes = Team.in_folder(tmp_path / "dunes" / "hub", "dunes")
    dunes.publish(make(tmp_path / "dunes" / "week-1.zip", [task("t-9")]), "somebody-else")
    laptop.move_to(dunes)
    first = laptop.sync()
    assert [(one.bundle, one.strange) for one in first.not_sent] == [("week-1", False)], "not gone to its own hub yet"
    assert "Kelp" in first.not_sent[0].why
    assert not dunes.results("r-17"), "a bundle of that id is published here, and it is another one"
    laptop.move_to(team)
    assert [one.bundle for one in laptop.sync().uploaded] == ["week-1"]
    laptop.move_to(dunes)
    after = laptop.sync()
    assert (after.not_sent, after.uploaded, after.whole) == ((), (), True), "there is nothing to say any more"


def test_what_was_sent_once_by_name_goes_by_itself_from_then_on(tmp_path, laptop):
    take_in(laptop.store, make(tmp_path / "other.zip", [task("t-1")]))
    laptop.rate("other", "t-1")
    laptop.sync(bundles=frozenset({"other"}))
    laptop.clock.seconds = 5
    laptop.rate("other", "t-1", confidence="low")
    assert [one.revision for one in laptop.sync().uploaded] == [2]


def test_a_bundle_that_is_published_and_came_by_mail_is_the_hubs_too(tmp_path, team, laptop):
    path = make(tmp_path / "b.zip", [task("t-1")])
    team.publish(path, "somebody-else")
    take_in(laptop.store, path)
    laptop.rate("b", "t-1")
    assert [one.bundle for one in laptop.sync().uploaded] == ["b"]


def test_a_part_of_a_published_bundle_is_the_hubs_too(tmp_path, team, laptop):
    whole = make(tmp_path / "b.zip", [task("t-1"), task("t-2")])
    team.publish(whole)
    split_bundle(whole, 2, tmp_path, "part-{n}.zip", Progress())
    taken = take_in(laptop.store, tmp_path / "part-1.zip")
    laptop.rate(taken.id, "t-1")
    assert [one.bundle for one in laptop.sync().uploaded] == [taken.id]


def test_results_are_signed_and_the_key_is_published_once(tmp_path, team, laptop):
    laptop.key = SigningKey(bytes(range(32)))
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    done = laptop.sync()
    with open_results(tmp_path / "hub" / done.uploaded[-1].name) as results:
        assert (results.signature.state, results.signature.key) == ("signed", laptop.key.public)
    keys = list((tmp_path / "hub" / "keys" / "r-17").iterdir())
    assert len(keys) == 1
    assert laptop.key.public in keys[0].read_text("utf-8")
    assert laptop.sync().whole
    assert list((tmp_path / "hub" / "keys" / "r-17").iterdir()) == keys


def test_signed_results_do_not_go_again_because_the_key_is_away(tmp_path, team, laptop):
    """A keyring that is locked today, or a pass phrase that nobody has typed yet, changes no rating."""
    laptop.get(make(tmp_path / "b.zip", [task("t-1"), task("t-2")]), "t-1", "t-2")
    laptop.sync()
    laptop.key = SigningKey(bytes(range(32)))
    signed = laptop.sync()
    assert "results" in [one.kind for one in signed.uploaded]  # unsigned ones go again with a signature
    laptop.key = None
    assert laptop.sync().uploaded == ()
    laptop.key = SigningKey(bytes(range(32)))
    assert laptop.sync().uploaded == ()
    assert len(team.results("r-17")) == 2


def test_a_keyring_that_is_locked_for_once_takes_no_signature_back(tmp_path, team, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    (unsigned,) = laptop.sync().uploaded
    laptop.key = SigningKey(bytes(range(32)))
    (signed,) = [one for one in laptop.sync().uploaded if one.kind == "results"]
    laptop.key = None
    assert laptop.sync().uploaded == ()
    with open_results(tmp_path / "hub" / signed.name) as results:
        assert (results.signature.state, results.manifest.supersedes) == ("signed", unsigned.sha256)


def test_a_second_laptop_overwrites_nothing_and_is_told(tmp_path, team, laptop):
    path = make(tmp_path / "b.zip", [task("t-1")])
    laptop.get(path, "t-1")
    first = laptop.sync()
    other = Laptop(tmp_path / "other", "r-17", team)
    try:
        other.clock.seconds = 60
        other.get(path, "t-1")
        second = other.sync()
    finally:
        other.close()
    assert second.forks == ("b",)
    assert set(team.results("r-17")) == {first.uploaded[0].name, second.uploaded[0].name}
    assert laptop.sync().forks == ("b",)


def test_the_same_ratings_on_two_laptops_are_one_file_and_no_fork(tmp_path, team, laptop):
    path = make(tmp_path / "b.zip", [task("t-1")])
    laptop.get(path, "t-1")
    laptop.sync()
    other = Laptop(tmp_path / "other", "r-17", team)
    try:
        other.get(path, "t-1")
        second = other.sync()
    finally:
        other.close()
    assert (second.uploaded, [one.bundle for one in second.there], second.forks) == ((), ["b"], ())
    assert len(team.results("r-17")) == 1


def test_results_follow_those_that_were_exported_by_hand(tmp_path, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    by_hand = export_results(laptop.store, "b", "r-17", tmp_path / "r.zip", progress=Progress())
    assert laptop.sync().uploaded[0].sha256 == by_hand.sha256


def test_the_hub_that_lost_results_gets_them_again(tmp_path, team, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    (sent_before,) = laptop.sync().uploaded
    verified = laptop.row.verified
    (tmp_path / "hub" / sent_before.name).unlink()
    laptop.clock.seconds = 60
    lost = laptop.sync()
    assert (lost.missing, lost.whole, lost.again) == ((sent_before.name,), False, 5.0)
    assert laptop.row.verified == verified
    assert laptop.sync().uploaded == (sent_before,)
    assert laptop.row.verified > verified


def test_earlier_results_that_the_hub_lost_are_not_waited_for_once_newer_ones_are_due(tmp_path, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    (earlier,) = laptop.sync().uploaded
    laptop.clock.seconds = 60
    laptop.rate("b", "t-1", note="Changed.")
    laptop.sync(lambda hub: Failing(hub, fails("away", "put_new")))
    mailbox.delete_leftovers(laptop.store)  # as at the next start: the bytes of the earlier results go
    (tmp_path / "hub" / earlier.name).unlink()
    assert laptop.sync(lambda hub: Failing(hub, fails("away", "put_new"))).missing == ()
    due = mailbox.list_items(laptop.store, PROJECT, mailbox.UNDER_WAY)
    assert [mailbox.item_content(laptop.store, one) is not None for one in due] == [True]


def test_a_file_of_the_outbox_that_was_lost_is_made_again(tmp_path, team, laptop):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    laptop.sync(lambda hub: Failing(hub, fails("away", "put_new")))
    (waiting,) = mailbox.list_items(laptop.store, PROJECT)
    (laptop.store.folder / "outbox" / waiting.sha256).write_bytes(b"altered")
    (done,) = laptop.sync(at_once=True).uploaded
    assert done.sha256 == waiting.sha256
    assert list(team.results("r-17")) == [waiting.name]
