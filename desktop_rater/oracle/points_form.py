"""File format in which a QA lead writes points, and the position of each text on them: agree, disagree or silent."""

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.model.values import Id

POINTS_FORMAT = "desktop-rater/points"
Says = Literal["agree", "disagree", "silent", ""]


class FormPoint(OpenStruct, frozen=True, kw_only=True):
    """Statement. `quotes`: passages of the gold texts that support it."""

    topic: str
    text: Id
    quotes: tuple[str, ...] = ()


class FormText(OpenStruct, frozen=True, kw_only=True):
    """Text with its position on each point, in order; an empty position is unanswered.

    The author is left out on purpose. `gold`: it is one of the gold texts.
    """

    text: Id
    gold: bool = False
    says: tuple[Says, ...] = ()


class FormCluster(OpenStruct, frozen=True, kw_only=True):
    """Points of some gold texts, and the texts compared with them."""

    cluster: Id
    points: tuple[FormPoint, ...] = ()
    texts: tuple[FormText, ...] = ()


class PointsForm(OpenStruct, frozen=True, kw_only=True):
    """Complete file."""

    format: Literal["desktop-rater/points"]
    version: Annotated[int, Meta(ge=1, le=1)]
    bundle: Id
    clusters: tuple[FormCluster, ...] = ()
