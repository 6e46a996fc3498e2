"""An open store. What it can do stands in the modules beside this one, as functions that take it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Self

from desktop_rater.store.connection import NAME, connect_writer
from desktop_rater.store.trouble import DiskFailed, StoreDamaged, StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from sqlite_utils import Database

    from desktop_rater.store.lock import Lock


class Store:
    """A connection, and for a writer the right to write. Any thread may use it, one at a time.

    `db` and the contexts are for the modules of this room.
    """

    def __init__(self, folder: Path, db: Database, lock: Lock | None = None) -> None:
        self.folder = folder
        self.db = db
        self._lock = lock
        self._not_noted = lock
        self._failed: DiskFailed | None = None
        self._lasting = True
        self.log_was_gone = False  # the last program ended without closing, and what it had not put away is missing

    @property
    def writable(self) -> bool:
        """Whether this is the one that may write."""
        return self._lock is not None

    @contextmanager
    def reading(self, loss: str) -> Generator[Database]:
        """Read; `loss` says what can't be done if that fails. Raises `StoreError`."""
        with translating(loss):
            yield self.db

    @contextmanager
    def writing(self, loss: str, *, lasting: bool = True) -> Generator[Database]:
        """One transaction, on disk when the block ends; `loss` says what is not done if that fails.

        One that is not `lasting` is whole or not there after a power cut, and on disk with the next one that is. It is
        for what nobody relies on before that, and does not wait for the disk.

        Raises `StoreError`. After `DiskFailed` nothing more is written: a second fsync that succeeds would prove
        nothing about what the first one lost.
        """
        if self._failed is not None:
            raise DiskFailed(self._failed.title, loss, self._failed.hint) from self._failed
        if self.db.conn.in_transaction:
            raise RuntimeError("a transaction is under way: what is written inside it would go with it")
        try:
            with translating(loss):
                self._wait_for_disk(lasting=lasting)
                with self.db.atomic():
                    yield self.db
        except DiskFailed as failed:
            self._failed = failed
            raise
        self._note_log()

    def _note_log(self) -> None:
        """From the first write on there is something in the log."""
        lock, self._not_noted = self._not_noted, None
        if lock is not None:
            with suppress(OSError):  # the note only informs, and what was written is written
                lock.note_log()

    def take_up_again(self) -> None:
        """Write again after the disk failed, once what is there has proved sound; nothing where it did not fail.

        Raises `StoreError`: it takes no writes then, as before.
        """
        if self._failed is None:
            return
        with translating("The store is not opened again after the disk failed."):
            if self._lock is not None:
                self._lock.erase_note()  # the log is put away, until something is written again
                self._not_noted = self._lock
            db = connect_writer(self.folder / NAME)
            try:
                _prove(db)
            except BaseException:
                db.close()
                raise
            self.db, before = db, self.db
            self._failed, self._lasting = None, True
            before.close()

    def _wait_for_disk(self, *, lasting: bool) -> None:
        if lasting is not self._lasting:
            # In a WAL each sync covers all that was written before it.
            self.db.conn.execute(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
            self._lasting = lasting

    @contextmanager
    def at_one_moment(self) -> Generator[None]:
        """All that is read inside belongs together, whatever another program writes meanwhile.

        A writer needs no such care: nobody else writes. Inside another such moment this one is the same.
        """
        if self.writable or self.db.conn.in_transaction:
            yield
            return
        with translating("The store can't be read."):
            self.db.conn.execute("BEGIN")
        try:
            yield
        finally:
            self.db.rollback()

    def close(self) -> None:
        """Put the log into the main file, and let the next program in. Closing twice does nothing more."""
        try:
            with translating("The store is sound, but its log was not put away."), ExitStack() as last:
                last.callback(self.db.close)
                if self._lock is not None:
                    if self._failed is None:
                        last.callback(self._put_log_away)
                    self._lock.erase_note()  # it says that there is a log
        finally:
            lock, self._lock = self._lock, None
            if lock is not None:
                lock.release()

    def _put_log_away(self) -> None:
        # A reader that is in the middle of something keeps the log; it is put away at the next closing.
        self.db.conn.execute("PRAGMA busy_timeout = 200")
        self.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            self.close()
        except StoreError:
            if error is None:  # else what went wrong first is what has to be told
                raise


def _prove(db: Database) -> None:
    """Write what the log holds once more, to the main file, and see that the disk keeps it and that it makes sense.

    A sync that failed has marked as written what it did not write, so the next one would be content with nothing. What
    is written anew it has to write.
    """
    (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError("The store is busy.", "Its log can't be put away now.", "Try again in a moment.")
    for (text,) in db.execute("PRAGMA quick_check(1)"):
        if text != "ok":
            raise StoreDamaged("The store is damaged.", f"The disk failed, and now the database is not sound: {text}")
