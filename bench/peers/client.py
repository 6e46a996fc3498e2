"""An HTTP client that measures: one kept connection, JSON, forms and uploads, and the cookies of a session."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.hub.servers.process import HOST

_LIMIT = 900.0  # seconds for one response
_FIRST_ERROR = 400
_REDIRECTS = (301, 302, 303)


class Answer(NamedTuple):
    """Response of a server: `seconds` from the request until its body was read, with all redirects."""

    seconds: float
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class RefusedRequest(Exception):
    """Request that a server answered with an error."""

    def __init__(self, request: str, status: int, body: bytes) -> None:
        super().__init__(f"{request}: {status} {body[:300]!r}")
        self.status = status


class Client:
    """Connection of one user to a server of this computer. `headers` go with each request."""

    def __init__(self, port: int, headers: dict[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=_LIMIT)
        self.headers = dict(headers or {})
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        """Request a page."""
        return self._send("GET", path)

    def post(self, path: str, value: Any = None) -> Answer:
        """Send a value as JSON; bytes are JSON already."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self._send("POST", path, body, "application/json")

    def submit(self, path: str, fields: dict[str, str]) -> Answer:
        """Send a form."""
        return self._send("POST", path, urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def upload(self, path: str, field: str, name: str, content: bytes) -> Answer:
        """Send a file."""
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        return self._send("POST", path, body, f"multipart/form-data; boundary={boundary}")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _send(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> Answer:
        started = time.perf_counter()
        response, content = self._exchange(method, path, body, kind)
        while response.status in _REDIRECTS:
            response, content = self._exchange("GET", response.headers["Location"], None, "")
        seconds = time.perf_counter() - started
        if response.status >= _FIRST_ERROR:
            raise RefusedRequest(f"{method} {path}", response.status, content)
        return Answer(seconds, response.status, content)

    def _exchange(
        self, method: str, path: str, body: bytes | None, kind: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        headers = dict(self.headers)
        if kind:
            headers["Content-Type"] = kind
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # A server may close a connection that rests, between two requests.
            self._connection.close()
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
        content = response.read()
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return response, content
