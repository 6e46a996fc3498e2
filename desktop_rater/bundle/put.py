"""A file put in place only when it is whole."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.bundle.left_behind import REPLACED, sweep
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.unfinished import PREFIX, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


_SQLITE = b"SQLite format 3\0"


@contextmanager
def put_in_place(path: Path) -> Generator[Path]:
    """Gives a path beside `path` to write to; what is there when the block ends well takes the place of `path`.

    Otherwise what was there stays, and nothing is left beside it. What killed runs left in the folder days ago is
    removed. Raises `Fault` or `OSError`.
    """
    check_place(path)
    beside = path.parent / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
    try:
        yield beside
        moment = beside.stat().st_mtime
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(path.parent)
    sweep(path.parent, moment)


@contextmanager
def put_all_in_place(folder: Path, names: Sequence[str]) -> Generator[Path]:
    """Gives an empty folder inside `folder`; what has one of the names there takes its place when the block ends well.

    All of them or none. Whatever else the folder holds is removed with it. Raises `Fault` or `OSError`.
    """
    for name in names:
        _check_one_of(folder, name, len(names))
    with tempfile.TemporaryDirectory(prefix=PREFIX, suffix=SUFFIX, dir=folder) as beside:
        yield Path(beside)
        moment = Path(beside).stat().st_mtime
        _exchange(Path(beside), folder, names)
    _sync_folder(folder)
    sweep(folder, moment)


def _check_one_of(folder: Path, name: str, several: int) -> None:
    try:
        check_place(folder / name)
    except Fault as error:
        raise Fault(f"{name}: {error}" if several > 1 else str(error)) from None


def _exchange(beside: Path, folder: Path, names: Sequence[str]) -> None:
    aside = beside / REPLACED
    aside.mkdir()
    done: list[str] = []
    try:
        for name in names:
            done.append(name)
            if (folder / name).exists():
                (folder / name).rename(aside / name)
            (beside / name).rename(folder / name)
    except BaseException:
        for name in reversed(done):
            if (aside / name).exists():
                (aside / name).replace(folder / name)
            elif not (beside / name).exists():
                (folder / name).unlink(missing_ok=True)
        raise


def check_place(path: Path) -> None:
    """Raise `Fault` where no file can be put at `path`: no folder, or something there that is not a plain file."""
    if not path.parent.is_dir():
        raise Fault(f"There is no folder {path.parent}")
    if path.is_dir():
        raise Fault("It is a folder")
    if path.exists() and not path.is_file():
        raise Fault("It is no plain file, and is not replaced")
    if path.exists() and _is_database(path):
        raise Fault("It is a database, perhaps a store, and is not replaced")


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _sync_folder(folder: Path) -> None:
    """So that the new name survives a power cut too."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
