"""The engine decides and checks as the published cases say."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.rubric import Rubric, check_rating


@pytest.mark.parametrize(
    ("cases", "rubric"), [("span_factuality", "span-factuality"), ("side_by_side", "side-by-side")]
)
def test_every_published_case_is_decided_and_checked_as_it_says(
    shared: Path, rubrics: dict[str, Rubric], cases: str, rubric: str
) -> None:
    version = tomllib.loads((shared / "rubrics" / f"{rubric}.toml").read_text(encoding="utf-8"))["version"]
    if version != rubrics[rubric].file.version:
        pytest.skip(f"the shared cases are of version {version} of this rubric")
    wrong = []
    for case in json.loads((shared / "cases" / f"{cases}.json").read_text(encoding="utf-8")):
        task, rating = read_struct(case["task"], Task), read_struct(case["rating"], Rating)
        outcome = check_rating(rubrics[rubric], task, rating)
        got = {
            "decided": to_plain(outcome.decided),
            "problems": [[problem.rule, problem.level, problem.where] for problem in outcome.problems],
        }
        if got != case["expect"]:
            wrong.append((case["name"], got, case["expect"]))
    assert wrong == []
