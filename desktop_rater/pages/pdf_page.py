"""Text of pages that are no HTML: plain text, PDF, and the documents of an EPUB."""

import io
import itertools
import posixpath
import re
import statistics
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from html import unescape
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace
from pypdf import PageObject, PdfReader
from pypdf.errors import FileNotDecryptedError, PyPdfError

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.safe_zip import MIB, STORED, Limits, ZipEntry, read_directory
from desktop_rater.pages.decoding import decode_body, parse_media_type, strip_invisible
from desktop_rater.pages.guard import LinkResolver
from desktop_rater.pages.html_page import DOCTYPE, parse_within_limits
from desktop_rater.pages.html_tree import FlowReader, HtmlBlock, HtmlTable, TextRun
from desktop_rater.pages.metadata import collapse_line, iso_date, site_name
from desktop_rater.pages.page_reader import PageContent, ReadRequest
from desktop_rater.pages.render import MAX_PAGE_CHARACTERS, render_page

_MOST_LINES = 40
_MOST_CHARACTERS = 3_000
_NBSP = "\u00a0"
_TITLES = {  # of a text: its first heading, or its first line unless that is long or a sentence
    "text/markdown": re.compile(r"^#{1,6} +(.+?)[ #]*$", re.MULTILINE),
    "text/plain": re.compile(r"\A\s*(\S.{,98}[^\s.!?\u3002])\s*$", re.MULTILINE),
}


def read_plain(ask: ReadRequest) -> PageContent:
    """Read a page from text. Never raises for its content, within its limits of time and memory."""
    text = decode_body(ask.body, ask.content_type)
    media_type = parse_media_type(ask.content_type)
    if media_type.endswith("json"):
        with suppress(msgspec.DecodeError, RecursionError):
            text = msgspec.json.format(text.encode("utf-8", "replace"), indent=2).decode("utf-8", "replace")
    match = _TITLES[media_type].search(text) if media_type in _TITLES else None
    title = collapse_line(match[1]) if match else file_name_of_url(ask.final_url)
    return content_of_blocks(split_paragraphs(text), site=site_name(ask.final_url), title=title)


def content_of_blocks(
    blocks: Iterable[HtmlBlock | HtmlTable], *, title: str, site: str, why: str = "This file holds no text."
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


_MOST_PAGES = 500
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
    pages, why = _page_lines(reader)
    blocks = [HtmlBlock("p", (TextRun(paragraph),)) for paragraph in join_pages(pages)]
    metadata = reader.metadata or {}
    created = _PDF_DATE.match(str(metadata.get("/CreationDate") or ""))
    title = collapse_line(str(metadata.get("/Title") or "")) or file_name_of_url(ask.final_url)
    no_text = "This PDF holds pictures of pages and no text, so the reader can't show it."
    content = content_of_blocks(blocks, title=title, site=site_name(ask.final_url), why=why or no_text)
    return replace(
        content,
        why=content.why or why,
        author=collapse_line(str(metadata.get("/Author") or "")),
        published=iso_date("-".join(filter(None, created.groups()))) if created else "",
    )


def _page_lines(reader: PdfReader) -> tuple[list[list[str]], str]:
    """Return the lines of each page, and a sentence about pages without them. Raises if no page can be read."""
    pages: list[list[str]] = []
    unread: list[tuple[int, Exception]] = []
    size = 0
    for number, page in enumerate(itertools.islice(reader.pages, _MOST_PAGES), 1):
        try:
            pages.append(_lines(page))
        except (MemoryError, RecursionError, SystemError):
            raise
        except Exception as error:  # noqa: BLE001 - what pypdf raises for one damaged page
            unread.append((number, error))
        else:
            size += sum(map(len, pages[-1]))
        if size > MAX_PAGE_CHARACTERS:  # said where the text is cut
            break
    count = len(reader.pages)
    if unread and not size:
        raise unread[0][1]
    if unread:
        numbers = ", ".join(str(number) for number, _ in unread[:5]) + (", …" if len(unread) > 5 else "")
        noun = "page" if len(unread) == 1 else "pages"
        return pages, f"{len(unread)} of {count:,} pages of this PDF can't be read: {noun} {numbers}."
    return pages, f"Only the first {_MOST_PAGES} of {count:,} pages are shown." if count > _MOST_PAGES else ""


def _lines(page: PageObject) -> list[str]:
    """Return the lines of a page; an empty one separates paragraphs."""
    text = page.extract_text().replace("\u00ad\n", "-\n")
    lines = [" ".join(strip_invisible(line).split()) for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return list(itertools.dropwhile(lambda line: not line, lines))


_BOOK_LIMITS = Limits(directory_bytes=4 * MIB)
_BOOK_BYTES = 32 * MIB  # of all documents, inflated
_XML_TAG = re.compile(r"<(?:\w+:)?(rootfile|item|itemref)\b([^<>]*)>")
_XML_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*(?:"([^"<>]*)"|'([^'<>]*)')""")
_XML_FACT = re.compile(r"<dc:(title|creator|language)\b[^<>]*>([^<>]*)<")
# Empty elements of XHTML, which HTML would take for begun ones.
_EMPTY_ELEMENT = re.compile(r"<(title|script|style|iframe|a|span|i|b|em|p|div|td|th|h[1-6])\b([^<>]*)/>")


def read_epub(ask: ReadRequest) -> PageContent:
    """Read a book from an EPUB. Never raises for its content, within its limits of time and memory."""
    try:
        return _Book(ask).read()
    except BundleFault as error:
        return PageContent(state="broken", why=f"This e-book is damaged: {error}.")


class _Book:
    """The files of an EPUB: a package that lists its documents, and their order."""

    def __init__(self, ask: ReadRequest) -> None:
        self._ask = ask
        entries = read_directory(io.BytesIO(ask.body), len(ask.body), _BOOK_LIMITS)
        self._entries = {entry.name: entry for entry in entries}
        self._left = _BOOK_BYTES

    def read(self) -> PageContent:
        """Return the text of the documents, one after the other."""
        container = self._text("META-INF/container.xml")
        package = next((tag.get("full-path", "") for name, tag in _xml_tags(container) if name == "rootfile"), "")
        content = self._text(package)
        tags = list(_xml_tags(content))
        names = {tag.get("id"): tag.get("href", "") for name, tag in tags if name == "item"}
        order = [names.get(tag.get("idref"), "") for name, tag in tags if name == "itemref"]
        blocks: list[HtmlBlock | HtmlTable] = []
        unread = 0
        for href in order:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(href)))
            try:
                blocks += self._document(self._text(path))
            except BundleFault:
                unread += 1
        facts = {name: collapse_line(unescape(text)) for name, text in reversed(_XML_FACT.findall(content))}
        url = self._ask.final_url
        why = f"{unread} of {len(order):,} parts of this e-book can't be read." if unread else ""
        shown = content_of_blocks(
            blocks,
            title=facts.get("title") or file_name_of_url(url),
            site=site_name(url),
            why=why or "This e-book holds no text.",
        )
        return replace(shown, why=shown.why or why, author=facts.get("creator", ""), lang=facts.get("language", ""))

    def _document(self, xhtml: str) -> list[HtmlBlock | HtmlTable]:
        tree = parse_within_limits(_EMPTY_ELEMENT.sub(r"<\1\2></\1>", DOCTYPE.sub("", xhtml)), self._ask)
        if isinstance(tree, PageContent):
            raise BundleFault(tree.why)
        return FlowReader(LinkResolver(self._ask.final_url)).read(tree.root)

    def _text(self, name: str) -> str:
        entry = self._entries.get(name)
        if entry is None:
            raise BundleFault(f"it has no file {name[:80]!r}")
        data = _inflated_entry(self._ask.body, entry, self._left)
        self._left -= len(data)
        return decode_body(data)


def _inflated_entry(body: bytes, entry: ZipEntry, most: int) -> bytes:
    data = body[entry.data : entry.data + entry.packed]
    try:
        data = data if entry.method == STORED else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most + 1)
    except zlib.error:
        data = b""
    if len(data) > most:
        raise BundleFault(f"it inflates to more than {_BOOK_BYTES // MIB} MB")
    if zlib.crc32(data) != entry.crc:
        raise BundleFault(f"the checksum of {entry.name[:80]!r} is wrong")
    return data


def _xml_tags(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the tags that name files, with their attributes; entities of a document's own are not expanded."""
    for name, attributes in _XML_TAG.findall(text):
        yield name, {key: unescape(value or other) for key, value, other in _XML_ATTRIBUTE.findall(attributes)}


_SENTENCE_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", "”", '"', ")")
_FULL = 0.75
_EDGE_LINES = 2  # a running head and a page number
_NUMBER = re.compile(r"\d{1,9}")


def join_pages(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    """Join lines to paragraphs: up to an empty line, or to one that ends a sentence before the margin.

    A paragraph may go on over the end of a page. Running heads and page numbers there then follow it, as paragraphs of
    their own.
    """
    hyphens = _Hyphens("\n".join(line for page in pages for line in page))
    held, edges = list[str](), list[str]()
    margin = 0.0
    for index, page in enumerate(pages):
        top, bottom = (_count_edge_lines(pages, index, step) for step in (1, -1))
        body = page[top : max(top, len(page) - bottom)]
        edges += page[:top]
        if held and body and not _goes_on(held[-1], body[0], margin):
            yield from ("".join(held), *edges)
            held, edges = [], []
        if not held:
            yield from edges
            edges = []
        sizes = [len(line) for line in body if line]
        margin = statistics.quantiles(sizes, n=10)[-1] * _FULL if len(sizes) > 1 else 0
        for line in body:
            if held and line:
                held[-1] = hyphens.before(line, held[-1])
            held += [line] if line else []
            if held and (not line or (len(line) < margin and line.endswith(_SENTENCE_ENDS))):
                yield from ("".join(held), *edges)
                held, edges = [], []
        edges += page[top + len(body) :]
    if held:
        yield "".join(held)
    yield from edges


def _count_edge_lines(pages: Sequence[Sequence[str]], index: int, step: int) -> int:
    """Count the first lines of a page that its neighbours have too; with a `step` of -1, the last ones.

    Odd and even pages may have different ones.
    """
    lines = pages[index][::step][:_EDGE_LINES]
    distances = [distance for distance in (-2, -1, 1, 2) if 0 <= index + distance < len(pages)]
    for count, line in enumerate(lines):
        if not any(
            _repeats(line, other, distance)
            for distance in distances
            for other in pages[index + distance][::step][count : count + 1]
        ):
            return count
    return len(lines)


def _repeats(line: str, other: str, distance: int) -> bool:
    """Return whether two lines are the same, except for page numbers that differ as their pages do."""
    if not line or _NUMBER.sub("0", line) != _NUMBER.sub("0", other):
        return False
    steps = [int(b) - int(a) for a, b in zip(_NUMBER.findall(line), _NUMBER.findall(other), strict=True)]
    counts = distance in steps or any(map(str.isalpha, line))
    return counts and all(step in (0, distance) for step in steps)


def _goes_on(last: str, first: str, margin: float) -> bool:
    """Return whether a paragraph that ends a page with the line `last` goes on with the line `first` of the next."""
    if last.endswith(_SENTENCE_ENDS):
        return False
    return first[:1].islower() or len(last) >= margin or _hyphened_end(last) is not None


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TORN = re.compile(r"[^\W_]{1,60}[-\u2010]\n[^\W_]{1,60}")
_LINE_END = re.compile(r"(\S{,60}?)([^\W_]{1,60})[-\u2010]$")
_LINE_START = re.compile(r"[^\W_]+")
# "pre- and post-war": the hyphen stands for the second half of a word.
_CONJUNCTIONS = re.compile("and|or|to|und|oder|bzw|et|ou|y|o|og|och|en|of")
_COMPOUNDING = re.compile("self|well|half|much|non|(?:twen|thir|for|fif|six|seven|eigh|nine)ty")
_SHORTEST_HALF = 4
_LONGEST_END = 121


class _Hyphens:
    """Hyphens at the ends of lines, which belong to the word or not, by the words of the whole document."""

    def __init__(self, text: str) -> None:
        self._words = {word.casefold() for word in _WORD.findall(_TORN.sub(" ", text))}

    def before(self, line: str, last: str) -> str:
        """Return the line `last` with the end that it has before `line`: a blank, its hyphen, or nothing."""
        end, start = _hyphened_end(last), _LINE_START.match(line)
        if end is None or start is None or _CONJUNCTIONS.fullmatch(start[0]):
            return f"{last} "
        return last if self._is_part(*end.groups(), start[0]) else last[:-1]

    def _is_part(self, before: str, left: str, right: str) -> bool:
        """Return whether the hyphen between two halves is printed in the middle of a line too."""
        if not (left[-1].isalpha() and right[0].islower()) or "/" in before:  # a number, a name, a link
            return True
        halves = left.casefold(), right.casefold()
        if "".join(halves) in self._words:
            return False
        known = "-".join(halves) in self._words or all(half in self._words and len(half) > 2 for half in halves)
        compounds = _COMPOUNDING.fullmatch(halves[0]) is not None and len(right) >= _SHORTEST_HALF
        return known or compounds or before.endswith("-")


def _hyphened_end(line: str) -> re.Match[str] | None:
    """Return what is before the last word of a line and the word, if a hyphen ends both."""
    return _LINE_END.search(line[-_LONGEST_END:])
