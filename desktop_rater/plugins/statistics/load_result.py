"""Result of an audit: compute it, draw more places for its goal, and save it as tables and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.final_labels import labels_for_figures
from desktop_rater.audit.html_report import PageColors, PageSection, render_panels
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.sampling import extend_sample
from desktop_rater.bundle.errors import bundle_errors
from desktop_rater.bundle.results_out import TABLES
from desktop_rater.bundle.results_out.tables import ExportColumn, Row, columns_of_kinds
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import format_time
from desktop_rater.plugins.statistics.result import AuditResult, ResultRequest, StratumKind
from desktop_rater.plugins.statistics.result_figures import make_result, strata_of_places, with_place_quotes
from desktop_rater.plugins.statistics.result_panels import result_base
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import load_audit
from desktop_rater.work.audit.report import REPORT_SEED, TRY_AGAIN, AuditQuotes, SampleChange, report_inputs
from desktop_rater.work.audit.review import Lead, load_reviews, save_reviews

STRATUM_NAMES: dict[StratumKind, str] = {"differ": "Raters differ", "agree": "All agree", "one": "One rating"}


def load_result(
    store: Store, bundle: str, request: ResultRequest, *, now: datetime, seed: int = REPORT_SEED
) -> AuditResult:
    """Compute the result. Raises `NotInStore` or `StoreDamaged`."""
    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        reviews = load_reviews(store, audit)
        choice = reviews.labels
        method = request.final or choice.by
        threshold = choice.threshold if not request.final else 0.0
        result = make_result(
            audit,
            reviews,
            labels_for_figures(audit, reviews, method, threshold),
            report_inputs(store, audit, {}),
            request,
            method=method,
            seed=seed,
            computed=format_time(now),
        )
        return with_place_quotes(result, AuditQuotes(store, audit).quote)


def draw_more(store: Store, bundle: str, counts: Mapping[StratumKind, int], lead: Lead) -> SampleChange:
    """Draw places until each stratum has its count; those drawn before stay. Raises `RaterError`, `NotInStore`."""
    audit = load_audit(store, bundle)
    strata = {place: STRATUM_NAMES[kind] for place, kind in strata_of_places(audit).items()}
    if not strata:
        raise RaterError("No sample was drawn.", "There is no rating with a label.")
    before = load_reviews(store, audit).sample
    sample = extend_sample(before, strata, {STRATUM_NAMES[kind]: count for kind, count in counts.items()})
    sample = replace(sample, lead=lead.name, changed=format_time(lead.now()))
    change = save_reviews(store, bundle, [NewReview(subject=("sample",), body=sample)], lead)
    return SampleChange(audits=change.audits, steps=change.steps, sample=sample)


_FIGURE = columns_of_kinds(value="number", low="number", high="number", n="whole", tasks="whole", why="text")
COLUMNS: dict[str, tuple[ExportColumn, ...]] = {
    "errors": (
        *columns_of_kinds(stratum="text", places="whole", ratings="whole", drawn="whole", wrong="whole"), *_FIGURE,
        *columns_of_kinds(lower="number", bound="number", goal="number", state="enum"),
    ),
    "draws": columns_of_kinds(places="whole", differ="whole", agree="whole", one="whole", bound="number"),
    "mistakes": columns_of_kinds(given="any", right="any", count="whole"),
    "raters": (
        *columns_of_kinds(rater="text", tasks="whole", ratings="whole", figure="enum"), *_FIGURE,
        *columns_of_kinds(band_low="number", band_high="number", outside="flag"),
    ),
    "weeks": (*columns_of_kinds(rater="text", week="text"), *_FIGURE),
    "times": columns_of_kinds(
        rater="text", per="enum", median="number", low="number", high="number", p10="number", p90="number", n="whole",
        tasks="whole", why="text",
    ),
    "places": columns_of_kinds(
        rater="text", task="text", where="text", quote="text", question="text", own="any", final="any", wrong="flag",
        others_alike="whole",
    ),
}  # fmt: skip
"""Columns of each table, which is a file; times are in seconds."""


def save_result_tables(result: AuditResult, folder: Path) -> tuple[Path, ...]:
    """Write the tables as CSV to a folder, created if missing. Raises `RaterError`."""
    names = tuple(f"{name}.csv" for name in COLUMNS)
    rows = dict(_rows(result))
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, names) as part_folder:
            for name, columns in COLUMNS.items():
                TABLES["csv"](part_folder / f"{name}.csv", columns, list(rows[name]), bom=True)
    return tuple(folder / name for name in names)


def save_result_page(
    result: AuditResult, path: Path, texts: Wording, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the result as an HTML page. Raises `RaterError`."""
    from desktop_rater.plugins.statistics.result_panels import result_panels  # noqa: PLC0415 - for pages alone

    section = PageSection("", tuple((panel, True) for panel in result_panels(result, texts).values()))
    about = (texts.translate("Report", "Audit result"), result_base(result, texts))
    page = render_panels(result, [section], about, texts, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _rows(result: AuditResult) -> Iterator[tuple[str, Iterator[Row]]]:
    errors = result.errors
    all_work: Row = {
        "stratum": None, "places": result.places, "ratings": result.ratings, "drawn": errors.drawn,
        "wrong": errors.wrong, **_figure(errors.figure), "lower": errors.lower, "bound": errors.bound,
        "goal": errors.goal, "state": errors.state or None,
    }  # fmt: skip
    strata: Iterator[Row] = (
        {
            "stratum": row.kind, "places": row.places, "ratings": row.ratings, "drawn": row.drawn, "wrong": row.wrong,
            "value": row.wrong / row.judged if row.judged else None, "n": row.judged,
        }
        for row in errors.strata
    )  # fmt: skip
    yield "errors", iter([all_work, *strata])
    yield "draws", ({"places": step.places, **step.by_stratum, "bound": step.bound} for step in errors.steps)
    yield "mistakes", (_plain(row) for row in errors.mistakes)
    yield "raters", (
        {
            "rater": row.rater, "tasks": row.tasks, "ratings": row.ratings, "figure": name, **_figure(banded.figure),
            "band_low": banded.band[0] if banded.band else None, "band_high": banded.band[1] if banded.band else None,
            "outside": banded.outside if banded.band else None,
        }
        for row in result.raters
        for name, banded in row.figures.items()
    )  # fmt: skip
    yield (
        "weeks",
        ({"rater": row.rater, "week": week, **_figure(figure)} for row in result.raters for week, figure in row.weeks),
    )
    yield "times", (
        {
            "rater": row.rater, "per": "target" if row.per_target else "task", "median": row.time.median,
            "low": row.time.median_low, "high": row.time.median_high, "p10": row.time.low, "p90": row.time.high,
            "n": row.time.n, "tasks": row.time.tasks, "why": row.time.why or None,
        }
        for row in result.raters
        if row.time is not None
    )  # fmt: skip
    yield "places", (
        {"rater": row.rater, **_plain(place), "others_alike": place.alike} for row in result.raters
        for place in row.places
    )  # fmt: skip


def _plain(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _figure(figure: ReportFigure) -> Row:
    return {
        "value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n, "tasks": figure.tasks,
        "why": figure.why or None,
    }  # fmt: skip
