"""Sync with a hub: download what is there for the rater, and send what the rater has completed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.files import partial_path, retry_while_open
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import (
    BUNDLES,
    KEYS,
    MAX_HUB_ZIP_BYTES,
    RESULTS,
    RETURNED,
    HubMarker,
    hub_path_segment,
    key_name,
    results_name,
)
from desktop_rater.format.manifests import derivation_in_manifest
from desktop_rater.format.strict_json import sha256
from desktop_rater.format.values import format_time
from desktop_rater.http.request import retry_wait, seconds_until
from desktop_rater.hub.errors import ITEM_KINDS, RETRIED_ERROR_KINDS, HubError
from desktop_rater.operations.hub.connect import check_marker, pin_first_lead_key
from desktop_rater.operations.hub.context import (
    LeadKey,
    SyncContext,
    SyncOptions,
    SyncResult,
    SyncStep,
    SyncStop,
    UnsentBundle,
    WaitingItem,
)
from desktop_rater.operations.hub.keys import key_file_bytes
from desktop_rater.operations.hub.receive import ArrivalsDownload, queue_returned_assignments
from desktop_rater.operations.hub.transfer import OutboxTransfer, verify_hub_file
from desktop_rater.operations.rating.export import ExportedResults, ResultsExport
from desktop_rater.paths import SAMPLE_BUNDLES
from desktop_rater.store import hubs, mailbox, state
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, translate_errors
from desktop_rater.store.export_forms import ExportedTask, store_forms
from desktop_rater.store.mailbox import NewOutgoing, Outgoing
from desktop_rater.store.state import RatedBundle
from desktop_rater.store.store import Store

_PIECE = 1 << 20
_ATTEMPTS = 3  # attempts, as another export may interfere
_FOREIGN = "It did not come from this hub."


class ResultsQueue:
    """One pass over a rater's work. `not_sent`: bundles whose results are not sent, with reasons."""

    def __init__(self, context: SyncContext, options: SyncOptions) -> None:
        self._context = context
        self._reader, self._project, self._rater = context.reader, context.project, context.rater
        self._wanted = options
        self._received = mailbox.imported_bundles(self._reader, self._project, self._rater)
        self._received_elsewhere = mailbox.bundles_of_other_hubs(self._reader, self._project, self._rater)
        self.not_sent: list[UnsentBundle] = []

    def queue_results(self) -> None:
        """Queue completed bundles, and completed tasks of unfinished ones if requested.

        A bundle whose results went to this hub before belongs to it from then on. Raises `HubError` if the hub can't
        tell whether a bundle is its own.
        """
        begun = state.list_rated_bundles(self._reader, self._rater)
        for name in sorted(self._wanted.bundles - {work.bundle.id for work in begun}):
            self.not_sent.append(UnsentBundle(bundle=name, why=f"{self._rater} has not completed any of its tasks."))
        for work in begun:
            bundle = work.bundle
            newest = mailbox.newest_results(self._reader, self._project, self._rater, bundle.id)
            if bundle.practice or (bundle.id in SAMPLE_BUNDLES and bundle.id not in self._received):
                if bundle.id in self._wanted.bundles:
                    why = "Practice and sample bundles are not sent."
                    self.not_sent.append(UnsentBundle(bundle=bundle.id, why=why))
            elif work.open and not self._wanted.partial:
                if bundle.id in self._received | self._wanted.bundles:
                    why = f"{work.open:,} of its {bundle.tasks:,} tasks are not done."
                    self.not_sent.append(UnsentBundle(bundle=bundle.id, why=why, open=work.open))
            elif newest is None and not (bundle.id in self._wanted.bundles or self._belongs_to_hub(bundle)):
                self._report_foreign(work)
            elif newest is None or not self._is_current(newest, work) or not self._is_there(newest):
                self._make(work)

    def queue_offline(self) -> None:
        """Queue completed bundles known to be the hub's while it is unreachable.

        The waiting items are then counted, and ready when the network is back.
        """
        for work in state.list_rated_bundles(self._reader, self._rater):
            newest = mailbox.newest_results(self._reader, self._project, self._rater, work.bundle.id)
            belongs = newest is not None or work.bundle.id in self._received
            if (
                belongs
                and not work.bundle.practice
                and not work.open
                and not (newest and self._is_current(newest, work))
            ):
                self._make(work)

    def queue_key(self) -> None:
        key = self._context.environment.key
        if key is None:
            return
        content = key_file_bytes(self._rater, key.public, key.replaces)
        digest = sha256(content)
        name = key_name(self._rater, digest)
        if any(item.name == name and self._is_there(item) for item in mailbox.list_items(self._reader, self._project)):
            return
        mailbox.store_file(self._reader.folder, "outbox", [content])
        new = NewOutgoing(
            project=self._project, kind="key", rater=self._rater, name=name, sha256=digest, size=len(content)
        )
        self._context.record(mailbox.enqueue, new)

    def _report_foreign(self, work: RatedBundle) -> None:
        """Report that a bundle is not sent; for another project's, only while something must still go there."""
        bundle = work.bundle.id
        project = self._received_elsewhere.get(bundle)
        if project is None:
            self.not_sent.append(UnsentBundle(bundle=bundle, why=_FOREIGN, open=work.open, strange=True))
            return
        newest = mailbox.newest_results(self._reader, project, self._rater, bundle)
        if newest is None or newest.state != "verified" or not self._is_current(newest, work):
            hub = hubs.hub_by_project(self._reader, project)
            title = hub.title if hub is not None and hub.title else project
            why = f"It came from another hub, {title}, and is sent with a sync there."
            self.not_sent.append(UnsentBundle(bundle=bundle, why=why, open=work.open))

    def _belongs_to_hub(self, bundle: BundleRow) -> bool:
        """Return whether the bundle, or the one it is a part of, came from this hub or is published there."""
        if bundle.id in self._received:
            return True
        if bundle.id in self._received_elsewhere:  # two projects may use the same id
            return False
        derived = derivation_in_manifest(bundle.manifest)
        whole = derived.bundles if derived is not None else ()
        kin = {(bundle.id, bundle.revision), *((origin.id, origin.revision) for origin in whole)}
        return any(
            name in self._received or (name not in self._received_elsewhere and self._is_published(name, revision))
            for name, revision in sorted(kin)
        )

    def _is_published(self, name: str, revision: int) -> bool:
        folder = f"{BUNDLES}/{hub_path_segment(name)}"
        listed = self._context.hub.list(folder, self._context.progress)
        return any(entry.name.startswith(f"{folder}/{revision}-") for entry in listed)

    def _is_there(self, item: Outgoing) -> bool:
        return (
            item.state == "verified"
            or mailbox.item_content(self._reader, item, self._context.check_cancelled) is not None
        )

    def _mark(self, work: RatedBundle) -> str:
        signed = self._context.environment.key.public if self._context.environment.key is not None else ""
        return f"{work.mark} {signed}"

    def _is_current(self, item: Outgoing, work: RatedBundle) -> bool:
        """Return whether an item contains the current ratings; signed results stay while the key is missing."""
        ratings, _, signed = item.made_of.partition(" ")
        now, _, key = self._mark(work).partition(" ")
        return ratings == now and key in {"", signed}

    def _make(self, work: RatedBundle) -> None:
        self._context.on_step(SyncStep("making", title=work.bundle.title))
        try:
            why = next(
                (why for _ in range(_ATTEMPTS) if (why := self._try_make(work)) is not None),
                "It was exported at the same time.",
            )
        except RaterError as error:
            if isinstance(error, StoreError) and not isinstance(error, (NotInStore, StoreDamaged)):
                raise
            why = str(error)  # continue with the others
        if why:
            self.not_sent.append(UnsentBundle(bundle=work.bundle.id, why=why, open=work.open))
        self._context.on_step(SyncStep("making"))

    def _try_make(self, work: RatedBundle) -> str | None:
        """Export results and queue them; return the reason if not, "" if queued, `None` if interfered with."""
        folder = self._reader.folder / "outbox"
        with translate_errors("The results could not be exported."):
            folder.mkdir(mode=0o700, exist_ok=True)
        part_path = partial_path(folder)
        try:
            export = ResultsExport(
                self._reader,
                work.bundle,
                self._rater,
                self._context.progress,
                keep=self._keep_checked,
                key=self._context.environment.key,
            )
            with self._reader.snapshot_isolation():
                exported = export.to(part_path, partial=self._wanted.partial)
            if export.made is None:
                return _reason(exported)
            digest, size = mailbox.store_file(self._reader.folder, "outbox", _pieces(part_path))
        finally:
            retry_while_open(part_path.unlink, missing_ok=True)
        if size > MAX_HUB_ZIP_BYTES:
            return (
                f"Its results have {size:,} bytes, and {MAX_HUB_ZIP_BYTES:,} can go at "
                "once. Export them, and hand them over."
            )
        export_row, after = export.made, export.after
        return self._context.on_store(
            lambda store: self._queued(store, export_row, after, digest, size, self._mark(work))
        )

    def _keep_checked(self, basis: str, checked: Sequence[tuple[ExportedTask, bytes]]) -> None:
        self._context.on_store(lambda store: store_forms(store, basis, checked))

    def _queued(
        self, store: Store, export: state.ExportRow, after: state.ExportRow | None, digest: str, size: int, mark: str
    ) -> str | None:
        if state.last_export(store, export.bundle, export.rater) != after:
            return None
        state.record_export(store, export)
        revision = 1
        for item in mailbox.list_items(store, self._project):
            if (item.kind, item.rater, item.bundle) == ("results", export.rater, export.bundle):
                revision = item.revision if item.sha256 == digest else max(revision, item.revision + 1)
                if item.sha256 == digest:
                    break
        new = NewOutgoing(
            project=self._project,
            kind="results",
            rater=export.rater,
            bundle=export.bundle,
            revision=revision,
            name=results_name(export.rater, export.bundle, revision, digest),
            sha256=digest,
            size=size,
            made_of=mark,
        )
        mailbox.enqueue(store, new, now=self._context.environment.now())
        return ""


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _reason(exported: ExportedResults) -> str:
    first = exported.stays[0] if exported.stays else None
    more = f" (and {len(exported.stays) - 1:,} more)" if len(exported.stays) > 1 else ""
    return f"{first.task}: {first.why}{more}." if first is not None else "None of its tasks is completed."


_DAY = len("2026-01-31")  # of a stored timestamp
_RETURNED_KINDS = ("returned", "assignment")  # returned bundles, and the lead's word for them
_RESEND_DELAY = 5.0  # seconds before resending to a hub that lost files


def sync_with_hub(context: SyncContext, options: SyncOptions | None = None) -> SyncResult:
    """Sync with the connected hub. Runs on the network queue.

    1. Check the marker: without the right one nothing is written to the hub, and locally the hub is only paused.
    2. Download arrivals to the inbox; `import_arrivals` imports them.
    3. Export completed and changed work to the outbox, and send it item by item.
    4. Check the hub for the newest results of each bundle, the rater's key and returned work; send missing ones again.
       A scheduled sync checks only what it sent, unless it is the first of a day (UTC), after connecting or a pause.

    An interrupted sync is continued by the next one. Raises `StoreError` or `Cancelled`; hub errors are returned.
    """
    return _Sync(context, options or SyncOptions()).whole()


class _Sync:
    """The stages of one sync with their results."""

    def __init__(self, context: SyncContext, options: SyncOptions) -> None:
        self._context = context
        self._reader, self._project, self._rater = context.reader, context.project, context.rater
        self._options = options
        self._arrivals = ArrivalsDownload(context)
        self._queue = ResultsQueue(context, options)
        self._transfer = OutboxTransfer(context)
        self._lead = LeadKey(context.row.lead_key, context.row.lead_key)
        self._queued = False
        self._missing: list[str] = []
        self._forks: list[str] = []

    def whole(self) -> SyncResult:
        try:
            self._stages()
        except HubError as error:
            if error.kind not in RETRIED_ERROR_KINDS | ITEM_KINDS:
                kind, message = error.kind, str(error)
                self._context.on_store(lambda store: hubs.pause_hub(store, self._project, kind, message))
            if not self._queued:
                self._queue.queue_offline()
            return self._outcome(error)
        return self._outcome(None)

    def _stages(self) -> None:
        self._context.on_step(SyncStep("asking"))
        marker = check_marker(self._context.hub, self._project, self._context.progress)
        self._context.on_store(lambda store: self._record_contact(store, marker))
        self._arrivals.run(self._lead.pinned)
        self._queue.queue_key()
        queue_returned_assignments(self._context)
        self._queue.queue_results()
        self._queued = True
        self._transfer.send(self._due())
        self._compare()

    def _record_contact(self, store: Store, marker: HubMarker) -> None:
        self._lead = pin_first_lead_key(store, marker)
        hubs.record_response(store, self._project, now=self._context.environment.now(), skew=self._context.hub.skew)
        if self._context.row.paused_kind:
            hubs.resume_hub(store, self._project)

    def _due(self) -> list[Outgoing]:
        if self._options.at_once:
            return mailbox.list_items(self._reader, self._project, mailbox.UNDER_WAY)
        return mailbox.due_items(self._reader, self._project, now=self._context.environment.now())

    def _compare(self) -> None:
        """Check that the hub has what the outbox says, and find results this store did not make."""
        self._context.on_step(SyncStep("comparing"))
        sent = mailbox.list_items(self._reader, self._project)
        ours = [item for item in sent if item.kind == "results" and item.rater == self._rater]
        # Only the newest of each is stored here, so no other one could be resent. It may not have been sent yet.
        newest = {
            (item.kind, item.rater, item.bundle): item
            for item in sent
            if item.kind in _RETURNED_KINDS or item.rater == self._rater
        }
        newest = {key: item for key, item in newest.items() if item.state == "verified"}
        if self._is_routine():
            newest = {key: item for key, item in newest.items() if item.key in self._transfer.keys}
            ours = [item for item in ours if item.key in self._transfer.keys]
            sizes = self._sizes({item.name.rpartition("/")[0]: item.kind for item in newest.values()})
        else:
            sizes = self._sizes(self._folders({"results", *(kind for kind, _, _ in newest)}))
        lost = [item for item in newest.values() if sizes.get(item.name) != item.size and self._is_lost(item)]
        if lost or self._transfer.keys:
            self._recheck_marker()
        if lost:
            keys = [item.key for item in lost]
            self._context.record(mailbox.requeue_missing, keys)
            self._missing = [item.name for item in lost]
        self._forks = self._foreign_results(sizes.keys() - {item.name for item in sent}, {item.bundle for item in ours})
        if not lost:
            self._context.record(hubs.record_verified_sync, self._project)

    def _is_routine(self) -> bool:
        """Return whether everything was verified today already, so that checking the new uploads is enough."""
        row, today = self._context.row, format_time(self._context.environment.now())[:_DAY]
        seen_today = row.verified[:_DAY] == today and row.connected <= row.verified
        return self._options.scheduled and seen_today and not row.paused_kind

    def _recheck_marker(self) -> None:
        """Check the marker again after sending, since a removable drive may have been replaced during the sync.

        Uploads to a wrong hub do not count as sent.
        """
        try:
            check_marker(self._context.hub, self._project, self._context.progress)
        except HubError as error:
            if error.kind not in RETRIED_ERROR_KINDS:
                keys = self._transfer.forget_uploads()
                self._context.record(mailbox.requeue_missing, keys)
            raise

    def _folders(self, kinds: set[str]) -> dict[str, str]:
        mine = hub_path_segment(self._rater)
        folders = {"results": f"{RESULTS}/{mine}", "key": f"{KEYS}/{mine}", **dict.fromkeys(_RETURNED_KINDS, RETURNED)}
        return {folders[kind]: kind for kind in kinds & folders.keys()}

    def _sizes(self, folders: dict[str, str]) -> dict[str, int]:
        """Return name → size of the files in these folders, each given with the kind of its files."""
        sizes: dict[str, int] = {}
        for folder, kind in folders.items():
            try:
                sizes |= {entry.name: entry.size for entry in self._context.hub.list(folder, self._context.progress)}
            except HubError as error:
                if error.kind != "rights" or kind == "results":
                    raise  # files in an unlistable folder can still be requested
        return sizes

    def _is_lost(self, item: Outgoing) -> bool:
        """Return whether the hub fails to return the item intact. Listings may be outdated, so it is read."""
        try:
            verify_hub_file(self._context.hub, item.name, item.sha256, item.size, self._context.progress)
        except HubError as error:
            if error.kind == "rights" and item.kind != "results":
                return False  # unknown, but it was verified once
            if error.kind not in ITEM_KINDS | {"gone"}:
                raise
            return True
        return False

    def _foreign_results(self, names: set[str], bundles: set[str]) -> list[str]:
        foreign = []
        for bundle in sorted(bundles):
            folder = f"{RESULTS}/{hub_path_segment(self._rater)}/{hub_path_segment(bundle)}/"
            made = state.exported_hashes(self._reader, bundle, self._rater)
            if any(name.startswith(folder) and not any(sha256 in name for sha256 in made) for name in names):
                foreign.append(bundle)
        return foreign

    def _outcome(self, error: HubError | None) -> SyncResult:
        waiting = _unsent(mailbox.list_items(self._reader, self._project))
        stopped = None
        if error is not None:
            stopped = SyncStop(kind=error.kind, title=error.title, message=error.message, hint=error.hint)
        return SyncResult(
            hub=True,
            project=self._project,
            fetched=self._arrivals.fetched,
            uploaded=tuple(self._transfer.uploaded),
            there=tuple(self._transfer.there),
            waiting=tuple(map(_waiting, waiting)),
            refused=tuple(self._arrivals.refused),
            not_sent=tuple(self._queue.not_sent),
            missing=tuple(self._missing),
            forks=tuple(self._forks),
            skew=self._context.hub.skew,
            lead=self._lead,
            stopped=stopped,
            whole=stopped is None and not waiting,
            again=self._retry_delay(error, waiting),
        )

    def _retry_delay(self, error: HubError | None, waiting: list[Outgoing]) -> float | None:
        """Return the seconds until a retry makes sense; `None` if a person has to act."""
        now = self._context.environment.now()
        times = [seconds_until(item.next_try, now) for item in waiting if item.state != "failed"]
        if self._missing:
            times = [max(_RESEND_DELAY, seconds) for seconds in times]
        if error is None:
            return min(times, default=None)
        return (
            retry_wait(1, error.retry_after, self._context.environment.chance())
            if error.kind in RETRIED_ERROR_KINDS
            else None
        )


def _unsent(items: list[Outgoing]) -> list[Outgoing]:
    """Return the items not on the hub, except failed results replaced by later ones."""
    verified = {(item.rater, item.bundle): item.revision for item in items if item.state == "verified"}
    return [
        item
        for item in items
        if item.state != "verified"
        and not (item.state == "failed" and item.revision < verified.get((item.rater, item.bundle), 0))
    ]


def _waiting(item: Outgoing) -> WaitingItem:
    return WaitingItem(
        key=item.key,
        kind=item.kind,
        bundle=item.bundle,
        name=item.name,
        state=item.state,
        attempts=item.attempts,
        next_try=item.next_try,
        why=item.last_error,
    )


_LEAST, _MOST = 1.0, 30.0  # seconds between two rounds, unless the hub asks for more


def sync_until(
    once: Callable[[], SyncResult], *, patience: float, clock: Callable[[], float], wait: Callable[[float], object]
) -> SyncResult:
    """Call `once`, again while a retry makes sense within `patience` seconds; return the combined outcome."""
    deadline = clock() + patience
    outcome = once()
    rounds = 1
    while outcome.again is not None:
        pause = max(outcome.again, min(_MOST, _LEAST * 2.0 ** (rounds - 1)))
        if clock() + pause > deadline:
            break
        wait(pause)
        outcome = _combined(outcome, once())
        rounds += 1
    return outcome


def _combined(before: SyncResult, after: SyncResult) -> SyncResult:
    """Combine two rounds: the state after the second, with the transfers of both.

    Items resent or permanently refused in the first round are included, since the second does not report them again.
    """
    return replace(
        after,
        fetched=before.fetched + after.fetched,
        uploaded=before.uploaded + after.uploaded,
        there=before.there + after.there,
        refused=tuple(item for item in before.refused if item.lasting) + after.refused,
        missing=tuple(dict.fromkeys(before.missing + after.missing)),
        lead=replace(after.lead, is_new=before.lead.is_new or after.lead.is_new),
    )
