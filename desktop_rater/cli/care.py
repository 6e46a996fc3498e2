"""Commands that look after the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.cli.answer import DONE, LOOK, json_option, show, terminal_progress
from desktop_rater.model.limits import now
from desktop_rater.store.doctor import NOT_OPENED
from desktop_rater.work.check_store import check_store
from desktop_rater.work.rescue import salvage_in_place, salvage_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.store.report import Finding, Report


@click.command()
@click.option(
    "--salvage",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Save what can be read of a damaged store into a new one there.",
)
@json_option
@click.pass_obj
def doctor(folder: Path, salvage: Path | None, *, as_json: bool) -> int:
    """Examine the store: faults make it unsound, notes are for your information."""
    if salvage is not None:
        return _salvage(folder, salvage, as_json=as_json)
    report = check_store(folder, terminal_progress("Examining"))
    show({"store": str(folder), "faults": report.faults, "notes": report.notes}, _page(folder, report), as_json=as_json)
    return LOOK if report.faults else DONE


def _page(folder: Path, report: Report) -> Iterator[str]:
    """The report to read: what is wrong, then what is good to know, then the sum of it."""
    yield from _group("Faults", report.faults)
    yield from _group("Notes", report.notes)
    examined = all(one.check != NOT_OPENED for one in report.faults)
    yield f"{folder}: {('not sound' if report.faults else 'sound') if examined else 'not examined'}"
    if report.faults and examined:
        yield "Go back to a backup with `restore`, or save what can be read with `doctor --salvage FOLDER`."


def _group(name: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    if findings:
        width = max(len(one.check) for one in findings)
        yield name
        yield from (f"  {one.check:{width}}  {one.text}" for one in findings)
        yield ""


def _salvage(folder: Path, out: Path, *, as_json: bool) -> int:
    progress = terminal_progress("Saving")
    if out.resolve() == folder.resolve():
        saved = salvage_in_place(folder, now=now(), progress=progress)
    else:
        saved = salvage_to(folder, out, now=now(), progress=progress)
    held = f"{saved.revisions:,} revisions, {saved.tasks:,} tasks of {saved.bundles} bundles"
    lines = [f"{saved.store}: {held}, {saved.snapshots:,} stored pages"]
    if saved.aside is not None:
        lines.append(f"The damaged files lie in {saved.aside}.")
    lines += [f"Lost: {one}" for one in saved.lost]
    lines.append(f"The same stands in {saved.report}.")
    show({name: _plain(value) for name, value in msgspec.structs.asdict(saved).items()}, lines, as_json=as_json)
    return LOOK if saved.lost else DONE


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value
