"""Files in a hub's folder, written completely before they get their final name."""

import errno
import hashlib
import os
import re
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
)
from desktop_rater.hub.errors import HubError
from desktop_rater.windows_api import usual_path

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
