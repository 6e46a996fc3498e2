"""What lies in a folder of a WebDAV server. Folder by folder: most servers refuse to list a whole tree."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from desktop_rater.http.server import Upload
from desktop_rater.hub import replies
from desktop_rater.hub.multistatus import ASKED, Multistatus
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from desktop_rater.hub.dav import Answer, Dav
    from desktop_rater.hub.multistatus import Entry
    from desktop_rater.model.progress import Progress

_MOST = 64 * 1024 * 1024  # bytes; a file takes some 700
_NOT_THERE = frozenset({404, 410})


def children(dav: Dav, parts: tuple[str, ...], progress: Progress) -> list[Entry]:
    """What lies in a folder; nothing where the folder is not there. Raises `HubTrouble`."""
    found = _propfind(dav, parts, "1", progress)
    return [] if found is None else found[1]


def folder_itself(dav: Dav, parts: tuple[str, ...], progress: Progress) -> Entry | None:
    """A folder without what lies in it, () for the hub's own; `None` where it is not there."""
    found = _propfind(dav, parts, "0", progress)
    return None if found is None else found[0]


def _propfind(dav: Dav, parts: tuple[str, ...], depth: str, progress: Progress) -> tuple[Entry, list[Entry]] | None:
    asked = dav.address.asked(parts, is_folder=True)
    headers = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
    upload = Upload(len(ASKED), lambda: (ASKED,))
    with dav.ask("PROPFIND", asked, progress, headers, upload=upload, most=_MOST) as answer:
        if answer.status in _NOT_THERE:
            dav.pass_over(answer)
            return None
        if answer.status != 207:
            dav.pass_over(answer)
            raise dav.trouble("PROPFIND", answer)
        found = _read(dav, answer)
    return _sorted_out(dav, found, tuple(map(_composed, (*dav.address.folder, *parts))))


def _read(dav: Dav, answer: Answer) -> list[Entry]:
    reader, began = Multistatus(), False
    try:
        for piece in answer.chunks:
            if not began and replies.is_page(answer.headers, piece):
                raise replies.login_page(dav.host)
            began = True
            reader.feed(piece)
        return reader.close()
    except ValueError as error:
        raise _strange(dav, str(error)) from error


def _sorted_out(dav: Dav, found: list[Entry], asked: tuple[str, ...]) -> tuple[Entry, list[Entry]]:
    """The folder itself and what lies directly in it; what lies elsewhere was not asked for."""
    itself, inside = None, {}
    for entry in found:
        parts = tuple(map(_composed, entry.parts))
        if parts == asked:
            itself = entry
        elif parts[:-1] == asked:
            inside[parts[-1]] = entry
    if itself is None:  # without this, a server that calls its files otherwise would look like an empty hub
        raise _strange(dav, "its list of files names others than those that were asked for")
    if not itself.is_folder:
        raise _strange(dav, "where the hub's folder should be there is a file")
    return itself, list(inside.values())


def _strange(dav: Dav, reason: str) -> HubTrouble:
    return HubTrouble("not_a_hub", "This is not the hub.", f"{dav.host}: {reason}.", "Look at the hub's address.")


def _composed(text: str) -> str:
    """Some file systems take letters with accents apart."""
    return unicodedata.normalize("NFC", text)
