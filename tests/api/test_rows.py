"""Rows in memory become bundles: data frames, Arrow tables, data sets and dictionaries, with their missing values."""

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import desktop_rater as dr
from desktop_rater.format.rows import plain_value
from tests.operations.bundles import make, rating, task
from tests.operations.rated import results_of

CREATED = "2026-11-20T08:00:00Z"
DAY = dt.date(2026, 11, 20)
ROWS = [
    {"q": "Where is Paris?", "a": "It lies in France.", "model": "kelp-7b", "share": 0.5, "day": DAY},
    {"q": "Where is Rome?", "a": "It lies in Italy.", "model": None, "share": math.nan, "day": None},
]
COLUMNS = {"prompt": "q", "response": "a", "meta.model": "model", "meta.share": "share", "meta.day": "day"}
META = [{"model": "kelp-7b", "share": 0.5, "day": "2026-11-20"}, {}]


class HubDataset:
    """Stand-in for `datasets.Dataset`, with the members that the real one has: it yields dictionaries."""

    column_names = list(ROWS[0])

    def __iter__(self):
        return iter(ROWS)

    def to_dict(self, batch_size=None):
        return {name: [row[name] for row in ROWS] for name in self.column_names}


SOURCES = {
    "dictionaries": lambda rows: rows,
    "generator": iter,
    "pandas": pd.DataFrame,
    "pandas with NA": lambda rows: pd.DataFrame(rows).convert_dtypes().assign(day=pd.to_datetime([DAY, None])),
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "Arrow": pa.Table.from_pylist,
    "datasets": lambda _: HubDataset(),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_rows_of_each_kind_are_converted_alike(tmp_path, kind):
    out = tmp_path / "facts.rater"
    converted = dr.convert(SOURCES[kind](ROWS), out, columns=COLUMNS, rubric="span-factuality", created=CREATED)
    assert (converted.counts["tasks"], converted.left_out) == (2, ())
    bundle = dr.read_bundle(out)
    assert [item.prompt.text for item in bundle] == [row["q"] for row in ROWS]
    metas = [{key: item.meta[key] for key in item.meta.keys() - {"line", "source"}} for item in bundle]
    assert [{**meta, **({"day": meta["day"][:10]} if "day" in meta else {})} for meta in metas] == META


@pytest.mark.parametrize("kind", ["pandas", "polars", "Arrow"])
def test_a_frame_of_tasks_makes_the_bundle_of_its_dictionaries(tmp_path, kind):
    """The structs of a frame have all fields; those that a task lacks are null."""
    tasks = [task("t-1", reference=None, meta={"n": 1, "when": DAY}), task("t-2", reference="Yes.", meta={"n": 2})]
    gold = [rating("t-1", rater="gold")]
    for name, rows in {"a": tasks, "b": SOURCES[kind](tasks)}.items():
        made = dr.make_bundle(rows, tmp_path / f"{name}.zip", rubric="span-factuality", gold=gold, created=CREATED)
        assert (made.left_out, made.gold) == ((), 1)
    assert dr.read_bundle(tmp_path / "b.zip").tasks == dr.read_bundle(tmp_path / "a.zip").tasks
    assert dr.read_bundle(tmp_path / "a.zip").tasks[0].meta == {"n": 1, "when": "2026-11-20"}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("kelp"), "kelp"),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.datetime64("2026-11-20T08:00:00.000000001"), "2026-11-20T08:00:00.000000001"),
        (np.array(["2026-11-20", "NaT"], "datetime64[D]"), ["2026-11-20", None]),
        (pd.Timestamp("2026-11-20", tz="UTC"), "2026-11-20T00:00:00+00:00"),
        (DAY, "2026-11-20"),
        (Decimal("1.10"), "1.10"),
        (b"\xff", "\\xff"),
        *((missing, None) for missing in (None, math.nan, math.inf, np.float64("nan"), pd.NA, pd.NaT)),
        ({1: (np.int8(1), math.nan), "no": None}, {"1": [1, None], "no": None}),
    ],
    ids=repr,
)
def test_a_value_is_that_of_json(value, plain):
    assert plain_value(value, nan=False) == plain
    assert type(plain_value(value, nan=False)) in (type(plain), np.str_)


def test_none_in_a_dictionary_is_what_a_tool_has_returned(tmp_path):
    call = {"name": "search", "output": {"error": None, "share": math.nan}}
    given = task("t-1")
    given["responses"][0]["tools"] = [call]
    dr.make_bundle([given], tmp_path / "b.zip", rubric="span-factuality")
    assert dr.read_bundle(tmp_path / "b.zip").tasks[0].responses[0].tools[0].output == {"error": None, "share": None}


@pytest.mark.parametrize(
    ("records", "options", "message"),
    [
        (pd.DataFrame(ROWS), {"columns": {"prompt": "q", "response": "answer"}}, 'row 1: .*"answer"|"answer"'),
        (pd.DataFrame(ROWS), {"columns": {"question": "q"}}, "columns can't be used. A task has no field 'question'"),
        (pd.DataFrame(ROWS), {}, "column map can't be guessed"),
        ([{"messages": []}], {"source": "chat"}, "row 1: the assistant has not answered"),
        ([*ROWS, {"q": object(), "a": ""}], {"columns": COLUMNS}, "records, row 3 can't be used. object is no text"),
        (ROWS, {"source": "chat", "record_map": "lm-eval"}, "Give one of source, record_map and columns"),
        (ROWS, {"record_map": "lm-evil"}, "There is no map 'lm-evil'"),
        (ROWS, {"source": "chat", "turn": "first"}, "turn can't be used"),
        (pd.Series([1, 2]), {"columns": COLUMNS}, "records, row 1 can't be used. int is no dictionary"),
    ],
)
def test_an_error_names_the_argument_and_the_row(tmp_path, records, options, message):
    with pytest.raises(dr.RaterError, match=message):
        dr.convert(records, tmp_path / "b.zip", **options)
    assert not (tmp_path / "b.zip").exists()
    with pytest.raises(TypeError, match="unexpected keyword argument 'gold'"):
        dr.convert(ROWS, tmp_path / "b.zip", columns=COLUMNS, gold=[])


def test_chats_in_memory_keep_their_calls_as_those_of_a_file_do(tmp_path):
    chats = [
        {
            "messages": [
                {"role": "user", "content": "Where is Paris?"},
                {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "find", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "1", "content": "France"},
                {"role": "assistant", "content": "In France. \ud800"},
            ]
        }
    ]
    converted = dr.convert(chats, tmp_path / "c.rater", source="chat", turn="last")
    assert converted.counts["tool_calls_out"] == 1
    assert converted.notes == ("1 times: U+0000 or half a surrogate pair became U+FFFD.",)
    assert dr.read_map("hf-messages").fields["messages"]


def test_labels_in_a_frame_are_imported_and_reported(tmp_path):
    """Two people have answered in a table; their agreement is computed in the store, and from results zips."""
    bundle = make(tmp_path / "b.zip", [task("t-1"), task("t-2")])
    labels = [("t-1", "ada", "yes"), ("t-1", "ben", "yes"), ("t-2", "ada", "yes"), ("t-2", "ben", "no")]
    frame = pl.DataFrame(labels, schema=["item", "who", "factual"], orient="row").with_columns(target=pl.lit("s1"))
    columns = {"task": "item", "rater": "who", "target": "target", "value.factual": "factual"}
    imported = dr.import_annotations(frame, tmp_path / "store", bundle, columns=columns)
    assert (imported.raters, imported.ratings, imported.answers) == (2, 4, 4)
    report = dr.report(tmp_path / "store", imported.bundle)
    factual = next(item for item in report.agreement if item.question.id == "factual")
    assert (factual.units, factual.figures["percent"].value) == (2, 0.5)
    with pytest.raises(dr.RaterError, match="no store in"):
        dr.report(tmp_path / "none", imported.bundle)
    with pytest.raises(dr.RaterError, match="annotations, row 2 can't be used"):
        dr.import_annotations([{"task": "t-1"}, "t-2"], tmp_path / "store", bundle)


def test_the_report_of_results_is_that_of_the_store(tmp_path):
    tasks, given = [task("t-1")], {"ada": [rating("t-1")], "ben": [rating("t-1")]}
    results = dr.read_results(results_of(tmp_path / "made", tasks, given))
    report = dr.report(results)
    assert [figures.rater for figures in report.raters] == ["ada", "ben"]
    assert dr.agreement(results) in report.agreement
    assert [figures.rater for figures in dr.report(results, raters=["ada"]).raters] == ["ada"]
