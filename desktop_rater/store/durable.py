"""Files that are there whole or not at all, also after a power cut."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from desktop_rater.model.unfinished import PREFIX, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Generator

PARTLY_SALVAGED = "salvage.part"  # in a damaged store: the new one, as far as it is


@contextmanager
def unfinished(folder: Path) -> Generator[tuple[IO[bytes], Path]]:
    """A new file in `folder` to write to, and its path; removed at the end, unless `put_in_place` has renamed it."""
    number, name = tempfile.mkstemp(dir=folder, prefix=PREFIX, suffix=SUFFIX)
    path = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield file, path
    finally:
        path.unlink(missing_ok=True)


def put_in_place(file: IO[bytes], path: Path, target: Path) -> None:
    """Give a complete file its name, replacing what has it. `file` is closed."""
    file.flush()
    os.fsync(file.fileno())
    file.close()  # Windows does not rename an open file
    path.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def leftovers(folder: Path) -> list[Path]:
    """Files that a killed process left unfinished, by name; those of older versions of this program too."""
    return sorted(folder.glob(f".*{SUFFIX}"))
