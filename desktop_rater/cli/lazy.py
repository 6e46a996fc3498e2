"""Groups whose commands are loaded when they are asked for, and no other with them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


class Lazy(click.Group):
    """A group of the commands of a table: name → `module:function` in this room."""

    def __init__(self, *given: Any, table: Mapping[str, str], **named: Any) -> None:
        super().__init__(*given, **named)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - they are always the same
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in self._table:
            return None
        module, _, name = self._table[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"desktop_rater.cli.{module}"), name)
        return command
