"""Rules that choose the final label of a place from its votes: majority, median, or a model of the raters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import log2
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import msgspec

from desktop_rater.audit.questions import JudgedQuestion, Value, judged_questions
from desktop_rater.audit.results import Audit
from desktop_rater.translation import N_

if TYPE_CHECKING:
    from desktop_rater.stats.label_models import Vote

LabelMethod = Literal["majority", "median", "dawid-skene", "mace"]
LABEL_METHODS: tuple[LabelMethod, ...] = ("majority", "median", "dawid-skene", "mace")
METHOD_MEANINGS: dict[LabelMethod, str] = {
    "majority": N_("Report", "the label of more than half of the raters; of scales the middle answer"),
    "median": N_("Report", "the middle answer; labels without an order go by majority"),
    "dawid-skene": N_("Report", "weighs each rater by how often they seem to take one label for another"),
    "mace": N_("Report", "weighs each rater by how often they seem to guess"),
}
METHODS_HELP = "; ".join(f"{name}: {meaning.replace(';', ',')}" for name, meaning in METHOD_MEANINGS.items())
MODEL_METHODS = frozenset({"dawid-skene", "mace"})
Posterior = tuple[tuple[Value, float], ...]
"""Values with their probabilities, the most probable first."""

_MOST_VALUES = 50  # of a question that a model of raters is fitted to
_EQUAL = 1e-9


class LabelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's choice of how the votes of a bundle decide, and of the least probability of a final label."""

    by: LabelMethod = "majority"
    threshold: float = 0.0
    lead: str = ""
    changed: str = ""


class ChosenLabel(NamedTuple):
    """The label that a rule chooses, `None` if it is left to the lead, and the method that chose it."""

    value: Value | None
    posterior: Posterior
    by: LabelMethod


class RaterModel(Protocol):
    """A fitted model of the raters."""

    def posterior(self, votes: Iterable[tuple[str, Value]]) -> Posterior:
        """Return the probable values of a place with these votes: pairs of rater and value."""
        ...


class LabelRule(msgspec.Struct, frozen=True, kw_only=True):
    """A method, the least probability that a label needs, and the fitted model of each question, if any.

    A question without a model (a number, or one with more than 50 values), and any scale that no model decides, has the
    median of its votes, also between two steps; a question whose values have no order is decided by the majority.
    """

    by: LabelMethod = "majority"
    threshold: float = 0.0
    models: Mapping[str, RaterModel] = {}

    def choose(self, question: JudgedQuestion, votes: Mapping[str, Value], omitting: int = 0) -> ChosenLabel:
        """Return the label of a place by its votes (rater → value). `omitting`: the votes for leaving it out."""
        by: LabelMethod = "majority" if question.measure == "nominal" else "median"
        model = self.models.get(question.id)
        posterior = vote_shares(votes.values())
        if not votes:
            return ChosenLabel(None, (), by if model is None else self.by)
        if model is not None:
            by, posterior = self.by, model.posterior(votes.items())
            value = None if is_tied(posterior) else posterior[0][0]
        elif by == "median":
            value = median(map(float, votes.values()))
        else:
            top, share = posterior[0]
            value = top if 2 * round(share * len(votes)) > len(votes) + omitting else None
        if value is not None and probability_of(posterior, value) < self.threshold - _EQUAL:
            value = None
        return ChosenLabel(value, posterior, by)


MAJORITY = LabelRule()


def vote_shares(votes: Iterable[Value]) -> Posterior:
    """Return each value with its share of the votes, the largest first."""
    counts = Counter(votes)
    shares = [(value, count / counts.total()) for value, count in counts.items()]
    return tuple(sorted(shares, key=lambda pair: (-pair[1], str(pair[0]))))


def probability_of(posterior: Posterior, value: Value) -> float:
    """Return the probability of one value."""
    return dict(posterior).get(value, 0.0)


def entropy_of(posterior: Posterior) -> float:
    """Return Shannon's entropy in bits: 0 if one value is certain, 1 if two are equally probable."""
    return sum(probability * log2(1 / probability) for _value, probability in posterior if probability > 0)


def is_tied(posterior: Posterior) -> bool:
    """Tell if no value is more probable, or has more votes, than all others."""
    return len(posterior) > 1 and posterior[0][1] - posterior[1][1] < _EQUAL


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
