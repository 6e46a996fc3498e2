"""Raters who split a sentence into claims and raters who do not: one severity a sentence all the way to the lead."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.audit.adjudication import adjudicated_values
from desktop_rater.audit.digest import Digest, make_digest
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.results import LeadDecision
from desktop_rater.audit.reviews import Reviews
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.audit import report
from desktop_rater.operations.audit.adjudicate import AdjudicationOptions, adjudicate_results
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.convert_results import ResultsConversionOptions, convert_results
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.audit.review import (
    Lead,
    RatingAtPlace,
    VerdictReason,
    correct_rating,
    decide_question,
    load_items,
)
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating
from desktop_rater.store.open_store import open_writer
from tests.audit.digests import audit
from tests.audit.results import GOOD, WRONG, Desk
from tests.examples import examples
from tests.operations.bundles import NOON, noon, rating, take_in, task, write_lines, writer
from tests.readers import reader_of

SENTENCE = "Lima, founded in 1636, is the capital of Peru."


def claim(name: str, text: str, **answers: str) -> dict[str, Any]:
    """A claim in the rater's words, on the whole sentence."""
    spans = [{"start": 0, "end": len(SENTENCE), "quote": SENTENCE}]
    return {"id": name, "text": text, "spans": spans, "answers": answers}


def split(severity: str) -> dict[str, Any]:
    """A rating whose sentence is split in two: one claim is right, and one wrong to this degree."""
    founded = {"common_knowledge": "wrong", "accuracy": "inaccurate", "severity": severity}
    capital = {"common_knowledge": "right", "accuracy": "accurate"}
    claims = [claim("c1", "Lima was founded in 1636.", **founded), claim("c2", "Lima is Peru’s capital.", **capital)]
    return rating("t-1", {"factual": "yes"}, GOOD, claims={"s1": claims})


def whole(severity: str) -> dict[str, Any]:
    """A rating of the sentence as one."""
    return rating("t-1", {**WRONG, "severity": severity}, GOOD)


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path, [task("t-1", SENTENCE, "It is large.")])


def sent(desk: Desk, rater: str, line: dict[str, Any]) -> Path:
    """The results of a rater who gives this rating."""
    file = write_lines(desk.folder / f"{rater}.jsonl", [line])
    out = desk.folder / f"{rater}.zip"
    with writer(desk.folder / f"home-{rater}") as store:
        take_in(store, desk.bundle)
        rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)
        export_results(store, "kelp", rater, out, progress=Progress())
    return out


def opened(desk: Desk, *lines: dict[str, Any]) -> None:
    """The lead opens the results of raters who rate so."""
    desk.opened(*(sent(desk, f"r-{number}", line) for number, line in enumerate(lines, 1)))


def item_at(desk: Desk, where: str = "targets/s1"):
    with reader_of(desk.store) as store:
        return next(item for item in load_items(store, load_audit(store, "kelp"), {}) if item.where == where)


def final(desk: Desk, question: str):
    with reader_of(desk.store) as store:
        found = adjudicated_values(load_audit(store, "kelp"), Reviews())
        return next(one for one in found if (one.where, one.question) == ("targets/s1", question))


def corrected(desk: Desk, where: str, line: dict[str, Any]) -> None:
    """The lead puts an own rating in the place of r-1's."""
    with open_writer(desk.store, command="test") as store:
        audited = load_task(store, "kelp", "t-1")
        about = RatingAtPlace("t-1", where, "r-1", load_audit(store, "kelp").ratings["t-1", "r-1"].sha256)
        correct_rating(store, audited, about, read_struct(line, Rating), VerdictReason(), Lead("lead", noon))


def final_results(desk: Desk) -> Rating:
    """The rating of the final results, which are good."""
    out = desk.folder / "final.zip"
    with open_writer(desk.store, command="test") as store:
        exported = adjudicate_results(store, "kelp", out, AdjudicationOptions(to="results", rater="lead"), Progress())
    assert (exported.written, exported.stays) == (True, ())
    assert not check_results(out, Progress()).broken
    with open_results(out) as results:
        (line,) = results.ratings()
    return line.rating


@pytest.mark.parametrize(
    "lines",
    [
        (split("minor"), split("minor"), split("critical")),
        (split("minor"), whole("minor"), split("critical")),
        (whole("minor"), split("minor"), whole("critical")),
    ],
    ids=["all split", "one did not", "one split"],
)
def test_three_raters_call_a_sentence_minor_minor_and_critical(desk, lines):
    opened(desk, *lines)
    with reader_of(desk.store) as store:
        figures = report.load_report(store, "kelp", seed=1, now=NOON, wanted=ReportFilter(question="severity"))
    severity = next(one for one in figures.agreement if one.question.id == "severity")
    assert (severity.units, severity.pairs, severity.ratings) == (1, 3, 3)
    assert severity.figures["percent"].value == pytest.approx(1 / 3)
    assert [(one.where, one.given) for one in figures.differing] == [("targets/s1", (("minor", 2), ("critical", 1)))]
    assert (item_at(desk).group.kind, item_at(desk, "targets/s2").group.kind) == ("other", "agree")
    decided = final(desk, "severity")
    assert (decided.value, decided.source, decided.votes_for, decided.against) == ("minor", "majority", 2, 1)


@pytest.mark.parametrize("to", ["csv", "jsonl"])
def test_the_severity_of_a_split_sentence_is_in_the_final_table(desk, to):
    opened(desk, split("minor"), whole("minor"), split("critical"))
    out = desk.folder / f"final.{to}"
    with open_writer(desk.store, command="test") as store:
        adjudicate_results(store, "kelp", out, AdjudicationOptions(to=to), Progress())
    text = out.read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines())) if to == "csv" else [*map(json.loads, text.splitlines())]
    (row,) = (row for row in rows if row["question"] == "severity")
    assert (row["where"], row["value"], row["source"]) == ("targets/s1", "minor", "majority")
    assert (int(row["votes_for"]), int(row["votes_against"])) == (2, 1)


def test_converted_results_hold_the_severity_of_a_split_sentence_beside_those_of_its_claims(desk):
    for wide, name in ((True, "answer.severity"), (False, "value")):
        out = desk.folder / f"{name}.csv"
        options = ResultsConversionOptions(to="csv", wide=wide)
        convert_results((sent(desk, f"r-{wide}", split("major")),), out, options, Progress())
        rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
        rows = [row for row in rows if row[name] and (wide or row["question"] == "severity")]
        assert [(row["target"], row["claim"], row[name]) for row in rows] == [
            ("s1", "", "major"),
            ("s1", "c1", "major"),
        ]


def test_final_results_of_a_split_sentence_hold_its_severity_and_are_good(desk):
    opened(desk, split("critical"), split("minor"), split("minor"))
    final_rating = final_results(desk)
    assert final_rating.decided["targets/s1"]["severity"].value == "minor"
    labels = final_rating.unknown["adjudicated"]["targets/s1"]["labels"]
    assert labels["severity"] == {"is": "minor", "source": "majority", "for": 2, "against": 1}


def test_a_tie_about_severity_is_open_until_the_lead_decides_it_in_a_rating_of_somebody(desk):
    opened(desk, split("minor"), split("critical"), rating("t-1", GOOD, GOOD))
    item = item_at(desk)
    assert (item.group.words, item.final.value, item.open_question) == ("2 against 1", "inaccurate", "severity")
    assert final(desk, "severity").is_open
    with open_writer(desk.store, command="test") as store:
        rubric = load_audit(store, "kelp").rubric
        decision = LeadDecision(task="t-1", where="targets/s1", question="severity", value="critical")
        decide_question(store, "kelp", rubric, decision, Lead("lead", noon))
    decided = item_at(desk)
    assert (decided.open_question, [one.value for one in decided.other_finals]) == ("", ["critical"])
    assert final_results(desk).decided["targets/s1"]["severity"].value == "critical"


def test_a_sentence_that_only_the_lead_calls_accurate_has_no_severity(desk):
    opened(desk, split("minor"), whole("minor"), split("critical"))
    with open_writer(desk.store, command="test") as store:
        rubric = load_audit(store, "kelp").rubric
        decision = LeadDecision(task="t-1", where="targets/s1", question="label", value="accurate")
        decide_question(store, "kelp", rubric, decision, Lead("lead", noon))
    decided = item_at(desk)
    assert (decided.final.value, decided.open_question, decided.other_finals) == ("accurate", "", ())


def test_gold_of_a_split_sentence_is_missed_by_another_severity(desk):
    gold = write_lines(desk.folder / "gold.jsonl", [split("minor")])
    opened(desk, split("minor"), whole("minor"), split("major"))
    desk.opened(desk.another("copy", gold=gold))
    missed = {one.rater for one in item_at(desk).entries if "gold-missed" in one.flags}
    assert missed == {"r-3"}
    with reader_of(desk.store) as store:
        figures = report.load_report(store, "kelp", seed=1, now=NOON, wanted=ReportFilter())
    shares = {rater.rater: (rater.gold.value, rater.gold.n) for rater in figures.raters}
    assert shares == {"r-1": (1, 3), "r-2": (1, 3), "r-3": (pytest.approx(2 / 3), 3)}


def test_a_lead_who_splits_the_sentence_in_a_correction_decides_its_severity(desk):
    opened(desk, whole("minor"), split("minor"))
    corrected(desk, "targets/s1", split("critical"))
    item = item_at(desk)
    assert (item.final.value, item.decided, item.open_question) == ("inaccurate", True, "")
    assert final_results(desk).decided["targets/s1"]["severity"].value == "critical"


def test_a_lead_corrects_by_common_knowledge_although_a_page_supports_it(desk):
    opened(desk, rating("t-1", GOOD, GOOD))
    page = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://jokes.example/", "quote": "1636"}
    corrected(desk, "targets/s1", {**whole("major"), "evidence": [page]})
    assert final_results(desk).decided["targets/s1"]["accuracy"].by == "common-knowledge-wrong"


def test_a_lead_corrects_a_punt_in_part_by_what_else_the_response_says(tmp_path):
    plain = {"id": "t-1", "prompt": {"text": "A hotel in Rome?"}}
    desk = Desk(tmp_path, [{**plain, "responses": [{"id": "a", "text": "I can’t book. Ghent is Italy’s capital."}]}])
    desk.bundle = desk.another("pairs", rubric="side-by-side")
    judged = {"fulfilment": "not_at_all", "factuality": "completely_accurate"}
    response = {"punt": "acknowledged", "punt_only": "yes", **judged}
    opened(desk, {"task": "t-1", "answers": {"responses": {"a": response}}})
    own = {**response, "punt_only": "no", "factuality": "not_accurate", "explanation": "It is Rome."}
    corrected(desk, "responses/a", {"task": "t-1", "answers": {"responses": {"a": own}}})
    assert final_results(desk).answers.responses["a"] == own


ORDER = ("critical", "major", "minor")
RIGHT = {"common_knowledge": "right", "accuracy": "accurate"}
FALSE = {"common_knowledge": "wrong", "accuracy": "inaccurate"}
MADE_UP = {"common_knowledge": "no", "expected_to_be_found": "no", "accuracy": "unsupported"}
CLAIM = st.sampled_from([RIGHT, MADE_UP, FALSE, {}, *({**FALSE, "severity": severity} for severity in ORDER)])
FINISHED_CLAIM = st.sampled_from([RIGHT, MADE_UP, *({**FALSE, "severity": severity} for severity in ORDER)])
RUBRIC = builtin_rubric("span-factuality")


def values_of_split(claims: list[dict[str, str]]) -> dict[str, Any]:
    """The values at the target of a rating with these claims, as the audit has them."""
    answers = {"targets": {"s1": {"factual": "yes", "comment": "Two almanacs."}}}
    given = [claim(f"c{number}", "It is so.", **one) for number, one in enumerate(claims)]
    own = read_struct({"task": "t-1", "rater": "r", "answers": answers, "claims": {"s1": given}}, Rating)
    one = read_struct(task("t-1", SENTENCE), Task)
    return make_digest(own, check_rating(RUBRIC, one, own), ()).values["targets/s1"]


def worst(claims: list[dict[str, str]]) -> tuple[str | None, str | None]:
    """The label and the severity that these claims come to."""
    labels = {one.get("accuracy") for one in claims}
    if None in labels:
        return None, None
    label = next(name for name in ("inaccurate", "unsupported", "accurate") if name in labels)
    severities = [one.get("severity") for one in claims if one["accuracy"] == "inaccurate"]
    known = bool(severities) and None not in severities
    return label, next(name for name in ORDER if name in severities) if known else None


@settings(max_examples=examples(60))
@given(st.lists(CLAIM, min_size=1, max_size=5))
def test_a_sentence_has_the_worst_label_and_severity_of_its_claims_once_all_are_known(claims):
    values = values_of_split(claims)
    assert (values.get("accuracy"), values.get("severity")) == worst(claims)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.lists(FINISHED_CLAIM, min_size=1, max_size=3), min_size=1, max_size=6))
def test_the_final_severity_is_that_of_most_raters_who_gave_the_final_label(raters):
    digests = {
        ("t-1", f"r-{number}"): Digest(status="complete", values={"targets/s1": values_of_split(claims)})
        for number, claims in enumerate(raters)
    }
    finals = {one.question: one for one in adjudicated_values(audit(digests), Reviews())}
    labels = Counter(worst(claims)[0] for claims in raters)
    (label, votes) = labels.most_common(1)[0]
    assert finals["label"].value == (label if 2 * votes > len(raters) else None)
    if finals["label"].value != "inaccurate":
        assert "severity" not in finals
        return
    severities = Counter(worst(claims)[1] for claims in raters if worst(claims)[0] == "inaccurate")
    severity, most = severities.most_common(1)[0]
    assert finals["severity"].value == (severity if 2 * most > severities.total() else None)
    assert (finals["severity"].votes_for, finals["severity"].against) == (most, severities.total() - most)
