"""How a command answers: results to standard output, words to standard error, one of four exit statuses."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.model.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_rater.model.trouble import RaterError

DONE, LOOK, REFUSED, INTERRUPTED = 0, 1, 2, 130
NAMED_AT_MOST = 20  # of many lines of one kind, and of names in one line

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


# A terminal obeys control characters, and shows text that stands between directional ones in another order.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Words(click.ParamType):
    """A name or a title: words on one line."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value.strip():
            self.fail("it is empty.", param, ctx)
        if _UNSEEN.search(value):
            self.fail("it holds control characters.", param, ctx)
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail("it is not UTF-8.", param, ctx)
        return value


class Known(click.ParamType):
    """The id of something that is there already: any text that can be one."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail("it is not UTF-8.", param, ctx)
        return value


WORDS = Words()
KNOWN = Known()


def visible(text: str) -> str:
    """Text that can do nothing to a terminal: what is not seen there is spelt out."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    try:
        line = msgspec.json.encode(value)
    except UnicodeEncodeError:
        line = msgspec.json.encode(_spelt_out(msgspec.to_builtins(value)))
    click.echo(line)


def _spelt_out(value: Any) -> Any:
    """The same without halves of surrogate pairs, which stand for what is no text in names of files."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_spelt_out(key): _spelt_out(one) for key, one in value.items()}
        case list() | tuple():
            return [_spelt_out(one) for one in value]
    return value


def show(result: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """The result: as JSON, or in words."""
    if as_json:
        print_json(result)
    else:
        for line in lines:
            click.echo(visible(line))


def first(lines: Sequence[str], what: str = "") -> Iterator[str]:
    """The first of many lines, and how many more there are. `what`: of what."""
    yield from lines[:NAMED_AT_MOST]
    if len(lines) > NAMED_AT_MOST:
        yield f"… and {len(lines) - NAMED_AT_MOST:,} more{what and ' '}{what}"


def some(names: Sequence[str]) -> str:
    """The first of many names on one line, and how many more there are."""
    more = f" and {len(names) - NAMED_AT_MOST:,} more" if len(names) > NAMED_AT_MOST else ""
    return ", ".join(names[:NAMED_AT_MOST]) + more


def say(*lines: str) -> None:
    """Words to the user that are no result."""
    for line in lines:
        click.echo(visible(line), err=True)


def say_trouble(error: RaterError) -> None:
    """What is so, why, and the way out."""
    say(error.title if error.title.endswith((".", "?")) or not error.message else f"{error.title}.")
    for part in (error.message, error.hint):
        if part:
            say(f"  {part}")


_UPDATING = {
    "copy": "Backing up the store, which is older:",
    "check": "Checking its backups",
    "update": "Bringing the store up to date",
}
_LINE = 60  # characters: what stood in the line is longer nowhere


def updating(stage: str) -> Progress:
    """The progress of a stage in which an older store is brought up to date, on a terminal."""
    if stage != "update":
        return terminal_progress(_UPDATING[stage])
    if sys.stderr.isatty():
        click.echo(f"\r{_UPDATING[stage]} …".ljust(_LINE), err=True)  # the last stage, and a short one
    return Progress()


def terminal_progress(label: str) -> Progress:
    """A progress that shows itself on a terminal, and nowhere else."""
    if not sys.stderr.isatty():
        return Progress()

    shown: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        if shown[-1:] == [(done, total)]:
            return
        shown[:] = [(done, total)]
        share = f" of {total:,} {done / total:4.0%}" if total else ""
        if not done and not total:
            click.echo(f"\r{label} …".ljust(_LINE), err=True, nl=False)
            return
        end = "\n" if total and done >= total else ""
        click.echo(f"\r{label} {done:,}{share}{end}", err=True, nl=False)

    return Progress(tell)
