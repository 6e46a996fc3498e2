"""The form in which a rating leaves the laptop: without what is hidden, with what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model.answers import Answers
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.kept import to_plain

if TYPE_CHECKING:
    from desktop_rater.model.rating import Claim, Rating
    from desktop_rater.rubric.check import Outcome

# What does not count for the SHA-256 of a rating: it changes without the rater changing a judgement.
OUTSIDE_HASH = frozenset(
    {"revision", "changed", "status", "time", "links_opened", "decided", "problems"},
)


def leaving(rating: Rating, outcome: Outcome) -> Rating:
    """The rating as it leaves: only answers that are asked and offered, claims and evidence that are asked for."""
    answers = rating.answers
    return replace(
        rating,
        answers=Answers(
            unknown=answers.unknown,
            task=_asked(outcome, "task"),
            responses=_all_asked(outcome, "responses", answers.responses),
            targets=_all_asked(outcome, "targets", answers.targets),
        ),
        claims=_claims(rating, outcome),
        evidence=tuple(
            piece
            for piece in rating.evidence
            if f"targets/{piece.target}/evidence/{piece.id}" in outcome.kept
            or f"responses/{piece.response}/evidence/{piece.id}" in outcome.kept
        ),
        decided=outcome.decided,
        problems=tuple(replace(problem, message=None) for problem in outcome.problems),
    )


def leaving_sha256(left: Rating) -> str:
    """The SHA-256 of a leaving form: over its canonical JSON without what is outside the hash."""
    return plain_sha256(to_plain(left))


def plain_sha256(plain: dict[str, Any]) -> str:
    """The same, of a leaving form that was read from a file."""
    return sha256(canonical({key: value for key, value in plain.items() if key not in OUTSIDE_HASH}))


def _asked(outcome: Outcome, where: str) -> dict[str, Any]:
    return {one.question.id: one.value for one in outcome.asked.get(where, ()) if one.value is not None}


def _all_asked(outcome: Outcome, kind: str, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    left = {name: _asked(outcome, f"{kind}/{name}") for name in given}
    return {name: answers for name, answers in left.items() if answers}


def _claims(rating: Rating, outcome: Outcome) -> dict[str, tuple[Claim, ...]]:
    left = {}
    for target, claims in rating.claims.items():
        wheres = [(claim, f"targets/{target}/claims/{claim.id}") for claim in claims]
        kept = tuple(replace(claim, answers=_asked(outcome, where)) for claim, where in wheres if where in outcome.kept)
        if kept:
            left[target] = kept
    return left
