"""Commands that back up, restore, examine and repair the store, and check results."""

from collections.abc import Iterator
from os.path import realpath
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.audit.results import is_known_key as is_known
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    INPUT,
    OUTPUT,
    json_option,
    pick,
    print_json,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import existing_writer
from desktop_rater.cli.summaries import broken_rule_line, known_keys, signature_json, signature_line
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.schemas import SCHEMAS, json_schema
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.import_bundle import rubric_of_bundle
from desktop_rater.operations.rubrics import find_rubric
from desktop_rater.operations.store.backup import back_up, check_store, export_backup, find_backup, restore_backup
from desktop_rater.operations.store.salvage import join_store, salvage_in_place, salvage_to
from desktop_rater.store import backups
from desktop_rater.store.backups import Backup
from desktop_rater.store.doctor import NOT_OPENED, DoctorFinding, DoctorReport
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.store import Store

_GOOD = {True: "good", False: "NOT GOOD", None: "not checked"}


@click.command()
@click.option("--out", type=OUTPUT, help="Write one zip file, including the stored pages.")
@click.option("--list", "only_list", is_flag=True, help="List the existing backups and check them.")
@json_option
@click.pass_obj
def backup(folder: Path, out: Path | None, *, only_list: bool, as_json: bool) -> int:
    """Back up the store, also while a window is open. The last five good backups are kept."""
    if only_list:
        return _list(folder, as_json=as_json)
    store = open_reader(folder)
    if store is None:
        raise NotInStore(f"There is no store in {folder}.", "There is nothing to back up.")
    with store:
        if out is not None:
            return _write_out(store, out, as_json=as_json)
        made = back_up(store, now=utc_now, progress=terminal_progress("Backing up"))
    assert made is not None, "a backup was requested"
    print_result(_backup_json(made), [f"{made.path}: {_description(made)}"], as_json=as_json)
    return EXIT_OK


def _write_out(store: Store, out: Path, *, as_json: bool) -> int:
    written = export_backup(store, out, now=utc_now, progress=terminal_progress("Backing up"))
    size = f", {_megabytes(written.size)}" if written.size else ""
    text = f"{out}: {written.ratings:,} revisions, {written.pages:,} stored pages{size}"
    result = {"out": str(out), **pick(written, "ratings", "pages", "size", "left_out")}
    print_result(result, [text], as_json=as_json)
    print_message(*(f"Left out: the content of {name} does not match its name." for name in written.left_out))
    return EXIT_ATTENTION if written.left_out else EXIT_OK


def _list(folder: Path, *, as_json: bool) -> int:
    progress = terminal_progress("Reading")
    copies = backups.list_backups(folder, check_cancelled=lambda: progress(0, 0))
    lines = [f"{copy.path.name}  {copy.made}  {_description(copy)}, {_GOOD[copy.good]}" for copy in copies]
    print_result([_backup_json(copy) for copy in copies], lines or ["There is no backup."], as_json=as_json)
    return EXIT_ATTENTION if any(copy.good is False for copy in copies) else EXIT_OK


@click.command()
@click.argument("backup", required=False, metavar="[BACKUP]")
@click.option("--join", is_flag=True, help="Add what BACKUP has and the store lacks, and replace nothing.")
@json_option
@click.pass_obj
def restore(folder: Path, backup: str | None, *, join: bool, as_json: bool) -> int:
    """Replace the store with a backup; the old store is set aside.

    BACKUP is a file, or the beginning of a name listed by `backup --list`; default: the newest good one.
    With --join it may also be the folder of another store.
    """
    if join:
        source = Path(backup) if backup and Path(backup).is_dir() else find_backup(folder, backup)
        return _join(folder, source, as_json=as_json)
    source = find_backup(folder, backup)
    restored = restore_backup(folder, source, command="restore", now=utc_now, progress=terminal_progress("Restoring"))
    lines = [f"{folder}: restored from {source.name}, {restored.ratings:,} revisions"]
    if restored.replaced is not None:
        lines.append(f"The replaced store is in {restored.replaced}.")
    result = {
        "restored": str(source),
        "ratings": restored.ratings,
        "replaced": restored.replaced and str(restored.replaced),
        "backed_up": restored.backed_up and str(restored.backed_up),
    }
    print_result(result, lines, as_json=as_json)
    if restored.not_backed_up:
        print_message(f"The replaced store could not be backed up first: {restored.not_backed_up}")
    return EXIT_OK


def _join(folder: Path, source: Path, *, as_json: bool) -> int:
    with existing_writer(folder, "There is nothing to join it to.", "restore --join") as store:
        joined = join_store(store, source, progress=terminal_progress("Joining"))
    lines = [f"{folder}: added {joined.revisions:,} revisions and {joined.reviews:,} reviews of {source}"]
    lines += [f"Continued in both, to be reviewed: {name}. The added revisions come last." for name in joined.conflicts]
    lines += [f"Does not match its SHA-256, and was not added: {joined.damaged:,} rows"] * bool(joined.damaged)
    lines += [f"Only in the other store: {note}" for note in joined.notes]
    result = {"joined": str(source), **pick(joined, "revisions", "reviews", "conflicts", "damaged", "notes")}
    print_result(result, lines, as_json=as_json)
    return EXIT_ATTENTION if joined.conflicts or joined.damaged or joined.notes else EXIT_OK


def _backup_json(copy: Backup) -> dict[str, Any]:
    fields = pick(copy, "made", "version", "ratings", "size", "good")
    return {"name": copy.path.name, "path": str(copy.path), **fields}


def _description(copy: Backup) -> str:
    ratings = "contents unknown" if copy.ratings is None else f"{copy.ratings:,} revisions"
    return f"{ratings}, {_megabytes(copy.size)}"


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


@click.command()
@click.option(
    "--salvage",
    type=FILE,
    metavar="FOLDER",
    help="Recover a damaged store in a new one there: the newest good backup, and the journal.",
)
@json_option
@click.pass_obj
def doctor(folder: Path, salvage: Path | None, *, as_json: bool) -> int:
    """Examine the store. Faults mean that it is damaged; notes are for information."""
    if salvage is not None:
        return _salvage(folder, salvage, as_json=as_json)
    report = check_store(folder, terminal_progress("Examining"))
    result = {"store": str(folder), "faults": report.faults, "notes": report.notes}
    print_result(result, _report_lines(folder, report), as_json=as_json)
    return EXIT_ATTENTION if report.faults else EXIT_OK


def _report_lines(folder: Path, report: DoctorReport) -> Iterator[str]:
    yield from _group("Faults", report.faults)
    yield from _group("Notes", report.notes)
    examined = all(finding.check != NOT_OPENED for finding in report.faults)
    yield f"{folder}: {('not sound' if report.faults else 'sound') if examined else 'not examined'}"
    if report.faults and examined:
        yield ("Recover it from the newest backup and the journal with `doctor --salvage FOLDER`.")


def _group(name: str, findings: tuple[DoctorFinding, ...]) -> Iterator[str]:
    if findings:
        width = max(len(finding.check) for finding in findings)
        yield name
        yield from (f"  {finding.check:{width}}  {finding.text}" for finding in findings)
        yield ""


def _salvage(folder: Path, out: Path, *, as_json: bool) -> int:
    progress = terminal_progress("Recovering")
    if realpath(out) == realpath(folder):
        saved = salvage_in_place(folder, now=utc_now(), progress=progress)
    else:
        saved = salvage_to(folder, out, now=utc_now(), progress=progress)
    contents = f"{saved.revisions:,} revisions, {saved.tasks:,} tasks of {saved.bundles} bundles"
    lines = [
        f"{saved.store}: {contents}, {saved.snapshots:,} stored pages",
        f"Of these, {saved.joined:,} revisions and {saved.reviews:,} reviews came after {saved.backup or 'the start'}.",
    ]
    if saved.aside is not None:
        lines.append(f"The damaged files are in {saved.aside}.")
    lines += [f"Lost: {item}" for item in saved.lost]
    lines.append(f"This report is saved in {saved.report}.")
    print_result(msgspec.to_builtins(saved, enc_hook=str), lines, as_json=as_json)
    return EXIT_ATTENTION if saved.lost else EXIT_OK


@click.command()
@click.argument("path", metavar="RESULTS.zip", type=INPUT)
@click.option("--bundle", type=INPUT, help="The bundle they answer: its rubric counts.")
@click.option("--rubric", metavar="RUBRIC", help="The rubric that counts: a TOML file or a built-in id.")
@json_option
@click.pass_obj
def check(folder: Path, path: Path, *, bundle: Path | None, rubric: str | None, as_json: bool) -> int:
    """Check results from scratch: hashes, schema, snapshots, the signature and every rule again.

    Results by a built-in rubric need no other file. A rubric that only the
    results bring proves nothing: name it, or the bundle. If there is a store,
    the signature is compared with the rater's keys in it.
    """
    if bundle is not None and rubric is not None:
        raise click.UsageError("Name the bundle or the rubric, not both.")
    named = None
    if bundle is not None:
        with open_bundle(bundle) as opened:
            named = bundle.name, rubric_of_bundle(opened, bundle)
    elif rubric is not None:
        named = rubric, find_rubric(rubric)
    checked = check_results(path, terminal_progress("Checking"), named)
    broken = [
        {"task": task, **pick(problem, "rule", "level", "where", "message")}
        for task, problems in checked.broken
        for problem in problems
    ]
    rubric_id, _, version = checked.rubric.rpartition("@")
    source = checked.rubric_source
    signature = checked.signature
    is_known_key = is_known(signature, known_keys(folder, checked.rater)) if signature.state == "signed" else None
    result = {
        **pick(checked, "bundle", "revision", "rater", "complete", "skipped", "partial", "practice"),
        "broken": broken,
        "notes": checked.notes,
        "rubric": {"id": rubric_id, "version": int(version), "sha256": checked.rubric_sha256, "source": source},
        "signature": signature_json(signature, checked.rater, is_known_key),
    }
    heading = f"{checked.bundle} revision {checked.revision} by {checked.rater}"
    practice = "practice, " if checked.practice else ""
    counts = f"{practice}{checked.complete:,} complete, {checked.skipped:,} skipped"
    verdict = "good" if source != "results" else "good only by its own rubric"
    verdict = "altered" if signature.state == "altered" else "a rule is broken" if broken else verdict
    origin = {"built-in": "built in", "named": "as named", "results": "of the results alone"}[source]
    print_result(
        result,
        [
            f"{heading}: {counts}, {verdict}",
            signature_line(signature, checked.rater, is_known_key),
            f"Rubric {checked.rubric}, {origin}: SHA-256 {checked.rubric_sha256}",
        ],
        as_json=as_json,
    )
    print_message(*map(broken_rule_line, broken), *checked.notes)
    if source == "results":
        print_message("Name the bundle with --bundle, or the rubric with --rubric, to check by rules that you trust.")
    if signature.state == "altered":
        return EXIT_REFUSED
    return EXIT_ATTENTION if broken or is_known_key is False or source == "results" else EXIT_OK


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
@click.option("--json", is_flag=True, expose_value=False, help="The output is always JSON.")
def schema(name: str) -> int:
    """Print the JSON Schema of a format."""
    print_json(json_schema(name))
    return EXIT_OK
