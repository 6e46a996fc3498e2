"""The help of every command as it stands in docs/commands.md, between markers.

`python -m tests.docs.help_text` writes it there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.root import commands
from tests.docs.pages import DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = DOCS / "commands.md"
PROGRAM = "desktop-rater"

_WIDTH = 80
_BLOCK = re.compile(r"(?<=<!-- help: )([^>]*?) -->\n(.*?)(?=<!-- end -->)", re.DOTALL)


def all_commands() -> Iterator[tuple[str, click.Command, str]]:
    """(what a user types, the command, its help) for the program, each group and each command."""
    yield from _below(
        commands, click.Context(commands, info_name=PROGRAM, terminal_width=_WIDTH, help_option_names=HELP)
    )


HELP = list(commands.context_settings["help_option_names"])


def _below(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command, str]]:
    yield context.command_path, command, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None, "a group knows what it lists"
            yield from _below(found, click.Context(found, info_name=name, parent=context, terminal_width=_WIDTH))


def fenced(help_: str) -> str:
    """A block of the page."""
    return f"```text\n{help_.rstrip()}\n```\n"


def blocks(page: str) -> dict[str, str]:
    """What a user types → the block that the page has for it."""
    return {match[1]: match[2] for match in _BLOCK.finditer(page)}


def main() -> None:
    """Write each block again. A command without one needs a section first."""
    helps = {path: help_ for path, _, help_ in all_commands()}
    page = PAGE.read_text(encoding="utf-8")
    written = _BLOCK.sub(lambda match: f"{match[1]} -->\n{fenced(helps[match[1]]) if match[1] in helps else ''}", page)
    PAGE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
