"""The only way out for the live view: a proxy on this machine that connects where the guard lets it.

The browser resolves no names and connects to nothing else. So the address is checked where the socket connects, after
resolution, for every request of a page: for frames, sockets and tunnels too, and where a name changes its address.
"""

from __future__ import annotations

import base64
import hmac
import select
import socket
import time
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from desktop_rater.http.connecting import connect
from desktop_rater.http.patience import Patience
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.model.trouble import RaterError
from desktop_rater.web.proxy_head import (
    END,
    Headers,
    NoHead,
    Request,
    Response,
    handed_on,
    request_in,
    response_in,
    written,
)
from desktop_rater.web.trouble import WebError, of_http

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.http.asked import Asked
    from desktop_rater.web.guard import Guard

HOST = "127.0.0.1"
USER = "live"
REALM = "Desktop Rater"
# What the proxy says in the place of a site, by numbers that sites do not use.
REFUSED, NOT_REACHED = 490, 590
OWN = frozenset({REFUSED, NOT_REACHED})
CLOSE: Headers = ((b"Connection", b"close"),)
PIECE = 65_536


class ProxyLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one connection of the live view may take, in bytes and seconds."""

    connections: int = 64
    head: int = 65_536
    raw: int = 64_000_000
    connect: float = 5.0
    idle: float = 60.0


class Ended(Exception):
    """The connection is over: one of its ends closed, or was silent for too long."""


class GuardedProxy:
    """Listens on loopback, for whoever knows the token.

    `turned_down(place, why, blocked)` is called on the thread of a connection: for "host:port", and whether it was
    blocked by the guard or not reached.
    The guard may be changed while it runs.
    """

    def __init__(
        self,
        guard: Guard,
        token: str,
        *,
        limits: ProxyLimits = ProxyLimits(),  # noqa: B008 - frozen
        turned_down: Callable[[str, str, bool], None] = lambda _place, _why, _blocked: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guard = guard
        self.token = token
        self.limits = limits
        self._turned_down = turned_down
        self._clock = clock
        self._key = b"Basic " + base64.b64encode(f"{USER}:{token}".encode())
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._wake, self._woken = socket.socketpair()
        self._stopped = Event()
        self._accepting = Thread(target=self._accept, name="live-proxy", daemon=True)
        self._places = BoundedSemaphore(limits.connections)
        self._open: dict[socket.socket, Progress] = {}
        self._lock = Lock()

    host = HOST

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    def start(self) -> None:
        """Listen on a free port."""
        self._listener.bind((HOST, 0))
        self._listener.listen(128)
        self._accepting.start()

    def stop(self) -> None:
        """Close every connection; nothing goes out any more."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._wake.send(b"x")
        self._accepting.join()
        with self._lock:
            for client, progress in self._open.items():
                progress.stop()
                _shut(client)

    def _accept(self) -> None:
        with self._listener, self._wake, self._woken:
            while not self._stopped.is_set():
                ready, _, _ = select.select([self._listener, self._woken], [], [])
                if self._listener in ready and not self._stopped.is_set():
                    client, _address = self._listener.accept()
                    Thread(target=self._serve, args=(client,), name="live-proxy-connection", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        progress = Progress()
        with client, self._places:
            with self._lock:
                self._open[client] = progress
            try:
                if not self._stopped.is_set():
                    client.settimeout(self.limits.idle)
                    self._answer(client, progress)
            except (OSError, Ended, Cancelled):
                # Closing is the answer: to a browser that went away, a site that did, a proxy that was stopped.
                _shut(client)
            finally:
                with self._lock:
                    del self._open[client]

    def _answer(self, client: socket.socket, progress: Progress) -> None:
        """Serve one request; the connection ends with it, so that no second one rides on the first one's check."""
        rest = b""
        url = ""
        try:
            head, rest = self._head_of(client)
            request = request_in(head)
            if not hmac.compare_digest(request.header(b"proxy-authorization"), self._key):
                _say(client, 407, "This proxy is for the live view only.", ((b"Proxy-Authenticate", _challenge()),))
                return
            url = _url_of(request)
            asked = self.guard.asked(url)
            with self._connect(asked, progress) as site:
                if request.method == b"CONNECT":
                    self._open_tunnel(site, asked)
                    client.sendall(written(b"HTTP/1.1 200 Connection established", ()))
                    site.sendall(rest)
                    self._tunnel(client, site)
                else:
                    self._send(client, site, request, rest)
                    self._receive(client, site)
        except NoHead as error:
            _say(client, 400, f"Not understood: {error}.")
        except RaterError as error:
            self._turn_down(client, url, error)

    def _turn_down(self, client: socket.socket, url: str, error: RaterError) -> None:
        blocked = isinstance(error, WebError) and error.state == "blocked"
        self._turned_down(place_of(url), str(error), blocked)
        _say(client, REFUSED if blocked else NOT_REACHED, str(error))

    def _head_of(self, end: socket.socket, head: bytes = b"") -> tuple[bytes, bytes]:
        """The head of a message, and what came after it."""
        while END not in head and len(head) <= self.limits.head:
            head += _piece(end)
        head, _, rest = head.partition(END)
        if len(head) > self.limits.head:
            raise NoHead("a head that is too long")
        return head + END, rest

    def _connect(self, asked: Asked, progress: Progress) -> socket.socket:
        """A socket to an address that the guard has just looked at; the name is not looked up again.

        Where the guard knows a company's proxy, that is where everything goes.
        """
        to = self.guard.proxy or asked
        addresses = self.guard.addresses(to.host, to.port, progress=progress)
        seconds = self.limits.connect
        waits = Patience(progress, self._clock, seconds).slices(seconds, "the server does not take the connection")
        try:
            site = connect(addresses, to.port, waits)
        except HttpTrouble as error:
            raise of_http(error, to.host) from error
        site.settimeout(self.limits.idle)
        return site

    def _open_tunnel(self, site: socket.socket, asked: Asked) -> None:
        """Ask a company's proxy for a tunnel; without one the socket is the tunnel."""
        if self.guard.proxy is None:
            return
        host = f"[{asked.host}]" if ":" in asked.host else asked.host
        place = f"{host}:{asked.port}".encode("ascii")
        site.sendall(written(b"CONNECT " + place + b" HTTP/1.1", ((b"Host", place),)))
        response, _rest = self._final(site)
        if response.status >= 300:
            why = f"the proxy {self.guard.proxy.host} says {response.status}"
            raise of_http(HttpTrouble("unreachable", why), asked.host)

    def _tunnel(self, client: socket.socket, site: socket.socket) -> None:
        """Hand on what comes, both ways, until one end closes."""
        left = self.limits.raw
        while left > 0:
            for end in self._ready(client, site):
                piece = _piece(end)
                (client if end is site else site).sendall(piece)
                left -= len(piece)

    def _send(self, client: socket.socket, site: socket.socket, request: Request, rest: bytes) -> None:
        """Hand on one request, in the clear."""
        place = urlsplit(request.target).netloc
        path = request.target[len(b"http://") + len(place) :] or b"/"
        kept = tuple((name, value) for name, value in handed_on(request.headers) if name.lower() != b"host")
        line = b" ".join((request.method, request.target if self.guard.proxy else path, b"HTTP/1.1"))
        site.sendall(written(line, ((b"Host", place), *kept, *CLOSE)))
        left = request.length
        site.sendall(rest[:left])
        left -= len(rest[:left])
        while left > 0:
            piece = _piece(client, left)
            site.sendall(piece)
            left -= len(piece)

    def _receive(self, client: socket.socket, site: socket.socket) -> None:
        """Hand back its answer."""
        response, body = self._final(site)
        client.sendall(written(response.line, handed_on(response.headers) + CLOSE))
        left = self.limits.raw
        while left > 0:
            client.sendall(body)
            left -= len(body)
            # What the browser sends after its request is for nobody: only that it goes away matters.
            while site not in (ready := self._ready(client, site)):
                _piece(ready[0])
            body = _piece(site)

    def _final(self, site: socket.socket) -> tuple[Response, bytes]:
        """The head of the answer proper, and what came of its body."""
        rest = b""
        while True:
            try:
                head, rest = self._head_of(site, rest)
                response = response_in(head)
            except NoHead as error:
                raise WebError("The site does not answer as HTTP asks.", f"It sent {error}.", state="failed") from error
            if response.status == 407:  # or a site asks for the token
                raise WebError("A sign-in at a proxy was asked for, and there is none.", state="failed")
            if response.status >= 200:
                return response, rest

    def _ready(self, *ends: socket.socket) -> list[socket.socket]:
        ready, _, _ = select.select(ends, [], [], self.limits.idle)
        if not ready:
            raise Ended
        return ready


def place_of(url: str) -> str:
    """Host and port of a URL, which the proxy and whoever asks it can compare."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


def _url_of(request: Request) -> str:
    """Where a request wants to go. Raises `NoHead`."""
    target = request.target.decode("ascii")
    if request.method == b"CONNECT":
        # A tunnel has no scheme: that of its port, else of the one that is always inside a tunnel.
        target = f"{'http' if target.endswith(':80') else 'https'}://{target}/"
    try:
        parts = urlsplit(target)
        _ = parts.port
    except ValueError as error:
        raise NoHead("an address that is none") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NoHead("an address that is none")
    return target


def _piece(end: socket.socket, most: int = PIECE) -> bytes:
    piece = end.recv(min(most, PIECE))
    if not piece:
        raise Ended
    return piece


def _say(client: socket.socket, status: int, words: str, headers: Headers = ()) -> None:
    """Answer in the place of a site."""
    body = words.encode("utf-8", "replace")
    client.sendall(
        written(
            b"HTTP/1.1 %d Desktop Rater" % status,
            (
                (b"Content-Type", b"text/plain; charset=utf-8"),
                (b"X-Content-Type-Options", b"nosniff"),
                (b"Content-Length", b"%d" % len(body)),
                *headers,
                *CLOSE,
            ),
        )
        + body
    )


def _challenge() -> bytes:
    return f'Basic realm="{REALM}"'.encode("ascii")


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is closed already
