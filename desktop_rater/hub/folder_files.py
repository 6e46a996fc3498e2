"""Files in a hub's folder: made whole under a name of our own, and only then given the one that others look for."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.unfinished import PREFIX, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from pathlib import Path

PIECE = 256 * 1024
_OURS = 8  # signs of a client in the name of what it has not finished, and as many of one file
_DAY = 24 * 60 * 60

# No link is opened, and no pipe waited for. Windows has no such flags, and reads bytes as they are by the last.
_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# What file systems without hard links say: FAT, some shares, and phones.
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


def unfinished_name(client: str, token: str) -> str:
    """What this client calls a file that it has not finished."""
    return f"{PREFIX}{client[:_OURS]}{token[:_OURS]}{SUFFIX}"


@contextmanager
def opened(path: Path) -> Generator[IO[bytes]]:
    """A plain file to read. Raises `OSError`, and `HubTrouble` where it is none."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise HubTrouble("other", "The hub holds something that is no file", f"It is {path}.", "Look what it is.")
    with os.fdopen(os.open(path, os.O_RDONLY | _CAREFULLY), "rb", buffering=0) as file:
        yield file


def pieces(file: IO[bytes]) -> Generator[bytes]:
    """What a file holds."""
    while piece := file.read(PIECE):
        yield piece


def write_new(path: Path, content: Iterable[bytes]) -> str:
    """Make a file that was not there, and wait until the disk has it; the SHA-256 of what was written."""
    digest = hashlib.sha256()
    with path.open("xb") as file:
        _take_after(path, path.parent, 0o044, 0o600)
        for piece in content:
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
        _forget(file)
    return digest.hexdigest()


def sha256_of(path: Path, told: Callable[[int], None]) -> str:
    """The hash of a plain file. `told` hears how many bytes were read, often, and may raise."""
    digest, done = hashlib.sha256(), 0
    with opened(path) as file:
        for piece in pieces(file):
            done += len(piece)
            told(done)
            digest.update(piece)
    return digest.hexdigest()


def give_name(beside: Path, final: Path) -> bool:
    """Give a whole file its name, unless something has it already; whether it did.

    Without hard links a look comes first, and another client may come between it and the renaming. Where names hold
    hashes that takes away nothing, since what comes is what the name promises.
    """
    try:
        os.link(beside, final, follow_symlinks=False)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LINKS:
            raise
        return _rename(beside, final)
    return True


def links(beside: Path, other: Path) -> bool:
    """Whether this file system knows hard links. `other` is removed again."""
    try:
        os.link(beside, other, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    other.unlink()
    return True


def make_folder(folder: Path) -> None:
    """Make one folder that others may have made in the meantime, so that it lasts."""
    try:
        folder.mkdir()
    except FileExistsError:
        return
    _take_after(folder, folder.parent, 0o7777, 0)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """So that new names survive a power cut too. Windows has no such call, and some shares refuse it."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP):
            raise
    finally:
        os.close(number)


def sweep(folder: Path, client: str, moment: float) -> int:
    """Remove what this client left unfinished a day before `moment`, in the folder's own time; how many there were."""
    ours = re.compile(re.escape(PREFIX + client[:_OURS]) + rf"[0-9a-z]{{{_OURS}}}" + re.escape(SUFFIX))
    with os.scandir(folder) as found:
        names = [entry.name for entry in found if ours.fullmatch(entry.name) and _older(entry, moment - _DAY)]
    for name in names:
        (folder / name).unlink(missing_ok=True)
    return len(names)


def _take_after(path: Path, folder: Path, same: int, more: int) -> None:
    """Give a new thing the rights of the folder it lies in, so that whoever may read there may read it too.

    Otherwise a folder that the first rater makes would be closed to the second.
    """
    if os.name != "posix":
        return
    mode = stat.S_IMODE(folder.stat().st_mode) & same | more
    if stat.S_IMODE(path.stat().st_mode) != mode:
        with suppress(PermissionError, NotImplementedError):  # FAT and some shares have rights of their own
            path.chmod(mode)


def _older(entry: os.DirEntry[str], moment: float) -> bool:
    try:
        about = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(about.st_mode) and about.st_mtime < moment


def _rename(beside: Path, final: Path) -> bool:
    if os.path.lexists(final):
        return False
    try:
        beside.rename(final)  # Windows itself refuses to replace
    except FileExistsError:
        return False
    return True


def _forget(file: IO[bytes]) -> None:
    """So that reading it back asks the disk, not the memory of this computer."""
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
