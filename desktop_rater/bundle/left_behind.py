"""Files that a killed process of this program left unfinished in a user's folder."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from desktop_rater.model.unfinished import is_ours

if TYPE_CHECKING:
    from pathlib import Path

DAY = 86_400  # seconds
REPLACED = ".replaced"  # in an unfinished folder: what it is about to replace


def sweep(folder: Path, moment: float) -> None:
    """Remove those that were last written a day before `moment`, as the file system counts. It never raises `OSError`.

    A folder that still holds files of the user, which it was about to replace, stays.
    """
    with suppress(OSError):  # what can't be removed is in nobody's way
        for path in folder.iterdir():
            if is_ours(path.name) and not path.is_symlink() and path.stat().st_mtime < moment - DAY:
                _remove(path)


def _remove(path: Path) -> None:
    if path.is_file():
        with suppress(OSError):  # Windows: somebody has it open, so it is not left behind
            path.unlink()
    elif path.is_dir() and not _holds_files_of_the_user(path):
        shutil.rmtree(path, ignore_errors=True)


def _holds_files_of_the_user(path: Path) -> bool:
    replaced = path / REPLACED
    return replaced.is_dir() and any(replaced.iterdir())
