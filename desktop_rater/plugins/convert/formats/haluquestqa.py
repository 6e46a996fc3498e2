"""Convert HaluQuestQA: pairs of long answers with spans marked by experts, their reasons and preference."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.safe_zip import LIMITS
from desktop_rater.bundle.targets import RelocatedTarget, UnplacedTarget
from desktop_rater.model.rating import CONTRADICTING, Rating
from desktop_rater.model.values import Answers
from desktop_rater.plugins.convert.conversion import (
    ConvertedRecord,
    EvidenceCollector,
    OmittedRecord,
    locate_mark,
    rows_by_column,
)
from desktop_rater.text.quotes import QuotePlace
from desktop_rater.text.urls import find_links

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.source import SourceRecords


NAME = "haluquestqa"
RUBRIC = "side-by-side@2"

_NEEDED = ("question_text", "ans1_text", "ans2_text")
_ANOTHER = "The file has another format. Nothing was written."
_PROMPT = "prompt"
_SPANS = "_span"
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
    "source_file",
    "annotator",
    "category",
    "ans1_label",
    "ans2_label",
    "ans_preference",
    "ans_preference_reason",
)
# The source has no degree of preference: use the step without "much" and "slightly".
_PREFERENCE = {"Answer 1": -2, "Answer 2": 2}


class MarkedSpan(msgspec.Struct, frozen=True, kw_only=True):
    """Span marked by an expert in a response or the prompt; code points, half open."""

    id: str
    kind: str
    within: str
    start: int
    end: int
    quote: str
    reason: str


def convert(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task of two responses for each row, and the expert's preference, reasons and sources as a rating.

    The marked spans go to `meta.marks`, not to the targets: the rubric asks nothing about them, and raters should not
    see them. A row without a question or an answer is left out. Raises `BundleError` for a row of another shape.
    """
    count = 0
    for pieces in records.pieces():
        with records.translate_errors():
            for line, row in rows_by_column(pieces, None, _NEEDED, LIMITS, _ANOTHER):
                count += 1
                empty = next((name for name in _NEEDED if not row[name].strip()), None)
                if empty:
                    yield OmittedRecord(line=line, why=f"{empty} is empty, so there is no pair to rate")
                else:
                    yield _Pair(f"hq-{count:04}", line, records.cleaned(row), records.cleaned).converted()


class _Pair:
    """Conversion of one row."""

    def __init__(self, task: str, line: int, row: dict[str, str], cleaned: Callable[[Any], Any]) -> None:
        self._task = task
        self._line = line
        self._row = row
        self._cleaned = cleaned
        self._texts = {"a": row["ans1_text"], "b": row["ans2_text"], _PROMPT: row["question_text"]}
        self._marks: list[MarkedSpan] = []
        self._unplaced: list[UnplacedTarget] = []
        self._aligned: list[RelocatedTarget] = []
        self._lost: list[dict[str, str]] = []
        self._notes: dict[str, list[str]] = {}
        self._pages = EvidenceCollector()
        self._surplus = 0

    def converted(self) -> ConvertedRecord:
        others = (name.removesuffix(_SPANS) for name in self._row if name.endswith(_SPANS))
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
        self._marks.append(
            MarkedSpan(id=id_, kind=kind, within=within, start=place.start, end=place.end, quote=quote, reason=reason)
        )

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
        meta: dict[str, Any] = {"source": NAME, "line": self._line}
        meta |= {name: self._row[name] for name in _META_COLUMNS if self._row.get(name)}
        if self._row.get("ans1_label") and self._row.get("ans2_label"):
            meta["system"] = {"a": self._row["ans1_label"], "b": self._row["ans2_label"]}
        if self._marks:
            meta["marks"] = [msgspec.to_builtins(mark) for mark in self._marks]
        if self._lost:
            meta["unplaced"] = self._lost
        return meta

    def _rating(self) -> Rating:
        preference = _PREFERENCE.get(self._row.get("ans_preference", "").strip())
        reason = self._row.get("ans_preference_reason", "").strip()
        task: dict[str, Any] = {} if preference is None else {"preference": preference}
        if reason:
            task["justification"] = reason
        return Rating(
            task=self._task,
            rater=self._row.get("annotator") or NAME,
            rubric=RUBRIC,
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
