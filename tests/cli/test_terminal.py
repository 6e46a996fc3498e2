"""On a terminal a long command shows how far it is; in a pipe it keeps quiet."""

import os
import subprocess
import sys

import pytest

from tests.operations.bundles import make, task

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")


def test_an_import_shows_its_progress_on_a_terminal_only(tmp_path):
    path = make(tmp_path / "b.zip", (task(f"t-{number}") for number in range(300)))
    command = [sys.executable, "-m", "desktop_rater", "--store", str(tmp_path / "store"), "import", str(path)]
    reader, terminal = pty.openpty()
    done = subprocess.run(command, stderr=terminal, stdout=subprocess.PIPE, check=True)
    os.close(terminal)
    shown = os.read(reader, 100_000).decode()
    os.close(reader)
    assert "\rb.zip 300 of 300 100%" in shown
    assert b"\r" not in done.stdout
    again = subprocess.run(command, capture_output=True, check=True)
    assert again.stderr == b""
