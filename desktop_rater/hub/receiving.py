"""A file of a server on its way to this computer."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

from desktop_rater.hub import replies
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class TooMuch(Exception):
    """More came than was asked for."""


class Answer(Protocol):
    """An answer that holds a file. The names of `headers` are in lower case."""

    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def chunks(self) -> Iterable[bytes]: ...


def received(answer: Answer, host: str, write: Callable[[bytes], object], most: int) -> tuple[str, int]:
    """Hand the bytes of a file to `write`; their SHA-256, and how many there were.

    Raises `TooMuch` where they are more than `most`, and `HubTrouble` where a page for people came in their place.
    """
    digest, came = hashlib.sha256(), 0
    length = answer.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() else 0
    for piece in answer.chunks:
        if not came and replies.is_page(answer.headers, piece):
            raise replies.login_page(host)
        came += len(piece)
        if max(came, announced) > most:
            raise TooMuch
        digest.update(piece)
        write(piece)
    return digest.hexdigest(), came


def hash_there(fetch: Callable[[], tuple[str, int]]) -> str | None:
    """The SHA-256 of a file that is fetched so; "" where it is larger than it should be, `None` where there is none."""
    try:
        return fetch()[0]
    except TooMuch:
        return ""
    except HubTrouble as trouble:
        if trouble.kind != "gone":
            raise
    return None
