"""The workflow files of the public CI: they load, run targets that make has, and cover what the program is for."""

import re
import tomllib

import pytest
import yaml

from tests.setup.test_locks import ROOT

FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def workflow(name):
    # In YAML 1.1 the key `on` is a boolean, which GitHub reads as a word.
    return {
        "on" if key is True else key: value for key, value in yaml.safe_load((FOLDER / name).read_text("utf-8")).items()
    }


def runs(file):
    return [step["run"] for job in workflow(file.name)["jobs"].values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_workflow_loads_may_only_read_and_names_no_registry(file):
    text = file.read_text("utf-8")
    found = workflow(file.name)
    assert found["permissions"] == {"contents": "read"}
    assert "://" not in text
    for job in found["jobs"].values():
        assert job["timeout-minutes"] <= 120
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
        assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
        uses = [step.get("uses", "").partition("@")[0] for step in job["steps"]]
        assert {"actions/checkout", "actions/cache", "actions/upload-artifact"} <= set(uses)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_workflow_runs_targets_of_make(file):
    targets = set(re.findall(r"(?m)^\.PHONY: (.*)$", MAKEFILE)[0].split())
    named = {target for run in runs(file) for target in re.findall(r"(?m)^make ([\w-]+)", run)}
    assert named
    assert named <= targets
    assert all(re.search(rf"(?m)^{target}:", MAKEFILE) for target in named)


def test_each_change_is_tested_on_three_systems_with_each_python():
    found = workflow("test.yml")
    assert {"push", "pull_request"} <= found["on"].keys()
    job = found["jobs"]["test"]
    matrix = job["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "windows", "macos"}
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    setup = (ROOT / "packaging" / "setup.sh").read_text("utf-8")
    (names,) = re.findall(r"PYTHON:-python3 ([\w. ]+)\}", setup)
    # All that set-up looks for by name, down to the lowest.
    assert sorted(matrix["python"]) == sorted(name.removeprefix("python") for name in names.split())
    assert f">={min(matrix['python'])}" == lowest
    assert "make test test-slow PYTHON=python" in runs(FOLDER / "test.yml")
    # Windows' shell is one that brings make.
    assert "msys2 {0}" in job["defaults"]["run"]["shell"]
    assert [step["with"]["install"] for step in job["steps"] if "msys2" in step.get("uses", "")] == ["make"]


def test_a_tag_makes_the_packages_of_each_system():
    found = workflow("packages.yml")
    assert found["on"]["push"] == {"tags": ["v*"]}
    named = "\n".join(runs(FOLDER / "packages.yml"))
    targets = ("deb", "test-deb", "test-installer", "test-installer FLAVOUR=full", "dmg")
    assert all(f"make {target}" in named for target in targets)
    for job in found["jobs"].values():
        kept = next(step["with"] for step in job["steps"] if "upload-artifact" in step.get("uses", ""))
        assert "dist/" in kept["path"]
        assert kept["if-no-files-found"] == "error"
        # Git refuses a checkout of another user, and packages have the time of its commit.
        assert ("container" in job) == any("safe.directory" in step.get("run", "") for step in job["steps"])
    # What signs is seen by one step only, and not by the packages that are installed later.
    seen = [
        step for job in found["jobs"].values() for step in [job, *job["steps"]] if "secrets." in str(step.get("env"))
    ]
    assert [step["if"] for step in seen] == ["vars.MACOS_IDENTITY != ''"]
