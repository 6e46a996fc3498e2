"""Precedents: targets with their final labels, as lines of files `*.precedents.jsonl`, and those like a claim."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import DecidedCase, Stance
from desktop_rater.format.strict_json import OpenStruct, StrictJsonError, read_json_object, read_struct
from desktop_rater.format.values import Day, Id
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.passages import is_unspaced, query_words
from desktop_rater.text.comparison import ComparedValue

ENDING = ".precedents.jsonl"
MOST_CASES = 10
LEAST_SIMILARITY = 0.3
"""Of a case like a claim. The table in docs/plugins/library.md says what it finds."""


class CaseEvidence(OpenStruct, frozen=True, kw_only=True):
    """A piece of evidence for a final label."""

    url: str
    title: str = ""
    quote: str = ""
    stance: Stance | None = None


class DecidedClaim(OpenStruct, frozen=True, kw_only=True):
    """A target with its final label. `text`: its only claim, else its quote; `claims`: all, if there are several.

    `label`: the answer `value` to `question` as it is shown; `by`: the lead, all raters or a method. `votes`: answer as
    shown → number of raters. `reason`: of the lead, else of a rater; `section`: a heading of the guidelines.
    """

    text: str
    bundle: Id
    task: Id
    where: str
    rubric: Id
    question: Id
    value: Any
    label: str
    by: str
    claims: tuple[str, ...] = ()
    votes: dict[str, int] = {}
    title: str = ""
    reason: str = ""
    section: str = ""
    evidence: tuple[CaseEvidence, ...] = ()
    decided: Day = ""

    @property
    def place(self) -> tuple[str, str, str]:
        return self.bundle, self.task, self.where


def read_decided_claim(line: bytes) -> DecidedClaim:
    """Decode a line of a file of precedents. Raises `RaterError`."""
    try:
        return read_struct(read_json_object(line), DecidedClaim)
    except StrictJsonError as error:
        raise RaterError("It is no precedent.", str(error)) from error


class SimilarCase(NamedTuple):
    """A decided claim like another one. `similarity`: of their words, up to 1; `values`: of the other, to look at."""

    library: Library
    claim: DecidedClaim
    place: str
    similarity: float
    values: tuple[ComparedValue, ...]


class CaseSummary(NamedTuple):
    """Labels of cases with their numbers, the most frequent first, and the headings of guidelines that they name.

    `value`: the answer to `question` in more than half of the cases, if any.
    """

    counts: tuple[tuple[str, int], ...]
    value: Any
    question: str
    sections: tuple[str, ...]


def similarity(text: str, other: str, lang: str) -> float:
    """Return the cosine of the sets of words of two texts, without stop words; from 0 to 1."""
    words, others = _terms(text, lang), _terms(other, lang)
    return len(words & others) / sqrt(len(words) * len(others)) if words and others else 0.0


def _terms(text: str, lang: str) -> set[str]:
    """Return the words of a text, and the pairs of characters of scripts without spaces."""
    terms: set[str] = set()
    for word in query_words(text, lang):
        terms |= {word[at : at + 2] for at in range(max(1, len(word) - 1))} if is_unspaced(word) else {word}
    return terms


def summarize_cases(cases: Sequence[SimilarCase]) -> CaseSummary:
    """Count the labels of cases."""
    questions = Counter(case.claim.question for case in cases)
    question = next((name for name, _ in questions.most_common(1)), "")
    answers = Counter(msgspec.json.encode(case.claim.value) for case in cases if case.claim.question == question)
    value, count = next(iter(answers.most_common(1)), (b"null", 0))
    return CaseSummary(
        counts=tuple(Counter(case.claim.label for case in cases).most_common()),
        value=msgspec.json.decode(value) if 2 * count > len(cases) else None,
        question=question,
        sections=tuple(dict.fromkeys(case.claim.section for case in cases if case.claim.section)),
    )


def case_of(claim: DecidedClaim) -> DecidedCase:
    """Return the case as ratings and evidence name it."""
    return DecidedCase(bundle=claim.bundle, task=claim.task, where=claim.where)
