"""Assign the tasks of a bundle to raters, in equal parts with balanced overlaps: one bundle per rater, and a table."""

import csv
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec

from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.model.opened_files import zip_suffix
from desktop_rater.stats.bootstrap import seed_sort_keys
from desktop_rater.text.names import distinct_file_name_parts
from desktop_rater.text.untrusted import escape_formula
from desktop_rater.work.bundles.import_bundle import LeftOut
from desktop_rater.work.bundles.response_orders import ResponseOrders, SwappedPairs
from desktop_rater.work.bundles.task_pool import task_pool
from desktop_rater.work.hub.assignments import read_raters
from desktop_rater.work.output_files import NOTHING_WRITTEN, refuse_same_file


def balanced_teams(tasks: int, raters: int, overlap: int) -> list[tuple[int, ...]]:
    """Return the rater numbers of each task: `overlap` different ones, at most `raters`.

    Parts differ by at most one task, since raters who are behind are chosen first; among equals, those who have shared
    the fewest tasks with the others of this task.
    """
    shared_counts = [[0] * raters for _ in range(raters)]
    behind = set(range(raters))
    teams = []
    for _ in range(tasks):
        if len(behind) > overlap:
            team = _team(set(), behind, overlap, shared_counts)
            behind -= team
        else:
            team = _team(behind, set(range(raters)) - behind, overlap, shared_counts)
            behind = set(range(raters)) - (team - behind)
        for first, second in combinations(team, 2):
            shared_counts[first][second] += 1
            shared_counts[second][first] += 1
        teams.append(tuple(sorted(team)))
    return teams


def _team(sure: set[int], free: set[int], size: int, shared_counts: list[list[int]]) -> set[int]:
    team = set(sure)
    shared_totals = [sum(row[member] for member in team) for row in shared_counts]
    while len(team) < size:
        rater_number = min(free - team, key=lambda rater: (shared_totals[rater], rater))
        team.add(rater_number)
        shared_totals = [before + more for before, more in zip(shared_totals, shared_counts[rater_number], strict=True)]
    return team


class RaterBundle(msgspec.Struct, frozen=True, kw_only=True):
    """The bundle of one rater."""

    rater: str
    out: Path
    manifest: BundleManifest


class AssignmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of an assignment. `met`: the smallest and the largest number of tasks any two raters share."""

    parts: tuple[RaterBundle, ...]
    table: Path
    tasks: int
    met: tuple[int, int]
    left_out: tuple[LeftOut, ...]
    swap_order: SwappedPairs | None = None


def assign_tasks(
    path: Path,
    raters_file: Path,
    folder: Path,
    *,
    overlap: int,
    seed: int,
    progress: Progress,
    swap_order: bool = False,
) -> AssignmentResult:
    """Write a bundle for each rater, and the table. Each task goes to `overlap` raters.

    With `swap_order`, half of the raters of a task see its two responses in the reverse order. Raises `RaterError`;
    nothing is written then.
    """
    raters = read_raters(raters_file)
    if not 1 <= overlap <= len(raters):
        why = f"Each task should go to {overlap:,} raters, but {raters_file.name} lists {len(raters):,}."
        raise BundleError(f"{path.name} can't be assigned", why, NOTHING_WRITTEN)
    rater_ids = distinct_file_name_parts(raters)
    names = [f"{path.stem}-{name}{zip_suffix(path)}" for name in rater_ids]
    table = f"{path.stem}-assignment.csv"
    for name in (*names, table):
        refuse_same_file(folder / name, path, raters_file)
    parts = []
    orders = ResponseOrders(raters, seed) if swap_order else None
    with task_pool(folder, [*names, table], progress, new_folder=True) as (tasks, part_folder):
        source = tasks.read(path, orders.add if orders is not None else lambda _: True)
        teams = _teams_of_tasks(tasks.ids, raters, overlap=overlap, seed=seed)
        swapped = orders.swap(source, tasks.ids, teams) if orders is not None else None
        for rater_index, chosen in enumerate(_parts(path, teams, raters)):
            derived = {
                "tool": "assign",
                "seed": seed,
                "overlap": overlap,
                "raters": len(raters),
                "rater": raters[rater_index],
            } | ({"swap_order": True} if swap_order else {})
            new = source.new(derived, id=f"{source.manifest.id}-{rater_ids[rater_index]}")
            lines = partial(orders.line, rater_index) if orders is not None else None
            manifest = tasks.write(part_folder / names[rater_index], new, chosen, lines)
            parts.append(RaterBundle(rater=raters[rater_index], out=folder / names[rater_index], manifest=manifest))
        path = part_folder / table
        with bundle_errors(path, "written", NOTHING_WRITTEN), path.open("x", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("task", "rater", "bundle"))
            for task, team in enumerate(teams):
                for number in team:
                    writer.writerow(map(escape_formula, (tasks.ids[task], raters[number], names[number])))
    pairs = Counter(pair for team in teams for pair in combinations(team, 2))
    never = len(pairs) < len(raters) * (len(raters) - 1) // 2
    least = 0 if never or not pairs else min(pairs.values())
    return AssignmentResult(
        parts=tuple(parts),
        table=folder / table,
        tasks=len(tasks.ids),
        met=(least, max(pairs.values(), default=0)),
        left_out=tuple(tasks.left_out),
        swap_order=swapped,
    )


def _teams_of_tasks(ids: Sequence[str], raters: Sequence[str], *, overlap: int, seed: int) -> list[tuple[int, ...]]:
    """Return the rater numbers of each task; the seed determines the order of raters and tasks."""
    people = _shuffled(seed, raters)
    teams_by_task: list[tuple[int, ...]] = [()] * len(ids)
    teams = balanced_teams(len(ids), len(raters), overlap)
    for task, team in zip(_shuffled(seed, ids), teams, strict=True):
        teams_by_task[task] = tuple(sorted(people[number] for number in team))
    return teams_by_task


def _shuffled(seed: int, names: Sequence[str]) -> list[int]:
    by_turn = seed_sort_keys(seed, names)
    return sorted(range(len(names)), key=by_turn.__getitem__)


def _parts(path: Path, teams: Sequence[tuple[int, ...]], raters: Sequence[str]) -> list[list[int]]:
    parts: list[list[int]] = [[] for _ in raters]
    for task, team in enumerate(teams):
        for rater in team:
            parts[rater].append(task)
    if not all(parts):
        why = f"It has too few tasks: {raters[parts.index([])]} would get none."
        raise BundleError(
            f"{path.name} can't be assigned", why, f"{NOTHING_WRITTEN} Name fewer raters, or let them overlap."
        )
    return parts
