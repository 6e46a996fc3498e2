"""The one exception that leaves this room, with the state that the preview shows for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from desktop_rater.http.trouble import HttpKind, HttpTrouble
    from desktop_rater.model.page import PageState
    from desktop_rater.web.answer import Hop


class WebError(RaterError):
    """A page can't be fetched or read. `url` is where it happened, behind the redirects `hops`."""

    def __init__(self, title: str, message: str = "", hint: str = "", *, state: PageState) -> None:
        super().__init__(title, message, hint)
        self.state: PageState = state
        self.url = ""
        self.hops: tuple[Hop, ...] = ()


def blocked(message: str, hint: str = "") -> WebError:
    """The guard lets nobody go there."""
    return WebError("This address is not opened.", message, hint, state="blocked")


_KINDS: dict[HttpKind, tuple[PageState, str, str]] = {
    "unreachable": ("unreachable", "{host} can't be reached.", "Check the network, then try again."),
    "certificate": (
        "unreachable",
        "{host} can't show that it is what it says.",
        "Its certificate is not trusted. Somebody may listen; nothing was read.",
    ),
    "timeout": ("timeout", "{host} did not answer in time.", "Try again later."),
    "protocol": ("failed", "{host} sent something that is not HTTP.", "Try again later, or open another page."),
    "too_large": ("too_large", "The page is too large.", "Open it in the browser of the system."),
}


def of_http(error: HttpTrouble, host: str) -> WebError:
    """An exchange that did not come to its end, with the state that stands for it."""
    state, title, hint = _KINDS[error.kind]
    reason = str(error)
    return WebError(title.format(host=host), f"{reason[:1].upper()}{reason[1:].rstrip('.')}.", hint, state=state)
