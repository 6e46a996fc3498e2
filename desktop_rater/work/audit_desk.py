"""What a QA lead works on: all that counts of a bundle's results, and one task with all that is said of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from desktop_rater.audit.apart import apart
from desktop_rater.audit.audited_task import AuditedTask, Earlier, OfRater
from desktop_rater.audit.filed import Audit
from desktop_rater.audit.following import Following
from desktop_rater.audit.lead_copy import GoldOf, LeadCopy
from desktop_rater.audit.natural import natural
from desktop_rater.audit.signed import signings
from desktop_rater.audit.standing import standing
from desktop_rater.audit.verdicts import Final, Own, Verdict
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.rubric import check
from desktop_rater.store import inbox, rater_keys, received, reviews, signatures
from desktop_rater.store.received import RubricOf
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import rubrics
from desktop_rater.work.as_rated import Places

if TYPE_CHECKING:
    from desktop_rater.audit.filed import Filed, Received
    from desktop_rater.model.rating import Rating
    from desktop_rater.store.store import Store


def audits(store: Store) -> list[str]:
    """The ids of the bundles that have results, or of which the lead has a copy."""
    of_copies = [name for name in reviews.bundles(store) if lead_copy(store, name) is not None]
    return sorted({*received.bundles(store), *of_copies})


def load_audit(store: Store, bundle: str) -> Audit:
    """All that counts of a bundle's results. Raises `NotThere`, `StoreDamaged`, or `RubricError`."""
    with store.at_one_moment():
        arrived = received.listed(store, bundle)
        copy = lead_copy(store, bundle)
        if not arrived and copy is None:
            raise _not_there(store, bundle)
        chosen, others = _rubric_of(received.rubrics(store, bundle), arrived, copy)
        signed = signatures.of_bundle(store, bundle)
        keys = rater_keys.of_raters(store, inbox.collected_from(store, bundle))
        arrived, filed = apart(arrived, received.stream(store, bundle))
    given = {} if copy is None else {name: (copy.revision, text) for name, text in copy.tasks}
    stands = standing(arrived, filed, other_rubric=others, texts=given)
    named = [] if copy is None else [name for name, _ in copy.tasks]
    rest = {one.task for one in filed} - set(named)
    return Audit(
        bundle=bundle,
        title=copy.title if copy is not None and copy.title else bundle,
        rubric=rubrics.of_bundle(chosen.ref, chosen.toml, bundle),
        tasks=(*named, *sorted(rest, key=natural)),
        raters=tuple(sorted({one.rater for one in arrived})),
        models=frozenset(one.rater for one in arrived if one.model),
        ratings=stands.counting,
        received=tuple(arrived),
        forks=stands.forks,
        stale=stands.stale,
        earlier=stands.earlier,
        texts=stands.texts,
        missing=stands.missing,
        signings=signings(arrived, signed, keys),
    )


def load_task(store: Store, bundle: str, task: str, audit: Audit | None = None) -> AuditedTask:
    """One task with all that is said of it; `audit`, where it is loaded already, saves reading it again.

    Raises `NotThere`, `StoreDamaged`, or `RubricError`.
    """
    audit = audit or load_audit(store, bundle)
    if task not in audit.texts:
        raise NotThere(f"There is no task {task!r} in the audit of {bundle!r}.", "Nobody has rated it.")
    copy = lead_copy(store, bundle)
    language = _language(copy, audit)
    line = received.text(store, audit.texts[task])
    places = Places(read_struct(read_object(line), Task), audit.rubric, language)
    forked = {rater for fork in audit.forks if task in fork.tasks for rater in (fork.rater,)}
    found = [
        _of_rater(store, audit, audit.ratings[task, rater], places, forked=rater in forked)
        for rater in audit.raters
        if (task, rater) in audit.ratings
    ]
    return AuditedTask(
        bundle=bundle,
        id=task,
        rubric=audit.rubric,
        task=places.all,
        raters=tuple(found),
        guidelines=copy.guidelines if copy is not None else rubrics.guidelines(audit.rubric.ref),
        language=language,
        verdicts={
            (one.where, one.rater): one
            for one in (review.read(Verdict) for review in reviews.latest(store, bundle, "verdict", task))
            if one.kind != "none"
        },
        own=_own(store, bundle, task),
        finals={
            (one.where, one.question): one
            for one in (review.read(Final) for review in reviews.latest(store, bundle, "final", task))
            if one.value is not None
        },
        gold=gold_of(store, bundle, task),
    )


def language_of(store: Store, audit: Audit) -> str:
    """The bundle's language, by which sentences are cut."""
    return _language(lead_copy(store, audit.bundle), audit)


def _language(copy: LeadCopy | None, audit: Audit) -> str:
    return copy.language if copy is not None else max((one.language for one in audit.received), default="")


def lead_copy(store: Store, bundle: str, revision: int | None = None) -> LeadCopy | None:
    """The bundle itself as the lead has opened it: that revision, or the highest. Raises `StoreDamaged`."""
    copies = [review.read(LeadCopy) for review in reviews.latest(store, bundle, "bundle")]
    return max((one for one in copies if revision in (None, one.revision)), key=lambda one: one.revision, default=None)


def gold(store: Store, bundle: str) -> dict[str, tuple[Rating, ...]]:
    """Task → its gold answers, as the highest revision of the bundle has them. Raises `StoreDamaged`."""
    return _newest_gold(reviews.latest(store, bundle, "gold"))


def gold_of(store: Store, bundle: str, task: str) -> tuple[Rating, ...]:
    """The gold answers of one task."""
    return _newest_gold(reviews.latest(store, bundle, "gold", task)).get(task, ())


def _newest_gold(found: list[reviews.Review]) -> dict[str, tuple[Rating, ...]]:
    newest: dict[str, GoldOf] = {}
    for review in found:
        one, task = review.read(GoldOf), review.subject[1]
        if task not in newest or one.revision > newest[task].revision:
            newest[task] = one
    return {task: one.ratings for task, one in newest.items() if one.ratings}


def _own(store: Store, bundle: str, task: str) -> Own | None:
    review = reviews.newest(store, bundle, ("own", task))
    own = None if review is None else review.read(Own)
    return own if own is not None and own.rating is not None else None


def _rubric_of(
    of_results: dict[str, RubricOf], arrived: list[Received], copy: LeadCopy | None
) -> tuple[RubricOf, frozenset[str]]:
    """The rubric of the bundle's highest revision, of two there that of the bundle itself, else of more raters.

    And the results that were rated by another.
    """
    highest = max((one.revision for one in arrived), default=0)
    if copy is not None and copy.revision >= highest:
        chosen = RubricOf(copy.rubric, copy.rubric_toml)
    else:
        votes = Counter(
            of for of, _ in {(of_results[one.sha256], one.rater) for one in arrived if one.revision == highest}
        )
        chosen = max(votes, key=lambda one: (votes[one], one.ref, one.toml or ""))
    return chosen, frozenset(name for name, one in of_results.items() if one != chosen)


def _of_rater(store: Store, audit: Audit, filed: Filed, places: Places, *, forked: bool) -> OfRater:
    stored = received.get(store, filed.results, filed.task)
    task = places.of(stored.rating)
    before = [one for one in audit.earlier if (one.task, one.rater) == (filed.task, filed.rater)]
    # The revisions of what was sent back begin at 1 again: which came after which is said by what they follow.
    if len(before) > 1:
        following = Following(one for one in audit.received if one.rater == filed.rater)
        before.sort(key=lambda one: (following.depth(one.results), one.revision, one.sha256), reverse=True)
    return OfRater(
        rater=filed.rater,
        filed=filed,
        rating=stored.rating,
        outcome=check(audit.rubric, task, stored.rating),
        task=task,
        history=stored.history,
        earlier=tuple(Earlier(filed=one, rating=received.get(store, one.results, one.task).rating) for one in before),
        model=filed.rater in audit.models,
        forked=forked,
        signing=audit.signings.get(filed.results),
    )


def _not_there(store: Store, bundle: str) -> NotThere:
    known = ", ".join(audits(store)) or "none"
    return NotThere(f"There are no results of a bundle {bundle!r} in the store.", f"With results: {known}.")
