"""A conversation of which every answer is rated: the window steps through its turns."""

import json

import pytest

from desktop_rater.cli.root import main
from tests.operations.bundles import make, task
from tests.ui.rooms import part, press

MESSAGES = [
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "Good day."},
    {"role": "user", "content": "What is kelp?"},
    {"role": "assistant", "content": "A brown alga."},
]


def test_the_turns_come_one_after_the_other_and_say_which_they_are(rooms, tmp_path):
    source, out = tmp_path / "c.jsonl", tmp_path / "bundle.zip"
    source.write_text(json.dumps({"messages": MESSAGES}), "utf-8")
    command = ["bundle", "convert", "--from", "azure-conversation", "--every-turn", "--out", str(out), str(source)]
    assert main(command) == 0
    room = rooms.with_bundle(out)
    assert part(room, "task_id").text() == "cv-0001#1, turn 1 of 2"
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "cv-0001#2")
    assert part(room, "task_id").text() == "cv-0001#2, turn 2 of 2"


@pytest.mark.parametrize("meta", [{}, {"turn": 1, "turns": 1}, {"turn": "2", "turns": 3}, {"turn": 4, "turns": 3}])
def test_another_task_shows_its_id_alone(rooms, tmp_path, meta):
    room = rooms.with_bundle(make(tmp_path / "bundle.zip", [task("t1", "One.", meta=meta)]))
    assert part(room, "task_id").text() == "t1"
