"""The one exception that leaves this room."""

from __future__ import annotations

from typing import Literal

HttpKind = Literal[
    "unreachable",  # no connection, or it broke off
    "certificate",  # the server could not show that it is who it says
    "timeout",
    "protocol",  # what came is not HTTP
    "too_large",
]


class HttpTrouble(Exception):
    """An exchange did not come to its end. `kind` says in which way; the text is a short reason, for a person."""

    def __init__(self, kind: HttpKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: HttpKind = kind


def reason_of(error: OSError) -> str:
    """What the system says, without numbers and names of modules: "connection refused"."""
    words = error.strerror or str(error) or type(error).__name__
    return words[:1].lower() + words[1:]
