"""Meaning that a page carries by its look is in the plain text too: powers, notes, struck text, formulas, tables."""

import pytest

from desktop_rater.text.quotes import find_quote, written_forms
from tests.pages.reading_pages import read

MATH = "<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>"
ANNOTATED = """<math alttext="{\\displaystyle x_{1}}"><semantics><msub><mi>x</mi><mn>1</mn></msub>
<annotation encoding="application/x-tex">{\\displaystyle x_{1}}</annotation></semantics></math>"""
TEXTS = [
    # powers and indices
    ("10<sup>6</sup> tonnes", "10⁶ tonnes"),
    ("5&nbsp;km<sup>2</sup>.", "5 km²."),
    ("H<sub>2</sub>O and CO<sub>2</sub>", "H₂O and CO₂"),
    ("10<sup>\u22129</sup> or 10<sup>-9</sup>", "10⁻⁹ or 10⁻⁹"),
    ("10<sup>2.5</sup>", "10^(2.5)"),
    ("x<sup>n-1</sup>", "xⁿ⁻¹"),
    ("x<sup>n + 1</sup>", "x^(n + 1)"),
    ("x<sub>i</sub> of N<sub>A</sub>", "xᵢ of N_(A)"),
    ("SO<sub>4</sub><sup>2\u2212</sup>", "SO₄²⁻"),
    ("Na<sup>+</sup>", "Na⁺"),
    ("<sup>14</sup>C", "¹⁴C"),
    ("e<sup>x<sup>2</sup></sup>", "e^(x²)"),
    ("10<sup><b>9</b></sup>", "10⁹"),
    ("10<sup> 9 </sup>units", "10⁹ units"),
    ("10<span style='vertical-align: super'>9</span>", "10⁹"),
    ("CO<span style='VERTICAL-ALIGN:sub'>2</span>", "CO₂"),
    ("<a href=/area>5 km<sup>2</sup></a>", "5 km²"),
    # raised, and no power
    ("the 21<sup>st</sup> century", "the 21st century"),
    ("XIX<sup>e</sup> si\u00e8cle", "XIXe si\u00e8cle"),
    ("Brand<sup>\u00ae</sup> and<sup>*</sup>", "Brand\u00ae and*"),
    ("some <sup>new</sup> words", "some new words"),
    # notes
    ("in 1889<sup class=reference><a href='#c'>[12]</a></sup>.", "in 1889[12]."),
    ("in 1889<sup><a href='#n'>1</a></sup>.", "in 1889[1]."),
    ("in 1889<a href='#n'><sup>1</sup></a>.", "in 1889[1]."),
    ("in 1889<sup class='footnote-ref'>3</sup>.", "in 1889[3]."),
    ("in 1889<sup><a href='https://other.example/'>1</a>, <a href='#2'>2</a></sup>.", "in 1889[1, 2]."),
    ("so<sup>[<i><a href='/c'>citation needed</a></i>]</sup>", "so[citation needed]"),
    # the numbers of lists
    ("<ol start=5><li>a<li value=9>b<li>c</ol><p>d", "5. a\n9. b\n10. c\nd"),
    ("<ol reversed><li>a<li>b<ul><li>c</ul></ol><ol><li>d</ol>", "2. a\n1. b\nc\nd"),
    ("<ol type=a start=3><li>a</ol><ol start=0><li><li><p>b<p>c</ol>", "a\n1. b c"),
    # struck and inserted text
    ("struck <s>1900</s> <ins>1901</ins>.", "struck 1901."),
    ("struck <del>1900</del>.", "struck."),
    ("<strike>1900</strike> 1901", "1901"),
    ("a <span style='text-decoration: line-through'>b</span> c", "a c"),
    ("a <span style='text-decoration-line: underline line-through'>b</span> c", "a c"),
    ("a <u>b</u> <span style='text-decoration: underline'>c</span>", "a b c"),
    ("<span class='price line-through'>$20</span> $15", "$15"),
    ("23<s>4</s>5", "235"),
    ("costs <s>not</s>, and", "costs, and"),
    ("10<sup><s>6</s>9</sup>", "10⁹"),
    ("<del>gone<p>gone too</del><p>here", "here"),
    ("<p style='text-decoration:line-through'>gone<p>here", "here"),
    # quotations, readings, abbreviations, line breaks
    ("He said <q>yes</q>.", "He said \u201cyes\u201d."),
    ("<ruby>\u6771\u4eac<rp>(</rp><rt>\u3068\u3046</rt><rp>)</rp></ruby>\u306f", "\u6771\u4eac\u306f"),
    ("<ruby>\u6771\u4eac<rt><b>\u3068\u3046</b></rt></ruby>\u306f", "\u6771\u4eac\u306f"),
    ("<abbr title='World Health Organization'>WHO</abbr>", "WHO"),
    ("a<br>b and 23<wbr>500 soft&shy;ware", "a b and 23500 software"),
    # what can't be seen, and what screen readers are not told
    ("a<span hidden>b</span><span style='display:none'>c</span><i style='visibility: hidden'>d</i>", "a"),
    ("a <span aria-hidden=true>b</span>", "a b"),
    # formulas
    (MATH, "E=mc²"),
    ("<math><mfrac><mn>1</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>", "1/(n+1)"),
    ("<math><msqrt><mn>2</mn></msqrt></math>", "√2"),
    ("<math><mroot><mi>x</mi><mn>3</mn></mroot></math>", "³√x"),
    ("<math><munderover><mo>\u2211</mo><mi>i</mi><mi>n</mi></munderover></math>", "\u2211ᵢⁿ"),
    (ANNOTATED, "x₁"),
    (r"<math alttext='\pi'></math>", r"\pi"),
    (f"<span class=katex><span>{MATH}</span><span class='katex-html' aria-hidden=true>E=mc2</span></span>", "E=mc²"),
    (r"<img alt='{\displaystyle E=mc^{2}}'>", "[E=mc^{2}]"),
    # code
    ("<pre>a = 10<sup>6</sup>\n  b<del>old</del></pre>", "a = 10⁶\nb"),
]
CITIES = "<tr><th>City<th>Country<th>Area km<sup>2</sup>"
TABLES = [
    (f"{CITIES}<tr><td>Tokyo<td>Japan<td>2194", "City: Tokyo | Country: Japan | Area km²: 2194"),
    ("<thead><tr><td>City<td>m<tbody><tr><td>Tokyo<td>37<s>4</s>", "City: Tokyo | m: 37"),
    ("<tr><th>City<th>m<tr><td><td>5", "m: 5"),
    ("<tr><th>Height<td>330 m<tr><th>Built<td>1889", "Built | 1889"),
    ("<tr><td>a<td>b<tr><td>c<td>d", "c | d"),
    ("<tr><th rowspan=2>City<th colspan=2>Pop.<tr><th>2010<th>2020<tr><td>Tokyo<td>36<td>37",
     "City: Tokyo | Pop. 2010: 36 | Pop. 2020: 37"),
    ("<tr><th>Country<th>City<tr><td rowspan=2>Japan<td>Tokyo<tr><td>Osaka", "Country: Japan | City: Osaka"),
    ("<tr><th>m<th>City<th>Country<tr><td>1<td>Tokyo<td rowspan=2>Japan<tr><td>2<td>Osaka",
     "Country: Japan | m: 2 | City: Osaka"),
    ("<tr><th>Year<th>Note<tr><td>1938<td>Peace<tr><td colspan=2>The war", "The war"),
    ("<tr><th>Year<th>Note<tr><td>1939<td>First.<p>Second. Third.", "Year: 1939 | Note: First. Second. Third."),
]  # fmt: skip


@pytest.mark.parametrize(("html", "text"), TEXTS)
def test_a_look_that_means_something_is_in_the_plain_text(reader, html, text):
    assert read(reader, html).whole_text == text


@pytest.mark.parametrize(("rows", "last"), TABLES)
def test_a_row_of_a_table_is_read_with_its_headings(reader, rows, last):
    page = read(reader, f"<table>{rows}</table>")

    assert page.whole_text.splitlines()[-1] == last


def test_struck_text_is_shown_struck_though_it_is_in_no_quote(reader):
    page = read(reader, "<p>In <s>1900</s> 1901")

    assert page.whole_html == "<p>In <s>1900</s> 1901</p>"


def test_a_long_table_is_shown_as_lines_that_have_their_headings_in_the_text(reader):
    page = read(reader, "<table><tr><th>A<th>B" + "<tr><td>1<td>2" * 300 + "</table>")

    assert page.whole_text.splitlines()[-1] == "A: 1 | B: 2"
    assert page.whole_html.endswith("<p>1 | 2</p>")


@pytest.mark.parametrize("quote", ["of 106 tonnes", "of 10^6 tonnes", "of 10^(6) tonnes", "of 10⁶ tonnes"])
def test_a_quote_is_found_whatever_its_notation_of_a_power_is(quote):
    assert find_quote("A ship of 10⁶ tonnes.", quote) == (7, 20)


@pytest.mark.parametrize(
    ("query", "text"),
    [("10^9 tonnes", "10⁹ tonnes"), ("CO2", "CO₂"), ("CO₂", "CO2"), ("km2", "km²"), ("10^-9", "10⁻⁹")],
)
def test_a_search_is_for_all_notations_of_a_power_or_an_index(query, text):
    assert text in written_forms(query)
