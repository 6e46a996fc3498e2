"""All that the window shows of its hub at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.store.outbox import Outgoing
    from desktop_rater.work.between import Step


@dataclass(frozen=True, kw_only=True)
class Shown:
    """`running`: what a sync that is under way does. `offline`: the last sync got no answer.

    `outgoing` is all that goes or went, the newest first.
    """

    hub: HubRow | None = None
    outgoing: tuple[Outgoing, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    running: Step | None = None
    offline: bool = False

    @property
    def waiting(self) -> tuple[Outgoing, ...]:
        """What goes by itself and has not been read back from the hub yet; a rater's key is no work of theirs."""
        return tuple(one for one in self.outgoing if one.state not in {"verified", "failed"} and one.kind != "key")

    @property
    def stopped(self) -> tuple[Outgoing, ...]:
        """What is not tried again by itself."""
        return tuple(one for one in self.outgoing if one.state == "failed")

    @property
    def refused(self) -> tuple[Arrival, ...]:
        """What came and can't be used, and is not asked for again by itself."""
        return tuple(one for one in self.arrivals if one.state == "refused" and one.kind != "results")

    @property
    def to_import(self) -> tuple[Arrival, ...]:
        """What came and waits for the rater's word."""
        return tuple(one for one in self.arrivals if one.state == "fetched" and one.kind != "results")
