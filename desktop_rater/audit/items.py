"""Items of the review list, one for each judged place, by disagreement; their filter, and the flags of ratings."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations
from math import isnan, nan
from operator import or_
from typing import Any, Literal, get_args

import msgspec

from desktop_rater.audit.digest import Digest, DigestWarning
from desktop_rater.audit.questions import JudgedQuestion, LabelMethod, Posterior, Value, entropy_of
from desktop_rater.audit.results import LeadDecision, Verdict
from desktop_rater.rubric import Rubric

GroupKind = Literal["different", "against", "other", "agree", "one", "none"]
Depth = Literal["task", "response", "target"]
_ORDER: tuple[GroupKind, ...] = ("different", "against", "other", "agree", "one", "none")
_WORDS = {"other": "Same label, other answers differ", "agree": "All agree", "one": "One rating", "none": "No label"}


class Label(msgspec.Struct, frozen=True, gc=False):
    """Label of a place by one rating. `question` is the `id` of a `JudgedQuestion`, which has its text and style."""

    question: str
    value: Value


class DisagreementGroup(msgspec.Struct, frozen=True, gc=False):
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
    match len(labels):
        case 0:
            return DisagreementGroup("none")
        case 1:
            return DisagreementGroup("one")
    counts = sorted(Counter(labels).values(), reverse=True)
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


def is_near(first: Value, second: Value, most: float) -> bool:
    """Return whether two values are equal, or two numbers differ by at most `most`."""
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= most + 1e-9
    return first == second


Flag = Literal[
    "warning",
    "acknowledged",
    "too-fast",
    "no-evidence",
    "without-research",
    "evidence-dead",
    "returned",
    "gold-missed",
    "forked",
    "outdated",
    "library-only",
]
# Each is a filter of the list, in the order of its menu; stored lists hold their positions.
FLAGS: tuple[Flag, ...] = get_args(Flag)


class ReviewEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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


class RatingOnTask(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Part that the entries of all places of a task share: rater, SHA-256 of the rating, skipped, by a model."""

    rater: str
    rating: str
    skipped: bool
    model: bool


_NO_LABEL = 2**16 - 1
_OUTDATED = 1 << FLAGS.index("outdated")


class PackedEntries(msgspec.Struct, array_like=True, gc=False, eq=False):
    """The entries of one place as columns, one position per rater; `ReviewEntry`s are made when one is asked for.

    `given`: the indexes in `labels`, or 65,535, and `flags`: a bit for each of `FLAGS`, both in two bytes each.
    `seconds`: doubles, NaN without any. `verdicts`: position → verdict.
    """

    ratings: tuple[RatingOnTask, ...]
    labels: tuple[Label, ...]
    given: bytes
    flags: bytes
    seconds: bytes
    verdicts: dict[int, Verdict] = {}

    def __len__(self) -> int:
        return len(self.ratings)

    def __iter__(self) -> Iterator[ReviewEntry]:
        return iter(_unpacked(self))

    def __getitem__(self, index: int) -> ReviewEntry:
        return _unpacked(self)[index]

    def entry(self, index: int) -> ReviewEntry:
        """Make the entry at a position."""
        rating, code, bits = self.ratings[index], self.codes[index], self.flag_bits[index]
        seconds = memoryview(self.seconds).cast("d")[index]
        return ReviewEntry(
            rater=rating.rater,
            rating=rating.rating,
            label=None if code == _NO_LABEL else self.labels[code],
            skipped=rating.skipped,
            model=rating.model,
            seconds=None if isnan(seconds) else seconds,
            flags=flags_of_bits(bits),
            verdict=self.verdicts.get(index),
            outdated=bool(bits & _OUTDATED),
        )

    @property
    def codes(self) -> memoryview:
        return memoryview(self.given).cast("H")

    @property
    def flag_bits(self) -> memoryview:
        """The flags of each entry as a number."""
        return memoryview(self.flags).cast("H")

    def position_of(self, rater: str) -> int | None:
        """Return the position of a rater's entry."""
        return next((index for index, rating in enumerate(self.ratings) if rating.rater == rater), None)

    def matches(self, rater: str, label: Label | None, flags: frozenset[Flag]) -> bool:
        """Return whether one entry is by the rater, has the label and all of the flags, where they are given."""
        if label is not None and label not in self.labels:
            return False
        code = None if label is None else self.labels.index(label)
        codes, bits, wanted = self.codes, self.flag_bits, bits_of_flags(flags)
        if not rater and not wanted:
            return code is None or code in codes
        own = self.position_of(rater) if rater else None
        indexes = range(len(codes)) if not rater else [] if own is None else [own]
        return any(bits[index] & wanted == wanted and (code is None or code == codes[index]) for index in indexes)


@lru_cache(maxsize=64)  # places: those that are in view
def _unpacked(entries: PackedEntries) -> tuple[ReviewEntry, ...]:
    return tuple(map(entries.entry, range(len(entries))))


def bits_of_flags(flags: Iterable[Flag]) -> int:
    """Return flags as the bits of a number."""
    return sum(1 << FLAGS.index(flag) for flag in flags)


@cache
def flags_of_bits(bits: int) -> frozenset[Flag]:
    """Return the flags that the bits of a number stand for."""
    return frozenset(flag for index, flag in enumerate(FLAGS) if bits >> index & 1)


def pack_entries(entries: Iterable[ReviewEntry]) -> PackedEntries:
    """Return entries as columns; those that are packed already stay as they are."""
    if isinstance(entries, PackedEntries):
        return entries
    rows = tuple(entries)
    labels = tuple(dict.fromkeys(row.label for row in rows if row.label is not None))
    codes: dict[Label | None, int] = {None: _NO_LABEL, **{label: index for index, label in enumerate(labels)}}
    return PackedEntries(
        tuple(RatingOnTask(row.rater, row.rating, row.skipped, row.model) for row in rows),
        labels,
        array("H", [codes[row.label] for row in rows]).tobytes(),
        array("H", [bits_of_flags(row.flags | ({"outdated"} if row.outdated else set())) for row in rows]).tobytes(),
        array("d", [nan if row.seconds is None else row.seconds for row in rows]).tobytes(),
        {index: row.verdict for index, row in enumerate(rows) if row.verdict is not None},
    )


class ReviewItem(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
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
    entries: PackedEntries
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
        if self.decided and not self.in_bulk:
            return "all"
        entries = pack_entries(self.entries)
        if not entries.verdicts:
            return "none"
        bits, people = entries.flag_bits, sum(not rating.model for rating in entries.ratings)
        judged = sum(not entries.ratings[index].model and not bits[index] & _OUTDATED for index in entries.verdicts)
        return "all" if judged and judged == people else "part" if judged else "none"

    @property
    def label_counts(self) -> dict[Label | None, int]:
        """Return how many raters gave each label, the most frequent first; `None` counts those who gave none.

        Raters who skipped the task are left out.
        """
        entries = pack_entries(self.entries)
        counts = Counter(entries.codes)
        counts[_NO_LABEL] -= sum(rating.skipped for rating in entries.ratings)
        labels: dict[int, Label | None] = {_NO_LABEL: None, **dict(enumerate(entries.labels))}
        return {labels[code]: count for code, count in counts.most_common() if count > 0}

    @property
    def flags(self) -> frozenset[Flag]:
        """Return the flags of all entries."""
        return flags_of_bits(reduce(or_, pack_entries(self.entries).flag_bits, 0))

    def entry(self, rater: str) -> ReviewEntry | None:
        entries = pack_entries(self.entries)
        index = entries.position_of(rater)
        return None if index is None else entries.entry(index)


ItemOrder = Literal["disagreement", "entropy", "certainty", "distance", "labels", "ratings"]
# The figure that items are ordered by, the first of the list having the smallest.
ITEM_FIGURES: dict[ItemOrder, Callable[[ReviewItem], Any]] = {
    "entropy": lambda item: -entropy_of(item.posterior),
    "certainty": lambda item: item.certainty,
    "distance": lambda item: -item.distance,
    "labels": lambda item: -len(item.label_counts.keys() - {None}),
    "ratings": lambda item: -sum(item.label_counts.values()),
}


class ItemFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter of the review list; empty fields match everything.

    `reviewed`: only items that are completely reviewed, or not. `rater`, `label` and `flags` have to hold for the same
    rating. `entropy_over`: the entropy of the label is larger, in bits. `most_labels`: so many different labels or
    fewer; 0 for any number. `depth`: the kind of place. `mark`: one that a plug-in offers. `words`: each has to occur
    in the quote, the ids or a rater's name. `order`: by disagreement, or by a figure, those decided by the lead last.
    """

    rater: str = ""
    label: Label | None = None
    flags: frozenset[Flag] = frozenset()
    group: DisagreementGroup | None = None
    reviewed: bool | None = None
    sampled: bool = False
    tied: bool = False
    entropy_over: float | None = None
    most_labels: int = 0
    depth: Depth | None = None
    mark: str = ""
    words: str = ""
    order: ItemOrder = "disagreement"


EVERYTHING = ItemFilter()


ItemTest = Callable[[ReviewItem], bool]


def matching_items(
    items: Iterable[ReviewItem], wanted: ItemFilter, marks: Mapping[str, ItemTest] = {}
) -> tuple[ReviewItem, ...]:
    """Return the items that match the filter, in their order or the one that it wants. `marks`: those of plug-ins."""
    if wanted == EVERYTHING:
        return tuple(items)
    words, names = wanted.words.casefold().split(), dict[str, str]()
    has_mark = marks.get(wanted.mark, lambda _item: True)
    matching = (
        item for item in items if _matches(item, wanted) and has_mark(item) and _contains_words(item, words, names)
    )
    if wanted.order != "disagreement":
        figure = ITEM_FIGURES[wanted.order]
        return tuple(sorted(matching, key=lambda item: (item.decided, figure(item))))
    return tuple(matching)


def _matches(item: ReviewItem, wanted: ItemFilter) -> bool:
    refused = (
        (wanted.sampled and not item.sampled)
        or (wanted.tied and not item.tied)
        or (wanted.group is not None and item.group != wanted.group)
        or (wanted.reviewed is not None and (item.reviewed == "all") is not wanted.reviewed)
        or (wanted.depth is not None and depth_of(item.where) != wanted.depth)
        or (wanted.entropy_over is not None and entropy_of(item.posterior) <= wanted.entropy_over)
        or (wanted.most_labels and len(item.label_counts.keys() - {None}) > wanted.most_labels)
    )
    if refused:
        return False
    if not (wanted.rater or wanted.label or wanted.flags):
        return True
    return pack_entries(item.entries).matches(wanted.rater, wanted.label, wanted.flags)


def _contains_words(item: ReviewItem, words: list[str], names: dict[str, str]) -> bool:
    """Return whether all words occur in an item. `names`: task → its raters, for the other places of the task."""
    if not words:
        return True
    text = f"{item.quote}\n{item.task}\n{item.where}".casefold()
    others = [word for word in words if word not in text]
    if others and item.task not in names:
        names[item.task] = "\n".join(rating.rater for rating in pack_entries(item.entries).ratings).casefold()
    return all(word in names[item.task] for word in others)


FAST_SHARE = 1 / 3
FEWEST_PLACES = 10  # of a rater, for the median to be meaningful
_RESEARCH = "research_seconds"

# Depth and label: places of one kind take a rater about the same time.
PlaceKind = tuple[Depth, Label]


class FlagSubject(msgspec.Struct, frozen=True, kw_only=True):
    """A rating at one place. `usual`: the rater's median seconds there; `missed`: no gold answer of the task agrees."""

    digest: Digest
    where: str
    label: Label | None
    missed: bool = False
    verdict: Verdict | None = None
    outdated: bool = False
    seconds: float | None = None
    usual: float | None = None
    forked: bool = False


class FlagBasis(msgspec.Struct, frozen=True, kw_only=True):
    """Parts of the rubric that flags depend on; a label that only closes a place needs no evidence."""

    research_rules: frozenset[str]
    evidence_at: Depth | None
    labels: dict[Depth, str]


def flag_basis(rubric: Rubric, labels: dict[Depth, str]) -> FlagBasis:
    """Collect the basis of flags. `labels`: the question that is the label of each depth."""
    table = rubric.file.evidence
    return FlagBasis(
        research_rules=frozenset(
            rule.id for rule in rubric.file.rules if _RESEARCH in {*_names(rule.require), *_names(rule.when)}
        ),
        evidence_at=table.per if table is not None else None,
        labels=labels,
    )


def _names(condition: Any) -> Iterator[str]:
    if isinstance(condition, dict):
        for name, part in condition.items():
            yield name
            yield from _names(part)
    elif isinstance(condition, list | tuple):
        for part in condition:
            yield from _names(part)


def seconds_at(digest: Digest, where: str) -> float | None:
    """Return active seconds at a place; `None` if not recorded. A response has those of its task."""
    depth, _, name = where.partition("/")
    seconds = digest.targets.get(name) if depth == "targets" else digest.seconds
    return seconds or None


def flags_of(seen: FlagSubject, basis: FlagBasis) -> frozenset[Flag]:
    """Return the flags of one rating at one place."""
    warnings, depth = _warnings(seen), depth_of(seen.where)
    flags: set[Flag] = {"warning"} if warnings else set()
    if any(warning.let_stand for warning in warnings):
        flags.add("acknowledged")
    if any(warning.rule in basis.research_rules for warning in warnings) or (
        seen.seconds is not None and seen.usual is not None and seen.seconds < FAST_SHARE * seen.usual
    ):
        flags.add("too-fast")
    is_labeled = seen.digest.values.get(seen.where, {}).get(basis.labels.get(depth, "")) is not None
    if is_labeled and depth == basis.evidence_at and not seen.digest.evidence.get(seen.where):
        flags.add("no-evidence")
    if seen.where in seen.digest.unkept_at:
        flags.add("evidence-dead")
    if seen.verdict is not None and seen.verdict.kind == "returned":
        flags.add("returned")
    more: tuple[tuple[Flag, bool], ...] = (
        ("without-research", bool(seen.digest.unresearched and seen.where in seen.digest.unresearched)),
        ("gold-missed", seen.missed), ("forked", seen.forked), ("outdated", seen.outdated),
        ("library-only", seen.where in (seen.digest.library_only or ())),
    )  # fmt: skip
    return frozenset(flags.union(flag for flag, is_set in more if is_set))


def _warnings(seen: FlagSubject) -> Sequence[DigestWarning]:
    if not seen.digest.warnings:
        return ()
    inside = f"{seen.where}/"
    warnings = [
        warning for warning in seen.digest.warnings if warning.where == seen.where or warning.where.startswith(inside)
    ]
    deeper = [place for place in seen.digest.values if place.startswith(inside)] if warnings else []
    # Exclude places whose id merely begins with this one's.
    return [
        candidate
        for candidate in warnings
        if not any(candidate.where == place or candidate.where.startswith(f"{place}/") for place in deeper)
    ]
