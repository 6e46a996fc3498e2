"""A bundle comes in whole or not at all, and a newer revision of it loses no rating."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.format.change import NO_CHANGE, Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.operations.bundles.import_bundle import import_bundle, index_bundles
from desktop_rater.operations.bundles.revisions import remove_bundle
from desktop_rater.operations.rating.open_task import bundle_statuses, open_task, task_list_page
from desktop_rater.rubric import RubricError
from desktop_rater.store import bundles, tasks
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.store import Store
from tests.format.zips import PEAK
from tests.operations.bombs import SPLITS, TASKS, TOML, VALUES, write_bombs

from .bundles import RATER, make, noon, rating, save_ratings, take_in, task, writer


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        yield store


def rate(store: Store, folder: Path, *names: str) -> None:
    save_ratings(store, "b", folder / "ratings.jsonl", map(rating, names))


def states(store: Store) -> dict[str, str]:
    return {row.id: row.status for row in task_list_page(store, "b", RATER).rows}


@pytest.mark.parametrize("count", [1, 19, 20, 21, 94, 700])
def test_every_task_of_a_bundle_comes_in_and_in_its_order(store, tmp_path, count):
    names = [f"t-{number}" for number in range(count)]
    done = take_in(store, make(tmp_path / "b.zip", map(task, names)))
    assert (done.imported, done.left_out) == (count, ())
    assert [stored.id for stored in tasks.stream_tasks(store, "b")] == names


def test_the_same_bundle_again_changes_nothing(store, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    assert take_in(store, path)
    again = take_in(store, path)
    assert (again.outcome, again.bundles) == ("unchanged", NO_CHANGE.bundles)


def test_other_files_under_the_same_revision_are_refused(store, tmp_path):
    take_in(store, make(tmp_path / "b.zip", [task("t-1")]))
    other = make(tmp_path / "other.zip", [task("t-1", "Lyon is the capital of France.")], id="b")
    with pytest.raises(BundleError, match="higher revision"):
        take_in(store, other)
    assert open_task(store, "b", "t-1", RATER).task.responses[0].text.startswith("Paris")


def test_a_newer_revision_keeps_the_ratings_of_tasks_that_did_not_change(store, tmp_path):
    take_in(store, make(tmp_path / "b.zip", [task("same"), task("changed"), task("gone")]))
    rate(store, tmp_path, "same", "changed", "gone")
    newer = make(tmp_path / "b2.zip", [task("new"), task("same"), task("changed", "Lyon is it.")], id="b", revision=2)
    take_in(store, newer, replace=True)
    assert states(store) == {"new": "untouched", "same": "complete", "changed": "incomplete"}
    kept = open_task(store, "b", "changed", RATER).rating
    assert kept.answers.targets["s1"]["accuracy"] == "accurate"


def test_an_older_revision_changes_nothing_and_says_so(store, tmp_path):
    take_in(store, make(tmp_path / "b2.zip", [task("t-1"), task("t-2")], id="b", revision=2))
    done = take_in(store, make(tmp_path / "b1.zip", [task("t-1")], id="b"))
    assert done.outcome == "older"
    assert "revision 2" in done.message
    assert len(states(store)) == 2


def test_what_finds_no_place_is_left_out_and_named(store, tmp_path):
    lost = {"id": "s2", "response": "a", "start": 0, "end": 5, "quote": "Tokyo is the capital."}
    half = task("half")
    half["targets"].append(lost)
    none = task("none", targets=[lost])
    done = take_in(store, make(tmp_path / "b.zip", [half, none]))
    assert done.imported == 1
    named = [(one.task, one.target) for one in done.left_out]
    assert named == [("half", "s2"), ("none", "s2"), ("none", None)]
    assert all("tasks.jsonl, line" in one.why for one in done.left_out)
    placed = open_task(store, "b", "half", RATER).task.targets
    assert [target.id for target in placed or ()] == ["s1"]


def test_a_close_place_is_taken_only_when_accepted(store, tmp_path):
    sentence = "The lighthouse on the northern cape was lit for the first time in 1871 by two brothers."
    close = task("t-1", sentence, "It still burns.")
    close["targets"][0]["quote"] = sentence.replace("1871", "1872")
    path = make(tmp_path / "b.zip", [close])
    assert [one.target for one in take_in(store, path).left_out] == ["s1"]
    accepted = make(tmp_path / "b2.zip", [close], id="b", revision=2)
    assert take_in(store, accepted, accept_close=True).left_out == ()
    target = open_task(store, "b", "t-1", RATER).task.target("s1")
    assert target is not None
    assert target.quote == sentence


def test_a_task_without_targets_is_cut_into_sentences(store, tmp_path):
    plain = task("t-1", "Paris is old. It lies on the Seine.")
    del plain["targets"]
    take_in(store, make(tmp_path / "b.zip", [plain]))
    targets = open_task(store, "b", "t-1", RATER).task.targets or ()
    assert [target.quote for target in targets] == ["Paris is old.", "It lies on the Seine."]


def test_a_cancelled_import_leaves_nothing(store, tmp_path):
    path = make(tmp_path / "b.zip", (task(f"t-{number}") for number in range(500)))
    progress = Progress(lambda done, _total: progress.stop() if done > 100 else None)
    with pytest.raises(Cancelled):
        import_bundle(store, path, progress=progress, now=noon)
    assert bundle_statuses(store) == []
    assert bundles.unfinished_imports(store) == []


def stopping(report: int) -> Progress:
    """A progress that is cancelled at its report of that number."""
    left = iter(range(report))

    def publish(_done: int, _total: int) -> None:
        if next(left, None) is None:
            raise Cancelled

    return Progress(publish)


def found(store: Store, text: str) -> tuple[list[str], int]:
    """The ids of the tasks that a search finds, and how many it did not see."""
    page = task_list_page(store, "november", RATER, text=text)
    return [row.id for row in page.rows], page.unsearched


def faults(store: Store) -> list[str]:
    return [fault.text for fault in examine_store(store.folder).faults]


def test_a_large_bundle_is_there_before_its_search_index_which_goes_on_after_each_interruption(store, tmp_path):
    made = make(tmp_path / "november.zip", [task(f"t{n}", f"Kelp number {n} is tall.") for n in range(90)])
    assert take_in(store, made, indexed_at_once=89).imported == 90
    assert len(task_list_page(store, "november", RATER).rows) == 90
    assert found(store, "kelp") == ([], 90)
    assert found(store, "t7")[0][0] == "t7"  # its id needs no index
    unsearched = [90]
    for report in range(5, 300, 29):
        try:
            change = index_bundles(store, progress=stopping(report))
        except Cancelled:
            ids, missing = found(store, "kelp")
            assert ids == [f"t{n}" for n in range(90 - missing)]
            assert faults(store) == []
            unsearched.append(missing)
            continue
        break
    assert change.indexed == {"november"}
    assert len(set(unsearched)) > 2, "some interruptions came in the middle"
    assert unsearched == sorted(unsearched, reverse=True)
    assert found(store, "kelp 77") == (["t77"], 0)
    assert index_bundles(store, progress=Progress()) == NO_CHANGE
    assert faults(store) == []


def test_a_bundle_that_is_removed_while_its_index_is_incomplete_leaves_nothing_to_index(store, tmp_path):
    take_in(store, make(tmp_path / "november.zip", [task(f"t{n}") for n in range(9)]), indexed_at_once=0)
    remove_bundle(store, "november", now=noon)
    assert index_bundles(store, progress=Progress()) == NO_CHANGE
    assert faults(store) == []


def test_a_bundle_with_an_unknown_rubric_is_refused(store, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    tampered = tmp_path / "c.zip"
    import zipfile  # noqa: PLC0415 - this test alone takes a zip apart

    with zipfile.ZipFile(path) as source, zipfile.ZipFile(tampered, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"span-factuality@3", b"span-factuality@7"))
    with pytest.raises(RubricError, match="span-factuality@7"):
        take_in(store, tampered)
    assert bundle_statuses(store) == []


pytestmark = pytest.mark.slow

MOST_KIB = 200 * 1024

IMPORT = f"""
import json, sys, tempfile
from pathlib import Path
from desktop_rater.format.errors import RaterError
from tests.operations.bundles import take_in, writer
{PEAK}
import rapidfuzz, sentencex  # loaded once, and no bundle's doing
with writer(Path(tempfile.mkdtemp()) / "store") as store:
    for path in sys.argv[1:]:
        with open("/proc/self/clear_refs", "w") as clear:
            clear.write("5")
        before = peak()
        try:
            message = "imported, " + str(take_in(store, Path(path)).left_out[-1:])
        except RaterError as error:
            message = str(error)
        print(json.dumps([message, peak() - before]), flush=True)
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """The message and the memory in KiB of each."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the peak is put back in /proc")
    paths = write_bombs(tmp_path_factory.mktemp("bombs"))
    command = [sys.executable, "-c", IMPORT, *map(str, paths.values())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


def message_of(outcome):
    """The message, once the memory was found small."""
    message, kib = outcome
    assert kib < MOST_KIB
    return message


@pytest.mark.parametrize("name", TOML)
def test_a_rubric_that_is_a_bomb_is_refused(imported, name):
    message = message_of(imported[name])
    assert not message.startswith("imported")
    assert TOML[name][1] in message.lower()


@pytest.mark.parametrize("name", TASKS)
def test_the_places_of_targets_are_not_looked_for_for_ever(imported, name):
    assert TASKS[name][2] in message_of(imported[name])


@pytest.mark.parametrize("name", VALUES)
def test_a_line_with_as_many_values_as_are_let_through_takes_little_memory(imported, name):
    assert message_of(imported[name]) == "imported, ()"


@pytest.mark.parametrize("name", SPLITS)
def test_a_text_of_half_a_million_characters_is_split_or_left_out(imported, name):
    assert message_of(imported[name])
