"""Open a dataset as an audit: its results go into the lead's store as they were judged, one zip after another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.hub_names import Signature
from desktop_rater.format.manifests import HistoryLine
from desktop_rater.format.strict_json import prepared_type, sha256
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.import_results import ImportedCopy, ImportedFile, ImportedResults
from desktop_rater.operations.audit.load_audit import lead_copies
from desktop_rater.plugins.dataset.judge import copy_of_row, gold_of_rows
from desktop_rater.plugins.dataset.parts import (
    CHECK_HINT,
    DatasetFile,
    DatasetManifest,
    fault_of,
    read_dataset_manifest,
    read_rows,
)
from desktop_rater.store import received, reviews
from desktop_rater.store.keys import record_signature
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store

_TABLES = ("results", "ratings", "history", "tasks", "bundles", "gold")
_CHUNK = 200  # ratings in one transaction
_TEXTS = 1_000
_BATCH = 20  # zips that become visible together


def open_dataset(
    store: Store, folder: Path, *, lead: str, now: datetime, progress: Progress, bundle: str = ""
) -> ImportedResults:
    """Take the results of a dataset, or of one bundle in it, into the lead's store without judging them again.

    Files are compared with the manifest first. Keys, decisions and verdicts stay those of the store. What the store
    holds already is left out. Raises `RaterError`, or `Cancelled`; results that were complete before are kept.
    """
    manifest = read_dataset_manifest(folder)
    if bundle and bundle not in manifest.bundles:
        names = ", ".join(manifest.bundles) or "none"
        raise RaterError(f"The dataset has no bundle {bundle!r}.", f"Bundles: {names}.")
    with bundle_errors(folder, "opened", CHECK_HINT):
        return _DatasetImport(store, folder, manifest, bundle, now).run(lead, progress)


class _DatasetImport:
    def __init__(self, store: Store, folder: Path, manifest: DatasetManifest, bundle: str, now: datetime) -> None:
        self._store = store
        self._folder = folder
        self._manifest = manifest
        self._bundle = bundle
        self._now = now

    def run(self, lead: str, progress: Progress) -> ImportedResults:
        for file in self._manifest.files:
            if file.table in _TABLES and (fault := fault_of(self._folder, file, progress)):
                raise RaterError("The dataset is damaged.", f"{file.path}: {fault}.", CHECK_HINT)
        self._store_texts(progress)
        copies = tuple(self._copies(lead))
        stored = received.stored_results(self._store)
        results = {row["results"]: row for row in self._rows("results")}
        took = [_imported(row, known=True) for name, row in results.items() if name in stored]
        new = {name: row for name, row in results.items() if name not in stored}
        keys: list[int] = []
        try:
            for number, (row, key) in enumerate(self._stored_zips(new, progress)):
                progress(number, len(new))
                keys.append(key)
                took.append(_imported(row, known=False))
                if len(keys) == _BATCH:
                    received.finish_results(self._store, keys)
                    keys.clear()
        finally:
            if keys:
                received.finish_results(self._store, keys)
        progress(len(new), len(new))
        changed = {row["bundle"] for row in new.values()} | {copy.bundle for copy in copies if not copy.known}
        return ImportedResults(audits=frozenset(changed), took=tuple(took), copies=copies)

    def _rows(self, table: str, columns: Iterable[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table that belong to the bundle, piece by piece."""
        files = self._manifest.of_table(table)
        for row in read_rows(self._folder, files, None if columns is None else [*columns, "bundle"]):
            if self._bundle in ("", row["bundle"]):
                yield row

    def _store_texts(self, progress: Progress) -> None:
        waiting: dict[str, bytes] = {}
        wanted = {row["text"] for row in self._rows("ratings", ("text",))}
        wanted.update(text for row in self._rows("bundles", ("copy",)) for _, text in copy_of_row(row).tasks)
        wanted -= received.stored_texts(self._store)
        # A text that several bundles have is one row, with the first of them.
        for row in read_rows(self._folder, self._manifest.of_table("tasks"), ("text", "line")):
            if row["text"] not in wanted:
                continue
            line = row["line"].encode()
            if sha256(line) != row["text"]:
                raise RaterError("The dataset is damaged.", f"The text {row['text']} is another one.", CHECK_HINT)
            waiting[row["text"]] = line
            if len(waiting) == _TEXTS:
                progress(0, 0)
                received.store_texts(self._store, waiting.items())
                waiting.clear()
        received.store_texts(self._store, waiting.items())

    def _copies(self, lead: str) -> Iterator[ImportedCopy]:
        """Store the lead's copies with their gold; a revision that the store holds stays as it is."""
        gold: dict[str, list[dict[str, Any]]] = {}
        for row in self._rows("gold"):
            gold.setdefault(row["bundle"], []).append(row)
        for row in self._rows("bundles"):
            bundle, copy = row["bundle"], copy_of_row(row)
            is_known = any(held.revision == copy.revision for held in lead_copies(self._store, bundle))
            golds = [pair for pair in gold_of_rows(gold.get(bundle, ())) if pair[1].revision == copy.revision]
            if not is_known:
                changes = [NewReview(subject=("bundle", str(copy.revision)), body=copy)]
                changes += [NewReview(subject=("gold", task, str(copy.revision)), body=body) for task, body in golds]
                reviews.insert_reviews(self._store, bundle, changes, lead, now=self._now)
            yield ImportedCopy(
                file=self._folder.name,
                bundle=bundle,
                revision=copy.revision,
                tasks=len(copy.tasks),
                gold=len(golds),
                known=is_known,
            )

    def _stored_zips(
        self, new: Mapping[str, dict[str, Any]], progress: Progress
    ) -> Iterator[tuple[dict[str, Any], int]]:
        """Store one zip after another, still hidden; yield its row and key."""
        columns = ("results", "task", "text", "revision", "sha256", "digest", "rating")
        rows = (row for row in self._rows("ratings", columns) if row["results"] in new)
        files = self._history_files()
        for name, ratings in groupby(rows, key=itemgetter("results")):  # the rows of a zip are written together
            histories = self._histories(name, files.get(name, ()))
            yield new[name], self._store_zip(new[name], ratings, histories, progress)

    def _store_zip(
        self,
        row: dict[str, Any],
        ratings: Iterable[dict[str, Any]],
        histories: Mapping[str, list[HistoryLine]],
        progress: Progress,
    ) -> int:
        key = received.begin_results(
            self._store,
            NewReceivedResults(
                sha256=row["results"],
                bundle=row["bundle"],
                rater=row["rater"],
                supersedes=row["supersedes"],
                manifest=row["manifest"],
                rubric_toml=row["rubric_toml"],
                file=row["file"],
                arrived=format_time(self._now),
            ),
        )
        signature = Signature(state=row["signature"], key=row["signature_key"] or "")
        record_signature(self._store, key, signature)
        chunk: list[NewReceivedRating] = []
        for rating in ratings:
            progress(0, 0)
            chunk.append(_rating_of(rating, histories.get(rating["task"], [])))
            if len(chunk) == _CHUNK:
                received.add_received_ratings(self._store, key, chunk, {})
                chunk = []
        received.add_received_ratings(self._store, key, chunk, {})
        return key

    def _history_files(self) -> dict[str, list[DatasetFile]]:
        """Return for each results zip the files with its history, so that no other one is opened for it."""
        files: dict[str, list[DatasetFile]] = {}
        for file in self._manifest.of_table("history"):
            for results in {row["results"] for row in read_rows(self._folder, [file], ("results",))}:
                files.setdefault(results, []).append(file)
        return files

    def _histories(self, results: str, files: Sequence[DatasetFile]) -> dict[str, list[HistoryLine]]:
        histories: dict[str, list[HistoryLine]] = {}
        for row in read_rows(self._folder, files, where=("results", results)):
            line = HistoryLine(**{name: row[name] for name in ("task", "revision", "changed", "done", "sha256")})
            histories.setdefault(line.task, []).append(line)
        return histories


def _rating_of(row: Mapping[str, Any], history: list[HistoryLine]) -> NewReceivedRating:
    try:
        digest = msgspec.json.decode(row["digest"], type=prepared_type(Digest))
    except msgspec.MsgspecError as error:
        raise RaterError("The dataset is damaged.", f"A digest can't be read: {error}.", CHECK_HINT) from error
    return NewReceivedRating(
        task=row["task"],
        text=row["text"],
        revision=row["revision"],
        sha256=row["sha256"],
        digest=digest,
        history=msgspec.json.encode(sorted(history, key=lambda line: line.revision)).decode(),
        body=row["rating"].encode(),
    )


def _imported(row: Mapping[str, Any], *, known: bool) -> ImportedFile:
    fields = ("file", "bundle", "rater", "complete", "skipped", "partial", "practice", "signature")
    return ImportedFile(sha256=row["results"], known=known, **{name: row[name] for name in fields})
