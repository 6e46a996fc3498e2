"""What was checked when it was saved is trusted when it leaves, and nothing else is."""

import msgspec
import pytest

from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.values import Answers
from desktop_rater.store import bundles, export_forms, ratings
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged

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
