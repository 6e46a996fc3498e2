"""How far cases and suggestions pull answers: where they were shown against where they were held out."""

import csv
from math import sqrt

import msgspec
import numpy as np
import pytest

from desktop_rater.audit.compute_report import pull_figures
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.stats.cluster_bootstrap import group_difference, share
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import noon, rating, take_in, task, write_lines, writer
from tests.stats.intervals import ends

TASKS = 6
CASE = {"bundle": "earlier", "task": "t-9", "where": "targets/s1"}
URL = "https://kelp.example/"


def cases(where, first=None, value="accurate", **more):
    found = {"where": where, "at": "2026-11-20T08:00:00Z", "cases": 3, "question": "label", "value": value}
    return {**found, "first": first, **more}


def lines(rater):
    """Ann follows the cases where they are shown, Bo never does; one place in six is held out from each."""
    for at in range(1, TASKS + 1):
        held_out = at == 2 if rater == "ann" else at == 5
        answers = GOOD if rater == "ann" and not held_out else WRONG
        records = [cases("targets/s1", "inaccurate", held_out=held_out)]
        records.append(cases("targets/s2", "accurate", None))  # no value that most cases have
        hidden = {"suggestions": {"held_out": ["targets/s2"]}} if at % 2 else {}
        yield rating(f"t-{at}", answers, GOOD if at % 2 else OPINION, precedents=records, **hidden)


@pytest.fixture
def desk(tmp_path):
    suggested = {"suggestions": {"targets": {"s2": {"factual": "yes"}}}}
    desk = Desk(tmp_path, [task(f"t-{at}", "Kelp is green.", "It grows.", **suggested) for at in range(1, TASKS + 1)])
    (tmp_path / "store").symlink_to(desk.store)
    return desk


def sent(desk, rater, ratings):
    with writer(desk.folder / f"home-{rater}") as store:
        take_in(store, desk.bundle)
        file = write_lines(desk.folder / f"{rater}.jsonl", ratings)
        rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)
    return desk.exported(rater)


def test_the_report_says_in_every_form_how_far_cases_and_suggestions_pull(desk, run, tmp_path):  # noqa: F811
    desk.opened(*(sent(desk, rater, lines(rater)) for rater in ("ann", "bo")))
    report = run("audit", "report", "kelp", "--json", "--csv", tmp_path, "--html", tmp_path / "r.html")
    pull = report.json["pull"]
    assert report.json["pull_left_out"] == 0
    shown, held_out, difference = (pull[f"precedents{side}"] for side in (".shown", ".held_out", ""))
    assert [(side["value"], side["n"], side["tasks"]) for side in (shown, held_out)] == [(0.5, 10, 6), (0, 2, 2)]
    assert (difference["value"], difference["n"], difference["tasks"]) == (0.5, 12, 6)
    assert (difference["low"], "too few" in difference["why"]) == (None, True)
    assert pull["changed"]["value"] == 0.5
    followed = [pull[f"suggestions{side}"] for side in (".shown", ".held_out", "")]
    assert [(side["value"], side["n"]) for side in followed] == [(0, 6), (1, 6), (-1, 12)]
    told = run("audit", "report", "kelp").out
    assert "; shown: 50 % of 10, 6 tasks; held out: 0 % of 2, 2 tasks" in told
    assert "Too few" in told or "too few" in told
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert all(part in page for part in ("Pull of cases and suggestions", "50 % of 10, 6 tasks"))
    with (tmp_path / "pull.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["figure"]: row for row in csv.DictReader(file)}
    assert (rows["precedents.shown"]["value"], rows["precedents"]["n"]) == ("0.5", "12")
    one = run("audit", "report", "kelp", "--rater", "ann", "--json").json["pull"]
    assert (one["precedents"]["value"], one["precedents.shown"]["n"]) == (1, 5)


def test_what_was_never_held_out_has_no_pull(desk, run):  # noqa: F811
    ratings = (rating(f"t-{at}", GOOD, GOOD, precedents=[cases("targets/s1")]) for at in range(1, TASKS + 1))
    desk.opened(sent(desk, "ann", ratings))
    pull = run("audit", "report", "kelp", "--json").json["pull"]
    assert (pull["precedents"]["value"], pull["precedents"]["why"]) == (None, "none was held out")
    assert (pull["precedents.shown"]["value"], pull["precedents.held_out"]["value"]) == (1, None)
    assert "changed" not in pull, "no first answer differed"
    assert "none was held out" in run("audit", "report", "kelp").out


def test_what_raters_took_over_is_counted(desk, run, tmp_path):  # noqa: F811
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": URL, "quote": "Kelp.", "reused": CASE}
    taken = {"evidence": [piece, {**piece, "id": "e2", "url": f"{URL}2", "reused": None}]}
    own = {"reused": {"targets/s2": {**CASE, "own": True}}}
    answers = {"factual": "yes", "accuracy": "accurate"}
    ratings = [rating("t-1", answers, GOOD, **taken, **own)]
    ratings += [rating(f"t-{at}", GOOD, GOOD) for at in range(2, TASKS + 1)]
    desk.opened(sent(desk, "ann", ratings))
    report = run("audit", "report", "kelp", "--json", "--csv", tmp_path)
    (ann,) = report.json["raters"]
    assert (ann["reused_evidence"], ann["reused_answers"]) == (1, 1)
    told = run("audit", "report", "kelp").out
    assert "taken over 1 of 2 pages" in told
    assert "answers taken over 1" in told


def test_ratings_that_an_earlier_version_opened_are_left_out_and_counted():
    old = msgspec.msgpack.decode(msgspec.msgpack.encode(["complete", {}, 1.0]), type=Digest)
    assert (old.pull, old.reused) == (None, None)
    received = ReceivedRating(results="", task="t", rater="r", text="", sha256="", revision=1, summary=old)
    assert pull_figures([received]) == ({}, 1)


def test_a_difference_of_groups_has_its_ends_from_both_shares_and_how_they_go_together():
    """Zou and Donner (2008), formula 4, with the correlation without each one task."""
    random = np.random.default_rng(4)
    counts = [random.integers(low, high, 30) for low, high in ((1, 9), (0, 3))]
    wholes, others = (count.astype(np.float64) for count in counts)
    parts, other_parts = (
        random.binomial(count, rate).astype(np.float64) for count, rate in zip(counts, (0.7, 0.4), strict=True)
    )
    one, other = share(parts, wholes), share(other_parts, others)
    without = [(p.sum() - p) / (w.sum() - w) for p, w in ((parts, wholes), (other_parts, others))]
    r = np.corrcoef(without)[0, 1]
    value = parts.sum() / wholes.sum() - other_parts.sum() / others.sum()
    below, above = parts.sum() / wholes.sum() - ends(one)[0], ends(other)[1] - other_parts.sum() / others.sum()
    difference = group_difference(parts, wholes, other_parts, others)
    assert difference.value == pytest.approx(value)
    assert ends(difference)[0] == pytest.approx(value - sqrt(below**2 + above**2 - 2 * r * below * above))
    assert difference.clusters == 30
