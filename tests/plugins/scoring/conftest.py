"""A lead's commands and window, with a server that answers as a model does."""

import shutil

import pytest

from tests.plugins.scoring.scorings import KEY, OLD, SOURCE, open_scored, reads
from tests.plugins.scoring.stub import Stub


@pytest.fixture
def opened(run, tmp_path):
    return open_scored(run, tmp_path)


@pytest.fixture
def window(rooms, made, tmp_path):
    """A lead's window on a copy of the store that the module has made."""
    shutil.copytree(made, tmp_path / "store")
    return rooms.empty()


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_LLM_KEY", KEY)
    with Stub(reads) as server:
        quotes = [{"point": SOURCE, "quotes": [SOURCE]}, {"point": OLD, "quotes": [OLD]}]
        server.summary = {"topics": [{"topic": "grounds", "points": quotes}]}
        yield server
