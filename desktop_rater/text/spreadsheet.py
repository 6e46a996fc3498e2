"""Cells that a spreadsheet shows and does not run."""

from __future__ import annotations

import re

# Spreadsheets take what begins so for a formula, some of them also behind white space, quotes or what is not seen.
_UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
_RUNS = re.compile(rf"[\s\"'{_UNSEEN}]*[=+\-@\t\r＝＋－＠]")  # noqa: RUF001 - the wide ones are meant
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def defused(cell: str) -> str:
    """The cell, with an apostrophe in front where a spreadsheet would run it. Numbers stay numbers.

    A cell that begins with an apostrophe gets one too, so that whoever takes one away everywhere has what there was.
    """
    runs = cell.startswith("'") or (_RUNS.match(cell) and not _NUMBER.fullmatch(cell))
    return f"'{cell}" if runs else cell
