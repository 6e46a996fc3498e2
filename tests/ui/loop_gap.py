"""How long the window did not answer: the gaps of Qt's event loop, beside those of an idle loop at the same time.

On a busy machine an idle loop has gaps too, since the system runs something else meanwhile. So a second process does
nothing but beat, and what is said of the window is how much its worst gap was worse than that one's. It is another
process and not another thread: what holds Python's lock in ours stops every thread of ours, and is the window's fault.

A loop that has work to do also waits in the queue for a processor, longer than one that sleeps. Linux says how long;
that is no gap of the window either.
"""

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer

BEAT_MS = 5
WORTH_TELLING = 0.010
PAGE_SIZE = 4096


class Heart(QObject):
    """Beats in the event loop, and tells of each gap that is worth it: when it ended, and how long it was.

    Without the time in which its thread was ready to go on and the system ran others.
    """

    def __init__(self, tell: Callable[[float, float], None]) -> None:
        super().__init__()
        self._tell = tell
        self._last, self._queued = time.monotonic(), queued()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.beat)
        self._timer.start(BEAT_MS)

    def beat(self) -> None:
        now, waited = time.monotonic(), queued()
        gap = now - self._last - (waited - self._queued)
        if gap > WORTH_TELLING:
            self._tell(now, gap)
        self._last, self._queued = now, waited

    def stop(self) -> None:
        self.beat()  # what lies between the last beat and now is a gap too
        self._timer.stop()


class IdleLoop:
    """A process whose event loop has nothing to do but to beat."""

    def __enter__(self) -> Self:
        self._file = tempfile.TemporaryFile("w+")
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen([sys.executable, "-m", "tests.ui.loop_gap"], stdout=self._file, cwd=root)
        while not self._lines():  # its first word says that it beats
            time.sleep(BEAT_MS / 1000)
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.wait()
        self._file.close()

    def longest(self, start: float, end: float) -> float:
        """Its longest gap of those that touch that time."""
        gaps = (tuple(map(float, line.split())) for line in self._lines()[1:])
        return max((length for ended, length in gaps if ended >= start and ended - length <= end), default=0.0)

    def _lines(self) -> list[str]:
        """The lines that are whole."""
        self._file.seek(0)
        return self._file.read().split("\n")[:-1]


class Watched:
    """How the loop of this process did while the block ran."""

    def __init__(self, idle: IdleLoop) -> None:
        self._idle = idle
        self.longest = 0.0
        self.beyond = 0.0

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        self._heart = Heart(self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        self._heart.stop()
        time.sleep(2 * BEAT_MS / 1000)  # so that the idle loop has told of a gap that it has now
        self.beyond = self.longest - self._idle.longest(self._start, time.monotonic())

    def _note(self, _ended: float, length: float) -> None:
        self.longest = max(self.longest, length)


def queued() -> float:
    """For how many seconds this thread has waited for a processor so far; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text("ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def resident() -> int:
    """The memory that this process has now, in bytes; what is only garbage is collected first."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGE_SIZE


def main() -> None:
    """Beat until killed."""
    app = QCoreApplication(sys.argv[:1])
    heart = Heart(lambda ended, length: _say(f"{ended} {length}"))
    _say("beating")
    app.exec()
    heart.stop()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
