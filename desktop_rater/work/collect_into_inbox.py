"""A lead's window brings the results of a hub into the store: fetched beside it first, then checked and taken in."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

import msgspec

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.hub.file_troubles import not_whole
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model import hub_names
from desktop_rater.model.change import Change
from desktop_rater.model.progress import Progress
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import boxes, inbox, rater_keys
from desktop_rater.store.inbox import NewArrival
from desktop_rater.work.between import Between, Step
from desktop_rater.work.collect_results import sort_out
from desktop_rater.work.hub_files import small
from desktop_rater.work.hub_marker import check_marker
from desktop_rater.work.open_results import Opened, open_results
from desktop_rater.work.published_keys import key_file, read_key
from desktop_rater.work.side_by_side import READING, SideBySide
from desktop_rater.work.whose_results import refuse_misplaced

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.hub.interface import Hub, Listed
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.store.store import Store

T = TypeVar("T")
R = TypeVar("R")


class CollectedIn(Change, frozen=True, kw_only=True):
    """What came of it. `fetched`: how many results wait beside the store to be checked. `keys`: new ones of raters.

    `failed`: (name, why) of what could not be had, be it now or ever.
    """

    fetched: int = 0
    keys: int = 0
    failed: tuple[tuple[str, HubTrouble], ...] = ()


def collect_into_inbox(between: Between) -> CollectedIn:
    """Fetch all results that this store has not had yet, and the keys of raters. For the net's lane.

    Raises `HubTrouble`, `StoreError` and `Cancelled`: what came before that stays, and the next run goes on.
    """
    check_marker(between.hub, between.project, between.progress)
    return _Collecting(between).collect()


class _Collecting:
    def __init__(self, between: Between) -> None:
        self._on_store = between.on_store
        self._reader = between.reader
        self._hub = between.hub
        self._project = between.project
        self._lead = between.rater
        self._means = between.means
        self._progress = between.progress
        self._told = between.told

    def collect(self) -> CollectedIn:
        self._told(Step("asking"))
        listed, strange = self._on_hub(hub_names.RESULTS)
        waiting = self._seen(listed)
        fetching = self._side_by_side(self._fetch)
        fetching.run(waiting)
        keys, failed = self._keys()
        wrong = [(one.name, why) for one, why in fetching.failed]
        return CollectedIn(
            hub=bool(fetching.done or keys),
            fetched=len(self._listed({"fetched"})),
            keys=keys,
            failed=tuple(sorted([*strange, *wrong, *failed], key=lambda one: one[0])),
        )

    def _on_hub(self, folder: str) -> tuple[list[Listed], list[tuple[str, HubTrouble]]]:
        """What lies there, and what can't be had for good: one rater's folder that is closed holds up nobody else's."""
        closed: list[tuple[str, HubTrouble]] = []
        listed, strange = sort_out(self._hub.list(folder, self._progress, lambda *one: closed.append(one)))
        return listed, [*strange, *closed]

    def _seen(self, listed: list[Listed]) -> list[Arrival]:
        """Note what is new, and give what is to be fetched: also what an earlier run did not get to."""
        known = inbox.known(self._reader, self._project, self._lead)
        new = [self._arrival(one) for one in listed if one.name not in known]
        if new:
            self._on_store(lambda store: inbox.seen(store, new, now=self._means.now()))
        there = {one.name for one in listed}
        return [one for one in self._listed({"seen"}) if one.name in there]

    def _listed(self, states: set[inbox.State]) -> list[Arrival]:
        return inbox.listed(self._reader, self._project, rater=self._lead, states=states, kinds={"results"})

    def _arrival(self, one: Listed) -> NewArrival:
        digest = hub_names.hash_in(one.name) or ""
        return NewArrival(
            project=self._project,
            kind="results",
            rater=self._lead,
            name=one.name,
            file=one.name,
            sha256=digest,
            size=one.size,
        )

    def _side_by_side(self, do: Callable[[Hub, T, Progress], R]) -> SideBySide[T, R]:
        def tell(done: int, total: int) -> None:
            self._told(Step("fetching", done, total))
            self._progress(done, total)

        return SideBySide(self._hub, do, self._means.chance, Progress(tell), READING)

    def _fetch(self, hub: Hub, one: Arrival, progress: Progress) -> None:
        folder = self._reader.folder
        with boxes.receiving(folder, "inbox", one.sha256) as file:
            hub.get(one.file, file.write, progress, most=LIMITS.zip_bytes)
            if not file.keep():
                raise not_whole(one.file)
        path = boxes.path(folder, "inbox", one.sha256)
        try:
            refuse_misplaced(one.file, path)
        except HubTrouble as trouble:
            words = str(trouble)
            self._on_store(lambda store: inbox.refused(store, one.key, words, now=self._means.now()))
            raise
        self._on_store(lambda store: inbox.fetched(store, one.key, now=self._means.now()))

    def _keys(self) -> tuple[int, list[tuple[str, HubTrouble]]]:
        """New keys of raters, and those files that are none."""
        listed, strange = self._on_hub(hub_names.KEYS)
        known = {
            _name_of(one.rater, one.key) for one in rater_keys.listed(self._reader) if one.project == self._project
        }
        reading = self._side_by_side(_read_key)
        reading.run([one.name for one in listed if one.name not in known])
        found = [came for _, came in reading.done]
        if found:
            self._on_store(lambda store: rater_keys.see(store, found, self._project, now=self._means.now()))
        return len(found), [*strange, *reading.failed]


def _name_of(rater: str, key: str) -> str:
    return hub_names.key_name(rater, hashlib.sha256(key_file(rater, key)).hexdigest())


def _read_key(hub: Hub, name: str, progress: Progress) -> tuple[str, str]:
    """Rater and key of a file. Raises `HubTrouble`: "other" where it is none, or speaks for another rater."""
    raw = small(hub, name, progress)
    try:
        said = read_key(raw, name)
    except RaterError as error:
        raise HubTrouble("other", error.title, error.message, error.hint) from error
    return said.rater, said.key


def take_collected(store: Store, project: str, *, lead: str, now: Callable[[], datetime], progress: Progress) -> Opened:
    """Check the results that were fetched and take them in. For the store's lane; killed anywhere, it is done anew.

    Raises `StoreError` and `Cancelled`; what came in whole before that stays.
    """
    waiting = inbox.listed(store, project, states={"fetched"}, kinds={"results"})
    by_hash = {one.sha256: one for one in waiting}
    lost = [one for one in waiting if not boxes.path(store.folder, "inbox", one.sha256).is_file()]
    if lost:
        inbox.again(store, [one.key for one in lost], now=now())
    paths = [boxes.path(store.folder, "inbox", one.sha256) for one in waiting if one not in lost]
    opened = open_results(store, paths, lead=lead, now=now(), progress=progress)
    taken = {one.sha256 for one in opened.took}
    inbox.taken(store, [by_hash[digest].key for digest in sorted(taken & by_hash.keys())], now=now())
    for one in opened.refused:
        if one.file in by_hash:
            words = " ".join(part for part in (one.title, one.message, one.hint) if part)
            inbox.refused(store, by_hash[one.file].key, words, now=now())
    return msgspec.structs.replace(
        opened,
        hub=bool(waiting),
        took=tuple(msgspec.structs.replace(one, file=_shown(one.file, by_hash)) for one in opened.took),
        refused=tuple(msgspec.structs.replace(one, file=_shown(one.file, by_hash)) for one in opened.refused),
    )


def _shown(file: str, by_hash: dict[str, Arrival]) -> str:
    return by_hash[file].name if file in by_hash else file
