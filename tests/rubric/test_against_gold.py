"""A rating beside the gold: what is judged alike, what differs, and what decides the gold."""

import pytest

from desktop_rater.format.values import Place
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric.gold import compare_with_gold

from .conftest import one_target_task, rating_of

RIGHT = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "major"}
NO = {"factual": "no"}


def beside(rubric, own, gold, **more):
    task = one_target_task()
    given = [rating_of(task, answers={"targets": {"s1": one}}, **more) for one in (own, gold)]
    return compare_with_gold(rubric, task, *given)


@pytest.mark.parametrize(
    ("own", "gold", "same"),
    [
        (RIGHT, RIGHT, 1),
        (RIGHT, WRONG, 0),
        (NO, NO, 1),
        (NO, RIGHT, 0),
        (RIGHT, NO, 0),
        (WRONG, {**WRONG, "severity": "minor"}, 0),
        (WRONG, {name: value for name, value in WRONG.items() if name != "severity"}, 1),
        (WRONG, {**WRONG, "comment": "Because."}, 1),
        ({}, RIGHT, 0),
    ],
)
def test_a_target_is_as_the_gold_where_its_label_is(factuality, own, gold, same):
    found = beside(factuality, own, gold)
    assert found.per_target
    assert (found.same, found.total) == (same, 1)


def test_it_says_which_answers_differ_what_decides_and_where_to_read(factuality):
    (judgement,) = beside(factuality, RIGHT, {**WRONG, "comment": "It is the other way round."}).judgements
    differing = {one.question.id: (one.own, one.gold) for one in judgement.compared if not one.same}
    assert differing == {
        "common_knowledge": ("right", "wrong"),
        "accuracy": ("accurate", "inaccurate"),
        "severity": (None, "major"),
    }
    ((by, message),) = [(one.by, one.message) for one in judgement.decisions]
    assert by == "common-knowledge-wrong"
    assert message
    assert judgement.section == "Accuracy"
    assert [words for _, words in judgement.words] == ["It is the other way round."]


def test_claims_are_compared_by_what_they_come_to(factuality):
    task = one_target_task()
    good = {"common_knowledge": "right", "accuracy": "accurate"}
    bad = {"common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
    claims = [{"id": "c1", "text": "Broder", "answers": good}, {"id": "c2", "text": "Stanford", "answers": bad}]
    gold = rating_of(task, answers={"targets": {"s1": {"factual": "yes"}}}, claims={"s1": claims})
    for own, same in (({**WRONG, "severity": "minor"}, 1), (WRONG, 0), (RIGHT, 0)):
        found = compare_with_gold(factuality, task, rating_of(task, answers={"targets": {"s1": own}}), gold)
        assert (found.same, found.total) == (same, 1)
        (judgement,) = found.judgements
        assert [one.text for one in judgement.claims] == ["Broder", "Stanford"]
        assert [one.question.id for one in judgement.compared] == ["factual", "accuracy", "severity"]
        assert [(one.by, one.value) for one in judgement.decisions] == [("claims", "inaccurate"), ("claims", "minor")]


def test_of_two_responses_each_decided_answer_and_the_preference_count():
    rubric = builtin_rubric("side-by-side")
    responses = [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]
    task = one_target_task(responses=responses, targets=None)
    whole = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}

    def rated(preference, **b):
        return rating_of(task, answers={"task": {"preference": preference}, "responses": {"a": whole, "b": whole | b}})

    found = compare_with_gold(rubric, task, rated(1), rated(3, fulfilment="partially", punt="vague"))
    assert not found.per_target
    assert (found.same, found.total) == (3, 5)
    assert [one.place for one in found.judgements] == [Place(response="a"), Place(response="b"), Place()]
    assert [one.agrees for one in found.judgements] == [True, False, False]


def test_scales_are_counted_one_by_one():
    rubric = builtin_rubric("response-quality")
    task = one_target_task(targets=None)
    scales = {"coherence": 5, "fluency": 4, "hateful_unfair": 0, "sexual": 0, "violent": 1, "self_harm": 0}
    own, gold = (rating_of(task, answers={"responses": {"a": one}}) for one in (scales | {"fluency": 5}, scales))
    found = compare_with_gold(rubric, task, own, gold)
    assert (found.same, found.total) == (5, 6)


def test_a_skipped_task_is_neither_right_nor_wrong(factuality):
    task = one_target_task()
    rated = rating_of(task, answers={"targets": {"s1": RIGHT}})
    skipped = rating_of(task, status="skipped", skipped={"reason": "duplicate"})
    for own, gold in ((skipped, rated), (rated, skipped), (skipped, skipped)):
        found = compare_with_gold(factuality, task, own, gold)
        assert (found.total, found.judgements) == (0, ())
        assert [one is not None for one in (found.own_skipped, found.gold_skipped)] == [own is skipped, gold is skipped]


LABEL = {"accuracy": "inaccurate"}


@pytest.mark.parametrize(
    ("own", "gold", "counted", "same"),
    [
        (WRONG, LABEL, {"accuracy": ("inaccurate", "inaccurate")}, 1),
        (RIGHT, LABEL, {"accuracy": ("accurate", "inaccurate")}, 0),
        (NO, LABEL, {"accuracy": (None, "inaccurate")}, 0),
        (RIGHT, {"factual": "yes"}, {"factual": ("yes", "yes")}, 1),
        (NO, {"factual": "yes"}, {"factual": ("no", "yes")}, 0),
        # The facts that decide a label do not stand for the label that gold leaves out.
        (RIGHT, {"factual": "yes", "common_knowledge": "wrong"}, {"common_knowledge": ("right", "wrong")}, 0),
    ],
)
def test_partial_gold_is_compared_where_it_answers_and_nowhere_else(factuality, own, gold, counted, same):
    found = beside(factuality, own, gold)
    assert (found.partial, found.same, found.total) == (True, same, 1)
    (judgement,) = found.judgements
    values = {one.question.id: (one.own, one.gold) for one in judgement.counted}
    assert values.items() >= counted.items()
    assert {one.question.id for one in judgement.compared} == gold.keys()
    assert judgement.decisions == ()


def test_the_labels_of_claims_come_to_a_label_where_every_claim_has_one(factuality):
    task = one_target_task()

    def of_claims(*labels):
        claims = [{"id": f"c{n}", "answers": {"accuracy": label} if label else {}} for n, label in enumerate(labels)]
        gold = rating_of(task, claims={"s1": claims})
        return compare_with_gold(factuality, task, rating_of(task, answers={"targets": {"s1": RIGHT}}), gold)

    for labels, label in ((("accurate", "inaccurate"), "inaccurate"), (("accurate", "accurate"), "accurate")):
        found = of_claims(*labels)
        assert (found.partial, found.same, found.total) == (True, label == "accurate", 1)
        (judgement,) = found.judgements
        assert [(one.question.id, one.gold) for one in judgement.compared] == [("accuracy", label)]
        assert len(judgement.claims) == 2
    assert of_claims("inaccurate", None).judgements == ()


def test_evidence_and_words_of_partial_gold_are_shown(factuality):
    task = one_target_task()
    page = {"id": "e1", "target": "s1", "stance": "contradicting", "url": "https://a.example/"}
    gold = rating_of(task, answers={"targets": {"s1": LABEL | {"comment": "Look there."}}}, evidence=[page])
    (judgement,) = compare_with_gold(factuality, task, rating_of(task), gold).judgements
    assert [piece.url for piece in judgement.evidence] == ["https://a.example/"]
    assert [words for _, words in judgement.words] == ["Look there."]
