"""Drop answers, claims and evidence about targets or responses that the task does not have."""

from msgspec.structs import replace

from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Task


def drop_unknown_references(rating: Rating, task: Task) -> tuple[Rating, list[str]]:
    """Return the rating without references to unknown targets and responses, and the unknown ids."""
    targets = {target.id for target in task.targets or ()}
    responses = {response.id for response in task.responses}
    answers = rating.answers
    ids = [*answers.targets, *rating.claims, *rating.time.targets, *rating.borders]
    ids += [piece.target for piece in rating.evidence if piece.target is not None]
    unknown = [name for name in ids if name not in targets]
    ids = [*answers.responses, *(piece.response for piece in rating.evidence if piece.response is not None)]
    unknown += [name for name in ids if name not in responses]
    if not unknown:
        return rating, []
    rating = replace(
        rating,
        answers=replace(
            answers,
            targets={name: answer for name, answer in answers.targets.items() if name in targets},
            responses={name: answer for name, answer in answers.responses.items() if name in responses},
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
    return rating, list(dict.fromkeys(unknown))
