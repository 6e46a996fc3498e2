"""Files written completely or not at all, also in a power cut, and removal of unfinished ones."""

import errno
import hashlib
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PARTIAL_PREFIX = ".desktop-rater-"
PARTIAL_SUFFIX = ".part"
PARTIAL_SALVAGE = "salvage.part"  # in a damaged store: the new one while it is being written
DAY_SECONDS = 86_400
REPLACED_FOLDER = ".replaced"  # in an unfinished folder: the files about to be replaced
_CHUNK = 1 << 20  # bytes
_SQLITE_HEADER = b"SQLite format 3\0"

# Errors of a disk or share that cannot flush the names in a folder.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP}

# Random characters go in between; SQLite puts its own files beside a database.
_NAME = re.compile(r"\.desktop-rater-[0-9a-z_]{8,16}\.part(-journal|-wal|-shm)?")


class DestinationError(Exception):
    """No file can be written to a path; the message does not name the path."""


def is_partial_name(name: str) -> bool:
    """Return whether a file name is one that this program gives to unfinished files."""
    return _NAME.fullmatch(name) is not None


def remove_stale_partials(folder: Path, moment: float) -> None:
    """Remove leftovers last written a day or more before `moment` (file system time). Never raises `OSError`.

    A folder that still holds files of the user, which it was about to replace, is left alone.
    """
    with suppress(OSError):  # a leftover that can't be removed does no harm
        for path in folder.iterdir():
            if is_partial_name(path.name) and not path.is_symlink() and path.stat().st_mtime < moment - DAY_SECONDS:
                _remove(path)


def _remove(path: Path) -> None:
    if path.is_file():
        with suppress(OSError):  # Windows: it is open, so still in use
            path.unlink()
    elif path.is_dir() and not _holds_user_files(path):
        shutil.rmtree(path, ignore_errors=True)


def _holds_user_files(path: Path) -> bool:
    replaced = path / REPLACED_FOLDER
    return replaced.is_dir() and any(replaced.iterdir())


@contextmanager
def replaced_file(path: Path) -> Generator[Path]:
    """Yield a temporary path beside `path`; its file durably replaces `path` when the block ends without an error.

    Otherwise the old file stays and the temporary one is removed. Leftovers of runs killed days ago are removed from
    the folder too. Raises `DestinationError` or `OSError`.
    """
    check_destination(path)
    partial = partial_path(path.parent)
    try:
        yield partial
        moment = partial.stat().st_mtime
        with partial.open("rb+") as file:
            rename_durably(file, partial, path)
    finally:
        partial.unlink(missing_ok=True)
    remove_stale_partials(path.parent, moment)


@contextmanager
def replaced_files(folder: Path, names: Sequence[str]) -> Generator[Path]:
    """Yield an empty folder inside `folder`; when the block ends without an error, `names` in it are moved to `folder`.

    All of them or none; everything else in it is removed. Raises `DestinationError` or `OSError`.
    """
    for name in names:
        _check_named(folder, name, len(names))
    with tempfile.TemporaryDirectory(prefix=PARTIAL_PREFIX, suffix=PARTIAL_SUFFIX, dir=folder) as partial:
        yield Path(partial)
        moment = Path(partial).stat().st_mtime
        _swap(Path(partial), folder, names)
    sync_folder(folder)
    remove_stale_partials(folder, moment)


def _check_named(folder: Path, name: str, count: int) -> None:
    try:
        check_destination(folder / name)
    except DestinationError as error:
        raise DestinationError(f"{name}: {error}" if count > 1 else str(error)) from None


def _swap(partial: Path, folder: Path, names: Sequence[str]) -> None:
    replaced = partial / REPLACED_FOLDER
    replaced.mkdir()
    started: list[str] = []
    try:
        for name in names:
            started.append(name)
            if (folder / name).exists():
                (folder / name).rename(replaced / name)
            (partial / name).rename(folder / name)
    except BaseException:
        for name in reversed(started):
            if (replaced / name).exists():
                (replaced / name).replace(folder / name)
            elif not (partial / name).exists():
                (folder / name).unlink(missing_ok=True)
        raise


def check_destination(path: Path) -> None:
    """Raise `DestinationError` if no file can be put at `path`: no such folder, or not a plain file there."""
    if not path.parent.is_dir():
        raise DestinationError(f"The folder {path.parent} does not exist")
    if path.is_dir():
        raise DestinationError("It is a folder")
    if path.exists() and not path.is_file():
        raise DestinationError("It is not a regular file and is not replaced")
    if path.exists() and _is_database(path):
        raise DestinationError("It is a database, perhaps a store, and is not replaced")


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER


def partial_path(folder: Path) -> Path:
    """Return a new name for an unfinished file in `folder`."""
    return folder / f"{PARTIAL_PREFIX}{secrets.token_hex(8)}{PARTIAL_SUFFIX}"


def create_partial(folder: Path) -> Path:
    """Create an empty unfinished file in `folder` that only the user can read; return its path."""
    number, path = _open_partial(folder)
    os.close(number)
    return path


@contextmanager
def partial_file(folder: Path) -> Generator[tuple[IO[bytes], Path]]:
    """Yield a new file in `folder` and its path; it is removed at the end unless `rename_durably` renamed it."""
    number, path = _open_partial(folder)
    try:
        with os.fdopen(number, "wb") as file:
            yield file, path
    finally:
        path.unlink(missing_ok=True)


def _open_partial(folder: Path) -> tuple[int, Path]:
    number, name = tempfile.mkstemp(dir=folder, prefix=PARTIAL_PREFIX, suffix=PARTIAL_SUFFIX)
    return number, Path(name)


def write_durably(path: Path, content: bytes) -> None:
    """Replace a small file, which only the user can read then."""
    with partial_file(path.parent) as (file, partial):
        file.write(content)
        rename_durably(file, partial, path)


def rename_durably(file: IO[bytes], path: Path, target: Path) -> None:
    """Flush and close a complete file and rename it to `target`, replacing an existing file."""
    sync_file(file)
    file.close()  # Windows does not rename an open file
    path.replace(target)
    sync_folder(target.parent)


def sync_file(file: IO[bytes]) -> None:
    """Flush the content of an open file to disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path, *, required: bool = True) -> None:
    """Flush the names in a folder to disk. Windows has no such call and needs none.

    Unless it is `required`, a disk or share that has no such call is accepted.
    """
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if required or error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(number)


def unused_path(path: Path) -> Path:
    """Return `path`, or the first of `name-2`, `name-3` … if it exists; a suffix stays at the end."""
    number, unused = 1, path
    while unused.exists():
        number += 1
        unused = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return unused


def file_sha256(path: Path, check_cancelled: Callable[[], None] = lambda: None) -> str:
    """Return the SHA-256 of a whole file. Raises `OSError`."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            check_cancelled()
            digest.update(chunk)
    return digest.hexdigest()


def find_partial_files(folder: Path) -> list[Path]:
    """Return files that a killed process left unfinished, by name; those of older versions of this program too."""
    return sorted(folder.glob(f".*{PARTIAL_SUFFIX}"))
