"""What a user does to the hub that is connected, but for syncing with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.change import Change
from desktop_rater.store import hubs, inbox, outbox

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.store.store import Store

HUB = Change(hub=True)


def disconnect(store: Store, project: str) -> Change:
    """Sync with no hub any more. What waits stays, should this one be connected again."""
    hubs.disconnect(store, project)
    return HUB


def send_again(store: Store, project: str, *, now: datetime) -> Change:
    """Let everything that stopped or waits for its next try go with the next sync, and ask for what was refused."""
    outbox.try_again(store, project, now=now)
    inbox.ask_anew(store, project)
    return HUB
