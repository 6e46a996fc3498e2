"""Final labels as precedents: what leaves the lead's store, and which of them are like a claim."""

import json

import pytest

from desktop_rater.audit.results import LeadDecision
from desktop_rater.format.rating import DecidedCase
from desktop_rater.operations.audit import review
from desktop_rater.plugins.library.catalogue import precedent_libraries
from desktop_rater.plugins.library.precedents import case_of, similarity, summarize_cases
from desktop_rater.plugins.library.search import find_cases, search_libraries
from tests.operations.audited import ANA, Desk, Raters, said
from tests.operations.bundles import task, write_lines

OTTER, KELP, PARIS = "The sea otter eats 20 urchins.", "Kelp grows in warm water.", "Paris is the capital of Spain."
PAGE = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://otters.example/", "quote": "urchins"}
RATINGS = {
    "Bodo": [
        said("t-1", "accurate", "inaccurate", evidence=[PAGE]),
        said("t-2", "inaccurate", links_opened=[PAGE["url"]]),
    ],
    "Cleo": [said("t-1", "accurate", "unsupported"), said("t-2", "inaccurate")],
    "Dora": [said("t-1", "inaccurate", "unsupported")],
}


@pytest.fixture(scope="module")
def lead(tmp_path_factory):
    """A lead's store, in which one of the labels is the lead's."""
    folder = tmp_path_factory.mktemp("lead")
    raters = Raters(folder, [task("t-1", OTTER, KELP), task("t-2", PARIS)])
    desk = Desk(folder, [raters.bundle, *raters.all_rate(RATINGS)])
    reason = "Bodo is right: see § Facts."
    decision = LeadDecision(task="t-2", where="targets/s1", question="label", value="inaccurate", comment=reason)
    review.decide_question(desk.store, "b", desk.audit.rubric, decision, ANA)
    desk.store.close()
    return folder / "lead"


def decided(**more):
    """A line of a file of precedents."""
    plain = {"bundle": "b", "task": "t-9", "where": "targets/s1", "rubric": "span-factuality@3", "question": "label"}
    return {**plain, "value": "accurate", "label": "Accurate", "by": "all", **more}


def test_final_labels_leave_without_names_and_are_found_for_a_claim(run, lead, tmp_path, add, store):
    out = tmp_path / "team.precedents.jsonl"
    write_lines(out, [decided(bundle="earlier", text="Otters sleep.")])
    answer = run("--store", str(lead), "audit", "precedents", "b", "--out", str(out), "--json")
    assert answer.status == 0
    assert {"written": 3, "kept": 1, "open": 0, "elsewhere": 0, "by": "majority"}.items() <= answer.json.items()
    lines = {(line["task"], line["where"]): line for line in map(json.loads, out.read_text("utf-8").splitlines())}
    assert not any(name in out.read_text("utf-8") for name in RATINGS)
    otter = lines["t-1", "targets/s1"]
    assert (otter["text"], otter["label"], otter["votes"]) == (OTTER, "Accurate", {"Accurate": 2, "Inaccurate": 1})
    assert [piece["url"] for piece in otter["evidence"]] == [PAGE["url"]]
    kelp, paris = lines["t-1", "targets/s2"], lines["t-2", "targets/s1"]
    assert (kelp["label"], kelp["reason"]) == ("Unsupported", "Searched the league and the local paper.")
    assert (paris["by"], paris["reason"], paris["decided"]) == ("lead", "… is right: see § Facts.", "2026-11-20")
    again = run("--store", str(lead), "audit", "precedents", "b", "--out", str(out), "--json")
    assert {"written": 3, "kept": 1}.items() <= again.json.items()

    add("Team", out)
    libraries = precedent_libraries(store)
    (case,) = find_cases(store, "A sea otter eats 30 urchins.", libraries, "span-factuality@2")
    assert (case_of(case.claim), case.claim.text) == (
        DecidedCase(bundle="b", task="t-1", where="targets/s1"),
        OTTER,
    )
    assert ["A sea otter eats 30 urchins."[value.start : value.end] for value in case.values] == ["30"]
    assert not find_cases(store, "A sea otter eats 30 urchins.", libraries, "groundedness@1")
    assert not find_cases(store, OTTER, libraries, "span-factuality@3", besides=[case.claim.place])
    assert search_libraries(store, "sea otter urchins") == []  # research must not lead to the decision
    assert search_libraries(store, "sea otter urchins", ["Team"])


def test_an_open_label_is_counted_and_a_broken_line_is_named(run, lead, tmp_path, add):
    folder = tmp_path / "open"
    folder.mkdir()
    ratings = {"Bodo": [said("t-1", "accurate")], "Cleo": [said("t-1", "inaccurate")]}
    Desk(folder, Raters(folder, [task("t-1", OTTER)]).all_rate(ratings)).store.close()
    out = str(tmp_path / "b.precedents.jsonl")
    answer = run("--store", str(folder / "lead"), "audit", "precedents", "b", "--out", out, "--json")
    assert (answer.status, answer.json["written"], answer.json["open"]) == (1, 0, 1)
    wrong = run("--store", str(lead), "audit", "precedents", "b", "--out", "team.jsonl")
    assert (wrong.status, "ends in .precedents.jsonl" in wrong.err) == (2, True)
    file = tmp_path / "two.precedents.jsonl"
    file.write_text(json.dumps(decided(text=OTTER)) + '\n{"text": "No place."}\n', encoding="utf-8")
    added = add("Two", file)
    assert (added.documents, added.skipped) == (1, 1)
    refused = run("--store", str(lead), "audit", "precedents", "b", "--out", str(file))
    assert (refused.status, "line 2" in refused.err) == (2, True)
    assert len(file.read_text("utf-8").splitlines()) == 2


def test_a_majority_of_cases_is_their_value(add, store, tmp_path):
    lines = [decided(task=f"t-{number}", text=OTTER, title="Otters", section="Facts") for number in range(3)]
    other = {"value": "unsupported", "label": "Unsupported", "section": "Consensus"}
    lines.append(decided(task="t-7", text=f"{OTTER} Often.", **other))
    add("Team", write_lines(tmp_path / "team.precedents.jsonl", lines))
    cases = find_cases(store, OTTER, precedent_libraries(store), "span-factuality")
    assert sorted(case.claim.task for case in cases) == ["t-0", "t-1", "t-2", "t-7"]
    summary = summarize_cases(cases)
    assert summary.counts == (("Accurate", 3), ("Unsupported", 1))
    assert (summary.value, set(summary.sections)) == ("accurate", {"Facts", "Consensus"})
    assert summarize_cases([case for case in cases if case.claim.task in ("t-0", "t-7")]).value is None
    assert summarize_cases([]).counts == ()


def test_scripts_without_spaces_are_compared_by_pairs_of_characters():
    assert similarity("海獺吃海膽", "海獺吃海膽。", "zh") == 1
    assert 0 < similarity("海獺吃海膽", "海獺睡覺", "zh") < 1
    assert similarity("海獺", "Otters", "zh") == 0
