"""Page content from a PDF: its text, page by page, as extracted by pypdf."""

import io
import re
import statistics
from collections.abc import Iterator

from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.errors import FileNotDecryptedError, PyPdfError

from desktop_rater.web.blocks import HtmlBlock, TextRun
from desktop_rater.web.decoding import strip_invisible
from desktop_rater.web.metadata import collapse_line, iso_date, site_name
from desktop_rater.web.reader_process import PageContent, ReadRequest
from desktop_rater.web.render import MAX_PAGE_CHARACTERS
from desktop_rater.web.text_page import content_of_blocks, file_name_of_url

_MOST_PAGES = 500
_SENTENCE_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", "”", '"', ")")
_FULL = 0.75
_HYPHENED = re.compile(r"(?<=[^\W\d_])-$")
_PDF_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")


def read_pdf(ask: ReadRequest) -> PageContent:
    """Read a page from a PDF. Never raises for its content, within its limits of time and memory."""
    try:
        return _read(ask)
    except FileNotDecryptedError:
        return PageContent(state="other_type", why="This PDF is locked with a password, so the reader can't show it.")
    except PyPdfError as error:
        return PageContent(state="broken", why=f"This PDF is damaged: {collapse_line(str(error)).rstrip('.')}.")


def _read(ask: ReadRequest) -> PageContent:
    reader = PdfReader(io.BytesIO(ask.body), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileNotDecryptedError
    blocks: list[HtmlBlock] = []
    size = 0
    for page in reader.pages[:_MOST_PAGES]:
        for paragraph in _paragraphs(page.extract_text()):
            blocks.append(HtmlBlock("p", (TextRun(paragraph),)))
            size += len(paragraph)
        if size > MAX_PAGE_CHARACTERS:
            break
    metadata = reader.metadata or {}
    created = _PDF_DATE.match(str(metadata.get("/CreationDate") or ""))
    title = collapse_line(str(metadata.get("/Title") or "")) or file_name_of_url(ask.final_url)
    why = "This PDF holds pictures of pages and no text, so the reader can't show it."
    return replace(
        content_of_blocks(blocks, title=title, site=site_name(ask.final_url), why=why),
        author=collapse_line(str(metadata.get("/Author") or "")),
        published=iso_date("-".join(filter(None, created.groups()))) if created else "",
    )


def _paragraphs(text: str) -> Iterator[str]:
    """Join lines up to an empty one, or to one that ends a sentence before the margin."""
    lines = [" ".join(strip_invisible(line).split()) for line in text.splitlines()]
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
