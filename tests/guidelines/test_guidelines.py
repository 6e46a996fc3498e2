"""Every question leads to a section of its guideline, and the guidelines speak as the rest of the program does."""

import re
import tomllib
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_rater.paths import resources
from tests.guidelines.pages import PAGES, RUBRICS, headings, own_words

CONTEXT = Path(__file__).parents[2] / "docs" / "CONTEXT.md"
# What the glossary asks to avoid for one meaning, and a rater needs for another: a link of a response, a thread of
# thought, …
OTHER_MEANINGS = {"document", "fact", "link", "pool", "prompt", "thread"}
QUESTIONS = [(name, one) for name, file in RUBRICS.items() for one in file.questions]
EACH_QUESTION = pytest.mark.parametrize(("rubric", "question"), QUESTIONS, ids=lambda part: getattr(part, "id", part))
EACH_PAGE = pytest.mark.parametrize("name", PAGES)


def words_to_avoid():
    """The last column of the glossary, less what also has another meaning."""
    rows = re.findall(r"^\|.*\|.*\| (.+) \|$", CONTEXT.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows[0] == "not"
    return {word for row in rows[2:] for word in row.split(", ")} - OTHER_MEANINGS


def shown_words(file):
    """What a rater reads of a rubric."""
    for one in file.questions:
        yield from (one.ask, one.hint, *(choice.label for choice in one.choices))
        yield from (*(choice.hint for choice in one.choices), *(anchor.label for anchor in one.anchors))
    yield from (row.message for row in (*file.decide, *file.rules))


def test_every_rubric_has_a_guideline_and_every_guideline_a_rubric():
    assert all(PAGES.values())
    files = [path.read_text(encoding="utf-8") for path in (resources() / "guidelines").glob("*.md")]
    assert set(files) == set(PAGES.values())


@EACH_QUESTION
def test_every_question_names_a_section_of_its_guideline(rubric, question):
    assert question.section in headings(PAGES[rubric])


@EACH_QUESTION
def test_a_hint_is_one_short_line(rubric, question):
    assert len(question.hint) <= 60
    assert all(len(choice.hint) <= 80 for choice in question.choices)  # it has a line of its own
    assert "\n" not in question.hint + "".join(choice.hint for choice in question.choices)


def sourced(file):
    """All that says whose it is: rows, and choices, anchors and levels with the row that they belong to."""
    yield from ((row, row) for row in (file.claims, *file.questions, *file.decide, *file.rules) if row is not None)
    yield from ((part, one) for one in file.questions for part in (*one.choices, *one.anchors, *one.levels))


@pytest.mark.parametrize("rubric", RUBRICS)
def test_what_is_called_the_guideline_s_names_the_heading_that_states_it(rubric):
    for part, row in sourced(RUBRICS[rubric]):
        if part.source == "guideline":
            assert row.guideline in headings(PAGES[rubric]), part
        else:
            assert part.guideline == "", part


@pytest.mark.parametrize("rubric", RUBRICS)
def test_each_question_decision_and_rule_says_whose_it_is(rubric):
    tables = tomllib.loads((resources() / "rubrics" / f"{rubric}.toml").read_text(encoding="utf-8"))
    rows = [row for kind in ("questions", "decide", "rules") for row in tables.get(kind, ())]
    assert [row["id"] for row in rows if "source" not in row] == []
    levels = [level for row in rows for level in row.get("levels", ())]
    assert [level for level in levels if "source" not in level] == []


@EACH_PAGE
def test_a_text_says_how_it_marks_the_projects_own_rules(name):
    text = PAGES[name]
    assert "What begins with *Project rule* is this project's own, where the guideline is silent." in text
    for row in (*RUBRICS[name].decide, *RUBRICS[name].rules):
        question = next((one for one in RUBRICS[name].questions if one.id == getattr(row, "sets", "")), None)
        if row.source == "project" and question is not None:
            assert "*Project rule" in text.partition(f"\n## {question.section}\n")[2].partition("\n## ")[0]


def test_three_steps_of_preference_change_nothing_else():
    seven, three = RUBRICS["side-by-side"], RUBRICS["side-by-side-3"]
    steps = {one.id: one for one in three.questions}["preference"]
    assert (steps.min, steps.max, [anchor.label for anchor in steps.anchors]) == (
        -1,
        1,
        ["A better", "About the same", "B better"],
    )
    questions = tuple(
        replace(one, min=steps.min, max=steps.max, anchors=steps.anchors) if one.id == steps.id else one
        for one in seven.questions
    )
    assert three == replace(seven, id=three.id, version=three.version, title=three.title, questions=questions)


def test_no_hint_names_a_label_that_the_facts_decide():
    file = RUBRICS["span-factuality"]
    decided = {row.sets for row in file.decide}
    labels = {choice.label.lower() for one in file.questions if one.id in decided for choice in one.choices}
    hints = [hint for one in file.questions for hint in (one.hint, *(choice.hint for choice in one.choices))]
    assert labels == {"accurate", "inaccurate", "unsupported", "disputed"}
    assert [hint for hint in hints if labels.intersection(re.findall(r"\w+", hint.lower()))] == []


def test_the_glossary_is_read():
    assert {"annotation", "highlight", "segment", "violation", "submission", "backend"} <= words_to_avoid()


@pytest.mark.parametrize("word", sorted(words_to_avoid()))
def test_neither_guidelines_nor_rubrics_use_a_word_that_the_glossary_avoids(word):
    texts = PAGES | {f"{name}.toml": "\n".join(shown_words(file)) for name, file in RUBRICS.items()}
    pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
    assert {name: pattern.findall(text) for name, text in texts.items() if pattern.search(text)} == {}


@EACH_PAGE
def test_headings_are_in_sentence_case_and_stand_once(name):
    found = headings(PAGES[name])
    assert len(found) == len(set(found))
    assert [one for one in found if one != one[0].upper() + one[1:].lower()] == []


@EACH_PAGE
def test_a_guideline_does_not_shout_and_does_not_beg(name):
    assert re.findall(r"!|\b(?:please|oops|errors?)\b", own_words(PAGES[name]), re.IGNORECASE) == []


@EACH_PAGE
def test_a_row_of_a_table_has_as_many_cells_as_its_head(name):
    for table in re.findall(r"(?:^\|.*\|\n)+", PAGES[name], re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table


def test_the_sample_holds_the_guideline_as_it_is():
    with zipfile.ZipFile(resources() / "samples" / "span-factuality-sample.zip") as sample:
        assert sample.read("guidelines.md").decode() == PAGES["span-factuality"]
