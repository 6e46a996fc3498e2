"""The list of the review screen: read from the store as it was made last, with only what has changed made again.

Results are opened with it; a lead chooses how votes decide, and decides many of its places at once.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.adjudication import Votes, decisions_at, fit_label_rule, votes_on
from desktop_rater.audit.items import Label, PlaceKind, RatingOnTask, ReviewItem
from desktop_rater.audit.questions import MODEL_METHODS, LabelChoice, LabelRule, judged_questions
from desktop_rater.audit.results import Audit, LeadDecision
from desktop_rater.audit.review_list import RaterPace, ReviewLister, in_list_order, rater_paces
from desktop_rater.audit.reviews import Reviews
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.adjudicate import plain_answer
from desktop_rater.operations.audit.import_results import ImportedResults, import_results
from desktop_rater.operations.audit.review import (
    Lead,
    ReviewChange,
    decision_review,
    load_reviews,
    quotes_in,
    reload_reviews,
    save_reviews,
)
from desktop_rater.store import reviews as stored_reviews
from desktop_rater.store.reviews import ListedPlaces, NewReview
from desktop_rater.store.store import Store

T = TypeVar("T")

_FORMAT = 3  # raise it when items are made in another way
_HEAD = ""  # the row that belongs to no task
_AT_ONCE = 0.25  # seconds of one step
_STORED_AT_ONCE, _STEP = 500, 20  # tasks
_OF_TASKS = frozenset({"verdict", "final", "own"})  # kinds of reviews that change places of one task
_CLAIMS = "/claims/"


# The hash of a rater's ratings, and the usual seconds that come from them.
_Pace = tuple[str, tuple[tuple[PlaceKind, float], ...]]


class _ListHead(msgspec.Struct, frozen=True, array_like=True):
    """Part of the list that all tasks share. `upto`: the number of the last review that the rows know."""

    upto: int = 0
    paces: dict[str, _Pace] = {}


# A byte for each rating of one task: whether it was skipped; its items, whose entries lack what they have in common.
_TaskPlaces = tuple[bytes, tuple[ReviewItem, ...]]


class ReviewListing(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All that the list is made of, and its items by task, in document order.

    `stale`: tasks whose items have to be made, or made again. `bases`: task → hash of what its items are made of,
    without the reviews. `upto`: the number of the last review that is in `reviews`. `rule` is `None` until a model of
    the raters that it needs is fitted. `language`: the bundle's.
    """

    audit: Audit
    reviews: Reviews
    rule: LabelRule | None
    places: Mapping[str, Sequence[ReviewItem]]
    stale: tuple[str, ...]
    bases: Mapping[str, str]
    paces: Mapping[str, _Pace]
    upto: int
    language: str

    def sorted(self) -> "ReviewListing":
        """Return itself; if it is complete, its items are in order then, which takes a while for many."""
        if not self.stale:
            self.index.keys()
        return self

    @cached_property
    def in_order(self) -> tuple[ReviewItem, ...]:
        """All items, most disagreement first."""
        return in_list_order(item for task in self.bases for item in self.places.get(task, ()))

    @cached_property
    def index(self) -> dict[tuple[str, str], int]:
        """Task and place → position in that order, which no review changes."""
        return {(item.task, item.where): index for index, item in enumerate(self.in_order)}


def load_listing(store: Store, audit: Audit, rule: LabelRule | None = None) -> ReviewListing:
    """Read the list as it was made last. `rule`: fitted to the ratings of this audit before. Raises `StoreDamaged`."""
    with store.snapshot_isolation():
        rows = stored_reviews.listed_places(store, audit.bundle)
        reviews = load_reviews(store, audit)
        head = _decoded(rows.get(_HEAD), _ListHead) or _ListHead()
        later, upto = stored_reviews.reviews_after(store, audit.bundle, head.upto)
        language = load_audit.language_of(audit)
    ratings_of: dict[str, list[str]] = {rater: [] for rater in audit.raters}
    for (_, rater), filed in audit.ratings.items():
        ratings_of[rater].append(filed.sha256)
    hashes = {rater: _hash(sorted(ratings)) for rater, ratings in ratings_of.items()}
    paces = {rater: pace for rater, pace in head.paces.items() if pace[0] == hashes.get(rater)}
    made = rater_paces(audit, hashes.keys() - paces.keys())
    paces |= {rater: (hashes[rater], tuple(usual.items())) for rater, usual in made.items()}
    rule = _rule_in_use(reviews, rule)
    bases = _bases(audit, reviews, paces, language)
    touched = {subject[1] for subject in later if subject[0] in _OF_TASKS}
    raters = sorted(audit.raters, key=lambda name: (name in audit.models, name))
    labels: dict[tuple[Label, ...], tuple[Label, ...]] = {}  # each combination is held once
    places: dict[str, Sequence[ReviewItem]] = {}
    for task, basis in bases.items():
        row = rows.pop(task, None)
        listed = _decoded(row, _TaskPlaces) if row is not None and row.basis == basis else None
        if listed is not None:
            skipped_ones, items = listed
            filed = [audit.ratings[task, rater] for rater in raters if (task, rater) in audit.ratings]
            ratings = tuple(
                RatingOnTask(rating.rater, rating.sha256, bool(skipped), rating.rater in audit.models)
                for rating, skipped in zip(filed, skipped_ones, strict=True)
            )
            for item in items:
                item.entries.ratings = ratings
                item.entries.labels = labels.setdefault(item.entries.labels, item.entries.labels)
            places[task] = [_with_sample(item, reviews) for item in items]
    return ReviewListing(
        audit=audit,
        reviews=reviews,
        rule=rule,
        places=places,
        stale=tuple(task for task in bases if task in touched or task not in places),
        bases=bases,
        paces=paces,
        upto=upto,
        language=language,
    )


def list_more(store: Store, listing: ReviewListing, seconds: float = _AT_ONCE) -> ReviewListing:
    """Make the items of stale tasks, for so many seconds. Raises `StoreDamaged`."""
    end = monotonic() + seconds
    rule = _fitted_rule(listing)
    made: dict[str, Sequence[ReviewItem]] = {}
    for task, items in _made_items(store, listing, rule):
        made[task] = items
        if monotonic() > end:
            break
    return replace(
        listing,
        rule=rule,
        places={**listing.places, **made},
        stale=tuple(task for task in listing.stale if task not in made),
    )


def list_reviewed(store: Store, listing: ReviewListing) -> ReviewListing:
    """Make the items again that reviews have touched since the listing; all are stale if the way of deciding changed.

    Raises `StoreDamaged`.
    """
    with store.snapshot_isolation():
        subjects, upto = stored_reviews.reviews_after(store, listing.audit.bundle, listing.upto)
        reviews = reload_reviews(store, listing.audit, listing.reviews, subjects)
    places, stale = dict(listing.places), dict.fromkeys(listing.stale)
    rule, bases = listing.rule, listing.bases
    if any(subject[0] == "labels" for subject in subjects):
        rule = _rule_in_use(reviews, rule)
        bases = _bases(listing.audit, reviews, listing.paces, listing.language)
        stale = dict.fromkeys(places)
    if any(subject[0] == "sample" for subject in subjects):
        places = {task: [_with_sample(item, reviews) for item in items] for task, items in places.items()}
    changed = replace(listing, reviews=reviews, rule=rule, bases=bases, upto=upto)
    touched: dict[str, set[str]] = {}
    for kind, task, *rest in (subject for subject in subjects if subject[0] in _OF_TASKS):
        where = "task" if kind == "own" or _CLAIMS in rest[0] else rest[0]
        touched.setdefault(task, set()).add(where)
    if rule is None or len(touched) > 1:
        stale |= dict.fromkeys(touched.keys() & places.keys())
    elif touched:
        lister = _lister(changed, rule)
        for task, wheres in touched.items():
            before = places.get(task, ())
            quotes = {item.where: item.quote for item in before}
            made = {item.where: item for item in lister.items_of(task, quotes, () if "task" in wheres else wheres)}
            places[task] = [made.get(item.where, item) for item in before]
    return replace(changed, places=places, stale=tuple(stale))


def keep_listing(store: Store, listing: ReviewListing, tasks: Collection[str], *, last: bool = True) -> Change:
    """Store the items of these tasks as they are listed, for the next start. Raises `StoreError`.

    `last`: with these, all tasks are stored as the reviews left them.
    """
    rows = [ListedPlaces(task, listing.bases[task], _encoded_places(listing.places[task])) for task in tasks]
    if last:
        rows.append(ListedPlaces(_HEAD, "", msgspec.msgpack.encode(_ListHead(listing.upto, dict(listing.paces)))))
    stored_reviews.keep_listed(store, listing.audit.bundle, rows)
    return Change()


def refresh_listing(store: Store, bundle: str, progress: Progress) -> None:
    """Make the list of a bundle after results came in, so that the review opens at once. Raises `StoreDamaged`.

    Its items are stored as they are made, and are not held.
    """
    listing = load_listing(store, load_audit.load_packed_audit(store, bundle, digests=False))
    waiting: dict[str, Sequence[ReviewItem]] = {}
    for number, (task, items) in enumerate(_made_items(store, listing, _fitted_rule(listing)), 1):
        if number % _STEP == 0:
            progress(number, len(listing.stale))
        waiting[task] = items
        if len(waiting) == _STORED_AT_ONCE or number == len(listing.stale):
            keep_listing(store, replace(listing, places=waiting), waiting, last=number == len(listing.stale))
            waiting.clear()


def _made_items(store: Store, listing: ReviewListing, rule: LabelRule) -> Iterator[tuple[str, Sequence[ReviewItem]]]:
    """Yield the items of each stale task."""
    lister = _lister(listing, rule)
    for task in listing.stale:
        yield task, lister.items_of(task, quotes_in(store, listing.audit, task, listing.language))


def _fitted_rule(listing: ReviewListing) -> LabelRule:
    return listing.rule or fit_label_rule(listing.audit, listing.reviews.labels.by, listing.reviews.labels.threshold)


def _lister(listing: ReviewListing, rule: LabelRule) -> ReviewLister:
    paces: dict[str, RaterPace] = {rater: dict(usual) for rater, (_ratings, usual) in listing.paces.items()}
    return ReviewLister(listing.audit, listing.reviews, rule, paces)


def _rule_in_use(reviews: Reviews, rule: LabelRule | None) -> LabelRule | None:
    """Return the rule that the lead has chosen; `None` if a model has to be fitted, which a verdict never changes."""
    by, threshold = reviews.labels.by, reviews.labels.threshold
    if rule is None or rule.by != by:
        return None if by in MODEL_METHODS else LabelRule(by=by, threshold=threshold)
    return replace(rule, threshold=threshold)


def _with_sample(item: ReviewItem, reviews: Reviews) -> ReviewItem:
    sampled = reviews.sample is None or reviews.sample.has(item.task, item.where)
    return item if item.sampled is sampled else replace(item, sampled=sampled)


def _bases(audit: Audit, reviews: Reviews, paces: Mapping[str, _Pace], language: str) -> dict[str, str]:
    """Return a hash, for each rated task, of all that its items are made of but the reviews of its places."""
    by, threshold = reviews.labels.by, reviews.labels.threshold
    forked = {(task, fork.rater) for fork in audit.forks for task in fork.tasks}
    of_raters = {
        rater: _hash((rater, ratings if by in MODEL_METHODS else "", repr(usual), str(rater in audit.models)))
        for rater, (ratings, usual) in paces.items()
    }
    common = [str(_FORMAT), sys.byteorder, audit.rubric.basis, language, by, repr(threshold)]
    if by in MODEL_METHODS:
        common += of_raters.values()  # each rating says something of the raters, and so of all places
    shared = _hash(common)
    bases = {}
    for task, keys in groupby(sorted(audit.ratings), key=itemgetter(0)):
        of_ratings = ((of_raters[key[1]], audit.ratings[key].sha256, str(key in forked)) for key in keys)
        bases[task] = _hash([shared, audit.texts[task], repr(reviews.all_gold(task)), *chain.from_iterable(of_ratings)])
    return {task: bases[task] for task in audit.tasks if task in bases}


def _hash(parts: Iterable[str]) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _encoded_places(items: Sequence[ReviewItem]) -> bytes:
    skipped = bytes(rating.skipped for rating in items[0].entries.ratings)
    bare = (replace(item, entries=replace(item.entries, ratings=())) for item in items)
    return msgspec.msgpack.encode((skipped, tuple(bare)))


def _decoded(row: ListedPlaces | None, shape: type[T]) -> T | None:
    """Decode a row; nothing without one, or where another version of the program has written it."""
    try:
        return None if row is None else msgspec.msgpack.decode(row.body, type=prepared_type(shape))
    except msgspec.MsgspecError:
        return None


def open_results(
    store: Store, paths: Sequence[Path], *, lead: str, now: datetime, progress: Progress
) -> ImportedResults:
    """Import results, bundle copies and raters' keys, as `import_results` does, and list the places of their audits."""
    imported = import_results(store, paths, lead=lead, now=now, progress=progress)
    for bundle in sorted(imported.audits):
        # The results are in the store. What is wrong with an audit is said to whoever opens it.
        with suppress(RaterError):
            refresh_listing(store, bundle, progress)
    return imported


def choose_labels(store: Store, bundle: str, choice: LabelChoice, lead: Lead) -> ReviewChange:
    """Store how the votes of a bundle decide."""
    choice = replace(choice, lead=lead.name, changed=format_time(lead.now()))
    return save_reviews(store, bundle, [NewReview(subject=("labels",), body=choice)], lead)


def decide_places(
    store: Store, audit: Audit, places: Iterable[tuple[str, str]], rule: LabelRule, lead: Lead
) -> ReviewChange:
    """Decide places (task and where) as a rule does, in one step; what the rule leaves open is left.

    Judgements that the lead has decided are not changed. The comment of each decision names method and probability.
    """
    reviews = load_reviews(store, audit)
    decisions = [decision_review(audit.rubric, final, lead) for final in _decisions(audit, reviews, places, rule)]
    return save_reviews(store, audit.bundle, decisions, lead)


def _decisions(
    audit: Audit, reviews: Reviews, places: Iterable[tuple[str, str]], rule: LabelRule
) -> Iterator[LeadDecision]:
    judged = judged_questions(audit.rubric)
    questions = {question.id: question for question in judged}
    by_task: dict[str, Votes] = {}
    for task, where in places:
        if task not in by_task:
            by_task[task] = votes_on(audit, reviews, task, judged, rule)
        for final in decisions_at(judged, by_task[task], where):
            if final.source != "lead" and final.value is not None and (final.decisive or final.label):
                comment = f"{final.method} {final.probability:.3f}"
                value = plain_answer(audit.rubric, questions[final.question], final.value)
                yield LeadDecision(
                    task=task, where=where, question=final.question, value=value, comment=comment, by=final.method
                )
