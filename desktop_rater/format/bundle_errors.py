"""Exceptions of the bundle package."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from desktop_rater.files import DestinationError
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import StrictJsonError

HINT_ASK_AGAIN = "Nothing was imported. Ask for the bundle again."


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
    title = f"{Path(path).name or path} can't be {action}"
    try:
        yield
    except BundleFault as error:
        raise BundleError(title, f"{error}.", error.hint or hint) from error
    except (StrictJsonError, DestinationError) as error:
        raise BundleError(title, f"{error}.", hint) from error
    except MemoryError as error:
        raise BundleError(title, "There is not enough memory.", "Close other programs, then try again.") from error
    except BrokenPipeError:  # the reader of the output has what it wants
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__  # without the file name, which may be that of a temporary file
        raise BundleError(title, f"{reason}.", "Check the folder and the file name, then try again.") from error
