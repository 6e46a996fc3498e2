"""Take the results of many raters in: each checked from scratch, and what is not good is named and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.kind import kind_of
from desktop_rater.model.change import Change
from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import received, signatures
from desktop_rater.store.trouble import StoreError
from desktop_rater.work.audit_texts import Texts
from desktop_rater.work.judge_results import Known
from desktop_rater.work.published_keys import KeyTaken, is_key, take_keys
from desktop_rater.work.results_files import ResultsFile, content_of, files_of, readable
from desktop_rater.work.take_copy import CopyTaken, take_copy
from desktop_rater.work.take_results import Taking, Took, take_results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.store.store import Store

_AT_ONCE = 50  # zips that are made ready together: each time waits for the disk


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A file of which nothing was taken, and why. `file` is its name, below the folder that was named."""

    file: str
    title: str
    message: str = ""
    hint: str = ""


class Opened(Change, frozen=True, kw_only=True):
    """What came of it, each in the order of the files. `took`: results; `copies`: the lead's copies of bundles.

    `keys`: the public keys that raters sign with.
    """

    took: tuple[Took, ...] = ()
    copies: tuple[CopyTaken, ...] = ()
    refused: tuple[Refused, ...] = ()
    keys: tuple[KeyTaken, ...] = ()


def open_results(store: Store, paths: Sequence[Path], *, lead: str, now: datetime, progress: Progress) -> Opened:
    """Take results, copies of bundles and raters' keys, from files and folders. The same file twice changes nothing.

    Raises `StoreError` where nothing more can be stored, or `Cancelled`; what came in whole before that stays.
    """
    return _Opening(store, lead, now).open(paths, progress)


class _Opening:
    def __init__(self, store: Store, lead: str, now: datetime) -> None:
        self._store = store
        self._lead = lead
        self._run = Taking(store, Known(), Texts(store), now)
        self._known = received.known(store)
        self._keys: list[int] = []
        self._took: list[Took] = []
        self._copies: list[CopyTaken] = []
        self._refused: list[Refused] = []

    def open(self, paths: Sequence[Path], progress: Progress) -> Opened:
        keys = take_keys(self._store, paths, now=self._run.now, refuse=self._refuse)
        files = [one for path in paths if not is_key(path) for one in files_of(path, self._refuse)]
        try:
            for done, file in enumerate(files):
                progress(done, len(files))
                self._open(file, _stopped_with(progress, done, len(files)))
                if len(self._keys) == _AT_ONCE:
                    self._finish()
        except (Cancelled, KeyboardInterrupt):
            self._finish()
            raise
        self._finish()
        progress(len(files), len(files))
        touched = {one.bundle for one in self._took if not one.known}
        touched |= {one.bundle for one in self._copies if not one.known}
        if not all(one.known for one in keys):
            touched |= set(received.bundles(self._store))  # whose signatures now say more
        return Opened(
            audits=frozenset(touched),
            took=tuple(self._took),
            copies=tuple(self._copies),
            refused=tuple(self._refused),
            keys=keys,
        )

    def _open(self, file: ResultsFile, progress: Progress) -> None:
        try:
            if kind_of(file.path) == "bundle":
                now, texts = self._run.now, self._run.texts
                copy = take_copy(self._store, file.path, texts, lead=self._lead, now=now, progress=progress)
                self._copies.append(msgspec.structs.replace(copy, file=file.shown))
            else:
                self._open_results(file, progress)
        except StoreError:
            raise
        except RaterError as error:
            self._refuse(file.shown, error)

    def _refuse(self, name: str, error: RaterError) -> None:
        title, message = readable(error.title), readable(error.message)
        self._refused.append(Refused(file=name, title=title, message=message, hint=error.hint))

    def _open_results(self, file: ResultsFile, progress: Progress) -> None:
        content = content_of(file.path)
        digest = content.sha256
        if digest in self._known:
            self._finish()  # it may be of this very run
            arrived, signed = received.of(self._store, digest), signatures.of(self._store, digest)
            self._took.append(
                Took(
                    file=file.shown,
                    sha256=digest,
                    bundle=arrived.bundle,
                    rater=arrived.rater,
                    complete=arrived.complete,
                    skipped=arrived.skipped,
                    partial=arrived.partial,
                    practice=arrived.practice,
                    known=True,
                    signature=signed.state if signed is not None else "unsigned",
                )
            )
            return
        took, key = take_results(self._run, file, content, progress)
        self._known.add(digest)
        self._keys.append(key)
        self._took.append(took)

    def _finish(self) -> None:
        keys, self._keys = self._keys, []
        if keys:
            received.finish(self._store, keys)


def _stopped_with(progress: Progress, done: int, total: int) -> Progress:
    """For the work on one file: it is told to stop as the run is, and how far the run is counts in files."""
    return Progress(lambda _done, _total: progress(done, total))
