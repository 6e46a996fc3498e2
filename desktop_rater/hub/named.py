"""Names on a hub, looked at before they are used: some of them were written by others."""

from __future__ import annotations

import re

from desktop_rater.hub.trouble import HubTrouble

MOST_FILES = 2_000_000
"""Of one list: a server that names more has no end, or is none that a laptop can keep up with."""

_PART = re.compile(r"[A-Za-z0-9~][A-Za-z0-9._~-]{0,199}")  # all that `model.hub_names` makes; no "..", nothing hidden


def parts_of(name: str) -> tuple[str, ...]:
    """The folders and the file of a name. Raises `HubTrouble` where it could lead out of the hub."""
    parts = tuple(name.split("/"))
    if not all(is_part(part) for part in parts):
        raise HubTrouble("not_a_hub", "A file of the hub has a name that is not used", f"It is {name[:200]!r}.")
    return parts


def is_part(text: str) -> bool:
    """Whether a folder or a file of ours can be called so."""
    return _PART.fullmatch(text) is not None and not text.endswith(".")


def too_many(place: str) -> HubTrouble:
    """What to say of a list of files that does not end."""
    message = f"{place} names more folders and files than a hub can have. It may list one of them inside itself."
    return HubTrouble("not_a_hub", "The hub's list of files does not end.", message, "Ask whoever runs the hub.")
