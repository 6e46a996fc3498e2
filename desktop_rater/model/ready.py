"""Shapes that data is read into, from any thread.

msgspec works a struct's types out when it first reads one, and keeps them. Two threads that do so at once end the
process: the one uses what the other has not finished.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TypeVar

import msgspec

T = TypeVar("T")

_FIRST = Lock()


def ready(shape: type[T]) -> type[T]:
    """The same shape, worked out. Every reading into a struct has to name it through here."""
    with _FIRST:
        _work_out(shape)
    return shape


@cache
def _work_out(shape: type) -> None:
    msgspec.json.Decoder(shape)
