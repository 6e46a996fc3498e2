"""What the start page works out: order, state, what comes next, and the week."""

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from desktop_rater.operations.rating.rater_state import (
    BundleOverview,
    DayWork,
    days_left,
    next_bundle,
    ordered_bundles,
    week_of,
)


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
