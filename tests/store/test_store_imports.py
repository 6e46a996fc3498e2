"""A bundle comes in whole or not at all, and a new revision keeps the ratings of tasks that are the same."""

from contextlib import contextmanager

import pytest

from desktop_rater.store import bundles, ratings, tasks
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError
from desktop_rater.store.open_store import open_writer
from tests.readers import head_of


def ids(rows):
    return [row.id for row in rows]


def test_a_bundle_is_seen_only_when_all_of_it_is_there(store, made):
    key = bundles.begin_bundle_import(store, made.bundle())
    assert bundles.add_tasks(store, key, made.tasks(3)) == 3
    assert bundles.list_bundles(store) == []
    assert bundles.find_bundle(store, "november") is None
    bundles.finish_bundle_import(store, key)
    row = bundles.find_bundle(store, "november")
    assert row is not None
    assert (row.title, row.rubric, row.tasks, row.guidelines) == (
        "Long answers, November",
        "span-factuality@3",
        3,
        "Be fair.",
    )


def test_chunks_follow_each_other_in_the_order_of_the_file(store, made):
    everything = made.tasks(7)
    key = bundles.begin_bundle_import(store, made.bundle())
    counts = [bundles.add_tasks(store, key, everything[start : start + 3]) for start in (0, 3, 6)]
    bundles.finish_bundle_import(store, key)
    assert counts == [3, 6, 7]
    stored = list(tasks.stream_tasks(store, "november", batch=2))
    assert [task.line for task in stored] == [task.line for task in everything]
    assert [task.position for task in stored] == list(range(7))


def test_an_import_in_many_chunks_leaves_a_search_index_in_few_segments(store, made):
    key = bundles.begin_bundle_import(store, made.bundle())
    for task in made.tasks(20):
        bundles.add_tasks(store, key, [task])
    query = "SELECT count(DISTINCT segid) FROM texts_idx"
    assert store.db.execute(query).fetchone() == (20,)  # merged in bulk, not beside the chunks
    while bundles.merge_search_index(store):
        pass
    assert store.db.execute(query).fetchone() == (1,)
    bundles.finish_bundle_import(store, key)
    assert len(tasks.list_tasks(store, made.bundle().id, "r-1", text="t-00019", limit=9)) == 1


def test_a_line_comes_back_byte_for_byte(store, made):
    line = '{"id": "t-0",  "prompt": {"text": "naïve \\u0065 \u2028 \x85"}}'.encode() + b"\r"
    task = bundles.TaskRow(id="t-0", title="naïve", line=line, targets="[]", prompt="", responses="", tools="")
    made.imported(store, [task])
    stored = tasks.get_task(store, "november", "t-0")
    assert (stored.line, stored.targets) == (line, "[]")


def test_two_imports_at_once_do_not_mix(store, made):
    first = bundles.begin_bundle_import(store, made.bundle("a"))
    second = bundles.begin_bundle_import(store, made.bundle("b"))
    for number in range(4):
        bundles.add_tasks(store, first, [made.task(f"a-{number}")])
        bundles.add_tasks(store, second, [made.task(f"b-{number}")])
    bundles.finish_bundle_import(store, second)
    bundles.finish_bundle_import(store, first)
    assert ids(tasks.stream_tasks(store, "a")) == ["a-0", "a-1", "a-2", "a-3"]
    assert ids(tasks.list_tasks(store, "b", "r-17", text="quixote", limit=9)) == ["b-0", "b-1", "b-2", "b-3"]


def test_the_same_revision_can_not_come_in_twice(store, made):
    made.imported(store, made.tasks(1), revision=2)
    with pytest.raises(StoreError, match="Revision 2 of the bundle november is in the store"):
        bundles.begin_bundle_import(store, made.bundle(revision=2))


def test_a_second_import_of_what_is_just_coming_in_is_refused(store, made):
    key = bundles.begin_bundle_import(store, made.bundle())
    with pytest.raises(StoreError, match="is being imported"):
        bundles.begin_bundle_import(store, made.bundle())
    bundles.add_tasks(store, key, made.tasks(1))
    bundles.finish_bundle_import(store, key)


def test_two_tasks_of_one_id_are_refused_and_leave_nothing(store, made):
    key = bundles.begin_bundle_import(store, made.bundle())
    bundles.add_tasks(store, key, made.tasks(2))
    with pytest.raises(StoreError, match="t-00001"):
        bundles.add_tasks(store, key, [made.task("t-new"), made.task("t-00001")])
    assert bundles.add_tasks(store, key, [made.task("t-new")]) == 3


def test_a_cancelled_import_leaves_nothing(store, made):
    key = bundles.begin_bundle_import(store, made.bundle())
    bundles.add_tasks(store, key, made.tasks(250))
    bundles.drop_import(store, key)
    assert bundles.unfinished_imports(store) == []
    assert store.db.execute("SELECT count(*) FROM tasks").fetchone() == (0,)
    assert store.db.execute("SELECT count(*) FROM texts WHERE texts MATCH 'quixote'").fetchone() == (0,)
    with pytest.raises(NotInStore, match="has ended"):
        bundles.add_tasks(store, key, made.tasks(1))
    with pytest.raises(NotInStore, match="has ended"):
        bundles.finish_bundle_import(store, key)
    made.imported(store, made.tasks(2))


def test_answers_can_be_saved_while_a_cancelled_import_is_removed(store, made):
    made.imported(store, made.tasks(1), "other")
    key = bundles.begin_bundle_import(store, made.bundle())
    bundles.add_tasks(store, key, made.tasks(250))
    steps = 0
    while bundles.drop_import_step(store, key):
        steps += 1
        made.rated(store, "t-00000", bundle_id="other")
    assert steps == 3
    assert bundles.unfinished_imports(store) == []
    assert len(ratings.rating_history(store, "other", "t-00000", "r-17")) == 3


def test_what_an_ended_import_left_can_not_hold_up_the_start_for_ever(folder, made):
    """A damaged table may show rows that it does not find."""
    with open_writer(folder, command="the window") as store:
        key = bundles.begin_bundle_import(store, made.bundle())
        bundles.add_tasks(store, key, made.tasks(5))
        store.db.execute("CREATE TEMP TRIGGER stay BEFORE DELETE ON tasks BEGIN SELECT RAISE(IGNORE); END")
        with pytest.raises(StoreDamaged, match="can't be removed"):
            bundles.drop_import(store, key)
    open_writer(folder, command="the window").close()


def test_a_bundle_that_is_ready_is_never_dropped(store, made):
    key = made.imported(store, made.tasks(2))
    bundles.drop_import(store, key)
    assert len(list(tasks.stream_tasks(store, "november"))) == 2


def test_an_import_that_was_killed_is_gone_after_the_next_start(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(2), "other")
        key = bundles.begin_bundle_import(store, made.bundle())
        bundles.add_tasks(store, key, made.tasks(5))
    with open_writer(folder, command="the window") as store:
        assert bundles.unfinished_imports(store) == []
        assert [row.id for row in bundles.list_bundles(store)] == ["other"]
        assert len(tasks.list_tasks(store, "other", "r-17", text="quixote", limit=9)) == 2
        made.imported(store, made.tasks(5))


def test_the_status_counts_each_task_once_by_the_best_of_its_raters(store, made):
    made.imported(store, made.tasks(5))
    made.imported(store, made.tasks(1), "empty")
    made.rated(store, "t-00000", "t-00001", status="complete", rater="ann")
    made.rated(store, "t-00001", "t-00002", status="skipped", rater="bob")
    made.rated(store, "t-00003", status="incomplete", rater="bob")
    status = {row.id: (row.tasks, row.complete, row.incomplete, row.skipped) for row in bundles.count_progress(store)}
    assert status == {"november": (5, 2, 2, 1), "empty": (1, 0, 1, 0)}


@pytest.fixture
def revised(store, made):
    """Revision 1 was rated; in revision 2 a task is new, one changed, one gone, and the order is another."""
    same, changed, gone, skipped = (made.task(name) for name in ("same", "changed", "gone", "skipped"))
    made.imported(store, [same, changed, gone, skipped])
    made.rated(store, "same", "changed", "gone")
    made.rated(store, "skipped", status="skipped")
    made.imported(store, [made.task("new"), skipped, made.task("changed", prompt="Who?"), same], revision=2)
    return store


def test_a_new_revision_keeps_the_ratings_of_tasks_that_are_the_same(revised):
    shown = [(row.id, row.status) for row in tasks.list_tasks(revised, "november", "r-17", limit=9)]
    assert shown == [("new", "untouched"), ("skipped", "skipped"), ("changed", "incomplete"), ("same", "complete")]
    assert tasks.count_tasks_by_state(revised, "november", "r-17") == tasks.StateCounts(
        all=4, untouched=1, incomplete=1, complete=1, skipped=1
    )


def test_a_changed_task_is_incomplete_with_the_old_answers_in_place(revised):
    stored = head_of(revised, "november", "changed", "r-17")
    assert stored.task_changed
    assert stored.rating.status == "incomplete"
    assert stored.rating.answers.targets == {"s1": {"factual": "yes", "comment": "fine"}}
    assert tasks.next_unfinished_position(revised, "november", "r-17", 0) == 2


def test_a_changed_task_that_is_rated_again_is_complete(revised, made):
    made.rated(revised, "changed")
    stored = head_of(revised, "november", "changed", "r-17")
    assert (stored.rating.status, stored.rating.revision, stored.task_changed) == ("complete", 2, False)


def test_the_ratings_of_a_task_that_is_gone_stay_in_the_history(revised):
    assert [row.status for row in ratings.rating_history(revised, "november", "gone", "r-17")] == ["complete"]
    assert "gone" not in [row.id for row in tasks.list_tasks(revised, "november", "r-17", limit=9)]


def test_a_task_that_comes_back_as_it_was_is_complete_again(revised, made):
    made.imported(revised, [made.task("gone"), made.task("changed")], revision=3)
    assert [row.status for row in tasks.list_tasks(revised, "november", "r-17", limit=9)] == ["complete", "complete"]
    assert tasks.next_unfinished_position(revised, "november", "r-17", -1) is None


def test_an_earlier_revision_can_still_be_found(revised):
    first = bundles.find_bundle_revision(revised, "november", 1)
    latest = bundles.find_bundle(revised, "november")
    assert first is not None
    assert latest is not None
    assert (first.revision, latest.revision) == (1, 2)
    assert bundles.find_bundle_revision(revised, "november", 3) is None
    assert [row.revision for row in bundles.list_bundles(revised)] == [2]


def test_while_a_new_revision_comes_in_the_old_one_is_rated(store, made):
    made.imported(store, [made.task("same")])
    key = bundles.begin_bundle_import(store, made.bundle(revision=2))
    bundles.add_tasks(store, key, [made.task("new"), made.task("same")])
    made.rated(store, "same")
    assert [row.position for row in tasks.list_tasks(store, "november", "r-17", state="complete", limit=9)] == [0]
    bundles.finish_bundle_import(store, key)
    assert [row.position for row in tasks.list_tasks(store, "november", "r-17", state="complete", limit=9)] == [1]


def test_an_import_waits_for_the_disk_once_and_an_answer_always(store, made):
    waits = []
    writing = store.writing

    @contextmanager
    def watched(loss, **how):
        with writing(loss, **how) as db:
            waits.append(db.execute("PRAGMA synchronous").fetchone()[0])
            yield db

    store.writing = watched
    made.imported(store, made.tasks(3))
    key = bundles.begin_bundle_import(store, made.bundle("later"))
    bundles.add_tasks(store, key, made.tasks(1))
    made.rated(store, "t-00001")
    bundles.add_tasks(store, key, made.tasks(2)[1:])
    bundles.finish_bundle_import(store, key)
    full, normal = 2, 1
    assert waits == [full, normal, full, full, normal, full, normal, full]
