"""Decide which raters see the two responses of a task in the reverse order."""

from collections.abc import Sequence

import msgspec

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import TaskLine
from desktop_rater.model.strict_json import canonical_json, read_json_object
from desktop_rater.model.task import ORDER_KEY
from desktop_rater.rubric.display_order import is_comparison
from desktop_rater.stats.bootstrap import seed_sort_keys
from desktop_rater.work.bundles.task_pool import SourceBundle
from desktop_rater.work.output_files import NOTHING_WRITTEN
from desktop_rater.work.rubrics import rubrics

_Edge = tuple[int, int]  # numbers of a task and a rater


class SwappedPairs(msgspec.Struct, frozen=True, kw_only=True):
    """Number of pairs of responses handed out, and of those in the reverse order, for which answers are mirrored."""

    pairs: int
    exchanged: int
    mirrored: tuple[str, ...]


class ResponseOrders:
    """Orders in which raters see the two responses of each task."""

    def __init__(self, raters: Sequence[str], seed: int) -> None:
        self._raters, self._seed = raters, seed
        self._reversed: list[list[str] | None] = []
        self._exchanged: set[_Edge] = set()

    def add(self, line: TaskLine) -> bool:
        """Read the responses of the next task."""
        names = [response.id for response in line.task.responses] if line.task is not None else []
        self._reversed.append(names[::-1] if len(names) == 2 else None)
        return True

    def swap(self, source: SourceBundle, ids: Sequence[str], teams: Sequence[Sequence[int]]) -> SwappedPairs:
        """Decide who sees which pair in the reverse order. Raises `BundleError` without pairs, or `RubricError`."""
        edges = [(task, rater) for task, order in enumerate(self._reversed) if order for rater in teams[task]]
        if not edges:
            why = "None of its tasks has two responses, so there is no order to swap."
            raise BundleError(f"{source.path.name} can't be assigned", why, NOTHING_WRITTEN)
        keys = seed_sort_keys(self._seed, (f"{self._raters[rater]}\n{ids[task]}" for task, rater in edges))
        self._exchanged = _balanced_half(dict(sorted(zip(edges, keys, strict=True), key=lambda item: item[1])))
        rubric = rubrics.bundle_rubric_of(source.manifest.rubric, source.rubric_toml, source.path.name)
        mirrored = (name for name, compiled in rubric.questions.items() if is_comparison(compiled.question))
        return SwappedPairs(pairs=len(edges), exchanged=len(self._exchanged), mirrored=tuple(mirrored))

    def line(self, rater: int, number: int, line: bytes) -> bytes:
        """Return the line of a task as this rater gets it; unchanged to the byte in the order of the file."""
        exchanged = (number, rater) in self._exchanged
        if not exchanged and ORDER_KEY.encode() not in line:
            return line
        plain = {key: value for key, value in read_json_object(line).items() if key != ORDER_KEY}
        return canonical_json({**plain, ORDER_KEY: self._reversed[number]} if exchanged else plain)


def _balanced_half(keys: dict[_Edge, bytes]) -> set[_Edge]:
    """Return half of the edges of each task and of each rater, or one more or less.

    Each task pairs its edges, each rater pairs its own, in the order of their keys, and one of every pair is taken. The
    pairs form paths and rings of even length, along which every second edge is taken.
    """
    partners: tuple[dict[_Edge, _Edge], dict[_Edge, _Edge]] = ({}, {})
    for side, partner in enumerate(partners):
        waiting: dict[int, _Edge] = {}
        for edge in keys:
            other = waiting.pop(edge[side], None)
            if other is None:
                waiting[edge[side]] = edge
            else:
                partner[edge], partner[other] = other, edge
    edges: dict[_Edge, bool] = {}
    for first, key in keys.items():
        if first in edges:
            continue
        edges[first] = key[0] % 2 == 1
        for start in (0, 1):
            side, before, edge = start, first, partners[start].get(first)
            while edge is not None and edge not in edges:
                edges[edge] = not edges[before]
                side, before, edge = 1 - side, edge, partners[1 - side].get(edge)
    return {edge for edge, is_taken in edges.items() if is_taken}
