"""Meaning of a WebDAV server's responses."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from desktop_rater.http.errors import HttpError, HttpErrorKind
from desktop_rater.http.retry import parse_retry_after
from desktop_rater.hub.errors import HubError, HubErrorKind
from desktop_rater.text.urls import authority

_MOST_QUOTED = 200
_AGAIN = "It will be retried automatically."


class ErrorRow(NamedTuple):
    """An error for a response. `{host}` in the texts is the server's name; the tables define the other placeholders."""

    kind: HubErrorKind
    title: str
    message: str
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
