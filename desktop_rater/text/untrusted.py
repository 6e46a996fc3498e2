"""Untrusted text: spreadsheet formulas, and content that is slow to show.

Qt takes quadratic time for some content. Measured with PySide6 6.11: 8,000 items of a list or 8,000 pictures take 4 s,
a table of 10,000 rows 6 s, a word of 200,000 letters 5 s if lines break at word borders only.
`tests/ui/test_heavy_texts.py` measures it again.
"""

import re

from desktop_rater.text.unseen_characters import UNSEEN

# Beginnings of formulas; some spreadsheets skip white space, quotes or invisible characters before them.
_RUNS = re.compile(rf"[\s\"'{UNSEEN}]*[=+\-@\t\r＝＋－＠]")  # noqa: RUF001 - the full-width ones are intended
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Where the semicolon separates cells, quotes further on in a line mean nothing, and these begin a cell.
_CELL_BORDERS = re.compile("([;\n])")


def escape_formula(cell: str) -> str:
    """Return the cell with an apostrophe before each part that a spreadsheet would run. Numbers stay numbers.

    Parts are separated by semicolons and line feeds. One that begins with an apostrophe gets one too, so that removing
    one from every part restores the original.
    """
    return "".join(map(_escaped_part, _CELL_BORDERS.split(cell)))


def restored_cell(cell: str) -> str:
    """Return a cell without the apostrophes of `escape_formula`."""
    return "".join(part.removeprefix("'") for part in _CELL_BORDERS.split(cell))


def _escaped_part(part: str) -> str:
    runs = part.startswith("'") or (_RUNS.match(part) and not _NUMBER.fullmatch(part))
    return f"'{part}" if runs else part


MAX_SHOWN_CHARACTERS = 500_000  # characters of a read-only text, such as a prompt
MAX_MARKDOWN_CHARACTERS = 100_000
MAX_MARKDOWN_CELLS = 3_000
MAX_MARKDOWN_ITEMS = 1_500
MAX_MARKDOWN_PICTURES = 500
MAX_WORD_LENGTH = 2_000

_ITEM = re.compile(r"^[ \t>]*+(?:[-+*]|\d{1,9}+[.)])(?=\s)", re.MULTILINE)


def is_heavy_markdown(text: str) -> bool:
    """Return whether Markdown should be shown as source instead."""
    if (
        len(text) > MAX_MARKDOWN_CHARACTERS
        or text.count("|") > MAX_MARKDOWN_CELLS
        or text.count("![") > MAX_MARKDOWN_PICTURES
    ):
        return True
    return sum(1 for _ in _ITEM.finditer(text)) > MAX_MARKDOWN_ITEMS


def has_long_word(text: str) -> bool:
    """Return whether a text has to be broken inside its words."""
    return len(text) > MAX_WORD_LENGTH and max(map(len, text.split()), default=0) > MAX_WORD_LENGTH
