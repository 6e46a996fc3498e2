"""The review room's list: one item for each judged place, most disagreement first. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.audit.adjudication import Votes
from desktop_rater.audit.disagreement import Label, depth_of, distance, group_of, label_at, labelling
from desktop_rater.audit.items import Entry, Item
from desktop_rater.audit.judged import judged_questions
from desktop_rater.audit.marks import Seen, basis_of, marks_of, seconds_at, usual_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_rater.audit.disagreement import Depth
    from desktop_rater.audit.filed import Audit, Filed
    from desktop_rater.audit.judged import Judged
    from desktop_rater.audit.marks import Kind
    from desktop_rater.audit.reviews import Reviews
    from desktop_rater.audit.sampling import Sample
    from desktop_rater.audit.verdicts import Final


def items(audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]]) -> tuple[Item, ...]:
    """All judged places. `quotes`: task → where → what is rated there, in the order in which it stands."""
    listing = _Listing(audit, reviews, quotes)
    found = list(listing.items())
    order = sorted(range(len(found)), key=lambda at: (found[at].group.rank, -found[at].distance, at))
    return tuple(found[at] for at in order)


class _Listing:
    def __init__(self, audit: Audit, reviews: Reviews, quotes: Mapping[str, Mapping[str, str]]) -> None:
        self._audit = audit
        self._reviews = reviews
        self._quotes = quotes
        self._judged = judged_questions(audit.rubric)
        self._labels = labelling(self._judged)
        self._at: dict[Depth, list[Judged]] = {depth: [] for depth in ("task", "response", "target")}
        for one in self._judged:
            self._at[one.per].append(one)
        self._basis = basis_of(audit.rubric, {depth: one.question for depth, one in self._labels.items()})
        # Of each rating that counts, by its two names: where → label.
        self._given = {key: self._labels_in(one) for key, one in audit.ratings.items()}
        self._usual = {rater: usual_seconds(self._spent(rater)) for rater in audit.raters}
        self._forked = {(task, fork.rater) for fork in audit.forks for task in fork.tasks}
        self._sampled = _sampled(reviews.sample)
        self._finals: dict[tuple[str, str], dict[str, Final]] = {}
        for (task, where, question), final in reviews.finals.items():
            self._finals.setdefault((task, where), {})[question] = final

    def items(self) -> Iterator[Item]:
        order = sorted(self._audit.raters, key=lambda name: (name in self._audit.models, name))
        for task in self._audit.tasks:
            ratings = [one for name in order if (one := self._audit.ratings.get((task, name))) is not None]
            if ratings:
                people = [one for one in ratings if one.rater not in self._audit.models]
                votes = Votes(
                    task, [one for one in people if one.digest.status == "complete"], self._reviews, self._judged
                )
                for where in self._places(task, ratings):
                    yield self._item(task, where, ratings, votes)

    def _places(self, task: str, ratings: Sequence[Filed]) -> list[str]:
        """Where somebody gave a label, as it stands in the task; the task itself where nobody did."""
        met = dict.fromkeys(where for one in ratings for where in self._given[task, one.rater])
        order = {where: at for at, where in enumerate(self._quotes.get(task, {}))}
        return sorted(met, key=lambda where: order.get(where, len(order))) or ["task"]

    def _item(self, task: str, where: str, ratings: Sequence[Filed], votes: Votes) -> Item:
        question = self._labels.get(depth_of(where))
        golds = [label_at(self._labels, where, one.get(where, {})) for one in self._reviews.gold.get(task, ())]
        gold = tuple(dict.fromkeys(one for one in golds if one is not None))
        entries = tuple(self._entry(one, where) for one in ratings)
        labels = [one.label for one in entries if one.label is not None and not one.model]
        final = votes.decide(question, where) if question is not None and labels else None
        return Item(
            task=task,
            where=where,
            quote=self._quotes.get(task, {}).get(where, ""),
            entries=entries,
            group=group_of(labels, others_differ=self._others_differ(where, ratings)),
            distance=distance(question, labels),
            gold=gold,
            finals=self._finals.get((task, where), {}),
            final=Label(final.question, final.value) if final is not None and final.value is not None else None,
            tied=final is not None and final.value is None,
            decided=final is not None and final.how in {"decided", "corrected"},
            sampled=self._sampled is None or (task, where) in self._sampled,
        )

    def _entry(self, filed: Filed, where: str) -> Entry:
        label = self._given[filed.task, filed.rater].get(where)
        verdict = self._reviews.verdict(filed.task, where, filed.rater)
        seconds = seconds_at(filed.digest, where)
        seen = Seen(
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
        return Entry(
            rater=filed.rater,
            rating=filed.sha256,
            label=label,
            skipped=filed.digest.status == "skipped",
            model=filed.rater in self._audit.models,
            seconds=seconds,
            flags=marks_of(seen, self._basis),
            verdict=verdict,
            outdated=seen.outdated,
        )

    def _misses_gold(self, filed: Filed, where: str) -> bool:
        """Whether every gold answer judges something otherwise there."""
        answers = self._reviews.gold.get(filed.task, ())
        if filed.digest.status == "skipped":
            return bool(answers) and all(answers)
        # One that judges something of the task, and nothing there, has no word there; one that skips it has no values.
        golds = [gold for gold in answers if not gold or where in gold]
        if not golds:
            return False
        own = filed.digest.values.get(where, {})
        binding = [one for one in self._at[depth_of(where)] if one.decisive or one.main]
        return all(any(one.value(own) != one.value(gold.get(where, {})) for one in binding) for gold in golds)

    def _others_differ(self, where: str, ratings: Sequence[Filed]) -> bool:
        """Whether people gave different answers to some question of a place that is a judgement."""
        people = [one.digest.values.get(where, {}) for one in ratings if one.rater not in self._audit.models]
        return any(one.decisive and _several(one, people) for one in self._at[depth_of(where)])

    def _labels_in(self, filed: Filed) -> dict[str, Label]:
        found = ((where, label_at(self._labels, where, values)) for where, values in filed.digest.values.items())
        return {where: label for where, label in found if label is not None}

    def _spent(self, rater: str) -> Iterator[tuple[Kind, float]]:
        for task in self._audit.tasks:
            filed = self._audit.ratings.get((task, rater))
            if filed is None or filed.digest.status != "complete":
                continue
            for where, label in self._given[task, rater].items():
                seconds = seconds_at(filed.digest, where)
                if seconds is not None:
                    yield (depth_of(where), label), seconds


def _several(question: Judged, people: Sequence[Mapping[str, Any]]) -> bool:
    """Whether people gave more than one answer."""
    first = None
    for values in people:
        value = question.value(values)
        if first is None:
            first = value
        elif value is not None and value != first:
            return True
    return False


def _sampled(sample: Sample | None) -> frozenset[tuple[str, str]] | None:
    """The places that are drawn; `None` where all are, also those that come in later."""
    return None if sample is None or sample.how == "all" else frozenset(sample.places)
