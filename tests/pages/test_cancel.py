"""Whoever cancels is heard at every step, and what hangs holds up nobody else."""

import socket
import threading

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.http.resolve import NameResolver
from desktop_rater.http.transport import connect_first
from desktop_rater.pages.guard import Guard
from tests.pages.fetching import fetched, refusal
from tests.pages.servers import CERTIFICATE, HostileServer, Mute

PATIENT = {"total_seconds": 3_600, "look_up_seconds": 3_600, "connect_seconds": 3_600, "read_seconds": 3_600}


class Fetching:
    """A fetch in a thread of its own, which can be cancelled, and how it ended."""

    def __init__(self, url, guard=None):
        self.looks = threading.Semaphore(0)
        self.progress = Progress(lambda _done, _total: self.looks.release())
        self.outcome = None
        self._thread = threading.Thread(target=self._run, args=(url, guard), daemon=True)
        self._thread.start()

    def _run(self, url, guard):
        try:
            self.outcome = fetched(url, guard=guard, certificates=str(CERTIFICATE), progress=self.progress, **PATIENT)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
            self.outcome = error

    def has_waited(self):
        """Return once the fetch has looked many times whether it goes on: then it hangs where it shall."""
        for _ in range(8):
            assert self.looks.acquire(timeout=20)

    def cancel(self):
        """End it, long before its deadlines."""
        self.progress.stop()
        self._thread.join()


@pytest.fixture
def hanging():
    """A resolver that knows no answer until the test is over."""
    over = threading.Event()

    def resolve(host, port, **_named):
        over.wait(60)
        return []

    yield resolve
    over.set()


def is_cancelled(fetching):
    fetching.has_waited()
    fetching.cancel()
    assert isinstance(fetching.outcome, Cancelled), "and not the end of a deadline"


def test_from_a_look_up_that_hangs(hanging):
    is_cancelled(Fetching("http://hanging.example/", Guard(resolve=hanging)))


def test_from_a_connection_that_nobody_takes():
    with Mute(full=True) as full:
        is_cancelled(Fetching(full.url()))


def test_from_a_handshake_that_does_not_end():
    with Mute() as mute:
        is_cancelled(Fetching(mute.url("https")))


def test_from_an_answer_that_does_not_begin():
    with Mute() as mute:
        is_cancelled(Fetching(mute.url()))


@pytest.mark.parametrize("path", ["/drip-headers", "/drip", "/stall", "/silent"])
def test_from_an_answer_that_does_not_end(path):
    with HostileServer() as server:
        is_cancelled(Fetching(server.url(path)))


@pytest.mark.parametrize("path", ["/stall", "/silent", "/drip"])
def test_from_an_answer_over_tls(path):
    with HostileServer(tls=True) as server:
        is_cancelled(Fetching(server.url(path)))


def test_four_that_hang_do_not_stop_the_fifth(hanging):
    names = {"page.example": "127.0.0.1"}

    def resolve(host, port, **named):
        return socket.getaddrinfo(names[host], port, **named) if host in names else hanging(host, port)

    guard = Guard(allow_loopback=True, resolve=resolve)
    four = [Fetching(f"http://hanging-{number}.example/", guard) for number in range(4)]
    with HostileServer() as server:
        assert fetched(server.url("/page"), guard=guard).status == 200
        # The same resolver answers for another name meanwhile, here with an address that is refused.
        assert refusal("http://page.example/", guard=guard).state == "blocked"
        assert [fetching.outcome for fetching in four] == [None] * 4
    for fetching in four:
        fetching.cancel()


def test_look_ups_that_hang_are_not_piled_up_for_ever(hanging):
    running = threading.active_count()
    look_ups = NameResolver(hanging, most=3)
    for number in range(6):
        with pytest.raises(TimeoutError):
            look_ups.addresses(f"hanging-{number}.example", 80, until_tired())
    assert threading.active_count() <= running + 3


def until_tired():
    yield 0.01
    yield 0.01
    raise TimeoutError


def test_an_address_that_swallows_packets_does_not_hold_up_the_next():
    with Mute("127.0.0.1") as mute, Mute("127.0.0.2", mute.port, full=True):
        connection = connect_first(["127.0.0.2", "127.0.0.1"], mute.port, [0.05] * 100)
        with connection:
            assert connection.getpeername() == ("127.0.0.1", mute.port)


def test_an_address_that_refuses_is_followed_by_the_next_at_once():
    with Mute("127.0.0.1") as mute, connect_first(["127.0.0.2", "127.0.0.1"], mute.port, [5] * 5) as connection:
        assert connection.getpeername() == ("127.0.0.1", mute.port)
