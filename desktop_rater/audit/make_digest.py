"""A rating in figures, made of what the rubric says of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from desktop_rater.audit.digest import Digest, Warned
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Evidence, Rating
    from desktop_rater.rubric import Outcome

_EVIDENCE = "/evidence/"


def make_digest(rating: Rating, outcome: Outcome, stored: Collection[str]) -> Digest:
    """`outcome` is what the rubric says of it; `stored`: the SHA-256 of the pages that came with it."""
    pieces = [piece for piece in rating.evidence if _where(piece) + _EVIDENCE + piece.id in outcome.kept]
    opened = {page_of(url) for url in rating.links_opened}
    stands = {(one.rule, one.where) for one in rating.acknowledged}
    spent = rating.time
    return Digest(
        status=rating.status,
        values=_values(outcome),
        seconds=spent.active_seconds,
        idle=spent.idle_seconds,
        targets=spent.targets,
        claims=_checked(outcome),
        evidence=_counted(pieces),
        unopened=sum(page_of(piece.url) not in opened and piece.opened is None for piece in pieces),
        unquoted=sum(not piece.quote.strip() for piece in pieces),
        unkept=sum(piece.snapshot not in stored for piece in pieces),
        warnings=tuple(
            Warned(rule=one.rule, where=one.where, let_stand=(one.rule, one.where) in stands)
            for one in outcome.problems
            if one.level == "warn"
        ),
        texts=_written(outcome),
        revisions=rating.revision,
        unkept_at=tuple(dict.fromkeys(_where(piece) for piece in pieces if piece.snapshot not in stored)),
        changed=rating.changed or "",
    )


def _checked(outcome: Outcome) -> int:
    """How many things evidence is asked for: the claims of a target, or a target or response without any."""
    places = (outcome.places.get(where) for where in outcome.kept)
    claims = Counter(f"targets/{one.target}" for one in places if one is not None and _is_of_claim(one))
    return sum(max(1, claims[where]) for where in outcome.evidence)


def _values(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """What is judged at each place; claims that a rater recorded are no places that raters share."""
    values: dict[str, dict[str, Any]] = {}
    for where, several in outcome.asked.items():
        if not _is_shared(outcome.places[where]):
            continue
        given = {
            one.question.id: _in_order(one.value)
            for one in several
            if one.value is not None and one.question.kind != "text"
        }
        if given:
            values[where] = given
    for where, decided in outcome.decided.items():
        if _is_shared(outcome.places[where]):
            values.setdefault(where, {}).update({name: one.value for name, one in decided.items()})
    return values


def _is_shared(place: Place) -> bool:
    """Whether all raters have it: claims and evidence are recorded by each for himself."""
    return place.claim is None and place.evidence is None


def _is_of_claim(place: Place) -> bool:
    return place.claim is not None and place.evidence is None


def _in_order(value: Any) -> Any:
    """Of several choices the order is nobody's judgement."""
    return sorted(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value


def _written(outcome: Outcome) -> dict[str, int]:
    """Where → how many characters of answers; those of claims count at their target."""
    texts: dict[str, int] = {}
    for where, several in outcome.asked.items():
        length = sum(len(one.value) for one in several if one.question.kind == "text" and isinstance(one.value, str))
        if length:
            found = outcome.places[where]
            place = f"targets/{found.target}" if _is_of_claim(found) else where
            texts[place] = texts.get(place, 0) + length
    return texts


def _where(piece: Evidence) -> str:
    return f"targets/{piece.target}" if piece.target is not None else f"responses/{piece.response}"


def _counted(pieces: list[Evidence]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for piece in pieces:
        where = _where(piece)
        counts[where] = counts.get(where, 0) + 1
    return counts
