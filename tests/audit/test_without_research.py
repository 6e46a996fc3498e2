"""How often a rater answers from common knowledge alone, and a sample of such places to look up."""

import csv

import pytest

from desktop_rater.audit.digest import make_digest
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric, find_rubric
from desktop_rater.rubric import check_rating
from desktop_rater.rubric.research import counts_unresearched
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import rating, task

SEARCHED = {"factual": "yes", "common_knowledge": "no", "expected_to_be_found": "yes", "accuracy": "inaccurate"}
SEARCHED |= {"severity": "minor", "comment": "Searched two lists."}
PAGE = {"id": "e1", "target": "s1", "url": "https://a.example/kelp", "stance": "neutral"}
CLAIMS = [
    {"id": name, "text": name, "answers": {"common_knowledge": "right", "accuracy": "accurate"}}
    for name in ("c1", "c2")
]


@pytest.mark.parametrize(
    ("answers", "more", "count"),
    [
        (GOOD, {}, 1),
        (WRONG, {}, 1),
        (SEARCHED, {}, 0),
        (OPINION, {}, 0),
        ({**GOOD, "comment": "Every atlas has it."}, {}, 0),
        ({**GOOD, "comment": "\u200b"}, {}, 1),
        (GOOD, {"evidence": [PAGE]}, 0),
        (GOOD, {"research": [{"kind": "search", "target": "s1", "query": "kelp"}]}, 0),
        (GOOD, {"research": [{"kind": "search", "target": "s2", "query": "kelp"}]}, 1),
        ({"factual": "yes"}, {"claims": {"s1": CLAIMS}}, 2),
        ({"factual": "yes"}, {"claims": {"s1": CLAIMS}, "evidence": [{**PAGE, "claims": ["c2"]}]}, 1),
    ],
)
def test_an_answer_counts_while_nothing_was_looked_up_for_it(answers, more, count):
    plain = rating("t", answers, **more)
    rated = read_struct({"rater": "r", "status": "complete", **plain}, Rating)
    kelp = read_struct(task("t", "Kelp is green.", "It is an alga."), Task)
    digest = make_digest(rated, check_rating(builtin_rubric("span-factuality"), kelp, rated), ())
    assert digest.unresearched == ({"targets/s1": count} if count else {})


def test_a_rubric_says_which_answers_need_no_research():
    told = {name: counts_unresearched(find_rubric(name)) for name in ("span-factuality", "side-by-side")}
    assert told == {"span-factuality": True, "side-by-side": False}


@pytest.fixture
def desk(tmp_path):
    """All second targets are common knowledge; ann searched for one of the first ones, and bo for all three."""
    desk = Desk(tmp_path)
    (tmp_path / "store").symlink_to(desk.store)
    desk.opened(
        desk.sent("ann", t1=GOOD, t2=SEARCHED, t3=WRONG), desk.sent("bo", t1=SEARCHED, t2=SEARCHED, t3=SEARCHED)
    )
    return desk


def test_the_share_stands_with_count_and_base_in_every_form_of_the_report(desk, run, tmp_path):  # noqa: F811
    assert "without research 5 of 6 claims, 0.83 (rests on 3 tasks" in run("audit", "report", "kelp").out
    raters = run("audit", "report", "kelp", "--json", "--csv", tmp_path, "--html", tmp_path / "r.html").json["raters"]
    assert [(row["unresearched"]["value"], row["unresearched"]["n"]) for row in raters] == [(5 / 6, 6), (0.5, 6)]
    with (tmp_path / "raters.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [(row["unresearched_value"], row["unresearched_n"]) for row in csv.DictReader(file)]
    assert rows == [(repr(5 / 6), "6"), ("0.5", "6")]
    assert "5 of 6, 83" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_sample_to_look_up_is_drawn_of_these_places_alone(desk, run):  # noqa: F811
    flagged = ["--flag", "without-research", "--rater", "ann", "--lead", "Ana"]
    everything = run("audit", "sample", "kelp", "--how", "all", *flagged, "--json").json
    assert (everything["drawn"], everything["of"]) == (5, 5)
    assert {"task": "t-2", "where": "targets/s1"} not in everything["places"]
    drawn = run("audit", "sample", "kelp", "--how", "share", "--share", 0.4, "--seed", 3, *flagged)
    assert drawn.out.startswith("2 of 5 places (without-research, rater ann), share, seed 3\n")
    assert drawn.out == run("audit", "sample", "kelp", "--how", "share", "--share", 0.4, "--seed", 3, *flagged).out
    assert run("audit", "sample", "kelp", "--how", "all", *flagged[:3], "nobody", "--lead", "Ana").status == 1


def test_a_sample_of_marked_places_stands_for_no_error_rate():
    random, limited = (ReviewSample(how="share", flags=flags) for flags in ((), ("without-research",)))
    assert (random.is_random, limited.is_random) == (True, False)
    assert not ReviewSample(how="all", flags=("without-research",)).has("t", "targets/s2")
