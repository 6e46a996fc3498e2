"""What a QA lead says of ratings: accept, correct, send back, decide, take back. Each is a revision that is only added.

Undo says the earlier state anew. So nothing that was ever said is lost, and an undo can be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.disagreement import depth_of
from desktop_rater.audit.judged import judged_questions, plain_value
from desktop_rater.audit.verdicts import REASONS, Final, Own, Verdict
from desktop_rater.model.change import Change
from desktop_rater.model.difference import plain_content
from desktop_rater.model.limits import format_time
from desktop_rater.model.trouble import RaterError
from desktop_rater.rubric import check, leaving
from desktop_rater.store import reviews
from desktop_rater.store.reviews import Said
from desktop_rater.work.known_parts import known_parts
from desktop_rater.work.rate import judged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from desktop_rater.audit.audited_task import AuditedTask
    from desktop_rater.audit.judged import Judged
    from desktop_rater.audit.verdicts import Kind
    from desktop_rater.model.rating import Rating
    from desktop_rater.rubric import Rubric
    from desktop_rater.store.store import Store

MOST_CHARACTERS = 20_000  # of a comment
_OTHER = "other"
_NAMED = 3
# What a subject says once it was said and taken back.
_TAKEN_BACK: dict[str, dict[str, Any]] = {
    "verdict": {"kind": "none", "reason": "", "comment": ""},
    "final": {"value": None, "comment": ""},
    "own": {"rating": None},
    "sample": {"how": "all", "share": None, "by": None, "places": [], "strata": []},
}


class Lead(NamedTuple):
    """Who says it, and the clock."""

    name: str
    now: Callable[[], datetime]


class About(msgspec.Struct, frozen=True):
    """One rater's rating at one place. `rating` is the SHA-256 of the rating that the lead has before the eyes."""

    task: str
    where: str
    rater: str
    rating: str


class Because(msgspec.Struct, frozen=True):
    """The reason, by the `id` of one of `audit.verdicts.REASONS`, and the lead's words."""

    reason: str = ""
    comment: str = ""


class Step(msgspec.Struct, frozen=True):
    """A subject that was spoken of: the revision that held before (0: none), and the one that holds since."""

    subject: tuple[str, ...]
    before: int
    after: int


class Reviewed(Change, frozen=True, kw_only=True):
    """What was said. `steps` is what `undo` needs; it gives steps of its own, so an undo is undone in the same way."""

    steps: tuple[Step, ...] = ()


def accept(store: Store, bundle: str, ratings: Iterable[About], because: Because, lead: Lead) -> Reviewed:
    """Let ratings stand as they are; of several, all at once."""
    return say(store, bundle, [verdict(one, "accepted", because, lead) for one in ratings], lead)


def send_back(store: Store, bundle: str, about: About, because: Because, lead: Lead) -> Reviewed:
    """Send a rating back for another look. Raises `RaterError` without a reason, and for "other" without words."""
    return say(store, bundle, [verdict(about, "returned", because, lead)], lead)


def take_back(store: Store, bundle: str, about: About, lead: Lead) -> Reviewed:
    """Say that there is no verdict on a rating any more."""
    return say(store, bundle, [verdict(about, "none", Because(), lead)], lead)


def correct(store: Store, audited: AuditedTask, about: About, rating: Rating, because: Because, lead: Lead) -> Reviewed:
    """Put the lead's own rating in the place of a rater's. Raises `RaterError` while a rule blocks it."""
    own = correction(audited, rating, lead)
    return say(store, audited.bundle, [own, verdict(about, "corrected", because, lead)], lead)


def correction(audited: AuditedTask, rating: Rating, lead: Lead) -> Said:
    """The lead's own rating, to be said in the place of a rater's. Raises `RaterError` while a rule blocks it."""
    own = _own(audited, rating, lead, blind=False)
    if own.rating is None or own.rating.status != "complete":
        raise _blocked(audited, rating)
    return _own_said(replace(own, blind=_is_still_blind(audited.own, own)))


def keep_own(store: Store, audited: AuditedTask, rating: Rating, lead: Lead, *, blind: bool) -> Reviewed:
    """Keep the lead's own rating of a task as far as it is; it speaks once nothing blocks it.

    One that is equal to the one that is kept makes no revision.
    """
    own = _own(audited, rating, lead, blind=blind)
    if audited.own is not None and _essence(audited.own) == _essence(own):
        return Reviewed()
    return say(store, audited.bundle, [_own_said(own)], lead)


def decide(store: Store, bundle: str, rubric: Rubric, final: Final, lead: Lead) -> Reviewed:
    """Decide on a question at a place; a value of `None` takes the decision back. Raises `RaterError`.

    `final.question` is the `id` of a judged question, and its value one that it offers.
    """
    return say(store, bundle, [decision(rubric, final, lead)], lead)


def decision(rubric: Rubric, final: Final, lead: Lead) -> Said:
    """A decision, to be said. Raises `RaterError` where the rubric does not offer it."""
    question = next((one for one in judged_questions(rubric) if final.question in {one.id, one.question}), None)
    if question is None:
        raise _refused("It is not decided.", f"The rubric {rubric.ref} judges nothing called {final.question!r}.")
    if depth_of(final.where) != question.per:
        raise _refused("It is not decided.", f"{question.ask} is asked of a {question.per}, and {final.where} is none.")
    value = plain_value(final.value)
    if final.value is not None and (value is None or not _is_offered(rubric, question, final.value)):
        raise _refused("It is not decided.", f"{question.ask} does not offer {str(final.value)[:60]!r}.")
    _check_words(final.comment)
    final = replace(final, question=question.id, lead=lead.name, changed=format_time(lead.now()))
    return Said(subject=("final", final.task, final.where, final.question), body=final)


def _is_offered(rubric: Rubric, question: Judged, value: Any) -> bool:
    """Whether it can be given; the label of a place has values that no single question has."""
    offered = {look.id for look in question.looks}
    return plain_value(value) in offered if offered else rubric.questions[question.question].domain.offers(value)


def undo(store: Store, bundle: str, steps: Sequence[Step], lead: Lead) -> Reviewed:
    """Say of each subject again what held before. Raises `RaterError` where something else was said of one since."""
    said = [_earlier(store, bundle, step, lead) for step in reversed(steps)]
    return say(store, bundle, said, lead)


def _earlier(store: Store, bundle: str, step: Step, lead: Lead) -> Said:
    """What held before a step, to be said again. An undo in between that led back to it does not count."""
    history = {
        review.revision: msgspec.json.decode(review.body) for review in reviews.history(store, bundle, step.subject)
    }
    after = history[step.after]
    if _said_in(after) != _said_in(history[max(history)]):
        what = " ".join(step.subject)
        raise _refused("It can't be undone.", f"Something else was said of it since: {what}.", "Say it anew.")
    body = history[step.before] if step.before else {**after, **_TAKEN_BACK[step.subject[0]]}
    return Said(subject=step.subject, body={**body, "lead": lead.name, "changed": format_time(lead.now())})


def _said_in(body: dict[str, Any]) -> dict[str, Any]:
    """What is said, whoever says it and when."""
    return {name: value for name, value in body.items() if name not in {"lead", "changed"}}


def say(store: Store, bundle: str, said: list[Said], lead: Lead) -> Reviewed:
    """Add revisions of subjects, all of them or none. Raises `RaterError` without a name, and `StoreError`."""
    if not lead.name.strip():
        raise _refused("It is not kept.", "Whose verdict it is has to be known.", "Give your name in the settings.")
    if not said:
        return Reviewed()
    after = reviews.append_all(store, bundle, said, lead.name, now=lead.now())
    steps = tuple(Step(one.subject, number - 1, number) for one, number in zip(said, after, strict=True))
    return Reviewed(audits=frozenset({bundle}), steps=steps)


def verdict(about: About, kind: Kind, because: Because, lead: Lead) -> Said:
    """A verdict, to be said. Raises `RaterError` for a reason that is none, or is missing where it has to be known."""
    if kind == "returned" and not because.reason:
        raise _refused("It is not sent back.", "The rater has to know why.", "Choose a reason.")
    if because.reason == _OTHER and kind == "returned" and not because.comment.strip():
        raise _refused("It is not sent back.", "The reason is another one, and no words say which.", "Write a comment.")
    if because.reason and because.reason not in {one.id for one in REASONS}:
        known = ", ".join(one.id for one in REASONS)
        raise _refused("The verdict is not kept.", f"{because.reason[:60]!r} is no reason.", f"Reasons are: {known}.")
    _check_words(because.comment)
    body = Verdict(
        task=about.task,
        where=about.where,
        rater=about.rater,
        rating=about.rating,
        kind=kind,
        reason=because.reason,
        comment=because.comment,
        lead=lead.name,
        changed=format_time(lead.now()),
    )
    return Said(subject=("verdict", about.task, about.where, about.rater), body=body)


def _own(audited: AuditedTask, rating: Rating, lead: Lead, *, blind: bool) -> Own:
    """The lead's own rating, judged by the rubric as a rater's is."""
    rubric = audited.rubric
    if rating.task != audited.id or rating.rubric not in {"", rubric.ref, rubric.file.id}:
        what = f"It answers the task {rating.task!r} by {rating.rubric or rubric.ref!r}"
        raise _refused("The rating is not kept.", f"{what}, and what is asked is {audited.id!r} by {rubric.ref!r}.")
    rating, _ = known_parts(replace(rating, rater=lead.name, rubric=audited.rubric.ref), audited.task)
    outcome = check(audited.rubric, audited.task, rating)
    rating = judged(rating, outcome, as_complete=True)
    if rating.status == "complete":
        rating = leaving(rating, outcome)
    return Own(task=audited.id, rating=rating, blind=blind, lead=lead.name, changed=format_time(lead.now()))


def _is_still_blind(before: Own | None, own: Own) -> bool:
    """Whether what was answered before the others were seen is what stands in the place of a rating now."""
    if before is None or before.rating is None or own.rating is None:
        return False
    return before.blind and plain_content(before.rating) == plain_content(own.rating)


def _own_said(own: Own) -> Said:
    return Said(subject=("own", own.task), body=own)


def _essence(own: Own) -> tuple[object, ...]:
    return own.lead, own.blind, None if own.rating is None else (own.rating.status, plain_content(own.rating))


def _blocked(audited: AuditedTask, rating: Rating) -> RaterError:
    if rating.status == "skipped":
        why = "It skips the task, and says of no place what is right there."
        return _refused(
            "The correction is not kept.", why, "Accept a rating that skips the task, or send this one back."
        )
    found = check(audited.rubric, audited.task, rating).problems
    blocking = [one for one in found if one.level == "block"]
    named = " ".join(f"{one.where}: {one.message}" for one in blocking[:_NAMED])
    more = f" And {len(blocking) - _NAMED:,} more." if len(blocking) > _NAMED else ""
    return _refused("The correction is not kept.", f"{named}{more}", "A correction follows the same rules as a rating.")


def _check_words(comment: str) -> None:
    if len(comment) > MOST_CHARACTERS:
        raise _refused("The comment is too long.", f"It may have {MOST_CHARACTERS:,} characters.", "Make it shorter.")


def _refused(title: str, message: str, hint: str = "") -> RaterError:
    return RaterError(title, message, hint)
