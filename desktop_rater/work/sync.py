"""One exchange with a hub: what is there for the rater comes, and what the rater has completed goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.hub.backoff import seconds_until, wait_for
from desktop_rater.hub.trouble import ITEM, LATER, HubTrouble
from desktop_rater.model.hub_names import KEYS, RESULTS, RETURNED, segment
from desktop_rater.model.limits import format_time
from desktop_rater.store import exports, hubs, outbox
from desktop_rater.work.between import Between, Step, Wanted
from desktop_rater.work.fetch_arrivals import Fetching
from desktop_rater.work.hub_files import compare
from desktop_rater.work.hub_marker import check_marker
from desktop_rater.work.queue_results import Queueing
from desktop_rater.work.send_outbox import Sending
from desktop_rater.work.synced import Stopped, Synced, Waiting

if TYPE_CHECKING:
    from desktop_rater.store.outbox import Outgoing
    from desktop_rater.store.store import Store

_DAY = len("2026-01-31")  # of a time as it is kept
_BREATH = 5.0  # seconds before a hub that loses things is given them again


def sync(between: Between, wanted: Wanted | None = None) -> Synced:
    """Exchange what there is to exchange with a hub that is connected. For the net's lane.

    The marker comes first: without the right one nothing is written there, and here only that the hub is paused, and
    what waits for it. Then what the hub has for the rater is fetched into the inbox (`take_arrivals` imports it),
    results are made of what is complete and has changed, and the outbox goes, item by item. At the end the newest
    results of each bundle, the rater's key and what was sent back are looked for on the hub; what is missing there goes
    again. One that nobody asked for (`Wanted.scheduled`) looks for what it sent itself; and for all of it where it is
    the first of a day, by UTC, that ends well, the first after the hub was connected, or the first after a pause.

    `hubs.verified` is noted when all of that came to its end, nothing was missing, and nothing that was tried is
    unverified: what it says of earlier bundles was seen on the same day. Whatever ends it before, the next one goes on
    from there.

    Raises `StoreError` or `Cancelled`. What is wrong with the hub is said in `stopped`.
    """
    return _Exchange(between, wanted or Wanted()).whole()


class _Exchange:
    """The stages of one exchange, and what each found."""

    def __init__(self, between: Between, wanted: Wanted) -> None:
        self._on_store = between.on_store
        self._reader = between.reader
        self._hub = between.hub
        self._row = between.row
        self._rater = between.rater
        self._means = between.means
        self._wanted = wanted
        self._progress = between.progress
        self._told = between.told
        self._fetching = Fetching(between)
        self._queueing = Queueing(between, wanted)
        self._sending = Sending(between)
        self._queued = False
        self._missing: list[str] = []
        self._forks: list[str] = []

    def whole(self) -> Synced:
        """All stages, as far as the hub lets them."""
        try:
            self._stages()
        except HubTrouble as trouble:
            if trouble.kind not in LATER | ITEM:
                kind, words = trouble.kind, str(trouble)
                self._on_store(lambda store: hubs.pause(store, self._row.project, kind, words))
            if not self._queued:
                self._queueing.without_the_hub()
            return self._outcome(trouble)
        return self._outcome(None)

    def _stages(self) -> None:
        self._told(Step("asking"))
        check_marker(self._hub, self._row.project, self._progress)
        self._on_store(self._answered)
        self._fetching.look()
        self._queueing.own_key()
        self._queueing.results()
        self._queued = True
        self._sending.all(self._due())
        self._compare()

    def _answered(self, store: Store) -> None:
        hubs.asked(store, self._row.project, now=self._means.now(), skew=self._hub.skew)
        if self._row.paused_kind:
            hubs.resume(store, self._row.project)

    def _due(self) -> list[Outgoing]:
        if self._wanted.at_once:
            return outbox.listed(self._reader, self._row.project, outbox.UNDER_WAY)
        return outbox.due(self._reader, self._row.project, now=self._means.now())

    def _compare(self) -> None:
        """See that the hub holds what the outbox says, and whether it holds what this store did not make."""
        self._told(Step("comparing"))
        sent = outbox.listed(self._reader, self._row.project)
        ours = [item for item in sent if item.kind == "results" and item.rater == self._rater]
        # Only the newest of each is kept here, so no other one could go again.
        newest = {
            (item.kind, item.rater, item.bundle): item
            for item in sent
            if item.state == "verified" and (item.kind == "returned" or item.rater == self._rater)
        }
        if self._is_routine():
            newest = {whose: item for whose, item in newest.items() if item.key in self._sending.keys}
            ours = [item for item in ours if item.key in self._sending.keys]
            sizes = self._sizes({_folder_of(item): item.kind for item in newest.values()})
        else:
            sizes = self._sizes(self._folders({"results", *(kind for kind, _, _ in newest)}))
        lost = [item for item in newest.values() if sizes.get(item.name) != item.size and self._is_lost(item)]
        if lost or self._sending.keys:
            self._see_that_it_is_the_same()
        if lost:
            keys = [item.key for item in lost]
            self._on_store(lambda store: outbox.missing(store, keys, now=self._means.now()))
            self._missing = [item.name for item in lost]
        self._forks = self._strange(sizes.keys() - {item.name for item in sent}, {item.bundle for item in ours})
        if not lost:
            self._on_store(lambda store: hubs.verified(store, self._row.project, now=self._means.now()))

    def _is_routine(self) -> bool:
        """Whether all of it was looked for today already, so that what goes now is enough."""
        row, today = self._row, format_time(self._means.now())[:_DAY]
        seen_today = row.verified[:_DAY] == today and row.connected <= row.verified
        return self._wanted.scheduled and seen_today and not row.paused_kind

    def _see_that_it_is_the_same(self) -> None:
        """A stick that is pulled out leaves an empty folder, and another one may take its place, amid a sync.

        What was read back from there lies on no hub of ours, and does not count as sent.
        """
        try:
            check_marker(self._hub, self._row.project, self._progress)
        except HubTrouble as trouble:
            if trouble.kind not in LATER:
                keys = self._sending.take_back()
                self._on_store(lambda store: outbox.missing(store, keys, now=self._means.now()))
            raise

    def _folders(self, kinds: set[str]) -> dict[str, str]:
        """Where all lies that this store has sent of these kinds."""
        mine = segment(self._rater)
        folders = {"results": f"{RESULTS}/{mine}", "key": f"{KEYS}/{mine}", "returned": RETURNED}
        return {folders[kind]: kind for kind in kinds & folders.keys()}

    def _sizes(self, folders: dict[str, str]) -> dict[str, int]:
        """The files that the hub holds in folders, by name; each folder with the kind of what lies there."""
        sizes: dict[str, int] = {}
        for folder, kind in folders.items():
            try:
                sizes |= {one.name: one.size for one in self._hub.list(folder, self._progress)}
            except HubTrouble as trouble:
                if trouble.kind != "rights" or kind == "results":
                    raise  # what may not be listed may be asked for all the same
        return sizes

    def _is_lost(self, item: Outgoing) -> bool:
        """Whether the hub does not give it out whole. A list can be behind, so it is asked for itself."""
        try:
            compare(self._hub, item.name, item.sha256, item.size, self._progress)
        except HubTrouble as trouble:
            if trouble.kind == "rights" and item.kind != "results":
                return False  # nobody here can say, and it was read back once
            if trouble.kind not in ITEM | {"gone"}:
                raise
            return True
        return False

    def _strange(self, names: set[str], bundles: set[str]) -> list[str]:
        """The bundles of which the hub holds results that this store never made."""
        found = []
        for bundle in sorted(bundles):
            folder = f"{RESULTS}/{segment(self._rater)}/{segment(bundle)}/"
            made = exports.made(self._reader, bundle, self._rater)
            if any(name.startswith(folder) and not any(one in name for one in made) for name in names):
                found.append(bundle)
        return found

    def _outcome(self, trouble: HubTrouble | None) -> Synced:
        waiting = _that_matter(outbox.listed(self._reader, self._row.project))
        stopped = None
        if trouble is not None:
            stopped = Stopped(kind=trouble.kind, title=trouble.title, message=trouble.message, hint=trouble.hint)
        return Synced(
            hub=True,
            project=self._row.project,
            fetched=self._fetching.fetched,
            uploaded=tuple(self._sending.uploaded),
            there=tuple(self._sending.there),
            waiting=tuple(map(_waiting, waiting)),
            refused=tuple(self._fetching.refused),
            not_sent=tuple(self._queueing.not_sent),
            missing=tuple(self._missing),
            forks=tuple(self._forks),
            skew=self._hub.skew,
            stopped=stopped,
            whole=stopped is None and not waiting,
            again=self._again(trouble, waiting),
        )

    def _again(self, trouble: HubTrouble | None, waiting: list[Outgoing]) -> float | None:
        """When another try makes sense: not before the hub wants it, and not where somebody has to do something."""
        now = self._means.now()
        times = [seconds_until(item.next_try, now) for item in waiting if item.state != "failed"]
        if self._missing:
            times = [max(_BREATH, seconds) for seconds in times]
        if trouble is None:
            return min(times, default=None)
        return wait_for(1, trouble.retry_after, self._means.chance()) if trouble.kind in LATER else None


def _folder_of(item: Outgoing) -> str:
    return item.name.rpartition("/")[0]


def _that_matter(items: list[Outgoing]) -> list[Outgoing]:
    """What is not on the hub. Results that failed are no matter any more once later ones of the bundle are there."""
    there = {(item.rater, item.bundle): item.revision for item in items if item.state == "verified"}
    return [
        item
        for item in items
        if item.state != "verified"
        and not (item.state == "failed" and item.revision < there.get((item.rater, item.bundle), 0))
    ]


def _waiting(item: Outgoing) -> Waiting:
    return Waiting(
        key=item.key,
        kind=item.kind,
        bundle=item.bundle,
        name=item.name,
        state=item.state,
        attempts=item.attempts,
        next_try=item.next_try,
        why=item.last_error,
    )
