"""A response whose author marked no targets is cut into the sentences that a reader sees."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.text.sentences import find_sentences, numbered_sentences, split_sentences
from tests.text.sentences_by_language import SENTENCES

MARKDOWN = """\
# The heading ##

An introduction: it has two sentences. This is the second one.
1. **One:** The first thing. And more.
2) Two
- [x] done
  * in C#
> - quoted, twice.

| a | b |
|---|:-:|
| c. | d |

```python
x = 1. Foo. Bar

- y
```
---
Setext
======
A first line that is broken by hand  
and goes on behind a hard break
A paragraph that was wrapped by hand at seventy columns, as
Latin writers did. 1986. A good year.
"""  # noqa: W291 - two spaces at the end are Markdown


def cut(text: str, **how) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, **how)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\u2028", "\u2029"])
def test_the_marks_of_markdown_stand_outside_the_sentences(line_end):
    expected = [
        "The heading",
        "An introduction: it has two sentences.",
        "This is the second one.",
        "**One:** The first thing.",
        "And more.",
        "Two",
        "done",
        "in C#",
        "quoted, twice.",
        "a | b",
        "c. | d",
        "x = 1. Foo. Bar\n\n- y",
        "Setext",
        "A first line that is broken by hand",
        "and goes on behind a hard break",
        "A paragraph that was wrapped by hand at seventy columns, as\nLatin writers did.",
        "1986.",
        "A good year.",
    ]

    assert cut(MARKDOWN.replace("\n", line_end), markdown=True) == [text.replace("\n", line_end) for text in expected]


def test_a_plain_list_is_cut_too_but_other_marks_are_words():
    assert cut("They are:\r\n1. One person.\r\n2.Another\r\n- a third\r\n# four\r\n\r\nThe end") == [
        "They are:",
        "One person.",
        "Another",
        "a third",
        "# four",
        "The end",
    ]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Dr. Smith met Mr. Jones. It cost 3.14 dollars!", ["Dr. Smith met Mr. Jones.", "It cost 3.14 dollars!"]),
        ("en-GB", "Mr. Bean is here. So is 👩‍👩‍👧! Yes.", ["Mr. Bean is here.", "So is 👩‍👩‍👧!", "Yes."]),
        ("en", "See https://a.example/b.html. Then go.", ["See https://a.example/b.html.", "Then go."]),
        ("en", "It runs on .NET. ASP.NET is faster.", ["It runs on .NET.", "ASP.NET is faster."]),
        ("en", "See https://A.example/Foo.Bar?X=Y. Go!", ["See https://A.example/Foo.Bar?X=Y.", "Go!"]),
        ("de", "Das gilt z.B. hier. Und am 3. Mai auch.", ["Das gilt z.B. hier.", "Und am 3. Mai auch."]),
        ("ar", "مرحبا بك. هذا اختبار؟ نعم.", ["مرحبا بك.", "هذا اختبار؟", "نعم."]),
        ("fa", "سلام. می‌خواهم بدانم؟ بله", ["سلام.", "می‌خواهم بدانم؟", "بله"]),
        ("zh-Hans", "你好。𠮷野家好吗？是", ["你好。", "𠮷野家好吗？", "是"]),
        ("ja", "これはテスト。😀です！", ["これはテスト。", "😀です！"]),
        ("he", "שלום לך. מה שלומך? טוב.", ["שלום לך.", "מה שלומך?", "טוב."]),
        ("hi", "यह एक वाक्य है। यह दूसरा है।", ["यह एक वाक्य है।", "यह दूसरा है।"]),
    ],
)
def test_offsets_count_code_points_in_every_script(lang, text, expected):
    assert cut(text, lang=lang) == expected


def offsets(marked: str) -> list[tuple[int, int]]:
    """Return the spans between the marks `|` of a text that does not have them."""
    spans, start = [], 0
    for part in marked.split("|"):
        spans.append((start, start + len(part.rstrip())))
        start += len(part)
    return spans


@pytest.mark.parametrize("lang", SENTENCES)
def test_each_language_has_its_own_sentences(lang):
    assert sum(marked.count("|") + 1 for marked in SENTENCES[lang]) >= 12
    for marked in SENTENCES[lang]:
        text = marked.replace("|", "")
        for markdown in (False, True):
            assert split_sentences(text, lang, markdown) == offsets(marked), marked


@pytest.mark.parametrize("lang", ["en", "de", "", "xx"])
def test_sentences_of_other_scripts_end_in_a_text_of_any_language(lang):
    marked = (
        "The capital is 北京。|2008年举办了奥运会。|It began in พ.ศ. 2325 there. |“没有。”|他说。"
        "|यह भारत है।|1950 it was. |ရန်ကုန်၏ အမည် ဖြစ်သည်။ |See 《去哪儿？》这部电影。"
    )
    assert split_sentences(marked.replace("|", ""), lang) == offsets(marked)


def test_a_list_and_a_table_of_another_script_stay_what_they_are():
    text = "- 北京。2008年。\n- 上海\n\n| 城市 | 年 |\n|---|---|\n| 北京。 | 2008 |"
    assert cut(text, lang="zh", markdown=True) == ["北京。", "2008年。", "上海", "城市 | 年", "北京。", "| 2008"]


def test_a_target_of_several_sentences_keeps_its_number_and_has_parts():
    text = "甲。2008年乙。丙。"
    assert list(numbered_sentences(text, "zh", markdown=False, after=0)) == [
        ((0, 2), 1, 1),
        ((2, 9), 1, 2),
        ((9, 11), 2, 1),
        ((11, 11), 2, 0),
    ]


@pytest.mark.parametrize("lang", ["", "xx", "tlh-Latn", "日本", "en\0", "../en", "e" * 1000, " EN_us "])
def test_an_unknown_language_is_cut_all_the_same(lang):
    assert cut("One here. Two there.", lang=lang) == ["One here.", "Two there."]


@pytest.mark.parametrize("text", ["", " ", "\r\n\r\n", "\u3000\t"])
def test_a_text_of_nothing_has_no_sentences(text):
    assert split_sentences(text) == split_sentences(text, markdown=True) == []


@pytest.mark.parametrize("text", ["```\n```", "---", "***\n\n* * *", "#", "- \n1. ", "|---|", "> \n>", "```"])
def test_markdown_that_says_nothing_has_no_sentences(text):
    assert split_sentences(text, markdown=True) == []


def test_a_fence_that_is_never_closed_lasts_to_the_end():
    assert cut("Code:\n~~~~ text\na. b\n~~~\n```\nc. d", markdown=True) == ["Code:", "a. b\n~~~\n```\nc. d"]
    assert cut("Use ```a. b``` here.", markdown=True) == ["Use ```a. b``` here."]


def test_a_very_long_paragraph_is_cut_like_a_short_one():
    parts = [f"Sentence number {number} is about 🦊 {number}." for number in range(2_000)]
    assert cut(" ".join(parts)) == parts


MARKS = [
    ". ",
    "! ",
    "? ",
    "。",
    "؟ ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\u2028",
    "- ",
    "1. ",
    "# ",
    "> ",
    "| ",
    "```",
    "~~~\n",
]
OTHERS = [
    "Dr. ",
    "e.g. ",
    "(",
    ")",
    '"',
    "“",
    "」",
    "😀",
    "\u200d",
    "\u0301",
    "\ud800",
    "\0",
    "\x85",
    "\ufeff",
    "word ",
    "漢",
    "ก.",
    "၏",
    "「",
    "》",
    "19. ",
]
PIECES = st.sampled_from(MARKS + OTHERS)
LANGS = st.sampled_from(["en", "de", "fr", "ar", "fa", "he", "hi", "ja", "ko", "my", "zh", "ru", "th", "xx", ""])


@settings(max_examples=500)
@given(st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join), LANGS, st.booleans())
def test_sentences_stand_in_order_apart_and_trimmed_inside_any_text(text, lang, markdown):
    spans = split_sentences(text, lang, markdown)
    last = 0
    for start, end in spans:
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        last = end


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join), LANGS)
def test_no_word_of_a_plain_text_is_left_out(text, lang):
    left = list(text)
    for start, end in split_sentences(text, lang):
        left[start:end] = [" "] * (end - start)

    # List numbers are markers; nothing else that says something may go missing.
    assert not any(character.isalpha() for character in left)


@pytest.mark.parametrize(
    "unit", ["你好。", "《", "Hello there. ", "a\n", "- a\n", "```\n", " ", "| a ", "*", ".", "> ", "#"]
)
def test_a_hostile_megabyte_is_cut_in_seconds(unit):
    text = unit * (500_000 // len(unit))
    for markdown in (False, True):
        assert len(split_sentences(text, "zh", markdown)) <= len(text)


@pytest.mark.parametrize("blank", ["\x85", "\xa0", "\u2003", "\u2028", "\u202f", "\u3000"])
def test_a_blank_of_any_width_stands_before_a_full_stop(blank):
    text = f"B{blank}.- Was it so{blank}? Yes{blank}. No."
    assert [text[start:end] for start, end in split_sentences(text)][-1] == "No."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The rule is\n\n$$\na = b\n$$\n\nand more. So.", ["The rule is\n\n$$\na = b\n$$", "and more.", "So."]),
        ("It ends.\n\n$$a = b$$\n\n\\[ \\text{speed} = c \\]", ["It ends.", "\\[ \\text{speed} = c \\]"]),
        ("If $x. Y = 1$ it holds. But \\(a! B\\) is $5.", ["If $x. Y = 1$ it holds.", "But \\(a! B\\) is $5."]),
        ("Open:\n\n$$\n\nx\n\n\\]", ["Open:", "x"]),
        (
            "A picture: ![A dog. Big one!](http://x.y/a.b?c!d) Here.",
            ["A picture: ![A dog. Big one!](http://x.y/a.b?c!d) Here."],
        ),
        ("![](http://x.example/a.png)\n\n![Two dogs][1]", ["![Two dogs][1]"]),
        ("<details>\n<summary>More here</summary>\nText.\n</details>", ["<summary>More here</summary>", "Text."]),
        ("|a|b|\n|:--|---|\n|1|2|", ["a|b", "1|2"]),
        ("👍", ["👍"]),
    ],
)
def test_formulas_pictures_and_tags_of_markdown_are_whole_and_their_marks_alone_are_no_targets(text, expected):
    assert cut(text, markdown=True) == expected


def test_a_plain_table_has_no_target_for_the_line_below_its_header_and_a_picture_is_whole():
    assert cut("| a | b |\n|---|---|\n| 1 | 2 |") == ["| a | b |", "| 1 | 2 |"]
    assert cut("See: ![A dog](http://x.example/a.png) There.") == ["See: ![A dog](http://x.example/a.png) There."]


def test_hebrew_abbreviations_do_not_join_two_sentences():
    text = 'הוא נולד בשנת 100 לפנה"ס. המלך מת. צה"ל הגיע.'
    assert cut(text, lang="he") == ['הוא נולד בשנת 100 לפנה"ס.', "המלך מת.", 'צה"ל הגיע.']


def test_the_earlier_rules_split_as_they_did():
    text = "Here is a picture: ![A dog](u)\n\n$$\na\n$$"
    assert [text[slice(*span)] for span in find_sentences(text, "en", markdown=True, earlier=True)] == [
        "Here is a picture: !",
        "[A dog](u)",
        "$$",
        "a",
        "$$",
    ]


@pytest.mark.parametrize("markdown", [False, True])
def test_numbers_are_those_of_the_earlier_rules_whether_or_not_the_rules_differ(markdown):
    text = "So it is. On ASP.NET.\n\n|---|---|\n\n- It stays. <b>\n- And ends."
    formula = "A sum.\n\n$$\nx^2\n$$"
    earlier = list(find_sentences(text, "en", markdown=markdown, earlier=True))
    numbered = list(numbered_sentences(text, "en", markdown=markdown, after=7))
    assert [(span, number) for span, number, _ in numbered] == list(zip(earlier, range(8, 20), strict=False))
    assert [span for span, _, part in numbered if part] == list(find_sentences(text, "en", markdown=markdown))
    both = list(numbered_sentences(f"{text}\n\n{formula}", "en", markdown=True, after=7))
    assert [entry for entry in both if entry[2]][:4] == [
        entry for entry in numbered_sentences(text, "en", markdown=True, after=7) if entry[2]
    ][:4]


@pytest.mark.parametrize("unit", ["![", "![a](", "$$ ", "\\[a\\] ", "<a> ", "![[", "$x$\n\n", "|-"])
def test_hostile_formulas_and_pictures_are_cut_in_seconds(unit):
    text = unit * (100_000 // len(unit))
    assert len(split_sentences(text, "en", True)) <= len(text)
