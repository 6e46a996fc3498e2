"""Page content from plain text, JSON or tables of values: its lines, unchanged."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from desktop_rater.web.blocks import HtmlBlock, TextRun
from desktop_rater.web.decoding import decode_body, parse_media_type, strip_invisible
from desktop_rater.web.metadata import site_name
from desktop_rater.web.reader_process import PageContent, ReadRequest
from desktop_rater.web.render import render_page

_MOST_LINES = 40
_MOST_CHARACTERS = 3_000
_NBSP = "\u00a0"


def read_plain(ask: ReadRequest) -> PageContent:
    """Read a page from text. Never raises for its content, within its limits of time and memory."""
    text = decode_body(ask.body, ask.content_type)
    media_type = parse_media_type(ask.content_type)
    if media_type.endswith("json"):
        with suppress(msgspec.DecodeError, RecursionError):
            text = msgspec.json.format(text.encode("utf-8", "replace"), indent=2).decode("utf-8", "replace")
    return content_of_blocks(
        split_paragraphs(text), site=site_name(ask.final_url), title=file_name_of_url(ask.final_url)
    )


def content_of_blocks(
    blocks: Iterable[HtmlBlock], *, title: str, site: str, why: str = "This file holds no text."
) -> PageContent:
    """Return the content of a page whose blocks are all main text."""
    rendered = render_page(blocks)
    return PageContent(
        state="ok",
        why=rendered.why if rendered.text else why,
        title=title,
        site=site,
        html=rendered.html,
        whole_html=rendered.html,
        text=rendered.text,
        whole_text=rendered.text,
    )


def split_paragraphs(text: str) -> Iterator[HtmlBlock]:
    """Yield paragraphs between empty lines. Long ones are split: a text widget lays each out as a whole."""
    lines: list[str] = []
    size = 0
    for raw in text.splitlines():
        line = strip_invisible(raw).rstrip()
        if not line or len(lines) == _MOST_LINES or size + len(line) > _MOST_CHARACTERS:
            yield from _paragraph(lines)
            lines, size = [], 0
        if line:
            lines.append(line)
            size += len(line)
    yield from _paragraph(lines)


def _paragraph(lines: Iterable[str]) -> Iterator[HtmlBlock]:
    runs: list[TextRun] = []
    for line in lines:
        runs += [TextRun("\n")] if runs else []
        runs.append(TextRun(_spaced(line)))
    if runs:
        yield HtmlBlock("p", tuple(runs))


def _spaced(line: str) -> str:
    """Preserve runs of blanks that HTML would collapse: indents and columns."""
    return line.replace("\t", _NBSP * 4).replace("  ", _NBSP * 2)


def file_name_of_url(url: str) -> str:
    """Return the last part of the path."""
    return url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2][:300]
