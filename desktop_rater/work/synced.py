"""What an exchange with a hub came to, as the window shows it and the command prints it."""

from __future__ import annotations

import msgspec

from desktop_rater.hub.trouble import HubKind
from desktop_rater.model.change import Change


class Stopped(msgspec.Struct, frozen=True, kw_only=True):
    """Why an exchange ended before its end: a `HubTrouble`, kept."""

    kind: HubKind
    title: str
    message: str = ""
    hint: str = ""


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """One item that lies on the hub, read back and compared."""

    kind: str
    bundle: str
    name: str
    sha256: str
    revision: int


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """One item that is not on the hub yet, and why; `why` is empty where it was not tried yet."""

    key: int
    kind: str
    bundle: str
    name: str
    state: str
    attempts: int
    next_try: str
    why: str


class NotSent(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle whose results do not go, and why. `open`: so many of its tasks are neither complete nor skipped.

    `strange`: it did not come from this hub.
    """

    bundle: str
    why: str
    open: int = 0
    strange: bool = False


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Something on the hub, or of the outbox, that can't be used, and why. `lasting`: it is not asked for again."""

    name: str
    why: str
    lasting: bool = False


class Synced(Change, frozen=True, kw_only=True):
    """What one exchange came to.

    `fetched`: how many bundles came whole and wait to be imported. `there`: of what was sent, what stood there already.
    `missing`: what had been verified, was gone from the hub and goes again. `forks`: bundles of which the hub holds
    results of this rater that this store did not make. `whole`: it went to its end, and nothing waits. `again`: seconds
    until another try makes sense, where something waits that mends itself.
    """

    project: str
    fetched: int = 0
    uploaded: tuple[Sent, ...] = ()
    there: tuple[Sent, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    refused: tuple[Refused, ...] = ()
    not_sent: tuple[NotSent, ...] = ()
    missing: tuple[str, ...] = ()
    forks: tuple[str, ...] = ()
    skew: float | None = None
    stopped: Stopped | None = None
    whole: bool = False
    again: float | None = None
