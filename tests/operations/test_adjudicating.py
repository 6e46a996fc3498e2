"""What is decided leaves: as a table, and as results that anybody can check."""

import csv
import hashlib
import json

import pytest

from desktop_rater.audit.questions import LabelRule, judged_questions
from desktop_rater.audit.results import LeadDecision
from desktop_rater.audit.reviews import values_of
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import from_plain, to_plain
from desktop_rater.operations.audit import review
from desktop_rater.operations.audit.adjudicate import AdjudicationOptions, adjudicate_results
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.listed_places import decide_places
from desktop_rater.operations.audit.load_audit import load_task
from desktop_rater.operations.audit.review import VerdictReason
from desktop_rater.paths import resources
from desktop_rater.store.open_store import open_writer
from tools.simulate import SimulationOptions, simulate_results

from .audited import ANA, ANSWERS, Desk, Raters, said
from .bundles import NOON, make, task, write_lines

TASKS = [task("t-1", "One.", "Two."), task("t-2"), task("t-3")]


RATINGS = {
    "r-04": [said("t-1", "accurate", "inaccurate"), said("t-2", "accurate"), said("t-3", "accurate")],
    "r-17": [said("t-1", "unsupported", "unsupported"), said("t-2", "accurate"), said("t-3", "not factual")],
    "r-22": [said("t-1", "accurate", "unsupported"), said("t-2", "accurate")],
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return Raters(tmp_path_factory.mktemp("raters"), TASKS).all_rate(RATINGS)


def adjudicated(desk, to, *, partial=False, called="final"):
    out = desk.folder / f"{called}.{'zip' if to == 'results' else to}"
    return adjudicate_results(
        desk.store, "b", out, AdjudicationOptions(to=to, rater="Ana", partial=partial), Progress()
    )


def decides(desk, name, value):
    final = LeadDecision(task=name, where="targets/s1", question="label", value=value)
    review.decide_question(desk.store, "b", desk.audit.rubric, final, ANA)


def ratings_in(path):
    with open_results(path) as results:
        return {line.rating.task: line.rating for line in results.ratings()}


def test_nothing_is_written_while_something_is_open(desk):
    done = adjudicated(desk, "jsonl")
    assert not done.written
    assert not done.out.exists()
    assert [(one.task, one.where) for one in done.open] == [("t-3", "targets/s1")]


def test_a_row_says_where_its_label_comes_from(desk):
    decides(desk, "t-3", "not factual")
    done = adjudicated(desk, "jsonl")
    assert done.written
    rows = [json.loads(line) for line in done.out.read_text("utf-8").splitlines()]
    labels = {(row["task"], row["target"]): row for row in rows if row["is_label"]}
    first = labels["t-1", "s1"]
    assert (first["value"], first["label"], first["source"]) == ("accurate", "Accurate", "majority")
    assert (first["votes_for"], first["votes_against"], first["text"]) == (2, 1, "One.")
    assert (labels["t-2", "s1"]["source"], labels["t-2", "s1"]["how"]) == ("unanimous", None)
    third = labels["t-3", "s1"]
    assert (third["value"], third["source"], third["how"], third["lead"]) == ("not factual", "lead", "decided", "Ana")


def test_decisions_in_bulk_leave_what_the_lead_decided_and_what_is_improbable(desk):
    decides(desk, "t-2", "disputed")
    places = [("t-1", "targets/s1"), ("t-1", "targets/s2"), ("t-2", "targets/s1"), ("t-3", "targets/s1")]
    assert not decide_places(desk.store, desk.audit, places, LabelRule(threshold=0.7), ANA).steps
    change = decide_places(desk.store, desk.audit, places, LabelRule(threshold=0.6), ANA)
    labels = {key[:2]: final for key, final in desk.reviews.finals.items() if key[2] == "label"}
    assert {place: (final.value, final.by, final.comment) for place, final in labels.items()} == {
        ("t-1", "targets/s1"): ("accurate", "majority", "majority 0.667"),
        ("t-1", "targets/s2"): ("unsupported", "majority", "majority 0.667"),
        ("t-2", "targets/s1"): ("disputed", "", ""),
    }
    rows = [json.loads(line) for line in adjudicated(desk, "jsonl", partial=True).out.read_text("utf-8").splitlines()]
    hows = {(row["task"], row["where"]): (row["how"], row["by"]) for row in rows if row["is_label"]}
    assert hows["t-1", "targets/s1"] == ("in bulk", "lead")
    assert hows["t-2", "targets/s1"] == ("decided", "lead")
    assert hows["t-3", "targets/s1"] == (None, "majority")
    assert desk.item("t-1").reviewed == "none"
    review.undo_reviews(desk.store, "b", change.steps, ANA)
    assert {key[0] for key in desk.reviews.finals} == {"t-2"}


def test_formulas_in_a_comment_do_not_run_in_a_spreadsheet(desk):
    final = LeadDecision(task="t-3", where="targets/s1", question="label", value="accurate", comment="=1+1")
    review.decide_question(desk.store, "b", desk.audit.rubric, final, ANA)
    done = adjudicated(desk, "csv")
    with done.out.open(newline="", encoding="utf-8") as file:
        comments = {row["comment"] for row in csv.DictReader(file)}
    assert comments == {"", "'=1+1"}


def test_the_rest_waits_where_part_of_it_is_enough(desk):
    done = adjudicated(desk, "results", partial=True)
    assert (done.written, done.ratings, len(done.open)) == (True, 2, 1)
    checked = check_results(done.out, Progress())
    assert (checked.rater, checked.complete, checked.partial, checked.broken) == ("Ana", 2, True, ())


def test_a_rating_is_put_together_of_those_who_agree_at_each_place(desk):
    decides(desk, "t-3", "accurate")
    done = adjudicated(desk, "results")
    assert (done.written, done.stays) == (True, ())
    assert check_results(done.out, Progress()).broken == ()
    ratings = ratings_in(done.out)
    assert ratings["t-1"].answers.targets["s1"]["accuracy"] == "accurate"
    assert ratings["t-1"].answers.targets["s2"]["accuracy"] == "unsupported"
    told = ratings["t-1"].unknown["adjudicated"]
    assert told["targets/s1"]["labels"]["label"] == {"is": "accurate", "source": "majority", "for": 2, "against": 1}
    assert told["targets/s1"]["from"] == "r-22"  # the only one who agrees at both
    told = ratings["t-3"].unknown["adjudicated"]["targets/s1"]
    assert told["labels"]["label"]["how"] == "decided"
    assert told["from"] == "r-04"


def test_the_leads_own_rating_comes_first(desk):
    own = from_plain(said("t-3", "critical"), Rating)
    review.correct_rating(
        desk.store,
        load_task(desk.store, "b", "t-3"),
        desk.about("t-3", "r-17"),
        own,
        VerdictReason("label-does-not-follow"),
        ANA,
    )
    done = adjudicated(desk, "results")
    rating = ratings_in(done.out)["t-3"]
    assert rating.answers.targets["s1"]["severity"] == "critical"
    assert rating.unknown["adjudicated"]["targets/s1"]["from"] == "Ana"


def test_a_task_of_which_no_rating_says_what_was_decided_stays_and_is_named(desk):
    decides(desk, "t-3", "disputed")
    done = adjudicated(desk, "results")
    assert (done.written, done.ratings, done.stays) == (True, 2, ("t-3",))
    assert "t-3" not in ratings_in(done.out)


def test_the_same_decisions_give_the_same_bytes(desk):
    decides(desk, "t-3", "accurate")
    for to in ("results", "jsonl", "csv"):
        one, other = (adjudicated(desk, to, called=name).out.read_bytes() for name in ("one", "other"))
        assert hashlib.sha256(one).hexdigest() == hashlib.sha256(other).hexdigest()


def test_a_task_that_all_skipped_is_skipped(tmp_path):
    skipped = {"task": "t-1", "status": "skipped", "skipped": {"reason": "cut_off"}}
    raters = Raters(tmp_path, [task("t-1"), task("t-2")])
    desk = Desk(tmp_path, [raters.rates(rater, [skipped, said("t-2", "accurate")]) for rater in ("r-04", "r-17")])
    with desk.store:
        done = adjudicated(desk, "results")
        assert ratings_in(done.out)["t-1"].skipped.reason == "cut_off"
        checked = check_results(done.out, Progress())
        assert (checked.complete, checked.skipped, checked.partial) == (1, 1, False)


def test_results_of_tasks_that_all_were_skipped_leave_too(tmp_path):
    skipped = {"task": "t-1", "status": "skipped", "skipped": {"reason": "cut_off"}}
    raters = Raters(tmp_path, [task("t-1")])
    desk = Desk(tmp_path, [raters.rates(rater, [skipped]) for rater in ("r-04", "r-17")])
    with desk.store:
        done = adjudicated(desk, "results")
        assert (done.written, done.ratings) == (True, 1)
        assert check_results(done.out, Progress()).skipped == 1
        assert not adjudicated(desk, "csv").written


def test_of_several_gold_answers_the_one_that_says_the_same_stands_beside_the_label(tmp_path):
    raters = Raters(tmp_path, [task("t-1"), task("t-2")])
    desk = Desk(tmp_path, [raters.rates("r-04", [said("t-1", "accurate"), said("t-2", "accurate")])])
    (tmp_path / "copy").mkdir()
    golds = [said("t-1", "inaccurate", rater="g-1"), said("t-1", "accurate", rater="g-2"), said("t-2", "inaccurate")]
    lines = write_lines(tmp_path / "gold.jsonl", golds)
    with desk.store:
        desk.opens(make(tmp_path / "copy" / "b.zip", [task("t-1"), task("t-2")], gold=lines))
        rows = [json.loads(row) for row in adjudicated(desk, "jsonl").out.read_text("utf-8").splitlines()]
    labels = {row["task"]: (row["value"], row["gold"]) for row in rows if row["is_label"]}
    assert labels == {"t-1": ("accurate", "accurate"), "t-2": ("accurate", "inaccurate")}


def test_a_target_whose_id_reads_like_a_claims_is_a_place_as_any_other(tmp_path):
    odd = task("t-1", "One.", "Two.", "Three.")
    names = ["s1", "s1/claims/c1", "s1/evidence/e1"]
    for target, name in zip(odd["targets"], names, strict=True):
        target["id"] = name
    answers = {"answers": {"targets": dict.fromkeys(names, ANSWERS["accurate"])}}
    raters = Raters(tmp_path, [odd])
    desk = Desk(tmp_path, [raters.rates(rater, [{"task": "t-1", **answers}]) for rater in ("r-04", "r-17")])
    with desk.store:
        wheres = {f"targets/{name}" for name in names}
        assert {one.where for one in desk.items} == wheres
        because = VerdictReason("search-too-thin")
        review.send_back_rating(desk.store, "b", desk.about("t-1", "r-04", "targets/s1/claims/c1"), because, ANA)
        assert {where for _, where, _ in desk.reviews.verdicts} == {"targets/s1/claims/c1"}
        review.correct_rating(
            desk.store,
            load_task(desk.store, "b", "t-1"),
            desk.about("t-1", "r-17"),
            from_plain({"task": "t-1", **answers}, Rating),
            because,
            ANA,
        )
        assert set(desk.reviews.owns["t-1"].values) == wheres
        assert adjudicated(desk, "results").ratings == 1


def test_nothing_is_written_into_the_store(desk):
    with pytest.raises(BundleError, match="inside the store"):
        adjudicate_results(desk.store, "b", desk.store.folder / "x.csv", AdjudicationOptions(to="csv"), Progress())


@pytest.mark.parametrize("sample", ["span-factuality", "side-by-side", "response-quality"])
def test_results_of_any_rubric_say_just_what_was_decided(tmp_path, sample):
    """Of seven made-up raters who agree by and large."""
    path = resources() / "samples" / f"{sample}-sample.zip"
    for folder in ("first", "raters"):
        (tmp_path / folder).mkdir()
    simulate_results(path, None, tmp_path / "first", SimulationOptions(raters=1, seed=3), Progress())
    (first,) = (tmp_path / "first").iterdir()
    base = write_lines(tmp_path / "base.jsonl", [to_plain(one) for one in ratings_in(first).values()])
    simulate_results(path, base, tmp_path / "raters", SimulationOptions(raters=7, seed=11, noise=0.1), Progress())
    with open_writer(tmp_path / "store", command="test") as store:
        opened = import_results(store, [tmp_path / "raters"], lead="", now=NOON, progress=Progress())
        (bundle,) = opened.audits
        wished = AdjudicationOptions(to="results", rater="Ana", partial=True)
        done = adjudicate_results(store, bundle, tmp_path / "final.zip", wished, Progress())
        assert done.written
        assert check_results(done.out, Progress()).broken == ()
        rubric = load_task(store, bundle, next(iter(ratings_in(done.out)))).rubric
    questions = {one.id: one for one in judged_questions(rubric)}
    for rating in ratings_in(done.out).values():
        values = values_of(rubric, rating)
        for where, place in rating.unknown["adjudicated"].items():
            for name, told in place["labels"].items():
                question = questions[name]
                if question.decisive or question.main:
                    assert question.value(values[where]) == question.value({question.question: told["is"]})


def test_what_was_adjudicated_is_no_raters_vote(desk):
    done = adjudicated(desk, "results", partial=True)
    opened = import_results(desk.store, [done.out], lead="Ana", now=NOON, progress=Progress())
    assert [one.title for one in opened.refused] == ["final.zip is not a rater's results"]
    assert desk.audit.raters == ("r-04", "r-17", "r-22")
