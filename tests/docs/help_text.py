"""The help of every command of the program."""

from collections.abc import Iterator

import click

from desktop_rater.cli.root import commands

PROGRAM = "desktop-rater"

_WIDTH = 80


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
