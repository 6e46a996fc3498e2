"""A hub on a WebDAV server, such as Apache or Nextcloud.

A file goes up under a name of its own, is read back, and gets its final name by MOVE without overwriting. On some
servers a cut upload stays under the name that it was sent to, and on some two uploads of one name both win.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

from desktop_rater.http.server import LIMITS
from desktop_rater.hub import replies
from desktop_rater.hub.dav import Dav
from desktop_rater.hub.dav_listing import children, folder_itself
from desktop_rater.hub.file_troubles import another_there, not_whole, too_large
from desktop_rater.hub.interface import Listed
from desktop_rater.hub.named import MOST_FILES, is_part, parts_of, too_many
from desktop_rater.hub.receiving import TooMuch, hash_there, received
from desktop_rater.hub.sending import legs, upload_of
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.hub.webdav_probe import probe
from desktop_rater.model.hub_names import MARKER, hash_in

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from desktop_rater.http.server import ServerLimits, Upload
    from desktop_rater.hub.address import WebDavAddress
    from desktop_rater.hub.dav import Answer
    from desktop_rater.hub.interface import Closed, Probe, Put
    from desktop_rater.hub.means import Means
    from desktop_rater.hub.multistatus import Entry
    from desktop_rater.model.progress import Progress

_THERE = frozenset({200, 203})
_NOT_THERE = frozenset({404, 410})
_NO_PARENT = frozenset({404, 409})
_DONE = frozenset({200, 201, 202, 204})
_SMALL = 256 * 1024  # bytes
_HANDS = 4  # folders that are listed at a time
_MANY = 12  # folders on one level, from which on that is worth it
_SENDS = 3  # before a server counts as one that does not keep what it is given
_DEEPEST = 8  # folders below one that is listed; ours go four deep
_MOST_FOLDERS = 100_000  # each is asked for
_STALE = timedelta(days=1)
_TEMPORARY = ".tmp-"
_MARKED = (MARKER,)


class WebDav:
    """See `interface.Hub`."""

    def __init__(self, address: WebDavAddress, means: Means, limits: ServerLimits = LIMITS) -> None:
        self.address = address.url
        self._means = means
        self._dav = Dav(address, means, limits)

    @property
    def skew(self) -> float | None:
        """The server's clock less ours, in seconds."""
        return self._dav.skew

    def probe(self, progress: Progress) -> Probe:
        """Write and read back two tiny files, and say how it went."""
        return probe(self, self._dav, progress)

    def list(self, folder: str, progress: Progress, closed: Closed | None = None) -> tuple[Listed, ...]:
        """All finished files of ours in a folder and below it. What this computer left unfinished a day ago goes."""
        parts = parts_of(folder) if folder else ()
        return tuple(sorted(self._walk(parts, progress, closed), key=lambda one: one.name))

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        """Hand the bytes of a file to `write`; how many there were."""
        promised = hash_in(name)
        try:
            digest, came = self._fetched(parts_of(name), write, progress, most)
        except TooMuch:
            raise too_large(name, self._dav.host) from None
        if promised is not None and digest != promised:
            raise not_whole(name)
        return came

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> Put:
        """Put a file there that was not, whole or not at all."""
        parts = parts_of(name)
        upload = upload_of(content, name, sha256)
        first, second, third = legs(progress, upload.size, 3)  # up, back from there, back from its place
        found = self._found(parts, upload.size, first)
        if found is None:
            if parts == _MARKED:
                self._make_root(first)
            beside = self._sent_whole(parts, upload, sha256, (first, second))
            if self.move(beside, parts, third):
                self.check(parts, sha256, upload.size, third)
                progress(upload.size, upload.size)
                return "put"
            found = self._found(parts, upload.size, third)
        if found == sha256:
            return "there"
        raise another_there(name, self._dav.host)

    def _sent_whole(
        self, parts: tuple[str, ...], upload: Upload, sha256: str, steps: tuple[Progress, Progress]
    ) -> tuple[str, ...]:
        """Send a file to a name of its own, and read it back; that name.

        It is sent again where it comes back otherwise: for a moment after many uploads rclone has nothing to show.
        """
        up, back = steps
        for _ in range(_SENDS):
            beside = self.beside(parts)
            self.send(beside, upload, up)
            if self._found(beside, upload.size, back) == sha256:
                return beside
            self.drop(beside, back)
        raise replies.altered(self._dav.host)

    def exists(self, name: str, progress: Progress) -> bool:
        """Whether a file of that name is there, whole or not."""
        answer = self._dav.done("HEAD", self._dav.address.asked(parts_of(name)), progress)
        if answer.status in _NOT_THERE:
            return False
        if answer.status not in _THERE or replies.is_page(answer.headers, b""):
            raise self._dav.trouble("HEAD", answer)
        return True

    def close(self) -> None:
        """Let go of connections."""
        self._dav.close()

    def beside(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """A name that nobody else uses, in the folder of a file."""
        return (*parts[:-1], f"{_TEMPORARY}{self._means.client}-{self._means.token()}")

    def send(self, beside: tuple[str, ...], upload: Upload, progress: Progress) -> None:
        """Send a file to a name that nobody else uses; its folder is made where it is not there."""
        made = upload.size > _SMALL
        if made:  # some servers hang up on a large file that has no folder, and what they said is lost on its way
            self._make_parents(beside, progress)
        answer = self._put(beside, upload, progress)
        if answer.status in _NO_PARENT and not made:
            self._make_parents(beside, progress)
            answer = self._put(beside, upload, progress)
        if answer.status not in _DONE:
            raise self._dav.trouble("PUT", answer)

    def check(self, parts: tuple[str, ...], sha256: str, size: int, progress: Progress) -> None:
        """Read a file back that was just sent."""
        if self._found(parts, size, progress) != sha256:
            raise replies.altered(self._dav.host)

    def move(self, beside: tuple[str, ...], parts: tuple[str, ...], progress: Progress) -> bool:
        """Give a file its final name; False where one of that name stands there."""
        address = self._dav.address
        final = address.asked(parts)
        path = final.target.decode("ascii")
        whole = f"{final.scheme}://{self._dav.host}{path}"
        answer = self._moved(beside, whole, progress)
        if answer.status in (400, 502):
            # A proxy that takes TLS off in front of the server: the server knows itself as http, by another name.
            answer = self._moved(beside, path, progress)
        if answer.status == 412:
            self.drop(beside, progress)
            return False
        if answer.status not in _DONE:
            raise self._dav.trouble("MOVE", answer)
        return True

    def drop(self, beside: tuple[str, ...], progress: Progress) -> None:
        """Delete what was just sent to a name that nobody else uses. Whatever is answered: what stays is harmless."""
        self._dav.done("DELETE", self._dav.address.asked(beside), progress)

    def _moved(self, beside: tuple[str, ...], destination: str, progress: Progress) -> Answer:
        headers = [("Destination", destination), ("Overwrite", "F")]
        return self._dav.done("MOVE", self._dav.address.asked(beside), progress, headers)

    def _put(self, parts: tuple[str, ...], upload: Upload, progress: Progress) -> Answer:
        headers = [("Content-Type", "application/octet-stream")]
        return self._dav.done("PUT", self._dav.address.asked(parts), progress, headers, upload=upload)

    def _make_root(self, progress: Progress) -> None:
        """The hub's own folder is made for its marker alone: of a mistyped address nothing comes."""
        if folder_itself(self._dav, (), progress) is None:
            self._make((), progress)

    def _make_parents(self, parts: tuple[str, ...], progress: Progress) -> None:
        """From the lowest folder up, until one can be made: mostly it is the lowest that is missing."""
        depth = len(parts) - 1
        while depth and not self._make(parts[:depth], progress, may_fail=depth > 1):
            depth -= 1
        for missing in range(depth + 1, len(parts)):
            self._make(parts[:missing], progress)

    def _make(self, parts: tuple[str, ...], progress: Progress, *, may_fail: bool = False) -> bool:
        """Make a folder; False where there is none to make it in, and that was to be expected."""
        answer = self._dav.done("MKCOL", self._dav.address.asked(parts, is_folder=True), progress)
        if may_fail and answer.status in _NO_PARENT:
            return False
        # What is made is 201, with a page or without.
        page = answer.status == 200 and replies.is_page(answer.headers, b"")
        if answer.status in (403, 500) and folder_itself(self._dav, parts, progress) is not None:
            return True  # two make it at once: Apache tells the one who comes second that it is forbidden
        if page or (answer.status not in _DONE and answer.status != 405):  # 405: it is there
            raise self._dav.trouble("MKCOL", answer)
        return True

    def _found(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """The hash of a file that should be of a size; "" where it is larger, `None` where there is none."""
        return hash_there(lambda: self._fetched(parts, lambda _piece: None, progress, size))

    def _fetched(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        with self._dav.ask("GET", self._dav.address.asked(parts), progress, most=most) as answer:
            if answer.status != 200:
                self._dav.pass_over(answer)
                raise self._dav.trouble("GET", answer)
            return received(answer, self._dav.host, write, most)

    def _walk(self, parts: tuple[str, ...], progress: Progress, closed: Closed | None) -> Generator[Listed]:
        """Level by level, so that the folders of a thousand raters need not be asked for one after the other."""
        level, seen, asked = [parts], count(1), 0
        for deep in range(_DEEPEST, -1, -1):
            asked += len(level)
            folders: Sequence[tuple[str, ...]] = []
            for folder, entries in self._looked(level, progress, closed if deep < _DEEPEST else None):
                for entry in entries:
                    progress(so_far := next(seen), 0)
                    if so_far > MOST_FILES or asked + len(folders) > _MOST_FOLDERS:
                        raise too_many(self._dav.host)
                    name = entry.parts[-1]
                    below = (*folder, name)
                    if entry.is_folder and deep and is_part(name):
                        folders.append(below)
                    elif not entry.is_folder and is_part(name) and hash_in(name):
                        yield Listed("/".join(below), entry.size)
                    elif not entry.is_folder and self._is_left_over(entry, name):
                        self.drop(below, progress)
            level = folders

    def _looked(
        self, folders: Sequence[tuple[str, ...]], progress: Progress, closed: Closed | None
    ) -> Generator[tuple[tuple[str, ...], Sequence[Entry]]]:
        if len(folders) < _MANY:  # more connections would take longer than they save
            yield from ((one, self._children(one, progress, closed)) for one in folders)
            return
        with ThreadPoolExecutor(_HANDS, "hub") as pool:
            try:
                found = pool.map(lambda one: self._children(one, progress, closed), folders)
                yield from zip(folders, found, strict=True)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _children(self, folder: tuple[str, ...], progress: Progress, closed: Closed | None) -> Sequence[Entry]:
        try:
            return children(self._dav, folder, progress)
        except HubTrouble as trouble:
            if closed is None or trouble.kind != "rights":
                raise
            closed("/".join(folder), trouble)
            return ()

    def _is_left_over(self, entry: Entry, name: str) -> bool:
        if not name.startswith(f"{_TEMPORARY}{self._means.client}-") or entry.modified is None:
            return False
        theirs = self._means.now() + timedelta(seconds=self.skew or 0)
        return theirs - entry.modified > _STALE
