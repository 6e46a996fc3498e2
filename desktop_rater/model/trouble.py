"""Trouble that a user can do something about: it is shown as it stands, never as a traceback."""

from __future__ import annotations


class RaterError(Exception):
    """What is so, why, and the way out.

    Anything that leaves a room as another exception is a bug of that room.
    """

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        title = self.title if self.title.endswith((".", "?")) else f"{self.title}."
        return " ".join(part for part in (title, self.message, self.hint) if part)


class FormatTrouble(RaterError):
    """A text is not what its format says; `title` names the file, the line, the id and the field."""
