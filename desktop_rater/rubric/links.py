"""The pages that a response and its tools link to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.text.links import links_in, links_in_json
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.task import Response


def distinct_pages(links: Iterable[str]) -> list[str]:
    """The pages of links in order of appearance; what is no valid URL can't be opened and is left out."""
    pages = (page_of(link) for link in links)
    return list(dict.fromkeys(page for page in pages if page is not None))


def response_pages(response: Response) -> list[str]:
    """The pages that a response's text links to."""
    return distinct_pages(links_in(response.text))


def tool_pages(response: Response) -> list[str]:
    """The pages that stand anywhere in the output of a response's tools."""
    return distinct_pages(link for call in response.tools for link in links_in_json(call.output))
