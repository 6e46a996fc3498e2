"""Citations and links are found however a model writes them, and lead to the passage that they rest on."""

import json
import sys
from collections import Counter
from itertools import pairwise
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.citations import MAX_CITATIONS, cited_passage, citing_words, find_citations
from desktop_rater.format.task import CitedPlace, Document
from desktop_rater.text import quotes
from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.urls import find_links, find_links_in_json
from tests.steps import count_steps
from tests.text.sentences_by_language import SENTENCES

LOCKS = Document(id="c1", title="The lock keeper's book", text="x", url="https://locks.example/book")
MAP = Document(id="c2", title="canal_map.pdf#page=4", text="x", url="https://locks.example/files/canal%20map.pdf")
BILL = Document(id="c3", title="", text="toll_list.pdf#page=2: A boat pays two pence.", url="")
ALL = (LOCKS, MAP, BILL)


def found(text, documents=ALL):
    return [(text[one.start : one.end], one.document) for one in find_citations(text, documents)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It rose.[doc1][doc3]", [("[doc1]", 0), ("[doc3]", 2)]),
        ("It rose [1]. It fell [2, 3].", [("[1]", 0), ("2", 1), ("3", 2)]),
        ("It rose [doc 1; doc 2].", [("1", 0), ("2", 1)]),
        ("It rose [1–3].", [("1", 0), ("3", 2)]),
        ("It rose [^2].", [("[^2]", 1)]),
        ("It rose [canal_map.pdf#page=4].", [("[canal_map.pdf#page=4]", 1)]),
        ("It rose [canal_map.pdf].", [("[canal_map.pdf]", 1)]),
        ("It rose [Canal map].", [("[Canal map]", 1)]),
        ("It rose [c2].", [("[c2]", 1)]),
        ("It pays [toll_list.pdf#page=2].", [("[toll_list.pdf#page=2]", 2)]),
        ("It rose 【2†source】.", [("【2†source】", 1)]),
        ("It rose 【9:0†canal_map.pdf】.", [("【9:0†canal_map.pdf】", 1)]),
        ("It rose 【9:0†source】.", [("【9:0†source】", 0)]),
        ("As The lock keeper's book has it, it rose.", [("The lock keeper's book", 0)]),
        ("See https://locks.example/book#p3.", [("https://locks.example/book#p3", 0)]),
        ("See [the book](https://LOCKS.example/book/).", [("[the book](https://LOCKS.example/book/)", 0)]),
        ("It rose [canal_map.pdf, doc9].", [("canal_map.pdf", 1)]),
    ],
)
def test_a_citation_is_found(text, wanted):
    assert found(text) == wanted


@pytest.mark.parametrize(
    "text",
    ["[4]", "[0]", "[doc12]", "- [x] done", "[see below]", "[elsewhere](https://else.example/)", "[1](https://else.example/)",
     "a [sic] word", "【4†source】", "[]", "[ ]", "3 [kg]"],
)  # fmt: skip
def test_what_names_no_document_is_no_citation(text):
    assert found(text) == []


def test_without_documents_there_are_none():
    assert found("It rose [1].", ()) == []


def test_a_document_that_is_called_by_a_number_goes_before_the_one_that_stands_there():
    documents = (Document(id="2", text="x"), Document(id="1", text="y"))
    assert found("It rose [1] and [2].", documents) == [("[1]", 1), ("[2]", 0)]


def test_two_documents_of_one_name_are_told_apart_by_their_page():
    documents = [Document(id=f"c{page}", title=f"plan.pdf#page={page}") for page in (3, 4)]
    assert found("[plan.pdf#page=4] [plan.pdf]", documents) == [("[plan.pdf#page=4]", 1), ("[plan.pdf]", 0)]


@given(st.text(st.sampled_from("[]【】()†1290.,;–doc# ax\n"), max_size=60))
def test_whatever_stands_there_citations_are_in_order_and_apart(text):
    got = find_citations(text, ALL)
    assert all(0 <= one.start < one.end <= len(text) and 0 <= one.document < 3 for one in got)
    assert all(one.end <= other.start for one, other in pairwise(got))


def calls_of(work):
    """Count the calls, into C too, of some work."""
    calls = Counter()
    sys.setprofile(lambda _frame, event, _argument: calls.update([event]))
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


@pytest.mark.parametrize("part", ["[1]", "[", "[a_b]"])
def test_a_text_of_brackets_takes_work_in_proportion_to_its_length(part):
    documents = [Document(id=f"c{at}", title=f"a long title of number {at}") for at in range(300)]
    short, long = (calls_of(lambda times=times: find_citations(part * times, documents)) for times in (4_000, 8_000))
    assert long < 2.2 * short


def test_a_text_has_a_bounded_number_of_citations():
    documents = [Document(id=f"c{at}", title=f"a long title of number {at}") for at in range(3_000)]
    assert len(find_citations("[1]" * 60_000, documents)) == MAX_CITATIONS
    assert find_citations("[" * 200_000 + "[a_b]" * 20_000, documents) == []


def citing(text, places):
    """Return a document that lists `places` long places of a text, each in all but a few of its characters."""
    ends = range(len(text) - places, len(text))
    places = (CitedPlace(response="a", start=0, end=end, quote=text[:end]) for end in ends)
    return [Document(id="doc1", cited=tuple(places))]


def test_listed_places_take_work_in_proportion_to_their_number_whatever_their_length():
    few, many, long = (
        count_steps(find_citations, text, citing(text, places), "a")
        for text, places in (("[1] a word, " * 200, 200), ("[1] a word, " * 200, 400), ("[1] a word, " * 2_000, 200))
    )
    assert many < 2.2 * few
    assert long < 10.2 * few


def test_at_most_so_many_listed_places_are_looked_for():
    text = "a word, " * 1_000
    documents = citing(text, MAX_CITATIONS + 1_000)
    assert len(find_citations(text, documents, "a")) == MAX_CITATIONS
    assert count_steps(find_citations, text, documents, "a") < 20 * MAX_CITATIONS


@pytest.mark.parametrize("words", [1, 2])
def test_each_citation_of_a_long_sentence_is_read_with_a_bounded_part_of_it(words, monkeypatch):
    read = []
    monkeypatch.setattr(quotes, "search_words", lambda text: read.append(len(text)) or frozenset(text.split()))
    text = ("[doc1] " + "word " * words) * 4_000
    said(text)
    assert len(read) < MAX_CITATIONS + 10, "a sentence is read once"
    assert max(sorted(read)[:MAX_CITATIONS]) <= 8_000


def said(text, documents=ALL):
    return citing_words(text, find_citations(text, documents))


def whole(text):
    return [tried[-1] for tried in said(text)]


def test_the_words_are_those_of_the_sentence_before_the_citation():
    text = "The lock rose four feet.[doc1] Nobody paid.[doc2]"
    assert whole(text) == [{"lock", "rose", "four", "feet"}, {"nobody", "paid"}]


def test_of_two_citations_in_a_sentence_each_stands_for_what_is_before_it():
    first, second = said("The lock rose four feet [doc1], but nobody paid [doc2].")
    assert first[0] == {"lock", "rose", "four", "feet"}
    assert second[0] == {"nobody", "paid"}
    assert first[1] == second[1] == first[0] | second[0]


def test_two_citations_beside_each_other_stand_for_the_same():
    first, second = said("The lock rose [doc1][doc2].")
    assert first[-1] == second[-1] == {"lock", "rose"}


def test_inside_a_sentence_and_at_the_start_of_a_line_it_is_that_sentence():
    text = "Boats wait.\n[1] The keeper sleeps.\nAccording to [2] the toll doubled."
    first, second = whole(text)
    assert first == {"keeper", "sleep"}
    assert "toll" in second
    assert "boat" not in second


def passage(text, tried, label=""):
    span = cited_passage(text, tried, label)
    return text[slice(*span)] if span is not None else ""


def test_a_passage_is_found_behind_its_name_where_documents_were_put_together():
    text = "one.pdf: The toll is two pence.\ntwo.pdf: The toll is two pence on Sundays."
    words = (frozenset({"toll", "two", "pence"}),)
    assert passage(text, words, "two.pdf").endswith("on Sundays.")
    assert passage(text, words).startswith("one.pdf")
    assert passage(text, (frozenset({"elephant", "tiger"}),), "one.pdf") == ""
    assert passage(text, (frozenset({"elephant", "tiger"}), *words)) != ""


def test_the_document_is_meant_so_a_sentence_that_says_little_is_better_than_none():
    said = frozenset(
        ("azure", "scale", "model", "service", "user", "feature", "machine", "learning", "workflow", "leverage")
    )
    text = "A pipeline is a list of steps. Each machine learning step has a model. Nothing else is in it."
    assert passage(text, (said,)) == "Each machine learning step has a model."


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("Nothing to open here.", []),
        ("Only http://one.example/map/0!", ["http://one.example/map/0"]),
        ("See https://one.example/f and https://two.example/p.", ["https://one.example/f", "https://two.example/p"]),
        ("[x](https://a.example/b)", ["https://a.example/b"]),
        ("[one](http://one.example), (see https://two.example/f).", ["http://one.example", "https://two.example/f"]),
        ("**https://one.example/p** or `https://two.example/q`", ["https://one.example/p", "https://two.example/q"]),
        ("(see https://en.example/wiki/Foo_(bar)).", ["https://en.example/wiki/Foo_(bar)"]),
        ("`https://en.example/wiki/Foo_(bar)`", ["https://en.example/wiki/Foo_(bar)"]),
        ("(https://one.example/f)", ["https://one.example/f"]),
        ("<https://one.example/f>, then", ["https://one.example/f"]),
        ('<a href="https://one.example/f">', ["https://one.example/f"]),
        ("{'url': 'https://one.example/f'}]", ["https://one.example/f"]),
        ("https://one.example/a[0]", ["https://one.example/a[0]"]),
        ("https://one.example/a{b}.", ["https://one.example/a{b}"]),
        ("really https://one.example/f?!...", ["https://one.example/f"]),
        ("https://one.example/a).),", ["https://one.example/a"]),
        ("https://one.example/)(x)", ["https://one.example/)(x)"]),
        ("https://one.example/x=1&y=2#z_", ["https://one.example/x=1&y=2#z_"]),
        ("https://one.example/", ["https://one.example/"]),
        ("twice https://one.example https://one.example", ["https://one.example", "https://one.example"]),
        ("نگاه کنید به https://one.example/فارسی\u2028و", ["https://one.example/فارسی"]),
        ("nohttps://one.example", ["https://one.example"]),
        ("begins with `https://`, or https://...", []),
        ("ftp://one.example, www.one.example", []),
        ("详见 https://one.example/a。它很长，建于1368年。", ["https://one.example/a"]),
        (
            "https://one.example/wiki/长城，https://two.example/b、c",
            ["https://one.example/wiki/长城", "https://two.example/b"],
        ),
        (
            "真的吗：https://one.example/a？是！https://two.example/b！",
            ["https://one.example/a", "https://two.example/b"],
        ),
        (
            "（見https://one.example/a）、https://one.example/b；『https://one.example/c』",
            [f"https://one.example/{x}" for x in "abc"],
        ),
        (
            "「https://ja.example/wiki/富士山」と【https://two.example/q】",
            ["https://ja.example/wiki/富士山", "https://two.example/q"],
        ),
        (
            "《https://one.example/a》〈https://one.example/b〉｢https://one.example/c｣｡",
            [f"https://one.example/{x}" for x in "abc"],
        ),
        ("https://one.example/a·https://two.example/b…", ["https://one.example/a", "https://two.example/b"]),
        ("https://ko.example/wiki/서울에서 봅니다.", ["https://ko.example/wiki/서울에서"]),
        ("See “https://one.example/a”. ‘https://two.example/b’", ["https://one.example/a", "https://two.example/b"]),
        (
            "Siehe »https://one.example/a« und „https://two.example/ü“.",
            ["https://one.example/a", "https://two.example/ü"],
        ),
        ("« https://one.example/été », ‹https://two.example/b›", ["https://one.example/été", "https://two.example/b"]),
        ("(https://en.wikipedia.org/wiki/A_(b))", ["https://en.wikipedia.org/wiki/A_(b)"]),
        ("(https://en.wikipedia.org/wiki/A_(b)", ["https://en.wikipedia.org/wiki/A_(b)"]),
        ("（https://zh.example/wiki/A_(b)）", ["https://zh.example/wiki/A_(b)"]),
        ("https://one.example/a（b）", ["https://one.example/a"]),
        ("هل رأيت https://ar.example/wiki/دالاس،_تكساس؟", ["https://ar.example/wiki/دالاس،_تكساس"]),
        ("دیکھیے https://ur.example/wiki/لاہور۔ اور", ["https://ur.example/wiki/لاہور"]),
        ("देखें https://hi.example/wiki/आगरा। और", ["https://hi.example/wiki/आगरा"]),
        ("https://th.example/wiki/กรุงเทพ และ", ["https://th.example/wiki/กรุงเทพ"]),
        ("ראו https://he.example/wiki/ירושלים: כאן", ["https://he.example/wiki/ירושלים"]),
        (
            "https://am.example/ሀ። https://my.example/မြန်မာ။ https://hy.example/ա։",
            ["https://am.example/ሀ", "https://my.example/မြန်မာ", "https://hy.example/ա"],
        ),
        ("https://。 и https://ru.example/Кремль…", ["https://ru.example/Кремль"]),
    ],
)
def test_a_link_ends_where_the_sentence_around_it_goes_on(text, links):
    assert find_links(text) == links


ENDS = [*map(chr, range(0x80, 0x110000))]
ENDS = [character for character in ENDS if category(character) in {"Pi", "Pf", "Ps", "Pe"}]


def test_a_link_ends_before_every_bracket_and_quotation_mark_of_unicode():
    assert len(ENDS) > 150
    for character in {*ENDS, *"。，、；：！？…·「」『』【】《》〈〉（）", *'<>"\u3000\u2028'}:
        assert find_links(f"https://one.example/a{character}b") == ["https://one.example/a"], character


@given(st.text(st.characters(categories=["L", "Nd", "Mn", "Mc"]), min_size=1), st.sampled_from(ENDS), st.text())
def test_the_letters_of_every_script_belong_to_a_link(letters, end, after):
    assert find_links(f"https://one.example/{letters}{end}{after}")[0] == f"https://one.example/{letters}"


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_link_at_the_end_of_any_sentence_is_whole_and_in_one_sentence(lang):
    for text in SENTENCES[lang]:
        if find_links(text):
            continue
        for sentence in text.replace("\n", "").split("|"):
            words = "".join(letter if category(letter)[0] in "LMN" else " " for letter in sentence).split()
            link = f"https://one.example/wiki/{max(words, key=len)}"
            end = len(sentence.rstrip())
            while category(sentence[end - 1])[0] == "P" and sentence[end - 1] != "၏":  # a particle of Burmese
                end -= 1
            for before in ("", " ", "（", "“", "«"):
                written = f"{sentence[:end]}{before}{link}{sentence[end:]}"
                assert find_links(written) == [link]
                assert any(link in written[slice(*span)] for span in split_sentences(written, lang)), written


def test_a_tools_output_is_read_at_every_depth_keys_too():
    output = {
        "none": None,
        "n": 3,
        "results": [{"url": "https://one.example/a", "deep": [[["see https://two.example/b."]], True]}],
        "https://three.example/c": {"x": 1.5},
        "text": "https://four.example and https://five.example",
    }

    assert find_links_in_json(output) == [
        "https://one.example/a",
        "https://two.example/b",
        "https://three.example/c",
        "https://four.example",
        "https://five.example",
    ]
    assert find_links_in_json("https://one.example") == ["https://one.example"]
    assert find_links_in_json(None) == find_links_in_json(7) == find_links_in_json([]) == []


def test_an_output_nested_deeper_than_python_recurses_is_read_all_the_same():
    output = "https://one.example"
    for _ in range(100_000):
        output = [output]
    assert find_links_in_json(output) == ["https://one.example"]


@given(st.text(st.sampled_from("htps:/.,)(]}[{*`'\"< >a\u2028")))
def test_every_link_stands_in_the_text_and_is_its_own_only_link(text):
    for link in find_links(text):
        assert link in text
        assert find_links(link) == [link]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_is_read_in_the_order_in_which_it_is_written(value):
    links = find_links_in_json({"before": "https://first.example", "value": value, "after": ["https://last.example"]})
    assert links[0] == "https://first.example"
    assert links[-1] == "https://last.example"
    assert find_links_in_json(json.loads(json.dumps(value))) == links[1:-1]


@pytest.mark.parametrize("unit", [")", "()", "(", ".)", "*", "http://", "https://a.example/) ", "]})"])
def test_a_hostile_megabyte_does_not_hold_the_window_up(unit):
    # Seconds for linear work; hours, were the stripping of brackets to look at the whole link each time.
    text = "https://a.example/" + unit * (1_000_000 // len(unit))
    assert all(link.startswith("http") for link in find_links(text))
