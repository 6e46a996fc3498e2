"""What a QA lead's copy of the bundle itself says, beside the results: all its tasks, its gold, its guidelines."""

from __future__ import annotations

import msgspec

from desktop_rater.model.rating import Rating


class LeadCopy(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of the bundle. `tasks`: (id, SHA-256 of its text), in the bundle's order.

    `identity`: equal for what is the same bundle to a rater.
    """

    revision: int
    title: str = ""
    language: str = ""
    rubric: str = ""
    rubric_toml: str | None = None
    guidelines: str = ""
    identity: str = ""
    tasks: tuple[tuple[str, str], ...] = ()


class GoldOf(msgspec.Struct, frozen=True, kw_only=True):
    """The gold answers of a task, as the bundle's `revision` has them."""

    revision: int
    ratings: tuple[Rating, ...]
