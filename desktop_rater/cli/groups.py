"""Groups of commands: those of the core, loaded when they are used, and those of plug-ins."""

from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from desktop_rater.cli.output import print_message, verbosity_options
from desktop_rater.hooks import hook, installed_plugins, resolve


class ExtensibleGroup(click.Group):
    """A group of commands to which plug-ins add others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        own, others = super().list_commands(ctx), list(_plugin_commands(ctx))
        return sorted({*own, *others}) if own else others  # a plug-in's own group keeps the order of its table

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in (places := _plugin_commands(ctx)):
            command = resolve(places[cmd_name])
            accept_verbosity(command)
        return command


class LazyGroup(ExtensibleGroup):
    """A group of the commands of a table, in sections: name → `module:function` in this package."""

    def __init__(self, *args: Any, table: Mapping[str, Mapping[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sections = table
        self._table = {name: place for section in table.values() for name, place in section.items()}

    def sections(self, ctx: click.Context) -> dict[str, list[str]]:
        """Return the names of the commands by section; those of plug-ins are in the last one."""
        names = {title: list(section) for title, section in self._sections.items()}
        names[next(reversed(names))] += _plugin_commands(ctx)
        return names

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in self.sections(ctx).values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._table:
            return super().get_command(ctx, cmd_name)
        command: click.Command = resolve(f"desktop_rater.cli.{self._table[cmd_name]}")
        accept_verbosity(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete names, without the help of each command, which would load all of them."""
        names = [CompletionItem(name) for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each section."""
        sections = self.sections(ctx)
        longest = max(len(name) for section in sections.values() for name in section)
        for title, section in sections.items():
            commands = [(name, self.get_command(ctx, name)) for name in section]
            with formatter.section(title):
                limit = formatter.width - formatter.current_indent - longest - 4
                formatter.write_dl(
                    [(name.ljust(longest), command.get_short_help_str(limit)) for name, command in commands if command]
                )


def accept_verbosity(command: click.Command) -> None:
    """Add the options of the program that are accepted after each command too."""
    if isinstance(command, LazyGroup):
        return
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            accept_verbosity(subcommand)
        return
    options = {name for param in command.params for name in param.opts}
    command.params += [option for option in verbosity_options(hidden=True) if options.isdisjoint(option.opts)]


def _plugin_commands(ctx: click.Context) -> dict[str, str]:
    """Return the commands that plug-ins add to the group of a context: name → place."""
    words: list[str] = []
    while ctx.parent is not None:
        words.insert(0, ctx.info_name or "")
        ctx = ctx.parent
    print_message(*installed_plugins().faults)
    rows = {tuple(name.split(" ")): place for name, place in hook("commands").items()}
    return {name[-1]: place for name, place in rows.items() if name[:-1] == tuple(words)}
