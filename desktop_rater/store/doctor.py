"""Is a store sound? It is only read, also beside the program that writes to it."""

from __future__ import annotations

import shutil
import sqlite3
from itertools import islice
from typing import TYPE_CHECKING

from desktop_rater.model.progress import Progress
from desktop_rater.store import backups, faults, notes
from desktop_rater.store.log import log_is_gone
from desktop_rater.store.opening import open_reader
from desktop_rater.store.report import Finding, Report
from desktop_rater.store.trouble import StoreDamaged, StoreError, primary_code, translating

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.store.backups import Backup
    from desktop_rater.store.faults import Look
    from desktop_rater.store.store import Store

NOT_OPENED = "opening"  # the check that says that nothing could be examined, where that is no damage
_MOST = 20  # findings of one check that are spelt out
_OFTEN = 100_000  # steps of SQLite's machine between two looks at whether to stop


def examine(folder: Path, progress: Progress | None = None) -> Report:
    """Look at everything in a store's folder. One that is not there yet, or empty, is sound.

    Damage is a fault in the report and never an exception; `Cancelled` is raised once `progress` was stopped.
    """
    progress = progress or Progress()
    found = [*_of_log(folder), *_of_snapshots(folder, progress)]
    remarks = list(notes.of_sqlite(sqlite3.sqlite_version_info))
    try:
        with translating("The folder can't be read."):
            if folder.is_dir():
                remarks += [*notes.of_space(shutil.disk_usage(folder).free), *notes.of_folder(folder)]
                copies = backups.listed(folder, look=lambda: progress(0, 0))
                found += _of_backups(copies)
                remarks += notes.of_backups(copies)
        store = open_reader(folder)
        if store is not None:
            with store, store.at_one_moment(), translating("It can't be read whole."):
                found += _of_store(store, progress)
                remarks += [*notes.of_imports(store), *notes.of_pages(store), *notes.of_stand_ins(store)]
                remarks += notes.of_hubs(store)
    except StoreDamaged as damaged:
        found.append(Finding("store", str(damaged)))
    except StoreError as error:
        found.append(Finding(NOT_OPENED, str(error)))
    return Report(faults=tuple(found), notes=tuple(remarks))


def _of_log(folder: Path) -> Iterator[Finding]:
    if log_is_gone(folder):
        yield Finding("log", "The last program ended without closing it, and its log is gone: the last answers may be.")


def _of_backups(copies: tuple[Backup, ...]) -> Iterator[Finding]:
    for one in copies:
        if one.good is False:
            yield Finding("backups", f"The backup {one.path.name} is not what was backed up. It counts for nothing.")


def _of_snapshots(folder: Path, progress: Progress) -> Iterator[Finding]:
    try:
        with translating("The snapshots can't be read."):
            yield from _first("snapshots", faults.of_snapshots(folder, lambda: progress(0, 0)))
    except StoreError as error:
        yield Finding("snapshots", str(error))


def _of_store(store: Store, progress: Progress) -> Iterator[Finding]:
    for number, (name, check) in enumerate(faults.CHECKS.items()):

        def look(number: int = number) -> None:
            progress(number, len(faults.CHECKS))

        yield from _checked(store, name, check(store, look), look)
    progress(len(faults.CHECKS), len(faults.CHECKS))


def _checked(store: Store, name: str, texts: Iterator[str], look: Look) -> Iterator[Finding]:
    """One check; what it can't read is a fault too."""
    look()
    store.db.conn.set_progress_handler(look, _OFTEN)  # what it raises makes SQLite stop
    try:
        with translating("It can't be read whole."):
            yield from _first(name, texts)
    except StoreError as error:
        yield Finding(name, str(error))
    except (TypeError, ValueError) as error:  # a damaged row holds values that its table does not allow
        yield Finding(name, f"What is stored makes no sense: {error}")
    except sqlite3.OperationalError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            look()
        raise
    finally:
        store.db.conn.set_progress_handler(None, 0)


def _first(name: str, texts: Iterator[str]) -> Iterator[Finding]:
    for text in islice(texts, _MOST):
        yield Finding(name, text)
    more = sum(1 for _ in texts)
    if more:
        yield Finding(name, f"… and {more} more of that kind.")
