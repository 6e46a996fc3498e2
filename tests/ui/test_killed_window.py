"""The window is killed at any moment: no answer that it had acknowledged is lost."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop_rater.model.kept import to_plain
from desktop_rater.store import ratings, tasks
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import open_reader
from desktop_rater.work.self_test import sample_bundle
from tests.ui.rate_until_killed import RATER
from tests.work.bundles import take_in, writer

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 4


@pytest.mark.parametrize("seed", range(KILLS))
def test_no_acknowledged_answer_is_lost_when_the_window_is_killed(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "store"
    with writer(folder) as store:
        bundle = take_in(store, sample_bundle()).id
    acknowledged: set[str] = set()
    for life in range(2):
        answers = random.Random(f"{seed} {life}").randrange(5, 120)
        command = [sys.executable, "-m", "tests.ui.rate_until_killed", str(folder), str(seed * 10 + life)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
            assert window.stdout is not None
            lines = [window.stdout.readline() for _ in range(answers)]
            assert all(lines), "the window ended by itself"
            window.kill()
            lines += window.stdout.readlines()
        # A cut-off last line was never said whole.
        acknowledged |= {line.rstrip("\n") for line in lines if line.endswith("\n")}
        assert acknowledged <= stored_states(folder, bundle)
        assert examine(folder).faults == ()


def stored_states(folder: Path, bundle: str) -> set[str]:
    """Every state of every rating that the store has kept, as the window says them."""
    states = set()
    store = open_reader(folder)
    assert store is not None
    with store:
        for task in tasks.stream(store, bundle):
            head = ratings.head(store, bundle, task.id, RATER)
            for number in range(1, head.rating.revision + 1 if head else 1):
                rating = ratings.revision(store, bundle, task.id, RATER, number)
                states.add(json.dumps([task.id, to_plain(rating.answers), to_plain(rating.claims)], sort_keys=True))
    return states
