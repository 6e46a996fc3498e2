"""Assign the tasks of a bundle to raters, in equal parts with balanced overlaps: one bundle per rater, and a table."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec

from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.jsonl import TaskLine
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.model.strict_json import canonical_json, read_json_object
from desktop_rater.model.task import ORDER_KEY
from desktop_rater.rubric.display_order import is_comparison
from desktop_rater.stats.bootstrap import seed_sort_keys
from desktop_rater.text.untrusted import escape_formula
from desktop_rater.work.bundles.import_bundle import LeftOut
from desktop_rater.work.bundles.task_pool import SourceBundle, task_pool
from desktop_rater.work.hub.raters_file import file_safe_names, read_raters
from desktop_rater.work.output_files import NOTHING_WRITTEN, refuse_same_file
from desktop_rater.work.rubrics import rubrics


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


def exchanged_for(teams: Sequence[Sequence[int]], keys: Mapping[tuple[int, int], bytes]) -> set[tuple[int, int]]:
    """Return the tasks with the raters who see their two responses in the reverse order.

    Of the raters of each task, and of the tasks of each rater, half see it so, or one more or less: each task pairs its
    raters, each rater pairs the tasks, and of every pair one is exchanged. The pairs form chains without a
    contradiction. `keys`: sort keys of each task and rater, which say who is paired.
    """
    partners: tuple[dict[tuple[int, int], tuple[int, int]], ...] = ({}, {})
    edges = sorted(((task, rater) for task, team in enumerate(teams) for rater in team), key=keys.__getitem__)
    for side, partner in enumerate(partners):
        waiting: dict[int, tuple[int, int]] = {}
        for edge in edges:
            other = waiting.pop(edge[side], None)
            if other is None:
                waiting[edge[side]] = edge
            else:
                partner[edge], partner[other] = other, edge
    exchanged: dict[tuple[int, int], bool] = {}
    for first in edges:
        if first in exchanged:
            continue
        exchanged[first] = keys[first][0] % 2 == 1
        for start in (0, 1):
            edge, side = partners[start].get(first), start
            value = not exchanged[first]
            while edge is not None and edge not in exchanged:
                exchanged[edge] = value
                value, side = not value, 1 - side
                edge = partners[side].get(edge)
    return {edge for edge, is_exchanged in exchanged.items() if is_exchanged}


class RaterBundle(msgspec.Struct, frozen=True, kw_only=True):
    """The bundle of one rater."""

    rater: str
    out: Path
    manifest: BundleManifest


class AssignmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of an assignment. `met`: the smallest and the largest number of tasks any two raters share.

    `exchanged`: how many pairs of responses, of `pairs` handed out, are shown in the reverse order; `mirrored`: the
    questions whose answers are mirrored for them.
    """

    parts: tuple[RaterBundle, ...]
    table: Path
    tasks: int
    met: tuple[int, int]
    left_out: tuple[LeftOut, ...]
    exchanged: int = 0
    pairs: int = 0
    mirrored: tuple[str, ...] = ()


def assign_tasks(
    path: Path,
    raters_file: Path,
    folder: Path,
    *,
    overlap: int,
    seed: int,
    swap_order: bool = False,
    progress: Progress,
) -> AssignmentResult:
    """Write a bundle for each rater, and the table. Each task goes to `overlap` raters.

    With `swap_order`, half of the raters of a task see its two responses in the reverse order. Raises `RaterError`;
    nothing is written then.
    """
    raters = read_raters(raters_file)
    if not 1 <= overlap <= len(raters):
        why = f"Each task should go to {overlap:,} raters, but {raters_file.name} lists {len(raters):,}."
        raise BundleError(f"{path.name} can't be assigned", why, NOTHING_WRITTEN)
    rater_ids = file_safe_names(raters)
    names = [f"{path.stem}-{name}.zip" for name in rater_ids]
    table = f"{path.stem}-assignment.csv"
    for name in (*names, table):
        refuse_same_file(folder / name, path, raters_file)
    parts = []
    orders = _Orders()
    with task_pool(folder, [*names, table], progress, new_folder=True) as (tasks, part_folder):
        source = tasks.read(path, orders.add if swap_order else lambda _: True)
        teams = _teams_of_tasks(tasks.ids, raters, overlap=overlap, seed=seed)
        if swap_order:
            orders.exchange(path, tasks.ids, raters, teams, seed)
        for rater_index, chosen in enumerate(_parts(path, teams, raters)):
            derived = {
                "tool": "assign",
                "seed": seed,
                "overlap": overlap,
                "raters": len(raters),
                "rater": raters[rater_index],
                **({"swap_order": True} if swap_order else {}),
            }
            new = source.new(derived, id=f"{source.manifest.id}-{rater_ids[rater_index]}")
            manifest = tasks.write(part_folder / names[rater_index], new, chosen, partial(orders.line, rater_index))
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
        exchanged=len(orders.exchanged),
        pairs=sum(len(team) for task, team in enumerate(teams) if task in orders.pairs),
        mirrored=mirrored_questions(source) if swap_order else (),
    )


def mirrored_questions(source: SourceBundle) -> tuple[str, ...]:
    """Return the questions of a bundle that compare two responses. Raises `RubricError`."""
    rubric = rubrics.bundle_rubric_of(source.manifest.rubric, source.rubric_toml, source.path.name)
    return tuple(name for name, compiled in rubric.questions.items() if is_comparison(compiled.question))


class _Orders:
    """Orders in which raters see pairs of responses. `pairs`: task number → the reverse order of its responses."""

    def __init__(self) -> None:
        self.pairs: dict[int, list[str]] = {}
        self.exchanged: set[tuple[int, int]] = set()
        self._read = 0

    def add(self, line: TaskLine) -> bool:
        assert line.task is not None, "the pool asks only for valid tasks"
        if len(line.task.responses) == 2:
            self.pairs[self._read] = [response.id for response in reversed(line.task.responses)]
        self._read += 1
        return True

    def exchange(
        self, path: Path, ids: Sequence[str], raters: Sequence[str], teams: Sequence[Sequence[int]], seed: int
    ) -> None:
        """Decide who sees which pair in the reverse order. Raises `BundleError` without pairs."""
        if not self.pairs:
            why = "None of its tasks has two responses, so there is no order to swap."
            raise BundleError(f"{path.name} can't be assigned", why, NOTHING_WRITTEN)
        edges = [(task, rater) for task in self.pairs for rater in teams[task]]
        keys = seed_sort_keys(seed, (f"{raters[rater]}\n{ids[task]}" for task, rater in edges))
        of_pairs = [team if task in self.pairs else () for task, team in enumerate(teams)]
        self.exchanged = exchanged_for(of_pairs, dict(zip(edges, keys, strict=True)))

    def line(self, rater: int, number: int, line: bytes) -> bytes:
        """Return the line of a task as this rater gets it; unchanged to the byte in the order of the file."""
        exchanged = (number, rater) in self.exchanged
        if number not in self.pairs or (not exchanged and ORDER_KEY.encode() not in line):
            return line
        plain = read_json_object(line)
        plain.pop(ORDER_KEY, None)
        return canonical_json({**plain, ORDER_KEY: self.pairs[number]} if exchanged else plain)


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
