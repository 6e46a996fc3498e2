"""One program writes to a store, and another one is told which."""

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from threading import Thread

import pytest

from desktop_rater.store import state
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import StoreTaken, read_holder
from tests.readers import reader_of

HOLD = """
import sys
from pathlib import Path
from desktop_rater.store.open_store import open_writer
store = open_writer(Path(sys.argv[1]), command="desktop-rater import")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other(folder):
    """Another process that holds the store."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_is_told_who_holds_the_store(folder, other):
    with pytest.raises(StoreTaken) as caught:
        open_writer(folder, command="the window")
    assert caught.value.holder is not None
    assert caught.value.holder.pid == other.pid
    assert f"`desktop-rater import` (process {other.pid} on {platform.node()}, since 20" in str(caught.value)


def test_looking_works_beside_another_process(folder, other):
    with reader_of(folder) as reader:
        assert state.get_state(reader, "last-rater") is None


def test_a_killed_process_lets_go_by_itself(folder, other):
    other.kill()
    other.wait()
    open_writer(folder, command="the window").close()


def test_the_same_process_can_not_open_it_twice(folder, store):
    with pytest.raises(StoreTaken, match="in use"):
        open_writer(folder, command="another window")


def test_the_one_who_was_refused_takes_nothing_from_the_one_who_holds_it(folder, store):
    with pytest.raises(StoreTaken):
        open_writer(folder, command="another window")
    state.put_state(store, "last-rater", "r-17")
    with pytest.raises(StoreTaken, match="the window"):
        open_writer(folder, command="another window")


def test_a_lane_may_close_what_the_main_thread_opened(folder):
    store = open_writer(folder, command="the window")
    thread = Thread(target=store.close)
    thread.start()
    thread.join()
    open_writer(folder, command="the window").close()


def test_the_signature_says_who_and_since_when(folder):
    now = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    with open_writer(folder, command="the window", now=now):
        assert json.loads((folder / "holder.json").read_text("utf-8")) == {
            "pid": os.getpid(),
            "host": platform.node(),
            "command": "the window",
            "since": "2026-11-20T08:00:00Z",
            "log": False,
        }
    assert read_holder(folder) is None


def test_a_signature_that_can_not_be_read_stops_nobody(folder, store):
    (folder / "holder.json").write_text("{", encoding="utf-8")
    with pytest.raises(StoreTaken, match="Another program"):
        open_writer(folder, command="another window")
