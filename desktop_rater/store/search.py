"""What a rater types into the filter field, as a question to the full-text index."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_ALONE = re.compile(r"(?<!\w)[0-9A-Za-z]\W*$")
_LONGEST = 200  # code points; SQLite refuses an expression of more than 256 parts


def phrase_of(db: Database, text: str) -> str | None:
    """An FTS5 expression that finds all the words, the last one also as a beginning; `None` where nothing is asked.

    A letter or a digit by itself is a word and no beginning: nearly every task would have one, and to find that out
    takes long in a large bundle. Whatever stands in `text` is a word, never an operator; words in double quotes stay
    together.
    """
    words = " ".join(sendable(text).split())  # single blanks are what quote_fts expects
    quoted = db.quote_fts(words)
    if not quoted:  # quotation marks around nothing
        return None
    return quoted if words.endswith('"') or _ALONE.search(words) else f"{quoted}*"


def sendable(text: str) -> str:
    """What SQLite can take of a text: a question mark stands for a lone surrogate, a blank for U+0000."""
    return text[:_LONGEST].encode("utf-8", "replace").decode().replace("\0", " ")
