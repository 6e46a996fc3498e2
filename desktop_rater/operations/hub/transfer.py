"""Transfer of files to and from a hub: downloads, verification, and the items of the outbox in order."""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Generic, TypeVar

from desktop_rater.files import temporary_folder
from desktop_rater.format.change import Cancelled, Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import HUB_VERSION, MAX_HUB_FILE_BYTES, MAX_HUB_ZIP_BYTES, hash_in_name
from desktop_rater.format.strict_json import (
    OpenStruct,
    StrictJsonError,
    canonical_json,
    read_json_file,
    read_struct,
    to_plain,
)
from desktop_rater.http.request import MAX_TRIES, next_try_time, retry_wait, wait_for
from desktop_rater.hub.errors import ITEM_KINDS, RETRIED_ERROR_KINDS, HubError, HubErrorKind, incomplete_file_error
from desktop_rater.hub.interface import Hub, PutResult
from desktop_rater.operations.hub.context import SentItem, SyncContext, SyncStep
from desktop_rater.store import mailbox
from desktop_rater.store.mailbox import Outgoing
from desktop_rater.store.store import Store

T = TypeVar("T")
R = TypeVar("R")
TRANSFER_WORKERS = 4
# Once listing has worked, an unreadable file is an error of that file alone.
READ_ERRORS: frozenset[HubErrorKind] = frozenset({*ITEM_KINDS, "rights"})
_TRIES = 4
_MAX_UNANSWERED_ITEMS = 3  # consecutive items without an answer, after which the hub counts as unavailable


class ParallelTransfers(Generic[T, R]):
    """Parallel work on items. `done`: items with results; `failed`: items with errors, while the others continued.

    `chance` gives numbers from 0 to 1 for retry jitter. `item_errors`: kinds that concern one item; all others concern
    the hub.
    """

    def __init__(
        self,
        hub: Hub,
        do: Callable[[Hub, T, Progress], R],
        chance: Callable[[], float],
        progress: Progress,
        item_errors: frozenset[HubErrorKind] = ITEM_KINDS,
    ) -> None:
        self.done: list[tuple[T, R]] = []
        self.failed: list[tuple[T, HubError]] = []
        self._hub = hub
        self._do = do
        self._chance = chance
        self._progress = progress
        self._item_errors = item_errors
        self._waiting: deque[T] = deque()
        self._total = 0
        self._unanswered = 0
        self._stop = Event()

    def run(self, items: Sequence[T]) -> None:
        """Process the items. Raises errors that concern the whole hub, and `Cancelled`; finished items are kept."""
        self._waiting.extend(items)
        self._total = len(items)
        with ThreadPoolExecutor(TRANSFER_WORKERS, "hub") as pool:
            futures = [pool.submit(self._work) for _ in range(min(TRANSFER_WORKERS, len(items)))]
            try:
                wait(futures, return_when=FIRST_EXCEPTION)
            finally:
                self._stop.set()
        errors = [failure for future in futures if (failure := future.exception()) is not None]
        # Prefer real errors to the cancellation of the other workers.
        for failure in sorted(errors, key=lambda error: isinstance(error, Cancelled)):
            raise failure

    def _work(self) -> None:
        progress = Progress(self._report)
        try:
            while True:
                progress(0, 0)
                try:
                    item = self._waiting.popleft()
                except IndexError:
                    return
                self._process(item, progress)
        except BaseException:
            self._stop.set()
            raise

    def _process(self, item: T, progress: Progress) -> None:
        for tries in range(1, _TRIES + 1):
            try:
                result = self._do(self._hub, item, progress)
            except HubError as error:
                if error.kind not in RETRIED_ERROR_KINDS | self._item_errors:
                    raise
                if error.kind in RETRIED_ERROR_KINDS - ITEM_KINDS and tries < _TRIES:
                    wait_for(retry_wait(tries, error.retry_after, self._chance()), progress, self._stop)
                    continue
                self._fail(item, error)
                return
            self._unanswered = 0
            self.done.append((item, result))
            return

    def _fail(self, item: T, error: HubError) -> None:
        self.failed.append((item, error))
        if error.kind in RETRIED_ERROR_KINDS - ITEM_KINDS:
            self._unanswered += 1
            if self._unanswered >= _MAX_UNANSWERED_ITEMS:
                raise error

    def _report(self, _done: int, _total: int) -> None:
        if self._stop.is_set():
            raise Cancelled
        self._progress(len(self.done) + len(self.failed), self._total)


K = TypeVar("K", bound=OpenStruct)


def read_small_file(hub: Hub, name: str, progress: Progress) -> bytes:
    """Read a small file of the hub, verified by the hash in its name, if any. Raises `HubError`."""
    pieces: list[bytes] = []
    hub.get(name, pieces.append, progress, most=MAX_HUB_FILE_BYTES)
    content = b"".join(pieces)
    promised = hash_in_name(name)
    if promised is not None and hashlib.sha256(content).hexdigest() != promised:
        raise incomplete_file_error(name)
    return content


def verify_hub_file(hub: Hub, name: str, sha256: str, size: int, progress: Progress) -> None:
    """Read a file of the hub and verify its content. Raises `HubError`."""
    digest = hashlib.sha256()
    hub.get(name, digest.update, progress, most=min(size, MAX_HUB_ZIP_BYTES))
    if digest.hexdigest() != sha256:
        raise incomplete_file_error(name)


def put_small_file(hub: Hub, name: str, content: bytes, progress: Progress) -> PutResult:
    """Upload a small file, unless it exceeds the limit for reading. Raises `HubError`."""
    if len(content) > MAX_HUB_FILE_BYTES:
        message = f"{name} would have {len(content):,} bytes, and {MAX_HUB_FILE_BYTES:,} are read."
        raise HubError("too_large", "A file is too large for the hub.", message, "Choose a shorter title or name.")
    with temporary_folder() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        return hub.put_new(name, path, hashlib.sha256(content).hexdigest(), progress)


def small_file_bytes(value: OpenStruct) -> bytes:
    """Return a small file's bytes, deterministic for a value."""
    return canonical_json(to_plain(value)) + b"\n"


class NewerFormat(HubError):
    """A small file written by a newer program version."""


def decode_small_file(content: bytes, shape: type[K], name: str) -> K:
    """Decode a small file. Raises `HubError` if it is invalid, `NewerFormat` if its version is newer."""
    try:
        plain = read_json_file(content)
        version = plain.get("version")
        if isinstance(version, int) and version > HUB_VERSION:
            title = f"{name} on the hub was written by a newer version of this program."
            why = f"Its format version is {version}; this program supports {HUB_VERSION}."
            raise NewerFormat("not_a_hub", title, why, "Update this program.")
        return read_struct(plain, shape)
    except StrictJsonError as error:
        raise HubError("not_a_hub", f"{name} on the hub can't be read.", f"Its content is invalid: {error}.") from None


def retry_all(store: Store, project: str, *, now: datetime) -> Change:
    """Schedule all stopped and waiting items for the next sync, and request refused files again."""
    mailbox.retry_items(store, project, now=now)
    mailbox.forget_refused(store, project)
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
            path = mailbox.item_content(self._context.reader, item, self._context.check_cancelled)
            if path is None:
                self._context.record(mailbox.mark_failed, item.key, "other", _GONE)
                return
            self._context.record(mailbox.mark_uploading, item.key)
            outcome = self._context.hub.put_new(item.name, path, item.sha256, self._context.progress)
            self._context.record(mailbox.mark_uploaded, item.key)
        verify_hub_file(self._context.hub, item.name, item.sha256, item.size, self._context.progress)
        self._context.record(mailbox.mark_verified, item.key)
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
                self._context.on_store(lambda store: mailbox.mark_failed(store, item.key, kind, message, now=now))
            else:
                when = next_try_time(attempts, error.retry_after, now, self._context.environment.chance())
                self._context.on_store(
                    lambda store: mailbox.retry_later(store, item.key, kind, message, next_try=when, now=now)
                )
            self._unanswered += kind in RETRIED_ERROR_KINDS - ITEM_KINDS
            if self._unanswered >= _MAX_UNANSWERED or error.retry_after is not None:
                raise error
        elif kind in ITEM_KINDS or (item.kind == "key" and kind == "rights"):
            # A rater who may not publish a key can still send results.
            self._context.on_store(lambda store: mailbox.mark_failed(store, item.key, kind, message, now=now))
        else:
            self._context.on_store(lambda store: mailbox.requeue_unattempted(store, item.key, kind, message, now=now))
            raise error


def _reset(store: Store, project: str, key: int, *, now: datetime) -> None:
    """Reset an item in upload; uploaded ones only have to be verified."""
    if any(item.key == key and item.state == "uploading" for item in mailbox.due_items(store, project, now=now)):
        mailbox.requeue_unattempted(store, key, "", "", now=now)
