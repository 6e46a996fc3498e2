"""A lead asks which system is better, by how much and how sure: from results to tables, a page and the places."""

import csv
import io
import json

import pytest

from desktop_rater.operations.results_tables.relational import RELATIONAL
from desktop_rater.plugins.statistics.operations import COLUMNS
from tests.operations.audited import Raters, said
from tests.operations.bundles import task

PROMPTS = 11
LABELS = {  # of the second sentence by prompt, even and odd; the first is always accurate
    "Heron 2.0": ("inaccurate", "accurate"),
    "Heron 2.1": ("accurate", "accurate"),
    "Kestrel 5": ("critical", "unsupported"),
}
FINALS = [
    (f"{name.replace(' ', '-')}-{number}", name.split(), number, labels[number % 2])
    for number in range(PROMPTS)
    for name, labels in LABELS.items()
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Of three raters; one of them takes every second sentence to be accurate."""
    tasks = [
        task(
            name, f"Kelp {number} is an alga.", f"It grows {number} m a day.", prompt={"text": f"Kelp {number}?"},
            meta={"system": system, "version": version, "topic": "=sea" if number % 3 else "shore"},
        )
        for name, (system, version), number, _ in FINALS
    ]  # fmt: skip
    raters = Raters(tmp_path_factory.mktemp("raters"), tasks)
    right = [said(name, "accurate", label) for name, _, _, label in FINALS]
    kind = [said(name, "accurate", "accurate") for name, *_ in FINALS]
    return raters.all_rate({"ana": right, "ben": right, "cy": kind})


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def test_from_results_to_the_answer_with_tables_and_a_page(run, results, tmp_path):
    assert run("audit", "open", results[0].with_name("b.zip"), *results).status == 0
    page, tables = tmp_path / "systems.html", tmp_path / "tables"
    asked = ("audit", "systems", "b", "--by", "system", "--by", "version", "--final", "majority")
    told = run(*asked, "--html", page, "--csv", tables)
    assert told.status == 0, told.err
    assert f"b: {PROMPTS} prompts, 33 tasks, 33 responses, 66 targets, 3 raters; seed 1" in told.out
    assert "Kestrel 5: 50.0% " in told.out
    assert "Heron 2.1 - Kestrel 5: +50.0%" in told.out
    report = run(*asked, "--json").json
    which, sure, further = report["meaning"]["summary"]
    assert which == (
        "Heron 2.1 is ahead of Heron 2.0 in “Accurate” by 27.3 points, but not shown to be better: the data allow −6.8 "
        "to 47.6."
    )
    assert sure in told.out
    fragile = report["fragility"][0]
    assert (fragile["ahead"], fragile["behind"]) == ("Heron 2.1", "Heron 2.0")
    assert fragile["judgements"] == {"count": None, "of": 66, "exact": False, "named": []}
    assert sure.endswith("No judgements or raters were found whose removal puts Heron 2.0 ahead."), "all say accurate"
    assert further.startswith("If the difference stays, another 7 prompts (63 ratings, as many for each as now) would")
    assert all("good enough" not in text or "interval" in text for text in report["meaning"]["figures"].values())
    assert [group["name"] for group in report["groups"]] == list(LABELS)
    figure = report["groups"][0]["figures"]["label:accurate"]
    assert (figure["part"], figure["whole"], figure["figure"]["tasks"]) == (16, 22, PROMPTS)
    assert figure["figure"]["low"] < 16 / 22 < figure["figure"]["high"]
    by_name = {(row["system"], row["metric"]): row for row in rows_of(tables / "figures.csv")}
    assert float(by_name["Heron 2.0", "label:accurate"]["low"]) == figure["figure"]["low"]
    assert float(by_name["Kestrel 5", "severe"]["value"]) == 6 / PROMPTS
    assert {path.stem for path in tables.iterdir()} == set(COLUMNS)
    text = page.read_text("utf-8")
    assert f"<p>{which}</p>" in text
    assert "What it means" in text
    assert "<script" not in text


def test_the_newer_version_is_compared_with_the_older_and_each_turned_sentence_is_named(run, results, tmp_path):
    pytest.importorskip("pyarrow")
    assert run("audit", "open", results[0].with_name("b.zip"), *results).status == 0
    asked = ("--where", "system=Heron", "--against", "version=2.0", "--parquet", tmp_path / "tables")
    told = run("audit", "systems", "b", *asked)
    assert "Heron 2.1 against Heron 2.0, 11 paired prompts:" in told.out
    assert "6 turned better, 0 worse, 5 the same, sign test p 0.0312" in told.out
    assert "Heron-2.1-0 targets/s2: inaccurate to accurate  It grows 0 m a day." in told.out
    from pyarrow import parquet  # noqa: PLC0415 - skipped without it

    turned = parquet.read_table(tmp_path / "tables" / "turned_places.parquet").to_pylist()
    assert [(row["task"], row["before"], row["after"]) for row in turned] == [
        (f"Heron-2.1-{number}", "inaccurate", "accurate") for number in range(0, PROMPTS, 2)
    ]
    assert run("audit", "systems", "b", "--against", "version").status == 2
    assert run("audit", "systems", "b", "--by", "flavour").status == 2


def test_ratings_leave_as_tables_that_join_and_final_labels_name_the_system(run, results, tmp_path):
    assert run("audit", "open", results[0].with_name("b.zip"), *results).status == 0
    told = run("audit", "tables", "b", "--to", "jsonl", "--out", tmp_path / "tables", "--json")
    assert list(told.json["tables"]) == list(RELATIONAL)
    files = {name: tmp_path / "tables" / f"{name}.jsonl" for name in RELATIONAL}
    made = {name: [json.loads(line) for line in path.read_text("utf-8").splitlines()] for name, path in files.items()}
    systems = {(row["bundle"], row["revision"], row["task"]): row["meta.system"] for row in made["tasks"]}
    accurate = {
        (systems[row["bundle"], row["revision"], row["task"]], row["rater"])
        for row in made["ratings"]
        if row["answer.accuracy"] == "accurate"
    }
    assert accurate == {(system, rater) for system in ("Heron", "Kestrel") for rater in ("ana", "ben", "cy")}
    assert {row["rater"] for row in made["raters"]} == {"ana", "ben", "cy"}
    assert len(made["targets"]) == 2 * len(FINALS)
    final = tmp_path / "final.csv"
    assert run("audit", "adjudicate", "b", "--to", "csv", "--out", final).status == 0
    assert {(row["meta.system"], row["meta.topic"]) for row in rows_of(final)} >= {("Kestrel", "'=sea")}
