"""Context and outcome of a hub exchange."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from desktop_rater.format.change import Change, Progress
from desktop_rater.hub.errors import HubErrorKind
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.store import Store

if TYPE_CHECKING:
    from desktop_rater.format.signing import SigningKey
    from desktop_rater.hub.interface import Hub

T = TypeVar("T")


SyncActivity = Literal["asking", "fetching", "making", "sending", "comparing"]


class StoreRunner(Protocol):
    """Run a function on the store's queue, returning or raising what it does."""

    def __call__(self, work: Callable[[Store], T], /) -> T: ...


class SyncStep(NamedTuple):
    """Current step of an exchange with its progress; `title`: that of the item."""

    activity: SyncActivity
    done: int = 0
    total: int = 0
    title: str = ""


class SyncEnvironment(NamedTuple):
    """Clock and randomness: `chance` gives numbers in [0, 1). `key`: the rater's signing key, if results are signed.

    Its public half is published once.
    """

    now: Callable[[], datetime]
    chance: Callable[[], float]
    key: "SigningKey | None" = None


class SyncContext(NamedTuple):
    """The two sides of an exchange: this store, for writing and for reading, and the connected hub.

    `rater`: the rater, or the lead in a lead's store. `on_step`: called at each step.
    """

    on_store: StoreRunner
    reader: Store
    hub: "Hub"
    row: HubRow
    rater: str
    environment: SyncEnvironment
    progress: Progress
    on_step: Callable[[SyncStep], object] = lambda _step: None

    @property
    def project(self) -> str:
        """Return the project the hub must belong to."""
        return self.row.project

    def record(self, change: Callable[..., object], *arguments: object) -> None:
        """Run a change of the store on its queue, at the current time."""
        self.on_store(lambda store: change(store, *arguments, now=self.environment.now()))

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the exchange is cancelled."""
        self.progress(0, 0)


class SyncOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of one exchange.

    `bundles`: send these although they did not come from this hub. `at_once`: retry waiting items now. `scheduled`:
    started automatically, so checks already made today are skipped.
    """

    partial: bool = False
    bundles: frozenset[str] = frozenset()
    at_once: bool = False
    scheduled: bool = False


class SyncStop(msgspec.Struct, frozen=True, kw_only=True):
    """Reason why an exchange ended early: the fields of a `HubError`."""

    kind: HubErrorKind
    title: str
    message: str = ""
    hint: str = ""


class SentItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item on the hub, read back and verified."""

    kind: str
    bundle: str
    name: str
    sha256: str
    revision: int


class WaitingItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item not on the hub yet; `why` is empty if it was not tried yet."""

    key: int
    kind: str
    bundle: str
    name: str
    state: str
    attempts: int
    next_try: str
    why: str


class UnsentBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle whose results are not sent, with the reason. `open`: number of its unfinished tasks.

    `strange`: it did not come from this hub.
    """

    bundle: str
    why: str
    open: int = 0
    strange: bool = False


class RefusedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An unusable item on the hub or in the outbox. `lasting`: it will not be requested again."""

    name: str
    why: str
    lasting: bool = False


class LeadKey(msgspec.Struct, frozen=True):
    """The key of a hub's lead. `pinned`: the trusted one; `named`: the one in the hub's marker; either may be empty.

    `is_new`: it was pinned just now.
    """

    pinned: str = ""
    named: str = ""
    is_new: bool = False

    @property
    def has_changed(self) -> bool:
        """Return whether the marker no longer names the trusted key."""
        return bool(self.pinned) and self.named != self.pinned


class SyncResult(Change, frozen=True, kw_only=True):
    """Outcome of one exchange.

    `fetched`: number of bundles that wait to be imported. `there`: sent items that were on the hub already. `missing`:
    verified items that vanished from the hub and are sent again. `forks`: bundles with results of this rater that this
    store did not make. `whole`: completed with nothing waiting. `again`: seconds until a retry makes sense, if an item
    waits that may succeed by itself. `lead`: the lead's key that arrivals were verified with.
    """

    project: str
    fetched: int = 0
    uploaded: tuple[SentItem, ...] = ()
    there: tuple[SentItem, ...] = ()
    waiting: tuple[WaitingItem, ...] = ()
    refused: tuple[RefusedItem, ...] = ()
    not_sent: tuple[UnsentBundle, ...] = ()
    missing: tuple[str, ...] = ()
    forks: tuple[str, ...] = ()
    skew: float | None = None
    lead: LeadKey = LeadKey()
    stopped: SyncStop | None = None
    whole: bool = False
    again: float | None = None
