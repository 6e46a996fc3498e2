"""Public functions for Python programs and notebooks; `import desktop_rater` offers them. They load no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.report import AuditReport, QuestionAgreement, ReportFilter
from desktop_rater.audit.results import origin_of
from desktop_rater.files import temporary_folder
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import FormatError, RaterError, bundle_errors
from desktop_rater.format.manifests import Assistance, BundleManifest, ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.rows import AnyRows, by_row, errors_by_row, plain_value, write_rows
from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import OpenStruct, canonical_json, prepared_type, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time, utc_now
from desktop_rater.operations.audit.check_results import CheckedResults, check_results
from desktop_rater.operations.audit.convert_results import RatedResults
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.report import REPORT_SEED, load_report
from desktop_rater.operations.bundles.import_bundle import LeftOut, bundle_lines, refuse_empty, rubric_of_bundle
from desktop_rater.operations.bundles.make import BuiltBundle, BundleOptions, build_bundle
from desktop_rater.operations.results_tables import arrow_table
from desktop_rater.operations.results_tables.relational import RELATIONAL
from desktop_rater.operations.results_tables.tables import RatedTask
from desktop_rater.operations.rubrics import builtin_guidelines, find_rubric, with_targets
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.store import Store
from desktop_rater.translation import phrase_text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


AnyPath = str | PathLike[str]
TaskLike = Task | Mapping[str, Any]
RatingLike = Rating | Mapping[str, Any]
_K = TypeVar("_K", bound=OpenStruct)


class RubricHandle:
    """A rubric that checks ratings. `ref` is its id and version, as in bundles."""

    def __init__(self, rubric: Rubric) -> None:
        self._rubric = rubric
        self.ref = rubric.ref

    def __repr__(self) -> str:
        return f"RubricHandle({self.ref!r})"

    @property
    def questions(self) -> tuple[Question, ...]:
        """Questions in the order of the rubric."""
        return self._rubric.file.questions

    def check(self, task: TaskLike, rating: RatingLike) -> CheckOutcome:
        """Check a rating as the window and `rubric check` do: `problems`, `decided` values, and what is `asked`.

        Targets are placed as in an import. Raises `RaterError` if one of the two is not valid, or is of another task.
        """
        task, rating = _as_struct(task, Task), _as_struct(rating, Rating)
        if rating.task != task.id:
            raise FormatError(f"The rating is of the task {rating.task!r}, not of {task.id!r}.")
        return check_rating(self._rubric, with_targets(self._rubric, task), rating)


def load_rubric(ref: AnyPath) -> RubricHandle:
    """Load a built-in rubric by its id, or one from a TOML file. Raises `RaterError` naming the table and the line."""
    return RubricHandle(find_rubric(fspath(ref)))


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """Content of a bundle as a rater gets it; iterate over it for its tasks.

    The targets of `tasks` are placed, or are the sentences where the file has none. `gold`: the ratings that the bundle
    brings as correct. `guidelines`: Markdown. `left_out`: tasks and targets that could not be used, and why.
    """

    path: Path
    manifest: BundleManifest
    rubric: RubricHandle
    tasks: tuple[Task, ...]
    gold: tuple[Rating, ...]
    guidelines: str
    left_out: tuple[LeftOut, ...]

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)


def read_bundle(path: AnyPath, *, accept_close: bool = False) -> Bundle:
    """Read a whole bundle as an import does. Raises `RaterError` if it would be refused.

    `accept_close`: a target whose quote is in no place takes that of a passage which is 95 % similar.
    """
    path = Path(path)
    left_out: list[LeftOut] = []
    tasks: list[Task] = []
    with open_bundle(path) as bundle:
        manifest, rubric = bundle.manifest, rubric_of_bundle(bundle, path)
        for line in bundle_lines(bundle.tasks(), rubric, lang=manifest.language, accept_close=accept_close):
            left_out += line.left_out
            if line.task is not None:
                tasks.append(line.task)
        refuse_empty(path, len(tasks), left_out)
        bundle.verify_rest()
        return Bundle(
            path=path,
            manifest=manifest,
            rubric=RubricHandle(rubric),
            tasks=tuple(tasks),
            gold=tuple(bundle.gold()),
            guidelines=builtin_guidelines(rubric.ref) if bundle.guidelines is None else bundle.guidelines,
            left_out=tuple(left_out),
        )


class NewBundleKeywords(TypedDict, total=False):
    """Options of all that makes a bundle."""

    id: str
    revision: int
    title: str
    language: str
    created: str
    due: str
    libraries: tuple[str, ...]
    assistance: Assistance
    guidelines: AnyPath
    snapshots: AnyPath


class BundleKeywords(NewBundleKeywords, total=False):
    """Options of `make_bundle`, as those of the command `bundle make`."""

    cases: AnyPath
    gold: AnyPath | AnyRows
    practice: bool
    accept_close: bool


def make_bundle(
    tasks: AnyPath | AnyRows, out: AnyPath, *, rubric: AnyPath, **options: Unpack[BundleKeywords]
) -> BuiltBundle:
    """Write a bundle of tasks: a `.jsonl` file, or rows. Raises `RaterError`; nothing is written then.

    Rows are dictionaries or `Task`s, a data frame, an Arrow table or a data set, with the keys of a task. `created`: by
    default the time of the newest file, or now for rows; give it for bundles that are the same to the byte. `left_out`
    of the result: the tasks and targets that a rater would not get, and why.
    """
    out = Path(out)
    more: dict[str, Any] = dict(options)
    for name in ("guidelines", "snapshots"):
        if name in more:
            more[name] = Path(more[name])
    with temporary_folder() as folder:
        source = _source(tasks, Path(folder) / "tasks")
        if more.get("gold") is not None:
            more["gold"] = _source(more["gold"], Path(folder) / "gold")
        if isinstance(tasks, str | PathLike):
            return build_bundle(out, source, BundleOptions(rubric=fspath(rubric), **more), Progress())
        more.setdefault("created", format_time(utc_now()))
        with errors_by_row():
            built = build_bundle(out, source, BundleOptions(rubric=fspath(rubric), **more), Progress())
        return replace(built, left_out=tuple(replace(entry, why=by_row(entry.why)) for entry in built.left_out))


def _source(records: AnyPath | AnyRows, path: Path) -> Path:
    return Path(records) if isinstance(records, str | PathLike) else write_rows(path, records, canonical_json)


def _as_struct(item: _K | Mapping[str, Any], shape: type[_K]) -> _K:
    if isinstance(item, shape):
        return item
    try:
        return read_struct(read_json_object(canonical_json(plain_value(item, nan=False))), shape)
    except (TypeError, ValueError) as error:  # the errors of strict JSON too
        raise FormatError(f"The {shape.__name__.lower()} is not valid.", f"{error}.") from None


class Results:
    """Results of one or several raters. Iterate over them for each rating with its task, without pyarrow.

    `tasks`, `targets`, `ratings`, `evidence` and `raters` are Arrow tables with the columns of `results convert
    --tables`, made at first use. `checked`: the outcome of the check of each file, in order; `manifests`: theirs.
    """

    def __init__(self, paths: Iterable[AnyPath]) -> None:
        self._rated = RatedResults(tuple(map(Path, paths)), Progress())
        self._tables: dict[str, pa.Table] = {}

    def __repr__(self) -> str:
        return f"Results({[str(path) for path in self._rated.paths]!r})"

    def __iter__(self) -> Iterator[RatedTask]:
        return iter(self._rated)

    def __len__(self) -> int:
        return sum(manifest.counts.complete + manifest.counts.skipped for manifest in self.manifests)

    @property
    def paths(self) -> tuple[Path, ...]:
        return self._rated.paths

    @property
    def checked(self) -> tuple[CheckedResults, ...]:
        return self._rated.checked

    @property
    def manifests(self) -> tuple[ResultsManifest, ...]:
        return tuple(self._rated.manifests)

    @property
    def tasks(self) -> pa.Table:
        """Each rated task: prompt, responses, and its `meta` as columns `meta.NAME`."""
        return self.table("tasks")

    @property
    def targets(self) -> pa.Table:
        """Each target of the rated tasks, with its text."""
        return self.table("targets")

    @property
    def ratings(self) -> pa.Table:
        """Each rated item of each rater: a task, response, target or claim, with its answers as `answer.QUESTION`."""
        return self.table("ratings")

    @property
    def evidence(self) -> pa.Table:
        """Each piece of evidence."""
        return self.table("evidence")

    @property
    def raters(self) -> pa.Table:
        """Each rater of each bundle, with counts."""
        return self.table("raters")

    def table(self, name: str) -> pa.Table:
        """Return one of the five tables. Raises `RaterError` if pyarrow is not installed."""
        if name not in RELATIONAL:
            raise RaterError(f"There is no table {name!r}.", f"Tables: {', '.join(RELATIONAL)}.")
        if name not in self._tables:
            with bundle_errors(name, "read", ""):
                columns, rows = self._rated.table(name)
                self._tables[name] = arrow_table(columns, rows, self._rated.metadata)
        return self._tables[name]

    def to_pandas(self, name: str) -> pd.DataFrame:
        """Return a table as a pandas data frame, with categories for enumerations and times of UTC."""
        return self.table(name).to_pandas()

    def to_polars(self, name: str) -> pl.DataFrame:
        """Return a table as a polars data frame. Raises `RaterError` if polars is not installed."""
        try:
            import polars  # noqa: ICN001, PLC0415 - an optional library
        except ImportError as error:
            raise RaterError("polars is not installed.", hint="Install it with pip install polars.") from error
        return polars.DataFrame(self.table(name))


def read_results(paths: AnyPath | Iterable[AnyPath]) -> Results:
    """Read results of one or several raters, after verifying them as `check` does.

    Raises `RaterError` for a file that is altered or damaged, and for two results of one rater for one bundle. Ratings
    that break a blocking rule are read, and are named in `checked`.
    """
    several = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not several:
        raise RaterError("There are no results to read.", "The list of files is empty.")
    return Results(several)


def check(path: AnyPath) -> CheckedResults:
    """Verify results: files, hashes, signature, history, and every rule of the rubric.

    `broken` are the blocking rules that a complete rating breaks, and stored pages of another address or library than
    their evidence. `rubric_source` is "results" if only the file itself vouches for its rules. Raises `RaterError` for
    a file that is no results zip, is altered or damaged, or uses the name of a built-in rubric for another one.
    """
    return check_results(Path(path), Progress())


def agreement(results: Results, question: str | None = None) -> QuestionAgreement:
    """Compute the agreement of the raters on a question, by default the rubric's main one, as `audit report` does.

    `figures` has Krippendorff's alpha and others with 95 % intervals, by name. Raises `RaterError` for results of
    several bundles, and for a question that nobody was asked.
    """
    figures = report(results, question=question or "").agreement
    wanted = (item for item in figures if (item.question.id == question if question else item.question.main))
    found = next(wanted, None)
    if found is None:
        raise RaterError("There is no agreement to compute.", "The rubric has no question with values to compare.")
    return found


def report(
    results: Results | AnyPath,
    bundle: AnyPath | None = None,
    *,
    question: str = "",
    raters: Iterable[str] = (),
    seed: int = REPORT_SEED,
) -> AuditReport:
    """Compute all figures of `audit report`: of results, or of an audit in the store of a lead.

    `results`: results of one bundle, or the folder of a store. `bundle`: with results, the bundle's zip, whose gold
    they are then compared with; with a store, the bundle's id. Raises `RaterError`.
    """
    wanted = ReportFilter(question=question, raters=tuple(raters))
    with ExitStack() as stack:
        if isinstance(results, Results):
            folder = Path(stack.enter_context(temporary_folder()))
            store: Store | None = stack.enter_context(open_writer(folder, command="report"))
            name = _imported(store, results, [] if bundle is None else [Path(bundle)])
        else:
            store, name = open_reader(Path(results)), fspath(bundle or "")
            if store is None:
                raise RaterError("There is no report to compute.", f"There is no store in {fspath(results)}.")
            stack.enter_context(store)
        computed = load_report(store, name, seed=seed, now=utc_now(), wanted=wanted)
    return msgspec.convert(msgspec.to_builtins(computed, enc_hook=phrase_text), prepared_type(AuditReport))


def _imported(store: Store, results: Results, copies: list[Path]) -> str:
    """Import results, and the bundle if it is given; return its id. Raises `RaterError`."""
    bundles = sorted({origin_of(manifest).bundle for manifest in results.manifests})
    if len(bundles) != 1:
        raise RaterError("Figures are computed for one bundle.", f"The results are of {', '.join(bundles) or 'none'}.")
    imported = import_results(store, [*copies, *results.paths], lead="", now=utc_now(), progress=Progress())
    for refused in imported.refused:
        raise RaterError(refused.title, refused.message, refused.hint)
    return bundles[0]


__all__ = [
    "AuditReport",
    "BuiltBundle",
    "Bundle",
    "BundleKeywords",
    "CheckOutcome",
    "CheckedResults",
    "QuestionAgreement",
    "RatedTask",
    "RaterError",
    "Rating",
    "Results",
    "RubricHandle",
    "Task",
    "agreement",
    "check",
    "load_rubric",
    "make_bundle",
    "read_bundle",
    "read_results",
    "report",
]
