"""Proxy on this machine for the live view, its only way out, which connects only where the guard allows.

The browser resolves no names and connects to nothing else. So the address is checked where the socket connects, after
resolution, for every request of a page, including frames, sockets and tunnels, and also when a name changes its
address. Heads of messages are parsed strictly; hop-by-hop headers are removed.
"""

import base64
import errno
import hmac
import re
import selectors
import socket
import sys
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from urllib.parse import urlsplit

import msgspec

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.http.request import Deadline, HttpError, RequestUrl
from desktop_rater.http.transport import connect_first
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebError, web_error_from_http
from desktop_rater.text.urls import DEFAULT_PORTS

RawHeaders = tuple[tuple[bytes, bytes], ...]

HEAD_END = b"\r\n\r\n"
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
TARGET = re.compile(rb"[\x21-\x7e]+")
VERSION = re.compile(rb"HTTP/1\.[01]")
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?")

# RFC 9110 7.6.1. Proxy headers are removed too: the token must not reach the site.
HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"te", b"trailer", b"upgrade", b"expect"})


class InvalidHead(Exception):
    """Invalid head of an HTTP message."""


class ProxyRequest(msgspec.Struct, frozen=True):
    """The browser's request to the proxy: `target` is a URL, or host and port for a tunnel."""

    method: bytes
    target: bytes
    headers: RawHeaders

    def header(self, name: bytes) -> bytes:
        """Return the only header of that name; empty if missing. Raises `InvalidHead` for two different ones."""
        values = {value for key, value in self.headers if key.lower() == name}
        if len(values) > 1:
            raise InvalidHead(f"two headers {name.decode('ascii')}")
        return next(iter(values), b"")

    @property
    def length(self) -> int:
        """Return the number of body bytes. Raises `InvalidHead` if it is not given as a number."""
        if self.header(b"transfer-encoding"):
            raise InvalidHead("a body without its length")
        length = self.header(b"content-length") or b"0"
        if not re.fullmatch(rb"\d{1,12}", length):
            raise InvalidHead("a length that is no number")
        return int(length)


def parse_request(head: bytes) -> ProxyRequest:
    """Parse a request's head up to its empty line. Raises `InvalidHead`."""
    line, headers = _parts(head)
    parts = line.split(b" ")
    if len(parts) != 3:
        raise InvalidHead("a first line that is not of three words")
    method, target, version = parts
    if not (TOKEN.fullmatch(method) and TARGET.fullmatch(target) and VERSION.fullmatch(version)):
        raise InvalidHead("a first line that is no request")
    return ProxyRequest(method, target, headers)


def parse_response(head: bytes) -> tuple[bytes, int, RawHeaders]:
    """Return first line, status and headers of a response's head up to its empty line. Raises `InvalidHead`."""
    line, headers = _parts(head)
    match = STATUS.fullmatch(line)
    if match is None:
        raise InvalidHead("a first line that is no answer")
    return line, int(match[1]), headers


def _parts(head: bytes) -> tuple[bytes, RawHeaders]:
    first, *lines = head.removesuffix(HEAD_END).split(b"\r\n")
    return first, tuple(map(_header, lines))


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, colon, value = line.partition(b":")
    # Continuation lines and bare line breaks are interpreted differently by different programs.
    if not colon or not TOKEN.fullmatch(name) or re.search(rb"[\0\r\n]", value):
        raise InvalidHead("a header that is none")
    return name, value.strip(b" \t")


def end_to_end_headers(headers: RawHeaders) -> RawHeaders:
    """Return end-to-end headers: without those for this hop, and those between browser and proxy."""
    listed = {
        word.strip().lower() for name, value in headers if name.lower() == b"connection" for word in value.split(b",")
    }
    return tuple(
        (name, value)
        for name, value in headers
        if name.lower() not in HOP_BY_HOP | listed and not name.lower().startswith(b"proxy-")
    )


def format_head(line: bytes, headers: RawHeaders) -> bytes:
    """Format a head as bytes."""
    return b"\r\n".join((line, *(name + b": " + value for name, value in headers))) + HEAD_END


PROXY_HOST = "127.0.0.1"
PROXY_USER = "live"
PROXY_REALM = "Desktop Rater"
_CHALLENGE = f'Basic realm="{PROXY_REALM}"'.encode("ascii")
# Status codes of the proxy's own responses, which sites do not use.
PROXY_REFUSED, PROXY_NOT_REACHED = 490, 590
PROXY_STATUSES = frozenset({PROXY_REFUSED, PROXY_NOT_REACHED})
CLOSE_HEADER: RawHeaders = ((b"Connection", b"close"),)
PROXY_CHUNK = 65_536


class ProxyLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one connection of the live view, in bytes and seconds."""

    connections: int = 64
    head: int = 65_536
    raw: int = 64_000_000
    connect: float = 5.0
    idle: float = 60.0


# `poll` needs no descriptor of its own, and takes those beyond 1,024; Windows has `select` only.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
_PAUSE = 0.02  # seconds, when a connection can't be accepted
_NO_LISTENER = frozenset({errno.EBADF, errno.EINVAL, errno.ENOTSOCK})


class ConnectionEnded(Exception):
    """The connection is over: one end closed it, or was silent for too long."""


class _Connection:
    """A client of the proxy, which has its thread."""

    def __init__(self, client: socket.socket) -> None:
        self.client = client
        self.progress = Progress()
        self.has_token = False


class GuardedProxy:
    """Proxy that listens on loopback, for clients with the token.

    `turned_down(place, why, blocked)` is called on the thread of a connection: with "host:port", and whether the guard
    blocked it or it was not reached. `gone` is called on a thread of the proxy if it can accept no more connections.
    The guard may be replaced while it runs.
    """

    def __init__(
        self,
        guard: Guard,
        token: str,
        *,
        limits: ProxyLimits = ProxyLimits(),  # noqa: B008 - frozen
        turned_down: Callable[[str, str, bool], None] = lambda _place, _why, _blocked: None,
        gone: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guard = guard
        self.token = token
        self.limits = limits
        self._turned_down = turned_down
        self._gone = gone
        self.is_gone = False
        self._clock = clock
        self._key = b"Basic " + base64.b64encode(f"{PROXY_USER}:{token}".encode())
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._wake, self._woken = socket.socketpair()
        self._stopped = Event()
        self._accepting = Thread(target=self._accept, name="live-proxy", daemon=True)
        self._open: dict[_Connection, None] = {}  # oldest first
        self._lock = Lock()

    host = PROXY_HOST

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    def start(self) -> None:
        self._listener.bind((PROXY_HOST, 0))
        self._listener.listen(128)
        self._listener.settimeout(0)
        self._accepting.start()

    def stop(self) -> None:
        """Close every connection and accept no more."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._wake.send(b"x")
        self._accepting.join()
        for end in (self._listener, self._wake, self._woken):
            end.close()
        with self._lock:
            for connection in self._open:
                connection.progress.stop()
                _shut_down(connection.client)

    def _accept(self) -> None:
        try:
            with _Selector() as selector:
                selector.register(self._listener, selectors.EVENT_READ)
                selector.register(self._woken, selectors.EVENT_READ)
                while not self._stopped.is_set():
                    if self._listener in [key.fileobj for key, _events in selector.select()]:
                        self._accept_one()
        except (OSError, ValueError):
            # The listener stays open as long as it can be, so that its port belongs to no other process.
            self.is_gone = True
            self._gone()

    def _accept_one(self) -> None:
        try:
            client, _address = self._listener.accept()
        except BlockingIOError:  # the client has left
            return
        except OSError as error:
            if error.errno in _NO_LISTENER:
                raise
            # The process has no descriptor left: the connection waits until there is one.
            self._close_oldest(unless_fewer_than=1)
            self._stopped.wait(_PAUSE)
            return
        connection = _Connection(client)
        self._close_oldest(unless_fewer_than=self.limits.connections)
        with self._lock:
            full = len(self._open) >= self.limits.connections
            if not full:
                self._open[connection] = None
        if full:
            client.close()
            return
        try:
            Thread(target=self._serve, args=(connection,), name="live-proxy-connection", daemon=True).start()
        except RuntimeError:  # no thread can be started now
            self._close(connection)

    def _close_oldest(self, *, unless_fewer_than: int) -> None:
        """Close the oldest connection that has not sent the token, which the browser sends at once."""
        with self._lock:
            waiting = [connection for connection in self._open if not connection.has_token]
            if not waiting or len(self._open) < unless_fewer_than:
                return
            del self._open[waiting[0]]
        _shut_down(waiting[0].client)

    def _close(self, connection: _Connection) -> None:
        with self._lock:
            self._open.pop(connection, None)
        connection.client.close()

    def _serve(self, connection: _Connection) -> None:
        client = connection.client
        try:
            if not self._stopped.is_set():
                client.settimeout(self.limits.idle)
                self._answer(connection)
        except (OSError, ConnectionEnded, Cancelled):
            # The browser or the site closed, or the proxy was stopped.
            _shut_down(client)
        finally:
            self._close(connection)

    def _answer(self, connection: _Connection) -> None:
        """Serve one request and close the connection, so that no second request uses the first one's check."""
        client = connection.client
        rest = b""
        url = ""
        try:
            head, rest = self._head_of(client)
            request = parse_request(head)
            if not hmac.compare_digest(request.header(b"proxy-authorization"), self._key):
                _respond(client, 407, "This proxy is for the live view only.", ((b"Proxy-Authenticate", _CHALLENGE),))
                return
            connection.has_token = True
            url = _url_of(request)
            parsed = self.guard.parse_allowed(url)
            with self._connect(parsed, connection.progress) as site:
                if request.method == b"CONNECT":
                    self._open_tunnel(site, parsed)
                    client.sendall(format_head(b"HTTP/1.1 200 Connection established", ()))
                    site.sendall(rest)
                    self._tunnel(client, site)
                else:
                    self._send(client, site, request, rest)
                    self._receive(client, site)
        except InvalidHead as error:
            _respond(client, 400, f"Not understood: {error}.")
        except RaterError as error:
            blocked = isinstance(error, WebError) and error.state == "blocked"
            self._turned_down(host_and_port(url), str(error), blocked)
            _respond(client, PROXY_REFUSED if blocked else PROXY_NOT_REACHED, str(error))

    def _head_of(self, end: socket.socket, head: bytes = b"") -> tuple[bytes, bytes]:
        """Return the head of a message, and the bytes received after it."""
        while HEAD_END not in head and len(head) <= self.limits.head:
            head += _receive_some(end)
        head, _, rest = head.partition(HEAD_END)
        if len(head) > self.limits.head:
            raise InvalidHead("a head that is too long")
        return head + HEAD_END, rest

    def _connect(self, url: RequestUrl, progress: Progress) -> socket.socket:
        """Connect to an address that the guard has just checked; the name is not resolved again.

        If the guard has a company's proxy, connect to that instead.
        """
        endpoint = self.guard.proxy or url
        addresses = self.guard.addresses(endpoint.host, endpoint.port, progress=progress)
        seconds = self.limits.connect
        waits = Deadline(progress, self._clock, seconds).slices(
            seconds, "the server did not accept the connection in time"
        )
        try:
            site = connect_first(addresses, endpoint.port, waits)
        except HttpError as error:
            raise web_error_from_http(error, endpoint.host) from error
        site.settimeout(self.limits.idle)
        return site

    def _open_tunnel(self, site: socket.socket, url: RequestUrl) -> None:
        """Ask a company's proxy for a tunnel; without one the socket is the tunnel."""
        if self.guard.proxy is None:
            return
        host = f"[{url.host}]" if ":" in url.host else url.host
        place = f"{host}:{url.port}".encode("ascii")
        site.sendall(format_head(b"CONNECT " + place + b" HTTP/1.1", ((b"Host", place),)))
        _, status, _, _ = self._final_response(site)
        if status >= 300:
            why = f"the proxy {self.guard.proxy.host} says {status}"
            raise web_error_from_http(HttpError("unreachable", why), url.host)

    def _tunnel(self, client: socket.socket, site: socket.socket) -> None:
        """Forward bytes both ways, until one end closes."""
        left = self.limits.raw
        while left > 0:
            for end in self._ready(client, site):
                piece = _receive_some(end)
                (client if end is site else site).sendall(piece)
                left -= len(piece)

    def _send(self, client: socket.socket, site: socket.socket, request: ProxyRequest, rest: bytes) -> None:
        place = urlsplit(request.target).netloc
        path = request.target[len(b"http://") + len(place) :] or b"/"
        headers = tuple((name, value) for name, value in end_to_end_headers(request.headers) if name.lower() != b"host")
        line = b" ".join((request.method, request.target if self.guard.proxy else path, b"HTTP/1.1"))
        site.sendall(format_head(line, ((b"Host", place), *headers, *CLOSE_HEADER)))
        left = request.length
        site.sendall(rest[:left])
        left -= len(rest[:left])
        while left > 0:
            piece = _receive_some(client, left)
            site.sendall(piece)
            left -= len(piece)

    def _receive(self, client: socket.socket, site: socket.socket) -> None:
        line, _, headers, body = self._final_response(site)
        client.sendall(format_head(line, end_to_end_headers(headers) + CLOSE_HEADER))
        left = self.limits.raw
        while left > 0:
            client.sendall(body)
            left -= len(body)
            # Discard what the browser sends after its request; this only detects that it closed.
            while site not in (ready := self._ready(client, site)):
                _receive_some(ready[0])
            body = _receive_some(site)

    def _final_response(self, site: socket.socket) -> tuple[bytes, int, RawHeaders, bytes]:
        """Return first line, status and headers of the final response, and the received part of its body."""
        rest = b""
        while True:
            try:
                head, rest = self._head_of(site, rest)
                line, status, headers = parse_response(head)
            except InvalidHead as error:
                raise WebError("The site's response is not valid HTTP.", f"It sent {error}.", state="failed") from error
            if status == 407:  # or a site that tries to get the token
                raise WebError("Signing in to a proxy is required, which is not supported.", state="failed")
            if status >= 200:
                return line, status, headers, rest

    def _ready(self, *ends: socket.socket) -> list[socket.socket]:
        with _Selector() as selector:
            for end in ends:
                try:
                    selector.register(end, selectors.EVENT_READ)
                except ValueError as error:  # closed, since the proxy was stopped
                    raise ConnectionEnded from error
            found = [key.fileobj for key, _events in selector.select(self.limits.idle)]
        ready = [end for end in ends if end in found]
        if not ready:
            raise ConnectionEnded
        return ready


def host_and_port(url: str) -> str:
    """Return host and port of a URL, as the proxy and its callers compare them."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or DEFAULT_PORTS.get(parts.scheme, 80)}"


def _url_of(request: ProxyRequest) -> str:
    """Return the URL that a request is for. Raises `InvalidHead`."""
    target = request.target.decode("ascii")
    if request.method == b"CONNECT":
        # A tunnel has no scheme: use http for port 80, else https.
        target = f"{'http' if target.endswith(':80') else 'https'}://{target}/"
    try:
        parts = urlsplit(target)
        _ = parts.port
    except ValueError as error:
        raise InvalidHead("an address that is none") from error
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise InvalidHead("an address that is none")
    return target


def _receive_some(end: socket.socket, most: int = PROXY_CHUNK) -> bytes:
    piece = end.recv(min(most, PROXY_CHUNK))
    if not piece:
        raise ConnectionEnded
    return piece


def _respond(client: socket.socket, status: int, text: str, headers: RawHeaders = ()) -> None:
    body = text.encode("utf-8", "replace")
    client.sendall(
        format_head(
            b"HTTP/1.1 %d Desktop Rater" % status,
            (
                (b"Content-Type", b"text/plain; charset=utf-8"),
                (b"X-Content-Type-Options", b"nosniff"),
                (b"Content-Length", b"%d" % len(body)),
                *headers,
                *CLOSE_HEADER,
            ),
        )
        + body
    )


def _shut_down(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
        if sys.platform == "win32":  # only this ends the wait of another thread there
            end.close()
    except OSError:
        return  # already closed
