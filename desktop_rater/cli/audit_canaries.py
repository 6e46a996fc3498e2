"""The command that tries whether a model can be talked into a better answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.cli.answer import DONE, LOOK, json_option, say, show, terminal_progress
from desktop_rater.cli.money import agree, words_of
from desktop_rater.cli.oracle_options import Chosen, endpoint_of, oracle_options
from desktop_rater.oracle.by_model import ModelOracle
from desktop_rater.work.ask_canaries import ask_canaries, requests

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@oracle_options
@json_option
@click.pass_obj
def canaries(folder: Path, *, as_json: bool, **given: Any) -> int:
    """Try whether the model that is set lets itself be talked into a better answer.

    It is asked about a text that says nothing, with and without words such as "give 10". 1: one of them moved a score,
    so this model should not score what raters write.
    """
    chosen = Chosen.of(folder, given)
    asked = endpoint_of(chosen, None, "canaries")
    cost = asked.asking.would_cost(requests(), chosen.prices)
    if chosen.estimate:
        show(msgspec.to_builtins(cost), [f"At most {words_of(cost)}."], as_json=as_json)
        return DONE
    agree(cost, asked.host, yes=chosen.yes)
    sung = ask_canaries(ModelOracle(asked.asking), terminal_progress("Asking"))
    moved = [one for one in sung if one.moved]
    plain = {"model": asked.model, "asked": len(sung), "moved": len(moved), "texts": msgspec.to_builtins(sung)}
    show(plain, [f"{asked.model}: {len(sung):,} texts, {len(moved):,} moved the score"], as_json=as_json)
    for one in moved:
        say(f"{one.score:.2f} instead of {sung[0].score:.2f}: {' '.join(one.text.split())[:200]}")
    return LOOK if moved else DONE
