"""Score a text whose points an oracle has answered already, from a plain file."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from desktop_rater.bundle.plain_files import struct_of
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.model.kept import Kept
from desktop_rater.stats.justification import Point, Said, score

if TYPE_CHECKING:
    from pathlib import Path


class PointLine(Kept, frozen=True, kw_only=True):
    """One point as it stands in the file. `report` and `truth`: 1 agrees, 0 disagrees, null says nothing."""

    topic: str
    prior: Annotated[float, Meta(ge=0, le=1)]
    report: Said
    truth: Said


class PointsFile(Kept, frozen=True, kw_only=True):
    """The points of one text."""

    points: tuple[PointLine, ...]


class PointScores(msgspec.Struct, frozen=True, kw_only=True):
    """The score of each point and of the text, by each way, all in [0, 1]."""

    points: tuple[float, ...]
    AV: float
    AMV: float
    AFV: float
    AFMV: float
    MV: float


def score_file(path: Path) -> PointScores:
    """Score the points of a JSON file. Raises `BundleError` naming the point and the field."""
    file = struct_of(path, PointsFile)
    with named(path, "read", "Nothing was computed."):
        if not file.points:
            raise Fault("It holds no point, and no text has a score without")
    scored = score([Point(one.topic, _exact(one.prior), one.report, one.truth) for one in file.points])
    return PointScores(
        points=tuple(map(float, scored.points)),
        AV=float(scored.av),
        AMV=float(scored.amv),
        AFV=float(scored.afv),
        AFMV=float(scored.afmv),
        MV=float(scored.mv),
    )


def _exact(prior: float) -> Fraction:
    """The number as it is written: 0.1 is a tenth, and then 0.1 and 0.9 mirror each other."""
    return Fraction(repr(prior))
