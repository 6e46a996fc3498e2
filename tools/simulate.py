"""Simulate raters of a bundle, to try an audit before real results exist or to plan the number of raters.

`python -m tools.simulate B.zip --out-dir DIR` writes their results; `--help` lists the options.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import click
import msgspec
from msgspec.structs import replace

from desktop_rater.cli.output import FILE, seed_option
from desktop_rater.cli.summaries import print_left_out
from desktop_rater.files import replaced_files
from desktop_rater.format.archive import OpenBundle, open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.jsonl import structs
from desktop_rater.format.manifests import BundleManifest, Counts, HistoryLine
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.values import format_time, parse_time
from desktop_rater.format.write import HINT_UNCHANGED, Spool
from desktop_rater.operations.bundles.import_bundle import (
    LeftOut,
    bundle_lines,
    bundle_ref,
    refuse_empty,
    rubric_of_bundle,
)
from desktop_rater.operations.rating.open_task import drop_unknown_references
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.rubric import Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.suggest import count_suggestions
from tools.simulated_raters import (
    MOST_NOISE,
    BaseRating,
    LabelPaths,
    RaterTraits,
    base_rating,
    earlier_states,
    random_traits,
    simulate_rating,
)

SIMULATED_NAME = "made-up-{:02}"
MAX_SIMULATED_RATERS = 500
_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest time a zip can store, for bundles without a time
_BREAK = 600  # maximum seconds between two tasks
_TWICE, _SHARE = 4, 0.3  # every 4th rater has an earlier, partial export of this share of the tasks


class SimulationOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a simulation. `noise`: share of judgements that differ from the ratings it starts from."""

    raters: int
    seed: int
    noise: float = 0.1


class SimulatedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Results zip of a simulated rater. `skipped`: tasks for which no valid rating was found."""

    out: Path
    rater: str
    sha256: str
    complete: int
    skipped: int
    supersedes: str | None = None


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a simulation. `unrated`: tasks without a starting rating, whose answers are all simulated."""

    bundle: str
    written: tuple[SimulatedResults, ...]
    unrated: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class _Task(NamedTuple):
    raw: bytes
    base: BaseRating


class _BundleData(NamedTuple):
    """The bundle, read into memory; `pages`: temporary paths of its stored pages."""

    manifest: BundleManifest
    rubric: Rubric
    rubric_toml: str | None
    ways: LabelPaths
    tasks: list[_Task]
    pages: dict[str, Path]


def simulate_results(
    path: Path, ratings: Path | None, folder: Path, options: SimulationOptions, progress: Progress
) -> Simulation:
    """Write the results of simulated raters to `folder`, all or none. Deterministic for a seed.

    They start from `ratings`, a `.jsonl` file, or from the bundle's gold answers, with noise. Raises `RaterError`.
    """
    names = [SIMULATED_NAME.format(number) for number in range(1, options.raters + 1)]
    twice = names[_TWICE - 1 :: _TWICE]
    files = [*(f"{name}.zip" for name in names), *(f"{name}-before.zip" for name in twice)]
    is_new = not folder.exists()
    with bundle_errors(folder, "written", HINT_UNCHANGED), ExitStack() as made:
        folder.mkdir(exist_ok=True)
        if is_new:
            made.callback(_remove_empty, folder)  # unless something is written
        with replaced_files(folder, files, filled=True) as part_folder:
            stage, unrated, left_out = _read(path, ratings, part_folder, options, progress)
            labels = tuple(look.id for look in stage.ways.main.looks) if stage.ways.main is not None else ()
            raters = [
                random_traits(name, options.noise, labels, _random(options.seed, "rater", name)) for name in names
            ]
            written: list[SimulatedResults] = []
            steps = len(stage.tasks) * (len(raters) + 1)
            for index, rater in enumerate(raters, 1):
                rated = partial(_report, progress, index * len(stage.tasks), steps)
                written += _write(stage, rater, part_folder, options.seed, rated, twice=rater.name in twice)
            progress(steps, steps)
        made.pop_all()
    placed = tuple(replace(results, out=folder / results.out.name) for results in written)
    return Simulation(bundle=stage.manifest.id, written=placed, unrated=tuple(unrated), left_out=tuple(left_out))


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _report(progress: Progress, before: int, steps: int, tasks: int) -> None:
    """Report the tasks of one rater; an earlier export counts as part of them."""
    progress(before + tasks, steps)


def _read(
    path: Path, ratings: Path | None, folder: Path, options: SimulationOptions, progress: Progress
) -> tuple[_BundleData, list[str], list[LeftOut]]:
    given = (rating for _, rating in structs(ratings, Rating)) if ratings is not None else ()
    ratings_by_task = {rating.task: rating for rating in given}
    unrated: list[str] = []
    left_out: list[LeftOut] = []
    tasks: list[_Task] = []
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
        ratings_by_task = ratings_by_task or {first_rating.task: first_rating for first_rating in bundle.gold()}
        rubric = rubric_of_bundle(bundle, path)
        generator = LabelPaths(rubric, _random(options.seed, "ways"))
        for line in bundle_lines(bundle.tasks(), rubric, lang=manifest.language):
            left_out += line.left_out
            if line.task is None:
                continue
            progress(len(tasks), manifest.tasks * (options.raters + 1))
            task = line.task
            first = ratings_by_task.get(task.id)
            if first is None:
                unrated.append(task.id)
            rating, _ = drop_unknown_references(first or Rating(task=task.id), task)
            base = base_rating(generator, task, rating, _random(options.seed, "task", task.id))
            tasks.append(_Task(line.raw, base))
        refuse_empty(path, len(tasks), left_out)
        bundle.verify_rest()
        pages = _pages(bundle, tasks, folder)
        stage = _BundleData(manifest, rubric, bundle.rubric_toml, generator, tasks, pages)
    return stage, unrated, left_out


def _pages(bundle: OpenBundle, tasks: Iterable[_Task], folder: Path) -> dict[str, Path]:
    hashes = {piece.snapshot for task in tasks for piece in task.base.rating.evidence if piece.snapshot}
    paths = {}
    for sha256 in sorted(hashes.intersection(bundle.snapshots)):
        paths[sha256] = folder / sha256
        with paths[sha256].open("wb") as file:
            file.writelines(bundle.snapshot(sha256))
    return paths


def _write(
    stage: _BundleData, rater: RaterTraits, folder: Path, seed: int, rated: Callable[[int], None], *, twice: bool
) -> Iterator[SimulatedResults]:
    supersedes = None
    if twice:
        draws = {task.base.task.id: _random(seed, "before", rater.name, task.base.task.id) for task in stage.tasks}
        chosen = [task for task in stage.tasks if draws[task.base.task.id].random() < _SHARE] or stage.tasks[:1]
        first = _results(stage, rater, chosen, folder / f"{rater.name}-before.zip", seed, "before", None, rated)
        supersedes = first.sha256
        yield first
    yield _results(stage, rater, stage.tasks, folder / f"{rater.name}.zip", seed, "rates", supersedes, rated)


def _results(
    stage: _BundleData,
    rater: RaterTraits,
    tasks: list[_Task],
    out: Path,
    seed: int,
    turn: str,
    supersedes: str | None,
    report: Callable[[int], None],
) -> SimulatedResults:
    manifest = stage.manifest
    clock = parse_time(manifest.created or _NO_TIME) + timedelta(days=1)
    skipped = 0
    named_pages: set[str] = set()
    with Spool(out.parent) as spool:
        lines = ResultLines(spool)
        for number, task in enumerate(tasks):
            report(number)
            rating, history = _rated(stage, rater, task, clock, _random(seed, turn, rater.name, task.base.task.id))
            lines.add([canonical_json(to_plain(rating))], [task.raw], history)
            clock = parse_time(history[-1].changed)
            skipped += rating.status == "skipped"
            named_pages |= {piece.snapshot for piece in rating.evidence if piece.snapshot}
        new = ResultsDraft(
            bundle=bundle_ref(manifest),
            rater=rater.name,
            rubric=manifest.rubric,
            counts=Counts(tasks=len(stage.tasks), complete=len(tasks) - skipped, skipped=skipped),
            moment=format_time(clock),
            partial=len(tasks) < len(stage.tasks),
            practice=manifest.practice,
            supersedes=supersedes,
            rubric_toml=stage.rubric_toml,
            snapshots={name: path for name, path in stage.pages.items() if name in named_pages},
        )
        sha256 = write_results(out, new, lines)
    complete = len(tasks) - skipped
    return SimulatedResults(
        out=out, rater=rater.name, sha256=sha256, complete=complete, skipped=skipped, supersedes=supersedes
    )


def _rated(
    stage: _BundleData, rater: RaterTraits, task: _Task, clock: datetime, random: Random
) -> tuple[Rating, list[HistoryLine]]:
    rating, _ = simulate_rating(stage.ways, task.base, rater, random)
    rating = replace(rating, rater=rater.name, rubric=stage.manifest.rubric)
    history: list[HistoryLine] = []
    exported = rating
    begun = clock + timedelta(seconds=random.randrange(_BREAK))
    for state in (*earlier_states(task.base.task, rating, random), rating):
        last = state is rating
        outcome = check_rating(stage.rubric, task.base.task, state)
        exported = evaluated_rating(state, outcome, as_complete=last)
        counts = count_suggestions(stage.rubric, task.base.task, exported, outcome)
        exported = exported_form(replace(exported, suggestions=counts), outcome)
        when = begun + timedelta(seconds=int(state.time.active_seconds + state.time.idle_seconds))
        number = len(history) + 1
        changed = format_time(when)
        exported = replace(exported, revision=number, changed=changed)
        action = "finished the task" if last else "answered"
        sha256 = exported_sha256(exported)
        history.append(HistoryLine(task=rating.task, revision=number, changed=changed, done=action, sha256=sha256))
    return exported, history


def _random(seed: int, *names: str) -> Random:
    """Return a generator seeded by these names only, so draws are independent of each other and of their order."""
    return Random("\n".join([str(seed), *names]))  # noqa: S311 - nothing secret hangs on it


@click.command()
@click.argument("path", metavar="B.zip", type=FILE)
@click.option(
    "--from",
    "ratings",
    metavar="RATINGS.jsonl",
    type=FILE,
    help="Ratings to start from; default: gold, or else random ones.",
)
@click.option("--raters", type=click.IntRange(1, MAX_SIMULATED_RATERS), default=20, show_default=True, help="How many.")
@seed_option
@click.option(
    "--noise",
    type=click.FloatRange(0, MOST_NOISE),
    default=0.1,
    show_default=True,
    help="The share of judgements that differ.",
)
@click.option("--out-dir", "folder", required=True, type=FILE, help="The folder to write the results to.")
def main(path: Path, ratings: Path | None, raters: int, seed: int, noise: float, folder: Path) -> None:
    """Write results of simulated raters of B.zip, to try out an audit and to plan how many raters it needs.

    Each rater has individual care, pace and taste; every fourth has exported some tasks earlier. The same seed gives
    the same bytes.
    """
    options = SimulationOptions(raters=raters, seed=seed, noise=noise)
    try:
        simulation = simulate_results(path, ratings, folder, options, Progress())
    except RaterError as error:
        raise click.ClickException(str(error)) from error
    number = len({results.rater for results in simulation.written})
    click.echo(f"{len(simulation.written):,} results of {number:,} simulated raters of {simulation.bundle}.")
    for results in simulation.written:
        click.echo(f"{results.out}: {results.complete:,} tasks, {results.skipped:,} skipped")
    if simulation.unrated:
        click.echo(f"{len(simulation.unrated):,} tasks had no rating to start from.")
    sys.exit(print_left_out(simulation.left_out))


if __name__ == "__main__":
    main()
