"""Typing in the filter of the task list."""

from threading import Event

from tests.operations.bundles import task


def test_of_texts_that_are_typed_quickly_only_the_last_is_searched(rooms):
    room = rooms.with_tasks(task("t1", "One lemon."), task("t2", "Two lemons."), task("t3", "A pear."))
    model, gate, asked = room.window.task_list.model, Event(), []
    rooms.qtbot.waitUntil(lambda: model.rowCount() == 3)
    room.perform.ask(lambda _store: gate.wait(60), done=lambda _opened: None)
    room.reader.db.set_trace_callback(asked.append)
    for text in ("lem", "lemon", "lemons"):
        model.show("bundle", text)
    gate.set()
    rooms.qtbot.waitUntil(lambda: model.rowCount() == 1)
    assert model.task_at(0) == "t2"
    assert [query.partition("MATCH")[2].split()[0] for query in asked if "MATCH" in query] == ["'\"lemons\"*'"]
