"""A rating with one thing changed. Nothing is checked here: the rubric says what a change means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model.rating import Acknowledged, Border, Claim, Evidence, Rating, Skipped, TimeSpent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.place import Place
    from desktop_rater.model.task import Target, Task


def answers_at(rating: Rating, place: Place) -> dict[str, Any]:
    """The answers given there, hidden ones included: of the claim, else of the target, the response or the task."""
    if place.claim is not None and place.target is not None:
        claim = claim_of(rating, place.target, place.claim)
        return claim.answers if claim is not None else {}
    if place.target is not None:
        return rating.answers.targets.get(place.target, {})
    if place.response is not None:
        return rating.answers.responses.get(place.response, {})
    return rating.answers.task


def with_answer(rating: Rating, place: Place, question: str, value: Any) -> Rating:
    """`value` given to a question there; `None` takes the answer away."""
    answers = {name: given for name, given in answers_at(rating, place).items() if name != question}
    if value is not None:
        answers[question] = value
    given = rating.answers
    if place.claim is not None and place.target is not None:
        claims = tuple(
            replace(claim, answers=answers) if claim.id == place.claim else claim
            for claim in rating.claims.get(place.target, ())
        )
        return replace(rating, claims={**rating.claims, place.target: claims})
    if place.target is not None:
        return replace(rating, answers=replace(given, targets={**given.targets, place.target: answers}))
    if place.response is not None:
        return replace(rating, answers=replace(given, responses={**given.responses, place.response: answers}))
    return replace(rating, answers=replace(given, task=answers))


def claim_of(rating: Rating, target: str, claim_id: str) -> Claim | None:
    """A recorded claim of a target."""
    return next((claim for claim in rating.claims.get(target, ()) if claim.id == claim_id), None)


def with_claim(rating: Rating, target: str, claim: Claim) -> Rating:
    """A claim added, or put in the place of the one with its id."""
    claims = rating.claims.get(target, ())
    if any(known.id == claim.id for known in claims):
        claims = tuple(claim if known.id == claim.id else known for known in claims)
    else:
        claims = (*claims, claim)
    return replace(rating, claims={**rating.claims, target: claims})


def without_claim(rating: Rating, target: str, claim_id: str) -> Rating:
    """A claim taken away. Its evidence stays with the target and names no claim any more."""
    kept = tuple(claim for claim in rating.claims.get(target, ()) if claim.id != claim_id)
    claims = {name: known for name, known in rating.claims.items() if name != target}
    if kept:
        claims[target] = kept
    evidence = tuple(
        replace(piece, claim=None) if (piece.target, piece.claim) == (target, claim_id) else piece
        for piece in rating.evidence
    )
    return replace(rating, claims=claims, evidence=evidence)


def with_evidence(rating: Rating, piece: Evidence) -> Rating:
    """Evidence added, or put in the place of the piece with its id."""
    if any(known.id == piece.id for known in rating.evidence):
        pieces = tuple(piece if known.id == piece.id else known for known in rating.evidence)
    else:
        pieces = (*rating.evidence, piece)
    return replace(rating, evidence=pieces)


def with_opened_as_in(rating: Rating, other: Rating) -> Rating:
    """Evidence that is opened in another state of the rating is opened in this one too."""
    opened = {(piece.id, piece.url): piece.opened for piece in other.evidence}
    pieces = tuple(
        replace(piece, opened=piece.opened or opened.get((piece.id, piece.url))) for piece in rating.evidence
    )
    return replace(rating, evidence=pieces)


def without_evidence(rating: Rating, evidence_id: str) -> Rating:
    """A piece of evidence taken away."""
    return replace(rating, evidence=tuple(piece for piece in rating.evidence if piece.id != evidence_id))


def with_seconds(rating: Rating, target: str | None, active: float, idle: float = 0) -> Rating:
    """Seconds added, whole ones only, to the task and to one of its targets."""
    return replace(rating, time=with_more(rating.time, target, active, idle))


def with_more(spent: TimeSpent, target: str | None, active: float, idle: float = 0) -> TimeSpent:
    """The same, of what was spent."""
    targets = spent.targets
    if target is not None and int(active):
        targets = {**targets, target: targets.get(target, 0) + int(active)}
    return TimeSpent(
        unknown=spent.unknown,
        active_seconds=spent.active_seconds + int(active),
        idle_seconds=spent.idle_seconds + int(idle),
        targets=targets,
    )


def with_acknowledged(rating: Rating, rule: str, where: str, comment: str) -> Rating:
    """A warning seen and let stand, with why."""
    others = tuple(one for one in rating.acknowledged if (one.rule, one.where) != (rule, where))
    return replace(rating, acknowledged=(*others, Acknowledged(rule=rule, where=where, comment=comment)))


def without_acknowledged(rating: Rating, rule: str, where: str) -> Rating:
    """A warning that is open again."""
    return replace(
        rating, acknowledged=tuple(one for one in rating.acknowledged if (one.rule, one.where) != (rule, where))
    )


def with_border(rating: Rating, target: str, border: Border) -> Rating:
    """The borders of a target corrected or reported; one that is as it was, without a word, is taken away."""
    borders = {name: known for name, known in rating.borders.items() if name != target}
    if border.comment or (border.start, border.end) != (border.was_start, border.was_end):
        borders[target] = border
    return replace(rating, borders=borders)


def corrected(task: Task, rating: Rating) -> Task:
    """The task with its targets where the rater put them, as far as these borders belong to this text."""
    if not rating.borders or not task.targets:
        return task
    return replace(task, targets=tuple(_moved(task, one, rating.borders.get(one.id)) for one in task.targets))


def _moved(task: Task, target: Target, border: Border | None) -> Target:
    if border is None or not belongs(task, target, border):
        return target
    return replace(target, start=border.start, end=border.end, quote=border.quote)


def belongs(task: Task, target: Target, border: Border) -> bool:
    """Whether a border tells of this target, where it stands in this text."""
    response = task.response(target.response)
    if response is None or (border.was_start, border.was_end) != (target.start, target.end):
        return False
    return bool(border.quote) and response.text[border.start : border.end] == border.quote


def skipped(rating: Rating, reason: str, comment: str) -> Rating:
    """The whole task skipped; the answers are kept for undo."""
    return replace(rating, status="skipped", skipped=Skipped(reason=reason, comment=comment))


def not_skipped(rating: Rating) -> Rating:
    """The task taken up again."""
    return replace(rating, status="incomplete", skipped=None)


def new_id(prefix: str, taken: Iterable[str]) -> str:
    """`e1`, `e2`, …: the first that is not taken."""
    used = set(taken)
    return next(name for number in range(1, len(used) + 2) if (name := f"{prefix}{number}") not in used)
