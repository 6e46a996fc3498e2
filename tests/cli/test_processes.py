"""The commands as processes: signals, streams, a store that is taken, what is loaded."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operations.bundles import make, task, write_lines

SAMPLE = "sample-factuality"


def child(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "desktop_rater", *map(str, arguments)]


@pytest.mark.posix("a shell of POSIX closes the streams")
@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-", "| true"])
def test_streams_that_are_closed_are_no_fault(tmp_path, closing):
    words = " ".join(child("--store", tmp_path, "status"))
    done = subprocess.run(
        ["bash", "-c", f"{words} {closing}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


def without_console(*arguments: str | Path) -> list[str]:
    if sys.platform == "win32":
        return [sys.executable.replace("python.exe", "pythonw.exe"), *child(*arguments)[1:]]
    return ["sh", "-c", 'exec "$@" 2>&-', "sh", *child(*arguments)]


def test_a_program_without_a_console_imports_rates_and_opens_its_window(tmp_path):
    done = subprocess.run(without_console("--store", tmp_path, "self-test"), stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout.count(b"FAILED")) == (0, 0)


@pytest.mark.posix("Windows shows why in a dialog, which waits for somebody to close it")
def test_a_program_without_a_console_refuses_without_a_crash(tmp_path):
    refused = ["--store", tmp_path, tmp_path / "missing.rater"], ["backup", "--out", "/dev/fd/2"]
    for words in refused:
        done = subprocess.run(without_console(*words), stdout=subprocess.PIPE, check=False)
        assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.posix("Windows has no signals to send to a process")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_command_that_is_ended_by_a_signal_leaves_nothing_behind(tmp_path, name):
    lines = write_lines(tmp_path / "t.jsonl", (task(f"t-{number}", *["A sentence."] * 30) for number in range(6000)))
    with subprocess.Popen(child("bundle", "make", "--out", tmp_path / "b.zip", lines), stderr=subprocess.PIPE) as made:
        while not list(tmp_path.glob(".*.part")) and made.poll() is None:
            os.sched_yield()
        made.send_signal(signal.Signals[name])
        _, err = made.communicate(timeout=60)
    assert b"Traceback" not in err
    assert list(tmp_path.glob(".*.part")) == []


HALF_MADE = """
import os, sys, zipfile
from desktop_rater.cli.root import main

def interrupted(self, *arguments, **named):
    self.fp, self.mode = open(os.devnull, "wb"), "w"
    raise KeyboardInterrupt

zipfile.ZipFile.__init__ = interrupted
sys.exit(main(sys.argv[1:]))
"""


def test_an_interrupt_while_a_zip_is_being_opened_shows_no_traceback(tmp_path):
    lines = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    words = [sys.executable, "-c", HALF_MADE, "bundle", "make", "--out", str(tmp_path / "b.zip"), str(lines)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "\nInterrupted.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a display")
def test_without_a_display_the_window_says_so(tmp_path):
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(child("--store", tmp_path), env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no display" in done.stderr


def test_a_second_writer_is_told_who_has_the_store_and_readers_are_let_in(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    script = (
        "import sys; from pathlib import Path; from desktop_rater.store.open_store import open_writer\n"
        "store = open_writer(Path(sys.argv[1]), command='the window'); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"open"
        answer = run("import", tmp_path / "b.zip", status=2)
        assert "the window" in answer.err
        assert str(holder.pid) in answer.err
        assert run("status", "--json").json["bundles"][0]["tasks"] == 1
        assert run("doctor").status == 0
        holder.kill()
    assert run("import", tmp_path / "b.zip").status == 0


def test_status_loads_no_qt(tmp_path):
    script = (
        "import sys; from desktop_rater.cli.root import main\n"
        f"main(['--store', {str(tmp_path)!r}, 'status'])\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('PySide6', 'shiboken6')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.posix("Windows has no signals to send to a process")
def test_ctrl_c_stops_an_import_cleanly(run, tmp_path):
    path = make(
        tmp_path / "b.zip", (task(f"t-{number}", *["A sentence of some length."] * 20) for number in range(4000))
    )
    with subprocess.Popen(child("--store", tmp_path / "store", "import", path), stderr=subprocess.PIPE) as importing:
        while not (tmp_path / "store" / "store.sqlite3").exists():
            assert importing.poll() is None
        importing.send_signal(signal.SIGINT)
        _, err = importing.communicate(timeout=60)
    assert importing.returncode == 130
    assert b"Traceback" not in err
    assert run("status", "--json").json == {"bundles": []}
    assert run("import", path).status == 0


@pytest.mark.posix("the shell of Windows has no `head`")
def test_a_reader_of_the_output_that_goes_away_is_no_fault(tmp_path):
    done = subprocess.run(
        f"{' '.join(child('schema', 'rubric'))} | head -c 1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout == "{"
