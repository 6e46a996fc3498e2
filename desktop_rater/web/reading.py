"""What goes to the child that reads pages, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.page import PageLink, PageState

if TYPE_CHECKING:
    from typing import IO

_SIZE = 4
LARGEST_FRAME = 64 * 1024 * 1024
READY = b"ready"  # the first frame of a child: it has loaded all that it needs


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A body, what it is, and where it came from; `seconds` after which nobody waits any more."""

    kind: str
    final_url: str
    content_type: str
    body: bytes
    elements: int
    depth: int
    seconds: float


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a `Page` that its body tells. `spent` where the child that read it should read no more."""

    state: PageState
    why: str = ""
    title: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    lang: str = ""
    html: str = ""
    whole_html: str = ""
    text: str = ""
    whole_text: str = ""
    links: tuple[PageLink, ...] = ()
    images: int = 0
    spent: bool = False


def send(stream: IO[bytes], message: Ask | Reading) -> None:
    """One frame of MessagePack."""
    put(stream, msgspec.msgpack.encode(message))


def put(stream: IO[bytes], frame: bytes) -> None:
    """One frame: four bytes of length, then what it holds."""
    stream.write(len(frame).to_bytes(_SIZE, "big") + frame)
    stream.flush()


def received(stream: IO[bytes]) -> bytes:
    """The next frame; no bytes at the end of the stream. Raises ValueError for one that can't be meant."""
    head = stream.read(_SIZE)
    if len(head) < _SIZE:
        return b""
    size = int.from_bytes(head, "big")
    if size > LARGEST_FRAME:
        raise ValueError(f"a frame of {size} bytes")
    frame = stream.read(size)
    return frame if len(frame) == size else b""
