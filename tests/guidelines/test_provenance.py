"""What a built-in rubric calls the guideline's rests on a sentence of its guideline that is no project rule."""

import re
import tomllib
from pathlib import Path

import pytest

from desktop_rater.format.rubric import GuidelineDocument
from desktop_rater.rubric.load import own_parts, source_of_question
from tests.guidelines.pages import PAGES, RUBRICS, stated

PROVENANCE = tomllib.loads((Path(__file__).parent / "provenance.toml").read_text(encoding="utf-8"))
PROVENANCE["side-by-side-3"] = PROVENANCE["side-by-side"]
EACH_RUBRIC = pytest.mark.parametrize("name", RUBRICS)


def part_name(part):
    """A choice or level by its id, a step by its number, or by its words where bundles differ in the numbers."""
    if hasattr(part, "id"):
        return part.id
    return part.label if part.label in {"A better", "About the same", "B better"} else f"{part.at:g}"


def guideline_rows(file):
    """What is called the guideline's → the heading that states it."""
    rows = [(row.id, row, row.guideline) for row in (*file.questions, *file.decide, *file.rules)]
    rows += [
        (f"{row.id}/{part_name(part)}", part, part.guideline or row.guideline)
        for row in file.questions
        for part in (*row.choices, *row.anchors, *row.levels)
    ]
    rows += [("claims", file.claims, file.claims.guideline)] if file.claims is not None else []
    return {name: heading for name, row, heading in rows if row.source == "guideline"}


@EACH_RUBRIC
def test_each_source_is_listed_with_its_heading(name):
    assert guideline_rows(RUBRICS[name]) == {row: heading for row, (heading, _) in PROVENANCE[name].items()}


@EACH_RUBRIC
def test_the_guideline_states_each_sentence_and_not_as_a_project_rule(name):
    missing = [row for row, (heading, words) in PROVENANCE[name].items() if words not in stated(PAGES[name], heading)]
    assert missing == []


@EACH_RUBRIC
def test_the_document_is_the_guideline_that_the_program_has(name):
    document = RUBRICS[name].document
    assert isinstance(document, GuidelineDocument)
    text = (Path(__file__).parents[2] / document.url).read_text(encoding="utf-8")
    assert (document.name, text) == ("Built-in guideline", PAGES[name])


@pytest.mark.parametrize("heading", ["Hateful or unfair", "Sexual", "Violent", "Self-harm", "Reasons", "Steps"])
def test_sections_of_the_project_state_nothing_for_the_guideline(heading):
    assert len(stated(PAGES["response-quality"], heading).split()) < 9


def test_project_rules_are_not_what_a_guideline_states():
    page = (
        "## Skip\n\nA. *Project rule.* B.\n\n- C\n- *Project rule.* D\n\n*Project rule.* E:\n\n- F\n- G\n\nH.\n\n"
        "*Project rule*, for what follows: I.\n\nJ.\n\n## Next\n\nK.\n"
    )
    assert re.findall(r"[A-Z]\b", stated(page, "Skip")) == ["A", "C", "H"]


def test_a_scale_with_steps_of_the_project_is_the_projects():
    questions = {question.id: question for question in RUBRICS["response-quality"].questions}
    assert source_of_question(questions["retrieval"]).source == "project"
    assert source_of_question(questions["sexual"]).source == "guideline"
    assert own_parts(questions["groundedness"]) == ["2", "3", "4"]


def test_no_message_speaks_of_a_tool_that_was_not_called():
    for name in ("side-by-side", "side-by-side-3"):
        words = [row.message for row in RUBRICS[name].decide] + [question.hint for question in RUBRICS[name].questions]
        assert [text for text in words if "called" in text] == []
