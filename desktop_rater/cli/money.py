"""What asking a language model costs, in words, and the question whether that is wanted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import say
from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from desktop_rater.oracle.cost import Cost


def words_of(cost: Cost) -> str:
    """One line."""
    money = "" if cost.money is None else f", about {cost.money:,.2f} by the prices that are set"
    before = f" ({cost.cached:,} are answered already)" if cost.cached else ""
    return f"{cost.calls:,} calls{before}, about {cost.tokens_in:,} tokens out and {cost.tokens_out:,} back{money}"


def agree(cost: Cost, host: str, *, yes: bool) -> None:
    """Go on only where the user wants it. Raises `RaterError` where nobody can be asked, or `Abort`."""
    if not cost.calls:
        return
    say(f"To {host}: {words_of(cost)}, if each answer fits.")
    if yes:
        return
    if not sys.stdin.isatty():
        raise RaterError("Nothing was asked.", "Nobody is there to agree to the cost.", "Add --yes to agree to it.")
    click.confirm("Ask?", abort=True, err=True)
