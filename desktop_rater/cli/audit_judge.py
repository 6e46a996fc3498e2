"""The command that lets a language model rate a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.cli.answer import DONE, LOOK, WORDS, first, json_option, say, show, terminal_progress, updating
from desktop_rater.cli.money import agree, words_of
from desktop_rater.cli.oracle_options import Asked, Chosen, endpoint_of, oracle_options, recording_of
from desktop_rater.model.limits import now
from desktop_rater.store.opening import open_writer
from desktop_rater.work.ask_oracle import prompts
from desktop_rater.work.judge_bundle import Judge, id_of, judge_bundle, would_cost
from desktop_rater.work.kept_replies import write_recording

if TYPE_CHECKING:
    from desktop_rater.work.judge_bundle import JudgedBundle


@click.command()
@click.argument("path", metavar="BUNDLE.zip", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The results to write.")
@click.option("--rater", type=WORDS, help="The name in the ratings; `model-` and the model without it.")
@oracle_options
@json_option
@click.pass_obj
def judge(folder: Path, path: Path, out: Path, rater: str | None, *, as_json: bool, **given: Any) -> int:
    """Let a language model rate a bundle as one more rater, beside people and marked as a model.

    It answers what is asked of responses and of the task, by the bundle's rubric. 1: it left tasks open, which are
    named. What it answers is kept in the store, so that a run that broke off goes on.
    """
    chosen = Chosen.of(folder, given)
    bundle = id_of(path)
    with open_writer(folder, command="audit judge", updating=updating) as store:
        asked = recording_of(chosen) if chosen.replies is not None else endpoint_of(chosen, store, bundle)
        cost = would_cost(path, asked.asking, chosen.prices)
        if chosen.estimate:
            show(msgspec.to_builtins(cost), [f"{words_of(cost)}, if each answer fits"], as_json=as_json)
            return DONE
        if asked.host:
            agree(cost, asked.host, yes=chosen.yes)
        judged = judge_bundle(
            path,
            out,
            Judge(model=asked.model, rater=rater or f"model-{asked.model}"),
            asked.asking,
            prompt=prompts()["judge"],
            now=now,
            progress=terminal_progress("Asking"),
        )
    if chosen.record is not None:
        write_recording(chosen.record, asked.model, asked.asking.used.values())
    return _show(judged, asked, chosen, as_json=as_json)


def _show(judged: JudgedBundle, asked: Asked, chosen: Chosen, *, as_json: bool) -> int:
    cost = asked.asking.cost(chosen.prices)
    plain = {**msgspec.to_builtins(judged, enc_hook=str), "cost": msgspec.to_builtins(cost)}
    words = f"{judged.out}: {judged.complete:,} tasks rated by {judged.rater}; {words_of(cost)}"
    show(plain, [words if judged.written else "Nothing was written: no task could be rated."], as_json=as_json)
    open_ones = [f"{one.task}: {one.why}" for one in judged.missing]
    open_ones += [f"{one.task}: {one.why}" for one in judged.left_out]
    say(*first(open_ones))
    say(
        *first([f"{task}: something of it is very long, and only the beginning was read." for task in judged.shortened])
    )
    return LOOK if open_ones else DONE
