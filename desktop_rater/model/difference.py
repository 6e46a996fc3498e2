"""How two states of a rating differ, in the pieces in which a rater changed them.

What the rater did counts. The time spent, what was opened and what is worked out anew is no part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.model.kept import to_plain
from desktop_rater.model.place import TASK, Place
from desktop_rater.model.rating import SuggestionCounts, TimeSpent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_rater.model.rating import Acknowledged, Claim, Evidence, Rating

Kind = Literal[
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
    "note",
    "skipped",
    "taken_up",
    "finished",
    "unfinished",
]

_NO_TIME = TimeSpent()
_NO_COUNTS = SuggestionCounts()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that changed. `question` is answered with `value`, or else `value` is the new words or the new thing.

    Of what was taken away `value` is what was there. `before`: the answer that `value` took the place of.
    `claim_number` counts the claims of the target from 1; 0 where the place is no claim.
    """

    kind: Kind
    place: Place = TASK
    question: str = ""
    value: Any = None
    before: Any = None
    claim_number: int = 0


def content(rating: Rating) -> Rating:
    """What of a rating is the rater's doing, to compare states that came out of the store."""
    return replace(
        rating,
        rater="",
        rubric="",
        revision=0,
        changed=None,
        time=_NO_TIME,
        links_opened=(),
        suggestions=_NO_COUNTS,
        decided={},
        problems=(),
        evidence=tuple(replace(piece, opened=None) for piece in rating.evidence),
    )


def plain_content(rating: Rating) -> dict[str, Any]:
    """The same as JSON knows it, to compare with a state that was never in the store."""
    return to_plain(content(rating))


def differences(before: Rating, after: Rating) -> tuple[Difference, ...]:
    """What was changed between two states, the most telling first."""
    return (
        *_claims(before, after),
        *_answers(before, after),
        *_evidence(before, after),
        *_borders(before, after),
        *_acknowledged(before, after),
        *_whole(before, after),
    )


def _claims(before: Rating, after: Rating) -> Iterator[Difference]:
    for target in _names(before.claims, after.claims):
        old, new = before.claims.get(target, ()), after.claims.get(target, ())
        was = {claim.id: claim for claim in old}
        for number, claim in enumerate(new, 1):
            known = was.pop(claim.id, None)
            place = Place(target=target, claim=claim.id)
            if known is None:
                yield Difference(kind="claim_added", place=place, value=claim.text, claim_number=number)
            elif (known.text, known.start, known.end) != (claim.text, claim.start, claim.end):
                yield Difference(kind="claim_changed", place=place, value=claim.text, claim_number=number)
        for claim in was.values():
            place = Place(target=target, claim=claim.id)
            yield Difference(kind="claim_removed", place=place, value=claim.text, claim_number=_number(old, claim.id))


def _answers(before: Rating, after: Rating) -> Iterator[Difference]:
    old, new = before.answers, after.answers
    yield from _given(old.task, new.task, TASK)
    for response in _names(old.responses, new.responses):
        yield from _given(old.responses.get(response, {}), new.responses.get(response, {}), Place(response=response))
    for target in _names(old.targets, new.targets):
        yield from _given(old.targets.get(target, {}), new.targets.get(target, {}), Place(target=target))
    for target in _names(before.claims, after.claims):
        was = {claim.id: claim.answers for claim in before.claims.get(target, ())}
        for number, claim in enumerate(after.claims.get(target, ()), 1):
            yield from _given(was.get(claim.id, {}), claim.answers, Place(target=target, claim=claim.id), number)


def _given(old: Mapping[str, Any], new: Mapping[str, Any], place: Place, number: int = 0) -> Iterator[Difference]:
    for question in _names(old, new):
        if question not in new:
            value = old[question]
            yield Difference(kind="cleared", place=place, question=question, value=value, claim_number=number)
        elif question not in old or _plain(old[question]) != _plain(new[question]):
            value, was = new[question], old.get(question)
            yield Difference(
                kind="answered", place=place, question=question, value=value, before=was, claim_number=number
            )


def _evidence(before: Rating, after: Rating) -> Iterator[Difference]:
    was = {piece.id: piece for piece in before.evidence}
    for piece in after.evidence:
        known = was.pop(piece.id, None)
        if known is None:
            yield _of_piece("evidence_added", piece, after)
        elif _told(known) != _told(piece) and not _lost_its_claim(known, piece, after):
            yield _of_piece("evidence_changed", piece, after)
    for piece in was.values():
        yield _of_piece("evidence_removed", piece, before)


def _of_piece(kind: Kind, piece: Evidence, rating: Rating) -> Difference:
    place = Place(response=piece.response, target=piece.target, claim=piece.claim, evidence=piece.id)
    number = _number(rating.claims.get(piece.target or "", ()), piece.claim)
    return Difference(kind=kind, place=place, value=piece, claim_number=number)


def _told(piece: Evidence) -> dict[str, Any]:
    return {key: value for key, value in to_plain(piece).items() if key not in {"opened", "snapshot", "title"}}


def _lost_its_claim(old: Evidence, new: Evidence, after: Rating) -> bool:
    """Whether only the claim went, which takes its name from the evidence."""
    gone = old.claim is not None and not _number(after.claims.get(old.target or "", ()), old.claim)
    return gone and _told(replace(old, claim=None)) == _told(new)


def _borders(before: Rating, after: Rating) -> Iterator[Difference]:
    for target in _names(before.borders, after.borders):
        border = after.borders.get(target)
        if border is None:
            yield Difference(kind="border_back", place=Place(target=target), value=before.borders[target])
        elif border != before.borders.get(target):
            yield Difference(kind="border", place=Place(target=target), value=border)


def _acknowledged(before: Rating, after: Rating) -> Iterator[Difference]:
    old = {(one.rule, one.where): one for one in before.acknowledged}
    new = {(one.rule, one.where): one for one in after.acknowledged}
    for key in _names(old, new):
        if key not in new:
            yield _of_warning("open_again", old[key], before)
        elif old.get(key) != new[key]:
            yield _of_warning("acknowledged", new[key], after)


def _of_warning(kind: Kind, one: Acknowledged, rating: Rating) -> Difference:
    place = place_named(one.where)
    number = _number(rating.claims.get(place.target or "", ()), place.claim)
    return Difference(kind=kind, place=place, value=one, claim_number=number)


def _whole(before: Rating, after: Rating) -> Iterator[Difference]:
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


def place_named(where: str) -> Place:
    """The place that a problem names, as in `targets/s1/claims/c1`."""
    kind, _, rest = where.partition("/")
    rest, _, evidence = rest.partition("/evidence/")
    rest, _, claim = rest.partition("/claims/")
    if kind == "targets":
        return Place(target=rest, claim=claim or None, evidence=evidence or None)
    return Place(response=rest if kind == "responses" else None, evidence=evidence or None)


def _number(claims: Sequence[Claim], claim: str | None) -> int:
    return next((number for number, one in enumerate(claims, 1) if one.id == claim), 0)


def _names(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The keys of both, in the order in which they came."""
    return tuple(dict.fromkeys((*old, *new)))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
