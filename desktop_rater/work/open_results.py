"""Take the results of many raters in: each checked from scratch, and what is not good is named and left out."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.kind import kind_of
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.model.change import Change
from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import received
from desktop_rater.store.trouble import StoreError
from desktop_rater.work.audit_texts import Texts
from desktop_rater.work.judge_results import Known
from desktop_rater.work.take_copy import CopyTaken, take_copy
from desktop_rater.work.take_results import Taking, Took, take_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from desktop_rater.store.store import Store

_AT_ONCE = 50  # zips that are made ready together: each time waits for the disk
_AGAIN = "Name a results zip, a bundle, or a folder of them."


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A file of which nothing was taken, and why. `file` is its name, below the folder that was named."""

    file: str
    title: str
    message: str = ""
    hint: str = ""


class Opened(Change, frozen=True, kw_only=True):
    """What came of it, each in the order of the files. `took`: results; `copies`: the lead's copies of bundles."""

    took: tuple[Took, ...] = ()
    copies: tuple[CopyTaken, ...] = ()
    refused: tuple[Refused, ...] = ()


class _File(msgspec.Struct, frozen=True):
    path: Path
    shown: str


def open_results(store: Store, paths: Sequence[Path], *, lead: str, now: datetime, progress: Progress) -> Opened:
    """Take results, and copies of bundles, from files and folders. The same file twice changes nothing.

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
        files = list(self._files(paths))
        try:
            for done, file in enumerate(files):
                progress(done, len(files))
                self._open(file, _stopped_with(progress, done, len(files)))
                if len(self._keys) == _AT_ONCE:
                    self._finish()
        except Cancelled:
            self._finish()
            raise
        self._finish()
        progress(len(files), len(files))
        touched = {one.bundle for one in self._took if not one.known}
        touched |= {one.bundle for one in self._copies if not one.known}
        return Opened(
            audits=frozenset(touched),
            took=tuple(self._took),
            copies=tuple(self._copies),
            refused=tuple(self._refused),
        )

    def _open(self, file: _File, progress: Progress) -> None:
        try:
            if kind_of(file.path) == "bundle":
                now, texts = self._run.now, self._run.texts
                self._copies.append(
                    take_copy(self._store, file.path, texts, lead=self._lead, now=now, progress=progress)
                )
            else:
                self._open_results(file, progress)
        except StoreError:
            raise
        except RaterError as error:
            self._refuse(file.shown, error)

    def _refuse(self, name: str, error: RaterError) -> None:
        self._refused.append(Refused(file=name, title=error.title, message=error.message, hint=error.hint))

    def _open_results(self, file: _File, progress: Progress) -> None:
        digest = _sha256(file.path)
        if digest in self._known:
            self._finish()  # it may be of this very run
            arrived = received.of(self._store, digest)
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
                )
            )
            return
        took, key = take_results(self._run, file.path, digest, progress)
        self._known.add(digest)
        self._keys.append(key)
        self._took.append(msgspec.structs.replace(took, file=file.shown))

    def _finish(self) -> None:
        keys, self._keys = self._keys, []
        if keys:
            received.finish(self._store, keys)

    def _files(self, paths: Sequence[Path]) -> Iterator[_File]:
        for path in paths:
            if not path.is_dir():
                yield _File(path, path.name)
                continue
            try:
                found = _zips(path)
            except BundleError as error:
                self._refuse(path.name, error)
                continue
            if not found:
                self._refuse(path.name, BundleError("The folder holds no zip.", hint=_AGAIN))
            for one in found:
                yield _File(one, str(one.relative_to(path)))


def _stopped_with(progress: Progress, done: int, total: int) -> Progress:
    """For the work on one file: it is told to stop as the run is, and how far the run is counts in files."""
    return Progress(lambda _done, _total: progress(done, total))


def _zips(folder: Path) -> list[Path]:
    """The zips of a folder and all that are below it, by name; none that is hidden."""
    found: list[Path] = []
    with named(folder, "read", _AGAIN):
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            zips = (name for name in names if name.lower().endswith(".zip") and not name.startswith("."))
            found += (Path(place) / name for name in zips)
    return sorted(found)


def _raise(error: OSError) -> None:
    raise error


def _sha256(path: Path) -> str:
    with named(path, "opened", _AGAIN), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
