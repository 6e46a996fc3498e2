"""The exception of this package."""

from typing import Literal

HttpErrorKind = Literal[
    "unreachable",  # no connection, or it was interrupted
    "certificate",  # the server could not prove its identity
    "timeout",
    "protocol",  # the response is not HTTP
    "too_large",
]


class HttpError(Exception):
    """A failed exchange. `kind` tells in which way; the text is a short reason for the user."""

    def __init__(self, kind: HttpErrorKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: HttpErrorKind = kind


def os_error_reason(error: OSError) -> str:
    """Return the system's error text without numbers and module names: "connection refused"."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
