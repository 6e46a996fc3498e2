"""A lead draws a sample, judges it, and learns how much of all work is wrong, how sure that is, and who to read."""

import csv
import io

import msgspec
import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.audit.review import save_own_rating
from desktop_rater.plugins.statistics.operations import RESULT_COLUMNS
from tests.audit.scaled import grades, scaled_store
from tests.operations.audited import ANA, Raters, said
from tests.operations.bundles import task, write_lines, writer

TASKS = 30
TRUTH = ["inaccurate" if number % 5 == 0 else "accurate" for number in range(TASKS)]
TURNED = {"accurate": "inaccurate", "inaccurate": "accurate"}


def labels_of(rater, number):
    """Ana and Ben err in one of ten, Cy in one of ten too but elsewhere, and Dee in two of three."""
    wrong = {"ana": number % 10 == 1, "ben": number % 10 == 4, "cy": number % 10 == 7, "dee": number % 3 != 0}[rater]
    return TURNED[TRUTH[number]] if wrong else TRUTH[number]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    tasks = [task(f"t-{number:02}", f"Kelp {number} grows.", "It is an alga.") for number in range(TASKS)]
    raters = Raters(tmp_path_factory.mktemp("raters"), tasks)
    ratings = {
        rater: [
            said(f"t-{number:02}", labels_of(rater, number), "accurate") for number in range(TASKS)
        ]
        for rater in ("ana", "ben", "cy", "dee")
    }  # fmt: skip
    few = raters.rates("eve", [said("t-00", "inaccurate", "accurate")])
    return [*raters.all_rate(ratings), few]


@pytest.fixture
def opened(run, results):
    assert run("audit", "open", results[0].with_name("b.zip"), *results).status == 0
    return run


def decide(run, folder, places):
    """The lead decides what is right at places, in one file."""
    lines = [
        {"task": place["task"], "where": place["where"], "question": "label",
         "value": TRUTH[int(place["task"][2:])] if place["where"].endswith("s1") else "accurate"}
        for place in places
    ]  # fmt: skip
    told = run("audit", "verdicts", "b", "--from", write_lines(folder / "decided.jsonl", lines), "--lead", "Lea")
    assert told.status == 0, told.err


def test_before_a_sample_nothing_is_claimed_but_how_many_to_draw(opened):
    told = opened("audit", "result", "b")
    assert told.status == 1, "the goal is not shown"
    assert "No random sample is drawn." in told.out
    errors = opened("audit", "result", "b", "--json").json["errors"]
    assert errors["figure"]["value"] is None
    assert errors["enough"]["bound"] < 0.05
    drawn = opened("audit", "result", "b", "--draw", "--lead", "Lea", "--json").json["errors"]
    assert sum(row["drawn"] for row in drawn["strata"]) == errors["enough"]["places"]
    assert drawn["waiting"] > 0


def test_the_sample_says_how_much_of_all_work_is_wrong_and_each_figure_its_base(opened, tmp_path):
    drawn = opened("audit", "sample", "b", "--how", "share", "--share", "0.8", "--seed", "3", "--lead", "Lea", "--json")
    decide(opened, tmp_path, drawn.json["places"])
    report = opened("audit", "result", "b", "--goal", "0.5", "--json")
    assert report.status == 0, "fewer than half are wrong for sure"
    errors = report.json["errors"]
    assert errors["state"] == "shown"
    truly = sum(labels_of(rater, number) != TRUTH[number] for rater in ("ana", "ben", "cy", "dee")
                for number in range(TASKS)) / (8 * TASKS + 2)  # fmt: skip
    assert errors["figure"]["low"] < truly < errors["figure"]["high"] <= 1
    assert errors["figure"]["n"] == sum(row["judged"] for row in errors["strata"])
    assert errors["figure"]["tasks"] <= TASKS
    assert opened("audit", "result", "b", "--goal", "0.05", "--json").json["errors"]["state"] == "refuted"
    told = opened("audit", "result", "b", "--rater", "dee", "--html", tmp_path / "r.html", "--csv", tmp_path / "tables")
    assert "95 % interval" in told.out
    assert "dee, the places behind it:" in told.out
    assert "Kelp 1 grows." in told.out
    tables = {path.stem: list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
              for path in (tmp_path / "tables").iterdir()}  # fmt: skip
    assert tables.keys() == RESULT_COLUMNS.keys()
    assert float(tables["errors"][0]["bound"]) == errors["bound"]
    assert all(row["n"] and row["tasks"] for row in tables["raters"] if row["value"])
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "Errors in all work" in page
    assert "<script" not in page


def test_a_certificate_needs_a_judged_sample_and_any_change_of_it_shows(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_KEY_PASS_PHRASE", "four words or more")
    key = opened("key", "--rater", "Lea", "--make", "--file", "--json").json["key"]
    page = tmp_path / "certificate.html"
    asked = ("audit", "certificate", "b", "--out", page, "--lead", "Lea", "--goal", "0.5")
    assert "No random sample is drawn" in opened(*asked).err
    drawn = opened("audit", "sample", "b", "--how", "share", "--share", "0.8", "--seed", "3", "--lead", "Lea", "--json")
    assert "drawn ratings are not judged yet" in opened(*asked).err
    decide(opened, tmp_path, drawn.json["places"])
    assert "First judge" not in opened("audit", "result", "b", "--goal", "0.5").out
    assert opened(*asked).status == 0
    content = page.read_bytes()
    for fact in (b"seed 3, drawn by Lea", b"rubric", b"Lea (48)", b"48 of 60 places", b"@page { size: A4", b"shown"):
        assert fact in content
    check = ("audit", "verify-certificate", page, "--json")
    assert opened(*check, "--key", key[:16]).json == {"valid": True, "key": key, "why": ""}
    assert opened(*check, "--key", "0" * 16).status == 1
    for changed in (content.replace(b"Lea", b"Eva"), content + b"<p>More</p>", content[:-9], b" " + content, b""):
        page.write_bytes(changed)
        assert opened(*check).json["valid"] is False


def test_raters_outside_the_band_of_chance_are_named_and_those_with_few_tasks_are_not_compared(opened, tmp_path):
    drawn = opened("audit", "sample", "b", "--how", "all", "--lead", "Lea", "--json")
    decide(opened, tmp_path, drawn.json["places"])
    report = opened("audit", "result", "b", "--json").json
    assert report["errors"]["figure"]["low"] == report["errors"]["figure"]["high"], "all work is judged"
    raters = {row["rater"]: row for row in report["raters"]}
    assert raters["dee"]["figures"]["final"]["outside"]
    assert not raters["ana"]["figures"]["final"]["outside"]
    assert raters["eve"]["figures"]["final"]["band"] is None
    assert report["outside"] >= 1 > report["by_chance"]
    assert raters["dee"]["differing"] == sum(number % 3 != 0 for number in range(TASKS))
    assert [(week, figure["n"]) for week, figure in raters["ana"]["weeks"]] == [("2026-W47", 2 * TASKS)]
    told = opened("audit", "result", "b").out
    assert "dee: 30, 60 tasks and ratings; outside: agreement" in told
    assert "eve: 1, 2 tasks and ratings; outside: can’t be told" in told


def test_more_places_are_drawn_beside_those_that_were_drawn_before(opened):
    first = opened("audit", "sample", "b", "--how", "share", "--share", "0.1", "--lead", "Lea", "--json").json
    opened("audit", "result", "b", "--draw", "--lead", "Lea")
    told = opened("audit", "result", "b", "--json").json
    assert sum(row["drawn"] for row in told["errors"]["strata"]) > len(first["places"])
    again = opened("audit", "result", "b", "--draw", "--lead", "Lea")
    assert again.status == 2
    assert "Judge the drawn ones" in again.err


def test_on_a_scale_the_lead_sees_who_gives_more_than_the_others_and_who_agrees_with_blind_answers(run, tmp_path):
    given = grades(40, 6)
    scaled_store(tmp_path, given)
    with writer(tmp_path / "store") as store:
        audit = load_audit(store, "grades")
        for name, grade in zip(audit.tasks, given[:, 2], strict=True):
            answered = msgspec.convert({"task": name, "answers": {"task": {"helpful": int(grade)}}}, Rating)
            save_own_rating(store, load_task(store, "grades", name, audit), answered, ANA, blind=True)
    report = run("audit", "result", "grades", "--json").json
    assert report["names"] == ["final", "blind", "offset"]
    raters = {row["rater"]: row["figures"] for row in report["raters"]}
    offsets = [raters[f"r-{number}"]["offset"] for number in range(1, 7)]
    apart = given.mean(axis=0) - given.mean()
    assert [banded["figure"]["value"] for banded in offsets] == pytest.approx(list(apart))
    assert [banded["outside"] for banded in offsets] == [True, True, False, False, False, True]
    assert raters["r-3"]["blind"]["figure"]["value"] == 1, "the lead answered as r-3 did"
    assert all(figures["blind"]["figure"]["tasks"] == 40 for figures in raters.values())
    assert report["errors"]["figure"]["n"] == 240, "own answers judge every rating"
