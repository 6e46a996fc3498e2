"""A project engineer uses the program from Python, in a notebook or in a pipeline."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import msgspec
import pandas as pd
import polars as pl
import pytest

import desktop_rater as dr
from desktop_rater import api
from desktop_rater.cli.root import main
from desktop_rater.operations.bundles.make import BundleOptions
from tests.operations.bundles import rating, task, write
from tests.operations.rated import results_of
from tests.operations.rated_tasks import spans, spans_rating

PUBLIC = vars(dr)["__all__"]
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "major"}


@pytest.fixture
def paths(tmp_path):
    """Results of two raters, who differ on one of two tasks."""
    tasks = [task("t-1", meta={"model": "kelp-7b"}), task("t-2", meta={"model": "alga"})]
    given = {"ada": [rating("t-1"), rating("t-2")], "ben": [rating("t-1"), rating("t-2", WRONG)]}
    return results_of(tmp_path / "made", tasks, given)


def test_nothing_of_the_window_is_loaded_and_importing_is_quick():
    code = (
        "import sys, desktop_rater as dr; early = {'msgspec', 'sqlite_utils'} & set(sys.modules); dr.read_results; "
        "print(sorted(early | {name for name in sys.modules if name.split('.')[0] in {'PySide6', 'shiboken6', "
        "'pyarrow', 'pandas', 'polars'}}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_every_public_name_is_there_and_described():
    assert sorted(api.__all__) == sorted(set(PUBLIC) - {"__version__"})
    assert [name for name in api.__all__ if not getattr(dr, name).__doc__] == []
    assert set(PUBLIC) <= set(dir(dr))
    stub = Path(dr.__file__).with_suffix(".pyi")
    assert [alias.name for node in ast.walk(ast.parse(stub.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
            if node.module == api.__name__ for alias in node.names] == ["*"]  # fmt: skip
    assert stub.with_name("py.typed").is_file()
    with pytest.raises(AttributeError, match="no attribute 'read_bundel'"):
        _ = getattr(dr, "read_" + "bundel")


def test_a_bundle_has_every_option_of_the_command():
    assert set(dr.BundleKeywords.__annotations__) == set(BundleOptions.__struct_fields__) - {"rubric"}


def test_a_bundle_is_made_of_objects_and_read_back(tmp_path):
    out = tmp_path / "facts.zip"
    gold = [rating("t-1", rater="gold")]
    made = dr.make_bundle(
        [task("t-1", meta={"model": "kelp"}), task("t-2", "One.", "Two.")],
        out,
        rubric="span-factuality",
        title="Facts",
        created="2026-11-20T08:00:00Z",
        gold=gold,
    )
    assert (made.manifest.id, made.manifest.tasks, made.left_out) == ("facts", 2, ())
    bundle = dr.read_bundle(out)
    assert [(item.id, len(item.targets or ())) for item in bundle] == [("t-1", 1), ("t-2", 2)]
    assert (len(bundle), bundle.manifest.title, bundle.rubric.ref) == (2, "Facts", "span-factuality@3")
    assert bundle.gold[0].rater == "gold"
    assert bundle.guidelines.startswith("#")
    again = tmp_path / "again.zip"
    dr.make_bundle(bundle, again, rubric="span-factuality", id="facts", title="Facts", created="2026-11-20T08:00:00Z",
                   gold=bundle.gold)  # fmt: skip
    assert dr.read_bundle(again).tasks == bundle.tasks


def test_a_file_of_tasks_gives_the_bundle_that_the_command_makes(tmp_path):
    lines = write(tmp_path / "t.jsonl", json.dumps(task("t-1")) + "\n")
    dr.make_bundle(lines, tmp_path / "b.zip", rubric="span-factuality")
    before = (tmp_path / "b.zip").read_bytes()
    main(["bundle", "make", "--rubric", "span-factuality", "--out", str(tmp_path / "b.zip"), str(lines)])
    assert (tmp_path / "b.zip").read_bytes() == before


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([{"id": "t-1", "prompt": {"text": "?"}}], "responses"),
        ([task("t-1"), task("t-2", meta={"when": object()})], "tasks, row 2 can't be used. object is no text"),
        ([{**task("t-1"), "prompt": "?"}], 'tasks, row 1, task "t-1": field `prompt`: expected `object`, got `str`'),
        ({"train": []}, "tasks is one dictionary, with the keys train, not a list of them"),
        (3, "tasks has no rows: it is of the type int"),
        ([], "None of its tasks"),
        (["t-1"], "tasks, row 1 can't be used. str is no dictionary"),
    ],
)
def test_what_is_no_task_is_refused_and_nothing_is_written(tmp_path, tasks, message):
    with pytest.raises(dr.RaterError, match=message):
        dr.make_bundle(tasks, tmp_path / "b.zip", rubric="span-factuality")
    assert not (tmp_path / "b.zip").exists()


def test_a_rating_is_checked_with_the_rules_of_the_form():
    rubric = dr.load_rubric("span-factuality")
    outcome = rubric.check(spans(), spans_rating())
    assert [problem.rule for problem in outcome.problems if problem.level == "block"] == []
    assert outcome.decided["targets/s2"]["accuracy"].value == "accurate"
    unfinished = rubric.check(task("t-1"), {"task": "t-1"})
    assert unfinished.blocking == 1
    assert unfinished.problems[0].message
    with pytest.raises(dr.RaterError, match="not of 't-1'"):
        rubric.check(task("t-1"), {"task": "t-2"})
    with pytest.raises(dr.RaterError, match="The rating is not valid"):
        rubric.check(task("t-1"), {"task": "t-1", "evidence": 3})
    with pytest.raises(dr.RaterError, match="no rubric 'span-factualty'"):
        dr.load_rubric("span-factualty")


def test_results_are_iterated_as_ratings_with_their_tasks(paths):
    results = dr.read_results(paths)
    labels = {
        (rated.rating.rater, rated.task.meta["model"]): rated.rating.answers.targets["s1"]["accuracy"]
        for rated in results
    }
    assert len(results) == len(labels) == 4
    assert labels["ben", "alga"] == "inaccurate"
    assert [checked.broken for checked in results.checked] == [(), ()]
    assert len(dr.read_results(paths[0])) == 2


def test_results_are_data_frames(paths):
    results = dr.read_results(paths)
    assert results.ratings.num_rows == 8
    frame = results.to_pandas("ratings").merge(results.to_pandas("tasks"), on=["bundle", "revision", "task"])
    targets = frame[frame["unit"] == "target"]
    wrong = (targets["answer.accuracy"] == "inaccurate").groupby(targets["meta.model"]).mean()
    assert wrong.to_dict() == {"alga": 0.5, "kelp-7b": 0.0}
    assert isinstance(frame["changed"].dtype, pd.DatetimeTZDtype)
    polars = results.to_polars("raters")
    assert polars.select("rater", "complete").rows() == [("ada", 2), ("ben", 2)]
    assert pl.from_arrow(results.targets).shape == (2, 8)
    assert results.evidence.num_rows == 0
    ratings, tasks = results.ratings, results.tasks
    with duckdb.connect() as connection:
        query = "SELECT count(*) FROM ratings JOIN tasks USING (bundle, revision, task)"
        assert connection.execute(query).fetchall() == [(ratings.num_rows,)]
    assert tasks.num_rows == 2
    with pytest.raises(dr.RaterError, match="tasks, targets, ratings, evidence, raters"):
        results.to_pandas("rating")


def test_without_pyarrow_the_ratings_are_there_and_tables_name_the_extra(paths, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    results = dr.read_results(paths)
    assert len(list(results)) == 4
    with pytest.raises(dr.RaterError, match=r"desktop-rater\[parquet\]"):
        _ = results.tasks


def test_agreement_is_that_of_the_report(paths, tmp_path, capsys):
    found = dr.agreement(dr.read_results(paths), "accuracy")
    assert msgspec.json.decode(msgspec.json.encode(found))["figures"].keys() == found.figures.keys()
    figures = found.figures
    store = ["--store", str(tmp_path / "store")]
    assert main([*store, "audit", "open", *map(str, paths)]) == 1
    capsys.readouterr()
    main([*store, "audit", "report", "b", "--question", "accuracy", "--json"])
    agreements = json.loads(capsys.readouterr().out)["agreement"]
    (reported,) = (item for item in agreements if item["question"]["id"] == "accuracy")
    assert {name: figure.value for name, figure in figures.items()} == {
        name: figure["value"] for name, figure in reported["figures"].items()
    }
    assert figures["percent"].value == 0.5
    with pytest.raises(dr.RaterError, match="acuracy"):
        dr.agreement(dr.read_results(paths), "acuracy")


def test_damaged_results_are_refused_and_a_check_says_so(paths):
    paths[0].write_bytes(paths[0].read_bytes()[:-9])
    for read in (dr.read_results, dr.check):
        with pytest.raises(dr.RaterError, match="b-ada.zip"):
            read(paths[0])
    assert dr.check(paths[1]).complete == 2


def test_an_empty_list_of_results_is_named():
    with pytest.raises(dr.RaterError, match="empty"):
        dr.read_results(Path("nowhere").glob("*.zip"))
    with pytest.raises(dr.RaterError, match=r"nowhere\.zip"):
        dr.read_results("nowhere.zip")


def test_agreement_of_two_bundles_is_refused(paths, tmp_path):
    other = results_of(tmp_path / "more", [task("t-1")], {"ada": [rating("t-1")]}, called="other")
    with pytest.raises(dr.RaterError, match="b, other"):
        dr.agreement(dr.read_results([*paths, *other]))


def test_the_packaged_folder_leaves_the_optional_libraries_out():
    root = Path(__file__).parents[2]
    locked = set(re.findall(r"(?m)^([\w.-]+)==", (root / "requirements.lock").read_text("utf-8")))
    assert locked.isdisjoint({"duckdb", "openpyxl", "pandas", "polars", "pyarrow"})
    assert "*not_locked()," in (root / "packaging" / "desktop-rater.spec").read_text("utf-8")
