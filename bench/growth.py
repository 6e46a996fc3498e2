"""Growth of the cost of a step with the number of tasks or places: the slope of its seconds, both as logarithms.

A slope of 1 is ten times the time for ten times the work, 0 the same time for any. Times are those of the processor, so
that the work of others counts less. Each repetition measures all sizes and gives a slope, by least squares.
"""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from bench import many_raters
from bench.child import measured
from bench.figures import Samples
from bench.search_work import texts
from bench.window_stage import Painted, Stage
from bench.workload import BUNDLE, RATER, Workload
from desktop_rater.operations.rating.open_task import task_list_page
from desktop_rater.ui.rating.task_model import SEARCH_PAGE_SIZE

_TIMES = 3
_TASKS = (1_000, 3_000, 10_000, 30_000, 100_000)
_MOST_OPENED = 30_000  # ratings of one rater: with more, opening them takes most of the run
_TURNS = 40
# Tasks of ten sentences, and copies of ten raters' results: 1,000 to 1,000,000 judged places.
_LEADS = ((10, 1), (100, 1), (1_000, 1), (2_000, 5))

Costs = dict[str, dict[int, float]]  # step → size → seconds


def slopes(workload: Workload) -> dict[str, Samples]:
    """Measure the slope of each step in each repetition."""
    samples: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
            costs = _of_raters(workload, Path(folder)) | _of_leads(workload, Path(folder))
        for step, by_size in costs.items():
            samples[step].append(slope(by_size))
    return {step: Samples(values) for step, values in samples.items()}


def slope(by_size: dict[int, float]) -> float:
    """Return the slope of log seconds over log size (least squares)."""
    return float(np.polyfit(np.log(list(by_size)), np.log(list(by_size.values())), 1)[0])


def _of_raters(workload: Workload, folder: Path) -> Costs:
    """Measure imports, and turns and searches in a window, by the number of tasks."""
    costs: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for part in _parts(workload, workload.tasks):
        store = folder / "store"
        costs["import"][part.tasks] = measured("bench.bundles:import_all", str(part.bundle), str(store)).processor
        measured("bench.bundles:index_all", str(store))
        for step, seconds in measured("bench.growth:turns", str(store)).result.items():
            costs[step][part.tasks] = seconds
        shutil.rmtree(store)
    return costs


def _of_leads(workload: Workload, folder: Path) -> Costs:
    """Measure the opening of results by the number of ratings, and reports by the number of places."""
    costs: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for part in _parts(workload, min(workload.tasks, _MOST_OPENED)):
        rated, results, lead = folder / "rated", str(folder / "results.zip"), folder / "lead"
        measured("bench.bundles:export_all", str(shutil.copytree(part.rated, rated)), results)
        ran = measured("bench.chats:open_all", str(lead), str(part.bundle), results)
        costs["open"][part.tasks] = ran.processor
        shutil.rmtree(rated)
        shutil.rmtree(lead)
    for tasks, copies in _LEADS:
        store = workload.folder / f"{tasks}-{many_raters.RATERS * copies}-raters"
        if not store.exists():
            with tempfile.TemporaryDirectory(dir=workload.folder) as made:
                many_raters.make_store(Workload(workload.folder, tasks), Path(made), copies).rename(store)
        places = 10 * tasks * many_raters.RATERS * copies
        costs["report"][places] = measured("bench.audits:compute", str(store)).processor
    return costs


def _parts(workload: Workload, most: int) -> Iterator[Workload]:
    return (Workload(workload.folder, tasks) for tasks in _TASKS if tasks <= most)


def turns(store: str) -> dict[str, float]:
    """Return the median seconds from the key to the painted next task, and of a search whose first page is full."""
    with Stage(Path(store)) as stage:
        stage.settle()
        session = stage.room.session
        assert session.task is not None
        response = session.task.responses[0].text
        return {"next": median(_turns(stage)), "search": median(_searches(stage, texts(response)))}


def _turns(stage: Stage) -> Iterator[float]:
    session = stage.room.session
    for _ in range(_TURNS):
        stage.rest(0.2)
        before, painted, started = session.task, Painted(stage.text), process_time()
        stage.press("Ctrl+PgDown")
        stage.until(lambda before=before: session.task is not before)
        stage.until(lambda painted=painted: painted.yet)
        yield process_time() - started


def _searches(stage: Stage, queries: Sequence[str]) -> Iterator[float]:
    for query in queries:
        started = process_time()
        page = task_list_page(stage.room.reader, BUNDLE, RATER, text=query, state="all", limit=SEARCH_PAGE_SIZE)
        took = process_time() - started
        if len(page.rows) == SEARCH_PAGE_SIZE:
            yield took
