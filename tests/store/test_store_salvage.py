"""What is left of a damaged store comes into a new one, whole and in its order, and the rest is named."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.model.change import Cancelled, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.store import bundles, rater_keys, ratings, snapshots, state, tasks
from desktop_rater.store.doctor import STAND_IN_ENTRY, examine_store
from desktop_rater.store.errors import StoreDamaged, StoreTaken, StoreTooNew
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.work.audit.check_results import check_results
from desktop_rater.work.rating.export import export_results
from desktop_rater.work.rating.save import rate_from_file
from desktop_rater.work.store.salvage import salvage_in_place, salvage_to
from tests.store.listed import count_tasks
from tests.work.bundles import RATER, make, noon, rating, take_in, task, write_lines, writer

PAGE = 4096
TASKS, RATED, ROUNDS = 60, 40, 3
GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
LONG = "A sentence that makes a line longer than a page. " * 90


def rate(store, folder, *, note, count=RATED):
    lines = write_lines(
        folder / "ratings.jsonl", [rating(f"t-{n}", GOOD, GOOD, note=f"{note} {n}") for n in range(count)]
    )
    rate_from_file(store, "kelp", lines, RATER, progress=Progress(), now=noon)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A closed store: 60 tasks, 40 of them rated in three rounds, one export."""
    base = tmp_path_factory.mktemp("once")
    made = make(base / "kelp.zip", [task(f"t-{n}", LONG, f"Kelp {n} is green.") for n in range(TASKS)])
    with writer(base / "store") as store:
        take_in(store, made)
        for number in range(ROUNDS):
            rate(store, base, note=f"round {number}")
        export_results(store, "kelp", RATER, base / "before.zip", progress=Progress(), partial=True)
        state.put_state(store, "last-rater", RATER)
    return base


@pytest.fixture
def rated(once, folder):
    shutil.copytree(once / "store", folder)
    return folder


def save(folder, tmp_path):
    return salvage_to(folder, tmp_path / "saved", now=noon(), progress=Progress())


def everything(folder):
    """All that a rater and a QA lead can see of a store."""
    reader = open_reader(folder)
    assert reader is not None
    with reader:
        rows = reader.db.execute("SELECT bundle, task, rater, revision, changed, done, sha256, body FROM ratings")
        heads = reader.db.execute("SELECT * FROM heads ORDER BY bundle, task, rater").fetchall()
        return {
            "bundles": bundles.list_bundles(reader),
            "tasks": list(tasks.stream_tasks(reader, "kelp")),
            "revisions": rows.fetchall(),
            "heads": [row[:3] + row[4:] for row in heads],
            "found": count_tasks(reader, "kelp", RATER, text="green"),
            "exports": state.last_export(reader, "kelp", RATER),
            "state": state.get_state(reader, "last-rater"),
        }


def page_of(file, table):
    connection = sqlite3.connect(file)
    (number,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    connection.close()
    return number


def spoil(file, *numbers, seed=1):
    """Overwrite pages, counted from 1, with bytes that mean nothing."""
    content = bytearray(file.read_bytes())
    for number in numbers:
        content[(number - 1) * PAGE : number * PAGE] = random.Random(seed).randbytes(PAGE)
    file.write_bytes(content)


@pytest.mark.parametrize("spoilt", ["sqlite_schema", "ratings", "tasks", "bundles_and_heads", "texts_data"])
def test_nothing_is_lost_with_the_pages_that_only_lead_to_the_rows(rated, file, tmp_path, spoilt):
    """For SQLite a table is gone with its first page, and the whole file with the very first one."""
    before = everything(rated)
    spoil(file, 1) if spoilt == "sqlite_schema" else None
    for table in ("heads", "sqlite_autoindex_tasks_1") if spoilt == "bundles_and_heads" else (spoilt,):
        if spoilt != "sqlite_schema":
            spoil(file, page_of(file, table))
    saved = save(rated, tmp_path)
    assert saved.lost == ()
    assert everything(tmp_path / "saved") == before
    assert examine_store(tmp_path / "saved").faults == ()


@pytest.mark.parametrize("seed", range(6))
def test_of_a_store_with_many_spoilt_pages_each_row_is_saved_or_named(rated, file, tmp_path, seed):
    chance = random.Random(seed)
    pages = file.stat().st_size // PAGE
    spoil(file, *chance.sample(range(2, pages + 1), 8), seed=seed)
    if seed % 3 == 0:
        spoil(file, 1)
    saved = save(rated, tmp_path)
    assert examine_store(tmp_path / "saved").faults == ()
    lost_tasks = sum(int(line.split(": ")[1].split()[0]) for line in saved.lost if "tasks can't" in line)
    assert saved.bundles == 0 or saved.tasks + lost_tasks == TASKS
    standing_in = [line for line in saved.lost if "replaced by a copy" in line]
    gone = sum(int(line.split("its ")[1].split()[0]) for line in saved.lost if "none of its" in line)
    assert saved.revisions + len(standing_in) + gone == RATED * ROUNDS
    assert (tmp_path / "saved" / "salvage.txt").read_text("utf-8").splitlines()[2:] == list(
        saved.lost or ["No known losses."]
    )


def test_of_a_file_that_was_cut_off_the_first_part_is_saved(rated, file, tmp_path):
    with file.open("rb+") as opened:
        opened.truncate(file.stat().st_size // 2)
    saved = save(rated, tmp_path)
    assert saved.tasks > TASKS // 3
    assert any("tasks can't be read" in line for line in saved.lost)
    assert examine_store(tmp_path / "saved").faults == ()


def test_an_altered_answer_is_never_taken_for_one_that_was_given(rated, file, tmp_path):
    content = file.read_bytes()
    file.write_bytes(content.replace(b'"round 2 7"', b'"round 9 7"'))
    saved = save(rated, tmp_path)
    (lost,) = saved.lost
    assert lost == (
        f"Revision 3 of {RATER}'s rating of kelp/t-7 can't be read and was replaced by a copy of revision 2. "
        "The task counts as unfinished."
    )
    reader = open_reader(tmp_path / "saved")
    assert reader is not None
    with reader:
        head = ratings.rating_head(reader, "kelp", "t-7", RATER)
        assert head is not None
        assert (head.rating.note, head.rating.revision, head.rating.status) == ("round 1 7", 3, "incomplete")
        query = "SELECT revision FROM ratings WHERE done = ?"
        assert reader.db.execute(query, (STAND_IN_ENTRY,)).fetchall() == [(3,)]


def test_results_of_what_was_saved_are_good_though_the_history_lost_something(rated, file, tmp_path):
    content = file.read_bytes()
    for number in range(RATED):
        content = content.replace(b'"round 1 %d"' % number, b'"round 9 %d"' % number)
    file.write_bytes(content)
    assert len(save(rated, tmp_path).lost) == RATED
    with writer(tmp_path / "saved") as store:
        out = tmp_path / "after.zip"
        exported = export_results(store, "kelp", RATER, out, progress=Progress(), partial=True)
    assert exported.complete == RATED
    assert check_results(out, Progress()).broken == ()


def test_work_goes_on_in_what_was_saved(rated, file, tmp_path):
    spoil(file, page_of(file, "ratings"))
    save(rated, tmp_path)
    with writer(tmp_path / "saved") as store:
        rate(store, tmp_path, note="afterwards", count=TASKS)
        assert tasks.count_tasks_by_state(store, "kelp", RATER).complete == TASKS
    assert examine_store(tmp_path / "saved").faults == ()


@pytest.mark.posix("Windows has no signals to send to a process")
def test_what_only_the_log_holds_is_saved_too(rated, file, tmp_path):
    """The program was killed, and the file's first page is gone: the log alone has the last answers."""
    script = """
import os, signal, sys
from pathlib import Path
from tests.store.test_store_salvage import rate
from tests.work.bundles import writer
store = writer(Path(sys.argv[1]))
rate(store, Path(sys.argv[2]), note="round 3")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script, str(rated), str(tmp_path)], check=False, cwd=Path.cwd())
    assert done.returncode == -signal.SIGKILL
    spoil(file, 1)
    saved = save(rated, tmp_path)
    assert (saved.revisions, saved.lost) == (RATED * (ROUNDS + 1), ())


def test_a_damaged_snapshot_is_left_behind_and_named(rated, tmp_path):
    place = snapshots.snapshot_folder(rated)
    place.mkdir()
    name = f"{'0' * 64}.warc.gz"
    (place / name).write_bytes(b"not what its name says")
    saved = save(rated, tmp_path)
    assert saved.snapshots == 0
    assert saved.lost == (f"The snapshot {name}: The content of a snapshot does not match its name.",)


def test_the_damaged_files_stay_as_they_are(rated, file, tmp_path):
    spoil(file, 1, page_of(file, "ratings"))
    before = {path: path.read_bytes() for path in rated.rglob("*") if path.is_file()}
    save(rated, tmp_path)
    assert {path: path.read_bytes() for path in rated.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("content", [b"", b"x", b"my holiday photos" * 4000], ids=["nothing", "a byte", "no store"])
def test_of_a_file_that_was_never_a_store_nothing_is_saved(folder, file, tmp_path, content):
    folder.mkdir()
    file.write_bytes(content)
    saved = save(folder, tmp_path)
    assert (saved.bundles, saved.tasks, saved.revisions) == (0, 0, 0)
    assert examine_store(tmp_path / "saved").faults == ()


def test_a_store_of_a_newer_version_is_no_damage(rated, damage, tmp_path):
    damage("PRAGMA user_version = 999")
    with pytest.raises(StoreTooNew):
        save(rated, tmp_path)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_one_that_is_stopped_leaves_no_half_a_store(rated, tmp_path, after):
    class Stopped(Progress):
        heard = 0

        def __call__(self, done, total):
            self.heard += 1
            if self.heard > after:
                raise Cancelled

    with pytest.raises(Cancelled):
        salvage_to(rated, tmp_path / "saved", now=noon(), progress=Stopped())
    assert not (tmp_path / "saved").exists()


def test_nothing_is_saved_over_something_else(rated, tmp_path):
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RaterError, match="is not empty"):
        save(rated, tmp_path)
    assert [path.name for path in (tmp_path / "saved").iterdir()] == ["thesis.txt"]


# -- in the place of the damaged store


def test_the_damaged_files_are_set_aside_and_the_store_opens_again(rated, file):
    before = everything(rated)
    spoil(file, 1)
    bytes_before = file.read_bytes()
    with pytest.raises(StoreDamaged):
        open_writer(rated, command="the window")
    saved = salvage_in_place(rated, now=noon(), progress=Progress())
    aside = rated / "set-aside" / "2026-11-20T120000Z"
    assert saved.aside == aside
    assert (aside / "store.sqlite3").read_bytes() == bytes_before
    assert saved.report == aside / "salvage.txt"
    assert everything(rated) == before
    assert examine_store(rated).faults == ()


def test_what_somebody_put_into_the_schema_is_not_saved_with_the_rest(rated, damage):
    before = everything(rated)
    damage("CREATE TRIGGER spy AFTER INSERT ON ratings BEGIN DELETE FROM state; END", "DROP TRIGGER ratings_never_go")
    assert not examine_store(rated).sound
    saved = salvage_in_place(rated, now=noon(), progress=Progress())
    assert saved.lost == ()
    assert everything(rated) == before
    assert examine_store(rated).faults == ()


def test_a_key_that_the_lead_has_called_back_stays_called_back(rated, file):
    key = "ab" * 32
    with open_writer(rated, command="the window") as store:
        rater_keys.record_keys(store, [rater_keys.SeenKey("r-17", key)], "kelp", now=noon())
        event = rater_keys.KeyEvent(rater="r-17", key=key, project="kelp", kind="called back", by="l", reason="stolen")
        rater_keys.decide_key(store, event, now=noon())
        decided = rater_keys.list_key_events(store)
    spoil(file, 1)
    salvage_in_place(rated, now=noon(), progress=Progress())
    with open_writer(rated, command="the window") as store:
        rater_keys.record_keys(store, [rater_keys.SeenKey("r-17", key)], "kelp", now=noon())  # a hub shows it again
        assert rater_keys.list_key_events(store) == decided
        assert rater_keys.keys_by_rater(store) == {}


def test_two_rescues_in_one_second_keep_both_files(rated, file):
    for _ in range(2):
        spoil(file, 1)
        salvage_in_place(rated, now=noon(), progress=Progress())
    assert len(list((rated / "set-aside").iterdir())) == 2


def test_a_log_that_belongs_to_the_damaged_file_never_meets_the_new_one(rated, file):
    spoil(file, 1)
    log = file.with_name("store.sqlite3-wal")
    log.write_bytes(b"left from before" * 1000)
    saved = salvage_in_place(rated, now=noon(), progress=Progress())
    assert saved.aside is not None
    assert (saved.aside / log.name).read_bytes() == b"left from before" * 1000
    assert not log.exists()
    assert examine_store(rated).faults == ()


def test_a_store_that_somebody_writes_to_is_not_rescued(rated):
    with open_writer(rated, command="the window"), pytest.raises(StoreTaken, match="the window"):
        salvage_in_place(rated, now=noon(), progress=Progress())


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_rescue_that_is_stopped_leaves_everything_where_it_was(rated, file, after):
    spoil(file, 1)
    before = {path: path.read_bytes() for path in rated.rglob("*") if path.is_file()}
    reports = []

    def publish(done, total):
        reports.append(done)
        if len(reports) > after:
            progress.stop()

    progress = Progress(publish)
    with pytest.raises(Cancelled):
        salvage_in_place(rated, now=noon(), progress=progress)
    assert {path: path.read_bytes() for path in rated.rglob("*") if path.is_file() and path.name != "lock"} == {
        path: content for path, content in before.items() if path.name != "lock"
    }


def test_a_rating_of_a_bundle_that_is_gone_is_kept_until_it_comes_back(rated, file, tmp_path, once):
    """The bundle's own row is lost: its tasks come back with the zip, and its ratings stand on them again."""
    before = everything(rated)
    spoil(file, page_of(file, "bundles"))
    saved = save(rated, tmp_path)
    assert (saved.bundles, saved.tasks, saved.revisions) == (0, 0, RATED * ROUNDS)
    with writer(tmp_path / "saved") as store:
        take_in(store, once / "kelp.zip")
        assert tasks.count_tasks_by_state(store, "kelp", RATER).all == TASKS
    after = everything(tmp_path / "saved")
    assert after["revisions"] == before["revisions"]
    assert examine_store(tmp_path / "saved").faults == ()
    assert json.loads(after["revisions"][0][-1])["task"] == "t-0"
