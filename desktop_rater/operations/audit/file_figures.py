"""Figures of plain files, computed without a store: scores of points, token F1, rater agreement."""

from collections.abc import Iterator
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from desktop_rater.audit.report import ReportFigure
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.jsonl import cells_of, struct_of, structs_of_lines
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.stats.agreement import RatingValue, ValueKind, ratings_table, strongest_disagreements
from desktop_rater.stats.scores import PointOpinion, RulePoint, score_text, token_f1


class PointLine(OpenStruct, frozen=True, kw_only=True):
    """One point of the file. `report` and `truth`: 1 agrees, 0 disagrees, null makes no statement."""

    topic: str
    prior: Annotated[float, Meta(ge=0, le=1)]
    report: PointOpinion
    truth: PointOpinion


class PointsFile(OpenStruct, frozen=True, kw_only=True):
    """The points of one text."""

    points: tuple[PointLine, ...]


def score_file(path: Path) -> dict[str, Any]:
    """Return the scores of the points of a JSON file, and of the text by each method, all in [0, 1].

    Raises `BundleError` naming the point and the field.
    """
    file = struct_of(path, PointsFile)
    with bundle_errors(path, "read", "Nothing was computed."):
        if not file.points:
            raise BundleFault("It has no points to score")
    # The numbers exactly as written: 0.1 is a tenth, and priors 0.1 and 0.9 are symmetric.
    priors = [Fraction(repr(point.prior)) for point in file.points]
    points = zip(file.points, priors, strict=True)
    scored = score_text([RulePoint(point.topic, prior, point.report, point.truth) for point, prior in points])
    methods = {"AV": scored.av, "AMV": scored.amv, "AFV": scored.afv, "AFMV": scored.afmv, "MV": scored.mv}
    return {"points": list(map(float, scored.points)), **{name: float(value) for name, value in methods.items()}}


class ResponsePair(OpenStruct, frozen=True, kw_only=True):
    """A response and its reference."""

    response: str
    reference: str


def f1_of_file(path: Path) -> Iterator[float]:
    """Yield the token F1 of each line, in order. Raises `BundleError` naming file, line and field."""
    for _, pair in structs_of_lines(path, ResponsePair):
        yield token_f1(pair.response, pair.reference)


AGREEMENT_COLUMNS = ("unit", "rater", "value")
TASK_COLUMN = "task"
BOOTSTRAP_SEED = 1  # fixed, so that a file always gives the same intervals
_CHUNK = 2**20
_MOST = 1e15  # above it, squares lose a rating's precision


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of `stats agreement`; the reason for a null is in `undefined`.

    `intervals`: name → bounds of the 95 % interval over tasks, or why there is none, in `no_interval`.
    """

    units: int
    tasks: int
    raters: int
    ratings: int
    percent: float | None
    cohen_kappa: float | None
    weighted_kappa: dict[str, float] | None  # by the weights, linear and quadratic
    fleiss_kappa: float | None
    krippendorff_alpha: float | None
    gwet_ac1: float | None
    intervals: dict[str, tuple[float, float]]
    no_interval: dict[str, str]
    undefined: dict[str, str]


def agreement_of_file(path: Path, kind: ValueKind) -> tuple[Agreement, list[tuple[str, float]]]:
    """Compute agreement for a CSV file with columns `unit`, `rater`, `value`. Raises `BundleError` naming the line.

    Units with the same `task`, if there is such a column, are drawn together; otherwise each unit alone.

    Also returns the units with the share of rater pairs that differ, in (0, 1], largest first.
    """
    from desktop_rater.stats.agreement_figures import agreement_figures  # noqa: PLC0415 - loads numpy
    from desktop_rater.stats.cluster_bootstrap import draw_weights  # noqa: PLC0415 - as above

    with bundle_errors(path, "read", "Nothing was computed."):
        ratings, tasks = _ratings(path, kind)
    table = ratings_table(ratings)
    rows = {task: row for row, task in enumerate(dict.fromkeys(tasks.values()))}
    clusters = [rows[tasks[unit]] for unit in ratings]
    figures, undefined, _ = agreement_figures(table, kind, clusters, draw_weights(BOOTSTRAP_SEED, list(rows)))
    values = {name: figure.value for name, figure in figures.items()}
    linear, quadratic = (values.pop(f"weighted_kappa.{weights}", None) for weights in ("linear", "quadratic"))
    kappa = None
    if linear is not None and quadratic is not None:
        kappa = {"linear": linear, "quadratic": quadratic}
    agreement = Agreement(
        units=len(ratings),
        tasks=len(rows),
        raters=len(table.raters),
        ratings=sum(map(len, ratings.values())),
        percent=values.get("percent"),
        cohen_kappa=values.get("cohen_kappa"),
        weighted_kappa=kappa,
        fleiss_kappa=values.get("fleiss_kappa"),
        krippendorff_alpha=values.get("krippendorff_alpha"),
        gwet_ac1=values.get("gwet_ac1"),
        intervals={
            name: (figure.low, figure.high)
            for name, figure in figures.items()
            if figure.low is not None and figure.high is not None
        },
        no_interval={name: figure.why for name, figure in figures.items() if figure.low is None},
        undefined={name.partition(".")[0]: why for name, why in undefined.items()},
    )
    return agreement, list(strongest_disagreements(ratings))


def weighted_of_file(path: Path, kind: ValueKind, weights: str) -> dict[str, ReportFigure]:
    """Compute the coefficients of `stats.weighted_agreement` for the file, by name. Raises `BundleError`."""
    import numpy as np  # noqa: PLC0415 - slow to load

    from desktop_rater.audit.figures import as_figure  # noqa: PLC0415 - loads numpy
    from desktop_rater.stats import weighted_agreement as weighted  # noqa: PLC0415 - as above
    from desktop_rater.stats.cluster_bootstrap import draw_weights  # noqa: PLC0415 - as above

    with bundle_errors(path, "read", "Nothing was computed."):
        ratings, tasks = _ratings(path, kind)
        rows = [
            (unit, rater, tasks[unit], float(value)) for unit, row in ratings.items() for rater, value in row.items()
        ]
        table = weighted.scale_ratings(rows)
        values = np.unique(table.value)
        if len(values) < 2:
            raise BundleFault("Weights need two values")
        try:
            shares = weighted.WEIGHTS[weights](values)
        except ValueError as error:
            raise BundleFault(str(error)) from None
    draws = draw_weights(BOOTSTRAP_SEED, table.clusters)
    figures = weighted.weighted_agreement(table, values, shares, draws)
    figures["conger_kappa"] = weighted.conger_kappa(table, values, shares, draws)
    paired = int((table.unit_sizes > 1).sum())
    return {name: as_figure(figure, paired, len(table.raters)) for name, figure in figures.items()}


def _ratings(path: Path, kind: ValueKind) -> tuple[dict[str, dict[str, RatingValue]], dict[str, str]]:
    """Return unit → rater → value, and unit → task."""
    ratings: dict[str, dict[str, RatingValue]] = {}
    tasks: dict[str, str] = {}
    with path.open("rb") as file:
        rows = cells_of(iter(lambda: file.read(_CHUNK), b""), ",", LIMITS)
        _, names = next(rows, (1, []))
        places = [_place(names, column) for column in AGREEMENT_COLUMNS]
        task_place = _place(names, TASK_COLUMN) if TASK_COLUMN in map(str.strip, names) else places[0]
        for line, cells in rows:
            if len(cells) != len(names):
                raise BundleFault(f"line {line}: it has {len(cells):,} cells instead of {len(names):,}")
            unit, rater, value = (cells[place].strip() for place in places)
            missing = [column for column, cell in zip(AGREEMENT_COLUMNS, (unit, rater, value), strict=True) if not cell]
            if missing:
                raise BundleFault(f"line {line}: no {missing[0]} (a missing rating has no row)")
            if rater in ratings.setdefault(unit, {}):
                raise BundleFault(f'line {line}: "{rater[:60]}" has already rated "{unit[:60]}"')
            ratings[unit][rater] = _value(line, value, kind)
            task = cells[task_place].strip()
            if tasks.setdefault(unit, task) != task:
                raise BundleFault(f'line {line}: "{unit[:60]}" is of two tasks')
    return ratings, tasks


def _place(names: list[str], column: str) -> int:
    indices = [index for index, name in enumerate(names) if name.strip() == column]
    if len(indices) != 1:
        how = "no column is" if not indices else "several columns are"
        raise BundleFault(f"line 1: {how} named {column} (needed are {', '.join(AGREEMENT_COLUMNS)})")
    return indices[0]


def _value(line: int, cell: str, kind: ValueKind) -> RatingValue:
    if kind == "nominal":
        return cell
    try:
        number = float(cell.replace("_", " "))  # Python would read 1_5 as 15
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise BundleFault(f'line {line}: the value "{cell[:60]}" is not a number, as {kind} values are')
    if abs(number) > _MOST:
        raise BundleFault(
            f'line {line}: the value "{cell[:60]}" lies outside ±{_MOST:g}, beyond which figures are not exact'
        )
    return number
