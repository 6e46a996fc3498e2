"""Every combination of facts, answers and labels is decided and checked as the decision table says."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, exported_form
from tests.rubric.conftest import one_target_task, rating_of

SINGLE, SEVERAL, CLAIM = "single", "several", "claim"
SENTENCES = {
    SINGLE: "The tower is old.",
    SEVERAL: "The tower was built in 1352 by monks from Bruges.",
    CLAIM: "It is old.",
}
LABELS = ("accurate", "inaccurate", "unsupported", "disputed")
ANSWERS = {
    "consensus": (None, "for", "against", "none", "parts"),
    "covers": (None, "yes", "no"),
    "common_knowledge": (None, "right", "wrong", "no"),
    "expected_to_be_found": (None, "yes", "no"),
}
PAGES = [(0, 0), (0, 1), (1, 0), (1, 1)]
COMMENTED = {
    "absent-but-expected": "absent-needs-comment",
    "rest-absent-but-expected": "absent-needs-comment",
    "both-sides-consensus-for": "consensus-needs-comment",
    "both-sides-consensus-against": "consensus-needs-comment",
    "consensus-for": "consensus-needs-comment",
    "consensus-against": "consensus-needs-comment",
}


class Unit(NamedTuple):
    """A target that is not split, or a claim: its pages, and every answer that it has, asked or not."""

    kind: str
    supporting: int
    contradicting: int
    accuracy: str | None
    consensus: str | None = None
    covers: str | None = None
    common_knowledge: str | None = None
    expected_to_be_found: str | None = None

    @property
    def pages(self) -> tuple[bool, bool]:
        return bool(self.supporting), bool(self.contradicting)


class Judged(NamedTuple):
    """What follows for a unit: the answers that count, the questions that are open, and the decision with its label."""

    asked: dict[str, str | None]
    decision: str | None
    label: str | None

    @property
    def open(self) -> set[str]:
        return {name for name, answer in self.asked.items() if answer is None}


def judged(unit: Unit) -> Judged:
    """Judge a unit as the table in words does, step by step and without the rubric."""
    asked: dict[str, str | None] = {}
    match unit.pages:
        case True, True:
            asked["consensus"] = None if unit.consensus == "parts" and unit.kind == CLAIM else unit.consensus
            if unit.kind == SEVERAL and asked["consensus"] not in {"parts", "against"}:
                asked["covers"] = unit.covers
        case True, False if unit.kind == SEVERAL:
            asked["covers"] = unit.covers
    nothing, rest = unit.pages == (False, False), asked.get("covers") == "no"
    if nothing or rest or (not unit.contradicting and unit.accuracy == "inaccurate"):
        asked["common_knowledge"] = unit.common_knowledge
    if asked.get("common_knowledge") == "no" and (nothing or rest):
        asked["expected_to_be_found"] = unit.expected_to_be_found
    against_pages = unit.pages == (False, True) and unit.accuracy == "accurate"
    if unit.pages == (True, False) and unit.accuracy == "inaccurate" and not rest:
        against_pages = asked["common_knowledge"] in {"right", "no"}
    if against_pages:
        asked["consensus"] = None if unit.consensus == "parts" else unit.consensus
        if unit.pages == (True, False) and asked["consensus"] == "against":
            asked = {name: answer for name, answer in asked.items() if name != "covers" or answer}
    decision, label = decided(unit, asked)
    return Judged(asked, decision, label)


WITHOUT_PAGES = {
    ("right", None): ("common-knowledge-right", "accurate"),
    ("wrong", None): ("common-knowledge-wrong", "inaccurate"),
    ("no", "yes"): ("absent-but-expected", "inaccurate"),
    ("no", "no"): ("nothing-found", "unsupported"),
}
BY_CONSENSUS = {
    (False, True, "for"): ("consensus-for", "accurate"),
    (True, False, "against"): ("consensus-against", "inaccurate"),
    (True, True, "parts"): ("different-parts", "inaccurate"),
    (True, True, "against"): ("both-sides-consensus-against", "inaccurate"),
}
BY_PAGES = {
    (True, True, "for"): ("both-sides-consensus-for", "accurate"),
    (True, True, "none"): ("both-sides-no-consensus", "disputed"),
}


def decided(unit: Unit, asked: dict[str, str | None]) -> tuple[str | None, str | None]:
    """Return the decision and its label, from the answers that count."""
    consensus, known = asked.get("consensus"), asked.get("common_knowledge")
    if (*unit.pages, consensus) in BY_CONSENSUS:
        return BY_CONSENSUS[*unit.pages, consensus or ""]
    if None in asked.values():
        return None, None
    absent = WITHOUT_PAGES.get((known, asked.get("expected_to_be_found")), ("", ""))
    if asked.get("covers") == "no" and known != "right":
        return f"rest-{absent[0]}", absent[1]
    if unit.pages == (False, False) or (unit.pages == (True, False) and known == "wrong"):
        return absent
    by_side = ("supported", "accurate") if unit.supporting else ("contradicted", "inaccurate")
    return BY_PAGES.get((*unit.pages, consensus or ""), by_side)


def units(kind: str, pages: tuple[int, int], labels: Sequence[str | None]) -> Iterator[Unit]:
    """Yield a unit for each combination of a label and answers."""
    for accuracy, *answers in itertools.product(labels, *ANSWERS.values()):
        yield Unit(kind, *pages, accuracy, *answers)


def check_unit(rubric: Rubric, unit: Unit, comment: str = "Searched for it.") -> tuple[CheckOutcome, str]:
    """Return the outcome for a rating of the unit, and where its answers are."""
    text = SENTENCES[unit.kind]
    task = one_target_task(
        responses=[{"id": "a", "text": text}],
        targets=[{"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}],
    )
    answers: dict[str, Any] = {
        name: value for name, value in unit._asdict().items() if name in {*ANSWERS, "accuracy"} and value is not None
    }
    answers["severity"] = "minor"
    split = unit.kind == CLAIM
    sides = {"supporting": unit.supporting, "contradicting": unit.contradicting}
    evidence = [
        {"id": f"{side}{number}", "target": "s1", "stance": side, "url": f"https://{side}.example/{number}"}
        | {"quote": "So it says.", "snapshot": "0" * 64}
        | ({"claims": ["c1"]} if split else {})
        for side, count in sides.items()
        for number in range(count)
    ]
    target = {"factual": "yes", "comment": comment} | ({} if split else answers)
    rating = rating_of(
        task,
        answers={"targets": {"s1": target}},
        claims={"s1": [{"id": "c1", "text": "It is old.", "answers": answers}]} if split else {},
        evidence=evidence,
        time={"targets": {"s1": 600}},
    )
    outcome = check_rating(rubric, task, rating)
    exported = check_rating(rubric, task, exported_form(rating, outcome))
    assert (exported.decided, exported.problems) == (outcome.decided, outcome.problems)
    return outcome, "targets/s1/claims/c1" if split else "targets/s1"


def decision_of(outcome: CheckOutcome, where: str) -> tuple[str | None, str | None]:
    decision = outcome.decided.get(where, {}).get("accuracy")
    return (decision.by, decision.value) if decision is not None else (None, None)


@pytest.mark.parametrize("kind", SENTENCES)
@pytest.mark.parametrize("pages", PAGES, ids=str)
def test_each_combination_of_answers_is_decided_as_the_table_says(factuality, kind, pages):
    for unit in units(kind, pages, (None, *LABELS)):
        expected = judged(unit)
        outcome, where = check_unit(factuality, unit)
        required = expected.open | ({"accuracy"} if unit.accuracy is None else set())
        rules = {f"required:{name}" for name in required}
        if unit.accuracy is not None and expected.label not in {None, unit.accuracy}:
            rules.add(f"contradicts:{expected.decision}")
        if unit.accuracy == "disputed" and not all(unit.pages):
            rules.add("disputed-needs-both-sides")
        assert (unit, decision_of(outcome, where)) == (unit, (expected.decision, expected.label))
        assert (unit, {problem.rule for problem in outcome.problems}) == (unit, rules)


def rows() -> list[Unit]:
    """Return one unit for each row of the table and kind of unit, with the label that the row implies."""
    found: dict[tuple[str, str], Unit] = {}
    for kind, pages in itertools.product(SENTENCES, PAGES):
        for unit in units(kind, pages, LABELS):
            expected = judged(unit)
            if expected.decision is not None and expected.label == unit.accuracy:
                found.setdefault((expected.decision, kind), unit)
    return list(found.values())


ROWS = rows()


def test_each_row_of_the_rubric_is_reached():
    reached = {judged(unit).decision for unit in ROWS}
    assert reached == {row.id for row in builtin_rubric("span-factuality").file.decide}
    for kind in (SINGLE, CLAIM):
        only = {judged(unit).decision for unit in ROWS if unit.kind == kind}
        assert {row for row in reached - only if row is not None} == {
            row for row in reached if row is not None and (row.startswith("rest-") or row == "different-parts")
        } - ({"different-parts"} if kind == SINGLE else set())


@pytest.mark.parametrize("unit", ROWS, ids=lambda unit: f"{judged(unit).decision}, {unit.kind}")
def test_a_row_asks_for_a_comment_where_it_needs_one_and_a_comment_has_to_show_something(factuality, unit):
    wanted = {COMMENTED.get(judged(unit).decision or "")} - {None}
    wanted |= {"unsupported-needs-comment"} if unit.accuracy == "unsupported" else set()
    for blank in ("", " \n", "\u200b", "\u2800\u3164\ufeff"):
        outcome, _where = check_unit(factuality, unit, comment=blank)
        assert {problem.rule for problem in outcome.problems} == wanted
    assert check_unit(factuality, unit, comment="Searched.")[0].problems == ()


@pytest.mark.parametrize("unit", ROWS, ids=lambda unit: f"{judged(unit).decision}, {unit.kind}")
def test_the_guideline_is_named_only_for_a_single_claim(factuality, unit):
    decision = judged(unit).decision
    sources = {row.id: row.source for row in factuality.file.decide}
    several = unit.kind != CLAIM and (unit.covers == "no" or unit.consensus == "parts")
    for label in LABELS:
        outcome, _where = check_unit(factuality, unit._replace(accuracy=label))
        for problem in outcome.problems:
            if problem.rule == f"contradicts:{decision}":
                named = "The guideline says" in (problem.message or "")
                assert named is (sources[decision or ""] == "guideline" and not several)


class Kind(NamedTuple):
    """A claim as it is in truth: its label, its pages, and what an honest rater answers about it."""

    label: str
    supporting: int = 0
    contradicting: int = 0
    consensus: str | None = None
    common_knowledge: str | None = None
    expected_to_be_found: str | None = None


KINDS = {
    "supported": Kind("accurate", 1, 0),
    "contradicted": Kind("inaccurate", 0, 1),
    "disputed": Kind("disputed", 1, 1, "none"),
    "agreed": Kind("accurate", 1, 1, "for"),
    "disagreed": Kind("inaccurate", 1, 1, "against"),
    "right": Kind("accurate", common_knowledge="right"),
    "wrong": Kind("inaccurate", common_knowledge="wrong"),
    "absent": Kind("inaccurate", common_knowledge="no", expected_to_be_found="yes"),
    "nothing": Kind("unsupported", common_knowledge="no", expected_to_be_found="no"),
}
WORST = {"common_knowledge": ("wrong", "no", "right"), "expected_to_be_found": ("yes", "no")}
CONSENSUS = ("against", "none", "for")


def honest_unit(first: Kind, second: Kind) -> Unit:
    """Return the sentence of both claims as an honest rater answers it without splitting it."""
    both = (first, second)
    supporting, contradicting = (sum(getattr(kind, side) for kind in both) for side in ("supporting", "contradicting"))
    given = {kind.consensus for kind in both}
    consensus = next((value for value in CONSENSUS if value in given), None)
    if supporting and any(kind.contradicting and not kind.supporting for kind in both):
        consensus = "parts"
    without = [kind for kind in both if not kind.supporting] or list(both)
    answers = {
        name: next((value for value in order if value in {getattr(kind, name) for kind in without}), None)
        for name, order in WORST.items()
    }
    label = next(
        label for label in ("inaccurate", "unsupported", "disputed", "accurate") if label in {first.label, second.label}
    )
    covers = "yes" if all(kind.supporting for kind in both) else "no"
    return Unit(SEVERAL, supporting, contradicting, label, consensus, covers, **answers)


@pytest.mark.parametrize("names", list(itertools.combinations_with_replacement(KINDS, 2)), ids=" and ".join)
def test_a_sentence_of_two_claims_has_the_right_label_without_being_split_and_no_other(factuality, names):
    first, second = (KINDS[name] for name in names)
    unit = honest_unit(first, second)
    outcome, _where = check_unit(factuality, unit)
    assert [problem.rule for problem in outcome.problems] == []
    assert outcome.decided["targets/s1"]["accuracy"].value == unit.accuracy
    for label in LABELS:
        if label != unit.accuracy:
            assert check_unit(factuality, unit._replace(accuracy=label))[0].blocking > 0


def test_a_split_target_is_never_asked_whether_its_pages_speak_of_every_part(factuality):
    for kind, asked in ((CLAIM, False), (SINGLE, False), (SEVERAL, True)):
        outcome, where = check_unit(factuality, Unit(kind, 1, 0, "accurate"))
        assert ("covers" in {item.question.id for item in outcome.asked[where]}) is asked


def test_a_bundle_says_how_many_claims_a_target_makes(factuality):
    text = SENTENCES[SEVERAL]
    page = {
        "id": "e1",
        "target": "s1",
        "stance": "supporting",
        "url": "https://a.example",
        "quote": "x",
        "snapshot": "0" * 64,
    }
    for count, asked in ((1, False), (2, True), (0, True)):
        claims = [{"id": f"c{number}", "text": f"Claim {number}."} for number in range(count)]
        task = one_target_task(
            responses=[{"id": "a", "text": text}],
            targets=[{"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}],
            suggestions={"claims": {"s1": claims}},
        )
        rating = rating_of(task, answers={"targets": {"s1": {"factual": "yes"}}}, evidence=[page])
        questions = {item.question.id for item in check_rating(factuality, task, rating).asked["targets/s1"]}
        assert ("covers" in questions) is asked, count


def test_the_rest_of_a_sentence_is_asked_about_in_words_of_its_own(factuality):
    asks = {}
    for covers in ("yes", "no"):
        unit = Unit(SEVERAL, 1, 0, "inaccurate", covers=covers, common_knowledge="no")
        outcome, where = check_unit(factuality, unit)
        asks[covers] = {item.question.id: item.question.ask for item in outcome.asked[where]}
    assert asks["yes"]["common_knowledge"] == "Is it common knowledge?"
    assert asks["no"]["common_knowledge"] == "Is the part without a page common knowledge?"
    assert asks["no"]["expected_to_be_found"] == "If that part were true, would a search surely find it?"


def test_different_parts_are_offered_only_where_there_can_be_some(factuality):
    offered = {}
    for kind, pages in itertools.product(SENTENCES, ((0, 1), (1, 1))):
        outcome, where = check_unit(factuality, Unit(kind, *pages, "accurate"))
        (consensus,) = [item.question for item in outcome.asked[where] if item.question.id == "consensus"]
        offered[kind, pages] = "parts" in {choice.id for choice in consensus.choices}
    assert {key for key, is_offered in offered.items() if is_offered} == {(SINGLE, (1, 1)), (SEVERAL, (1, 1))}
