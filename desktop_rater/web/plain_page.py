"""A page from plain text, JSON or a table of values: its lines as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.web.charset import decoded, readable
from desktop_rater.web.flow import Block, Run
from desktop_rater.web.media import media_type_of
from desktop_rater.web.page_facts import host_of
from desktop_rater.web.reading import Ask, Reading
from desktop_rater.web.shown import shown_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_LINES = 40
_MOST_CHARACTERS = 3_000
_NBSP = "\u00a0"


def read_plain(ask: Ask) -> Reading:
    """Never raises for what a text holds, as long as time and memory last."""
    text = decoded(ask.body, ask.content_type)
    media_type = media_type_of(ask.content_type)
    if media_type.endswith("json"):
        text = _laid_out(text)
    return reading_of(paragraphs(text), site=host_of(ask.final_url), title=name_of(ask.final_url))


def reading_of(blocks: Iterable[Block], *, title: str, site: str, why: str = "This file holds no text.") -> Reading:
    """A page all of whose blocks are its main text."""
    shown = shown_of(blocks)
    return Reading(
        state="ok",
        why=shown.why if shown.text else why,
        title=title,
        site=site,
        html=shown.html,
        whole_html=shown.html,
        text=shown.text,
        whole_text=shown.text,
    )


def paragraphs(text: str) -> Iterator[Block]:
    """Lines up to an empty one. Long stretches are cut, since a text widget lays a paragraph out as a whole."""
    lines: list[str] = []
    size = 0
    for raw in text.splitlines():
        line = readable(raw).rstrip()
        if not line or len(lines) == _MOST_LINES or size + len(line) > _MOST_CHARACTERS:
            yield from _paragraph(lines)
            lines, size = [], 0
        if line:
            lines.append(line)
            size += len(line)
    yield from _paragraph(lines)


def _paragraph(lines: Iterable[str]) -> Iterator[Block]:
    runs: list[Run] = []
    for line in lines:
        runs += [Run("\n")] if runs else []
        runs.append(Run(_spaced(line)))
    if runs:
        yield Block("p", tuple(runs))


def _spaced(line: str) -> str:
    """Blanks that HTML would make one stay apart: indents, and columns that they draw."""
    return line.replace("\t", _NBSP * 4).replace("  ", _NBSP * 2)


def _laid_out(text: str) -> str:
    try:
        return msgspec.json.format(text.encode("utf-8", "replace"), indent=2).decode("utf-8", "replace")
    except (msgspec.DecodeError, RecursionError):
        return text


def name_of(url: str) -> str:
    """The last part of the path."""
    return url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2][:300]
