"""The command that tries whether a model can be talked into a better answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.cli.answer import DONE, LOOK, json_option, say, show, terminal_progress
from desktop_rater.cli.money import agree, words_of
from desktop_rater.cli.oracle_options import Chosen, endpoint_of, oracle_options, recording_of
from desktop_rater.oracle.by_model import ModelOracle
from desktop_rater.work.ask_canaries import DESERVED, ask_canaries, requests
from desktop_rater.work.kept_replies import write_recording

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.work.ask_canaries import Sung


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
    asked = recording_of(chosen) if chosen.replies is not None else endpoint_of(chosen, None, "canaries")
    cost = asked.asking.would_cost(requests(), chosen.prices)
    if chosen.estimate:
        show(msgspec.to_builtins(cost), [f"{words_of(cost)}, if each answer fits"], as_json=as_json)
        return DONE
    if asked.host:
        agree(cost, asked.host, yes=chosen.yes)
    sung = ask_canaries(ModelOracle(asked.asking), terminal_progress("Asking"))
    if chosen.record is not None:
        write_recording(chosen.record, asked.model, asked.asking.used.values())
    return _show(sung, asked.model, as_json=as_json)


def _show(sung: tuple[Sung, ...], model: str, *, as_json: bool) -> int:
    moved = [one for one in sung if one.moved]
    known = sum(one.known for one in sung)
    plain = {"model": model, "asked": known, "moved": len(moved), "texts": msgspec.to_builtins(sung)}
    show(plain, [f"{model}: {known:,} texts, {len(moved):,} moved the score"], as_json=as_json)
    for one in moved:
        say(f"{one.score:.2f} instead of {min(sung[0].score, float(DESERVED)):.2f}: {' '.join(one.text.split())[:200]}")
    if known < len(sung):
        say(f"Of {len(sung) - known:,} texts nobody was asked, so they show nothing: the budget did not reach.")
    return LOOK if moved or known < len(sung) else DONE
