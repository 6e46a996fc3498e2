"""Load an audit: the effective results of a bundle, and single tasks with all their ratings and reviews."""

from collections.abc import Collection
from functools import cached_property

from msgspec.structs import replace

from desktop_rater.audit.effective_ratings import SupersedeGraph
from desktop_rater.audit.quarantine import AuditEvidence, LeadDecisions, count_results
from desktop_rater.audit.results import (
    Audit,
    AuditedTask,
    Caution,
    CopyState,
    LeadCopy,
    LeadDecision,
    LeadRating,
    RaterOnTask,
    ReceivedRating,
    ResultsDecision,
    TaskGold,
    Verdict,
    results_signatures,
    separate_models,
)
from desktop_rater.audit.status import natural_key
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct, sha256
from desktop_rater.format.targets import PreparedTask, prepare_task, split_as_before
from desktop_rater.format.task import RATER_KEYS, Target, Task
from desktop_rater.operations import rubrics
from desktop_rater.rubric import Rubric, check_rating
from desktop_rater.rubric.check import SharedParts
from desktop_rater.rubric.suggest import rubric_for_model
from desktop_rater.store import mailbox, received, reviews
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.keys import known_keys, signatures_of_bundle
from desktop_rater.store.snapshots import find_pictures
from desktop_rater.store.store import Store


class TargetPlacements:
    """Placements of one task's targets, computed once for all of its ratings. `lang`: the bundle's language."""

    def __init__(self, task: Task, rubric: Rubric, lang: str) -> None:
        self._task = task
        self._rubric = rubric
        self._lang = lang

    def of(self, rating: Rating) -> Task:
        """Return the task with the targets that are placed exactly and those the rating refers to.

        Approximate placement was the importer's choice; the rating shows it.
        """
        exact = self._exact
        if self._is_earlier(rating):
            return replace(self._task, targets=self._earlier)
        if not exact.unplaced:
            return exact.task or self._task
        certain = {target.id for target in (exact.task.targets if exact.task else None) or ()}
        names = certain | rating.answers.targets.keys() | rating.claims.keys()
        return self._with(frozenset(names & self._close.keys()))

    def all_for(self, rated: Collection[str]) -> Task:
        """Return the task with every target that can be placed, exactly or approximately.

        `rated`: targets that ratings answer. Those made of sentences by earlier versions are included.
        """
        task = self._with(frozenset(self._close)) if self._exact.unplaced else self._exact.task or self._task
        missing = set(rated) - _names(task)
        earlier = [target for target in self._earlier if target.id in missing] if missing else []
        if not earlier:
            return task
        order = {response.id: index for index, response in enumerate(task.responses)}
        targets = sorted(
            (*(task.targets or ()), *earlier), key=lambda target: (order[target.response or ""], target.start or 0)
        )
        return replace(task, targets=tuple(targets))

    def _is_earlier(self, rating: Rating) -> bool:
        """Return whether a rating answers the sentences that an earlier version made targets of.

        It names one that is none any more; or it is complete, and names none of the parts of what was one sentence.
        """
        if self._task.targets is not None or not self._rubric.per_target:
            return False
        names = _names(self._exact.task or self._task)
        rated = rated_targets(rating)
        if rated <= names and not any("-" in name for name in names):
            return False
        earlier = {target.id for target in self._earlier}
        if not rated <= earlier:
            return False
        return bool(rated - names) or (
            rating.status == "complete" and bool(rated) and rated.isdisjoint(names - earlier)
        )

    @cached_property
    def _earlier(self) -> tuple[Target, ...]:
        splits = self._task.targets is None and self._rubric.per_target and self._exact.task is not None
        return split_as_before(self._task, self._lang) if splits else ()

    def _with(self, names: frozenset[str]) -> Task:
        return replace(self._task, targets=tuple(target for name, target in self._close.items() if name in names))

    @cached_property
    def _exact(self) -> PreparedTask:
        return self._prepared(accept_close=False)

    @cached_property
    def _close(self) -> dict[str, Target]:
        close = self._prepared(accept_close=True).task or self._task
        return {target.id: target for target in close.targets or ()}

    def _prepared(self, *, accept_close: bool) -> PreparedTask:
        return prepare_task(self._task, per_target=self._rubric.per_target, accept_close=accept_close, lang=self._lang)


def rated_targets(rating: Rating) -> set[str]:
    """Return the ids of the targets that a rating answers."""
    return {*rating.answers.targets, *rating.claims}


def rated_in_audit(audit: Audit, task: str) -> set[str]:
    """Return the ids of the targets of a task that its ratings answer."""
    ratings = (audit.ratings[task, rater] for rater in audit.raters if (task, rater) in audit.ratings)
    paths = [path.split("/") for path in {path for rating in ratings for path in rating.places}]
    return {path[1] for path in paths if path[0] == "targets" and len(path) > 1}


def _names(task: Task) -> set[str]:
    return {target.id for target in task.targets or ()}


def audited_bundles(store: Store) -> list[str]:
    """Return the ids of all bundles that have results or a lead's copy."""
    return sorted({*received.bundles_with_results(store), *bundles_with_copies(store)})


def bundles_with_copies(store: Store) -> list[str]:
    """Return the ids of the bundles of which the lead holds a copy. Raises `StoreDamaged`."""
    return [name for name in reviews.bundles_with_reviews(store) if lead_copy(store, name) is not None]


def load_audit(store: Store, bundle: str) -> Audit:
    """Load the effective results of a bundle. Raises `NotInStore`, `StoreDamaged`, or `RubricError`."""
    return load_packed_audit(store, bundle).unpacked()


def load_packed_audit(store: Store, bundle: str, *, digests: bool = True) -> Audit:
    """Load the effective results of a bundle with packed digests, for a window that looks at few of them at a time.

    Without `digests`, they are read from the store, for work that looks at one task after the other.
    Raises as `load_audit` does.
    """
    with store.snapshot_isolation():
        every = received.list_results(store, bundle)
        copies = lead_copies(store, bundle)
        if not every and not copies:
            names = ", ".join(audited_bundles(store)) or "none"
            raise NotInStore(f"The store has no results of the bundle {bundle!r}.", f"Bundles with results: {names}.")
        own_rubrics = received.rubrics_by_results(store, bundle)
        signatures_by_result = signatures_of_bundle(store, bundle)
        keys = known_keys(store, mailbox.projects_of_results(store, bundle))
        decisions = lead_decisions(store, bundle)
        assigned = signed_assignments(store)
        known = (name for copy in copies for task in copy.tasks for name in task)
        every, filed = separate_models(every, received.stream_received(store, bundle, known=known, digests=digests))
    signings = results_signatures(every, signatures_by_result, keys.valid)
    counted = count_results(
        AuditEvidence(
            received=every,
            ratings=filed,
            rubrics=own_rubrics,
            copies=copies,
            signings=signings,
            keys=keys,
            decisions=decisions,
            assigned=assigned,
        )
    )
    copy = copies[-1] if copies else None
    effective = counted.effective
    others = {name: own.ref for name, own in own_rubrics.items() if own != counted.rubric}
    raters = [rating.rater for rating in counted.stale if rating.results in others]
    by_others = Caution("rubric", len(raters), tuple(sorted(set(raters))))
    tasks = [name for name, _ in copy.tasks] if copy is not None else sorted(effective.texts, key=natural_key)
    return Audit(
        bundle=bundle,
        title=copy.title if copy is not None and copy.title else bundle,
        rubric=rubrics.bundle_rubric_of(counted.rubric.ref, counted.rubric.toml, bundle),
        tasks=tuple(tasks),
        raters=tuple(sorted({entry.rater for entry in counted.results})),
        models=frozenset(entry.rater for entry in every if entry.model),
        ratings=effective.counting,
        received=counted.results,
        forks=effective.forks,
        stale=counted.stale,
        earlier=effective.earlier,
        texts=effective.texts,
        missing={name: before for name, before in effective.missing.items() if before not in own_rubrics},
        signings=signings,
        held=counted.held,
        cautions=(*counted.cautions, by_others) if raters and copy is not None else counted.cautions,
        copy=copy,
        raters_from=counted.raters_from,
        other_rubrics=others,
    )


def load_task(store: Store, bundle: str, task: str, audit: Audit | None = None) -> AuditedTask:
    """Load one task with all its ratings and reviews; pass `audit` if it is already loaded.

    Raises `NotInStore`, `StoreDamaged`, or `RubricError`.
    """
    audit = audit or load_audit(store, bundle)
    if task not in audit.texts:
        raise NotInStore(f"The audit of {bundle!r} has no task {task!r}.", "No rater has rated it.")
    copy, language = audit.copy, language_of(audit)
    line = received.task_text(store, audit.texts[task])
    places = TargetPlacements(read_struct(read_json_object(line), Task), audit.rubric, language)
    forked = {rater for fork in audit.forks if task in fork.tasks for rater in (fork.rater,)}
    shared = SharedParts(audit.rubric)
    ratings = [
        _of_rater(store, audit, audit.ratings[task, rater].unpacked(), places, shared, forked=rater in forked)
        for rater in audit.raters
        if (task, rater) in audit.ratings
    ]
    verdicts = [review.read(Verdict) for review in reviews.latest_reviews(store, bundle, "verdict", task)]
    finals = [review.read(LeadDecision) for review in reviews.latest_reviews(store, bundle, "final", task)]
    own_review = reviews.newest_review(store, bundle, ("own", task))
    own = None if own_review is None else own_review.read(LeadRating)
    return AuditedTask(
        bundle=bundle,
        id=task,
        rubric=audit.rubric,
        task=places.all_for({name for entry in ratings for name in rated_targets(entry.rating)}),
        raters=tuple(ratings),
        guidelines=copy.guidelines if copy is not None else rubrics.builtin_guidelines(audit.rubric.ref),
        pictures=find_pictures(store, copy.pictures) if copy is not None else {},
        language=language,
        verdicts={(verdict.where, verdict.rater): verdict for verdict in verdicts if verdict.kind != "none"},
        own=own if own is not None and own.rating is not None else None,
        finals={(final.where, final.question): final for final in finals if final.value is not None},
        gold=task_gold(store, bundle, task),
    )


def language_of(audit: Audit) -> str:
    """Return the bundle's language, used to split sentences."""
    languages = (results.language for results in audit.received)
    return audit.copy.language if audit.copy is not None else max(languages, default="")


def lead_copy(store: Store, bundle: str, revision: int | None = None) -> LeadCopy | None:
    """Return the lead's copy of a bundle, of that revision or the highest. Raises `StoreDamaged`."""
    copies = [copy for copy in lead_copies(store, bundle) if revision in (None, copy.revision)]
    return copies[-1] if copies else None


def lead_copies(store: Store, bundle: str) -> list[LeadCopy]:
    """Return the lead's copies of all revisions of a bundle, the highest last; none that were put away.

    Raises `StoreDamaged`.
    """
    return [state.copy for state in copy_states(store, bundle) if state.decision is None]


def copy_states(store: Store, bundle: str) -> list[CopyState]:
    """Return the lead's copies, those that were put away included, the highest revision last. Raises `StoreDamaged`."""
    decisions = put_away_copies(store, bundle)
    states = [
        CopyState(copy=copy, lead=review.lead, arrived=review.changed, decision=decisions.get(copy.revision))
        for review in reviews.latest_reviews(store, bundle, "bundle")
        for copy in (review.read(LeadCopy),)
    ]
    return sorted(states, key=lambda state: state.copy.revision)


def put_away_copies(store: Store, bundle: str) -> dict[int, ResultsDecision]:
    """Map the revisions of the copies that the lead has put away to that decision. Raises `StoreDamaged`."""
    decided = (
        (int(review.subject[1]), review.read(ResultsDecision))
        for review in reviews.latest_reviews(store, bundle, "copy")
    )
    return {revision: decision for revision, decision in decided if decision.kind == "taken out"}


def signed_assignments(store: Store) -> frozenset[tuple[str, str]]:
    """Return (rater, bundle) of the assignments that the lead has signed, from this store or as seen on hubs.

    Raises `StoreDamaged`.
    """
    published = {
        (review.subject[1], bundle)
        for bundle in reviews.bundles_with_reviews(store)
        for review in reviews.latest_reviews(store, bundle, "assigned")
    }
    return mailbox.signed_assignments(store) | published


def lead_decisions(store: Store, bundle: str) -> LeadDecisions:
    """Return the lead's decisions on results and raters. Raises `StoreDamaged`."""
    by_results, by_rater = (
        {review.subject[1]: review.read(ResultsDecision) for review in reviews.latest_reviews(store, bundle, kind)}
        for kind in ("results", "rater")
    )
    return LeadDecisions(results=by_results, raters=by_rater)


def audit_gold(store: Store, bundle: str) -> dict[str, tuple[Rating, ...]]:
    """Return task → gold answers, from the highest revision of the bundle. Raises `StoreDamaged`."""
    return _newest_gold(gold_of_copies(store, bundle))


def task_gold(store: Store, bundle: str, task: str) -> tuple[Rating, ...]:
    """Return the gold answers of one task."""
    return _newest_gold(gold_of_copies(store, bundle, task)).get(task, ())


def gold_of_copies(store: Store, bundle: str, *task: str) -> list[tuple[str, TaskGold]]:
    """Return each task with the gold of each revision, or those of one task; none of a copy that was put away."""
    away = put_away_copies(store, bundle)
    gold = [
        (review.subject[1], review.read(TaskGold)) for review in reviews.latest_reviews(store, bundle, "gold", *task)
    ]
    return [(name, of_task) for name, of_task in gold if of_task.revision not in away]


def _newest_gold(gold: list[tuple[str, TaskGold]]) -> dict[str, tuple[Rating, ...]]:
    newest: dict[str, TaskGold] = {}
    for task, gold_review in gold:
        if task not in newest or gold_review.revision > newest[task].revision:
            newest[task] = gold_review
    return {task: gold_review.ratings for task, gold_review in newest.items() if gold_review.ratings}


def _of_rater(
    store: Store, audit: Audit, filed: ReceivedRating, places: TargetPlacements, shared: SharedParts, *, forked: bool
) -> RaterOnTask:
    rating, history = received.received_with_history(store, filed.results, filed.task)
    task = places.of(rating)
    earlier = [other for other in audit.earlier if (other.task, other.rater) == (filed.task, filed.rater)]
    # Revisions restart at 1 in returned work, so the order follows the `supersedes` chain.
    if len(earlier) > 1:
        order = SupersedeGraph(results for results in audit.received if results.rater == filed.rater)
        earlier.sort(key=lambda other: (order.depth(other.results), other.revision, other.sha256), reverse=True)
    questions = next((results.questions for results in audit.received if results.sha256 == filed.results), None)
    rubric = rubric_for_model(audit.rubric, questions)
    return RaterOnTask(
        rater=filed.rater,
        received=filed,
        rating=rating,
        outcome=check_rating(rubric, task, rating, shared=shared if rubric is audit.rubric else None),
        task=task,
        history=history,
        earlier=tuple((before, received.received_rating(store, before.results, before.task)) for before in earlier),
        model=filed.rater in audit.models,
        forked=forked,
        signing=audit.signings.get(filed.results),
    )


_MOST = 5_000  # cached lines


def canonical_task_line(line: bytes) -> bytes:
    """Return the text of a task line that ratings are compared by: canonical, without what is of one rater."""
    return canonical_json({name: value for name, value in read_json_object(line).items() if name not in RATER_KEYS})


class AuditTexts:
    """Task texts to be stored; the store ignores those that it has. The hashes of recent lines are cached."""

    def __init__(self) -> None:
        self.pending: dict[str, bytes] = {}  # SHA-256 → canonical line
        self._of_lines: dict[str, str] = {}

    def add(self, line: bytes) -> str:
        """Return the SHA-256 of a task line's canonical text, and queue the text, unless this was just done."""
        key = sha256(line)
        digest = self._of_lines.get(key)
        if digest is None:
            text = canonical_task_line(line)
            digest = sha256(text)
            if len(self._of_lines) >= _MOST:
                self._of_lines.clear()
            self._of_lines[key] = digest
            self.pending[digest] = text
        return digest

    def discard_pending(self) -> None:
        self.pending.clear()
        self._of_lines.clear()
