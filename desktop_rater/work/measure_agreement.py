"""Agreement of the ratings in a plain table."""

from __future__ import annotations

from math import isfinite
from random import Random
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.convert.table import cells_of
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.stats.agreement_figures import figures
from desktop_rater.stats.ratings_table import most_disagreement, table_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.stats.agreement import Kind
    from desktop_rater.stats.ratings_table import Value

COLUMNS = ("unit", "rater", "value")
SEED = 1  # the same file gives the same intervals
_CHUNK = 2**20
_MOST = 1e15  # beyond it squares lose the places that a rating has


class WeightedKappa(msgspec.Struct, frozen=True, kw_only=True):
    """Both weights: the distance of two values, and its square."""

    linear: float
    quadratic: float


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What `stats agreement` says; `null` is named under `undefined`. `intervals`: name → the ends of 95 %."""

    units: int
    raters: int
    ratings: int
    percent: float | None
    cohen_kappa: float | None
    weighted_kappa: WeightedKappa | None
    fleiss_kappa: float | None
    krippendorff_alpha: float | None
    gwet_ac1: float | None
    intervals: dict[str, tuple[float, float]]
    undefined: dict[str, str]


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """`most_disagreement`: unit and share of its pairs that differ, in (0, 1], those that differ most first."""

    agreement: Agreement
    most_disagreement: tuple[tuple[str, float], ...]


def agreement_of_file(path: Path, kind: Kind) -> Measured:
    """The figures of a CSV file with the columns `unit`, `rater` and `value`. Raises `BundleError` naming the line."""
    with named(path, "read", "Nothing was computed."):
        ratings = _ratings(path, kind)
    table = table_of(ratings)
    values, intervals, undefined = figures(table, kind, Random(SEED))  # noqa: S311 - draws of a bootstrap
    linear, quadratic = (values.pop(f"weighted_kappa.{weights}", None) for weights in ("linear", "quadratic"))
    whys = {name.partition(".")[0]: why for name, why in undefined.items()}
    found = Agreement(
        units=len(ratings),
        raters=len(table.raters),
        ratings=sum(map(len, ratings.values())),
        percent=values.get("percent"),
        cohen_kappa=values.get("cohen_kappa"),
        weighted_kappa=_both(linear, quadratic),
        fleiss_kappa=values.get("fleiss_kappa"),
        krippendorff_alpha=values.get("krippendorff_alpha"),
        gwet_ac1=values.get("gwet_ac1"),
        intervals=intervals,
        undefined=whys,
    )
    return Measured(agreement=found, most_disagreement=tuple(most_disagreement(ratings)))


def _both(linear: float | None, quadratic: float | None) -> WeightedKappa | None:
    if linear is None or quadratic is None:
        return None
    return WeightedKappa(linear=linear, quadratic=quadratic)


def _ratings(path: Path, kind: Kind) -> dict[str, dict[str, Value]]:
    ratings: dict[str, dict[str, Value]] = {}
    with path.open("rb") as file:
        rows = cells_of(iter(lambda: file.read(_CHUNK), b""), ",", LIMITS)
        _, names = next(rows, (1, []))
        places = [_place(names, column) for column in COLUMNS]
        for line, cells in rows:
            if len(cells) != len(names):
                raise Fault(f"line {line}: {len(cells):,} cells, and there are {len(names):,} columns")
            unit, rater, value = (cells[place].strip() for place in places)
            missing = [column for column, cell in zip(COLUMNS, (unit, rater, value), strict=True) if not cell]
            if missing:
                raise Fault(f"line {line}: no {missing[0]} (a missing rating has no row)")
            if rater in ratings.setdefault(unit, {}):
                raise Fault(f'line {line}: "{rater[:60]}" rates "{unit[:60]}" a second time')
            ratings[unit][rater] = _value(line, value, kind)
    return ratings


def _place(names: list[str], column: str) -> int:
    found = [at for at, name in enumerate(names) if name.strip() == column]
    if len(found) != 1:
        how = "no column is" if not found else "several columns are"
        raise Fault(f"line 1: {how} named {column} (needed are {', '.join(COLUMNS)})")
    return found[0]


def _value(line: int, cell: str, kind: Kind) -> Value:
    if kind == "nominal":
        return cell
    try:
        number = float(cell.replace("_", " "))  # Python would read 1_5 as 15
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise Fault(f'line {line}: the value "{cell[:60]}" is not a number, as {kind} values are')
    if abs(number) > _MOST:
        raise Fault(f'line {line}: the value "{cell[:60]}" lies outside ±{_MOST:g}, beyond which figures are not exact')
    return number
