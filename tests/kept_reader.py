"""Reading of pages in a child that is kept from one test to the next."""

import time
from typing import ClassVar

from desktop_rater.pages.page_reader import PageReader, ReaderProcess


class KeptReader(PageReader):
    """Takes over the idle child of a reader that was closed, and leaves its own: to start one takes a second."""

    idle: ClassVar[dict[tuple[str, ...], ReaderProcess]] = {}  # by their commands

    def close(self) -> None:
        if not self._turn_lock.acquire(blocking=False):
            super().close()  # it is reading a page
            return
        try:
            child, self._process = self._process, None
        finally:
            self._turn_lock.release()
        if child is not None and (not child.is_alive or self.idle.setdefault(tuple(self._command), child) is not child):
            child.kill()

    def _started(self) -> ReaderProcess:
        if self._process is None:
            self._process = self.idle.pop(tuple(self._command), None)
            if self._process is not None:
                self._process._ready_deadline = time.monotonic() + self._limits.start_seconds
        return super()._started()

    @classmethod
    def end_idle(cls) -> None:
        while cls.idle:
            cls.idle.popitem()[1].kill()
