"""Assign the tasks of a bundle to raters: a bundle for each, and a table of who rates what."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.trouble import BundleError
from desktop_rater.text.spreadsheet import defused
from desktop_rater.work.draw import turns
from desktop_rater.work.gather_tasks import Gathering, gathering
from desktop_rater.work.make_bundle import refuse_same_file
from desktop_rater.work.raters_file import in_file_names, raters_of
from desktop_rater.work.share_out import share_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop_rater.model.manifests import BundleManifest
    from desktop_rater.model.progress import Progress
    from desktop_rater.work.gather_tasks import Gathered
    from desktop_rater.work.incoming import LeftOut

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
        why = f"Each task goes to {overlap:,} raters, and {raters_file.name} names {len(raters):,}."
        raise BundleError(f"{path.name} can't be assigned", why, _NOTHING)
    spelt = in_file_names(raters)
    names = [f"{path.stem}-{name}.zip" for name in spelt]
    table = f"{path.stem}-assignment.csv"
    for name in (*names, table):
        refuse_same_file(folder / name, path, raters_file)
    with gathering(folder, [*names, table], progress) as (tasks, beside):
        source = tasks.read(path)
        whose = _whose(tasks.ids, raters, overlap=overlap, seed=seed)
        parts = _parts(tasks, whose, raters)
        _refuse_empty(path, raters, parts)
        manifests = []
        for at, rater in enumerate(raters):
            said = {"tool": "assign", "seed": seed, "overlap": overlap, "raters": len(raters), "rater": rater}
            new = source.new(said, id=f"{source.manifest.id}-{spelt[at]}")
            manifests.append(tasks.write(beside / names[at], new, parts[at]))
        _write_table(beside / table, tasks.ids, whose, raters, names)
    return Assigned(
        parts=tuple(
            Assignment(rater=rater, out=folder / name, manifest=manifest)
            for rater, name, manifest in zip(raters, names, manifests, strict=True)
        ),
        table=folder / table,
        tasks=len(tasks.ids),
        met=_met(parts),
        left_out=tuple(tasks.left_out),
    )
