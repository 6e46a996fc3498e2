"""A web server on loopback that does what the worst of the web does, and counts what reached it.

    with HostileServer() as server:
        server.url("/bomb")
        server.hits["/bomb"], server.total, server.connections

What a path does stands in `hostile_paths`. Closing a server ends its slow answers at once.
"""

import socket
import ssl
import struct
import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, urlsplit

from tests.pages.hostile_paths import answer_to

# For 127.0.0.1, ::1, localhost and page.example; it signs itself, and whoever trusts this file trusts the server.
CERTIFICATE = Path(__file__).parent / "loopback.pem"


class HostileServer:
    """Listens from the start; `hits` counts requests by path, `connections` what merely connected."""

    def __init__(self, host: str = "127.0.0.1", *, tls: bool = False) -> None:
        self.requests: list[Request] = []
        self.tunnels: list[str] = []
        self.connections = 0
        self.closing = threading.Event()
        self._host = host
        self._scheme = "https" if tls else "http"
        self._server = _server(self, host, tls=tls)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def hits(self) -> Counter[str]:
        return Counter(request.path for request in list(self.requests))

    @property
    def total(self) -> int:
        return len(self.requests)

    def url(self, path: str = "/page") -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{self._scheme}://{host}:{self.port}{path}"

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()


class Request:
    """What was asked, and the ways to answer: politely, or byte by byte."""

    def __init__(self, handler: BaseHTTPRequestHandler, server: HostileServer) -> None:
        parts = urlsplit(handler.path)
        self.path = parts.path
        self.query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.headers = dict(handler.headers.items())
        self.server = server
        self._handler = handler

    def send(self, body: bytes = b"", media: str = "text/html; charset=utf-8", status: int = 200, **headers: str):
        """A well-formed answer; a name such as `content_encoding` becomes the header Content-Encoding."""
        handler = self._handler
        handler.send_response(status)
        named = {"Content-Type": media, "Content-Length": str(len(body))}
        named |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        for name, value in named.items():
            handler.send_header(name, value)
        handler.end_headers()
        self.raw(body)

    def raw(self, data: bytes) -> None:
        """These bytes and nothing else."""
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def drip(self, data: bytes, seconds: float = 0.5) -> None:
        """One byte after another, until they are out or the server closes."""
        for byte in data:
            self.raw(bytes([byte]))
            if self.server.closing.wait(seconds):
                return

    def for_ever(self, data: bytes) -> None:
        while not self.server.closing.is_set():
            self.raw(data)

    def hang(self) -> None:
        """Say nothing more until the server closes."""
        self.server.closing.wait(60)

    def reset(self) -> None:
        """Drop the connection with a reset instead of an end."""
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._handler.connection.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    story: HostileServer

    def do_GET(self) -> None:
        request = Request(self, self.story)
        self.story.requests.append(request)
        self.close_connection = True
        with suppress(OSError):  # the other side went away, as it should
            answer_to(request)

    def do_CONNECT(self) -> None:
        """As a company's proxy: what is asked inside the tunnel is answered by this very server."""
        self.story.tunnels.append(self.path)
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            inside = _context().wrap_socket(self.connection, server_side=True)
            type(self)(inside, self.client_address, self.server)
            inside.close()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Say nothing: what the tests want to know is counted."""

    def finish(self) -> None:
        with suppress(OSError, ValueError):  # a connection that was reset has nothing to flush
            super().finish()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, story: HostileServer, host: str, context: ssl.SSLContext | None) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, 0), type("Handler", (_Handler,), {"story": story}))
        self._story = story
        self._context = context

    def get_request(self):
        connection, address = super().get_request()
        self._story.connections += 1
        if self._context is not None:
            # The handshake happens in the handler's thread, with its first read.
            connection = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address) -> None:
        """A client that leaves in the middle, or trusts no certificate, is what many tests are about."""


class Mute:
    """A port that lets connect and then never says a word. With `full`, not even that: its queue is taken."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, full: bool = False) -> None:
        self._listener = socket.socket()
        self._listener.bind((host, port))
        self._listener.listen(0 if full else 64)
        self.port: int = self._listener.getsockname()[1]
        self._queued = [socket.socket() for _ in range(2 if full else 0)]
        for waiting in self._queued:
            waiting.setblocking(False)
            waiting.connect_ex((host, self.port))
        self._host = host

    def url(self, scheme: str = "http") -> str:
        return f"{scheme}://{self._host}:{self.port}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        for end in (*self._queued, self._listener):
            end.close()


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def _server(story: HostileServer, host: str, *, tls: bool) -> _Listener:
    return _Listener(story, host, _context() if tls else None)
