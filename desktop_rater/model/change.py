"""What a piece of work touched in the store, so that each view can decide whether it is concerned."""

from __future__ import annotations

import msgspec


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """`bundles`: ids whose tasks came, went or changed. `tasks`: (bundle id, task id) whose rating changed.

    `audits`: ids of bundles whose results or reviews changed. `hub`: what goes to a hub or came from one changed.
    """

    bundles: frozenset[str] = frozenset()
    tasks: frozenset[tuple[str, str]] = frozenset()
    audits: frozenset[str] = frozenset()
    hub: bool = False

    def __bool__(self) -> bool:
        return bool(self.bundles or self.tasks or self.audits or self.hub)


NOTHING = Change()
