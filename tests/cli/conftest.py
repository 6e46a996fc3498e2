"""Commands as scripts run them, in this process; where a process of its own matters a test starts one."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.cli.root import main
from tests.audit.results import Desk


class Answer:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def all(self) -> str:
        """As it stands on a terminal, with what is printed last at the end."""
        return self.out + self.err


@pytest.fixture
def run(capsys, tmp_path):
    """Run a command on a store of the test's own."""

    def run(*arguments: str | Path, status: int | None = None) -> Answer:
        capsys.readouterr()
        ended = main(["--store", str(tmp_path / "store"), *map(str, arguments)])
        said = capsys.readouterr()
        assert status in {None, ended}, (ended, said)
        return Answer(ended, said.out, said.err)

    return run


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "desk").mkdir()
    return Desk(tmp_path / "desk")
