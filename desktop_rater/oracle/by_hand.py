"""The QA lead as oracle: the points were typed, and agree, disagree or silent was chosen for each. Works offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.oracle.interface import Answers, Point, Summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_rater.model.progress import Progress
    from desktop_rater.stats.justification import Said

UNANSWERED = "Not scored: the lead has not said what this text says."


class HandOracle:
    """`points` of each cluster, and `said` of (cluster, text): as many answers as there are points."""

    def __init__(
        self, points: Mapping[str, tuple[Point, ...]], said: Mapping[tuple[str, str], tuple[Said, ...]]
    ) -> None:
        self._points = points
        self._said = said

    def points_of(self, cluster: str) -> tuple[Point, ...]:
        """What the lead wrote for a cluster, if anything."""
        return self._points.get(cluster, ())

    def said_of(self, cluster: str, text: str) -> tuple[Said, ...]:
        """What the lead said of a text; nothing where it was not asked."""
        return self._said.get((cluster, text), ())

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> Summary:
        """The points that the lead wrote."""
        del texts
        progress(0, 0)
        points = self._points.get(cluster, ())
        return Summary(points=points, notes=() if points else ("The lead has written no points.",))

    def answer(
        self, cluster: str, points: Sequence[Point], texts: Sequence[str], progress: Progress
    ) -> tuple[Answers, ...]:
        """What the lead chose."""
        progress(0, 0)
        return tuple(self._of(cluster, points, text) for text in texts)

    def _of(self, cluster: str, points: Sequence[Point], text: str) -> Answers:
        said = self._said.get((cluster, text))
        if said is None or len(said) != len(points):
            return Answers(said=(None,) * len(points), known=False, notes=(UNANSWERED,))
        return Answers(said=said)
