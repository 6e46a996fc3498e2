"""Assign the tasks of a bundle to raters, in equal parts with balanced overlaps: one bundle per rater, and a table."""

import csv
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.jsonl import TaskLine
from desktop_rater.format.manifests import BundleManifest
from desktop_rater.format.opened_files import zip_suffix
from desktop_rater.format.strict_json import canonical_json, read_json_object
from desktop_rater.format.task import ORDER_KEY
from desktop_rater.format.write import NOTHING_WRITTEN, refuse_same_file
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.import_bundle import LeftOut
from desktop_rater.operations.bundles.subsets import SourceBundle, task_pool
from desktop_rater.operations.hub.receive import read_raters
from desktop_rater.rubric.display_order import is_comparison
from desktop_rater.stats.bootstrap import seed_sort_keys
from desktop_rater.text.untrusted import distinct_file_name_parts, escape_formula

_Edge = tuple[int, int]  # numbers of a task and a rater


class SwappedPairs(msgspec.Struct, frozen=True, kw_only=True):
    """Number of pairs of responses handed out, and of those in the reverse order, for which answers are mirrored."""

    pairs: int
    exchanged: int
    mirrored: tuple[str, ...]


class ResponseOrders:
    """Orders in which raters see the two responses of each task."""

    def __init__(self, raters: Sequence[str], seed: int) -> None:
        self._raters, self._seed = raters, seed
        self._reversed: list[list[str] | None] = []
        self._exchanged: set[_Edge] = set()

    def add(self, line: TaskLine) -> bool:
        """Read the responses of the next task."""
        names = [response.id for response in line.task.responses] if line.task is not None else []
        self._reversed.append(names[::-1] if len(names) == 2 else None)
        return True

    def swap(self, source: SourceBundle, ids: Sequence[str], teams: Sequence[Sequence[int]]) -> SwappedPairs:
        """Decide who sees which pair in the reverse order. Raises `BundleError` without pairs, or `RubricError`."""
        edges = [(task, rater) for task, order in enumerate(self._reversed) if order for rater in teams[task]]
        if not edges:
            why = "None of its tasks has two responses, so there is no order to swap."
            raise BundleError(f"{source.path.name} can't be assigned", why, NOTHING_WRITTEN)
        keys = seed_sort_keys(self._seed, (f"{self._raters[rater]}\n{ids[task]}" for task, rater in edges))
        self._exchanged = _balanced_half(dict(sorted(zip(edges, keys, strict=True), key=lambda item: item[1])))
        rubric = rubrics.bundle_rubric_of(source.manifest.rubric, source.rubric_toml, source.path.name)
        mirrored = (name for name, compiled in rubric.questions.items() if is_comparison(compiled.question))
        return SwappedPairs(pairs=len(edges), exchanged=len(self._exchanged), mirrored=tuple(mirrored))

    def line(self, rater: int, number: int, line: bytes) -> bytes:
        """Return the line of a task as this rater gets it; unchanged to the byte in the order of the file."""
        exchanged = (number, rater) in self._exchanged
        if not exchanged and ORDER_KEY.encode() not in line:
            return line
        plain = {key: value for key, value in read_json_object(line).items() if key != ORDER_KEY}
        return canonical_json({**plain, ORDER_KEY: self._reversed[number]} if exchanged else plain)


def _balanced_half(keys: dict[_Edge, bytes]) -> set[_Edge]:
    """Return half of the edges of each task and of each rater, or one more or less.

    Each task pairs its edges, each rater pairs its own, in the order of their keys, and one of every pair is taken. The
    pairs form paths and rings of even length, along which every second edge is taken.
    """
    partners: tuple[dict[_Edge, _Edge], dict[_Edge, _Edge]] = ({}, {})
    for side, partner in enumerate(partners):
        waiting: dict[int, _Edge] = {}
        for edge in keys:
            other = waiting.pop(edge[side], None)
            if other is None:
                waiting[edge[side]] = edge
            else:
                partner[edge], partner[other] = other, edge
    edges: dict[_Edge, bool] = {}
    for first, key in keys.items():
        if first in edges:
            continue
        edges[first] = key[0] % 2 == 1
        for start in (0, 1):
            side, before, edge = start, first, partners[start].get(first)
            while edge is not None and edge not in edges:
                edges[edge] = not edges[before]
                side, before, edge = 1 - side, edge, partners[1 - side].get(edge)
    return {edge for edge, is_taken in edges.items() if is_taken}


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


class AssignmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of an assignment. `parts`: each rater with the bundle and its manifest.

    `met`: the smallest and the largest number of tasks any two raters share.
    """

    parts: tuple[tuple[str, Path, BundleManifest], ...]
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
            parts.append((raters[rater_index], folder / names[rater_index], manifest))
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
