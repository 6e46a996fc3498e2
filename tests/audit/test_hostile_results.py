"""What a lead opens may be anything: each file is looked at by itself, and none of them stops or bends the rest."""

import json
import os
import shutil
import zipfile
from hashlib import sha256

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.results import open_results
from desktop_rater.operations.audit import import_results
from desktop_rater.operations.audit.audit_status import audit_status, read_assignment
from desktop_rater.operations.audit.load_audit import audit_gold, audited_bundles, load_audit
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.paths import resources
from desktop_rater.store import received
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import DiskFailed
from tests.audit.results import GOOD, WRONG, renamed
from tests.operations.bundles import rating, task, write, write_lines
from tests.readers import reader_of
from tests.system_texts import NAME_TOO_LONG


def audit_of(desk, bundle="kelp"):
    with reader_of(desk.store) as store:
        return load_audit(store, bundle)


def forged(source, out, change):
    """The same zip with other files and another manifest, and hashes that fit."""
    with zipfile.ZipFile(source) as old:
        files = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    change(files, manifest)
    manifest["files"] = {name: {"sha256": sha256(raw).hexdigest(), "bytes": len(raw)} for name, raw in files.items()}
    with zipfile.ZipFile(out, "w") as new:
        for name, raw in files.items():
            new.writestr(name, raw)
        new.writestr("manifest.json", json.dumps(manifest))
    return out


@pytest.mark.posix("Windows has no named pipes and devices among its files")
def test_a_named_pipe_is_no_results_and_nobody_waits_for_it(desk):
    inbox = desk.folder / "inbox"
    inbox.mkdir()
    os.mkfifo(inbox / "pipe.zip")
    shutil.move(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), inbox)
    opened = desk.opened(inbox, inbox / "pipe.zip")
    assert [(one.file, one.message) for one in opened.refused] == [("pipe.zip", "It is not a file.")] * 2
    assert [one.rater for one in opened.took] == ["ann"]


def test_a_name_that_no_disk_can_hold_is_refused_and_the_rest_goes_in(desk):
    opened = desk.opened(desk.folder / ("n" * 5_000), desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    assert [one.message.rstrip(".") for one in opened.refused] == [NAME_TOO_LONG]
    assert [one.rater for one in opened.took] == ["ann"]


@pytest.mark.posix("all names are text on Windows")
def test_names_that_are_no_text_are_spelt_out_and_stored(desk):
    odd = desk.folder / os.fsdecode(b"caf\xe9.zip")
    shutil.move(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), odd)
    bad = write(desk.folder / os.fsdecode(b"\xff\nbad.zip"), b"no zip")
    opened = desk.opened(odd, bad)
    assert [one.file for one in opened.took] == ["caf\\udce9.zip"]
    assert opened.refused[0].title == "\\udcff\nbad.zip can't be opened"
    assert [one.file for one in audit_of(desk).received] == ["caf\\udce9.zip"]
    assert examine_store(desk.store).sound


def test_a_folder_below_that_can_t_be_read_is_named_and_the_others_are_opened(desk, monkeypatch):
    inbox = desk.folder / "inbox"
    (inbox / "closed").mkdir(parents=True)
    shutil.move(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), inbox)
    scan = os.scandir

    def denied(path):  # the rights of a folder mean nothing to who runs as root
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)
    opened = desk.opened(inbox)
    assert [(one.file, one.message) for one in opened.refused] == [("closed", "Permission denied.")]
    assert [one.rater for one in opened.took] == ["ann"]


def test_a_file_that_becomes_another_while_it_is_read_is_refused(desk, monkeypatch):
    file, other = (desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo"))

    def exchanged(path):
        shutil.move(other, file)
        return open_results(path)

    monkeypatch.setattr(import_results, "open_results", exchanged)
    opened = desk.opened(file)
    assert [(one.file, one.message) for one in opened.refused] == [("ann.zip", "It changed while it was read.")]
    assert not opened.took
    monkeypatch.undo()
    assert [one.rater for one in desk.opened(file).took] == ["bo"]
    assert examine_store(desk.store).sound


def test_interrupted_it_keeps_what_came_in_whole(desk):
    zips = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")]

    def interrupt(done, _total):
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.opened(*zips, progress=Progress(interrupt))
    assert audit_of(desk).raters == ("ann",)


def other_text(files, _manifest):
    files["tasks.jsonl"] = files["tasks.jsonl"].replace(b"green", b"brown")


def own_rubric(files, manifest):
    toml = (resources() / "rubrics" / f"{manifest['rubric'].partition('@')[0]}.toml").read_text("utf-8")
    files["rubric.toml"] = toml.replace("[rubric]", "# of my own\n[rubric]", 1).encode()


@pytest.mark.parametrize("change", [other_text, own_rubric])
@pytest.mark.parametrize("known", [True, False])
def test_one_odd_zip_does_not_make_the_honest_ones_stale(desk, change, known):
    source = desk.sent("eve", t1=WRONG, t2=GOOD, t3=GOOD)
    honest = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")]
    odd = forged(source, desk.folder / "odd.zip", change)
    opened = desk.opened(odd, *honest, *([desk.bundle] if known else []))
    assert not opened.refused
    audit = audit_of(desk)
    assert {rater for _, rater in audit.ratings} == {"ann", "bo"}
    assert {one.rater for one in audit.stale} == {"eve"}


def test_the_bundle_itself_says_what_its_tasks_are_though_more_raters_had_others(desk):
    honest = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    odd = forged(honest, desk.folder / "odd.zip", other_text)
    desk.opened(*(renamed(odd, desk.folder / f"{name}.zip", name) for name in "xy"), honest)
    assert {rater for _, rater in audit_of(desk).ratings} == {"x", "y"}
    desk.opened(desk.bundle)
    assert {rater for _, rater in audit_of(desk).ratings} == {"ann"}


def test_a_hash_ends_where_it_ends(desk):
    def one_line_more(_files, manifest):
        manifest["supersedes"] = "0" * 64 + "\n"

    given = forged(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), desk.folder / "odd.zip", one_line_more)
    (refused,) = desk.opened(given).refused
    assert "supersedes" in refused.message


def test_a_history_tells_no_day_that_never_was(desk):
    def thirtieth(files, _manifest):
        lines = [json.loads(line) for line in files["history.jsonl"].splitlines()]
        lines[0]["changed"] = "2026-02-30T00:00:00Z"
        files["history.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    desk.rated("ann", t1=WRONG, t2=GOOD, t3=GOOD)
    given = forged(desk.sent("ann", t1=GOOD), desk.folder / "odd.zip", thirtieth)
    (refused,) = desk.opened(given).refused
    assert "2026-02-30" in refused.message


def test_a_part_of_the_bundle_is_no_copy_of_it(desk):
    raters = write(desk.folder / "raters.txt", "ann\nbo\n")
    parts = desk.folder / "parts"
    assign_tasks(desk.bundle, raters, parts, overlap=1, seed=1, progress=Progress())
    opened = desk.opened(parts, desk.of_part(parts / "kelp-ann.zip", "kelp-ann", "ann"))
    assert [one.file for one in opened.refused] == ["kelp-ann.zip", "kelp-bo.zip"]
    assert all("'kelp'" in one.message for one in opened.refused)
    with reader_of(desk.store) as store:
        assert audited_bundles(store) == ["kelp"]


def test_results_of_a_part_of_a_part_belong_to_the_whole(desk):
    desk.tasks = [task(f"t-{n}", f"Kelp {n} is green.", "It is an alga.") for n in range(1, 7)]
    desk.bundle = desk.another("more")
    raters = write(desk.folder / "raters.txt", "ann\nbo\n")
    first, second = desk.folder / "first", desk.folder / "second"
    assign_tasks(desk.bundle, raters, first, overlap=1, seed=1, progress=Progress())
    assign_tasks(first / "kelp-ann.zip", raters, second, overlap=1, seed=1, progress=Progress())
    desk.opened(desk.of_part(second / "kelp-ann-bo.zip", "kelp-ann-bo", "bo"))
    assert [one.bundle for one in audit_of(desk).received] == ["kelp"]


def test_the_same_results_say_the_same_under_any_name_and_at_any_time(desk):
    file = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    other = shutil.copy(file, desk.folder / "another name.zip")
    said = []
    for order in ((file, other), (other, file)):
        shutil.rmtree(desk.store, ignore_errors=True)
        desk.opened(*order)
        with reader_of(desk.store) as store:
            said.append(audit_status(store, "kelp").plain())
    assert said[0] == said[1]


def test_two_golds_of_one_revision_don_t_take_turns(desk):
    first, second = (
        desk.another(name, gold=write_lines(desk.folder / f"{name}.jsonl", [rating("t-1", answers, GOOD)]))
        for name, answers in (("first", GOOD), ("second", WRONG))
    )
    opened = desk.opened(first, second, first, desk.bundle)
    assert [one.known for one in opened.copies] == [False, True, True]
    (refused,) = opened.refused
    assert "a different gold answer" in refused.message
    with reader_of(desk.store) as store:
        (answer,) = audit_gold(store, "kelp")["t-1"]
    assert answer.answers.targets["s1"]["accuracy"] == "accurate"
    third = desk.another("third", revision=2, gold=desk.folder / "second.jsonl")
    assert not desk.opened(third).refused
    with reader_of(desk.store) as store:
        (answer,) = audit_gold(store, "kelp")["t-1"]
    assert answer.answers.targets["s1"]["accuracy"] == "inaccurate"


def test_nobody_lacks_a_task_that_the_bundle_does_not_have(desk):
    old = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.bundle = desk.another("foreign", [*desk.tasks[:2], task("t-99", "Moss is green.", "It is no alga.")])
    foreign = desk.sent("eve", t1=GOOD, t2=GOOD, t99=GOOD)
    del desk.tasks[2]
    desk.bundle = desk.another("later", revision=2)
    desk.opened(desk.sent("bo", t1=GOOD, t2=GOOD), old, desk.bundle)
    with reader_of(desk.store) as store:
        status = audit_status(store, "kelp")
    assert status.whole
    assert [(one.due, one.lacks) for one in status.raters] == [(2, 0), (2, 0)]
    assert not desk.opened(foreign).refused
    assert ("t-99", "eve") not in audit_of(desk).ratings
    with reader_of(desk.store) as store:
        status = audit_status(store, "kelp")
    assert (status.tasks, status.short) == (2, ())
    assert all(not one.lacks for one in status.raters)


def test_an_assignment_that_names_a_task_twice_means_it_once(desk):
    desk.opened(desk.sent("ann", partial=True, t1=GOOD))
    table = write(desk.folder / "table.csv", "task,rater\nt-1,ann\nt-1,ann\nt-2,bo\nt-2,bo\n")
    with reader_of(desk.store) as store:
        ann, bo = audit_status(store, "kelp", read_assignment(table)).raters
    assert (ann.due, ann.lacks) == (1, 0)
    assert (bo.due, bo.lacking) == (1, ("t-2",))


def test_where_nothing_can_be_stored_that_is_what_is_said(desk, monkeypatch):
    zips = [desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")]
    desk.opened(zips[0])

    def full(*_):
        raise DiskFailed("The disk is full.", "The results are not stored.")

    monkeypatch.setattr(received, "add_received_ratings", full)
    monkeypatch.setattr(received, "drop_results", lambda *_: pytest.fail("nothing can be written now"))
    with pytest.raises(DiskFailed, match="The disk is full"):
        desk.opened(zips[1])
    monkeypatch.undo()
    assert audit_of(desk).raters == ("ann",)
    desk.opened(zips[1])
    assert audit_of(desk).raters == ("ann", "bo")
    assert examine_store(desk.store).sound
