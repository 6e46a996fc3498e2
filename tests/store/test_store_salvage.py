"""A damaged store is recovered from the newest good backup and the journal, whole and in its order."""

import json
import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.revisions import remove_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_in_place, salvage_to
from desktop_rater.store import backups, bundles, keys, snapshots, state, tasks
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged, StoreTooNew
from desktop_rater.store.journal import JOURNAL
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import StoreTaken
from tests.operations.bundles import RATER, make, noon, rating, take_in, task, write_lines, writer
from tests.readers import head_of, reader_of
from tests.store.listed import count_tasks

PAGE = 4096
TASKS, RATED, ROUNDS = 12, 8, 3
GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
LONG = "A sentence that makes a line longer than a page. " * 90


def rate(store, folder, *, note, count=RATED):
    lines = write_lines(
        folder / "ratings.jsonl", [rating(f"t-{n}", GOOD, GOOD, note=f"{note} {n}") for n in range(count)]
    )
    rate_from_file(store, "kelp", lines, RATER, progress=Progress(), now=noon)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A closed store: 12 tasks, 8 of them rated, a backup, and rated twice more; one export."""
    base = tmp_path_factory.mktemp("once")
    made = make(base / "kelp.zip", [task(f"t-{n}", LONG, f"Kelp {n} is green.") for n in range(TASKS)])
    with writer(base / "store") as store:
        take_in(store, made)
        state.put_state(store, "last-rater", RATER)
        for number in range(ROUNDS):
            rate(store, base, note=f"round {number}")
            if number == 0:
                back_up(store, now=noon, progress=Progress())
        export_results(store, "kelp", RATER, base / "before.zip", progress=Progress(), partial=True)
    return base


@pytest.fixture
def rated(once, folder):
    shutil.copytree(once / "store", folder)
    return folder


def save(folder, tmp_path):
    return salvage_to(folder, tmp_path / "saved", now=noon(), progress=Progress())


def everything(folder):
    """All that a rater and a QA lead can see of a store."""
    with reader_of(folder) as reader:
        rows = reader.db.execute("SELECT bundle, task, rater, revision, changed, done, sha256, body FROM ratings")
        heads = reader.db.execute("SELECT * FROM heads ORDER BY bundle, task, rater").fetchall()
        work = "SELECT revision, work_done.done FROM ratings JOIN work_done ON rating = key ORDER BY key"
        return {
            "bundles": bundles.list_bundles(reader),
            "tasks": list(tasks.stream_tasks(reader, "kelp")),
            "revisions": rows.fetchall(),
            "heads": [row[:3] + row[4:] for row in heads],
            "work": reader.db.execute(work).fetchall(),
            "runs": reader.db.execute("SELECT * FROM finished_runs").fetchall(),
            "found": count_tasks(reader, "kelp", RATER, text="green"),
            "exports": state.last_export(reader, "kelp", RATER),
            "state": state.get_state(reader, "last-rater"),
        }


def destroy_page(file, number, seed=1):
    """Overwrite a page, counted from 1, with bytes that mean nothing."""
    with file.open("rb+") as opened:
        opened.seek((number - 1) * PAGE)
        opened.write(random.Random(seed).randbytes(PAGE))


def without_backups(folder):
    for backup in backups.list_backups(folder):
        backup.path.unlink()


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_lost_with_any_page(rated, file, tmp_path, seed):
    before = everything(rated)
    pages = file.stat().st_size // PAGE
    for number in (1,) if seed == 0 else random.Random(seed).sample(range(1, pages + 1), seed):
        destroy_page(file, number, seed)
    saved = save(rated, tmp_path)
    assert (saved.lost, saved.revisions, saved.joined) == ((), RATED * ROUNDS, RATED * (ROUNDS - 1))
    assert everything(tmp_path / "saved") == before
    assert examine_store(tmp_path / "saved").faults == ()


@pytest.mark.parametrize("content", [None, b"", b"x", b"my holiday photos" * 4000, "half"])
def test_nothing_is_lost_with_the_whole_file(rated, file, tmp_path, content):
    before = everything(rated)
    if content is None:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if content == "half" else content)
    assert save(rated, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before


def test_an_altered_answer_is_replaced_by_the_one_that_was_given(rated, file, tmp_path):
    before = everything(rated)
    file.write_bytes(file.read_bytes().replace(b'"round 2 7"', b'"round 9 7"'))
    assert not examine_store(rated).sound
    assert save(rated, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before


def test_an_older_backup_serves_where_the_newest_is_damaged(rated, file, tmp_path):
    """The journal begins after the second newest backup, since its lines are removed when the next one is made."""
    with writer(rated) as store:
        back_up(store, now=noon, progress=Progress(), always=False)
        rate(store, tmp_path, note="later")
    before = everything(rated)
    newest, _ = backups.list_backups(rated)
    destroy_page(newest.path, 2)
    destroy_page(file, 1)
    saved = save(rated, tmp_path)
    assert (saved.backup[:5], saved.lost) == ("00001", ())
    assert everything(tmp_path / "saved") == before


def test_the_journal_gives_back_the_answers_and_names_the_bundle_that_has_to_be_imported_again(
    rated, file, tmp_path, once
):
    before = everything(rated)
    without_backups(rated)
    destroy_page(file, 1)
    saved = save(rated, tmp_path)
    assert (saved.backup, saved.bundles, saved.revisions) == ("", 0, RATED * ROUNDS)
    assert saved.lost == (
        f"Revision 1 of the bundle 'kelp' (kelp). Import it again: its ratings, {RATED}, are stored.",
    )
    with writer(tmp_path / "saved") as store:
        take_in(store, once / "kelp.zip")
        assert tasks.count_tasks_by_state(store, "kelp", RATER).complete == RATED
    after = everything(tmp_path / "saved")
    assert (after["revisions"], after["heads"]) == (before["revisions"], before["heads"])
    assert examine_store(tmp_path / "saved").faults == ()


def test_of_a_store_without_a_journal_what_the_database_can_read_is_added(rated, damage, tmp_path):
    """As from an older version of the program. Of an export, no SHA-256 tells if its row is what was written."""
    before = everything(rated) | {"exports": None}
    (rated / JOURNAL).unlink()
    damage("CREATE TRIGGER spy AFTER INSERT ON ratings BEGIN DELETE FROM state; END", "DROP TRIGGER ratings_never_go")
    assert save(rated, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before
    assert examine_store(tmp_path / "saved").faults == ()


@pytest.mark.parametrize("table", ["exports", "ratings", "heads", "work_done", "bundle_events"])
def test_rows_of_another_table_in_the_place_of_a_page_are_never_taken_for_answers(rated, file, tmp_path, table):
    before = everything(rated)
    with closing(sqlite3.connect(file)) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))
    content = bytearray(file.read_bytes())
    start, other = (roots[table] - 1) * PAGE, (roots["placed"] - 1) * PAGE
    content[start : start + PAGE] = content[other : other + PAGE]
    file.write_bytes(content)
    assert save(rated, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before


def test_lines_that_the_journal_lacks_are_taken_from_the_database_in_their_order(rated, damage, tmp_path):
    before = everything(rated)
    lines = (rated / JOURNAL).read_bytes().splitlines(keepends=True)
    (rated / JOURNAL).write_bytes(b"".join(lines[1:5] + lines[7:]))
    damage("DELETE FROM placed")
    assert save(rated, tmp_path).lost == ()
    after = everything(tmp_path / "saved")
    assert sorted(after["revisions"]) == sorted(before["revisions"])
    assert after["heads"] == before["heads"]


def test_a_line_that_does_not_verify_is_counted_and_the_task_has_to_be_reviewed_again(rated, file, tmp_path):
    destroy_page(file, 1)
    content = (rated / JOURNAL).read_bytes()
    assert content.count(b'"round 1 7"') == 1
    (rated / JOURNAL).write_bytes(content.replace(b'"round 1 7"', b'"round 9 7"'))
    saved = save(rated, tmp_path)
    assert saved.lost == (
        f"Line 17 of journal.jsonl does not verify: kelp, t-7, {RATER}, 2.",
        f"Missing revisions of {RATER}'s rating of kelp/t-7: 1, before revision 2.",
    )
    assert (tmp_path / "saved" / "salvage.txt").read_text("utf-8").splitlines()[3:] == list(saved.lost)
    with writer(tmp_path / "saved") as store:
        head = head_of(store, "kelp", "t-7", RATER)
        assert (head.rating.note, head.rating.revision, head.rating.status) == ("round 2 7", 2, "incomplete")
        rate(store, tmp_path, note="reviewed again")
        out = tmp_path / "after.zip"
        exported = export_results(store, "kelp", RATER, out, progress=Progress(), partial=True)
    assert exported.complete == RATED
    assert check_results(out, Progress()).broken == ()
    assert examine_store(tmp_path / "saved").faults == ()


def test_a_last_line_that_was_not_finished_is_no_loss(rated, file, tmp_path):
    before = everything(rated)
    with (rated / JOURNAL).open("ab") as journal:
        journal.write(b'{"sha256":"ab","entry":{"table":"ratings"')
    destroy_page(file, 1)
    assert save(rated, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before


def test_work_goes_on_in_the_recovered_store(rated, file, tmp_path):
    destroy_page(file, 1)
    save(rated, tmp_path)
    with writer(tmp_path / "saved") as store:
        rate(store, tmp_path, note="afterwards", count=TASKS)
        assert tasks.count_tasks_by_state(store, "kelp", RATER).complete == TASKS
    assert examine_store(tmp_path / "saved").faults == ()


def test_a_damaged_snapshot_is_left_behind_and_named(rated, tmp_path):
    place = snapshots.snapshot_folder(rated)
    place.mkdir()
    name = f"{'0' * 64}.warc.gz"
    (place / name).write_bytes(b"not what its name says")
    saved = save(rated, tmp_path)
    assert saved.snapshots == 0
    assert saved.lost == (f"The snapshot {name}: The content of a snapshot does not match its name.",)


def test_the_damaged_files_stay_as_they_are(rated, file, tmp_path):
    destroy_page(file, 5)
    before = {path: path.read_bytes() for path in rated.rglob("*") if path.is_file()}
    save(rated, tmp_path)
    assert {path: path.read_bytes() for path in rated.rglob("*") if path.is_file()} == before


def test_a_store_of_a_newer_version_is_no_damage(rated, damage, tmp_path):
    damage("PRAGMA user_version = 999")
    with pytest.raises(StoreTooNew):
        save(rated, tmp_path)


@pytest.mark.parametrize("after", [0, 1, 2])
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
    before, journal = everything(rated), (rated / JOURNAL).read_bytes()
    destroy_page(file, 1)
    bytes_before = file.read_bytes()
    with pytest.raises(StoreDamaged):
        open_writer(rated, command="the window")
    saved = salvage_in_place(rated, now=noon(), progress=Progress())
    aside = rated / "set-aside" / "2026-11-20T120000Z"
    assert saved.aside == aside
    assert (aside / "store.sqlite3").read_bytes() == bytes_before
    assert saved.report == aside / "salvage.txt"
    assert everything(rated) == before
    assert (rated / JOURNAL).read_bytes() == journal, "with the backup, it is needed until the next one"
    assert examine_store(rated).faults == ()


def test_a_store_that_is_damaged_again_at_once_is_recovered_again(rated, file):
    before = everything(rated)
    for _ in range(2):
        destroy_page(file, 1)
        salvage_in_place(rated, now=noon(), progress=Progress())
    assert everything(rated) == before
    assert len(list((rated / "set-aside").iterdir())) == 2


def test_a_key_that_the_lead_has_called_back_stays_called_back(rated, file):
    key = "ab" * 32
    with open_writer(rated, command="the window") as store:
        keys.record_keys(store, [keys.SeenKey("r-17", key)], "kelp", now=noon())
        back_up(store, now=noon, progress=Progress())
        event = keys.KeyEvent(rater="r-17", key=key, project="kelp", kind="called back", by="l", reason="stolen")
        keys.decide_key(store, event, now=noon())
        decided = keys.list_key_events(store)
    destroy_page(file, 1)
    salvage_in_place(rated, now=noon(), progress=Progress())
    with open_writer(rated, command="the window") as store:
        keys.record_keys(store, [keys.SeenKey("r-17", key)], "kelp", now=noon())  # a hub shows it again
        assert keys.list_key_events(store) == decided
        assert keys.keys_by_rater(store) == {}


def test_a_log_that_belongs_to_the_damaged_file_never_meets_the_new_one(rated, file):
    destroy_page(file, 1)
    log = file.with_name("store.sqlite3-wal")
    log.write_bytes(b"left from before" * 1000)
    saved = salvage_in_place(rated, now=noon(), progress=Progress())
    assert saved.aside is not None
    assert (saved.aside / log.name).read_bytes() == b"left from before" * 1000
    assert not log.exists()
    assert examine_store(rated).faults == ()


def test_a_store_that_is_open_elsewhere_is_not_recovered(rated):
    with open_writer(rated, command="the window"), pytest.raises(StoreTaken, match="the window"):
        salvage_in_place(rated, now=noon(), progress=Progress())


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_recovery_that_is_stopped_leaves_everything_where_it_was(rated, file, after):
    destroy_page(file, 1)
    before = {path: path.read_bytes() for path in rated.rglob("*") if path.is_file() and path.name != "lock"}
    reports = []

    def publish(done, total):
        reports.append(done)
        if len(reports) > after:
            progress.stop()

    progress = Progress(publish)
    with pytest.raises(Cancelled):
        salvage_in_place(rated, now=noon(), progress=progress)
    after_it = {path: path.read_bytes() for path in rated.rglob("*") if path.is_file() and path.name != "lock"}
    assert after_it == before


# -- removed bundles and revisions under a number that is taken


def test_a_bundle_that_was_removed_after_the_backup_is_named(rated, file, tmp_path):
    with writer(rated) as store:
        remove_bundle(store, "kelp", now=noon)
    destroy_page(file, 1)
    assert save(rated, tmp_path).lost == ("The removal of the bundle kelp. Remove it again.",)


def test_answers_to_one_task_on_two_sides_are_all_kept(rated, file, tmp_path):
    """The store went back to its backup, but its journal did not."""
    journal = (rated / JOURNAL).read_bytes()
    shutil.copy(backups.list_backups(rated)[0].path, file)
    with writer(rated) as store:
        rate(store, tmp_path, note="the other side", count=2)
    with (rated / JOURNAL).open("ab") as opened:
        opened.write(journal)
    destroy_page(file, 1)
    saved = save(rated, tmp_path)
    assert saved.revisions == RATED * ROUNDS + 2
    with closing(sqlite3.connect(tmp_path / "saved" / "store.sqlite3")) as db:
        query = "SELECT body FROM ratings WHERE task = 't-1' ORDER BY revision"
        notes = [json.loads(body)["note"] for (body,) in db.execute(query)]
    assert sorted(notes) == ["round 0 1", "round 1 1", "round 2 1", "the other side 1"]
    assert examine_store(tmp_path / "saved").faults == ()
