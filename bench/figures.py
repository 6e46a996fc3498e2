"""Samples of a measurement, what is computed from them, and the type of a row of the table."""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from typing import Any, Literal

import msgspec

Statistic = Literal["median", "p95", "max"]
Bounds = Literal["ratio", "value", "excess"]

_DRAWS = 400
_SEED = 1


class ServerMissing(Exception):
    """Server that a measurement needs and that is not installed."""


class Samples(msgspec.Struct, frozen=True):
    """Measurements of one figure, in the order in which they were made and in the unit of the row.

    `floor` are those of the smallest honest program that does the same work, made in turn with ours, or empty.
    """

    ours: list[float]
    floor: list[float] = []


class Row(msgspec.Struct, frozen=True):
    """Row of the table. `measure(workload)` returns samples by name, and `figure` is this row's.

    Rows with the same `measure` share its run. The goal is the most that the ratio to the floor, the value, or
    the excess over the floor may be.
    """

    row: str
    unit: str
    goal: float
    measure: Callable[[Any], dict[str, Samples]]
    figure: str
    statistic: Statistic = "median"
    bounds: Bounds = "ratio"


class Figure(msgspec.Struct, frozen=True):
    """Statistic of the samples of a row, and the result that its goal bounds, with its 95 % bootstrap interval.

    `low` and `high` are `None` where there is a single sample.
    """

    value: float
    floor: float | None
    result: float
    low: float | None
    high: float | None
    samples: int


def figure(samples: Samples, statistic: Statistic, bounds: Bounds) -> Figure:
    """Compute the figure of a row. The interval draws pairs of ours and floor where they were measured in turn."""
    result = _result(samples.ours, samples.floor, statistic, bounds)
    low, high = _interval(samples, statistic, bounds) if len(samples.ours) > 1 else (None, None)
    return Figure(
        value=reduce_samples(samples.ours, statistic),
        floor=reduce_samples(samples.floor, statistic) if samples.floor else None,
        result=result,
        low=low,
        high=high,
        samples=len(samples.ours),
    )


def reduce_samples(values: list[float], statistic: Statistic) -> float:
    """Return the median, the largest value, or the smallest value that 95 of 100 do not exceed."""
    match statistic:
        case "median":
            return median(values)
        case "max":
            return max(values)
        case "p95":
            return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def _result(ours: list[float], floor: list[float], statistic: Statistic, bounds: Bounds) -> float:
    value = reduce_samples(ours, statistic)
    if bounds == "value":
        return value
    least = reduce_samples(floor, statistic)
    return value / least if bounds == "ratio" else value - least


def _interval(samples: Samples, statistic: Statistic, bounds: Bounds) -> tuple[float, float]:
    """Return the central 95 % of the results of resampled runs (percentile bootstrap, Efron 1979)."""
    draw = random.Random(_SEED)  # noqa: S311 - a statistic, no secret
    paired = len(samples.floor) == len(samples.ours)
    results = []
    for _ in range(_DRAWS):
        picks = draw.choices(range(len(samples.ours)), k=len(samples.ours))
        others = picks if paired else draw.choices(range(len(samples.floor)), k=len(samples.floor))
        ours = [samples.ours[pick] for pick in picks]
        results.append(_result(ours, [samples.floor[pick] for pick in others], statistic, bounds))
    results.sort()
    return results[int(_DRAWS * 0.025)], results[int(_DRAWS * 0.975)]
