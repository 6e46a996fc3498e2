"""The frame of the window: on the screen before the commands are loaded, if nothing but the window is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.cli.handover import hand_over
from desktop_rater.model.file_names import can_open
from desktop_rater.paths import default_store

if TYPE_CHECKING:
    from desktop_rater.ui.window.startup import FirstPaint

COMPLETE_VARIABLE = "_DESKTOP_RATER_COMPLETE"  # set by the script, for the words that are completed


def window_words(arguments: Sequence[str]) -> tuple[Path, list[Path]] | None:
    """Return the store and the files of a start that asks for the window alone: `[--store FOLDER] [FILE...]`.

    Words that could be commands are read as such, later.
    """
    has_store = len(arguments) >= 2 and arguments[0] == "--store" and not arguments[1].startswith("-")
    files = [Path(word) for word in (arguments[2:] if has_store else arguments)]
    if COMPLETE_VARIABLE in os.environ or has_no_screen() or not all(path.suffix and path.is_file() for path in files):
        return None
    return Path(arguments[1]) if has_store else default_store(), files


def hand_over_early(arguments: Sequence[str]) -> bool:
    """Return whether the window is open already, and does what this start was asked for."""
    words = window_words(arguments)
    return words is not None and can_open(words[1]) and hand_over(*words)


def paint_early(arguments: Sequence[str]) -> FirstPaint | None:
    """Paint the frame unless there are other arguments than a store and files; they are then read as commands."""
    words = window_words(arguments)
    return paint_frame(words[0]) if words is not None and can_open(words[1]) else None


def paint_frame(folder: Path) -> FirstPaint:
    """Show the frame of the window on a store."""
    # Everything loaded now stays until the end. Scanning it for garbage now and at each later collection would take
    # noticeable time. From the first paint on, the application collects in its own thread.
    gc.disable()
    from desktop_rater.model.values import utc_now  # noqa: PLC0415 - see above
    from desktop_rater.ui.window.startup import paint_first  # noqa: PLC0415 - see above

    return paint_first(folder, now=utc_now)


def has_no_screen() -> bool:
    """Return whether no window can be shown here."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not display and "QT_QPA_PLATFORM" not in os.environ
