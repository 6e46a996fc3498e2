"""What the review room lists, in which groups, and by what it can be filtered."""

from msgspec.structs import replace

from desktop_rater.audit.digest import Digest, DigestWarning
from desktop_rater.audit.items import (
    DisagreementGroup,
    ItemFilter,
    Label,
    group_of,
    label_at,
    label_distance,
    label_questions,
    matching_items,
)
from desktop_rater.audit.questions import judged_questions
from desktop_rater.audit.results import Fork, Verdict
from desktop_rater.audit.review_list import review_items
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.operations.rubrics import builtin_rubric
from tests.audit.digests import VALUES, audit, digest

NOTHING = Reviews()


def groups(*labels):
    return group_of([Label("label", one) for one in labels], others_differ=False)


def listed(of, reviews=NOTHING, quotes=None):
    return review_items(of, reviews, quotes or {})


def flags(of, reviews=NOTHING):
    return {(one.task, one.where, entry.rater): entry.flags for one in listed(of, reviews) for entry in one.entries}


def test_a_group_says_who_stands_against_whom():
    assert groups("a", "b", "c") == DisagreementGroup("different", 3)
    assert groups("a", "b", "a") == DisagreementGroup("against", 2, 1)
    assert groups("a", "b") == DisagreementGroup("against", 1, 1)
    assert groups("a", "a", "a") == DisagreementGroup("agree")
    assert groups("a") == DisagreementGroup("one")
    assert groups() == DisagreementGroup("none")
    assert groups(*"aaaaabbc") == DisagreementGroup("against", 5, 3)
    assert groups(*"aaabbc") == DisagreementGroup("different", 3)
    assert DisagreementGroup("against", 2, 1).words == "2 against 1"
    assert DisagreementGroup("different", 3).words == "3 different labels"


def test_groups_come_by_disagreement():
    mixed = [groups(*one) for one in ("aaa", "aab", "abc", "ab", "a", "", "abcd", "aaaab")]
    assert [one.words for one in sorted(mixed, key=lambda one: one.rank)] == [
        "4 different labels",
        "3 different labels",
        "1 against 1",
        "2 against 1",
        "4 against 1",
        "All agree",
        "One rating",
        "No label",
    ]


def test_on_a_scale_far_apart_is_more_than_next_to_each_other():
    rubric = builtin_rubric("response-quality")
    question = label_questions(judged_questions(rubric))["response"]
    near, far = ([Label(question.id, float(value)) for value in some] for some in ((4, 5), (1, 5)))
    assert 0 < label_distance(question, near) < label_distance(question, far) == 1


def test_each_depth_has_its_label():
    labels = label_questions(judged_questions(builtin_rubric("side-by-side")))
    assert labels["task"].id == "preference"
    assert label_at(labels, "task", {"preference": 3}) == Label("preference", 3.0)
    assert label_at(labels, "responses/a", {"preference": 3}) is None
    sentences = label_questions(judged_questions(builtin_rubric("span-factuality")))
    assert label_at(sentences, "targets/s1", {"factual": "no"}) == Label("label", "not factual")


def test_places_stand_as_in_the_task_where_they_differ_alike():
    of = audit({("t-1", "r-1"): digest("accurate", "accurate", "disputed")})
    order = {"t-1": {"targets/s3": "Three.", "targets/s1": "One.", "targets/s2": "Two."}}
    assert [one.quote for one in listed(of, quotes=order)] == ["Three.", "One.", "Two."]


def test_a_task_that_all_skipped_is_one_place():
    of = audit({("t-1", "r-1"): digest(status="skipped"), ("t-1", "r-2"): digest(status="skipped")})
    (one,) = listed(of)
    assert (one.where, one.group, one.tied) == ("task", DisagreementGroup("none"), False)
    assert all(entry.skipped for entry in one.entries)


def test_a_model_stands_behind_the_people_and_counts_in_no_group():
    ratings = {("t-1", "a-model"): digest("disputed"), ("t-1", "r-1"): digest("accurate")}
    ratings |= {("t-1", "r-2"): digest("accurate")}
    (one,) = listed(audit(ratings, models=frozenset({"a-model"})))
    assert one.group == DisagreementGroup("agree")
    assert [entry.rater for entry in one.entries] == ["r-1", "r-2", "a-model"]


def test_warnings_are_marked_at_their_target():
    warned = digest(
        "accurate",
        "accurate",
        warnings=(
            DigestWarning("evidence-without-quote", "targets/s1/evidence/e1"),
            DigestWarning("same-url-both-stances", "targets/s2", let_stand=True),
            DigestWarning("same-url-both-stances", "targets/s22"),
        ),
        evidence={"targets/s1": 1, "targets/s2": 2},
    )
    found = flags(audit({("t-1", "r-1"): warned}))
    assert found["t-1", "targets/s1", "r-1"] == {"warning"}
    assert found["t-1", "targets/s2", "r-1"] == {"warning", "acknowledged"}


def test_no_evidence_is_marked_where_the_label_could_rest_on_some():
    of = audit({("t-1", "r-1"): digest("accurate", "not factual", "accurate", evidence={"targets/s3": 1})})
    found = flags(of)
    assert found["t-1", "targets/s1", "r-1"] == {"no-evidence"}
    assert not found["t-1", "targets/s2", "r-1"]
    assert not found["t-1", "targets/s3", "r-1"]


def test_a_page_that_did_not_come_along_is_marked_where_it_hangs():
    of = audit(
        {
            ("t-1", "r-1"): digest(
                "accurate", "accurate", evidence={"targets/s1": 1, "targets/s2": 1}, unkept_at=("targets/s2",)
            )
        }
    )
    assert [place for place, marks in flags(of).items() if "evidence-dead" in marks] == [("t-1", "targets/s2", "r-1")]


def timed(seconds, label="disputed"):
    return digest(label, targets={"s1": seconds}, evidence={"targets/s1": 2})


def test_too_fast_is_measured_by_the_raters_own_pace_with_that_label():
    usual = {(f"t-{number:02}", "r-1"): timed(90) for number in range(1, 11)}
    usual |= {("t-11", "r-1"): timed(29), ("t-12", "r-1"): timed(31), ("t-13", "r-1"): timed(3, "not factual")}
    usual |= {("t-11", "r-2"): timed(29)}
    marked = [place for place, marks in flags(audit(usual)).items() if "too-fast" in marks]
    assert marked == [("t-11", "targets/s1", "r-1")]


def test_a_few_places_say_nothing_of_a_pace():
    few = {(f"t-{number:02}", "r-1"): timed(90) for number in range(1, 9)} | {("t-11", "r-1"): timed(1)}
    assert not any("too-fast" in marks for marks in flags(audit(few)).values())


def test_less_time_than_the_guideline_names_is_too_fast():
    hasty = digest("unsupported", warnings=(DigestWarning("unsupported-research-time", "targets/s1", let_stand=True),))
    assert "too-fast" in flags(audit({("t-1", "r-1"): hasty}))["t-1", "targets/s1", "r-1"]


def test_forks_gold_and_verdicts_are_marked():
    of = audit({("t-1", "r-1"): digest("accurate"), ("t-1", "r-2"): digest("disputed", evidence={"targets/s1": 2})})
    of = replace(of, forks=(Fork(rater="r-2", results=("x", "y"), tasks=("t-1",)),))
    back = Verdict(task="t-1", where="targets/s1", rater="r-1", rating="0" * 64, kind="returned")
    reviews = Reviews(
        verdicts={("t-1", "targets/s1", "r-1"): back}, gold={"t-1": ({"targets/s1": VALUES["disputed"]},)}
    )
    found = flags(of, reviews)
    assert found["t-1", "targets/s1", "r-1"] == {"no-evidence", "returned", "outdated", "gold-missed"}
    assert found["t-1", "targets/s1", "r-2"] == {"forked"}
    (one,) = listed(of, reviews)
    assert one.gold == (Label("label", "disputed"),)


def test_one_of_several_gold_answers_is_enough():
    of = audit({("t-1", "r-1"): digest("accurate")})
    gold = Reviews(gold={"t-1": ({"targets/s1": VALUES["disputed"]}, {"targets/s1": VALUES["accurate"]})})
    assert "gold-missed" not in flags(of, gold)["t-1", "targets/s1", "r-1"]


def test_what_is_wanted_of_a_rating_has_to_hold_of_one_and_the_same():
    slow, fast = digest("accurate", evidence={"targets/s1": 1}), digest("disputed")
    of = audit({("t-1", "r-1"): slow, ("t-1", "r-2"): fast, ("t-2", "r-1"): fast})
    found = listed(of)

    def names(**wanted):
        return [one.task for one in matching_items(found, ItemFilter(**wanted))]

    assert names() == ["t-1", "t-2"]
    assert names(flags=frozenset({"no-evidence"})) == ["t-1", "t-2"]
    assert names(rater="r-1", flags=frozenset({"no-evidence"})) == ["t-2"]
    assert names(rater="r-2") == ["t-1"]
    assert names(rater="r-1", label=Label("label", "accurate")) == ["t-1"]
    assert names(group=DisagreementGroup("one")) == ["t-2"]
    assert names(tied=True) == ["t-1"]
    assert names(reviewed=True) == []
    assert names(reviewed=False) == ["t-1", "t-2"]


def test_words_are_looked_for_in_the_quote_the_ids_and_the_names():
    of = audit({("t-1", "r-1"): digest("accurate", "accurate"), ("t-1", "Zoë"): digest("accurate", "accurate")})
    found = listed(of, quotes={"t-1": {"targets/s1": "Its captain is Réka.", "targets/s2": "Entry is free."}})

    def wheres(words):
        return [one.where for one in matching_items(found, ItemFilter(words=words))]

    assert wheres("CAPTAIN réka") == ["targets/s1"]
    assert wheres("zoë free") == ["targets/s2"]
    assert wheres("captain free") == []
    assert wheres("  ") == ["targets/s1", "targets/s2"]


def test_a_sample_of_all_holds_what_comes_in_later_too():
    of = audit({("t-1", "r-1"): digest("accurate"), ("t-2", "r-1"): digest("accurate")})
    drawn = listed(of, Reviews(sample=ReviewSample(how="share", share=0.5, places=(("t-2", "targets/s1"),))))
    assert [one.task for one in matching_items(drawn, ItemFilter(sampled=True))] == ["t-2"]
    assert all(one.sampled for one in listed(of, Reviews(sample=ReviewSample(how="all"))))


def test_gold_is_missed_where_any_judgement_differs():
    rubric = builtin_rubric("response-quality")
    says = {"coherence": 4, "fluency": 4, "sexual": 0}
    of = audit(
        {
            ("t-1", "r-1"): Digest(status="complete", values={"responses/a": says}),
            ("t-1", "r-2"): Digest(status="complete", values={"responses/a": {**says, "sexual": 5}}),
        },
        rubric=rubric,
    )
    found = flags(of, Reviews(gold={"t-1": ({"responses/a": says},)}))
    assert "gold-missed" not in found["t-1", "responses/a", "r-1"]
    assert "gold-missed" in found["t-1", "responses/a", "r-2"]


def test_a_place_of_which_no_gold_answer_speaks_is_not_missed():
    of = audit({("t-1", "r-1"): digest("not factual")})
    assert (
        "gold-missed"
        not in flags(of, Reviews(gold={"t-2": ({"targets/s1": VALUES["accurate"]},)}))["t-1", "targets/s1", "r-1"]
    )


def test_gold_of_a_part_of_the_task_misses_nothing_elsewhere():
    of = audit({("t-1", "r-1"): digest("accurate", "accurate")})
    found = flags(of, Reviews(gold={"t-1": ({"targets/s1": VALUES["disputed"]},)}))
    assert "gold-missed" in found["t-1", "targets/s1", "r-1"]
    assert "gold-missed" not in found["t-1", "targets/s2", "r-1"]


def test_partial_gold_is_missed_only_where_it_speaks():
    of = audit({("t-1", "r-1"): digest("accurate", "accurate"), ("t-1", "r-2"): digest("inaccurate", "accurate")})

    def missed(**targets):
        partial = {f"targets/{name}": values for name, values in targets.items()}
        found = flags(of, Reviews(partial_gold={"t-1": (partial,)}))
        return {place[1:] for place, marks in found.items() if "gold-missed" in marks}

    assert missed(s1={"accuracy": "inaccurate"}) == {("targets/s1", "r-1")}
    assert missed(s1={"accuracy": "accurate"}) == {("targets/s1", "r-2")}
    assert missed(s2={"accuracy": "disputed"}) == {("targets/s2", "r-1"), ("targets/s2", "r-2")}
    assert missed(s1={"common_knowledge": "no"}) == set()  # it is no judgement
    assert missed() == set()
    (first, _) = listed(of, Reviews(partial_gold={"t-1": ({"targets/s1": {"accuracy": "inaccurate"}},)}))
    assert first.gold == (Label("label", "inaccurate"),)


def test_who_skips_what_the_gold_rates_and_rates_what_it_skips_misses_it():
    skips = Digest(status="skipped")
    of = audit({("t-1", "r-1"): skips, ("t-2", "r-1"): skips, ("t-3", "r-1"): digest("accurate")})
    rates = {"targets/s1": VALUES["accurate"]}
    found = flags(of, Reviews(gold={"t-1": (rates,), "t-2": (rates, {}), "t-3": ({},)}))
    missed = {place[0] for place, marks in found.items() if "gold-missed" in marks}
    assert missed == {"t-1", "t-3"}


def test_a_warning_stands_at_one_place_also_where_an_id_begins_like_another():
    values = {f"targets/{name}": VALUES["accurate"] for name in ("s1", "s1/x")}
    warned = Digest(
        status="complete",
        values=values,
        warnings=(DigestWarning("evidence-without-quote", "targets/s1/x/evidence/e1"),),
        evidence={"targets/s1": 1, "targets/s1/x": 1},
    )
    found = flags(audit({("t-1", "r-1"): warned}))
    assert not found["t-1", "targets/s1", "r-1"]
    assert found["t-1", "targets/s1/x", "r-1"] == {"warning"}
