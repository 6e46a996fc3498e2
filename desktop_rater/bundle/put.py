"""A file put in place only when it is whole."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


_SQLITE = b"SQLite format 3\0"


@contextmanager
def put_in_place(path: Path) -> Generator[Path]:
    """Gives a path beside `path` to write to; what is there when the block ends well takes the place of `path`.

    Otherwise what was there stays, and nothing is left beside it. Raises `Fault` or `OSError`.
    """
    check_place(path)
    beside = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(path.parent)


@contextmanager
def put_all_in_place(folder: Path, names: Sequence[str]) -> Generator[Path]:
    """Gives an empty folder inside `folder`; what has one of the names there takes its place when the block ends well.

    All of them or none. Whatever else the folder holds is removed with it. Raises `Fault` or `OSError`.
    """
    for name in names:
        check_place(folder / name)
    with tempfile.TemporaryDirectory(prefix=".", suffix=".part", dir=folder) as beside:
        yield Path(beside)
        _exchange(Path(beside), folder, names)
    _sync_folder(folder)


def _exchange(beside: Path, folder: Path, names: Sequence[str]) -> None:
    aside = beside / ".replaced"
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
