"""Listing of WebDAV folders: PROPFIND requests and the parser of their responses."""

import unicodedata
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from desktop_rater.http.client import UploadBody
from desktop_rater.http.response import StreamedResponse
from desktop_rater.http.retry import parse_http_date
from desktop_rater.hub import responses
from desktop_rater.hub.address import split_path
from desktop_rater.hub.dav_client import DavClient
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.listing_parser import ListingParser
from desktop_rater.model.change import Progress

_TEXTS = frozenset({"href", "status", "getcontentlength", "getlastmodified", "quota-available-bytes"})
_MOST_ENTRIES = 50_000  # of one folder
PROPFIND_BODY = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>'
    b"<getlastmodified/><quota-available-bytes/></prop></propfind>"
)


class DavEntry(NamedTuple):
    """A file or folder. `parts` are those of its decoded path on the server; `free` is in bytes, if known."""

    parts: tuple[str, ...]
    is_folder: bool
    size: int
    modified: datetime | None
    free: int | None


class MultistatusParser(ListingParser):
    """Parser of a multistatus response; `entries` are in its order."""

    def __init__(self) -> None:
        super().__init__("multistatus", _local_name)
        self.entries: list[DavEntry] = []
        self._response: dict[str, str] = {}
        self._properties: dict[str, str] = {}

    def close(self) -> list[DavEntry]:
        """Finish parsing; return the entries."""
        self.feed(b"", last=True)
        return self.entries

    def start_element(self, name: str) -> None:
        if name == "response":
            self._response = {}
        elif name == "propstat":
            self._properties = {}
        elif name == "collection" and "resourcetype" in self.open:
            self._properties[name] = "yes"

    def end_element(self, name: str, text: str) -> None:
        if name in _TEXTS:
            properties = self._properties if "propstat" in self.open else self._response
            properties[name] = text.strip()
        elif name == "propstat":
            # Missing properties are in a second propstat, with status 404.
            if _is_success(self._properties.pop("status", "")):
                self._response.update(self._properties)
        elif name == "response":
            self._add_entry(self._response)

    def _add_entry(self, properties: dict[str, str]) -> None:
        if not _is_success(properties.get("status", "")):
            return
        try:
            parts = split_path(urlsplit(properties["href"]).path)
        except (KeyError, ValueError):  # not a name of ours
            return
        if len(self.entries) >= _MOST_ENTRIES:
            raise ValueError("its list has more files than a hub's folder can have")
        self.entries.append(
            DavEntry(
                parts,
                "collection" in properties,
                _number(properties.get("getcontentlength", "")) or 0,
                parse_http_date(properties.get("getlastmodified", "")),
                _number(properties.get("quota-available-bytes", "")),
            )
        )


def _local_name(name: str) -> str:
    """Return the name of an element of WebDAV itself; names of other kinds stay apart."""
    return name.removeprefix("DAV:|") if name.startswith("DAV:|") else f"|{name}"


def _is_success(status: str) -> bool:
    """Tell if a status line such as "HTTP/1.1 200 OK" is a success; so is an empty one."""
    fields = status.split()
    return not fields or (len(fields) > 1 and fields[1].startswith("2"))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


_MOST = 64 * 1024 * 1024  # bytes; a file takes some 700
_MISSING = frozenset({404, 410})


def list_children(dav: DavClient, parts: tuple[str, ...], progress: Progress) -> list[DavEntry]:
    """List a folder; empty if it does not exist. Raises `HubError`."""
    listing = _propfind(dav, parts, "1", progress)
    return [] if listing is None else listing[1]


def folder_entry(dav: DavClient, parts: tuple[str, ...], progress: Progress) -> DavEntry | None:
    """Return a folder's own entry, () for the hub's root; `None` if it does not exist."""
    listing = _propfind(dav, parts, "0", progress)
    return None if listing is None else listing[0]


def _propfind(
    dav: DavClient, parts: tuple[str, ...], depth: str, progress: Progress
) -> tuple[DavEntry, list[DavEntry]] | None:
    target = dav.address.target_of(parts, is_folder=True)
    headers = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
    upload = UploadBody(len(PROPFIND_BODY), lambda: (PROPFIND_BODY,))
    with dav.stream("PROPFIND", target, progress, headers, upload=upload, most=_MOST) as response:
        if response.status in _MISSING:
            dav.drain(response)
            return None
        if response.status != 207:
            dav.drain(response)
            raise dav.error("PROPFIND", response)
        entries = _read(dav, response)
    return _split_entries(dav, entries, tuple(map(_nfc, (*dav.address.folder, *parts))))


def _read(dav: DavClient, response: StreamedResponse) -> list[DavEntry]:
    parser, began = MultistatusParser(), False
    try:
        for chunk in response.chunks:
            if not began and responses.is_web_page(response.headers, chunk):
                raise responses.login_page_error(dav.host)
            began = True
            parser.feed(chunk)
        return parser.close()
    except ValueError as error:
        raise _not_a_hub(dav, str(error)) from error


def _split_entries(dav: DavClient, entries: list[DavEntry], path: tuple[str, ...]) -> tuple[DavEntry, list[DavEntry]]:
    """Split entries into the folder itself and its children; others are ignored."""
    itself, inside = None, {}
    for entry in entries:
        parts = tuple(map(_nfc, entry.parts))
        if parts == path:
            itself = entry
        elif parts[:-1] == path:
            inside[parts[-1]] = entry
    if itself is None:  # without this, a server with other paths would look like an empty hub
        raise _not_a_hub(dav, "its list of files names others than those that were asked for")
    if not itself.is_folder:
        raise _not_a_hub(dav, "where the hub's folder should be there is a file")
    return itself, list(inside.values())


def _not_a_hub(dav: DavClient, reason: str) -> HubError:
    return HubError("not_a_hub", "This is not the hub.", f"{dav.host}: {reason}.", "Check the hub's address.")


def _nfc(text: str) -> str:
    """Normalise to NFC: some file systems decompose letters with accents."""
    return unicodedata.normalize("NFC", text)
