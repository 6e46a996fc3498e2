"""What a rating says, as the list of results of a Label Studio annotation.

Offsets count code points, as Label Studio stores them since 1.4; only the browser's own selection counts UTF-16 units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.results_out.label_studio_config import plain
from desktop_rater.bundle.results_out.label_studio_names import (
    CLAIM,
    TARGET,
    control_of,
    evidence_name,
    question_name,
    response_name,
    spans_name,
)
from desktop_rater.bundle.results_out.units import Unit, units
from desktop_rater.model.canonical import canonical, sha256

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.results_out.rated import Rated
    from desktop_rater.model.rating import Evidence
    from desktop_rater.model.rubric import Question

Result = dict[str, Any]

_ID = 10


def results_of(rated: Rated) -> list[Result]:
    """Everything that the rating says of the task. A label that was decided stands for an answer that is missing."""
    return list(_Results(rated).all())


def suggested(rated: Rated) -> list[Result]:
    """The rating's answers alone, with the spans that they are given to: for what was suggested."""
    results = _Results(rated)
    given = [unit for unit in units(rated) if unit.answers]
    return [result for unit in given for result in results.of_unit(unit)]


class _Results:
    def __init__(self, rated: Rated) -> None:
        self._rated = rated
        self._numbers = {response.id: number for number, response in enumerate(rated.task.responses, 1)}
        self._spans: dict[str, dict[str, Any]] = {}

    def all(self) -> Iterator[Result]:
        rating = self._rated.rating
        for unit in units(self._rated):
            yield from self.of_unit(unit)
        for piece in rating.evidence:
            yield self._piece(piece)
        yield self._text("rater", rating.rater)
        if rating.note:
            yield self._text("note", rating.note)
        if rating.skipped is not None:
            words = ": ".join(part for part in (rating.skipped.reason, rating.skipped.comment) if part)
            yield self._text("skip_reason", words)

    def of_unit(self, unit: Unit) -> Iterator[Result]:
        number = self._numbers.get(unit.response or "", 1)
        region = self._region(unit, number)
        if region is not None:
            self._spans[unit.where] = region["value"]
            yield region
        for name, value in self._rated.labels(unit.where, unit.answers).items():
            question = self._rated.rubric.questions[name].question
            yield self._answer(unit, question, value, number)

    def _region(self, unit: Unit, number: int) -> Result | None:
        """The span of a target or a claim. A claim that has no place of its own stands where its target does."""
        if unit.scope not in ("target", "claim"):
            return None
        parent = self._spans.get(f"targets/{unit.target}", {})
        start, end, text = unit.start, unit.end, unit.text
        if start is None or end is None:
            start, end, text = parent.get("start"), parent.get("end"), parent.get("text")
        result = {
            "id": self._id(unit.where),
            "from_name": spans_name(number),
            "to_name": response_name(number),
            "type": "labels",
            "value": {"start": start, "end": end, "text": text, "labels": [TARGET]},
        }
        if unit.scope == "claim":
            result["value"]["labels"] = [CLAIM]
            result["parentID"] = self._id(f"targets/{unit.target}")
            result["meta"] = {"text": [unit.text or ""]}
        return result

    def _answer(self, unit: Unit, question: Question, value: Any, number: int) -> Result:
        control = control_of(question)
        match control:
            case "choices":
                parts = value if isinstance(value, list | tuple) else [value]
                content: Any = {"choices": [plain(str(part)) for part in parts]}
            case "textarea":
                content = {"text": [str(value)]}
            case "rating":
                content = {"rating": int(value)}
            case _:
                content = {"number": value}
        return self._result(unit.where, question_name(question, number), control, content, number)

    def _piece(self, piece: Evidence) -> Result:
        where = f"responses/{piece.response}"
        number = self._numbers.get(piece.response or "", 1)
        if piece.target is not None:
            claim = f"targets/{piece.target}/claims/{piece.claim}"
            where = claim if claim in self._spans else f"targets/{piece.target}"
            target = self._rated.task.target(piece.target)
            number = self._numbers[target.response] if target is not None else 1
        head = " ".join(part for part in (piece.stance, piece.url) if part)
        words = "\n".join(part for part in (head, piece.title, piece.quote, piece.note) if part)
        return self._result(where, evidence_name(number), "textarea", {"text": [words]}, number)

    def _text(self, name: str, words: str) -> Result:
        return self._result("task", name, "textarea", {"text": [words]}, 1)

    def _result(self, where: str, name: str, kind: str, content: dict[str, Any], number: int) -> Result:
        span = self._spans.get(where)
        place = {"start": span["start"], "end": span["end"]} if span else {}
        return {
            "id": self._id(where) if span else self._id(f"{where} {name}"),
            "from_name": name,
            "to_name": response_name(number),
            "type": kind,
            "value": {**place, **content},
        }

    def _id(self, where: str) -> str:
        """Whatever hangs on one span has its id; the same rating has the same ids."""
        return sha256(canonical([self._rated.task.id, self._rated.rating.rater, where]))[:_ID]
