"""The start page: its figures come from the store, and its order, states and week are worked out of them."""

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.revisions import put_bundle_away
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.overview import read_left_off, read_overview
from desktop_rater.operations.rating.rater_state import (
    BundleOverview,
    DayWork,
    RaterDay,
    RememberedSpot,
    days_left,
    load_day,
    load_days,
    next_bundle,
    ordered_bundles,
    save_day,
    save_place,
    week_of,
)
from desktop_rater.paths import sample_bundle_path
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.state import put_state
from tests.operations.bundles import RATER, make, noon, rating, save_ratings, take_in, task


@pytest.fixture
def store(tmp_path):
    with open_writer(tmp_path / "store", command="the window") as store:
        yield store


def rate(store, tmp_path, bundle, *lines):
    save_ratings(store, bundle, tmp_path / "ratings.jsonl", lines)


def overview(store):
    return read_overview(store, RATER, now=noon())


def left_off(store):
    found = read_left_off(store, "b", RATER)
    assert found is not None
    return found


def test_progress_counts_the_targets_of_finished_tasks_and_those_done_in_begun_ones(store, tmp_path):
    sentences = ("One is one.", "Two is two.", "Three is three.")
    take_in(store, make(tmp_path / "b.zip", [task("t-1"), task("t-2", *sentences)], due="2026-11-25"))
    done = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
    rate(store, tmp_path, "b", rating("t-1", time={"active_seconds": 60}), rating("t-2", done, {"factual": "yes"}, {}))
    (row,) = overview(store).bundles
    assert (row.unit, row.done, row.total, row.state, row.due) == ("targets", 2, 4, "going", "2026-11-25")
    assert row.seconds_left == 120
    assert row.changed == "2026-11-20T12:00:00Z"


def test_other_rubrics_count_pairs_and_responses(store):
    for name in ("sample_pairs", "sample_scales"):
        take_in(store, sample_bundle_path(name))
    rows = overview(store).bundles
    assert sorted((row.unit, row.total == row.tasks) for row in rows) == [("pairs", True), ("responses", False)]
    assert {row.state for row in rows} == {"new"}


def test_the_place_in_a_bundle_is_the_remembered_one_else_its_first_open_task(store, tmp_path):
    take_in(store, make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    rate(store, tmp_path, "b", rating("t-1"))
    assert left_off(store).task.id == "t-2"
    save_place(store, RATER, "b", RememberedSpot(task="t-1"))
    assert left_off(store).task.id == "t-1"
    assert (overview(store).last, overview(store).next) == ("b", ("b", "left off"))


def test_earlier_days_are_kept_and_add_up_to_a_week(store):
    for day, targets in (("2026-11-16", ("b/t/targets/s1", "b/t/targets/s2")), ("2026-11-20", ("b/u/responses/a",))):
        save_day(store, RATER, RaterDay(day=day, seconds=600, targets=targets))
    week = overview(store).week
    assert [day.done for day in week.days] == [2, 0, 0, 0, 1, 0, 0]
    assert (week.today, week.seconds) == (4, 1_200)
    later = read_overview(store, RATER, now=datetime(2026, 11, 24, 12, tzinfo=UTC)).week
    assert later.done == 0


def test_a_day_that_comes_back_adds_up_with_what_it_was(store):
    """A flight westwards, or a clock that is put right."""
    first = RaterDay(day="2026-11-18", seconds=7_200, targets=tuple(f"b/t/targets/s{n}" for n in range(40)))
    save_day(store, RATER, first)
    save_day(store, RATER, RaterDay(day="2026-11-19", seconds=600, targets=("b/u/targets/s1",)))
    back = RaterDay(day="2026-11-18", seconds=60, targets=("b/u/targets/s2",))
    save_day(store, RATER, back)
    days = {day.day: (day.seconds, day.done) for day in overview(store).week.days}
    assert (days["2026-11-18"], days["2026-11-19"]) == ((7_260, 41), (600, 1))
    assert load_day(store, RATER, "2026-11-18") == first.with_more(back)
    for _again in range(2):
        save_day(store, RATER, RaterDay(day="2026-11-20", seconds=1))
        save_day(store, RATER, first.with_more(back))
    days = {day.day: (day.seconds, day.done) for day in overview(store).week.days}
    assert days["2026-11-18"] == (7_260, 41), "the record that goes on has all of it, and nothing counts twice"


def test_days_of_long_ago_keep_their_counts_and_those_of_an_earlier_release_are_read(store):
    put_state(store, f"days of {RATER}", [{"day": "2026-11-16", "seconds": 60, "done": 5}])
    for number in range(17, 30):
        save_day(store, RATER, RaterDay(day=f"2026-11-{number}", seconds=1, targets=("b/t/targets/s1",)))
    assert [day.done for day in load_days(store, RATER)] == [5, *[1] * 13]
    assert load_day(store, RATER, "2026-11-16").work.done == 5


def test_recent_files_and_hidden_bundles_are_told(store, tmp_path):
    take_in(store, make(tmp_path / "b.zip", [task("t-1")]))
    rate(store, tmp_path, "b", rating("t-1"))
    export_results(store, "b", RATER, tmp_path / "r.zip", progress=Progress())
    put_bundle_away(store, "b", now=noon)
    shown = overview(store)
    assert [(file.name, file.what) for file in shown.files] == [("r.zip", "exported"), ("b.zip", "imported")]
    assert [(row.put_away, row.state) for row in shown.bundles] == [(True, "left")]
    assert shown.next is None


def test_changed_guidelines_of_a_new_revision_are_offered(store, tmp_path):
    guide = tmp_path / "guide.md"
    for revision in (1, 2):
        guide.write_text(f"# Rules\n\nRule {revision}.\n", "utf-8", newline="")
        take_in(store, make(tmp_path / f"b{revision}.zip", [task("t-1")], id="b", revision=revision, guidelines=guide))
    (change,) = overview(store).guidelines
    assert (change.revision, change.before, change.after) == (2, "# Rules\n\nRule 1.\n", "# Rules\n\nRule 2.\n")


def bundle(name, *, finished=1, **more):
    plain = BundleOverview(
        id=name, title=name, rubric="r@1", unit="targets", done=0, total=9, tasks=3, revision=1, finished=finished
    )
    return replace(plain, **more)


LAST = bundle("last")
LATE, SOON = bundle("late", due="2026-12-04"), bundle("soon", due="2026-11-25T12:00:00Z")
BACK = bundle("back", returned=True)
FINISHED = bundle("finished", finished=3, due="2026-11-20")


@pytest.mark.parametrize(
    ("bundles", "begun", "expected"),
    [
        ([LAST, LATE, SOON, BACK, FINISHED], True, ("last", "begun")),
        ([LAST, LATE, SOON, BACK, FINISHED], False, ("back", "returned")),
        ([LAST, LATE, SOON, FINISHED], False, ("soon", "due")),
        ([LAST, FINISHED], False, ("last", "left off")),
        ([bundle("last", due="2026-11-24"), SOON], False, ("last", "left off")),
        ([bundle("last", finished=3), bundle("other")], False, ("other", "left off")),
        ([bundle("last", finished=3), FINISHED], False, ("last", "left off")),
        ([bundle("last", put_away=True)], True, None),
        ([bundle("last", practice=True), bundle("own")], True, ("own", "left off")),
        (
            [bundle("sample-pairs"), bundle("zebra"), bundle("yak", changed="2026-11-21T10:00:00Z")],
            False,
            ("yak", "left off"),
        ),
        ([bundle("sample-pairs", due="2026-11-25"), bundle("own")], False, ("sample-pairs", "due")),
        ([bundle("last", practice=True), bundle("own", finished=3)], True, ("last", "begun")),
        ([], False, None),
    ],
)
def test_what_comes_next(bundles, begun, expected):
    assert next_bundle(bundles, "last", begun=begun) == expected


def test_bundles_are_ordered_by_what_is_due_and_to_do_by_change_or_by_name():
    rows = [LAST, FINISHED, LATE, SOON, bundle("Änne", changed="2026-11-21T10:00:00Z")]
    assert [row.id for row in ordered_bundles(rows, "due")] == ["soon", "late", "Änne", "last", "finished"]
    tried = bundle("sample-pairs", changed="2026-11-22T10:00:00Z")
    assert [row.id for row in ordered_bundles([tried, *rows], "due")][-3:] == ["last", "sample-pairs", "finished"]
    assert next(row.id for row in ordered_bundles(rows, "recent")) == "Änne"
    assert [row.id for row in ordered_bundles(rows, "name")] == ["finished", "last", "late", "soon", "Änne"]


def test_the_state_says_whether_the_results_hold_the_last_change():
    changed = "2026-11-21T10:00:00Z"
    assert bundle("b", changed="").state == "new"
    assert bundle("b", changed=changed).state == "going"
    assert bundle("b", finished=3, changed=changed, left="2026-11-20T10:00:00Z").state == "done"
    assert bundle("b", finished=3, changed=changed, left=changed).state == "left"


def test_a_due_day_is_the_day_here_and_counts_down_to_it():
    now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    assert [days_left(due, now) for due in ("2026-11-25", "2026-11-24", "2026-11-22", "")] == [1, 0, -2, None]


def test_a_week_runs_from_monday_to_sunday_and_leaves_out_other_weeks():
    days = [DayWork(day="2026-11-15", done=99), DayWork(day="2026-11-16", seconds=60, done=34)]
    week = week_of([*days, DayWork(day="2026-11-19", seconds=30, done=22)], date(2026, 11, 19))
    assert [day.done for day in week.days] == [34, 0, 0, 22, 0, 0, 0]
    assert (week.today, week.done, week.seconds) == (3, 56, 90)
