"""Convert ExpertQA: answers of several systems, in claims judged by experts, with the systems' evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.rating import SUPPORTING, Rating, Stance
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.values import Answers
from desktop_rater.plugins.convert.conversion import (
    ConvertedRecord,
    EvidenceCollector,
    OmittedRecord,
    SeenRecords,
    TargetPlacer,
    to_struct,
)

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.source import SourceRecords


NAME = "expertqa"
RUBRIC = "span-factuality@2"

_RESPONSE = "a"
# Only the two extremes of five steps match the rubric; "probably" and "unsure" are weaker than its answers.
_ACCURACY = {"Definitely correct": "accurate", "Definitely incorrect": "inaccurate"}
_STANCES: dict[str | None, Stance] = {"Complete": SUPPORTING, "Partial": SUPPORTING}
_PIECE = re.compile(r"\s*\[(?P<number>\d+)\]\s*(?P<url>https?://\S+)\s*(?P<passage>.*)", re.DOTALL)
_JUDGED = ("support", "informativeness", "worthiness", "correctness", "reliability")


class ExpertQaClaim(msgspec.Struct, frozen=True, kw_only=True):
    """Claim, mostly a sentence of the answer, with the expert's judgement."""

    claim_string: str
    evidence: tuple[str | None, ...] | str | None = ()
    support: str | None = None
    reason_missing_support: str | None = None
    informativeness: str | None = None
    worthiness: str | None = None
    correctness: str | None = None
    reliability: str | None = None


class ExpertQaAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of one system."""

    answer_string: str
    attribution: tuple[str | None, ...] | str | None = ()
    claims: tuple[ExpertQaClaim, ...] | None = ()
    usefulness: str | None = None
    annotation_time: Any = None
    revised_answer_string: str | None = None


class ExpertQaRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Line of the file."""

    question: str
    answers: dict[str, ExpertQaAnswer]
    annotator_id: str | None = None
    metadata: dict[str, Any] | None = None


def convert(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each answer, its claims as targets, and the expert's judgement and the evidence as a rating.

    Nothing is invented: an uncertain judgement is no answer, and goes to `meta.claims`. A repeated answer, as in two
    splits, is left out. Raises `BundleError` for a record of another shape.
    """
    seen = SeenRecords()
    count = 0
    for line, plain in records:
        with records.translate_errors():
            record = to_struct(plain, ExpertQaRecord, f"line {line}")
        if not record.answers:
            yield OmittedRecord(line=line, why="it has no answers, so there is nothing to rate")
        for system, answer in record.answers.items():
            count += 1
            before = seen.before(records.path.name, line, record.question, answer.answer_string)
            if before:
                yield OmittedRecord(line=line, name=system, why=f"the same question and answer as {before}")
            elif not answer.answer_string.strip():
                yield OmittedRecord(line=line, name=system, why="its answer is empty, so there is nothing to rate")
            else:
                yield _Conversion(f"eq-{count:04}", line, record, system, answer).converted()


class _Conversion:
    """Conversion of one answer."""

    def __init__(self, task: str, line: int, record: ExpertQaRecord, system: str, answer: ExpertQaAnswer) -> None:
        self._task = task
        self._line = line
        self._record = record
        self._system = system
        self._answer = answer
        self._answers: dict[str, dict[str, Any]] = {}
        self._judged: dict[str, dict[str, str]] = {}
        self._passages: dict[str, str] = {}
        self._pages = EvidenceCollector()

    def converted(self) -> ConvertedRecord:
        placing = TargetPlacer(self._answer.answer_string, _RESPONSE, lenient=True)
        for number, claim in enumerate(self._answer.claims or (), 1):
            id_ = f"s{number}"
            self._keep(id_, claim)
            if placing.next(id_, claim.claim_string) is not None:
                self._rate(id_, claim)
        return ConvertedRecord(
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

    def _keep(self, id_: str, claim: ExpertQaClaim) -> None:
        judged = {name: value for name in _JUDGED if (value := getattr(claim, name))}
        if judged:
            self._judged[id_] = judged
        for written in _texts(claim.evidence):
            piece = _PIECE.match(written)
            if piece and piece["passage"].strip():
                self._passages.setdefault(piece["number"], piece["passage"].strip())

    def _rate(self, id_: str, claim: ExpertQaClaim) -> None:
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

    def _plain_task(self, placing: TargetPlacer) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "id": self._task,
            "prompt": {"text": self._record.question},
            "responses": [{"id": _RESPONSE, "text": self._answer.answer_string}],
            "meta": self._meta(placing),
        }
        if placing.targets:  # without targets the import splits the response
            plain["targets"] = [to_plain(target) for target in placing.targets]
        context = self._context()
        if context:
            plain["context"] = context
        return plain

    def _context(self) -> list[dict[str, str]]:
        """Return the pages named by the system, each with its passage, if any."""
        documents: dict[str, dict[str, str]] = {}
        for written in _texts(self._answer.attribution):
            piece = _PIECE.match(written)
            if piece:
                text = piece["passage"].strip() or self._passages.get(piece["number"], "")
                document = {"id": piece["number"], "url": piece["url"]}
                documents.setdefault(piece["number"], {**document, "text": text} if text else document)
        return list(documents.values())

    def _meta(self, placing: TargetPlacer) -> dict[str, Any]:
        meta: dict[str, Any] = {"source": NAME, "line": self._line, "system": self._system}
        annotation = {
            "annotator": self._record.annotator_id,
            "metadata": self._record.metadata,
            "usefulness": self._answer.usefulness,
            "annotation_time": self._answer.annotation_time,
            "revised_answer": self._answer.revised_answer_string,
            "claims": self._judged,
            "attribution": [text for text in _texts(self._answer.attribution) if not _PIECE.match(text)],
        }
        meta |= {name: value for name, value in annotation.items() if value}
        if placing.unplaced:
            meta["unplaced"] = [{"id": lost.target, "text": lost.quote} for lost in placing.unplaced]
        return meta


def _texts(written: tuple[str | None, ...] | str | None) -> list[str]:
    return [text for text in ((written,) if isinstance(written, str) else written or ()) if text]
