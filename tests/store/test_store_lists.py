"""The task list: pages, filters, the next open task; also when there are many."""

import random

import pytest

from desktop_rater.store import ratings, tasks
from desktop_rater.store.errors import NotInStore
from tests.store.listed import count_tasks

MANY = 20_000


def positions(rows):
    return [row.position for row in rows]


def test_the_list_shows_how_far_each_task_is(store, made):
    made.imported(store, made.tasks(3))
    made.rated(store, "t-00000")
    ratings.append_revision(store, "november", made.change("t-00001", blocking=2, warnings=1, answered=3, total=5))
    rows = tasks.list_tasks(store, "november", "r-17", limit=9)
    assert [(row.id, row.status) for row in rows] == [
        ("t-00000", "complete"),
        ("t-00001", "incomplete"),
        ("t-00002", "untouched"),
    ]
    assert (rows[1].blocking, rows[1].warnings, rows[1].answered, rows[1].total) == (2, 1, 3, 5)


def test_each_rater_has_a_list_of_their_own(store, made):
    made.imported(store, made.tasks(2))
    made.rated(store, "t-00000", rater="ann")
    assert count_tasks(store, "november", "ann", state="complete") == 1
    assert count_tasks(store, "november", "bob", state="complete") == 0
    assert tasks.next_unfinished_position(store, "november", "bob", -1) == 0


def test_a_list_of_a_bundle_that_is_not_there_says_so(store):
    with pytest.raises(NotInStore, match="no bundle 'december'"):
        tasks.list_tasks(store, "december", "r-17", limit=9)


def test_a_task_is_found_by_id_and_by_place(store, made):
    made.imported(store, made.tasks(3))
    assert tasks.task_position(store, "november", "t-00002") == 2
    assert tasks.task_position(store, "november", "t-9") is None
    assert tasks.task_at(store, "november", 1).id == "t-00001"
    for missing in (lambda: tasks.task_at(store, "november", 3), lambda: tasks.get_task(store, "november", "t-9")):
        with pytest.raises(NotInStore, match="There is no task"):
            missing()


def test_going_on_leads_to_the_next_task_that_is_not_finished(store, made):
    made.imported(store, made.tasks(6))
    made.rated(store, "t-00001", "t-00002", "t-00004")
    made.rated(store, "t-00005", status="skipped")
    following = [tasks.next_unfinished_position(store, "november", "r-17", after) for after in range(-1, 6)]
    assert following == [0, 3, 3, 3, None, None, None]


def test_a_finished_task_that_is_opened_again_is_on_the_way_again(store, made):
    made.imported(store, made.tasks(5))
    made.rated(store, *(f"t-{number:05}" for number in range(5)))
    assert tasks.next_unfinished_position(store, "november", "r-17", -1) is None
    made.rated(store, "t-00002", status="incomplete")
    assert tasks.next_unfinished_position(store, "november", "r-17", -1) == 2
    assert positions(tasks.list_tasks(store, "november", "r-17", state="unfinished", limit=9)) == [2]


def test_whatever_the_order_of_work_the_filters_agree_with_the_states(store, made):
    """A thousand random moves against the plain answer."""
    size = 30
    made.imported(store, made.tasks(size))
    chance = random.Random(7)
    states = dict.fromkeys(range(size), "untouched")
    for _ in range(1000):
        position = chance.randrange(size)
        states[position] = chance.choice(["complete", "skipped", "incomplete"])
        made.rated(store, f"t-{position:05}", status=states[position])
        after = chance.randrange(-1, size)
        open_ones = [place for place, state in states.items() if state in {"untouched", "incomplete"}]
        expected = next((place for place in open_ones if place > after), None)
        assert tasks.next_unfinished_position(store, "november", "r-17", after) == expected
        assert positions(tasks.list_tasks(store, "november", "r-17", state="unfinished", limit=size)) == open_ones
    for state in ("incomplete", "complete", "skipped"):
        wanted = [place for place, shown in states.items() if shown == state]
        assert positions(tasks.list_tasks(store, "november", "r-17", state=state, limit=size)) == wanted
        assert count_tasks(store, "november", "r-17", state=state) == len(wanted)


@pytest.fixture
def many(store, made):
    """20,000 tasks; each hundredth asks about Rambutan, each third is complete."""
    rows = [
        made.task(f"t-{number:05}", prompt="Rambutan?" if number % 100 == 0 else "Quixote?") for number in range(MANY)
    ]
    made.imported(store, rows)
    ratings.append_changes(store, "november", (made.change(f"t-{n:05}", "complete") for n in range(0, MANY, 3)))
    return store


def test_a_long_list_is_paged_and_filtered_in_order(many):
    def place(**how):
        return positions(tasks.list_tasks(many, "november", "r-17", **how))

    assert place(after=19_989, limit=50) == list(range(19_990, MANY))
    assert place(state="complete", after=17_998, limit=3) == [18_000, 18_003, 18_006]
    assert place(state="unfinished", after=19_499, limit=4) == [19_501, 19_502, 19_504, 19_505]
    assert place(text="rambutan", after=14_901, limit=2) == [15_000, 15_100]
    assert place(text="rambutan", state="complete", limit=3) == [0, 300, 600]
    assert place(text="rambutan", state="unfinished", limit=3) == [100, 200, 400]
    assert place(text="rambutan", state="incomplete", limit=3) == []


def test_a_long_list_is_counted(many):
    def count(**how):
        return count_tasks(many, "november", "r-17", **how)

    assert count() == MANY
    assert count(state="complete") == 6_667
    assert count(state="unfinished") == MANY - 6_667
    assert count(state="skipped") == 0
    assert count(text="rambutan") == 200
    assert count(text="rambutan", state="complete") == 67


def test_no_question_of_a_list_walks_through_all_tasks(many):
    """SQLite's own plan: each step is a search, none a scan of a table that grows."""
    plans = []
    many.db.set_trace_callback(plans.append)
    for state in ("all", "unfinished", "incomplete", "complete", "skipped"):
        tasks.list_tasks(many, "november", "r-17", state=state, limit=50)
    tasks.next_unfinished_position(many, "november", "r-17", -1)
    many.db.set_trace_callback(None)
    steps = [row[3] for sql in set(plans) for row in many.db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert steps
    assert [step for step in steps if step.startswith("SCAN") and "VIRTUAL TABLE" not in step] == []


def test_what_is_answered_and_blocked_is_a_list_of_its_own(store, made):
    made.imported(store, made.tasks(6))
    for name, counts in (
        ("t-00001", {"blocking": 1, "answered": 8, "total": 8}),
        ("t-00002", {"blocking": 2, "answered": 6, "total": 8}),
        ("t-00004", {"blocking": 3, "answered": 5, "total": 5}),
        ("t-00005", {"blocking": 0, "answered": 5, "total": 5}),
    ):
        ratings.append_revision(store, "november", made.change(name, **counts))
    shown = tasks.list_tasks(store, "november", "r-17", state="blocked", limit=9)
    assert [row.id for row in shown] == ["t-00001", "t-00004"]
    assert count_tasks(store, "november", "r-17", state="blocked") == 2
    assert count_tasks(store, "november", "r-17", text="Quixote", state="blocked") == 2
    assert [
        row.id for row in tasks.list_tasks(store, "november", "r-17", text="Quixote", state="blocked", limit=9)
    ] == ["t-00001", "t-00004"]
    counts = tasks.count_tasks_by_state(store, "november", "r-17")
    assert (counts.blocked, counts.incomplete) == (2, 4)


def test_a_skipped_task_says_why(store, made):
    made.imported(store, made.tasks(2))
    made.rated(store, "t-00001", status="skipped")
    assert [row.skipped for row in tasks.list_tasks(store, "november", "r-17", limit=9)] == ["", "other"]


def test_what_is_blocked_is_found_by_an_index_of_its_own(many):
    for question in (lambda: tasks.list_tasks(many, "november", "r-17", state="blocked", limit=9),
                     lambda: tasks.count_tasks_by_state(many, "november", "r-17")):  # fmt: skip
        asked = []
        many.db.set_trace_callback(asked.append)
        question()
        many.db.set_trace_callback(None)
        about = [sql for sql in asked if "blocking > 0" in sql]
        steps = [row[3] for sql in about for row in many.db.execute(f"EXPLAIN QUERY PLAN {sql}")]
        assert any("heads_blocked" in step for step in steps), steps


def test_a_list_that_changes_while_it_is_paged_misses_nothing(many, made):
    first = positions(tasks.list_tasks(many, "november", "r-17", state="unfinished", limit=50))
    ratings.append_changes(many, "november", (made.change(f"t-{place:05}", "complete") for place in first))
    following = positions(tasks.list_tasks(many, "november", "r-17", state="unfinished", after=first[-1], limit=3))
    assert (first[-1], following) == (74, [76, 77, 79])
