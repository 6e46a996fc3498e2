"""The page on systems: its commands on public data print what it says, and its examples are computed so."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from desktop_rater.stats.permutation import sign_test
from desktop_rater.work.audit.systems_tables import COLUMNS
from tests.docs import pages
from tools.published.ratings import make

PAGE = pages.text("systems.md")
DATA = Path(os.environ.get("DESKTOP_RATER_DATA") or Path(__file__).parents[3] / "shared" / "data")
SETS = {
    "haluquestqa": DATA / "haluquestqa" / "src_data_HaluQuestQA.csv",
    "expertqa": DATA / "expertqa" / "rand_val.jsonl",
}
CONSOLES = re.findall(r"(?ms)^```console\n(.*?)^```", PAGE)


@pytest.mark.parametrize("name", SETS)
def test_the_commands_on_public_data_print_what_the_page_says(run, tmp_path, monkeypatch, name):
    if not SETS[name].is_file():
        pytest.skip(f"no {SETS[name]}; DESKTOP_RATER_DATA names its folder")
    monkeypatch.chdir(tmp_path)
    (console,) = (text for text in CONSOLES if f"ratings {name} " in text)
    made, *steps = console.split("$ ")[1:]
    command, _, told = made.partition("\n")
    assert command == f"python -m tools.published.ratings {name} {SETS[name].name} {name}"
    assert told == f"{make(name, SETS[name], tmp_path / name)} annotators\n"
    for step in steps:
        command, _, told = step.partition("\n")
        answer = run("--store", tmp_path / "store", *shlex.split(command)[1:])
        assert answer.status == 0, answer.err
        assert set(told.splitlines()) <= set(answer.out.splitlines())


def test_the_examples_are_computed_as_the_page_says():
    assert "23 better and 9 worse give p = 0.020." in PAGE
    assert f"{sign_test(23, 9):.3f}" == "0.020"
    assert "(27 + 14 / 2) / 60 = 0.567" in PAGE
    assert f"{(27 + 14 / 2) / 60:.3f}" == "0.567"


def test_each_table_has_a_row():
    rows = pages.table(pages.sections(PAGE)["Tables"], "file")
    assert [row[0].strip("`") for row in rows] == list(COLUMNS)
