"""A log of what the window did: starts, imports by count, errors by place. Never texts, names of raters or URLs."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from desktop_rater.format.values import format_time

MOST_BYTES = 256 * 1024  # of the log; the one before it is kept beside it
_MOST_UNMOVED = 4 * MOST_BYTES  # of a log that can't be renamed, since another program has it open


class EventLog:
    """A log file of limited size. Where it can't be written, nothing is logged."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self.path = path
        self._now = now

    def write(self, event: str) -> None:
        """Add an event; further lines of its text are indented."""
        text = "\n  ".join(event.splitlines())
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            size = self.path.stat().st_size if self.path.exists() else 0
            if size > MOST_BYTES:
                with suppress(OSError):
                    self.path.replace(earlier_log(self.path))
                    size = 0
            if size > _MOST_UNMOVED:
                return
            opener = partial(os.open, mode=0o600)
            with open(self.path, "a", encoding="utf-8", errors="backslashreplace", opener=opener) as file:
                file.write(f"{format_time(self._now())} {text}\n")


def read_log(path: Path) -> str:
    """Return the log, with the one before it; nothing without a log."""
    texts = []
    for file in (earlier_log(path), path):
        with suppress(OSError):
            texts.append(file.read_text("utf-8", "replace"))
    return "".join(texts)


def earlier_log(path: Path) -> Path:
    """Return the file that a log becomes when it is full."""
    return path.with_name(f"{path.name}.1")
