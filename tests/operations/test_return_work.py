"""A lead sends work back, the rater goes on from it, and what comes back takes the place of what was."""

import itertools
import json
import shutil
import zipfile

import msgspec
import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import TimeSpent
from desktop_rater.format.strict_json import sha256
from desktop_rater.format.values import Answers
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.rating.history import load_history, load_trail
from desktop_rater.operations.rating.open_task import bundle_rubric, bundle_statuses, open_task, task_list_page
from desktop_rater.operations.rating.overview import bundle_progress
from desktop_rater.operations.rating.save import save_rating
from desktop_rater.store import snapshots
from desktop_rater.store.store import Store

from .bundles import NOON, RATER, make, noon, rating, take_in, task, writer
from .sending_back import COMMENT, WRONG, manifest, sent, sent_rework


def test_what_comes_back_opens_with_the_old_answers_and_what_was_said(place):
    rework = sent_rework(place)
    assert (rework.id, rework.round, [one.task for one in rework.tasks]) == (
        f"b-return-{RATER}-1",
        1,
        ["t-1", "t-2"],
    )
    opened = open_task(place.rater, rework.id, "t-2", RATER)
    assert opened.task.returned is not None
    assert opened.task.returned.by == "lena"
    assert [(one.where, one.reason, one.comment) for one in opened.task.returned.comments] == [
        ("targets/s2", "search-too-thin", COMMENT)
    ]
    assert opened.rating.status == "incomplete"
    assert opened.rating.revision == 0
    assert opened.rating.answers.targets == {"s1": {"factual": "no"}, "s2": {"factual": "no"}}
    assert opened.rating.time.active_seconds == 60
    row = task_list_page(place.rater, rework.id, RATER).rows[1]
    assert (row.id, row.status, row.returned) == ("t-2", "untouched", ("search-too-thin",))
    status = {one.id: one for one in bundle_statuses(place.rater)}
    assert (status[rework.id].round, status[rework.id].tasks, status["b"].round) == (1, 2, 0)


def test_the_results_take_the_place_of_what_was_and_the_lead_has_both(place):
    rework = sent_rework(place)
    first = rework.results
    place.rate(rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(rework.id)
    said = manifest(came.out)
    assert said["supersedes"] == first
    assert said["bundle"]["derived"]["tool"] == "return"
    assert said["bundle"]["derived"]["bundles"][0]["id"] == "b"
    place.receive(came)
    audit = load_audit(place.lead, "b")
    assert not audit.forks
    assert not audit.missing
    assert {task: one.results == came.sha256 for (task, _), one in audit.ratings.items()} == {
        "t-1": True,
        "t-2": True,
        "t-3": False,
    }
    (of,) = load_task(place.lead, "b", "t-2", audit).raters
    assert of.rating.answers.targets["s2"] == WRONG
    assert [rating.answers.targets["s2"] for _, rating in of.earlier] == [{"factual": "no"}]
    # What was said is about the rating before, so nothing goes back any more.
    again = place.back()
    assert again.rework is None
    assert not again.out.exists()
    assert again.outdated == (("t-1", "targets/s1"), ("t-2", "targets/s2"))


def test_the_order_in_which_both_results_arrive_changes_nothing(place, tmp_path):
    rework = sent_rework(place)
    place.rate(rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(rework.id)
    old = place.export("b")
    assert old.sha256 == rework.results
    counted = []
    for order in itertools.permutations([old, came]):
        with writer(tmp_path / f"other-{len(counted)}") as other:
            for one in order:
                import_results(other, [one.out], lead="lena", now=NOON, progress=Progress())
            counted.append({key: one.sha256 for key, one in load_audit(other, "b").ratings.items()})
    assert counted[0] == counted[1]
    assert len(counted[0]) == 3


def test_results_that_follow_some_the_lead_never_got_take_the_place_all_the_same(place):
    rework = sent_rework(place)
    place.rate(rework.id, rating("t-1", WRONG), later=2)
    place.export(rework.id, partial=True)  # stays on the laptop
    place.rate(rework.id, rating("t-2", {"factual": "no"}, WRONG), later=3)
    last = place.export(rework.id)
    assert manifest(last.out)["supersedes"] != rework.results
    place.receive(last)
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert not load_audit(place.lead, "b").forks


def test_a_rater_who_exports_the_old_bundle_again_takes_nothing_back(place):
    rework = sent_rework(place)
    place.rate(rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(rework.id)
    place.rate("b", rating("t-3", WRONG), later=3)  # in the old bundle, where t-1 and t-2 are as they were
    old = place.export("b")
    place.receive(old, came)
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-3").answers.targets == {"s1": WRONG}
    assert not load_audit(place.lead, "b").forks


def test_the_pages_that_the_rating_rests_on_go_along_and_no_others(place):
    page, other = (write_page(place.rater, words) for words in (b"the page", b"another page"))
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://a.example/", "quote": "x"}
    place.rate(
        "b",
        rating("t-1", evidence=[{**piece, "snapshot": page}]),
        rating("t-2", {"factual": "no"}, {"factual": "no"}),
        rating("t-3", evidence=[{**piece, "snapshot": other}]),
    )
    place.receive(place.export("b"))
    place.say_back("t-1", "targets/s1")
    done = place.back()
    with zipfile.ZipFile(done.out) as opened:
        assert [name for name in opened.namelist() if "snapshots" in name] == [f"snapshots/{page}.warc.gz"]


def write_page(store: Store, words: bytes) -> str:
    """The SHA-256 of something that lies among the stored pages."""
    name = sha256(words)
    snapshots.store_snapshot(store.folder, name, [words])
    return name


def test_undo_goes_back_to_what_was_sent_back_and_not_to_nothing(place):
    rework = sent_rework(place)
    opened = open_task(place.rater, rework.id, "t-1", RATER)
    rubric = bundle_rubric(place.rater, rework.id)
    changed = replace(opened.rating, answers=Answers(targets={"s1": WRONG}))
    save_rating(place.rater, rubric, rework.id, opened.task, changed, done="answer accuracy", now=noon)
    found = load_trail(place.rater, rework.id, "t-1", RATER, 1)
    assert [one.answers for one in found.undo] == [opened.rating.answers]
    revisions = load_history(place.rater, rework.id, "t-1", RATER)
    assert [one.revision for one in revisions] == [1, 0]
    assert {one.question for one in revisions[0].differences} == {"common_knowledge", "accuracy", "severity"}


def test_the_time_of_before_goes_on_and_says_nothing_of_the_pace(place):
    rework = sent_rework(place)
    opened = open_task(place.rater, rework.id, "t-2", RATER)
    rubric = bundle_rubric(place.rater, rework.id)
    changed = replace(opened.rating, status="complete", time=TimeSpent(active_seconds=70, targets={"s1": 50}))
    save_rating(place.rater, rubric, rework.id, opened.task, changed, done="finish", now=noon)
    progress = bundle_progress(place.rater, rework.id, RATER)
    assert (progress.tasks - progress.finished, progress.seconds_left) == (1, None)
    place.receive(place.export(rework.id, partial=True))
    digest = load_audit(place.lead, "b").ratings["t-2", RATER].digest
    assert (digest.seconds, digest.targets) == (70, {"s1": 50})


def test_another_rubric_starts_from_nothing(place):
    done = sent(place)
    assert done.rework is not None
    with zipfile.ZipFile(done.out) as opened:
        lines = [json.loads(line) for line in opened.read("tasks.jsonl").splitlines()]
    for line in lines:
        line["returned"]["rating"]["rubric"] = "span-factuality@7"
    take_in(place.rater, make(place.folder / "elsewhere.zip", lines))
    opened = open_task(place.rater, "elsewhere", "t-1", RATER)
    assert opened.rating.answers == Answers()
    assert opened.task.returned is not None


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"comments": []}, "comments"),
        ({"comments": [{"where": "targets/s1", "comment": "x" * 20_001}]}, "20000"),
        ({"comments": [{"where": "targets/s1"}] * 1_001}, "1000"),
        ({"rating": {"task": "t-9"}}, "another task"),
        ({"rating": {"task": "t-1", "status": "perfect"}}, "status"),
        ({"at": "yesterday"}, "at"),
    ],
)
def test_a_strange_word_of_a_lead_leaves_that_task_out_and_names_it(place, wrong, why):
    good = {"by": "lena", "comments": [{"where": "task"}], "rating": {"task": "t-1"}}
    folder = place.folder / "strange"
    path = make(place.folder / "strange.zip", [task("t-0"), task("t-1", returned=good)])
    with zipfile.ZipFile(path) as opened:
        opened.extractall(folder)
    lines = (folder / "tasks.jsonl").read_bytes().splitlines()
    broken = {**json.loads(lines[1]), "returned": {**good, **wrong}}
    raw = b"\n".join([lines[0], msgspec.json.encode(broken), b""])
    (folder / "tasks.jsonl").write_bytes(raw)
    entry = json.loads((folder / "manifest.json").read_text("utf-8"))
    entry["files"]["tasks.jsonl"] = {"sha256": sha256(raw), "bytes": len(raw)}
    (folder / "manifest.json").write_text(json.dumps(entry), "utf-8")
    shutil.make_archive(str(place.folder / "again"), "zip", folder)
    came = take_in(place.rater, place.folder / "again.zip")
    assert came.imported == 1
    (left,) = came.left_out
    assert left.task == "t-1"
    assert why in left.why
