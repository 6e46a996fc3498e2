"""An engineer who writes files by docs/formats.md gets what the program reads."""

import json
import re

import msgspec
import pytest
from msgspec import inspect

from desktop_rater.format import archive, hub_names, manifests, rating, safe_zip, strict_json, targets, task, values
from desktop_rater.format.schemas import SCHEMAS
from desktop_rater.format.strict_json import OpenStruct, to_plain
from desktop_rater.format.targets import CONTEXT, prepare_task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.pages import warc
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.plugins.library import publish
from desktop_rater.plugins.updates import release
from desktop_rater.rubric import check_rating, exported_form, load_rubric, validate
from desktop_rater.rubric.check import UNHASHED_KEYS
from desktop_rater.rubric.load import MAX_TABLES
from desktop_rater.text.quotes import MIN_SIMILARITY
from tests.docs import pages

PAGE = pages.text("formats.md")
SECTIONS = pages.sections(PAGE)

FORMATS = ("desktop_rater.format", "desktop_rater.plugins.library.publish", "desktop_rater.plugins.updates")
WHERE: dict[type[OpenStruct], str] = {
    manifests.FileEntry: "Entry of `files`",
    manifests.BundleManifest: "Bundle manifest",
    task.Task: "Task",
    task.Prompt: "Prompt",
    task.Turn: "Turn",
    task.Response: "Response",
    task.ToolCall: "Tool call",
    task.Target: "Target",
    task.Document: "Document",
    task.TaskReturn: "Returned",
    task.Comment: "Comment",
    manifests.WantedLibrary: "Wanted library",
    manifests.Assistance: "Assistance",
    manifests.BundleDerivation: "Derived",
    manifests.Origin: "Origin",
    rating.Rating: "Rating",
    values.Answers: "Answers",
    rating.Claim: "Claim",
    rating.ClaimSpan: "Span of a claim",
    rating.ResearchEntry: "Research entry",
    rating.Evidence: "Evidence",
    rating.Precedents: "Precedents",
    rating.DecidedCase: "Decided case",
    rating.LibraryName: "Library name",
    rating.TimeSpent: "Time",
    rating.Acknowledgement: "Acknowledged",
    rating.SuggestionCounts: "Counts of suggestions",
    rating.Border: "Border",
    rating.SkipReason: "Skipped",
    rating.DecidedValue: "Decided",
    rating.Problem: "Problem",
    manifests.ResultsManifest: "Results manifest",
    manifests.BundleRef: "Bundle of results",
    manifests.Counts: "Counts of results",
    manifests.ModelSource: "Model of results",
    manifests.HistoryLine: "Line of history",
    hub_names.SignatureFile: "Signature",
    hub_names.HubMarker: "Marker",
    hub_names.Assignment: "Assignment",
    hub_names.LeadSignature: "Lead's signature",
    hub_names.AssignedBundle: "Assigned bundle",
    hub_names.RaterKey: "Published key",
    hub_names.KeyReplacement: "Key replacement",
    publish.PublishedLibrary: "Libraries on a hub",
    release.ReleaseIndex: "Release index",
    release.ReleaseFile: "Released file",
}
UNITS = {"GiB": safe_zip.GIB, "MiB": safe_zip.MIB, "KiB": safe_zip.KIB}


def examples() -> dict[type[OpenStruct], dict]:
    """The JSON examples of the page by what they show."""
    found = {}
    for info, content in pages.fences(PAGE):
        assert info == "json"
        plain = json.loads(content)
        format_ = plain.get("format", "")
        if format_:
            kind = manifests.BundleManifest if format_ == manifests.BUNDLE_FORMAT else manifests.ResultsManifest
        else:
            kind = rating.Rating if "task" in plain else task.Task
        found[kind] = plain
    return found


def fields(shape: type[OpenStruct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a struct by the names that they have in files."""
    found = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    del found["unknown"]
    return found


def words_of(info: inspect.Type) -> set[str]:
    """The words that are allowed, where a field takes only certain words."""
    if isinstance(info, inspect.LiteralType):
        return set(map(str, info.values))
    if isinstance(info, inspect.UnionType):
        return set().union(*map(words_of, info.types))
    return set()


def test_no_part_of_a_format_is_without_its_section():
    shapes = {shape for shape in OpenStruct.__subclasses__() if shape.__module__.startswith(FORMATS)}
    assert shapes == set(WHERE)


@pytest.mark.parametrize("shape", WHERE, ids=lambda shape: shape.__name__)
def test_each_field_stands_in_its_table_and_no_other(shape):
    rows = pages.table(SECTIONS[WHERE[shape]], "field", "type", "meaning")
    required = {pages.code(name): kind.endswith(", required") for name, kind, _ in rows}
    assert required == {name: field.required for name, field in fields(shape).items()}


@pytest.mark.parametrize("shape", WHERE, ids=lambda shape: shape.__name__)
def test_each_word_that_a_field_takes_is_named(shape):
    rows = {pages.code(row[0]): row[1] for row in pages.table(SECTIONS[WHERE[shape]], "field")}
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        words = words_of(field.type)
        if words and field.encode_name in rows:
            assert set(re.findall(r"`([^`]+)`", rows[field.encode_name])) == words


def test_the_limits_are_those_of_the_program():
    said = {pages.code(name): amount for _, name, amount in pages.table(SECTIONS["Limits"], "what", "name")}
    assert {name: _number(amount) for name, amount in said.items()} == msgspec.structs.asdict(safe_zip.LIMITS)


def test_the_other_bounds_are_those_of_the_program():
    assert f"more than {strict_json.MAX_DEPTH} levels" in SECTIONS["JSON"]
    assert strict_json.MAX_WHOLE == 2**53
    assert "±2^53" in SECTIONS["JSON"]
    assert f"{MIN_SIMILARITY:.0%}".replace("%", " %") in SECTIONS["How targets are placed"]
    assert f"the {CONTEXT} code points" in SECTIONS["How targets are placed"]
    said = " ".join(SECTIONS["Limits"].split())
    assert f"at most {targets.MOST_TARGETS:,} targets, which have at most {targets.MOST_QUOTED:,} characters" in said
    assert f"responses of a task have at most {targets.MOST_RESPONSES:,} characters" in said
    assert f"at most {targets.MOST_SPLIT:,} characters and {targets.MOST_TARGETS:,} sentences" in said
    assert f"at most {targets.MOST_SEARCHED:,} characters per task" in said
    assert f"at most {MAX_TABLES:,} questions" in SECTIONS["Limits"]
    assert f"at most {validate._MOST_STEPS:,} steps" in SECTIONS["Limits"]


@pytest.mark.parametrize(
    ("section", "files"),
    [
        (
            "Bundle",
            {
                *(archive.MANIFEST, archive.TASKS, archive.RUBRIC, archive.GUIDELINES, archive.CASES, archive.GOLD),
                f"{archive.PICTURE_FOLDER}<name>.png",
            },
        ),
        (
            "Results",
            {archive.MANIFEST, archive.TASKS, archive.RUBRIC, archive.RATINGS, archive.HISTORY, archive.SIGNATURE},
        ),
    ],
)
def test_each_file_of_a_zip_is_named(section, files):
    said = {pages.code(name) for name, *_ in pages.table(SECTIONS[section], "file")}
    assert said == files | {archive.snapshot_name("<sha256>")}


def test_what_is_outside_the_hash_is_named_and_nothing_else():
    (line,) = re.findall(r"^Left out of a rating's SHA-256.*?\.$", SECTIONS["Hashes"], re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`([^`]+)`", line)) == UNHASHED_KEYS


def test_the_limits_of_stored_pages_are_those_of_the_program():
    said = " ".join(SECTIONS["Snapshots"].split())
    assert f"more than {warc.WARC_LIMITS.file // safe_zip.MIB} MiB" in said
    assert f"more than {warc.WARC_LIMITS.inflated // safe_zip.MIB} MiB inflated" in said
    assert f"more than {warc.WARC_LIMITS.records:,} records" in said
    assert f"a page of more than {WEB_LIMITS.inflated_bytes // safe_zip.MIB} MiB" in said


def test_each_schema_is_named():
    for name in SCHEMAS:
        assert f"`{name}`" in SECTIONS["JSON Schemas"]


@pytest.mark.parametrize("shape", [manifests.BundleManifest, manifests.ResultsManifest, task.Task, rating.Rating])
def test_the_examples_are_read_as_they_stand(shape):
    plain = examples()[shape]
    read = strict_json.read_struct(strict_json.read_json_object(json.dumps(plain).encode()), shape)
    assert read.unknown == {}


def test_the_example_of_a_rating_says_what_the_rubric_decides_and_hides_nothing():
    plain = examples()
    placed = prepare_task(
        strict_json.read_struct(plain[task.Task], task.Task), per_target=True, accept_close=False, lang="en"
    )
    assert placed.task is not None
    assert placed.unplaced == ()
    rated = strict_json.read_struct(plain[rating.Rating], rating.Rating)
    outcome = check_rating(builtin_rubric(rated.rubric), placed.task, rated)
    assert to_plain(exported_form(rated, outcome)) == to_plain(rated)
    assert outcome.problems == ()


def test_a_rubric_of_its_own_is_what_the_page_says_of_its_version():
    assert load_rubric('id = "advice"\n').ref == "advice@1"


def _number(amount: str) -> float:
    figure, _, unit = amount.partition(" ")
    return float(figure.replace(",", "")) * UNITS.get(unit, 1)
