"""Build the review list: one item for each judged place, most disagreement first. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from desktop_rater.audit.adjudication import Votes, decisions_at
from desktop_rater.audit.filters import FlagSubject, PlaceKind, flag_basis, flags_of, seconds_at, usual_seconds
from desktop_rater.audit.items import (
    Depth,
    Label,
    ReviewEntry,
    ReviewItem,
    depth_of,
    group_of,
    label_at,
    label_distance,
    label_questions,
)
from desktop_rater.audit.judged_questions import JudgedQuestion, judged_questions
from desktop_rater.audit.label_rules import MAJORITY, LabelRule
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.audit.verdicts import LeadDecision


def review_items(
    audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]], rule: LabelRule = MAJORITY
) -> tuple[ReviewItem, ...]:
    """Return all judged places. `quotes`: task → place → the rated text, in document order."""
    listing = _ListBuilder(audit, reviews, quotes, rule)
    unsorted = list(listing.items())
    order = sorted(
        range(len(unsorted)), key=lambda index: (unsorted[index].group.rank, -unsorted[index].distance, index)
    )
    return tuple(unsorted[index] for index in order)


class _ListBuilder:
    def __init__(
        self, audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]], rule: LabelRule
    ) -> None:
        self._audit = audit
        self._rule = rule
        self._reviews = reviews
        self._quotes = quotes
        self._judged = judged_questions(audit.rubric)
        self._labels = label_questions(self._judged)
        self._at: dict[Depth, list[JudgedQuestion]] = {depth: [] for depth in ("task", "response", "target")}
        for question in self._judged:
            self._at[question.per].append(question)
        self._basis = flag_basis(audit.rubric, {depth: question.question for depth, question in self._labels.items()})
        # Labels of each effective rating by its key: place → label.
        self._labels_by_rating = {key: self._labels_in(rating) for key, rating in audit.ratings.items()}
        self._usual = {rater: usual_seconds(self._spent(rater)) for rater in audit.raters}
        self._forked = {(task, fork.rater) for fork in audit.forks for task in fork.tasks}
        self._sampled = _sampled(reviews.sample)
        self._finals: dict[tuple[str, str], dict[str, LeadDecision]] = {}
        for (task, where, question), final in reviews.finals.items():
            self._finals.setdefault((task, where), {})[question] = final

    def items(self) -> Iterator[ReviewItem]:
        order = sorted(self._audit.raters, key=lambda name: (name in self._audit.models, name))
        for task in self._audit.tasks:
            ratings = [rating for name in order if (rating := self._audit.ratings.get((task, name))) is not None]
            if ratings:
                people = [rating for rating in ratings if rating.rater not in self._audit.models]
                votes = Votes(
                    task,
                    [rating for rating in people if rating.digest.status == "complete"],
                    self._reviews,
                    self._judged,
                    self._rule,
                )
                for where in self._places(task, ratings):
                    yield self._item(task, where, ratings, votes)

    def _places(self, task: str, ratings: Sequence[ReceivedRating]) -> list[str]:
        """Return the places with labels in document order; the task itself without any."""
        judged = dict.fromkeys(where for rating in ratings for where in self._labels_by_rating[task, rating.rater])
        order = {where: index for index, where in enumerate(self._quotes.get(task, {}))}
        return sorted(judged, key=lambda where: order.get(where, len(order))) or ["task"]

    def _item(self, task: str, where: str, ratings: Sequence[ReceivedRating], votes: Votes) -> ReviewItem:
        question = self._labels.get(depth_of(where))
        golds = [label_at(self._labels, where, values.get(where, {})) for values in self._reviews.all_gold(task)]
        gold = tuple(dict.fromkeys(label for label in golds if label is not None))
        entries = tuple(self._entry(rating, where) for rating in ratings)
        labels = [entry.label for entry in entries if entry.label is not None and not entry.model]
        final = votes.decide(question, where) if question is not None and labels else None
        people = [rating.digest.values.get(where, {}) for rating in ratings if rating.rater not in self._audit.models]
        label = question.question if question is not None else ""
        differing = tuple(
            judged.id
            for judged in self._at[depth_of(where)]
            if judged.decisive and judged.question != label and _several(judged, people)
        )
        decisions = [] if final is None else [final]
        if differing and final is not None:
            decisions = [decision for decision in decisions_at(self._judged, votes, where) if decision.decisive]
        return ReviewItem(
            task=task,
            where=where,
            quote=self._quotes.get(task, {}).get(where, ""),
            entries=entries,
            group=group_of(labels, others_differ=bool(differing)),
            distance=label_distance(question, labels),
            gold=gold,
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
            sampled=self._sampled is None or (task, where) in self._sampled,
        )

    def _entry(self, filed: ReceivedRating, where: str) -> ReviewEntry:
        label = self._labels_by_rating[filed.task, filed.rater].get(where)
        verdict = self._reviews.verdict(filed.task, where, filed.rater)
        seconds = seconds_at(filed.digest, where)
        seen = FlagSubject(
            digest=filed.digest,
            where=where,
            label=label,
            missed=self._misses_gold(filed, where),
            verdict=verdict,
            outdated=verdict is not None and verdict.rating != filed.sha256,
            seconds=seconds,
            usual=None if label is None else self._usual[filed.rater].get((depth_of(where), label)),
            forked=(filed.task, filed.rater) in self._forked,
        )
        return ReviewEntry(
            rater=filed.rater,
            rating=filed.sha256,
            label=label,
            skipped=filed.digest.status == "skipped",
            model=filed.rater in self._audit.models,
            seconds=seconds,
            flags=flags_of(seen, self._basis),
            verdict=verdict,
            outdated=seen.outdated,
        )

    def _misses_gold(self, filed: ReceivedRating, where: str) -> bool:
        """Return whether every gold answer differs from the rating at the place."""
        answers = self._reviews.gold.get(filed.task, ())
        partial = [gold for gold in self._reviews.partial_gold.get(filed.task, ()) if gold]
        if filed.digest.status == "skipped":
            return bool(answers or partial) and all(answers)
        own = filed.digest.values.get(where, {})
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
        return bool(golds) and all(
            any(question.value(own) != gold[question.id] for question in binding if question.id in gold)
            for gold in golds
        )

    def _labels_in(self, filed: ReceivedRating) -> dict[str, Label]:
        labels = ((where, label_at(self._labels, where, values)) for where, values in filed.digest.values.items())
        return {where: label for where, label in labels if label is not None}

    def _spent(self, rater: str) -> Iterator[tuple[PlaceKind, float]]:
        for task in self._audit.tasks:
            filed = self._audit.ratings.get((task, rater))
            if filed is None or filed.digest.status != "complete":
                continue
            for where, label in self._labels_by_rating[task, rater].items():
                seconds = seconds_at(filed.digest, where)
                if seconds is not None:
                    yield (depth_of(where), label), seconds


def _several(question: JudgedQuestion, people: Sequence[Mapping[str, Any]]) -> bool:
    return len({question.value(values) for values in people} - {None}) > 1


def _sampled(sample: ReviewSample | None) -> frozenset[tuple[str, str]] | None:
    """Return the sampled places; `None` if all are, including those added later."""
    return None if sample is None or sample.how == "all" else frozenset(sample.places)
