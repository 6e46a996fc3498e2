"""Links of a response and its tools; placeholders, which can't be opened, are marked."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from desktop_rater.format.rating import LinkVerdict, Rating
from desktop_rater.format.task import Response, Task
from desktop_rater.text.urls import find_links, find_links_in_json, page_key

_SCHEME_AND_HOST = re.compile(r"[^:]*://[^/?#]*")


class TaskLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a response, its tools or a source that it cites.

    `page` is `None` if it is invalid; `same_as`: index of an earlier link of the page.
    """

    url: str
    page: str | None
    response: str
    source: Literal["response", "tool", "cited"]
    placeholder: bool = False
    same_as: int | None = None

    @property
    def valid(self) -> bool:
        return self.page is not None

    @property
    def counts(self) -> bool:
        """Return whether the link has to be opened: a valid one that is not a placeholder or a repetition."""
        return self.valid and not self.placeholder and self.same_as is None


def task_links(task: Task, placeholders: tuple[str, ...]) -> tuple[TaskLink, ...]:
    """Return a task's links by response: text, tools, cited documents; equal spellings in one text are one link."""
    links: list[TaskLink] = []
    first: dict[str, int] = {}
    for response in task.responses:
        of_documents = _links(
            (
                document.url
                for document in task.context
                if document.url and any(at.response == response.id for at in document.cited)
            ),
            response.id,
            "cited",
            placeholders,
        )
        for link in (*_text_links(response, placeholders), *_tool_links(response, placeholders), *of_documents):
            same_as = None
            if link.page is not None and not link.placeholder:
                position = first.setdefault(link.page, len(links))
                same_as = position if position != len(links) else None
            links.append(msgspec.structs.replace(link, same_as=same_as))
    return tuple(links)


def link_verdicts(rating: Rating) -> dict[str, LinkVerdict]:
    """Return the verdicts of a rating by page; it may name pages as earlier versions did."""
    return {page_key(url) or url: verdict for url, verdict in rating.link_verdicts.items()}


def response_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """Return the distinct pages that a response's text links to, in order, without placeholders and invalid URLs."""
    return _pages(_text_links(response, placeholders))


def tool_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """Return the same for the output of the response's tools."""
    return _pages(_tool_links(response, placeholders))


def _text_links(response: Response, placeholders: tuple[str, ...]) -> Iterator[TaskLink]:
    return _links(find_links(response.text), response.id, "response", placeholders)


def _tool_links(response: Response, placeholders: tuple[str, ...]) -> Iterator[TaskLink]:
    urls = (link for call in response.tools for link in find_links_in_json(call.output))
    return _links(urls, response.id, "tool", placeholders)


def _links(
    urls: Iterable[str], response: str, source: Literal["response", "tool", "cited"], placeholders: tuple[str, ...]
) -> Iterator[TaskLink]:
    for url in dict.fromkeys(urls):
        lower = _SCHEME_AND_HOST.sub(lambda match: match[0].lower(), url, count=1)
        placeholder = lower.startswith(placeholders)
        yield TaskLink(url=url, page=page_key(url), response=response, source=source, placeholder=placeholder)


def _pages(links: Iterable[TaskLink]) -> list[str]:
    return list(dict.fromkeys(link.page for link in links if link.page is not None and not link.placeholder))
