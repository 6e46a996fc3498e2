"""`python -m bench.scale`: what a dataset costs as the work grows, from 10,000 to 10,000,000 judged places.

Each run is a process of its own, and its result is kept in build/bench-scale.json: what was measured with the same
program is not measured again, so that the table can be made in several sittings. BENCH_PLACES=100000 ends with that
many places, BENCH_STEPS='10000000-build-*' names the steps to run, and BENCH_AGAIN=1 measures them again. `--write`
puts the tables into docs/performance.md. Spark is skipped where Java or build/scale-venv, which `make test-scale`
makes, is missing.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from bench.audits import copies_of
from bench.machine import Watch
from bench.peers.page import PAGE, write_between
from bench.process_group import ProcessGroup
from bench.workload import SENTENCES, Workload
from desktop_rater.format.change import Progress
from tools.simulate import SimulationOptions, simulate_results

_ROOT = Path(__file__).resolve().parents[1]
_BUILD = _ROOT / "build"
_SPARK_PYTHON = _BUILD / "scale-venv" / "bin" / "python"
_SIMULATED = 10  # raters; further ones repeat the results of these under other names
_MOST = 10_000_000
_REPEATED = 300_000  # places: smaller sizes are measured three times
_TIMES = 3
_CLUSTERS = (10, 100)
_RUNS = _BUILD / "bench-scale.json"
_ABOVE = {"api", "app", "cli", "ui"}  # packages without which datasets are built and reported on
_HEAP = "--driver-memory 10g pyspark-shell"
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

    def name(self, size: Size) -> str:
        """Return the name by which a step is chosen."""
        return f"{size.places}-{self.function}-{self.engine}-{self.workers}"

    @property
    def title(self) -> str:
        names = {"process": "processes", "duckdb": "DuckDB", "spark": "Spark"}
        return f"{names[self.engine]}, {self.workers}"


class ScaleRun(msgspec.Struct, frozen=True):
    """Result of a step: medians of seconds, and the peak of memory in MB. `spread` is what a cluster shares out.

    `program`: hash of the program that was measured; `others`: cores that other programs used meanwhile, at most.
    """

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
    program: str = ""
    day: str = ""
    others: float | None = None


def main(words: list[str]) -> None:
    """Measure the steps that are wanted, and print all results of this program."""
    most = int(os.environ.get("BENCH_PLACES", str(_MOST)))
    wanted = os.environ.get("BENCH_STEPS", "*").split()
    program = program_sha256(_ROOT / "desktop_rater")
    runs = {} if not _RUNS.exists() else {
        (run.places, run.function, run.engine, run.workers): run
        for run in msgspec.json.decode(_RUNS.read_bytes(), type=list[ScaleRun])
        if run.program == program
    }  # fmt: skip
    notes = [f"Spark was not measured: {missing_spark()}."] if missing_spark() else []
    chosen = [(size, step) for size in SIZES if size.places <= most for step in steps(size, missing_spark())]
    for size, step in chosen:
        is_measured = (size.places, *step) in runs and "BENCH_AGAIN" not in os.environ
        if is_measured or not any(fnmatch(step.name(size), pattern) for pattern in wanted):
            continue
        try:
            run = _measured(size, step, program)
        except RuntimeError as error:
            notes.append(f"{step.function} of {size.places:,} places failed with {step.title}: {error}")
            print(notes[-1], flush=True)
            continue
        print(_row(run), flush=True)
        runs[size.places, *step] = run
        _RUNS.write_bytes(msgspec.json.format(msgspec.json.encode(list(runs.values()))) + b"\n")
    order = {(size.places, *step): number for number, (size, step) in enumerate(chosen)}
    text = page_text([runs[key] for key in sorted(runs.keys() & order.keys(), key=order.__getitem__)], notes)
    print(text)
    if "--write" in words:
        write_between(PAGE, "sizes", text)


def program_sha256(folder: Path) -> str:
    """Return the hash of the program's modules that datasets are built and reported on by."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        if path.relative_to(folder).parts[0] not in _ABOVE:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


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


def _measured(size: Size, step: Step, program: str) -> ScaleRun:
    """Measure a step. Reports read what the processes built, which is kept for them."""
    inbox = made_inbox(size, _BUILD / "bench")
    kept = _BUILD / "bench" / f"dataset-{size.raters}-{size.tasks}-{program}"
    runs, others = [], []
    with tempfile.TemporaryDirectory(dir=_BUILD / "bench") as place:
        folder = Path(place)
        out = folder / "dataset" if step.engine == "spark" and step.function == "build" else kept
        if step.function == "report" and not (kept / "manifest.json").exists():
            _run(Step("build", "process", step.workers), [str(inbox), str(kept), "process", step.workers], folder)
        for _ in range(_TIMES if size.places < _REPEATED else 1):
            arguments = [str(out), step.engine, step.workers]
            if step.function == "build":
                of_size = kept.parent.glob(f"dataset-{size.raters}-{size.tasks}-*") if out == kept else [out]
                for earlier in of_size:
                    shutil.rmtree(earlier, ignore_errors=True)
                arguments = [str(inbox), *arguments]
            with Watch() as watch:
                runs.append(_run(step, arguments, folder))
            others.append(watch.disturbance.others or 0)
    return ScaleRun(
        places=size.places,
        **step._asdict(),
        **{name: median(run[name] for run in runs) for name in ("seconds", "spread", "starting")},
        size=int(runs[-1]["size"]),
        megabytes=max(run["megabytes"] for run in runs),
        zips=sum(path.stat().st_size for path in inbox.glob("*.zip")),
        program=program,
        day=time.strftime("%Y-%m-%d", time.gmtime()),
        others=max(others),
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
    days = sorted({run.day for run in runs}) or [""]
    measured = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    # Spark's processes are not children that this one waits for, so they count as others.
    others = max((run.others or 0 for run in runs if run.engine != "spark"), default=0)
    told = f"Other programs used at most {others:.2f} of them; beside Spark, that was not measured."
    lines = [f"Measured on {measured} on {os.cpu_count()} cores. {told}"]
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
        f"By Amdahl's law, the {function} of {largest.places:,} places, {largest.seconds:,.1f} s with one worker and"
        f" {rest:,.1f} s of them not shared out, takes {told}, and is at most {limit:,.1f} times as fast. Here"
        f" {several.workers} workers did the shared part {measured:.2f} times as fast as one.  "
    )


if __name__ == "__main__":
    main(sys.argv[1:])
