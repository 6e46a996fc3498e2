"""A log of what the window did: starts, imports by count, errors by place. Never texts, names of raters or URLs."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from desktop_rater.files import retry_while_open
from desktop_rater.model.values import format_time

MOST_BYTES = 256 * 1024  # of the log; the one before it is kept beside it


class EventLog:
    """A log file of limited size. Where it can't be written, nothing is logged."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self.path = path
        self._now = now

    def write(self, event: str) -> None:
        """Add an event; further lines of its text are indented."""
        text = event.replace("\n", "\n  ")
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > MOST_BYTES:
                retry_while_open(self.path.replace, self.path.with_name(f"{self.path.name}.1"))
            opener = partial(os.open, mode=0o600)
            with open(self.path, "a", encoding="utf-8", errors="backslashreplace", opener=opener) as file:
                file.write(f"{format_time(self._now())} {text}\n")

    def latest(self, lines: int) -> str:
        """Return the last lines; nothing without a log."""
        with suppress(OSError):
            return "\n".join(self.path.read_text("utf-8", "replace").splitlines()[-lines:])
        return ""
