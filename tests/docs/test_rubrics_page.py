"""An engineer who writes a rubric by docs/rubrics.md has it loaded, and knows every word of it."""

import json
import re
from itertools import pairwise
from typing import get_args

import msgspec
import pytest

from desktop_rater.format import rubric
from desktop_rater.format.rubric import SCOPES, QuestionKind
from desktop_rater.operations.rubrics import builtin_ids, builtin_rubric, rubric_path
from desktop_rater.plugins.authoring.cases import CaseCheck
from desktop_rater.rubric import RubricError, load_rubric
from desktop_rater.rubric.condition import _PARTS, RESERVED, ChoiceDomain, NumberDomain, TruthDomain
from desktop_rater.rubric.evaluation import FACTS
from desktop_rater.rubric.validate import FREE_KEYS
from tests.docs import pages, rubric_tables

PAGE = pages.text("rubrics.md")
SECTIONS = pages.sections(PAGE)

WHERE: dict[type[rubric.RubricStruct], str] = {
    rubric.RubricFile: "The file",
    rubric.GuidelineDocument: "Document",
    rubric.Question: "Questions",
    rubric.Choice: "Choice",
    rubric.QuestionWording: "Wording",
    rubric.Anchor: "Anchor",
    rubric.NamedLevel: "Level",
    rubric.DecideRow: "Decisions",
    rubric.Rule: "Rules",
    rubric.EvidenceTable: "Evidence",
    rubric.ClaimsTable: "Claims",
    rubric.CompareTable: "Compare",
    rubric.LinksTable: "Links",
    rubric.RubricCase: "Cases",
}
SOURCES = {field.encode_name for field in msgspec.structs.fields(rubric.SourcedStruct)}


def refusals() -> list[tuple[str, str]]:
    """(TOML, what is said of it) of each refusal that the page shows."""
    blocks = pages.fences(PAGE)
    return [
        (toml, said) for (info, toml), (beside, said) in pairwise(blocks) if info == "toml refused" and beside == "text"
    ]


def test_no_table_of_a_rubric_is_without_its_section():
    bases = {rubric.SourcedStruct}
    assert {*rubric.RubricStruct.__subclasses__(), *rubric.SourcedStruct.__subclasses__()} - bases == set(WHERE)


@pytest.mark.parametrize("shape", WHERE, ids=lambda shape: shape.__name__)
def test_each_key_stands_in_its_table_and_no_other(shape):
    rows = pages.table(SECTIONS[WHERE[shape]], "key", "type", "meaning")
    said = {pages.code(key): kind.endswith(", required") for key, kind, _ in rows}
    fields = {field.encode_name: field.required for field in msgspec.structs.fields(shape)}
    assert said == {name: required for name, required in fields.items() if name not in SOURCES}
    assert issubclass(shape, rubric.SourcedStruct) is (fields.keys() >= SOURCES)


def test_the_keys_of_sources_stand_in_a_table_of_their_own():
    rows = pages.table(SECTIONS["Sources"], "key", "type")
    assert {pages.code(row[0]) for row in rows} == SOURCES
    assert set(re.findall(r"`(\w+)`", rows[0][1])) == set(get_args(rubric.Source))


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
    assert run("rubric", "check", "mine.toml", "t.json", "r.json", status=2).err == said
    with pytest.raises(RubricError):
        load_rubric(toml)


def test_the_page_shows_refusals():
    assert len(refusals()) == PAGE.count("```toml refused") >= 1


@pytest.mark.parametrize("name", builtin_ids())
def test_the_tables_of_a_built_in_rubric_are_those_of_its_file(name):
    shown = {"side-by-side-3": "side-by-side"}.get(name, name)  # says that it has the same
    assert rubric_tables.blocks(PAGE)[shown] == rubric_tables.tables(builtin_rubric(name).file)
    assert name in {pages.code(title) for title in SECTIONS if title.startswith("`")}


def test_a_row_of_the_tables_says_whose_it_is():
    rows = pages.table(rubric_tables.blocks(PAGE)["span-factuality"], "decision")
    assert {pages.code(row[0]): row[-1] for row in rows}.items() >= {
        "supported": "project",
        "nothing-found": "Expected to be found",
    }.items()


def test_the_example_of_a_case_passes():
    text = rubric_path("span-factuality").read_text(encoding="utf-8") + pages.fence(PAGE, "toml case")
    loaded = load_rubric(text)
    assert len(loaded.file.cases) == 1
    assert CaseCheck(loaded, loaded.file.cases).failures() == {}


def test_the_example_of_combining_is_read():
    combine = pages.fence(PAGE, "toml")
    rubric_text = f'id = "mine"\n{combine}'
    for name, values in re.findall(r"^(\w+) = \[(.*)\]$", combine, re.MULTILINE):
        choices = ", ".join(f"{{ id = {value}, label = {value} }}" for value in values.split(", "))
        rubric_text += (
            f'[[questions]]\nid = "{name}"\nper = "claim"\nask = "?"\nkind = "choice"\nchoices = [{choices}]\n'
        )
    assert set(load_rubric(rubric_text).file.combine) == {"accuracy", "severity"}
