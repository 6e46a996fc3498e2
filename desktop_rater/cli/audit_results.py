"""Audit commands on results: admit and take them out, keys, return, adjudicate and tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from desktop_rater.audit.questions import LABEL_METHODS, METHODS_HELP, MODEL_METHODS, LabelMethod
from desktop_rater.audit.results import DecisionKind, ReceivedResults, ResultsDecision
from desktop_rater.cli import summaries
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer, status_lines
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    OUTPUT,
    RATER,
    TEXT,
    json_option,
    limited_lines,
    pick,
    print_always,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, writer
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.adjudicate import (
    ADJUDICATED_RESULTS,
    ADJUDICATION_FORMATS,
    AdjudicationExport,
    AdjudicationOptions,
    adjudicate_results,
)
from desktop_rater.operations.audit.audit_status import audit_status, decide_rater_key
from desktop_rater.operations.audit.convert_results import save_audit_tables
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.operations.audit.review import (
    copies_after,
    decide_copies,
    decide_rater,
    decide_results,
    find_results,
)
from desktop_rater.operations.audit.rework import ReturnedWork, return_all, return_work
from desktop_rater.operations.hub.publish import ReturnedByHub, return_by_hub
from desktop_rater.operations.results_tables import TABLES
from desktop_rater.store.keys import KeyEvent, KeyEventKind, KeyState, RaterKeyRow, key_states, list_rater_keys


@click.command(name="return")
@click.argument("bundle", type=ID)
@click.option("--rater", type=RATER, help="The rater whose work is sent back.")
@click.option("--out", type=OUTPUT, help="The bundle to write for that rater.")
@click.option("--out-dir", type=FILE, help="Or a folder for one bundle per rater.")
@click.option("--hub", is_flag=True, help="Or send it by the hub, with the next sync. Without --rater: to all raters.")
@json_option
@click.pass_obj
def return_(
    folder: Path, bundle: str, rater: str | None, out: Path | None, out_dir: Path | None, *, hub: bool, as_json: bool
) -> int:
    """Write the tasks sent back to a rater as a bundle. Exit status 1: nothing to send back, or not all of it.

    The rater imports it, sees the comments and continues from the earlier answers. The new results replace the earlier
    ones.
    """
    _check_options(rater, out, out_dir, hub=hub)
    progress = terminal_progress("Sending back")
    with open_results_writer(folder, bundle, "audit return") as store:
        by_hub: ReturnedByHub | None = None
        if hub:
            raters = None if rater is None else (rater,)
            by_hub = return_by_hub(store, bundle, raters, progress=progress, now=utc_now)
            returned = by_hub.raters
        elif out_dir is not None:
            returned = return_all(store, bundle, out_dir, progress=progress, now=utc_now).raters
        else:
            assert rater is not None
            assert out is not None
            returned = ((rater, return_work(store, bundle, rater, out, progress=progress, now=utc_now)),)
    _show(returned, by_hub, as_json=as_json, several=rater is None)
    written = [work for _, work in returned if work.rework is not None]
    return EXIT_OK if written and not any(work.waiting for work in written) else EXIT_ATTENTION


def _check_options(rater: str | None, out: Path | None, out_dir: Path | None, *, hub: bool) -> None:
    if hub and (out is not None or out_dir is not None):
        raise click.UsageError("Give --hub without --out and --out-dir: it writes no file.")
    if not hub and out_dir is None and (rater is None or out is None):
        raise click.UsageError("Give --rater and --out, or --out-dir for all raters, or --hub.")
    if out_dir is not None and (rater is not None or out is not None):
        raise click.UsageError("Give --out-dir by itself: it is for all raters.")


def _show(
    returned: tuple[tuple[str, ReturnedWork], ...], by_hub: ReturnedByHub | None, *, as_json: bool, several: bool
) -> None:
    plain = []
    for rater, work in returned:
        plain.append({"rater": rater, **_return_json(work)})
        if by_hub is not None:
            plain[-1] |= {"out": None, "hub": True, "project": by_hub.project, "there": rater in by_hub.there}
    lines = [_return_line(work, rater, by_hub) for rater, work in returned if work.rework is not None or not several]
    lines = lines or ["Nothing was written: there is nothing to send back."]
    print_result({"raters": plain} if several else plain[0], lines, as_json=as_json)
    for rater, work in returned:
        name = f"{rater}, " if several else ""
        reason = "it can be sent back after the other tasks have come back, since its results do not follow these."
        print_message(*limited_lines([f"{name}{task}: {reason}" for task in work.waiting]))
        reason = "it came back unchanged. Change your comment to send it again."
        print_message(*limited_lines([f"{name}{task}: {reason}" for task in work.unchanged]))
        reason = "another rating has replaced it since it was sent back, so it is not sent."
        print_message(*limited_lines([f"{task}, {where}: {reason}" for task, where in work.outdated if not several]))


def _return_json(work: ReturnedWork) -> dict[str, object]:
    rework = work.rework
    identity = {"id": None, "revision": None, "round": None}
    return {
        "written": rework is not None,
        "out": str(work.out) if rework is not None else None,
        **(pick(rework, *identity) if rework is not None else identity),
        "again": work.again,
        "tasks": [comment_task.task for comment_task in rework.tasks] if rework is not None else [],
        "comments": rework.comments if rework is not None else 0,
        **pick(work, "waiting", "unchanged"),
        "outdated": [{"task": task, "where": where} for task, where in work.outdated],
    }


def _return_line(work: ReturnedWork, rater: str, by_hub: ReturnedByHub | None) -> str:
    rework = work.rework
    if rework is None:
        return f"Nothing was written: there is nothing to send back to {rater}."
    tasks = "1 task" if len(rework.tasks) == 1 else f"{len(rework.tasks):,} tasks"
    comments = "1 comment" if rework.comments == 1 else f"{rework.comments:,} comments"
    repeated = ", the same as before" if work.again else ""
    target = str(work.out)
    if by_hub is not None:
        state = "Lies there" if rater in by_hub.there else "Goes there with the next sync"
        target = f"{by_hub.hub_title}: {state} for {rater}"
    separator = "," if by_hub is not None else ":"
    return f"{target}{separator} {tasks} with {comments}, {rework.id} revision {rework.revision}{repeated}"


@click.command()
@click.argument("bundle", type=ID)
@click.option("--out", required=True, type=OUTPUT, help="The file to write.")
@click.option("--to", type=click.Choice(ADJUDICATION_FORMATS), required=True, help="The kind of file.")
@click.option("--rater", type=RATER, help="results: the rater's name; default: the name in the settings.")
@click.option(
    "--by",
    type=click.Choice(LABEL_METHODS),
    default="majority",
    show_default=True,
    help=f"How votes decide. {METHODS_HELP}.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The least probability, or share of the votes, of a final label.",
)
@click.option("--soft", is_flag=True, help="Tables: write the distribution of each answer, a row per value.")
@click.option("--partial", is_flag=True, help="Write what is decided, even if the rest is open.")
@click.option("--bom", is_flag=True, help="CSV: begin with a byte order mark, which Excel needs to read UTF-8.")
@json_option
@click.pass_obj
def adjudicate(
    folder: Path,
    bundle: str,
    out: Path,
    to: str,
    rater: str | None,
    by: LabelMethod,
    threshold: float,
    *,
    soft: bool,
    partial: bool,
    bom: bool,
    as_json: bool,
) -> int:
    """Write one final label for each item, and its origin: the lead, or the votes of the raters.

    By default more than half of the votes decide. Exit status 1 while something is open: then nothing is written, or
    with --partial what is decided, and tables mark the rest as open; also if results wait for the lead's decision, were
    admitted without the rater's signature, or conflict. Results contain only whole ratings that match all decisions; a
    task without such a rating is left out and listed.
    """
    name = rater or configured_settings(folder).rater
    if to == ADJUDICATED_RESULTS and not name.strip():
        raise click.UsageError("The results need a rater: give --rater.")
    if soft and to == ADJUDICATED_RESULTS:
        raise click.UsageError("Give --soft with a table: results hold one answer to each question.")
    options = AdjudicationOptions(to=to, rater=name, partial=partial, by=by, threshold=threshold, soft=soft, bom=bom)
    with open_results_store(folder, bundle) as store:
        adjudication = adjudicate_results(store, bundle, out, options, terminal_progress("Adjudicating"))
    print_result(_adjudicate_as_json(adjudication), _adjudicate_lines(adjudication), as_json=as_json)
    open_items = []
    for item in adjudication.open:
        text = f"Open: {item.task} {item.where}: {item.question}, {item.votes_for:,} against {item.against:,}"
        if item.posterior and item.method in MODEL_METHODS:
            text += f", {item.posterior[0][0]} {item.posterior[0][1]:.3f}"
        open_items.append(text)
    print_message(*limited_lines(open_items))
    print_always(*summaries.caution_lines(adjudication.cautions))
    reason = "no rating matches all decisions and satisfies the rubric, so it is left out."
    print_message(*limited_lines([f"{task}: {reason}" for task in adjudication.stays]))
    unclear = adjudication.open or adjudication.stays or adjudication.is_open
    return EXIT_OK if adjudication.written and not unclear else EXIT_ATTENTION


def _adjudicate_as_json(adjudication: AdjudicationExport) -> dict[str, object]:
    return {
        "written": adjudication.written,
        "out": str(adjudication.out) if adjudication.written else None,
        "sha256": adjudication.sha256 or None,
        "by": adjudication.by,
        **pick(adjudication, "decided", "ratings"),
        "open": [
            {**pick(item, "task", "where", "question"), "for": item.votes_for, "against": item.against}
            for item in adjudication.open
        ],
        "stays": adjudication.stays,
        "cautions": msgspec.to_builtins(adjudication.cautions),
    }


def _adjudicate_lines(adjudication: AdjudicationExport) -> Iterator[str]:
    yield (
        f"{adjudication.out}: {adjudication.decided:,} decided"
        if adjudication.written
        else f"Nothing was written: {_why_not(adjudication)}"
    )
    if adjudication.ratings:
        yield f"  {adjudication.ratings:,} ratings"
    if adjudication.open:
        yield f"Open: {len(adjudication.open):,}"


def _why_not(adjudication: AdjudicationExport) -> str:
    if adjudication.open:
        return "something is open. Decide it, or write the rest with --partial."
    if adjudication.stays:
        return "no rating matches all decisions."
    return "there are no answers yet."


@click.command()
@click.argument("bundle", type=ID)
@click.option("--to", type=click.Choice(tuple(TABLES)), default="csv", show_default=True, help="The format.")
@click.option("--out", "place", metavar="DIR", type=FILE, required=True, help="A folder for the files.")
@json_option
@click.pass_obj
def tables(folder: Path, bundle: str, to: str, place: Path, *, as_json: bool) -> int:
    """Write the ratings that count as related tables: tasks, targets, ratings, evidence and raters.

    The tables join by bundle, revision and task; tasks has a column for each of the tasks' meta.
    """
    with open_results_store(folder, bundle) as store:
        counts = save_audit_tables(store, bundle, place, to, terminal_progress("Writing tables"))
    lines = [f"{place / name}.{to}: {count:,} rows" for name, count in counts.items()]
    print_result({"out": str(place), "tables": counts}, lines, as_json=as_json)
    return EXIT_OK


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
