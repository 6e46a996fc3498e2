"""The page of a report: it stands alone, says what the window says, and what others wrote is text in it."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from desktop_rater.audit.charts.svg import SIGNS
from desktop_rater.audit.html_report import PageColors, render_html
from desktop_rater.audit.report_format import Wording
from desktop_rater.rubric.load import CHOICE_SHAPES, CHOICE_TONES
from desktop_rater.stats.cluster_bootstrap import few_clusters
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT
from tests.audit.reports import NAMES, differing, picture_report

COLORS = PageColors(ink_colors(LIGHT), ink_colors(DARK))
HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "</title></style></svg><img src=x onerror=alert(1)>",
    "&lt;b&gt; & 'quotes' \"double\"",
    "\u202egnirts\u2066 \x00\x1b[31m",
    "r" * 1_000_000,
)
TAGS = {"html", "head", "meta", "title", "style", "body", "svg", "defs", "g", "circle", "path", "rect", "use", "text"}
TAGS |= {"line", "header", "h1", "h2", "h3", "p", "bdi", "section", "div", "figure", "figcaption", "small", "details"}
TAGS |= {"summary", "table", "thead", "tbody", "tr", "th", "td", "span"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.said = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.said.append(data)


def page_of(report, words=None, **more):
    return render_html(report, words or Wording(), COLORS, **more)


def test_the_page_says_what_the_window_says_and_how_it_came_about():
    page = Page(page_of(picture_report(), lead="Lena"))
    said = " ".join(page.said)
    for words in (
        "Long answers, November",
        "by Lena",
        "5 results, 5 raters, 94 tasks",
        "computed 2026-11-18 16:52 UTC, seed 20261118",
        "212 targets with two ratings or more, 498 pairs",
        "Most often confused: Inaccurate given, Accurate by the others (12)",
        "Dashed: the 10 minutes that the rubric asks for before Unsupported.",
        "0.48 (0.38–0.57)",
        "3 tasks: too few",
    ):
        assert words in said, words


def test_each_chart_is_a_table_too():
    text = page_of(picture_report())
    figures = re.findall(r"<figure.*?</figure>", text, re.DOTALL)
    charts = [one for one in figures if 'class="chart"' in one]
    assert len(charts) == 4
    assert all("<table>" in one for one in charts)


def test_the_page_needs_nothing_from_anywhere_and_runs_nothing():
    page = Page(page_of(picture_report()))
    assert set(page.tags) <= TAGS
    assert all(value.startswith("#sign-") for name, value in page.attributes if name in {"href", "src", "xlink:href"})
    text = page_of(picture_report())
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("evil", HOSTILE)
def test_what_others_wrote_is_text_wherever_it_stands(evil):
    report = picture_report((evil, *NAMES[1:]), title=evil)
    unit = replace(differing(own=None)[0], quote=evil, task=evil)
    report = replace(report, differing=(unit,), bundle=evil)
    text = page_of(report, lead=evil)
    page = Page(text)
    assert set(page.tags) <= TAGS
    assert not [name for name, _value in page.attributes if name.startswith("on")]
    assert len(text) < 250_000, "a name of a million characters stands in each row, cut"
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", text)


def test_the_pictures_are_well_formed():
    for evil in HOSTILE:
        for drawn in re.findall(r"<svg .*?</svg>", page_of(picture_report((evil, *NAMES[1:]))), re.DOTALL):
            ET.fromstring(drawn)


def test_each_shape_and_each_tone_of_a_rubric_is_known_to_the_page():
    assert set(SIGNS) == CHOICE_SHAPES
    text = page_of(picture_report())
    for tone in CHOICE_TONES:
        name = tone.replace(" ", "-")
        assert text.count(f"--ink-{name}:") == 2, "for a light and for a dark page"
        assert text.count(f"--tint-{name}:") == 2
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    given = set(re.findall(r"(--[\w-]+):", text))
    assert used <= given


def test_the_same_report_is_the_same_page():
    assert page_of(picture_report()) == page_of(picture_report())


def test_a_reason_with_a_number_is_translated_by_its_template():
    german = {"rests on {n} tasks: too few for an interval": "{n} Aufgaben: zu wenige"}
    words = Wording(translate=lambda _context, text: german.get(text, text))
    assert words.why(few_clusters(3)) == "3 Aufgaben: zu wenige"
    assert words.why("no gold") == "no gold"
    assert Wording().why(few_clusters(3)) == "rests on 3 tasks: too few for an interval"


def test_numbers_are_written_as_the_language_does():
    words = Wording(translate=lambda _context, text: {"Raters": "Bewerter"}.get(text, text), point=",", group=".")
    text = page_of(picture_report(), words, language="de")
    assert '<html lang="de">' in text
    assert "0,48 (0,38–0,57)" in text
    assert "1.031" in text


def test_a_report_of_nothing_is_a_page_too():
    report = replace(picture_report(()), agreement=(), confusions=(), differing=(), results=0, tasks=0)
    assert "0 results, 0 raters, 0 tasks" in " ".join(Page(page_of(report)).said)
