"""The links that a rater has to open are the ones that stand there."""

import json
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.urls import find_links, find_links_in_json
from tests.text.sentences_by_language import SENTENCES


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
def test_a_link_ends_where_the_sentence_around_it_goes_on(text: str, links: list[str]):
    assert find_links(text) == links


ENDS = [*map(chr, range(0x80, 0x110000))]
ENDS = [character for character in ENDS if category(character) in {"Pi", "Pf", "Ps", "Pe"}]


def test_a_link_ends_before_every_bracket_and_quotation_mark_of_unicode():
    assert len(ENDS) > 150
    for character in {*ENDS, *"。，、；：！？…·「」『』【】《》〈〉（）", *'<>"\u3000\u2028'}:
        assert find_links(f"https://one.example/a{character}b") == ["https://one.example/a"], character


@given(st.text(st.characters(categories=["L", "Nd", "Mn", "Mc"]), min_size=1), st.sampled_from(ENDS), st.text())
def test_the_letters_of_every_script_belong_to_a_link(letters: str, end: str, after: str):
    assert find_links(f"https://one.example/{letters}{end}{after}")[0] == f"https://one.example/{letters}"


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_link_at_the_end_of_any_sentence_is_whole_and_in_one_sentence(lang: str):
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
def test_every_link_stands_in_the_text_and_is_its_own_only_link(text: str):
    for link in find_links(text):
        assert link in text
        assert find_links(link) == [link]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_is_read_in_the_order_in_which_it_is_written(value: object):
    links = find_links_in_json({"before": "https://first.example", "value": value, "after": ["https://last.example"]})

    assert links[0] == "https://first.example"
    assert links[-1] == "https://last.example"
    assert find_links_in_json(json.loads(json.dumps(value))) == links[1:-1]


@pytest.mark.parametrize("unit", [")", "()", "(", ".)", "*", "http://", "https://a.example/) ", "]})"])
def test_a_hostile_megabyte_does_not_hold_the_window_up(unit: str):
    # Seconds for linear work; hours, were the stripping of brackets to look at the whole link each time.
    text = "https://a.example/" + unit * (1_000_000 // len(unit))

    assert all(link.startswith("http") for link in find_links(text))
