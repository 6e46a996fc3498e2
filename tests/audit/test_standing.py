"""Which ratings count is a question of what results say of each other, never of when or in which order they came."""

import itertools
import shutil

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.effective_ratings import effective_ratings
from desktop_rater.audit.results import ReceivedRating, ReceivedResults
from desktop_rater.operations.audit.load_audit import load_audit
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.examples import examples
from tests.operations.bundles import task
from tests.readers import reader_of


def zipped(name, *, after=None, rater="ann", rework=False, revision=1):
    return ReceivedResults(
        sha256=name, bundle="kelp", of="kelp", revision=revision, rater=rater, supersedes=after, rework=rework
    )


def filed(results, said, task_id="t-1", *, rater="ann", text="text", revision=1):
    return ReceivedRating(
        results=results,
        task=task_id,
        rater=rater,
        text=text,
        sha256=said,
        revision=revision,
        summary=Digest(status="complete"),
    )


def counting(received, ratings, **more):
    found = effective_ratings(received, ratings, **more)
    return {pair: one.results for pair, one in found.counting.items()}, found


def test_the_last_of_a_chain_counts():
    zips = [zipped("a"), zipped("b", after="a"), zipped("c", after="b")]
    ratings = [filed(name, said) for name, said in (("a", "x"), ("b", "y"), ("c", "x"))]
    counts, found = counting(zips, ratings)
    assert counts == {("t-1", "ann"): "c"}, "also where the rater went back to what was said first"
    assert not found.forks


def test_a_rework_takes_the_place_of_its_own_tasks_alone():
    zips = [zipped("a"), zipped("b", after="a", rework=True)]
    ratings = [filed("a", "x"), filed("a", "x", "t-2"), filed("b", "y")]
    assert counting(zips, ratings)[0] == {("t-1", "ann"): "b", ("t-2", "ann"): "a"}


def test_a_newer_whole_export_takes_away_what_it_holds_no_more():
    zips = [zipped("a"), zipped("b", after="a")]
    assert counting(zips, [filed("a", "x"), filed("a", "x", "t-2"), filed("b", "y")])[0] == {("t-1", "ann"): "b"}


def test_a_copy_of_what_was_changed_since_is_no_fork():
    zips = [zipped("a"), zipped("b", after="a"), zipped("again")]
    ratings = [filed("a", "x"), filed("b", "y"), filed("again", "x")]
    counts, found = counting(zips, ratings)
    assert (counts, found.forks) == ({("t-1", "ann"): "b"}, ())


def test_two_who_each_changed_what_the_other_says_are_a_fork_and_not_nothing():
    zips = [zipped("a"), zipped("b", after="a"), zipped("c"), zipped("d", after="c")]
    ratings = [filed("a", "x"), filed("b", "y", revision=2), filed("c", "y"), filed("d", "x", revision=3)]
    counts, found = counting(zips, ratings)
    assert counts == {("t-1", "ann"): "d"}
    assert [fork.results for fork in found.forks] == [("b", "d")]


def test_equal_ratings_of_two_exports_are_one():
    counts, found = counting([zipped("a"), zipped("b")], [filed("a", "x"), filed("b", "x")])
    assert (len(counts), found.forks) == (1, ())


def test_nobody_can_take_the_place_of_another_raters_results():
    zips = [zipped("a"), zipped("b", after="a", rater="bo")]
    counts, _ = counting(zips, [filed("a", "x"), filed("b", "y", rater="bo")])
    assert counts == {("t-1", "ann"): "a", ("t-1", "bo"): "b"}


def test_results_that_name_each_other_in_a_circle_do_not_hang():
    zips = [zipped("a", after="b"), zipped("b", after="a")]
    assert counting(zips, [filed("a", "x"), filed("b", "y")])[0] == {}


def test_a_rating_by_another_rubric_is_stale():
    zips = [zipped("a"), zipped("b", rater="bo")]
    _, found = counting(zips, [filed("a", "x"), filed("b", "x", rater="bo")], other_rubric={"b"})
    assert [one.rater for one in found.stale] == ["bo"]


names = st.sampled_from("abcdef")


@st.composite
def histories(draw):
    """Some results of two raters, each after one that was before it or after none, and what they say of two tasks."""
    zips, ratings = [], []
    for at, name in enumerate("abcdef"[: draw(st.integers(1, 6))]):
        after = draw(st.sampled_from([None, "gone", *"abcdef"[:at]]))
        one = zipped(name, after=after, rater=draw(st.sampled_from(["ann", "bo"])), rework=draw(st.booleans()))
        zips.append(replace(one, revision=draw(st.integers(1, 2))))
        for task_id in draw(st.sets(st.sampled_from(["t-1", "t-2"]))):
            said, text = draw(st.sampled_from("xyz")), draw(st.sampled_from("TU"))
            ratings.append(filed(name, said, task_id, rater=one.rater, text=text, revision=draw(st.integers(1, 3))))
    return zips, ratings


@settings(max_examples=examples(60))
@given(histories(), st.randoms(use_true_random=False))
def test_no_order_makes_a_difference_and_nothing_is_lost(history, random):
    zips, ratings = history
    found = effective_ratings(zips, ratings)
    random.shuffle(zips)
    random.shuffle(ratings)
    assert effective_ratings(zips, ratings) == found
    assert len(found.counting) == len({(one.task, one.rater) for one in found.counting.values()})
    for (name, rater), one in found.counting.items():
        assert (one.task, one.rater) == (name, rater)
        assert one.text == found.texts[name]
        assert one not in found.earlier
        assert one not in found.stale
    # A rater who never took anything away has a rating of each text that counts.
    for one in ratings:
        if all(it.supersedes is None for it in zips if it.rater == one.rater) and one.text == found.texts[one.task]:
            assert (one.task, one.rater) in found.counting


def seen(desk, store):
    with reader_of(store) as reader:
        audit = load_audit(reader, "kelp")
    return replace(audit, received=tuple(replace(one, file="") for one in audit.received))


def test_any_order_and_any_repetition_of_real_files_gives_the_same(tmp_path_factory):
    desk = Desk(tmp_path_factory.mktemp("desk"))
    files = [
        desk.sent("ann", "ann-1", partial=True, t1=GOOD),
        desk.sent("ann", "ann-2", t2=GOOD, t3=GOOD),
        desk.sent("ann", "ann-3", t1=WRONG),
        desk.sent("bo", "bo-1", t1=OPINION, t2=GOOD, t3=WRONG),
    ]
    desk.copied_home("bo", "bo-abroad")
    files.append(desk.sent("bo", "bo-2", t2=WRONG))
    shutil.rmtree(desk.folder / "home-bo")
    desk.copied_home("bo-abroad", "bo")
    files.append(desk.sent("bo", "bo-3", t2=OPINION))
    desk.tasks[2] = task("t-3", "Kelp is a plant, of sorts.", "It is an alga.")
    desk.bundle = desk.another("later", revision=2)
    files += [desk.sent("cy", "cy-1", t1=GOOD, t2=GOOD, t3=GOOD), desk.bundle]
    stores = itertools.count()
    first = desk.folder / "first"
    desk.opened(*files, store=first)
    expected = seen(desk, first)
    assert len(expected.forks) == 1
    assert len(expected.stale) == 2
    assert len(expected.earlier) == 7

    @settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
    @given(st.permutations([*range(len(files)), *range(len(files))]), st.integers(1, 15))
    def in_any_order(order, cut):
        store = desk.folder / f"store-{next(stores)}"
        desk.opened(*(files[one] for one in order[:cut]), store=store)
        desk.opened(*(files[one] for one in order[cut:]), store=store)
        assert seen(desk, store) == expected
        shutil.rmtree(store)

    in_any_order()


NAMES = "abcde"


@st.composite
def arrived(draw):
    """Results of one rater: each holds some tasks, follows an earlier one or none, and may be a rework or a part."""
    zips, ratings = [], []
    for at, name in enumerate(NAMES[: draw(st.integers(2, 5))]):
        after = draw(st.sampled_from([None, *NAMES[:at]]))
        rework = after is not None and draw(st.booleans())
        zips.append(replace(zipped(name, after=after, rework=rework), partial=draw(st.booleans())))
        held = sorted(draw(st.sets(st.sampled_from(["t-1", "t-2", "t-3"]), min_size=1)))
        said = st.tuples(st.sampled_from("xyz"), st.integers(1, 2))
        each = ((task_id, *draw(said)) for task_id in held)
        ratings += [filed(name, what, task_id, revision=revision) for task_id, what, revision in each]
    return zips, ratings


@given(arrived(), st.permutations(NAMES))
@settings(max_examples=examples(400))
def test_what_the_zips_hashes_are_has_no_say(found, names):
    """A signature, or another time in a zip, changes its hash: what counts, and how many zips it is in, must not."""
    zips, ratings = found
    other = dict(zip(NAMES, names, strict=True))
    renamed = [replace(one, sha256=other[one.sha256], supersedes=other.get(one.supersedes)) for one in zips]
    filed_anew = [replace(one, results=other[one.results]) for one in ratings]
    before, after = effective_ratings(zips, ratings), effective_ratings(renamed, filed_anew)
    assert {at: one.sha256 for at, one in before.counting.items()} == {
        at: one.sha256 for at, one in after.counting.items()
    }
    whole = {one.sha256: one.partial for one in zips}
    anew = {one.sha256: one.partial for one in renamed}
    assert {at: whole[one.results] for at, one in before.counting.items()} == {
        at: anew[one.results] for at, one in after.counting.items()
    }
    counts = [len({one.results for one in each.counting.values()}) for each in (before, after)]
    assert counts[0] == counts[1]
    assert sorted(fork.tasks for fork in before.forks) == sorted(fork.tasks for fork in after.forks)
