"""Places where release indexes and their files are: a folder, a server, or a team's hub. Nothing is written there."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, TypeAlias

from desktop_rater.files import retry_while_open
from desktop_rater.http.client import ServerClient
from desktop_rater.http.errors import HttpError
from desktop_rater.http.request_url import RequestUrl, parse_base_url
from desktop_rater.http.resolve import Resolve
from desktop_rater.hub.errors import ITEM_KINDS, HubError
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.release import HUB_RELEASES, INDEX_NAME, MAX_INDEX_BYTES

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub

CURRENT_HUB = "hub"
"""Name of the place that is the hub of the store."""
HUB_SCHEMES = ("folder", "webdav", "webdavs", "s3")

_PIECE = 256 * 1024
_OK, _PARTIAL = 200, 206
_MOST_INDEXES = 5  # read on a hub: who may write there could lay many that nobody has signed
_INDEX_ON_HUB = re.compile(rf"{HUB_RELEASES}/([1-9][0-9]{{0,8}})-[0-9a-f]{{64}}\.json")

Write: TypeAlias = Callable[[bytes], object]


class UpdateError(RaterError):
    """An update that can't be found, trusted or downloaded. `away`: the place gave no answer, as when offline."""

    def __init__(self, title: str, message: str = "", hint: str = "", *, away: bool = False) -> None:
        super().__init__(title, message, hint)
        self.away = away


class ReleasePlace(Protocol):
    """An open place. Its methods raise `UpdateError` or another `RaterError`, and `Cancelled` within a moment."""

    name: str

    def indexes(self, progress: Progress) -> Iterator[bytes]:
        """Yield release indexes that nobody has verified yet, the newest first."""
        ...

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        """Pass a file of `size` bytes from `start` on to `write`, and not one byte more."""
        ...


class FolderPlace:
    """A folder, such as that of a USB stick, or an index in one."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._folder, self._index = (path.parent, path.name) if path.is_file() else (path, INDEX_NAME)

    def indexes(self, progress: Progress) -> Iterator[bytes]:
        content = bytearray()
        self._copy(self._index, 0, content.extend, progress, MAX_INDEX_BYTES + 1)
        yield bytes(content)

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        self._copy(name, start, write, progress, size)

    def _copy(self, name: str, start: int, write: Write, progress: Progress, most: int) -> None:
        path = self._folder / name
        done = start
        try:
            if not path.is_file():  # a pipe would never end
                raise _missing(name, self.name, away=not self._folder.is_dir())
            file = retry_while_open(lambda: path.open("rb"))
        except OSError as error:
            raise UpdateError(f"{name} can't be read.", f"{error.strerror or error}.") from error
        with file:
            file.seek(start)
            while done < most and (piece := _read_piece(file, name, min(_PIECE, most - done))):
                done += len(piece)
                write(piece)
                progress(done, max(most, done))


def _read_piece(file: IO[bytes], name: str, most: int) -> bytes:
    try:
        return file.read(most)
    except OSError as error:
        raise UpdateError(f"{name} can't be read.", f"{error.strerror or error}.") from error


class ServerPlace:
    """A folder of a web server, or an index in one. Redirects are not followed."""

    def __init__(self, url: RequestUrl, client: ServerClient) -> None:
        self.name = f"{url.scheme}://{url.authority}{url.target.decode()}"
        folder, _, last = url.target.rpartition(b"/")
        is_index = last.endswith(b".json")
        self._url = url._replace(target=folder if is_index else url.target)
        self._index = last.decode() if is_index else INDEX_NAME
        self._client = client

    def indexes(self, progress: Progress) -> Iterator[bytes]:
        content = bytearray()
        self._get(self._index, 0, content.extend, progress, MAX_INDEX_BYTES)
        yield bytes(content)

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        self._get(name, start, write, progress, size)

    def _get(self, name: str, start: int, write: Write, progress: Progress, most: int) -> None:
        url = self._url._replace(target=self._url.target + b"/" + name.encode())
        headers = [("Range", f"bytes={start}-")] if start else []
        try:
            with self._client.stream("GET", url, headers, progress, most=most) as response:
                if response.status not in (_OK, _PARTIAL):
                    raise _missing(name, self.name, f"The server answered {response.status}.")
                continued = response.headers.get("content-range", "").startswith(f"bytes {start}-")
                if response.status == _PARTIAL and not (start and continued):
                    raise UpdateError(f"{name} can't be downloaded.", "The server sent a part that nobody asked for.")
                # A server without ranges sends all of it again.
                keep = _Tail(write, 0 if response.status == _PARTIAL else start, most - start)
                done = start if response.status == _PARTIAL else 0
                for piece in response.chunks:
                    done += len(piece)
                    keep(piece)
                    progress(done, max(most, done))
        except HttpError as error:
            why = str(error)[:1].upper() + str(error)[1:]
            raise UpdateError(f"{self.name} can't be reached.", f"{why}.", away=error.kind != "too_large") from error


class _Tail:
    """Passes bytes on after the first `skip`, at most `most`."""

    def __init__(self, write: Write, skip: int, most: int) -> None:
        self._write = write
        self._skip = skip
        self._left = most

    def __call__(self, piece: bytes) -> None:
        kept = piece[self._skip :][: self._left]
        self._skip = max(0, self._skip - len(piece))
        self._left -= len(kept)
        if kept:
            self._write(kept)


class HubPlace:
    """A team's hub, where a lead has put a release: `releases/<number>-<sha256>.json`, and the files beside it."""

    def __init__(self, hub: Hub) -> None:
        self.name = hub.address
        self._hub = hub

    def indexes(self, progress: Progress) -> Iterator[bytes]:
        names = [file.name for file in self._hub.list(HUB_RELEASES, progress)]
        numbered = sorted((int(match[1]), name) for name in names if (match := _INDEX_ON_HUB.fullmatch(name)))
        if not numbered:
            raise _missing("A release index", self.name)
        for _number, name in numbered[: -_MOST_INDEXES - 1 : -1]:
            content = bytearray()
            try:
                self._hub.get(name, content.extend, progress, most=MAX_INDEX_BYTES)
            except HubError as error:
                if error.kind not in ITEM_KINDS:
                    raise
                content.clear()  # a broken file is refused as an unsigned one is
            yield bytes(content)

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        self._hub.get(f"{HUB_RELEASES}/{name}", _Tail(write, start, size - start), progress, most=size)


def _missing(name: str, place: str, why: str = "", *, away: bool = False) -> UpdateError:
    hint = "Check the place of updates in the settings, or give another one with --from."
    return UpdateError(f"{name} is not at {place}.", why, hint, away=away)


@contextmanager
def open_place(
    text: str,
    open_hub: Callable[[str], Hub],
    *,
    certificates: str = "",
    allow_loopback: bool = False,
    clock: Callable[[], float] = time.monotonic,
    resolve: Resolve = socket.getaddrinfo,
) -> Generator[ReleasePlace]:
    """Open a place; `open_hub` gets a hub's address, or `hub` for that of the store. Raises `RaterError`."""
    text = text.strip()
    scheme = text.partition(":")[0].lower()
    if text == CURRENT_HUB or (scheme in HUB_SCHEMES and ":" in text):
        with closing(open_hub(text)) as hub:
            yield HubPlace(hub)
    elif scheme in ("http", "https") and "://" in text:
        try:
            url = parse_base_url(text, allow_loopback=allow_loopback)
        except ValueError as error:
            raise UpdateError("The place of updates can't be used.", f"{error}.") from None
        with closing(ServerClient(clock, resolve=resolve, certificates=certificates)) as client:
            yield ServerPlace(url, client)
    elif text:
        yield FolderPlace(Path(text))
    else:
        hint = "Give one with --from, or set it in the settings: a folder, an https:// address, or hub."
        raise UpdateError("No place of updates is set.", hint=hint)
