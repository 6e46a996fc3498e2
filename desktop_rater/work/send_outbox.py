"""Send what waits in the outbox, one item after another, each step written down before and after it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from desktop_rater.hub.backoff import MOST_TRIES, next_try
from desktop_rater.hub.trouble import ITEM, LATER, HubTrouble
from desktop_rater.model.progress import Cancelled
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import outbox
from desktop_rater.work.between import Step
from desktop_rater.work.hub_files import compare
from desktop_rater.work.synced import Sent

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.store.outbox import Outgoing
    from desktop_rater.store.store import Store
    from desktop_rater.work.between import Between

_IN_A_ROW = 2  # so often it was not one item that failed, but the hub
_GONE = "Its file in the store is gone or altered."


class Sending:
    """One walk through what is due. `uploaded` is what lies on the hub now, but for `there`, which stood there already.

    `keys` are those of both.
    """

    def __init__(self, between: Between) -> None:
        self._on_store = between.on_store
        self._reader = between.reader
        self._hub = between.hub
        self._means = between.means
        self._progress = between.progress
        self._told = between.told
        self._failed_in_a_row = 0
        self.uploaded: list[Sent] = []
        self.there: list[Sent] = []
        self.keys: list[int] = []

    def take_back(self) -> list[int]:
        """It was another hub: nothing of it lies on this one. The keys of what went there."""
        keys = self.keys
        self.uploaded, self.there, self.keys = [], [], []
        return keys

    def all(self, items: list[Outgoing]) -> None:
        """Send them. Raises `HubTrouble` where nothing more can go now; each item's row says how far it is."""
        for count, item in enumerate(items):
            self._told(Step("sending", count, len(items), item.bundle or item.name))
            try:
                self._one(item)
            except HubTrouble as trouble:
                self._note(item, trouble)
            except BaseException:
                # What is cancelled was no attempt; if that can't be noted any more, the next sync goes on from there.
                with suppress(RaterError, Cancelled):
                    self._on_store(
                        lambda store, one=item: _put_back(store, one.project, one.key, now=self._means.now())
                    )
                raise
            else:
                self._failed_in_a_row = 0
            self._told(Step("sending", count + 1, len(items)))

    def _one(self, item: Outgoing) -> None:
        put = "put"
        if item.state != "uploaded":
            path = outbox.content(self._reader, item, lambda: self._progress(0, 0))
            if path is None:
                self._on_store(lambda store: outbox.failed(store, item.key, "other", _GONE, now=self._means.now()))
                return
            self._on_store(lambda store: outbox.uploading(store, item.key, now=self._means.now()))
            put = self._hub.put_new(item.name, path, item.sha256, self._progress)
            self._on_store(lambda store: outbox.uploaded(store, item.key, now=self._means.now()))
        compare(self._hub, item.name, item.sha256, item.size, self._progress)
        self._on_store(lambda store: outbox.verified(store, item.key, now=self._means.now()))
        sent = Sent(kind=item.kind, bundle=item.bundle, name=item.name, sha256=item.sha256, revision=item.revision)
        (self.there if put == "there" else self.uploaded).append(sent)
        self.keys.append(item.key)

    def _note(self, item: Outgoing, trouble: HubTrouble) -> None:
        """Write down why an item did not go. Raises the trouble where it is not about this item alone."""
        now, kind, words = self._means.now(), trouble.kind, str(trouble)
        if kind in LATER | {"gone"}:
            # The attempt was counted when it began, so the row knows better than `item`.
            attempts = max(1, item.attempts + (item.state != "uploaded"))
            if attempts >= MOST_TRIES:
                self._on_store(lambda store: outbox.failed(store, item.key, kind, words, now=now))
            else:
                when = next_try(attempts, trouble.retry_after, now, self._means.chance())
                self._on_store(lambda store: outbox.later(store, item.key, kind, words, next_try=when, now=now))
            self._failed_in_a_row += kind in LATER - ITEM
            if self._failed_in_a_row >= _IN_A_ROW or trouble.retry_after is not None:
                raise trouble
        elif kind in ITEM or (item.kind == "key" and kind == "rights"):
            # A rater who may not publish a key still sends results.
            self._on_store(lambda store: outbox.failed(store, item.key, kind, words, now=now))
        else:
            self._on_store(lambda store: outbox.stopped(store, item.key, kind, words, now=now))
            raise trouble


def _put_back(store: Store, project: str, key: int, *, now: datetime) -> None:
    """What was uploaded already only has to be read back."""
    if any(one.key == key and one.state == "uploading" for one in outbox.due(store, project, now=now)):
        outbox.stopped(store, key, "", "", now=now)
