"""Build a dataset from results: judge what is new, decide what counts, and write the manifest last."""

import shutil
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from sys import intern
from typing import Any

import msgspec
from filelock import FileLock, Timeout

from desktop_rater import __version__
from desktop_rater.audit.quarantine import AuditEvidence, CountedResults, KnownKeys, LeadDecisions, count_results
from desktop_rater.audit.results import (
    LeadCopy,
    ReceivedRating,
    ReceivedResults,
    ResultsDecision,
    ResultsRubric,
    results_signatures,
    separate_models,
)
from desktop_rater.audit.status import natural_key
from desktop_rater.files import remove_folder, remove_leftovers, sync_folder, temporary_folder
from desktop_rater.format.archive import zip_kind
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, RaterError, bundle_errors
from desktop_rater.format.hub_names import KEYS, Signature
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.import_results import RefusedFile, import_results
from desktop_rater.operations.audit.load_audit import audited_bundles
from desktop_rater.operations.audit.results_files import ResultsFile, file_state, files_of
from desktop_rater.operations.audit.text_scores import ratings_sha256
from desktop_rater.operations.hub.keys import import_keys, is_key_file
from desktop_rater.operations.results_tables.tables import Row
from desktop_rater.plugins.dataset.engines import BatchRunner
from desktop_rater.plugins.dataset.judge import (
    LeadTables,
    RefusedZip,
    SourceZip,
    ZipBatch,
    copy_of_row,
    refused_zip,
    trust_of_rows,
)
from desktop_rater.plugins.dataset.parts import (
    BY_NAME,
    FORMAT,
    MANIFEST,
    SCHEMA_VERSION,
    TABLES,
    DatasetFile,
    DatasetManifest,
    TableWriter,
    bucket_of,
    check_path,
    is_placed,
    placed_file,
    read_dataset_manifest,
    read_rows,
    unnamed_files,
    write_dataset_manifest,
)
from desktop_rater.rubric.compiled import ENGINE
from desktop_rater.store.keys import KEYS_FROM_FILES, SeenKey, known_keys, record_keys
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import Store

_NAMED = ResultsDecision(kind="admitted", reason="the file was given by its name")
RATING_COLUMNS = ("results", "bundle", "task", "rater", "text", "sha256", "revision")


def received_rating_of(row: Mapping[str, Any]) -> ReceivedRating:
    """Return the rating in a row with the columns `RATING_COLUMNS`, without its figures."""
    return ReceivedRating(
        results=intern(row["results"]),
        task=intern(row["task"]),
        rater=intern(row["rater"]),
        text=intern(row["text"]),
        sha256=row["sha256"],
        revision=row["revision"],
        summary=b"",
    )


def copies_of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[LeadCopy, ...]]:
    """Return bundle → the lead's copies, the highest revision last."""
    copies: dict[str, list[LeadCopy]] = {}
    for row in sorted(rows, key=lambda row: row["revision"]):
        copies.setdefault(row["bundle"], []).append(copy_of_row(row))
    return {bundle: tuple(several) for bundle, several in copies.items()}


def derived_rows(
    bundle: str,
    rows: Mapping[str, Sequence[Row]],
    received_ratings: Sequence[ReceivedRating],
    copies: tuple[LeadCopy, ...],
) -> Iterator[tuple[str, Row]]:
    """Yield table and row of the tables that are derived from all results of a bundle.

    `rows`: those of its `results` and `scores`, and of `trust`; `copies`: the lead's.
    """
    received = [_received_of(row) for row in rows["results"]]
    signatures = {
        row["results"]: Signature(state=row["signature"], key=row["signature_key"] or "") for row in rows["results"]
    }
    results, ratings = separate_models(received, received_ratings)
    trust = trust_of_rows(rows["trust"])
    named = {entry.sha256: _NAMED for entry in results if entry.model and entry.sha256 in trust.named}
    decisions = LeadDecisions(results={**named, **trust.decisions.results}, raters=trust.decisions.raters)
    counted = count_results(
        AuditEvidence(
            received=results,
            ratings=ratings,
            rubrics={row["results"]: ResultsRubric(row["rubric"], row["rubric_toml"]) for row in rows["results"]},
            copies=copies,
            signings=results_signatures(results, signatures, trust.keys.valid),
            keys=trust.keys,
            decisions=decisions,
            assigned=trust.assigned,
        )
    )
    models = {entry.rater for entry in results if entry.model}
    effective = counted.effective
    counting = {(rating.results, rating.task) for rating in effective.counting.values()}
    earlier = {(rating.results, rating.task) for rating in effective.earlier}
    stale = {(rating.results, rating.task) for rating in counted.stale}
    for rating in ratings:
        key = rating.results, rating.task
        standing = "counts" if key in counting else "earlier" if key in earlier else "stale" if key in stale else "out"
        yield (
            "counted",
            {
                "results": rating.results,
                "bundle": bundle,
                "task": rating.task,
                "bucket": bucket_of(rating.task),
                "rater": rating.rater,
                "model": rating.rater in models,
                "standing": standing,
                "sha256": rating.sha256,
            },
        )
    yield from _rater_rows(bundle, counted, models)
    copy = copies[-1] if copies else None
    names = [name for name, _ in copy.tasks] if copy is not None else sorted(effective.texts, key=natural_key)
    for position, name in enumerate(names):
        text = effective.texts.get(name)
        row = {"bundle": bundle, "task": name, "bucket": bucket_of(name), "position": position, "text": text}
        yield "audited_tasks", row
    scored = ratings_sha256(effective.counting) if rows["scores"] else None
    yield "audits", {**_audit_row(bundle, counted, copy), "scored": scored}


def _received_of(row: Row) -> ReceivedResults:
    fields = {name: row[name] for name in ReceivedResults.__struct_fields__ if name in row}
    return msgspec.convert({**fields, "sha256": row["results"]}, prepared_type(ReceivedResults))


def _rater_rows(bundle: str, counted: CountedResults, models: set[str]) -> Iterator[tuple[str, Row]]:
    results = Counter(entry.rater for entry in counted.results)
    ratings = Counter(rater for _, rater in counted.effective.counting)
    forked = {fork.rater for fork in counted.effective.forks}
    for rater in sorted(results):
        row = {"results": results[rater], "ratings": ratings[rater], "forked": rater in forked}
        yield "raters", {"bundle": bundle, "rater": rater, "model": rater in models, **row}


def _audit_row(bundle: str, counted: CountedResults, copy: LeadCopy | None) -> Row:
    languages = (entry.language for entry in counted.results)
    return {
        "bundle": bundle,
        "title": copy.title if copy is not None and copy.title else bundle,
        "rubric": counted.rubric.ref,
        "rubric_toml": counted.rubric.toml,
        "language": copy.language if copy is not None else max(languages, default=""),
        "known": copy is not None,
        "stale": len(counted.stale),
        "forks": msgspec.to_builtins(counted.effective.forks),
        "held": msgspec.to_builtins(counted.held),
        "cautions": msgspec.to_builtins(counted.cautions),
        "raters_from": counted.raters_from,
    }


_BUILDING, _LOCK = ".building", ".lock"
_MOST_ZIPS, _LEAST_BYTES, _MOST_BYTES = 64, 500_000, 64_000_000  # of a batch: its rows are one file of each table
_READERS = 4
_HINT = "The dataset is as before. Choose another folder, or make room."

CollectHub = Callable[[Path, Collection[str]], Iterable[tuple[str, RaterError]]]
"""Downloads the results of a hub to a folder, except those of which the SHA-256 is known; returns what failed."""


class BuildOptions(msgspec.Struct, frozen=True, kw_only=True):
    """`bundle`: the only one to accept, empty for all. `workers`: how many, for the sizes of batches."""

    bundle: str = ""
    workers: int = 1


class BuiltDataset(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a build. `added` and `judged_before`: zips; `refused`: files refused now; `passed_over`: others."""

    manifest: DatasetManifest
    added: int
    judged_before: int
    refused: tuple[RefusedFile, ...]
    passed_over: tuple[str, ...]


def build_dataset(
    folder: Path,
    paths: Sequence[Path],
    *,
    run: BatchRunner,
    now: datetime,
    progress: Progress,
    options: BuildOptions,
    store: Store | None = None,
    hubs: Sequence[CollectHub] = (),
) -> BuiltDataset:
    """Add the results among files and folders to a dataset, which may be new. The same files change nothing.

    Bundles and raters' keys among the files become the lead's, as when results are imported. `store`: also that lead's
    copies, keys, decisions and verdicts. Raises `RaterError` or `Cancelled`; the dataset is as before then.
    """
    with bundle_errors(folder, "written", _HINT), _locked(folder):
        before = read_dataset_manifest(folder) if (folder / MANIFEST).exists() else DatasetManifest(format=FORMAT)
        building = folder / _BUILDING
        _clean(folder, before)
        remove_folder(building)  # left by a killed build
        building.mkdir()
        try:
            return _Build(folder, before, run, now, progress, options).add(paths, store, hubs)
        finally:
            shutil.rmtree(building, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    check_path(folder)
    if folder.is_dir() and not (folder / MANIFEST).exists():
        others = [path.name for path in folder.iterdir() if path.name not in {_LOCK, _BUILDING, *BY_NAME}]
        if others:
            why = f"It holds {others[0]!r}, and no dataset."
            raise RaterError(f"{folder.name} is not empty", why, "Choose an empty folder, or a new one.")
    folder.mkdir(exist_ok=True)
    try:
        with FileLock(folder / _LOCK, timeout=0):
            yield
    except Timeout as error:
        raise RaterError("The dataset is being built.", "Another program writes to it.", "Try again later.") from error


def _clean(folder: Path, manifest: DatasetManifest) -> None:
    """Remove tables of a killed build, and those that a finished one replaced; other files stay."""
    remove_leftovers(path for path in unnamed_files(folder, manifest) if is_placed(path))


class _Build:
    def __init__(
        self,
        folder: Path,
        before: DatasetManifest,
        run: BatchRunner,
        now: datetime,
        progress: Progress,
        options: BuildOptions,
    ) -> None:
        self._folder = folder
        self._before = before
        self._run = run
        self._now = now
        self._progress = progress
        self._options = options
        self._building = folder / _BUILDING
        self._refused: list[RefusedZip] = []
        self._passed_over: list[str] = []
        self._known: set[str] = {row["results"] for row in self._stored("results", ("results",))}
        self._known_refusals = {row["results"]: row for row in self._stored("refusals") if row["results"]}

    def _stored(self, table: str, columns: Collection[str] | None = None) -> Iterable[Row]:
        return read_rows(self._folder, self._before.of_table(table), columns)

    def add(self, paths: Sequence[Path], store: Store | None, hubs: Sequence[CollectHub]) -> BuiltDataset:
        known_zips = self._known | self._known_refusals.keys()
        for number, collect in enumerate(hubs):
            place = self._building / f"hub-{number}"
            for name, error in collect(place, known_zips):
                self._refuse(name, error)
            paths = [*paths, place]
        listed = [
            file
            for path in paths
            if not is_key_file(path)
            for file in files_of(path, self._refuse, self._passed_over.append)
        ]
        bundles = [file for file in listed if zip_kind(file.path) == "bundle"]
        own_bundles = {file.path for file in bundles}
        zips = self._zips([file for file in listed if file.path not in own_bundles])
        new = [source for source in zips if source.sha256 not in known_zips]
        lead = self._lead_tables(paths, bundles, store)
        named = {str(path.absolute()) for path in paths}
        lead.add_named(source.sha256 for source in zips if source.path in named and _is_of_model(source))
        parts: list[DatasetFile] = []
        added = 0
        for judged in self._run(self._batches(new), self._progress):
            parts += judged.files
            self._refused += judged.refused
            added += judged.accepted
        self._progress(0, 0)
        kept = tuple(file for file in self._before.files if BY_NAME[file.table].source == "part")
        with TableWriter(self._building) as writer:
            self._write_tasks(writer, [file for file in parts if file.table == "tasks"], lead.tasks)
            parts = [file for file in parts if file.table != "tasks"]
            lead_rows = lead.rows()
            for name, rows in lead_rows.items():
                writer.write(name, writer.arrow(name, rows))
            self._write_derived(writer, parts, kept, lead_rows)
            written = [*parts, *writer.close()]
        manifest = self._publish(written, kept)
        return BuiltDataset(
            manifest=manifest,
            added=added,
            judged_before=len(zips) - len(new),
            refused=tuple(refusal for _, refusal in self._refused),
            passed_over=tuple(self._passed_over),
        )

    def _refuse(self, name: str, error: RaterError) -> None:
        self._refused.append(refused_zip(SourceZip(path="", file=name, sha256="", bytes=0), error))

    def _zips(self, files: Sequence[ResultsFile]) -> list[SourceZip]:
        """Return each zip once, by its content; unreadable ones are refused."""
        sources: dict[str, SourceZip] = {}
        with ThreadPoolExecutor(_READERS) as pool:
            for file, state in zip(files, pool.map(partial(_state, self._progress), files), strict=True):
                if isinstance(state, RaterError):
                    self._refuse(file.display_name, state)
                    continue
                digest, size = state
                source = SourceZip(path=str(file.path.absolute()), file=file.display_name, sha256=digest, bytes=size)
                sources.setdefault(digest, source)
        return list(sources.values())

    def _batches(self, zips: Sequence[SourceZip]) -> list[ZipBatch]:
        """Divide the zips, so that each worker has several batches and no file of a table is tiny without need."""
        share = sum(source.bytes for source in zips) // (4 * self._options.workers)
        most = min(_MOST_BYTES, max(_LEAST_BYTES, share))
        batches: list[list[SourceZip]] = []
        size = 0
        for source in zips:
            if not batches or size + source.bytes > most or len(batches[-1]) == _MOST_ZIPS:
                batches.append([])
                size = 0
            batches[-1].append(source)
            size += source.bytes
        folder, bundle = str(self._building.absolute()), self._options.bundle
        return [ZipBatch(zips=tuple(batch), folder=folder, bundle=bundle) for batch in batches]

    def _lead_tables(self, paths: Sequence[Path], bundles: Sequence[ResultsFile], store: Store | None) -> LeadTables:
        """Return what the lead knows: from earlier builds, the files and the store.

        Files go through a store of their own, so that the same rules apply as when results are imported.
        """
        tables = LeadTables({name: self._stored(name) for name, table in BY_NAME.items() if table.source == "lead"})
        wanted = self._options.bundle
        self._add_stored(tables, store)
        for file in sorted(bundles, key=lambda file: file.path not in paths):
            with self._own_store() as own:
                imported = import_results(own, [file.path], lead="", now=self._now, progress=self._progress)
                self._refused += [("", refusal) for refusal in imported.refused]
                try:
                    for copy in imported.copies:
                        if wanted in ("", copy.bundle):
                            tables.add_bundle(own, copy.bundle, named=file.path in paths)
                except RaterError as error:
                    self._refuse(file.display_name, error)
        if any(is_key_file(path) or (path / KEYS).is_dir() for path in paths):
            known = tables.known_keys()
            with self._own_store() as own:
                held = [SeenKey(rater, key, lead="the lead") for rater, keys in known.valid.items() for key in keys]
                record_keys(own, held, KEYS_FROM_FILES, now=self._now)
                import_keys(own, paths, lead="", now=self._now, refuse=self._refuse)
                valid = known_keys(own).valid
            # Of a rater whose only key was called back, none is a first one.
            now_valid = {name: keys for name, keys in valid.items() if name in known.valid or name not in known.ever}
            tables.add_keys(KnownKeys(valid=now_valid, ever=frozenset(valid)))
        return tables

    def _add_stored(self, tables: LeadTables, store: Store | None) -> None:
        for bundle in audited_bundles(store) if store is not None else ():
            if store is not None and self._options.bundle in ("", bundle):
                with store.snapshot_isolation():
                    tables.replace_reviews(store, bundle)
                    tables.add_bundle(store, bundle, named=True)

    @contextmanager
    def _own_store(self) -> Generator[Store]:
        with (
            temporary_folder() as place,
            open_writer(Path(place), command="audit dataset build") as own,
        ):
            yield own

    def _write_tasks(self, writer: TableWriter, parts: Sequence[DatasetFile], rows: Sequence[Row]) -> None:
        """Write each text of a task once, of those that the dataset does not hold yet."""
        seen = {row["text"] for row in self._stored("tasks", ("text",))}

        def fresh(several: Iterable[Row]) -> Iterator[Row]:
            for row in several:
                if row["text"] not in seen:
                    seen.add(row["text"])
                    yield row

        for file in parts:
            writer.write("tasks", writer.arrow("tasks", fresh(read_rows(self._building, [file]))))
        writer.write("tasks", writer.arrow("tasks", fresh(rows)))

    def _write_derived(
        self,
        writer: TableWriter,
        built: Sequence[DatasetFile],
        kept: Sequence[DatasetFile],
        lead: Mapping[str, Sequence[Row]],
    ) -> None:
        """Write the tables that follow from all results, one bundle after another."""

        def rows_of(name: str, columns: Collection[str] | None = None) -> Iterator[Row]:
            yield from read_rows(self._folder, [file for file in kept if file.table == name], columns)
            yield from read_rows(self._building, [file for file in built if file.table == name], columns)

        results: dict[str, list[Row]] = {}
        for row in rows_of("results"):
            results.setdefault(row["bundle"], []).append(row)
        ratings: dict[str, list[ReceivedRating]] = {}
        for row in rows_of("ratings", RATING_COLUMNS):
            ratings.setdefault(row["bundle"], []).append(received_rating_of(row))
        copies = copies_of_rows(lead["bundles"])
        for bundle in sorted({*results, *copies}):
            known = {name: [row for row in lead[name] if row["bundle"] in ("", bundle)] for name in ("trust", "scores")}
            evidence = {"results": results.get(bundle, []), **known}
            derived = derived_rows(bundle, evidence, ratings.pop(bundle, []), copies.get(bundle, ()))
            for name, rows in groupby(derived, key=itemgetter(0)):
                writer.write(name, writer.arrow(name, map(itemgetter(1), rows)))
        new = ({**msgspec.structs.asdict(refusal), "results": sha256} for sha256, refusal in self._refused)
        refused = [*self._known_refusals.values(), *new]
        writer.write("refusals", writer.arrow("refusals", refused))
        versions = {"schema": SCHEMA_VERSION, "program": __version__, "engine": ENGINE, "built": format_time(self._now)}
        writer.write("meta", writer.arrow("meta", [{"name": name, "value": str(v)} for name, v in versions.items()]))

    def _publish(self, written: Sequence[DatasetFile], kept: Sequence[DatasetFile]) -> DatasetManifest:
        """Move the new files to their tables, then replace the manifest."""
        order = {table.name: number for number, table in enumerate(TABLES)}
        placed = [placed_file(self._building, self._folder, file) for file in written]
        for name in {file.table for file in placed}:
            sync_folder(self._folder / name, required=False)
        files = sorted({file.path: file for file in (*kept, *placed)}.values(), key=lambda f: (order[f.table], f.path))
        manifest = DatasetManifest(
            format=FORMAT,
            program=__version__,
            engine=ENGINE,
            built=format_time(self._now),
            files=tuple(files),
            results=sum(file.rows for file in files if file.table == "results"),
            refused=sum(file.rows for file in files if file.table == "refusals"),
            bundles=tuple(row["bundle"] for row in read_rows(self._folder, [f for f in files if f.table == "audits"])),
            unknown=self._before.unknown,
        )
        write_dataset_manifest(self._folder, manifest)
        _clean(self._folder, manifest)
        return manifest


def _is_of_model(source: SourceZip) -> bool:
    with suppress(BundleError), open_results(Path(source.path)) as results:
        return results.manifest.model is not None
    return False


def _state(progress: Progress, file: ResultsFile) -> tuple[str, int] | RaterError:
    progress(0, 0)
    try:
        state = file_state(file.path)
    except BundleError as error:
        return error
    return state.sha256, state.size
