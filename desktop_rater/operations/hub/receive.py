"""Assignments on a hub: download new files for a rater to the inbox, and import them."""

import csv
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.hub_names import (
    ASSIGNMENT_FORMAT,
    ASSIGNMENTS,
    BUNDLES,
    HUB_VERSION,
    MAX_HUB_ZIP_BYTES,
    RETURNED,
    AssignedBundle,
    Assignment,
    LeadSignature,
    hash_in_name,
    hub_path_segment,
    is_hub_name,
    returned_assignment_name,
)
from desktop_rater.format.jsonl import read_small_text
from desktop_rater.format.manifests import parse_derivation
from desktop_rater.format.signing import SigningKey, verify_published
from desktop_rater.format.strict_json import OpenStruct, canonical_json, sha256, to_plain
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.hub.errors import ITEM_KINDS, RETRIED_ERROR_KINDS, HubError, incomplete_file_error
from desktop_rater.hub.interface import HubFile
from desktop_rater.operations.bundles.import_bundle import HidesWork, ImportedBundle, import_bundle
from desktop_rater.operations.hub.context import RefusedItem, SyncContext, SyncStep
from desktop_rater.operations.hub.transfer import NewerFormat, decode_small_file, read_small_file, small_file_bytes
from desktop_rater.store import hubs, mailbox
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.mailbox import Arrival, ArrivalKind, NewArrival, NewOutgoing, Outgoing
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import BIDI_CONTROLS, CONTROLS, normalised_name

Signer = Literal["lead", "foreign", "unsigned"]
S = TypeVar("S", bound=OpenStruct)
_NO_VALUE = "0" * 128


def sign_as_lead(statement: S, project: str, key: SigningKey) -> S:
    """Return what a lead publishes on the hub of a project, with its signature as the member of that name."""
    signature = LeadSignature(project=project, key=key.public, value=_NO_VALUE)
    value = key.sign_published(_signed_content(replace(statement, signature=signature)))
    return replace(statement, signature=replace(signature, value=value))


def make_assignment(rater: str, bundle: AssignedBundle, project: str, key: SigningKey | None) -> Assignment:
    """Return the assignment of a bundle to a rater on the hub of a project, signed if there is a key."""
    assignment = Assignment(format=ASSIGNMENT_FORMAT, version=HUB_VERSION, rater=rater, bundle=bundle)
    return sign_as_lead(assignment, project, key) if key is not None else assignment


def assigned_arrival(
    listed: HubFile, assignment: Assignment, rater: str, project: str, lead_key: str, kind: ArrivalKind = "assignment"
) -> NewArrival:
    """Return the arrival that an assignment announces to a rater."""
    bundle = assignment.bundle
    return NewArrival(
        project=project,
        kind=kind,
        rater=rater,
        name=listed.name,
        file=bundle.name,
        sha256=bundle.sha256,
        size=bundle.bytes,
        bundle=bundle.id,
        revision=bundle.revision,
        title=bundle.title or bundle.id,
        tasks=bundle.tasks,
        signed=signer(assignment, assignment.signature, project, lead_key),
    )


def signer(statement: OpenStruct, signature: LeadSignature | None, project: str, lead_key: str) -> Signer:
    """Return who made the signature of an assignment or the like on a project's hub; an invalid one is nobody's."""
    if (
        signature is None
        or signature.project != project
        or not verify_published(signature.key, signature.value, _signed_content(statement))
    ):
        return "unsigned"
    return "lead" if signature.key == lead_key else "foreign"


def _signed_content(statement: OpenStruct) -> bytes:
    """Return what is signed: all members, unknown ones too, except the signature's value."""
    plain = to_plain(statement)
    del plain["signature"]["value"]
    return canonical_json(plain)


def is_vouched_for(arrival: Arrival, lead_key: str) -> bool:
    """Return whether the lead has signed an arrival. Where no lead's key is known, nobody can be asked to."""
    return not lead_key or arrival.signed == "lead"


def queue_returned_assignments(context: SyncContext) -> None:
    """Queue a signed assignment for each returned bundle in the outbox that has none yet."""
    key = context.environment.key
    if key is None:
        return
    items = mailbox.list_items(context.reader, context.project)
    made = {item.made_of for item in items if item.kind == "assignment"}
    for item in items:
        if item.kind == "returned" and _source(item, key) not in made:
            _queue_assignment(context, item, key)


def _source(item: Outgoing, key: SigningKey) -> str:
    """Return the `made_of` of the assignment of a returned bundle."""
    return f"{item.sha256} {key.public}"


def _queue_assignment(context: SyncContext, item: Outgoing, key: SigningKey) -> None:
    path = mailbox.item_content(context.reader, item, context.check_cancelled)
    if path is None:
        return  # replaced by later work, so no longer stored here
    try:
        with open_bundle(path) as opened:
            manifest = opened.manifest
    except BundleError:
        return  # its upload reports it
    bundle = AssignedBundle(
        name=item.name,
        sha256=item.sha256,
        bytes=item.size,
        **{field: getattr(manifest, field) for field in ("id", "revision", "title", "tasks")},
    )
    content = small_file_bytes(make_assignment(item.rater, bundle, context.project, key))
    digest = sha256(content)
    mailbox.store_file(context.reader.folder, "outbox", [content])
    new = NewOutgoing(
        project=context.project,
        kind="assignment",
        rater=item.rater,
        bundle=item.bundle,
        revision=item.revision,
        name=returned_assignment_name(item.rater, digest),
        sha256=digest,
        size=len(content),
        made_of=_source(item, key),
    )
    context.record(mailbox.enqueue, new)


MAX_RATERS = 1_000

_HINT = f"{NOTHING_WRITTEN} Write one rater per line."


def read_raters(path: Path) -> list[str]:
    """Return the names, in order. Blank lines are skipped. Raises `BundleError` naming the line."""
    lines: dict[str, int] = {}
    for number, line in enumerate(read_small_text(path).split("\n"), 1):
        cells = _cells(line.strip())
        written = cells[0].strip() if cells else ""
        name = normalised_name(written)
        if not any(cells):
            continue
        if not name or len(cells) > 1:
            why = (
                f"line {number}: it has {len(cells)} columns. Put a name that contains a comma or semicolon in quotes."
            )
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        if not is_visible_name(written):
            raise BundleError(
                f"{path.name} can't be used", f"line {number}: the name contains control characters.", _HINT
            )
        if name in lines:
            why = f"line {number}: {name!r} is already in line {lines[name]}."
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        lines[name] = number
    if not lines:
        raise BundleError(f"{path.name} can't be used", "It contains no names.", _HINT)
    if len(lines) > MAX_RATERS:
        raise BundleError(f"{path.name} can't be used", f"It names more than {MAX_RATERS:,} raters.", _HINT)
    return list(lines)


def is_visible_name(name: str) -> bool:
    """Return whether a name is free of characters that change what is around them, which is no slip."""
    return re.search(f"[{CONTROLS}{BIDI_CONTROLS}]", name) is None


def _cells(line: str) -> list[str]:
    """Return the columns of a line, so that a table with more columns is refused and not read as names."""
    delimiter = ";" if ";" in line and "," not in line else ","
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # cell too long
        return [line]


class HeldArrival(msgspec.Struct, frozen=True, kw_only=True):
    """A download that is imported only if the rater says so.

    `why`: the work that the import would hide; empty if the lead has not signed the download.
    """

    arrival: Arrival
    why: str = ""


class ImportedArrivals(Change, frozen=True, kw_only=True):
    """Outcome of the imports. `lost`: number of missing files, downloaded again with the next sync."""

    imported: tuple[ImportedBundle, ...] = ()
    held: tuple[HeldArrival, ...] = ()
    refused: tuple[RefusedItem, ...] = ()
    lost: int = 0


def waiting_arrivals(store: Store, project: str, rater: str) -> tuple[Arrival, ...]:
    """Return the downloads of a rater that wait to be imported, in order of discovery."""
    return tuple(
        mailbox.list_arrivals(store, project, rater=rater, states=("fetched",), kinds=("assignment", "returned"))
    )


def import_arrivals(
    store: Store,
    project: str,
    rater: str,
    *,
    progress: Progress,
    now: Callable[[], datetime],
    only: frozenset[int] | None = None,
    unsigned: bool = False,
    hide_work: bool = False,
) -> ImportedArrivals:
    """Import all arrivals, or those with the keys in `only`. Runs on the store's queue.

    An arrival that the lead has not signed is held until the rater accepts it with `unsigned`, and one that would hide
    work with `hide_work`. A refused bundle does not block the others. Bundles already imported by an interrupted run
    are only recorded. Raises `StoreError`, or `Cancelled`; earlier imports are kept.
    """
    imported: list[ImportedBundle] = []
    held: list[HeldArrival] = []
    refused: list[RefusedItem] = []
    contents: set[tuple[str, int, str]] = set()
    lost = 0
    hub = hubs.hub_by_project(store, project)
    for arrival in waiting_arrivals(store, project, rater):
        if only is not None and arrival.key not in only:
            continue
        if not (unsigned or is_vouched_for(arrival, hub.lead_key if hub is not None else "")):
            held.append(HeldArrival(arrival=arrival))
            continue
        content = arrival.bundle, arrival.revision, arrival.sha256
        if content in contents:  # assigned twice
            mailbox.mark_imported(store, [arrival.key], now=now())
            continue
        path = mailbox.arrival_content(store, arrival, lambda: progress(0, 0))
        if path is None:
            mailbox.mark_for_refetch(store, [arrival.key], now=now())
            lost += 1
            continue
        try:
            _refuse_another(arrival, path)
            outcome = import_bundle(
                store, path, progress=progress, now=now, replace=hide_work, received_as=arrival.title or arrival.bundle
            )
            imported.append(replace(outcome, message=outcome.message.replace(path.name, arrival.title)))
        except HidesWork as error:
            held.append(HeldArrival(arrival=arrival, why=str(error).replace(path.name, arrival.title)))
        except BundleError as error:
            why = str(error).replace(path.name, arrival.title)
            mailbox.mark_refused(store, arrival.key, why, now=now())
            refused.append(RefusedItem(name=arrival.name, why=why, lasting=True))
        else:
            mailbox.mark_imported(store, [arrival.key], now=now())
            contents.add(content)
    ids = frozenset(name for outcome in imported for name in outcome.bundles)
    return ImportedArrivals(
        bundles=ids, hub=True, imported=tuple(imported), held=tuple(held), refused=tuple(refused), lost=lost
    )


def _refuse_another(arrival: Arrival, path: Path) -> None:
    with open_bundle(path) as bundle:
        identity = bundle.manifest.id, bundle.manifest.revision
    if identity != (arrival.bundle, arrival.revision):
        id_, revision = identity
        reason = f"It is {id_} revision {revision}, but {arrival.bundle} revision {arrival.revision} was assigned."
        raise BundleError(f"{arrival.title} is refused", reason, "Ask your team to publish it again.")


_KINDS: tuple[mailbox.ArrivalKind, ...] = (
    "assignment",
    "returned",
)  # a lead's results are handled by collect_into_inbox
_MAX_UNANSWERED = 2  # consecutive failures after which the hub counts as unavailable


class ArrivalsDownload:
    """One pass over a rater's files on a hub. `refused`: unusable files; `fetched`: number of complete downloads."""

    def __init__(self, context: SyncContext) -> None:
        self._context = context
        self._reader, self._project, self._rater = context.reader, context.project, context.rater
        self._unanswered = 0
        self._lead_key = ""
        self.refused: list[RefusedItem] = []
        self.fetched = 0

    def run(self, lead_key: str) -> None:
        """Download what is new; `lead_key` is the key that assignments must be signed with."""
        self._lead_key = lead_key
        self._context.on_step(SyncStep("asking"))
        known_names = mailbox.known_arrivals(self._reader, self._project, self._rater)
        rater_segment = hub_path_segment(self._rater)
        returned = self._listed(f"{RETURNED}/{rater_segment}", known_names)
        assigned = self._listed(f"{ASSIGNMENTS}/{rater_segment}", known_names)
        for listed in (*assigned, *(entry for entry in returned if entry.name.endswith(".json"))):
            self._attempt(listed.name, lambda item=listed: self._assignment(item))
        arrivals = mailbox.list_arrivals(self._reader, self._project, rater=self._rater)
        announced = {arrival.file for arrival in arrivals if arrival.state != "refused"}
        waiting = mailbox.list_arrivals(self._reader, self._project, rater=self._rater, states=("seen",), kinds=_KINDS)
        for count, arrival in enumerate(waiting):
            self._context.on_step(SyncStep("fetching", count, len(waiting), arrival.title))
            self._attempt(arrival.file, lambda item=arrival: self._fetch(item))
        for listed in (entry for entry in returned if entry.name.endswith(".zip") and entry.name not in announced):
            self._context.on_step(SyncStep("fetching", 0, 1))
            self._attempt(listed.name, lambda item=listed: self._returned(item))

    def _listed(self, folder: str, known_names: set[str]) -> list[HubFile]:
        entries = self._context.hub.list(folder, self._context.progress)
        return [entry for entry in entries if entry.name not in known_names and is_hub_name(entry.name)]

    def _attempt(self, name: str, fetch: Callable[[], None]) -> None:
        """Run a download; an error of a single file must not block the others."""
        try:
            fetch()
        except HubError as error:
            # Missing rights for one file concern that file only; sending reports missing write access.
            if error.kind not in RETRIED_ERROR_KINDS | ITEM_KINDS | {"gone", "rights"} or error.retry_after is not None:
                raise
            self._unanswered += error.kind in RETRIED_ERROR_KINDS - ITEM_KINDS
            if self._unanswered >= _MAX_UNANSWERED:
                raise
            self.refused.append(RefusedItem(name=name, why=str(error)))
        else:
            self._unanswered = 0

    def _assignment(self, listed: HubFile) -> None:
        kind: mailbox.ArrivalKind = "returned" if listed.name.startswith(f"{RETURNED}/") else "assignment"
        content = read_small_file(self._context.hub, listed.name, self._context.progress)
        try:
            assignment = decode_small_file(content, Assignment, listed.name)
        except NewerFormat as error:  # temporary: an update of this program may read it
            self.refused.append(RefusedItem(name=listed.name, why=str(error)))
            return
        except HubError as error:
            self._refuse(self._new(listed, kind), str(error))
            return
        bundle = assignment.bundle
        new = assigned_arrival(listed, assignment, self._rater, self._project, self._lead_key, kind)
        folder = BUNDLES if kind == "assignment" else listed.name.rpartition("/")[0]
        if self._differs_in_case(assignment.rater):
            return
        if normalised_name(assignment.rater) != normalised_name(self._rater):
            self._refuse(new, "It is for another rater.")
        elif not (is_hub_name(bundle.name) and bundle.name.startswith(f"{folder}/")):
            self._refuse(new, "It names a bundle outside the hub's bundle folder.")
        elif hash_in_name(bundle.name) != bundle.sha256 or bundle.bytes > MAX_HUB_ZIP_BYTES:
            self._refuse(new, "Its checksum or size of the bundle is wrong.")
        else:
            self._context.record(mailbox.record_arrivals, [new])

    def _differs_in_case(self, rater: str) -> bool:
        """Tell if a file is for `ana` where this rater is `Ana`: they share a folder on many disks."""
        mine, other = normalised_name(self._rater), normalised_name(rater)
        return mine != other and mine.casefold() == other.casefold()

    def _fetch(self, arrival: Arrival) -> None:
        if not self._download(arrival.file, arrival.sha256, arrival.size):
            raise incomplete_file_error(arrival.file)
        self._fetched(arrival)

    def _returned(self, listed: HubFile) -> None:
        """Download a returned bundle first, since only its manifest identifies it."""
        new = self._new(listed, "returned")
        if not self._download(listed.name, new.sha256, min(listed.size, MAX_HUB_ZIP_BYTES)):
            raise incomplete_file_error(listed.name)
        path = mailbox.mailbox_path(self._reader.folder, "inbox", new.sha256)
        try:
            new, rater = _read(new, path)
        except BundleError as error:
            self._refuse(new, str(error))
            return
        if rater is not None and self._differs_in_case(rater):
            return
        if rater is not None and normalised_name(rater) != normalised_name(self._rater):
            self._refuse(new, "It is for another rater.")
            return
        self._context.record(mailbox.record_arrivals, [new])
        row = mailbox.arrival_by_name(self._reader, self._project, self._rater, new.name)
        assert row is not None, "it was noted just now"
        self._fetched(row)

    def _fetched(self, arrival: Arrival) -> None:
        try:
            self._context.record(mailbox.mark_fetched, arrival.key)
        except NotInStore:  # the same file was downloaded before, and was imported and deleted just now
            raise incomplete_file_error(arrival.file) from None
        self.fetched += 1
        self._context.on_step(SyncStep("fetching"))

    def _new(self, listed: HubFile, kind: mailbox.ArrivalKind) -> NewArrival:
        sha256 = hash_in_name(listed.name)
        assert sha256 is not None, "its name is formed"
        return NewArrival(
            project=self._project,
            kind=kind,
            rater=self._rater,
            name=listed.name,
            file=listed.name,
            sha256=sha256,
            size=listed.size,
            signed="unsigned",
        )

    def _refuse(self, new: NewArrival, why: str) -> None:
        """Record a file as refused, so that it is not requested again; it stays on the hub."""

        def refuse(store: Store) -> None:
            mailbox.record_arrivals(store, [new], now=self._context.environment.now())
            row = mailbox.arrival_by_name(store, self._project, self._rater, new.name)
            if row is not None and row.state == "seen":
                mailbox.mark_refused(store, row.key, why, now=self._context.environment.now())

        self._context.on_store(refuse)
        self.refused.append(RefusedItem(name=new.name, why=why, lasting=True))

    def _download(self, name: str, sha256: str, most: int) -> bool:
        """Download a file unless it is present; return whether its content is correct."""
        folder = self._reader.folder
        if mailbox.intact_file(folder, "inbox", sha256, self._context.check_cancelled) is not None:
            return True
        with mailbox.receive_file(folder, "inbox", sha256) as file:
            self._context.hub.get(name, file.write, self._context.progress, most=most)
            return file.keep()


def _read(new: NewArrival, path: Path) -> tuple[NewArrival, str | None]:
    """Return what a returned bundle says of itself, and its rater."""
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
    derived = parse_derivation(manifest.unknown)
    title = manifest.title or manifest.id
    read = replace(new, bundle=manifest.id, revision=manifest.revision, title=title, tasks=manifest.tasks)
    return read, derived.rater if derived is not None else None
