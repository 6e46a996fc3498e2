"""Judging by a worker that is killed the first time, and by workers that never end by themselves."""

import os
import signal
from functools import partial
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.plugins.dataset.engines import in_processes
from desktop_rater.plugins.dataset.judge import JudgedBatch, ZipBatch, judge_batch


def judge_killed_once(batch: ZipBatch, *, executor: bool = False) -> JudgedBatch:
    """Judge a batch; before, the first worker that gets here is killed, with a file half written.

    `executor`: the process of Spark that started the one which started this one.
    """
    (Path(batch.folder) / f"answers-{os.getpid()}.parquet").write_bytes(b"PAR1")
    try:
        (Path(batch.folder).parent.parent / "killed").touch(exist_ok=False)
    except FileExistsError:
        return judge_batch(batch)
    victim = os.getpid()
    if executor:
        daemon = Path(f"/proc/{os.getppid()}/stat").read_text("utf-8")
        victim = int(daemon.rpartition(")")[2].split()[1])
    os.kill(victim, signal.SIGKILL)
    signal.pause()
    raise AssertionError


judge_with_executor_killed = partial(judge_killed_once, executor=True)


def judge_forever(_batch: ZipBatch) -> JudgedBatch:
    os.write(1, b"judging\n")
    signal.pause()
    raise AssertionError


def build_forever() -> None:
    """Judge two batches by two workers, each of which prints a line."""
    list(in_processes(2, judge_forever)([ZipBatch(zips=(), folder="")] * 2, Progress()))
