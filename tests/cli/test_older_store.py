"""Commands on a store of an older version: looking leaves it alone, writing says on a terminal what is done first."""

import os
import subprocess

import pytest

from desktop_rater.store import schema
from desktop_rater.store.connection import stored_version
from tests.cli.test_processes import child
from tests.operations.bundles import make, task
from tests.store.older import lay


@pytest.fixture
def old(tmp_path):
    return lay(tmp_path / "store" / "store.sqlite3", 4)


@pytest.mark.parametrize(
    ("command", "answer"), [("status", "kelp revision 1, kelp: 2 tasks, 2 complete"), ("doctor", "sound")]
)
def test_looking_needs_no_writing(old, command, answer):
    before = (old / "store.sqlite3").read_bytes()
    done = subprocess.run(child("--store", old, command), capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert answer in done.stdout
    assert (old / "store.sqlite3").read_bytes() == before


def test_a_terminal_is_told_what_is_done_and_a_file_is_not(old, tmp_path):
    bundle = make(tmp_path / "moss.zip", [task("m-1")])
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
    mine, theirs = pty.openpty()
    done = subprocess.run(child("--store", old, "import", bundle), stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    said = os.read(mine, 100_000).decode()
    os.close(mine)
    assert done.returncode == 0
    assert said.index("Checking its backups …") < said.index("Updating the store …")
    assert b"Bringing" not in done.stdout
    assert stored_version(old / "store.sqlite3") == schema.schema_version()


def test_without_a_terminal_nothing_is_said_of_it(old, tmp_path):
    bundle = make(tmp_path / "moss.zip", [task("m-1")])
    done = subprocess.run(child("--store", old, "import", bundle), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
