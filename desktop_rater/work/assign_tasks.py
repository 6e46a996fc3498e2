"""Assign the tasks of a bundle to raters: a bundle for each, and a table of who rates what."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.stats.draw import turns
from desktop_rater.text.spreadsheet import defused
from desktop_rater.work.gather_tasks import gathering
from desktop_rater.work.incoming import LeftOut
from desktop_rater.work.make_bundle import refuse_same_file
from desktop_rater.work.raters_file import in_file_names, raters_of
from desktop_rater.work.share_out import share_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_rater.model.progress import Progress

_NOTHING = "Nothing was written."


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What one rater gets."""

    rater: str
    out: Path
    manifest: BundleManifest


class Assigned(msgspec.Struct, frozen=True, kw_only=True):
    """`met`: how many tasks the two raters who meet least and most have in common."""

    parts: tuple[Assignment, ...]
    table: Path
    tasks: int
    met: tuple[int, int]
    left_out: tuple[LeftOut, ...]


def assign_tasks(
    path: Path, raters_file: Path, folder: Path, *, overlap: int, seed: int, progress: Progress
) -> Assigned:
    """Write a bundle for each rater, and the table. Each task goes to `overlap` of them.

    Raises `RaterError`: then nothing was written.
    """
    raters = raters_of(raters_file)
    if not 1 <= overlap <= len(raters):
        why = f"Each task would go to {overlap:,} raters, and {raters_file.name} names {len(raters):,}."
        raise BundleError(f"{path.name} can't be assigned", why, _NOTHING)
    spelt = in_file_names(raters)
    names = [f"{path.stem}-{name}.zip" for name in spelt]
    table = f"{path.stem}-assignment.csv"
    for name in (*names, table):
        refuse_same_file(folder / name, path, raters_file)
    parts = []
    with gathering(folder, [*names, table], progress, new_folder=True) as (tasks, beside):
        source = tasks.read(path)
        whose = _whose(tasks.ids, raters, overlap=overlap, seed=seed)
        for at, chosen in enumerate(_parts(path, whose, raters)):
            said = {"tool": "assign", "seed": seed, "overlap": overlap, "raters": len(raters), "rater": raters[at]}
            new = source.new(said, id=f"{source.manifest.id}-{spelt[at]}")
            manifest = tasks.write(beside / names[at], new, chosen)
            parts.append(Assignment(rater=raters[at], out=folder / names[at], manifest=manifest))
        rows = ((tasks.ids[task], raters[at], names[at]) for task, team in enumerate(whose) for at in team)
        _write_table(beside / table, rows)
    return Assigned(
        parts=tuple(parts),
        table=folder / table,
        tasks=len(tasks.ids),
        met=_met(whose, len(raters)),
        left_out=tuple(tasks.left_out),
    )


def _whose(ids: Sequence[str], raters: Sequence[str], *, overlap: int, seed: int) -> list[tuple[int, ...]]:
    """The raters of each task, by their numbers. Who comes first, and with which task, is the seed's."""
    people = _by_turn(seed, raters)
    given: list[tuple[int, ...]] = [()] * len(ids)
    teams = share_out(len(ids), len(raters), overlap)
    for task, team in zip(_by_turn(seed, ids), teams, strict=True):
        given[task] = tuple(sorted(people[one] for one in team))
    return given


def _by_turn(seed: int, names: Sequence[str]) -> list[int]:
    by_turn = turns(seed, names)
    return sorted(range(len(names)), key=by_turn.__getitem__)


def _parts(path: Path, whose: Sequence[tuple[int, ...]], raters: Sequence[str]) -> list[list[int]]:
    """The tasks of each rater. Raises `BundleError` where one of them would get none."""
    parts: list[list[int]] = [[] for _ in raters]
    for task, team in enumerate(whose):
        for rater in team:
            parts[rater].append(task)
    if not all(parts):
        why = f"It has too few tasks: {raters[parts.index([])]} would get none."
        raise BundleError(f"{path.name} can't be assigned", why, f"{_NOTHING} Name fewer raters, or let them overlap.")
    return parts


def _met(whose: Sequence[tuple[int, ...]], raters: int) -> tuple[int, int]:
    pairs = Counter(pair for team in whose for pair in combinations(team, 2))
    never = len(pairs) < raters * (raters - 1) // 2
    return (0 if never or not pairs else min(pairs.values())), max(pairs.values(), default=0)


def _write_table(path: Path, rows: Iterable[tuple[str, str, str]]) -> None:
    with named(path, "written", _NOTHING), path.open("x", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("task", "rater", "bundle"))
        for row in rows:
            table.writerow(map(defused, row))
