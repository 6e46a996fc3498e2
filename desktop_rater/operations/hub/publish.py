"""Publish a bundle on a hub and assign it to raters, and return work to raters by the hub."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.files import file_sha256, temporary_folder
from desktop_rater.format import hub_names
from desktop_rater.format.archive import OpenBundle, open_bundle, zip_kind
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import BundleError, RaterError, bundle_errors
from desktop_rater.format.hub_names import MAX_HUB_ZIP_BYTES, AssignedBundle
from desktop_rater.format.make import has_hidden_gold, write_without_gold
from desktop_rater.format.manifests import RETURN_TOOL, parse_derivation
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.write import HINT_UNCHANGED
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, PutResult
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.rework import ReturnedWork, return_work
from desktop_rater.operations.bundles.import_bundle import LeftOut, rubric_of_bundle
from desktop_rater.operations.hub.connect import check_marker, read_marker
from desktop_rater.operations.hub.receive import make_assignment
from desktop_rater.operations.hub.transfer import ParallelTransfers, put_small_file, small_file_bytes
from desktop_rater.store import hubs, mailbox
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import NewOutgoing
from desktop_rater.store.reviews import NewReview, insert_reviews
from desktop_rater.store.store import Store

_STEP = 200
_REFUSED = "Nothing was published."
_LOOK = "Check the file, or build the bundle again."


class PublishedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of publishing. `already`: raters who had the bundle assigned before.

    `there`: the bundle was on the hub before. `signed_with`: the public key of the assignments' signatures, if any.
    `lead_key`: the key that the hub names. `gold_kept`: its gold was left out. `failed`: (rater, error) of failed
    assignments. `left_out`: lines of the bundle that are not valid tasks.
    """

    project: str
    hub_title: str
    bundle: AssignedBundle
    there: bool
    gold_kept: bool
    assigned: tuple[str, ...] = ()
    already: tuple[str, ...] = ()
    failed: tuple[tuple[str, HubError], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    signed_with: str = ""
    lead_key: str = ""


def publish_bundle(
    hub: Hub,
    path: Path,
    raters: Sequence[str],
    *,
    project: str = "",
    key: SigningKey | None = None,
    chance: Callable[[], float],
    progress: Progress,
) -> PublishedBundle:
    """Upload a bundle to the hub, then its assignments, signed with `key`. Raises `RaterError`; a repeat continues.

    `project`: the expected project of the hub, if known. The bundle is verified on the hub before it is assigned.
    """
    names = list(dict.fromkeys(raters))
    with temporary_folder() as place:
        prepared = _PreparedZip(path, Path(place), progress)
        marker = check_marker(hub, project, progress) if project else read_marker(hub, progress)
        bundle, existed = _put(hub, prepared, progress)
        transfers = ParallelTransfers(hub, _assign(bundle, marker.project, key), chance, progress)
        transfers.run(names)
    outcomes = dict(transfers.done)
    return PublishedBundle(
        project=marker.project,
        hub_title=marker.title,
        bundle=bundle,
        there=existed,
        gold_kept=prepared.gold_kept,
        assigned=tuple(rater for rater in names if outcomes.get(rater) == "put"),
        already=tuple(rater for rater in names if outcomes.get(rater) == "there"),
        failed=tuple(transfers.failed),
        left_out=tuple(prepared.left_out),
        signed_with=key.public if key is not None else "",
        lead_key=marker.lead_key or "",
    )


def record_assignments(store: Store, published: PublishedBundle, *, lead: str, now: datetime) -> None:
    """Record to whom a bundle was assigned with the lead's signature: results of others will wait."""
    if published.signed_with:
        raters = (*published.assigned, *published.already)
        new = [NewReview(subject=("assigned", rater), body={"key": published.signed_with}) for rater in raters]
        insert_reviews(store, published.bundle.id, new, lead, now=now)


class _PreparedZip:
    """The zip to upload: completely checked, and without gold."""

    def __init__(self, path: Path, place: Path, progress: Progress) -> None:
        self.path = path
        self.left_out: list[LeftOut] = []
        self.gold_kept = False
        if zip_kind(path, otherwise="bundle") == "results":
            raise BundleError(f"{path.name} is not published", "It contains results and is not a bundle.", _REFUSED)
        try:
            with open_bundle(path) as bundle:
                self.manifest = bundle.manifest
                self.identity = bundle.identity
                self._check(bundle, progress)
                self.gold_kept = has_hidden_gold(bundle)
        except BundleError as error:
            hint = error.hint if error.hint.startswith(_REFUSED) else f"{_REFUSED} {_LOOK}"
            raise BundleError(error.title, error.message, hint) from error
        if self.gold_kept:
            self.path = place / "bundle.zip"
            write_without_gold(path, self.path, progress)
        with bundle_errors(path, "read", _REFUSED):
            self.bytes = self.path.stat().st_size
            self.sha256 = file_sha256(self.path)
        if self.bytes > MAX_HUB_ZIP_BYTES:
            why = f"It is {self.bytes:,} bytes long, and a hub takes {MAX_HUB_ZIP_BYTES:,} at most."
            raise BundleError(
                f"{path.name} is not published", why, "Split it with `bundle split`, and publish the parts."
            )

    def _check(self, bundle: OpenBundle, progress: Progress) -> None:
        name = self.path.name
        derived = parse_derivation(self.manifest.unknown)
        if derived is not None and derived.tool == RETURN_TOOL:
            why = "It is returned work for one rater."
            raise BundleError(f"{name} is not published", why, f"{_REFUSED} Send it with `audit return --hub`.")
        rubric_of_bundle(bundle, self.path)
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                progress(line.number, self.manifest.tasks)
            if line.task is None:
                self.left_out.append(LeftOut(task=line.id, why=line.error))
        bundle.verify_rest(progress)

    def as_assigned(self, name: str, sha256: str, size: int) -> AssignedBundle:
        of = {field: getattr(self.manifest, field) for field in ("id", "revision", "title", "tasks")}
        return AssignedBundle(name=name, sha256=sha256, bytes=size, **of)


def _put(hub: Hub, prepared: _PreparedZip, progress: Progress) -> tuple[AssignedBundle, bool]:
    manifest = prepared.manifest
    name = hub_names.bundle_name(manifest.id, manifest.revision, prepared.sha256)
    entry = _find_equal(hub, prepared, name, progress)
    if entry is not None:
        return entry, True
    existed = hub.put_new(name, prepared.path, prepared.sha256, progress) == "there"
    # Another lead may have uploaded a different bundle meanwhile. Each checks again after its own upload and
    # before assigning, so at least the second one sees both.
    _find_equal(hub, prepared, name, progress)
    return prepared.as_assigned(name, prepared.sha256, prepared.bytes), existed


def _find_equal(hub: Hub, prepared: _PreparedZip, name: str, progress: Progress) -> AssignedBundle | None:
    """Return the same bundle in another zip, if on the hub. Raises `BundleError` if its revision has other content."""
    manifest, equal = prepared.manifest, None
    for entry in hub.list(name.rpartition("/")[0], progress):
        digest = hub_names.hash_in_name(entry.name)
        if (
            entry.name != name
            and digest
            and hub_names.is_hub_name(entry.name)
            and int(entry.name.rpartition("/")[2].partition("-")[0]) == manifest.revision
        ):
            size = _check_equal(hub, prepared, entry.name, progress)
            equal = equal or prepared.as_assigned(entry.name, digest, size)
    return equal


def _check_equal(hub: Hub, prepared: _PreparedZip, name: str, progress: Progress) -> int:
    """Return the size of a zip on the hub that has the same content. Raises `BundleError`."""
    manifest = prepared.manifest
    what = f"{manifest.id} revision {manifest.revision}"
    with temporary_folder() as place:
        copy = Path(place) / "there.zip"
        try:
            with bundle_errors(copy, "written", HINT_UNCHANGED), copy.open("wb") as file:
                size = hub.get(name, file.write, progress, most=MAX_HUB_ZIP_BYTES)
        except HubError as error:
            if error.kind != "torn":
                raise
            why = f"{name} is still being uploaded, or its upload was interrupted."
            hint = f"{_REFUSED} Wait until the upload has finished, or give the bundle a higher revision."
            raise BundleError(f"{what} on the hub is incomplete", why, hint) from error
        try:
            with open_bundle(copy) as bundle:
                same = bundle.manifest.id == manifest.id and bundle.identity == prepared.identity
        except BundleError:
            same = False
    if not same:
        own = hub_names.bundle_name(manifest.id, manifest.revision, prepared.sha256)
        raise BundleError(
            f"{what} is on the hub with other files",
            f"There: {name}. Here: {own}.",
            f"{_REFUSED} Give the bundle a higher revision.",
        )
    return size


def _assign(bundle: AssignedBundle, project: str, key: SigningKey | None) -> Callable[[Hub, str, Progress], PutResult]:
    def assign(hub: Hub, rater: str, progress: Progress) -> PutResult:
        raw = small_file_bytes(make_assignment(rater, bundle, project, key))
        name = hub_names.assignment_name(rater, hashlib.sha256(raw).hexdigest())
        return put_small_file(hub, name, raw, progress)

    return assign


class ReturnedByHub(Change, frozen=True, kw_only=True):
    """Work returned to each requested rater, those with work first; `hub_title`: the hub.

    `there`: raters whose work is already on the hub unchanged.
    """

    project: str
    hub_title: str
    raters: tuple[tuple[str, ReturnedWork], ...]
    there: frozenset[str] = frozenset()

    @property
    def queued(self) -> tuple[tuple[str, ReturnedWork], ...]:
        return tuple(entry for entry in self.raters if entry[1].rework is not None)


def return_by_hub(
    store: Store, bundle: str, raters: Sequence[str] | None = None, *, progress: Progress, now: Callable[[], datetime]
) -> ReturnedByHub:
    """Queue returned work for these raters, or for all.

    A repeated call queues nothing twice: the same verdicts give the same bytes. Raises `RaterError`, also without a
    hub, or if the results are known to belong to another project.
    """
    hub = _hub_of(store, bundle)
    returned_works, present = [], set()
    names = load_audit.load_audit(store, bundle).raters if raters is None else raters
    for count, rater in enumerate(names):
        progress(count, len(names))
        with temporary_folder() as place:
            file = Path(place) / "back.zip"
            returned = return_work(store, bundle, rater, file, progress=progress, now=now)
            if returned.rework is not None and _queue(store, hub.project, rater, returned, now()) == "verified":
                present.add(rater)
        returned_works.append((rater, returned))
    returned_works.sort(key=lambda entry: entry[1].rework is None)
    touched = any(entry.rework is not None for _, entry in returned_works)
    audits = frozenset({bundle} if touched else ())
    return ReturnedByHub(
        audits=audits,
        hub=touched,
        project=hub.project,
        hub_title=_title(hub),
        raters=tuple(returned_works),
        there=frozenset(present),
    )


def _hub_of(store: Store, bundle: str) -> HubRow:
    """Return the connected hub. Nothing of one project may go to another's hub, since it can't be deleted there."""
    hub = hubs.current_hub(store)
    if hub is None:
        raise NotInStore(
            "No hub is connected.", "This store is not connected to a hub.", "Connect one, or write files instead."
        )
    projects = mailbox.projects_of_results(store, bundle)
    if projects and hub.project not in projects:
        rows = [hubs.hub_by_project(store, project) for project in sorted(projects)]
        names = ", ".join(_title(row) for row in rows if row is not None)
        raise RaterError(
            f"{bundle} can't be sent back by this hub.",
            f"Its results came from {names}, but this store is connected to {_title(hub)}.",
            f"Connect {names} again, or write files instead.",
        )
    return hub


def _title(hub: HubRow) -> str:
    return hub.title or hub.project


def _queue(store: Store, project: str, rater: str, returned: ReturnedWork, moment: datetime) -> mailbox.OutgoingState:
    """Queue the file, also if it failed before; return its state."""
    assert returned.rework is not None
    with bundle_errors(returned.out, "read", ""):
        sha256, size = mailbox.store_file(store.folder, "outbox", [returned.out.read_bytes()])
    item = NewOutgoing(
        project=project,
        kind="returned",
        rater=rater,
        bundle=returned.rework.id,
        revision=returned.rework.revision,
        name=hub_names.returned_name(rater, sha256),
        sha256=sha256,
        size=size,
    )
    queued = mailbox.enqueue(store, item, now=moment)
    if queued.state == "failed":
        mailbox.retry_items(store, project, [queued.key], now=moment)
    return queued.state
