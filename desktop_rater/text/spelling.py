"""Words of a comment that a spell check looks at. Pure."""

import re
from collections.abc import Iterable, Iterator

_CODE = re.compile(r"`[^`\n]*`")
_TOKEN = re.compile(r"\S+")
_NO_PROSE = ("/", "\\", "@", "www.")  # in addresses and paths
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LONGEST_WORD = 60


def spelled_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words to check with their offsets in code points.

    Left out are code, addresses, names of text blocks, words beside digits, abbreviations in capitals, and names with a
    capital inside.
    """
    text = _CODE.sub(lambda code: "`" * len(code.group()), text)
    for token in _TOKEN.finditer(text):
        if token.group().startswith(";") or any(sign in token.group() for sign in _NO_PROSE):
            continue
        for match in _WORD.finditer(text, *token.span()):
            word, (first, last) = match.group(), match.span()
            beside = text[max(0, first - 1) : first] + text[last : last + 1]
            named = any(character.isdigit() or character == "_" for character in beside)
            if not named and word[1:] == word[1:].lower() and 1 < len(word) <= _LONGEST_WORD:
                yield match.start(), word.replace("’", "'")


def dictionary_tag(wanted: str, available: Iterable[str]) -> str:
    """Return the best dictionary for a language tag such as "de" or "en-GB"; "" if there is none for it."""
    tags = sorted(available)
    exact = wanted.replace("-", "_")
    language = exact.partition("_")[0]
    usual = {"en": "en_US", "de": "de_DE"}.get(language, f"{language}_{language.upper()}")
    candidates = (exact, usual, language, *(tag for tag in tags if tag.startswith(f"{language}_")))
    return next((tag for tag in candidates if language and tag in tags), "")
