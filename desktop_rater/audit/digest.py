"""Summary of one rating in figures, as needed by reports and lists."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from desktop_rater.audit.questions import judged_questions, plain_value
from desktop_rater.format.rating import Evidence, Rating
from desktop_rater.format.rubric import WRITTEN_KINDS
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.rubric.load import format_answer
from desktop_rater.rubric.research import entries_at
from desktop_rater.rubric.suggest import path_of_place, same_answer, usable_suggestions
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import page_key


class DigestWarning(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Warning that was open when the rating was exported; `let_stand`: the rater acknowledged it."""

    rule: str
    where: str
    let_stand: bool = False


class Digest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Rating in figures.

    Times are active seconds. `values`: place → question id → value, decided by facts where they decide, otherwise
    answered; hidden answers and texts are left out. `texts`: place → characters written there. `evidence`: place →
    number of pieces. Of all pieces, `unopened` were never opened, `unquoted` have no quote, and `unkept` have no stored
    page; `unkept_at`: the places of those. `claims`: number of places where evidence is asked for: recorded claims, and
    targets or responses without any. `changed`: time of the last change. `exchanged`: the rater saw the two responses
    in the reverse order. `unresearched`: place → how many of its `claims` have an answer that needs no research, and no
    page, text or record of research; `None` if an earlier version did not count them. `libraries`: name and date of
    each offline library, and the number of its pieces; `library_only`: places for which libraries alone were searched,
    and no page was taken. `pull`: figure → counts as in `pull_figures`. `reused`: pieces of evidence that were taken
    from decided cases or earlier ratings, and places whose answers were. All of these are `None` likewise.
    """

    status: str
    values: dict[str, dict[str, Any]] = {}
    seconds: float = 0
    idle: float = 0
    targets: dict[str, float] = {}
    claims: int = 0
    evidence: dict[str, int] = {}
    unopened: int = 0
    unquoted: int = 0
    unkept: int = 0
    warnings: tuple[DigestWarning, ...] = ()
    texts: dict[str, int] = {}
    revisions: int = 0
    unkept_at: tuple[str, ...] = ()
    changed: str = ""
    exchanged: bool = False
    unresearched: dict[str, int] | None = None
    libraries: tuple[tuple[str, str, int], ...] | None = None
    library_only: tuple[str, ...] | None = None
    pull: dict[str, tuple[int, ...]] | None = None
    reused: tuple[int, int] | None = None


class PackedDigest(Digest, frozen=True, array_like=True, gc=False):
    """Digest with its values as MessagePack: they take most of the time to decode, and many ratings have the same."""

    values: msgspec.Raw = msgspec.Raw(b"\x80")  # ty: ignore[incompatible-attribute-override]


_EVIDENCE = "/evidence/"


def make_digest(
    rating: Rating,
    outcome: CheckOutcome,
    stored: Collection[str],
    pull: dict[str, tuple[int, ...]] | None = None,
) -> Digest:
    """Summarize a rating with its rubric `outcome`; `stored`: SHA-256 of the pages received with it."""
    pieces = [piece for piece in rating.evidence if _where(piece) + _EVIDENCE + piece.id in outcome.kept]
    opened = {page_key(url) for url in rating.links_opened}
    acknowledged = {(acknowledgement.rule, acknowledgement.where) for acknowledgement in rating.acknowledged}
    spent, texts = rating.time, _written(outcome)
    libraries = Counter((piece.library.name, piece.library.date) for piece in pieces if piece.library is not None)
    return Digest(
        status=rating.status,
        values=_values(outcome),
        seconds=spent.active_seconds,
        idle=spent.idle_seconds,
        targets=spent.targets,
        claims=_checked(outcome),
        evidence=_counted(pieces),
        unopened=sum(page_key(piece.url) not in opened and piece.opened is None for piece in pieces),
        unquoted=sum(is_blank(piece.quote) for piece in pieces),
        unkept=sum(piece.snapshot not in stored for piece in pieces),
        warnings=tuple(
            DigestWarning(
                rule=problem.rule, where=problem.where, let_stand=(problem.rule, problem.where) in acknowledged
            )
            for problem in outcome.problems
            if problem.level == "warn"
        ),
        texts=texts,
        revisions=rating.revision,
        unkept_at=tuple(dict.fromkeys(_where(piece) for piece in pieces if piece.snapshot not in stored)),
        changed=rating.changed or "",
        exchanged=rating.display_order is not None,
        unresearched=_unresearched(rating, outcome, pieces, texts),
        libraries=tuple((name, date, count) for (name, date), count in sorted(libraries.items())),
        library_only=_library_only(rating, outcome, pieces),
        pull=pull,
        reused=(sum(piece.reused is not None for piece in pieces), len(rating.reused or ())),
    )


def pull_counts(rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome) -> dict[str, tuple[int, ...]]:
    """Count by figure the answers where something was shown, of them those equal to it, and both where held out.

    An answer that is not given, or not asked for because of another, is not equal.
    """
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def add(figure: str, equal: bool, held_out: bool) -> None:  # noqa: FBT001 - a row of the table
        counts[figure][2 * held_out] += 1
        counts[figure][2 * held_out + 1] += equal

    if rating.status == "complete":
        judged = {question.id: question for question in (judged_questions(rubric) if rating.precedents else ())}
        for cases in rating.precedents or ():
            values, common = _all_values(outcome, cases.where), plain_value(cases.value)
            question, first = judged.get(cases.question), plain_value(cases.first)
            if common is not None and question is not None and cases.where in outcome.places:
                equal = question.value(values) == common
                add("precedents", equal, cases.held_out)
                if first not in {None, common}:
                    add("changed", equal, cases.held_out)
        for place, name, value in usable_suggestions(rubric, task):
            where = path_of_place(place)
            add(
                "suggestions",
                same_answer(_all_values(outcome, where).get(name), value),
                where in (rating.suggestions.held_out or ()),
            )
    return {figure: tuple(numbers) for figure, numbers in counts.items()}


def _all_values(outcome: CheckOutcome, where: str) -> dict[str, Any]:
    """Return the values at any place, those that are decided and those that were answered."""
    given = {answer.question.id: answer.value for answer in outcome.asked.get(where, ())}
    return given | {name: decision.value for name, decision in outcome.decided.get(where, {}).items()}


def _checked(outcome: CheckOutcome) -> int:
    """Count the places where evidence is asked for: the claims of a target, or a target or response without any."""
    places = (outcome.places.get(where) for where in outcome.kept)
    claims = Counter(f"targets/{place.target}" for place in places if place is not None and _is_of_claim(place))
    return sum(max(1, claims[where]) for where in outcome.evidence)


def _unresearched(
    rating: Rating, outcome: CheckOutcome, pieces: list[Evidence], texts: Collection[str]
) -> dict[str, int]:
    """Count by place the claims, or the place without any, whose answer needs no research and that have none."""
    counts: Counter[str] = Counter()
    for where, holder in _without_page(outcome, pieces):
        place = outcome.places[where]
        researched = holder in texts or entries_at(rating, place.target, place.response)
        if not researched and _needs_no_research(outcome, where):
            counts[holder] += 1
    return dict(counts)


def _library_only(rating: Rating, outcome: CheckOutcome, pieces: list[Evidence]) -> tuple[str, ...]:
    """Return the places decided as one of their units is for which libraries, and nothing else, were searched."""
    places: dict[str, None] = {}
    split = {f"targets/{place.target}" for place in outcome.places.values() if _is_of_claim(place)}
    for where, holder in _without_page(outcome, pieces):
        place = outcome.places[where]
        entries = entries_at(rating, place.target, place.response)
        own, whole = (outcome.decided.get(at, {}) for at in (where, holder))
        decides = any(name in whole and whole[name].value == decision.value for name, decision in own.items())
        if (
            (decides if where != holder else where not in split)
            and any(entry.kind == "search" for entry in entries)
            and all(entry.libraries for entry in entries)
            and not _needs_no_research(outcome, where)
        ):
            places[holder] = None
    return tuple(places)


def _without_page(outcome: CheckOutcome, pieces: list[Evidence]) -> Iterator[tuple[str, str]]:
    """Yield each unit without evidence, a claim or a target or response, and the place that its evidence would have."""
    for where in outcome.asked:
        place = outcome.places[where]
        holder = f"targets/{place.target}" if _is_of_claim(place) else where
        has_page = any(
            _where(piece) == holder and (not piece.claim_ids or place.claim in (None, *piece.claim_ids))
            for piece in pieces
        )
        if holder in outcome.evidence and not has_page:
            yield where, holder


def _needs_no_research(outcome: CheckOutcome, where: str) -> bool:
    return any(
        choice.without_research and choice.id == answer.value
        for answer in outcome.asked[where]
        for choice in answer.question.choices
    )


def _values(outcome: CheckOutcome) -> dict[str, dict[str, Any]]:
    """Return the values judged at each place; claims recorded by a rater are not places that raters share."""
    values: dict[str, dict[str, Any]] = {}
    for where, several in outcome.asked.items():
        if not _is_shared(outcome.places[where]):
            continue
        given = {
            answer.question.id: _in_order(answer.value)
            for answer in several
            if answer.value is not None and answer.question.kind != "text"
        }
        if given:
            values[where] = given
    for where, decided in outcome.decided.items():
        if _is_shared(outcome.places[where]):
            values.setdefault(where, {}).update({name: decision.value for name, decision in decided.items()})
    return values


def _is_shared(place: Place) -> bool:
    return place.claim is None and place.evidence is None


def _is_of_claim(place: Place) -> bool:
    return place.claim is not None and place.evidence is None


def _in_order(value: Any) -> Any:
    """Sort multiple choices, since their order is not a judgement."""
    return sorted(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value


def _written(outcome: CheckOutcome) -> dict[str, int]:
    """Count the characters of text answers by place; those of claims count at their target."""
    texts: dict[str, int] = {}
    for where, several in outcome.asked.items():
        length = sum(
            len(text)
            for answer in several
            if answer.question.kind in WRITTEN_KINDS
            and answer.value is not None
            and not is_blank(text := format_answer(answer.question, answer.value))
        )
        if length:
            position = outcome.places[where]
            place = f"targets/{position.target}" if _is_of_claim(position) else where
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
