"""Fingerprints of targets with their answers: what the evaluation of a target depends on, as a text."""

from collections.abc import Callable
from typing import Any

from desktop_rater.model.rating import Evidence
from desktop_rater.model.task import Target
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.evaluation import RatingEvaluation, offered_text


class TargetFingerprints:
    """Fingerprints by one rubric: equal only if the evaluation of two targets, of any task and rater, is the same.

    They hold what `RatingEvaluation.inputs_of` returns, as Python writes it, since 1, 1.0 and `True` differ in a
    rubric; but of a value that only conditions read which tests it passes, and of evidence which pieces are of one
    page.
    """

    def __init__(self, rubric: Rubric) -> None:
        self._outer = [_passes(rubric, name) for name in rubric.outer_names]
        self._seconds = _passes(rubric, "research_seconds")
        self._quote = _passes(rubric, "quote")
        self._snapshot = _passes(rubric, "snapshot")

    def of_rating(self, reading: RatingEvaluation) -> Callable[[Target], str]:
        """Return the function that makes the fingerprint of a target of one rating, whose answers are strict JSON."""
        rating, pieces, seconds = reading.rating, reading.pieces, reading.research_seconds
        answers, claims = rating.answers.targets, rating.claims
        outer: dict[str | None, Any] = {}

        def fingerprint(target: Target) -> str:
            name, response = target.id, target.response
            if response not in outer:
                parent = reading.parent_of(target)
                values = zip(self._outer, reading.outer_values(parent), strict=True)
                outer[response] = parent.where, reading.skipped, [_passed(tests, value) for tests, value in values]
            evidence = self._evidence(reading, pieces[name]) if name in pieces else None
            within = _passed(self._seconds, seconds(name)) if self._seconds else None
            return repr((name, outer[response], answers.get(name), claims.get(name), evidence, within))

        return fingerprint

    def _evidence(self, reading: RatingEvaluation, pieces: list[Evidence]) -> list[Any]:
        pages: dict[str, int] = {}
        result = []
        for piece in pieces:
            page = reading.page(piece.url)
            number = None if page is None else pages.setdefault(page, len(pages))
            texts = (
                _passed(self._quote, offered_text(piece.quote)),
                _passed(self._snapshot, offered_text(piece.snapshot)),
            )
            result.append((piece.id, piece.stance, piece.claim_ids, number, page in reading.opened, texts))
        return result


def _passes(rubric: Rubric, name: str) -> list[Callable[[Any], bool]]:
    return [test.passes for test in rubric.inner_tests(name)]


def _passed(tests: list[Callable[[Any], bool]], value: Any) -> list[bool]:
    return [passes(value) for passes in tests]
