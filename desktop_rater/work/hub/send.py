"""Send the outbox item by item, recording each step before and after it."""

from contextlib import suppress
from datetime import datetime

from desktop_rater.http.retry import MAX_TRIES, next_try_time
from desktop_rater.hub.errors import ITEM_KINDS, RETRIED_ERROR_KINDS, HubError
from desktop_rater.model.change import Cancelled, Change
from desktop_rater.model.errors import RaterError
from desktop_rater.store import inbox, outbox
from desktop_rater.store.outbox import Outgoing
from desktop_rater.store.store import Store
from desktop_rater.work.hub.context import SentItem, SyncContext, SyncStep
from desktop_rater.work.hub.files import verify_hub_file


def retry_all(store: Store, project: str, *, now: datetime) -> Change:
    """Schedule all stopped and waiting items for the next sync, and request refused files again."""
    outbox.retry_items(store, project, now=now)
    inbox.forget_refused(store, project)
    return Change(hub=True)


_MAX_UNANSWERED = 2  # consecutive failures after which the hub counts as unavailable
_GONE = "Its file in the store is missing or has been altered."


class OutboxTransfer:
    """One pass over the due items. `uploaded`: items now on the hub; `there`: items that were there already.

    `keys`: the row keys of both.
    """

    def __init__(self, context: SyncContext) -> None:
        self._context = context
        self._unanswered = 0
        self.uploaded: list[SentItem] = []
        self.there: list[SentItem] = []
        self.keys: list[int] = []

    def forget_uploads(self) -> list[int]:
        """Forget the uploads, since they went to another hub, and return their row keys."""
        keys = self.keys
        self.uploaded, self.there, self.keys = [], [], []
        return keys

    def send(self, items: list[Outgoing]) -> None:
        """Send the items. Raises `HubError` if no more can be sent; each item's row has its state."""
        for count, item in enumerate(items):
            self._context.on_step(SyncStep("sending", count, len(items), item.bundle or item.name))
            try:
                self._send_item(item)
            except HubError as error:
                self._record_failure(item, error)
            except BaseException:
                # A cancelled upload is not an attempt; if that can't be recorded, the next sync continues from here.
                with suppress(RaterError, Cancelled):
                    self._context.record(_reset, item.project, item.key)
                raise
            else:
                self._unanswered = 0
            self._context.on_step(SyncStep("sending", count + 1, len(items)))

    def _send_item(self, item: Outgoing) -> None:
        outcome = "put"
        if item.state != "uploaded":
            path = outbox.item_content(self._context.reader, item, self._context.check_cancelled)
            if path is None:
                self._context.record(outbox.mark_failed, item.key, "other", _GONE)
                return
            self._context.record(outbox.mark_uploading, item.key)
            outcome = self._context.hub.put_new(item.name, path, item.sha256, self._context.progress)
            self._context.record(outbox.mark_uploaded, item.key)
        verify_hub_file(self._context.hub, item.name, item.sha256, item.size, self._context.progress)
        self._context.record(outbox.mark_verified, item.key)
        sent = SentItem(kind=item.kind, bundle=item.bundle, name=item.name, sha256=item.sha256, revision=item.revision)
        (self.there if outcome == "there" else self.uploaded).append(sent)
        self.keys.append(item.key)

    def _record_failure(self, item: Outgoing, error: HubError) -> None:
        """Record why an item was not sent. Raises the error unless it concerns this item alone."""
        now, kind, message = self._context.environment.now(), error.kind, str(error)
        if kind in RETRIED_ERROR_KINDS | {"gone"}:
            # The attempt was counted in the row when it began, so `item` is outdated.
            attempts = max(1, item.attempts + (item.state != "uploaded"))
            if attempts >= MAX_TRIES:
                self._context.on_store(lambda store: outbox.mark_failed(store, item.key, kind, message, now=now))
            else:
                when = next_try_time(attempts, error.retry_after, now, self._context.environment.chance())
                self._context.on_store(
                    lambda store: outbox.retry_later(store, item.key, kind, message, next_try=when, now=now)
                )
            self._unanswered += kind in RETRIED_ERROR_KINDS - ITEM_KINDS
            if self._unanswered >= _MAX_UNANSWERED or error.retry_after is not None:
                raise error
        elif kind in ITEM_KINDS or (item.kind == "key" and kind == "rights"):
            # A rater who may not publish a key can still send results.
            self._context.on_store(lambda store: outbox.mark_failed(store, item.key, kind, message, now=now))
        else:
            self._context.on_store(lambda store: outbox.requeue_unattempted(store, item.key, kind, message, now=now))
            raise error


def _reset(store: Store, project: str, key: int, *, now: datetime) -> None:
    """Reset an item in upload; uploaded ones only have to be verified."""
    if any(item.key == key and item.state == "uploading" for item in outbox.due_items(store, project, now=now)):
        outbox.requeue_unattempted(store, key, "", "", now=now)
