"""Whatever stands in an address, and whatever bytes come: an answer, or words that say why there is none."""

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.pages.guard import Guard, host_display, parse_web_url, redirect_target
from desktop_rater.pages.response import WebError
from tests.pages.fetching import fetched
from tests.pages.servers import HostileServer

STARTS = st.sampled_from(["", "http://", "https://", "http:/", "//", "HTTP://example.org", "http://1", "http://[", "/"])
WORDS = st.text(st.one_of(st.characters(), st.sampled_from("@:/?#[]\\%.0x1-。①\u00ad\u202e\ud800")), max_size=40)
HEADS = st.sampled_from(
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        b"HTTP/1.0 302 Found\r\nLocation: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08",
        b"HTTP/1.1 200 OK\r\nContent-Length: ",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ]
)


@given(STARTS, WORDS)
def test_any_text_is_an_address_or_is_refused(start, words):
    host_display(start + words)
    try:
        asked = parse_web_url(start + words)
    except WebError as error:
        assert error.state == "blocked"
        return
    assert asked.scheme in ("http", "https")
    assert asked.host.isascii()
    assert not set(asked.host) & set("@/?#\\% \r\n")
    assert all(0x20 < byte < 0x7F for byte in asked.target)
    assert asked.target.startswith(b"/")


@given(STARTS, WORDS)
def test_any_redirect_leads_to_the_web_or_is_refused(start, words):
    try:
        Guard().check_url(redirect_target("https://example.org/a/b?c", start + words))
    except WebError as error:
        assert error.state == "blocked"


@settings(max_examples=150, deadline=None)
@given(HEADS, st.binary(max_size=60))
def test_any_bytes_are_an_answer_or_trouble(head, rest):
    with HostileServer() as server:
        try:
            answer = fetched(server.url(f"/say?bytes={(head + rest).hex()}"))
        except WebError as error:
            assert error.title
            return
        assert 200 <= answer.status < 1000
