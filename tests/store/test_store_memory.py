"""Small things that are remembered: what has left, and where the rater was."""

import msgspec
import pytest

from desktop_rater.store import state
from desktop_rater.store.state import ExportRow

FIRST = ExportRow(
    bundle="november", rater="r-17", sha256="a" * 64, moment="2026-11-20T10:00:00Z", tasks=94, complete=90, skipped=4
)


def test_the_next_results_can_name_the_last_ones(store):
    assert state.last_export(store, "november", "r-17") is None
    second = msgspec.structs.replace(FIRST, sha256="b" * 64)
    for export in (FIRST, second, msgspec.structs.replace(FIRST, rater="other")):
        state.record_export(store, export)
    assert state.last_export(store, "november", "r-17") == second


def test_the_same_results_again_are_the_same_results(store):
    state.record_export(store, FIRST)
    state.record_export(store, msgspec.structs.replace(FIRST, moment="2026-11-21T10:00:00Z"))
    assert state.last_export(store, "november", "r-17") == FIRST


@pytest.mark.parametrize("value", ["r-17", 3, None, {"bundle": "november", "task": "t-1"}, [1, 2]])
def test_a_small_thing_is_remembered(store, value):
    state.put_state(store, "last-place", "before")
    state.put_state(store, "last-place", value)
    assert state.get_state(store, "last-place") == value


def test_what_was_never_put_is_nothing(store):
    assert state.get_state(store, "last-place") is None


def test_a_memory_that_can_not_be_read_stops_nobody(store):
    state.put_state(store, "last-place", "here")
    store.db.execute("UPDATE state SET value = '{'")
    assert state.get_state(store, "last-place") is None
