"""The way out of the live view: whoever knows the token, to where the guard lets it, one request a connection."""

import base64
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, contextmanager
from subprocess import PIPE

import pytest

from desktop_rater.pages.guard import Guard, is_loopback_literal
from desktop_rater.pages.proxy import PROXY_NOT_REACHED, PROXY_REFUSED, GuardedProxy, ProxyLimits
from desktop_rater.pages.response import blocked_error
from tests.pages.servers import HostileServer, Mute

TOKEN = "not known to pages"
KEY = "Proxy-Authorization: Basic " + base64.b64encode(f"live:{TOKEN}".encode()).decode()


class OnlyOnPort(Guard):
    """Opens one port of this machine, as the page that a test reads; all else of it stays shut."""

    def __init__(self, port, **more):
        super().__init__(allow_loopback=True, **more)
        self._port = port

    def parse_allowed(self, url):
        asked = super().parse_allowed(url)
        if is_loopback_literal(asked.host) and asked.port != self._port:
            raise blocked_error("It is a port of this computer.")
        return asked


@pytest.fixture
def site():
    with HostileServer() as server:
        yield server


@pytest.fixture
def private():
    with HostileServer() as server:
        yield server


@pytest.fixture
def told():
    return []


@contextmanager
def running(guard, told=None, **more):
    proxy = GuardedProxy(
        guard, TOKEN, turned_down=lambda *said: told.append(said) if told is not None else None, **more
    )
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()


@pytest.fixture
def proxy(site, told):
    with running(OnlyOnPort(site.port, resolve=to_loopback), told) as proxy:
        yield proxy


def to_loopback(_host, port, **_more):
    """A resolver in the hands of an attacker."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]


def raw(proxy, *lines, body=b""):
    """What comes back for a head of these lines, until the proxy closes."""
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=20) as client:
        client.sendall("\r\n".join((*lines, "", "")).encode() + body)
        return everything(client)


@contextmanager
def speaking(words):
    """The port of a site that says these words to whoever comes, and then no more."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer():
            connection, _address = listener.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(words)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(10)


def everything(client):
    found = b""
    while piece := client.recv(65_536):
        found += piece
    return found


def get(proxy, url, *headers):
    return raw(proxy, f"GET {url} HTTP/1.1", KEY, *headers)


def status(answer):
    return int(answer.split(b" ", 2)[1])


def test_a_page_comes_through(proxy, site):
    answer = get(proxy, site.url("/page"), "Host: elsewhere.example")
    assert status(answer) == 200
    assert b"</html>" in answer
    (request,) = site.requests
    assert request.headers["Host"] == f"127.0.0.1:{site.port}"


def test_without_the_token_nothing_leaves(proxy, site):
    assert status(raw(proxy, f"GET {site.url()} HTTP/1.1")) == 407
    wrong = "Proxy-Authorization: Basic " + base64.b64encode(b"live:guessed").decode()
    assert status(raw(proxy, f"GET {site.url()} HTTP/1.1", wrong)) == 407
    assert status(raw(proxy, f"CONNECT 127.0.0.1:{site.port} HTTP/1.1", wrong)) == 407
    assert site.connections == 0


def test_the_token_stays_between_browser_and_proxy(proxy, site):
    get(proxy, site.url(), "Connection: X-Of-This-Hop", "X-Of-This-Hop: 1", "Proxy-Connection: keep-alive", "X-Kept: 1")
    headers = {name.lower() for name in site.requests[0].headers}
    assert not [name for name in headers if name.startswith("proxy")]
    assert "x-of-this-hop" not in headers
    assert "x-kept" in headers


@pytest.mark.parametrize("ask", ["GET http://127.0.0.1:{port}/ HTTP/1.1", "CONNECT 127.0.0.1:{port} HTTP/1.1"])
def test_another_port_of_this_machine_is_not_reached(proxy, private, told, ask):
    assert status(raw(proxy, ask.format(port=private.port), KEY)) == PROXY_REFUSED
    assert private.connections == 0
    ((place, why, was_blocked),) = told
    assert (place, was_blocked) == (f"127.0.0.1:{private.port}", True)
    assert "port of this computer" in why


@pytest.mark.parametrize("ask", ["GET http://public.example/ HTTP/1.1", "CONNECT public.example:443 HTTP/1.1"])
def test_a_name_that_leads_home_is_not_followed(proxy, told, ask):
    answer = raw(proxy, ask, KEY)
    assert status(answer) == PROXY_REFUSED
    port = 443 if ask.startswith("CONNECT") else 80
    assert told == [(f"public.example:{port}", answer.partition(b"\r\n\r\n")[2].decode(), True)]
    assert "leads to 127.0.0.1" in told[0][1]


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://public.example:22/",
        "http://user@public.example/",
        "http://localhost/",
    ],
)
def test_what_the_guard_refuses_as_it_is_written(proxy, told, url):
    assert status(get(proxy, url)) == PROXY_REFUSED
    assert [was_blocked for _place, _why, was_blocked in told] == [True]


def test_a_name_is_looked_up_once_for_each_connection(site):
    asked = []

    def resolve(host, port, **_more):
        asked.append(host)
        public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("198.51.100.7", port))]
        return public if len(asked) == 1 else to_loopback(host, port)

    with running(Guard(resolve=resolve), limits=ProxyLimits(connect=1)) as proxy:
        assert status(get(proxy, "http://rebinding.example/")) == PROXY_REFUSED
    assert asked == ["rebinding.example"]


def test_a_second_request_does_not_ride_on_the_check_of_the_first(proxy, site, private):
    second = f"GET {private.url()} HTTP/1.1\r\n{KEY}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=20) as client:
        client.sendall(f"GET {site.url()} HTTP/1.1\r\n{KEY}\r\n\r\n".encode() + second)
        answer = everything(client)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"Connection: close" in answer
    assert (site.total, private.connections) == (1, 0)


def test_a_form_arrives_with_its_body(site):
    heard = []
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]

        def answer():
            connection, _address = listener.accept()
            with connection:
                while b"last words" not in b"".join(heard):
                    heard.append(connection.recv(65_536))
                connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with running(OnlyOnPort(port)) as proxy:
            head = f"POST http://127.0.0.1:{port}/a?b HTTP/1.1"
            body = b"x" * 100_000 + b"last words"
            said = raw(proxy, head, KEY, f"Content-Length: {len(body)}", body=body)
        thread.join(10)
    assert status(said) == 204
    assert b"".join(heard).startswith(b"POST /a?b HTTP/1.1\r\n")
    assert b"".join(heard).endswith(body)


@pytest.mark.parametrize(
    "lines",
    [
        ("GET /page HTTP/1.1", KEY),
        ("GET ftp://127.0.0.1/ HTTP/1.1", KEY),
        ("GET  http://127.0.0.1/ HTTP/1.1", KEY),
        ("CONNECT 127.0.0.1:notaport HTTP/1.1", KEY),
        ("GET http://127.0.0.1/ HTTP/1.1", KEY, " folded: 1"),
        ("GET http://127.0.0.1/ HTTP/1.1", KEY, "No colon"),
        ("GET http://127.0.0.1/ HTTP/1.1", KEY, "Bare: a\nX: b"),
    ],
)
def test_what_is_no_request_gets_no_further(proxy, site, lines):
    assert status(raw(proxy, *lines)) == 400
    assert site.connections == 0


def test_a_head_that_is_too_long_is_not_read_to_its_end(site):
    with running(OnlyOnPort(site.port), limits=ProxyLimits(head=1_000)) as proxy:
        assert status(get(proxy, site.url(), "X: " + "a" * 1_000)) == 400
    assert site.connections == 0


@pytest.mark.parametrize("header", ["Transfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2"])
def test_a_body_of_doubtful_length_is_not_handed_on(proxy, site, header):
    assert status(raw(proxy, f"POST {site.url('/form')} HTTP/1.1", KEY, header)) == 400
    assert site.total == 0


def test_a_site_that_asks_for_the_token_is_not_listened_to(told):
    words = b'HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm="Desktop Rater"\r\n\r\n'
    with speaking(words) as port, running(OnlyOnPort(port), told) as proxy:
        answer = get(proxy, f"http://127.0.0.1:{port}/")
    assert status(answer) == PROXY_NOT_REACHED
    assert b"Proxy-Authenticate" not in answer
    assert told[0][2] is False


@pytest.mark.parametrize("words", [b"ICY 200 OK\r\n\r\n", b"220 mail.example ESMTP\r\n", b"\0" * 100_000])
def test_what_is_not_http_is_not_handed_on(words):
    with speaking(words) as port, running(OnlyOnPort(port), limits=ProxyLimits(idle=1)) as proxy:
        answer = get(proxy, f"http://127.0.0.1:{port}/")
    assert answer == b"" or status(answer) == PROXY_NOT_REACHED


def test_a_tunnel_carries_both_ways(proxy, site):
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=20) as client:
        client.sendall(f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n{KEY}\r\n\r\n".encode())
        assert status(client.recv(65_536)) == 200
        client.sendall(b"GET /page HTTP/1.1\r\nHost: inside\r\n\r\n")
        assert b"</html>" in everything(client)
    assert site.requests[0].headers["Host"] == "inside"


def test_an_endless_body_ends(site):
    limits = ProxyLimits(raw=300_000)
    with running(OnlyOnPort(site.port), limits=limits) as proxy:
        answer = get(proxy, site.url("/endless"))
    assert 300_000 <= len(answer) < 500_000


def test_a_site_that_says_nothing_is_given_up(told):
    with Mute() as mute, running(OnlyOnPort(mute.port), told, limits=ProxyLimits(idle=0.3)) as proxy:
        assert get(proxy, mute.url()) == b""


def test_a_closed_port_is_told_of_but_not_blocked(told):
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    with running(OnlyOnPort(port), told) as proxy:
        assert status(get(proxy, f"http://127.0.0.1:{port}/")) == PROXY_NOT_REACHED
    assert [(place, was_blocked) for place, _why, was_blocked in told] == [(f"127.0.0.1:{port}", False)]


def test_stopping_ends_what_is_open(site):
    with running(OnlyOnPort(site.port)) as proxy:
        client = socket.create_connection(("127.0.0.1", proxy.port), timeout=20)
        client.sendall(f"GET {site.url('/endless')} HTTP/1.1\r\n{KEY}\r\n\r\n".encode())
        assert client.recv(65_536)
        port = proxy.port
        proxy.stop()
        with closing(client):
            everything(client)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_a_company_s_proxy_is_asked_in_our_place(told):
    with (
        HostileServer() as company,
        running(Guard(proxy=f"http://127.0.0.1:{company.port}", allow_loopback=True)) as proxy,
    ):
        get(proxy, "http://page.example/page")
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=20) as client:
            client.sendall(f"CONNECT page.example:443 HTTP/1.1\r\n{KEY}\r\n\r\n".encode())
            assert status(client.recv(65_536)) == 200
    assert company.requests[0].headers["Host"] == "page.example"
    assert company.tunnels == ["page.example:443"]


SHORT_OF_DESCRIPTORS = """
import resource, sys
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.proxy import GuardedProxy
proxy = GuardedProxy(Guard(), {token!r})
proxy.start()
used = len(__import__("os").listdir("/proc/self/fd"))
resource.setrlimit(resource.RLIMIT_NOFILE, (used + 10, used + 10))
print(proxy.port, flush=True)
sys.stdin.read()
proxy.stop()
"""


@contextmanager
def silent_clients(port, count):
    """Connections that never say a word."""
    with ExitStack() as clients:
        for _ in range(count):
            clients.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
        yield


def asked_of(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(f"GET http://10.0.0.1/ HTTP/1.1\r\n{KEY}\r\n\r\n".encode())
        return status(everything(client))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the number of open descriptors from /proc")
def test_with_no_descriptor_left_the_proxy_stays_and_serves_the_browser():
    script = SHORT_OF_DESCRIPTORS.format(token=TOKEN)
    with subprocess.Popen([sys.executable, "-c", script], stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        port = int(process.stdout.readline())
        with silent_clients(port, 100):
            assert asked_of(port) == PROXY_REFUSED
            with pytest.raises(OSError, match="in use"), socket.socket() as other:
                other.bind(("127.0.0.1", port))
        assert asked_of(port) == PROXY_REFUSED
        process.stdin.close()
        assert process.wait(60) == 0


def test_silent_clients_take_neither_threads_nor_the_place_of_the_browser(proxy):
    most = proxy.limits.connections
    with silent_clients(proxy.port, 180):
        assert asked_of(proxy.port) == PROXY_REFUSED
        assert len(proxy._open) <= most
        threads = [one for one in threading.enumerate() if one.name == "live-proxy-connection"]
        for thread in threads[:-most]:  # the oldest give way
            thread.join(30)
            assert not thread.is_alive()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a listener can't be shut down")
def test_the_owner_is_told_when_the_proxy_can_accept_no_more():
    gone = threading.Event()
    with running(Guard(), gone=gone.set) as proxy:
        proxy._listener.shutdown(socket.SHUT_RDWR)
        assert gone.wait(20)
    assert gone.is_set()


def test_a_proxy_that_is_stopped_is_not_gone():
    gone = threading.Event()
    with running(Guard(), gone=gone.set):
        pass
    assert not gone.is_set()
