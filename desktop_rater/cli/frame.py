"""The frame of the window: on the screen before the commands are loaded, if nothing but the window is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.ui.window.startup import FirstPaint

COMPLETE_VARIABLE = "_DESKTOP_RATER_COMPLETE"  # set by the script, for the words that are completed


def paint_early(arguments: Sequence[str]) -> FirstPaint | None:
    """Paint the frame unless there are other arguments than a store; they are then read as commands."""
    is_window = not arguments or (
        len(arguments) == 2 and arguments[0] == "--store" and not arguments[1].startswith("-")
    )
    if not is_window or COMPLETE_VARIABLE in os.environ or has_no_screen():
        return None
    from desktop_rater.paths import default_store  # noqa: PLC0415 - commands must not wait for it

    return paint_frame(Path(arguments[1]) if arguments else default_store())


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
