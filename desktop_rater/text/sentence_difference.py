"""Differences between two texts, sentence by sentence.

A sentence is the same if the other text has it anywhere; similar if the other has one that is much alike, with the
differing words marked; else it exists only here. Time is bounded for any input.
"""

import re
import unicodedata
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from desktop_rater.text.sentences import split_sentences

Span = tuple[int, int]
SentenceKind = Literal["same", "similar", "only"]

MAX_COMPARED_CHARACTERS = 60_000  # of each text; the rest is not compared
MAX_SENTENCE_LETTERS = 1_000  # of a sentence, when computing similarity
MAX_SENTENCE_WORDS = 600  # of a sentence whose words are compared
MAX_SENTENCE_PAIRS = 40_000
MIN_SENTENCE_SIMILARITY = 55.0
# Words with their accents and vowel signs, whole numbers such as 09:40 and 1,200.50; scripts without blanks letter by
# letter; every other character by itself, except the marks of Markdown.
_LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    rf"|{_LETTER}+(?:[.,:'\u2019/-]{_LETTER}+)*|[^\w\s*`#]"
)
_MARKS = re.compile(r"[*`]+|^[#_]+|_+$")


@dataclass(frozen=True)
class ComparedSentence:
    """A sentence. `span` and `words` (the differing ones) are code points; `partner` is its index in the other text."""

    span: Span
    kind: SentenceKind
    words: tuple[Span, ...] = ()
    partner: int | None = None


@dataclass(frozen=True)
class SentenceComparison:
    """The sentences of both texts, each in order."""

    first: tuple[ComparedSentence, ...]
    second: tuple[ComparedSentence, ...]
    whole: bool  # whether both texts were compared to their ends


def compare_sentences(
    first: str, second: str, *, lang: str = "en", markdown: tuple[bool, bool] = (False, False)
) -> SentenceComparison:
    """Classify the sentences of two texts as same, similar or only in one."""
    cuts = [
        split_sentences(text[:MAX_COMPARED_CHARACTERS], lang, markdown[index])
        for index, text in enumerate((first, second))
    ]
    left = [_plain(first[start:end]) for start, end in cuts[0]]
    right = [_plain(second[start:end]) for start, end in cuts[1]]
    same = dict(_same(left, right))
    similar = _similar(left, right, same)
    reversed_pairs = {b: a for a, b in same.items()}, {b: a for a, b in similar.items()}
    return SentenceComparison(
        tuple(_sentences((first, second), cuts, same, similar)),
        tuple(_sentences((second, first), (cuts[1], cuts[0]), *reversed_pairs)),
        whole=max(len(first), len(second)) <= MAX_COMPARED_CHARACTERS,
    )


def match_sentences(first: Sequence[str], second: Sequence[str]) -> dict[int, int]:
    """Return the partner of each sentence that is the same or similar in the other text, by their indices."""
    left, right = [_plain(sentence) for sentence in first], [_plain(sentence) for sentence in second]
    same = dict(_same(left, right))
    return {**same, **_similar(left, right, same)}


def _plain(sentence: str) -> str:
    """Remove irrelevant differences: composition of letters, amount of white space, marks of Markdown."""
    return " ".join(_MARKS.sub("", unicodedata.normalize("NFC", sentence)).split())


def _same(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal sentences; repeated ones are paired in order."""
    positions: dict[str, deque[int]] = defaultdict(deque)
    for index, sentence in enumerate(right):
        positions[sentence].append(index)
    for index, sentence in enumerate(left):
        if positions.get(sentence):
            yield index, positions[sentence].popleft()


def _similar(left: Sequence[str], right: Sequence[str], same: dict[int, int]) -> dict[int, int]:
    """Return pairs of similar sentences, chosen by similarity; each sentence is in one pair at most."""
    used_right = set(same.values())
    left_rows = [row for row in range(len(left)) if row not in same]
    right_rows = [row for row in range(len(right)) if row not in used_right]
    candidates: list[tuple[float, int, int, int]] = []
    for row, other in _candidates(left_rows, right_rows):
        a, b = left[row][:MAX_SENTENCE_LETTERS], right[other][:MAX_SENTENCE_LETTERS]
        alike = fuzz.ratio(a, b, score_cutoff=MIN_SENTENCE_SIMILARITY)
        if alike:
            candidates.append((-alike, abs(row - other), row, other))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    # Of equally good pairs the nearer, then the one nearer to the start: symmetric in both texts.
    for _alike, _far, row, other in sorted(
        candidates, key=lambda candidate: (candidate[0], candidate[1], candidate[2] + candidate[3], min(candidate[2:]))
    ):
        if row not in pairs and other not in used:
            pairs[row] = other
            used.add(other)
    return pairs


def _candidates(left_rows: Sequence[int], right_rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield every sentence with every other; if those are too many, only those at a similar position."""
    if len(left_rows) * len(right_rows) <= MAX_SENTENCE_PAIRS:
        yield from ((row_left, other) for row_left in left_rows for other in right_rows)
        return
    reach = max(1, MAX_SENTENCE_PAIRS // (2 * max(len(left_rows), len(right_rows))))
    for row, row_left in enumerate(left_rows):
        middle = row * len(right_rows) // len(left_rows)
        yield from ((row_left, other) for other in right_rows[max(0, middle - reach) : middle + reach])


def _sentences(
    texts: tuple[str, str], cuts: Sequence[Sequence[Span]], same: dict[int, int], similar: dict[int, int]
) -> Iterator[ComparedSentence]:
    for index, span in enumerate(cuts[0]):
        if index in same:
            yield ComparedSentence(span, "same", partner=same[index])
        elif index in similar:
            other = cuts[1][similar[index]]
            yield ComparedSentence(
                span, "similar", tuple(differing_words(texts[0], span, texts[1], other)), similar[index]
            )
        else:
            yield ComparedSentence(span, "only")


def differing_words(text: str, span: Span, other: str, other_span: Span) -> Iterator[Span]:
    """Yield the spans of a sentence's words that its partner does not have in their place."""
    mine = [match.span() for match in _WORD.finditer(text, *span)]
    theirs = [unicodedata.normalize("NFC", match.group()) for match in _WORD.finditer(other, *other_span)]
    if max(len(mine), len(theirs)) > MAX_SENTENCE_WORDS:
        yield span
        return
    words = [unicodedata.normalize("NFC", text[start:end]) for start, end in mine]
    for step in Indel.opcodes(words, theirs):
        if step.tag in ("delete", "replace"):
            yield mine[step.src_start][0], mine[step.src_end - 1][1]
