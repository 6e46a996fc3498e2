"""A data engineer takes results into tables, and reads them with the tools of the trade."""

import csv
import io
import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from desktop_rater.format.values import format_time, parse_time
from desktop_rater.operations.results_tables.relational import MAX_META_COLUMNS, RELATIONAL
from tests.operations.bundles import rating, task, write
from tests.operations.rated import results_of
from tests.operations.rated_tasks import TEXT, spans, spans_rating
from tests.rubric.toml_texts import choices, numbers, question, rubric_text

MODELS = {"t-1": {"model": "kelp-7b", "run": 3, "tags": ["sea"]}, "t-2": {"model": "=alga", "run": 0.5, "cached": True}}


@pytest.fixture
def two(tmp_path):
    """Results of two raters, of tasks whose meta names the model; one of them skipped the second task."""
    tasks = [spans() | {"meta": MODELS["t-1"]}, task("t-2", meta=MODELS["t-2"])]
    skipped = {"task": "t-2", "status": "skipped", "skipped": {"reason": "wrong_language", "comment": "Norse"}}
    given = {"=r-1": [spans_rating(), rating("t-2")], "r-2": [spans_rating(accuracy="inaccurate"), skipped]}
    return results_of(tmp_path / "made", tasks, given)


@pytest.fixture
def tables(run, tmp_path, two):
    answer = run("results", "convert", "--to", "parquet", "--tables", tmp_path / "tables", "--json", *two, status=0)
    assert answer.json["rows"] == sum(answer.json["tables"].values())
    assert list(answer.json["tables"]) == list(RELATIONAL)
    return tmp_path / "tables"


def lines_of(path):
    return [json.loads(line) for line in io.StringIO(path.read_text("utf-8"), newline="\n")]


def test_csv_and_json_lines_are_the_same_rows_for_three_libraries(run, tmp_path, two):
    files = {to: tmp_path / f"out.{to}" for to in ("csv", "jsonl")}
    for to, path in files.items():
        assert run("results", "convert", "--to", to, "--out", path, *two).status == 0
    expected = len(lines_of(files["jsonl"]))
    frames = [pd.read_csv(files["csv"]), pd.read_json(files["jsonl"], lines=True)]
    frames += [
        pl.read_csv(files["csv"], infer_schema_length=None).to_pandas(),
        pl.read_ndjson(files["jsonl"]).to_pandas(),
    ]
    with duckdb.connect() as connection:
        for reader, path in (("read_csv", files["csv"]), ("read_json", files["jsonl"])):
            rows = connection.execute(f"SELECT question, number, text FROM {reader}('{path}')").fetchall()
            frames.append(pd.DataFrame(rows, columns=["question", "number", "text"]))
    for frame in frames:
        assert len(frame) == expected
        numbers = pd.to_numeric(frame["number"], errors="coerce")  # polars reads empty quoted cells as texts
        assert numbers.sum() == frames[0]["number"].sum()
        assert list(frame["question"].fillna("")) == list(frames[0]["question"].fillna(""))
        assert TEXT[:20] in set(frame["text"].dropna())


@pytest.mark.parametrize("more", [[], ["--wide"]])
def test_parquet_holds_what_json_lines_hold_with_times_and_lists(run, tmp_path, two, more):
    out, plain = tmp_path / "out.parquet", tmp_path / "out.jsonl"
    for to, path in (("parquet", out), ("jsonl", plain)):
        assert run("results", "convert", "--to", to, "--out", path, *more, *two).status == 0
    rows = pq.read_table(out).to_pylist()
    for row in rows:
        row |= {name: format_time(row[name]) for name in ("changed", "opened") if row.get(name)}
    expected = lines_of(plain)
    for row in expected:
        row |= {name: str(row[name]) for name in ("value", "decided") if isinstance(row.get(name), int | float)}
    assert rows == expected


RUBRIC = rubric_text(
    "tones",
    question("tones", body=choices("dry", "warm", kind="choices"), per="response", ask="Which tones?"),
    question("length", body=choices("short", "long"), per="response", ask="How long?"),
    question("stars", body=numbers(1, 5), per="response", ask="How good?"),
    more="version = 3",
)


def test_several_choices_are_a_list_and_single_ones_a_dictionary(run, tmp_path):
    (tmp_path / "tones.toml").write_text(RUBRIC, "utf-8")
    answers = {"responses": {"a": {"tones": ["dry", "warm"], "length": "short", "stars": 4}}}
    results = results_of(
        tmp_path, [task("t-1")], {"r": [{"task": "t-1", "answers": answers}]}, rubric=str(tmp_path / "tones.toml")
    )
    out = tmp_path / "out.parquet"
    assert run("results", "convert", "--to", "parquet", "--wide", "--out", out, *results).status == 0
    table = pq.read_table(out)
    assert table.schema.field("answer.tones").type == pa.list_(pa.string())
    assert pa.types.is_dictionary(table.schema.field("answer.length").type)
    assert table.schema.field("answer.stars").type == pa.float64()
    assert table.schema.field("changed").type == pa.timestamp("us", tz="UTC")
    (row,) = (row for row in table.to_pylist() if row["unit"] == "response")
    assert (row["answer.tones"], row["answer.length"], row["answer.stars"]) == (["dry", "warm"], "short", 4.0)
    described = json.loads(table.schema.metadata[b"desktop-rater"])
    assert described["results"] == [{"bundle": "b", "rater": "r", "revision": 1, "rubric": "tones@3"}]


def test_the_tables_join_in_duckdb_to_answer_how_often_each_model_is_wrong(tables):
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"""
            SELECT tasks."meta.model" AS model, count(*) AS rated,
                   count(*) FILTER (ratings."answer.accuracy" = 'inaccurate') AS wrong
            FROM '{tables}/ratings.parquet' ratings JOIN '{tables}/tasks.parquet' tasks USING (bundle, revision, task)
            WHERE ratings.unit = 'target' AND ratings."answer.accuracy" IS NOT NULL
            GROUP BY model ORDER BY model
            """
        ).fetchall()
        (opened,) = connection.execute(
            f"SELECT DISTINCT epoch(opened) FROM '{tables}/evidence.parquet' WHERE list_count(claims) = 0"
        ).fetchall()
    assert rows == [("=alga", 1, 0), ("kelp-7b", 4, 1)]
    assert opened == (parse_time("2026-11-20T09:05:00Z").timestamp(),)


def test_each_key_of_a_table_is_in_the_other_in_polars(tables):
    by_name = {name: pl.read_parquet(tables / f"{name}.parquet") for name in RELATIONAL}
    key = ["bundle", "revision", "task"]
    for name in ("targets", "ratings", "evidence"):
        assert by_name[name].join(by_name["tasks"], on=key, how="anti").is_empty()
        for left in ("ratings", "evidence"):
            missing = by_name[left].join(by_name["raters"], on=["bundle", "revision", "rater"], how="anti")
            assert missing.is_empty()
    rated = by_name["ratings"].filter(pl.col("target").is_not_null())
    assert rated.join(by_name["targets"], on=[*key, "target"], how="anti").is_empty()
    assert by_name["targets"].unique([*key, "target"]).height == by_name["targets"].height == 3
    assert by_name["tasks"]["task"].to_list() == ["t-1", "t-2"]
    assert by_name["tasks"]["responses"].to_list()[0] == [TEXT]


def test_pandas_reads_the_tables_with_times_of_utc(tables):
    ratings = pd.read_parquet(tables / "ratings.parquet")
    assert str(ratings["changed"].dtype).endswith("UTC]")
    assert ratings["status"].dtype == "category"
    skipped = ratings[(ratings["unit"] == "task") & (ratings["status"] == "skipped")]
    assert list(skipped["skipped"]) == ["wrong_language"]
    raters = pd.read_parquet(tables / "raters.parquet")
    assert list(raters["rater"]) == ["=r-1", "r-2"]
    assert list(raters["skipped"]) == [0, 1]
    assert set(raters["signature"]) == {"unsigned"}


def test_the_meta_of_a_task_has_the_type_that_its_values_have(tables):
    schema = pq.read_schema(tables / "tasks.parquet")
    assert [str(schema.field(f"meta.{name}").type) for name in ("model", "run", "tags", "cached")] == [
        "string",
        "double",
        "list<element: string>",
        "bool",
    ]


def test_meta_with_very_many_names_is_one_column(run, tmp_path):
    many = {f"n{number}": number for number in range(MAX_META_COLUMNS + 1)}
    results = results_of(tmp_path / "made", [task("t-1", meta=many)], {"r": [rating("t-1")]})
    assert run("results", "convert", "--to", "jsonl", "--tables", tmp_path / "t", *results).status == 0
    (row,) = lines_of(tmp_path / "t" / "tasks.jsonl")
    assert row["meta"] == many
    assert [name for name in row if name.startswith("meta")] == ["meta"]


def test_tables_of_csv_have_no_formulas_either(run, tmp_path, two):
    assert run("results", "convert", "--to", "csv", "--tables", tmp_path / "new" / "t", *two).status == 0
    with (tmp_path / "new" / "t" / "tasks.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["meta.model"] for row in rows] == ["kelp-7b", "'=alga"]
    assert json.loads(rows[0]["responses"]) == [TEXT]


def test_meta_and_texts_come_into_the_single_table_when_asked_for(run, tmp_path, two):
    out = tmp_path / "out.jsonl"
    asked = ["--meta", "model", "--meta", "run", "--texts"]
    assert run("results", "convert", "--to", "jsonl", "--wide", *asked, "--out", out, *two).status == 0
    rows = lines_of(out)
    assert list(rows[0])[-4:] == ["meta.model", "meta.run", "prompt", "response_text"]
    assert {(row["task"], row["meta.model"], row["meta.run"]) for row in rows} == {
        ("t-1", "kelp-7b", 3),
        ("t-2", "=alga", 0.5),
    }
    assert {row["response_text"] for row in rows if row["task"] == "t-1"} == {TEXT}
    assert run("results", "convert", "--to", "jsonl", "--meta", "all", "--out", out, *two).status == 0
    assert [name for name in lines_of(out)[0] if name.startswith("meta.")] == [
        "meta.cached",
        "meta.model",
        "meta.run",
        "meta.tags",
    ]


def test_a_name_that_no_task_has_is_answered_with_those_there_are(run, tmp_path, two):
    out = tmp_path / "out.csv"
    answer = run("results", "convert", "--to", "csv", "--meta", "modell", "--out", out, *two, status=2)
    assert "cached, model, run, tags" in answer.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "label-studio", "--tables", "t"], "not a table"),
        (["--to", "csv", "--tables", "t", "--wide"], "single table"),
        (["--to", "web-annotation", "--out", "o", "--texts"], "Only tables"),
        (["--to", "csv"], "--out or --tables"),
        (["--to", "csv", "--tables", "t", "--out", "o"], "--out or --tables"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, tmp_path, two, options, message):
    assert message in run("results", "convert", *options, *two, status=2).err


def test_a_file_in_the_place_of_the_folder_stays(run, tmp_path, two):
    place = write(tmp_path / "place", "mine")
    run("results", "convert", "--to", "csv", "--tables", place, *two, status=2)
    assert place.read_text("utf-8") == "mine"


def test_a_task_with_two_texts_under_one_key_is_refused(run, tmp_path, two):
    other = results_of(tmp_path / "other", [spans() | {"prompt": {"text": "Another."}}], {"r-3": [spans_rating()]})
    answer = run("results", "convert", "--to", "csv", "--tables", tmp_path / "t", *two, *other, status=2)
    assert "'t-1' of b revision 1 has different texts" in answer.err
    assert not list((tmp_path / "t").glob("*"))
