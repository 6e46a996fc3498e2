"""The lead's word on received results and on copies of the bundle: let them count, take them out, undo either."""

from collections.abc import Collection

from msgspec.structs import replace

from desktop_rater.audit.results import Audit, ReceivedResults, ResultsDecision
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.load_audit import copy_states, lead_copies
from desktop_rater.operations.audit.review import Lead, ReviewChange, save_reviews
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import is_blank

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
