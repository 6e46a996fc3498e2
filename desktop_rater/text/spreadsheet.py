"""Cells that a spreadsheet shows and does not run."""

from __future__ import annotations

import re

# Excel, LibreOffice and Google Sheets take what begins so for a formula, some of them also behind white space or quotes.
_RUNS = re.compile(r"[\s\"']*[=+\-@|%\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def defused(cell: str) -> str:
    """The cell, with an apostrophe in front where a spreadsheet would run it. Numbers stay numbers."""
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell
