"""Every figure says its base, which an independent count confirms, and no two commands disagree.

The data have what real data have at their edges: empty answers, tasks without a prompt, gaps, ties, raters of one task,
a rare label. They come in by a table, as a lead's do.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import fmean, median
from typing import Any

import pytest

from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import write_lines
from tests.rubric import toml_texts as toml

RUBRIC = toml.rubric_text(
    "odd",
    toml.question(
        "risk",
        'levels = [{ id = "low", label = "Low", to = 3 }, { id = "high", label = "High", to = 7 }]',
        toml.numbers(0, 7),
        per="response",
        ask="How risky is it?",
    ),
    toml.question("refused", per="response", ask="Does it refuse?"),
    toml.question("preference", body=toml.numbers(-3, 3), per="task", ask="Which is better?"),
    more='version = 1\ntitle = "Odd"',
)
COLUMNS = "task=task,rater=rater,place=place,question=question,value=value,prompt=prompt,response.a=x,response.b=y"
THRESHOLD = 4
Given = dict[tuple[str, str, str], dict[str, Any]]
"""(Question, task, place) → rater → value."""


def odd_data(seed: int, *, alike: bool = False) -> tuple[list[dict[str, Any]], Given]:
    """The rows of a table, and what they say; `alike`: all say the same."""
    random = Random(seed)
    rows: list[dict[str, Any]] = []
    given: Given = defaultdict(dict)
    raters = [f"r-{number}" for number in range(5)]
    for number in range(18):
        task = f"t-{number:02}"
        texts = {"x": random.choice(["", "Yes.", "Kelp."]), "y": "It is an alga."}
        systems = dict(zip("ab", random.sample(["Heron", "Kestrel", "Merlin"], 2), strict=True))
        fixed = {"task": task, "prompt": "Why?" if number < 3 else "", **texts, "system": systems}
        judges = random.sample(raters, random.choice([1, 2, 2, 3, 4])) + (["once"] if number == 5 else [])
        for rater in judges:
            answers: list[tuple[str, str, Any]] = []
            if random.random() > 0.1:
                answers.append(("task", "preference", random.choice([-2, -1, 0, 1, 2])))
            for id_ in "ab":
                answers += [(f"responses/{id_}", "risk", random.choice([0, 1, 3, 5, 7]))] * (random.random() > 0.1)
                answers += [(f"responses/{id_}", "refused", "yes" if random.random() < 0.04 else "no")]
            same = {"preference": 1, "risk": 3, "refused": "no"}
            answers = [(place, question, same[question] if alike else value) for place, question, value in answers]
            for place, question, value in answers:
                rows.append({**fixed, "rater": rater, "place": place, "question": question, "value": value})
                given[question, task, place][rater] = value
    return rows, given


def figures_in(plain: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every figure in the output of a command, with its place."""
    if isinstance(plain, dict):
        if {"value", "why", "n", "tasks"} <= plain.keys():
            yield path, plain
        for name, part in plain.items():
            yield from figures_in(part, f"{path}.{name}")
    elif isinstance(plain, list):
        for number, part in enumerate(plain):
            yield from figures_in(part, f"{path}[{number}]")


def computed(run: Any, tmp_path: Any, rows: list[dict[str, Any]]) -> tuple[Any, ...]:  # noqa: F811 - the fixture
    """What each command says of the rows."""
    (tmp_path / "odd.toml").write_text(RUBRIC, "utf-8")
    table, made = write_lines(tmp_path / "odd.jsonl", rows), tmp_path / "odd.zip"
    command = ("audit", "import", table, "--columns", COLUMNS, "--make", made, "--rubric", tmp_path / "odd.toml")
    imported = run(*command, "--json")
    assert (imported.json["losses"], imported.json["made"], imported.json["answers"]) == ({}, 18, len(rows))
    options = {
        "report": (), "report --raters-random": (), "systems": (), "systems --raters-random": (), "defects": (),
        "result": (), "power": ("--width", "0.1"),
    }  # fmt: skip
    return tuple(run("audit", *name.split()[:1], "odd", *name.split()[1:], *more, "--json").json
                 for name, more in options.items())  # fmt: skip


def test_no_interval_of_a_sample_is_without_width_even_if_all_say_the_same(run, tmp_path):  # noqa: F811 - the fixture
    rows, _ = odd_data(1, alike=True)
    found = [pair for plain in computed(run, tmp_path, rows) for pair in figures_in(plain)]
    assert sum(figure["value"] in {0, 1} and figure["low"] is not None for _, figure in found) > 10
    for path, figure in found:
        assert figure["low"] is None or figure["low"] < figure["high"], path
        assert figure["low"] is not None or figure["why"], path


@pytest.mark.parametrize("seed", range(4))
def test_every_figure_has_its_base_and_says_why_it_is_missing(run, tmp_path, seed):  # noqa: F811 - the fixture
    rows, given = odd_data(seed)
    every = computed(run, tmp_path, rows)
    report, systems, defects = every[0], every[2], every[4]
    found = [pair for plain in every for pair in figures_in(plain)]
    assert len(found) > 60
    for path, figure in found:
        assert figure["value"] is not None or figure["why"], path
        assert figure["low"] is not None or figure["why"], path
        assert figure["low"] is None or figure["low"] < figure["high"], path
        over_raters = path.startswith(".hardest")
        assert figure["low"] is None or over_raters or figure["tasks"] >= 5, path
        assert figure["value"] is None or (figure["n"] and figure["tasks"]), path
        if not path.startswith(".raters["):  # those of a rater are under the rater's name
            assert figure["value"] is None or figure["raters"], path

    check_agreement(report, given)
    check_scales(report, given)
    check_systems(systems, defects, rows, given)
    check_labels(run, tmp_path, given)


def check_agreement(report: dict[str, Any], given: Given) -> None:
    """Units and tasks with two ratings, and the raters, of each question."""
    for agreement in report["agreement"]:
        question = agreement["question"]["id"]
        units = {(task, place): votes for (asked, task, place), votes in given.items() if asked == question}
        paired = [key for key, votes in units.items() if len(votes) > 1]
        base = (
            len(paired),
            len({task for task, _ in paired}),
            len({rater for votes in units.values() for rater in votes}),
        )
        assert (agreement["units"], agreement["tasks"], agreement["raters"]) == base
        assert {(figure["n"], figure["tasks"], figure["raters"]) for figure in agreement["figures"].values()} == {base}
        assert agreement["ratings"] == sum(map(len, units.values()))


def check_scales(report: dict[str, Any], given: Given) -> None:
    """A rater on a scale rests on the rater's own ratings and tasks."""
    assert {scale["question"] for scale in report["scales"]} == {"risk", "preference"}
    for scale in report["scales"]:
        for row in scale["raters"]:
            own = [
                (task, votes[row["rater"]])
                for (question, task, _), votes in given.items()
                if question == scale["question"] and row["rater"] in votes
            ]
            tasks = len({task for task, _ in own})
            assert (row["mean"]["n"], row["mean"]["tasks"], row["mean"]["raters"]) == (len(own), tasks, 1)
            assert row["mean"]["value"] == pytest.approx(fmean(value for _, value in own))
            assert (row["offset"]["tasks"], row["severity"]["tasks"] in {0, tasks}) == (tasks, True)
            assert (row["mean"]["low"] is not None) <= (tasks >= 10)


def check_systems(systems: dict[str, Any], defects: dict[str, Any], rows: list[dict[str, Any]], given: Given) -> None:
    """Each response with a vote counts, at its median; both commands have the same defects."""
    prompts = {row["task"]: row["prompt"] or row["task"] for row in rows}
    named = {(row["task"], f"responses/{id_}"): name for row in rows for id_, name in row["system"].items()}
    levels = {(task, place): median(votes.values()) for (asked, task, place), votes in given.items() if asked == "risk"}
    assert systems["base"]["responses"] == len(named)
    assert systems["base"]["prompts"] == len(set(prompts.values())) == 16
    rated, wrong = 0, 0
    for group in systems["groups"]:
        own = {place: level for place, level in levels.items() if named[place] == group["name"]}
        mean, defect = (group["figures"][name] for name in ("mean:risk", "defect:risk"))
        assert mean["whole"] == mean["figure"]["n"] == len(own)
        assert mean["figure"]["value"] == pytest.approx(fmean(own.values()))
        assert mean["figure"]["tasks"] == len({prompts[task] for task, _ in own})
        assert mean["figure"]["raters"] == group["base"]["raters"] > 1
        assert defect["part"] == sum(level >= THRESHOLD for level in own.values())
        rated, wrong = rated + defect["whole"], wrong + defect["part"]
    people = next(rate for rate in defects["rates"] if rate["question"] == "risk" and not rate["rater"])
    assert (people["responses"], people["defects"]) == (rated, wrong)
    assert people["rate"] == pytest.approx(wrong / rated)
    (preferences,) = systems["preferences"]
    decided = {task for (asked, task, _) in given if asked == "preference"}
    assert (preferences["pairs"], preferences["open"]) == (len(decided), 0)


def check_labels(run: Any, tmp_path: Any, given: Given) -> None:  # noqa: F811 - the fixture
    """The table of final labels has the medians that the figures rest on."""
    out = tmp_path / "final.jsonl"
    assert run("audit", "adjudicate", "odd", "--to", "jsonl", "--out", out, "--partial").status in {0, 1}
    finals = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    for question in ("risk", "preference"):
        values = {(row["task"], row["where"]): row["value"] for row in finals if row["question"] == question}
        expected = {key[1:]: median(votes.values()) for key, votes in given.items() if key[0] == question}
        assert values == expected
