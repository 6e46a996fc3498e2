"""Read a file with one rater per line: plain text, or a table with one column."""

import csv
import re
from pathlib import Path

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.text.names import normalised_name
from desktop_rater.text.unseen_characters import BIDI_CONTROLS, CONTROLS
from desktop_rater.work.output_files import NOTHING_WRITTEN

MAX_RATERS = 1_000

_HINT = f"{NOTHING_WRITTEN} Write one rater per line."


def read_raters(path: Path) -> list[str]:
    """Return the names, in order. Blank lines are skipped. Raises `BundleError` naming the line."""
    lines: dict[str, int] = {}
    for number, line in enumerate(read_small_text(path).split("\n"), 1):
        cells = _cells(line.strip())
        written = cells[0].strip() if cells else ""
        name = normalised_name(written)
        if not any(cells):
            continue
        if not name or len(cells) > 1:
            why = (
                f"line {number}: it has {len(cells)} columns. Put a name that contains a comma or semicolon in quotes."
            )
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        if not is_visible_name(written):
            raise BundleError(
                f"{path.name} can't be used", f"line {number}: the name contains control characters.", _HINT
            )
        if name in lines:
            why = f"line {number}: {name!r} is already in line {lines[name]}."
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        lines[name] = number
    if not lines:
        raise BundleError(f"{path.name} can't be used", "It contains no names.", _HINT)
    if len(lines) > MAX_RATERS:
        raise BundleError(f"{path.name} can't be used", f"It names more than {MAX_RATERS:,} raters.", _HINT)
    return list(lines)


def is_visible_name(name: str) -> bool:
    """Return whether a name is free of characters that change what is around them, which is no slip."""
    return re.search(f"[{CONTROLS}{BIDI_CONTROLS}]", name) is None


def _cells(line: str) -> list[str]:
    """Return the columns of a line, so that a table with more columns is refused and not read as names."""
    delimiter = ";" if ";" in line and "," not in line else ","
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # cell too long
        return [line]
