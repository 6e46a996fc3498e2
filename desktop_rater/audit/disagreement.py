"""How raters differ at one place: the label of each, and the group in which the review room shows the place."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.audit.judged import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_rater.audit.judged import Judged

Kind = Literal["different", "against", "other", "agree", "one", "none"]
Depth = Literal["task", "response", "target"]
_ORDER: tuple[Kind, ...] = ("different", "against", "other", "agree", "one", "none")
_WORDS = {
    "other": "Same label, other answers differ",
    "agree": "All agree",
    "one": "One rating",
    "none": "No label",
}


class Label(msgspec.Struct, frozen=True):
    """What a rating comes to at a place. `question` is the `id` of a `Judged`, which has the words and the look."""

    question: str
    value: Value


class Group(msgspec.Struct, frozen=True):
    """Places where raters differ alike.

    `different`: `first` labels, none of them given by more than half. `against`: `first` raters give one label,
    `second` others. `other`: one label, and other judgements differ. `agree`, `one` rating, or `none` with a label.
    """

    kind: Kind
    first: int = 0
    second: int = 0

    @property
    def rank(self) -> tuple[int, float, int]:
        """Sorts groups by disagreement, the most first."""
        share = self.first / (self.first + self.second) if self.kind == "against" else 0
        return _ORDER.index(self.kind), share, -self.first

    @property
    def words(self) -> str:
        """What the group is called on the command line."""
        match self.kind:
            case "different":
                return f"{self.first:,} different labels"
            case "against":
                return f"{self.first:,} against {self.second:,}"
        return _WORDS[self.kind]


def depth_of(where: str) -> Depth:
    """What stands at a place."""
    kind = where.partition("/")[0]
    return "target" if kind == "targets" else "response" if kind == "responses" else "task"


def labelling(judged: Sequence[Judged]) -> dict[Depth, Judged]:
    """The question that is the label of a place: the main one, else the first decisive one of that depth."""
    found: dict[Depth, Judged] = {}
    for one in sorted(judged, key=lambda one: not one.main):
        if one.main or one.decisive:
            found.setdefault(one.per, one)
    return found


def label_at(labels: Mapping[Depth, Judged], where: str, values: Mapping[str, object]) -> Label | None:
    """The label of all values at one place."""
    question = labels.get(depth_of(where))
    value = question.value(values) if question is not None else None
    return Label(question.id, value) if question is not None and value is not None else None


def group_of(labels: Sequence[Label], *, others_differ: bool) -> Group:
    """The group of a place by the labels that people gave there."""
    counts = sorted(Counter(labels).values(), reverse=True)
    match len(labels):
        case 0:
            return Group("none")
        case 1:
            return Group("one")
    if len(counts) == 1:
        return Group("other" if others_differ else "agree")
    most, rest = counts[0], len(labels) - counts[0]
    if len(counts) > 2 and most <= rest:
        return Group("different", len(counts))
    return Group("against", most, rest)


def distance(question: Judged | None, labels: Sequence[Label]) -> float:
    """How far apart labels are, 0 to 1: the share of their pairs that differ, on a scale by how many of its steps."""
    return distance_of(question, Counter(one.value for one in labels))


def distance_of(question: Judged | None, counts: Mapping[Value, int]) -> float:
    """The same, of how often each value was given."""
    total = sum(counts.values())
    pairs = total * (total - 1) // 2
    if not pairs:
        return 0.0
    span = question.span if question is not None else 0
    return sum(apart(a, b, span) * counts[a] * counts[b] for a, b in combinations(counts, 2)) / pairs


def apart(one: Value, other: Value, span: float) -> float:
    """How far two different values lie apart, above 0 and up to 1."""
    if span and isinstance(one, float) and isinstance(other, float):
        return min(1.0, abs(one - other) / span)
    return 1.0
