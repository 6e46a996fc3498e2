"""Edits of a rating, each a copy with one change, and the difference of two. Nothing is checked against the rubric."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.format.rating import (
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
    SuggestionCounts,
    TimeSpent,
)
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Target, Task
from desktop_rater.format.values import TASK_PLACE, Place


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


DifferenceKind = Literal[
    "claim_added",
    "claim_removed",
    "claim_changed",
    "answered",
    "cleared",
    "evidence_added",
    "evidence_removed",
    "evidence_changed",
    "acknowledged",
    "open_again",
    "border",
    "border_back",
    "link_judged",
    "note",
    "skipped",
    "taken_up",
    "finished",
    "unfinished",
]

_NO_TIME = TimeSpent()
_NO_COUNTS = SuggestionCounts()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One change. `value` is the answer to `question`, or the new text or object if there is no question.

    For something removed `value` is the old one; for a link it is the page with its verdict, `None` if that was
    removed. `before`: the answer that `value` replaced. `claim_number` counts the claims of the target from 1; 0 if the
    place is not a claim.
    """

    kind: DifferenceKind
    place: Place = TASK_PLACE
    question: str = ""
    value: Any = None
    before: Any = None
    claim_number: int = 0


def rater_content(rating: Rating) -> Rating:
    """Return only the rater's work in a rating, to compare states that were read from the store."""
    return replace(
        rating,
        rater="",
        rubric="",
        revision=0,
        changed=None,
        time=_NO_TIME,
        links_opened=(),
        links_counted=(),
        research=(),
        suggestions=_NO_COUNTS,
        decided={},
        problems=(),
        display_order=None,
        precedents=None,
        evidence=tuple(replace(piece, opened=None) for piece in rating.evidence),
    )


def plain_rater_content(rating: Rating) -> dict[str, Any]:
    """Return the same as plain JSON, to compare with a state that was never in the store."""
    return to_plain(rater_content(rating))


def differences(before: Rating, after: Rating) -> tuple[Difference, ...]:
    """Return the changes between two states, the most important first."""
    return (
        *_claims(before, after),
        *_answers(before, after),
        *_evidence(before, after),
        *_borders(before, after),
        *_acknowledged(before, after),
        *_link_verdicts(before, after),
        *_task_changes(before, after),
    )


def _claims(before: Rating, after: Rating) -> Iterator[Difference]:
    for target in _names(before.claims, after.claims):
        old, new = before.claims.get(target, ()), after.claims.get(target, ())
        old_claims = {claim.id: claim for claim in old}
        for number, claim in enumerate(new, 1):
            previous = old_claims.pop(claim.id, None)
            place = Place(target=target, claim=claim.id)
            if previous is None:
                yield Difference(kind="claim_added", place=place, value=claim.text, claim_number=number)
            elif (previous.text, previous.ranges) != (claim.text, claim.ranges):
                yield Difference(kind="claim_changed", place=place, value=claim.text, claim_number=number)
        for claim in old_claims.values():
            place = Place(target=target, claim=claim.id)
            yield Difference(kind="claim_removed", place=place, value=claim.text, claim_number=_number(old, claim.id))


def _answers(before: Rating, after: Rating) -> Iterator[Difference]:
    old, new = before.answers, after.answers
    yield from _answer_changes(old.task, new.task, TASK_PLACE)
    for response in _names(old.responses, new.responses):
        yield from _answer_changes(
            old.responses.get(response, {}), new.responses.get(response, {}), Place(response=response)
        )
    for target in _names(old.targets, new.targets):
        yield from _answer_changes(old.targets.get(target, {}), new.targets.get(target, {}), Place(target=target))
    for target in _names(before.claims, after.claims):
        old_answers = {claim.id: claim.answers for claim in before.claims.get(target, ())}
        for number, claim in enumerate(after.claims.get(target, ()), 1):
            yield from _answer_changes(
                old_answers.get(claim.id, {}), claim.answers, Place(target=target, claim=claim.id), number
            )


def _answer_changes(
    old: Mapping[str, Any], new: Mapping[str, Any], place: Place, number: int = 0
) -> Iterator[Difference]:
    for question in _names(old, new):
        if question not in new:
            value = old[question]
            yield Difference(kind="cleared", place=place, question=question, value=value, claim_number=number)
        elif question not in old or _plain(old[question]) != _plain(new[question]):
            value, previous = new[question], old.get(question)
            yield Difference(
                kind="answered", place=place, question=question, value=value, before=previous, claim_number=number
            )


def _evidence(before: Rating, after: Rating) -> Iterator[Difference]:
    old_pieces = {piece.id: piece for piece in before.evidence}
    for piece in after.evidence:
        previous = old_pieces.pop(piece.id, None)
        if previous is None:
            yield _piece_change("evidence_added", piece, after)
        elif _compared_fields(previous) != _compared_fields(piece) and not _lost_its_claim(previous, piece, after):
            yield _piece_change("evidence_changed", piece, after)
    for piece in old_pieces.values():
        yield _piece_change("evidence_removed", piece, before)


def _piece_change(kind: DifferenceKind, piece: Evidence, rating: Rating) -> Difference:
    claim = piece.claim_ids[0] if len(piece.claim_ids) == 1 else None
    place = Place(response=piece.response, target=piece.target, claim=claim, evidence=piece.id)
    number = _number(rating.claims.get(piece.target or "", ()), claim)
    return Difference(kind=kind, place=place, value=piece, claim_number=number)


def _compared_fields(piece: Evidence) -> dict[str, Any]:
    plain = to_plain(speaking_of(piece, piece.claim_ids))
    return {key: value for key, value in plain.items() if key not in {"opened", "snapshot", "title"}}


def _lost_its_claim(old: Evidence, new: Evidence, after: Rating) -> bool:
    """Return whether the only change is that claims of the evidence were removed."""
    gone = set(old.claim_ids) - set(new.claim_ids)
    if not gone or any(claim.id in gone for claim in after.claims.get(old.target or "", ())):
        return False
    remaining = (name for name in old.claim_ids if name not in gone)
    return _compared_fields(speaking_of(old, remaining)) == _compared_fields(new)


def _borders(before: Rating, after: Rating) -> Iterator[Difference]:
    for target in _names(before.borders, after.borders):
        border = after.borders.get(target)
        if border is None:
            yield Difference(kind="border_back", place=Place(target=target), value=before.borders[target])
        elif border != before.borders.get(target):
            yield Difference(kind="border", place=Place(target=target), value=border)


def _acknowledged(before: Rating, after: Rating) -> Iterator[Difference]:
    old = {(warning.rule, warning.where): warning for warning in before.acknowledged}
    new = {(warning.rule, warning.where): warning for warning in after.acknowledged}
    for key in _names(old, new):
        if key not in new:
            yield _warning_change("open_again", old[key], before)
        elif old.get(key) != new[key]:
            yield _warning_change("acknowledged", new[key], after)


def _warning_change(kind: DifferenceKind, warning: Acknowledgement, rating: Rating) -> Difference:
    place = parse_place(warning.where)
    number = _number(rating.claims.get(place.target or "", ()), place.claim)
    return Difference(kind=kind, place=place, value=warning, claim_number=number)


def _link_verdicts(before: Rating, after: Rating) -> Iterator[Difference]:
    for page in _names(before.link_verdicts, after.link_verdicts):
        verdict = after.link_verdicts.get(page)
        if verdict != before.link_verdicts.get(page):
            yield Difference(kind="link_judged", value=(page, verdict))


def _task_changes(before: Rating, after: Rating) -> Iterator[Difference]:
    if before.note != after.note:
        yield Difference(kind="note", value=after.note)
    if after.status == "skipped" and (before.status, before.skipped) != (after.status, after.skipped):
        yield Difference(kind="skipped", value=after.skipped)
    elif before.status == "skipped" and after.status != "skipped":
        yield Difference(kind="taken_up")
    if after.status == "complete" and before.status != "complete":
        yield Difference(kind="finished")
    elif before.status == "complete" and after.status == "incomplete":
        yield Difference(kind="unfinished")


def parse_place(where: str) -> Place:
    """Parse the place of a problem, such as `targets/s1/claims/c1`."""
    kind, _, rest = where.partition("/")
    rest, _, evidence = rest.partition("/evidence/")
    rest, _, claim = rest.partition("/claims/")
    if kind == "targets":
        return Place(target=rest, claim=claim or None, evidence=evidence or None)
    return Place(response=rest if kind == "responses" else None, evidence=evidence or None)


def _number(claims: Sequence[Claim], claim: str | None) -> int:
    return next((number for number, item in enumerate(claims, 1) if item.id == claim), 0)


def _names(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
