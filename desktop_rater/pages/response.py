"""Responses of web servers as received, with the limits and errors of fetching."""

import msgspec

from desktop_rater.format.errors import RaterError
from desktop_rater.format.page import PageState
from desktop_rater.format.rating import LibraryName
from desktop_rater.http.request import HttpError, HttpErrorKind


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """A redirect. `headers` are (name, value) in Latin-1, in order, without Set-Cookie."""

    url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class WebResponse(msgspec.Struct, frozen=True, kw_only=True):
    """The final response and the redirects before it.

    `raw` is the body as sent, still in the coding that `headers` name; `body` is the same, decompressed. `fetched` is a
    time of the formats, in UTC. Of a `rendered` page the body is the HTML of what the live view showed, and `picture` a
    PNG of it; `cut`: the page went on. `library`: it was read from that library, and `fetched` is the library's time.
    """

    url: str
    final_url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    hops: tuple[Redirect, ...] = ()
    raw: bytes = b""
    body: bytes = b""
    fetched: str
    rendered: bool = False
    picture: bytes = b""
    cut: bool = False
    library: LibraryName | None = None

    def header(self, name: str) -> str:
        """Return the first header of that name, ignoring case; an empty text if there is none."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


class Rendering(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the live view shows it: the HTML of what can be seen, and a PNG picture; `cut`: the page goes on."""

    url: str
    html: str
    picture: bytes = b""
    cut: bool = False


KIB = 1024
MIB = 1024 * KIB


class WebLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits, in bytes and seconds unless noted. A value equal to its limit is accepted."""

    raw_bytes: int = 5 * MIB
    """A body as sent, still compressed."""
    inflated_bytes: int = 10 * MIB
    wire_bytes: int = 16 * MIB
    """All bytes of one response, with heads and the framing of chunks, without that of TLS."""
    head_bytes: int = 256 * KIB
    """The head of one response, with all informational responses before it."""
    crumbs: int = 20_000
    """Chunks of a body that average less than `crumb_bytes`: each costs the time of a large one."""
    crumb_bytes: int = 16
    html_bytes: int = 2 * MIB
    redirects: int = 5
    total_seconds: float = 20
    """From the first look-up to the last byte, redirects included."""
    look_up_seconds: float = 5
    connect_seconds: float = 5
    read_seconds: float = 5
    """The longest silence."""
    start_seconds: float = 60
    """Start of the process that reads pages: loading libraries is slow on a laptop that was just started."""
    parse_seconds: float = 10
    child_bytes: int = 1024 * MIB
    """Memory of the process that reads pages."""
    elements: int = 60_000
    depth: int = 256


WEB_LIMITS = WebLimits()


class SnapshotOutline(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page without its content. The fields are those of `WebResponse`."""

    url: str
    final_url: str
    fetched: str
    status: int
    media_type: str
    library: LibraryName | None = None


class WebError(RaterError):
    """A page can't be fetched or read. `url` is the failing URL, after the redirects `hops`."""

    def __init__(self, title: str, message: str = "", hint: str = "", *, state: PageState) -> None:
        super().__init__(title, message, hint)
        self.state: PageState = state
        self.url = ""
        self.hops: tuple[Redirect, ...] = ()


def broken_snapshot(why: str) -> WebError:
    """Return the error for a stored page that can't be read."""
    return WebError("The stored page can't be read", f"{why}.", "Fetch the page again.", state="broken")


def blocked_error(message: str, hint: str = "") -> WebError:
    """Return the error for an address that the guard refuses."""
    return WebError("This address can't be opened.", message, hint, state="blocked")


_ERRORS: dict[HttpErrorKind, tuple[PageState, str, str]] = {
    "unreachable": ("unreachable", "{host} can't be reached.", "Check the network, then try again."),
    "certificate": (
        "unreachable",
        "{host} could not prove its identity.",
        "Its certificate is not trusted, so the connection may be intercepted. Nothing was loaded.",
    ),
    "timeout": ("timeout", "{host} did not answer in time.", "Try again later."),
    "protocol": ("failed", "The response of {host} is not valid HTTP.", "Try again later, or open another page."),
    "too_large": ("too_large", "The page is too large.", "Open it in the browser of the system."),
}


def web_error_from_http(error: HttpError, host: str) -> WebError:
    """Convert the error of an HTTP exchange to a `WebError` with its state."""
    state, title, hint = _ERRORS[error.kind]
    reason = str(error)
    return WebError(title.format(host=host), f"{reason[:1].upper()}{reason[1:].rstrip('.')}.", hint, state=state)
