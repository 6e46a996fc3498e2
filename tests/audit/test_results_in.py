"""A lead takes in the results of many raters: what is good goes in, what is not is named, and order is of no matter."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.audit import load_audit as load_audit_module
from desktop_rater.operations.audit.audit_status import audit_status, read_assignment
from desktop_rater.operations.audit.load_audit import audit_gold, audited_bundles, load_audit, load_task
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.store import open_store
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.snapshots import list_snapshots
from tests.audit.results import GOOD, OPINION, WRONG, renamed
from tests.operations.bundles import rating, task, write, write_lines
from tests.readers import reader_of
from tests.store.going_back import SHA
from tests.store.killed_at import killer


def audit_of(desk, bundle="kelp"):
    with reader_of(desk.store) as store:
        return load_audit(store, bundle)


def status_of(desk, assigned=None):
    with reader_of(desk.store) as store:
        return audit_status(store, "kelp", assigned)


def said(audit):
    """(task, rater) → what counts of the first target."""
    return {
        (task, rater): one.digest.values["targets/s1"].get("accuracy", "not factual")
        for (task, rater), one in audit.ratings.items()
    }


def rewritten(path, out, name, change):
    """The same zip with one file changed."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, change(old.read(entry)) if entry == name else old.read(entry))
    return out


def test_three_raters_are_here_and_so_is_everything(desk):
    zips = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo", "cy")]
    opened = desk.opened(desk.bundle, *zips)
    assert [(one.rater, one.complete, one.known) for one in opened.took] == [
        ("ann", 3, False),
        ("bo", 3, False),
        ("cy", 3, False),
    ]
    assert opened.audits == {"kelp"}
    assert not opened.refused
    assert status_of(desk).whole
    audit = audit_of(desk)
    assert audit.raters == ("ann", "bo", "cy")
    assert audit.tasks == ("t-1", "t-2", "t-3")
    assert len(audit.ratings) == 9
    assert examine_store(desk.store).sound


def test_a_folder_is_gone_through_with_all_below_it(desk):
    inbox = desk.folder / "inbox"
    (inbox / "monday").mkdir(parents=True)
    shutil.move(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), inbox / "monday" / "ann.zip")
    shutil.move(desk.sent("bo", t1=GOOD, t2=GOOD, t3=GOOD), inbox / "bo.ZIP")
    (inbox / "notes.txt").write_text("not for the desk")
    (inbox / ".hidden.zip").write_text("nor this")
    opened = desk.opened(inbox)
    assert [one.file for one in opened.took] == ["bo.ZIP", os.path.join("monday", "ann.zip")]  # noqa: PTH118
    assert not opened.refused


def test_the_same_file_twice_changes_nothing(desk):
    sent = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.opened(sent, sent)
    before = audit_of(desk)
    again = desk.opened(sent, shutil.copy(sent, desk.folder / "a copy.zip"))
    assert [one.known for one in again.took] == [True, True]
    assert not again
    assert audit_of(desk) == before


DAMAGES = {
    "half of it": lambda path, out: out.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a flipped byte": lambda path, out: out.write_bytes(
        (raw := bytearray(path.read_bytes()), raw.__setitem__(len(raw) // 2, raw[len(raw) // 2] ^ 255))[0]
    ),
    "an answer changed": lambda path, out: rewritten(
        path, out, "ratings.jsonl", lambda raw: raw.replace(b'"right"', b'"wrong"', 1)
    ),
    "another name": lambda path, out: rewritten(
        path, out, "manifest.json", lambda raw: raw.replace(b'"bad"', b'"ann"')
    ),
    "no manifest": lambda path, out: zipfile.ZipFile(out, "w").close(),
    "not a zip": lambda path, out: out.write_text("results, honestly"),
    "nothing": lambda path, out: out.write_bytes(b""),
    "a newer format": lambda path, out: rewritten(
        path, out, "manifest.json", lambda raw: json.dumps(json.loads(raw) | {"version": 9}).encode()
    ),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_what_is_damaged_or_altered_is_refused_by_name_and_the_rest_goes_in(desk, how):
    good = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    bad = desk.folder / "damaged.zip"
    DAMAGES[how](desk.sent("bad", t1=GOOD, t2=WRONG, t3=GOOD), bad)
    opened = desk.opened(bad, good)
    assert [one.file for one in opened.refused] == ["damaged.zip"]
    assert opened.refused[0].title.startswith("damaged.zip")
    assert opened.refused[0].message
    assert [one.rater for one in opened.took] == ["ann"]
    assert audit_of(desk).raters == ("ann",)
    assert examine_store(desk.store).sound


def test_of_many_the_damaged_ones_are_listed_exactly(desk):
    inbox = desk.folder / "inbox"
    inbox.mkdir()
    source = desk.sent("r", t1=GOOD, t2=GOOD, t3=GOOD)
    bad = {}
    for number in range(200):
        out = inbox / f"{number:03}.zip"
        if number % 100 == 37:
            how = list(DAMAGES)[number // 100]
            DAMAGES[how](source, out)
            bad[out.name] = how
            continue
        # Each as it would come from another export: the name of the rater is all that differs.
        renamed(source, out, f"r-{number:03}")
    opened = desk.opened(inbox)
    assert {one.file for one in opened.refused} == set(bad)
    assert len(opened.took) == 198
    audit = audit_of(desk)
    assert len(audit.raters) == 198
    assert len(audit.ratings) == 594


def test_a_newer_export_takes_the_place_of_the_one_that_it_names_whichever_comes_first(desk, monkeypatch):
    first = desk.sent("ann", "first", t1=GOOD, t2=GOOD, t3=GOOD)
    second = desk.sent("ann", "second", t1=WRONG)
    desk.opened(desk.bundle, second)
    assert status_of(desk).raters[0].unknown_before
    desk.opened(first)
    audit = audit_of(desk)
    assert said(audit) == {("t-1", "ann"): "inaccurate", ("t-2", "ann"): "accurate", ("t-3", "ann"): "accurate"}
    assert len(audit.earlier) == 3
    assert not audit.forks
    assert status_of(desk).whole
    monkeypatch.setattr(load_audit_module, "copy_states", None)  # the audit has the lead's copy: no task reads it again
    with reader_of(desk.store) as store:
        shown = load_task(store, "kelp", "t-1", audit)
    assert [rating.answers.targets["s1"]["accuracy"] for _, rating in shown.raters[0].earlier] == ["accurate"]


def test_two_exports_that_do_not_name_each_other_are_a_fork_that_is_kept_and_shown(desk):
    desk.rated("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.copied_home("ann", "ann-abroad")
    desk.rated("ann", t1=WRONG)
    here = desk.exported("ann", "here")
    home = desk.folder / "home-ann"
    shutil.rmtree(home)
    desk.copied_home("ann-abroad", "ann")
    desk.rated("ann", t1=OPINION)
    desk.rated("ann", t1=GOOD)
    desk.rated("ann", t1=OPINION)
    there = desk.exported("ann", "there")
    for order in ((here, there), (there, here)):
        shutil.rmtree(desk.store, ignore_errors=True)
        desk.opened(*order)
        audit = audit_of(desk)
        (fork,) = audit.forks
        assert (fork.rater, fork.tasks, len(fork.results)) == ("ann", ("t-1",), 2)
        assert said(audit)["t-1", "ann"] == "not factual", "the one that was changed more often counts"
        assert len(audit.received) == 2
        assert not status_of(desk).whole
        assert status_of(desk).raters[0].forked == ("t-1",)


def test_results_of_an_older_revision_of_the_bundle_do_not_count_where_the_text_has_changed(desk):
    old = desk.sent("ann", "old", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.tasks[0] = task("t-1", "Kelp one is brown.", "It is an alga.")
    desk.bundle = desk.another("new", revision=2)
    new = desk.sent("bo", "new", t1=WRONG, t2=GOOD, t3=GOOD)
    for order in ((old, new), (new, old)):
        shutil.rmtree(desk.store, ignore_errors=True)
        desk.opened(*order)
        audit = audit_of(desk)
        assert ("t-1", "ann") not in audit.ratings
        assert [(one.task, one.rater) for one in audit.stale] == [("t-1", "ann")]
        assert ("t-2", "ann") in audit.ratings
        assert status_of(desk).raters[0].stale == ("t-1",)


def test_who_is_missing_what_is_the_first_answer(desk):
    desk.opened(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), desk.sent("bo", partial=True, t1=GOOD))
    status = status_of(desk)
    bo = status.raters[1]
    assert (bo.rater, bo.due, bo.lacks, bo.lacking, bo.partial) == ("bo", 3, 2, (), True)
    assert [one.task for one in status.short] == []
    assert not status.whole
    desk.opened(desk.bundle)
    bo = status_of(desk).raters[1]
    assert bo.lacking == ("t-2", "t-3")


def test_the_table_of_who_rates_what_says_who_sent_nothing(desk):
    desk.opened(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    table = desk.folder / "kelp-assignment.csv"
    table.write_text("task,rater,bundle\nt-1,ann,a.zip\nt-2,ann,a.zip\nt-2,'=bo,b.zip\nt-3,'=bo,b.zip\n", "utf-8")
    status = status_of(desk, read_assignment(table))
    ann, bo = sorted(status.raters, key=lambda one: one.results, reverse=True)
    assert (ann.lacks, ann.strange) == (0, ("t-3",))
    assert (bo.rater, bo.results, bo.lacking) == ("=bo", 0, ("t-2", "t-3"))
    assert [(one.task, one.lacking) for one in status.short] == [("t-2", ("=bo",)), ("t-3", ("=bo",))]


def test_the_bundle_itself_tells_of_tasks_that_nobody_rated_and_brings_its_gold(desk):
    golds = write_lines(desk.folder / "gold.jsonl", [rating("t-1", WRONG, GOOD)])
    copy = desk.another("copy", gold=golds, title="Kelp, November")
    opened = desk.opened(copy, desk.sent("ann", partial=True, t2=GOOD))
    assert [(one.bundle, one.tasks, one.gold) for one in opened.copies] == [("kelp", 3, 1)]
    status = status_of(desk)
    assert status.title == "Kelp, November"
    assert [(one.task, one.ratings) for one in status.short] == [("t-1", 0), ("t-3", 0)]
    with reader_of(desk.store) as store:
        (answer,) = audit_gold(store, "kelp")["t-1"]
        assert answer.answers.targets["s1"]["accuracy"] == "inaccurate"
        assert load_task(store, "kelp", "t-1").gold == (answer,)
        assert load_task(store, "kelp", "t-1").raters == ()
    again = desk.opened(copy)
    assert [one.known for one in again.copies] == [True]
    assert not again


def test_another_bundle_under_the_same_name_and_revision_is_refused(desk):
    desk.opened(desk.bundle)
    other = desk.another("other", [task("t-9")])
    (refused,) = desk.opened(other).refused
    assert "has already been opened for audit" in refused.message


def test_results_of_a_part_belong_to_the_whole_bundle(desk):
    raters = write(desk.folder / "raters.txt", "ann\nbo\n")
    parts = desk.folder / "parts"
    assign_tasks(desk.bundle, raters, parts, overlap=1, seed=1, progress=Progress())
    desk.opened(desk.of_part(parts / "kelp-ann.zip", "kelp-ann", "ann"))
    audit = audit_of(desk)
    assert [(one.of, one.bundle) for one in audit.received] == [("kelp-ann", "kelp")]
    assert 0 < len(audit.tasks) < 3


def test_cancelled_it_keeps_what_came_in_whole(desk):
    zips = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo", "cy")]
    progress = Progress(lambda done, _total: progress.stop() if done == 2 else None)
    with pytest.raises(Cancelled):
        desk.opened(*zips, progress=progress)
    assert audit_of(desk).raters == ("ann", "bo")
    assert examine_store(desk.store).sound
    desk.opened(*zips)
    assert audit_of(desk).raters == ("ann", "bo", "cy")


@pytest.mark.posix("Windows has no signals to send to a process")
def test_a_run_that_was_killed_leaves_nothing_half(desk):
    zips = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")]
    desk.opened(zips[0])
    script = f"""
import os, signal
from pathlib import Path
from desktop_rater.store import received
received.finish_results = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from desktop_rater.cli.root import main
main(["--store", {str(desk.store)!r}, "audit", "open", {str(zips[1])!r}])
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL
    assert audit_of(desk).raters == ("ann",)
    desk.opened()
    with reader_of(desk.store) as store:
        assert store.db.execute("SELECT count(*) FROM received").fetchone() == (1,)
        assert open_store.unfinished_results(store) == []
    desk.opened(zips[1])
    assert audit_of(desk).raters == ("ann", "bo")


@pytest.mark.posix("Windows has no signals to send to a process")
def test_killed_at_any_step_each_of_the_results_is_whole_or_not_there(desk):
    inbox = desk.folder / "inbox"
    inbox.mkdir()
    for rater in ("ann", "bo"):
        shutil.move(desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD), inbox)
    shutil.move(desk.with_page("cy"), inbox)
    shutil.move(desk.bundle, inbox)
    desk.opened()
    as_it_was = desk.store.rename(desk.folder / "as it was")
    seen = set()
    with killer() as run:
        for step in itertools.count(1, 5):
            shutil.rmtree(desk.store, ignore_errors=True)
            shutil.copytree(as_it_was, desk.store)
            ended = run("open_results", step, desk.store)
            assert examine_store(desk.store).sound
            with reader_of(desk.store) as store:
                there = audited_bundles(store)
                seen |= {len(load_audit(store, name).received) for name in there} if there else {0}
            desk.opened(inbox)
            assert len(audit_of(desk).ratings) == 9
            assert examine_store(desk.store).sound
            if ended != -signal.SIGKILL:
                break
    assert ended == 0
    assert seen == {0, 3}, "they are made ready together"


def test_the_pages_that_a_rater_kept_open_at_the_desk(desk):
    desk.opened(desk.with_page("ann"))
    assert [file.name for file in list_snapshots(desk.store)] == [f"{SHA}.warc.gz"]
    with reader_of(desk.store) as store:
        digest = load_audit(store, "kelp").ratings["t-1", "ann"].digest
    assert (digest.evidence, digest.unkept) == ({"targets/s1": 1}, 0)
