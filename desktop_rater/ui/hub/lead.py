"""Hub commands of a QA lead: publish bundles, collect results, return work. Not available to raters."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.change import NO_CHANGE, Change, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.store import rater_keys
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.store import Store
from desktop_rater.ui.hub.context import HubContext
from desktop_rater.ui.hub.exchange import HubExchange
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.window.screens import LEAD
from desktop_rater.work.hub.context import SyncContext

if TYPE_CHECKING:
    from desktop_rater.ui.hub.publish_dialog import PublishDialog
    from desktop_rater.work.hub.collect import CollectedIntoInbox
    from desktop_rater.work.hub.publish import PublishedBundle


PUBLISHED_BANNER, COLLECT_FAILED_BANNER = "hub_published", "hub_collected"
MAX_NAMED_RESULTS = 3


class LeadHubCommands(QObject):
    """Hub commands of a lead; inactive while the role is rater."""

    results_collected = Signal(str)  # the project

    def __init__(self, context: HubContext, exchange: HubExchange, connect: Callable[[], object]) -> None:
        super().__init__(context.window)
        self.exchange = exchange
        self._context = context
        self._connect = connect
        self._publishing: Progress | None = None
        self._found: CollectedIntoInbox | None = None
        self._reported_failures: tuple[str, ...] = ()
        self._dialog: PublishDialog | None = None
        exchange.after_sync = self._collect
        exchange.ended.connect(lambda _synced: self._take_in())

    @property
    def is_lead(self) -> bool:
        return self._context.preferences.now.role == LEAD

    @property
    def hub(self) -> HubRow | None:
        """Return the hub if there is one and the user is a lead."""
        return self.exchange.hub_state.hub if self.is_lead else None

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"hub_publish": self.ask}

    # -- collecting

    def _collect(self, between: SyncContext) -> Change:
        """Collect results. Runs on the network queue."""
        if not self.is_lead:
            return NO_CHANGE
        from desktop_rater.work.hub.collect import collect_into_inbox  # noqa: PLC0415 - a rater needs none of it

        self._found = collected = collect_into_inbox(between)
        return collected

    def _take_in(self) -> None:
        row, collected, self._found = self.hub, self._found, None
        if row is None or collected is None:
            return
        names = tuple(name for name, _ in collected.failed)
        if names and names != self._reported_failures:  # do not repeat the same failures after each sync
            summary = self.tr("Some results could not be collected: {n}.").format(n=formatting.number(len(names)))
            details = [f"{isolated(name)}: {why.title}" for name, why in collected.failed[:MAX_NAMED_RESULTS]]
            self._context.window.banners.show_banner(COLLECT_FAILED_BANNER, "warn", " ".join((summary, *details)))
        elif not names:
            self._context.window.banners.drop(COLLECT_FAILED_BANNER)
        self._reported_failures = names
        if collected.fetched:
            self.results_collected.emit(row.project)

    # -- publishing

    def ask(self) -> None:
        """Open the dialog to publish a bundle; without a hub, connect to one first."""
        row = self.hub
        if row is None:
            self._connect()
            return
        self._context.perform.ask(
            _known_raters, row.project, self._context.rater, done=partial(self._open, row.title or row.project)
        )

    def _open(self, title: str, raters: tuple[str, ...]) -> None:
        self.dialog.ask(title, raters)

    @property
    def dialog(self) -> PublishDialog:
        """Return the dialog, created on first use."""
        if self._dialog is None:
            from desktop_rater.ui.hub.publish_dialog import PublishDialog  # noqa: PLC0415 - as above

            self._dialog = PublishDialog(self._context.window)
            self._dialog.bundle_wanted.connect(self._choose)
            self._dialog.publish_wanted.connect(self._publish)
            self._dialog.stop_wanted.connect(self._stop)
        return self._dialog

    def _choose(self) -> None:
        chosen = self._context.files.bundles(self.dialog)
        if chosen:
            self.dialog.set_bundle(chosen[0])

    def _publish(self, path: Path, raters: tuple[str, ...]) -> None:
        row = self.hub
        if row is None:
            return
        from desktop_rater.work.hub.publish import publish_bundle  # noqa: PLC0415 - as above

        self.dialog.show_progress(self.tr("Publishing …"))

        def publish(progress: Progress) -> PublishedBundle:
            hub = self._context.reach.open(row.url, row.user)
            try:
                key = self._context.reach.keys.for_use(self._context.rater).key if self._context.rater else None
                return publish_bundle(
                    hub, path, raters, project=row.project, key=key, chance=random.random, progress=progress
                )
            finally:
                hub.close()

        self._publishing = self._context.perform.fetch(
            publish, done=partial(self._published, path), failed=self._not_published, progressed=self._progressed
        )

    def _progressed(self, count: int, total: int) -> None:
        if self._publishing is not None and total:
            template = self.tr("Publishing: {done} of {total}")
            self.dialog.show_progress(template.format(done=formatting.number(count), total=formatting.number(total)))

    def _stop(self) -> None:
        if self._publishing is not None:
            self._context.perform.cancel(self._publishing)
            self._publishing = None
            self.dialog.show_error(self.tr("Cancelled. Uploaded files stay on the hub. Publish again to continue."))

    def _not_published(self, error: Exception) -> None:
        self._publishing = None
        self.dialog.show_error(str(error) if isinstance(error, RaterError) else "")

    def _published(self, path: Path, published: PublishedBundle) -> None:
        from desktop_rater.work.audit.import_results import keep_published  # noqa: PLC0415 - as above

        self._publishing = None
        keep = partial(keep_published, lead=self._context.rater, now=self._context.now(), progress=Progress())
        self._context.perform.perform(keep, path)
        self.dialog.finish()
        kind = "warn" if published.failed or published.left_out else "info"
        self._context.window.banners.show_banner(PUBLISHED_BANNER, kind, self._published_text(published))

    def _published_text(self, published: PublishedBundle) -> str:
        bundle = published.bundle
        name = isolated(bundle.title or bundle.id)
        new, before = len(published.assigned), len(published.already)
        parts = [self.tr("{bundle}, revision {n}, is on the hub.").format(bundle=name, n=bundle.revision)]
        if new:
            parts.append(self.tr("Newly assigned to: {n}.").format(n=formatting.number(new)))
        if before:
            parts.append(self.tr("Assigned before to: {n}.").format(n=formatting.number(before)))
        if published.gold_kept:
            parts.append(self.tr("Its gold was not sent."))
        if not published.signed_with:
            parts.append(self.tr("It is not signed, since your signing key is not available."))
        elif published.lead_key and published.signed_with != published.lead_key:
            parts.append(self.tr("The hub names another lead's key than yours, so raters are asked before an import."))
        elif not published.lead_key:
            parts.append(self.tr("The hub names no lead's key, so raters can't verify your signature."))
        if published.left_out:
            template = self.tr("{n} lines are not valid tasks.")
            parts.append(template.format(n=formatting.number(len(published.left_out))))
        for rater, why in published.failed[:MAX_NAMED_RESULTS]:
            template = self.tr("{rater} could not be assigned: {why}")
            parts.append(template.format(rater=isolated(rater), why=why.title))
        return " ".join(parts)


def _known_raters(store: Store, project: str, lead: str) -> tuple[str, ...]:
    """Return the raters whose key is on the hub, without the lead."""
    return tuple(sorted({key.rater for key in rater_keys.list_rater_keys(store) if key.project == project} - {lead}))
