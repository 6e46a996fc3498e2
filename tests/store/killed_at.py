"""Kills a piece of work at its n-th step: each time that it opens, renames, removes or makes a file.

Run as a program it loads everything once, then forks for each line "<piece of work> <step> <folder>" that it reads,
and writes how the child ended.
"""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.store.backup import back_up, find_backup, restore_backup
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.sqlite_tools import Database

STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def noon():
    return datetime(2026, 11, 20, 12, tzinfo=UTC)


@contextmanager
def killer():
    """Gives a function (piece of work, step, folder) → how the process ended; −9 where that step was there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.store.killed_at"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as forker:
        assert forker.stdin is not None
        assert forker.stdout is not None
        ask, answer = forker.stdin, forker.stdout

        def run(work, step, folder):
            ask.write(f"{work} {step} {folder}\n")
            ask.flush()
            return int(answer.readline())

        yield run
        ask.close()


def kill_at(step):
    left = [step]

    def count(event, _arguments):
        if event in STEPS:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)  # for good, which in this process is not long


def do_back_up(step, folder):
    store = open_writer(folder, command="backup")
    kill_at(step)
    back_up(store, now=noon, progress=Progress())


def do_restore(step, folder):
    kill_at(step)
    restore_backup(folder, find_backup(folder, "00001"), command="restore", now=noon, progress=Progress())


def do_bring_up_to_date(step, folder):
    count_statements()
    kill_at(step)
    open_writer(folder, command="the window").close()


def do_open_results(step, folder):
    store = open_writer(folder, command="audit open")
    count_statements()
    kill_at(step)
    import_results(store, [folder.parent / "inbox"], lead="lee", now=noon(), progress=Progress())


def count_statements():
    execute = Database.execute

    def counted(self, sql, *parameters):
        sys.audit("open", sql, "", 0)  # a statement is a step too
        return execute(self, sql, *parameters)

    Database.execute = counted


WORK = {
    "back_up": do_back_up,
    "restore": do_restore,
    "bring_up_to_date": do_bring_up_to_date,
    "open_results": do_open_results,
}


def main():
    for line in sys.stdin:
        work, step, folder = line.rstrip("\n").split(" ", 2)
        child = os.fork()
        if not child:
            WORK[work](int(step), Path(folder))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
