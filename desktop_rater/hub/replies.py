"""What a WebDAV server's answers mean: one table, and nobody else looks at a status to say what went wrong."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from desktop_rater.hub.backoff import retry_after
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from urllib.parse import SplitResult

    from desktop_rater.http.trouble import HttpKind, HttpTrouble
    from desktop_rater.hub.trouble import HubKind

_MOST_QUOTED = 200
_AGAIN = "It is tried again by itself."
_YEARS = range(1970, 2200)  # of a clock that may be wrong, and is one


class Row(NamedTuple):
    """What an answer means. `{host}` in the texts is the server's name; what else they hold the table says."""

    kind: HubKind
    title: str
    message: str
    hint: str = ""

    def trouble(self, headers: Mapping[str, str], now: datetime, **said: object) -> HubTrouble:
        """The same as trouble, with how long to wait where it passes. `said` is what stands in the texts."""
        since = date_of(headers.get("date", "")) or now  # a moment that it names is one by its own clock
        wait = retry_after(headers.get("retry-after", ""), since) if self.kind in ("busy", "away") else None
        title, message, hint = (text.format(**said) for text in (self.title, self.message, self.hint))
        return HubTrouble(self.kind, title, message, hint, retry_after=wait)


_SIGN_IN = Row("sign_in", "{host} wants you to sign in.", "It does not know this user and password.", "Sign in again.")
_RIGHTS = Row(
    "rights",
    "{host} does not let you do that.",
    "The user has no right to {doing} there (status {status}).",
    "Ask whoever runs the hub.",
)
_PLACE = Row(
    "place",
    "The hub's folder is not there.",
    "{host} finds no place for the file (status {status}).",
    "Look at the hub's address: is its folder spelt as on the server?",
)
_GONE = Row("gone", "A file is not on the hub any more.", "{host} has none of that name (status {status}).")
_OTHER = Row("other", "Another file stands under that name.", "{host} keeps it, and so do we (status {status}).")
_TOO_LARGE = Row(
    "too_large",
    "The file is too large for the hub.",
    "{host} takes no file of that size (status {status}).",
    "Send it on another way, or ask whoever runs the hub to allow larger files.",
)
_UNWANTED = Row(
    "too_large",
    "The hub does not take the file.",
    "{host} refuses this one (status {status}).",
    "Send it on another way, or ask whoever runs the hub.",
)
_BUSY = Row("busy", "{host} is busy.", "It asks for patience (status {status}).", _AGAIN)
_AWAY = Row("away", "{host} has a fault.", "It can't answer just now (status {status}).", _AGAIN)
_FULL = Row(
    "full",
    "The hub is full.",
    "{host} has no space left for your files (status {status}).",
    "Ask whoever runs the hub to make room.",
)
_NO_WEBDAV = Row(
    "not_a_hub",
    "This is not the hub.",
    "{host} answers, but not as a WebDAV server does (status {status}).",
    "Look at the hub's address.",
)
_PORTAL = Row(
    "not_a_hub",
    "This is not the hub.",
    "The network wants you to sign in to it first (status {status}).",
    "Open a page in the browser, then sync again.",
)
_REPLACED = frozenset({"PUT", "MKCOL", "MOVE"})

# The most particular rows first: for which verbs (None: all), which statuses, what they mean. `{status}` is the number.
_TABLE: tuple[tuple[frozenset[str] | None, range | frozenset[int], Row], ...] = (
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


def trouble_of(verb: str, status: int, headers: Mapping[str, str], host: str, now: datetime) -> HubTrouble:
    """What an answer means that is not the one wanted. `headers` have names in lower case; `now` is the time in UTC."""
    if 300 <= status < 400 and status != 304:
        return _moved(headers, host)
    row = next(row for verbs, statuses, row in _TABLE if (verbs is None or verb in verbs) and status in statuses)
    if row is _SIGN_IN and _wants_digest(headers):
        message = "It asks for a way of signing in that is not known here, such as Digest."
        return HubTrouble(
            "sign_in",
            row.title.format(host=host),
            message,
            "Ask whoever runs the hub to allow Basic, which TLS guards.",
        )
    return row.trouble(headers, now, host=host, status=status, doing=_DOING.get(verb, "read"))


_HTTP: dict[HttpKind, tuple[HubKind, str, str]] = {
    "unreachable": ("away", "The hub can't be reached.", _AGAIN),
    "timeout": ("away", "The hub did not answer in time.", _AGAIN),
    "certificate": (
        "certificate",
        "{host} can't show that it is the hub.",
        "If the server has a certificate of its own, choose its CA file. If this computer's clock is wrong, set it.",
    ),
    "protocol": ("not_a_hub", "This is not the hub.", "Look at the hub's address."),
    "too_large": ("not_a_hub", "This is not the hub.", "Look at the hub's address."),
}


def of_http(error: HttpTrouble, host: str) -> HubTrouble:
    """An exchange that did not come to its end."""
    kind, title, hint = _HTTP[error.kind]
    reason = str(error).rstrip(".")
    return HubTrouble(kind, title.format(host=host), f"{host}: {reason}.", hint)


def login_page(host: str) -> HubTrouble:
    """A page for people came in the place of what was asked."""
    return HubTrouble(
        "not_a_hub",
        "This is not the hub.",
        f"{host} answers with a web page, such as that of a network that wants you to sign in to it.",
        "Open a page in the browser, then sync again. If that is not it, look at the hub's address.",
    )


def altered(host: str) -> HubTrouble:
    """What was written is not what is read."""
    return HubTrouble(
        "not_a_hub",
        "The hub does not keep what it is given.",
        f"{host} took a file, and gives back other bytes.",
        "Nothing counts as sent. Ask whoever runs the hub.",
    )


def is_page(headers: Mapping[str, str], beginning: bytes) -> bool:
    """Whether it is HTML, by what the server says or by what it is. Nothing on a hub is."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        return True
    text = beginning[:_MOST_QUOTED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return text.startswith((b"<!doctype html", b"<html", b"<head", b"<script", b"<body"))


def date_of(text: str) -> datetime | None:
    """A time as HTTP writes it; `None` for what is none, tells no zone, or can't be reckoned with."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo and found.year in _YEARS else None


def _moved(headers: Mapping[str, str], host: str) -> HubTrouble:
    title, hint = "The hub has moved.", "Connect to the new address if you trust it."
    try:
        parts = urlsplit(headers.get("location", "")[:2_000])
        there = _host_of(parts) if parts.hostname else host
    except ValueError:
        there = "an address that can't be read"
    if not there.isprintable() or len(there) > _MOST_QUOTED:
        there = "an address that can't be shown"
    where = "another address there" if there == host else there
    # The rest of the address is not shown: it may hold what lets somebody in.
    return HubTrouble("moved", title, f"{host} sends on to {where}. Nothing was sent there.", hint)


def _host_of(parts: SplitResult) -> str:
    """As an address has it; the port only where it is not the usual one."""
    name = parts.hostname or ""
    name = f"[{name}]" if ":" in name else name
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return name if parts.port in (None, usual) else f"{name}:{parts.port}"


def _wants_digest(headers: Mapping[str, str]) -> bool:
    asked = headers.get("www-authenticate", "").lower()
    return bool(asked) and "basic" not in asked and "bearer" not in asked
