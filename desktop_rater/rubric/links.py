"""The pages that a response and its tools link to, and those of them that stand for nothing that could be opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_rater.text.links import links_in, links_in_json
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.task import Response

_SCHEME_AND_HOST = re.compile(r"[^:]*://[^/?#]*")


def response_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """The pages that a response's text links to, in order, each once, without placeholders.

    What is no valid URL can't be opened and is left out.
    """
    return _pages(links_in(response.text), placeholders)


def tool_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """The same of what stands anywhere in the output of the response's tools."""
    return _pages((link for call in response.tools for link in links_in_json(call.output)), placeholders)


def _pages(links: Iterable[str], placeholders: tuple[str, ...]) -> list[str]:
    pages = (page_of(link) for link in links if not _spelt(link).startswith(placeholders))
    return list(dict.fromkeys(page for page in pages if page is not None))


def _spelt(link: str) -> str:
    """Scheme and host in lower case, as pages are compared; the rest counts to the letter."""
    return _SCHEME_AND_HOST.sub(lambda found: found[0].lower(), link, count=1)
