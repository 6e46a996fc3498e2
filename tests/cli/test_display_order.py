"""Raters who see two responses in different orders: from the assignment to the figures about the systems."""

import json
import re
import zipfile

import pytest

from desktop_rater.format.archive import TASKS
from tests.audit.test_hostile_results import forged
from tests.format import zips
from tests.operations.bundles import make, write_lines

RATERS = ("Ana", "Ben", "Cy", "Dee", "Eve")
PAIR = [{"id": "a", "text": "It sails at nine."}, {"id": "b", "text": "It sails at ten."}]
NAMES = [f"t-{number:02}" for number in range(1, 11)]
HALF = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}


@pytest.fixture
def kelp(tmp_path):
    """Ten pairs, and a task with one response."""
    systems = {"system": {"a": "Heron", "b": "Kestrel"}}
    tasks = [zips.task(name, prompt={"text": f"{name}?"}, responses=PAIR, meta=systems) for name in NAMES]
    (tmp_path / "raters.txt").write_text("\n".join(RATERS), encoding="utf-8")
    alone = zips.task("t-99", responses=PAIR[:1])
    return make(tmp_path / "kelp.zip", [*tasks, alone], rubric="side-by-side")


def assigned(run, kelp, *words):
    return run("bundle", "assign", "--raters", kelp.parent / "raters.txt", *words, kelp, "--json")


def lines_of(path, name=TASKS):
    with zipfile.ZipFile(path) as zip_:
        return [json.loads(line) for line in zip_.read(name).splitlines()]


def exchanged(kelp, raters=RATERS):
    """Each rater's tasks, and whether the pair is exchanged."""
    return {
        rater: {line["id"]: "display_order" in line for line in lines_of(kelp.parent / f"kelp-{rater}.zip")}
        for rater in raters
    }


@pytest.mark.parametrize("overlap", [1, 2, 3, 5])
def test_orders_are_balanced_over_raters_and_tasks(run, kelp, overlap):
    answer = assigned(run, kelp, "--overlap", str(overlap), "--swap-order").json
    orders = exchanged(kelp)
    for tasks in orders.values():
        pairs = [shown for name, shown in tasks.items() if name != "t-99"]
        assert abs(2 * sum(pairs) - len(pairs)) <= 1
        assert not tasks.get("t-99")
    for name in NAMES:
        shown = [tasks[name] for tasks in orders.values() if name in tasks]
        assert abs(2 * sum(shown) - len(shown)) <= 1
    total = sum(shown for tasks in orders.values() for shown in tasks.values())
    assert answer["swap_order"] == {"pairs": 10 * overlap, "exchanged": total, "mirrored": ["preference"]}


def test_the_seed_decides_the_orders_and_without_the_option_no_line_changes(run, kelp):
    before = {}
    for seed in ("1", "2", "1"):
        assigned(run, kelp, "--overlap", "3", "--seed", seed, "--swap-order")
        before.setdefault(seed, []).append(exchanged(kelp))
    assert before["1"][0] == before["1"][1] != before["2"][0]
    assigned(run, kelp, "--overlap", "3", "--seed", "1")
    assert not any(shown for tasks in exchanged(kelp).values() for shown in tasks.values())
    single = make(kelp.parent / "single.zip", [zips.task("t-1")])
    refused = run("bundle", "assign", "--raters", kelp.parent / "raters.txt", "--swap-order", single, status=2)
    assert "None of its tasks has two responses" in refused.err


def rated(task, preference):
    answers = {"task": {"preference": preference, "justification": "It is."}, "responses": {"a": HALF, "b": HALF}}
    return {"task": task, "answers": answers}


def without_orders(files, _manifest):
    files[TASKS] = re.sub(rb'"display_order":\[[^]]*\],', b"", files[TASKS])


def test_what_raters_saw_first_is_told_from_which_system_they_prefer(run, kelp, tmp_path):
    """All prefer what they see first, but for every third task, where they prefer Heron wherever it stands."""
    (tmp_path / "raters.txt").write_text("\n".join(RATERS[:3]), encoding="utf-8")
    assigned(run, kelp, "--overlap", "3", "--swap-order")
    orders_by_rater = exchanged(kelp, RATERS[:3])
    results, first = [], 0
    for rater, orders in orders_by_rater.items():
        for_heron = [number % 3 == 0 or not orders[name] for number, name in enumerate(NAMES)]
        first += sum(heron is not orders[name] for heron, name in zip(for_heron, NAMES, strict=True))
        given = [rated(name, -2 if heron else 2) for heron, name in zip(for_heron, NAMES, strict=True)]
        lines = write_lines(tmp_path / f"{rater}.jsonl", given)
        results.append(tmp_path / f"{rater}.zip")
        run("import", tmp_path / f"kelp-{rater}.zip")
        run("rate", f"kelp-{rater}", "--from", lines, "--rater", rater)
        run("export", f"kelp-{rater}", "--rater", rater, "--out", results[-1], "--partial")
        assert run("check", results[-1]).status == 0
        left = {line["task"]: line for line in lines_of(results[-1], "ratings.jsonl")}
        assert {name for name in NAMES if left[name].get("display_order") == ["b", "a"]} == {
            name for name in NAMES if orders[name]
        }
        assert left[NAMES[0]]["answers"]["task"]["preference"] == -2
    refused = run("check", forged(results[0], tmp_path / "odd.zip", without_orders))
    assert "its rating names an order of the responses that the task does not" in refused.err
    assert run("audit", "open", kelp, *results).status == 0
    told = run("audit", "systems", "kelp").out
    assert "Heron: preferred with" in told
    assert f"the response shown first: {first / 30:.2f}" in told
    assert "30 judgements, 10 prompts" in told
    assert "Raters saw pairs in different orders" in told
    (answered,) = run("audit", "systems", "kelp", "--raters-random", "--json").json["preferences"]
    assert (answered["first"]["value"], answered["first"]["n"], answered["judgements"]) == (first / 30, 30, 30)
    (over_prompts,) = run("audit", "systems", "kelp", "--json").json["preferences"]
    assert answered["first"]["low"] <= over_prompts["first"]["low"]  # never narrower
    assert "no intervals over raters" in run("audit", "systems", "kelp", "--raters-random", "--against", "kelp").err
    sent_back = next(name for name in NAMES if orders_by_rater["Ana"][name])
    verdict = {"task": sent_back, "where": "task", "rater": "Ana", "kind": "returned", "reason": "ambiguous-text"}
    verdicts = write_lines(tmp_path / "verdicts.jsonl", [verdict])
    run("audit", "verdicts", "kelp", "--from", verdicts, "--lead", "Lea")
    run("audit", "return", "kelp", "--rater", "Ana", "--out", tmp_path / "back.zip")
    (line,) = lines_of(tmp_path / "back.zip")
    assert (line["id"], line["display_order"]) == (sent_back, ["b", "a"])
