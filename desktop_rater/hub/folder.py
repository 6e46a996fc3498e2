"""A hub in a folder: of this computer, of a share, on a stick, or one that is kept equal with other computers.

Links inside of it are never followed. Somebody who may write there could put one in the moment after we looked; what
that wins is a new file under a name that holds its hash, or a reading that does not have the hash it should.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.hub import folder_files, folder_probe
from desktop_rater.hub.file_troubles import another_there, not_whole, too_large
from desktop_rater.hub.folder_trouble import not_there, translating, trouble_of
from desktop_rater.hub.interface import Listed
from desktop_rater.hub.named import is_part, parts_of
from desktop_rater.hub.sending import legs, not_as_it_was, sending
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import MARKER, hash_in

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from desktop_rater.hub.address import FolderAddress
    from desktop_rater.hub.interface import Closed, Probe, Put
    from desktop_rater.hub.means import Means
    from desktop_rater.model.progress import Progress

_DEEPEST = 8  # ours go four deep


class Folder:
    """A hub in a folder. The folder itself is made for a marker alone: otherwise it is missing while a stick is out."""

    def __init__(self, address: FolderAddress, means: Means) -> None:
        self.address = address.url
        self.skew: float | None = None  # a probe tells the folder's clock
        self._root = Path(address.path)
        self._means = means
        self._swept: set[Path] = set()

    def probe(self, progress: Progress) -> Probe:
        """Write and read back two tiny files."""
        with translating(self._root):
            self._look_at_root()
            return folder_probe.probe(self, self._root, self._means, progress)

    def list(self, folder: str, progress: Progress, closed: Closed | None = None) -> tuple[Listed, ...]:
        """All finished files of ours in a folder and below it, by name."""
        with translating(self._root):
            self._look_at_root()
            parts = parts_of(folder) if folder else ()
            top = self._folder(parts)
            found = [] if top is None else list(_files(top, parts, lambda: progress(0, 0), closed))
        return tuple(sorted(found, key=lambda one: one.name))

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        """Hand the bytes of a file to `write`; how many there were."""
        done, digest = 0, hashlib.sha256()
        for piece, size in self._read(name):
            done += len(piece)
            if done > most:
                raise too_large(name, str(self._root))
            progress(done, max(size, done))
            digest.update(piece)
            write(piece)  # what it raises is no trouble of the hub's, and passes as it is
        if hash_in(name) not in (None, digest.hexdigest()):
            raise not_whole(name)
        return done

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> Put:
        """Put a file there that was not, whole or not at all."""
        parts = parts_of(name)
        with sending(content, name) as (pieces, size), translating(self._root):
            there, back, final_back = legs(progress, size, 3)
            if parts == (MARKER,):
                self._make_root()  # a new hub begins with its marker
            self._look_at_root()
            folder = self._made(parts[:-1])
            final = folder / parts[-1]
            if os.path.lexists(final):
                return _compared(final, name, sha256, size, progress)
            beside = folder / folder_files.unfinished_name(self._means.client, self._means.token())
            try:
                if folder_files.write_new(beside, _counted(pieces, size, there)) != sha256:
                    raise not_as_it_was(name)
                moment = beside.stat().st_mtime
                _read_back(beside, name, sha256, size, back)
                put = folder_files.give_name(beside, final)
            finally:
                beside.unlink(missing_ok=True)
            folder_files.sync_folder(folder)
            self._sweep(folder, moment)
            if not put:
                return _compared(final, name, sha256, size, progress)
            _read_back(final, name, sha256, size, final_back)
        return "put"

    def exists(self, name: str, progress: Progress) -> bool:
        """Whether a file of that name is there, whole or not."""
        progress(0, 0)
        with translating(self._root):
            self._look_at_root()
            parts = parts_of(name)
            folder = self._folder(parts[:-1])
            return folder is not None and os.path.lexists(folder / parts[-1])

    def close(self) -> None:
        """Nothing stays open."""

    def _make_root(self) -> None:
        """Make the hub's own folder where the one that it lies in is there."""
        if self._root.parent.is_dir():
            folder_files.make_folder(self._root)

    def _look_at_root(self) -> None:
        if not self._root.is_dir():
            raise not_there(self._root)

    def _read(self, name: str) -> Generator[tuple[bytes, int]]:
        """The pieces of a file, each with the size of the whole."""
        with translating(self._root):
            self._look_at_root()
            parts = parts_of(name)
            folder = self._folder(parts[:-1])
            if folder is None or not os.path.lexists(folder / parts[-1]):
                raise HubTrouble("gone", "A file of the hub is not there", f"It is {name}.")
            with folder_files.opened(folder / parts[-1]) as file:
                size = os.fstat(file.fileno()).st_size
                for piece in folder_files.pieces(file):
                    yield piece, size

    def _folder(self, parts: tuple[str, ...]) -> Path | None:
        """The folder of these parts; `None` where there is none. Raises where a link leads elsewhere."""
        folder = self._root
        for part in parts:
            folder /= part
            if not _is_folder(folder):
                return None
        return folder

    def _made(self, parts: tuple[str, ...]) -> Path:
        """The folder of these parts, made where it is not there yet."""
        folder = self._root
        for part in parts:
            folder /= part
            if not _is_folder(folder):
                folder_files.make_folder(folder)
        return folder

    def _sweep(self, folder: Path, moment: float) -> None:
        """Once a session in each folder: what a run that was killed left there does nobody harm."""
        if folder not in self._swept:
            self._swept.add(folder)
            folder_files.sweep(folder, self._means.client, moment)


def _files(folder: Path, parts: tuple[str, ...], look: Callable[[], None], closed: Closed | None) -> Generator[Listed]:
    """Finished files by the rule of their names, so neither copies of conflicts nor what is still coming in."""
    look()
    with os.scandir(folder) as found:
        entries = [entry for entry in found if is_part(entry.name)]
    for entry in entries:
        below = (*parts, entry.name)
        if entry.is_dir(follow_symlinks=False) and len(below) <= _DEEPEST:
            try:
                yield from _files(folder / entry.name, below, look, closed)
            except PermissionError as error:
                if closed is None:
                    raise
                closed("/".join(below), trouble_of(error, folder / entry.name))
        if hash_in(entry.name) and entry.is_file(follow_symlinks=False):
            look()
            yield Listed("/".join(below), entry.stat(follow_symlinks=False).st_size)


def _is_folder(path: Path) -> bool:
    """Whether a folder is there. Raises `HubTrouble` where something else is."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISDIR(mode):
        raise _no_folder(path)
    return True


def _counted(pieces: Iterable[bytes], size: int, progress: Progress) -> Generator[bytes]:
    done = 0
    for piece in pieces:
        done += len(piece)
        progress(done, max(size, done))
        yield piece


def _read_back(path: Path, name: str, sha256: str, size: int, progress: Progress) -> None:
    if folder_files.sha256_of(path, lambda done: progress(done, size)) != sha256:
        raise HubTrouble(
            "not_a_hub",
            "The hub gave back other bytes than were written",
            f"It is about {name}.",
            "Check the disk or the share that the folder lies on.",
        )


def _compared(final: Path, name: str, sha256: str, size: int, progress: Progress) -> Put:
    about = final.lstat()
    # One of another size is not read: it may be larger than anything here, or still grow. What is no file says so.
    is_read = about.st_size == size or not stat.S_ISREG(about.st_mode)
    if is_read and folder_files.sha256_of(final, lambda _done: progress(0, 0)) == sha256:
        return "there"
    raise another_there(name, str(final.parent))


def _no_folder(folder: Path) -> HubTrouble:
    return HubTrouble(
        "not_a_hub",
        "A folder of the hub is no folder",
        f"{folder} is a link or a file, and links are not followed.",
        "Look at what lies there.",
    )
