"""Items of the review list: one for each judged place, grouped by disagreement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.label_rules import LabelMethod, Posterior, entropy_of
from desktop_rater.audit.verdicts import LeadDecision, Verdict

GroupKind = Literal["different", "against", "other", "agree", "one", "none"]
Depth = Literal["task", "response", "target"]
_ORDER: tuple[GroupKind, ...] = ("different", "against", "other", "agree", "one", "none")
_WORDS = {"other": "Same label, other answers differ", "agree": "All agree", "one": "One rating", "none": "No label"}


class Label(msgspec.Struct, frozen=True):
    """Label of a place by one rating. `question` is the `id` of a `JudgedQuestion`, which has its text and style."""

    question: str
    value: Value


class DisagreementGroup(msgspec.Struct, frozen=True):
    """Places with the same kind of disagreement.

    `different`: `first` labels, none given by more than half. `against`: `first` raters give one label, `second` give
    others. `other`: one label, but other judgements differ. `agree`, `one` rating, or `none` with a label.
    """

    kind: GroupKind
    first: int = 0
    second: int = 0

    @property
    def rank(self) -> tuple[int, float, int]:
        share = self.first / (self.first + self.second) if self.kind == "against" else 0
        return _ORDER.index(self.kind), share, -self.first

    @property
    def words(self) -> str:
        match self.kind:
            case "different":
                return f"{self.first:,} different labels"
            case "against":
                return f"{self.first:,} against {self.second:,}"
        return _WORDS[self.kind]


def depth_of(where: str) -> Depth:
    """Return the depth of a place."""
    kind = where.partition("/")[0]
    return "target" if kind == "targets" else "response" if kind == "responses" else "task"


def label_questions(judged: Sequence[JudgedQuestion]) -> dict[Depth, JudgedQuestion]:
    """Return the question that is the label at each depth: the main one, otherwise the first decisive one."""
    by_depth: dict[Depth, JudgedQuestion] = {}
    for question in sorted(judged, key=lambda question: not question.main):
        if question.main or question.decisive:
            by_depth.setdefault(question.per, question)
    return by_depth


def label_at(labels: Mapping[Depth, JudgedQuestion], where: str, values: Mapping[str, object]) -> Label | None:
    """Return the label of all values at one place."""
    question = labels.get(depth_of(where))
    value = question.value(values) if question is not None else None
    return Label(question.id, value) if question is not None and value is not None else None


def group_of(labels: Sequence[Label], *, others_differ: bool) -> DisagreementGroup:
    """Return the group of a place by the labels people gave there."""
    counts = sorted(Counter(labels).values(), reverse=True)
    match len(labels):
        case 0:
            return DisagreementGroup("none")
        case 1:
            return DisagreementGroup("one")
    if len(counts) == 1:
        return DisagreementGroup("other" if others_differ else "agree")
    most, rest = counts[0], len(labels) - counts[0]
    if len(counts) > 2 and most <= rest:
        return DisagreementGroup("different", len(counts))
    return DisagreementGroup("against", most, rest)


def label_distance(question: JudgedQuestion | None, labels: Sequence[Label]) -> float:
    """Return how far apart labels are, 0 to 1: the share of pairs that differ, on a scale weighted by distance."""
    return value_distance(question, Counter(label.value for label in labels))


def value_distance(question: JudgedQuestion | None, counts: Mapping[Value, int]) -> float:
    """Return how far apart values are, 0 to 1, by the count of each value."""
    total = sum(counts.values())
    pairs = total * (total - 1) // 2
    if not pairs:
        return 0.0
    span = question.span if question is not None else 0
    return sum(distance_between(a, b, span) * counts[a] * counts[b] for a, b in combinations(counts, 2)) / pairs


def distance_between(first: Value, second: Value, span: float) -> float:
    """Return the distance of two different values, above 0 and up to 1."""
    if span and isinstance(first, float) and isinstance(second, float):
        return min(1.0, abs(first - second) / span)
    return 1.0


Flag = Literal[
    "warning",
    "acknowledged",
    "too-fast",
    "no-evidence",
    "evidence-dead",
    "returned",
    "gold-missed",
    "forked",
    "outdated",
]
# Each is a filter of the list, in the order of its menu. The texts are in the window.
FLAGS: tuple[Flag, ...] = (
    "warning",
    "acknowledged",
    "too-fast",
    "no-evidence",
    "evidence-dead",
    "returned",
    "gold-missed",
    "forked",
    "outdated",
)


class ReviewEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One rater at one place.

    `rating` is the SHA-256 of the effective rating; `label` is `None` without one. `skipped`: the rater skipped the
    whole task. `verdict` is the latest; `outdated`: it judges an earlier rating. `seconds` are active: of the target,
    otherwise of the task.
    """

    rater: str
    rating: str
    label: Label | None = None
    skipped: bool = False
    model: bool = False
    seconds: float | None = None
    flags: frozenset[Flag] = frozenset()
    verdict: Verdict | None = None
    outdated: bool = False

    @property
    def reviewed(self) -> bool:
        """Return whether the lead has judged exactly this rating."""
        return self.verdict is not None and not self.outdated


class ReviewItem(msgspec.Struct, frozen=True, kw_only=True):
    """One judged place.

    `quote` is the rated text: the target's text, otherwise the beginning of the response or prompt. `entries`: people
    by name, then models. `distance`: how far apart their labels are, 0 to 1. `gold`: the labels of its gold answers.
    `final`: the final label, by the lead or by the votes; `decided`: by the lead, `in_bulk`: together with others,
    unseen. `posterior`: the probable labels by the `method` that applies. `differing`: the other judgements on which
    people differ, and `other_finals` their final values. `open_question`: the first judgement that the lead has to
    decide.
    """

    task: str
    where: str
    quote: str
    entries: tuple[ReviewEntry, ...]
    group: DisagreementGroup
    distance: float = 0
    gold: tuple[Label, ...] = ()
    finals: dict[str, LeadDecision] = {}
    final: Label | None = None
    differing: tuple[str, ...] = ()
    other_finals: tuple[Label, ...] = ()
    open_question: str = ""
    decided: bool = False
    in_bulk: bool = False
    posterior: Posterior = ()
    method: LabelMethod = "majority"
    sampled: bool = True

    @property
    def tied(self) -> bool:
        return bool(self.open_question)

    @property
    def certainty(self) -> tuple[float, float]:
        """Return the probability of the most probable label, and the negative entropy; both are 1 without votes."""
        return (self.posterior[0][1], -entropy_of(self.posterior)) if self.posterior else (1.0, 1.0)

    @property
    def reviewed(self) -> Literal["all", "part", "none"]:
        """Return how much of it the lead has judged: a decision on the label, or a verdict on each rating, is all."""
        judged = [entry.reviewed for entry in self.entries if not entry.model]
        if (self.decided and not self.in_bulk) or (judged and all(judged)):
            return "all"
        return "part" if any(judged) else "none"

    @property
    def label_counts(self) -> dict[Label | None, int]:
        """Return how many raters gave each label, `None` for those without one, the most frequent first."""
        return dict(Counter(entry.label for entry in self.entries if not entry.skipped).most_common())

    @property
    def flags(self) -> frozenset[Flag]:
        """Return the flags of all entries."""
        return frozenset(flag for entry in self.entries for flag in entry.flags)

    def entry(self, rater: str) -> ReviewEntry | None:
        return next((entry for entry in self.entries if entry.rater == rater), None)
