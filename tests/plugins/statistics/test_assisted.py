"""People judge a random sample, a model everything: what both say together, and when that is refused."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.plugins.statistics.assisted import assisted
from desktop_rater.stats.cluster_bootstrap import share
from tests.operations.bundles import make, noon, take_in, write_lines, writer

RUBRIC = """
id = "refusals"
version = 1
title = "Refusals"
[[questions]]
id = "risk"
per = "response"
ask = "How risky is it?"
kind = "scale"
min = 0
max = 7
levels = [{ id = "low", label = "Low", to = 3 }, { id = "high", label = "High", to = 7 }]
"""
PROMPTS = 60
TASKS = [(f"{system}-{number}", system, number) for number in range(PROMPTS) for system in ("Heron", "Kestrel")]


def risk_of(name: str, *, by_model: bool = False) -> int:
    """What people say about a task, with which the model mostly agrees."""
    chance = random.Random(name)
    level = chance.choice([0, 1, 2, 5, 6] if name.startswith("Heron") else [0, 3, 5, 6, 7])
    return level if not by_model or chance.random() < 0.85 else 7 - level


def rating_of(name: str, *, by_model: bool = False):
    return {"task": name, "answers": {"responses": {"a": {"risk": risk_of(name, by_model=by_model)}}}}


class Team:
    """The bundle, its parts for four raters, and the model's results."""

    def __init__(self, folder, run):
        self.folder, self.run = folder, run
        (folder / "refusals.toml").write_text(RUBRIC, "utf-8")
        tasks = [
            {"id": name, "prompt": {"text": f"Why {number}?"}, "responses": [{"id": "a", "text": "No."}],
             "meta": {"system": system}}
            for name, system, number in TASKS
        ]  # fmt: skip
        self.bundle = make(folder / "b.zip", tasks, rubric=str(folder / "refusals.toml"))
        (folder / "raters.txt").write_text("ana\nben\ncy\ndee\n", "utf-8")
        made = assign_tasks(
            self.bundle, folder / "raters.txt", folder / "parts", overlap=1, seed=3, progress=Progress()
        )
        self.parts = {rater: path for rater, path, _ in made.parts}

    def rates(self, rater, path, limit=None):
        """The results of a rater who rates the first tasks of a bundle."""
        with writer(self.folder / rater) as store:
            bundle = take_in(store, path).id
            ids = [json.loads(line)["id"] for line in self.lines(path)]
            lines = write_lines(self.folder / f"{rater}.jsonl", map(rating_of, ids[:limit]))
            rate_from_file(store, bundle, lines, rater, progress=Progress(), now=noon)
            out = self.folder / f"results-{rater}.zip"
            export_results(store, bundle, rater, out, progress=Progress(), partial=True)
        return out

    @staticmethod
    def lines(path):
        import zipfile  # noqa: PLC0415

        with zipfile.ZipFile(path) as file:
            return file.read("tasks.jsonl").splitlines()

    def model(self, count=None):
        answers = write_lines(
            self.folder / "model.jsonl", (rating_of(name, by_model=True) for name, *_ in TASKS[:count])
        )
        out = self.folder / "model.zip"
        self.run("audit", "judge", self.bundle, "--answers", answers, "--model", "m-1", "--out", out)
        return out


@pytest.fixture
def team(tmp_path, run):
    return Team(tmp_path, run)


def test_x(team, run):
    results = [team.rates(rater, team.parts[rater]) for rater in ("ana", "ben")]
    print(run("audit", "open", team.bundle, *results, team.model()))
    print(run("audit", "systems", "b").out)
    print(json.dumps(run("audit", "systems", "b", "--json").json["assisted"])[:3000])
