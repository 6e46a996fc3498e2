"""Search for words as readers do: letter case, accents and the kind of white space do not matter.

The filter of the task list (SQLite's FTS5 with its Unicode tokenizer) compares in the same way. A phrase that is not
found as it is typed is searched for as separate words, as the filter does.
"""

import re
import unicodedata

SEPARATOR = "\0"  # between texts that are searched at once; no query contains it


class _FoldedCharacters(dict[int, str]):
    """Table for `str.translate`: each character becomes one other, so that offsets stay the same."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = unicodedata.normalize("NFKD", character)[0] if not 0xAC00 <= code <= 0xD7A3 else character
        if base.isspace() and not character.isspace():  # an accent that stands alone
            base = character
        lower = base.lower()
        self[code] = folded = lower if len(lower) == 1 else character
        return folded


_FOLDED = _FoldedCharacters()
_WORD = re.compile(r"[^\W_]+")
_MARKS = "[\u0300-\u036f]*"  # accents of decomposed letters


def folded(text: str) -> str:
    """Return a text of the same length in which letters are compared."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def phrase_pattern(query: str, *, marks: bool = True) -> re.Pattern[str] | None:
    """Return a pattern that finds a phrase in folded text; `None` for blanks only.

    `marks`: the text may have accents as characters of their own.
    """
    accents = _MARKS if marks else ""
    words = folded(query.replace(SEPARATOR, " ")).split()
    # A power may be written with a sign or without: 10^9 is 10⁹, whose letters are compared as 109.
    parts = ["".join("\\^?" if letter == "^" else re.escape(letter) + accents for letter in word) for word in words]
    return re.compile(r"\s+".join(parts)) if parts else None


def word_patterns(query: str, *, marks: bool = True) -> list[re.Pattern[str]]:
    """Return patterns that find each word of a query where a word begins."""
    accents = _MARKS if marks else ""
    words = dict.fromkeys(_WORD.findall(folded(query)))
    return [re.compile(r"(?<![^\W_])" + "".join(re.escape(letter) + accents for letter in word)) for word in words]
