"""All reviews of a bundle's ratings, as needed by lists and decisions."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from desktop_rater.audit.questions import LabelChoice
from desktop_rater.audit.results import LeadDecision, LeadRating, Verdict
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.format.rating import Rating
from desktop_rater.rubric import Rubric

# Where → question id → value, as in a `Digest`.
Values = dict[str, dict[str, Any]]


class LeadValues(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's own rating of a task, and its values."""

    own: LeadRating
    values: Values


class Reviews(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Current reviews, without those taken back; `owns` and gold by task, the others by (task, where, name).

    `partial_gold`: the values of gold that answers only some questions.
    """

    verdicts: dict[tuple[str, str, str], Verdict] = {}
    owns: dict[str, LeadValues] = {}
    finals: dict[tuple[str, str, str], LeadDecision] = {}
    sample: ReviewSample | None = None
    labels: LabelChoice = LabelChoice()
    gold: dict[str, tuple[Values, ...]] = {}
    partial_gold: dict[str, tuple[Values, ...]] = {}

    def verdict(self, task: str, where: str, rater: str) -> Verdict | None:
        """Return the verdict on a rating at a place, otherwise on the whole rating."""
        own_verdict = self.verdicts.get((task, where, rater))
        return own_verdict or self.verdicts.get((task, "task", rater))

    @cached_property
    def _tasks_with_verdicts(self) -> frozenset[str]:
        return frozenset(task for task, _, _ in self.verdicts)

    def has_verdicts(self, task: str) -> bool:
        """Return whether there is a verdict on any rating of a task."""
        return task in self._tasks_with_verdicts

    def all_gold(self, task: str) -> tuple[Values, ...]:
        """Return the values of all gold answers of a task, complete and partial."""
        return (*self.gold.get(task, ()), *self.partial_gold.get(task, ()))


def values_of_gold(
    rubric: Rubric, gold: Mapping[str, tuple[Rating, ...]], *, partial: bool
) -> dict[str, tuple[Values, ...]]:
    """Return the values of the complete gold answers by task, or of the partial ones."""
    chosen = {
        task: tuple(values_of(rubric, rating) for rating in ratings if (rating.status == "incomplete") is partial)
        for task, ratings in gold.items()
    }
    return {task: values for task, values in chosen.items() if values}


def values_of(rubric: Rubric, left: Rating) -> Values:
    """Return the values of an exported rating, as its digest has them: decided, otherwise answered."""
    answers = left.answers
    judged = {name for name, compiled in rubric.questions.items() if compiled.question.kind != "text"}
    given = {"task": answers.task}
    given |= {f"responses/{name}": some for name, some in answers.responses.items()}
    given |= {f"targets/{name}": some for name, some in answers.targets.items()}
    claims = {f"targets/{name}/claims/{claim.id}" for name, several in left.claims.items() for claim in several}
    values: Values = {}
    for where in dict.fromkeys((*given, *left.decided)):
        chosen = {name: value for name, value in given.get(where, {}).items() if name in judged}
        chosen |= {name: decision.value for name, decision in left.decided.get(where, {}).items()}
        if chosen and (where in given or where not in claims):
            values[where] = chosen
    return values
