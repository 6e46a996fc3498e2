"""The one exception that leaves this room."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.model.strict_json import NotSound
from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from collections.abc import Generator

ASK_AGAIN = "Nothing was imported. Ask for the bundle again."


class BundleError(RaterError):
    """A zip, or a file that becomes one, can't be read or written, whatever the cause."""


class Fault(Exception):
    """What is wrong, said where nobody knows yet of which file. It never leaves this room.

    `hint` is a way out that is better than the usual one.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@contextmanager
def named(path: str | Path, done: str, hint: str) -> Generator[None]:
    """Turn what can go wrong with `path` into a `BundleError` that says "x can't be `done`".

    `Cancelled` and bugs pass through.
    """
    title = f"{Path(path).name or path} can't be {done}"
    try:
        yield
    except Fault as error:
        raise BundleError(title, f"{error}.", error.hint or hint) from error
    except NotSound as error:
        raise BundleError(title, f"{error}.", hint) from error
    except MemoryError as error:
        raise BundleError(title, "This computer has too little memory for it.", "Close other programs.") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__  # without the name: it may be that of a temporary file
        raise BundleError(title, f"{reason}.", "Check the place and its name, then try again.") from error
