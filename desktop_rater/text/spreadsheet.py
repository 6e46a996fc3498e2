"""Cells that a spreadsheet shows and does not run."""

from __future__ import annotations

import re

# Spreadsheets take what begins so for a formula, some of them also behind white space, quotes or what is not seen.
_RUNS = re.compile(r"[\s\"'\u200b\u2060\ufeff]*[=+\-@\t\r＝＋－＠]")  # noqa: RUF001 - the wide ones are meant
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def defused(cell: str) -> str:
    """The cell, with an apostrophe in front where a spreadsheet would run it. Numbers stay numbers.

    A cell that begins with an apostrophe gets one too, so that whoever takes one away everywhere has what there was.
    """
    runs = cell.startswith("'") or (_RUNS.match(cell) and not _NUMBER.fullmatch(cell))
    return f"'{cell}" if runs else cell
