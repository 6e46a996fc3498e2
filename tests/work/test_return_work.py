"""A lead sends work back, the rater goes on from it, and what comes back takes the place of what was."""

from __future__ import annotations

import itertools
import json
import shutil
import zipfile
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from desktop_rater.audit.changed import changed_since
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.answers import Answers
from desktop_rater.model.canonical import sha256
from desktop_rater.model.progress import Progress
from desktop_rater.store import received, snapshots
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import browse
from desktop_rater.work.audit_desk import load_audit, load_task
from desktop_rater.work.check_results import check_results
from desktop_rater.work.export_results import Exported, export_results
from desktop_rater.work.history import told, trail
from desktop_rater.work.open_results import open_results
from desktop_rater.work.open_task import open_task
from desktop_rater.work.rate import rate_from_file, save
from desktop_rater.work.return_work import ReturnedWork, return_all, return_work
from desktop_rater.work.review import About, Because, Lead, accept, send_back

from .bundles import NOON, RATER, make, noon, rating, take_in, task, write_lines, writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.model.rating import Rating
    from desktop_rater.store.store import Store

WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
LEAD = Lead("lena", lambda: NOON + timedelta(hours=1))
COMMENT = "Would a village captain be in an index at all?"


class Place:
    """A rater's laptop, and the lead's."""

    def __init__(self, folder: Path, rater: Store, lead: Store) -> None:
        self.folder = folder
        self.rater = rater
        self.lead = lead
        self._files = itertools.count(1)

    def file(self, suffix: str) -> Path:
        return self.folder / f"{next(self._files)}{suffix}"

    def rate(self, bundle: str, *plain: dict[str, Any], later: int = 0) -> None:
        lines = write_lines(self.file(".jsonl"), plain)
        rate_from_file(self.rater, bundle, lines, RATER, progress=Progress(), now=lambda: NOON + timedelta(hours=later))

    def export(self, bundle: str, *, partial: bool = False) -> Exported:
        done = export_results(self.rater, bundle, RATER, self.file(".zip"), progress=Progress(), partial=partial)
        assert done.written, done
        assert not check_results(done.out, progress=Progress()).broken
        return done

    def receive(self, *results: Exported) -> None:
        opened = open_results(self.lead, [one.out for one in results], lead="lena", now=NOON, progress=Progress())
        assert not opened.refused, opened.refused

    def say_back(self, task: str, where: str, comment: str = COMMENT, reason: str = "search-too-thin") -> None:
        counting = load_audit(self.lead, "b").ratings[task, RATER]
        about = About(task, where, RATER, counting.sha256)
        send_back(self.lead, "b", about, Because(reason, comment), LEAD)

    def accept(self, task: str, where: str) -> None:
        counting = load_audit(self.lead, "b").ratings[task, RATER]
        accept(self.lead, "b", [About(task, where, RATER, counting.sha256)], Because(), LEAD)

    def back(self, rater: str = RATER) -> ReturnedWork:
        return return_work(self.lead, "b", rater, self.file(".zip"), progress=Progress(), now=LEAD.now)

    def counting(self, task: str) -> Rating:
        filed = load_audit(self.lead, "b").ratings[task, RATER]
        return received.get(self.lead, filed.results, task).rating


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with writer(tmp_path / "rater") as rater, writer(tmp_path / "lead") as lead:
        tasks = [task("t-1"), task("t-2", "Hello.", "Goodbye."), task("t-3")]
        take_in(rater, make(tmp_path / "b.zip", tasks))
        yield Place(tmp_path, rater, lead)


def all_rated(place: Place) -> Exported:
    first = rating("t-2", {"factual": "no"}, {"factual": "no"}, time={"active_seconds": 60, "targets": {"s1": 40}})
    place.rate("b", rating("t-1"), first, rating("t-3"))
    return place.export("b")


def manifest(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as opened:
        return json.loads(opened.read("manifest.json"))


def sent(place: Place) -> ReturnedWork:
    """Two targets sent back, and the bundle of them on the rater's laptop."""
    place.receive(all_rated(place))
    place.say_back("t-2", "targets/s2")
    place.say_back("t-1", "targets/s1", "No page says it.", "evidence-does-not-say-it")
    done = place.back()
    take_in(place.rater, done.out)
    return done


def test_what_comes_back_opens_with_the_old_answers_and_what_was_said(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    assert (done.rework.id, done.rework.round, [one.task for one in done.rework.tasks]) == (
        f"b-return-{RATER}-1",
        1,
        ["t-1", "t-2"],
    )
    opened = open_task(place.rater, done.rework.id, "t-2", RATER)
    assert opened.task.returned is not None
    assert opened.task.returned.by == "lena"
    assert [(one.where, one.reason, one.comment) for one in opened.task.returned.comments] == [
        ("targets/s2", "search-too-thin", COMMENT)
    ]
    assert opened.rating.status == "incomplete"
    assert opened.rating.revision == 0
    assert opened.rating.answers.targets == {"s1": {"factual": "no"}, "s2": {"factual": "no"}}
    assert opened.rating.time.active_seconds == 60
    row = browse.task_page(place.rater, done.rework.id, RATER).rows[1]
    assert (row.id, row.status, row.returned) == ("t-2", "untouched", ("search-too-thin",))
    status = {one.id: one for one in browse.status(place.rater)}
    assert (status[done.rework.id].round, status[done.rework.id].tasks, status["b"].round) == (1, 2, 0)


def test_the_results_take_the_place_of_what_was_and_the_lead_has_both(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    first = done.rework.results
    place.rate(done.rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(done.rework.id)
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
    assert [one.rating.answers.targets["s2"] for one in of.earlier] == [{"factual": "no"}]
    # What was said is about the rating before, so nothing goes back any more.
    again = place.back()
    assert again.rework is None
    assert not again.out.exists()
    assert again.outdated == (("t-1", "targets/s1"), ("t-2", "targets/s2"))


def test_the_order_in_which_both_results_arrive_changes_nothing(place: Place, tmp_path: Path) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(done.rework.id)
    old = place.export("b")
    assert old.sha256 == done.rework.results
    counted = []
    for order in itertools.permutations([old, came]):
        with writer(tmp_path / f"other-{len(counted)}") as other:
            for one in order:
                open_results(other, [one.out], lead="lena", now=NOON, progress=Progress())
            counted.append({key: one.sha256 for key, one in load_audit(other, "b").ratings.items()})
    assert counted[0] == counted[1]
    assert len(counted[0]) == 3


def test_a_second_round_holds_only_what_was_sent_back_since(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(done.rework.id)
    place.receive(came)
    place.accept("t-1", "targets/s1")
    place.say_back("t-2", "targets/s1", "And this one?", "other")
    place.say_back("t-3", "task", "Skip it.", "edge-case")
    second = place.back()
    assert second.rework is not None
    assert (second.rework.id, second.rework.round, second.rework.results) == (f"b-return-{RATER}-2", 2, came.sha256)
    assert [one.task for one in second.rework.tasks] == ["t-2", "t-3"]
    take_in(place.rater, second.out)
    opened = open_task(place.rater, second.rework.id, "t-2", RATER)
    assert opened.rating.answers.targets["s2"] == WRONG
    place.rate(second.rework.id, rating("t-2", WRONG, WRONG), rating("t-3", {"factual": "no"}), later=4)
    place.receive(place.export(second.rework.id))
    assert place.counting("t-2").answers.targets == {"s1": WRONG, "s2": WRONG}
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-3").answers.targets == {"s1": {"factual": "no"}}
    assert not load_audit(place.lead, "b").forks


def test_what_comes_back_in_part_takes_the_place_of_that_part(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.receive(place.export(done.rework.id, partial=True))
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-2").answers.targets["s2"] == {"factual": "no"}
    # The rest is out already: it goes again as it was, and no second time under another name.
    again = place.back()
    assert again.again
    assert again.out.read_bytes() == done.out.read_bytes()
    place.rate(done.rework.id, rating("t-2", {"factual": "no"}, WRONG), later=3)
    place.receive(place.export(done.rework.id))
    assert place.counting("t-2").answers.targets["s2"] == WRONG
    assert not load_audit(place.lead, "b").forks


def test_results_that_follow_some_the_lead_never_got_take_the_place_all_the_same(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.export(done.rework.id, partial=True)  # stays on the laptop
    place.rate(done.rework.id, rating("t-2", {"factual": "no"}, WRONG), later=3)
    last = place.export(done.rework.id)
    assert manifest(last.out)["supersedes"] != done.rework.results
    place.receive(last)
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert not load_audit(place.lead, "b").forks


def test_a_rater_who_exports_the_old_bundle_again_takes_nothing_back(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1", WRONG), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(done.rework.id)
    place.rate("b", rating("t-3", WRONG), later=3)  # in the old bundle, where t-1 and t-2 are as they were
    old = place.export("b")
    place.receive(old, came)
    assert place.counting("t-1").answers.targets == {"s1": WRONG}
    assert place.counting("t-3").answers.targets == {"s1": WRONG}
    assert not load_audit(place.lead, "b").forks


def test_the_same_verdicts_give_the_same_bundle_and_more_of_them_a_higher_revision(place: Place) -> None:
    done = sent(place)
    again = place.back()
    assert done.rework is not None
    assert again.rework == done.rework
    assert again.again
    assert again.out.read_bytes() == done.out.read_bytes()
    # Nothing has come back yet: what is said now goes out under the same name, and the rater loses nothing.
    place.rate(done.rework.id, rating("t-1", WRONG), later=2)
    place.say_back("t-3", "targets/s1", "This too.")
    more = place.back()
    assert more.rework is not None
    assert (more.rework.id, more.rework.revision) == (done.rework.id, 2)
    assert [one.task for one in more.rework.tasks] == ["t-1", "t-2", "t-3"]
    take_in(place.rater, more.out)
    assert open_task(place.rater, done.rework.id, "t-1", RATER).rating.status == "complete"


def test_what_comes_back_as_it_was_is_named_and_goes_again_only_with_other_words(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    place.rate(done.rework.id, rating("t-1"), rating("t-2", {"factual": "no"}, WRONG), later=2)
    came = place.export(done.rework.id)
    place.receive(came)
    assert place.counting("t-1").answers.targets == {"s1": rating("t-1")["answers"]["targets"]["s1"]}
    assert load_audit(place.lead, "b").ratings["t-1", RATER].results == came.sha256
    again = place.back()
    assert (again.rework, again.unchanged) == (None, ("t-1",))
    audited = load_task(place.lead, "b", "t-1")
    assert changed_since(audited, load_audit(place.lead, "b").received) == {RATER: ()}
    changed = changed_since(load_task(place.lead, "b", "t-2"), load_audit(place.lead, "b").received)
    assert {one.question for one in changed[RATER]} == {"factual", "common_knowledge", "accuracy", "severity"}
    place.say_back("t-1", "targets/s1", "Please do look again.")
    second = place.back()
    assert second.rework is not None
    assert (second.rework.round, [one.task for one in second.rework.tasks]) == (2, ["t-1"])
    take_in(place.rater, second.out)
    # It went out in the second round, and is not back from there.
    assert place.back().again


def test_each_word_that_is_added_before_anything_came_back_is_in_the_next_revision(place: Place) -> None:
    sent(place)
    for number, where in ((2, "t-3"), (3, "t-2")):
        place.say_back(where, "targets/s1", "Once more.")
        more = place.back()
        assert more.rework is not None
        assert (more.rework.round, more.rework.revision) == (1, number)
        assert len(more.rework.tasks) == 3


def test_raters_whose_names_look_alike_get_bundles_of_their_own(place: Place) -> None:
    place.receive(all_rated(place))
    lines = write_lines(place.file(".jsonl"), [rating("t-1")])
    other = "r.17"
    rate_from_file(place.rater, "b", lines, other, progress=Progress(), now=noon)
    out = place.file(".zip")
    export_results(place.rater, "b", other, out, progress=Progress(), partial=True)
    open_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
    ids = set()
    for rater in (RATER, other, RATER):
        counting = load_audit(place.lead, "b").ratings["t-1", rater]
        send_back(
            place.lead, "b", About("t-1", "task", rater, counting.sha256), Because("edge-case", f"{len(ids)}"), LEAD
        )
        done = place.back(rater)
        assert done.rework is not None
        ids.add(done.rework.id)
    assert len(ids) == 2


def test_each_rater_gets_a_bundle_of_their_own_with_their_own_comments(place: Place) -> None:
    place.receive(all_rated(place))
    for rater, words in (("ann", "For Ann."), ("ben", "For Ben.")):
        lines = write_lines(place.file(".jsonl"), [rating("t-1")])
        rate_from_file(place.rater, "b", lines, rater, progress=Progress(), now=noon)
        out = place.file(".zip")
        export_results(place.rater, "b", rater, out, progress=Progress(), partial=True)
        open_results(place.lead, [out], lead="lena", now=NOON, progress=Progress())
        counting = load_audit(place.lead, "b").ratings["t-1", rater]
        about = About("t-1", "targets/s1", rater, counting.sha256)
        send_back(place.lead, "b", about, Because("edge-case", words), LEAD)
    folder = place.folder / "out"
    folder.mkdir()
    done = return_all(place.lead, "b", folder, progress=Progress(), now=LEAD.now)
    assert [rater for rater, _ in done.written] == ["ann", "ben"]
    assert sorted(path.name for path in folder.iterdir()) == ["b-return-ann-1.zip", "b-return-ben-1.zip"]
    for rater, words, other in (("ann", b"For Ann.", b"For Ben."), ("ben", b"For Ben.", b"For Ann.")):
        with zipfile.ZipFile(folder / f"b-return-{rater}-1.zip") as opened:
            tasks = opened.read("tasks.jsonl")
        assert words in tasks
        assert other not in tasks


def test_the_pages_that_the_rating_rests_on_go_along_and_no_others(place: Place) -> None:
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
    snapshots.keep(store.folder, name, [words])
    return name


def test_nothing_sent_back_writes_nothing(place: Place) -> None:
    place.receive(all_rated(place))
    done = place.back()
    assert done.rework is None
    assert not done.out.exists()
    with pytest.raises(NotThere, match="nobody"):
        place.back("nobody")
    place.say_back("t-1", "task")
    with pytest.raises(BundleError, match="inside the store"):
        return_work(place.lead, "b", RATER, place.lead.folder / "x.zip", progress=Progress(), now=LEAD.now)


def test_undo_goes_back_to_what_was_sent_back_and_not_to_nothing(place: Place) -> None:
    done = sent(place)
    assert done.rework is not None
    opened = open_task(place.rater, done.rework.id, "t-1", RATER)
    rubric = browse.rubric(place.rater, done.rework.id)
    changed = replace(opened.rating, answers=Answers(targets={"s1": WRONG}))
    save(place.rater, rubric, done.rework.id, opened.task, changed, done="answer accuracy", now=noon)
    found = trail(place.rater, done.rework.id, "t-1", RATER, 1)
    assert [one.answers for one in found.undo] == [opened.rating.answers]
    revisions = told(place.rater, done.rework.id, "t-1", RATER)
    assert [one.revision for one in revisions] == [1, 0]
    assert {one.question for one in revisions[0].differences} == {"common_knowledge", "accuracy", "severity"}


def test_another_rubric_starts_from_nothing(place: Place) -> None:
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
def test_a_strange_word_of_a_lead_leaves_that_task_out_and_names_it(
    place: Place, wrong: dict[str, Any], why: str
) -> None:
    good = {"by": "lena", "comments": [{"where": "task"}], "rating": {"task": "t-1"}}
    folder = place.folder / "strange"
    path = make(place.folder / "strange.zip", [task("t-0"), task("t-1", returned=good)])
    with zipfile.ZipFile(path) as opened:
        opened.extractall(folder)
    lines = (folder / "tasks.jsonl").read_bytes().splitlines()
    broken = {**json.loads(lines[1]), "returned": {**good, **wrong}}
    raw = b"\n".join([lines[0], msgspec.json.encode(broken), b""])
    (folder / "tasks.jsonl").write_bytes(raw)
    entry = json.loads((folder / "manifest.json").read_text())
    entry["files"]["tasks.jsonl"] = {"sha256": sha256(raw), "bytes": len(raw)}
    (folder / "manifest.json").write_text(json.dumps(entry))
    shutil.make_archive(str(place.folder / "again"), "zip", folder)
    came = take_in(place.rater, place.folder / "again.zip")
    assert came.imported == 1
    (left,) = came.left_out
    assert left.task == "t-1"
    assert why in left.why
