"""What comes in and goes out: import, export, ratings from a file, and the check of results."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench import floors, sqlite_alone
from bench.child import Ran, measured
from bench.figures import Samples
from bench.workload import BUNDLE, RATER, Workload, noon
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.import_bundle import import_bundle, index_bundles
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store.open_store import open_writer

if TYPE_CHECKING:
    from collections.abc import Generator

_TIMES = range(3, 16)  # turns: fewer with more tasks
_TURN = 150_000
_ENOUGH = 10_000  # ratings, for figures of a single one


def imports(workload: Workload) -> dict[str, Samples]:
    """Measure seconds and MB of an import of all tasks, without their search index."""
    return _in_turn(workload, "import_all", "import_floor", str(workload.bundle))


def indexes(workload: Workload) -> dict[str, Samples]:
    """Measure the seconds in which the search index of imported tasks is built, and in which SQLite alone builds it.

    `processor`: those of the processor, of import and index together.
    """
    seconds, processor = [], []
    for _ in range(_TIMES[0]):
        with _folder(workload) as folder:
            store = str(folder / "store")
            imported = measured("bench.bundles:import_all", str(workload.bundle), store)
            indexed = measured("bench.bundles:index_all", store)
            seconds.append(indexed.seconds)
            processor.append(imported.processor + indexed.processor)
    tasks, index = (sqlite_alone.measure(workload, what) for what in ("tasks", "index"))
    both = [sum(pair) for pair in zip(tasks["processor"].ours, index["processor"].ours, strict=True)]
    return {"seconds": Samples(seconds, index["seconds"].ours), "processor": Samples(processor, both)}


def exports(workload: Workload) -> dict[str, Samples]:
    """Measure seconds and MB of an export of a rating of each task."""
    return _in_turn(workload, "export_all", "export_floor", str(workload.rated))


def labels(workload: Workload) -> dict[str, Samples]:
    """Measure the same with one label per task, which is what other tools export."""
    part = Workload(workload.folder, min(workload.tasks, _ENOUGH))
    return _in_turn(part, "export_all", "export_floor", str(part.labelled))


def results(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds in which a rating is stored from a file, and in which its recipient checks it."""
    part = Workload(workload.folder, min(workload.tasks, _ENOUGH))
    each = 1_000 / part.tasks
    rated, checked = [], []
    for _ in range(_TIMES[0]):
        with _folder(workload) as folder:
            store = str(shutil.copytree(part.imported, folder / "store"))
            rated.append(measured("bench.bundles:rate_all", store, str(part.ratings)).seconds * each)
            out = str(folder / "results.zip")
            measured("bench.bundles:export_all", store, out)
            checked.append(measured("bench.bundles:check_all", out).seconds * each)
    return {"rated": Samples(rated), "checked": Samples(checked)}


def import_all(bundle: str, out: str) -> int:
    """Our import, into a new store."""
    with open_writer(Path(out), command="bench") as store:
        return import_bundle(store, Path(bundle), progress=Progress(), now=noon).imported


def index_all(store_folder: str) -> int:
    """The search index of what was imported."""
    with open_writer(Path(store_folder), command="bench") as store:
        return len(index_bundles(store, progress=Progress()).indexed)


def import_floor(bundle: str, out: str) -> int:
    """The floor's, into a new database."""
    return floors.import_bundle(Path(bundle), Path(out))


def export_all(store_folder: str, out: str) -> int:
    """Our export."""
    with open_writer(Path(store_folder), command="bench") as store:
        return export_results(store, BUNDLE, RATER, Path(out), progress=Progress()).complete


def export_floor(store_folder: str, out: str) -> int:
    """The floor's, from the same store."""
    return floors.export_ratings(Path(store_folder) / "store.sqlite3", BUNDLE, RATER, Path(out))


def rate_all(store_folder: str, ratings: str) -> int:
    """All ratings of a file."""
    with open_writer(Path(store_folder), command="bench") as store:
        return rate_from_file(store, BUNDLE, Path(ratings), RATER, progress=Progress(), now=noon).complete


def check_all(results_zip: str) -> int:
    """All of some results."""
    return check_results(Path(results_zip), Progress()).complete


def _in_turn(workload: Workload, ours: str, floor: str, argument: str) -> dict[str, Samples]:
    runs: dict[str, list[Ran]] = {ours: [], floor: []}
    for _ in range(max(_TIMES[0], min(_TIMES[-1], _TURN // workload.tasks))):
        for name, ran in runs.items():
            with _folder(workload) as folder:
                ran.append(measured(f"bench.bundles:{name}", argument, str(folder / "out")))
    counts = {ran.result for many in runs.values() for ran in many}
    assert counts == {workload.tasks}, f"not the same work: {counts}"
    return {
        "seconds": Samples([ran.seconds for ran in runs[ours]], [ran.seconds for ran in runs[floor]]),
        "processor": Samples([ran.processor for ran in runs[ours]], [ran.processor for ran in runs[floor]]),
        "megabytes": Samples([ran.megabytes for ran in runs[ours]], [ran.megabytes for ran in runs[floor]]),
    }


@contextmanager
def _folder(workload: Workload) -> Generator[Path]:
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        yield Path(folder)
