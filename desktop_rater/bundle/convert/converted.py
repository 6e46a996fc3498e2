"""What a converter gives for each record of its source."""

from __future__ import annotations

from typing import Any

import msgspec

from desktop_rater.bundle.targets import Aligned, Unplaced
from desktop_rater.model.rating import Rating


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """A task as plain JSON, the rating that the source holds for it, and what was not taken over as it stood.

    `unplaced` stands in the task's `meta.unplaced` too. `marks`: texts of the source that were placed and are no
    targets, such as an expert's marks, which stand in `meta.marks`. `surplus`: entries of lists that had no partner in
    another list and were left out. `merged`: pieces of evidence whose page was there already, kept in its note.
    `called`: what `unplaced` is of. `cut`: what the source itself had cut off and is taken over as far as it goes.
    `loose`: answers and suggestions go by the names of the source, and count where they fit the bundle's rubric.
    """

    line: int
    task: dict[str, Any]
    rating: Rating | None = None
    called: str = "target"
    unplaced: tuple[Unplaced, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    marks: int = 0
    surplus: int = 0
    merged: int = 0
    cut: int = 0
    loose: bool = False


class Omitted(msgspec.Struct, frozen=True, kw_only=True):
    """A record that becomes no task, and why: it holds nothing that could be rated."""

    line: int
    why: str
    name: str = ""
