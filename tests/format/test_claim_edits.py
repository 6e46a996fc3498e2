"""Words and spans of a claim change apart from each other, and a difference names both."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.edit import differences
from desktop_rater.format.rating import Claim, Evidence, Rating

TEXT = "He took to computing and to search."
OLD = Claim(id="c1", text="took", start=3, end=7, answers={"accuracy": "accurate"})


def rating_of(*claims):
    return edit.with_claims(Rating(task="t1"), "s1", claims)


def test_a_claim_of_an_older_file_gets_a_second_span():
    claim = edit.with_span(OLD, TEXT, 25, 34)
    assert [span.quote for span in claim.spans] == ["took", "to search"]
    assert (claim.start, claim.end, claim.text, claim.answers) == (None, None, OLD.text, OLD.answers)


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(1, len(TEXT))), min_size=1, max_size=6))
def test_spans_stay_in_order_apart_and_quoted(ranges):
    claim = Claim(id="c1", text="x")
    covered: set[int] = set()
    for start, length in ranges:
        end = min(len(TEXT), start + length)
        if start < end:
            claim = edit.with_span(claim, TEXT, start, end)
            covered.update(range(start, end))
    assert {offset for start, end in claim.ranges for offset in range(start, end)} == covered
    offsets = [offset for span in claim.ranges for offset in span]
    assert offsets == sorted(set(offsets))
    assert all(span.quote == TEXT[span.start : span.end] for span in claim.spans)


def test_other_words_or_other_spans_change_a_claim_and_a_new_way_of_writing_does_not():
    before = rating_of(OLD)
    same = replace(edit.claim_of_spans("c1", TEXT, [(3, 7)]), answers=OLD.answers)
    assert differences(before, rating_of(same)) == ()
    for changed in (replace(OLD, text="He took"), edit.with_span(OLD, TEXT, 25, 34)):
        (change,) = differences(before, rating_of(changed))
        assert (change.kind, change.value, change.claim_number) == ("claim_changed", changed.text, 1)


def test_the_last_claim_gives_the_target_its_evidence_back():
    page = Evidence(id="e1", target="s1", claims=("c1",), url="https://example.org/a")
    split = replace(rating_of(OLD), evidence=(page,))
    whole = edit.without_claim(split, "s1", "c1")
    assert whole.claims == {}
    assert whole.evidence == (replace(page, claims=()),)
