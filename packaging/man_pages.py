"""Write a manual page for each command to build/man/, from the help that the commands print."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from desktop_rater import __version__
from desktop_rater.cli.output import LazyGroup
from desktop_rater.cli.root import PROGRAM, commands

OUT = Path(__file__).resolve().parents[1] / "build" / "man"
_STATUSES = {
    "0": "Success.",
    "1": "Success with findings: something was omitted or is unknown, or a blocking rule is broken.",
    "2": "Refused: invalid input or usage. What is refused changes nothing.",
    "130": "Interrupted.",
}


def pages() -> dict[str, str]:
    """Return the page of each command, by the name of its file."""
    context = click.Context(commands, info_name=PROGRAM, **commands.context_settings)
    return dict(_pages(commands, context))


def _pages(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    yield f"{_page_name(context)}.1", "\n".join(_lines(command, context)) + "\n"
    for name, subcommand in _subcommands(command, context):
        yield from _pages(subcommand, click.Context(subcommand, info_name=name, parent=context))


def _subcommands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None, "a group has what it lists"
            yield name, subcommand


def _page_name(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def _lines(command: click.Command, context: click.Context) -> Iterator[str]:
    name = _page_name(context)
    yield f'.TH "{_escaped(name.upper())}" "1" "" "Desktop Rater {__version__}" "Desktop Rater"'
    yield from (".ad l", ".nh")  # no line is stretched, and no option is hyphenated
    yield from (".SH NAME", f"{_escaped(name)} \\- {_escaped(command.get_short_help_str(1_000).rstrip('.'))}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (".SH SYNOPSIS", f"\\fB{_escaped(context.command_path)}\\fR {_escaped(usage)}")
    yield ".SH DESCRIPTION"
    for paragraph in (command.help or "").split("\n\n"):
        yield from (".PP", _text(paragraph))
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            yield from _entry(*record)
    sections = (
        command.sections(context)
        if isinstance(command, LazyGroup)
        else {"Commands": dict(_subcommands(command, context))}
    )
    for title, section in sections.items():
        if section:
            yield f".SH {title.upper()}"
        for subcommand in section:
            found = command.get_command(context, subcommand) if isinstance(command, click.Group) else None
            if found is not None:
                yield from _entry(subcommand, found.get_short_help_str(1_000))
    if context.parent is None:
        yield ".SH EXIT STATUS"
        for status, meaning in _STATUSES.items():
            yield from _entry(status, meaning)
    else:
        yield from (".SH SEE ALSO", f"\\fB{_escaped(_page_name(context.parent))}\\fR(1)")


def _entry(term: str, meaning: str) -> Iterator[str]:
    yield from (".TP", f"\\fB{_escaped(term)}\\fR", _text(meaning))


def _text(text: str) -> str:
    """Return a paragraph on one line, with what is in back-ticks in bold."""
    return re.sub(r"`([^`]+)`", r"\\fB\1\\fR", _escaped(" ".join(text.split())))


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("|", "|\\:")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def main() -> int:
    """Write the pages, and remove older ones."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for name, text in pages().items():
        (OUT / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
