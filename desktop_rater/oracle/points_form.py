"""A file in which a QA lead writes points, and says what each text says of them: agree, disagree or silent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Id

POINTS_FORMAT = "desktop-rater/points"
Says = Literal["agree", "disagree", "silent", ""]


class FormPoint(Kept, frozen=True, kw_only=True):
    """One statement. `quotes`: words of the gold texts on which it rests."""

    topic: str
    text: Id
    quotes: tuple[str, ...] = ()


class FormText(Kept, frozen=True, kw_only=True):
    """One text, and what it says of each point, in their order; nothing, or an empty word, is not answered yet.

    Who wrote it is left out on purpose. `gold`: it is one of the texts that the others are held against.
    """

    text: Id
    gold: bool = False
    says: tuple[Says, ...] = ()


class FormCluster(Kept, frozen=True, kw_only=True):
    """The points of some gold texts, and the texts that they are held against."""

    cluster: Id
    points: tuple[FormPoint, ...] = ()
    texts: tuple[FormText, ...] = ()


class PointsForm(Kept, frozen=True, kw_only=True):
    """The whole file."""

    format: Literal["desktop-rater/points"]
    version: Annotated[int, Meta(ge=1, le=1)]
    bundle: Id
    clusters: tuple[FormCluster, ...] = ()
