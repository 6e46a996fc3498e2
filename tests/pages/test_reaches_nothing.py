"""However an address is written, whatever a name resolves to, wherever a page sends on: nothing private is reached."""

import socket
import time

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.pages import guard as guard_module
from desktop_rater.pages.fetch import fetch_response
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebError, WebLimits
from tests.operations.bundles import NOON
from tests.pages.servers import HostileServer

QUICK = WebLimits(total_seconds=5, look_up_seconds=2, connect_seconds=1, read_seconds=1)
# What stands where a host stands. Python's resolver takes the first nine for 127.0.0.1.
LOOPBACK = (
    "127.0.0.1",
    "127.1",
    "0",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "localhost",
)
MAPPED = ("[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]")
ELSEWHERE = ("169.254.169.254", "[fd00:ec2::254]", "10.0.0.1", "224.0.0.1", "[ff02::1]", "[fe80::1]")
# In 2000::/3, and in no table of routes since 2006: a packet to it ends at the first router, if it leaves at all.
NOBODY = "3ffe::1"


@pytest.fixture
def any_port(monkeypatch, server):
    """The port of the test's server counts as one of the web's, so that it is the address that is refused."""
    monkeypatch.setattr(guard_module, "PORTS", frozenset({80, 443, server.port}))


def attempt(url, guard):
    """Fetch as the preview does; the state in which it ends."""
    try:
        fetch_response(url, guard=guard, limits=QUICK, progress=Progress(), clock=time.monotonic, now=NOON)
    except WebError as error:
        return error.state
    return "ok"


def resolving(*answers):
    """A resolver that knows one name, and gives the next answer each time; and how often it was asked."""
    waiting, asked = list(answers), []

    def resolve(host, port, *_more, **_named):
        asked.append(host)
        found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        kinds = [socket.AF_INET6 if ":" in one else socket.AF_INET for one in found]
        return [
            (kind, socket.SOCK_STREAM, 6, "", (one, port, 0, 0) if kind == socket.AF_INET6 else (one, port))
            for kind, one in zip(kinds, found, strict=True)
        ]

    return resolve, asked


def test_the_server_is_there_for_who_may_reach_it(server):
    assert attempt(server.url(), Guard(allow_loopback=True)) == "ok"
    assert server.total == 1, "without this, a counter that stays at zero would prove nothing"


@pytest.mark.parametrize("host", [*LOOPBACK, *MAPPED, *ELSEWHERE])
def test_no_spelling_of_a_private_address_reaches_anything(any_port, server, host):
    assert attempt(f"http://{host}:{server.port}/page", Guard()) == "blocked"
    assert server.connections == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "http://evil\\@127.0.0.1/",
        "http://evil@127.0.0.1/",
        "http://user:word@example.org/",
        "http://127.0.0.1:22/",
        "http://example.org:22/",
        "file:///etc/hostname",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1/",
        "data:text/html,hello",
        "javascript:alert(1)",
        "//127.0.0.1/",
        "http://",
        "",
    ],
)
def test_what_is_no_address_of_the_public_web_is_not_even_looked_up(url):
    resolve, asked = resolving(["127.0.0.1"])
    assert attempt(url, Guard(resolve=resolve)) == "blocked"
    assert asked == []


@pytest.mark.parametrize("answer", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254"])
def test_a_name_that_resolves_to_a_private_address_reaches_nothing(any_port, server, answer):
    resolve, asked = resolving([answer])
    assert attempt(f"http://innocent.example:{server.port}/page", Guard(resolve=resolve)) == "blocked"
    assert asked == ["innocent.example"]
    assert server.connections == 0


def test_one_private_address_among_public_ones_spoils_them_all(any_port, server):
    resolve, _asked = resolving([NOBODY, "127.0.0.1"])
    assert attempt(f"http://mixed.example:{server.port}/page", Guard(resolve=resolve)) == "blocked"
    assert server.connections == 0


def test_a_resolver_that_changes_its_answer_is_asked_once_and_reaches_nothing(any_port, server):
    resolve, asked = resolving([NOBODY], ["127.0.0.1"])
    assert attempt(f"http://rebinding.example:{server.port}/page", Guard(resolve=resolve)) in ("unreachable", "timeout")
    assert asked == ["rebinding.example"], "what was checked is what is connected to, with no second look-up between"
    assert attempt(f"http://rebinding.example:{server.port}/page", Guard(resolve=resolve)) == "blocked"
    assert server.connections == 0


@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://0/"]
)
def test_a_redirect_to_a_private_address_is_not_followed(server, target):
    with HostileServer() as other:
        assert attempt(server.url(f"/to?url={target}"), Guard(allow_loopback=True)) == "blocked"
        assert (server.total, other.connections) == (1, 0)


def test_a_redirect_to_a_file_is_not_followed(server):
    assert attempt(server.url("/to-file"), Guard(allow_loopback=True)) == "blocked"


def test_neither_a_proxy_nor_a_password_of_the_environment_is_used(server, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n", encoding="utf-8")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with HostileServer() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url(""))
        assert attempt(server.url("/headers"), Guard(allow_loopback=True)) == "ok"
        assert proxy.connections == 0
    (request,) = server.requests
    assert {name.lower() for name in request.headers}.isdisjoint({"authorization", "cookie", "proxy-authorization"})
