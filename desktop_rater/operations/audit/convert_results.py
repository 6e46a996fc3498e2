"""Convert checked results of one or several raters to another format, or read them as rated tasks and tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater import __version__
from desktop_rater.audit.results import Audit
from desktop_rater.files import is_stream, replaced_file, replaced_files
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.manifests import ResultsManifest
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.write import HINT_UNCHANGED, NOTHING_WRITTEN, refuse_same_file, refuse_unwritable
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.check_results import CheckedResults, ResultsCache, aligned_lines, check_results
from desktop_rater.operations.audit.load_audit import TargetPlacements, language_of, load_audit
from desktop_rater.operations.results_tables import TABLES, find_format, format_names
from desktop_rater.operations.results_tables.relational import (
    ALL_META,
    RATER_COLUMNS,
    RATERS,
    RELATIONAL,
    TaskColumns,
    meta_columns,
    relational_table,
)
from desktop_rater.operations.results_tables.tables import (
    LONG_COLUMNS,
    ExportColumn,
    RatedTask,
    Row,
    long_rows,
    wide_columns,
    wide_rows,
)
from desktop_rater.rubric import Rubric
from desktop_rater.store import received
from desktop_rater.store.store import Store

_STEP = 200


class ResultsConversionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a conversion.

    Tables: `wide` has a row for each rated item, `meta` are names in the tasks' `meta`, by default all, `texts` adds
    prompts and responses. `config`: path of the configuration of an annotation tool's project.
    """

    to: str
    wide: bool = False
    bom: bool = False
    meta: tuple[str, ...] = ()
    texts: bool = False
    config: Path | None = None


class ConvertedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a conversion. `checked`: the check of each results zip. `config`: the additional file written.

    `tables`: the number of rows in each file, if there are several.
    """

    checked: tuple[CheckedResults, ...]
    ratings: int
    rows: int
    config: Path | None = None
    tables: dict[str, int] = {}


def convert_results(
    paths: tuple[Path, ...], out: Path, options: ResultsConversionOptions, progress: Progress
) -> ConvertedResults:
    """Check all results, then write them to one file. Raises `RaterError`; nothing is written then."""
    refuse_unwritable(out)
    config = _config(out, options)
    refuse_same_file(out, *paths, *([config] if config else []))
    if config is not None:
        refuse_same_file(config, *paths)
        refuse_unwritable(config)
    if options.to not in TABLES and (options.meta or options.texts or options.wide):
        raise BundleError("Only tables have columns", f"{options.to} is not a table.", "Leave --meta and --wide out.")
    results = RatedResults(paths, progress)
    rows = RowCount()
    with bundle_errors(out, "written", HINT_UNCHANGED), replaced_file(out) as part_path:
        if options.to in TABLES:
            _write_table(results, options, part_path, rows)
        elif config is None:
            find_format(options.to).write(part_path, results)
        else:
            configuration = find_format(options.to).write(part_path, results, _single_rubric(results)) or b""
            with bundle_errors(config, "written", HINT_UNCHANGED), replaced_file(config) as config_part_path:
                config_part_path.write_bytes(configuration)
    return ConvertedResults(checked=results.checked, ratings=results.ratings, rows=rows.total, config=config)


def convert_to_tables(
    paths: tuple[Path, ...], folder: Path, options: ResultsConversionOptions, progress: Progress
) -> ConvertedResults:
    """Check all results, then write them to a folder as related tables. Raises `RaterError`; nothing changes then."""
    if options.to not in TABLES:
        raise BundleError(f"{options.to} is not a table", hint=f"Choose one of {', '.join(TABLES)}.")
    if options.wide or options.meta or options.texts:
        why = "Related tables always contain a column for each question, and the texts and meta of each task."
        raise BundleError("--wide, --meta and --texts are for a single table", why, "Leave them out.")
    names = {name: f"{name}.{options.to}" for name in RELATIONAL}
    for file in names.values():
        refuse_same_file(folder / file, *paths)
    results = RatedResults(paths, progress)
    counts: dict[str, int] = {}
    with bundle_errors(folder, "written", HINT_UNCHANGED):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(names.values())) as part_folder:
            for name, file in names.items():
                rows = RowCount()
                columns, table_rows = results.table(name)
                TABLES[options.to](
                    part_folder / file,
                    columns,
                    rows.counted(table_rows),
                    bom=options.bom,
                    metadata=results.metadata,
                )
                counts[name] = rows.total
    return ConvertedResults(checked=results.checked, ratings=results.ratings, rows=sum(counts.values()), tables=counts)


class RowCount:
    """Count of the rows that a writer has taken."""

    total = 0

    def counted(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Yield rows and count them."""
        for row in rows:
            self.total += 1
            yield row


def _write_table(results: "RatedResults", options: ResultsConversionOptions, part_path: Path, count: RowCount) -> None:
    added = TaskColumns(meta=results.meta_columns(options.meta), texts=options.texts)
    rows_of = wide_rows if options.wide else long_rows
    rows = ({**row, **added.row(rated.task, row.get("response"))} for rated in results for row in rows_of(rated))
    columns = (*(wide_columns(results.rubrics) if options.wide else LONG_COLUMNS), *added.columns)
    TABLES[options.to](part_path, columns, count.counted(rows), bom=options.bom, metadata=results.metadata)


def _single_rubric(results: "RatedResults") -> Rubric:
    first, *others = results.rubrics
    for path, rubric in zip(results.paths[1:], others, strict=True):
        if rubric.file != first.file:
            why = f"{results.paths[0].name} answers {first.ref}, and {path.name} {rubric.ref}."
            hint = f"A project has one configuration. Convert each rubric by itself. {NOTHING_WRITTEN}"
            raise BundleError(f"{path.name} can't be converted with the others", why, hint)
    return first


def _config(out: Path, options: ResultsConversionOptions) -> Path | None:
    """Return the path of the project's configuration, by default next to the tasks."""
    suffix = "" if options.to in TABLES else find_format(options.to).config_suffix
    if not suffix:
        if options.config is not None:
            others = [name for name in format_names() if name not in TABLES]
            projects = [name for name in others if find_format(name).config_suffix]
            raise BundleError(f"Only {' and '.join(projects)} have a configuration", hint="Leave --config out.")
        return None
    if options.config is None and is_stream(out):
        raise BundleError(f"{out} has no folder for the configuration", NOTHING_WRITTEN, "Name its file with --config.")
    return options.config or out.with_name(out.stem + suffix)


class RatedResults:
    """Checked results of several raters. Iterating reads each rating with its task, from the files. Not thread-safe.

    Raises `RaterError`: for a file that is altered or damaged, and for two results of one rater for one bundle.
    """

    def __init__(self, paths: tuple[Path, ...], progress: Progress) -> None:
        self.paths = paths
        self.checked = tuple(check_results(path, progress) for path in paths)
        self.rubrics: list[Rubric] = []
        self.manifests: list[ResultsManifest] = []
        self.ratings = 0
        self._progress = progress
        self._refuse_twice()
        for path in paths:
            with open_results(path) as results:
                rubric = rubrics.bundle_rubric_of(results.manifest.rubric, results.rubric_toml, path.name)
                self.rubrics.append(rubric)
                self.manifests.append(results.manifest)

    def __iter__(self) -> Iterator[RatedTask]:
        self.ratings = 0
        for path, rubric in zip(self.paths, self.rubrics, strict=True):
            with open_results(path) as results:
                bundle = results.manifest.bundle
                cache = ResultsCache()
                for line, task_line, _ in aligned_lines(path, results, cache):
                    self.ratings += 1
                    if self.ratings % _STEP == 0:
                        self._progress(self.ratings, 0)
                    rating = line.rating
                    task = cache.places(task_line, rubric, bundle.language).of(rating)
                    yield RatedTask(bundle=bundle.id, revision=bundle.revision, rubric=rubric, task=task, rating=rating)

    def table(self, name: str) -> tuple[tuple[ExportColumn, ...], Iterator[Row]]:
        """Return the columns and rows of one of the related tables."""
        if name == RATERS:
            return RATER_COLUMNS, self._raters()
        meta = self.meta_columns((ALL_META,)) if name == "tasks" else ()
        columns, rows_of = relational_table(name, self.rubrics, meta)
        return columns, rows_of(self)

    def meta_columns(self, names: Sequence[str]) -> tuple[ExportColumn, ...]:
        return meta_columns(self._metas(), names)

    def _metas(self) -> Iterator[dict[str, Any]]:
        for path in self.paths:
            with open_results(path) as results:
                yield from results.metas()

    @property
    def metadata(self) -> dict[str, str]:
        """Description of the results for the metadata of a file."""
        results = [
            {"bundle": manifest.bundle.id, "revision": manifest.bundle.revision, "rater": manifest.rater,
             "rubric": manifest.rubric} for manifest in self.manifests
        ]  # fmt: skip
        return {"desktop-rater": canonical_json({"version": __version__, "results": results}).decode()}

    def _refuse_twice(self) -> None:
        """Raise if one rater's results of a bundle occur twice, since every figure would count that rater twice."""
        seen: dict[tuple[str, str], Path] = {}
        for path, results in zip(self.paths, self.checked, strict=True):
            before = seen.setdefault((results.bundle, results.rater), path)
            if before is not path:
                why = f"{before.name} holds ratings of {results.bundle} by {results.rater} already."
                raise BundleError(
                    f"{path.name} can't be converted with the others", why, f"Give only the newer. {NOTHING_WRITTEN}"
                )

    def _raters(self) -> Iterator[Row]:
        for manifest, checked in zip(self.manifests, self.checked, strict=True):
            yield {
                "bundle": manifest.bundle.id,
                "revision": manifest.bundle.revision,
                "rater": manifest.rater,
                "rubric": manifest.rubric,
                "tasks": manifest.counts.tasks,
                "complete": manifest.counts.complete,
                "skipped": manifest.counts.skipped,
                "partial": manifest.partial,
                "practice": manifest.practice,
                "adjudicated": manifest.adjudicated,
                "model": manifest.model.name if manifest.model is not None else None,
                "signature": checked.signature.state,
            }


def save_audit_tables(store: Store, bundle: str, folder: Path, to: str, progress: Progress) -> dict[str, int]:
    """Write the five tables to a folder, all or none; return their numbers of rows. Raises `RaterError`."""
    counts: dict[str, int] = {}
    with store.snapshot_isolation(), bundle_errors(folder, "written", HINT_UNCHANGED):
        audit = load_audit(store, bundle)
        rated = _EffectiveRatings(store, audit, progress)
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(f"{name}.{to}" for name in RELATIONAL)) as part_folder:
            for name in RELATIONAL:
                columns, rows = _table(name, audit, rated)
                counted = RowCount()
                TABLES[to](part_folder / f"{name}.{to}", columns, counted.counted(rows), bom=to == "csv")
                counts[name] = counted.total
    return counts


def _table(name: str, audit: Audit, rated: "_EffectiveRatings") -> tuple[tuple[ExportColumn, ...], Iterator[Row]]:
    if name == RATERS:
        return RATER_COLUMNS, _raters(audit)
    meta = meta_columns((row.task.meta for row in rated), ()) if name == "tasks" else ()
    columns, rows_of = relational_table(name, [audit.rubric], meta)
    return columns, rows_of(rated)


class _EffectiveRatings:
    """Effective ratings with their tasks, in the order of tasks and raters; read anew for each table."""

    def __init__(self, store: Store, audit: Audit, progress: Progress) -> None:
        self._store, self._audit, self._progress = store, audit, progress
        self._language = language_of(audit)
        self._revisions = {results.sha256: results.revision for results in audit.received}

    def __iter__(self) -> Iterator[RatedTask]:
        audit = self._audit
        done = 0
        for name in audit.tasks:
            raters = [rater for rater in audit.raters if (name, rater) in audit.ratings]
            if not raters:
                continue
            task = read_struct(read_json_object(received.task_text(self._store, audit.texts[name])), Task)
            places = TargetPlacements(task, audit.rubric, self._language)
            for rater in raters:
                filed = audit.ratings[name, rater]
                rating = received.received_rating(self._store, filed.results, name)
                done += 1
                if done % _STEP == 0:
                    self._progress(done, 0)
                yield RatedTask(
                    bundle=audit.bundle,
                    revision=self._revisions[filed.results],
                    rubric=audit.rubric,
                    task=places.of(rating),
                    rating=rating,
                )


def _raters(audit: Audit) -> Iterator[Row]:
    for results in audit.received:
        signing = audit.signings.get(results.sha256)
        yield {
            "bundle": audit.bundle,
            "revision": results.revision,
            "rater": results.rater,
            "rubric": audit.rubric.ref,
            "tasks": results.tasks,
            "complete": results.complete,
            "skipped": results.skipped,
            "partial": results.partial,
            "practice": results.practice,
            "adjudicated": False,
            "model": results.model or None,
            "signature": signing.state if signing is not None else None,
        }
