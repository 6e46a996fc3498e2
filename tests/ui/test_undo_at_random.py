"""Whatever was done, and however it was saved: all of it can be taken back and done again, after any restart."""

import shutil

import pytest
from hypothesis import HealthCheck, example, given, settings

from desktop_rater.format.edit import plain_rater_content
from desktop_rater.format.rating import Rating
from tests.operations.bundles import RATER
from tests.ui.plays import PLAYS, Play, store_with_a_task


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A store with one task."""
    return store_with_a_task(tmp_path_factory.mktemp("imported"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays=PLAYS)
@example(plays=[("undo", 0), ("skip", 0), ("skip", 0), ("answer", 0)])  # one state twice
@example(plays=[("answer", 0), ("answer", 7), ("answer", 0), ("disk full", 0)])  # back and forth in one save
def test_undone_to_the_beginning_and_redone_to_the_end_it_is_the_same(qapp, imported, tmp_path_factory, plays):
    folder = tmp_path_factory.mktemp("play") / "store"
    shutil.copytree(imported, folder)
    play = Play(folder)
    try:
        for name, n in plays:
            play.do(name, n)
        play.restart()
        play.states[play.at + 1 :] = play.sitting.all_forth()[1:]
        end = play.sitting.now
        back = play.sitting.all_back()
        assert back == play.states, "every state is there, in its order"
        assert back[0] == plain_rater_content(Rating(task="t1", rater=RATER)), "the beginning is the task as it came"
        play.sitting.again()
        assert play.sitting.now == back[0]
        play.sitting.all_back()  # of two equal states no revision says which one it is
        assert play.sitting.all_forth() == back
        assert play.sitting.now == end
    finally:
        play.sitting.close()
        shutil.rmtree(folder.parent)
