"""Published annotations give the same figures from a dataset as from a store: the report, and what the systems did."""

import msgspec
import pytest

from desktop_rater.audit.report import ReportFilter
from desktop_rater.cli.label_figures import label_figures
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.report import REPORT_SEED, load_report
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader
from desktop_rater.plugins.dataset.figures import dataset_labels, dataset_report
from desktop_rater.plugins.dataset.parts import REPORT_TABLES
from desktop_rater.plugins.statistics.operations import load_systems
from desktop_rater.plugins.statistics.system_figures import NO_RATINGS
from desktop_rater.plugins.statistics.systems import SystemsRequest
from desktop_rater.translation import phrase_text
from tests.docs.test_systems_page import SETS
from tests.operations.bundles import NOON, writer
from tests.plugins.dataset.test_build import built
from tests.plugins.dataset.test_figures import differences
from tools.published.ratings import make

pytest.importorskip("ibis")


@pytest.mark.parametrize("name", SETS)
def test_published_annotations_have_the_figures_of_a_laptop(tmp_path, name):
    if not SETS[name].is_file():
        pytest.skip(f"no {SETS[name]}")
    make(name, SETS[name], tmp_path / name)
    files = [tmp_path / name / f"{name}.zip", tmp_path / name / "results"]
    manifest = built(tmp_path / "data", *files).manifest
    tables = dataset_tables(parquet_reader("duckdb"), tmp_path / "data", manifest, REPORT_TABLES)
    with writer(tmp_path / "store") as store:
        import_results(store, files, lead="", now=NOON, progress=Progress())
        report = load_report(store, name, seed=REPORT_SEED, now=NOON)
        systems = load_systems(store, name, SystemsRequest(), now=NOON)
    computed = {"seed": REPORT_SEED, "computed": report.computed}
    of_dataset = dataset_report(tables, name, ReportFilter(), **computed)
    systems_of_dataset = label_figures("systems").compute({}, *dataset_labels(tables, name, "majority", 0), **computed)
    for stored, counted in ((report, of_dataset.report), (systems, systems_of_dataset)):
        both = [msgspec.to_builtins(figures, enc_hook=phrase_text) for figures in (stored, counted)]
        *_, missing = both[1].pop("fragility", ({"why": NO_RATINGS},))
        assert missing["why"] == NO_RATINGS, "it needs the single ratings"
        both[0].pop("fragility", None)
        assert differences(*both) == []
    assert systems.groups
    assert of_dataset.left_out == ()
