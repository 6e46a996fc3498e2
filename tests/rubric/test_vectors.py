"""The engine decides and checks as the published cases say."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric, is_builtin
from desktop_rater.paths import resources
from desktop_rater.rubric import Rubric, RubricError, check_rating, load_rubric

CONSENSUS_FOR = {"accuracy": {"is": "accurate", "by": "consensus-for"}}
# Published cases are of version 2. Where version 3 judges otherwise: decided values and problems by place, in place of
# the published ones there. An empty value is undecided.
NEWER: dict[str, tuple[dict[str, Any], list[list[str]]]] = {
    "two claims: disputed and inaccurate, the second called accurate": (
        {"targets/s1/claims/c2": {}, "targets/s1": {}},
        [["required:consensus", "block", "targets/s1/claims/c2"]],
    ),
    "mixed 1": (
        {"targets/s0/claims/c2": CONSENSUS_FOR},
        [["consensus-needs-comment", "block", "targets/s0/claims/c2"]],
    ),
    "mixed 11": ({"targets/s1": CONSENSUS_FOR}, [["consensus-needs-comment", "block", "targets/s1"]]),
    "inaccurate on the whole of a sentence that a page supports in part: split it": (
        {"targets/s1": {}},
        [["required:consensus", "block", "targets/s1"], ["required:covers", "block", "targets/s1"]],
    ),
}
EMPTY_OUTPUT = {"pair 14": "a", "pair 25": "a", "pair 26": "b", "pair 34": "a", "pair 38": "a"}


def newer_expectation(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a published case expects, brought to version 3."""
    decided, problems = dict(case["expect"]["decided"]), list(case["expect"]["problems"])
    values, added = NEWER.get(case["name"], ({}, []))
    for where, value in values.items():
        decided[where] = value
        problems = [problem for problem in problems if problem[2] != where or not problem[0].startswith("contradicts:")]
    if case["name"] in EMPTY_OUTPUT:
        added = [["empty-output-no-punt", "warn", f"responses/{EMPTY_OUTPUT[case['name']]}"]]
    return {
        "decided": {where: value for where, value in decided.items() if value},
        "problems": sorted([*problems, *added]),
    }


@pytest.mark.parametrize(
    ("cases", "rubric"), [("span_factuality", "span-factuality"), ("side_by_side", "side-by-side")]
)
def test_every_published_case_is_decided_and_checked_as_it_says(shared, rubrics, cases, rubric):
    published = published_cases(shared, cases)
    got = {case["name"]: judged(rubrics[rubric], case) for case in published}
    assert got == {case["name"]: newer_expectation(case) for case in published}


def test_version_2_stays_readable_and_judges_as_it_did(shared):
    rubric, published = builtin_rubric("span-factuality@2"), published_cases(shared, "span_factuality")
    assert rubric.file.version == 2
    assert {case["name"]: judged(rubric, case) for case in published} == {
        case["name"]: case["expect"] for case in published
    }
    assert is_builtin(rubric, (resources() / "rubrics" / "earlier" / f"{rubric.ref}.toml").read_text(encoding="utf-8"))
    for unknown in ("span-factuality@1", "span-factuality@../span-factuality"):
        with pytest.raises(RubricError):
            builtin_rubric(unknown)


@pytest.mark.parametrize("path", sorted((resources() / "rubrics").rglob("*.toml")), ids=lambda path: path.stem)
def test_a_rubric_of_the_program_is_possible_which_is_not_checked_at_each_start(path: Path) -> None:
    assert load_rubric(path.read_text(encoding="utf-8"), path.name).file.version


def published_cases(shared: Path, name: str) -> list[dict[str, Any]]:
    return json.loads((shared / "cases" / f"{name}.json").read_text(encoding="utf-8"))


def judged(rubric: Rubric, case: dict[str, Any]) -> dict[str, Any]:
    """Return what a rubric makes of a case, in the form of its expectation."""
    outcome = check_rating(rubric, read_struct(case["task"], Task), read_struct(case["rating"], Rating))
    return {
        "decided": to_plain(outcome.decided),
        "problems": [[problem.rule, problem.level, problem.where] for problem in outcome.problems],
    }
