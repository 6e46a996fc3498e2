"""What there is to say of one file of a hub that is not as it should be, whatever kind of hub it is."""

from __future__ import annotations

from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import hash_in


def not_whole(name: str) -> HubTrouble:
    """What to say of bytes that are not those of their name: the file may be on its way still, or was cut off."""
    return HubTrouble(
        "torn",
        "A file of the hub is not whole.",
        f"{name} does not hold what its name promises. It may be on its way still, or was cut off.",
        "The other files go on. It is asked for again the next time.",
    )


def too_large(name: str, place: str) -> HubTrouble:
    """What to say of a file that is larger than it can be.

    Where its name holds its hash, that is about this file alone: it can't be what its name says. What should be the
    marker, and is not, is no hub.
    """
    kind = "not_a_hub" if hash_in(name) is None else "torn"
    return HubTrouble(kind, "A file of the hub is larger than it can be.", f"It is {name}, on {place}.")


def another_there(name: str, place: str) -> HubTrouble:
    """What to say of other bytes under a name that is to be given: where it holds a hash, they are broken."""
    if hash_in(name) is not None:
        message = f"On {place}, {name} does not hold what its name promises: an upload was cut off, or it was altered."
        hint = "Ask whoever runs the hub to look at that file. The others go on."
        return HubTrouble("other", "A broken file stands on the hub under that name.", message, hint)
    message = f"On {place}, {name} holds other bytes. Both are kept: theirs there, yours here."
    return HubTrouble("other", "Another file stands on the hub under that name.", message)
