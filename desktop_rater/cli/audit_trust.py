"""`audit admit`, `audit take-out` and `audit keys`: the lead decides which results and which keys count."""

from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from desktop_rater.audit.results import DecisionKind, ReceivedResults, ResultsDecision
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_writer, status_lines
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, ID, RATER, TEXT, json_option, pick, print_result
from desktop_rater.cli.stored_bundles import writer
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.operations.audit.audit_status import audit_status, decide_rater_key
from desktop_rater.operations.audit.decide_results import (
    copies_after,
    decide_copies,
    decide_rater,
    decide_results,
    find_results,
)
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.store.keys import KeyEvent, KeyEventKind, KeyState, RaterKeyRow, key_states, list_rater_keys

_REVISION = click.IntRange(1, 2**53)
_results_option = click.option(
    "--results",
    "named",
    multiple=True,
    type=TEXT,
    metavar="SHA256",
    help="The results: their SHA-256, or its beginning.",
)
_copies_option = click.option(
    "--copy", "copies", multiple=True, type=_REVISION, metavar="REVISION", help="Or a copy of the bundle: its revision."
)
_reason_option = click.option("--reason", required=True, type=TEXT, help="The reason, for whoever reads the audit.")


@click.command()
@click.argument("bundle", type=ID)
@_results_option
@click.option("--rater", type=RATER, help="Or a rater without a known key: all of the rater's results.")
@_copies_option
@_reason_option
@lead_option
@json_option
@click.pass_obj
def admit(
    folder: Path,
    bundle: str,
    named: tuple[str, ...],
    rater: str | None,
    copies: tuple[int, ...],
    reason: str,
    lead: str | None,
    *,
    as_json: bool,
) -> int:
    """Let results count that wait for the lead's decision, or that were taken out; bring back copies of the bundle.

    Results never change the text or the rubric of a task: ratings of another text still count for nothing. The decision
    is recorded with its reason. Exit status 1 if something else is open.
    """
    if not named and rater is None and not copies:
        raise click.UsageError("Give --results, --rater or --copy.")
    wanted = _Wanted(bundle, named, rater, copies)
    return _decide(folder, wanted, ResultsDecision(kind="admitted", reason=reason), lead, as_json=as_json)


@click.command("take-out")
@click.argument("bundle", type=ID)
@_results_option
@_copies_option
@click.option("--back-to", type=_REVISION, metavar="REVISION", help="Or all copies of later revisions than that.")
@_reason_option
@lead_option
@json_option
@click.pass_obj
def take_out(
    folder: Path,
    bundle: str,
    named: tuple[str, ...],
    copies: tuple[int, ...],
    back_to: int | None,
    reason: str,
    lead: str | None,
    *,
    as_json: bool,
) -> int:
    """Take results out of the audit: they count for nothing and supersede nothing until they are admitted again.

    With --copy or --back-to, put copies of the bundle away: results are compared with the highest revision that is
    left. Nothing is deleted, and the decision is recorded with its reason. Exit status 1 if something else is open.
    """
    if not named and not copies and back_to is None:
        raise click.UsageError("Give --results, --copy or --back-to.")
    decision = ResultsDecision(kind="taken out", reason=reason)
    return _decide(folder, _Wanted(bundle, named, None, copies, back_to), decision, lead, as_json=as_json)


class _Wanted(NamedTuple):
    """Subject of a decision. `back_to`: all copies of later revisions."""

    bundle: str
    results: tuple[str, ...]
    rater: str | None
    copies: tuple[int, ...]
    back_to: int | None = None


def _decide(folder: Path, wanted: _Wanted, decision: ResultsDecision, lead: str | None, *, as_json: bool) -> int:
    who = audit_lead(folder, lead)
    bundle, rater = wanted.bundle, wanted.rater
    command = "audit admit" if decision.kind == "admitted" else "audit take-out"
    with open_results_writer(folder, bundle, command) as store:
        copies = list(wanted.copies)
        if wanted.back_to is not None:
            copies += copies_after(store, bundle, wanted.back_to)
        if copies:
            back = msgspec.structs.replace(decision, kind="none") if decision.kind == "admitted" else decision
            decide_copies(store, bundle, copies, back, who)
        results: list[ReceivedResults] = []
        if wanted.results or rater is not None:
            audit = load_audit(store, bundle)
            results = [find_results(audit, name) for name in wanted.results]
            if results:
                decide_results(store, audit, [entry.sha256 for entry in results], decision, who)
            if rater is not None:
                decide_rater(store, audit, rater, decision, who)
        # Without results and copies, nothing is left to audit.
        status = audit_status(store, bundle) if bundle in audited_bundles(store) else None
    verb = _VERBS[decision.kind]
    lines = [f"{verb}: {entry.sha256[:12]} of {entry.rater}" for entry in results]
    lines += [f"{verb}: all results of {rater}"] if rater is not None else []
    lines += [f"{verb}: the copy of revision {revision:,}" for revision in copies]
    decided = [pick(entry, "sha256", "rater") for entry in results]
    result = {"bundle": bundle, "decided": decided, "rater": rater, "copies": copies, "kind": decision.kind}
    result["status"] = status.plain() if status is not None else None
    lines += status_lines(status) if status is not None else []
    print_result(result, lines, as_json=as_json)
    return EXIT_OK if status is not None and status.whole else EXIT_ATTENTION


_VERBS: dict[DecisionKind, str] = {"admitted": "Admitted", "taken out": "Taken out", "none": "Undecided"}


@click.command()
@click.option("--introduce", metavar="KEY", type=TEXT, help="Let results by this key count: its beginning is enough.")
@click.option("--call-back", metavar="KEY", type=TEXT, help="Let no results by this key count any more.")
@click.option("--reason", type=TEXT, help="The reason, for whoever reads the audit.")
@lead_option
@json_option
@click.pass_obj
def keys(
    folder: Path, introduce: str | None, call_back: str | None, reason: str | None, lead: str | None, *, as_json: bool
) -> int:
    """List the raters' public keys, introduce one, or call one back: exit status 1 if a key waits for the lead.

    The first key of a rater is introduced when it is first seen. A later one counts if an earlier one has signed for it
    (`key --replace`), or if the lead introduces it. A key file that is named to `audit open` is introduced by that.
    """
    if introduce is not None and call_back is not None:
        raise click.UsageError("Give --introduce or --call-back, not both.")
    with writer(folder, "audit keys") as store:
        named = introduce if introduce is not None else call_back
        if named is not None:
            who = audit_lead(folder, lead)
            if reason is None:
                raise click.UsageError("Give --reason: others will read it.")
            row = _find_key(list_rater_keys(store), named)
            kind: KeyEventKind = "introduced" if introduce is not None else "called back"
            event = KeyEvent(rater=row.rater, key=row.key, project="", kind=kind, reason=reason)
            decide_rater_key(store, event, who)
        rows = list_rater_keys(store)
        states = key_states(store)
    listed = [(row, states.get((row.rater, row.key, row.project))) for row in rows]
    plain = [
        {
            **msgspec.to_builtins(row),
            "state": state.kind if state else "waits",
            "by": state.event.by if state else None,
            "reason": _key_reason(state) if state else None,
        }
        for row, state in listed
    ]
    lines = [
        f"{row.rater}: {fingerprint(row.key)} {row.project or 'own'}, "
        + (
            f"{state.kind}{f' by {state.event.by}' if state.event.by and state.kind != 'waits' else ''}: "
            f"{_key_reason(state)}"
            if state
            else "waits for your decision"
        )
        for row, state in listed
    ]
    print_result({"keys": plain}, lines or ["No keys of raters are known."], as_json=as_json)
    return EXIT_ATTENTION if any(state is None or state.kind == "waits" for _, state in listed) else EXIT_OK


def _key_reason(state: KeyState) -> str:
    if state.kind != "waits":
        return state.event.reason
    return f"signed for by {fingerprint(state.event.key)}, which was called back on {state.event.moment[:10]}"


def _find_key(rows: list[RaterKeyRow], named: str) -> RaterKeyRow:
    wanted = named.replace(" ", "").lower()
    matching = {row.key: row for row in rows if wanted and row.key.startswith(wanted)}
    if len(matching) != 1:
        why = "No key begins like that." if not matching else f"{len(matching)} keys begin like that."
        raise RaterError(f"There is no one key {named!r}.", why, "`audit keys` lists them.")
    return next(iter(matching.values()))
