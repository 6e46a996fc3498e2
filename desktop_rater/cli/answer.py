"""How a command answers: results to standard output, words to standard error, one of four exit statuses."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.model.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.trouble import RaterError

DONE, LOOK, REFUSED, INTERRUPTED = 0, 1, 2, 130

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    click.echo(msgspec.json.encode(value))


def show(result: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """The result: as JSON, or in words."""
    if as_json:
        print_json(result)
    else:
        for line in lines:
            click.echo(line)


def say(line: str) -> None:
    """A word to the user that is no result."""
    click.echo(line, err=True)


def say_trouble(error: RaterError) -> None:
    """What is so, why, and the way out."""
    say(error.title if error.title.endswith((".", "?")) or not error.message else f"{error.title}.")
    for part in (error.message, error.hint):
        if part:
            say(f"  {part}")


def terminal_progress(label: str) -> Progress:
    """A progress that shows itself on a terminal, and nowhere else."""
    if not sys.stderr.isatty():
        return Progress()

    def tell(done: int, total: int) -> None:
        share = f" of {total:,} {done / total:4.0%}" if total else ""
        end = "\n" if total and done >= total else ""
        click.echo(f"\r{label} {done:,}{share}{end}", err=True, nl=False)

    return Progress(tell)
