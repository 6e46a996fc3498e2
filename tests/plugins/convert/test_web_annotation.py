"""Results as Web Annotations keep the rules of the W3C's data model, as its text says them."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.plugins.convert.out.web_annotation import to_iri
from tests.examples import examples
from tests.operations.rated import results_of
from tests.operations.rated_tasks import (
    EACH_RUBRIC,
    TEXT,
    WIDE,
    spans,
    spans_rating,
)

IRI = re.compile(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+", re.IGNORECASE)
MOTIVATIONS = {
    *("assessing", "bookmarking", "classifying", "commenting", "describing", "editing", "highlighting"),
    *("identifying", "linking", "moderating", "questioning", "replying", "tagging"),
}


def collection_of(run, tmp_path, results):
    out = tmp_path / "out.jsonld"
    assert run("results", "convert", "--to", "web-annotation", "--out", out, *results).status == 0
    return json.loads(out.read_text("utf-8"))


def check_resource(part):
    """A body or target: what the model says of each of its classes."""
    match part["type"]:
        case "TextualBody":
            assert isinstance(part["value"], str)
            assert part["purpose"] in MOTIVATIONS
        case "SpecificResource":
            assert IRI.fullmatch(part["source"]["id"])
            selectors = part.get("selector", [])
            for selector in selectors if isinstance(selectors, list) else [selectors]:
                check_selector(selector)
            if "state" in part:
                assert part["state"]["type"] == "TimeState"
                assert part["state"]["sourceDate"].endswith("Z")
        case _:
            assert IRI.fullmatch(part["id"])


def check_selector(selector):
    if selector["type"] == "TextQuoteSelector":
        assert isinstance(selector["exact"], str)
    else:
        assert selector["type"] == "TextPositionSelector"
        assert 0 <= selector["start"] < selector["end"]


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
def test_the_collection_keeps_the_rules_of_the_model(run, tmp_path, rubric, made, given):
    results = results_of(tmp_path / "made", [made()], {"r-1": [given()], "r-2": [given()]}, rubric=rubric)
    whole = collection_of(run, tmp_path, results)
    assert whole["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert whole["type"] == "AnnotationCollection"
    page = whole["first"]
    assert page["type"] == "AnnotationPage"
    assert "@context" not in page, "an embedded page must not have one"
    assert whole["total"] == len(page["items"]) > 0
    for one in page["items"]:
        assert one["type"] == "Annotation"
        assert one["motivation"] in MOTIVATIONS
        assert one["creator"]["nickname"] in {"r-1", "r-2"}
        for body in one["body"]:
            check_resource(body)
        check_resource(one["target"])
    ids = [whole["id"], page["id"], *(one["id"] for one in page["items"])]
    assert all(IRI.fullmatch(one) for one in ids)
    assert len(set(ids)) == len(ids)


def test_a_label_a_claim_and_a_page_say_where_they_belong(run, tmp_path):
    items = collection_of(run, tmp_path, results_of(tmp_path / "made", [spans()], {"r": [spans_rating()]}))["first"][
        "items"
    ]
    first, second, claim, page, note = items
    quote, position = first["target"]["selector"]
    assert quote["exact"] == WIDE
    assert TEXT[position["start"] : position["end"]] == WIDE, "the model counts code points"
    assert {(body["dcterms:subject"], body["value"]) for body in first["body"]} == {
        ("factual", "yes"),
        ("accuracy", "accurate"),
        ("comment", "+49 30 1234"),
    }
    assert claim["target"]["selector"][0]["exact"] == "no plant"
    assert claim["target"]["source"] == second["target"]["source"]
    assert page["motivation"] == "linking"
    assert page["target"] == first["target"]
    assert page["body"][1]["source"]["id"] == "https://kelp.example/a%20b"
    assert page["body"][1]["selector"]["exact"] == "Half a metre a day."
    assert (note["motivation"], note["body"][0]["value"]) == ("commenting", "-1 for style")


def test_a_claim_review_has_label_value_and_pages(run, tmp_path):
    """`Claim`, `appearance`, `citation`, `reviewAspect` and `alternateName` are used as schema.org defines them."""
    results = results_of(tmp_path / "made", [spans()], {"r": [spans_rating()]})
    out = tmp_path / "out.jsonld"
    assert run("results", "convert", "--to", "claim-review", "--out", out, *results).status == 0
    whole = json.loads(out.read_text("utf-8"))
    assert whole["@context"] == "https://schema.org"
    target, claim = whole["@graph"]
    assert (target["@type"], target["claimReviewed"], target["author"]["name"]) == ("ClaimReview", WIDE, "r")
    assert target["itemReviewed"]["appearance"] == {"@type": "CreativeWork", "identifier": "t-1/a", "text": TEXT}
    (page,) = target["citation"]
    assert (page["url"], page["description"]) == ("https://kelp.example/a%20b", "supporting")
    assert page["text"] == "Half a metre a day."
    values = {
        rating["reviewAspect"]: (rating["ratingValue"], rating["alternateName"]) for rating in target["reviewRating"]
    }
    assert values["accuracy"] == ("accurate", "Accurate")
    assert target["reviewBody"] == "+49 30 1234"
    assert claim["itemReviewed"]["text"] == claim["claimReviewed"]
    assert "citation" not in claim


def test_a_scale_has_its_range_in_a_claim_review(run, tmp_path):
    rubric = tmp_path / "risk.toml"
    rubric.write_text(
        'id = "risk"\ntitle = "Risk"\n[[questions]]\nid = "risk"\nper = "target"\nask = "?"\nkind = "scale"\n'
        "min = 0\nmax = 10\n",
        "utf-8",
    )
    given = {"task": "t-1", "answers": {"targets": {"s1": {"risk": 7}}}}
    results = results_of(tmp_path / "made", [spans()], {"r": [given]}, rubric=str(rubric))
    out = tmp_path / "out.jsonld"
    assert run("results", "convert", "--to", "claim-review", "--out", out, *results).status == 0
    (review,) = json.loads(out.read_text("utf-8"))["@graph"]
    ranged = {"reviewAspect": "risk", "ratingValue": 7, "worstRating": 0, "bestRating": 10}
    assert review["reviewRating"] == {"@type": "Rating", **ranged}


ODD = "%5a [](){}|\\^`<>\"'#?/:@&=+~\u00e4\u05d0\u200e\u202e\ue000\ufdd0\ufffe\U0001f600\U000e0001"


@pytest.mark.parametrize(
    "url",
    [
        "https://kelp.example/",
        "HTTPS://kelp.example:8080/a%20b/c;d=e?q=1&r=/?#x/?y",
        "http://[::1]/x",
        "https://münchen.example/straße?q=😀#ü",
        "https://kelp.example?q=\ue000",
    ],
)
def test_what_is_one_stays(url):
    assert to_iri(url) == url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://kelp.example/a[b]|c", "https://kelp.example/a%5Bb%5D%7Cc"),
        ("https://kelp.example/100%", "https://kelp.example/100%25"),
        ("https://kelp.example/%zz%4", "https://kelp.example/%25zz%254"),
        ("https://kelp.example/#a#b", "https://kelp.example/#a%23b"),
        ("https://kelp.example/\ue000?#\ue000", "https://kelp.example/%EE%80%80?#%EE%80%80"),
        ("https://kelp.example/\u202ex", "https://kelp.example/%E2%80%AEx"),
    ],
)
def test_what_can_not_stand_there_is_encoded(url, expected):
    assert to_iri(url) == expected


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet=ODD, max_size=20))
def test_nothing_is_encoded_twice(rest):
    once = to_iri(f"https://kelp.example/{rest}")
    assert to_iri(once) == once
