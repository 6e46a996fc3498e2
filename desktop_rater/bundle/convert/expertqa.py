"""ExpertQA: answers of several systems, in claims that experts judged, with the evidence that the systems gave.

https://github.com/chaitanyamalaviya/ExpertQA
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.gathering import Pages
from desktop_rater.bundle.convert.placing import Placing
from desktop_rater.bundle.convert.seen import Seen
from desktop_rater.bundle.convert.shape import shaped
from desktop_rater.model.answers import Answers
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import SUPPORTING, Rating, Stance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

NAME = "expertqa"
RUBRIC = "span-factuality@1"

_RESPONSE = "a"
# The two outer of five steps say what the rubric asks; "probably" and "unsure" say less than its answers would.
_ACCURACY = {"Definitely correct": "accurate", "Definitely incorrect": "inaccurate"}
_STANCES: dict[str | None, Stance] = {"Complete": SUPPORTING, "Partial": SUPPORTING}
_PIECE = re.compile(r"\s*\[(?P<number>\d+)\]\s*(?P<url>https?://\S+)\s*(?P<passage>.*)", re.DOTALL)
_JUDGED = ("support", "informativeness", "worthiness", "correctness", "reliability")


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim, mostly a sentence of the answer, with what the expert said of it."""

    claim_string: str
    evidence: tuple[str | None, ...] | str | None = ()
    support: str | None = None
    reason_missing_support: str | None = None
    informativeness: str | None = None
    worthiness: str | None = None
    correctness: str | None = None
    reliability: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What one system answered."""

    answer_string: str
    attribution: tuple[str | None, ...] | str | None = ()
    claims: tuple[Claim, ...] | None = ()
    usefulness: str | None = None
    annotation_time: Any = None
    revised_answer_string: str | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file."""

    question: str
    answers: dict[str, Answer]
    annotator_id: str | None = None
    metadata: dict[str, Any] | None = None


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each answer, its claims as targets, and the expert's judgement and the evidence as a rating.

    Nothing is invented: what an expert was not sure of is no answer, and stands in `meta.claims`. An answer that came
    already, as in two splits, is left out. Raises `BundleError` for a record of another shape.
    """
    seen = Seen()
    count = 0
    for line, plain in records:
        with records.trouble():
            record = shaped(plain, Record, f"line {line}")
        if not record.answers:
            yield Omitted(line=line, why="it has no answers, so there is nothing to rate")
        for system, answer in record.answers.items():
            count += 1
            before = seen.before(records.path.name, line, record.question, answer.answer_string)
            if before:
                yield Omitted(line=line, name=system, why=f"the same question and answer as {before}")
            elif not answer.answer_string.strip():
                yield Omitted(line=line, name=system, why="its answer is empty, so there is nothing to rate")
            else:
                yield _Conversion(f"eq-{count:04}", line, record, system, answer).converted()


class _Conversion:
    """One answer on its way."""

    def __init__(self, task: str, line: int, record: Record, system: str, answer: Answer) -> None:
        self._task = task
        self._line = line
        self._record = record
        self._system = system
        self._answer = answer
        self._answers: dict[str, dict[str, Any]] = {}
        self._judged: dict[str, dict[str, str]] = {}
        self._passages: dict[str, str] = {}
        self._pages = Pages()

    def converted(self) -> Converted:
        placing = Placing(self._answer.answer_string, _RESPONSE, lenient=True)
        for number, claim in enumerate(self._answer.claims or (), 1):
            id_ = f"s{number}"
            self._keep(id_, claim)
            if placing.next(id_, claim.claim_string) is not None:
                self._rate(id_, claim)
        return Converted(
            line=self._line,
            task=self._plain_task(placing),
            rating=Rating(
                task=self._task,
                rater=self._record.annotator_id or NAME,
                rubric=RUBRIC,
                answers=Answers(targets=self._answers),
                evidence=self._pages.evidence,
            ),
            unplaced=tuple(placing.unplaced),
            aligned=tuple(placing.aligned),
            merged=self._pages.merged,
        )

    def _keep(self, id_: str, claim: Claim) -> None:
        judged = {name: value for name in _JUDGED if (value := getattr(claim, name))}
        if judged:
            self._judged[id_] = judged
        for written in _texts(claim.evidence):
            piece = _PIECE.match(written)
            if piece and piece["passage"].strip():
                self._passages.setdefault(piece["number"], piece["passage"].strip())

    def _rate(self, id_: str, claim: Claim) -> None:
        answers: dict[str, Any] = {}
        accuracy = _ACCURACY.get(claim.correctness or "")
        if accuracy:
            answers = {"factual": "yes", "accuracy": accuracy}
        if claim.reason_missing_support and claim.reason_missing_support.strip():
            answers["comment"] = claim.reason_missing_support.strip()
        if answers:
            self._answers[id_] = answers
        stance = _STANCES.get(claim.support)
        for written in _texts(claim.evidence):
            piece = _PIECE.match(written)
            if piece:
                self._pages.add(id_, None, stance, piece["url"], piece["passage"].strip())
            else:
                self._pages.add_text(id_, None, stance, written)

    def _plain_task(self, placing: Placing) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "id": self._task,
            "prompt": {"text": self._record.question},
            "responses": [{"id": _RESPONSE, "text": self._answer.answer_string}],
            "meta": self._meta(placing),
        }
        if placing.targets:  # else the import splits the response
            plain["targets"] = [to_plain(target) for target in placing.targets]
        context = self._context()
        if context:
            plain["context"] = context
        return plain

    def _context(self) -> list[dict[str, str]]:
        """The pages that the system named, each with the passage that it gave, if it gave one."""
        documents: dict[str, dict[str, str]] = {}
        for one in _texts(self._answer.attribution):
            piece = _PIECE.match(one)
            if piece:
                text = piece["passage"].strip() or self._passages.get(piece["number"], "")
                document = {"id": piece["number"], "url": piece["url"]}
                documents.setdefault(piece["number"], {**document, "text": text} if text else document)
        return list(documents.values())

    def _meta(self, placing: Placing) -> dict[str, Any]:
        meta: dict[str, Any] = {"source": NAME, "line": self._line, "system": self._system}
        said = {
            "annotator": self._record.annotator_id,
            "metadata": self._record.metadata,
            "usefulness": self._answer.usefulness,
            "annotation_time": self._answer.annotation_time,
            "revised_answer": self._answer.revised_answer_string,
            "claims": self._judged,
            "attribution": [one for one in _texts(self._answer.attribution) if not _PIECE.match(one)],
        }
        meta |= {name: value for name, value in said.items() if value}
        if placing.unplaced:
            meta["unplaced"] = [{"id": lost.target, "text": lost.quote} for lost in placing.unplaced]
        return meta


def _texts(written: tuple[str | None, ...] | str | None) -> list[str]:
    return [one for one in ((written,) if isinstance(written, str) else written or ()) if one]
