"""What each answer of a WebDAV server means. The table of the design, written down a second time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.http.request import MAX_RETRY_AFTER, HttpError
from desktop_rater.hub.errors import RETRIED_ERROR_KINDS, HubError
from desktop_rater.hub.server import exchange_error, is_web_page, response_error

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
VERBS = ["GET", "HEAD", "PUT", "MKCOL", "PROPFIND", "MOVE", "DELETE", "OPTIONS"]
EVERYWHERE = {
    401: "sign_in",
    403: "rights",
    405: "not_a_hub",
    407: "not_a_hub",
    408: "away",
    412: "other",
    413: "too_large",
    423: "busy",
    425: "busy",
    429: "busy",
    500: "away",
    501: "not_a_hub",
    502: "away",
    503: "busy",
    504: "away",
    507: "full",
    511: "not_a_hub",
    520: "away",
    200: "not_a_hub",
    206: "not_a_hub",
    304: "not_a_hub",
}
MOVED = (300, 301, 302, 303, 307, 308)


def meaning(verb, status, **headers):
    return response_error(verb, status, {k.replace("_", "-"): v for k, v in headers.items()}, "hub.example", NOW)


@pytest.mark.parametrize("verb", VERBS)
def test_every_answer_has_a_meaning(verb):
    assert {status: meaning(verb, status).kind for status in EVERYWHERE} == EVERYWHERE
    assert {meaning(verb, status, location="https://new.example/").kind for status in MOVED} == {"moved"}
    writes = verb in ("PUT", "MKCOL", "MOVE")
    assert meaning(verb, 404).kind == meaning(verb, 410).kind == ("place" if writes else "gone")
    assert (meaning(verb, 409).kind == "place") is writes
    assert (meaning(verb, 422).kind == "too_large") is writes


@given(
    st.sampled_from(VERBS),
    st.integers(100, 999),
    st.dictionaries(
        st.sampled_from(["location", "retry-after", "date", "www-authenticate", "content-type"]), st.text(max_size=300)
    ),
)
def test_no_answer_is_without_words(verb, status, headers):
    trouble = response_error(verb, status, headers, "hub.example", NOW)
    assert isinstance(trouble, HubError)
    assert trouble.title
    assert trouble.message
    assert "{" not in trouble.title + trouble.hint
    assert trouble.retry_after is None or 0 <= trouble.retry_after <= MAX_RETRY_AFTER
    assert trouble.retry_after is None or trouble.kind in RETRIED_ERROR_KINDS


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after": "0"}, 0),
        ({"retry_after": "999999999999999999999"}, MAX_RETRY_AFTER),
        ({"retry_after": "Fri, 20 Nov 2026 12:01:00 GMT"}, 60),
        # A server whose clock is an hour ahead means a minute, not an hour and a minute.
        ({"retry_after": "Fri, 20 Nov 2026 13:01:00 GMT", "date": "Fri, 20 Nov 2026 13:00:00 GMT"}, 60),
        ({"retry_after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-5"}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("status", [429, 503, 423])
def test_a_busy_server_says_how_long(status, said, seconds):
    assert meaning("PUT", status, **said).retry_after == seconds


def test_what_a_server_asks_for_counts_only_where_waiting_helps():
    assert meaning("PUT", 403, retry_after="7").retry_after is None


@pytest.mark.parametrize(
    ("location", "named"),
    [
        ("https://other.example/login?token=hunter2-canary", "other.example"),
        ("https://u:hunter2-canary@other.example:8443/", "other.example:8443"),
        ("https://HUB.example:8443/hunter2-canary", "redirects to hub.example:8443."),
        ("/elsewhere/hunter2-canary", "another address there"),
        ("", "another address there"),
        ("https://[", "can't be read"),
        ("https://other.example:99999999/hunter2-canary", "can't be read"),
    ],
)
def test_a_redirect_names_the_new_host_and_nothing_that_lets_anybody_in(location, named):
    words = str(meaning("GET", 302, location=location))
    assert named in words
    assert "hunter2" not in words


def test_a_server_that_wants_another_way_of_signing_in_says_so():
    digest = meaning("GET", 401, www_authenticate='Digest realm="x"')
    assert digest.kind == "sign_in"
    assert "Digest" in str(digest)
    assert "Digest" not in str(meaning("GET", 401, www_authenticate='Basic realm="x"'))


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [
        ("unreachable", "away"),
        ("timeout", "away"),
        ("certificate", "certificate"),
        ("protocol", "not_a_hub"),
        ("too_large", "not_a_hub"),
    ],
)
def test_an_exchange_that_broke_off_has_a_meaning_too(kind, becomes):
    trouble = exchange_error(HttpError(kind, "for a reason"), "hub.example")
    assert trouble.kind == becomes
    assert "hub.example: for a reason." in str(trouble)


@pytest.mark.parametrize(
    ("kind", "beginning", "page"),
    [
        ("text/html; charset=utf-8", b"PK\x03\x04", True),
        ("TEXT/HTML", b"", True),
        ("application/zip", b"\xef\xbb\xbf \r\n<!DOCTYPE HTML><html>", True),
        ("", b"<HTML lang=en>", True),
        ("application/zip", b"PK\x03\x04", False),
        ("application/octet-stream", b'{"format":"desktop-rater/hub"}', False),
        ("application/xml", b'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:"/>', False),
    ],
)
def test_a_page_for_people_is_told_by_its_type_or_its_bytes(kind, beginning, page):
    assert is_web_page({"content-type": kind}, beginning) is page
