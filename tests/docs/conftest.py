"""Commands as a reader of the pages types them, in a folder of the test's own."""

from pathlib import Path

import pytest

from desktop_rater.cli.root import main
from tests.cli.conftest import Answer


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here, capsys):
    """Run a command on the words behind `desktop-rater`."""

    def run(*words: str | Path, status: int | None = None) -> Answer:
        capsys.readouterr()
        ended = main([str(word) for word in words])
        said = capsys.readouterr()
        assert status in {None, ended}, (ended, said)
        return Answer(ended, said.out, said.err)

    return run
