"""Results, ratings and open items that have arrived for a bundle, per rater."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.results import Audit, CopyState, ResultsDecision
from desktop_rater.audit.status import AuditStatus, bundle_status
from desktop_rater.format.change import NO_CHANGE, Change
from desktop_rater.format.errors import BundleError, RaterError
from desktop_rater.format.jsonl import read_small_text
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.operations.audit.load_audit import (
    audited_bundles,
    copy_states,
    lead_decisions,
    load_packed_audit,
)
from desktop_rater.operations.audit.review import Lead
from desktop_rater.operations.audit.rework import pending_rework
from desktop_rater.store import mailbox, state
from desktop_rater.store.keys import (
    KEYS_FROM_FILES,
    OWN_KEYS,
    KeyEvent,
    KeyStanding,
    decide_key,
    key_states,
    list_rater_keys,
)
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import is_blank, normalised_name, restored_cell

_KEY = "assignment of {}"
_HINT = "Name the table that `bundle assign` has written."


def audit_status(store: Store, bundle: str, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of an audit. Raises `NotInStore`, `StoreDamaged`, or `RubricError`."""
    with store.snapshot_isolation():
        return status_of(store, load_packed_audit(store, bundle, digests=False), assigned)


def status_of(store: Store, audit: Audit, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of a loaded audit; by default with the stored assignment. Raises `StoreDamaged`."""
    assigned = assigned if assigned is not None else stored_assignment(store, audit.bundle)
    status = bundle_status(audit, known=audit.tasks if audit.copy is not None else None, assigned=assigned)
    rework = {entry.rater: entry for entry in pending_rework(store, audit)}
    raters = (
        replace(entry, unsent=rework[entry.rater].unsent, out=rework[entry.rater].out)
        if entry.rater in rework
        else entry
        for entry in status.raters
    )
    return replace(status, raters=tuple(raters))


def stored_assignment(store: Store, bundle: str) -> dict[str, list[str]] | None:
    """Return rater → tasks as the lead gave it; `None` if there is none, or it can't be read."""
    try:
        given = state.get_state(store, _KEY.format(bundle))
        return None if given is None else msgspec.convert(given, prepared_type(dict[str, list[str]]))
    except msgspec.ValidationError:
        return None


def store_assignment(store: Store, bundle: str, path: Path) -> Change:
    """Keep the table of who rates what, by which missing ratings are counted. Raises `BundleError`, `StoreError`."""
    state.put_state(store, _KEY.format(bundle), read_assignment(path))
    return Change(audits=frozenset({bundle}))


def read_assignment(path: Path) -> dict[str, list[str]]:
    """Read rater → tasks from a table as written by `bundle assign` (columns task, rater). Raises `BundleError`."""
    rows = csv.reader(io.StringIO(read_small_text(path), newline=""), strict=True)
    tasks_by_rater: dict[str, list[str]] = {}
    try:
        head = next(rows, [])
        if not {"task", "rater"} <= set(head):
            raise BundleError(f"{path.name} is no assignment", "Its columns are not task, rater, bundle.", _HINT)
        task, rater = head.index("task"), head.index("rater")
        for row in rows:
            if len(row) != len(head):
                why = f"line {rows.line_num}: it has {len(row):,} cells, and the first line has {len(head):,}."
                raise BundleError(f"{path.name} can't be used", why, _HINT)
            name = normalised_name(restored_cell(row[rater]))
            tasks_by_rater.setdefault(name, []).append(restored_cell(row[task]))
    except csv.Error as error:
        raise BundleError(f"{path.name} can't be used", f"line {rows.line_num}: {error}.", _HINT) from error
    return {rater: list(dict.fromkeys(tasks)) for rater, tasks in tasks_by_rater.items()}


_ROLE_KEY = "role was asked"


def lead_start(store: Store) -> tuple[Sequence[str], bool]:
    """Return the audits of a store, which may have no tasks to rate, and whether its user has named a role."""
    return audited_bundles(store), bool(state.get_state(store, _ROLE_KEY))


def record_role_answer(store: Store) -> Change:
    """Record that the user was asked for the role. Raises `StoreError`."""
    state.put_state(store, _ROLE_KEY, value=True)
    return NO_CHANGE


class RaterKeyState(msgspec.Struct, frozen=True, kw_only=True):
    """A public key of a rater, when it was first seen, and the last decision on it: who made it, when, and why.

    `introducer`: of a key that waits, the key that has signed for it and was called back.
    """

    rater: str
    key: str
    seen: str
    kind: KeyStanding = "waits"
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
    projects = mailbox.projects_of_results(store, bundle)
    scope = {KEYS_FROM_FILES, *projects}
    rows = [row for row in list_rater_keys(store) if row.project != OWN_KEYS and (not projects or row.project in scope)]
    last = key_states(store)
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
    if not any(row.key == event.key for row in list_rater_keys(store, event.rater)):
        raise RaterError("Nothing was decided.", f"No such key of {event.rater} has been seen.")
    decide_key(store, msgspec.structs.replace(event, by=lead.name), now=lead.now())
    return Change(audits=frozenset(audited_bundles(store)))
