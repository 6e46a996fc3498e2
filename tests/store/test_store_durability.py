"""A process is killed at random moments: nothing that it acknowledged is lost, nothing half is left."""

from __future__ import annotations

import random
import subprocess
import sys
from threading import Timer

import pytest

from desktop_rater.store import bundles, history, ratings, tasks
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import open_reader, open_writer

ROUNDS = 10

RATE = """
import sys
from pathlib import Path
from desktop_rater.model.answers import Answers
from desktop_rater.model.rating import Rating
from desktop_rater.store import ratings
from desktop_rater.store.opening import open_writer
from desktop_rater.store.ratings import NewRating

store = open_writer(Path(sys.argv[1]), command="a rater")
number = 0
while True:
    number += 1
    rating = Rating(
        task=f"t-{number % 7:05}",
        rater="r-17",
        status="complete" if number % 3 else "incomplete",
        answers=Answers(task={"comment": f"{sys.argv[2]}-{number} " + "x" * 2000}),
    )
    new = NewRating(rating=rating, changed="2026-11-20T09:12:00Z", done="answer", leaving_sha256="0" * 64)
    saved = ratings.append(store, "november", new)
    print(rating.task, saved.rating.revision, saved.sha256, flush=True)
"""

IMPORT = """
import sys
from pathlib import Path
from desktop_rater.store import bundles
from desktop_rater.store.bundles import NewBundle, TaskRow
from desktop_rater.store.opening import open_writer

store = open_writer(Path(sys.argv[1]), command="an import")
print("begun", flush=True)
new = NewBundle(id="killed", revision=1, title="", language="", created=None, rubric="r@1", rubric_toml=None,
    guidelines="", manifest="{}", tasks_sha256="", identity="", imported="2026-11-20T09:12:00Z")
key = bundles.begin_import(store, new)
for chunk in range(10_000):
    names = [f"{chunk}-{number}" for number in range(20)]
    bundles.add_tasks(store, key, [
        TaskRow(id=name, title=name, line=name.encode() * 200, targets=None, prompt=name, responses=name * 20, tools="")
        for name in names])
"""


def killed(script, *arguments, after):
    """What the process printed before it was killed, `after` seconds from its first line."""
    process = subprocess.Popen([sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    timer = Timer(after, process.kill)
    timer.start()
    rest = process.stdout.read()
    process.wait()
    timer.cancel()
    process.stdout.close()
    return (first + rest).splitlines()


@pytest.fixture
def prepared(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(7))
    return folder


def test_no_acknowledged_answer_is_lost_when_the_process_is_killed(prepared):
    chance = random.Random(20261120)
    acknowledged = {}
    for number in range(ROUNDS):
        for line in killed(RATE, str(prepared), str(number), after=chance.uniform(0, 0.15)):
            said = line.split()
            if len(said) == 3 and len(said[2]) == 64:  # the last line may be cut off
                task, revision, digest = said
                acknowledged[task, int(revision)] = digest
        reader = open_reader(prepared)
        assert reader is not None
        with reader:
            every = (history.history(reader, "november", task.id, "r-17") for task in tasks.stream(reader, "november"))
            rows = [row for one in every for row in one]
            stored = {(row.task, row.revision): row.sha256 for row in rows}
            assert {key: stored.get(key) for key in acknowledged} == acknowledged
            # At most the one that was on its way is there beyond what was acknowledged, for each kill.
            assert len(stored) <= len(acknowledged) + number + 1
            for task in {task for task, _ in stored}:
                head = ratings.head(reader, "november", task, "r-17")
                assert head is not None
                assert head.rating.revision == max(revision for name, revision in stored if name == task)
        assert examine(prepared).faults == ()
    assert len(acknowledged) > ROUNDS


def test_an_import_that_is_killed_leaves_nothing_after_the_next_start(prepared):
    chance = random.Random(7)
    for _ in range(5):
        killed(IMPORT, str(prepared), after=chance.uniform(0.02, 0.2))
        assert examine(prepared).faults == ()
        with open_writer(prepared, command="the window") as store:
            assert [row.id for row in bundles.listed(store)] == ["november"]
            assert store.db.execute("SELECT count(*) FROM tasks").fetchone() == (7,)
            assert store.db.execute("SELECT count(*) FROM texts").fetchone() == (7,)
            assert len(tasks.page(store, "november", "r-17", text="quixote", limit=9)) == 7
        report = examine(prepared)
        assert report.faults == ()
        assert [note.check for note in report.notes if note.check in {"leftovers", "holder"}] == []
