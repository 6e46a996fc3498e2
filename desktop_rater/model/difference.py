"""Differences between two states of a rating, in the units in which a rater makes changes.

Only the rater's answers count; the time spent, opened links, research and computed values are ignored.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.model.edit import speaking_of
from desktop_rater.model.rating import Acknowledgement, Claim, Evidence, Rating, SuggestionCounts, TimeSpent
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.values import TASK_PLACE, Place

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
