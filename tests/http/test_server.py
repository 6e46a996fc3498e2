"""Files go to a server and come back over connections that are kept."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from desktop_rater.http.asked import Asked
from desktop_rater.http.server import LIMITS, Server, Upload
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.model.progress import Cancelled, Progress
from tests.hub.scripted import Say, Scripted, say


@pytest.fixture
def serving():
    """Starts a scripted server, and a client of it."""
    opened = []

    def start(answer, limits=LIMITS, **given):
        scripted, server = Scripted(answer, **given), Server(time.monotonic, limits)
        opened.extend((server, scripted))
        return scripted, server

    yield start
    for one in opened:
        one.close()


def ask(server, scripted, verb="GET", body=None, *, progress=None, most=1000):
    upload = None if body is None else Upload(len(body), lambda: iter([body]))
    where = Asked("http", "127.0.0.1", scripted.port, b"/here")
    with server.ask(verb, where, [], progress or Progress(), upload=upload, most=most) as reply:
        return reply.status, b"".join(reply.chunks)


def test_many_requests_go_over_one_connection(serving):
    def answer(asked):
        if asked.verb == "HEAD":
            return Say(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
        return say(200, asked.body or b"nothing")

    scripted, server = serving(answer)
    assert ask(server, scripted) == (200, b"nothing")
    assert ask(server, scripted, "HEAD") == (200, b"")
    assert ask(server, scripted, "PUT", b"something") == (200, b"something")
    assert ask(server, scripted, "MKCOL") == (200, b"nothing")
    assert scripted.connections == 1


def test_what_goes_up_says_how_long_it_is(serving):
    scripted, server = serving(lambda _asked: say(201))
    ask(server, scripted, "PUT", b"x" * 70_000)
    (asked,) = scripted.asked
    assert asked.headers["content-length"] == "70000"
    assert asked.body == b"x" * 70_000
    assert "transfer-encoding" not in asked.headers
    assert asked.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("verb", ["GET", "PUT", "PROPFIND", "MKCOL"])
def test_a_kept_connection_that_has_ended_costs_nobody_anything(serving, verb):
    """The server takes the second request and hangs up without a word, as one does whose patience ended just then."""

    def answer(asked):
        return Say(b"", hang_up=True) if len(scripted.asked) == 2 else say(200, asked.body)

    scripted, server = serving(answer)
    body = b"body" if verb == "PUT" else None
    assert ask(server, scripted, verb, body)[0] == 200
    assert ask(server, scripted, verb, body) == (200, body or b"")
    assert [asked.connection for asked in scripted.asked] == [0, 0, 1]


@pytest.mark.parametrize("verb", ["MOVE", "POST", "DELETE"])
def test_what_must_not_be_done_twice_is_not_asked_twice(serving, verb):
    def answer(_asked):
        return Say(b"", hang_up=True) if len(scripted.asked) == 2 else say(200)

    scripted, server = serving(answer)
    ask(server, scripted, verb)
    with pytest.raises(HttpTrouble) as caught:
        ask(server, scripted, verb)
    assert caught.value.kind == "unreachable"
    assert len(scripted.asked) == 2


def test_a_new_connection_that_breaks_is_not_tried_again_here(serving):
    scripted, server = serving(lambda _asked: Say(b"", hang_up=True))
    with pytest.raises(HttpTrouble, match="without an answer"):
        ask(server, scripted)
    assert len(scripted.asked) == 1


def test_a_connection_that_the_server_has_closed_is_noticed_before_it_is_used(serving):
    def answer(asked):
        return say(200, hang_up=asked.connection == 0)

    scripted, server = serving(answer)
    ask(server, scripted, "MOVE")
    assert scripted.hung_up.wait(20)
    assert ask(server, scripted, "MOVE")[0] == 200
    assert [asked.connection for asked in scripted.asked] == [0, 1]


def test_an_answer_that_comes_before_the_whole_file_went_is_heard(serving):
    """413 from a server that does not read a large body, and hangs up."""
    scripted, server = serving(lambda _asked: say(413, b"too large", hang_up=True), reads_bodies=False)
    where = Asked("http", "127.0.0.1", scripted.port, b"/here")
    pieces = [b"x" * 65536] * 800
    try:
        with server.ask(
            "PUT", where, [], Progress(), upload=Upload(len(pieces) * 65536, lambda: iter(pieces))
        ) as reply:
            assert reply.status == 413
    except HttpTrouble as trouble:  # the system may throw away what had come, when the connection was reset
        assert trouble.kind == "unreachable"
    assert len(scripted.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_nobody_goes_after_it(serving, status):
    other = Scripted(lambda _asked: say(200))
    with other:
        scripted, server = serving(lambda _asked: say(status, Location=f"http://127.0.0.1:{other.port}/there"))
        assert ask(server, scripted)[0] == status
        assert ask(server, scripted, "PUT", b"x")[0] == status
        assert not other.asked


def test_no_more_comes_than_was_asked_for(serving):
    scripted, server = serving(lambda _asked: say(200, b"x" * 5_000_000))
    with pytest.raises(HttpTrouble) as caught:
        ask(server, scripted, most=1000)
    assert caught.value.kind == "too_large"


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nonly this",
    ],
)
def test_an_answer_that_is_cut_off_is_not_taken_for_a_whole_one(serving, raw):
    scripted, server = serving(lambda _asked: Say(raw, hang_up=True))
    with pytest.raises(HttpTrouble) as caught:
        ask(server, scripted)
    assert caught.value.kind == "unreachable"


def test_a_server_that_falls_silent_is_given_up(serving):
    limits = LIMITS._replace(quiet_seconds=0.3)
    scripted, server = serving(
        lambda _asked: Say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", silent=True), limits
    )
    with pytest.raises(HttpTrouble) as caught:
        ask(server, scripted)
    assert caught.value.kind == "timeout"


def test_a_server_that_does_not_listen_is_given_up():
    """Its window is full: nothing of the file goes any more."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        server = Server(time.monotonic, LIMITS._replace(quiet_seconds=0.3))
        where = Asked("http", "127.0.0.1", deaf.getsockname()[1], b"/here")
        pieces = [b"x" * 65536] * 1000
        with (
            pytest.raises(HttpTrouble) as caught,
            server.ask("PUT", where, [], Progress(), upload=Upload(65536 * 1000, lambda: iter(pieces))),
        ):
            pass
        assert caught.value.kind == "timeout"
        server.close()


def test_cancel_is_heard_while_a_file_goes_up():
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        told = []

        def heard(done, total):
            told.append((done, total))
            if done > 100_000:
                progress.stop()

        progress = Progress(heard)
        server = Server(time.monotonic)
        where = Asked("http", "127.0.0.1", deaf.getsockname()[1], b"/here")
        pieces = [b"x" * 65536] * 1000
        with (
            pytest.raises(Cancelled),
            server.ask("PUT", where, [], progress, upload=Upload(65536 * 1000, lambda: iter(pieces))),
        ):
            pass
        assert told[-1][1] == 65536 * 1000
        server.close()


def test_cancel_is_heard_while_a_server_thinks(serving):
    progress = Progress()

    def answer(_asked):
        progress.stop()
        return Say(b"", silent=True)

    scripted, server = serving(answer)
    with pytest.raises(Cancelled):
        ask(server, scripted, progress=progress)


def test_after_a_trouble_the_next_request_has_a_connection_of_its_own(serving):
    def answer(_asked):
        return Say(b"what is this\r\n\r\n") if len(scripted.asked) == 1 else say(200, b"well")

    scripted, server = serving(answer)
    with pytest.raises(HttpTrouble) as caught:
        ask(server, scripted)
    assert caught.value.kind == "protocol"
    assert ask(server, scripted) == (200, b"well")


def test_a_body_that_nobody_read_spoils_no_later_answer(serving):
    scripted, server = serving(lambda asked: say(200, asked.target.encode() * 3))
    where = Asked("http", "127.0.0.1", scripted.port, b"/first")
    with server.ask("GET", where, [], Progress(), most=1000) as reply:
        assert reply.status == 200
    assert ask(server, scripted) == (200, b"/here" * 3)


def test_several_threads_ask_at_once(serving):
    together = threading.Barrier(4, timeout=20)

    def answer(asked):
        together.wait()  # all four are here at the same time, or this breaks
        return say(200, asked.target.encode())

    scripted, server = serving(answer)
    came = []
    threads = [threading.Thread(target=lambda: came.append(ask(server, scripted))) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert came == [(200, b"/here")] * 4
    assert scripted.connections == 4


def test_a_packed_answer_is_refused(serving):
    scripted, server = serving(lambda _asked: say(200, b"\x1f\x8b", Content_Encoding="gzip"))
    with pytest.raises(HttpTrouble, match="packed"):
        ask(server, scripted)


def test_without_tls_nobody_but_this_computer_is_asked():
    asked_for = []

    def resolve(host, port, **_given):
        asked_for.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", port))]

    server = Server(time.monotonic, resolve=resolve)
    where = Asked("http", "localhost", 80, b"/")
    with pytest.raises(HttpTrouble, match="no address"), server.ask("GET", where, [], Progress()):
        pass
    assert asked_for == ["localhost"]


def test_the_environment_sends_nobody_elsewhere(serving, monkeypatch):
    other = Scripted(lambda _asked: say(200, b"elsewhere"))
    with other:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{other.port}")
        scripted, server = serving(lambda _asked: say(200, b"here"))
        assert ask(server, scripted) == (200, b"here")
        assert not other.asked
