"""A web page as the reader view shows it, or the reason why it can't."""

from typing import Literal

import msgspec

from desktop_rater.format.rating import LibraryName

# `ok` and `login` show a text; the others show why there is none.
PageState = Literal[
    "ok",
    "login",  # a form to sign in, or a paywall: a text may exist, but not that of the requested page
    "not_found",  # 404 and 410
    "refused",  # any other status from 400 to 499
    "failed",  # a status of 500 and above, or no HTTP at all
    "blocked",  # not allowed by the guard
    "too_large",
    "other_type",  # neither HTML nor text nor PDF
    "unreachable",  # no such host, no connection, no network, a bad certificate
    "timeout",
    "broken",  # an encoding, a nesting or a size that can't be read
]
DEAD_STATES: frozenset[PageState] = frozenset({"not_found", "failed", "unreachable"})
# The network failed or the cause is unknown: the snapshot is shown instead.
NO_ANSWER_STATES: frozenset[PageState] = frozenset({"unreachable", "timeout"})
# Nothing that the site answered is shown, so the page does not count as opened.
UNSEEN_STATES: frozenset[PageState] = frozenset({*NO_ANSWER_STATES, "blocked", "broken", "other_type", "too_large"})


class PageLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a page: absolute, http or https."""

    text: str
    url: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A web page. `url` was requested, `final_url` answered, by way of `redirects`; `status` is HTTP's, or 0.

    `html` is the main text, `whole_html` the whole page: both cleaned, and nothing in them loads anything. `text` and
    `whole_text` are the same as plain text, a block a line, white space within a block collapsed. `fetched` is a time
    as in the file formats. `snapshot` names the stored bytes; `stored` tells that the page was read from there and not
    from the network. `rendered`: its text is what the live view showed, which may come from scripts. `library`:
    it was read from there, and `fetched` is the time of that. `why` is a sentence for the user if the page is missing
    or incomplete.
    """

    url: str
    final_url: str
    state: PageState
    status: int = 0
    why: str = ""
    fetched: str = ""
    redirects: tuple[str, ...] = ()
    media_type: str = ""
    title: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    lang: str = ""
    html: str = ""
    whole_html: str = ""
    text: str = ""
    whole_text: str = ""
    unshown: tuple[tuple[int, int], ...] = ()
    whole_unshown: tuple[tuple[int, int], ...] = ()
    left_out: dict[str, int] = {}
    links: tuple[PageLink, ...] = ()
    images: int = 0
    snapshot: str | None = None
    stored: bool = False
    rendered: bool = False
    library: LibraryName | None = None

    @property
    def shows(self) -> bool:
        return self.state in ("ok", "login") and bool(self.text or self.whole_text)

    @property
    def is_unseen(self) -> bool:
        """Return whether nothing of the site's answer is shown, so that the page does not count as opened."""
        return self.state in UNSEEN_STATES or (self.state == "ok" and not self.shows)
