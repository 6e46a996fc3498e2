"""Errors that a user can do something about: shown as a message, never as a traceback."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from desktop_rater.files import DestinationError
from desktop_rater.format.strict_json import StrictJsonError

HINT_ASK_AGAIN = "Nothing was imported. Ask for the bundle again."


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


class BundleError(RaterError):
    """Error in reading or writing a zip, or a file that becomes one."""


class BundleFault(Exception):
    """Error without the file name, never leaves this package. `hint` replaces the default hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@contextmanager
def bundle_errors(path: str | Path, action: str, hint: str) -> Generator[None]:
    """Convert errors with `path` to a `BundleError` saying "x can't be `done`". `Cancelled` and bugs pass through."""
    try:
        yield
    except BrokenPipeError:  # the reader of the output has what it wants
        raise
    except (BundleFault, StrictJsonError, DestinationError, MemoryError, OSError) as error:
        title = f"{Path(path).name or path} can't be {action}"
        raise BundleError(title, *_explained(error, hint)) from error


def _explained(error: Exception, hint: str) -> tuple[str, str]:
    """Return message and hint for an error."""
    match error:
        case BundleFault():
            return f"{error}.", error.hint or hint
        case MemoryError():
            return "There is not enough memory.", "Close other programs, then try again."
        case OSError():
            reason = error.strerror or type(error).__name__  # without the file name, perhaps of a temporary file
            return f"{reason}.", "Check the folder and the file name, then try again."
    return f"{error}.", hint
