"""Read verdicts, decisions and own ratings from a file, and export all of a lead's reviews as data."""

from pathlib import Path
from typing import Any, Literal

import msgspec

from desktop_rater.audit.questions import LabelMethod
from desktop_rater.audit.results import Audit, LeadDecision, LeadRating, Verdict, VerdictKind
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import FormatError, RaterError
from desktop_rater.format.jsonl import structs_of_lines
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import OpenStruct, to_plain
from desktop_rater.format.values import Id
from desktop_rater.operations.audit.load_audit import language_of, load_audit, load_task
from desktop_rater.operations.audit.review import (
    Lead,
    RatingAtPlace,
    ReviewChange,
    VerdictReason,
    correction_review,
    decision_review,
    quotes_in,
    save_reviews,
    verdict_review,
)
from desktop_rater.store import reviews
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store

_TASK = "task"
_CLAIMS = "/claims/"


class ReviewLine(OpenStruct, frozen=True, kw_only=True):
    """One review of a task; its keys tell the kind: `kind` is a verdict on `rater`, `question` a decision.

    `own` is the lead's own rating of the task. `by`: the method that a decision was taken over from. `rating`: SHA-256
    of the rating a verdict refers to, if it must be that one.
    """

    task: Id
    where: str = _TASK
    rater: str | None = None
    kind: VerdictKind | None = None
    reason: str = ""
    comment: str = ""
    rating: str | None = None
    question: str | None = None
    value: Any = None
    by: LabelMethod | Literal[""] = ""
    own: Rating | None = None


class ReviewsFromFile(ReviewChange, frozen=True, kw_only=True):
    """Outcome of reading a file. `unknown`: tasks, places, raters or ratings without results, as `task where rater`."""

    verdicts: int = 0
    decisions: int = 0
    own: int = 0
    same: int = 0
    unknown: tuple[str, ...] = ()


class EffectiveReviews(msgspec.Struct, frozen=True, kw_only=True):
    """Reviews in effect for a bundle. `outdated`: (task, where, rater) of verdicts on ratings that no longer count."""

    verdicts: tuple[Verdict, ...]
    finals: tuple[LeadDecision, ...]
    owns: tuple[LeadRating, ...]
    outdated: frozenset[tuple[str, str, str]]

    def plain(self) -> dict[str, object]:
        return {
            "verdicts": [
                {**msgspec.to_builtins(review), "outdated": (review.task, review.where, review.rater) in self.outdated}
                for review in self.verdicts
            ],
            "decisions": [msgspec.to_builtins(review) for review in self.finals],
            "own": [{**msgspec.to_builtins(review), "rating": to_plain(review.rating)} for review in self.owns],
        }


def load_effective_reviews(store: Store, bundle: str) -> EffectiveReviews:
    """Load the lead's reviews of a bundle that are in effect. Raises `NotInStore`, or `StoreDamaged`."""
    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        verdicts = [entry.read(Verdict) for entry in reviews.latest_reviews(store, bundle, "verdict")]
        finals = [entry.read(LeadDecision) for entry in reviews.latest_reviews(store, bundle, "final")]
        owns = [entry.read(LeadRating) for entry in reviews.latest_reviews(store, bundle, "own")]
    effective = tuple(entry for entry in verdicts if entry.kind != "none")
    return EffectiveReviews(
        verdicts=effective,
        finals=tuple(entry for entry in finals if entry.value is not None),
        owns=tuple(entry for entry in owns if entry.rating is not None),
        outdated=frozenset(
            (entry.task, entry.where, entry.rater)
            for entry in effective
            if (entry.task, entry.rater) not in audit.ratings
            or audit.ratings[entry.task, entry.rater].sha256 != entry.rating
        ),
    )


def review_from_file(store: Store, bundle: str, path: Path, lead: Lead, progress: Progress) -> ReviewsFromFile:
    """Append the reviews in a file, all or none. Raises `RaterError` naming the line.

    Reviews already in effect make no revision; those of unknown ratings are reported and skipped.
    """
    file = _File(store, load_audit(store, bundle), lead)
    for number, (where, line) in enumerate(structs_of_lines(path, ReviewLine), 1):
        progress(number, 0)
        try:
            file.add(line)
        except RaterError as error:
            raise FormatError(f"{where}: {error}", "", "Nothing was saved.") from error
    change = save_reviews(store, bundle, [review for review in file.reviews.values() if file.is_news(review)], lead)
    return ReviewsFromFile(
        audits=change.audits,
        steps=change.steps,
        verdicts=sum(step.subject[0] == "verdict" for step in change.steps),
        decisions=sum(step.subject[0] == "final" for step in change.steps),
        own=sum(step.subject[0] == "own" for step in change.steps),
        same=len(file.reviews) - len(change.steps),
        unknown=tuple(dict.fromkeys(file.unknown)),
    )


class _File:
    def __init__(self, store: Store, audit: Audit, lead: Lead) -> None:
        self._store = store
        self._audit = audit
        self._lead = lead
        self._language = language_of(audit)
        self._places: dict[str, frozenset[str]] = {}
        self.reviews: dict[tuple[str, ...], NewReview] = {}
        self.unknown: list[str] = []

    def add(self, line: ReviewLine) -> None:
        """Add one line; the last one of a subject counts."""
        given = [review for review in (line.kind, line.question, line.own) if review is not None]
        if len(given) != 1:
            raise RaterError("A line must contain exactly one review.", "Give one of kind, question and own.")
        if not self._is_here(line):
            self.unknown.append(" ".join((line.task, line.where, *([line.rater] if line.rater is not None else []))))
            return
        review = self._review(line)
        self.reviews[review.subject] = review

    def _review(self, line: ReviewLine) -> NewReview:
        reason = VerdictReason(line.reason, line.comment)
        if line.own is not None:
            return correction_review(
                load_task(self._store, self._audit.bundle, line.task, self._audit), line.own, self._lead
            )
        if line.question is not None:
            final = LeadDecision(
                task=line.task,
                where=line.where,
                question=line.question,
                value=line.value,
                comment=line.comment,
                by=line.by,
            )
            return decision_review(self._audit.rubric, final, self._lead)
        assert line.kind is not None, "a line that says nothing was refused"
        rater = line.rater or ""
        rating = self._audit.ratings[line.task, rater].sha256
        if line.kind == "corrected" and not self._has_own(line.task):
            why = "There is no own rating of the lead to replace it."
            raise RaterError("The rating was not corrected.", why, "Put a line with `own` before it.")
        return verdict_review(RatingAtPlace(line.task, line.where, rater, rating), line.kind, reason, self._lead)

    def _has_own(self, task: str) -> bool:
        if ("own", task) in self.reviews:
            return True
        stored = reviews.newest_review(self._store, self._audit.bundle, ("own", task))
        own = stored.read(LeadRating).rating if stored is not None else None
        return own is not None and own.status == "complete"

    def _is_here(self, line: ReviewLine) -> bool:
        if line.task not in self._audit.texts:
            return False
        if line.kind is not None:
            filed = self._audit.ratings.get((line.task, line.rater or ""))
            if filed is None or line.rating not in (None, filed.sha256):
                return False
        if line.task not in self._places:
            self._places[line.task] = frozenset(quotes_in(self._store, self._audit, line.task, self._language))
        target = line.where if line.question is not None else line.where.partition(_CLAIMS)[0]  # claims are not decided
        return not self._places[line.task].isdisjoint((line.where, target))

    def is_news(self, review: NewReview) -> bool:
        stored = reviews.newest_review(self._store, self._audit.bundle, review.subject)
        if stored is None:
            body = review.body
            is_withdrawn = (isinstance(body, Verdict) and body.kind == "none") or (
                isinstance(body, LeadDecision) and body.value is None
            )
            return not is_withdrawn
        return _review_content(stored.read(type(review.body))) != _review_content(review.body)


def _review_content(body: Verdict | LeadDecision | LeadRating) -> Any:
    """Return the content of a review, without author and time."""
    plain = {name: getattr(body, name) for name in body.__struct_fields__ if name not in {"lead", "changed", "blind"}}
    return {name: to_plain(value) for name, value in plain.items()}
