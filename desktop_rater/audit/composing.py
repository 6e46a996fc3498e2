"""One rating out of several raters' of the same task: of each place the part of one of them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from desktop_rater.audit.disagreement import depth_of
from desktop_rater.model import edit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_rater.model.rating import Evidence, Rating

V = TypeVar("V")


def composed(base: Rating, donors: Mapping[str, Rating]) -> Rating:
    """`base` with the parts of others: where → whose. What no donor is named for stays as `base` has it."""
    rating = base
    for where, donor in donors.items():
        if donor is not base:
            rating = _with_evidence(_with_answers(rating, donor, where), donor, where)
    opened = dict.fromkeys(url for one in (base, *donors.values()) for url in one.links_opened)
    return replace(rating, links_opened=tuple(opened))


def _with_answers(rating: Rating, donor: Rating, where: str) -> Rating:
    name = where.partition("/")[2]
    answers, given, time = rating.answers, donor.answers, rating.time
    match depth_of(where):
        case "task":
            return replace(rating, answers=replace(answers, task=given.task))
        case "response":
            responses = _one(answers.responses, given.responses, name)
            return replace(rating, answers=replace(answers, responses=responses))
    return replace(
        rating,
        answers=replace(answers, targets=_one(answers.targets, given.targets, name)),
        claims=_one(rating.claims, donor.claims, name),
        borders=_one(rating.borders, donor.borders, name),
        time=replace(time, targets=_one(time.targets, donor.time.targets, name)),
    )


def _with_evidence(rating: Rating, donor: Rating, where: str) -> Rating:
    """The donor's evidence and what it lets stand there. A piece whose id is taken gets another."""
    rest = [piece for piece in rating.evidence if _hangs_on(piece) != where]
    stands = [one for one in rating.acknowledged if not _is_inside(one.where, where)]
    taken = [piece.id for piece in rest]
    renamed: dict[str, str] = {}
    for piece in donor.evidence:
        if _hangs_on(piece) == where:
            name = edit.new_id("e", taken) if piece.id in taken else piece.id
            renamed[f"{where}/evidence/{piece.id}"] = f"{where}/evidence/{name}"
            taken.append(name)
            rest.append(replace(piece, id=name))
    stands += [
        replace(one, where=renamed.get(one.where, one.where))
        for one in donor.acknowledged
        if _is_inside(one.where, where)
    ]
    return replace(rating, evidence=tuple(rest), acknowledged=tuple(stands))


def _hangs_on(piece: Evidence) -> str:
    return f"targets/{piece.target}" if piece.target is not None else f"responses/{piece.response}"


def _is_inside(place: str, where: str) -> bool:
    return place == where or place.startswith(f"{where}/")


def _one(own: Mapping[str, V], others: Mapping[str, V], name: str) -> dict[str, V]:
    """What is said of all but one name, and of that one what the other says."""
    rest = {key: value for key, value in own.items() if key != name}
    return {**rest, name: others[name]} if name in others else rest
