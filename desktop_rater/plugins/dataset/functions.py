"""Figures of a dataset that is on an engine of ibis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.systems import SystemsReport, SystemsRequest
from desktop_rater.model.values import format_time, utc_now
from desktop_rater.plugins.dataset.connect import empty_table
from desktop_rater.plugins.dataset.report import REPORT_TABLES, DatasetReport
from desktop_rater.work.audit.report import REPORT_SEED


def dataset_report(
    connection: Any,
    bundle: str,
    *,
    tables: Mapping[str, str] | None = None,
    seed: int = REPORT_SEED,
    **wanted: Any,
) -> DatasetReport:
    """Compute the report of a bundle on an engine, with the figures of `audit dataset report`.

    `connection` is one of ibis, such as `ibis.duckdb.connect()`. The engine has the tables of docs/plugins/dataset.md
    under their names, or under those that `tables` gives them; one that is not there has no rows. `wanted` are the
    options that select: `raters` (a tuple), `since`, `until`, `question`, `models` and `tolerance`. Needs `desktop-
    rater[dataset]`. Raises `RaterError` for a bundle that is not there.
    """
    from desktop_rater.plugins.dataset.figures import dataset_report as compute  # noqa: PLC0415 - loads ibis

    present = _present_tables(connection, tables)
    return compute(present, bundle, ReportFilter(**wanted), seed=seed, computed=format_time(utc_now()))


def dataset_systems(
    connection: Any,
    bundle: str,
    *,
    tables: Mapping[str, str] | None = None,
    seed: int = REPORT_SEED,
    **wanted: Any,
) -> SystemsReport:
    """Compute the figures about systems on an engine, as `audit dataset systems` does.

    `connection` and `tables` are those of `dataset_report`. `wanted` are the options that select: `by` and `where`
    (tuples), `pair`, `final`, `threshold`, `errors`, `severe` and `defect`. Raises `RaterError`.
    """
    from desktop_rater.plugins.dataset.figures import dataset_systems as compute  # noqa: PLC0415 - loads ibis

    present = _present_tables(connection, tables)
    return compute(present, bundle, SystemsRequest(**wanted), seed=seed, computed=format_time(utc_now()))


def _present_tables(connection: Any, tables: Mapping[str, str] | None) -> dict[str, Any]:
    names = {name: name for name in REPORT_TABLES} | dict(tables or {})
    there = set(connection.list_tables())
    return {
        name: connection.table(names[name]) if names[name] in there else empty_table(name) for name in REPORT_TABLES
    }
