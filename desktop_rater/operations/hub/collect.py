"""Download the results on a hub to a folder, or to a lead's inbox for import."""

import hashlib
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from desktop_rater.files import DestinationError, check_inside, replaced_file
from desktop_rater.format import hub_names
from desktop_rater.format.archive import zip_kind
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import BundleError, BundleFault, RaterError, bundle_errors
from desktop_rater.format.hub_names import MAX_HUB_FILE_BYTES, Assignment, HubMarker, hub_path_segment, key_name
from desktop_rater.format.results import open_results
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.write import HINT_UNCHANGED
from desktop_rater.hub.errors import HubError, incomplete_file_error
from desktop_rater.hub.interface import Hub, HubFile
from desktop_rater.operations.audit.import_results import ImportedResults, import_results
from desktop_rater.operations.audit.results_files import printable_name
from desktop_rater.operations.hub.connect import check_marker, read_marker
from desktop_rater.operations.hub.context import SyncContext, SyncStep
from desktop_rater.operations.hub.keys import key_file_bytes, read_hub_key, seen_key
from desktop_rater.operations.hub.receive import assigned_arrival
from desktop_rater.operations.hub.transfer import (
    READ_ERRORS,
    ParallelTransfers,
    decode_small_file,
    read_small_file,
    small_file_bytes,
)
from desktop_rater.store import mailbox
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.keys import SeenKey, list_rater_keys, record_keys
from desktop_rater.store.mailbox import Arrival, NewArrival
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import normalised_name

REFUSED = "refused.txt"  # in a folder of collected files: names of those that are not wanted, one a line


class MisplacedFile(HubError):
    """Error for a file that is not what its place on the hub says. Its name has its hash, so it stays that."""


def check_results_owner(name: str, path: Path) -> None:
    """Raise `MisplacedFile` if `path` is a bundle, or holds results of another rater or bundle than `name` says.

    Unreadable files are ignored here and reported when results are checked.
    """
    try:
        if zip_kind(path) == "bundle":
            raise MisplacedFile(
                "other",
                "It is a bundle, in a folder for results.",
                "Only the lead brings in a bundle. It was not imported.",
                "Check who may write to that folder.",
            )
        with open_results(path) as results:
            rater, bundle = results.written_rater, results.manifest.bundle.id
    except BundleError:
        return
    _, of_rater, of_bundle, _ = name.split("/")
    folders = {hub_path_segment(rater), hub_path_segment(normalised_name(rater))}
    if of_rater not in folders or hub_path_segment(bundle) != of_bundle:
        raise MisplacedFile(
            "other",
            "The results are in the folder of another rater or bundle.",
            f"They are results of {rater[:100]!r} for {bundle[:100]!r}.",
            "Check who may write to that folder. The results were not imported.",
        )


class CollectedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a download. `fetched`: names of new files; `there`: number of files already present.

    `failed`: (name, error) of files that could not be downloaded.
    """

    project: str
    hub_title: str
    fetched: tuple[str, ...] = ()
    there: int = 0
    failed: tuple[tuple[str, HubError], ...] = ()


def collect_results(
    hub: Hub, folder: Path, *, chance: Callable[[], float], progress: Progress, known: Collection[str] = ()
) -> CollectedResults:
    """Download the files missing in the folder, which may be new. Raises `RaterError` and `Cancelled`.

    Each file is complete or absent, so an interrupted run can be continued. A file that is not what its place says is
    named once, and not downloaded again. `known`: SHA-256 of files that are not wanted.
    """
    marker = read_marker(hub, progress)
    with bundle_errors(folder, "written", HINT_UNCHANGED):
        folder.mkdir(exist_ok=True)
        _mark(folder, marker)
    errors: list[tuple[str, HubError]] = []
    kinds = (hub_names.RESULTS, hub_names.KEYS)
    listed = [entry for kind in kinds for entry in hub.list(kind, progress, lambda *entry: errors.append(entry))]
    valid, failed = split_by_valid_name(listed)
    failed += errors
    refused = _refused_names(folder)
    valid = [entry for entry in valid if entry.name not in refused]
    here = [entry for entry in valid if hub_names.hash_in_name(entry.name) in known or _is_here(folder, entry)]
    missing = [entry for entry in valid if entry not in here]
    fetching = ParallelTransfers(hub, partial(_fetch_into, folder), chance, progress, READ_ERRORS)
    fetching.run(missing)
    misplaced = [entry.name for entry, error in fetching.failed if isinstance(error, MisplacedFile)]
    if misplaced:
        with bundle_errors(folder, "written", HINT_UNCHANGED), replaced_file(folder / REFUSED) as part_path:
            part_path.write_text("".join(f"{name}\n" for name in sorted(refused.union(misplaced))), encoding="utf-8")
    return CollectedResults(
        project=marker.project,
        hub_title=marker.title,
        fetched=tuple(sorted(entry.name for entry, _ in fetching.done)),
        there=len(here),
        failed=tuple(
            sorted([*failed, *((entry.name, why) for entry, why in fetching.failed)], key=lambda entry: entry[0])
        ),
    )


def _refused_names(folder: Path) -> set[str]:
    path = folder / REFUSED
    with bundle_errors(path, "read", HINT_UNCHANGED):
        check_inside(folder, path)
        return set(path.read_text("utf-8").splitlines()) if path.is_file() else set()


def _mark(folder: Path, marker: HubMarker) -> None:
    """Write the hub's marker to the folder, so that results of two projects are never mixed."""
    path = folder / hub_names.MARKER
    check_inside(folder, path)
    if not path.exists():
        with replaced_file(path) as part_path:
            part_path.write_bytes(small_file_bytes(marker))
        return
    try:
        with path.open("rb") as file:
            project = decode_small_file(file.read(MAX_HUB_FILE_BYTES), HubMarker, hub_names.MARKER).project
    except HubError:
        return  # not a marker of ours: leave it
    if project != marker.project:
        why = f"It contains results of {project}, and the hub belongs to {marker.project}."
        raise BundleError(
            f"{folder.name} belongs to another project", why, "Nothing was downloaded. Choose another folder."
        )


def split_by_valid_name(listed: Iterable[HubFile]) -> tuple[list[HubFile], list[tuple[str, HubError]]]:
    """Split listed files into valid ones and errors: an unexpected name could lead outside the folder."""
    good, bad = [], []
    for entry in listed:
        if not hub_names.is_hub_name(entry.name):
            why = HubError("other", "Its name does not follow the hub's naming scheme.", hint="It was not downloaded.")
            bad.append((printable_name(entry.name), why))
        else:
            good.append(entry)
    return good, bad


def fetch_hub_file(hub: Hub, name: str, path: Path, progress: Progress) -> int:
    """Download a file to `path`, verify it by its name, and return its size.

    Raises `HubError`, `OSError` and `BundleFault`. The kind is "other" if its bytes do not match
    the name, or if it is gone.
    """
    digest = hashlib.sha256()
    with replaced_file(path) as part_path, part_path.open("wb") as file:

        def take(piece: bytes) -> None:
            digest.update(piece)
            file.write(piece)

        try:
            size = hub.get(
                name, take, progress, most=MAX_HUB_FILE_BYTES if name.endswith(".json") else LIMITS.zip_bytes
            )
        except HubError as error:
            if error.kind != "gone":
                raise
            raise HubError("other", "It is no longer on the hub.", error.message, error.hint) from error
        if digest.hexdigest() != hub_names.hash_in_name(name):
            raise incomplete_file_error(name)
        file.flush()
        if name.startswith(hub_names.RESULTS):
            check_results_owner(name, part_path)
        return size


def _is_here(folder: Path, entry: HubFile) -> bool:
    path = folder / entry.name
    try:
        check_inside(folder, path)
        return path.is_file() and path.stat().st_size == entry.size
    except (DestinationError, OSError):
        return False


def _fetch_into(folder: Path, hub: Hub, entry: HubFile, progress: Progress) -> int:
    path = folder / entry.name
    with bundle_errors(path, "written", HINT_UNCHANGED):
        try:
            check_inside(folder, path)
            path.parent.mkdir(parents=True, exist_ok=True)
            return fetch_hub_file(hub, entry.name, path, progress)
        except (BundleFault, DestinationError, NotADirectoryError, FileExistsError) as error:  # only of this file
            hint = "Move that file away, then collect again."
            raise HubError("other", "Another file is in its place.", f"It goes to {path}.", hint) from error


T = TypeVar("T")
R = TypeVar("R")


class CollectedIntoInbox(Change, frozen=True, kw_only=True):
    """Outcome of a download. `fetched`: number of results waiting in the inbox. `keys`: number of new raters' keys.

    `assigned`: number of new assignments. `failed`: (name, error) of files that could not be downloaded.
    """

    fetched: int = 0
    keys: int = 0
    assigned: int = 0
    failed: tuple[tuple[str, HubError], ...] = ()


def collect_into_inbox(context: SyncContext) -> CollectedIntoInbox:
    """Download results this store has not had yet, and raters' keys. Runs on the network queue.

    Raises `HubError`, `StoreError` and `Cancelled`; finished downloads are kept, and the next run continues.
    """
    check_marker(context.hub, context.project, context.progress)
    return _InboxCollector(context).collect()


class _InboxCollector:
    def __init__(self, context: SyncContext) -> None:
        self._context = context
        self._reader, self._project, self._rater = context.reader, context.project, context.rater

    def collect(self) -> CollectedIntoInbox:
        self._context.on_step(SyncStep("asking"))
        listed, listing_errors = self._list_hub(hub_names.RESULTS)
        arrivals = self._to_fetch(listed)
        transfers = self._transfers(self._fetch)
        transfers.run(arrivals)
        keys, failed = self._keys()
        assigned, unread = self._assignments()
        fetch_errors = [(entry.name, why) for entry, why in transfers.failed]
        return CollectedIntoInbox(
            hub=bool(transfers.done or keys or assigned),
            audits=frozenset({arrival.bundle for arrival in assigned}),
            fetched=len(self._listed({"fetched"})),
            keys=keys,
            assigned=len(assigned),
            failed=tuple(sorted([*listing_errors, *fetch_errors, *failed, *unread], key=lambda entry: entry[0])),
        )

    def _list_hub(self, folder: str) -> tuple[list[HubFile], list[tuple[str, HubError]]]:
        """List a folder of the hub, with the errors: one inaccessible rater folder must not block the others."""
        errors: list[tuple[str, HubError]] = []
        listed, name_errors = split_by_valid_name(
            self._context.hub.list(folder, self._context.progress, lambda *error: errors.append(error))
        )
        return listed, [*name_errors, *errors]

    def _to_fetch(self, listed: list[HubFile]) -> list[Arrival]:
        """Record new files; return those to download, including those left by an earlier run."""
        known_names = mailbox.known_arrivals(self._reader, self._project, self._rater)
        new = [self._arrival(entry) for entry in listed if entry.name not in known_names]
        if new:
            self._context.record(mailbox.record_arrivals, new)
        listed_names = {entry.name for entry in listed}
        return [entry for entry in self._listed({"seen"}) if entry.name in listed_names]

    def _listed(self, states: set[mailbox.ArrivalState]) -> list[Arrival]:
        return mailbox.list_arrivals(self._reader, self._project, rater=self._rater, states=states, kinds={"results"})

    def _arrival(self, entry: HubFile) -> NewArrival:
        return NewArrival(
            project=self._project,
            kind="results",
            rater=self._rater,
            name=entry.name,
            file=entry.name,
            sha256=hub_names.hash_in_name(entry.name) or "",
            size=entry.size,
        )

    def _transfers(self, do: Callable[[Hub, T, Progress], R]) -> ParallelTransfers[T, R]:
        def tell(done: int, total: int) -> None:
            self._context.on_step(SyncStep("fetching", done, total))
            self._context.progress(done, total)

        return ParallelTransfers(self._context.hub, do, self._context.environment.chance, Progress(tell), READ_ERRORS)

    def _fetch(self, hub: Hub, arrival: Arrival, progress: Progress) -> None:
        folder = self._reader.folder
        with mailbox.receive_file(folder, "inbox", arrival.sha256) as file:
            hub.get(arrival.file, file.write, progress, most=LIMITS.zip_bytes)
            if not file.keep():
                raise incomplete_file_error(arrival.file)
        path = mailbox.mailbox_path(folder, "inbox", arrival.sha256)
        try:
            check_results_owner(arrival.file, path)
        except HubError as error:
            message = str(error)
            self._context.record(mailbox.mark_refused, arrival.key, message)
            raise
        self._context.record(mailbox.mark_fetched, arrival.key)

    def _keys(self) -> tuple[int, list[tuple[str, HubError]]]:
        """Import new raters' keys; return their number, and the invalid files."""
        listed, listing_errors = self._list_hub(hub_names.KEYS)
        known_names = {
            key_name(entry.rater, hashlib.sha256(key_file_bytes(entry.rater, entry.key)).hexdigest())
            for entry in list_rater_keys(self._reader)
            if entry.project == self._project
        }
        transfers = self._transfers(_read_key)
        transfers.run([entry.name for entry in listed if entry.name not in known_names])
        keys = [key for _, key in transfers.done]
        if keys:
            self._context.on_store(
                lambda store: record_keys(store, keys, self._project, now=self._context.environment.now())
            )
        return len(keys), [*listing_errors, *transfers.failed]

    def _assignments(self) -> tuple[list[NewArrival], list[tuple[str, HubError]]]:
        """Record new assignments of all raters, which say whose results count; return them, and the invalid files."""
        listed, listing_errors = self._list_hub(hub_names.ASSIGNMENTS)
        seen = mailbox.list_arrivals(self._reader, self._project, kinds={"assignment"})
        known_names = {arrival.name for arrival in seen}
        transfers = self._transfers(partial(_read_assignment, self._context.row))
        transfers.run([entry for entry in listed if entry.name not in known_names])
        new = [arrival for _, arrival in transfers.done]
        if new:
            self._context.record(mailbox.record_arrivals, new)
        return new, [*listing_errors, *((entry.name, why) for entry, why in transfers.failed)]


def _read_assignment(row: HubRow, hub: Hub, listed: HubFile, progress: Progress) -> NewArrival:
    """Return the assignment in a file, to whichever rater it is. Raises `HubError`."""
    content = read_small_file(hub, listed.name, progress)
    assignment = decode_small_file(content, Assignment, listed.name)
    return assigned_arrival(listed, assignment, normalised_name(assignment.rater), row.project, row.lead_key)


def _read_key(hub: Hub, name: str, progress: Progress) -> SeenKey:
    """Return the key of a file. Raises `HubError` "other" if it is invalid or for another rater."""
    raw = read_small_file(hub, name, progress)
    try:
        return seen_key(read_hub_key(raw, name))
    except RaterError as error:
        raise HubError("other", error.title, error.message, error.hint) from error


def import_collected(
    store: Store, project: str, *, lead: str, now: Callable[[], datetime], progress: Progress
) -> ImportedResults:
    """Check and import the downloaded results. Runs on the store's queue; repeatable if interrupted.

    Raises `StoreError` and `Cancelled`; results imported before that are kept.
    """
    waiting = mailbox.list_arrivals(store, project, states={"fetched"}, kinds={"results"})
    by_hash = {entry.sha256: entry for entry in waiting}
    missing = [entry for entry in waiting if not mailbox.mailbox_path(store.folder, "inbox", entry.sha256).is_file()]
    if missing:
        mailbox.mark_for_refetch(store, [entry.key for entry in missing], now=now())
    paths = [mailbox.mailbox_path(store.folder, "inbox", entry.sha256) for entry in waiting if entry not in missing]
    opened = import_results(store, paths, lead=lead, now=now(), progress=progress, source="found")
    imported = {entry.sha256 for entry in opened.took}
    mailbox.mark_imported(store, [by_hash[digest].key for digest in sorted(imported & by_hash.keys())], now=now())
    for entry in opened.refused:
        if entry.file in by_hash:
            message = " ".join(part for part in (entry.title, entry.message, entry.hint) if part)
            mailbox.mark_refused(store, by_hash[entry.file].key, message, now=now())
    return msgspec.structs.replace(
        opened,
        hub=bool(waiting),
        took=tuple(msgspec.structs.replace(entry, file=_hub_name(entry.file, by_hash)) for entry in opened.took),
        refused=tuple(msgspec.structs.replace(entry, file=_hub_name(entry.file, by_hash)) for entry in opened.refused),
    )


def _hub_name(file: str, by_hash: dict[str, Arrival]) -> str:
    return by_hash[file].name if file in by_hash else file
