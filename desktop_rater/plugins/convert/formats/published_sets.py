"""Convert published data sets of judged answers: ExpertQA, Factcheck-Bench and HaluQuestQA.

ExpertQA has answers of several systems, in claims judged by experts, with the systems' evidence. Factcheck-Bench has
responses in sentences and claims, with labels and evidence by people. HaluQuestQA has pairs of long answers with spans
marked by experts, their reasons and preference. Nothing is invented: an uncertain judgement is no answer.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, Claim, ClaimSpan, Rating, Stance
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.targets import RelocatedTarget, UnplacedTarget
from desktop_rater.format.task import Target
from desktop_rater.format.values import Answers
from desktop_rater.plugins.convert.conversion import (
    ConvertedRecord,
    EvidenceCollector,
    OmittedRecord,
    SeenRecords,
    TargetPlacer,
    locate_mark,
    rows_by_column,
    to_struct,
    unplaced_texts,
)
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.quotes import QuotePlace
from desktop_rater.text.urls import find_links

EXPERTQA, FACTCHECK_BENCH, HALUQUESTQA = "expertqa", "factcheck-bench", "haluquestqa"
SPANS, PAIRS = "span-factuality@3", "side-by-side@2"
"""Rubrics of the sets."""

_RESPONSE = "a"


def _task(id_: str, prompt: str, placing: TargetPlacer, meta: dict[str, Any]) -> dict[str, Any]:
    """Return a task with one response, its targets, and the texts that are nowhere in it in `meta`."""
    if placing.unplaced:
        meta["unplaced"] = unplaced_texts(placing.unplaced)
    plain: dict[str, Any] = {
        "id": id_,
        "prompt": {"text": prompt},
        "responses": [{"id": _RESPONSE, "text": placing.text}],
        "meta": meta,
    }
    if placing.targets:  # without targets the import splits the response
        plain["targets"] = [to_plain(target) for target in placing.targets]
    return plain


# Only the two extremes of five steps match the rubric; "probably" and "unsure" are weaker than its answers.
_CORRECTNESS = {"Definitely correct": "accurate", "Definitely incorrect": "inaccurate"}
_SUPPORT: dict[str | None, Stance] = {"Complete": SUPPORTING, "Partial": SUPPORTING}
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


def convert_expertqa(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each answer, its claims as targets, and the expert's judgement and the evidence as a rating.

    Uncertain judgements go to `meta.claims`. A repeated answer, as in two splits, is left out. Raises `BundleError` for
    a record of another shape.
    """
    seen = SeenRecords()
    count = 0
    for line, plain in records:
        with records.record(line):
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
                    yield _expert_task(f"eq-{count:04}", line, record, system)


def _expert_task(task: str, line: int, record: ExpertQaRecord, system: str) -> ConvertedRecord:
    answer = record.answers[system]
    placing, pages = TargetPlacer(answer.answer_string, _RESPONSE, lenient=True), EvidenceCollector()
    answers: dict[str, dict[str, Any]] = {}
    judged: dict[str, dict[str, str]] = {}
    passages: dict[str, str] = {}
    for number, claim in enumerate(answer.claims or (), 1):
        id_ = f"s{number}"
        judgements = {name: value for name in _JUDGED if (value := getattr(claim, name))}
        judged |= {id_: judgements} if judgements else {}
        pieces = [(text, _PIECE.match(text)) for text in _given_texts(claim.evidence)]
        for _, piece in pieces:
            if piece and piece["passage"].strip():
                passages.setdefault(piece["number"], piece["passage"].strip())
        if placing.next(id_, claim.claim_string) is None:
            continue
        own = _expert_answers(claim)
        answers |= {id_: own} if own else {}
        stance = _SUPPORT.get(claim.support)
        for text, piece in pieces:
            if piece:
                pages.add(id_, None, stance, piece["url"], piece["passage"].strip())
            else:
                pages.add_text(id_, None, stance, text)
    attribution = [(text, _PIECE.match(text)) for text in _given_texts(answer.attribution)]
    annotation = {
        "annotator": record.annotator_id,
        "metadata": record.metadata,
        "usefulness": answer.usefulness,
        "annotation_time": answer.annotation_time,
        "revised_answer": answer.revised_answer_string,
        "claims": judged,
        "attribution": [text for text, piece in attribution if piece is None],
    }
    meta: dict[str, Any] = {"source": EXPERTQA, "line": line, "system": system}
    plain = _task(task, record.question, placing, {**meta, **{key: part for key, part in annotation.items() if part}})
    context = _context([piece for _, piece in attribution if piece is not None], passages)
    return ConvertedRecord(
        line=line,
        task={**plain, "context": context} if context else plain,
        rating=Rating(
            task=task,
            rater=record.annotator_id or EXPERTQA,
            rubric=SPANS,
            answers=Answers(targets=answers),
            evidence=pages.evidence,
        ),
        unplaced=tuple(placing.unplaced),
        aligned=tuple(placing.aligned),
        merged=pages.merged,
    )


def _given_texts(written: tuple[str | None, ...] | str | None) -> list[str]:
    return [text for text in ((written,) if isinstance(written, str) else written or ()) if text]


def _expert_answers(claim: ExpertQaClaim) -> dict[str, Any]:
    accuracy = _CORRECTNESS.get(claim.correctness or "")
    answers: dict[str, Any] = {"factual": "yes", "accuracy": accuracy} if accuracy else {}
    comment = (claim.reason_missing_support or "").strip()
    return {**answers, "comment": comment} if comment else answers


def _context(pages: list[re.Match[str]], passages: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the pages named by the system, each with its passage, if any."""
    documents: dict[str, dict[str, str]] = {}
    for page in pages:
        text = page["passage"].strip() or passages.get(page["number"], "")
        document = {"id": page["number"], "url": page["url"]}
        documents.setdefault(page["number"], {**document, "text": text} if text else document)
    return list(documents.values())


OptionalTexts = tuple[str | None, ...]
FactcheckLabel = bool | str | None

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


def convert_factcheck_bench(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each record, with its sentences as targets, and the annotators' labels and evidence as a rating.

    There is no severity and no common knowledge in it. Raises `BundleError` for a record of another shape.
    """
    for count, (line, plain) in enumerate(records, 1):
        with records.record(line):
            record = to_struct(plain, FactcheckRecord, f"line {line}")
            sentences = [
                to_struct(sentence, FactcheckSentence, f"line {line}, {name}")
                for name, sentence in record.sentences.items()
            ]
            if record.response.strip():
                yield _checked_task(f"fb-{count:04}", line, record, sentences)
            else:
                yield OmittedRecord(line=line, why="its response is empty, so there is nothing to rate")


def _checked_task(task: str, line: int, record: FactcheckRecord, sentences: list[FactcheckSentence]) -> ConvertedRecord:
    placing, pages = TargetPlacer(record.response, _RESPONSE), EvidenceCollector()
    answers: dict[str, dict[str, Any]] = {}
    claims: dict[str, tuple[Claim, ...]] = {}
    surplus = 0
    for number, sentence in enumerate(sentences, 1):
        target = placing.next(f"s{number}", sentence.text)
        label = sentence.sentence_factuality_label
        if target is None:
            continue
        if label == _NOTHING:
            answers[target.id] = {"factual": "no"}
            continue
        own = tuple(_claims(target, sentence))
        claims |= {target.id: own} if own else {}
        if isinstance(label, bool):
            answers[target.id] = {"factual": "yes"} if own else {"factual": "yes", "accuracy": _ACCURACY[label]}
        surplus += _gather(pages, target, sentence, {claim.id for claim in own})
    return ConvertedRecord(
        line=line,
        task=_task(task, record.prompt, placing, {"source": FACTCHECK_BENCH, "line": line}),
        rating=Rating(
            task=task,
            rater=FACTCHECK_BENCH,
            rubric=SPANS,
            answers=Answers(targets=answers),
            claims=claims,
            evidence=pages.evidence,
        ),
        unplaced=tuple(placing.unplaced),
        aligned=tuple(placing.aligned),
        surplus=surplus,
        merged=pages.merged,
    )


def _gather(pages: EvidenceCollector, target: Target, sentence: FactcheckSentence, claims: set[str]) -> int:
    """Add the evidence of the claims; return the number of entries of lists without a partner in another one."""
    surplus = 0
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
            surplus += longest + (label is not None) + (human is not None)
            continue
        surplus += longest - len(evidence)
        pages.add_text(target.id, claim, _LABEL_STANCES.get(label), human or "")
        for url, passage, stance in evidence:
            if stance in _STANCES and url:
                pages.add(target.id, claim, _STANCES[stance], url, passage or "")
    return surplus


def _claims(target: Target, sentence: FactcheckSentence) -> Iterator[Claim]:
    texts = sentence.claims or ()
    labelled = zip_longest(texts, (sentence.claims_factuality_label or ())[: len(texts)])
    for number, (text, label) in enumerate(labelled, 1):
        if text and text.strip():
            offset = (target.quote or "").find(text)
            start = -1 if offset < 0 or target.start is None else target.start + offset
            yield Claim(
                id=f"c{number}",
                text=text,
                spans=(ClaimSpan(start=start, end=start + len(text), quote=text),) if start >= 0 else (),
                answers={"accuracy": _ACCURACY[label]} if isinstance(label, bool) else {},
            )


_NEEDED = ("question_text", "ans1_text", "ans2_text")
_ANOTHER = "The file has another format. Nothing was written."
_PROMPT = "prompt"
_SPAN_COLUMN = "_span"
_PLACES = {"answer1": "a", "answer2": "b", "question1": _PROMPT, "question2": _PROMPT}
_WHOLE = {"ANSWER1": "a", "ANSWER2": "b"}
_KINDS = {  # prefix of the columns → description of the fault
    "factuality": "Not factual",
    "irrelevance": "Irrelevant",
    "incomplete_ans": "Incomplete",
    "ques_misconception": "",
    "reference_example": "",
}
_FACTUALITY = "factuality"
_META_COLUMNS = (
    *("source_file", "annotator", "category", "ans1_label", "ans2_label", "ans_preference"),
    "ans_preference_reason",
)
# The source has no degree of preference: use the step without "much" and "slightly".
_PREFERENCE = {"Answer 1": -2, "Answer 2": 2}


def convert_haluquestqa(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task of two responses for each row, and the expert's preference, reasons and sources as a rating.

    The marked spans go to `meta.marks`, not to the targets: the rubric asks nothing about them, and raters should not
    see them. A row without a question or an answer is left out. Raises `BundleError` for a row of another shape.
    """
    count = 0
    for pieces in records.pieces():
        with records.translate_errors():
            for line, row in rows_by_column(pieces, None, _NEEDED, LIMITS, _ANOTHER, records.on_fault):
                count += 1
                empty = next((name for name in _NEEDED if not row[name].strip()), None)
                if empty:
                    yield OmittedRecord(line=line, why=f"{empty} is empty, so there is no pair to rate")
                else:
                    yield _Pair(f"hq-{count:04}", line, records.cleaned(row), records.cleaned).converted()


class _Pair:
    """Conversion of one row: marks in code points, half open; `notes` of each response, `pages` that they name."""

    def __init__(self, task: str, line: int, row: dict[str, str], cleaned: Callable[[Any], Any]) -> None:
        self._task = task
        self._line = line
        self._row = row
        self._cleaned = cleaned
        self._texts = {"a": row["ans1_text"], "b": row["ans2_text"], _PROMPT: row["question_text"]}
        self._marks: list[dict[str, Any]] = []
        self._unplaced: list[UnplacedTarget] = []
        self._aligned: list[RelocatedTarget] = []
        self._lost: list[dict[str, str]] = []
        self._notes: dict[str, list[str]] = {}
        self._pages = EvidenceCollector()
        self._surplus = 0

    def converted(self) -> ConvertedRecord:
        others = (name.removesuffix(_SPAN_COLUMN) for name in self._row if name.endswith(_SPAN_COLUMN))
        for kind in dict.fromkeys((*_KINDS, *others)):
            self._read(kind)
        return ConvertedRecord(
            line=self._line,
            task={
                "id": self._task,
                "prompt": {"text": self._texts[_PROMPT]},
                "responses": [{"id": name, "text": self._texts[name]} for name in ("a", "b")],
                "meta": self._meta(),
            },
            rating=self._rating(),
            called="mark",
            unplaced=tuple(self._unplaced),
            aligned=tuple(self._aligned),
            marks=len(self._marks),
            surplus=self._surplus,
            merged=self._pages.merged,
        )

    def _read(self, kind: str) -> None:
        spans, reasons, labels = (self._texts_of(f"{kind}_{column}") for column in ("span", "reason", "label"))
        for number, (span, reason, label) in enumerate(zip_longest(spans, reasons, labels), 1):
            if span is None:
                self._surplus += (reason is not None) + (label is not None)
                continue
            within = _PLACES.get(label or "")
            if within in ("a", "b") and _KINDS.get(kind):
                self._note(kind, within, span, reason or "")
            self._place(f"{kind}-{number}", kind, within, span.strip(), reason or "")

    def _place(self, id_: str, kind: str, within: str | None, span: str, reason: str) -> None:
        place, why = self._find(within, span)
        if within is None or place is None:
            self._unplaced.append(UnplacedTarget(target=id_, quote=span, why=why))
            lost = {"id": id_, "kind": kind, "text": span, "reason": reason}
            self._lost.append({**lost, "within": within} if within else lost)
            return
        quote = self._texts[within][place.start : place.end]
        if place.how == "close":
            self._aligned.append(
                RelocatedTarget(target=id_, how="close", quote=span, found=quote, similarity=place.similarity)
            )
        mark = {"id": id_, "kind": kind, "within": within, "start": place.start, "end": place.end}
        self._marks.append({**mark, "quote": quote, "reason": reason})

    def _find(self, within: str | None, span: str) -> tuple[QuotePlace | None, str]:
        if within is None:
            return None, "the source does not say which answer it belongs to"
        if not span:
            return None, "it is empty"
        text = self._texts[within]
        place = (
            QuotePlace(0, len(text), "exact")
            if _WHOLE.get(span.rstrip(" :.").upper()) == within
            else locate_mark(text, span)
        )
        where = "the prompt" if within == _PROMPT else f'response "{within}"'
        return place, f"it is nowhere in {where}, nor 95 % of it"

    def _note(self, kind: str, response: str, span: str, reason: str) -> None:
        words = f"{_KINDS[kind]}: “{span.strip()}”" if span.strip() else _KINDS[kind]
        self._notes.setdefault(response, []).append(f"{words}\n{reason.strip()}".strip())
        if kind == _FACTUALITY:
            for link in find_links(reason):
                self._pages.add_to_response(response, CONTRADICTING, link, reason.strip())

    def _meta(self) -> dict[str, Any]:
        meta: dict[str, Any] = {"source": HALUQUESTQA, "line": self._line}
        meta |= {name: self._row[name] for name in _META_COLUMNS if self._row.get(name)}
        if self._row.get("ans1_label") and self._row.get("ans2_label"):
            meta["system"] = {"a": self._row["ans1_label"], "b": self._row["ans2_label"]}
        found = {"marks": self._marks, "unplaced": self._lost}
        return {**meta, **{name: texts for name, texts in found.items() if texts}}

    def _rating(self) -> Rating:
        preference = _PREFERENCE.get(self._row.get("ans_preference", "").strip())
        reason = self._row.get("ans_preference_reason", "").strip()
        task: dict[str, Any] = {} if preference is None else {"preference": preference}
        if reason:
            task["justification"] = reason
        return Rating(
            task=self._task,
            rater=self._row.get("annotator") or HALUQUESTQA,
            rubric=PAIRS,
            answers=Answers(
                task=task, responses={name: {"explanation": "\n\n".join(notes)} for name, notes in self._notes.items()}
            ),
            evidence=self._pages.evidence,
        )

    def _texts_of(self, column: str) -> list[str]:
        """Return the list of texts in a cell, written as a Python literal; an empty cell is an empty list."""
        cell = self._row.get(column, "").strip()
        if not cell:
            return []
        try:
            value = ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise BundleFault(f"line {self._line}, {column}: not a list of texts like ['one', 'two']")
        return self._cleaned(value)
