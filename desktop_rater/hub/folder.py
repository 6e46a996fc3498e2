"""Hub in a folder: local, on a share, on a removable drive, or synchronised; its capabilities, and its errors."""

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from desktop_rater.files import (
    DAY_SECONDS,
    PARTIAL_PREFIX,
    PARTIAL_SUFFIX,
    remove_leftovers,
    retry_while_open,
    sync_file,
    sync_folder,
    temporary_folder,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER, hash_in_name
from desktop_rater.hub.address import FolderAddress
from desktop_rater.hub.errors import (
    HubError,
    file_too_large_error,
    incomplete_file_error,
    name_taken_error,
)
from desktop_rater.hub.interface import (
    PROBE_FILES,
    PROBE_FOLDER,
    ClosedFolderCallback,
    Hub,
    HubEnvironment,
    HubFile,
    ProbeFinding,
    ProbeResult,
    PutResult,
    space_finding,
    write_finding,
)
from desktop_rater.hub.server import (
    ErrorRow,
    changed_file_error,
    is_valid_part,
    open_upload,
    split_hub_name,
    transfer_legs,
)
from desktop_rater.windows_api import long_path, usual_path

PIECE_SIZE = 256 * 1024
_ID_LENGTH = 8  # characters of the client and as many random ones in a temporary name

# Do not follow links or wait for pipes. On Windows only O_BINARY exists, which reads bytes unchanged.
_OPEN_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# Errors of file systems without hard links: FAT, some shares, and phones.
_NO_LINKS = {
    errno.EPERM,
    errno.EOPNOTSUPP,
    errno.ENOTSUP,
    errno.ENOSYS,
    errno.EACCES,
    errno.EINVAL,
    errno.EMLINK,
    errno.EXDEV,
}


def temporary_name(client: str, token: str) -> str:
    """Return a temporary name of this client."""
    return f"{PARTIAL_PREFIX}{client[:_ID_LENGTH]}{token[:_ID_LENGTH]}{PARTIAL_SUFFIX}"


@contextmanager
def open_regular_file(path: Path) -> Generator[IO[bytes]]:
    """Open a regular file for reading. Raises `OSError`, or `HubError` if it is something else."""
    if not stat.S_ISREG(path.lstat().st_mode):
        title = "The hub contains something that is not a file"
        raise HubError("other", title, f"It is {usual_path(path)}.", "Check that path.")
    with os.fdopen(os.open(path, os.O_RDONLY | _OPEN_FLAGS), "rb", buffering=0) as file:
        yield file


def read_pieces(file: IO[bytes]) -> Generator[bytes]:
    """Yield the content of a file in pieces."""
    while piece := file.read(PIECE_SIZE):
        yield piece


def write_new(path: Path, content: Iterable[bytes]) -> str:
    """Create a file and sync it to disk; return the SHA-256 of the bytes written."""
    digest = hashlib.sha256()
    with path.open("xb") as file:
        _inherit_mode(path, path.parent, 0o044, 0o600)
        for piece in content:
            digest.update(piece)
            file.write(piece)
        sync_file(file)
        if hasattr(os, "posix_fadvise"):  # drop it from the page cache, so that it is read back from the disk
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return digest.hexdigest()


def hub_file_sha256(path: Path, progress: Callable[[int], None]) -> str:
    """Return the hash of a regular file. `progress` is called often with the number of bytes read, and may raise."""
    digest, count = hashlib.sha256(), 0
    with open_regular_file(path) as file:
        for piece in read_pieces(file):
            count += len(piece)
            progress(count)
            digest.update(piece)
    return digest.hexdigest()


def give_name(temporary: Path, final: Path) -> bool:
    """Give a complete file its final name unless that exists; return whether it did.

    Without hard links the check comes first, and another client may create the name before the rename. As names contain
    hashes, that replaces nothing different.
    """
    try:
        os.link(temporary, final, follow_symlinks=False)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LINKS:
            raise
        return _rename(temporary, final)
    return True


def supports_hard_links(temporary: Path, other: Path) -> bool:
    """Tell if this file system supports hard links. `other` is removed again."""
    try:
        os.link(temporary, other, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    retry_while_open(other.unlink)
    return True


def make_folder(folder: Path) -> None:
    """Create a folder durably; others may create it at the same time."""
    try:
        folder.mkdir()
    except FileExistsError:
        return
    _inherit_mode(folder, folder.parent, 0o7777, 0)
    sync_folder(folder.parent, required=False)


def delete_stale_temporary_files(folder: Path, client: str, moment: float) -> int:
    """Delete what this client left unfinished a day before `moment`, in the folder's own time; return how many."""
    ours = re.compile(
        re.escape(PARTIAL_PREFIX + client[:_ID_LENGTH]) + rf"[0-9a-z]{{{_ID_LENGTH}}}" + re.escape(PARTIAL_SUFFIX)
    )
    with os.scandir(folder) as listing:
        names = [
            entry.name for entry in listing if ours.fullmatch(entry.name) and _is_older(entry, moment - DAY_SECONDS)
        ]
    remove_leftovers(folder / name for name in names)
    return len(names)


def _inherit_mode(path: Path, folder: Path, same: int, more: int) -> None:
    """Give a new file or folder the permissions of its parent, so that the same people can read it.

    Otherwise a folder created by the first rater would be closed to the second.
    """
    if os.name != "posix":
        return
    mode = stat.S_IMODE(folder.stat().st_mode) & same | more
    if stat.S_IMODE(path.stat().st_mode) != mode:
        with suppress(PermissionError, NotImplementedError):  # FAT and some shares have their own permissions
            path.chmod(mode)


def _is_older(entry: os.DirEntry[str], moment: float) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_mtime < moment


def _rename(temporary: Path, final: Path) -> bool:
    if os.path.lexists(final):
        return False
    try:
        retry_while_open(temporary.rename, final)  # fails on Windows if it exists
    except FileExistsError:
        return False
    return True


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
            return probe_folder(self, self._root, self._environment, progress)

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
            temporary = folder / temporary_name(self._environment.client, self._environment.token())
            try:
                if write_new(temporary, _with_progress(pieces, size, write_progress)) != sha256:
                    raise changed_file_error(name)
                moment = temporary.stat().st_mtime
                _read_back(temporary, name, sha256, size, temporary_progress)
                put = give_name(temporary, final)
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
            make_folder(self._root)

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
            with open_regular_file(folder / parts[-1]) as file:
                size = os.fstat(file.fileno()).st_size
                for piece in read_pieces(file):
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
                make_folder(folder)
        return folder

    def _sweep(self, folder: Path, moment: float) -> None:
        """Delete leftovers of a killed run, once per session in each folder."""
        if folder not in self._swept:
            self._swept.add(folder)
            delete_stale_temporary_files(folder, self._environment.client, moment)


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
    if hub_file_sha256(path, lambda count: progress(count, size)) != sha256:
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
    if is_read and hub_file_sha256(final, lambda _done: progress(0, 0)) == sha256:
        return "there"
    raise name_taken_error(name, usual_path(final.parent))


def _not_a_folder(folder: Path) -> HubError:
    return HubError(
        "not_a_hub",
        "A folder of the hub is not a folder",
        f"{usual_path(folder)} is a link or a file, and links are not followed.",
        "Check that path.",
    )


_FULL = ErrorRow("full", "The hub's folder is full", hint="Free some space there, then sync again.")
_RIGHTS = ErrorRow("rights", "You have no permission in the hub's folder", hint="Ask its administrator for access.")
_BUSY = ErrorRow("busy", "A file of the hub is in use", hint="It will be retried automatically.")
_AWAY = ErrorRow("away", "The hub's folder does not answer", hint="It will be retried automatically.")
_PLACE = ErrorRow(
    "place", "The hub's folder is not there", hint="Insert the drive, connect the share, or check the hub's address."
)
_TOO_LARGE = ErrorRow("too_large", "The file is too large for the hub's folder", hint="Send it in another way.")
_STRANGE = ErrorRow("not_a_hub", "The hub's folder contains unexpected files", hint="Check that path.")
_NAME = ErrorRow("place", "The hub's folder does not allow this name", hint="Choose a folder with a shorter path.")

_BY_NUMBER: dict[int, ErrorRow] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
    errno.EBUSY: _BUSY,
    errno.EAGAIN: _BUSY,
    errno.ETXTBSY: _BUSY,
    errno.ENOTDIR: _STRANGE,
    errno.EISDIR: _STRANGE,
    errno.ELOOP: _STRANGE,
    errno.ENAMETOOLONG: _NAME,
    errno.EINVAL: _NAME,
    errno.EILSEQ: _NAME,
}
_HELD_BY_ANOTHER = (32, 33)  # Windows: the file or a part of it is locked by another process


@contextmanager
def translate_file_errors(root: Path) -> Generator[None]:
    """Turn file system errors into a `HubError`. `root`: the hub's folder."""
    try:
        yield
    except OSError as error:
        raise file_error(error, root) from error


def file_error(error: OSError, place: Path) -> HubError:
    """Translate an error. `place`: the hub's folder, or one below it."""
    text = _error_text(error, place)
    reason = error.strerror or type(error).__name__
    return HubError(text.kind, text.title, f"{usual_path(place)}: {reason}.", text.hint)


def missing_folder_error(root: Path) -> HubError:
    """Return the error for a missing hub folder, which is never created implicitly: it may be on a removable drive."""
    return HubError(_PLACE.kind, _PLACE.title, f"There is no folder {root}.", _PLACE.hint)


def _error_text(error: OSError, root: Path) -> ErrorRow:
    if getattr(error, "winerror", None) in _HELD_BY_ANOTHER:
        return _BUSY
    if error.errno == errno.ENOENT:
        with suppress(OSError):  # then it is not known whether the folder exists
            if not root.is_dir():
                return _PLACE
    # A failing disk or a disconnected share may come back.
    return _BY_NUMBER.get(error.errno or 0, _AWAY)


def probe_folder(hub: Hub, root: Path, environment: HubEnvironment, progress: Progress) -> ProbeResult:
    """Write two tiny files and read them back. Raises `OSError`, and `HubError` only if nothing can be tried."""
    checks = [
        ProbeFinding("place", passed=True, words="The folder exists.", matters=True),
        _check_writing(hub, progress),
    ]
    skew = None
    if checks[-1].passed:
        folder = root / PROBE_FOLDER
        temporary = folder / temporary_name(environment.client, environment.token())
        other = folder / temporary_name(environment.client, environment.token())
        try:
            before = environment.now().timestamp()
            write_new(temporary, [PROBE_FILES[0].content])
            written = temporary.stat().st_mtime
            # File systems have a resolution of up to two seconds.
            skew = 0.0 if before - 2 <= written <= environment.now().timestamp() + 2 else written - before
            checks += [_check_no_overwrite(temporary, root, progress), _check_hard_links(temporary, other)]
        finally:
            retry_while_open(temporary.unlink, missing_ok=True)
            retry_while_open(other.unlink, missing_ok=True)
    return ProbeResult((*checks, space_finding(shutil.disk_usage(root).free)), skew)


def _check_writing(hub: Hub, progress: Progress) -> ProbeFinding:
    try:
        with temporary_folder() as temporary:
            source = Path(temporary, "content")
            for file in PROBE_FILES:
                source.write_bytes(file.content)
                hub.put_new(file.name, source, file.sha256, progress)
    except HubError as error:
        return ProbeFinding("write", passed=False, words=str(error), matters=True)
    return write_finding()


def _check_no_overwrite(temporary: Path, root: Path, progress: Progress) -> ProbeFinding:
    """Check that an existing file is not replaced."""
    file = PROBE_FILES[1]
    existing = root / file.name
    replaced = give_name(temporary, existing)
    same = hub_file_sha256(existing, lambda _done: progress(0, 0)) == file.sha256
    is_kept = same and not replaced
    text = "An existing file is not replaced." if is_kept else "An existing file was replaced."
    return ProbeFinding("no_overwrite", passed=is_kept, words=text, matters=True)


def _check_hard_links(temporary: Path, other: Path) -> ProbeFinding:
    if supports_hard_links(temporary, other):
        text = "A file gets its name in one step, and only if the name is free."
        return ProbeFinding("exclusive", passed=True, words=text)
    text = (
        "There are no hard links here, so a file gets its name after a check that it is free. "
        "Names contain the hash of their file, so two clients at once do no harm."
    )
    return ProbeFinding("exclusive", passed=False, words=text)
