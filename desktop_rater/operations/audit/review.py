"""A QA lead's reviews, each appended as a revision, and the items of the review list.

Undo appends the earlier state again, so no review is ever lost and an undo can itself be undone.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.items import ReviewItem, depth_of
from desktop_rater.audit.questions import JudgedQuestion, LabelChoice, judged_questions, plain_value
from desktop_rater.audit.results import (
    REASONS,
    Audit,
    AuditedTask,
    LeadDecision,
    LeadRating,
    ReceivedResults,
    ResultsDecision,
    Verdict,
    VerdictKind,
)
from desktop_rater.audit.review_list import review_items
from desktop_rater.audit.reviews import LeadValues, Reviews, values_of, values_of_gold
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.edit import plain_rater_content
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.load_audit import TargetPlacements, copy_states, lead_copies
from desktop_rater.operations.rating.open_task import drop_unknown_references
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.rubric import Rubric, check_rating, exported_form
from desktop_rater.rubric.suggest import path_of_place, places_of_task
from desktop_rater.store import received, reviews
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import is_blank

MAX_COMMENT_CHARACTERS = 20_000  # of a comment
_OTHER = "other"
_LISTED = 3
# Body of a withdrawn review, by kind of subject.
_WITHDRAWN: dict[str, dict[str, Any]] = {
    "verdict": {"kind": "none", "reason": "", "comment": ""},
    "final": {"value": None, "comment": "", "by": ""},
    "own": {"rating": None},
    "results": {"kind": "none", "reason": ""},
    "rater": {"kind": "none", "reason": ""},
    "labels": {"by": "majority", "threshold": 0.0},
    "sample": {"how": "all", "share": None, "by": None, "places": [], "strata": []},
}


class Lead(NamedTuple):
    """The lead's name, and a clock."""

    name: str
    now: Callable[[], datetime]


class RatingAtPlace(msgspec.Struct, frozen=True):
    """One rater's rating at one place. `rating`: SHA-256 of the rating the lead sees."""

    task: str
    where: str
    rater: str
    rating: str


class VerdictReason(msgspec.Struct, frozen=True):
    """Reason of a verdict: the `id` of one of `audit.verdicts.REASONS`, and a comment."""

    reason: str = ""
    comment: str = ""


class ReviewStep(msgspec.Struct, frozen=True):
    """A reviewed subject with its revision before (0: none) and after."""

    subject: tuple[str, ...]
    before: int
    after: int


class ReviewChange(Change, frozen=True, kw_only=True):
    """Change made by reviews. `steps` is the input of `undo_reviews`, whose own result can be undone the same way."""

    steps: tuple[ReviewStep, ...] = ()

    @property
    def recounts(self) -> bool:
        """Return whether other results may count than before: the lead decided on results, a rater or a copy."""
        return any(step.subject[0] in {"results", "rater", "copy"} for step in self.steps)


def accept_ratings(
    store: Store, bundle: str, ratings: Iterable[RatingAtPlace], reason: VerdictReason, lead: Lead
) -> ReviewChange:
    """Accept ratings as they are, all in one transaction."""
    return save_reviews(store, bundle, [verdict_review(place, "accepted", reason, lead) for place in ratings], lead)


def send_back_rating(
    store: Store, bundle: str, about: RatingAtPlace, reason: VerdictReason, lead: Lead
) -> ReviewChange:
    """Send a rating back to its rater. Raises `RaterError` without a reason, and for "other" without a comment."""
    return save_reviews(store, bundle, [verdict_review(about, "returned", reason, lead)], lead)


def withdraw_verdict(store: Store, bundle: str, about: RatingAtPlace, lead: Lead) -> ReviewChange:
    """Withdraw the verdict on a rating."""
    return save_reviews(store, bundle, [verdict_review(about, "none", VerdictReason(), lead)], lead)


def correct_rating(
    store: Store, audited: AuditedTask, about: RatingAtPlace, rating: Rating, reason: VerdictReason, lead: Lead
) -> ReviewChange:
    """Replace a rater's rating by the lead's own. Raises `RaterError` while a rule blocks it."""
    own = correction_review(audited, rating, lead)
    return save_reviews(store, audited.bundle, [own, verdict_review(about, "corrected", reason, lead)], lead)


def correction_review(audited: AuditedTask, rating: Rating, lead: Lead) -> NewReview:
    """Return the review that replaces a rating by the lead's own. Raises `RaterError` while a rule blocks it."""
    own = _own(audited, rating, lead, blind=False)
    if own.rating is None or own.rating.status != "complete":
        raise _blocked(audited, rating)
    before = audited.own
    blind = False
    if before is not None and before.rating is not None:
        # It stays blind while it equals the rating answered before the others were seen.
        blind = before.blind and plain_rater_content(before.rating) == plain_rater_content(own.rating)
    return NewReview(subject=("own", own.task), body=replace(own, blind=blind))


def save_own_rating(store: Store, audited: AuditedTask, rating: Rating, lead: Lead, *, blind: bool) -> ReviewChange:
    """Save the lead's own rating of a task, finished or not; it counts once nothing blocks it.

    An unchanged rating makes no revision.
    """
    own = _own(audited, rating, lead, blind=blind)
    if audited.own is not None and _essence(audited.own) == _essence(own):
        return ReviewChange()
    return save_reviews(store, audited.bundle, [NewReview(subject=("own", own.task), body=own)], lead)


def decide_question(store: Store, bundle: str, rubric: Rubric, final: LeadDecision, lead: Lead) -> ReviewChange:
    """Decide a question at a place; a value of `None` withdraws the decision. Raises `RaterError`.

    `final.question` is the `id` of a judged question, and the value one that it offers.
    """
    return save_reviews(store, bundle, [decision_review(rubric, final, lead)], lead)


def decision_review(rubric: Rubric, final: LeadDecision, lead: Lead) -> NewReview:
    """Return the review of a decision. Raises `RaterError` if the rubric does not offer it."""
    question = next(
        (judged for judged in judged_questions(rubric) if final.question in {judged.id, judged.question}), None
    )
    if question is None:
        raise RaterError(
            "The decision was not saved.", f"The rubric {rubric.ref} has no judged question {final.question!r}."
        )
    if depth_of(final.where) != question.per:
        raise RaterError(
            "The decision was not saved.", f"{question.ask} is asked per {question.per}, and {final.where} is not one."
        )
    value = plain_value(final.value)
    if final.value is not None and (value is None or not _is_offered(rubric, question, final.value)):
        raise RaterError("The decision was not saved.", f"{question.ask} does not offer {str(final.value)[:60]!r}.")
    _check_comment(final.comment)
    final = replace(final, question=question.id, lead=lead.name, changed=format_time(lead.now()))
    return NewReview(subject=("final", final.task, final.where, final.question), body=final)


def _is_offered(rubric: Rubric, question: JudgedQuestion, value: Any) -> bool:
    """Return whether the value is valid; a place's label has values that no single question has."""
    offered = {look.id for look in question.looks}
    return plain_value(value) in offered if offered else rubric.questions[question.question].domain.offers(value)


def undo_reviews(store: Store, bundle: str, steps: Sequence[ReviewStep], lead: Lead) -> ReviewChange:
    """Restore the previous state of each subject. Raises `RaterError` if one has changed since."""
    restored = [_earlier(store, bundle, step, lead) for step in reversed(steps)]
    return save_reviews(store, bundle, restored, lead)


def _earlier(store: Store, bundle: str, step: ReviewStep, lead: Lead) -> NewReview:
    """Return the state before a step as a new review. An undo in between that restored it is ignored."""
    history = {
        review.revision: msgspec.json.decode(review.body)
        for review in reviews.review_history(store, bundle, step.subject)
    }
    after = history[step.after]
    if _content(after) != _content(history[max(history)]):
        what = " ".join(step.subject)
        raise RaterError(
            "The action can't be undone.", f"It has been changed since: {what}.", "Enter the earlier value again."
        )
    body = history[step.before] if step.before else {**after, **_WITHDRAWN[step.subject[0]]}
    return NewReview(subject=step.subject, body={**body, "lead": lead.name, "changed": format_time(lead.now())})


def _content(body: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a review, without author and time."""
    return {name: value for name, value in body.items() if name not in {"lead", "changed"}}


def save_reviews(store: Store, bundle: str, new_reviews: list[NewReview], lead: Lead) -> ReviewChange:
    """Append reviews, all of them or none. Raises `RaterError` without a name, and `StoreError`."""
    if not lead.name.strip():
        raise RaterError(
            "The review was not saved.", "The name of the lead is missing.", "Enter your name in the settings."
        )
    if not new_reviews:
        return ReviewChange()
    after = reviews.insert_reviews(store, bundle, new_reviews, lead.name, now=lead.now())
    steps = tuple(
        ReviewStep(review.subject, number - 1, number) for review, number in zip(new_reviews, after, strict=True)
    )
    return ReviewChange(audits=frozenset({bundle}), steps=steps)


def verdict_review(about: RatingAtPlace, kind: VerdictKind, reason: VerdictReason, lead: Lead) -> NewReview:
    """Return the review of a verdict. Raises `RaterError` for an unknown reason or a missing required one."""
    if kind == "returned" and not reason.reason:
        raise RaterError("The rating was not sent back.", "The rater needs a reason.", "Choose a reason.")
    if reason.reason == _OTHER and kind == "returned" and is_blank(reason.comment):
        raise RaterError("The rating was not sent back.", 'The reason "other" needs a comment.', "Write a comment.")
    if reason.reason and reason.reason not in REASONS:
        reason_ids = ", ".join(REASONS)
        raise RaterError(
            "The verdict was not saved.",
            f"{reason.reason[:60]!r} is not a known reason.",
            f"Known reasons: {reason_ids}.",
        )
    _check_comment(reason.comment)
    body = Verdict(
        task=about.task,
        where=about.where,
        rater=about.rater,
        rating=about.rating,
        kind=kind,
        reason=reason.reason,
        comment=reason.comment,
        lead=lead.name,
        changed=format_time(lead.now()),
    )
    return NewReview(subject=("verdict", about.task, about.where, about.rater), body=body)


def _own(audited: AuditedTask, rating: Rating, lead: Lead, *, blind: bool) -> LeadRating:
    """Return the lead's own rating, evaluated by the rubric like a rater's."""
    rubric = audited.rubric
    if rating.task != audited.id or rating.rubric not in {"", rubric.ref, rubric.file.id}:
        what = f"It answers the task {rating.task!r} by {rating.rubric or rubric.ref!r}"
        raise RaterError("The rating was not saved.", f"{what}, and what is asked is {audited.id!r} by {rubric.ref!r}.")
    rating, _ = drop_unknown_references(replace(rating, rater=lead.name, rubric=rubric.ref), audited.task)
    outcome = check_rating(rubric, audited.task, rating)
    rating = evaluated_rating(rating, outcome, as_complete=True)
    if rating.status == "complete":
        rating = exported_form(rating, outcome)
    return LeadRating(task=audited.id, rating=rating, blind=blind, lead=lead.name, changed=format_time(lead.now()))


def _essence(own: LeadRating) -> tuple[object, ...]:
    return own.lead, own.blind, None if own.rating is None else (own.rating.status, plain_rater_content(own.rating))


def _blocked(audited: AuditedTask, rating: Rating) -> RaterError:
    if rating.status == "skipped":
        why = "It skips the task, so it corrects nothing."
        return RaterError(
            "The correction was not saved.", why, "Accept a rating that skips the task, or send this one back."
        )
    problems = check_rating(audited.rubric, audited.task, rating).problems
    blocking = [problem for problem in problems if problem.level == "block"]
    listed = " ".join(f"{problem.where}: {problem.message}" for problem in blocking[:_LISTED])
    more = f" And {len(blocking) - _LISTED:,} more." if len(blocking) > _LISTED else ""
    return RaterError(
        "The correction was not saved.", f"{listed}{more}", "A correction must satisfy the same rules as a rating."
    )


def _check_comment(comment: str) -> None:
    if len(comment) > MAX_COMMENT_CHARACTERS:
        raise RaterError(
            "The comment is too long.", f"It may have {MAX_COMMENT_CHARACTERS:,} characters.", "Make it shorter."
        )


_LONGEST = 200  # characters of a response or a prompt
_STEP = 50
_CLAIMS = "/claims/"

# Task → place → rated text, in order of appearance.
Quotes = dict[str, dict[str, str]]


def load_items(store: Store, audit: Audit, quotes: Quotes) -> tuple[ReviewItem, ...]:
    """Return the items, most disagreement first. Raises `StoreDamaged`.

    `quotes` come from `load_quotes` and do not depend on reviews, so callers load them once.
    """
    return review_items(audit, load_reviews(store, audit), quotes)


def load_reviews(store: Store, audit: Audit) -> Reviews:
    """Load all reviews of a bundle's results, and its gold. Raises `StoreDamaged`."""
    bundle, rubric = audit.bundle, audit.rubric
    with store.snapshot_isolation():
        verdicts = [review.read(Verdict) for review in reviews.latest_reviews(store, bundle, "verdict")]
        finals = [review.read(LeadDecision) for review in reviews.latest_reviews(store, bundle, "final")]
        owns = [review.read(LeadRating) for review in reviews.latest_reviews(store, bundle, "own")]
        sample = reviews.newest_review(store, bundle, ("sample",))
        labels = reviews.newest_review(store, bundle, ("labels",))
        gold = load_audit.audit_gold(store, bundle)
    return Reviews(
        verdicts=_by_place(audit, (body for body in verdicts if body.kind != "none")),
        finals=_standing_finals(finals),
        owns=_complete_owns(rubric, owns),
        sample=sample.read(ReviewSample) if sample is not None else None,
        labels=labels.read(LabelChoice) if labels is not None else LabelChoice(),
        gold=values_of_gold(rubric, gold, partial=False),
        partial_gold=values_of_gold(rubric, gold, partial=True),
    )


def reload_reviews(store: Store, audit: Audit, before: Reviews, subjects: Collection[tuple[str, ...]]) -> Reviews:
    """Return reviews with those of the tasks read again that these subjects are about. Raises `StoreDamaged`."""
    bundle, kinds = audit.bundle, {subject[0] for subject in subjects}
    tasks = {subject[1] for subject in subjects if subject[0] in {"verdict", "final", "own"}}
    verdicts, finals, owns = dict(before.verdicts), dict(before.finals), dict(before.owns)
    for by_place in (verdicts, finals):
        for key in [key for key in by_place if key[0] in tasks]:
            del by_place[key]
    for task in tasks:
        of_ratings = [review.read(Verdict) for review in reviews.latest_reviews(store, bundle, "verdict", task)]
        verdicts |= _by_place(audit, (body for body in of_ratings if body.kind != "none"))
        of_task = reviews.latest_reviews(store, bundle, "final", task)
        finals |= _standing_finals(review.read(LeadDecision) for review in of_task)
        own = reviews.newest_review(store, bundle, ("own", task))
        owns.pop(task, None)
        owns |= _complete_owns(audit.rubric, [] if own is None else [own.read(LeadRating)])
    changed = replace(before, verdicts=verdicts, finals=finals, owns=owns)
    if "sample" in kinds:
        sample = reviews.newest_review(store, bundle, ("sample",))
        changed = replace(changed, sample=None if sample is None else sample.read(ReviewSample))
    if "labels" in kinds:
        labels = reviews.newest_review(store, bundle, ("labels",))
        changed = replace(changed, labels=LabelChoice() if labels is None else labels.read(LabelChoice))
    return changed


def _standing_finals(finals: Iterable[LeadDecision]) -> dict[tuple[str, str, str], LeadDecision]:
    return {(body.task, body.where, body.question): body for body in finals if body.value is not None}


def _complete_owns(rubric: Rubric, owns: Iterable[LeadRating]) -> dict[str, LeadValues]:
    return {
        body.task: LeadValues(own=body, values=values_of(rubric, body.rating))
        for body in owns
        if body.rating is not None and body.rating.status == "complete"
    }


def _by_place(audit: Audit, verdicts: Iterable[Verdict]) -> dict[tuple[str, str, str], Verdict]:
    """Index verdicts by place. One on a claim also counts for its target if that has none; "returned" wins."""
    by_place = {(verdict.task, verdict.where, verdict.rater): verdict for verdict in verdicts}
    of_claims = [verdict for verdict in by_place.values() if _CLAIMS in verdict.where and not _is_place(audit, verdict)]
    for verdict in sorted(of_claims, key=lambda verdict: (verdict.kind != "returned", verdict.where)):
        by_place.setdefault((verdict.task, verdict.where.partition(_CLAIMS)[0], verdict.rater), verdict)
    return by_place


def _is_place(audit: Audit, verdict: Verdict) -> bool:
    """Return whether the verdict is about a target whose id looks like a claim's."""
    rating = audit.ratings.get((verdict.task, verdict.rater))
    return rating is not None and verdict.where in rating.digest.values


def load_quotes(store: Store, audit: Audit, progress: Progress) -> Quotes:
    """Return the rated text of each place of every rated task. Raises `StoreDamaged`."""
    language = load_audit.language_of(audit)
    rated = {task for task, _ in audit.ratings}
    quotes: Quotes = {}
    for index, task in enumerate(audit.tasks):
        if index % _STEP == 0:
            progress(index, len(audit.tasks))
        if task in rated:
            quotes[task] = quotes_in(store, audit, task, language)
    return quotes


def quotes_in(store: Store, audit: Audit, task: str, language: str) -> dict[str, str]:
    """Return place → rated text of one task. Raises `StoreDamaged`."""
    read = read_struct(read_json_object(received.task_text(store, audit.texts[task])), Task)
    return quotes_of(TargetPlacements(read, audit.rubric, language), load_audit.rated_in_audit(audit, task))


def quotes_of(placements: TargetPlacements, rated: Collection[str]) -> dict[str, str]:
    """Return place → rated text of one task. `rated`: the ids of the targets that ratings answer."""
    return dict(_quotes(placements.all_for(rated)))


def _quotes(task: Task) -> Iterator[tuple[str, str]]:
    """Yield the texts: targets before their response, the task last."""
    whole, *places = places_of_task(task)
    starts = {part.id: part.start or 0 for part in task.targets or ()}
    order = {part.id: index for index, part in enumerate(task.responses)}
    places.sort(
        key=lambda place: (order.get(place.response or "", 0), place.target is None, starts.get(place.target or "", 0))
    )
    for place in (*places, whole):
        target = task.target(place.target) if place.target is not None else None
        response = task.response(place.response) if place.response is not None else None
        text = (task.prompt.text if response is None else response.text)[:_LONGEST]
        yield path_of_place(place), text if target is None else target.quote or ""


_SHORTEST = 6  # digits of a SHA-256 that name results


def decide_results(
    store: Store, audit: Audit, results: Collection[str], decision: ResultsDecision, lead: Lead
) -> ReviewChange:
    """Record the lead's decision on results, by their SHA-256. It is appended, so it can be taken back.

    Raises `RaterError` for results that are not here, for a decision without a reason, and for results by another
    rubric: they can't be read by the rubric of the bundle.
    """
    _refuse_without_reason(decision)
    digests = {entry.sha256 for entry in _every(audit)}
    unknown = sorted(set(results) - digests)
    if unknown:
        raise RaterError("Nothing was decided.", f"No results of {audit.bundle} have the SHA-256 {unknown[0]}.")
    other = {entry.results.sha256 for entry in audit.held if any(reason.kind == "rubric" for reason in entry.reasons)}
    if decision.kind == "admitted" and (refused := sorted(other & set(results))):
        why = f"The results {refused[0][:12]} were rated by another rubric than that of {audit.bundle}."
        raise RaterError("Nothing was admitted.", why, "Open the bundle with that rubric, under an id of its own.")
    return _save(store, audit.bundle, [("results", name) for name in sorted(set(results))], decision, lead)


def decide_rater(store: Store, audit: Audit, rater: str, decision: ResultsDecision, lead: Lead) -> ReviewChange:
    """Record the lead's decision on a rater without a known key: all of the rater's unsigned results count.

    Raises `RaterError` if a key of the rater is known, or if there are no results of that rater.
    """
    _refuse_without_reason(decision)
    own = {entry.sha256 for entry in _every(audit) if entry.rater == rater}
    if not own:
        raise RaterError("Nothing was decided.", f"There are no results of the rater {rater!r}.")
    kinds = {reason.kind for entry in audit.held if entry.results.sha256 in own for reason in entry.reasons}
    if decision.kind == "admitted" and kinds & {"unsigned", "other-key"}:
        why = f"A key of {rater} is known, so results without it are admitted one by one."
        raise RaterError("Nothing was admitted.", why, "Name the results, or call the key back.")
    return _save(store, audit.bundle, [("rater", rater)], decision, lead)


def decide_copies(
    store: Store, bundle: str, revisions: Collection[int], decision: ResultsDecision, lead: Lead
) -> ReviewChange:
    """Put copies of the bundle away, or bring them back. It is appended, so it can be taken back.

    Results are compared with the highest revision that is left. Raises `RaterError` without a reason, and for a
    revision of which there is no copy.
    """
    _refuse_without_reason(decision)
    here = [state.copy.revision for state in copy_states(store, bundle)]
    if unknown := sorted(set(revisions) - set(here)):
        there = ", ".join(f"{revision:,}" for revision in here) or "none"
        why = f"There is no copy of revision {unknown[0]:,} of {bundle}. Copies: {there}."
        raise RaterError("Nothing was decided.", why)
    return _save(store, bundle, [("copy", str(revision)) for revision in sorted(set(revisions))], decision, lead)


def copies_after(store: Store, bundle: str, revision: int) -> list[int]:
    """Return the revisions of the copies above that one which are not put away. Raises `RaterError` if it is none."""
    revisions = [copy.revision for copy in lead_copies(store, bundle)]
    if revision not in revisions:
        raise RaterError("Nothing was decided.", f"There is no copy of revision {revision:,} of {bundle}.")
    return [later for later in revisions if later > revision]


def find_results(audit: Audit, named: str) -> ReceivedResults:
    """Return the results whose SHA-256 begins like that, or that came in a file of that name. Raises `RaterError`."""
    wanted = named.lower()
    entries = _every(audit)
    matching = [entry for entry in entries if len(wanted) >= _SHORTEST and entry.sha256.startswith(wanted)]
    matching = matching or [entry for entry in entries if entry.file == named]
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise RaterError("Nothing was decided.", f"There are no results {named!r} of {audit.bundle}.")
    hint = f"Name one by its SHA-256: {', '.join(entry.sha256[:12] for entry in matching)}."
    raise RaterError("Nothing was decided.", f"{len(matching)} results are named {named!r}.", hint)


def _every(audit: Audit) -> list[ReceivedResults]:
    """Return all results that came in, those that do not count included."""
    entries = {entry.sha256: entry for entry in audit.received}
    return [*(entries | {entry.results.sha256: entry.results for entry in audit.held}).values()]


def _refuse_without_reason(decision: ResultsDecision) -> None:
    if decision.kind != "none" and is_blank(decision.reason):
        raise RaterError("Nothing was decided.", "The decision has no reason.", "Give a reason: others will read it.")


def _save(
    store: Store, bundle: str, subjects: Collection[tuple[str, str]], decision: ResultsDecision, lead: Lead
) -> ReviewChange:
    body = replace(decision, lead=lead.name, changed=format_time(lead.now()))
    return save_reviews(store, bundle, [NewReview(subject=subject, body=body) for subject in subjects], lead)
