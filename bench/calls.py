"""Count the Python calls of one key press: `python -m bench.calls answer|next|previous [TASKS]`.

Counts depend neither on the machine nor on its load. Time spent in Qt and SQLite is not in them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import CodeType, FrameType

    from bench.window_stage import Stage

_ROOT = Path(__file__).resolve().parents[1]
_TASKS = 1_000
_WARM, _TIMES, _SHOWN = 6, 10, 60
_REST = 0.3  # seconds until what follows a key is done too
_KEYS = {"answer": ("Y", "N"), "next": ("Ctrl+PgDown",), "previous": ("Ctrl+PgUp",)}


class CallCounter:
    """Counter of Python calls, on all threads that start after it was made."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self._counting = False
        threading.setprofile(self._count)

    @contextmanager
    def counting(self) -> Generator[None]:
        """Count while the block runs."""
        self._counting = True
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._counting = False

    def _count(self, frame: FrameType, event: str, _argument: Any) -> None:
        if self._counting and event == "call":
            self.calls[frame.f_code] += 1


def count_calls(store: str, key: str) -> dict[str, float]:
    """Press a key several times in a real window, and return the Python calls per key by function and line."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    counter = CallCounter()
    from bench.window_stage import Stage  # noqa: PLC0415 - threads are counted only if they start afterwards

    with Stage(Path(store)) as stage:
        stage.settle()
        keys = [_KEYS[key][number % len(_KEYS[key])] for number in range(_WARM + _TIMES)]
        if key == "previous":
            _press(stage, ["Ctrl+PgDown"] * len(keys))
        _press(stage, keys[:_WARM])
        for pressed in keys[_WARM:]:
            with counter.counting():
                _press(stage, [pressed])
    return {
        f"{code.co_qualname}  {code.co_filename.removeprefix(f'{_ROOT}/')}:{code.co_firstlineno}": count / _TIMES
        for code, count in counter.calls.items()
        if "/bench/" not in code.co_filename
    }


def _press(stage: Stage, keys: list[str]) -> None:
    for key in keys:
        stage.press(key)
        stage.rest(_REST)


def main(key: str, tasks: int) -> None:
    """Print the calls per key by function, the most frequent first."""
    workload = Workload(_ROOT / "build" / "bench", tasks)
    with tempfile.TemporaryDirectory() as folder:
        calls = count_calls(str(shutil.copytree(workload.begun, Path(folder) / "store")), key)
    print(f"{key}: {sum(calls.values()):,.0f} calls of {len(calls)} functions, per key")
    for function, count in sorted(calls.items(), key=lambda pair: -pair[1])[:_SHOWN]:
        print(f"{count:>10,.1f}  {function}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else _TASKS)
