"""A soft check of quotes: whether a passage has any word or number in common with what it is evidence for.

It warns only where it can tell: both texts are in one language that the table below has, and long enough.
"""

import unicodedata
from functools import lru_cache

from desktop_rater.text.quotes import search_words, text_keys

# Words that are frequent in one of these languages and rare in the others.
_FREQUENT = {
    "en": "the of and to is was were are that with for on by from as it he she his which has have had been its this",
    "de": "der die das und ist war den dem ein eine mit von fur auf wurde nicht sich auch im zu des sie wird als bei",
    "fr": "le les des et est dans une du au aux pour qui que avec sur ete ce cette plus par etait sont il elle",
    "es": "el los las y es en una del por con para que fue como su se lo al esta este mas son entre era",
    "it": "il di che e una della dei delle nel nella con per sono stato piu gli anche dal alla era ed fu si",
    "pt": "o os as e uma do da dos das em no na com por para que foi nao mais ao se pelo pela entre sua",
    "nl": "het een van en is met voor op zijn werd dat aan niet ook naar bij uit door er wordt om deze ze hij",
}
_WORDS_OF = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}
LEAST_WORDS, LONGEST = 4, 4_000  # of a passage: words to judge by, characters that are compared
STEM, DIGITS = 5, 3  # letters and digits from which on a common beginning counts


@lru_cache(maxsize=256)
def shares_nothing(claim: str, passage: str, language: str = "", about: str = "") -> bool:
    """Return whether a passage has none of the words and numbers of a claim.

    `language` is that of the claim if its words do not tell; `about`: more of the page, such as its title. False for a
    passage in another language or script, and where there is too little text to tell.
    """
    passage = passage[:LONGEST]
    words = search_words(claim[:LONGEST])
    if not words or len(text_keys(passage)) < LEAST_WORDS:
        return False
    language_here = _language(claim) or language.partition("-")[0].lower()
    if language_here not in _WORDS_OF or _language(passage) != language_here:
        return False
    others = search_words(passage) | search_words(about[:LONGEST])
    return not any(_alike(word, other) for word in words for other in others)


def _language(text: str) -> str:
    """Return the language with the most frequent words in a text; "" if none has more than the others."""
    keys = text_keys(text)
    letters = {character for key in keys for character in key if character.isalpha()}
    if any(not unicodedata.name(character, "").startswith("LATIN") for character in letters):
        return "other"
    counts = sorted(((sum(key in words for key in keys), name) for name, words in _WORDS_OF.items()), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else ""


def _alike(word: str, other: str) -> bool:
    """Return whether two words have a beginning or a part in common, or two numbers their first digits."""
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    if short[0].isdigit() or long[0].isdigit():
        first, second = ("".join(filter(str.isdigit, number)).strip("0") for number in (word, other))
        size = min(len(first), len(second))
        return size >= DIGITS and abs(int(first[:size]) - int(second[:size])) <= 1
    return len(short) >= STEM and (short in long or short[:STEM] == long[:STEM])
