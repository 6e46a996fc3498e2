"""`python -m bench.scale`: what a dataset costs as the work grows, from 10,000 to 10,000,000 judged places.

Each run is a process of its own. `--write` puts the tables into docs/performance.md. BENCH_PLACES=100000 ends with that
many places. Spark is skipped where Java or build/scale-venv, which `make test-scale` makes, is missing.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from bench.audits import copies_of
from bench.peers.page import PAGE, write_between
from bench.process_group import ProcessGroup
from bench.workload import SENTENCES, Workload
from desktop_rater.model.change import Progress
from desktop_rater.work.audit.simulate import SimulationOptions, simulate_results

_ROOT = Path(__file__).resolve().parents[1]
_BUILD = _ROOT / "build"
_SPARK_PYTHON = _BUILD / "scale-venv" / "bin" / "python"
_SIMULATED = 10  # raters; further ones repeat the results of these under other names
_MOST = 10_000_000
_REPEATED = 300_000  # places: smaller sizes are measured three times
_TIMES = 3
_CLUSTERS = (10, 100)
_HEAP = "--driver-memory 6g pyspark-shell"
_MEGABYTE = 1_000_000


class Size(NamedTuple):
    """Results of so many raters, who each rated so many tasks of ten targets."""

    raters: int
    tasks: int

    @property
    def places(self) -> int:
        return self.raters * self.tasks * SENTENCES


SIZES = (Size(5, 200), Size(10, 1_000), Size(50, 2_000), Size(50, 20_000))


class Step(NamedTuple):
    """Something that is measured: `function` of `bench.scale_work`, by an engine with so many workers."""

    function: str
    engine: str
    workers: int

    @property
    def title(self) -> str:
        names = {"process": "processes", "duckdb": "DuckDB", "spark": "Spark"}
        return f"{names[self.engine]}, {self.workers}"


class ScaleRun(msgspec.Struct, frozen=True):
    """Result of a step: medians of seconds, and the peak of memory in MB. `spread` is what a cluster shares out."""

    places: int
    function: str
    engine: str
    workers: int
    seconds: float
    spread: float
    starting: float
    size: int
    megabytes: float
    zips: int


def main(words: list[str]) -> None:
    """Measure all sizes up to the largest wanted."""
    most = int(os.environ.get("BENCH_PLACES", str(_MOST)))
    runs: list[ScaleRun] = []
    notes = [f"Spark was not measured: {missing_spark()}."] if missing_spark() else []
    for size in SIZES:
        if size.places > most:
            break
        inbox = made_inbox(size, _BUILD / "bench")
        with tempfile.TemporaryDirectory(dir=_BUILD / "bench") as folder:
            for step in steps(size, missing_spark()):
                try:
                    runs.append(_measured(size, step, inbox, Path(folder)))
                except RuntimeError as error:
                    notes.append(f"{step.function} of {size.places:,} places failed with {step.title}: {error}")
                    print(notes[-1], flush=True)
                else:
                    print(_row(runs[-1]), flush=True)
    (_BUILD / "bench-scale.json").write_bytes(msgspec.json.format(msgspec.json.encode(runs)) + b"\n")
    text = page_text(runs, notes)
    print(text)
    if "--write" in words:
        write_between(PAGE, "sizes", text)


def missing_spark() -> str:
    """Return why Spark is not measured, or nothing."""
    if not _SPARK_PYTHON.exists():
        return "build/scale-venv is missing"
    return "" if os.environ.get("JAVA_HOME") or shutil.which("java") else "Java is missing"


def steps(size: Size, without_spark: str) -> list[Step]:
    """Return what is measured. One worker alone gives the shares; with the largest size that would take too long."""
    cores = os.cpu_count() or 1
    workers = {1, cores} if size.places < _MOST else {cores}
    built = [Step("build", "process", number) for number in sorted(workers)]
    reported = [Step("report", "duckdb", number) for number in sorted(workers)]
    if without_spark:
        return [*built, *reported]
    return [*built, Step("build", "spark", cores), *reported, Step("report", "spark", cores)]


def made_inbox(size: Size, folder: Path) -> Path:
    """Return a folder with the bundle and the results of simulated raters, made when it is first asked for."""
    inbox = folder / f"results-{size.raters}-{size.tasks}"
    if inbox.exists():
        return inbox
    workload, part = Workload(folder, size.tasks), inbox.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    options = SimulationOptions(raters=min(size.raters, _SIMULATED), seed=1)
    if size.places < _MOST:
        options = msgspec.structs.replace(options, raters=size.raters)
    done = simulate_results(workload.bundle, workload.ratings, part, options, Progress())
    writers = [copies_of(one.out) for one in done.written if not one.out.stem.endswith("-before")]
    for number in range(size.raters - options.raters):
        name = f"copy-{number:03}"
        writers[number % len(writers)](name, part / f"{name}.zip")
    shutil.copy(workload.bundle, part / "bundle.zip")
    part.rename(inbox)
    return inbox


def _measured(size: Size, step: Step, inbox: Path, folder: Path) -> ScaleRun:
    # Reports read what the processes built.
    out, runs = folder / f"dataset-{step.engine if step.function == 'build' else 'process'}", []
    for _ in range(_TIMES if size.places < _REPEATED else 1):
        if step.function == "build":
            shutil.rmtree(out, ignore_errors=True)
            arguments = [str(inbox), str(out), step.engine, step.workers]
        else:
            arguments = [str(out), step.engine, step.workers]
        runs.append(_run(step, arguments, folder))
    return ScaleRun(
        places=size.places,
        **step._asdict(),
        **{name: median(run[name] for run in runs) for name in ("seconds", "spread", "starting")},
        size=int(runs[-1]["size"]),
        megabytes=max(run["megabytes"] for run in runs),
        zips=sum(path.stat().st_size for path in inbox.glob("*.zip")),
    )


def _run(step: Step, arguments: list[str | int], folder: Path) -> dict[str, float]:
    log = folder / "log.txt"
    log.unlink(missing_ok=True)
    python = _SPARK_PYTHON if step.engine == "spark" else Path(sys.executable)
    words = msgspec.json.encode(arguments).decode()
    command = [python, "-m", "bench.child", f"bench.scale_work:{step.function}", words]
    variables = {"PYTHONPATH": str(_ROOT), "PYSPARK_SUBMIT_ARGS": _HEAP}
    with ProcessGroup(command, folder, variables, log) as group:
        status = group.process.wait()
        megabytes = group.peak
    printed = log.read_text("utf-8", "replace").splitlines()
    if status or not printed:
        print(*printed, sep="\n", file=sys.stderr)
        reasons = [line for line in printed if "Error" in line or "Exception" in line]
        raise RuntimeError(reasons[-1].strip() if reasons else f"exit status {status}")
    ran = next(line for line in reversed(printed) if line.startswith("{"))
    return {**msgspec.json.decode(ran)["result"], "megabytes": megabytes}


def page_text(runs: list[ScaleRun], notes: list[str]) -> str:
    """Return the tables as Markdown, with what follows from the measured shares."""
    lines = [f"Measured on {time.strftime('%Y-%m-%d', time.gmtime())} on {os.cpu_count()} cores."]
    lines += notes
    for function, first, second in (
        ("build", "build: engine, workers", "of which judging"),
        ("report", "report: engine, cores", "of which the engine"),
    ):
        chosen = [run for run in runs if run.function == function]
        lines += ["", f"| places | {first} | s | {second} | peak MB | zips MB | written MB |", "|---" * 7 + "|"]
        lines += [_row(run) for run in chosen]
    single = [run for run in runs if run.workers == 1]
    lines += ["", *(_cluster(runs, function) for function in dict.fromkeys(run.function for run in single))]
    starting = [run.starting for run in runs if run.engine == "spark"]
    if starting:
        lines += ["", f"Starting Spark took {median(starting):.1f} s more, which the tables leave out."]
    return "\n".join(lines)


def _row(run: ScaleRun) -> str:
    title = Step(run.function, run.engine, run.workers).title
    share = f"{run.spread / run.seconds:.0%}"
    zips = f"{run.zips / _MEGABYTE:,.1f}" if run.function == "build" else ""
    cells = (f"{run.places:,}", title, f"{run.seconds:,.1f}", share, f"{run.megabytes:,.0f}", zips)
    return f"| {' | '.join(cells)} | {run.size / _MEGABYTE:,.1f} |"


def _cluster(runs: list[ScaleRun], function: str) -> str:
    """Say what a cluster would do with the largest size of a single worker, by Amdahl's law from its shares."""
    single = [run for run in runs if run.function == function and run.workers == 1]
    largest = max(single, key=lambda run: run.places)
    rest = largest.seconds - largest.spread
    told = ", ".join(f"{rest + largest.spread / number:,.1f} s with {number} workers" for number in _CLUSTERS)
    limit = largest.seconds / rest
    same = [run for run in runs if (run.function, run.engine, run.places) == (function, largest.engine, largest.places)]
    several = max(same, key=lambda run: run.workers)
    measured = largest.spread / several.spread
    return (
        f"The {function} of {largest.places:,} places takes {largest.seconds:,.1f} s with one worker, {rest:,.1f} s of"
        f" them outside the part that is shared out. By Amdahl's law that gives {told}, and at most {limit:,.1f} times"
        f" the speed of one. Here {several.workers} workers did the shared part {measured:.2f} times as fast as one.  "
    )


if __name__ == "__main__":
    main(sys.argv[1:])
