"""The page on systems: its commands on public data print what it says, and its examples are computed so."""

import hashlib
import json
import os
import re
import shlex
from pathlib import Path

import pytest

from desktop_rater.plugins.statistics.operations import COLUMNS
from desktop_rater.plugins.statistics.system_figures import sign_test
from tests.docs import pages
from tools.published import fetch
from tools.published.ratings import make, mushroom

PAGE = pages.text("plugins/systems.md")
DATA = Path(os.environ.get("DESKTOP_RATER_DATA") or Path(__file__).parents[3] / "shared" / "data")
PUBLISHED = Path(os.environ.get("DESKTOP_RATER_PUBLISHED") or DATA / "mushroom")
SETS = {
    "mushroom-en": PUBLISHED / "mushroom.en-tst.v1.extra.jsonl",
    "haluquestqa": DATA / "haluquestqa" / "src_data_HaluQuestQA.csv",
}
CONSOLES = re.findall(r"(?ms)^```console\n(.*?)^```", PAGE)


@pytest.mark.parametrize("name", SETS)
def test_the_commands_on_public_data_print_what_the_page_says(run, tmp_path, monkeypatch, name):
    if not SETS[name].is_file():
        variable = "DESKTOP_RATER_PUBLISHED" if SETS[name].parent == PUBLISHED else "DESKTOP_RATER_DATA"
        pytest.skip(f"no {SETS[name]}; {variable} names its folder")
    if expected := fetch.SETS["mushroom"].get(SETS[name].name):
        assert hashlib.sha256(SETS[name].read_bytes()).hexdigest() == expected
    monkeypatch.chdir(tmp_path)
    (console,) = (text for text in CONSOLES if f"ratings {name} " in text)
    made, *steps = console.split("$ ")[1:]
    command, _, told = made.partition("\n")
    assert command == f"python -m tools.published.ratings {name} {SETS[name].name} {name}"
    assert told == f"{make(name, SETS[name], tmp_path / name)} annotators\n"
    for step in steps:
        command, _, told = step.partition("\n")
        answer = run("--store", tmp_path / "store", *shlex.split(command)[1:], status=0)
        printed = iter(answer.out.splitlines())
        assert [line for line in told.splitlines() if line not in printed] == []  # all of them, in this order


def test_a_sentence_that_a_span_touches_is_unsupported_for_this_rater(tmp_path):
    record = {"id": "t-1", "lang": "EN", "model_input": "Where does kelp grow?", "model_id": "sea/Heron"}
    record["model_output_text"] = " Kelp grows in cold water. It flowers in May. It is brown."
    spans = {"anna": [[30, 37], [50, 50]], "ben": [], "cy": [[22, 29]]}
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record | {"annotations": spans}) + "\n", "utf-8")
    yielded = list(mushroom(path))
    assert yielded[0][0]["meta"] == {"system": "Heron"}
    marked = {
        rater: "".join(answers["unsupported"][0] for answers in given.targets.values()) for _, rater, given in yielded
    }
    assert marked == {"anna": "nyn", "ben": "nnn", "cy": "yyn"}


def test_a_published_file_is_kept_only_if_it_is_the_expected_one(httpserver, tmp_path, monkeypatch):
    monkeypatch.setitem(fetch.SETS, "kelp", {"kelp.jsonl": hashlib.sha256(b"{}\n").hexdigest()})
    httpserver.expect_request("/v1/kelp.jsonl").respond_with_data(b"{}\n")
    httpserver.expect_request("/v2/kelp.jsonl").respond_with_data(b"{ }\n")
    with pytest.raises(ValueError, match=r"kelp\.jsonl has the SHA-256"):
        fetch.fetch("kelp", tmp_path, httpserver.url_for("/v2/"))
    assert list(tmp_path.iterdir()) == []
    assert fetch.fetch("kelp", tmp_path, httpserver.url_for("/v1/")) == ["kelp.jsonl"]
    assert (tmp_path / "kelp.jsonl").read_bytes() == b"{}\n"


def test_the_examples_are_computed_as_the_page_says():
    prose = " ".join(PAGE.split())
    assert "23 better and 9 worse give p = 0.020." in prose
    assert f"{sign_test(23, 9):.3f}" == "0.020"
    assert "(27 + 14 / 2) / 60 = 0.567" in prose
    assert f"{(27 + 14 / 2) / 60:.3f}" == "0.567"


def test_each_table_has_a_row():
    rows = pages.table(pages.sections(PAGE)["Tables"], "file")
    assert [row[0].strip("`") for row in rows] == list(COLUMNS)
