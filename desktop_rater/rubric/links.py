"""The pages that a response and its tools link to, and those of them that stand for nothing that could be opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.text.links import links_in, links_in_json
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.model.task import Response, Task

_SCHEME_AND_HOST = re.compile(r"[^:]*://[^/?#]*")


class TaskLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a task: of the text of a response, or of the output of its tools.

    `page` is `None` where the URL is not valid. `same_as` is the position of an earlier link, among those of the task,
    that leads to the same page.
    """

    url: str
    page: str | None
    response: str
    source: Literal["response", "tool"]
    placeholder: bool = False
    same_as: int | None = None

    @property
    def valid(self) -> bool:
        """Whether the URL is one that leads somewhere."""
        return self.page is not None

    @property
    def counts(self) -> bool:
        """Whether it is to be opened: not where nothing can be, nor where another link stands for the same page."""
        return self.valid and not self.placeholder and self.same_as is None


def links_of(task: Task, placeholders: tuple[str, ...]) -> tuple[TaskLink, ...]:
    """Every link of a task, response by response, what its text says before what its tools say.

    What stands twice in the same text, spelt the same, is one link.
    """
    found: list[TaskLink] = []
    first: dict[str, int] = {}
    for response in task.responses:
        for link in (*_of_text(response, placeholders), *_of_tools(response, placeholders)):
            same_as = None
            if link.page is not None and not link.placeholder:
                before = first.setdefault(link.page, len(found))
                same_as = before if before != len(found) else None
            found.append(msgspec.structs.replace(link, same_as=same_as))
    return tuple(found)


def response_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """The pages that a response's text links to, in order, each once, without placeholders.

    What is no valid URL can't be opened and is left out.
    """
    return _pages(_of_text(response, placeholders))


def tool_pages(response: Response, placeholders: tuple[str, ...]) -> list[str]:
    """The same of what stands anywhere in the output of the response's tools."""
    return _pages(_of_tools(response, placeholders))


def _of_text(response: Response, placeholders: tuple[str, ...]) -> Iterator[TaskLink]:
    return _links(links_in(response.text), response.id, "response", placeholders)


def _of_tools(response: Response, placeholders: tuple[str, ...]) -> Iterator[TaskLink]:
    said = (link for call in response.tools for link in links_in_json(call.output))
    return _links(said, response.id, "tool", placeholders)


def _links(
    urls: Iterable[str], response: str, source: Literal["response", "tool"], placeholders: tuple[str, ...]
) -> Iterator[TaskLink]:
    for url in dict.fromkeys(urls):
        placeholder = _spelt(url).startswith(placeholders)
        yield TaskLink(url=url, page=page_of(url), response=response, source=source, placeholder=placeholder)


def _pages(links: Iterable[TaskLink]) -> list[str]:
    return list(dict.fromkeys(link.page for link in links if link.page is not None and not link.placeholder))


def _spelt(link: str) -> str:
    """Scheme and host in lower case, as pages are compared; the rest counts to the letter."""
    return _SCHEME_AND_HOST.sub(lambda found: found[0].lower(), link, count=1)
