"""The steps of earlier sittings, found in the revisions that they left behind, also where the clock jumped."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.edit import differences, parse_place, rater_content
from desktop_rater.format.rating import Evidence, Rating, SkipReason, TimeSpent
from desktop_rater.format.values import Place
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating import history, save
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.history import load_history, load_trail, replay_revisions
from desktop_rater.operations.rating.open_task import load_bundle, open_task
from desktop_rater.operations.rating.save import save_rating
from desktop_rater.operations.rubrics import bundle_rubric_of
from desktop_rater.store import ratings
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.ratings import RevisionRow
from tests.operations.bundles import RATER, make, noon, take_in, task, writer

EMPTY = Rating(task="t1")


def state(name, **more):
    """A state that a letter stands for."""
    return replace(EMPTY, note="" if name == "0" else name, **more)


def revisions(*steps):
    """Revisions from "what was done: which state": "a" was noted where nothing is said."""
    found = []
    for number, step in enumerate(steps, 1):
        done, _, name = step.rpartition(": ")
        row = RevisionRow(
            task="t1",
            revision=number,
            changed="2026-11-20T12:00:00Z",
            status="incomplete",
            done=done or "note",
            sha256="",
            leaving_sha256="",
        )
        found.append((row, None if name == "?" else state(name)))
    return found


def stacks(found):
    """The notes of the three parts: "0ab|c|d" can go back over b and a to the beginning, and on to d."""
    names = ["".join(one.note or "0" for one in part) for part in (found.undo, [found.now], found.redo[::-1])]
    return "|".join(names)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((), "|0|"),
        (("a", "b"), "0a|b|"),
        (("a", "b", "undo: a"), "0|a|b"),
        (("a", "b", "undo: a", "undo: 0"), "|0|ab"),
        (("a", "b", "undo: a", "redo: b"), "0a|b|"),
        (("a", "b", "undo: a", "c"), "0a|c|"),
        (("a", "b", "c", "undo: 0"), "|0|abc"),  # three at once
        (("a", "b", "c", "undo: 0", "redo: b"), "0a|b|c"),
        (("a", "b", "a", "undo: b"), "0a|b|a"),  # the nearer one of two that are equal
        (("a", "open link: a", "b", "undo, open link: a"), "0|a|b"),
        (("a", "note, answer x: c", "undo: b"), "0a|b|c"),  # b was never stored: it lies between
        (("a", "b", "undo: 0", "redo: x"), "0|x|ab"),
        (("a", "undo, note: b"), "0a|b|"),  # nobody knows how it came about: a step of its own
        (("a", "undo, redo: a", "b"), "0a|b|"),
        (("a", "go back: 0", "undo: a"), "0|a|0"),
        (("a", "?", "b", "undo: a"), "0|a|b"),  # one that can't be read is stepped over
    ],
)
def test_the_stacks_are_those_of_the_sitting(steps, expected):
    assert stacks(replay_revisions(EMPTY, revisions(*steps))) == expected


@given(st.lists(st.sampled_from(("a", "b", "c", "undo", "redo")), max_size=40))
def test_stored_one_by_one_each_step_is_found_again(steps):
    undo, now, redo = [], "0", []
    said = []
    for step in steps:
        if step == "undo":
            if undo:
                redo.append(now)
                now = undo.pop()
                said.append(f"undo: {now}")
        elif step == "redo":
            if redo:
                undo.append(now)
                now = redo.pop()
                said.append(f"redo: {now}")
        elif step != now:
            undo.append(now)
            redo.clear()
            now = step
            said.append(step)
    assert stacks(replay_revisions(EMPTY, revisions(*said))) == f"{''.join(undo)}|{now}|{''.join(redo[::-1])}"


@given(
    st.lists(st.tuples(st.sampled_from(("undo", "redo", "note", "undo, note", "redo, undo")), st.sampled_from("0abc")))
)
def test_however_steps_were_saved_together_the_beginning_stays_the_beginning(steps):
    found = replay_revisions(EMPTY, revisions(*(f"{done}: {name}" for done, name in steps)))
    assert [*found.undo, found.now][0].note == ""
    assert found.now.note == (steps[-1][1].replace("0", "") if steps else "")


def test_only_what_the_rater_did_is_content():
    one = state("a", evidence=(Evidence(id="e1", url="https://example.org"),))
    opened = replace(one.evidence[0], opened="2026-11-20T12:00:00Z")
    later = replace(
        one, revision=7, time=TimeSpent(active_seconds=5), links_opened=("https://example.org",), evidence=(opened,)
    )
    assert rater_content(one) == rater_content(later)
    assert differences(one, later) == ()
    assert rater_content(one) != rater_content(state("b", evidence=one.evidence))


def test_a_problem_names_its_place():
    assert parse_place("task") == Place()
    assert parse_place("responses/a") == Place(response="a")
    assert parse_place("targets/s1/claims/c2") == Place(target="s1", claim="c2")
    assert parse_place("targets/s1/evidence/e1") == Place(target="s1", evidence="e1")


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "bundle.zip", [task("t1")]))
        yield store


def rate(store, *notes, done="note"):
    """Save a state for each of the notes."""
    opened = open_task(store, "bundle", "t1", RATER)
    bundle = load_bundle(store, "bundle")
    rubric = bundle_rubric_of(bundle.rubric, bundle.rubric_toml, "bundle")
    for note in notes:
        save_rating(store, rubric, "bundle", opened.task, replace(opened.rating, note=note), done=done, now=noon)


def test_what_is_asked_for_ends_where_the_sitting_began(store):
    rate(store, "a", "b", "c")
    assert stacks(load_trail(store, "bundle", "t1", RATER, 2)) == "0a|b|"


def test_of_a_long_history_the_latest_revisions_count(store, monkeypatch):
    monkeypatch.setattr(history, "MAX_REVISIONS", 3)
    rate(store, *"abcdef")
    assert stacks(load_trail(store, "bundle", "t1", RATER, 6)) == "cde|f|"
    rows = load_history(store, "bundle", "t1", RATER)
    assert [one.revision for one in rows] == [6, 5, 4], "the beginning is too far away to be shown"
    assert [one.kind for one in rows[-1].differences] == ["note"]


def test_revisions_in_which_only_time_passed_are_not_told(store):
    rate(store, "a")
    opened = open_task(store, "bundle", "t1", RATER)
    bundle = load_bundle(store, "bundle")
    rubric = bundle_rubric_of(bundle.rubric, bundle.rubric_toml, "bundle")
    longer = replace(opened.rating, time=TimeSpent(active_seconds=60))
    save_rating(store, rubric, "bundle", opened.task, longer, done="open link", now=noon)
    assert [one.revision for one in load_history(store, "bundle", "t1", RATER)] == [1, 0]
    assert len(ratings.rating_history(store, "bundle", "t1", RATER)) == 2


def test_a_revision_that_was_altered_is_told_without_what_it_holds(store):
    rate(store, "a", "b", "c")
    store.db.execute("DROP TRIGGER ratings_never_change")
    store.db.execute("UPDATE ratings SET body = replace(body, 'b', 'x') WHERE revision = 2")
    rows = load_history(store, "bundle", "t1", RATER)
    assert [(one.revision, one.rating is None) for one in rows] == [(3, False), (2, True), (1, False), (0, False)]
    assert rows[0].differences[0].value == "c"


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
JUMPS = [timedelta(0), timedelta(days=3_650), timedelta(days=-3_650), timedelta(hours=-1), timedelta(seconds=1)]


def test_a_clock_that_jumps_changes_no_order_and_spoils_no_results(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "november.zip", [task("t1")]))
        bundle = load_bundle(store, "november")
        rubric = bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle.id)
        for number, jump in enumerate(JUMPS):
            opened = open_task(store, "november", "t1", RATER)
            skip = SkipReason(reason="other", comment=f"at {number}")
            rating = replace(opened.rating, status="skipped", skipped=skip)
            save.save_rating(
                store, rubric, "november", opened.task, rating, done="skip", now=lambda jump=jump: NOON + jump
            )
        rows = ratings.rating_history(store, "november", "t1", RATER)
        assert [row.revision for row in rows] == [1, 2, 3, 4, 5]
        assert len({row.changed for row in rows}) == len(JUMPS)
        last = open_task(store, "november", "t1", RATER).rating.skipped
        assert last is not None
        assert last.comment == "at 4"
        out = tmp_path / "results.zip"
        assert export_results(store, "november", RATER, out, progress=Progress()).written
        assert check_results(out, Progress()).broken == ()
    assert examine_store(tmp_path / "store").faults == ()
