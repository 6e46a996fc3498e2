"""Try once more what did not go through, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.change import Change
from desktop_rater.store import inbox, outbox

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.store.store import Store


def send_again(store: Store, project: str, *, now: datetime) -> Change:
    """Let everything that stopped or waits for its next try go with the next sync, and ask for what was refused."""
    outbox.try_again(store, project, now=now)
    inbox.ask_anew(store, project)
    return Change(hub=True)
