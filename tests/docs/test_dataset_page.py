"""The page on datasets: its tables are those that are written, and its queries give what the report counts."""

import contextlib
import shlex
from typing import Any

import duckdb

from desktop_rater.format.change import Progress
from desktop_rater.plugins.dataset.parts import DatasetManifest, check_dataset
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.docs import pages
from tests.docs.dataset_tables import BLOCK, written

PAGE = pages.text("plugins/dataset.md")
SECTIONS = pages.sections(PAGE)


def test_the_tables_are_those_of_the_schema():
    assert BLOCK.findall(PAGE) == [written()], "run `python -m tests.docs.dataset_tables`"
    keys = {name.strip("`") for row in pages.table(SECTIONS["Manifest"], "key") for name in row[0].split(", ")}
    assert keys == {*DatasetManifest.__struct_fields__} - {"unknown"}


def test_a_dataset_is_built_and_queried_as_the_page_says(here, run):
    for name in ("results", "made"):
        (here / name).mkdir()
    desk = Desk(here / "made")
    for rater, first in (("ann", GOOD), ("bo", GOOD), ("cy", WRONG), ("di", OPINION), ("eve", WRONG)):
        desk.sent(rater, t1=first, t2=GOOD, t3=GOOD)
    desk.sent("ann", "ann-later", t1=OPINION)
    for sent in (here / "made").glob("*.zip"):
        sent.rename(here / (sent.name if sent == desk.bundle else f"results/{sent.name}"))
    command, _, told = pages.fence(SECTIONS["Build one"], "console").removeprefix("$ ").partition("\n")
    answer = run(*shlex.split(command)[1:])
    assert (answer.status, answer.out.splitlines()[:1], answer.err) == (0, told.splitlines(), "")
    judged = duckdb.sql(pages.fence(SECTIONS["Query it"], "sql")).fetchall()
    assert judged == [("label", "accurate", 26), ("label", "inaccurate", 2), ("label", "not factual", 2)]
    names: dict[str, Any] = {}
    with contextlib.chdir(here):
        exec(pages.fence(SECTIONS["Report"], "python"), names)
    assert (names["alpha"].n, names["alpha"].tasks) == (6, 3)
    assert (names["accurate"].part, names["accurate"].whole) == (5, 5)
    assert run("audit", "dataset", "info", "data").out.splitlines()[-1] == "kelp: 5 raters, 15 ratings that count"
    assert run("audit", "dataset", "check", "data").status == 0
    (extra, *_) = sorted((here / "data" / "labels").iterdir())
    extra.write_bytes(extra.read_bytes()[:-1] + b"x")
    damaged = run("audit", "dataset", "check", "data")
    assert (damaged.status, damaged.out) == (1, f"labels/{extra.name}: its content is not what was written\n")
    assert [path for path, _ in check_dataset(here / "data", Progress())["faults"]] == [f"labels/{extra.name}"]
