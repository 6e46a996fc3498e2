"""A cluster counts the answers of a dataset, and every figure is that of one machine."""

from random import Random

import pytest

from desktop_rater.audit.report import ReportFilter
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader, spark_reader
from desktop_rater.plugins.dataset.figures import dataset_report
from desktop_rater.plugins.dataset.parts import REPORT_TABLES
from desktop_rater.plugins.statistics.systems import SystemsRequest
from desktop_rater.rubric.load import load_rubric
from tests.audit.digests import GRADED, audit
from tests.plugins.dataset.tables import write_dataset
from tests.plugins.dataset.test_figures import GRADES, assert_same, differences, team
from tests.plugins.dataset.test_systems import both_systems, pairs, sentences

pytestmark = [  # of the rows that PySpark hands over, by way of pandas and a socket that it leaves to the collector
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_the_report_of_spark_is_that_of_duckdb(spark, tmp_path):
    spark.conf.set("spark.sql.shuffle.partitions", "2")  # 200 take minutes where there are two cores
    made, beside = team(5, rubric=load_rubric(GRADED), values=GRADES)
    manifest = write_dataset(tmp_path, made, beside, parts=4, toml=GRADED)
    on_duckdb, on_spark = (
        dataset_report(
            dataset_tables(read, tmp_path, manifest, REPORT_TABLES), "b", ReportFilter(), seed=1, computed=""
        )
        for read in (parquet_reader("duckdb"), spark_reader(spark))
    )
    assert_same(on_duckdb.report, on_spark.report)
    assert on_duckdb.left_out == on_spark.left_out


@pytest.mark.parametrize(("given", "rubric"), [(sentences, "span-factuality"), (pairs, "side-by-side")])
def test_what_the_systems_did_is_the_same_on_spark(spark, tmp_path, given, rubric):
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    lines, digests = given(Random(7))
    made = audit(digests, rubric=builtin_rubric(rubric), models=frozenset({"model-x"}))
    laptop, on_spark = both_systems(tmp_path, made, lines, SystemsRequest(), spark_reader(spark))
    assert differences(laptop, on_spark) == []
    assert len(on_spark["groups"]) == 3
