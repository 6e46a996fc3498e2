"""Exchange with a hub until nothing waits, or until there is no more patience: for who has no window to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.work.synced import Synced

_LEAST, _MOST = 1.0, 30.0  # seconds between two rounds, where the hub asks for nothing


def sync_patiently(
    once: Callable[[], Synced],
    *,
    patience: float,
    clock: Callable[[], float],
    wait: Callable[[float], object],
) -> Synced:
    """Go `once`, and again when it makes sense, as long as that lies within `patience` seconds. All that was done."""
    until = clock() + patience
    done = once()
    rounds = 1
    while done.again is not None:
        pause = max(done.again, min(_MOST, _LEAST * 2.0 ** (rounds - 1)))
        if clock() + pause > until:
            break
        wait(pause)
        done = _joined(done, once())
        rounds += 1
    return done


def _joined(before: Synced, after: Synced) -> Synced:
    """What both rounds did, and how it is after the second. What was missing and went again is told.

    So is what was refused for good: the second round did not ask for it any more.
    """
    return replace(
        after,
        fetched=before.fetched + after.fetched,
        uploaded=before.uploaded + after.uploaded,
        there=before.there + after.there,
        refused=tuple(one for one in before.refused if one.lasting) + after.refused,
        missing=tuple(dict.fromkeys(before.missing + after.missing)),
    )
