"""What a rating says of things that its task holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from desktop_rater.model.rating import Rating
    from desktop_rater.model.task import Task


def known_parts(rating: Rating, task: Task) -> tuple[Rating, list[str]]:
    """The rating without what it says of targets and responses that the task has not, and their ids."""
    targets = {target.id for target in task.targets or ()}
    responses = {response.id for response in task.responses}
    answers = rating.answers
    named = [*answers.targets, *rating.claims, *rating.time.targets, *rating.borders]
    named += [piece.target for piece in rating.evidence if piece.target is not None]
    strange = [name for name in named if name not in targets]
    named = [*answers.responses, *(piece.response for piece in rating.evidence if piece.response is not None)]
    strange += [name for name in named if name not in responses]
    if not strange:
        return rating, []
    rating = replace(
        rating,
        answers=replace(
            answers,
            targets={name: given for name, given in answers.targets.items() if name in targets},
            responses={name: given for name, given in answers.responses.items() if name in responses},
        ),
        claims={name: claims for name, claims in rating.claims.items() if name in targets},
        borders={name: border for name, border in rating.borders.items() if name in targets},
        evidence=tuple(
            piece
            for piece in rating.evidence
            if (piece.target is None or piece.target in targets)
            and (piece.response is None or piece.response in responses)
        ),
        time=replace(
            rating.time, targets={name: spent for name, spent in rating.time.targets.items() if name in targets}
        ),
    )
    return rating, list(dict.fromkeys(strange))
