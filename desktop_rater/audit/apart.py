"""People and models apart: results of a model under a person's name are never that person's. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.audit.filed import Filed, Received


def apart(received: Iterable[Received], filed: Iterable[Filed]) -> tuple[list[Received], list[Filed]]:
    """The same, where a model that has a person's name is called by its own too.

    Else a single file could make a person's votes those of a model, which count nowhere, or its answers a person's.
    """
    arrived, ratings = list(received), list(filed)
    people = {one.rater for one in arrived if not one.model}
    called = {one.sha256: _other_name(one, people) for one in arrived if one.model and one.rater in people}
    if not called:
        return arrived, ratings
    return (
        [replace(one, rater=called[one.sha256]) if one.sha256 in called else one for one in arrived],
        [replace(one, rater=called[one.results]) if one.results in called else one for one in ratings],
    )


def _other_name(one: Received, people: set[str]) -> str:
    name = f"{one.rater} ({one.model})"
    while name in people:
        name = f"{name} ({one.model})"
    return name
