"""Errors that a user can do something about: shown as a message, never as a traceback."""


class RaterError(Exception):
    """An error for the user: title, cause and hint. Any other exception that leaves a package is a bug in it."""

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        title = self.title if self.title.endswith((".", "?")) else f"{self.title}."
        return " ".join(part for part in (title, self.message, self.hint) if part)


class FormatError(RaterError):
    """A text that does not follow its format; `title` names the file, the line, the id and the field."""
