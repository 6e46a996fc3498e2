"""The figures of plain files, without a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.plain_files import structs_of_lines
from desktop_rater.model.kept import Kept
from desktop_rater.stats.token_f1 import token_f1

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Pair(Kept, frozen=True, kw_only=True):
    """A response and what it is compared with."""

    response: str
    reference: str


def f1_of_file(path: Path) -> Iterator[float]:
    """Token F1 of each line, in order. Raises `BundleError` naming file, line and field."""
    for _, pair in structs_of_lines(path, Pair):
        yield token_f1(pair.response, pair.reference)
