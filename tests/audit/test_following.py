"""Results follow each other by name, in chains as long as a project lasts, and never across raters."""

from desktop_rater.audit.effective_ratings import SupersedeGraph, effective_ratings
from desktop_rater.audit.rework import ReworkTask, next_round
from desktop_rater.audit.status import natural_key
from desktop_rater.format.task import Comment
from tests.audit.test_standing import filed, zipped


def chained(number, **more):
    """Results of one rater, each after the one before."""
    names = [f"{at:05}" for at in range(number)]
    return [zipped(name, after=before, **more) for name, before in zip(names, [None, *names], strict=False)]


def test_of_five_thousand_exports_the_last_counts_and_each_knows_its_place():
    zips = chained(5_000)
    ratings = [filed(one.sha256, one.sha256, task) for one in zips for task in ("t-1", "t-2")]
    found = effective_ratings(reversed(zips), ratings)
    assert {one.results for one in found.counting.values()} == {"04999"}
    assert (len(found.earlier), found.forks) == (9_998, ())
    following = SupersedeGraph(zips)
    assert following.depth("04999") == 5_000
    assert len(following.before(["04999"])) == 4_999
    assert len(following.after(["00000"])) == 4_999


def test_of_a_long_chain_the_next_round_follows_the_end():
    zips = chained(3_000)
    back = [
        ReworkTask(
            task=f"t-{at}",
            text="T",
            results=f"{at:05}",
            rating="x",
            by="lena",
            at="now",
            comments=(Comment(where="task"),),
        )
        for at in range(1, 2_000, 400)
    ]
    found = next_round(back, (), zips, rater="ann", name="kelp-return-ann-")
    assert found.rework is not None
    assert (found.rework.results, len(found.rework.tasks), found.waiting) == ("02999", 5, ())


def test_who_goes_round_in_a_circle_ends():
    zips = [zipped("a", after="c"), zipped("b", after="a"), zipped("c", after="b"), zipped("d", after="b")]
    following = SupersedeGraph(zips)
    assert following.before(["a"]) == {"a", "b", "c"}
    assert following.depth("d") > following.depth("b") > 0


def test_another_raters_results_are_none_to_follow():
    following = SupersedeGraph([zipped("a"), zipped("b", after="a", rater="bo")])
    assert following.before(["b"]) == set()
    assert following.after(["a"]) == set()


def test_names_have_one_order_whatever_numbers_stand_in_them():
    ordered = ["2", "t", "t-02", "t-2", "t-10", "t-" + "9" * 5_000]
    for names in (ordered, ordered[::-1], ["t-²", *ordered]):
        assert [name for name in sorted(names, key=natural_key) if name in ordered] == ordered
