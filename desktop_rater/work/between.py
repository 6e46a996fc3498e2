"""What an exchange with a hub is given: its two sides, the world, what a user wants of it, and who looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.bundle.signing import SigningKey
    from desktop_rater.hub.interface import Hub
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.store import Store

T = TypeVar("T")

Doing = Literal["asking", "fetching", "making", "sending", "comparing"]


class OnStore(Protocol):
    """Runs something on the lane that writes, and gives back what it returns or raises what it raises."""

    def __call__(self, work: Callable[[Store], T], /) -> T: ...


class Step(NamedTuple):
    """What is being done now, and the how-manieth of how many; `words` names it."""

    doing: Doing
    done: int = 0
    total: int = 0
    words: str = ""


class SyncMeans(NamedTuple):
    """The clock and chance: `chance` gives numbers in [0, 1). `key` is the rater's own, if results are signed.

    Its public half is published once.
    """

    now: Callable[[], datetime]
    chance: Callable[[], float]
    key: SigningKey | None = None


class Between(NamedTuple):
    """The two sides of an exchange: this store, by what writes and what only reads, and the hub that is connected.

    `rater` is who rates here; of a lead's store, the lead. `told` hears each step.
    """

    on_store: OnStore
    reader: Store
    hub: Hub
    row: HubRow
    rater: str
    means: SyncMeans
    progress: Progress
    told: Callable[[Step], object] = lambda _step: None

    @property
    def project(self) -> str:
        """Whose hub it has to be."""
        return self.row.project


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a user wants of one exchange.

    `bundles`: these go although they did not come from this hub. `at_once`: what waits for its next try is tried now.
    `scheduled`: nobody asked for it, so what was looked for on the hub today need not be looked for again.
    """

    partial: bool = False
    bundles: frozenset[str] = frozenset()
    at_once: bool = False
    scheduled: bool = False
