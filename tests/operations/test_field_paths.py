"""What differs in two tasks is named by its place."""

import pytest

from desktop_rater.operations.bundles.inspect_bundle import MAX_PATHS, differing_paths
from tests.operations.bundles import task

TASK = task("t-1", "One.", "Two.", meta={"topic": "kelp", "n": 1})


def with_(path, value):
    """The task with another value there."""
    changed = {**TASK, "meta": {**TASK["meta"]}, "prompt": {**TASK["prompt"]}, "targets": [*map(dict, TASK["targets"])]}
    changed["responses"] = [*map(dict, TASK["responses"])]
    *way, last = path
    place = changed
    for key in way:
        place = place[key]
    place[last] = value
    return changed


@pytest.mark.parametrize(
    ("changed", "paths"),
    [
        (TASK, ()),
        (with_(["prompt", "text"], "Another?"), ("prompt.text",)),
        (with_(["responses", 0, "text"], "Other."), ("responses.a.text",)),
        (with_(["targets", 1, "start"], 4), ("targets.s2.start",)),
        (with_(["targets"], TASK["targets"][:1]), ("targets.s2",)),
        (with_(["targets"], TASK["targets"][::-1]), ("targets",)),
        (with_(["meta", "topic"], None), ("meta.topic",)),
        (with_(["meta", "n"], True), ("meta.n",)),
        (with_(["meta", "n"], 1.0), ("meta.n",)),
        (with_(["reference"], "Ah."), ("reference",)),
        (with_(["meta", "n"], ["x"]), ("meta.n",)),
    ],
)
def test_each_change_is_named(changed, paths):
    assert differing_paths(TASK, changed) == paths
    assert differing_paths(changed, TASK) == paths


def test_many_changes_are_cut():
    one = {f"k{number}": 1 for number in range(100)}
    assert len(differing_paths(one, dict.fromkeys(one, 2))) == MAX_PATHS
