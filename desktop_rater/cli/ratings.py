"""Commands for ratings and results: progress, import, export and conversion."""

import os
from contextlib import nullcontext
from pathlib import Path

import click

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    INPUT,
    OUTPUT,
    RATER,
    ExtensibleGroup,
    join_names,
    json_option,
    limited_lines,
    max_listed,
    pick,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import existing_reader, existing_writer, no_bundle
from desktop_rater.cli.summaries import broken_rule_line, broken_rules
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.convert_results import ResultsConversionOptions, convert_results, convert_to_tables
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.operations.rating import open_task
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.results_tables import TABLES, format_names
from desktop_rater.store.bundles import BundleStatus
from desktop_rater.store.open_store import open_reader


@click.group(cls=ExtensibleGroup)
def results() -> None:
    """Convert results to the formats of other tools."""


@results.command("convert")
@click.option("--to", required=True, type=click.Choice(format_names()), help="The target format.")
@click.option("--out", type=OUTPUT, help="The file to write.")
@click.option("--tables", type=FILE, metavar="FOLDER", help="Instead of --out: related tables, a file for each.")
@click.option("--wide", is_flag=True, help="Tables: a row for each rated item, a column for each question.")
@click.option("--meta", multiple=True, metavar="NAME", help="Tables: only this column of meta; `none`: none.")
@click.option("--texts", is_flag=True, help="Tables: columns with the prompt and the response.")
@click.option("--bom", is_flag=True, help="CSV: begin with a byte order mark, which Excel needs to read UTF-8.")
@click.option("--config", type=OUTPUT, help="argilla, label-studio: the project's configuration; default: next to OUT.")
@click.argument("paths", metavar="RESULTS.zip...", nargs=-1, required=True, type=INPUT)
@json_option
def convert(
    paths: tuple[Path, ...],
    to: str,
    out: Path | None,
    tables: Path | None,
    meta: tuple[str, ...],
    config: Path | None,
    *,
    wide: bool,
    texts: bool,
    bom: bool,
    as_json: bool,
) -> int:
    """Check results, then write their contents to one file, or with --tables to a file for each table.

    Cells of a CSV file that a spreadsheet would execute are prefixed with an apostrophe.
    """
    place = out or tables
    if place is None or (out and tables):
        raise click.UsageError("Give either --out or --tables.")
    converted = (convert_to_tables if tables else convert_results)(
        paths,
        place,
        ResultsConversionOptions(to=to, wide=wide, bom=bom, meta=meta, texts=texts, config=config),
        terminal_progress("Converting"),
    )
    broken = [
        {"results": path.name, **broken_rule}
        for path, checked in zip(paths, converted.checked, strict=True)
        for broken_rule in broken_rules(checked.broken)
    ]
    result = {
        "out": str(place),
        "config": str(converted.config) if converted.config else None,
        "ratings": converted.ratings,
        "rows": converted.rows if to in TABLES else None,
        **({"tables": converted.tables} if tables else {}),
        "raters": sorted({checked.rater for checked in converted.checked}),
        "broken": broken,
    }
    rows = f", {converted.rows:,} rows" if converted.rows else ""
    print_result(
        result, [f"{place}: {converted.ratings:,} ratings of {len(converted.checked):,} results{rows}"], as_json=as_json
    )
    for path, checked in zip(paths, converted.checked, strict=True):
        for note in checked.notes:
            print_message(f"{path.name}: {note}")
        if checked.practice:
            print_message(f"{path.name}: practice results; the gold answers were shown after each task.")
    print_message(*(f"{broken_rule['results']}: {broken_rule_line(broken_rule)}" for broken_rule in broken))
    return EXIT_ATTENTION if broken else EXIT_OK


@click.command()
@click.option("--all", "put_away", is_flag=True, help="Include the bundles that were put away.")
@json_option
@click.pass_obj
def status(folder: Path, *, put_away: bool, as_json: bool) -> int:
    """Show the bundles in the store and their progress."""
    store = open_reader(folder)
    with store or nullcontext():
        everything = open_task.bundle_statuses(store, put_away=True)
    bundles = [bundle for bundle in everything if put_away or not bundle.put_away]
    lines = [
        f"{bundle.id} revision {bundle.revision}, {bundle.title}: {_kind(bundle)}{bundle.tasks:,} tasks, "
        f"{bundle.complete:,} complete, {bundle.incomplete:,} incomplete, {bundle.skipped:,} skipped"
        for bundle in bundles
    ]
    hidden = len(everything) - len(bundles)
    if hidden:
        lines.append(f"{hidden:,} {'is' if hidden == 1 else 'are'} put away; --all lists all.")
    print_result(
        {"bundles": bundles}, lines or ["No bundles yet. Run `desktop-rater import B.zip` to add one."], as_json=as_json
    )
    return EXIT_OK


@click.command()
@click.argument("bundle", type=ID)
@click.option("--from", "path", required=True, type=INPUT, help="Ratings, one per line.")
@click.option("--rater", required=True, type=RATER, help="The rater's name.")
@json_option
@click.pass_obj
def rate(folder: Path, bundle: str, path: Path, rater: str, *, as_json: bool) -> int:
    """Store the ratings of a file as if they were given in the window."""
    with existing_writer(folder, no_bundle(bundle), "rate") as store:
        rated = rate_from_file(store, bundle, path, rater, progress=terminal_progress("Rating"), now=utc_now)
    result = pick(rated, "complete", "incomplete", "skipped", "unknown", "problems")
    lines = [f"{rated.complete:,} complete, {rated.incomplete:,} incomplete, {rated.skipped:,} skipped"]
    lines += [f"  {count:,} × {rule}" for rule, count in rated.problems.items()]
    print_result(result, lines, as_json=as_json)
    if rated.unknown:
        print_message(f"Not in the bundle, and not stored: {join_names(rated.unknown)}")
    return EXIT_ATTENTION if rated.unknown or rated.blocked else EXIT_OK


@click.command()
@click.argument("bundle", type=ID)
@click.option("--rater", required=True, type=RATER, help="The rater's name.")
@click.option("--out", required=True, type=OUTPUT, help="The zip to write.")
@click.option("--partial", is_flag=True, help="Export complete and skipped tasks, even if others are open.")
@click.option(
    "--revision",
    type=click.IntRange(min=1),
    help="A revision of the bundle, as it was rated; default: the current.",
)
@json_option
@click.pass_obj
def export(
    folder: Path, bundle: str, rater: str, out: Path, *, partial: bool, revision: int | None, as_json: bool
) -> int:
    """Export the rater's results of a bundle, if nothing blocks. They are signed if the rater has a signing key."""
    signer = open_rater_keys(folder, os.environ).for_use(rater, make=False)
    missing = no_bundle(bundle)
    can_write = os.access(folder, os.W_OK)  # not on a read-only disk, from which finished work can be taken
    with existing_writer(folder, missing, "export") if can_write else existing_reader(folder, missing) as store:
        exported = export_results(
            store,
            bundle,
            rater,
            out,
            progress=terminal_progress("Exporting"),
            partial=partial,
            key=signer.key,
            revision=revision,
        )
    result = {
        "written": exported.written,
        "out": str(out) if exported.written else None,
        "sha256": exported.sha256 or None,
        "complete": exported.complete,
        "skipped": exported.skipped,
        "stays": [
            {
                **pick(unexported, "task", "why"),
                "problems": [pick(problem, "rule", "where", "message") for problem in unexported.problems],
            }
            for unexported in exported.stays
        ],
        "altered": exported.altered,
        "key": exported.key or None,
    }
    signed = f", signed with the key {fingerprint(exported.key)}" if exported.key else ""
    text = f"{out}: {exported.complete:,} complete, {exported.skipped:,} skipped{signed}"
    print_result(result, [text if exported.written else "Nothing was exported."], as_json=as_json)
    most = max_listed(len(exported.stays))
    for unexported in exported.stays[:most]:
        print_message(f"{unexported.task}: {unexported.why}")
        problems = unexported.problems[: max_listed(len(unexported.problems))]
        print_message(*(f"  {problem.where}: {problem.rule}: {problem.message}" for problem in problems))
    if len(exported.stays) > most:
        print_message(f"… and {len(exported.stays) - most:,} more tasks")
    reason = "was modified since it was stored, and is not included in the results."
    print_message(*limited_lines([f"The stored page {sha256} {reason}" for sha256 in exported.altered]))
    if exported.written and not can_write:
        print_message(f"{folder} can't be written, so the export is not recorded: later results will not follow these.")
    if exported.written and (signer.locked or signer.failed):
        print_message(f"Not signed: {signer.why}")
    return EXIT_OK if exported.written and not (exported.stays or exported.altered) else EXIT_ATTENTION


def _kind(bundle: BundleStatus) -> str:
    if bundle.put_away:
        return "put away, "
    return f"sent back, round {bundle.round:,}, " if bundle.round else "practice, " if bundle.practice else ""
