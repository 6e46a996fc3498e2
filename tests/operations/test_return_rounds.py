"""What goes back to a rater, round by round: nothing twice, nothing lost, and nothing where it shouldn't go."""

import zipfile

import pytest

from desktop_rater.audit.rework import changes_by_rater
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.operations.audit import rework
from desktop_rater.operations.audit.audit_status import audit_status
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.audit.review import RatingAtPlace, VerdictReason, send_back_rating
from desktop_rater.operations.audit.rework import return_all, return_work
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.bundles.subsets import merge_bundles
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store.errors import NotInStore

from .bundles import NOON, RATER, make, noon, rating, save_ratings, take_in, task, write, write_lines
from .sending_back import LEAD, WRONG, all_rated, sent, sent_rework


def test_a_second_round_holds_only_what_was_sent_back_since(place):
    rework = sent_rework(place)
    place.rate(rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(rework.id)
    place.receive(came)
    place.accept("t-1", "targets/s1")
    place.say_back("t-2", "targets/s1", "And this one?", "other")
    place.say_back("t-3", "task", "Skip it.", "edge-case")
    second = place.back()
    assert second.rework is not None
    assert (second.rework.id, second.rework.round, second.rework.results) == (f"b-return-{RATER}-2", 2, came.sha256)
    assert [one.task for one in second.rework.tasks] == ["t-2", "t-3"]
    take_in(place.rater, second.out)
    opened = open_task(place.rater, second.rework.id, "t-2", RATER)
    assert opened.rating.answers.targets["s2"] == WRONG
    place.rate(second.rework.id, rating("t-2", WRONG, WRONG), rating("t-3", {"factual": "no"}), later=4)
    place.receive(place.export(second.rework.id))
    assert place.counting("t-2").answers.targets == {"s1": WRONG, "s2": WRONG}
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-3").answers.targets == {"s1": {"factual": "no"}}
    assert not load_audit(place.lead, "b").forks


def test_it_shows_what_is_said_and_not_yet_sent_and_what_is_sent_and_not_yet_back(place):
    def on_the_way() -> tuple[int, tuple[str, ...]]:
        (state,) = audit_status(place.lead, "b").raters
        return state.unsent, state.out

    place.receive(all_rated(place))
    assert on_the_way() == (0, ())
    place.say_back("t-2", "targets/s1")
    place.say_back("t-2", "targets/s2")
    place.say_back("t-1", "targets/s1", "No page says it.")
    assert on_the_way() == (3, ())
    done = place.back()
    assert done.rework is not None
    assert on_the_way() == (0, ("t-1", "t-2"))
    place.say_back("t-3", "targets/s1", "This too.")
    assert on_the_way() == (1, ("t-1", "t-2"))
    place.back()
    take_in(place.rater, done.out)
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.receive(place.export(done.rework.id, partial=True))
    assert on_the_way() == (0, ("t-2", "t-3"))
    place.rate(done.rework.id, rating("t-2", {"factual": "no"}, {"factual": "no"}), later=3)
    place.receive(place.export(done.rework.id))
    # What came back as it was is back, whatever the lead makes of it.
    assert on_the_way() == (0, ("t-3",))
    place.accept("t-2", "targets/s1")
    assert on_the_way() == (0, ("t-3",))


def test_what_comes_back_in_part_takes_the_place_of_that_part(place):
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.receive(place.export(done.rework.id, partial=True))
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-2").answers.targets["s2"] == {"factual": "no"}
    # The rest is out already: it goes again as it was, and no second time under another name.
    again = place.back()
    assert again.again
    assert again.out.read_bytes() == done.out.read_bytes()
    place.rate(done.rework.id, rating("t-2", {"factual": "no"}, WRONG), later=3)
    place.receive(place.export(done.rework.id))
    assert place.counting("t-2").answers.targets["s2"] == WRONG
    assert not load_audit(place.lead, "b").forks


def test_the_same_verdicts_give_the_same_bundle_and_more_of_them_a_higher_revision(place):
    done = sent(place)
    again = place.back()
    assert done.rework is not None
    assert again.rework == done.rework
    assert again.again
    assert again.out.read_bytes() == done.out.read_bytes()
    # Nothing has come back yet: what is said now goes out under the same name, and the rater loses nothing.
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.say_back("t-3", "targets/s1", "This too.")
    more = place.back()
    assert more.rework is not None
    assert (more.rework.id, more.rework.revision) == (done.rework.id, 2)
    assert [one.task for one in more.rework.tasks] == ["t-1", "t-2", "t-3"]
    take_in(place.rater, more.out)
    assert open_task(place.rater, done.rework.id, "t-1", RATER).rating.status == "complete"


def test_what_comes_back_as_it_was_is_named_and_goes_again_only_with_other_words(place):
    rework = sent_rework(place)
    place.rate(rework.id, rating("t-1"), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(rework.id)
    place.receive(came)
    assert place.counting("t-1").answers.targets == {"s1": rating("t-1")["answers"]["targets"]["s1"]}
    assert load_audit(place.lead, "b").ratings["t-1", RATER].results == came.sha256
    again = place.back()
    assert (again.rework, again.unchanged) == (None, ("t-1",))
    audited = load_task(place.lead, "b", "t-1")
    assert changes_by_rater(audited, load_audit(place.lead, "b").received) == {RATER: ()}
    changed = changes_by_rater(load_task(place.lead, "b", "t-2"), load_audit(place.lead, "b").received)
    assert {one.question for one in changed[RATER]} == {"factual", "common_knowledge", "accuracy", "severity"}
    place.say_back("t-1", "targets/s1", "Please do look again.")
    second = place.back()
    assert second.rework is not None
    assert (second.rework.round, [one.task for one in second.rework.tasks]) == (2, ["t-1"])
    take_in(place.rater, second.out)
    # It went out in the second round, and is not back from there.
    assert place.back().again


def test_each_word_that_is_added_before_anything_came_back_is_in_the_next_revision(place):
    sent(place)
    for number, where in ((2, "t-3"), (3, "t-2")):
        place.say_back(where, "targets/s1", "Once more.")
        more = place.back()
        assert more.rework is not None
        assert (more.rework.round, more.rework.revision) == (1, number)
        assert len(more.rework.tasks) == 3


def test_raters_whose_names_look_alike_get_bundles_of_their_own(place):
    place.receive(all_rated(place))
    lines = write_lines(place.file(".jsonl"), [rating("t-1")])
    other = "r.17"
    rate_from_file(place.rater, "b", lines, other, progress=Progress(), now=noon)
    out = place.file(".zip")
    export_results(place.rater, "b", other, out, progress=Progress(), partial=True)
    import_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
    ids = set()
    for rater in (RATER, other, RATER):
        counting = load_audit(place.lead, "b").ratings["t-1", rater]
        send_back_rating(
            place.lead,
            "b",
            RatingAtPlace("t-1", "task", rater, counting.sha256),
            VerdictReason("edge-case", f"{len(ids)}"),
            LEAD,
        )
        done = place.back(rater)
        assert done.rework is not None
        ids.add(done.rework.id)
    assert len(ids) == 2


def test_each_rater_gets_a_bundle_of_their_own_with_their_own_comments(place):
    place.receive(all_rated(place))
    for rater, words in (("ann", "For Ann."), ("ben", "For Ben.")):
        save_ratings(place.rater, "b", place.file(".jsonl"), [rating("t-1")], rater)
        out = place.file(".zip")
        export_results(place.rater, "b", rater, out, progress=Progress(), partial=True)
        import_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
        counting = load_audit(place.lead, "b").ratings["t-1", rater]
        about = RatingAtPlace("t-1", "targets/s1", rater, counting.sha256)
        send_back_rating(place.lead, "b", about, VerdictReason("edge-case", words), LEAD)
    folder = place.folder / "out"
    folder.mkdir()
    done = return_all(place.lead, "b", folder, progress=Progress(), now=LEAD.now)
    assert [rater for rater, _ in done.written] == ["ann", "ben"]
    assert sorted(path.name for path in folder.iterdir()) == ["b-return-ann-1.zip", "b-return-ben-1.zip"]
    for rater, words, other in (("ann", b"For Ann.", b"For Ben."), ("ben", b"For Ben.", b"For Ann.")):
        with zipfile.ZipFile(folder / f"b-return-{rater}-1.zip") as opened:
            tasks = opened.read("tasks.jsonl")
        assert words in tasks
        assert other not in tasks


def test_nothing_sent_back_writes_nothing(place):
    place.receive(all_rated(place))
    done = place.back()
    assert done.rework is None
    assert not done.out.exists()
    with pytest.raises(NotInStore, match="nobody"):
        place.back("nobody")
    place.say_back("t-1", "task")
    with pytest.raises(BundleError, match="inside the store"):
        return_work(place.lead, "b", RATER, place.lead.folder / "x.zip", progress=Progress(), now=LEAD.now)


def test_who_shares_out_what_was_sent_back_is_refused(place):
    back = sent(place).out
    raters = write(place.folder / "raters.txt", "ann\nbo\n")
    with pytest.raises(BundleError, match="is refused") as refused:
        assign_tasks(back, raters, place.folder / "parts", overlap=1, seed=1, progress=Progress())
    assert RATER in refused.value.message
    assert not (place.folder / "parts").exists()
    other = make(place.folder / "other.zip", [task("t-9")])
    with pytest.raises(BundleError, match="is refused"):
        merge_bundles(place.folder / "merged.zip", [other, back], Progress())


def test_somebody_else_who_rates_it_takes_the_place_of_nothing_and_it_is_said(place):
    work = sent_rework(place)
    name = work.id
    lines = write_lines(place.file(".jsonl"), [rating("t-1"), rating("t-2", {"factual": "no"}, {"factual": "no"})])
    rate_from_file(place.rater, name, lines, "eve", progress=Progress(), now=noon)
    out = place.folder / "eve.zip"
    assert export_results(place.rater, name, "eve", out, progress=Progress()).written
    (note,) = check_results(out, progress=Progress()).notes
    assert repr(RATER) in note
    assert "'eve'" in note
    opened = import_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
    assert opened.took[0].notes == (note,)
    audit = load_audit(place.lead, "b")
    assert not audit.earlier
    assert set(audit.raters) == {"eve", RATER}


def test_a_folder_for_what_goes_back_is_made_and_none_inside_the_store(place):
    sent(place)
    done = rework.return_all(place.lead, "b", place.folder / "new", progress=Progress(), now=noon)
    assert [one.out.parent.name for _, one in done.written] == ["new"]
    with pytest.raises(BundleError, match="can't be written"):
        rework.return_all(place.lead, "b", place.lead.folder / "new", progress=Progress(), now=noon)
    assert not (place.lead.folder / "new").exists()


def test_more_comments_than_a_task_can_carry_are_said_so(place, monkeypatch):
    sent(place)
    place.say_back("t-2", "targets/s1")
    monkeypatch.setattr(rework, "MAX_RETURN_COMMENTS", 1)
    with pytest.raises(BundleError, match="can't be sent back") as refused:
        place.back()
    assert "2 of its places" in refused.value.message
