"""Raters who split a sentence into claims and raters who do not: one severity a sentence all the way to the lead."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop_rater.audit.adjudication import adjudicated_values
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.reviews import Reviews
from desktop_rater.bundle.results import open_results
from desktop_rater.model.change import Progress
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.work.audit import report
from desktop_rater.work.audit.adjudicate import AdjudicationOptions, adjudicate_results
from desktop_rater.work.audit.check_results import check_results
from desktop_rater.work.audit.load_audit import load_audit
from desktop_rater.work.audit.review import load_items
from desktop_rater.work.rating.export import export_results
from desktop_rater.work.rating.save import rate_from_file
from tests.audit.results import GOOD, WRONG, Desk
from tests.work.bundles import NOON, noon, rating, take_in, task, write_lines, writer

if TYPE_CHECKING:
    from pathlib import Path

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
def desk(tmp_path: Path) -> Desk:
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
    with open_reader(desk.store) as store:
        items = load_items(store, load_audit(store, "kelp"), {})
        return next(item for item in items if item.where == where)


def final(desk: Desk, question: str):
    with open_reader(desk.store) as store:
        found = adjudicated_values(load_audit(store, "kelp"), Reviews())
        return next(one for one in found if (one.where, one.question) == ("targets/s1", question))


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
    with open_reader(desk.store) as store:
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


def test_final_results_of_a_split_sentence_hold_its_severity_and_are_good(desk):
    opened(desk, split("critical"), split("minor"), split("minor"))
    out = desk.folder / "final.zip"
    with open_writer(desk.store, command="test") as store:
        exported = adjudicate_results(store, "kelp", out, AdjudicationOptions(to="results", rater="lead"), Progress())
    assert (exported.written, exported.stays) == (True, ())
    assert not check_results(out, Progress()).broken
    with open_results(out) as results:
        (line,) = results.ratings()
    assert line.rating.decided["targets/s1"]["severity"].value == "minor"
    labels = line.rating.unknown["adjudicated"]["targets/s1"]["labels"]
    assert labels["severity"] == {"is": "minor", "source": "majority", "for": 2, "against": 1}
