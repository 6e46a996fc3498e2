"""All that a lead said of a bundle's ratings, as lists and decisions need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.sampling import Sample
from desktop_rater.audit.verdicts import Final, Own, Verdict

if TYPE_CHECKING:
    from desktop_rater.model.rating import Rating
    from desktop_rater.rubric import Rubric

# Where → question id → value, as in a `Digest`.
Values = dict[str, dict[str, Any]]


class OwnAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's own rating of a task, and what it says in values."""

    own: Own
    values: Values


class Reviews(msgspec.Struct, frozen=True, kw_only=True):
    """What holds now; what was taken back is not in it.

    `verdicts`: (task, where, rater) → the newest one. `owns` by task, `finals` by (task, where, question).
    `gold`: task → the values of its gold answers.
    """

    verdicts: dict[tuple[str, str, str], Verdict] = {}
    owns: dict[str, OwnAnswer] = {}
    finals: dict[tuple[str, str, str], Final] = {}
    sample: Sample | None = None
    gold: dict[str, tuple[Values, ...]] = {}

    def verdict(self, task: str, where: str, rater: str) -> Verdict | None:
        """What the lead said of a rating at a place, else of it as a whole."""
        found = self.verdicts.get((task, where, rater))
        return found or self.verdicts.get((task, "task", rater))


def values_of(rubric: Rubric, left: Rating) -> Values:
    """What a rating in its leaving form says, as its digest would: what was decided, else what was answered."""
    answers = left.answers
    given = {"task": answers.task}
    given |= {f"responses/{name}": some for name, some in answers.responses.items()}
    given |= {f"targets/{name}": some for name, some in answers.targets.items()}
    claims = {f"targets/{name}/claims/{one.id}" for name, several in left.claims.items() for one in several}
    values: Values = {}
    for where in dict.fromkeys((*given, *left.decided)):
        said = {name: value for name, value in given.get(where, {}).items() if _is_chosen(rubric, name)}
        said |= {name: one.value for name, one in left.decided.get(where, {}).items()}
        if said and (where in given or where not in claims):
            values[where] = said
    return values


def _is_chosen(rubric: Rubric, name: str) -> bool:
    asking = rubric.questions.get(name)
    return asking is not None and asking.question.kind != "text"
