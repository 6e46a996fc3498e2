"""What was fetched is noted: when, how it ended, and what it said, so that it is found again."""

import pytest

from desktop_rater.store import pages
from desktop_rater.store.pages import PageOrigin, SnapshotRow, VisitRow

KELP, NORI = "https://kelp.example/", "https://nori.example/a"
MORNING, NOON = "2026-11-20T08:00:00Z", "2026-11-20T12:00:00Z"


def visit(url=KELP, state="ok", *, bundle="november", fetched=MORNING, snapshot=None, final_url=None, status=200):
    return VisitRow(
        bundle=bundle,
        url=url,
        final_url=final_url or url,
        state=state,
        status=status,
        fetched=fetched,
        snapshot=snapshot,
    )


def row(sha, url=KELP, *, fetched=MORNING, final_url=None, **more):
    return SnapshotRow(
        sha256=sha * 64,
        url=url,
        final_url=final_url or url,
        fetched=fetched,
        status=200,
        media_type="text/html",
        **more,
    )


def keep(store, sha, text=None, url=KELP, **more):
    """Keep a page: fetched here, unless another `origin` is given."""
    fetched = more.get("fetched", MORNING)
    bundle = more.pop("bundle", "november")
    origin = more.pop("origin", PageOrigin(kind="fetched", bundle=bundle, arrived=fetched))
    texts = None if text is None else {sha * 64: text}
    visits = [visit(url, snapshot=sha * 64, fetched=fetched, bundle=bundle)] if origin.kind != "results" else []
    origins = [(sha * 64, origin)] if origin.kind != "unknown" else []
    pages.record_visits(store, visits, [row(sha, url, **more)], texts, origins)


def answering(store, url, bundle="november", rater=""):
    return "".join(copy.row.sha256[0] for copy in pages.copies_of_url(store, url, bundle, rater))


def test_a_page_is_known_by_how_its_last_visit_ended(store):
    pages.record_visits(store, [visit(state="not_found", status=404), visit(NORI, "unreachable", status=0)])
    pages.record_visits(store, [visit(f"{KELP}#top", snapshot="a" * 64, fetched=NOON)])
    assert pages.last_states(store, "november") == {
        "https://kelp.example": pages.VisitState("ok", NOON, "a" * 64),
        NORI: pages.VisitState("unreachable", MORNING, None),
    }


def test_what_a_redirect_led_to_is_known_too_unless_it_was_asked_for_itself(store):
    pages.record_visits(
        store, [visit(NORI, "not_found"), visit(KELP, final_url=NORI), visit(KELP, final_url=f"{NORI}/b")]
    )
    states = {page: last.state for page, last in pages.last_states(store, "november").items()}
    assert states == {NORI: "not_found", "https://kelp.example": "ok", f"{NORI}/b": "ok"}


def test_visits_for_another_bundle_are_its_own_and_those_for_none_are_everybodys(store):
    pages.record_visits(store, [visit(bundle="december"), visit(NORI, bundle="")])
    assert list(pages.last_states(store, "november")) == [NORI]
    assert len(pages.last_states(store, "december")) == 2


def test_a_few_pages_are_asked_for_alone(store):
    seen = [visit(NORI, "not_found"), visit(KELP, final_url=NORI), visit(KELP, "timeout", final_url=f"{NORI}/b")]
    pages.record_visits(store, [*seen, visit("https://other.example/", bundle="december")])
    everything = pages.last_states(store, "november")
    assert pages.last_states_of(store, "november", everything.keys() | {"https://other.example"}) == everything
    assert pages.last_states_of(store, "november", [f"{NORI}/b"]) == {f"{NORI}/b": everything[f"{NORI}/b"]}
    assert pages.last_states_of(store, "november", []) == {}


def test_the_stored_pages_of_a_url_are_there_the_latest_first(store):
    keep(store, "a", fetched=MORNING)
    keep(store, "b", fetched=NOON)
    keep(store, "c", url=NORI, final_url=KELP, fetched="2026-11-20T09:00:00Z")
    keep(store, "d", url="https://other.example/")
    assert answering(store, "HTTPS://Kelp.example#x") == "bca"
    assert answering(store, NORI) == "c"


FORGED = "2099-01-01T00:00:00Z"


def came_with(bundle, rater="", *, arrived=NOON):
    kind = "results" if rater else "bundle"
    return PageOrigin(kind=kind, bundle=bundle, rater=rater, results="f" * 64 if rater else "", arrived=arrived)


def answers_for_zip(store, sha, results):
    copies = pages.copies_of_url(store, KELP, "november", "r-17", results)
    return sha in {copy.row.sha256[0] for copy in copies}


def test_a_page_answers_for_the_bundle_or_the_rater_that_brought_it_alone(store):
    keep(store, "a", origin=came_with("november"))
    keep(store, "b", origin=came_with("december"), bundle="december")
    keep(store, "c", origin=came_with("november", "r-17"))
    keep(store, "d", origin=came_with("november", "r-18"))
    keep(store, "e", origin=came_with("december", "r-17"))
    assert answering(store, KELP) == "a"
    assert answering(store, KELP, "december") == "b"
    assert answering(store, KELP, "") == ""
    assert answering(store, KELP, "november", "r-17") == "ac"
    assert answering(store, KELP, "november", "r-18") == "ad"
    assert answers_for_zip(store, "c", "f" * 64)
    assert not answers_for_zip(store, "c", "e" * 64), "these results did not bring it"
    keep(store, "f", fetched=MORNING, bundle="")
    assert answering(store, KELP) == "fa"
    assert answering(store, KELP, "november", "r-17") == "fac"
    assert answering(store, KELP, "october") == "f"
    assert pages.holders_of_url(store, KELP, "november") == {"", "r-17", "r-18"}


def test_a_date_of_the_future_puts_no_page_before_another(store):
    keep(store, "a", origin=came_with("november", arrived=NOON), fetched=MORNING)
    keep(store, "b", origin=came_with("november", arrived=NOON), fetched=FORGED)
    keep(store, "c", origin=came_with("november", arrived=NOON), fetched="2026-11-20T12:05:00Z")
    keep(store, "d", origin=came_with("november", arrived=NOON), fetched="2026-11-20T12:05:01Z")
    assert answering(store, KELP)[:2] == "ca", "only what can be true counts, with a small clock skew"
    keep(store, "e", "kelp again", fetched=MORNING)
    keep(store, "f", "kelp", origin=came_with("november", arrived=NOON), fetched=FORGED)
    assert answering(store, KELP)[0] == "e"
    assert [hit.sha256[0] for hit in pages.search_pages(store, "november", "kelp")] == ["e"]


def test_a_page_that_comes_in_several_ways_answers_in_each(store):
    keep(store, "a", origin=came_with("november", "r-17"))
    keep(store, "a", origin=came_with("november", "r-18", arrived=NOON))
    keep(store, "a", origin=came_with("november", "r-18", arrived=FORGED))
    origins = pages.origins_of_snapshot(store, "a" * 64, "november", "r-18")
    assert [(origin.rater, origin.arrived) for origin in origins] == [("r-18", NOON), ("r-17", NOON)]
    keep(store, "a", fetched=MORNING)
    keep(store, "a", fetched=NOON)
    (copy,) = pages.copies_of_url(store, KELP, "november", "r-17")
    assert (copy.origin.kind, copy.origin.arrived) == ("fetched", NOON)


def test_a_page_of_unknown_origin_stands_behind_the_others_and_for_its_own_bundle(store):
    keep(store, "a", origin=PageOrigin(), fetched=FORGED)
    assert answering(store, KELP) == "a"
    assert answering(store, KELP, "december") == ""
    assert answering(store, KELP, "november", "r-17") == "", "it may be another rater's"
    keep(store, "b", origin=came_with("november"))
    assert answering(store, KELP) == "ba"


def test_a_page_that_is_known_stays_as_it_was(store):
    keep(store, "a", "kelp", title="Kelp")
    keep(store, "a", "nori", title="Nori")
    found = pages.find_snapshot_row(store, "a" * 64)
    assert found is not None
    assert found.title == "Kelp"
    assert pages.search_pages(store, "november", "nori") == []
    assert pages.find_snapshot_row(store, "b" * 64) is None


def test_a_page_is_found_by_its_words_and_the_words_are_marked(store):
    keep(store, "a", "Some say so.\nKelp is a brown alga, and no plant.", title="About")
    (hit,) = pages.search_pages(store, "november", "brown alg")
    assert (hit.sha256, hit.url, hit.title, hit.fetched) == ("a" * 64, KELP, "About", MORNING)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["brown", "alga"]
    assert hit.snippet in "Some say so.\nKelp is a brown alga, and no plant."


def test_marks_count_code_points(store):
    keep(store, "a", "🌊🌊 Kélp 🌊 alga")
    (hit,) = pages.search_pages(store, "november", "kelp alga")
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Kélp", "alga"]


def test_a_passage_in_the_middle_of_a_long_page_is_what_is_shown(store):
    text = "\n".join([*(f"Line {number} of nothing." for number in range(3000)), "Kelp grows.", *["And so on."] * 3000])
    keep(store, "a", text)
    (hit,) = pages.search_pages(store, "november", "kelp")
    assert "Kelp grows." in hit.snippet
    assert hit.snippet in text
    assert len(hit.snippet) < 400


def test_a_page_that_was_fetched_twice_is_found_once_as_it_was_last(store):
    keep(store, "a", "kelp kelp kelp", fetched=MORNING)
    keep(store, "b", "a word of kelp, and many others besides", fetched=NOON)
    assert [hit.sha256[0] for hit in pages.search_pages(store, "november", "kelp")] == ["b"]


def test_what_only_the_earlier_of_two_says_is_found_there(store):
    keep(store, "a", "kelp", fetched=MORNING)
    keep(store, "b", "nori", fetched=NOON)
    assert [hit.sha256[0] for hit in pages.search_pages(store, "november", "kelp")] == ["a"]


def test_a_search_stays_in_its_bundle(store):
    keep(store, "a", "kelp", bundle="december")
    keep(store, "b", "kelp", url=NORI, bundle="")
    assert [hit.sha256[0] for hit in pages.search_pages(store, "november", "kelp")] == ["b"]
    assert len(pages.search_pages(store, "december", "kelp")) == 2


def test_a_search_ends_at_its_limit(store):
    for number in range(9):
        keep(store, f"{number}", "kelp", url=f"{KELP}{number}")
    assert len(pages.search_pages(store, "november", "kelp", limit=4)) == 4


@pytest.mark.parametrize(
    "words", ["", '"', "kelp AND", "c++", "NEAR(", "*", "-x", "title:kelp", "\x01kelp\x02", "\ud800"]
)
def test_whatever_is_typed_is_words(store, words):
    keep(store, "a", "nothing of that")
    assert pages.search_pages(store, "november", words) == []


def test_a_text_with_characters_that_no_text_has_is_kept_without(store):
    keep(store, "a", "kelp\0 and \x01nori\x02 and half a \ud800 pair", title="\0Kelp\ud800")
    (hit,) = pages.search_pages(store, "november", "nori")
    assert hit.title == " Kelp?"
    assert "\0" not in hit.snippet
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["nori"]


def test_a_page_whose_text_comes_later_is_found_from_then_on(store):
    keep(store, "a")
    assert pages.unparsed_snapshots(store) == ["a" * 64]
    assert pages.search_pages(store, "november", "kelp") == []
    pages.store_page_text(store, row("a", title="Kelp", content="c"), "a brown alga")
    pages.store_page_text(store, row("a", title="Another", content="d"), "nori")
    assert pages.unparsed_snapshots(store) == []
    assert [hit.title for hit in pages.search_pages(store, "november", "kelp alga")] == ["Kelp"]
    found = pages.find_snapshot_row(store, "a" * 64)
    assert found is not None
    assert found.content == "c"


def test_nothing_is_noted_where_a_part_of_it_can_not_be(store):
    def breaking_off():
        yield visit()
        raise KeyError("the list went dead")

    with pytest.raises(KeyError):
        pages.record_visits(store, breaking_off(), [row("a")])
    assert pages.last_states(store, "november") == {}
    assert pages.recorded_snapshots(store) == set()
