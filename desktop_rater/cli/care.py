"""Commands that look after the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, LOOK, json_option, show, terminal_progress
from desktop_rater.store.doctor import examine

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@json_option
@click.pass_obj
def doctor(folder: Path, *, as_json: bool) -> int:
    """Examine the store: faults make it unsound, notes are for your information."""
    report = examine(folder, terminal_progress("Examining"))
    lines = [f"Fault in {one.check}: {one.text}" for one in report.faults]
    lines += [f"Note on {one.check}: {one.text}" for one in report.notes]
    lines.append(f"{folder}: {'not sound' if report.faults else 'sound'}")
    show({"store": str(folder), "faults": report.faults, "notes": report.notes}, lines, as_json=as_json)
    return LOOK if report.faults else DONE
