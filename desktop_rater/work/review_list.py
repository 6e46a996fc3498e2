"""What the review room lists: the places of a bundle's results, with what the lead said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.listing import items
from desktop_rater.audit.reviews import OwnAnswer, Reviews, values_of
from desktop_rater.audit.sampling import Sample
from desktop_rater.audit.verdicts import Final, Own, Verdict
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.rubric.suggestions import places_of, where_of
from desktop_rater.store import received, reviews
from desktop_rater.work import audit_desk
from desktop_rater.work.as_rated import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.items import Item
    from desktop_rater.model.place import Place
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store

_LONGEST = 200  # characters of a response or a prompt
_STEP = 50
_CLAIMS = "/claims/"

# Task → where → what is rated there, in the order in which it stands.
Quotes = dict[str, dict[str, str]]


def load_items(store: Store, audit: Audit, quotes: Quotes) -> tuple[Item, ...]:
    """The list, most disagreement first. Raises `StoreDamaged`.

    `quotes` are those of `load_quotes`: they stay the same whatever the lead says, so they are read once.
    """
    return items(audit, load_reviews(store, audit), quotes)


def load_reviews(store: Store, audit: Audit) -> Reviews:
    """All that the lead said of a bundle's results, and its gold. Raises `StoreDamaged`."""
    bundle, rubric = audit.bundle, audit.rubric
    with store.at_one_moment():
        verdicts = [review.read(Verdict) for review in reviews.latest(store, bundle, "verdict")]
        finals = [review.read(Final) for review in reviews.latest(store, bundle, "final")]
        owns = [review.read(Own) for review in reviews.latest(store, bundle, "own")]
        sample = reviews.newest(store, bundle, ("sample",))
        gold = audit_desk.gold(store, bundle)
    return Reviews(
        verdicts=_by_place(audit, (one for one in verdicts if one.kind != "none")),
        finals={(one.task, one.where, one.question): one for one in finals if one.value is not None},
        owns={
            one.task: OwnAnswer(own=one, values=values_of(rubric, one.rating))
            for one in owns
            if one.rating is not None and one.rating.status == "complete"
        },
        sample=sample.read(Sample) if sample is not None else None,
        gold={task: tuple(values_of(rubric, one) for one in ratings) for task, ratings in gold.items()},
    )


def _by_place(audit: Audit, verdicts: Iterable[Verdict]) -> dict[tuple[str, str, str], Verdict]:
    """A verdict on a claim is one on its target, unless the target has its own; being sent back says most."""
    found = {(one.task, one.where, one.rater): one for one in verdicts}
    of_claims = [one for one in found.values() if _CLAIMS in one.where and not _is_place(audit, one)]
    for one in sorted(of_claims, key=lambda one: (one.kind != "returned", one.where)):
        found.setdefault((one.task, one.where.partition(_CLAIMS)[0], one.rater), one)
    return found


def _is_place(audit: Audit, verdict: Verdict) -> bool:
    """Whether it is about a target whose id reads like a claim's."""
    rating = audit.ratings.get((verdict.task, verdict.rater))
    return rating is not None and verdict.where in rating.digest.values


def load_quotes(store: Store, audit: Audit, progress: Progress) -> Quotes:
    """What is rated at each place of every task that somebody rated. Raises `StoreDamaged`."""
    language = audit_desk.language_of(store, audit)
    rated = {task for task, _ in audit.ratings}
    found: Quotes = {}
    for done, task in enumerate(audit.tasks):
        if done % _STEP == 0:
            progress(done, len(audit.tasks))
        if task in rated:
            found[task] = quotes_in(store, audit, task, language)
    return found


def quotes_in(store: Store, audit: Audit, task: str, language: str) -> dict[str, str]:
    """What is rated at each place of one task: where → text. Raises `StoreDamaged`."""
    read = read_struct(read_object(received.text(store, audit.texts[task])), Task)
    return dict(_quotes(Places(read, audit.rubric, language).all))


def _quotes(task: Task) -> Iterator[tuple[str, str]]:
    """Each response behind its targets, and the task at last."""
    whole, *rest = places_of(task)
    starts = {one.id: one.start or 0 for one in task.targets or ()}
    order = {one.id: at for at, one in enumerate(task.responses)}
    rest.sort(
        key=lambda place: (order.get(place.response or "", 0), place.target is None, starts.get(place.target or "", 0))
    )
    for place in (*rest, whole):
        yield where_of(place), _quote(task, place)


def _quote(task: Task, place: Place) -> str:
    target = task.target(place.target) if place.target is not None else None
    if target is not None:
        return target.quote or ""
    response = task.response(place.response) if place.response is not None else None
    return (task.prompt.text if response is None else response.text)[:_LONGEST]
