"""What a QA lead does with the hub: publish bundles, collect results, send work back. Raters have none of it."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.model.change import NOTHING
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import rater_keys
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.rooms import LEAD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from desktop_rater.hub.trouble import HubTrouble
    from desktop_rater.model.change import Change
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.store import Store
    from desktop_rater.ui.hub.around import AroundHub
    from desktop_rater.ui.hub.exchange import Exchange
    from desktop_rater.ui.hub.publish_dialog import PublishDialog
    from desktop_rater.ui.rooms import Rooms
    from desktop_rater.work.between import Between
    from desktop_rater.work.collect_into_inbox import CollectedIn
    from desktop_rater.work.publish_bundle import Published

BANNER, FAILED = "hub_published", "hub_collected"
MOST_NAMED = 3


class LeadHub(QObject):
    """Follows the role: a rater's sync collects nothing."""

    def __init__(self, around: AroundHub, exchange: Exchange, connect: Callable[[], object]) -> None:
        super().__init__(around.window)
        self.exchange = exchange
        self._around = around
        self._connect = connect
        self._rooms: Rooms | None = None
        self._publishing: Progress | None = None
        self._found: CollectedIn | None = None
        self._told: tuple[str, ...] = ()
        self._dialog: PublishDialog | None = None
        exchange.also = self._collect
        exchange.ended.connect(lambda _synced: self._take_in())

    def enter(self, rooms: Rooms) -> None:
        """The rooms where what was collected shows."""
        self._rooms = rooms

    @property
    def is_lead(self) -> bool:
        return self._around.preferences.now.role == LEAD

    @property
    def hub(self) -> HubRow | None:
        """The hub, where the user is a lead and there is one."""
        return self.exchange.shown.hub if self.is_lead else None

    def does(self) -> Mapping[str, Callable[[], object]]:
        """What its action does, in every room."""
        return {"hub_publish": self.ask}

    # -- collecting

    def _collect(self, between: Between) -> Change:
        """On the net's lane."""
        if not self.is_lead:
            return NOTHING
        from desktop_rater.work.collect_into_inbox import collect_into_inbox  # noqa: PLC0415 - a rater needs none of it

        self._found = found = collect_into_inbox(between)
        return found

    def _take_in(self) -> None:
        row, found, self._found = self.hub, self._found, None
        if row is None or found is None or self._rooms is None:
            return
        names = tuple(name for name, _ in found.failed)
        if names and names != self._told:  # what stays as it is is not said with every round
            self._around.window.banners.show_banner(FAILED, "warn", self._not_had(found.failed))
        elif not names:
            self._around.window.banners.drop(FAILED)
        self._told = names
        if found.fetched:
            self._rooms.around.results.take_collected(row.project)

    def _not_had(self, failed: Sequence[tuple[str, HubTrouble]]) -> str:
        words = self.tr("Not all results could be had: {n}.").format(n=spelling.number(len(failed)))
        named = [f"{isolated(name)}: {why.title}" for name, why in failed[:MOST_NAMED]]
        return " ".join((words, *named))

    # -- publishing

    def ask(self) -> None:
        """Which bundle goes, and to whom; without a hub, how to get one."""
        row = self.hub
        if row is None:
            self._connect()
            return
        self._around.perform.ask(
            _known, row.project, self._around.rater, done=partial(self._open, row.title or row.project)
        )

    def _open(self, title: str, known: tuple[str, ...]) -> None:
        self.dialog.ask(title, known)

    @property
    def dialog(self) -> PublishDialog:
        """Made when it is first wanted."""
        if self._dialog is None:
            from desktop_rater.ui.hub.publish_dialog import PublishDialog  # noqa: PLC0415 - as above

            self._dialog = PublishDialog(self._around.window)
            self._dialog.bundle_wanted.connect(self._choose)
            self._dialog.publish_wanted.connect(self._publish)
            self._dialog.stop_wanted.connect(self._stop)
        return self._dialog

    def _choose(self) -> None:
        chosen = self._around.files.bundles(self.dialog)
        if chosen:
            self.dialog.take_bundle(chosen[0])

    def _publish(self, path: Path, raters: tuple[str, ...]) -> None:
        row = self.hub
        if row is None:
            return
        from desktop_rater.work.publish_bundle import publish_bundle  # noqa: PLC0415 - as above

        self.dialog.show_doing(self.tr("Publishing …"))

        def publish(progress: Progress) -> Published:
            hub = self._around.reach.open(row.url, row.user)
            try:
                return publish_bundle(hub, path, raters, project=row.project, chance=random.random, progress=progress)
            finally:
                hub.close()

        self._publishing = self._around.perform.fetch(
            publish, done=self._published, failed=self._not_published, progressed=self._progressed
        )

    def _progressed(self, done: int, total: int) -> None:
        if self._publishing is not None and total:
            words = self.tr("Publishing: {done} of {total}")
            self.dialog.show_doing(words.format(done=spelling.number(done), total=spelling.number(total)))

    def _stop(self) -> None:
        if self._publishing is not None:
            self._around.perform.cancel(self._publishing)
            self._publishing = None
            self.dialog.show_trouble(self.tr("Cancelled. What has gone stays there; publish again to go on."))

    def _not_published(self, error: Exception) -> None:
        self._publishing = None
        self.dialog.show_trouble(str(error) if isinstance(error, RaterError) else "")

    def _published(self, published: Published) -> None:
        self._publishing = None
        self.dialog.finish()
        kind = "warn" if published.failed or published.left_out else "info"
        self._around.window.banners.show_banner(BANNER, kind, self._words(published))

    def _words(self, published: Published) -> str:
        bundle = published.bundle
        name = isolated(bundle.title or bundle.id)
        new, before = len(published.assigned), len(published.already)
        said = [self.tr("{bundle}, revision {n}, is on the hub.").format(bundle=name, n=bundle.revision)]
        if new:
            said.append(self.tr("Newly assigned to: {n}.").format(n=spelling.number(new)))
        if before:
            said.append(self.tr("Assigned before to: {n}.").format(n=spelling.number(before)))
        if published.gold_kept:
            said.append(self.tr("Its gold stayed here."))
        if published.left_out:
            words = self.tr("Lines that are no good task: {n}.")
            said.append(words.format(n=spelling.number(len(published.left_out))))
        for rater, why in published.failed[:MOST_NAMED]:
            words = self.tr("{rater} could not be assigned: {why}")
            said.append(words.format(rater=isolated(rater), why=why.title))
        return " ".join(said)


def _known(store: Store, project: str, lead: str) -> tuple[str, ...]:
    """Those who signed in on the hub so far: each left a key there. The lead's own is no rater's."""
    return tuple(sorted({one.rater for one in rater_keys.listed(store) if one.project == project} - {lead}))
