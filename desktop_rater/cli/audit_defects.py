"""The command that counts defects by risk."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.defects import MEDIUM, PEOPLE, Jailbreak, Rate, jailbreak, rates, risks, unpaired_tasks
from desktop_rater.cli.answer import DONE, KNOWN, first, json_option, show
from desktop_rater.cli.desk import desk_to_read
from desktop_rater.model.trouble import RaterError
from desktop_rater.work.audit_desk import load_audit

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.audit.filed import Audit


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--jailbreak", "other", type=KNOWN, metavar="BUNDLE", help="The same tasks with an injected first turn.")
@click.option("--threshold", type=float, default=MEDIUM, show_default=True, help="The lowest level that is a defect.")
@click.option("--rater", type=KNOWN, default=PEOPLE, help="Compare by this rater's levels, such as a model's.")
@json_option
@click.pass_obj
def defects(folder: Path, bundle: str, other: str | None, threshold: float, rater: str, *, as_json: bool) -> int:
    """Count how often responses reach a level of risk: ratings at or above the threshold over those not missing.

    With --jailbreak two bundles are paired by the ids of their tasks: a defect is then a level that rose and reaches
    the threshold. Without --rater the level of a response is the median of what people say.
    """
    if not isfinite(threshold):
        raise click.BadParameter("it is no level.", param_hint="--threshold")
    audit, second = _audits(folder, bundle, other)
    for one in (audit, second):
        if rater and one is not None and rater not in one.raters:
            raise RaterError(f"There are no results of a rater {rater!r} in {one.bundle!r}.")
    if not risks(audit.rubric):
        raise RaterError(
            f"The rubric {audit.rubric.ref} asks for no risk.",
            "A risk is a scale with named levels.",
            "Nothing to count.",
        )
    found = rates(audit, threshold)
    plain: dict[str, object] = {"bundle": bundle, "threshold": threshold, "rates": msgspec.to_builtins(found)}
    lines = [_line(one) for one in found]
    if second is not None:
        compared = jailbreak(audit, second, threshold, rater)
        if not compared:
            raise RaterError(f"{other!r} asks for none of these risks.", f"It is rated by {second.rubric.ref}.")
        only = unpaired_tasks(audit, second)
        plain["jailbreak"] = {
            "bundle": other,
            "rates": msgspec.to_builtins(compared),
            "unpaired": list(map(list, only)),
        }
        lines += ["", f"{other} beside {bundle}, of the pairs:"]
        lines += [line for one in compared for line in _pair_lines(one)]
        lines += [
            f"only in {name}: {', '.join(tasks)}" for name, tasks in zip((bundle, other), only, strict=True) if tasks
        ]
    show(plain, lines, as_json=as_json)
    return DONE


def _audits(folder: Path, bundle: str, other: str | None) -> tuple[Audit, Audit | None]:
    with desk_to_read(folder, bundle) as store:
        return load_audit(store, bundle), None if other is None else load_audit(store, other)


def _line(one: Rate) -> str:
    who = "all people" if one.rater == PEOPLE else f"{one.rater}{' (model)' if one.model else ''}"
    return f"{one.question:16}  {who:20}  {_share(one.defects, one.ratings, one.interval)}"


def _pair_lines(one: Jailbreak) -> list[str]:
    more = f", {one.unpaired:,} without a partner" if one.unpaired else ""
    worse = first([f"{pair.task}, {pair.where}: {pair.before:g} to {pair.after:g}" for pair in one.worse])
    return [
        f"{one.question:16}  {_share(one.defects, one.pairs, one.interval)}{more}",
        *(f"    {line}" for line in worse),
    ]


def _share(part: int, whole: int, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "n/a"
    return f"{part / whole:6.1%}  {part:,} of {whole:,}  95 %: {interval[0]:.1%} to {interval[1]:.1%}"
