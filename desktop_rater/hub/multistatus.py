"""The answer to PROPFIND: what lies in a folder. XML from a server, so nothing in it may point anywhere or swell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from xml.parsers import expat

from desktop_rater.hub.address import parts_of
from desktop_rater.hub.replies import date_of

if TYPE_CHECKING:
    from datetime import datetime

_DAV = "DAV:|"
_TEXTS = frozenset(_DAV + name for name in ("href", "status", "getcontentlength", "getlastmodified"))
_QUOTA = f"{_DAV}quota-available-bytes"
_MOST_TEXT = 8_000  # characters of one value
_MOST_ENTRIES = 50_000  # of one folder
_MOST_ELEMENTS = 20 * _MOST_ENTRIES
_DEEPEST = 40  # elements in each other
_MOST_PENDING = 256 * 1024  # bytes of one tag or comment: expat reads it anew with each piece that comes
ASKED = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>'
    b"<getlastmodified/><quota-available-bytes/></prop></propfind>"
)


class Entry(NamedTuple):
    """A file or folder. `parts` are those of its path on the server, decoded; `free` is in bytes, if it is told."""

    parts: tuple[str, ...]
    is_folder: bool
    size: int
    modified: datetime | None
    free: int | None


class Multistatus:
    """Reads an answer piece by piece. Everything raises `ValueError` where it is not what it should be."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._parser = expat.ParserCreate(namespace_separator="|")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._words
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        self._fed = self._elements = self._length = 0
        self._open: list[str] = []
        self._text: list[str] | None = None
        self._response: dict[str, str] = {}
        self._found: dict[str, str] = {}

    def feed(self, data: bytes) -> None:
        """The next piece."""
        self._parse(data, last=False)

    def close(self) -> list[Entry]:
        """Nothing more comes. What there was, in the order in which it came."""
        self._parse(b"", last=True)
        return self.entries

    def _parse(self, data: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise ValueError("its list of files is no XML") from error
        self._fed += len(data)
        if not last and self._fed - self._parser.CurrentByteIndex > _MOST_PENDING:
            raise ValueError("a value in its list of files is too long")

    def _start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002 - as expat calls it
        if not self._open and name != f"{_DAV}multistatus":
            raise ValueError("its list of files is another XML")
        self._open.append(name)
        self._elements += 1
        if len(self._open) > _DEEPEST or self._elements > _MOST_ELEMENTS:
            raise ValueError("its list of files is longer or deeper than one can be")
        if name == f"{_DAV}response":
            self._response = {}
        elif name == f"{_DAV}propstat":
            self._found = {}
        elif name == f"{_DAV}collection" and f"{_DAV}resourcetype" in self._open:
            self._found[name] = "yes"
        elif name in _TEXTS or name == _QUOTA:
            self._text, self._length = [], 0

    def _words(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
            self._length += len(text)
            if self._length > _MOST_TEXT:
                raise ValueError("a value in its list of files is too long")

    def _end(self, name: str) -> None:
        self._open.pop()
        if self._text is not None and (name in _TEXTS or name == _QUOTA):
            where = self._found if f"{_DAV}propstat" in self._open else self._response
            where[name] = "".join(self._text).strip()
            self._text = None
        elif name == f"{_DAV}propstat":
            # What a file has not stands in a second one, with status 404.
            if _well(self._found.pop(f"{_DAV}status", "")):
                self._response.update(self._found)
        elif name == f"{_DAV}response":
            self._take(self._response)

    def _take(self, found: dict[str, str]) -> None:
        if not _well(found.get(f"{_DAV}status", "")):
            return
        try:
            parts = parts_of(urlsplit(found[f"{_DAV}href"]).path)
        except (KeyError, ValueError):  # none of ours is called so
            return
        if len(self.entries) >= _MOST_ENTRIES:
            raise ValueError("its list names more files than one folder of a hub can have")
        self.entries.append(
            Entry(
                parts,
                f"{_DAV}collection" in found,
                _number(found.get(f"{_DAV}getcontentlength", "")) or 0,
                date_of(found.get(f"{_DAV}getlastmodified", "")),
                _number(found.get(_QUOTA, "")),
            )
        )


def _refuse_doctype(*_what: object) -> None:
    raise ValueError("its list of files declares things, as no list of files does")


def _well(status: str) -> bool:
    """Whether "HTTP/1.1 200 OK" is well; so is nothing at all."""
    words = status.split()
    return not words or (len(words) > 1 and words[1].startswith("2"))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None
