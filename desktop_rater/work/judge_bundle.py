"""Let a language model rate a bundle, and write its results as one more rater's, marked as a model's."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.results import NewResults, ResultLines, write_results
from desktop_rater.bundle.sources import Spool
from desktop_rater.bundle.trouble import named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.derived import derived_from
from desktop_rater.model.kept import to_plain
from desktop_rater.model.limits import format_time
from desktop_rater.model.manifests import BundleRef, Counts, HistoryLine, ModelSource
from desktop_rater.rubric import check, leaving, leaving_sha256
from desktop_rater.rubric.suggestions import counted
from desktop_rater.work.incoming import LeftOut, incoming, refuse_empty, rubric_of
from desktop_rater.work.judge_task import JudgedTask, judge_tasks, requests_of
from desktop_rater.work.make_bundle import refuse_same_file
from desktop_rater.work.rate import judged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.manifests import BundleManifest
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.task import Task
    from desktop_rater.oracle.asking import Asking
    from desktop_rater.oracle.cost import Cost, Prices
    from desktop_rater.oracle.prompts import Prompt
    from desktop_rater.rubric import Rubric

DONE = "judged by a model"
_AT_ONCE = 50  # tasks that are held in memory together


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """Which model rates, and under which name."""

    model: str
    rater: str


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A task that the model could not rate, and why."""

    task: str
    why: str


class JudgedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """What was written. `shortened`: tasks of which only the beginning of something was read."""

    bundle: str
    out: Path
    written: bool
    rater: str
    complete: int
    missing: tuple[Missing, ...]
    left_out: tuple[LeftOut, ...] = ()
    shortened: tuple[str, ...] = ()
    sha256: str = ""


def judge_bundle(
    path: Path,
    out: Path,
    judge: Judge,
    asking: Asking,
    *,
    prompt: Prompt,
    now: Callable[[], datetime],
    progress: Progress,
) -> JudgedBundle:
    """Ask about every task, and write results. Raises `RaterError`: what was answered until then is kept."""
    refuse_same_file(out, path)
    with open_bundle(path) as bundle, named(out, "written", TRY_AGAIN):
        rubric = rubric_of(bundle, path)
        check_place(out)
        with Spool(out.parent) as spool:
            writing = _Writing(bundle, rubric, judge, ResultLines(spool), format_time(now()))
            total = bundle.manifest.tasks
            for batch in _batches(_tasks(bundle, rubric, writing.left_out)):
                progress(writing.seen, total)
                found = judge_tasks(rubric, [task for task, _ in batch], asking, progress)
                for (task, raw), one in zip(batch, found, strict=True):
                    writing.take(task, raw, one)
            refuse_empty(path, writing.seen, writing.left_out)
            bundle.verify_rest()
            served = next((one.served for one in asking.used.values() if one.served), "")
            return writing.done(out, ModelSource(name=judge.model, prompts=prompt.sha256, served=served))


def id_of(path: Path) -> str:
    """The id of a bundle. Raises `BundleError`."""
    with open_bundle(path) as bundle:
        return bundle.manifest.id


def would_cost(path: Path, asking: Asking, prices: Prices) -> Cost:
    """What a run would ask at most, where each answer brings up no more than one round of further questions."""
    with open_bundle(path) as bundle:
        rubric = rubric_of(bundle, path)
        tasks = (task for task, _ in _tasks(bundle, rubric, []))
        return asking.would_cost((one for task in tasks for one in requests_of(rubric, task, asking)), prices)


class _Writing:
    """Gathers what leaves."""

    def __init__(self, bundle: OpenBundle, rubric: Rubric, judge: Judge, lines: ResultLines, moment: str) -> None:
        self._manifest: BundleManifest = bundle.manifest
        self._rubric_toml = bundle.rubric_toml
        self._rubric = rubric
        self._judge = judge
        self._lines = lines
        self._moment = moment
        self._complete = 0
        self._missing: list[Missing] = []
        self._shortened: list[str] = []
        self.seen = 0
        self.left_out: list[LeftOut] = []

    def take(self, task: Task, raw: bytes, one: JudgedTask) -> None:
        """A rating leaves where nothing blocks it."""
        self.seen += 1
        rating = replace(
            one.rating, rater=self._judge.rater, rubric=self._manifest.rubric, revision=1, changed=self._moment
        )
        outcome = check(self._rubric, task, rating)
        if one.why or outcome.blocking:
            blocking = ", ".join(f"{each.rule} at {each.where}" for each in outcome.problems if each.level == "block")
            self._missing.append(Missing(task=task.id, why=one.why or f"it leaves open: {blocking}"))
            return
        rating = judged(rating, outcome, as_complete=True)
        rating = replace(rating, suggestions=counted(self._rubric, task, rating, outcome))
        form = leaving(rating, outcome)
        line = HistoryLine(task=task.id, revision=1, changed=self._moment, done=DONE, sha256=leaving_sha256(form))
        self._lines.add([canonical(to_plain(form))], [raw], [line])
        self._complete += 1
        if one.shortened:
            self._shortened.append(task.id)

    def done(self, out: Path, source: ModelSource) -> JudgedBundle:
        """Write, unless nothing leaves."""
        manifest = self._manifest
        result = JudgedBundle(
            bundle=manifest.id,
            out=out,
            written=self._complete > 0,
            rater=self._judge.rater,
            complete=self._complete,
            missing=tuple(self._missing),
            left_out=tuple(self.left_out),
            shortened=tuple(self._shortened),
        )
        if not self._complete:
            return result
        new = NewResults(
            bundle=BundleRef(
                id=manifest.id,
                revision=manifest.revision,
                sha256=manifest.files[TASKS].sha256,
                language=manifest.language,
                derived=derived_from(manifest.unknown),
            ),
            rater=self._judge.rater,
            rubric=manifest.rubric,
            counts=Counts(tasks=self.seen, complete=self._complete, skipped=0),
            moment=self._moment,
            partial=self._complete < self.seen,
            model=source,
            rubric_toml=self._rubric_toml,
        )
        return replace(result, sha256=write_results(out, new, self._lines))


def _tasks(bundle: OpenBundle, rubric: Rubric, left_out: list[LeftOut]) -> Iterator[tuple[Task, bytes]]:
    for line in incoming(bundle.tasks(), rubric, lang=bundle.manifest.language):
        left_out += line.left_out
        if line.task is not None:
            yield line.task, line.raw


def _batches(tasks: Iterator[tuple[Task, bytes]]) -> Iterator[list[tuple[Task, bytes]]]:
    while batch := list(islice(tasks, _AT_ONCE)):
        yield batch
