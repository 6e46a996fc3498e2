"""Build the review list: one item for each judged place, most disagreement first. Pure."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import median

from desktop_rater.audit.adjudication import Votes, decisions_at
from desktop_rater.audit.items import (
    FEWEST_PLACES,
    Depth,
    FlagSubject,
    Label,
    PlaceKind,
    ReviewEntry,
    ReviewItem,
    depth_of,
    flag_basis,
    flags_of,
    group_of,
    label_at,
    label_distance,
    label_questions,
    pack_entries,
    seconds_at,
)
from desktop_rater.audit.questions import MAJORITY, JudgedQuestion, LabelRule, judged_questions
from desktop_rater.audit.results import Audit, LeadDecision, ReceivedRating
from desktop_rater.audit.reviews import Reviews

RaterPace = Mapping[PlaceKind, float]
"""A rater's usual seconds for each kind of place."""


def review_items(
    audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]], rule: LabelRule = MAJORITY
) -> tuple[ReviewItem, ...]:
    """Return all judged places. `quotes`: task → place → the rated text, in document order."""
    lister = ReviewLister(audit, reviews, rule, rater_paces(audit))
    return in_list_order(item for task in audit.tasks for item in lister.items_of(task, quotes.get(task, {})))


def in_list_order(items: Iterable[ReviewItem]) -> tuple[ReviewItem, ...]:
    """Return items, which are in document order, with the most disagreement first."""
    return tuple(sorted(items, key=lambda item: (item.group.rank, -item.distance)))


def rater_paces(audit: Audit, raters: Collection[str] | None = None) -> dict[str, RaterPace]:
    """Return the median seconds of these raters, or of all, for each kind with enough places that they labelled."""
    labels = label_questions(judged_questions(audit.rubric))
    spent: dict[str, defaultdict[PlaceKind, array[float]]] = {
        rater: defaultdict(lambda: array("d")) for rater in (audit.raters if raters is None else raters)
    }
    for filed in audit.ratings.values():
        digest = filed.digest if filed.rater in spent else None
        if digest is None or digest.status != "complete":
            continue
        for where, values in digest.values.items():
            seconds = seconds_at(digest, where)
            label = None if seconds is None else label_at(labels, where, values)
            if seconds is not None and label is not None:
                spent[filed.rater][depth_of(where), label].append(seconds)
    return {
        rater: {kind: median(some) for kind, some in by_kind.items() if len(some) >= FEWEST_PLACES}
        for rater, by_kind in spent.items()
    }


class ReviewLister:
    """Makes the items of one task after the other. `paces`: the usual seconds of each rater."""

    def __init__(self, audit: Audit, reviews: Reviews, rule: LabelRule, paces: Mapping[str, RaterPace]) -> None:
        self._audit = audit
        self._rule = rule
        self._reviews = reviews
        self._paces = paces
        self._judged = judged_questions(audit.rubric)
        self._labels = label_questions(self._judged)
        self._at: dict[Depth, list[JudgedQuestion]] = {depth: [] for depth in ("task", "response", "target")}
        for question in self._judged:
            self._at[question.per].append(question)
        self._basis = flag_basis(audit.rubric, {depth: question.question for depth, question in self._labels.items()})
        self._raters = sorted(audit.raters, key=lambda name: (name in audit.models, name))
        self._forked = {(task, fork.rater) for fork in audit.forks for task in fork.tasks}
        self._finals: dict[tuple[str, str], dict[str, LeadDecision]] = {}
        for (task, where, question), final in reviews.finals.items():
            self._finals.setdefault((task, where), {})[question] = final

    def items_of(self, task: str, quotes: Mapping[str, str], only: Collection[str] = ()) -> list[ReviewItem]:
        """Return the places of a task with labels in document order; the task itself without any.

        `only`: just these places, if they are named.
        """
        filed = (self._audit.ratings.get((task, name)) for name in self._raters)
        ratings = [rating.unpacked() for rating in filed if rating is not None]
        if not ratings:
            return []
        labels = [self._labels_in(rating) for rating in ratings]
        order = {where: index for index, where in enumerate(quotes)}
        judged = dict.fromkeys(where for given in labels for where in given)
        people = [rating for rating in ratings if rating.rater not in self._audit.models]
        complete = [rating for rating in people if rating.digest.status == "complete"]
        votes = Votes(task, complete, self._reviews, self._judged, self._rule)
        places = sorted(judged, key=lambda where: order.get(where, len(order))) or ["task"]
        given = list(zip(ratings, labels, strict=True))
        return [self._item(where, quotes.get(where, ""), given, votes) for where in places if not only or where in only]

    def _item(
        self, where: str, quote: str, given: Sequence[tuple[ReceivedRating, Mapping[str, Label]]], votes: Votes
    ) -> ReviewItem:
        task, question, sample = votes.task, self._labels.get(depth_of(where)), self._reviews.sample
        golds = [label_at(self._labels, where, values.get(where, {})) for values in self._reviews.all_gold(task)]
        people = [rating for rating, _ in given if rating.rater not in self._audit.models]
        labels = [own[where] for rating, own in given if where in own and rating.rater not in self._audit.models]
        final = votes.decide(question, where) if question is not None and labels else None
        name = question.question if question is not None else ""
        differing = tuple(
            judged.id
            for judged in self._at[depth_of(where)]
            if judged.decisive and judged.question != name and _several(judged, where, people)
        )
        decisions = [] if final is None else [final]
        if differing and final is not None:
            decisions = [decision for decision in decisions_at(self._judged, votes, where) if decision.decisive]
        misses = self._gold_misses(task, where)
        return ReviewItem(
            task=task,
            where=where,
            quote=quote,
            entries=pack_entries(
                self._entry(rating, where, own.get(where), missed=misses(rating)) for rating, own in given
            ),
            group=group_of(labels, others_differ=bool(differing)),
            distance=label_distance(question, labels),
            gold=tuple(dict.fromkeys(label for label in golds if label is not None)),
            finals=self._finals.get((task, where), {}),
            final=Label(final.question, final.value) if final is not None and final.value is not None else None,
            differing=differing,
            other_finals=tuple(
                Label(other.question, other.value) for other in decisions[1:] if other.value is not None
            ),
            open_question=next((decision.question for decision in decisions if decision.is_open), ""),
            decided=final is not None and final.how in {"decided", "in bulk", "corrected"},
            in_bulk=final is not None and final.how == "in bulk",
            posterior=final.posterior if final is not None else (),
            method=final.method if final is not None else "majority",
            sampled=sample is None or sample.has(task, where),
        )

    def _entry(self, filed: ReceivedRating, where: str, label: Label | None, *, missed: bool) -> ReviewEntry:
        verdict = self._reviews.verdict(filed.task, where, filed.rater)
        seconds = seconds_at(filed.digest, where)
        seen = FlagSubject(
            digest=filed.digest,
            where=where,
            label=label,
            missed=missed,
            verdict=verdict,
            outdated=verdict is not None and verdict.rating != filed.sha256,
            seconds=seconds,
            usual=None if label is None else self._paces.get(filed.rater, {}).get((depth_of(where), label)),
            forked=(filed.task, filed.rater) in self._forked,
        )
        return ReviewEntry(
            rater=filed.rater,
            rating=filed.sha256,
            label=label,
            skipped=seen.digest.status == "skipped",
            model=filed.rater in self._audit.models,
            seconds=seconds,
            flags=flags_of(seen, self._basis),
            verdict=verdict,
            outdated=seen.outdated,
        )

    def _gold_misses(self, task: str, where: str) -> Callable[[ReceivedRating], bool]:
        """Return a function that tells whether every gold answer differs from a rating at the place."""
        answers = self._reviews.gold.get(task, ())
        partial = [gold for gold in self._reviews.partial_gold.get(task, ()) if gold]
        missed_by_skipping = bool(answers or partial) and all(answers)
        binding = [question for question in self._at[depth_of(where)] if question.decisive or question.main]
        # Gold with judgements elsewhere in the task does not count here; gold without any skips the task.
        golds = [
            {question.id: question.value(gold.get(where, {})) for question in binding}
            for gold in answers
            if not gold or where in gold
        ]
        for gold in partial:  # counts where it has a value
            values = {question.id: question.value(gold.get(where, {})) for question in binding}
            golds.append({name: value for name, value in values.items() if value is not None})
        golds = [gold for gold in golds if gold or not binding]

        def misses(filed: ReceivedRating) -> bool:
            if filed.digest.status == "skipped":
                return missed_by_skipping
            own = filed.digest.values.get(where, {})
            return bool(golds) and all(
                any(question.value(own) != gold[question.id] for question in binding if question.id in gold)
                for gold in golds
            )

        return misses

    def _labels_in(self, filed: ReceivedRating) -> dict[str, Label]:
        labels = ((where, label_at(self._labels, where, values)) for where, values in filed.digest.values.items())
        return {where: label for where, label in labels if label is not None}


def _several(question: JudgedQuestion, where: str, people: Sequence[ReceivedRating]) -> bool:
    return len({question.value(rating.digest.values.get(where, {})) for rating in people} - {None}) > 1
