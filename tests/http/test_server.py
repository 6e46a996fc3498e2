"""Files go to a server and come back over connections that are kept."""

import base64
import socket
import threading
import time

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.http.client import SERVER_LIMITS, ServerClient, UploadBody
from desktop_rater.http.request import HttpError, RequestUrl
from tests.hub.scripted import Say, Scripted, say


@pytest.fixture
def serving():
    """Starts a scripted server, and a client of it."""
    opened = []

    def start(answer, limits=SERVER_LIMITS, **given):
        scripted, server = Scripted(answer, **given), ServerClient(time.monotonic, limits)
        opened.extend((server, scripted))
        return scripted, server

    yield start
    for one in opened:
        one.close()


def ask(server, scripted, verb="GET", body=None, *, progress=None, most=1000):
    upload = None if body is None else UploadBody(len(body), lambda: iter([body]))
    where = RequestUrl("http", "127.0.0.1", scripted.port, b"/here")
    with server.stream(verb, where, [], progress or Progress(), upload=upload, most=most) as reply:
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
    with pytest.raises(HttpError) as caught:
        ask(server, scripted, verb)
    assert caught.value.kind == "unreachable"
    assert len(scripted.asked) == 2


def test_a_new_connection_that_breaks_is_not_tried_again_here(serving):
    scripted, server = serving(lambda _asked: Say(b"", hang_up=True))
    with pytest.raises(HttpError, match="without a response"):
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
    where = RequestUrl("http", "127.0.0.1", scripted.port, b"/here")
    pieces = [b"x" * 65536] * 800
    try:
        with server.stream(
            "PUT", where, [], Progress(), upload=UploadBody(len(pieces) * 65536, lambda: iter(pieces))
        ) as reply:
            assert reply.status == 413
    except HttpError as trouble:  # the system may throw away what had come, when the connection was reset
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
    with pytest.raises(HttpError) as caught:
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
    with pytest.raises(HttpError) as caught:
        ask(server, scripted)
    assert caught.value.kind == "unreachable"


def test_a_server_that_falls_silent_is_given_up(serving):
    limits = SERVER_LIMITS._replace(quiet_seconds=0.3)
    scripted, server = serving(
        lambda _asked: Say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", silent=True), limits
    )
    with pytest.raises(HttpError) as caught:
        ask(server, scripted)
    assert caught.value.kind == "timeout"


def test_a_server_that_does_not_listen_is_given_up():
    """Its window is full: nothing of the file goes any more."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        server = ServerClient(time.monotonic, SERVER_LIMITS._replace(quiet_seconds=0.3))
        where = RequestUrl("http", "127.0.0.1", deaf.getsockname()[1], b"/here")
        pieces = [b"x" * 65536] * 1000
        with (
            pytest.raises(HttpError) as caught,
            server.stream("PUT", where, [], Progress(), upload=UploadBody(65536 * 1000, lambda: iter(pieces))),
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
        server = ServerClient(time.monotonic)
        where = RequestUrl("http", "127.0.0.1", deaf.getsockname()[1], b"/here")
        pieces = [b"x" * 65536] * 1000
        with (
            pytest.raises(Cancelled),
            server.stream("PUT", where, [], progress, upload=UploadBody(65536 * 1000, lambda: iter(pieces))),
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
    with pytest.raises(HttpError) as caught:
        ask(server, scripted)
    assert caught.value.kind == "protocol"
    assert ask(server, scripted) == (200, b"well")


def test_a_body_that_nobody_read_spoils_no_later_answer(serving):
    scripted, server = serving(lambda asked: say(200, asked.target.encode() * 3))
    where = RequestUrl("http", "127.0.0.1", scripted.port, b"/first")
    with server.stream("GET", where, [], Progress(), most=1000) as reply:
        assert reply.status == 200
    assert ask(server, scripted) == (200, b"/here" * 3)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%s0\r\n\r\n"
PIECES = (b"a\r\n\r\n", b"\n\n", b"\n", b"\r\n0\r\n\r\n")
BLANK_LINES = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in PIECES)
TRAILERS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n"


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (CHUNKED % b"", b""),
        (CHUNKED % BLANK_LINES, b"".join(PIECES)),
        (TRAILERS, b"a"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + say(200, b"a\n\n").raw, b"a\n\n"),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\n\n\n", b"\n\n"),
    ],
    ids=["empty", "blank lines", "trailers", "after an informational response", "bare line feeds"],
)
def test_every_framing_keeps_the_connection_and_a_response_too_many_ends_it(serving, raw, body):
    scripted, server = serving(lambda _asked: Say(raw if len(scripted.asked) < 4 else raw + raw))
    assert [ask(server, scripted) for _ in range(4)] == [(200, body)] * 4
    assert scripted.connections == 1
    assert ask(server, scripted) == (200, body)
    assert scripted.connections == 2


def test_a_response_in_single_bytes_is_the_same():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def trickle():
            with listener.accept()[0] as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for _ in range(2):
                    connection.recv(65536)
                    for byte in CHUNKED % BLANK_LINES:
                        connection.send(bytes([byte]))
                        time.sleep(0.001)

        thread = threading.Thread(target=trickle)
        thread.start()
        server = ServerClient(time.monotonic)
        url = RequestUrl("http", "127.0.0.1", listener.getsockname()[1], b"/")
        bodies = []
        for _ in range(2):
            with server.stream("GET", url, [], Progress(), most=1000) as response:
                bodies.append(b"".join(response.chunks))
        server.close()
        thread.join(20)
    assert bodies == [b"".join(PIECES)] * 2


def test_cookies_are_not_sent_back(serving):
    scripted, server = serving(lambda _asked: say(200, Set_Cookie="id=1; Path=/"))
    for _ in range(2):
        ask(server, scripted)
    assert "cookie" not in scripted.asked[1].headers


def test_a_redirect_to_an_address_that_makes_no_sense_is_a_response_too(serving):
    scripted, server = serving(lambda _asked: say(302, Location="https://[:::99999999/"))
    assert ask(server, scripted) == (302, b"")


def test_a_user_and_a_password_are_sent_as_basic(serving):
    scripted, server = serving(lambda _asked: say(200))
    url = RequestUrl("http", "127.0.0.1", scripted.port, b"/a%2fb/../c?x=%zz")
    with server.stream("GET", url, [], Progress(), sign_in=("Jörg", "pass:word")):
        pass
    (request,) = scripted.asked
    assert base64.b64decode(request.headers["authorization"].removeprefix("Basic ")).decode() == "Jörg:pass:word"
    assert request.target == "/a%2fb/../c?x=%zz"


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
    with pytest.raises(HttpError, match="compressed"):
        ask(server, scripted)


def test_without_tls_nobody_but_this_computer_is_asked():
    asked_for = []

    def resolve(host, port, **_given):
        asked_for.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", port))]

    server = ServerClient(time.monotonic, resolve=resolve)
    where = RequestUrl("http", "localhost", 80, b"/")
    with pytest.raises(HttpError, match="no address"), server.stream("GET", where, [], Progress()):
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
