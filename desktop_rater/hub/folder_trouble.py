"""What a file system says, as trouble with a hub in a folder."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from desktop_rater.hub.trouble import HubKind


class _Said(NamedTuple):
    kind: HubKind
    title: str
    hint: str


_FULL = _Said("full", "The hub's folder is full", "Make room there, then sync again.")
_RIGHTS = _Said("rights", "The hub's folder does not let you do that", "Ask whoever looks after it for the right.")
_BUSY = _Said("busy", "A file of the hub is in use", "It is tried again by itself.")
_AWAY = _Said("away", "The hub's folder does not answer", "It is tried again by itself.")
_PLACE = _Said(
    "place", "The hub's folder is not there", "Put the stick in, connect the share, or check the hub's address."
)
_TOO_LARGE = _Said("too_large", "The file is too large for the hub's folder", "Hand it over in another way.")
_STRANGE = _Said("not_a_hub", "The hub's folder holds something that is not ours", "Look at what lies there.")
_NAME = _Said("place", "The hub's folder takes no such name", "Choose a folder with a shorter path.")

_BY_NUMBER: dict[int, _Said] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
    errno.EBUSY: _BUSY,
    errno.EAGAIN: _BUSY,
    errno.ETXTBSY: _BUSY,
    errno.ENOTDIR: _STRANGE,
    errno.EISDIR: _STRANGE,
    errno.ELOOP: _STRANGE,
    errno.ENAMETOOLONG: _NAME,
    errno.EINVAL: _NAME,
    errno.EILSEQ: _NAME,
}
_HELD_BY_ANOTHER = (32, 33)  # Windows: somebody has the file open, or a part of it locked


@contextmanager
def translating(root: Path) -> Generator[None]:
    """Turn what the file system raises into a `HubTrouble`. `root`: where the hub lies."""
    try:
        yield
    except OSError as error:
        raise trouble_of(error, root) from error


def trouble_of(error: OSError, place: Path) -> HubTrouble:
    """What to say of it. `place`: the hub's folder, or one below it."""
    said = _said(error, place)
    reason = error.strerror or type(error).__name__
    return HubTrouble(said.kind, said.title, f"{place}: {reason}.", said.hint)


def not_there(root: Path) -> HubTrouble:
    """Trouble of a hub whose folder itself is missing: it is never made in passing, since a stick may be out."""
    return HubTrouble(_PLACE.kind, _PLACE.title, f"There is no folder {root}.", _PLACE.hint)


def _said(error: OSError, root: Path) -> _Said:
    if getattr(error, "winerror", None) in _HELD_BY_ANOTHER:
        return _BUSY
    if error.errno == errno.ENOENT and not _is_there(root):
        return _PLACE
    # A failing disk, a share that is not connected: it may come back.
    return _BY_NUMBER.get(error.errno or 0, _AWAY)


def _is_there(root: Path) -> bool:
    try:
        return root.is_dir()
    except OSError:
        return True  # nobody knows
