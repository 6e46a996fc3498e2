"""The lead's desk: from results zips to figures, from the store to figures, and many results, some of them damaged."""

from __future__ import annotations

import random
import shutil
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bench.child import measured
from bench.figures import Samples
from bench.workload import BUNDLE, SEED, Workload, noon
from desktop_rater.format.change import Progress
from desktop_rater.format.results import ResultLines, ResultsDraft, open_results, write_results
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.write import Spool
from desktop_rater.operations.audit import import_results
from desktop_rater.operations.audit.report import load_report
from desktop_rater.rubric import exported_sha256
from desktop_rater.store.open_store import open_reader, open_writer
from tools.simulate import SimulationOptions, simulate_results

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_TASKS, _RATERS = 500, 20
_MANY, _HARMED = 2_000, 100  # one of so many
_TIMES = 3
_A_ROW = 10_000  # judged places: the rows tell how long so many take


def figures(workload: Workload) -> dict[str, Samples]:
    """Measure processor seconds for 10,000 of 100,000 judged places: from zips, and from the store, to figures."""
    part = Workload(workload.folder, _TASKS)
    with _folder(workload) as folder:
        inbox = folder / "inbox"
        simulate_results(part.bundle, part.ratings, inbox, SimulationOptions(raters=_RATERS, seed=1), Progress())
        stores = [str(folder / f"store-{number}") for number in range(_TIMES)]
        ran = [measured("bench.audits:take", store, str(inbox)) for store in stores]
        again = [measured("bench.audits:compute", store) for store in stores]
        places = ran[0].result
    each = _A_ROW / places
    computed = [one.processor * each for one in again]
    taken = [one.processor * each for one in ran]
    return {"zips": Samples([sum(pair) for pair in zip(taken, computed, strict=True)]), "store": Samples(computed)}


def many(workload: Workload) -> dict[str, Samples]:
    """Measure the seconds for 2,000 results of two tasks, one in a hundred damaged; each refusal has to be right."""
    part = Workload(workload.folder, 2)
    with _folder(workload) as folder:
        inbox = folder / "inbox"
        inbox.mkdir()
        harmed = _fill(part, inbox)
        ran = measured("bench.audits:take_all", str(folder / "store"), str(inbox))
        if sorted(ran.result) != sorted(harmed):
            raise RuntimeError(f"refused: {ran.result}, damaged: {harmed}")
    return {"seconds": Samples([ran.seconds])}


def take(store: str, inbox: str) -> int:
    """What the measured process does; how many places were judged."""
    with open_writer(Path(store), command="bench") as opened:
        done = import_results.import_results(opened, [Path(inbox)], lead="", now=noon(), progress=Progress())
    return sum(one.units for one in done.took)


def compute(store: str) -> None:
    """As above: all figures of a report."""
    opened = open_reader(Path(store))
    assert opened is not None
    with opened:
        load_report(opened, BUNDLE, seed=1, now=noon())


def take_all(store: str, inbox: str) -> list[str]:
    """As above; what was refused."""
    with open_writer(Path(store), command="bench") as opened:
        done = import_results.import_results(opened, [Path(inbox)], lead="", now=noon(), progress=Progress())
    return [one.file for one in done.refused]


def results_of(workload: Workload, raters: int) -> Generator[tuple[str, Callable[[Path], None]]]:
    """Results of many raters that say the same: each rater, and what writes a zip."""
    with _folder(workload) as folder:
        rehearsal = SimulationOptions(raters=1, seed=1)
        (one, *_) = simulate_results(workload.bundle, workload.ratings, folder / "one", rehearsal, Progress()).written
        write = copies_of(one.out)
    for number in range(raters):
        rater = f"r-{number:04}"
        yield rater, partial(write, rater)


def copies_of(results: Path) -> Callable[[str, Path], None]:
    """Return what writes the same results under the name of another rater."""
    with open_results(results) as old:
        rated = [line.rating for line in old.ratings()]
        lines = [line.raw for line in old.tasks()]
        told = {line.task: line for line in old.history()}
        manifest = old.manifest

    def write(rater: str, out: Path) -> None:
        given = ResultsDraft(
            bundle=manifest.bundle,
            rater=rater,
            rubric=manifest.rubric,
            counts=manifest.counts,
            moment="2026-11-20T12:00:00Z",
        )
        with Spool(out.parent) as spool:
            taken = ResultLines(spool)
            for rating, line in zip(rated, lines, strict=True):
                new = replace(rating, rater=given.rater, revision=1, changed=given.moment)
                last = replace(told[new.task], revision=1, changed=given.moment, sha256=exported_sha256(new))
                taken.add([canonical_json(to_plain(new))], [line], [last])
            write_results(out, given, taken)

    return write


def _fill(workload: Workload, inbox: Path) -> list[str]:
    """Results of many raters that say the same; the names of those that were damaged."""
    chance = random.Random(SEED)  # noqa: S311 - a workload, no secret
    harmed = []
    for number, (_, write) in enumerate(results_of(workload, _MANY)):
        out = inbox / f"{number:04}.zip"
        write(out)
        if number % _HARMED == _HARMED // 2:
            _harm(out, number // _HARMED % 4, chance)
            harmed.append(out.name)
    return harmed


def _harm(path: Path, how: int, chance: random.Random) -> None:
    """Cut it short, flip a byte of a file inside, put other bytes in its place, or leave nothing of it."""
    raw = bytearray(path.read_bytes())
    match how:
        case 0:
            raw = raw[: chance.randrange(1, len(raw))]
        case 1:
            raw[chance.randrange(len(raw) // 3, len(raw) // 2)] ^= 255
        case 2:
            raw = bytearray(chance.randbytes(len(raw)))
        case _:
            raw = bytearray()
    path.write_bytes(raw)


@contextmanager
def _folder(workload: Workload) -> Generator[Path]:
    """On the disk of the workload, and gone afterwards."""
    workload.folder.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=workload.folder))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
