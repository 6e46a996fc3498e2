"""Judging by a worker that is killed the first time."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from desktop_rater.dataset.judge import JudgedBatch, ZipBatch, judge_batch


def judge_killed_once(batch: ZipBatch) -> JudgedBatch:
    """Judge a batch; before, the first worker that gets here is killed, with a file half written."""
    (Path(batch.folder) / f"answers-{os.getpid()}.parquet").write_bytes(b"PAR1")
    try:
        (Path(batch.folder).parent.parent / "killed").touch(exist_ok=False)
    except FileExistsError:
        return judge_batch(batch)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
