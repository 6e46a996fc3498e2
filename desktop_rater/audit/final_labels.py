"""Final labels of all places by a chosen method, the lead's decisions first."""

from typing import NamedTuple

from desktop_rater.audit.adjudication import LabelSource, adjudicated_values
from desktop_rater.audit.label_rules import LabelMethod, Posterior, fit_label_rule
from desktop_rater.audit.questions import Value
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import Reviews

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
