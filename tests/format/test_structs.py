"""What a newer program wrote is kept; what is edited changes that one thing; the schemas are the structs."""

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from desktop_rater.format import edit
from desktop_rater.format.rating import Claim, Evidence, LibraryName, Rating, ResearchEntry
from desktop_rater.format.schemas import SCHEMAS, json_schema
from desktop_rater.format.strict_json import from_plain, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place, parse_time
from desktop_rater.paths import resources

RATING = {
    "task": "t",
    "future": {"a": [1]},
    "unknown": "a key that is named so",
    "answers": {"targets": {"s1": {"factual": "yes"}}, "later": 1},
    "claims": {"s1": [{"id": "c1", "text": "x", "weight": 0.5}]},
    "evidence": [{"id": "e1", "target": "s1", "url": "https://a.example", "archive": True}],
}


def test_unknown_keys_come_out_again_where_they_stood():
    plain = to_plain(from_plain(json.loads(json.dumps(RATING)), Rating))
    assert plain["future"] == {"a": [1]}
    assert plain["unknown"] == "a key that is named so"
    assert plain["answers"]["later"] == 1
    assert plain["claims"]["s1"][0]["weight"] == 0.5
    assert plain["evidence"][0]["archive"] is True
    assert to_plain(from_plain(json.loads(json.dumps(plain)), Rating)) == plain


def test_unknown_keys_survive_an_edit():
    rating = from_plain(json.loads(json.dumps(RATING)), Rating)
    edited = edit.with_answer(rating, Place(target="s1", claim="c1"), "accuracy", "accurate")
    plain = to_plain(edited)
    assert plain["claims"]["s1"] == [
        {"id": "c1", "text": "x", "spans": [], "answers": {"accuracy": "accurate"}, "weight": 0.5}
    ]
    assert plain["future"] == {"a": [1]}


def test_what_is_not_known_is_not_written():
    (piece,) = to_plain(from_plain(json.loads(json.dumps(RATING)), Rating))["evidence"]
    assert not {"response", "claim", "stance", "opened", "snapshot"} & piece.keys()


def test_evidence_and_research_of_older_files_are_written_as_they_were_hashed():
    for shape, older in ((Evidence, {"id": "e1", "url": "https://a.example/"}), (ResearchEntry, {"kind": "search"})):
        written = to_plain(from_plain(dict(older), shape))
        assert not {"library", "libraries", "hits"} & written.keys()


@pytest.mark.parametrize("library", [{"name": ""}, {"name": "W", "date": "2026-02-30"}, {"name": "W", "date": "May"}])
def test_a_library_has_a_name_and_a_valid_day(library):
    assert from_plain({"name": "W", "date": "2026-03-01"}, LibraryName).date == "2026-03-01"
    with pytest.raises(msgspec.ValidationError):
        from_plain({"id": "e1", "library": library}, Evidence)


def test_an_answer_is_given_and_taken_at_its_place_alone():
    rating = Rating(task="t", claims={"s1": (Claim(id="c1"), Claim(id="c2"))})
    places = [Place(), Place(response="a"), Place(target="s1", response="a"), Place(target="s1", claim="c2")]
    for place in places:
        answered = edit.with_answer(rating, place, "q", 3)
        assert edit.answers_at(answered, place) == {"q": 3}
        others = [edit.answers_at(answered, other) for other in places if other != place]
        assert others == [{}] * 3
        assert edit.answers_at(edit.with_answer(answered, place, "q", None), place) == {}


def test_the_evidence_of_a_removed_claim_stays_with_the_target():
    rating = Rating(
        task="t",
        claims={"s1": (Claim(id="c1"),)},
        evidence=(Evidence(id="e1", target="s1", claim="c1"), Evidence(id="e2", target="s2", claim="c1")),
    )
    left = edit.without_claim(rating, "s1", "c1")
    assert left.claims == {}
    assert [piece.claim for piece in left.evidence] == [None, "c1"]


def test_a_new_id_is_never_one_that_is_taken():
    assert edit.new_id("e", []) == "e1"
    assert edit.new_id("e", ["e1", "e3"]) == "e2"
    assert edit.new_id("e", ["x"]) == "e1"


@pytest.mark.parametrize(
    "text", ["", "2026-11-20", "2026-11-20T08:00:00", "2026-11-20T08:00:00+00:00", "2026-02-30T08:00:00Z",
             "2026-11-20T08:00:00.5Z", "2026-11-20t08:00:00z", "２026-11-20T08:00:00Z", "2026-11-20T08:00:00Z\n"]
)  # fmt: skip
def test_only_whole_seconds_in_utc_are_a_time(text):
    with pytest.raises(ValueError, match="."):
        parse_time(text)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_that_of_the_struct(name):
    published = json.loads((resources() / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(json_schema(name)))
    jsonschema.Draft202012Validator.check_schema(published)
    assert published["$id"] == f"urn:desktop-rater:schema:{name}:1"


def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(json_schema(name))


def test_the_schemas_take_what_the_program_takes():
    plain = json.loads(json.dumps(RATING))
    validator("rating").validate(plain)
    validator("rating").validate(to_plain(from_plain(plain, Rating)))
    task = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "x"}], "extra": 1}
    validator("task").validate(task)
    validator("task").validate(to_plain(from_plain(dict(task), Task)))
    with pytest.raises(jsonschema.ValidationError):
        validator("task").validate({**task, "responses": []})
    with pytest.raises(jsonschema.ValidationError):
        validator("bundle-manifest").validate({"format": "desktop-rater/results"})
