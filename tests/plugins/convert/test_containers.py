"""Compressed and binary sources are read, or named."""

import gzip
import io
import itertools
import json
import zipfile
from datetime import UTC, datetime

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from desktop_rater.format.change import Cancelled
from desktop_rater.format.errors import BundleError
from desktop_rater.format.safe_zip import LIMITS, Limits
from desktop_rater.plugins.convert import source
from desktop_rater.plugins.convert.maps import MapSource, RecordMap
from desktop_rater.plugins.convert.source import SourceRecords

ROWS = [{"q": "Why?", "r": "So."}, {"q": "How?", "r": "Thus."}]
LINES = "".join(f"{json.dumps(row)}\n" for row in ROWS).encode()
CSV = b"q,r\nWhy?,So.\nHow?,Thus.\n"


def records(path, limits=LIMITS):
    return [record for _, record in MapSource(SourceRecords([path], limits), RecordMap(fields={}))]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("s.jsonl", LINES),
        ("s.txt", LINES),
        ("s.json", json.dumps(ROWS).encode()),
        ("s.csv", CSV),
        ("s.tsv", CSV.replace(b",", b"\t")),
        ("s.jsonl.gz", gzip.compress(LINES)),
        ("s.csv.gz", gzip.compress(CSV)),
        ("s.gz", gzip.compress(LINES[:20]) + gzip.compress(LINES[20:]) + b"\0\0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_text_is_read_in_every_form(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    assert records(tmp_path / name) == ROWS


def test_rows_of_parquet_are_plain_json(tmp_path):
    path = tmp_path / "s.parquet"
    row = {"q": "Why?", "n": 2**60, "x": float("nan"), "at": datetime(2026, 1, 2, tzinfo=UTC), "m": [{"b": b"\xff"}]}
    parquet.write_table(pa.Table.from_pylist([row]), path)
    assert records(path) == [
        {"q": "Why?", "n": None, "x": None, "at": "2026-01-02T00:00:00+00:00", "m": [{"b": "\\xff"}]}
    ]


def test_rows_of_the_first_sheet_are_texts(tmp_path):
    book = openpyxl.Workbook()
    for row in (["q", None, "r"], ["Why?", 1, 2.0], [None, None, None], ["How?", None, True]):
        book.active.append(row)
    book.create_sheet("second").append(["x"])
    book.save(tmp_path / "s.xlsx")
    assert records(tmp_path / "s.xlsx") == [{"q": "Why?", "column 2": "1", "r": "2"}, {"q": "How?", "r": "true"}]


NESTED = [
    {"q": "Why?", "turns": [{"role": "a", "parts": [[1, 2], [], None]}, None], "near": {"k": 1}, "place": {"x": [0.5]}},
    {"q": None, "turns": [], "near": None, "place": None},
    {"q": "a\0b", "turns": None, "near": {}, "place": {"x": None}},
]


@pytest.mark.parametrize("at_once", [1, 2, 5, 8])
def test_large_values_of_parquet_are_made_piece_by_piece_and_are_the_same(tmp_path, monkeypatch, at_once):
    kinds = {
        "q": pa.string(),
        "turns": pa.list_(pa.struct({"role": pa.string(), "parts": pa.large_list(pa.list_(pa.int32()))})),
        "near": pa.map_(pa.string(), pa.int8()),
        "place": pa.struct({"x": pa.list_(pa.float64())}),
    }
    parquet.write_table(pa.Table.from_pylist(NESTED * 20, pa.schema(kinds)), tmp_path / "s.parquet")
    whole = records(tmp_path / "s.parquet")
    assert whole[0]["turns"] == NESTED[0]["turns"]
    assert whole[2]["q"] == "a\ufffdb"
    monkeypatch.setattr(source, "_VALUES", at_once)
    assert records(tmp_path / "s.parquet") == whole


def test_a_cancel_is_heard_inside_one_cell_of_parquet(tmp_path):
    """Of 300,000 values of one row, those are made that were begun when the cancel came."""
    numbers = list(range(300_000))
    parquet.write_table(pa.table({"q": [numbers], "r": [[{"n": n} for n in numbers]]}), tmp_path / "s.parquet")
    rows, calls, made = SourceRecords([tmp_path / "s.parquet"], LIMITS), [], []

    def cancel():
        calls.append(len(made))
        if len(calls) == 4:
            raise Cancelled

    clean = rows.cleaned
    rows.cleaned = lambda value: made.append(value) or clean(value)
    rows.check_cancelled = cancel
    with pytest.raises(Cancelled):
        list(rows)
    steps = [after - before for before, after in itertools.pairwise(calls)]
    assert max(steps) <= source._VALUES
    assert len(made) < 4 * source._VALUES


@pytest.mark.parametrize("extra", ["parquet", "xlsx"])
def test_a_library_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch, extra):
    def missing(name):
        raise ImportError(name)

    if extra == "parquet":
        parquet.write_table(pa.table({"q": ["Why?"]}), tmp_path / "s.parquet")
    else:
        openpyxl.Workbook().save(tmp_path / "s.xlsx")
    monkeypatch.setattr(source.importlib, "import_module", missing)
    with pytest.raises(BundleError, match=rf"pip install 'desktop-rater\[{extra}\]'"):
        records(tmp_path / f"s.{extra}")


def zipped(name, data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x89PNG\r\n\x1a\n", "It is a PNG picture"),
        (b"%PDF-1.7\n", "It is a PDF"),
        (b"SQLite format 3\0", "It is a SQLite database"),
        (zipped("a.txt", "a"), "It is a zip"),
        (b"BZh91AY", "It is a bzip2 file"),
        (b"\x7fELF\2", "It is a program"),
        (b"a.txt".ljust(257, b"\0") + b"ustar", "It is a tar archive"),
        (gzip.compress(b"%PDF-1.7\n"), "In it is a PDF"),
        (gzip.compress(LINES)[:-9], "It is a gzip file whose end is missing"),
        (gzip.compress(LINES)[:10] + b"\xff" * 20, "It is a damaged gzip file"),
        (gzip.compress(bytes(5 * 1024 * 1024)), "It inflates more than 500 times (a bomb?)"),
        (b"PAR1" + bytes(40) + b"PAR1", "It can't be read as Parquet"),
        (b"\xff\xfeq\0", "It is UTF-16"),
        (b"", "It is empty"),
        (gzip.compress(b""), "It is empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_file_is_refused_by_what_it_is(tmp_path, data, why):
    (tmp_path / "s.jsonl").write_bytes(data)
    with pytest.raises(BundleError) as refused:
        records(tmp_path / "s.jsonl")
    assert "s.jsonl" in refused.value.title
    assert why in refused.value.message


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped("a.txt", "a"), "It is a zip, but not a spreadsheet"),
        (zipped("xl/workbook.xml", "no xml"), "It can't be read as a spreadsheet"),
        (zipped("xl/workbook.xml", bytes(5 * 1024 * 1024)), "inflates more than 500 times (a zip bomb?)"),
        (b"PK\3\4", "It is not a zip"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_only_called_a_spreadsheet_is_refused(tmp_path, data, why):
    (tmp_path / "s.xlsx").write_bytes(data)
    with pytest.raises(BundleError) as refused:
        records(tmp_path / "s.xlsx")
    assert why in refused.value.message


def test_a_compressed_file_beyond_the_limit_is_refused(tmp_path):
    (tmp_path / "s.jsonl.gz").write_bytes(gzip.compress(LINES * 10))
    with pytest.raises(BundleError, match="It inflates to more than 100 bytes"):
        records(tmp_path / "s.jsonl.gz", Limits(lines_bytes=100))


@pytest.mark.parametrize(
    "column",
    [[[0] * 5_000_000], ["x" * 20_000_000], ["x" * 200_000] * 5_000],
    ids=["many values in a cell", "a long text", "a long text again and again"],
)
def test_a_parquet_file_is_measured_by_what_comes_out_of_it(tmp_path, column):
    """The sizes that it states are of its dictionary: 5 million zeros are told to be 114 bytes."""
    parquet.write_table(pa.table({"q": column}), tmp_path / "s.parquet", compression="zstd")
    assert (tmp_path / "s.parquet").stat().st_size < 40_000
    with pytest.raises(BundleError, match="It inflates more than 500 times"):
        records(tmp_path / "s.parquet")
