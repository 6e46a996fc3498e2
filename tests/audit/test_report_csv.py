"""The CSV of a report: the figures to the last digit, and nothing that a spreadsheet would run."""

import csv
import io

import pytest

from desktop_rater.audit.html_report import PageColors
from desktop_rater.audit.report_columns import NAMES as FILES
from desktop_rater.audit.report_columns import csv_files
from desktop_rater.audit.report_format import Wording
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.report import save_report_page, save_report_tables
from desktop_rater.text.untrusted import escape_formula
from tests.audit.reports import NAMES, picture_report

EVIL = ('=HYPERLINK("x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "'=1", 'a,b\n"c"')  # fmt: skip


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_figure_is_written_as_it_is():
    files = csv_files(picture_report())
    assert set(files) == set(FILES)
    found = {(row["question"], row["figure"]): row for row in rows(files["agreement.csv"])}
    assert float(found["label", "percent"]["value"]) == 0.78
    assert found["label", "percent"]["units"] == "212"
    assert found["consensus", "krippendorff_alpha"]["value"] == ""
    assert found["consensus", "krippendorff_alpha"]["why"] == "every rating is the same"
    counts = {(row["given"], row["majority_of_others"]): row["ratings"] for row in rows(files["confusion.csv"])}
    assert counts["inaccurate", "accurate"] == "12"
    assert len(counts) == 25
    raters = rows(files["raters.csv"])
    assert [row["rater"] for row in raters] == list(NAMES)
    assert float(raters[0]["target_median_seconds"]) == pytest.approx(66)
    assert raters[0]["alpha_label_low"] == "0.38"
    labels = [row for row in rows(files["labels.csv"]) if row["rater"] == "r-04" and row["question"] == "label"]
    assert sum(int(row["ratings"]) for row in labels) == 1_031
    differ = rows(files["differing.csv"])
    assert differ[0]["rater"] == ""
    assert differ[0]["given"] == "unsupported: 3; disputed: 1"
    assert differ[-1]["own"] == "inaccurate"


@pytest.mark.parametrize("name", EVIL)
def test_a_name_that_is_a_formula_is_text(name):
    files = csv_files(picture_report((name, *NAMES[1:])))
    for file in ("raters.csv", "labels.csv", "differing.csv"):
        cells = {row["rater"] for row in rows(files[file])}
        assert escape_formula(name) in cells
        assert name == escape_formula(name) or name not in cells


def test_the_tables_go_into_a_folder_all_of_them_or_none(tmp_path):
    folder = tmp_path / "new" / "report"
    assert [path.name for path in save_report_tables(picture_report(), folder)] == list(FILES)
    text = (folder / "agreement.csv").read_text(encoding="utf-8-sig")
    assert rows(text)[0]["question"] == "label"
    (folder / "mine.txt").write_text("stays", encoding="utf-8")
    (folder / "labels.csv").unlink()
    (folder / "labels.csv").mkdir()
    before = (folder / "raters.csv").read_bytes()
    with pytest.raises(RaterError):
        save_report_tables(picture_report(NAMES[:2]), folder)
    assert (folder / "raters.csv").read_bytes() == before
    assert (folder / "mine.txt").read_text(encoding="utf-8") == "stays"


def test_a_page_that_can_not_be_written_is_said_so_and_leaves_nothing(tmp_path):
    with pytest.raises(RaterError):
        save_report_page(
            picture_report(), tmp_path / "none" / "x.html", Wording(), PageColors({}, {}), lead="Lena", language="en"
        )
    assert list(tmp_path.iterdir()) == []
