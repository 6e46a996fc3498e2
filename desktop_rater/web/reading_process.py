"""One child process that reads pages: asked over pipes, killed when it is late or not wanted any more."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.web.reading import READY, Ask, Reading, received, send

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# A hidden word of the packaged program, which has no `-m`.
READ_PAGES = "read-pages"
# What Python and the loader need; nothing that a page could be curious about.
_KEPT = (
    "PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL",
    "TZ", "HOME", "APPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "TMPDIR",
)  # fmt: skip
_SLICE = 0.05


class ReadingEnded(Exception):
    """The child ended, or had to be ended, without an answer; `late` where its time was over."""

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late


def child_command(memory: int) -> list[str]:
    """How this program starts its child."""
    if getattr(sys, "frozen", False):
        return [sys.executable, READ_PAGES, str(memory)]
    # -P: a module that lies in the folder where the user happens to be is not loaded.
    return [sys.executable, "-P", "-X", "utf8", "-m", "desktop_rater.web.child", str(memory)]


class ReadingProcess:
    """A child and its pipes. One question at a time; after `kill` no more."""

    def __init__(self, command: Sequence[str], start_seconds: float) -> None:
        self._ready = threading.Event()
        self._ready_by = time.monotonic() + start_seconds
        flags = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            creationflags=flags,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, ask: Ask, look: Callable[[], None]) -> Reading:
        """What the child reads. `look` is called every 50 ms and may raise; the child is dead then.

        The time of `ask` begins when the child has started. Raises ReadingEnded.
        """
        answer = _Answer()
        thread = threading.Thread(target=self._exchange, args=(ask, answer), name="reading", daemon=True)
        thread.start()
        end = None
        try:
            while not answer.came.wait(_SLICE):
                look()
                now = time.monotonic()
                if end is None and self._ready.is_set():
                    end = now + ask.seconds
                if now >= (self._ready_by if end is None else end):
                    raise ReadingEnded(late=end is not None)
        except BaseException:
            self.kill()
            raise
        if answer.reading is None:
            self.kill()
            raise ReadingEnded(late=False)
        if answer.reading.spent:
            self.kill()
        return answer.reading

    def kill(self) -> None:
        """End the child at once; its pipes close."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # What was not sent any more makes closing fail.
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _exchange(self, ask: Ask, answer: _Answer) -> None:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None, "it was started with pipes"
        assert answers is not None, "it was started with pipes"
        try:
            if not self._ready.is_set() and received(answers) != READY:
                raise ValueError("no child of ours")
            self._ready.set()
            send(asked, ask)
            answer.reading = msgspec.msgpack.decode(received(answers), type=ready(Reading))
        except (OSError, ValueError, msgspec.DecodeError):
            # The pipe of a child that was killed, or died; or bytes that are no reading.
            answer.reading = None
        finally:
            answer.came.set()


class _Answer:
    """What the thread hands over."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.reading: Reading | None = None
