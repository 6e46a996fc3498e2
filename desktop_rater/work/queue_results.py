"""Make results of what a rater has completed, and put them into the outbox. What has not changed is not made again."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from desktop_rater.model.canonical import sha256
from desktop_rater.model.derived import derived_in
from desktop_rater.model.hub import MOST_BYTES
from desktop_rater.model.hub_names import BUNDLES, key_name, results_name, segment
from desktop_rater.model.trouble import RaterError
from desktop_rater.model.unfinished import PREFIX, SUFFIX
from desktop_rater.store import boxes, exports, hubs, inbox, leaving, outbox, rated
from desktop_rater.store.outbox import NewItem
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError, translating
from desktop_rater.work.between import Step
from desktop_rater.work.export_results import Export
from desktop_rater.work.published_keys import key_file
from desktop_rater.work.synced import NotSent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.outbox import Outgoing
    from desktop_rater.store.rated import Rated
    from desktop_rater.store.store import Store
    from desktop_rater.work.between import Between, Wanted
    from desktop_rater.work.export_results import Exported

_PIECE = 1 << 20
_TIMES = 3  # another export may come between, and rarely twice
SAMPLES = frozenset({"sample-factuality", "sample-pairs", "sample-practice", "sample-scales"})
"""The bundles that come with the program: they go to a hub that gave them out itself, and to no other."""

_STRANGE = "It did not come from this hub."


class Queueing:
    """One look at what a rater has done. `not_sent` names the bundles whose results do not go, and why."""

    def __init__(self, between: Between, wanted: Wanted) -> None:
        self._on_store = between.on_store
        self._reader = reader = between.reader
        self._hub = between.hub
        self._project, self._rater = between.project, between.rater
        self._means = between.means
        self._wanted = wanted
        self._progress = between.progress
        self._told = between.told
        self._came = inbox.taken_bundles(reader, self._project, self._rater)
        self._elsewhere = inbox.taken_elsewhere(reader, self._project, self._rater)
        self.not_sent: list[NotSent] = []

    def results(self) -> None:
        """Queue what is complete, and what is complete of unfinished ones where that is wanted.

        A bundle of which results have gone to this hub before is its own from then on.

        Raises `HubTrouble` where the hub can't say whether a bundle is its own.
        """
        begun = rated.listed(self._reader, self._rater)
        for name in sorted(self._wanted.bundles - {one.bundle.id for one in begun}):
            self.not_sent.append(NotSent(bundle=name, why=f"Nothing of it is done by {self._rater}."))
        for one in begun:
            bundle = one.bundle
            newest = outbox.newest(self._reader, self._project, self._rater, bundle.id)
            if bundle.practice or (bundle.id in SAMPLES and bundle.id not in self._came):
                self._say_if_wanted(bundle)
            elif one.open and not self._wanted.partial:
                self._unfinished(one)
            elif newest is None and not (bundle.id in self._wanted.bundles or self._is_the_hubs(bundle)):
                self._not_the_hubs(one)
            elif newest is None or not self._is_made_of(newest, one) or not self._is_there(newest):
                self._make(one)

    def without_the_hub(self) -> None:
        """Queue what is complete of the bundles that are known to be the hub's, while it does not answer.

        So what waits is counted, and ready, before the network is back.
        """
        for one in rated.listed(self._reader, self._rater):
            newest = outbox.newest(self._reader, self._project, self._rater, one.bundle.id)
            known = newest is not None or one.bundle.id in self._came
            if known and not one.bundle.practice and not one.open and not (newest and self._is_made_of(newest, one)):
                self._make(one)

    def own_key(self) -> None:
        """Queue the public half of the rater's key, once."""
        if self._means.key is None:
            return
        content = key_file(self._rater, self._means.key.public)
        digest = sha256(content)
        name = key_name(self._rater, digest)
        if any(one.name == name and self._is_there(one) for one in outbox.listed(self._reader, self._project)):
            return
        boxes.keep(self._reader.folder, "outbox", [content])
        new = NewItem(project=self._project, kind="key", rater=self._rater, name=name, sha256=digest, size=len(content))
        self._on_store(lambda store: outbox.add(store, new, now=self._means.now()))

    def _say_if_wanted(self, bundle: BundleRow) -> None:
        if bundle.id in self._wanted.bundles:
            self.not_sent.append(NotSent(bundle=bundle.id, why="Practice and the samples stay here."))

    def _unfinished(self, one: Rated) -> None:
        if one.bundle.id in self._came | self._wanted.bundles:
            why = f"{one.open:,} of its {one.bundle.tasks:,} tasks are not done."
            self.not_sent.append(NotSent(bundle=one.bundle.id, why=why, open=one.open))

    def _not_the_hubs(self, one: Rated) -> None:
        """Say that it stays; where it is another project's, only as long as something of it has to go there."""
        bundle = one.bundle.id
        project = self._elsewhere.get(bundle)
        if project is None:
            self.not_sent.append(NotSent(bundle=bundle, why=_STRANGE, open=one.open, strange=True))
            return
        newest = outbox.newest(self._reader, project, self._rater, bundle)
        if newest is None or newest.state != "verified" or not self._is_made_of(newest, one):
            hub = hubs.by_project(self._reader, project)
            title = hub.title if hub is not None and hub.title else project
            why = f"It came from another hub, {title}, and goes with a sync there."
            self.not_sent.append(NotSent(bundle=bundle, why=why, open=one.open))

    def _is_the_hubs(self, bundle: BundleRow) -> bool:
        """Whether it came from this hub, or by another way and is published there; of a part, whether the whole is."""
        if bundle.id in self._came:
            return True
        if bundle.id in self._elsewhere:  # two projects may use one id for bundles of their own
            return False
        derived = derived_in(bundle.manifest)
        whole = derived.bundles if derived is not None else ()
        kin = {(bundle.id, bundle.revision), *((one.id, one.revision) for one in whole)}
        return any(
            name in self._came or (name not in self._elsewhere and self._is_published(name, revision))
            for name, revision in sorted(kin)
        )

    def _is_published(self, name: str, revision: int) -> bool:
        folder = f"{BUNDLES}/{segment(name)}"
        found = self._hub.list(folder, self._progress)
        return any(one.name.startswith(f"{folder}/{revision}-") for one in found)

    def _is_there(self, item: Outgoing) -> bool:
        return item.state == "verified" or outbox.content(self._reader, item, self._look) is not None

    def _mark(self, one: Rated) -> str:
        signed = self._means.key.public if self._means.key is not None else ""
        return f"{one.mark} {signed}"

    def _is_made_of(self, item: Outgoing, one: Rated) -> bool:
        """Whether an item holds the ratings as they are; what was signed does not go again while the key is away."""
        ratings, _, signed = item.made_of.partition(" ")
        now, _, key = self._mark(one).partition(" ")
        return ratings == now and key in {"", signed}

    def _look(self) -> None:
        self._progress(0, 0)

    def _make(self, one: Rated) -> None:
        self._told(Step("making", words=one.bundle.title))
        try:
            why = next(
                (why for _ in range(_TIMES) if (why := self._made(one)) is not None), "It was exported meanwhile."
            )
        except RaterError as error:
            if isinstance(error, StoreError) and not isinstance(error, (NotThere, StoreDamaged)):
                raise
            why = str(error)  # the others go all the same
        if why:
            self.not_sent.append(NotSent(bundle=one.bundle.id, why=why, open=one.open))
        self._told(Step("making"))

    def _made(self, one: Rated) -> str | None:
        """Make results and queue them; why not, empty where they are queued, `None` where others came between."""
        folder = self._reader.folder / "outbox"
        with translating("The results are not made."):
            folder.mkdir(mode=0o700, exist_ok=True)
        beside = folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
        try:
            export = Export(
                self._reader, one.bundle, self._rater, self._progress, keep=self._keep_checked, key=self._means.key
            )
            with self._reader.at_one_moment():
                done = export.to(beside, partial=self._wanted.partial)
            if export.made is None:
                return _stays(done)
            digest, size = boxes.keep(self._reader.folder, "outbox", _pieces(beside))
        finally:
            beside.unlink(missing_ok=True)
        if size > MOST_BYTES:
            return (
                f"Its results have {size:,} bytes, and {MOST_BYTES:,} can go at once. Export them, and hand them over."
            )
        made, after = export.made, export.after
        return self._on_store(lambda store: self._queued(store, made, after, digest, size, self._mark(one)))

    def _keep_checked(self, basis: str, checked: Sequence[tuple[leaving.Leaver, bytes]]) -> None:
        self._on_store(lambda store: leaving.keep(store, basis, checked))

    def _queued(
        self, store: Store, made: exports.Export, after: exports.Export | None, digest: str, size: int, mark: str
    ) -> str | None:
        if exports.last(store, made.bundle, made.rater) != after:
            return None
        exports.remember(store, made)
        revision = 1
        for item in outbox.listed(store, self._project):
            if (item.kind, item.rater, item.bundle) == ("results", made.rater, made.bundle):
                revision = item.revision if item.sha256 == digest else max(revision, item.revision + 1)
                if item.sha256 == digest:
                    break
        new = NewItem(
            project=self._project,
            kind="results",
            rater=made.rater,
            bundle=made.bundle,
            revision=revision,
            name=results_name(made.rater, made.bundle, revision, digest),
            sha256=digest,
            size=size,
            made_of=mark,
        )
        outbox.add(store, new, now=self._means.now())
        return ""


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _stays(done: Exported) -> str:
    first = done.stays[0] if done.stays else None
    more = f" (and {len(done.stays) - 1:,} more)" if len(done.stays) > 1 else ""
    return f"{first.task}: {first.why}{more}." if first is not None else "Nothing of it is done."
