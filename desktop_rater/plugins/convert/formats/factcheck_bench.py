"""Convert Factcheck-Bench: responses in sentences and claims, with labels and evidence by people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Claim, ClaimSpan, Rating, Stance
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.task import Target
from desktop_rater.model.values import Answers
from desktop_rater.plugins.convert.conversion import (
    ConvertedRecord,
    EvidenceCollector,
    OmittedRecord,
    TargetPlacer,
    to_struct,
)

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.source import SourceRecords


NAME = "factcheck-bench"
RUBRIC = "span-factuality@2"

OptionalTexts = tuple[str | None, ...]
FactcheckLabel = bool | str | None

_RESPONSE = "a"
_STANCES: dict[str, Stance] = {
    "completely-support": SUPPORTING,
    "partially-support": SUPPORTING,
    "refute": CONTRADICTING,
}
_LABEL_STANCES: dict[FactcheckLabel, Stance] = {True: SUPPORTING, False: CONTRADICTING}
_ACCURACY = {True: "accurate", False: "inaccurate"}
_NOTHING = "NA"


class FactcheckSentence(msgspec.Struct, frozen=True, kw_only=True):
    """Sentence: its lists are parallel to `claims`, and the inner lists to each other."""

    text: str
    sentence_factuality_label: FactcheckLabel = None
    claims: OptionalTexts | None = ()
    claims_factuality_label: tuple[FactcheckLabel, ...] | None = ()
    human_evidence: OptionalTexts | None = ()
    auto_evidence: tuple[OptionalTexts | None, ...] | None = ()
    auto_evidence_url: tuple[OptionalTexts | None, ...] | None = ()
    stance_claim_autoEvid: tuple[OptionalTexts | None, ...] | None = ()  # noqa: N815 - the name in the file


class FactcheckRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Line of the file."""

    prompt: str
    response: str
    sentences: dict[str, Any]


def convert(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each record, with its sentences as targets, and the annotators' labels and evidence as a rating.

    Nothing is invented: no severity, no common knowledge. Raises `BundleError` for a record of another shape.
    """
    for count, (line, plain) in enumerate(records, 1):
        with records.translate_errors():
            record = to_struct(plain, FactcheckRecord, f"line {line}")
            sentences = [
                to_struct(sentence, FactcheckSentence, f"line {line}, {name}")
                for name, sentence in record.sentences.items()
            ]
        if record.response.strip():
            yield _Conversion(f"fb-{count:04}", line, record, sentences).converted()
        else:
            yield OmittedRecord(line=line, why="its response is empty, so there is nothing to rate")


class _Conversion:
    """Conversion of one record."""

    def __init__(self, task: str, line: int, record: FactcheckRecord, sentences: list[FactcheckSentence]) -> None:
        self._task = task
        self._line = line
        self._record = record
        self._sentences = sentences
        self._answers: dict[str, dict[str, Any]] = {}
        self._claims: dict[str, tuple[Claim, ...]] = {}
        self._pages = EvidenceCollector()
        self._surplus = 0

    def converted(self) -> ConvertedRecord:
        placing = TargetPlacer(self._record.response, _RESPONSE)
        for number, sentence in enumerate(self._sentences, 1):
            target = placing.next(f"s{number}", sentence.text)
            if target is not None:
                self._rate(target, sentence)
        return ConvertedRecord(
            line=self._line,
            task=self._plain_task(placing),
            rating=Rating(
                task=self._task,
                rater=NAME,
                rubric=RUBRIC,
                answers=Answers(targets=self._answers),
                claims=self._claims,
                evidence=self._pages.evidence,
            ),
            unplaced=tuple(placing.unplaced),
            aligned=tuple(placing.aligned),
            surplus=self._surplus,
            merged=self._pages.merged,
        )

    def _plain_task(self, placing: TargetPlacer) -> dict[str, Any]:
        meta: dict[str, Any] = {"source": NAME, "line": self._line}
        if placing.unplaced:
            meta["unplaced"] = [{"id": lost.target, "text": lost.quote} for lost in placing.unplaced]
        plain: dict[str, Any] = {
            "id": self._task,
            "prompt": {"text": self._record.prompt},
            "responses": [{"id": _RESPONSE, "text": self._record.response}],
            "meta": meta,
        }
        if placing.targets:  # without targets the import splits the response
            plain["targets"] = [to_plain(target) for target in placing.targets]
        return plain

    def _rate(self, target: Target, sentence: FactcheckSentence) -> None:
        label = sentence.sentence_factuality_label
        if label == _NOTHING:
            self._answers[target.id] = {"factual": "no"}
            return
        answers = {"factual": "yes"} if isinstance(label, bool) else {}
        claims = _claims(target, sentence)
        if claims:
            self._claims[target.id] = claims
        elif isinstance(label, bool):
            answers["accuracy"] = _ACCURACY[label]
        if answers:
            self._answers[target.id] = answers
        self._gather(target, sentence, {claim.id for claim in claims})

    def _gather(self, target: Target, sentence: FactcheckSentence, claims: set[str]) -> None:
        rows = zip_longest(
            sentence.claims_factuality_label or (),
            sentence.human_evidence or (),
            sentence.auto_evidence_url or (),
            sentence.auto_evidence or (),
            sentence.stance_claim_autoEvid or (),
        )
        for number, (label, human, urls, passages, stances) in enumerate(rows, 1):
            claim = f"c{number}"
            evidence = list(zip(urls or (), passages or (), stances or (), strict=False))
            longest = max(len(urls or ()), len(passages or ()), len(stances or ()))
            if claim not in claims:
                self._surplus += longest + (label is not None) + (human is not None)
                continue
            self._surplus += longest - len(evidence)
            self._pages.add_text(target.id, claim, _LABEL_STANCES.get(label), human or "")
            for url, passage, stance in evidence:
                if stance in _STANCES and url:
                    self._pages.add(target.id, claim, _STANCES[stance], url, passage or "")


def _claims(target: Target, sentence: FactcheckSentence) -> tuple[Claim, ...]:
    texts = sentence.claims or ()
    labelled = zip_longest(texts, (sentence.claims_factuality_label or ())[: len(texts)])
    return tuple(
        _claim(f"c{number}", text, label, target)
        for number, (text, label) in enumerate(labelled, 1)
        if text and text.strip()
    )


def _claim(id_: str, text: str, label: FactcheckLabel, target: Target) -> Claim:
    offset = (target.quote or "").find(text)
    start = -1 if offset < 0 or target.start is None else target.start + offset
    return Claim(
        id=id_,
        text=text,
        spans=(ClaimSpan(start=start, end=start + len(text), quote=text),) if start >= 0 else (),
        answers={"accuracy": _ACCURACY[label]} if isinstance(label, bool) else {},
    )
