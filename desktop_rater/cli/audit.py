"""Commands of a QA lead: import results, status, sample and verdicts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.audit.items import FLAGS, Flag
from desktop_rater.audit.results import open_cautions
from desktop_rater.audit.sampling import (
    SAMPLING_METHODS,
    STRATIFY_KEYS,
    ReviewSample,
    SampleRequest,
    SamplingMethod,
    StratifyBy,
)
from desktop_rater.audit.status import AuditStatus, RaterState
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    ID,
    INPUT,
    RATER,
    LazyGroup,
    join_names,
    json_option,
    limited_lines,
    pick,
    print_always,
    print_message,
    print_result,
    seed_option,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, existing_reader, record_lead, writer
from desktop_rater.cli.summaries import (
    broken_rule_line,
    broken_rules,
    caution_lines,
    held_line,
    passed_over_line,
    signing_phrase,
)
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.audit_status import audit_status, read_assignment
from desktop_rater.operations.audit.import_results import ImportedResults
from desktop_rater.operations.audit.listed_places import open_results
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.operations.audit.report import draw_sample
from desktop_rater.operations.audit.review import Lead
from desktop_rater.operations.audit.verdicts_file import EffectiveReviews, load_effective_reviews, review_from_file
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.store import Store

lead_option = click.option("--lead", type=RATER, help="The lead's name; default: the name in the settings.")


def audit_lead(folder: Path, option: str | None) -> Lead:
    """Return the lead given by the option, or else by the settings."""
    name = option or configured_settings(folder).rater
    if not name.strip():
        raise click.UsageError("A review needs a name: give --lead.")
    return Lead(name, utc_now)


def open_results_store(folder: Path, bundle: str) -> Store:
    """Open the store with the results, read-only. Raises `NotInStore`."""
    return existing_reader(folder, f"The store has no results of the bundle {bundle!r}.")


def open_results_writer(folder: Path, bundle: str, command: str) -> Store:
    """Open the store with the results for writing. Raises `NotInStore`."""
    open_results_store(folder, bundle).close()
    return writer(folder, command)


@click.command()
@click.argument("bundle", type=ID)
@click.option("--how", type=click.Choice(SAMPLING_METHODS), required=True, help="How to choose the items.")
@click.option("--share", type=float, help="The share of all items, such as 0.1; rounded up.")
@click.option("--by", type=click.Choice(STRATIFY_KEYS), help="stratified: the groups, sampled in proportion.")
@click.option("--flag", "flags", type=click.Choice(FLAGS), multiple=True, help="Only places so marked; repeatable.")
@click.option("--rater", type=RATER, help="Only places of this rater; with --flag, whose rating has the mark.")
@seed_option
@lead_option
@json_option
@click.pass_obj
def sample(
    folder: Path,
    bundle: str,
    how: SamplingMethod,
    share: float | None,
    by: StratifyBy | None,
    seed: int,
    *,
    flags: tuple[Flag, ...],
    rater: str | None,
    lead: str | None,
    as_json: bool,
) -> int:
    """Draw the items to review, and record how: exit status 1 if there was none to draw.

    The same results and the same seed give the same items. The review screen shows them; the last draw counts.
    """
    draw = SampleRequest(how=how, seed=seed, share=share, by=by, flags=flags, rater=rater or "")
    lead_name = audit_lead(folder, lead)
    with open_results_writer(folder, bundle, "audit sample") as store:
        audit = load_audit(store, bundle)
        drawn = draw_sample(store, audit, draw, lead_name, terminal_progress("Drawing")).sample
    places = [{"task": task, "where": where} for task, where in drawn.places]
    result = {"bundle": bundle, **msgspec.to_builtins(drawn), "drawn": len(places), "places": places}
    print_result(result, _sample_lines(drawn), as_json=as_json)
    return EXIT_OK if places else EXIT_ATTENTION


def _sample_lines(drawn: ReviewSample) -> Iterator[str]:
    only = ", ".join(filter(None, (*drawn.flags, drawn.rater and f"rater {drawn.rater}")))
    places = f"places ({only})" if only else "places"
    yield f"{len(drawn.places):,} of {drawn.of:,} {places}, {drawn.how}, seed {drawn.seed}"
    for stratum in drawn.strata:
        yield f"  {stratum.name or 'no label'}: {stratum.drawn:,} of {stratum.places:,}"
    yield from limited_lines([f"{task} {where}" for task, where in drawn.places])


@click.command("open")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=FILE)
@click.option("--lead", type=RATER, help="Your name, for reviews of a bundle that you open; it makes you the QA lead.")
@json_option
@click.pass_obj
def open_(folder: Path, paths: tuple[Path, ...], lead: str | None, *, as_json: bool) -> int:
    """Import results: zips, or folders of them. A bundle among them tells which results to expect.

    Each file is checked from scratch. A damaged or modified one is refused by name, and the others are imported.
    Importing a file twice changes nothing, and the order does not matter. Raters' public keys are imported too: those
    below `keys/` of a folder, as on a hub, and any file that is named.
    """
    record_lead(folder, lead)
    with writer(folder, "audit open") as store:
        imported = open_results(store, paths, lead=lead or "", now=utc_now(), progress=terminal_progress("Opening"))
        bundles = sorted({item.bundle for item in (*imported.took, *imported.copies)})
        statuses = {name: audit_status(store, name) for name in bundles}
    plain = {name: status.plain() for name, status in statuses.items()}
    listed = {**import_json(imported), "passed_over": list(imported.passed_over)}
    print_result({**listed, "bundles": plain}, _import_lines(imported), as_json=as_json)
    for name, status in statuses.items():
        print_always(*(f"{name}: {line}" for line in caution_lines(open_cautions(status.cautions))))
        print_always(*limited_lines([held_line(entry) for entry in status.held if entry.held]))
    for item in imported.refused:
        title = item.title if item.title.endswith(".") else f"{item.title}."
        print_always(f"{item.file}: {' '.join(filter(None, (title, item.message, item.hint)))}")
    print_message(*limited_lines([passed_over_line(name) for name in imported.passed_over]))
    for results in imported.took:
        broken = limited_lines([broken_rule_line(rule) for rule in broken_rules(results.broken)], "broken rules")
        print_message(*(f"{results.file}: {note}" for note in (*limited_lines(results.notes), *broken)))
    for copy in imported.copies:
        print_message(*(f"{copy.file}: {note}" for note in limited_lines(copy.notes)))
    if imported.refused and not imported.took and not imported.copies and not imported.keys:
        return EXIT_REFUSED
    altered = any(item.broken or item.signature == "altered" for item in imported.took)
    preliminary = any(open_cautions(status.cautions) for status in statuses.values())
    return EXIT_ATTENTION if imported.refused or altered or preliminary else EXIT_OK


def import_json(imported: ImportedResults) -> dict[str, Any]:
    """Return the files of an import as plain JSON."""
    fields = ("file", "sha256", "bundle", "rater", "complete", "skipped", "partial", "practice", "known")
    return {
        "results": [
            {**pick(item, *fields), "broken": broken_rules(item.broken), **pick(item, "notes", "signature")}
            for item in imported.took
        ],
        "copies": [pick(item, "file", "bundle", "revision", "tasks", "gold") for item in imported.copies],
        "keys": [pick(item, "file", "rater", "key", "known") for item in imported.keys],
        "refused": [pick(item, "file", "title", "message", "hint") for item in imported.refused],
    }


def _import_lines(imported: ImportedResults) -> list[str]:
    new_results = [results for results in imported.took if not results.known]
    lines = []
    for bundle in sorted({results.bundle for results in new_results}):
        bundle_results = [results for results in new_results if results.bundle == bundle]
        ratings = sum(results.complete + results.skipped for results in bundle_results)
        raters = len({results.rater for results in bundle_results})
        lines.append(f"{bundle}: {len(bundle_results):,} results of {raters:,} raters, {ratings:,} ratings")
    lines += [
        f"{copy.bundle}: the bundle itself, revision {copy.revision}, {copy.tasks:,} tasks, {copy.gold:,} with gold"
        for copy in imported.copies
    ]
    new_keys = sum(not key.known for key in imported.keys)
    if new_keys:
        lines.append(f"Public keys of raters: {new_keys:,}")
    duplicates = len(imported.took) - len(new_results)
    if duplicates:
        lines.append(f"Already in the store: {duplicates:,}")
    if imported.refused:
        lines.append(f"Refused: {len(imported.refused):,}")
    return lines or ["Nothing new was imported."]


@click.command()
@click.argument("bundle", type=ID)
@click.option("--from", "path", type=INPUT, help="Verdicts, decisions and own ratings, one per line.")
@lead_option
@json_option
@click.pass_obj
def verdicts(folder: Path, bundle: str, path: Path | None, lead: str | None, *, as_json: bool) -> int:
    """List the reviews of a bundle's ratings, or import them from a file: exit status 1 if it names unknown ratings.

    One review per line: {"task", "where", "rater", "kind", "reason", "comment"} is a verdict, {"task", "where",
    "question", "value"} a decision, {"task", "own"} the lead's own rating. One malformed line refuses the whole file.
    """
    if path is None:
        with open_results_store(folder, bundle) as store:
            reviews = load_effective_reviews(store, bundle)
        print_result(reviews.plain(), _review_lines(reviews), as_json=as_json)
        return EXIT_OK
    lead_name = audit_lead(folder, lead)
    with open_results_writer(folder, bundle, "audit verdicts") as store:
        result = review_from_file(store, bundle, path, lead_name, terminal_progress("Reviewing"))
    text = (
        f"{result.verdicts:,} verdicts, {result.decisions:,} decisions, {result.own:,} own "
        f"ratings; {result.same:,} already known"
    )
    print_result(pick(result, "verdicts", "decisions", "own", "same", "unknown"), [text], as_json=as_json)
    print_message(*limited_lines([f"Not a current rating, ignored: {rating}" for rating in result.unknown]))
    return EXIT_ATTENTION if result.unknown else EXIT_OK


def _review_lines(reviews: EffectiveReviews) -> Iterator[str]:
    for verdict in reviews.verdicts:
        outdated = ", of an earlier rating" if (verdict.task, verdict.where, verdict.rater) in reviews.outdated else ""
        reason = f", {verdict.reason}" if verdict.reason else ""
        yield f"{verdict.task} {verdict.where}: {verdict.rater}: {verdict.kind}{reason}{outdated}"
    for final in reviews.finals:
        yield f"{final.task} {final.where}: {final.question} is {final.value}"
    for own in reviews.owns:
        yield f"{own.task}: rated by {own.lead}{', blind' if own.blind else ''}"
    if not (reviews.verdicts or reviews.finals or reviews.owns):
        yield "These ratings have not been reviewed yet."


@click.command()
@click.argument("bundle", required=False, type=ID)
@click.option("--assigned", type=INPUT, help="The table of `bundle assign`, to list raters without results as well.")
@click.option("--all", "everything", is_flag=True, help="Name every missing task, and those rated too rarely.")
@json_option
@click.pass_obj
def status(folder: Path, bundle: str | None, assigned: Path | None, *, everything: bool, as_json: bool) -> int:
    """Report if all results of a bundle have arrived: missing ratings per rater, and open items.

    Without BUNDLE, all bundles with results are reported. Exit status 0 if everything has arrived, 1 if something is
    missing or open, or a signature is not valid.
    """
    if assigned is not None and bundle is None:
        raise click.UsageError("--assigned needs BUNDLE.")
    assigned_tasks = read_assignment(assigned) if assigned is not None else None
    store = open_reader(folder) if bundle is None else open_results_store(folder, bundle)
    statuses: list[AuditStatus] = []
    if store is not None:
        with store, store.snapshot_isolation():
            names = [bundle] if bundle is not None else audited_bundles(store)
            statuses = [audit_status(store, name, assigned_tasks) for name in names]
    lines = [line for item in statuses for line in status_lines(item, everything=everything)]
    print_result(
        {"bundles": [item.plain() for item in statuses]}, lines or ["No results were received yet."], as_json=as_json
    )
    doubtful = any(signing.needs_attention for item in statuses for rater in item.raters for signing in rater.signings)
    return EXIT_ATTENTION if doubtful or not all(item.whole for item in statuses) else EXIT_OK


def status_lines(status: AuditStatus, *, everything: bool = False) -> Iterator[str]:
    """Yield a line for the bundle, one for each rater, and a sum of the rest; `everything` names each missing task."""
    title = f" ({status.title})" if status.title != status.bundle else ""
    completeness = "complete" if status.whole else "something is missing or open"
    yield f"{status.bundle}{title}: {status.ratings:,} ratings of {status.tasks:,} tasks, {completeness}"
    for rater in status.raters:
        yield f"  {rater.rater}: {', '.join(_rater_parts(rater, everything=everything))}"
    yield from (f"  {line}" for line in caution_lines(status.cautions))
    yield from (f"    {line}" for line in limited_lines([held_line(entry) for entry in status.held]))
    unrated = sum(not task.ratings for task in status.short)
    if status.short:
        yield f"  Tasks with too few ratings: {len(status.short):,}, without any: {unrated:,}"
    if not everything:
        return
    short = [
        f"{task.task}: {task.ratings:,} ratings"
        + (f", {join_names(task.lacking)} still to rate it" if task.lacking else "")
        for task in status.short
    ]
    yield from (f"    {line}" for line in short)


def _rater_parts(rater: RaterState, *, everything: bool) -> Iterator[str]:
    if not rater.results:
        yield f"no results yet, {rater.due:,} tasks due"
        return
    yield f"{rater.complete:,} complete" + (f" of {rater.due:,}" if rater.due else "")
    if rater.skipped:
        yield f"{rater.skipped:,} skipped"
    if rater.lacks:
        yield f"{rater.lacks:,} missing" + (f" ({', '.join(rater.lacking)})" if rater.lacking and everything else "")
    for count, label in (
        (rater.held, "results that wait for your decision"),
        (len(rater.forked), "tasks with two conflicting ratings"),
        (len(rater.stale), "of an outdated text or rubric"),
        (len(rater.unknown_before), "results that replace missing ones"),
        (rater.earlier, "replaced by newer ones"),
        (rater.reworked, "reworked"),
        (rater.unsent, "verdicts to send"),
        (len(rater.out), "sent back and still out"),
        (len(rater.strange), "that were not assigned"),
    ):
        if count:
            yield f"{count:,} {label}"
    if rater.signing is not None and rater.signing.kind != "unsigned":
        yield signing_phrase(rater.signing)
    for applies, label in ((rater.model, "a model"), (rater.practice, "practice"), (rater.partial, "partial")):
        if applies:
            yield label


# Modules of the commands, in the order of work.
COMMANDS = {
    "Commands": {
        "open": "audit:open_",
        "status": "audit:status",
        "sample": "audit:sample",
        "admit": "audit_results:admit",
        "take-out": "audit_results:take_out",
        "keys": "audit_results:keys",
        "verdicts": "audit:verdicts",
        "report": "audit_report:report",
        "tables": "audit_results:tables",
        "return": "audit_results:return_",
        "adjudicate": "audit_results:adjudicate",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS)
def audit() -> None:
    """Audit completed bundles: import results, compare raters, send tasks back, decide.

    Works without a network. Everything is saved in the store, next to the user's own ratings.
    """
