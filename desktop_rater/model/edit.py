"""Edits of a rating: each function returns a copy with one change. Nothing is checked against the rubric."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from desktop_rater.model.rating import (
    NEUTRAL,
    Acknowledgement,
    Border,
    Claim,
    ClaimSpan,
    Evidence,
    LinkVerdict,
    NeutralReason,
    Rating,
    SkipReason,
    Stance,
    TimeSpent,
)
from desktop_rater.model.task import Target, Task
from desktop_rater.model.values import Place


def answers_at(rating: Rating, place: Place) -> dict[str, Any]:
    """Return the answers at a place, hidden ones included: of the claim, else the target, the response or the task."""
    if place.claim is not None and place.target is not None:
        claim = claim_of(rating, place.target, place.claim)
        return claim.answers if claim is not None else {}
    if place.target is not None:
        return rating.answers.targets.get(place.target, {})
    if place.response is not None:
        return rating.answers.responses.get(place.response, {})
    return rating.answers.task


def with_answer(rating: Rating, place: Place, question: str, value: Any) -> Rating:
    """Return the rating with `value` as the answer to a question; `None` removes the answer."""
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
    """Return a recorded claim of a target."""
    return next((claim for claim in rating.claims.get(target, ()) if claim.id == claim_id), None)


def with_claim(rating: Rating, target: str, claim: Claim) -> Rating:
    """Return the rating with a claim added, or replaced if its id exists."""
    claims = rating.claims.get(target, ())
    if any(other.id == claim.id for other in claims):
        claims = tuple(claim if other.id == claim.id else other for other in claims)
    else:
        claims = (*claims, claim)
    return replace(rating, claims={**rating.claims, target: claims})


def with_claims(rating: Rating, target: str, claims: Iterable[Claim]) -> Rating:
    """Return the rating with these claims of a target.

    The target's own answers to questions about a claim stay, hidden, and are asked again when it has no claims.
    """
    return replace(rating, claims={**rating.claims, target: tuple(claims)})


def claim_of_spans(name: str, text: str, ranges: Iterable[tuple[int, int]]) -> Claim:
    """Return a claim in the words of its spans of a response's text."""
    spans = tuple(ClaimSpan(start=start, end=end, quote=text[start:end]) for start, end in ranges)
    return Claim(id=name, text=words_of_spans(spans), spans=spans)


def with_span(claim: Claim, text: str, start: int, end: int) -> Claim:
    """Return a claim with another span of a response's text, in the order of the text; overlapping spans are joined."""
    first, *others = sorted((*claim.ranges_in(text), (start, end)))
    joined = [first]
    for begin, stop in others:
        if begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((begin, stop))
    spans = tuple(ClaimSpan(start=begin, end=stop, quote=text[begin:stop]) for begin, stop in joined)
    return replace(claim, spans=spans, start=None, end=None)


def words_of_spans(spans: Iterable[ClaimSpan]) -> str:
    """Return the words of spans, as they are in the text, with a blank between two spans."""
    return " ".join(span.quote for span in spans)


def without_claim(rating: Rating, target: str, claim_id: str) -> Rating:
    """Return the rating without a claim. Its evidence stays with the target and no longer names it."""
    remaining = tuple(claim for claim in rating.claims.get(target, ()) if claim.id != claim_id)
    claims = {name: others for name, others in rating.claims.items() if name != target}
    if remaining:
        claims[target] = remaining
    evidence = tuple(
        speaking_of(piece, [name for name in piece.claim_ids if name != claim_id]) if piece.target == target else piece
        for piece in rating.evidence
    )
    return replace(rating, claims=claims, evidence=evidence)


def speaking_of(piece: Evidence, claims: Iterable[str]) -> Evidence:
    """Return the piece of evidence with the claims that it speaks of."""
    return replace(piece, claim=None, claims=tuple(claims))


def with_stance(piece: Evidence, stance: Stance | None, reason: NeutralReason | None = None) -> Evidence:
    """Return the piece of evidence with another stance; only a neutral one has a reason."""
    return replace(piece, stance=stance, reason=reason if stance == NEUTRAL else None)


def with_link_verdict(rating: Rating, page: str, verdict: LinkVerdict | None) -> Rating:
    """Return the rating with the verdict for a link, by its normalised URL; `None` removes it."""
    verdicts = {name: given for name, given in rating.link_verdicts.items() if name != page}
    if verdict is not None:
        verdicts[page] = verdict
    return replace(rating, link_verdicts=verdicts)


def with_evidence(rating: Rating, piece: Evidence) -> Rating:
    """Return the rating with a piece of evidence added, or replaced if its id exists."""
    if any(other.id == piece.id for other in rating.evidence):
        pieces = tuple(piece if other.id == piece.id else other for other in rating.evidence)
    else:
        pieces = (*rating.evidence, piece)
    return replace(rating, evidence=pieces)


def with_opened_as_in(rating: Rating, other: Rating) -> Rating:
    """Return the rating with evidence marked as opened wherever it is in `other`."""
    opened = {(piece.id, piece.url): piece.opened for piece in other.evidence}
    pieces = tuple(
        replace(piece, opened=piece.opened or opened.get((piece.id, piece.url))) for piece in rating.evidence
    )
    return replace(rating, evidence=pieces)


def without_evidence(rating: Rating, evidence_id: str) -> Rating:
    """Return the rating without a piece of evidence."""
    return replace(rating, evidence=tuple(piece for piece in rating.evidence if piece.id != evidence_id))


def with_seconds(rating: Rating, target: str | None, active: float, idle: float = 0) -> Rating:
    """Return the rating with whole seconds added to the task and to one of its targets."""
    return replace(rating, time=add_time(rating.time, target, active, idle))


def add_time(spent: TimeSpent, target: str | None, active: float, idle: float = 0) -> TimeSpent:
    """Return the time spent with whole seconds added."""
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
    """Return the rating with a warning acknowledged, and the comment for it."""
    others = tuple(warning for warning in rating.acknowledged if (warning.rule, warning.where) != (rule, where))
    return replace(rating, acknowledged=(*others, Acknowledgement(rule=rule, where=where, comment=comment)))


def without_acknowledged(rating: Rating, rule: str, where: str) -> Rating:
    """Return the rating with a warning open again."""
    return replace(
        rating,
        acknowledged=tuple(
            warning for warning in rating.acknowledged if (warning.rule, warning.where) != (rule, where)
        ),
    )


def with_border(rating: Rating, target: str, border: Border) -> Rating:
    """Return the rating with a corrected or reported border; an unchanged one without a comment is removed."""
    borders = {name: other for name, other in rating.borders.items() if name != target}
    if border.comment or (border.start, border.end) != (border.was_start, border.was_end):
        borders[target] = border
    return replace(rating, borders=borders)


def with_corrected_targets(task: Task, rating: Rating) -> Task:
    """Return the task with the rater's corrected targets, as far as these borders belong to its text."""
    if not rating.borders or not task.targets:
        return task
    targets = []
    for target in task.targets:
        border = rating.borders.get(target.id)
        if border is not None and border_applies(task, target, border):
            target = replace(target, start=border.start, end=border.end, quote=border.quote)  # noqa: PLW2901
        targets.append(target)
    return replace(task, targets=tuple(targets))


def border_applies(task: Task, target: Target, border: Border) -> bool:
    """Return whether a border belongs to this target at its position in this text."""
    response = task.response(target.response)
    if response is None or (border.was_start, border.was_end) != (target.start, target.end):
        return False
    return bool(border.quote) and response.text[border.start : border.end] == border.quote


def with_skip(rating: Rating, reason: str, comment: str) -> Rating:
    """Return the rating with the whole task skipped; the answers stay, for undo."""
    return replace(rating, status="skipped", skipped=SkipReason(reason=reason, comment=comment))


def without_skip(rating: Rating) -> Rating:
    """Return the rating with the task no longer skipped."""
    return replace(rating, status="incomplete", skipped=None)


def new_id(prefix: str, ids: Iterable[str]) -> str:
    """Return the first unused of `e1`, `e2`, …."""
    used = set(ids)
    return next(name for number in range(1, len(used) + 2) if (name := f"{prefix}{number}") not in used)
