"""What a rater reads of pages of many kinds: the words of the page, its facts, its links, and nothing around them."""

import pytest

from desktop_rater.pages.html_page import count_left_out
from desktop_rater.pages.html_tree import HtmlBlock, TextRun
from desktop_rater.pages.response import Redirect
from tests.pages.reading_pages import read, stored


def links(page):
    return {link.text: link.url for link in page.links}


def test_an_article_shows_its_text_without_what_stands_around_it(reader):
    page = read(reader, stored("article"))

    assert (page.state, page.why, page.shows) == ("ok", "", True)
    assert page.title == "How the first wave reached Haskell County"
    assert (page.site, page.author, page.published, page.lang) == (
        "War and Medicine",
        "Ada Thorne",
        "2018-03-04",
        "en-GB",
    )
    lines = page.text.split("\n")
    assert lines[0] == "How the first wave reached Haskell County"
    assert "H₂O and x < y & z stay as they are. So does a line break." in lines
    assert {"admissions", "deaths", "year cases", "1918 1100"} <= set(lines)
    assert "Most read" not in lines
    assert "color: red" not in page.whole_text
    assert "Most read" in page.whole_text
    assert page.images == 1, "not the pixel of a tracker"


def test_words_and_links_stay_as_the_page_has_them(reader):
    page = read(reader, stored("article"))

    assert '<a href="https://site.example/places/haskell">Haskell County</a>' in page.html
    assert "<b>1,720 inhabitants</b> then. Young men left it for <i>Camp Funston</i>" in page.html
    assert "<pre>year  cases\n1918   1100\n1919     40</pre>" in page.html
    assert "<blockquote><p>The evidence is suggestive, no more.</p></blockquote>" in page.html
    assert links(page)["Privacy"] == "https://site.example/privacy"
    assert "[Loring Miner at his desk]" in page.whole_text
    assert "img" not in page.whole_html


def test_news_come_without_the_banner_the_menus_and_the_offers(reader):
    page = read(reader, stored("news"))

    assert (page.title, page.site) == ("Council votes to close the old bridge", "The Harbour Post")
    assert (page.author, page.published) == ("Ben Okoye", "2026-10-02")
    assert page.state == "ok", "a password field in a corner makes no login of a page that shows its text"
    for noise in ("842 partners", "Weather", "newsletter", "Ferry timetable", "Imprint"):
        assert noise not in page.text
        assert noise in page.whole_text
    assert page.text.count("\n") >= 4
    assert "mailto:" not in page.whole_html


def test_an_encyclopedia_keeps_tables_and_footnote_marks(reader):
    page = read(reader, stored("encyclopedia"))

    assert "<table>" in page.html
    assert '<th colspan="2">Facts</th>' in page.html
    assert "<caption>Depth by year</caption>" in page.html
    assert "It is the deepest lake of the region[1] and was formed" in page.text
    assert "Area | 41.3 km²" in page.text.split("\n")
    assert links(page)["Report 7"] == "https://survey.example/report?id=7&x=1"
    assert "#cite_note" not in page.whole_html, "a place in the page itself leads nowhere in a text browser"
    assert "Brandt, F. Die Seen" in page.whole_text


def test_each_post_of_a_thread_is_there(reader):
    page = read(reader, stored("forum"))

    for words in ("my loaves stay flat", "oven with only the light on", "warm water: 38 degrees", "Doubled in 80"):
        assert words in page.text
    assert "Posts: 4,310" not in page.text


def test_a_recipe_keeps_its_ingredients_and_its_steps(reader):
    lines = read(reader, stored("recipe")).text.split("\n")

    assert lines.index("250 g red lentils") < lines.index("juice of 1 lemon")
    assert "Per plate: Energy | 310 kcal" in lines
    assert "Made it twice, wonderful!" not in lines


@pytest.mark.parametrize(
    ("name", "words", "count"), [("prices", "310,00 €", 1), ("list", "Ångerman, 460 km", 1), ("soft404", "moved", 1)]
)
def test_a_page_with_little_running_text_is_shown_all_the_same(reader, name, words, count):
    page = read(reader, stored(name))

    assert page.state == "ok"
    assert page.text.count(words) == count
    assert "Kurse" not in page.text


def test_a_page_that_javascript_builds_says_so(reader):
    page = read(reader, stored("javascript"))

    assert page.state == "ok"
    assert not page.shows
    assert "JavaScript" in page.why


def test_a_page_of_frames_offers_them_as_links(reader):
    page = read(reader, stored("frames"))

    assert "frames" in page.why
    assert [link.url for link in page.links] == [
        "https://site.example/dir/menu.htm",
        "https://site.example/dir/main.htm",
    ]
    assert '<a href="https://site.example/dir/main.htm">main</a>' in page.html


@pytest.mark.parametrize(("name", "words"), [("login", "open to members"), ("paywall", "nine, and the farmers")])
def test_a_login_and_a_paywall_say_what_they_are_and_show_what_there_is(reader, name, words):
    page = read(reader, stored(name))

    assert page.state == "login"
    assert page.shows
    assert words in page.text
    assert page.why


@pytest.mark.parametrize(
    ("status", "body", "state"),
    [
        (401, "<p>No", "login"),
        (402, "<p>No", "login"),
        (403, "<p>No", "refused"),
        (403, "<h1>Log in</h1><input type=password>", "login"),
        (404, "<h1>No such page</h1>", "not_found"),
        (410, "<p>Gone", "not_found"),
        (418, "<p>No", "refused"),
        (429, "<p>Slow down", "refused"),
        (500, "<p>Fault", "failed"),
        (503, "", "failed"),
        (204, "", "ok"),
    ],
)
def test_the_status_decides_the_state_and_there_is_a_sentence_for_it(reader, status, body, state):
    page = read(reader, body, status=status)

    assert (page.state, page.status) == (state, status)
    assert page.why.endswith(".")


def test_the_way_to_the_page_is_told(reader):
    hop = Redirect(url="https://old.example/", status=301)
    page = read(reader, "<title>New</title><p>Hello", url="https://new.example/", hops=(hop,))

    assert (page.url, page.final_url) == ("https://old.example/", "https://new.example/")
    assert page.redirects == ("https://old.example/",)
    assert (page.fetched, page.media_type, page.site) == ("2026-11-20T09:00:00Z", "text/html", "new.example")


def test_a_page_that_only_sends_on_is_not_followed_but_offered(reader):
    page = read(reader, "<meta http-equiv=refresh content=\"0; URL='/next'\">")

    assert [link.url for link in page.links] == ["https://site.example/next"]
    assert "https://site.example/next" in page.why


def test_what_cannot_be_seen_in_a_browser_is_not_read_here(reader):
    body = (
        "<p>Seen<p hidden>one<p style='display: none'>two<script>three</script><template>four</template><!-- five -->"
    )

    assert read(reader, body).whole_text == "Seen"


def test_the_old_way_of_laying_pages_out_with_tables_is_read_as_text(reader):
    body = "<table><tr><td><table><tr><td>Menu</td></tr></table></td><td><p>One.<p>Two.</td></tr></table>"

    assert read(reader, body).whole_text.split("\n") == ["Menu", "One.", "Two."]


def test_a_page_without_a_body_is_read_all_the_same(reader):
    page = read(reader, "<!doctype html><title>Geese</title><main><h1>Geese</h1><p>Live geese were bought.</p></main>")

    assert page.shows
    assert page.whole_text == "Geese\nLive geese were bought."


MUSEUM = """<title>Museum</title><body><nav><a href=/>Home</a></nav><main><h1>Harbour Museum</h1>
<p>The museum shows ships and instruments of two centuries and is open for most of the year, except on holidays.</p>
<ol><li><span>First, buy a ticket for 12 euro at the gate.</span></li><li><span>Second, show it.</span></li></ol>
<ul><li><span><a href="/terms">You may cancel within 14 days.</a></span></li></ul>
<p>The building burned down in 1921 and was rebuilt in <time>1925</time>, with money that sailors of the town gave.</p>
<figure><img src=x alt="The old crane"><figcaption>The crane lifted 20 tonnes in 1902.</figcaption></figure>
<p>It is closed on Mondays, and on the days on which a ship comes in that the town has waited for.</p></main>{more}
<footer>Copyright 2026</footer></body>"""


def test_captions_and_lists_between_the_paragraphs_are_of_the_text(reader):
    page = read(reader, MUSEUM.format(more=""))
    lines = page.text.split("\n")

    assert lines[0] == "Harbour Museum"
    assert "Second, show it." in lines
    assert "You may cancel within 14 days." in lines
    assert "The crane lifted 20 tonnes in 1902." in lines
    assert any(line.startswith("The building burned down in 1921 and was rebuilt in 1925") for line in lines)
    assert page.left_out == {}


def test_what_the_main_text_leaves_out_is_counted_by_kind(reader):
    shop = "<div class=sidebar><p>Our shop sells books.<ul><li>Postcards<li>Maps</ul><p><a href=/more>More</a></div>"
    table = "<table><tr><th>Ship<th>Year<tr><td>Anna<td>1902</table>"
    page = read(reader, MUSEUM.format(more=f"<div class=sidebar>{shop}{table}</div>"))

    assert "Postcards" not in page.text
    assert "Postcards" in page.whole_text
    assert page.left_out == {"tables": 1}, "not a shop beside the article"


def test_of_what_is_left_out_only_the_parts_of_the_article_count():
    def part(text, tag="p", **more):
        return HtmlBlock(tag, (TextRun(text),), **more)

    first, last = part("The museum opened in 1902."), part("It burned down in 1921.")
    within = [part("It had a crane."), part("Read more"), part("One hall.", "li"), part("Menu.", beside="navigation")]
    around = [part("All rights reserved."), part("The harbour was built by sailors of the town. " * 10)]
    assert count_left_out([first, *within, last, *around], [first, last]) == {"paragraphs": 2, "list_items": 1}


@pytest.mark.parametrize(
    "attributes",
    ["role=dialog", "role=alertdialog", "aria-modal=true", "id=onetrust-banner-sdk", "class='cookie-notice open'"],
)
def test_a_question_for_consent_is_never_the_beginning_of_an_article(reader, attributes):
    asked = "We and our partners store cookies on a device to process personal data for advertising, if you agree. " * 8
    short = "<article><h1>Lake levels fell</h1><p>The lake fell by 1.2 metres in 2024.</p></article>"
    page = read(reader, f"<title>Lake</title><body><div {attributes}><h2>Privacy</h2><p>{asked}</div>{short}</body>")

    assert page.text == "Lake levels fell\nThe lake fell by 1.2 metres in 2024."
    assert page.whole_text.startswith("Privacy")
    assert page.left_out == {}


def test_an_article_about_cookies_and_consent_is_an_article(reader):
    text = "Cookies are small files that a site stores. Consent is asked for them in a banner. " * 6
    page = read(
        reader, f"<body class='cookie-bar-open'><div id=consent-container><h1>Consent</h1><p>{text}</div></body>"
    )

    assert page.text.startswith("Consent\nCookies are small files")
    assert page.left_out == {}


def test_struck_parts_are_counted(reader):
    page = read(reader, "<p>In <s>1900 <b>or so</b></s> 1901, <del>not</del> before.")

    assert page.left_out == {"struck": 2}
