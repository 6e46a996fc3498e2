"""Files written completely or not at all, also in a power cut, and removal of unfinished ones."""

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, ParamSpec, TypeVar

from desktop_rater.windows_api import allow_only_user, long_path

PARTIAL_PREFIX = ".desktop-rater-"
PARTIAL_SUFFIX = ".part"
PARTIAL_SALVAGE = "salvage.part"  # in a damaged store: the new one while it is being written
DAY_SECONDS = 86_400
REPLACED_FOLDER = ".replaced"  # in an unfinished folder: the files about to be replaced
_CHUNK = 1 << 20  # bytes
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_SQLITE_HEADER = b"SQLite format 3\0"

STANDARD_OUTPUT = Path("/dev/stdout")  # on every system
_DESCRIPTORS = Path("/dev/fd")
_MOST_LINKS = 40  # as in Linux

# Windows refuses to move or delete a file that another program has open: denied access, sharing and lock violation.
_OPEN_ELSEWHERE = {5, 32, 33}
_OPEN_ELSEWHERE_SECONDS = 2.0
_LONGEST_PAUSE = 0.1  # seconds

# Errors of a disk or share that cannot flush the names in a folder.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP}

# Random characters go in between; SQLite puts its own files beside a database.
_NAME = re.compile(r"\.desktop-rater-[0-9a-z_]{8,16}\.part(-journal|-wal|-shm)?")


_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class DestinationError(Exception):
    """No file can be written to a path; the message does not name the path."""


def retry_while_open(
    operation: Callable[_Parameters, _Result], *arguments: _Parameters.args, **options: _Parameters.kwargs
) -> _Result:
    """Move, delete or open a file, and try again for two seconds while another program has it open.

    Only Windows refuses that; a virus scanner or an indexer opens each new file for a moment. Raises `OSError`, whose
    text names the file if it stays open.
    """
    deadline, pause = time.monotonic() + _OPEN_ELSEWHERE_SECONDS, 0.005
    while True:
        try:
            return operation(*arguments, **options)
        except OSError as error:
            # `open` reports no `winerror`.
            denied = os.name == "nt" and isinstance(error, PermissionError)
            if not denied and getattr(error, "winerror", None) not in _OPEN_ELSEWHERE:
                raise
            if time.monotonic() >= deadline:
                raise _open_elsewhere(error) from error
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _open_elsewhere(error: OSError) -> OSError:
    name = Path(error.filename2 or error.filename or "the file").name
    why = (error.strerror or "Access denied").rstrip(".")
    why = f"{why}: {name} may be open in another program, such as Excel or a virus scanner"
    return OSError(error.errno, why, error.filename, getattr(error, "winerror", None))


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove files of an earlier run. One that can't be removed does no harm, and stays for the next time."""
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder that is removed at the end of a `with` block.

    Files in it that another program has open at that moment, such as a virus scanner, stay for the system to remove.
    """
    return tempfile.TemporaryDirectory(prefix="desktop-rater-", ignore_cleanup_errors=True)


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
        remove_leftovers([path])
    elif path.is_dir() and not _holds_user_files(path):
        shutil.rmtree(path, ignore_errors=True)


def _holds_user_files(path: Path) -> bool:
    replaced = path / REPLACED_FOLDER
    return replaced.is_dir() and any(replaced.iterdir())


@contextmanager
def replaced_file(path: Path, *, private: bool = False) -> Generator[Path]:
    """Yield a temporary path; its file durably replaces `path` when the block ends without an error.

    Otherwise the old file stays and the temporary one is removed. A link stays, and the file that it leads to is
    replaced. A pipe, a device or an open stream such as `/dev/stdout` is never replaced: the complete file is written
    to it. Leftovers of runs killed days ago are removed from the folder too. If it is `private`, only the user can read
    it, and the temporary file already exists. Raises `DestinationError` or `OSError`.
    """
    folder = check_destination(path)
    if is_stream(path):
        with temporary_folder() as place:
            partial = partial_path(Path(place))
            yield partial
            _write_to_stream(partial, path)
        return
    partial = create_partial(folder) if private else partial_path(folder)
    try:
        yield partial
        moment = partial.stat().st_mtime
        check_destination(path)  # it may have been replaced by something else meanwhile
        with retry_while_open(lambda: partial.open("rb+")) as file:
            rename_durably(file, partial, followed_path(path))
    finally:
        _discard(partial)
    remove_stale_partials(folder, moment)


@contextmanager
def replaced_files(folder: Path, names: Sequence[str], *, filled: bool = False) -> Generator[Path]:
    """Yield an empty folder; when the block ends without an error, `names` in it are moved to `folder`.

    All of them or none; everything else in it is removed. A single name may be that of a stream, and its links are
    followed as by `replaced_file`, unless the folder is `filled` with names of the program's own. Other links are
    followed only inside the folder. Raises `DestinationError` or `OSError`.
    """
    sole = folder / names[0] if len(names) == 1 and not filled else None
    for name in names:
        _check_named(folder, name, several=sole is None)
    place = folder if sole is None else check_destination(sole)
    with tempfile.TemporaryDirectory(
        prefix=PARTIAL_PREFIX, suffix=PARTIAL_SUFFIX, dir=place, ignore_cleanup_errors=True
    ) as partial:
        yield Path(partial)
        moment = Path(partial).stat().st_mtime
        if sole is not None and is_stream(sole):
            _write_to_stream(Path(partial) / sole.name, sole)
            return
        targets = {name: followed_path(folder / name) for name in names}
        _swap(Path(partial), targets)
    for target_folder in {target.parent for target in targets.values()}:
        sync_folder(target_folder)
    remove_stale_partials(place, moment)


def _check_named(folder: Path, name: str, *, several: bool) -> None:
    try:
        check_destination(folder / name)
        if several and is_stream(folder / name):
            raise DestinationError("It is not a regular file and is not replaced")
        if several:
            check_inside(folder, folder / name)
    except DestinationError as error:
        raise DestinationError(f"{name}: {error}" if several else str(error)) from None


def _swap(partial: Path, targets: Mapping[str, Path]) -> None:
    replaced = partial / REPLACED_FOLDER
    replaced.mkdir()
    started: list[str] = []
    try:
        for name, target in targets.items():
            started.append(name)
            if target.exists():
                retry_while_open(target.rename, replaced / name)
            retry_while_open((partial / name).rename, target)
    except BaseException:
        for name in reversed(started):
            if (replaced / name).exists():
                retry_while_open((replaced / name).replace, targets[name])
            elif not (partial / name).exists():
                retry_while_open(targets[name].unlink, missing_ok=True)
        raise


def check_destination(path: Path) -> Path:
    """Return the folder for temporary files while `path` is made: that of the file, or the system's for a stream.

    Raises `DestinationError` if nothing can be written to `path`: no such folder, or neither a plain file nor a stream.
    """
    if is_stream(path):
        return Path(tempfile.gettempdir())
    target = followed_path(path)
    if not target.parent.is_dir():
        raise DestinationError(f"The folder {target.parent} does not exist")
    try:
        mode = target.stat().st_mode  # unlike `exists`, it tells a name that is too long from one that is free
    except FileNotFoundError:
        return target.parent
    if stat.S_ISDIR(mode):
        raise DestinationError("It is a folder")
    if not stat.S_ISREG(mode):
        raise DestinationError("It is not a regular file and is not replaced")
    if _is_database(target):
        raise DestinationError("It is a database, perhaps a store, and is not replaced")
    return target.parent


def check_inside(folder: Path, path: Path) -> None:
    """Raise `DestinationError` if links lead a path below `folder` out of it; `folder` may be a link itself."""
    # Windows' `realpath` adds `\\?\` to a path whose folder is created at this moment, unless it is there already.
    if not Path(os.path.realpath(long_path(path))).is_relative_to(os.path.realpath(long_path(folder))):
        raise DestinationError("A link leads out of the folder, and is not followed")


def followed_path(path: Path) -> Path:
    """Return the path at the end of links, which need not exist; `/dev/fd/1` for standard output.

    Raises `DestinationError` if the links lead in a circle.
    """
    for _ in range(_MOST_LINKS):
        if path == STANDARD_OUTPUT:
            return _DESCRIPTORS / "1"
        is_number = os.name != "nt" and path.name.isdecimal()
        if is_number and os.path.realpath(path.parent) == os.path.realpath(_DESCRIPTORS):
            return _DESCRIPTORS / path.name
        if not path.is_symlink():
            return path
        path = path.parent / path.readlink()
    raise DestinationError("It is a link that leads back to itself")


def descriptor(path: Path) -> int | None:
    """Return the number of an open stream of this process that `path` names. Raises `DestinationError`."""
    target = followed_path(path)
    return int(target.name) if target.parent == _DESCRIPTORS else None


def is_stream(path: Path) -> bool:
    """Return whether `path` is a pipe, a device such as a terminal, or an open stream of this process."""
    try:
        target = followed_path(path)
        if descriptor(target) is not None:
            return True
        mode = target.stat().st_mode
    except (DestinationError, OSError):  # nothing is there, or nothing that can be looked at
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _write_to_stream(source: Path, stream: Path) -> None:
    target = followed_path(stream)
    # An open stream continues where it is; opening its file again would begin at its start.
    number = descriptor(target)
    number = os.open(target, os.O_WRONLY) if number is None else os.dup(number)
    with source.open("rb") as file, os.fdopen(number, "wb") as out:
        shutil.copyfileobj(file, out, _CHUNK)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER


def partial_path(folder: Path) -> Path:
    """Return a new name for an unfinished file in `folder`."""
    return folder / f"{PARTIAL_PREFIX}{secrets.token_hex(8)}{PARTIAL_SUFFIX}"


def keep_private(path: Path) -> None:
    """Take the rights of others to a file or folder away, if it exists and is no link.

    On Windows only from files: `make_private_folder` sets those of a folder.
    """
    if path.is_symlink():
        return
    if os.name == "nt":
        with suppress(OSError):  # a disk or share without such rights
            if path.is_file():
                allow_only_user(path)
        return
    with suppress(OSError):  # it belongs to another user, or to a disk that has no rights
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & _OTHERS:
            path.chmod(mode & ~_OTHERS)


def make_private_folder(path: Path) -> None:
    """Make a folder that others can't read, unless it exists. On Windows, what is made in it is private too."""
    try:
        path.mkdir(mode=0o777 if os.name == "nt" else 0o700, parents=True)
    except FileExistsError:
        if not path.is_dir():
            raise
        return
    if os.name == "nt":
        with suppress(OSError):  # a disk or share without such rights
            allow_only_user(path)


def remove_folder(path: Path) -> None:
    """Remove a folder with all it contains, if it exists. Raises `OSError`."""
    if path.exists():
        retry_while_open(shutil.rmtree, path)


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
        _discard(path)


def _discard(partial: Path) -> None:
    """Remove an unfinished file, if it has not got its name. One that stays open elsewhere is swept away later."""
    with suppress(OSError):
        retry_while_open(partial.unlink, missing_ok=True)


def _open_partial(folder: Path) -> tuple[int, Path]:
    number, name = tempfile.mkstemp(dir=folder, prefix=PARTIAL_PREFIX, suffix=PARTIAL_SUFFIX)
    if os.name == "nt":
        keep_private(Path(name))
    return number, Path(name)


def write_durably(path: Path, content: bytes) -> None:
    """Replace a small file, which only the user can read then. A link is followed."""
    path = followed_path(path)
    with partial_file(path.parent) as (file, partial):
        file.write(content)
        rename_durably(file, partial, path)


def rename_durably(file: IO[bytes], path: Path, target: Path) -> None:
    """Flush and close a complete file and rename it to `target`, replacing an existing file."""
    sync_file(file)
    file.close()  # Windows does not rename an open file
    retry_while_open(path.replace, target)
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
