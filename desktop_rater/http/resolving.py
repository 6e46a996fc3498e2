"""Look-ups of names, in threads of their own: the system's resolver can hang for minutes, and nothing can stop it."""

from __future__ import annotations

import socket
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Resolve = Callable[..., list[Any]]


MOST_AT_ONCE = 64  # threads that hang: each costs some memory, and they end by themselves


class LookUps:
    """Asks `resolve`, which takes and returns what `socket.getaddrinfo` does."""

    def __init__(self, resolve: Resolve, most: int = MOST_AT_ONCE) -> None:
        self._resolve = resolve
        self._free = BoundedSemaphore(most)

    def addresses(self, host: str, port: int, waits: Iterable[float]) -> list[str]:
        """All addresses of a host, each once, in the order in which they came. Raises what `waits` or `resolve` do.

        Whoever stops waiting leaves the thread behind.
        """
        answers: SimpleQueue[list[Any] | Exception] = SimpleQueue()
        started = False
        for seconds in waits:
            if not started:
                started = self._free.acquire(timeout=seconds)
                if started:
                    Thread(target=self._ask, args=(host, port, answers), name="look-up", daemon=True).start()
                continue
            try:
                answer = answers.get(timeout=seconds)
            except Empty:
                continue
            if isinstance(answer, Exception):
                raise answer
            return list(dict.fromkeys(entry[4][0] for entry in answer))
        raise AssertionError("whoever waits ends by raising")

    def _ask(self, host: str, port: int, answers: SimpleQueue[list[Any] | Exception]) -> None:
        try:
            answers.put(self._resolve(host, port, type=socket.SOCK_STREAM))
        except Exception as error:  # noqa: BLE001 - raised again where somebody waits for it
            answers.put(error)
        finally:
            self._free.release()
