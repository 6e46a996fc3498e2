"""Errors that a user can do something about: shown as a message, never as a traceback.

Among them are those about the path of an output file, checked before anything is written to it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from os.path import realpath  # unlike `Path.resolve`, it accepts links in a circle
from pathlib import Path

from desktop_rater.files import DestinationError, check_destination, is_stream
from desktop_rater.format.strict_json import StrictJsonError

NOTHING_WRITTEN = "Nothing was written."
HINT_UNCHANGED = "Nothing was written. An existing file is unchanged."
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


def refuse_unwritable(out: Path) -> None:
    """Raise `BundleError` if no file can be written at that path."""
    with bundle_errors(out, "written", HINT_UNCHANGED):
        check_destination(out)


def refuse_same_file(out: Path, *others: Path) -> None:
    """Raise `BundleError` if an output file is also one of the others. Streams are no files."""
    with bundle_errors(out, "made", NOTHING_WRITTEN):
        if is_stream(out):
            return
        for other in others:
            if realpath(out) == realpath(other) or (out.exists() and other.exists() and out.samefile(other)):
                raise BundleError(f"{out.name} can't be written", "It is also an input and would be overwritten.")


def refuse_inside_store(store: Path, out: Path) -> None:
    """Raise `BundleError` for a path inside the folder of a store. Streams are no files."""
    if not is_stream(out) and Path(realpath(store)) in Path(realpath(out)).parents:
        raise BundleError(f"{out.name} can't be written", "That path is inside the store.", "Choose another folder.")
