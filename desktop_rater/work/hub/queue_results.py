"""Export a rater's completed results to the outbox, unless they are unchanged."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from desktop_rater.files import partial_path, retry_while_open
from desktop_rater.model.errors import RaterError
from desktop_rater.model.hub import MAX_HUB_ZIP_BYTES
from desktop_rater.model.hub_names import BUNDLES, hub_path_segment, key_name, results_name
from desktop_rater.model.manifests import derivation_in_manifest
from desktop_rater.model.strict_json import sha256
from desktop_rater.store import export_forms, hubs, inbox, mailbox_files, outbox, progress, state
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, translate_errors
from desktop_rater.store.outbox import NewOutgoing, Outgoing
from desktop_rater.store.progress import RatedBundle
from desktop_rater.store.store import Store
from desktop_rater.work.hub.context import SyncContext, SyncOptions, SyncStep, UnsentBundle
from desktop_rater.work.hub.keys import key_file_bytes
from desktop_rater.work.rating.export import ExportedResults, ResultsExport
from desktop_rater.work.samples import SAMPLE_BUNDLES

_PIECE = 1 << 20
_ATTEMPTS = 3  # attempts, as another export may interfere
_FOREIGN = "It did not come from this hub."


class ResultsQueue:
    """One pass over a rater's work. `not_sent`: bundles whose results are not sent, with reasons."""

    def __init__(self, context: SyncContext, options: SyncOptions) -> None:
        self._context = context
        self._reader, self._project, self._rater = context.reader, context.project, context.rater
        self._wanted = options
        self._received = inbox.imported_bundles(self._reader, self._project, self._rater)
        self._received_elsewhere = inbox.bundles_of_other_hubs(self._reader, self._project, self._rater)
        self.not_sent: list[UnsentBundle] = []

    def queue_results(self) -> None:
        """Queue completed bundles, and completed tasks of unfinished ones if requested.

        A bundle whose results went to this hub before belongs to it from then on. Raises `HubError` if the hub can't
        tell whether a bundle is its own.
        """
        begun = progress.list_rated_bundles(self._reader, self._rater)
        for name in sorted(self._wanted.bundles - {work.bundle.id for work in begun}):
            self.not_sent.append(UnsentBundle(bundle=name, why=f"{self._rater} has not completed any of its tasks."))
        for work in begun:
            bundle = work.bundle
            newest = outbox.newest_results(self._reader, self._project, self._rater, bundle.id)
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
        for work in progress.list_rated_bundles(self._reader, self._rater):
            newest = outbox.newest_results(self._reader, self._project, self._rater, work.bundle.id)
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
        if any(item.name == name and self._is_there(item) for item in outbox.list_items(self._reader, self._project)):
            return
        mailbox_files.store_file(self._reader.folder, "outbox", [content])
        new = NewOutgoing(
            project=self._project, kind="key", rater=self._rater, name=name, sha256=digest, size=len(content)
        )
        self._context.record(outbox.enqueue, new)

    def _report_foreign(self, work: RatedBundle) -> None:
        """Report that a bundle is not sent; for another project's, only while something must still go there."""
        bundle = work.bundle.id
        project = self._received_elsewhere.get(bundle)
        if project is None:
            self.not_sent.append(UnsentBundle(bundle=bundle, why=_FOREIGN, open=work.open, strange=True))
            return
        newest = outbox.newest_results(self._reader, project, self._rater, bundle)
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
            or outbox.item_content(self._reader, item, self._context.check_cancelled) is not None
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
            digest, size = mailbox_files.store_file(self._reader.folder, "outbox", _pieces(part_path))
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

    def _keep_checked(self, basis: str, checked: Sequence[tuple[export_forms.ExportedTask, bytes]]) -> None:
        self._context.on_store(lambda store: export_forms.store_forms(store, basis, checked))

    def _queued(
        self, store: Store, export: state.ExportRow, after: state.ExportRow | None, digest: str, size: int, mark: str
    ) -> str | None:
        if state.last_export(store, export.bundle, export.rater) != after:
            return None
        state.record_export(store, export)
        revision = 1
        for item in outbox.list_items(store, self._project):
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
        outbox.enqueue(store, new, now=self._context.environment.now())
        return ""


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _reason(exported: ExportedResults) -> str:
    first = exported.stays[0] if exported.stays else None
    more = f" (and {len(exported.stays) - 1:,} more)" if len(exported.stays) > 1 else ""
    return f"{first.task}: {first.why}{more}." if first is not None else "None of its tasks is completed."
