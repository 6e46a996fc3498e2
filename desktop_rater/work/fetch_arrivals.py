"""What a hub has for a rater: seen, and fetched into the store's inbox. Nothing is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.hub.file_troubles import not_whole
from desktop_rater.hub.trouble import ITEM, LATER, HubTrouble
from desktop_rater.model.derived import derived_from
from desktop_rater.model.hub import MOST_BYTES, Assignment
from desktop_rater.model.hub_names import ASSIGNMENTS, BUNDLES, RETURNED, hash_in, is_formed, segment
from desktop_rater.store import boxes, inbox
from desktop_rater.store.inbox import NewArrival
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.between import Step
from desktop_rater.work.hub_files import Newer, read_small, small
from desktop_rater.work.synced import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.hub.interface import Listed
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.store.store import Store
    from desktop_rater.work.between import Between

_KINDS: tuple[inbox.Kind, ...] = ("assignment", "returned")  # a lead's results are collected, not imported
_IN_A_ROW = 2  # so often it was not one file that failed, but the hub


class Fetching:
    """One look at what a hub has for a rater. `refused` names what can't be used; `fetched` counts what came whole."""

    def __init__(self, between: Between) -> None:
        self._on_store = between.on_store
        self._reader = between.reader
        self._hub = between.hub
        self._project, self._rater = between.project, between.rater
        self._now = between.means.now
        self._progress = between.progress
        self._told = between.told
        self._failed_in_a_row = 0
        self.refused: list[Refused] = []
        self.fetched = 0

    def look(self) -> None:
        """Ask for what is new, and fetch it. Raises `HubTrouble` where the hub itself fails."""
        self._told(Step("asking"))
        known = inbox.known(self._reader, self._project, self._rater)
        mine = segment(self._rater)
        for listed in self._listed(f"{ASSIGNMENTS}/{mine}", known):
            self._trying(listed.name, lambda one=listed: self._assignment(one))
        waiting = inbox.listed(self._reader, self._project, rater=self._rater, states=("seen",), kinds=_KINDS)
        for count, arrival in enumerate(waiting):
            self._told(Step("fetching", count, len(waiting), arrival.title))
            self._trying(arrival.file, lambda one=arrival: self._fetch(one))
        for listed in self._listed(f"{RETURNED}/{mine}", known):
            self._told(Step("fetching", 0, 1))
            self._trying(listed.name, lambda one=listed: self._returned(one))

    def _listed(self, folder: str, known: set[str]) -> list[Listed]:
        found = self._hub.list(folder, self._progress)
        return [one for one in found if one.name not in known and is_formed(one.name)]

    def _trying(self, name: str, fetch: Callable[[], None]) -> None:
        """One file that can't be had does not hold up the others."""
        try:
            fetch()
        except HubTrouble as trouble:
            # One file that may not be read is that file's; where nothing may be written, sending says so.
            if trouble.kind not in LATER | ITEM | {"gone", "rights"} or trouble.retry_after is not None:
                raise
            self._failed_in_a_row += trouble.kind in LATER - ITEM
            if self._failed_in_a_row >= _IN_A_ROW:
                raise
            self.refused.append(Refused(name=name, why=str(trouble)))
        else:
            self._failed_in_a_row = 0

    def _assignment(self, listed: Listed) -> None:
        content = small(self._hub, listed.name, self._progress)
        try:
            said = read_small(content, Assignment, listed.name)
        except Newer as trouble:  # not for good: this program may be brought up to date
            self.refused.append(Refused(name=listed.name, why=str(trouble)))
            return
        except HubTrouble as trouble:
            self._refuse(self._new(listed, "assignment"), str(trouble))
            return
        bundle = said.bundle
        new = NewArrival(
            project=self._project,
            kind="assignment",
            rater=self._rater,
            name=listed.name,
            file=bundle.name,
            sha256=bundle.sha256,
            size=bundle.bytes,
            bundle=bundle.id,
            revision=bundle.revision,
            title=bundle.title or bundle.id,
            tasks=bundle.tasks,
        )
        if said.rater != self._rater:
            self._refuse(new, "It is for another rater.")
        elif not (is_formed(bundle.name) and bundle.name.startswith(f"{BUNDLES}/")):
            self._refuse(new, "The bundle that it names does not lie where bundles do.")
        elif hash_in(bundle.name) != bundle.sha256 or bundle.bytes > MOST_BYTES:
            self._refuse(new, "What it says of its bundle does not agree.")
        else:
            self._note(new)

    def _fetch(self, arrival: Arrival) -> None:
        if not self._whole(arrival.file, arrival.sha256, arrival.size):
            raise not_whole(arrival.file)
        self._fetched(arrival)

    def _returned(self, listed: Listed) -> None:
        """Only the bundle itself says what it is, so it is fetched before it is noted."""
        new = self._new(listed, "returned")
        if not self._whole(listed.name, new.sha256, min(listed.size, MOST_BYTES)):
            raise not_whole(listed.name)
        path = boxes.path(self._reader.folder, "inbox", new.sha256)
        try:
            new, whose = _read(new, path)
        except BundleError as error:
            self._refuse(new, str(error))
            return
        if whose is not None and whose != self._rater:
            self._refuse(new, "It is for another rater.")
            return
        self._note(new)
        row = inbox.named(self._reader, self._project, self._rater, new.name)
        assert row is not None, "it was noted just now"
        self._fetched(row)

    def _fetched(self, arrival: Arrival) -> None:
        try:
            self._on_store(lambda store: inbox.fetched(store, arrival.key, now=self._now()))
        except NotThere:  # the same file had come before, and was imported and let go in this moment
            raise not_whole(arrival.file) from None
        self.fetched += 1
        self._told(Step("fetching"))

    def _new(self, listed: Listed, kind: inbox.Kind) -> NewArrival:
        sha256 = hash_in(listed.name)
        assert sha256 is not None, "its name is formed"
        return NewArrival(
            project=self._project,
            kind=kind,
            rater=self._rater,
            name=listed.name,
            file=listed.name,
            sha256=sha256,
            size=listed.size,
        )

    def _note(self, new: NewArrival) -> None:
        self._on_store(lambda store: inbox.seen(store, [new], now=self._now()))

    def _refuse(self, new: NewArrival, why: str) -> None:
        """It is not asked for again; what is on the hub stays there."""

        def refuse(store: Store) -> None:
            inbox.seen(store, [new], now=self._now())
            row = inbox.named(store, self._project, self._rater, new.name)
            if row is not None and row.state == "seen":
                inbox.refused(store, row.key, why, now=self._now())

        self._on_store(refuse)
        self.refused.append(Refused(name=new.name, why=why, lasting=True))

    def _whole(self, name: str, sha256: str, most: int) -> bool:
        """Fetch a file, unless it is there already; whether it is what it should be."""
        folder = self._reader.folder
        if boxes.intact(folder, "inbox", sha256, lambda: self._progress(0, 0)) is not None:
            return True
        with boxes.receiving(folder, "inbox", sha256) as file:
            self._hub.get(name, file.write, self._progress, most=most)
            return file.keep()


def _read(new: NewArrival, path: Path) -> tuple[NewArrival, str | None]:
    """What a bundle that was sent back says of itself, and whose it is."""
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
    derived = derived_from(manifest.unknown)
    title = manifest.title or manifest.id
    read = replace(new, bundle=manifest.id, revision=manifest.revision, title=title, tasks=manifest.tasks)
    return read, derived.rater if derived is not None else None
