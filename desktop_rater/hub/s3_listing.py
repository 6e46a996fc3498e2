"""A page of the list of what lies in a bucket. XML from a server, so nothing in it may point anywhere or swell."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote_plus
from xml.parsers import expat

_ROOT = "ListBucketResult"
_PAGE_TEXTS = frozenset({"IsTruncated", "NextContinuationToken", "EncodingType"})
_MOST_TEXT = 8_000  # characters of one value; a key has 1,024 bytes at most
_DEEPEST = 40  # elements in each other


class Page(NamedTuple):
    """The keys and sizes of a page. `after`: what to ask for the next page; empty at the end."""

    objects: tuple[tuple[str, int], ...]
    after: tuple[str, str] | None


def page_of(body: bytes) -> Page:
    """Read it. Raises `ValueError` where it is not what it should be."""
    reader = _Reader()
    try:
        reader.parser.Parse(body, True)  # noqa: FBT003 - as expat has it
    except expat.ExpatError as error:
        raise ValueError("its list of files is no XML") from error
    decode = unquote_plus if reader.page.get("EncodingType", "").lower() == "url" else str
    objects = tuple((decode(key), size) for key, size in reader.objects)
    return Page(objects, _after(reader.page, objects))


def _after(page: dict[str, str], objects: tuple[tuple[str, int], ...]) -> tuple[str, str] | None:
    if page.get("IsTruncated", "false").lower() != "true":
        return None
    if page.get("NextContinuationToken"):
        return ("continuation-token", page["NextContinuationToken"])
    if not objects:
        raise ValueError("its list of files says that more comes, and not what")
    return ("start-after", objects[-1][0])


class _Reader:
    """What expat tells. Names come without their namespace: stores differ in it."""

    def __init__(self) -> None:
        self.objects: list[tuple[str, int]] = []
        self.page: dict[str, str] = {}
        self.parser = expat.ParserCreate(namespace_separator="|")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._words
        self.parser.StartDoctypeDeclHandler = _refuse_doctype
        self._open: list[str] = []
        self._text: list[str] = []
        self._length = 0
        self._object: dict[str, str] = {}

    def _start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002 - as expat calls it
        name = name.rpartition("|")[2]
        if not self._open and name != _ROOT:
            raise ValueError("its list of files is another XML")
        self._open.append(name)
        if len(self._open) > _DEEPEST:
            raise ValueError("its list of files is deeper than one can be")
        self._text, self._length = [], 0
        if self._open == [_ROOT, "Contents"]:
            self._object = {}

    def _words(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        if self._length > _MOST_TEXT:
            raise ValueError("a value in its list of files is too long")

    def _end(self, _name: str) -> None:
        match self._open:
            case [_, name] if name in _PAGE_TEXTS:
                self.page[name] = "".join(self._text)
            case [_, "Contents"]:
                self._take(self._object)
            case [_, "Contents", name]:
                self._object[name] = "".join(self._text)
        self._open.pop()
        self._text, self._length = [], 0

    def _take(self, found: dict[str, str]) -> None:
        size = found.get("Size", "")
        if not found.get("Key") or not (size.isascii() and size.isdecimal() and len(size) < 20):
            raise ValueError("its list of files names one without a key or a size")
        self.objects.append((found["Key"], int(size)))


def _refuse_doctype(*_what: object) -> None:
    raise ValueError("its list of files declares things, as no list of files does")
