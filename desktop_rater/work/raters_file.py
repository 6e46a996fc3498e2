"""The raters of a file, one a line: plain text, or a table of one column."""

from __future__ import annotations

import csv
import re
import unicodedata
from typing import TYPE_CHECKING

from desktop_rater.bundle.plain_files import text_of
from desktop_rater.bundle.trouble import BundleError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MOST_RATERS = 1_000
_LONGEST_NAME = 60  # of what stands for a rater in a file's name, which has 255 bytes on most systems

_NOT_IN_A_NAME = re.compile("[^A-Za-z0-9_-]+")
_HINT = "Nothing was written. Write one rater a line."


def raters_of(path: Path) -> list[str]:
    """The names, in order. White lines are passed over. Raises `BundleError` naming the line."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text_of(path).split("\n"), 1):
        cells = _cells(line.strip())
        name = cells[0].strip() if cells else ""
        if not any(cells):
            continue
        if not name or len(cells) > 1:
            why = f"line {number}: it has {len(cells)} columns, and a name with a comma or semicolon stands in quotes."
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        if not can_be_seen(name):
            raise BundleError(f"{path.name} can't be used", f"line {number}: the name holds control characters.", _HINT)
        if name in lines:
            why = f"line {number}: {name!r} stands in line {lines[name]} already."
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        lines[name] = number
    if not lines:
        raise BundleError(f"{path.name} can't be used", "It names no rater.", _HINT)
    if len(lines) > MOST_RATERS:
        raise BundleError(f"{path.name} can't be used", f"It names more than {MOST_RATERS:,} raters.", _HINT)
    return list(lines)


def can_be_seen(name: str) -> bool:
    """Whether all of a name can be seen: nobody could type the rest again, and results would be somebody else's."""
    return not any(unicodedata.category(sign) in {"Cc", "Cf"} for sign in name)


def _cells(line: str) -> list[str]:
    """The columns of a line: whoever has a table of names and addresses must not make raters of whole lines."""
    apart = ";" if ";" in line and "," not in line else ","
    try:
        return next(csv.reader([line], delimiter=apart), [])
    except csv.Error:  # longer than any cell
        return [line]


def in_file_names(raters: Iterable[str]) -> list[str]:
    """What stands for each rater in a file's name and in a bundle's id: plain letters, each once on every system."""
    seen: dict[str, int] = {}
    names = []
    for rater in raters:
        name = _NOT_IN_A_NAME.sub("-", rater).strip("-")[:_LONGEST_NAME] or "rater"
        while (key := name.lower()) in seen:
            seen[key] += 1
            name = f"{name}-{seen[key]}"
        seen[key] = 1
        names.append(name)
    return names
