"""A page from a PDF: the text in it, page by page, as far as pypdf can tell."""

from __future__ import annotations

import io
import re
import statistics
from typing import TYPE_CHECKING

from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.errors import FileNotDecryptedError, PyPdfError

from desktop_rater.web.charset import readable
from desktop_rater.web.fitting import MOST_CHARACTERS
from desktop_rater.web.flow import Block, Run
from desktop_rater.web.page_facts import date_in, host_of, one_line
from desktop_rater.web.plain_page import name_of, reading_of
from desktop_rater.web.reading import Ask, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_PAGES = 500
_SENTENCE_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", "”", '"', ")")
_FULL = 0.75
_HYPHENED = re.compile(r"(?<=[^\W\d_])-$")
_PDF_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")


def read_pdf(ask: Ask) -> Reading:
    """Never raises for what a PDF holds, as long as time and memory last."""
    try:
        return _read(ask)
    except FileNotDecryptedError:
        return Reading(state="other_type", why="This PDF is locked with a password, so the reader can't show it.")
    except PyPdfError as trouble:
        return Reading(state="broken", why=f"This PDF is damaged: {one_line(str(trouble)).rstrip('.')}.")


def _read(ask: Ask) -> Reading:
    reader = PdfReader(io.BytesIO(ask.body), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileNotDecryptedError
    blocks: list[Block] = []
    size = 0
    for page in reader.pages[:_MOST_PAGES]:
        for paragraph in _paragraphs(page.extract_text()):
            blocks.append(Block("p", (Run(paragraph),)))
            size += len(paragraph)
        if size > MOST_CHARACTERS:
            break
    told = reader.metadata or {}
    title = one_line(str(told.get("/Title") or "")) or name_of(ask.final_url)
    why = "This PDF holds pictures of pages and no text, so the reader can't show it."
    return replace(
        reading_of(blocks, title=title, site=host_of(ask.final_url), why=why),
        author=one_line(str(told.get("/Author") or "")),
        published=_date(str(told.get("/CreationDate") or "")),
    )


def _paragraphs(text: str) -> Iterator[str]:
    """Lines put together: up to an empty one, or to one that ends a sentence before the margin."""
    lines = [" ".join(readable(line).split()) for line in text.splitlines()]
    sizes = [len(line) for line in lines if line]
    margin = statistics.quantiles(sizes, n=10)[-1] * _FULL if len(sizes) > 1 else 0
    held = ""
    for line in lines:
        if line:
            held = _HYPHENED.sub("", held) + line if _HYPHENED.search(held) and line[0].islower() else f"{held} {line}"
        if held.strip() and (not line or (len(line) < margin and line.endswith(_SENTENCE_ENDS))):
            yield held.strip()
            held = ""
    if held.strip():
        yield held.strip()


def _date(text: str) -> str:
    found = _PDF_DATE.match(text)
    return date_in("-".join(part for part in found.groups() if part)) if found else ""
