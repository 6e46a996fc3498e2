"""The exception of this package, with the state that the preview shows for it."""

from desktop_rater.http.errors import HttpError, HttpErrorKind
from desktop_rater.model.errors import RaterError
from desktop_rater.model.page import PageState
from desktop_rater.web.response import Redirect


class WebError(RaterError):
    """A page can't be fetched or read. `url` is the failing URL, after the redirects `hops`."""

    def __init__(self, title: str, message: str = "", hint: str = "", *, state: PageState) -> None:
        super().__init__(title, message, hint)
        self.state: PageState = state
        self.url = ""
        self.hops: tuple[Redirect, ...] = ()


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
