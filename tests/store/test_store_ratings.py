"""A rating is saved as a new revision, comes back as it was or not at all, and what leaves was checked when saved."""

import sqlite3

import msgspec
import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.values import Answers
from desktop_rater.store import bundles, export_forms, ratings, tasks
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError
from desktop_rater.store.open_store import open_writer
from tests.readers import head_of, reader_of
from tests.store.listed import count_tasks


def test_each_change_is_a_new_revision_with_its_own_hash(ready, made):
    first = ratings.append_revision(ready, "november", made.change(comment="fine"))
    second = ratings.append_revision(ready, "november", made.change(comment="better"))
    assert (first.rating.revision, second.rating.revision) == (1, 2)
    assert second.rating.changed == "2026-11-20T09:12:00Z"
    assert second.sha256 == sha256(canonical_json(to_plain(second.rating)))
    assert ratings.rating_head(ready, "november", "t-00000", "r-17") == second


def test_what_is_acknowledged_is_seen_by_a_reader_at_once(ready, folder, made):
    with reader_of(folder) as reader:
        saved = ratings.append_revision(ready, "november", made.change())
        assert ratings.rating_head(reader, "november", "t-00000", "r-17") == saved


def test_unknown_keys_of_a_newer_program_come_back(ready, made):
    new = made.change()
    rating = msgspec.structs.replace(new.rating, unknown={"mood": {"now": 3}}, answers=Answers(unknown={"x": [1]}))
    ratings.append_revision(ready, "november", msgspec.structs.replace(new, rating=rating))
    stored = head_of(ready, "november", "t-00000", "r-17")
    assert (stored.rating.unknown, stored.rating.answers.unknown) == ({"mood": {"now": 3}}, {"x": [1]})


def test_undo_finds_every_earlier_revision(ready, made):
    for comment in ("one", "two", "three"):
        ratings.append_revision(ready, "november", made.change(comment=comment))
    old = ratings.read_revision(ready, "november", "t-00000", "r-17", 2)
    assert old.answers.targets["s1"]["comment"] == "two"
    with pytest.raises(NotInStore, match="no revision 4"):
        ratings.read_revision(ready, "november", "t-00000", "r-17", 4)


def test_a_rating_that_nobody_gave_is_nothing(ready):
    assert ratings.rating_head(ready, "november", "t-00000", "r-17") is None
    assert ratings.rating_history(ready, "november", "t-00000", "r-17") == []


def test_a_rating_of_a_bundle_that_is_not_there_is_refused(ready, made):
    with pytest.raises(NotInStore, match="december"):
        ratings.append_revision(ready, "december", made.change())


def test_an_answer_for_a_task_that_has_just_gone_is_kept(ready, made):
    saved = ratings.append_revision(ready, "november", made.change("t-gone", "complete"))
    assert saved.task_changed
    stored = ratings.rating_head(ready, "november", "t-gone", "r-17")
    assert stored == saved
    assert count_tasks(ready, "november", "r-17", state="complete") == 0


@pytest.mark.parametrize("comment", ["\ud800", float("nan")])
def test_what_can_not_be_written_is_refused_and_the_store_goes_on(ready, made, comment):
    new = made.change()
    bad = Rating(task="t-00000", rater="r-17", answers=Answers(task={"comment": comment}))
    with pytest.raises(StoreError, match="can't be stored"):
        ratings.append_revision(ready, "november", msgspec.structs.replace(new, rating=bad))
    assert ratings.append_revision(ready, "november", new).rating.revision == 1


def test_many_ratings_are_stored_all_or_none(ready, made):
    def some():
        yield made.change("t-00000", "complete")
        yield made.change("t-00001", "complete")
        raise KeyError("the file ends here")

    with pytest.raises(KeyError):
        ratings.append_changes(ready, "november", some())
    assert tasks.count_tasks_by_state(ready, "november", "r-17").untouched == 3
    assert (
        len(ratings.append_changes(ready, "november", (made.change(f"t-0000{n}", "complete") for n in range(3)))) == 3
    )
    assert tasks.next_unfinished_position(ready, "november", "r-17", -1) is None


COPY = (
    "INSERT INTO ratings SELECT 9, bundle, task, rater, {}, changed, status, done, sha256, leaving_sha256, body FROM "
)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE ratings SET done = 'nothing'", "never changed"),
        ("DELETE FROM ratings", "never deleted"),
        (COPY.format(3) + "ratings", "only follow"),
        (COPY.format(1) + "ratings", "only follow"),
    ],
    ids=["changed", "deleted", "a gap", "again"],
)
def test_history_is_never_rewritten(ready, made, statement, why):
    ratings.append_revision(ready, "november", made.change())
    with pytest.raises(sqlite3.IntegrityError, match=why):
        ready.db.execute(statement)


def test_a_byte_that_flipped_in_a_rating_is_never_shown_as_an_answer(folder, file, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(1))
        ratings.append_revision(store, "november", made.change(comment="the sentence is right"))
    content = file.read_bytes()
    assert content.count(b"the sentence is right") == 1
    file.write_bytes(content.replace(b"the sentence is right", b"the sentence is rIght"))
    with open_writer(folder, command="the window") as store:
        with pytest.raises(StoreDamaged, match=r"modified: revision 1 of r-17's rating of t-00000"):
            ratings.rating_head(store, "november", "t-00000", "r-17")
        assert ratings.append_revision(store, "november", made.change()).rating.revision == 2


def test_a_byte_that_flipped_in_a_task_is_never_shown_as_the_task(folder, file, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, [made.task(prompt="Who wrote it?", response="")])
    content = file.read_bytes()
    file.write_bytes(content.replace(b'"text": "Who wrote it?"', b'"text": "Who wrote If?"'))
    with open_writer(folder, command="the window") as store:
        for read in (
            lambda: tasks.get_task(store, "november", "t-0"),
            lambda: list(tasks.stream_tasks(store, "november")),
        ):
            with pytest.raises(StoreDamaged, match="'t-0' was modified"):
                read()


def test_a_rating_as_it_was_makes_no_revision_and_one_that_follows_a_damaged_one_is_refused(ready, made):
    new = made.change()
    assert ratings.append_change(ready, "november", new)
    assert not ratings.append_change(ready, "november", new)
    ready.db.execute("DROP TRIGGER ratings_never_change")
    ready.db.execute("UPDATE ratings SET body = replace(body, 'fine', 'mine')")
    with pytest.raises(StoreDamaged, match=r"modified: revision 1 of r-17's rating of t-00000"):
        ratings.append_change(ready, "november", made.change(comment="better"))


BASIS = "by this rubric"


@pytest.fixture
def finish(ready, made):
    """Completes a task; what leaves is the rating itself, or `form`."""

    def finish(task_id, form=None, basis=BASIS, **answers):
        new = made.change(task_id, status="complete", **answers)
        checked = (new.rating if form is None else form, basis)
        return ratings.append_revision(ready, "november", msgspec.structs.replace(new, checked=checked)).rating

    return finish


def leavers(store, basis=BASIS):
    bundle = bundles.find_bundle(store, "november")
    assert bundle is not None
    batches = export_forms.stream_export(store, bundle, "r-17", basis, 2, as_rated=False)
    return {leaver.task.id: leaver for batch in batches for leaver in batch}


def ready_of(store, task_id, basis=BASIS):
    return leavers(store, basis)[task_id].ready


def forms(store):
    return store.db.execute("SELECT rating, sha256, form FROM leaving").fetchall()


def test_a_finished_rating_leaves_as_it_was_checked(ready, finish):
    rating = finish("t-00001")
    assert ready_of(ready, "t-00001") == canonical_json(to_plain(rating))
    assert [form for _, _, form in forms(ready)] == [None], "the same bytes are not kept twice"
    assert {name for name, leaver in leavers(ready).items() if leaver.ready is None} >= {"t-00000", "t-00002"}


def test_what_is_hidden_stays_here(ready, made, finish):
    form = msgspec.structs.replace(made.change("t-00001").rating, status="complete", answers=Answers())
    rating = finish("t-00001", form)
    left = msgspec.structs.replace(form, revision=rating.revision, changed=rating.changed)
    assert ready_of(ready, "t-00001") == canonical_json(to_plain(left))


def test_nothing_is_trusted_that_another_rubric_or_engine_has_checked(ready, finish):
    finish("t-00001")
    assert ready_of(ready, "t-00001", basis="by a later one") is None


def test_the_next_revision_takes_the_place_of_the_last(ready, made, finish):
    finish("t-00001")
    ratings.append_revision(ready, "november", made.change("t-00001"))
    assert ready_of(ready, "t-00001") is None
    assert forms(ready) == []


def test_a_task_of_a_newer_bundle_is_looked_at_again(ready, made, finish):
    finish("t-00001")
    made.imported(ready, made.tasks(3), revision=2)
    assert leavers(ready)["t-00001"].rating is not None
    assert ready_of(ready, "t-00001") is None


def test_what_was_checked_anew_is_kept(ready, finish):
    rating = finish("t-00001", basis="by an older one")
    leaver = leavers(ready)["t-00001"]
    export_forms.store_forms(ready, BASIS, [(leaver, leaver.body)])
    assert ready_of(ready, "t-00001") == canonical_json(to_plain(rating))


def test_an_altered_form_is_not_trusted(ready, made, finish):
    form = msgspec.structs.replace(made.change("t-00001").rating, status="complete", answers=Answers())
    finish("t-00001", form)
    ready.db.execute("UPDATE leaving SET form = CAST(replace(CAST(form AS TEXT), 'complete', 'skipped') AS BLOB)")
    assert ready_of(ready, "t-00001") is None


def test_an_altered_rating_never_leaves(ready, finish):
    finish("t-00001")
    ready.db.execute("DROP TRIGGER ratings_never_change")
    ready.db.execute("UPDATE ratings SET body = replace(body, 'complete', 'skipped')")
    with pytest.raises(StoreDamaged, match="A stored rating was modified"):
        leavers(ready)


def test_an_altered_task_never_leaves(ready, finish):
    finish("t-00001")
    ready.db.execute("UPDATE tasks SET line = CAST(CAST(line AS TEXT) || ' ' AS BLOB) WHERE id = 't-00001'")
    with pytest.raises(StoreDamaged, match="The stored task 't-00001' was modified"):
        leavers(ready)


def test_histories_come_in_the_order_in_which_they_are_asked_for(ready, made, finish):
    ratings.append_revision(ready, "november", made.change("t-00002"))
    finish("t-00002")
    finish("t-00000")
    told = export_forms.export_history(ready, "november", "r-17", [("t-00002", 2), ("t-00001", 1), ("t-00000", 1)])
    assert [(row.task, row.revision) for row in told] == [("t-00002", 1), ("t-00002", 2), ("t-00000", 1)]


def test_the_doctor_finds_nothing_wrong_with_it(ready, finish):
    finish("t-00001")
    assert examine_store(ready.folder).sound
