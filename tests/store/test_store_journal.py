"""The journal beside the store: a line for everything acknowledged, also after kills, backups and full disks."""

import hashlib
import json
from itertools import count

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import back_up, restore_backup
from desktop_rater.store import backups, reviews
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.journal import JOURNAL, read_journal
from desktop_rater.store.open_store import open_writer
from tests.store.killed_at import noon

COMMAND = "the window"
KILLED = '{"pid": 7, "host": "laptop", "command": "the window", "since": "2026-11-20T08:00:00Z"}'
NAMES = tuple(f"t-{number:05}" for number in range(5))


@pytest.fixture
def journal(folder):
    return folder / JOURNAL


@pytest.fixture
def imported(store, made):
    made.imported(store, made.tasks(5))
    return store


def entries(journal):
    """What the lines say, read as any other program would; each verifies."""
    found = []
    for line in journal.read_bytes().splitlines():
        plain = json.loads(line)
        content = line[line.index(b'"entry":') + len(b'"entry":') : -1]
        assert hashlib.sha256(content).hexdigest() == plain["sha256"]
        found.append(plain["entry"])
    return found


def rated_tasks(journal):
    return [entry["task"] for entry in entries(journal) if entry["table"] == "ratings"]


def copy_at_start(store):
    """As the window backs up by itself."""
    newest = backups.newest_good_backup(store.folder)
    return back_up(store, now=noon, progress=Progress(), always=newest is None)


def test_each_revision_and_review_is_a_line_with_what_the_store_holds_of_it(imported, made, journal):
    made.rated(imported, *NAMES[:2])
    subject = ("verdict", "t-00000", "s1", "r-17")
    reviews.append_review(imported, "november", subject, "lee", {"is": "right"}, now=noon())
    bundle, first, second, review = entries(journal)
    assert bundle == {"table": "bundles", "id": "november", "revision": 1, "title": "Long answers, November"}
    assert [entry["task"] for entry in (first, second)] == list(NAMES[:2])
    query = "SELECT sha256, body, status, done FROM ratings ORDER BY key"
    for entry, (digest, body, status, done) in zip((first, second), imported.db.execute(query), strict=True):
        assert (entry["sha256"], entry["status"], entry["done"]) == (digest, status, done)
        assert entry["body"] == json.loads(body)
    assert (review["lead"], review["revision"], review["body"]) == ("lee", 1, {"is": "right"})


def test_a_transaction_that_is_rolled_back_leaves_no_line(imported, made, journal):
    before = journal.read_bytes()
    with pytest.raises(ZeroDivisionError), imported.writing("Nothing is saved.") as db:
        db.execute("INSERT INTO bundle_events VALUES (1, 'november', 'put away', 1, '', '2026-11-20T12:00:00Z')")
        raise ZeroDivisionError
    made.rated(imported, "t-00000")
    assert journal.read_bytes().startswith(before)
    assert rated_tasks(journal) == ["t-00000"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], lines[-1][:40]],
        lambda lines: lines[:2] + lines[3:],
        lambda lines: [*lines[:2], bytes(len(lines[2]) - 1) + b"\n", *lines[3:]],
        lambda _lines: [],
    ],
    ids=["last missing", "last unfinished", "one missing", "one of zeros", "none"],
)
def test_lines_that_a_killed_program_did_not_write_are_added_at_the_next_start(folder, made, journal, spoil):
    with open_writer(folder, command=COMMAND) as store:
        made.imported(store, made.tasks(5))
        made.rated(store, *NAMES[:3])
    journal.write_bytes(b"".join(spoil(journal.read_bytes().splitlines(keepends=True))))
    (folder / "holder.json").write_text(KILLED, "utf-8")
    with open_writer(folder, command=COMMAND) as store:
        found = [entry for entry in read_journal(folder) if entry is not None]
        assert {entry.columns["task"] for entry in found if entry.table == "ratings"} == set(NAMES[:3])
        made.rated(store, NAMES[3])
    note = next(note for note in examine_store(folder).notes if note.check == "journal")
    assert note.text.endswith("With the newest good backup, it holds every answer.")


def test_each_backup_removes_the_lines_that_the_one_before_it_holds(imported, made, journal):
    made.rated(imported, NAMES[0])
    assert copy_at_start(imported) is not None
    made.rated(imported, NAMES[1])
    assert copy_at_start(imported) is not None
    assert rated_tasks(journal) == [NAMES[1]], "the first backup holds the others"
    made.rated(imported, NAMES[2], NAMES[3])
    assert rated_tasks(journal) == list(NAMES[1:4])
    assert copy_at_start(imported) is not None
    assert rated_tasks(journal) == list(NAMES[2:4])
    assert copy_at_start(imported) is None
    assert rated_tasks(journal) == []
    made.rated(imported, NAMES[4])
    assert rated_tasks(journal) == [NAMES[4]]


def test_a_backup_that_turned_bad_removes_no_line(imported, made, journal):
    made.rated(imported, NAMES[0])
    first = copy_at_start(imported)
    assert first is not None
    first.path.write_bytes(first.path.read_bytes()[:-1])
    made.rated(imported, NAMES[1])
    copy_at_start(imported)
    assert rated_tasks(journal) == list(NAMES[:2])


def test_an_answer_that_is_saved_while_lines_are_removed_keeps_its_line(imported, made, journal):
    made.rated(imported, *NAMES[:3])
    first = copy_at_start(imported)
    assert first is not None
    assert imported.journal is not None
    calls = count()

    def answer_in_between():
        if next(calls) == 1:
            made.rated(imported, NAMES[3])

    imported.journal.cut(first.path, answer_in_between)
    assert rated_tasks(journal) == [NAMES[3]]


def test_where_it_cannot_be_written_answers_are_saved_and_their_lines_follow(imported, made, journal):
    made.rated(imported, NAMES[0])
    kept = journal.rename(journal.with_name("kept.jsonl"))
    journal.mkdir()
    made.rated(imported, NAMES[1], NAMES[2])
    assert imported.journal is not None
    assert imported.journal.failure
    assert imported.db.execute("SELECT count(*) FROM heads").fetchone() == (3,)
    journal.rmdir()
    made.rated(imported, NAMES[3])
    assert imported.journal.failure == ""
    assert rated_tasks(journal) == list(NAMES[1:4])
    assert rated_tasks(kept) == [NAMES[0]]


@pytest.mark.posix("Windows replaces no open file")
def test_a_journal_that_another_program_replaced_or_cut_off_goes_on(imported, made, journal):
    made.rated(imported, NAMES[0])
    other = journal.with_name("other.jsonl")
    other.write_bytes(journal.read_bytes() + b'{"sha256": "an unfinished li')
    other.replace(journal)
    made.rated(imported, NAMES[1])
    assert rated_tasks(journal) == list(NAMES[:2])


def test_a_store_from_before_the_journal_begins_one(folder, made, journal):
    with open_writer(folder, command=COMMAND) as store:
        made.imported(store, made.tasks(5))
        made.rated(store, NAMES[0])
    journal.unlink()
    note = next(note for note in examine_store(folder).notes if note.check == "journal")
    assert note.text.endswith("Revisions that neither it nor the newest good backup holds: 1.")
    with open_writer(folder, command=COMMAND) as store:
        made.rated(store, NAMES[1])
        assert rated_tasks(journal) == [NAMES[1]]
        copy_at_start(store)
    note = next(note for note in examine_store(folder).notes if note.check == "journal")
    assert note.text.endswith("With the newest good backup, it holds every answer.")


def test_the_doctor_names_lines_that_do_not_verify(folder, imported, made, journal):
    made.rated(imported, *NAMES[:3])
    imported.close()
    journal.write_bytes(journal.read_bytes().replace(b'"t-00001"', b'"t-00009"'))
    report = examine_store(folder)
    assert report.sound
    notes = [note.text for note in report.notes if note.check == "journal"]
    assert notes == [
        "4 lines. Revisions that neither it nor the newest good backup holds: 1.",
        "Line 3 of journal.jsonl does not verify: november, t-00009, r-17, 1.",
    ]


def test_the_journal_of_a_store_that_a_backup_replaces_goes_with_it(folder, backup, made, journal):
    lines = journal.read_bytes()
    restored = restore_backup(folder, backup, command="restore", now=noon, progress=Progress())
    assert restored.replaced is not None
    assert (restored.replaced / JOURNAL).read_bytes() == lines
    with open_writer(folder, command=COMMAND) as store:
        made.rated(store, "t-00002")
    assert rated_tasks(journal) == ["t-00002"]
