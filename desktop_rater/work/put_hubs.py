"""What is left of the exchange with hubs in a damaged store. What came from a hub is not: the hub shows it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import hubs, outbox

if TYPE_CHECKING:
    from desktop_rater.store.salvage import Findings
    from desktop_rater.store.store import Store


def put_hubs(store: Store, found: Findings) -> list[str]:
    """Put back the hubs and what goes to them; a sentence for what is lost.

    What was under way is tried from the beginning: whether the hub holds it shows then. What has gone stays gone,
    since the next sync compares it with what the hub holds.
    """
    lost = []
    with store.writing("What was saved of the hubs is not stored.") as db:
        for hub in found.hubs():
            hubs.insert(db, hub)
    known = {hub.project for hub in hubs.listed(store)}
    for item in found.outbox():
        if item.project in known:
            outbox.put_back(store, item)
        elif item.state != "verified":
            lost.append(f"The hub of {item.project} can't be read. Connect it again: {item.name} has not gone there.")
    return lost
