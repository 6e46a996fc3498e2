"""Adjudicate one final value for each judged question at each place, and compose ratings of several raters. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.items import depth_of, label_questions
from desktop_rater.audit.questions import (
    MAJORITY,
    MODEL_METHODS,
    JudgedQuestion,
    LabelMethod,
    LabelRule,
    Posterior,
    RaterModel,
    Value,
    entropy_of,
    judged_questions,
    plain_value,
    probability_of,
)
from desktop_rater.audit.results import Audit, LeadDecision, ReceivedRating, Verdict
from desktop_rater.audit.reviews import Reviews
from desktop_rater.format import edit
from desktop_rater.format.rating import Evidence, Rating

if TYPE_CHECKING:
    from desktop_rater.stats.label_models import Vote

ValueSource = Literal["lead", "unanimous", "open"] | LabelMethod
LabelSource = Literal["lead", "all"] | LabelMethod
DecisionKind = Literal["", "decided", "in bulk", "corrected", "accepted"]


class AdjudicatedValue(msgspec.Struct, frozen=True, kw_only=True):
    """Final value of one question at one place; `None` while it is open.

    `how` is the kind of the lead's decision. `votes_for` and `against` count people: for the value, or for the most
    frequent one while it is open. `label`: the question is the label of the place. `decisive`: while it is open, the
    place is open. `votes`: those for each value; `posterior`: the probable values by the `method` that applies to the
    question.
    """

    task: str
    where: str
    question: str
    value: Value | None
    source: ValueSource
    how: DecisionKind = ""
    votes_for: int = 0
    against: int = 0
    label: bool = False
    decisive: bool = False
    lead: str = ""
    comment: str = ""
    votes: tuple[tuple[Value, int], ...] = ()
    posterior: Posterior = ()
    method: LabelMethod = "majority"

    @property
    def is_open(self) -> bool:
        return self.decisive and self.value is None

    @property
    def by(self) -> LabelSource:
        """Return who or what decides the value, also while it is open."""
        by: dict[ValueSource, LabelSource] = {"lead": "lead", "unanimous": "all"}
        return by.get(self.source, self.method)

    @property
    def probability(self) -> float | None:
        """Return the probability of the value, or of the most probable one while it is open."""
        if self.value is not None:
            return probability_of(self.posterior, self.value)
        return self.posterior[0][1] if self.posterior else None

    @property
    def entropy(self) -> float:
        """Return the entropy of the posterior in bits."""
        return entropy_of(self.posterior)


ValuesByRater = dict[str, Value | None]
"""Rater → answer; `None` where the question was left out."""

SettledValues = Sequence[tuple["JudgedQuestion", Value]]


def _decides(question: JudgedQuestion) -> bool:
    return question.decisive or question.main


class Votes:
    """Ratings by people on one task and the lead's reviews of them: the input of decisions."""

    def __init__(
        self,
        task: str,
        ratings: Sequence[ReceivedRating],
        reviews: Reviews,
        judged: Sequence[JudgedQuestion],
        rule: LabelRule = MAJORITY,
    ) -> None:
        self.task = task
        self._rule = rule
        self._ratings = {rating.rater: rating for rating in ratings}
        self._reviews = reviews
        self._judged = judged
        self._is_reviewed = reviews.has_verdicts(task)
        self._values: dict[str, dict[str, dict[str, Any]]] = {}
        self._answered: dict[tuple[str, str], ValuesByRater] = {}

    def places(self) -> list[str]:
        own = self._reviews.owns.get(self.task)
        met = dict.fromkeys(where for rating in self._ratings.values() for where in rating.digest.values)
        return list(met) or (list(own.values) if own is not None else [])

    def decide(
        self,
        question: JudgedQuestion,
        where: str,
        label: SettledValues = (),
        settled: SettledValues = (),
        waiting: Collection[str] = (),
    ) -> AdjudicatedValue | None:
        """Return the final value of a question at a place; `None` if it was not answered or is to be left out.

        `label`: the final label of the place, if any; `settled`: it and all other final values; `waiting`: the names of
        questions that are not final.
        """
        given = self._votes(question, where, label, settled)
        resolution = self._lead_resolution(question, where, given)
        if resolution is not None:
            return None if resolution.value is None else self._decision(question, where, given, resolution)
        if all(value is None for value in given.values()):
            return None
        if not question.hangs_on.isdisjoint(waiting) and None in self._answers(question, where).values():
            return None  # not all raters were asked, and a question it depends on is open
        votes = {rater: value for rater, value in given.items() if not self._is_returned(where, rater)}
        if 2 * sum(value is None for value in votes.values()) > len(votes):
            return None
        return self._decision(question, where, votes)

    def _votes(
        self, question: JudgedQuestion, where: str, label: SettledValues, settled: SettledValues
    ) -> ValuesByRater:
        values = self._answers(question, where)
        agreeing = self._agreeing(values, where, label)
        if not _decides(question):
            values = agreeing
        elif not agreeing and not question.hangs_on.isdisjoint(other.question for other, _ in label):
            return {}  # no rater gave this label: what they answered because of theirs does not count
        if question.conditional and None in values.values():
            return self._agreeing(values, where, [*self._decided(where, question), *settled])
        return {rater: value for rater, value in values.items() if value is not None}

    def _values_at(self, where: str) -> dict[str, dict[str, Any]]:
        """Return rater → values at a place. Raters with equal values share one dictionary."""
        if where not in self._values:
            equal: dict[bytes, dict[str, Any]] = {}
            given = ((rater, rating.digest.values.get(where, {})) for rater, rating in self._ratings.items())
            self._values[where] = {
                rater: equal.setdefault(msgspec.msgpack.encode(values), values) for rater, values in given
            }
        return self._values[where]

    def _answers(self, question: JudgedQuestion, where: str) -> ValuesByRater:
        key = question.id, where
        if key not in self._answered:
            given = self._values_at(where)
            value_of = {id(values): question.value(values) for values in _distinct(given)}
            self._answered[key] = {rater: value_of[id(values)] for rater, values in given.items()}
        return self._answered[key]

    def _agreeing(
        self, values_by_rater: ValuesByRater, where: str, settled: Iterable[tuple[JudgedQuestion, Value]]
    ) -> ValuesByRater:
        finals, given = list(settled), self._values_at(where)

        def agrees(values: Mapping[str, Any]) -> bool:
            own = ((question, question.value(values), value) for question, value in finals)
            return all(given == value or (given is None and question.only_claims) for question, given, value in own)

        agreeing = {id(values) for values in _distinct(given) if agrees(values)}
        return {rater: value for rater, value in values_by_rater.items() if id(given[rater]) in agreeing}

    def _decided(self, where: str, question: JudgedQuestion) -> Iterator[tuple[JudgedQuestion, Value]]:
        for other in self._judged:
            if other.per == question.per and other.question != question.question:
                final = self.final(other, where)
                value = plain_value(final.value) if final is not None else None
                if value is not None:
                    yield other, value

    def _lead_resolution(self, question: JudgedQuestion, where: str, given: ValuesByRater) -> "_Resolution | None":
        """Return the lead's decision; one without a value means that the question is to be left out."""
        final = self.final(question, where)
        if final is not None and (value := plain_value(final.value)) is not None:
            return _Resolution(value, "lead", "in bulk" if final.by else "decided", final.lead, final.comment)
        verdicts = [verdict for rater in self._ratings if (verdict := self._verdict(where, rater)) is not None]
        own = self._reviews.owns.get(self.task)
        corrected = next((verdict for verdict in verdicts if verdict.kind == "corrected"), None)
        if corrected is not None and own is not None:
            value = question.value(own.values.get(where, {}))
            return _Resolution(value, "lead", "corrected", own.own.lead, corrected.comment)
        accepted = [verdict for verdict in verdicts if verdict.kind == "accepted" and verdict.rater in given]
        if len({given[verdict.rater] for verdict in accepted}) != 1:
            return None
        comment = next((verdict.comment for verdict in accepted if verdict.comment), "")
        return _Resolution(given[accepted[0].rater], "lead", "accepted", accepted[0].lead, comment)

    def final(self, question: JudgedQuestion, where: str) -> LeadDecision | None:
        """Return the lead's decision on a question, or on the question that the label is based on."""
        finals = self._reviews.finals
        decision = finals.get((self.task, where, question.id))
        return decision or finals.get((self.task, where, question.question))

    def _verdict(self, where: str, rater: str) -> Verdict | None:
        verdict = self._reviews.verdict(self.task, where, rater) if self._is_reviewed else None
        return verdict if verdict is not None and verdict.rating == self._ratings[rater].sha256 else None

    def _is_returned(self, where: str, rater: str) -> bool:
        verdict = self._verdict(where, rater)
        return verdict is not None and verdict.kind == "returned"

    def _decision(
        self,
        question: JudgedQuestion,
        where: str,
        votes: Mapping[str, Value | None],
        by_lead: "_Resolution | None" = None,
    ) -> AdjudicatedValue:
        answers = {rater: value for rater, value in votes.items() if value is not None}
        chosen = self._rule.choose(question, answers, omitting=len(votes) - len(answers))
        resolution = by_lead or _Resolution(chosen.value, "open" if chosen.value is None else chosen.by)
        counts = Counter(answers.values())
        votes_for = max(counts.values(), default=0) if resolution.value is None else counts[resolution.value]
        unanimous = by_lead is None and resolution.value is not None and votes_for == len(votes)
        return AdjudicatedValue(
            task=self.task,
            where=where,
            question=question.id,
            value=resolution.value,
            source="unanimous" if unanimous else resolution.source,
            how=resolution.how,
            votes_for=votes_for,
            against=len(votes) - votes_for,
            decisive=_decides(question),
            lead=resolution.lead,
            comment=resolution.comment,
            votes=tuple(counts.items()),
            posterior=chosen.posterior,
            method=chosen.by,
        )


def _distinct(given: Mapping[str, dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return {id(values): values for values in given.values()}.values()


class _Resolution(NamedTuple):
    value: Value | None
    source: ValueSource
    how: DecisionKind = ""
    lead: str = ""
    comment: str = ""


def adjudicated_values(audit: Audit, reviews: Reviews, rule: LabelRule = MAJORITY) -> Iterator[AdjudicatedValue]:
    """Yield every decision in the order of the tasks; the label of each place first."""
    judged = judged_questions(audit.rubric)
    for task in audit.tasks:
        votes = votes_on(audit, reviews, task, judged, rule)
        for where in votes.places():
            yield from decisions_at(judged, votes, where)


def votes_on(
    audit: Audit, reviews: Reviews, task: str, judged: Sequence[JudgedQuestion], rule: LabelRule = MAJORITY
) -> Votes:
    """Collect the votes on a task."""
    people = (audit.ratings.get((task, rater)) for rater in audit.raters if rater not in audit.models)
    ratings = [rating for rating in people if rating is not None and rating.digest.status == "complete"]
    return Votes(task, ratings, reviews, judged, rule)


def decisions_at(judged: Sequence[JudgedQuestion], votes: Votes, where: str) -> Iterator[AdjudicatedValue]:
    """Yield the label of one place, then the other answered questions there.

    Questions that only lead to the label count the answers of raters who gave the final label.
    """
    label = label_questions(judged).get(depth_of(where))
    final = votes.decide(label, where) if label is not None else None
    settled: list[tuple[JudgedQuestion, Value]] = []
    if label is not None and final is not None:
        yield replace(final, label=True)
        settled += [] if final.value is None else [(label, final.value)]
    label_value = tuple(settled)
    waiting = [label.question] if label is not None and final is not None and final.value is None else []
    for question in judged:
        if question.per != depth_of(where) or (label is not None and question.question == label.question):
            continue
        if not question.decisive and final is not None and final.value is None:
            continue
        decision = votes.decide(question, where, label_value, settled, waiting)
        if decision is not None and (decision.votes_for or decision.value is not None):
            yield decision
            settled += [] if decision.value is None else [(question, decision.value)]
        if decision is None or decision.value is None:
            waiting.append(question.question)


V = TypeVar("V")


def compose_rating(base: Rating, donors: Mapping[str, Rating]) -> Rating:
    """Return `base` with the parts of its donors (place → rating); all other places stay as in `base`."""
    rating = base
    for where, donor in donors.items():
        if donor is not base:
            rating = _with_evidence(_with_answers(rating, donor, where), donor, where)
    opened = dict.fromkeys(url for contribution in (base, *donors.values()) for url in contribution.links_opened)
    return replace(rating, links_opened=tuple(opened))


def _with_answers(rating: Rating, donor: Rating, where: str) -> Rating:
    name = where.partition("/")[2]
    answers, given, time = rating.answers, donor.answers, rating.time
    match depth_of(where):
        case "task":
            return replace(rating, answers=replace(answers, task=given.task))
        case "response":
            responses = _with_entry(answers.responses, given.responses, name)
            return replace(rating, answers=replace(answers, responses=responses))
    return replace(
        rating,
        answers=replace(answers, targets=_with_entry(answers.targets, given.targets, name)),
        claims=_with_entry(rating.claims, donor.claims, name),
        borders=_with_entry(rating.borders, donor.borders, name),
        time=replace(time, targets=_with_entry(time.targets, donor.time.targets, name)),
    )


def _with_evidence(rating: Rating, donor: Rating, where: str) -> Rating:
    """Replace the evidence and acknowledgements of a place by the donor's; an id in use is replaced by a new one."""
    pieces = [piece for piece in rating.evidence if _place_of(piece) != where]
    acknowledged = [
        acknowledgement for acknowledgement in rating.acknowledged if not _is_inside(acknowledgement.where, where)
    ]
    ids = [piece.id for piece in pieces]
    renamed: dict[str, str] = {}
    for piece in donor.evidence:
        if _place_of(piece) == where:
            piece_id = edit.new_id("e", ids) if piece.id in ids else piece.id
            renamed[f"{where}/evidence/{piece.id}"] = f"{where}/evidence/{piece_id}"
            ids.append(piece_id)
            pieces.append(replace(piece, id=piece_id))
    acknowledged += [
        replace(acknowledgement, where=renamed.get(acknowledgement.where, acknowledgement.where))
        for acknowledgement in donor.acknowledged
        if _is_inside(acknowledgement.where, where)
    ]
    return replace(rating, evidence=tuple(pieces), acknowledged=tuple(acknowledged))


def _place_of(piece: Evidence) -> str:
    return f"targets/{piece.target}" if piece.target is not None else f"responses/{piece.response}"


def _is_inside(place: str, where: str) -> bool:
    return place == where or place.startswith(f"{where}/")


def _with_entry(own: Mapping[str, V], others: Mapping[str, V], name: str) -> dict[str, V]:
    rest = {key: value for key, value in own.items() if key != name}
    return {**rest, name: others[name]} if name in others else rest


PlaceQuestion = tuple[str, str, str]
"""Task, place and the id of a judged question."""


class FinalLabel(NamedTuple):
    """Final value of a question at a place; `None` while it is open.

    `posterior`: the probable values by the method, the most probable first; of a majority or median the shares of the
    votes. `entropy` of it in bits. `by`: the lead, all raters, or the method, which is also named while it is open.
    `votes`: their number.
    """

    value: Value | None
    posterior: Posterior = ()
    entropy: float = 0.0
    by: LabelSource = "majority"
    votes: int = 0


def final_labels(
    audit: Audit, decisions: Reviews, by: LabelMethod = "majority", threshold: float = 0.0
) -> dict[PlaceQuestion, FinalLabel]:
    """Return the final label of each question that is judged at a place.

    `decisions`: the lead's reviews. Values less probable than `threshold` are left open. The results are the same in
    any order of the ratings.
    """
    rule = fit_label_rule(audit, by, threshold)
    return {
        (label.task, label.where, label.question): FinalLabel(
            label.value, label.posterior, label.entropy, label.by, sum(count for _value, count in label.votes)
        )
        for label in adjudicated_values(audit, decisions, rule)
    }


_MOST_VALUES = 50  # of a question that a model of raters is fitted to


def fit_label_rule(audit: Audit, by: LabelMethod = "majority", threshold: float = 0.0) -> LabelRule:
    """Fit the rule's model to each question, over all complete ratings of people; reviews do not change it."""
    if by not in MODEL_METHODS:
        return LabelRule(by=by, threshold=threshold)
    from desktop_rater.stats.label_models import dawid_skene, mace, sparse_votes  # noqa: PLC0415 - loads numpy

    models: dict[str, RaterModel] = {}
    for question in judged_questions(audit.rubric):
        votes = sparse_votes(_votes_on(audit, question)) if question.measure != "interval" else None
        if votes is not None and 0 < len(votes.values) <= _MOST_VALUES:
            models[question.id] = dawid_skene(votes) if by == "dawid-skene" else mace(votes)
    return LabelRule(by=by, threshold=threshold, models=models)


def _votes_on(audit: Audit, question: JudgedQuestion) -> "Iterator[Vote]":
    for task in audit.tasks:
        for rater in audit.raters:
            rating = audit.ratings.get((task, rater))
            if rating is None or rater in audit.models or rating.digest.status != "complete":
                continue
            for where, values in rating.digest.values.items():
                value = question.value(values)
                if value is not None:
                    yield (task, where), rater, value
