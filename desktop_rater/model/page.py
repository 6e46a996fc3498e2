"""A page of the web as the reader view shows it, or why it shows none."""

from __future__ import annotations

from typing import Literal

import msgspec

# `ok` and `login` show a text; the others show why there is none.
PageState = Literal[
    "ok",
    "login",  # a form to sign in, or a paywall: also with a text, which is then not the page that was meant
    "not_found",  # 404 and 410
    "refused",  # any other answer of 400 to 499
    "failed",  # an answer of 500 and more, or none that is HTTP
    "blocked",  # the guard lets nobody go there
    "too_large",
    "other_type",  # neither HTML nor text nor PDF
    "unreachable",  # no such host, no connection, no network, a bad certificate
    "timeout",
    "broken",  # an encoding, a nesting or a size that can't be read
]
DEAD: frozenset[PageState] = frozenset({"not_found", "failed", "unreachable"})
# The network is to blame, or nobody knows: what was stored stands in for the page.
NO_ANSWER: frozenset[PageState] = frozenset({"unreachable", "timeout"})
# Nothing of the page stood before the rater: to ask for it is not to have opened it.
UNSEEN: frozenset[PageState] = frozenset({*NO_ANSWER, "broken"})


class PageLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a page, absolute, http or https."""

    text: str
    url: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """`url` was asked for, `final_url` answered, by way of `redirects`; `status` is HTTP's, 0 where none came.

    `html` is the main text, `whole_html` all of the page: both cleaned, and nothing in them loads anything. `text` and
    `whole_text` are the same as plain text, a block a line, white space within a block made one blank. `fetched` is a
    time of the formats. `snapshot` names the stored bytes; `stored` says that the page comes from there and not from
    the network. `why` is a sentence where the state shows no page, or not all of it.
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
    links: tuple[PageLink, ...] = ()
    images: int = 0
    snapshot: str | None = None
    stored: bool = False

    @property
    def shows(self) -> bool:
        """Whether there is a text to read."""
        return self.state in ("ok", "login") and bool(self.text or self.whole_text)
