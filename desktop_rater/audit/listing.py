"""The review room's list: one item for each judged place, most disagreement first. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.adjudication import Votes
from desktop_rater.audit.disagreement import depth_of, distance, group_of, label_at, labelling
from desktop_rater.audit.items import Entry, Item
from desktop_rater.audit.judged import judged_questions
from desktop_rater.audit.marks import Seen, basis_of, marks_of, seconds_at, usual_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_rater.audit.disagreement import Label
    from desktop_rater.audit.filed import Audit, Filed
    from desktop_rater.audit.reviews import Reviews

Quotes = dict[str, dict[str, str]]
"""Task → where → what is rated there, in the order in which it stands in the task."""


def items(audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]]) -> tuple[Item, ...]:
    """All judged places. `quotes`: task → where → what is rated there, in the order in which it stands."""
    listing = _Listing(audit, reviews, quotes)
    found = [(one, at) for at, one in enumerate(listing.items())]
    found.sort(key=lambda one: (one[0].group.rank, -one[0].distance, one[1]))
    return tuple(one for one, _ in found)


class _Listing:
    def __init__(self, audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]]) -> None:
        self._audit = audit
        self._reviews = reviews
        self._quotes = quotes
        self._judged = judged_questions(audit.rubric)
        self._labels = labelling(self._judged)
        self._basis = basis_of(audit.rubric, {depth: one.question for depth, one in self._labels.items()})
        self._usual = {rater: self._usual_of(rater) for rater in audit.raters}
        self._forked = {(task, fork.rater) for fork in audit.forks for task in fork.tasks}
        sample = reviews.sample
        self._sampled = None if sample is None else frozenset(sample.places)

    def items(self) -> Iterator[Item]:
        order = sorted(self._audit.raters, key=lambda name: (name in self._audit.models, name))
        for task in self._audit.tasks:
            ratings = [one for name in order if (one := self._audit.ratings.get((task, name))) is not None]
            if ratings:
                yield from self._of_task(task, ratings)

    def _of_task(self, task: str, ratings: Sequence[Filed]) -> Iterator[Item]:
        people = [one for one in ratings if one.rater not in self._audit.models and one.digest.status == "complete"]
        votes = Votes(task, people, self._reviews)
        quotes = self._quotes.get(task, {})
        met = dict.fromkeys(
            where
            for one in ratings
            for where, values in one.digest.values.items()
            if label_at(self._labels, where, values) is not None
        )
        places = sorted(met, key=list(quotes).index) if met.keys() <= quotes.keys() else list(met)
        for where in places or ["task"]:
            yield self._item(task, where, ratings, votes)

    def _item(self, task: str, where: str, ratings: Sequence[Filed], votes: Votes) -> Item:
        question = self._labels.get(depth_of(where))
        golds = [label_at(self._labels, where, one.get(where, {})) for one in self._reviews.gold.get(task, ())]
        gold = tuple(dict.fromkeys(one for one in golds if one is not None))
        entries = tuple(self._entry(one, where, gold) for one in ratings)
        labels = [one.label for one in entries if one.label is not None and not one.model]
        differs = self._differs(where, ratings)
        decisive = {one.id for one in self._judged if one.decisive}
        final = votes.decide(question, where) if question is not None and labels else None
        quotes = self._quotes.get(task, {})
        return Item(
            task=task,
            where=where,
            quote=quotes.get(where, ""),
            entries=entries,
            group=group_of(labels, others_differ=not decisive.isdisjoint(differs)),
            differs=differs,
            distance=distance(question, labels),
            gold=gold,
            finals={key[2]: one for key, one in self._reviews.finals.items() if key[:2] == (task, where)},
            final=_label(question, final),
            tied=final is not None and final.value is None,
            decided=final is not None and final.how in ("decided", "corrected"),
            sampled=self._sampled is None or (task, where) in self._sampled,
        )
