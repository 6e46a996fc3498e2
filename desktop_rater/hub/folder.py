"""Hub in a folder: local, on a share, on a removable drive, or synchronised."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

from desktop_rater.files import retry_while_open, sync_folder
from desktop_rater.hub import folder_files, folder_probe
from desktop_rater.hub.address import FolderAddress
from desktop_rater.hub.errors import HubError, file_too_large_error, incomplete_file_error, name_taken_error
from desktop_rater.hub.folder_probe import file_error, missing_folder_error, translate_file_errors
from desktop_rater.hub.interface import ClosedFolderCallback, HubEnvironment, HubFile, ProbeResult, PutResult
from desktop_rater.hub.transfer import changed_file_error, is_valid_part, open_upload, split_hub_name, transfer_legs
from desktop_rater.model.change import Progress
from desktop_rater.model.hub_names import MARKER, hash_in_name
from desktop_rater.windows_api import long_path, usual_path

_DEEPEST = 8  # our files are at most four levels deep


class FolderHub:
    """A hub in a folder. The folder is only created for a new marker: otherwise a removable drive is just missing."""

    def __init__(self, address: FolderAddress, environment: HubEnvironment) -> None:
        self.address = address.url
        self.skew: float | None = None  # set by a probe
        self._root = Path(address.path)
        self._environment = environment
        self._swept: set[Path] = set()

    def probe(self, progress: Progress) -> ProbeResult:
        with translate_file_errors(self._root):
            self._require_root()
            return folder_probe.probe_folder(self, self._root, self._environment, progress)

    def list(self, folder: str, progress: Progress, closed: ClosedFolderCallback | None = None) -> tuple[HubFile, ...]:
        with translate_file_errors(self._root):
            self._require_root()
            parts = split_hub_name(folder) if folder else ()
            top = self._folder(parts)
            files = [] if top is None else list(_files(top, parts, lambda: progress(0, 0), closed))
        return tuple(sorted(files, key=lambda file: file.name))

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        received, digest = 0, hashlib.sha256()
        for piece, size in self._read(name):
            received += len(piece)
            if received > most:
                raise file_too_large_error(name, str(self._root))
            progress(received, max(size, received))
            digest.update(piece)
            write(piece)  # its exceptions are not errors of the hub and pass through
        if hash_in_name(name) not in (None, digest.hexdigest()):
            raise incomplete_file_error(name)
        return received

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> PutResult:
        parts = split_hub_name(name)
        with open_upload(content, name) as (pieces, size), translate_file_errors(self._root):
            write_progress, temporary_progress, final_progress = transfer_legs(progress, size, 3)
            if parts == (MARKER,):
                self._make_root()  # a new hub begins with its marker
            self._require_root()
            folder = self._create_folder(parts[:-1])
            final = folder / parts[-1]
            if os.path.lexists(final):
                return _compare_existing(final, name, sha256, size, progress)
            temporary = folder / folder_files.temporary_name(self._environment.client, self._environment.token())
            try:
                if folder_files.write_new(temporary, _with_progress(pieces, size, write_progress)) != sha256:
                    raise changed_file_error(name)
                moment = temporary.stat().st_mtime
                _read_back(temporary, name, sha256, size, temporary_progress)
                put = folder_files.give_name(temporary, final)
            finally:
                retry_while_open(temporary.unlink, missing_ok=True)
            sync_folder(folder, required=False)
            self._sweep(folder, moment)
            if not put:
                return _compare_existing(final, name, sha256, size, progress)
            _read_back(final, name, sha256, size, final_progress)
        return "put"

    def exists(self, name: str, progress: Progress) -> bool:
        progress(0, 0)
        with translate_file_errors(self._root):
            self._require_root()
            parts = split_hub_name(name)
            folder = self._folder(parts[:-1])
            return folder is not None and os.path.lexists(folder / parts[-1])

    def close(self) -> None:
        """Do nothing: no connection is kept open."""

    def _make_root(self) -> None:
        if self._root.parent.is_dir():
            folder_files.make_folder(self._root)

    def _require_root(self) -> None:
        if not self._root.is_dir():
            raise missing_folder_error(self._root)

    def _read(self, name: str) -> Generator[tuple[bytes, int]]:
        """Yield the pieces of a file, each with the size of the whole."""
        with translate_file_errors(self._root):
            self._require_root()
            parts = split_hub_name(name)
            folder = self._folder(parts[:-1])
            if folder is None or not os.path.lexists(folder / parts[-1]):
                raise HubError("gone", "A file is missing on the hub", f"The file is {name}.")
            with folder_files.open_regular_file(folder / parts[-1]) as file:
                size = os.fstat(file.fileno()).st_size
                for piece in folder_files.read_pieces(file):
                    yield piece, size

    def _folder(self, parts: tuple[str, ...]) -> Path | None:
        """Return the folder of these parts; `None` if missing. Raises if a link leads elsewhere."""
        folder = long_path(self._root)
        for part in parts:
            folder /= part
            if not _is_folder(folder):
                return None
        return folder

    def _create_folder(self, parts: tuple[str, ...]) -> Path:
        """Return the folder of these parts, creating it if missing."""
        folder = long_path(self._root)
        for part in parts:
            folder /= part
            if not _is_folder(folder):
                folder_files.make_folder(folder)
        return folder

    def _sweep(self, folder: Path, moment: float) -> None:
        """Delete leftovers of a killed run, once per session in each folder."""
        if folder not in self._swept:
            self._swept.add(folder)
            folder_files.delete_stale_temporary_files(folder, self._environment.client, moment)


def _files(
    folder: Path, parts: tuple[str, ...], check_cancelled: Callable[[], None], closed: ClosedFolderCallback | None
) -> Generator[HubFile]:
    """Yield finished files by the rule of their names, without conflict copies and partial files."""
    check_cancelled()
    with os.scandir(folder) as listing:
        entries = [entry for entry in listing if is_valid_part(entry.name)]
    for entry in entries:
        path = (*parts, entry.name)
        if entry.is_dir(follow_symlinks=False) and len(path) <= _DEEPEST:
            try:
                yield from _files(folder / entry.name, path, check_cancelled, closed)
            except PermissionError as error:
                if closed is None:
                    raise
                closed("/".join(path), file_error(error, folder / entry.name))
        if hash_in_name(entry.name) and entry.is_file(follow_symlinks=False):
            check_cancelled()
            yield HubFile("/".join(path), entry.stat(follow_symlinks=False).st_size)


def _is_folder(path: Path) -> bool:
    """Tell if the folder exists. Raises `HubError` if it is something else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISDIR(mode):
        raise _not_a_folder(path)
    return True


def _with_progress(pieces: Iterable[bytes], size: int, progress: Progress) -> Generator[bytes]:
    written = 0
    for piece in pieces:
        written += len(piece)
        progress(written, max(size, written))
        yield piece


def _read_back(path: Path, name: str, sha256: str, size: int, progress: Progress) -> None:
    if folder_files.hub_file_sha256(path, lambda count: progress(count, size)) != sha256:
        raise HubError(
            "not_a_hub",
            "The hub returned different data than was written",
            f"The file is {name}.",
            "Check the disk or the share of the folder.",
        )


def _compare_existing(final: Path, name: str, sha256: str, size: int, progress: Progress) -> PutResult:
    status = final.lstat()
    # A file of another size is not read: it may be very large or still growing. A non-file is reported by the read.
    is_read = status.st_size == size or not stat.S_ISREG(status.st_mode)
    if is_read and folder_files.hub_file_sha256(final, lambda _done: progress(0, 0)) == sha256:
        return "there"
    raise name_taken_error(name, usual_path(final.parent))


def _not_a_folder(folder: Path) -> HubError:
    return HubError(
        "not_a_hub",
        "A folder of the hub is not a folder",
        f"{usual_path(folder)} is a link or a file, and links are not followed.",
        "Check that path.",
    )
