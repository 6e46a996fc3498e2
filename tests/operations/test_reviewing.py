"""A lead accepts, corrects, sends back, decides, and takes it all back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rater.audit.items import DisagreementGroup, Label
from desktop_rater.audit.results import LeadDecision, Verdict
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import from_plain
from desktop_rater.operations.audit import review
from desktop_rater.operations.audit.load_audit import load_task
from desktop_rater.operations.audit.review import Lead, VerdictReason
from desktop_rater.rubric.check import check_rating
from desktop_rater.rubric.load import load_rubric
from desktop_rater.store import reviews
from tests.examples import examples

from .audited import ANA, ANSWERS, Raters, said
from .bundles import NOON, rating, task

WHY = VerdictReason("search-too-thin", "Search the league, too.")


TASKS = [task("t-1"), task("t-2", "One.", "Two.")]
RATINGS = {
    "r-04": [said("t-1", "inaccurate"), said("t-2", "accurate", "accurate")],
    "r-17": [said("t-1", "unsupported"), said("t-2", "accurate", "accurate")],
    "r-22": [said("t-1", "accurate"), said("t-2", "accurate", "not factual")],
}


@pytest.fixture(scope="module")
def raters(tmp_path_factory):
    return Raters(tmp_path_factory.mktemp("raters"), TASKS)


@pytest.fixture(scope="module")
def results(raters):
    return raters.all_rate(RATINGS)


def own(name, *labels):
    return from_plain(said(name, *labels), Rating)


def kept_own(desk, name):
    """The lead's own rating as it is kept."""
    kept = load_task(desk.store, "b", name).own
    assert kept is not None
    assert kept.rating is not None
    return kept, kept.rating


def test_the_places_with_most_disagreement_come_first(desk):
    assert [(one.task, one.where, one.group) for one in desk.items] == [
        ("t-1", "targets/s1", DisagreementGroup("different", 3)),
        ("t-2", "targets/s2", DisagreementGroup("against", 2, 1)),
        ("t-2", "targets/s1", DisagreementGroup("agree")),
    ]
    first = desk.items[0]
    assert first.quote == "Paris is the capital of France."
    assert {one.rater: one.label.value for one in first.entries} == {
        "r-04": "inaccurate",
        "r-17": "unsupported",
        "r-22": "accurate",
    }
    assert first.tied
    assert first.reviewed == "none"


def test_an_accepted_rating_is_reviewed_and_decides_a_tie(desk):
    change = review.accept_ratings(desk.store, "b", [desk.about("t-1", "r-17")], VerdictReason(), ANA)
    assert change.audits == {"b"}
    item = desk.item("t-1")
    assert item.entry("r-17").reviewed
    assert not item.entry("r-04").reviewed
    assert item.reviewed == "part"
    assert item.final == Label("label", "unsupported")
    assert not item.tied


def test_all_ratings_of_a_place_are_accepted_at_once_and_undone_at_once(desk):
    raters = ("r-04", "r-17", "r-22")
    done = review.accept_ratings(
        desk.store, "b", [desk.about("t-2", rater, "targets/s1") for rater in raters], VerdictReason(), ANA
    )
    assert desk.item("t-2").reviewed == "all"
    review.undo_reviews(desk.store, "b", done.steps, ANA)
    assert desk.item("t-2").reviewed == "none"


def test_a_rating_that_is_sent_back_has_no_vote_until_it_comes_back(desk, raters):
    review.send_back_rating(desk.store, "b", desk.about("t-2", "r-22", "targets/s2"), WHY, ANA)
    item = desk.item("t-2", "targets/s2")
    assert item.entry("r-22").verdict.comment == "Search the league, too."
    assert "returned" in item.entry("r-22").flags
    assert item.final == Label("label", "accurate")
    again = raters.rates("r-22", [said("t-2", "accurate", "unsupported")])
    desk.opens(again)
    item = desk.item("t-2", "targets/s2")
    assert item.entry("r-22").label.value == "unsupported"
    assert item.entry("r-22").outdated
    assert not item.entry("r-22").reviewed
    assert {"returned", "outdated"} <= item.entry("r-22").flags


def test_nothing_is_sent_back_without_a_reason(desk):
    about = desk.about("t-1", "r-04")
    with pytest.raises(RaterError, match="needs a reason"):
        review.send_back_rating(desk.store, "b", about, VerdictReason(), ANA)
    with pytest.raises(RaterError, match="needs a comment"):
        review.send_back_rating(desk.store, "b", about, VerdictReason("other", " "), ANA)
    with pytest.raises(RaterError, match="is not a known reason"):
        review.send_back_rating(desk.store, "b", about, VerdictReason("bad mood"), ANA)
    with pytest.raises(RaterError, match="Enter your name"):
        review.send_back_rating(desk.store, "b", about, WHY, Lead(" ", lambda: NOON))
    with pytest.raises(RaterError, match="20,000 characters"):
        review.send_back_rating(desk.store, "b", about, VerdictReason("other", "x" * 20_001), ANA)
    assert desk.item("t-1").entry("r-04").verdict is None


def test_a_correction_follows_the_same_rules_as_a_rating(desk):
    audited = load_task(desk.store, "b", "t-1")
    about = desk.about("t-1", "r-04")
    no_comment = {name: value for name, value in ANSWERS["unsupported"].items() if name != "comment"}
    with pytest.raises(RaterError, match="Say in a sentence or two what you searched for"):
        review.correct_rating(desk.store, audited, about, from_plain(rating("t-1", no_comment), Rating), WHY, ANA)
    assert load_task(desk.store, "b", "t-1").own is None
    review.correct_rating(desk.store, audited, about, own("t-1", "unsupported"), WHY, ANA)
    item = desk.item("t-1")
    assert item.entry("r-04").verdict.kind == "corrected"
    assert item.final == Label("label", "unsupported")
    assert item.decided
    kept, rating_ = kept_own(desk, "t-1")
    assert (kept.lead, rating_.rater, rating_.status, kept.blind) == ("Ana", "Ana", "complete", False)


def test_a_correction_is_undone_with_the_rating_that_it_brought(desk):
    audited = load_task(desk.store, "b", "t-1")
    done = review.correct_rating(desk.store, audited, desk.about("t-1", "r-04"), own("t-1", "accurate"), WHY, ANA)
    back = review.undo_reviews(desk.store, "b", done.steps, ANA)
    assert load_task(desk.store, "b", "t-1").own is None
    assert desk.item("t-1").entry("r-04").verdict is None
    assert desk.item("t-1").tied
    review.undo_reviews(desk.store, "b", back.steps, ANA)
    assert desk.item("t-1").entry("r-04").verdict.kind == "corrected"
    assert kept_own(desk, "t-1")[1].answers.targets["s1"]["accuracy"] == "accurate"


def test_what_is_undone_is_never_lost(desk):
    about = desk.about("t-1", "r-04")
    first = review.accept_ratings(desk.store, "b", [about], VerdictReason(), ANA)
    second = review.send_back_rating(desk.store, "b", about, WHY, ANA)
    with pytest.raises(RaterError, match="It has been changed since"):
        review.undo_reviews(desk.store, "b", first.steps, ANA)
    review.undo_reviews(desk.store, "b", second.steps, ANA)
    assert desk.item("t-1").entry("r-04").verdict.kind == "accepted"
    kinds = [one.read(Verdict).kind for one in _history(desk, about)]
    assert kinds == ["accepted", "returned", "accepted"]
    review.undo_reviews(desk.store, "b", first.steps, ANA)
    assert desk.item("t-1").entry("r-04").verdict is None


def _history(desk, about):
    return reviews.review_history(desk.store, "b", ("verdict", about.task, about.where, about.rater))


def test_a_verdict_is_taken_back(desk):
    about = desk.about("t-1", "r-04")
    review.send_back_rating(desk.store, "b", about, WHY, ANA)
    review.withdraw_verdict(desk.store, "b", about, ANA)
    assert desk.item("t-1").entry("r-04").verdict is None


def test_an_own_answer_given_blind_decides_nothing_and_speaks_once_it_is_whole(desk):
    audited = load_task(desk.store, "b", "t-2")
    review.save_own_rating(desk.store, audited, own("t-2", "accurate"), ANA, blind=True)
    assert not desk.reviews.owns  # s2 is not answered yet
    audited = load_task(desk.store, "b", "t-2")
    assert kept_own(desk, "t-2")[1].status == "incomplete"
    whole = own("t-2", "inaccurate", "accurate")
    review.save_own_rating(desk.store, audited, whole, ANA, blind=True)
    assert desk.reviews.owns["t-2"].values["targets/s1"]["accuracy"] == "inaccurate"
    assert desk.item("t-2").final == Label("label", "accurate")
    audited = load_task(desk.store, "b", "t-2")
    assert not review.save_own_rating(desk.store, audited, whole, ANA, blind=True)
    done = review.correct_rating(desk.store, audited, desk.about("t-2", "r-04"), whole, WHY, ANA)
    assert done
    assert kept_own(desk, "t-2")[0].blind
    assert desk.item("t-2").final == Label("label", "inaccurate")


def test_a_tie_is_decided_by_a_value_that_the_rubric_offers(desk):
    rubric = desk.audit.rubric
    final = LeadDecision(task="t-1", where="targets/s1", question="label", value="disputed")
    done = review.decide_question(desk.store, "b", rubric, final, ANA)
    item = desk.item("t-1")
    assert (item.final, item.decided, item.reviewed) == (Label("label", "disputed"), True, "all")
    assert item.finals["label"].lead == "Ana"
    review.undo_reviews(desk.store, "b", done.steps, ANA)
    assert desk.item("t-1").tied
    with pytest.raises(RaterError, match="does not offer 'splendid'"):
        review.decide_question(
            desk.store,
            "b",
            rubric,
            LeadDecision(task="t-1", where="targets/s1", question="label", value="splendid"),
            ANA,
        )
    with pytest.raises(RaterError, match="has no judged question 'colour'"):
        review.decide_question(
            desk.store, "b", rubric, LeadDecision(task="t-1", where="targets/s1", question="colour", value="red"), ANA
        )


DOINGS = st.sampled_from(["accept", "return", "take back", "undo", "undo", "redo"])


@settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(DOINGS, min_size=3, max_size=12))
def test_whatever_is_said_undone_and_said_again_what_held_before_holds(desk, doings):
    about = desk.about("t-1", "r-04")
    say = {
        "accept": lambda: review.accept_ratings(desk.store, "b", [about], VerdictReason(), ANA),
        "return": lambda: review.send_back_rating(desk.store, "b", about, WHY, ANA),
        "take back": lambda: review.withdraw_verdict(desk.store, "b", about, ANA),
    }
    kinds = {"accept": "accepted", "return": "returned", "take back": None}
    say["take back"]()
    before, after, held = [], [], None
    for doing in doings:
        if doing in say:
            before.append((say[doing]().steps, held))
            after, held = [], kinds[doing]
        elif doing == "undo" and before:
            steps, earlier = before.pop()
            after.append((review.undo_reviews(desk.store, "b", steps, ANA).steps, held))
            held = earlier
        elif doing == "redo" and after:
            steps, later = after.pop()
            before.append((review.undo_reviews(desk.store, "b", steps, ANA).steps, held))
            held = later
        verdict = desk.reviews.verdict("t-1", "targets/s1", "r-04")
        assert (verdict.kind if verdict is not None else None) == held


def test_of_a_scale_with_many_steps_only_a_step_can_be_decided():
    rubric = load_rubric(
        'id = "x"\nversion = 1\ntitle = "X"\n[[questions]]\nid = "h"\nper = "task"\nask = "How many?"\n'
        'kind = "scale"\nmin = 0\nmax = 100\nstep = 1\nrequired = true\n'
    )
    for value in (101, 0.5, "many", [1]):
        with pytest.raises(RaterError, match="does not offer"):
            review.decision_review(rubric, LeadDecision(task="t-1", where="task", question="h", value=value), ANA)
    said = review.decision_review(rubric, LeadDecision(task="t-1", where="task", question="h", value=100), ANA)
    assert said.subject == ("final", "t-1", "task", "h")


def test_each_rating_of_a_task_is_shown_as_it_would_be_alone(desk):
    for name in desk.audit.texts:
        shown = load_task(desk.store, "b", name)
        assert len(shown.raters) > 1
        assert [of.outcome for of in shown.raters] == [
            check_rating(shown.rubric, of.task, of.rating) for of in shown.raters
        ]
