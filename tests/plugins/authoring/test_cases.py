"""Examples of a guideline are tests of its rubric, and a rubric is told which of its rules no example would miss."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.format.rubric import RubricCase
from desktop_rater.operations.rubrics import builtin_guidelines, is_builtin
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.cases import CaseCheck, mutations, rubric_with_cases, unnoticed_changes
from desktop_rater.rubric import Rubric, check_rating, load_rubric
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.provenance import comparable_title, guideline_headings
from tests.operations.bundles import take_in, task, write_lines, writer

WITH_CASES = ("span-factuality", "side-by-side", "response-quality")
SMALL = """
id = "small"
title = "Small"

[[questions]]
id = "ok"
per = "target"
ask = "OK?"
kind = "choice"
choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]
required = true

[[questions]]
id = "why"
per = "target"
ask = "Why?"
kind = "text"
relevant = { ok = "no" }
required = true

[[decide]]
id = "short"
per = "target"
sets = "ok"
when = { research_seconds = { max = 5 } }
then = "no"
message = "Too short."
"""
CASES = """
[[cases]]
name = "Five seconds are too short"
section = "Time"
given = { research_seconds = 5, ok = "no", why = "It was quick." }
decided = { ok = "no" }
refused = { ok = "yes", why = " " }

[[cases]]
name = "Six seconds"
given = { research_seconds = 6, ok = "yes", why = "It was slow." }
hidden = ["why"]

[[cases]]
name = "Nothing answered"
given = { research_seconds = 7 }
problems = { "required:ok" = "block" }
"""


@pytest.mark.parametrize("name", WITH_CASES)
def test_a_built_in_rubric_decides_the_examples_of_its_guideline_as_they_say(name: str) -> None:
    rubric, cases = rubric_with_cases(name)
    assert CaseCheck(rubric, cases).failures() == {}
    headings = {comparable_title(heading.title) for heading in guideline_headings(builtin_guidelines(name))}
    assert [case.name for case in cases if comparable_title(case.section) not in headings] == []
    assert len({case.name for case in cases}) == len(cases)


# Changes that no case can notice, since nothing is judged otherwise, by the reason.
BOTH_SIDES = "the question about the experts is asked there by another alternative, or is asked there alone"
ASKED_THERE = "what it tests is asked or offered only where this holds"
EARLIER = "where it does not hold, an earlier row decides the same, or the question is not asked"
EQUIVALENT = {
    "span-factuality": {
        BOTH_SIDES: (
            "consensus: `relevant`: alternative 2: `supporting` is dropped",
            "consensus: `relevant`: alternative 3: `contradicting` is dropped",
            "consensus: `relevant`: alternative 3: `accuracy` is dropped",
        ),
        ASKED_THERE: (
            "expected_to_be_found: `relevant`: alternative 1: `contradicting` is dropped",
            *(f"consensus-for: `when`: `contradicting` {how}" for how in ("is dropped", "min is 0")),
            *(f"consensus-against: `when`: `supporting` {how}" for how in ("is dropped", "min is 0")),
            *(
                f"{row}: `when`: `{name}` {how}"
                for row in ("different-parts", "both-sides-consensus-against")
                for name in ("supporting", "contradicting")
                for how in ("is dropped", "min is 0")
            ),
            "common-knowledge-wrong: `when`: `contradicting` is dropped",
            "common-knowledge-right: `when`: `contradicting` is dropped",
            *(f"{row}: `when`: `contradicting` is dropped" for row in ("absent-but-expected", "nothing-found")),
            *(
                f"{row}: `when`: `common_knowledge` is dropped"
                for row in ("absent-but-expected", "nothing-found", "rest-absent-but-expected", "rest-nothing-found")
            ),
            "claims: `relevant`: `factual` is dropped",
        ),
        EARLIER: (
            *(
                f"{row}: `when`: `supporting` {how}"
                for row in ("both-sides-consensus-for", "both-sides-no-consensus")
                for how in ("is dropped", "min is 0")
            ),
            "supported: `when`: `contradicting` is dropped",
            "common-knowledge-right: `when`: `supporting` is dropped",
            *(
                f"rest-{row}: `when`: `covers` is dropped"
                for row in ("common-knowledge-wrong", "absent-but-expected", "nothing-found")
            ),
        ),
    },
    "side-by-side": {ASKED_THERE: ("punt-vague: `when`: `punt` is dropped",)},
    "response-quality": {},
}
VALUES: dict[str, tuple[Any, ...]] = {
    "supporting": (0, 1),
    "contradicting": (0, 1),
    "claims_proposed": (1, 2),
    "consensus": (None, "for", "against", "none", "parts"),
    "covers": (None, "yes", "no"),
    "common_knowledge": (None, "right", "wrong", "no"),
    "expected_to_be_found": (None, "yes", "no"),
    "accuracy": (None, "accurate", "inaccurate", "unsupported", "disputed"),
}


def row_of(rubric: Rubric, table: str, index: int) -> str:
    rows: dict[str, Any] = {
        "questions": rubric.file.questions,
        "decide": rubric.file.decide,
        "rules": rubric.file.rules,
    }
    return rows[table][index].id if table in rows else table


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_CASES)
def test_a_case_notices_each_change_of_a_built_in_rubric_that_changes_a_judgement(name: str) -> None:
    rubric, cases = rubric_with_cases(name)
    every, unnoticed = unnoticed_changes(rubric, cases)
    named = {row for rows in EQUIVALENT[name].values() for row in rows}
    assert {f"{row_of(rubric, table, index)}: {change}" for table, index, change, _ in unnoticed} == named
    assert every - len(named) >= 67
    if name == "span-factuality":
        assert every > 300
        worlds = WorldOfSentences(rubric)
        assert [
            change for *_, change, file in unnoticed if worlds.judged(RubricCompiler(file).rubric()) != worlds.own
        ] == []


class WorldOfSentences:
    """Each combination of pages and answers, of a sentence that is not split and of a claim, and how it is judged."""

    def __init__(self, rubric: Rubric) -> None:
        worlds = [dict(zip(VALUES, values, strict=True)) for values in product(*VALUES.values())]
        given = [{name: value for name, value in world.items() if value is not None} for world in worlds]
        cases = [RubricCase(name="whole", given={"factual": "yes", **values}) for values in given]
        for values in given:
            of_target = {"factual": "yes", "claims_proposed": values.pop("claims_proposed")}
            cases.append(RubricCase(name="split", given=of_target, at={"targets/s1/claims/c1": values}))
        self._check = CaseCheck(rubric, cases)
        self.own = self.judged(rubric)

    def judged(self, rubric: Rubric) -> list[str]:
        stating = self._check.stating(rubric)
        outcomes = (check_rating(stating, task, ratings[0]) for _, task, ratings in self._check.made)
        return [
            repr(
                (
                    {where: {name: label.value for name, label in of.items()} for where, of in outcome.decided.items()},
                    [(problem.rule, problem.where) for problem in outcome.problems],
                    {where: [item.question.id for item in items] for where, items in outcome.asked.items()},
                )
            )
            for outcome in outcomes
        ]


def test_cases_change_no_judgement_and_are_no_other_rubric() -> None:
    plain, cased = load_rubric(SMALL), load_rubric(SMALL + CASES)
    assert plain.basis == cased.basis
    assert plain.file != cased.file
    text = (resources() / "rubrics" / "span-factuality.toml").read_text(encoding="utf-8")
    assert is_builtin(load_rubric(text + CASES), text + CASES)


def test_who_checks_cases_is_told_which_fail_and_why(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL + CASES, encoding="utf-8")
    assert run("rubric", "check-cases", path).out == "small@1: 3 of 3 cases pass\n"
    path.write_text(SMALL.replace("max = 5", "max = 4") + CASES, encoding="utf-8")
    told = run("rubric", "check-cases", path, "--json")
    assert told.status == 1
    (failed,) = told.json[0]["failed"]
    assert (failed["case"], failed["section"]) == ("Five seconds are too short", "Time")
    assert failed["reason"] == 'decided: {}, not {"ok":"no"}; ok = "yes" is not refused'
    path.write_text(SMALL + CASES.replace("research_seconds = 6", "reserch = 6"), encoding="utf-8")
    assert "reserch" in run("rubric", "check-cases", path).err


def test_lint_names_the_changes_that_no_case_would_notice(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL + CASES, encoding="utf-8")
    assert run("rubric", "lint", path).status == 0
    path.write_text(SMALL + CASES.replace("research_seconds = 6", "research_seconds = 60"), encoding="utf-8")
    told = run("rubric", "lint", path)
    assert told.status == 1
    assert "no case would notice a change: `when`: `research_seconds` max is 6" in told.out
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"name": "Six", "given": {"research_seconds": 6, "ok": "yes"}}) + "\n", encoding="utf-8")
    assert run("rubric", "lint", path, "--cases", more).status == 0


def test_gold_of_practice_becomes_cases_that_go_into_a_bundle(run: Any, tmp_path: Path) -> None:
    bundle = resources() / "samples" / "practice-sample.zip"
    cases, out = tmp_path / "cases.jsonl", tmp_path / "b.zip"
    told = run("rubric", "cases", bundle, "--out", cases, "--json")
    assert (told.json["rubric"], told.json["cases"]) == ("span-factuality@3", 5)
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t-1")])
    assert run("bundle", "make", tasks, "--cases", cases, "--out", out).status == 0
    assert run("rubric", "check-cases", out).out == "span-factuality@3: 5 of 5 cases pass\n"
    with writer(tmp_path / "store") as store:
        assert take_in(store, out).imported == 1
    assert run("rubric", "cases", out, "--out", tmp_path / "none.jsonl").status == 2


def test_each_change_of_a_condition_is_tried() -> None:
    changes = [(table, change) for table, _, change, _ in mutations(load_rubric(SMALL).file)]
    assert sorted(changes) == [
        ("decide", "`when`: `research_seconds` is dropped"),
        ("decide", "`when`: `research_seconds` max is 4"),
        ("decide", "`when`: `research_seconds` max is 6"),
        ("decide", "it is dropped"),
        ("questions", "`relevant`: `ok` is dropped"),
        ("questions", "`relevant`: `ok` is negated"),
        ("questions", "it is not required"),
        ("questions", "it is not required"),
    ]
