"""What a text costs to be shown: of some things Qt takes the square, and a text from outside may be nothing else.

Measured with PySide6 6.11: 8,000 items of a list or 8,000 pictures take 4 s, a table of 10,000 rows 6 s, a word of
200,000 letters 5 s where it may break only at its border. `tests/ui/test_heavy_texts.py` measures it again.
"""

import re

MOST_SHOWN = 500_000  # characters of a text that is only read, such as a prompt
MOST_MARKDOWN = 100_000
MOST_CELLS = 3_000
MOST_ITEMS = 1_500
MOST_PICTURES = 500
LONGEST_WORD = 2_000

_ITEM = re.compile(r"^[ \t>]*+(?:[-+*]|\d{1,9}+[.)])(?=\s)", re.MULTILINE)


def is_heavy_markdown(text: str) -> bool:
    """Whether Markdown should rather be shown as its source."""
    if len(text) > MOST_MARKDOWN or text.count("|") > MOST_CELLS or text.count("![") > MOST_PICTURES:
        return True
    return sum(1 for _ in _ITEM.finditer(text)) > MOST_ITEMS


def has_long_word(text: str) -> bool:
    """Whether a text has to break inside its words."""
    return len(text) > LONGEST_WORD and max(map(len, text.split()), default=0) > LONGEST_WORD
