"""A lead builds a dataset by command: from a hub too, and each refusal ends it with its own status."""

import importlib.util

import pytest

from tests.audit.results import GOOD, Desk
from tests.operations.desk_hubs import folder_hub
from tests.operations.test_collect_results import put

ALL = {"t1": GOOD, "t2": GOOD, "t3": GOOD}


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "desk").mkdir()
    return Desk(tmp_path / "desk")


def test_results_of_a_hub_are_taken_once(desk, run, tmp_path):
    hub = folder_hub(tmp_path / "hub")
    put(hub, tmp_path, desk.sent("ann", **ALL).read_bytes(), "ann", "kelp")
    put(hub, tmp_path, b"of nobody", "bo", "kelp")
    source = f"folder:{tmp_path / 'hub'}"
    command = ("audit", "dataset", "build", "--from-hub", source, "--out", tmp_path / "data", "--json")
    answer = run(*command)
    assert answer.status == 1, "one file was refused"
    assert (answer.json["added"], answer.json["results"], answer.json["bundles"]) == (1, 1, ["kelp"])
    assert [refused["title"].partition(" ")[2] for refused in answer.json["refused_now"]] == ["can't be opened"]
    put(hub, tmp_path, desk.sent("cy", **ALL).read_bytes(), "cy", "kelp")
    again = run(*command)
    assert (again.status, again.json["added"], again.json["refused_now"]) == (0, 1, [])
    info = run("audit", "dataset", "info", tmp_path / "data", "--json")
    assert [(row["rater"], row["ratings"]) for row in info.json["raters"]] == [("ann", 3), ("cy", 3)]


def test_what_can_t_be_done_is_said(desk, run, tmp_path):
    results, data = desk.sent("ann", **ALL), tmp_path / "data"
    build = ("audit", "dataset", "build", "--out", data)
    assert run(*build).status == 2
    assert "--engine spark" in run(*build, results, "--master", "local").err
    nothing = run("audit", "dataset", "info", data)
    assert (nothing.status, "It has no manifest.json." in nothing.err) == (2, True)
    assert run(*build, results, "--reviews").err.startswith("There are no reviews to add.")
    if importlib.util.find_spec("pyspark") is None:
        told = run(*build, results, "--engine", "spark")
        assert (told.status, "desktop-rater[spark]" in told.err) == (2, True)
    assert not data.exists()
    assert run(*build, results).status == 0
    manifest = data / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"path": "answers/', '"path": "../answers/'), "utf-8")
    outside = run("audit", "dataset", "check", data)
    assert (outside.status, "which is no file of a dataset" in outside.err) == (2, True)
