"""An article on a server of the test, and how a rater reads it."""

from tests.ui.rooms import press

PATIENT = 20_000
FIRST = "The camp at Étaples held a hundred thousand men at a time, with a hospital line and a piggery beside it."
SECOND = "None of this makes Étaples the birthplace 😀 of the pandemic."
THIRD = "A century on, no single place of origin commands the assent of the field."
FOURTH = "What the camp does show is that an illness could smoulder behind the front for eighteen months."
ARTICLE = f"""<!doctype html><html lang="en"><head><title>Étaples reconsidered</title>
<meta name="author" content="Margaret Oyelaran"></head><body><nav><a href="/other">Elsewhere</a></nav><article>
<h1>Étaples reconsidered</h1><p>{FIRST}</p><p>{SECOND} {THIRD}</p><p>{FOURTH} <a href="/diary">The diary</a>.</p>
</article></body></html>"""
CLAIM = "No single place of origin commands the assent of the field."
HTML = "text/html; charset=utf-8"


def serve(httpserver, html=ARTICLE):
    """Let the server have that article, and give its URL."""
    httpserver.clear()
    httpserver.expect_request("/article").respond_with_data(html, content_type=HTML)
    httpserver.expect_request("/diary").respond_with_data(
        f"<title>Diary</title><p>{FIRST}</p><p>{FOURTH}</p>", content_type=HTML
    )
    return address(httpserver, "/article")


def address(httpserver, path):
    return f"http://127.0.0.1:{httpserver.port}{path}"


def read(room, qtbot, url):
    """Open a page, and read it with the keys."""
    room.browsing.open(url)
    qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading, timeout=PATIENT)
    assert room.browsing.page.shows, room.browsing.page.why
    room.window.preview.focus_page()


def reader(room):
    return room.window.preview.reader


def choose(room, words, *keys):
    """Select words on the page, as the mouse would, and press keys."""
    start = reader(room).text.index(words)
    assert reader(room).select(start, start + len(words))
    press(*keys)


def read_and_choose(room, qtbot, url, words, *keys):
    read(room, qtbot, url)
    choose(room, words, *keys)


def pieces(room):
    return room.session.rating.evidence
