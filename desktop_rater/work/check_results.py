"""Check results from scratch, with nothing else at hand: files, hashes, history, and every rule again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.results import open_results
from desktop_rater.model.derived import RETURN
from desktop_rater.model.rating import Problem
from desktop_rater.model.signature import Signature
from desktop_rater.work.judge_results import Judged, Known, judge_results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.bundle.results import OpenResults
    from desktop_rater.model.progress import Progress

_STEP = 200


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Results that are what they say. `broken`: (task id, blocking problems) of ratings that are called complete.

    `signature` may say otherwise: that somebody else put them together.
    """

    bundle: str
    revision: int
    rater: str
    complete: int
    skipped: int
    partial: bool
    practice: bool = False
    broken: tuple[tuple[str, tuple[Problem, ...]], ...]
    notes: tuple[str, ...]
    signature: Signature = Signature()


class Remarks:
    """What is to be told of results while their ratings pass by."""

    def __init__(self, results: OpenResults, known: Known) -> None:
        self._results = results
        self._notes: list[str] = []
        self._broken: list[tuple[str, tuple[Problem, ...]]] = []
        self._missing: set[str] = set()
        self._miscounted = 0
        ref = results.manifest.rubric
        if known.is_under_a_borrowed_name(ref, results.rubric_toml):
            self._notes.append(f"The results bring a rubric of their own under the name {ref}: read its rules first.")
        derived, rater = results.manifest.bundle.derived, results.manifest.rater
        if derived is not None and derived.tool == RETURN and derived.rater not in (None, rater):
            self._notes.append(
                f"They are of what was sent back to {derived.rater!r}, and {rater!r} rated it: "
                "they take the place of nothing."
            )

    def take(self, judged: Judged) -> None:
        """Look at the next rating."""
        rating = judged.line.rating
        if judged.broken:
            self._broken.append((rating.task, judged.broken))
        self._miscounted += judged.counts_wrong
        self._notes += judged.strange_borders
        self._missing |= {piece.snapshot for piece in rating.evidence if piece.snapshot}

    def checked(self) -> Checked:
        """What came of it, when all have passed by."""
        manifest = self._results.manifest
        missing = sorted(self._missing - set(self._results.snapshots))
        return Checked(
            bundle=manifest.bundle.id,
            revision=manifest.bundle.revision,
            rater=manifest.rater,
            complete=manifest.counts.complete,
            skipped=manifest.counts.skipped,
            partial=manifest.partial,
            practice=manifest.practice,
            broken=tuple(self._broken),
            notes=(
                *self._notes,
                *_miscounted(self._miscounted),
                *(f"The snapshot {sha256} is named by evidence and is not here." for sha256 in missing),
            ),
            signature=self._results.signature,
        )


def check_results(path: Path, progress: Progress) -> Checked:
    """Raises `BundleError` for what is no results zip, altered or damaged, and `RubricError` for its rubric."""
    with open_results(path) as results:
        results.verify_files(progress)
        known = Known()
        rubric = known.rubric(results.manifest.rubric, results.rubric_toml, path.name)
        remarks = Remarks(results, known)
        for judged in watched(judge_results(path, results, rubric, known), results, progress):
            remarks.take(judged)
        return remarks.checked()


def watched(judged: Iterator[Judged], results: OpenResults, progress: Progress) -> Iterator[Judged]:
    """The same, with a word now and then of how far it is. Raises `Cancelled`."""
    counts = results.manifest.counts
    for done, one in enumerate(judged, 1):
        yield one
        if done % _STEP == 0:
            progress(done, counts.complete + counts.skipped)


def _miscounted(ratings: int) -> list[str]:
    return [f"Ratings whose counts of suggestions are not those of their answers: {ratings:,}."] if ratings else []
