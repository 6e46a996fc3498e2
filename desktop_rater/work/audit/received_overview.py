"""Overview of an audit for deciding which results count: its state, the keys of its raters, earlier decisions."""

from collections.abc import Mapping

import msgspec

from desktop_rater.audit.results import Audit, CopyState, ResultsDecision
from desktop_rater.audit.status import AuditStatus
from desktop_rater.model.change import Change
from desktop_rater.model.errors import RaterError
from desktop_rater.store import inbox, rater_keys
from desktop_rater.store.rater_keys import OWN_KEYS, KeyEvent
from desktop_rater.store.store import Store
from desktop_rater.text.unseen_characters import is_blank
from desktop_rater.work.audit.audit_status import status_of
from desktop_rater.work.audit.load_audit import audited_bundles, copy_states, lead_decisions, load_packed_audit
from desktop_rater.work.audit.review import Lead


class RaterKeyState(msgspec.Struct, frozen=True, kw_only=True):
    """A public key of a rater, when it was first seen, and the last decision on it: who made it, when, and why.

    `introducer`: of a key that waits, the key that has signed for it and was called back.
    """

    rater: str
    key: str
    seen: str
    kind: rater_keys.KeyStanding = "waits"
    introducer: str = ""
    by: str = ""
    decided: str = ""
    reason: str = ""


class ReceivedOverview(msgspec.Struct, frozen=True, kw_only=True):
    """An audit and its state, with the keys of its raters, the decisions on whole raters, and the lead's copies."""

    audit: Audit
    status: AuditStatus
    keys: tuple[RaterKeyState, ...] = ()
    raters: Mapping[str, ResultsDecision] = {}
    copies: tuple[CopyState, ...] = ()


def received_overview(store: Store, bundle: str) -> ReceivedOverview:
    """Load the overview of a bundle's results. Raises `NotInStore`, `StoreDamaged`, or `RubricError`."""
    with store.snapshot_isolation():
        audit = load_packed_audit(store, bundle)
        status = status_of(store, audit)
        people = {rater.rater for rater in status.raters if not rater.model}
        keys = tuple(state for state in _key_states(store, bundle) if state.rater in people)
        decisions = lead_decisions(store, bundle).raters
        copies = tuple(copy_states(store, bundle))
    admitted = {rater: decision for rater, decision in decisions.items() if decision.kind == "admitted"}
    return ReceivedOverview(audit=audit, status=status, keys=keys, raters=admitted, copies=copies)


def _key_states(store: Store, bundle: str) -> list[RaterKeyState]:
    """Return the keys seen where results of the bundle came from; each once, even if it was seen in several places."""
    projects = inbox.projects_of_results(store, bundle)
    scope = {rater_keys.KEYS_FROM_FILES, *projects}
    rows = [
        row
        for row in rater_keys.list_rater_keys(store)
        if row.project != OWN_KEYS and (not projects or row.project in scope)
    ]
    last = rater_keys.key_states(store)
    states: dict[tuple[str, str], RaterKeyState] = {}
    for row in rows:
        known = last.get((row.rater, row.key, row.project))
        state = RaterKeyState(rater=row.rater, key=row.key, seen=row.seen)
        if known is not None:
            event = known.event
            introducer = event.key if known.kind == "waits" else ""
            state = msgspec.structs.replace(
                state, kind=known.kind, introducer=introducer, by=event.by, decided=event.moment, reason=event.reason
            )
        before = states.get((row.rater, row.key))
        # One that is introduced anywhere is valid.
        if before is None or (before.kind, state.kind) == ("waits", "called back") or state.kind == "introduced":
            states[row.rater, row.key] = state
    return list(states.values())


def decide_rater_key(store: Store, event: KeyEvent, lead: Lead) -> Change:
    """Introduce or call back a rater's key. Raises `RaterError` without a reason, a name, or such a key."""
    if is_blank(event.reason):
        raise RaterError("Nothing was decided.", "The decision has no reason.", "Give a reason: others will read it.")
    if not lead.name.strip():
        raise RaterError("Nothing was decided.", "The name of the lead is missing.", "Enter your name in the settings.")
    if not any(row.key == event.key for row in rater_keys.list_rater_keys(store, event.rater)):
        raise RaterError("Nothing was decided.", f"No such key of {event.rater} has been seen.")
    rater_keys.decide_key(store, msgspec.structs.replace(event, by=lead.name), now=lead.now())
    return Change(audits=frozenset(audited_bundles(store)))
