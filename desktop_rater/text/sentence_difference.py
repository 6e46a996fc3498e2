"""How two texts differ, sentence by sentence.

A sentence is the same where the other text has it too, wherever it stands there; similar where the other has one that
is alike, and then the words that differ are named; else it stands only here. Time is bounded whatever the texts hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from desktop_rater.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Span = tuple[int, int]
Kind = Literal["same", "similar", "only"]

MOST_CHARACTERS = 60_000  # of each text; what comes behind is not compared
MOST_LETTERS = 1_000  # of a sentence, for how alike two are
MOST_WORDS = 600  # of a sentence whose words are compared
MOST_PAIRS = 40_000
ALIKE = 55.0
# Words with their accents and vowel signs, numbers such as 09:40 and 1,200.50 whole; scripts without blanks letter by
# letter; every other sign by itself, but for the marks of Markdown.
_LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    rf"|{_LETTER}+(?:[.,:'\u2019/-]{_LETTER}+)*|[^\w\s*`#]"
)
_MARKS = re.compile(r"[*`]+|^[#_]+|_+$")


@dataclass(frozen=True)
class Sentence:
    """`span` and `words` (those that differ, where it is similar) are code points; `partner` is a row of the other."""

    span: Span
    kind: Kind
    words: tuple[Span, ...] = ()
    partner: int | None = None


@dataclass(frozen=True)
class Compared:
    """The sentences of both texts, each in order."""

    first: tuple[Sentence, ...]
    second: tuple[Sentence, ...]
    whole: bool  # whether both texts were compared to their ends


def compare(first: str, second: str, *, lang: str = "en", markdown: tuple[bool, bool] = (False, False)) -> Compared:
    """What is the same, similar and only here in two texts."""
    cuts = [sentences(text[:MOST_CHARACTERS], lang, markdown[at]) for at, text in enumerate((first, second))]
    left = [_plain(first[start:end]) for start, end in cuts[0]]
    right = [_plain(second[start:end]) for start, end in cuts[1]]
    same = dict(_same(left, right))
    similar = _similar(left, right, same)
    turned = {b: a for a, b in same.items()}, {b: a for a, b in similar.items()}
    return Compared(
        tuple(_told((first, second), cuts, same, similar)),
        tuple(_told((second, first), (cuts[1], cuts[0]), *turned)),
        whole=max(len(first), len(second)) <= MOST_CHARACTERS,
    )


def _plain(sentence: str) -> str:
    """What makes no difference is taken away: how a letter is composed, how long a blank is, marks of Markdown."""
    return " ".join(_MARKS.sub("", unicodedata.normalize("NFC", sentence)).split())


def _same(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal sentences: the first with the first, where one stands more than once."""
    there: dict[str, deque[int]] = defaultdict(deque)
    for at, sentence in enumerate(right):
        there[sentence].append(at)
    for at, sentence in enumerate(left):
        if there.get(sentence):
            yield at, there[sentence].popleft()


def _similar(left: Sequence[str], right: Sequence[str], same: dict[int, int]) -> dict[int, int]:
    """Pairs of sentences that are alike, the most alike first; each sentence stands in one pair at most."""
    taken = set(same.values())
    here = [at for at in range(len(left)) if at not in same]
    there = [at for at in range(len(right)) if at not in taken]
    found: list[tuple[float, int, int, int]] = []
    for at, other in _candidates(here, there):
        a, b = left[at][:MOST_LETTERS], right[other][:MOST_LETTERS]
        alike = fuzz.ratio(a, b, score_cutoff=ALIKE)
        if alike:
            found.append((-alike, abs(at - other), at, other))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    # Of equally good pairs the nearer, and then the one nearer to the start: the same whichever text is the first.
    for _alike, _far, at, other in sorted(found, key=lambda one: (one[0], one[1], one[2] + one[3], min(one[2:]))):
        if at not in pairs and other not in used:
            pairs[at] = other
            used.add(other)
    return pairs


def _candidates(here: Sequence[int], there: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every sentence with every other; where those are too many, each with those at about the same height."""
    if len(here) * len(there) <= MOST_PAIRS:
        yield from ((at, other) for at in here for other in there)
        return
    reach = max(1, MOST_PAIRS // (2 * max(len(here), len(there))))
    for row, at in enumerate(here):
        middle = row * len(there) // len(here)
        yield from ((at, other) for other in there[max(0, middle - reach) : middle + reach])


def _told(
    texts: tuple[str, str], cuts: Sequence[Sequence[Span]], same: dict[int, int], similar: dict[int, int]
) -> Iterator[Sentence]:
    for at, span in enumerate(cuts[0]):
        if at in same:
            yield Sentence(span, "same", partner=same[at])
        elif at in similar:
            other = cuts[1][similar[at]]
            yield Sentence(span, "similar", tuple(differing_words(texts[0], span, texts[1], other)), similar[at])
        else:
            yield Sentence(span, "only")


def differing_words(text: str, span: Span, other: str, other_span: Span) -> Iterator[Span]:
    """The stretches of a sentence whose words its partner does not have in their place."""
    mine = [match.span() for match in _WORD.finditer(text, *span)]
    theirs = [unicodedata.normalize("NFC", match.group()) for match in _WORD.finditer(other, *other_span)]
    if max(len(mine), len(theirs)) > MOST_WORDS:
        yield span
        return
    words = [unicodedata.normalize("NFC", text[start:end]) for start, end in mine]
    for step in Indel.opcodes(words, theirs):
        if step.tag in ("delete", "replace"):
            yield mine[step.src_start][0], mine[step.src_end - 1][1]
