"""Answers repeated: of one target at others, where the rubric's facts are equal, and of a claim of an earlier task.

What depends on a target itself is never repeated: its claims, borders, time, research and acknowledged warnings.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.rating import DecidedCase, Evidence, Rating
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.rubric.check import CheckOutcome
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.evaluation import RatingEvaluation
from desktop_rater.text.urls import page_key

REPEAT_ACTION = "repeat"  # stored with the revision
EQUAL_FACTS = ("claims", "supporting", "contradicting", "urls_on_both_sides")


class RepeatSource(Struct, frozen=True):
    """The answers in force at a target, its evidence, and the facts that follow from them."""

    answers: dict[str, Any]
    evidence: tuple[Evidence, ...]
    facts: tuple[Any, ...]


class Repetition(NamedTuple):
    """A rating with the same answers at several targets, without those `refused`, whose own facts differ."""

    rating: Rating
    refused: tuple[str, ...]


def repeat_source(
    rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome, target: str
) -> RepeatSource | None:
    """Return what can be repeated of a target; `None` if it has no answers, or claims, which are in its own words."""
    answers = {
        question.question.id: question.value
        for question in outcome.asked.get(f"targets/{target}", ())
        if question.value is not None
    }
    evidence = tuple(piece for piece in rating.evidence if f"targets/{target}/evidence/{piece.id}" in outcome.kept)
    facts = _facts(rubric, task, rating, (target,)).get(target)
    if not answers or facts is None or facts[0]:
        return None
    return RepeatSource(answers, tuple(map(_content, evidence)), facts)


def repeated(rubric: Rubric, task: Task, rating: Rating, source: RepeatSource, targets: Iterable[str]) -> Repetition:
    """Return the rating with the source's answers and evidence at `targets`, in place of their own answers."""
    targets = tuple(targets)
    copies = _with_source(rating, targets, source)
    facts = _facts(rubric, task, copies, targets)
    refused = tuple(target for target in targets if facts.get(target) != source.facts)
    if refused:
        copies = _with_source(rating, [target for target in targets if target not in refused], source)
    return Repetition(copies, refused)


def mirrored(
    rubric: Rubric, task: Task, before: Rating, after: Rating, outcome: CheckOutcome, here: str, targets: Iterable[str]
) -> Repetition:
    """Return `after` with the change that it makes at the target `here` made at other targets as well.

    `outcome` is that of `before`. A target is refused if its facts differ, or if it is not asked the same question.
    """
    others = [target for target in targets if target != here]
    old, new = (edit.answers_at(rating, Place(target=here)) for rating in (before, after))
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    pieces = _changed_evidence(before, after, here)
    facts = _facts(rubric, task, before, (here, *others))
    rating, refused, given = after, [], dict(after.answers.targets)
    for target in others:
        questions = {question.question.id for question in outcome.asked.get(f"targets/{target}", ())}
        takes_evidence = not pieces or f"targets/{target}" in outcome.evidence
        if facts.get(target) != facts.get(here) or not questions.issuperset(changed) or not takes_evidence:
            refused.append(target)
            continue
        if changed:
            own = {name: value for name, value in given.get(target, {}).items() if name not in changed}
            given[target] = {**own, **{name: new[name] for name in changed if name in new}}
        for piece_before, piece_after in pieces:
            rating = _with_piece(rating, target, piece_before, piece_after)
    return Repetition(replace(rating, answers=replace(after.answers, targets=given)), tuple(refused))


def _facts(rubric: Rubric, task: Task, rating: Rating, targets: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """Return for each target the number of its claims and the other facts that its answers have to agree with."""
    evaluation, wanted = RatingEvaluation(rubric, task, rating), set(targets)
    names = (*EQUAL_FACTS, *rubric.outer_names)
    return {
        node.item.id: tuple(evaluation.value(evaluation.units(node)[0], name) for name in names)
        for node in evaluation.targets
        if node.item.id in wanted
    }


def _content(piece: Evidence) -> Evidence:
    """Return a piece of evidence without its id and place."""
    return replace(piece, id="new", target=None, response=None, claim=None, claims=())


def _with_source(rating: Rating, targets: Iterable[str], source: RepeatSource) -> Rating:
    targets = tuple(targets)
    given = {**rating.answers.targets, **{target: dict(source.answers) for target in targets}}
    rating = replace(rating, answers=replace(rating.answers, targets=given))
    for target in targets:
        for piece in source.evidence:
            rating = _with_piece(rating, target, None, piece)
    return rating


def _changed_evidence(before: Rating, after: Rating, target: str) -> list[tuple[Evidence | None, Evidence | None]]:
    """Return the evidence of a target that was added, changed or removed, as it was before and after."""
    old, new = (
        {piece.id: _content(piece) for piece in rating.evidence if piece.target == target} for rating in (before, after)
    )
    return [(old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name)]


def _with_piece(rating: Rating, target: str, before: Evidence | None, after: Evidence | None) -> Rating:
    """Return the rating with a target's evidence of the same content changed alike; new evidence is added once."""
    own = [piece for piece in rating.evidence if piece.target == target]
    if before is not None:
        same = next((piece for piece in own if _content(piece) == before), None)
        if same is None:
            return rating
        if after is None:
            return edit.without_evidence(rating, same.id)
        return edit.with_evidence(rating, replace(after, id=same.id, target=target))
    page = page_key(after.url) if after is not None else None
    is_page_seen = page is not None and any(
        (page_key(piece.url), piece.stance) == (page, after.stance) for piece in own if after is not None
    )
    if after is None or is_page_seen:
        return rating
    name = edit.new_id("e", [piece.id for piece in rating.evidence])
    return edit.with_evidence(rating, replace(after, id=name, target=target))


REUSE_ACTION = "answer as before"  # stored with the revision


class EarlierClaim(Struct, frozen=True):
    """A claim, or a target without claims, that the rater answered in another, finished task."""

    case: DecidedCase
    text: str
    answers: dict[str, Any]
    evidence: tuple[Evidence, ...]


def earlier_claims(bundle: str, task: Task, rating: Rating) -> Iterator[EarlierClaim]:
    """Yield what a finished rating answers about each claim, and about each target without claims."""
    for target in (task.targets or ()) if rating.status == "complete" else ():
        whole, answers = f"targets/{target.id}", rating.answers.targets.get(target.id, {})
        claims = rating.claims.get(target.id, ())
        places = [(f"{whole}/claims/{claim.id}", claim.text, claim.answers, {claim.id}) for claim in claims]
        for where, text, own, ids in places or [(whole, target.quote or "", {}, set())]:
            pieces = (piece for piece in rating.evidence if piece.target == target.id)
            speaking = tuple(piece for piece in pieces if not ids or not piece.claim_ids or ids & {*piece.claim_ids})
            case = DecidedCase(bundle=bundle, task=task.id, where=where, own=True)
            yield EarlierClaim(case, text, {**answers, **own}, speaking)


def nearest_claim(text: str, earlier: Iterable[EarlierClaim]) -> EarlierClaim | None:
    """Return the first claim with these words, else the first one that says nearly the same."""
    from desktop_rater.text.comparison import is_nearly_same  # noqa: PLC0415 - not needed to show a task

    near = [claim for claim in earlier if is_nearly_same(text, claim.text)]
    return next((claim for claim in near if claim.text == text), next(iter(near), None))


def with_earlier_answers(rubric: Rubric, rating: Rating, place: Place, earlier: EarlierClaim) -> Rating:
    """Return the rating with the answers and the evidence of an earlier claim at a target or claim, as reused."""
    scopes, claims = (("claim",), (place.claim,)) if place.claim is not None else (("target", "claim"), ())
    for name, value in earlier.answers.items():
        compiled = rubric.questions.get(name)
        if compiled is not None and compiled.question.per in scopes and compiled.domain.offers(value):
            rating = edit.with_answer(rating, place, name, value)
    for piece in earlier.evidence:
        # The page was opened for the other task, which this one can't say.
        piece = replace(_content(piece), opened=None, claims=claims, reused=earlier.case)  # noqa: PLW2901
        rating = _with_piece(rating, place.target or "", None, piece)
    where = f"targets/{place.target}" + (f"/claims/{place.claim}" if place.claim is not None else "")
    return replace(rating, reused={**(rating.reused or {}), where: earlier.case})
