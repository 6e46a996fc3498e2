"""Requests to a hub's server: the client, the meaning of its responses, and transfers."""

import hashlib
import os
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import urlsplit
from xml.parsers import expat

from desktop_rater import __version__
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import hash_in_name
from desktop_rater.http.client import ServerClient, ServerLimits, UploadBody
from desktop_rater.http.request import (
    HttpError,
    HttpErrorKind,
    RequestUrl,
    StreamedResponse,
    parse_http_date,
    parse_retry_after,
    wait_for,
)
from desktop_rater.hub.errors import HubError, HubErrorKind, file_too_large_error, incomplete_file_error
from desktop_rater.hub.interface import HubEnvironment, ProbeFinding, ProbeResult, run_probe
from desktop_rater.text.urls import authority

_MOST_QUOTED = 200
_AGAIN = "It will be retried automatically."


class ErrorRow(NamedTuple):
    """An error for a response. `{host}` in the texts is the server's name; the tables define the other placeholders."""

    kind: HubErrorKind
    title: str
    message: str = ""
    hint: str = ""

    def error(self, headers: Mapping[str, str], now: datetime, **values: object) -> HubError:
        """Make the error, with a waiting time if it is temporary. `values` are those of the placeholders."""
        wait = parse_retry_after(headers, now) if self.kind in ("busy", "away") else None
        title, message, hint = (text.format(**values) for text in (self.title, self.message, self.hint))
        return HubError(self.kind, title, message, hint, retry_after=wait)


_SIGN_IN = ErrorRow("sign_in", "{host} requires signing in.", "The user or the password is wrong.", "Sign in again.")
_RIGHTS = ErrorRow(
    "rights",
    "{host} denies access.",
    "The user has no permission to {doing} there (status {status}).",
    "Ask the hub's administrator.",
)
_PLACE = ErrorRow(
    "place",
    "The hub's folder does not exist.",
    "{host} has no folder for the file (status {status}).",
    "Check the hub's address: is the folder spelt as on the server?",
)
_GONE = ErrorRow("gone", "A file is no longer on the hub.", "{host} has no file of that name (status {status}).")
_OTHER = ErrorRow("other", "Another file has that name.", "Both files are kept, theirs on {host} (status {status}).")
_TOO_LARGE = ErrorRow(
    "too_large",
    "The file is too large for the hub.",
    "{host} does not accept files of that size (status {status}).",
    "Send it in another way, or ask the hub's administrator to allow larger files.",
)
_UNWANTED = ErrorRow(
    "too_large",
    "The hub does not accept the file.",
    "{host} refuses this one (status {status}).",
    "Send it in another way, or ask the hub's administrator.",
)
_BUSY = ErrorRow("busy", "{host} is busy.", "It asks to try again later (status {status}).", _AGAIN)
_AWAY = ErrorRow("away", "{host} reports an error.", "It can't respond at the moment (status {status}).", _AGAIN)
_FULL = ErrorRow(
    "full",
    "The hub is full.",
    "{host} has no space left for your files (status {status}).",
    "Ask the hub's administrator to free some space.",
)
_NO_WEBDAV = ErrorRow(
    "not_a_hub",
    "This is not the hub.",
    "{host} responds, but is not a WebDAV server (status {status}).",
    "Check the hub's address.",
)
_PORTAL = ErrorRow(
    "not_a_hub",
    "This is not the hub.",
    "The network requires signing in first (status {status}).",
    "Open a page in the browser, then sync again.",
)
_REPLACED = frozenset({"PUT", "MKCOL", "MOVE"})

# The most specific rows first: verbs (None: all), statuses, error. `{status}` is the number.
_TABLE: tuple[tuple[frozenset[str] | None, range | frozenset[int], ErrorRow], ...] = (
    (None, frozenset({401}), _SIGN_IN),
    (None, frozenset({403}), _RIGHTS),
    (_REPLACED, frozenset({404, 409, 410}), _PLACE),
    (None, frozenset({404, 410}), _GONE),
    (None, frozenset({412}), _OTHER),
    (None, frozenset({413}), _TOO_LARGE),
    (_REPLACED, frozenset({400, 406, 414, 415, 422, 451}), _UNWANTED),
    (None, frozenset({423, 425, 429, 503}), _BUSY),
    (None, frozenset({507}), _FULL),
    (None, frozenset({407, 511}), _PORTAL),
    (None, frozenset({501, 505, 506, 510}), _NO_WEBDAV),
    (None, frozenset({408}), _AWAY),
    (None, range(500, 600), _AWAY),
    (None, range(100, 1000), _NO_WEBDAV),
)
_DOING = {"PUT": "write", "MKCOL": "make a folder", "MOVE": "rename", "DELETE": "delete"}


def response_error(verb: str, status: int, headers: Mapping[str, str], host: str, now: datetime) -> HubError:
    """Return the error for an unexpected response. `headers` have lower-case names; `now` is the time in UTC."""
    if 300 <= status < 400 and status != 304:
        return _moved_error(headers, host)
    row = next(row for verbs, statuses, row in _TABLE if (verbs is None or verb in verbs) and status in statuses)
    if row is _SIGN_IN and _lacks_basic(headers):
        message = "It requires an authentication method that is not supported, such as Digest."
        return HubError(
            "sign_in",
            row.title.format(host=host),
            message,
            "Ask the hub's administrator to allow Basic, which is safe over TLS.",
        )
    return row.error(headers, now, host=host, status=status, doing=_DOING.get(verb, "read"))


_HTTP: dict[HttpErrorKind, tuple[HubErrorKind, str, str]] = {
    "unreachable": ("away", "The hub can't be reached.", _AGAIN),
    "timeout": ("away", "The hub did not answer in time.", _AGAIN),
    "certificate": (
        "certificate",
        "The certificate of {host} is not valid.",
        "If the server has a certificate of its own, choose its CA file. If this computer's clock is wrong, set it.",
    ),
    "protocol": ("not_a_hub", "This is not the hub.", "Check the hub's address."),
    "too_large": ("not_a_hub", "This is not the hub.", "Check the hub's address."),
}


def exchange_error(error: HttpError, host: str) -> HubError:
    """Return the error for a failed exchange."""
    kind, title, hint = _HTTP[error.kind]
    reason = str(error).rstrip(".")
    return HubError(kind, title.format(host=host), f"{host}: {reason}.", hint)


def login_page_error(host: str) -> HubError:
    """Return the error for a web page in place of the expected response."""
    return HubError(
        "not_a_hub",
        "This is not the hub.",
        f"{host} responds with a web page, such as the sign-in page of a network.",
        ("Open a page in the browser, then sync again. If that does not help, check the hub's address."),
    )


def altered_file_error(host: str) -> HubError:
    """Return the error for bytes that differ from those written."""
    return HubError(
        "not_a_hub",
        "The hub does not store files unchanged.",
        f"{host} accepted a file, but returns different data.",
        "Nothing counts as sent. Ask the hub's administrator.",
    )


def is_web_page(headers: Mapping[str, str], beginning: bytes) -> bool:
    """Tell if it is HTML, by its headers or content. Nothing on a hub is."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        return True
    text = beginning[:_MOST_QUOTED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return text.startswith((b"<!doctype html", b"<html", b"<head", b"<script", b"<body"))


def _moved_error(headers: Mapping[str, str], host: str) -> HubError:
    title, hint = "The hub has moved.", "Connect to the new address if you trust it."
    try:
        parts = urlsplit(headers.get("location", "")[:2_000])
        target = authority(parts.scheme, parts.hostname, parts.port) if parts.hostname else host
    except ValueError:
        target = "an address that can't be read"
    if not target.isprintable() or len(target) > _MOST_QUOTED:
        target = "an address that can't be shown"
    target_text = "another address there" if target == host else target
    # The rest of the address is not shown: it may contain credentials.
    return HubError("moved", title, f"{host} redirects to {target_text}. Nothing was sent there.", hint)


def _lacks_basic(headers: Mapping[str, str]) -> bool:
    challenge = headers.get("www-authenticate", "").lower()
    return bool(challenge) and "basic" not in challenge and "bearer" not in challenge


_PIECE = 256 * 1024


@contextmanager
def open_upload(content: Path, name: str) -> Generator[tuple[Generator[bytes], int]]:
    """Open a file; yield its pieces and size. Errors of the local disk are not attributed to the hub."""
    try:
        file = content.open("rb")
        size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise _unreadable(name, error) from error
    with file:
        yield _pieces(file, name), size


def upload_body(content: Path, name: str, sha256: str) -> UploadBody:
    """Make a file the body of a request. If it does not match its hash, the body is never completed."""
    with open_upload(content, name) as (_pieces, size):
        pass
    return UploadBody(size, lambda: _verified_chunks(content, name, sha256, size))


def transfer_legs(progress: Progress, size: int, count: int) -> tuple[Progress, ...]:
    """Return the progress of each transfer of a file, in order: upload, and reading back for comparison."""

    def leg_progress(before: int) -> Progress:
        return Progress(lambda done, _total: progress((before + min(done, size)) // count, size))

    return tuple(leg_progress(turn * size) for turn in range(count))


def changed_file_error(name: str) -> HubError:
    """Return the error for a file that does not match its hash."""
    return HubError("other", "A file to be sent was modified", f"The file is {name}.", _RECREATED)


_RECREATED = "It will be recreated from the store."


def _pieces(file: IO[bytes], name: str) -> Generator[bytes]:
    try:
        while piece := file.read(_PIECE):
            yield piece
    except OSError as error:
        raise _unreadable(name, error) from error


def _verified_chunks(content: Path, name: str, sha256: str, size: int) -> Generator[bytes]:
    digest, pending = hashlib.sha256(), b""
    with open_upload(content, name) as (pieces, actual_size):
        if actual_size != size:
            raise changed_file_error(name)
        for chunk in pieces:
            digest.update(chunk)
            if pending:
                yield pending
            pending = chunk
        if digest.hexdigest() != sha256:
            raise changed_file_error(name)
        if pending:
            yield pending


def _unreadable(name: str, error: OSError) -> HubError:
    reason = error.strerror or type(error).__name__
    return HubError("other", "A file to be sent can't be read", f"It is {name}: {reason}.", _RECREATED)


MAX_LISTED_FILES = 2_000_000
"""Maximum files of one list: a server with more is endless, or too large for a laptop."""

# Everything that `format.hub_names` makes; no "..", no hidden files.
_PART = re.compile(r"[A-Za-z0-9~][A-Za-z0-9._~-]{0,199}")


def split_hub_name(name: str) -> tuple[str, ...]:
    """Split a name into folders and file. Raises `HubError` if it could lead out of the hub."""
    parts = tuple(name.split("/"))
    if not all(is_valid_part(part) for part in parts):
        raise HubError("not_a_hub", "A file on the hub has an invalid name", f"It is {name[:200]!r}.")
    return parts


def is_valid_part(text: str) -> bool:
    """Tell if a folder or a file of ours can have this name."""
    return _PART.fullmatch(text) is not None and not text.endswith(".")


def endless_list_error(place: str) -> HubError:
    """Return the error for an endless list of files."""
    message = f"{place} lists more folders and files than a hub can have. A folder may be listed inside itself."
    return HubError("not_a_hub", "The hub's list of files does not end.", message, "Ask the hub's administrator.")


class DownloadTooLarge(Exception):
    """More bytes arrived than expected."""


def receive_body(response: StreamedResponse, host: str, write: Callable[[bytes], object], most: int) -> tuple[str, int]:
    """Pass the bytes of a file to `write`; return their SHA-256 and number.

    Raises `DownloadTooLarge` for more than `most` bytes, and `HubError` if a web page was returned instead.
    """
    digest, size = hashlib.sha256(), 0
    length = response.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() else 0
    for piece in response.chunks:
        if not size and is_web_page(response.headers, piece):
            raise login_page_error(host)
        size += len(piece)
        if max(size, announced) > most:
            raise DownloadTooLarge
        digest.update(piece)
        write(piece)
    return digest.hexdigest(), size


_COMMON_HEADERS = (("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "*/*"))
_READ_WAITS = (0.0, 0.1, 0.4, 1.0)  # seconds before each reading of a file that was written


class HubServer:
    """Base of the clients of a server at `base`. `skew` is its clock minus ours, in seconds, if known."""

    def __init__(self, base: RequestUrl, environment: HubEnvironment, limits: ServerLimits) -> None:
        self.host = base.authority
        self.skew: float | None = None
        self._environment = environment
        self._client = ServerClient(
            environment.clock, limits, resolve=environment.resolve, certificates=environment.certificates
        )

    @contextmanager
    def send(
        self,
        verb: str,
        url: RequestUrl,
        headers: Sequence[tuple[str, str]],
        progress: Progress,
        *,
        upload: UploadBody | None = None,
        most: int = 0,
        sign_in: tuple[str, str] | None = None,
    ) -> Generator[StreamedResponse]:
        """Yield the response, whatever its status, with about `most` bytes of its body at most."""
        all_headers = [*_COMMON_HEADERS, *headers]
        try:
            with self._client.stream(
                verb, url, all_headers, progress, upload=upload, most=most, sign_in=sign_in
            ) as response:
                server_time = parse_http_date(response.headers.get("date", ""))
                if server_time is not None:
                    self.skew = (server_time - self._environment.now()).total_seconds()
                yield response
        except HttpError as error:
            raise exchange_error(error, self.host) from error

    def close(self) -> None:
        self._client.close()


class ServerHub:
    """Base of hubs on a server, see `interface.Hub`. Subclasses define `_download` and `_run_checks`."""

    def __init__(self, address: str, environment: HubEnvironment, server: HubServer) -> None:
        self.address = address
        self._environment = environment
        self._server = server

    @property
    def skew(self) -> float | None:
        return self._server.skew

    def probe(self, progress: Progress) -> ProbeResult:
        return run_probe(self._run_checks(progress), lambda: self.skew)

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        try:
            sha256, size = self._download(split_hub_name(name), write, progress, most)
        except DownloadTooLarge:
            raise file_too_large_error(name, self._server.host) from None
        if hash_in_name(name) not in (None, sha256):
            raise incomplete_file_error(name)
        return size

    def close(self) -> None:
        self._server.close()

    def _hash_of(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """Return the hash of a file of the expected size; "" if it is larger, `None` if missing."""
        try:
            return self._download(parts, lambda _piece: None, progress, size)[0]
        except DownloadTooLarge:
            return ""
        except HubError as error:
            if error.kind != "gone":
                raise
        return None

    def _is_stored(self, parts: tuple[str, ...], sha256: str, size: int, progress: Progress) -> bool:
        """Read a file of that size back and tell if it has that hash.

        One that differs is read again after a wait: rclone may return nothing shortly after an upload, and a part while
        another client uploads the same bytes.
        """
        for wait in _READ_WAITS:
            wait_for(wait, progress)
            if self._hash_of(parts, size, progress) == sha256:
                return True
        return False

    def _download(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        """Pass the bytes of a file to `write`; return their SHA-256 and number. Raises `DownloadTooLarge`."""
        raise NotImplementedError

    def _run_checks(self, progress: Progress) -> Iterable[ProbeFinding]:
        raise NotImplementedError


MAX_LISTED_ELEMENTS = 1_000_000
_MOST_TEXT = 8_000  # characters of one value
_DEEPEST = 40  # nested elements
_MOST_PENDING = 256 * 1024  # bytes of one tag or comment: expat parses it again with each further piece


class ListingParser:
    """Parser of a document whose outermost element is `root`. All methods raise `ValueError` for an invalid list.

    `local_name` shortens names, which are given as "namespace|name". Subclasses handle the start and the end of
    elements; at the end, `open` still contains the element.
    """

    def __init__(self, root: str, local_name: Callable[[str], str]) -> None:
        self.open: list[str] = []
        self._root = root
        self._local_name = local_name
        self._parser = expat.ParserCreate(namespace_separator="|")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._fed = self._elements = self._length = 0
        self._text: list[str] = []

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Parse the next piece."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise ValueError("its list of files is not valid XML") from error
        self._fed += len(data)
        if not last and self._fed - self._parser.CurrentByteIndex > _MOST_PENDING:
            raise ValueError("a value in its list of files is too long")

    def start_element(self, name: str) -> None:
        """Handle the start of an element."""

    def end_element(self, name: str, text: str) -> None:
        """Handle the end of an element; `text` is that since the last tag."""

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        name = self._local_name(name)
        if not self.open and name != self._root:
            raise ValueError("its list of files is XML of another kind")
        self.open.append(name)
        self._elements += 1
        if len(self.open) > _DEEPEST or self._elements > MAX_LISTED_ELEMENTS:
            raise ValueError("its list of files is too long or too deeply nested")
        self._text, self._length = [], 0
        self.start_element(name)

    def _characters(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        if self._length > _MOST_TEXT:
            raise ValueError("a value in its list of files is too long")

    def _end(self, _name: str) -> None:
        self.end_element(self.open[-1], "".join(self._text))
        self.open.pop()
        self._text, self._length = [], 0

    def _refuse_doctype(self, *_doctype: object) -> None:
        raise ValueError("its list of files contains a DOCTYPE, which is not allowed")
