"""The command that scores justifications."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, say, show, terminal_progress
from desktop_rater.cli.desk import desk_to_read, desk_to_write
from desktop_rater.cli.money import agree, words_of
from desktop_rater.cli.oracle_options import Asked, Chosen, endpoint_of, oracle_options, recording_of
from desktop_rater.model.limits import now
from desktop_rater.oracle.by_model import ModelOracle
from desktop_rater.work.ask_oracle import OwnPoints, Run, estimate
from desktop_rater.work.justification_texts import Gathered, Wanted, gather
from desktop_rater.work.kept_replies import write_recording
from desktop_rater.work.kept_scores import keep_scores
from desktop_rater.work.points_by_hand import by_hand, take_form, write_form
from desktop_rater.work.score_justifications import Scores, score_justifications

if TYPE_CHECKING:
    from desktop_rater.oracle.interface import Oracle
    from desktop_rater.store.store import Store

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option(
    "--oracle",
    "kind",
    type=click.Choice(["hand", "endpoint", "recorded"]),
    default="hand",
    show_default=True,
    help="Who says what a text says.",
)
@click.option("--points", type=_FILE, help="A filled form: the lead's points, and agree, disagree or silent.")
@click.option("--form", type=_FILE, help="Write a form to fill, and score nothing.")
@click.option("--own-points", is_flag=True, help="Let a model answer the lead's points where there are some.")
@click.option("--trust", multiple=True, type=KNOWN, metavar="RATER", help="A rater whose texts count as gold too.")
@click.option("--rater", multiple=True, type=KNOWN, help="Score only this one's texts.")
@click.option("--question", multiple=True, type=KNOWN, help="Score only what was written to this question.")
@click.option(
    "--cluster",
    type=click.Choice(["bundle", "place"]),
    default="bundle",
    show_default=True,
    help="What one set of points is made for: a question of the whole bundle, or of one place.",
)
@click.option("--one-order", is_flag=True, help="Ask once instead of in two orders of the points. Half the cost.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the intervals.")
@oracle_options
@json_option
@click.pass_obj
def score(folder: Path, bundle: str, *, as_json: bool, **given: Any) -> int:
    """Score what raters wrote, by a rule that nobody gains from by padding, flattery or instructions to the judge.

    The oracle only says whether a text agrees with a point, disagrees or is silent; it never gives a number. By hand
    nothing needs a network. 1: some texts have no score.
    """
    chosen = Chosen.of(folder, given)
    wanted = Wanted(by=given["cluster"], trusted=given["trust"], questions=given["question"], raters=given["rater"])
    looks_only = given["form"] is not None or chosen.estimate
    _refuse_idle(given, chosen, looks_only=looks_only)
    with ExitStack() as opened:
        store = opened.enter_context(
            desk_to_read(folder, bundle) if looks_only else desk_to_write(folder, bundle, "audit score")
        )
        if given["points"] is not None and not looks_only:
            taken = take_form(store, bundle, given["points"], chosen.settings.rater, now=now())
            say(f"{given['points']}: points of {taken.points:,} clusters, answers for {taken.answers:,} texts.")
        progress = terminal_progress("Reading")
        gathered = gather(store, bundle, wanted, progress)
        if given["form"] is not None:
            texts = write_form(store, bundle, gathered.clusters, given["form"], gathered.language)
            show({"form": str(given["form"]), "texts": texts}, [f"{given['form']}: {texts:,} texts"], as_json=as_json)
            return DONE
        return _Scoring(store, bundle, gathered, chosen, given).run(as_json=as_json)


def _refuse_idle(given: dict[str, Any], chosen: Chosen, *, looks_only: bool) -> None:
    """An option that would do nothing is refused: who gives it expects something else, such as that nobody is asked."""
    if looks_only and given["points"] is not None:
        raise click.UsageError("--points is taken in by a run that scores, and not with --form or --estimate.")
    if given["kind"] != "recorded" and chosen.replies is not None:
        raise click.UsageError("--replies is for --oracle recorded.")
    if given["kind"] == "hand" and chosen.record is not None:
        raise click.UsageError("By hand there are no replies to --record.")


class _Scoring:
    """One run, once it is known what is scored."""

    def __init__(self, store: Store, bundle: str, gathered: Gathered, chosen: Chosen, given: dict[str, Any]) -> None:
        self._store = store
        self._bundle = bundle
        self._gathered = gathered
        self._chosen = chosen
        self._given = given
        self._twice = not given["one_order"]

    def run(self, *, as_json: bool) -> int:
        kind = self._given["kind"]
        if kind == "hand":
            if self._chosen.estimate:
                raise click.UsageError("By hand nothing costs money: --estimate is for an endpoint.")
            scores = self._scores(by_hand(self._store, self._bundle))
            self._keep(scores, "")
            return self._show(scores, None, as_json=as_json)
        asked = self._asked(kind)
        hand = by_hand(self._store, self._bundle) if self._given["own_points"] else None
        cost = estimate(self._gathered, asked.asking, self._chosen.prices, hand=hand, twice=self._twice)
        if self._chosen.estimate:
            show(msgspec.to_builtins(cost), [f"{words_of(cost)}, if each answer fits"], as_json=as_json)
            return DONE
        if kind == "endpoint":
            agree(cost, asked.host, yes=self._chosen.yes)
        model: Oracle = ModelOracle(asked.asking, twice=self._twice)
        scores = self._scores(OwnPoints(hand, model) if hand is not None else model)
        self._keep(scores, asked.model)
        if self._chosen.record is not None:
            write_recording(self._chosen.record, asked.model, asked.asking.used.values())
        return self._show(scores, asked, as_json=as_json)

    def _asked(self, kind: str) -> Asked:
        return (
            recording_of(self._chosen) if kind == "recorded" else endpoint_of(self._chosen, self._store, self._bundle)
        )

    def _scores(self, oracle: Oracle) -> Scores:
        progress = terminal_progress("Asking")
        return score_justifications(
            self._gathered, oracle, self._given["kind"], seed=self._given["seed"], progress=progress
        )

    def _keep(self, scores: Scores, model: str) -> None:
        """For the report; of a run over some raters or questions the means would say less than they seem to."""
        if not (self._given["rater"] or self._given["question"]):
            lead = self._chosen.settings.rater
            keep_scores(self._store, self._gathered.audit, scores, model, lead, now=now())

    def _show(self, scores: Scores, asked: Asked | None, *, as_json: bool) -> int:
        plain = msgspec.to_builtins(scores)
        if asked is not None:
            used = asked.asking.used.values()
            run = Run(
                model=asked.model,
                prompts={one.about: one.prompt for one in used},
                cost=asked.asking.cost(self._chosen.prices),
            )
            plain |= {"run": msgspec.to_builtins(run), "replies": [msgspec.to_builtins(one) for one in used]}
        show(plain, _lines(scores), as_json=as_json)
        for cluster in scores.clusters:
            for note in cluster.notes:
                say(f"{cluster.cluster}: {note}")
        noted = [f"{one.task}, {one.where}, {one.rater}: {' '.join(one.notes)}" for one in scores.texts if one.notes]
        say(*first(noted, "texts"))
        return LOOK if scores.unscored or not scores.texts else DONE


def _lines(scores: Scores) -> list[str]:
    lines = [f"{'rater':20}  {'texts':>6}  {'AV':>6}  {'AMV':>6}  {'AFV':>6}  {'AFMV':>6}  AV, 95 %"]
    for one in scores.raters:
        name = f"{one.rater} (model)" if one.model else one.rater
        if not one.scored:
            lines.append(f"{name:20}  {one.scored:>6,}  nothing was scored of {one.written:,} texts")
            continue
        values = "  ".join(f"{one.scores[way]:6.3f}" for way in ("AV", "AMV", "AFV", "AFMV"))
        ends = one.intervals.get("AV")
        between = f"{ends[0]:.3f} to {ends[1]:.3f}" if ends else "one text says nothing of the next"
        lines.append(f"{name:20}  {one.scored:>6,}  {values}  {between}")
    return lines
