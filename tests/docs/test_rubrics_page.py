"""An engineer who writes a rubric by docs/rubrics.md has it loaded, and knows every word of it."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import get_args

import msgspec
import pytest

from desktop_rater.model import rubric
from desktop_rater.model.rubric import SCOPES, QuestionKind
from desktop_rater.rubric import RubricError, load_rubric
from desktop_rater.rubric.condition import _PARTS, RESERVED, ChoiceDomain, NumberDomain, TruthDomain
from desktop_rater.rubric.evaluation import FACTS
from desktop_rater.rubric.validate import FREE_KEYS
from desktop_rater.work.rubrics.rubrics import builtin_ids, builtin_rubric
from tests.docs import pages

PAGE = pages.text("rubrics.md")
SECTIONS = pages.sections(PAGE)

WHERE: dict[type[rubric.RubricStruct], str] = {
    rubric.RubricFile: "The file",
    rubric.Question: "Questions",
    rubric.Choice: "Choice",
    rubric.Anchor: "Anchor",
    rubric.NamedLevel: "Level",
    rubric.DecideRow: "Decisions",
    rubric.Rule: "Rules",
    rubric.EvidenceTable: "Evidence",
    rubric.ClaimsTable: "Claims",
    rubric.CompareTable: "Compare",
    rubric.LinksTable: "Links",
}
BUILT_IN = {name: f"`{name}`" for name in builtin_ids()}


def refusals() -> list[tuple[str, str]]:
    """(TOML, what is said of it) of each refusal that the page shows."""
    blocks = pages.fences(PAGE)
    return [
        (toml, said) for (info, toml), (beside, said) in pairwise(blocks) if info == "toml refused" and beside == "text"
    ]


def test_no_table_of_a_rubric_is_without_its_section():
    assert set(rubric.RubricStruct.__subclasses__()) == set(WHERE)


@pytest.mark.parametrize("shape", WHERE, ids=lambda shape: shape.__name__)
def test_each_key_stands_in_its_table_and_no_other(shape):
    rows = pages.table(SECTIONS[WHERE[shape]], "key", "type", "required")
    said = {pages.code(key): required == "yes" for key, _, required, *_ in rows}
    assert said == {field.encode_name: field.required for field in msgspec.structs.fields(shape)}


def test_each_fact_is_named_with_its_scope_and_values():
    said = {pages.code(name): (scope, value) for name, scope, value, _ in pages.table(SECTIONS["Facts"], "fact")}
    assert {name: scope for name, (scope, _) in said.items()} == {name: fact.scope for name, fact in FACTS.items()}
    for name, fact in FACTS.items():
        value = said[name][1]
        match fact.domain:
            case TruthDomain():
                assert value == "true, false"
            case NumberDomain(whole=whole):
                assert value == ("count" if whole else "number")
            case ChoiceDomain(values=values) if values:
                assert value == ", ".join(f"`{one}`" for one in values)


def test_each_kind_and_scope_is_named():
    assert {pages.code(row[0]) for row in pages.table(SECTIONS["Questions"], "kind")} == set(get_args(QuestionKind))
    assert [pages.code(row[0]) for row in pages.table(SECTIONS["Scopes"], "scope")] == list(SCOPES)


def test_each_part_of_a_condition_is_named():
    written = " ".join(row[0] for row in pages.table(SECTIONS["Conditions"], "written"))
    assert {word for word in _PARTS | RESERVED if not re.search(rf"\b{word} =", written)} == set()


def test_each_free_key_is_named():
    words = set(re.findall(r"\b[A-Z0-9]\b", SECTIONS["Keys"]))
    assert {key.upper() for key in FREE_KEYS if key.isalpha()} == {word for word in words if word.isalpha()}
    assert {"0", "9"} <= words


def test_the_example_rubric_checks_the_example_rating_as_the_page_says(run, here):
    for name, info in (("advice.toml", "advice.toml"), ("task.json", "task"), ("rating.json", "rating")):
        kind = "toml" if name.endswith(".toml") else "json"
        (here / name).write_text(pages.fence(PAGE, f"{kind} {info}"), encoding="utf-8")
    (here / "tasks.jsonl").write_text(json.dumps(json.loads((here / "task.json").read_text("utf-8"))), "utf-8")
    said = run("rubric", "check", "advice.toml", "task.json", "rating.json")
    assert json.loads(said.out) == json.loads(pages.fence(PAGE, "json outcome"))
    assert said.status == 1
    assert run("bundle", "make", "--rubric", "advice.toml", "--out", "b.zip", "tasks.jsonl").status == 0


@pytest.mark.parametrize(("toml", "said"), refusals())
def test_a_refusal_reads_as_the_page_says(run, here, toml, said):
    (here / "mine.toml").write_text(toml, encoding="utf-8")
    refused = run("rubric", "check", "mine.toml", "t.json", "r.json")
    assert refused.status == 2
    assert refused.err == said
    with pytest.raises(RubricError):
        load_rubric(toml)


def test_the_page_shows_refusals():
    assert len(refusals()) == PAGE.count("```toml refused") >= 5


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_question_decision_and_rule_of_a_built_in_rubric_is_named(name):
    section = SECTIONS[BUILT_IN[name]]
    file = builtin_rubric(name).file
    questions = [(pages.code(row[0]), *row[1:]) for row in pages.table(section, "question")]
    assert questions == [(one.id, one.per, one.kind) for one in file.questions]
    decisions = [pages.code(row[0]) for row in pages.table(section, "decision")] if file.decide else []
    assert decisions == [row.id for row in file.decide]
    rules = [(pages.code(row[0]), row[1]) for row in pages.table(section, "rule")] if file.rules else []
    assert rules == [(rule.id, rule.level) for rule in file.rules]


def test_the_example_of_combining_is_read():
    combine = pages.fence(PAGE, "toml")
    choices = ", ".join(f'{{ id = "{name}", label = "{name}" }}' for name in re.findall(r'"(\w+)"', combine))
    question = f'[[questions]]\nid = "accuracy"\nper = "claim"\nask = "?"\nkind = "choice"\nchoices = [{choices}]\n'
    assert set(load_rubric(f'id = "mine"\n{combine}{question}').file.combine) == {"accuracy"}
