"""Read results as rated tasks and as tables, verify them, and compute the agreement of their raters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.api.bundles import AnyPath
from desktop_rater.audit.report import AuditReport, QuestionAgreement, ReportFilter
from desktop_rater.audit.results import origin_of
from desktop_rater.files import temporary_folder
from desktop_rater.format.bundle_errors import bundle_errors
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.manifests import ResultsManifest
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.check_results import CheckedResults, check_results
from desktop_rater.operations.audit.convert_results import RatedResults
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.report import REPORT_SEED, load_report
from desktop_rater.operations.results_tables.relational import RELATIONAL
from desktop_rater.operations.results_tables.table_files import arrow_table
from desktop_rater.operations.results_tables.tables import RatedTask
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.store import Store
from desktop_rater.translation import phrase_text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


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
