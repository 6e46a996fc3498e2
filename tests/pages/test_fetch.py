"""What a fetch brings home, and what it never does, whatever the server does."""

import gzip
import json
import logging

import pytest

from desktop_rater.pages import warc
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import MIB
from tests.pages.fetching import fetched, refusal
from tests.pages.hostile_paths import ODD_HEADERS, gzip_bomb, page_bomb
from tests.pages.sample_pages import ARTICLE
from tests.pages.servers import CERTIFICATE, HostileServer


def test_a_page_comes_as_it_is(server):
    answer = fetched(server.url("/page"))
    assert (answer.status, answer.reason, answer.hops) == (200, "OK", ())
    assert answer.url == answer.final_url == server.url("/page")
    assert answer.raw == answer.body == ARTICLE
    assert answer.header("CONTENT-TYPE") == "text/html; charset=utf-8"
    assert answer.fetched == "2026-11-20T12:00:00Z"


def test_an_address_with_other_letters_and_blanks_in_escapes_arrives(server):
    fetched(server.url("/headers/übung?q=ä%20b&r=[1]#part"))
    assert server.requests[0].path == "/headers/%C3%BCbung"
    assert server.requests[0].query == {"q": "ä b", "r": "[1]"}


def test_each_redirect_is_told(server):
    answer = fetched(server.url("/chain/3"))
    assert [(hop.url, hop.status) for hop in answer.hops] == [(server.url(f"/chain/{left}"), 302) for left in (3, 2, 1)]
    assert answer.final_url == server.url("/page")
    assert answer.hops[0].headers[-1] == ("Location", "/chain/2")


def test_five_redirects_are_enough_and_six_too_many(server):
    assert len(fetched(server.url("/chain/5")).hops) == 5
    error = refusal(server.url("/chain/6"))
    assert error.state == "failed"
    assert len(error.hops) == 6
    assert server.hits["/page"] == 1


@pytest.mark.parametrize("path", ["/loop", "/ping"])
def test_a_circle_ends_when_it_closes(server, path):
    error = refusal(server.url(path))
    assert error.state == "failed"
    assert "loop" in str(error)
    assert server.total <= 2


def test_a_redirect_without_a_place_is_the_answer(server):
    assert fetched(server.url("/to-nowhere")).status == 302


@pytest.mark.parametrize(
    "place",
    ["file:///etc/hostname", "ftp://example.org/", "javascript:alert(1)", "http://user@example.org/", "http://[::1/"],
)
def test_a_redirect_to_anything_but_the_web_is_refused(server, place):
    error = refusal(server.url(f"/to?url={place}"))
    assert error.state == "blocked"
    assert [hop.url for hop in error.hops] == [server.url(f"/to?url={place}")]


def test_from_http_to_https_and_back_each_hop_is_told(server):
    with HostileServer(tls=True) as secure:
        back = f"/to?url={server.url('/page')}"
        answer = fetched(server.url(f"/to?url={secure.url(back)}"), certificates=str(CERTIFICATE))
    assert [hop.url.partition(":")[0] for hop in answer.hops] == ["http", "https"]
    assert answer.final_url == server.url("/page")


@pytest.mark.parametrize(
    ("path", "status"),
    [("/missing", 404), ("/gone", 410), ("/forbidden", 403), ("/sign-in", 401), ("/error", 500), ("/busy", 429)],
)
def test_a_refusal_of_the_server_is_an_answer_with_its_words(server, path, status):
    answer = fetched(server.url(path))
    assert answer.status == status
    assert b"<h1>" in answer.body


@pytest.mark.parametrize("path", ["/image", "/zip"])
def test_what_nobody_can_read_is_not_read(server, path):
    answer = fetched(server.url(path))
    assert answer.status == 200
    assert (answer.raw, answer.body) == (b"", b"")


@pytest.mark.parametrize("path", ["/gzip", "/gzip-members"])
def test_gzip_is_unpacked_and_kept_as_it_came(server, path):
    answer = fetched(server.url(path))
    assert answer.body == ARTICLE
    assert answer.raw.startswith(b"\x1f\x8b")


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("/endless", "too_large"),
        ("/endless-hints", "too_large"),
        ("/says-huge", "too_large"),
        ("/bomb", "too_large"),
        ("/bomb-page", "too_large"),
        ("/double-gzip", "broken"),
        ("/br", "broken"),
        ("/zstd", "broken"),
        ("/deflate", "broken"),
        ("/gzip-cut", "broken"),
        ("/gzip-lie", "broken"),
        ("/drip", "timeout"),
        ("/drip-headers", "timeout"),
        ("/tiny-chunks", "broken"),
        ("/silent", "timeout"),
        ("/stall", "timeout"),
        ("/nothing", "unreachable"),
        ("/reset", "unreachable"),
        ("/reset-in-body", "unreachable"),
        ("/says-more", "unreachable"),
        ("/says-negative", "failed"),
        ("/says-two", "failed"),
        ("/bad-chunks", "failed"),
        ("/long-header", "failed"),
        ("/nul-header", "failed"),
        ("/no-status-line", "failed"),
        ("/endless-headers", "failed"),
        ("/endless-trailers", "failed"),
        ("/upgrade", "failed"),
    ],
)
def test_a_hostile_answer_ends_in_words(server, path, state):
    gzip_bomb(64)  # made once, before the clock runs
    page_bomb()
    error = refusal(server.url(path))
    assert error.state == state
    assert "bytearray" not in str(error), "the words of a library, and what the server sent, are for nobody"


def test_a_short_page_may_come_in_crumbs(server):
    assert fetched(server.url("/crumbs/5000")).body == b"x" * 5000


def test_a_thousand_headers_are_read(server):
    assert fetched(server.url("/many-headers")).header("X-999") == "999"


def test_what_comes_after_the_announced_length_is_left(server):
    assert fetched(server.url("/says-less")).body == ARTICLE[:15]


def test_a_body_of_exactly_the_limit_comes_whole(server):
    size = len(ARTICLE)
    assert fetched(server.url("/page"), raw_bytes=size).body == ARTICLE
    assert refusal(server.url("/page"), raw_bytes=size - 1).state == "too_large"
    assert fetched(server.url("/gzip"), inflated_bytes=size).body == ARTICLE
    assert refusal(server.url("/gzip"), inflated_bytes=size - 1).state == "too_large"


def test_a_body_larger_than_one_step_of_unpacking_comes_whole(server):
    answer = fetched(server.url("/zeros/3"))
    assert answer.body == bytes(3 * MIB)


def test_headers_are_kept_to_the_byte_whatever_their_encoding(server, tmp_path):
    answer = fetched(server.url("/named-headers"))
    packed = warc.write_snapshot(answer)
    assert ODD_HEADERS in gzip.decompress(packed)
    file = tmp_path / "page.warc.gz"
    file.write_bytes(packed)
    assert warc.read_snapshot(file).headers == answer.headers


def test_a_redirect_in_utf_8_leads_to_where_it_says(server):
    assert fetched(server.url("/to-named")).final_url == server.url("/headers/Ångström-à")
    assert server.requests[-1].path == "/headers/%C3%85ngstr%C3%B6m-%C3%A0"


def test_cookies_are_neither_kept_nor_sent(server):
    answer = fetched(server.url("/cookie-and-on"))
    said = [name.lower() for headers in (answer.headers, answer.hops[0].headers) for name, _value in headers]
    assert "set-cookie" not in said
    assert "location" in said
    assert [request.headers.get("Cookie") for request in server.requests] == [None, None]


def test_a_request_says_nothing_of_who_asks(server):
    headers = json.loads(fetched(server.url("/headers")).body)
    assert set(headers) == {"Host", "Connection", "User-Agent", "Accept", "Accept-Language", "Accept-Encoding"}
    assert headers["Accept-Encoding"] == "identity, gzip"


def test_the_environment_sends_nobody_elsewhere(server, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with HostileServer() as elsewhere:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, elsewhere.url(""))
        headers = json.loads(fetched(server.url("/headers")).body)
        assert elsewhere.connections == 0
    assert "Authorization" not in headers


def test_no_address_stands_in_the_log(server, caplog):
    with caplog.at_level(logging.DEBUG):
        fetched(server.url("/page?token=secret"))
    assert "secret" not in caplog.text


def test_a_certificate_that_nobody_vouches_for_is_refused(server):
    with HostileServer(tls=True) as secure:
        error = refusal(secure.url("/page"))
        assert secure.total == 0
        assert fetched(secure.url("/page"), certificates=str(CERTIFICATE)).body == ARTICLE
    assert error.state == "unreachable"
    assert "certificate" in str(error)


def test_a_server_without_tls_on_a_port_for_it_is_said(server):
    error = refusal(server.url("/page").replace("http", "https", 1))
    assert error.state == "unreachable"
    assert "_ssl" not in str(error)


def test_an_answer_that_comes_late_comes_whole(server):
    with HostileServer(tls=True) as secure:
        for late in (server, secure):
            assert fetched(late.url("/slow/0.3"), certificates=str(CERTIFICATE)).body == ARTICLE


def test_a_certificate_of_another_host_is_refused():
    with HostileServer("127.0.0.2", tls=True) as other:
        error = refusal(other.url("/page"), certificates=str(CERTIFICATE))
        assert other.total == 0
    assert "certificate" in str(error)


def test_a_proxy_that_is_set_takes_the_request_and_looks_up_the_name():
    def no_look_up(host, *_more, **_named):
        pytest.fail(f"{host} was looked up here")

    with HostileServer() as proxy:
        guard = Guard(proxy=proxy.url(""), resolve=no_look_up, certificates=str(CERTIFICATE))
        assert fetched("http://page.example/page", guard=guard).body == ARTICLE
        assert fetched("https://page.example/page", guard=guard).body == ARTICLE
        assert proxy.tunnels == ["page.example:443"]
        for url in ("http://10.0.0.1/", "http://localhost/", "http://page.example:22/"):
            assert refusal(url, guard=guard).state == "blocked"
        assert proxy.total == 2


def test_a_proxy_that_is_not_there_is_said():
    with HostileServer() as gone:
        guard = Guard(proxy=gone.url(""))
    error = refusal("https://page.example/page", guard=guard)
    assert error.state == "unreachable"


def test_nothing_is_asked_when_the_time_is_over(server):
    assert refusal(server.url("/page"), total_seconds=0).state == "timeout"
    assert server.connections == 0
