"""Results are judged on Spark by separate workers, and the rows are those of one machine, also where a worker dies."""

import sys
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from desktop_rater.format.change import Progress
from desktop_rater.plugins.dataset.engines import on_spark
from desktop_rater.plugins.dataset.judge import JudgedBatch, ZipBatch
from desktop_rater.plugins.dataset.parts import check_dataset
from tests.audit.results import GOOD, WRONG, Desk
from tests.plugins.dataset import killed_worker
from tests.plugins.dataset.killed_worker import judge_with_executor_killed
from tests.plugins.dataset.test_build import built, content

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the process of a worker is found in /proc")


def test_spark_writes_the_same_rows_although_a_worker_is_killed(spark, tmp_path):
    cloudpickle = pytest.importorskip("pyspark.cloudpickle")
    cloudpickle.register_pickle_by_value(killed_worker)  # workers have the program, but not its tests
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk")
    for rater, first in (("ann", GOOD), ("bo", WRONG), ("cy", GOOD), ("di", WRONG)):
        desk.sent(rater, t1=first, t2=GOOD, t3=GOOD)
    (desk.folder / "bad.zip").write_bytes(b"junk")
    whole, data = tmp_path / "whole", tmp_path / "sub" / "data"
    data.parent.mkdir()

    def one_by_one(batches: Sequence[ZipBatch], progress: Progress) -> Iterator[JudgedBatch]:
        split = [msgspec.structs.replace(batch, zips=(source,)) for batch in batches for source in batch.zips]
        assert len(split) == 5
        yield from on_spark(spark, judge_with_executor_killed)(split, progress)

    done = built(data, desk.folder, run=one_by_one)
    assert (done.added, len(done.refused)) == (4, 1)
    assert (tmp_path / "sub" / "killed").exists()
    built(whole, desk.folder)
    assert content(data) == content(whole)
    checked = check_dataset(data, Progress())
    assert checked["extra"] == checked["faults"] == []
