"""A connection to the first of several addresses that accepts one.

An address that drops packets must not delay the others: the next one is tried in parallel (RFC 8305).
"""

import errno
import os
import selectors
import socket
from collections import deque
from collections.abc import Iterable, Sequence
from typing import cast

from desktop_rater.http.deadline import WAIT_SLICE
from desktop_rater.http.errors import HttpError, os_error_reason

_HEAD_START = round(0.25 / WAIT_SLICE)  # waits before the next address is tried too
# EWOULDBLOCK is Windows' EINPROGRESS.
_UNDER_WAY = frozenset({0, errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EAGAIN})


def connect_first(addresses: Sequence[str], port: int, waits: Iterable[float]) -> socket.socket:
    """Connect to one of `addresses`, which are numeric.

    `waits` yields how long to wait each time, and raises when the time is over.
    """
    race = _Race(port)
    try:
        return race.run(deque(addresses), waits)
    finally:
        race.close()


class _Race:
    """Connection attempts in progress; all but the first that succeeds are closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pending = selectors.DefaultSelector()
        self._reason = "the host has no address"

    def run(self, untried: deque[str], waits: Iterable[float]) -> socket.socket:
        for turn, seconds in enumerate(waits):
            while untried and (turn % _HEAD_START == 0 or not self._pending.get_map()):
                if self._start(untried.popleft()):
                    break
            if not self._pending.get_map():
                break  # all were tried and failed
            winner = self._first_connected(seconds)
            if winner is not None:
                return winner
        raise HttpError("unreachable", self._reason)

    def close(self) -> None:
        for key in list(self._pending.get_map().values()):
            cast("socket.socket", key.fileobj).close()
        self._pending.close()

    def _start(self, address: str) -> bool:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # a system without IPv6
            self._reason = os_error_reason(error)
            return False
        connection.settimeout(0)
        number = connection.connect_ex((address, self._port))
        if number not in _UNDER_WAY:
            self._fail(connection, number)
            return False
        self._pending.register(connection, selectors.EVENT_WRITE)
        return True

    def _first_connected(self, seconds: float) -> socket.socket | None:
        for key, _events in self._pending.select(seconds):
            connection = cast("socket.socket", key.fileobj)
            self._pending.unregister(connection)
            number = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if not number:
                return connection
            self._fail(connection, number)
        return None

    def _fail(self, connection: socket.socket, number: int) -> None:
        connection.close()
        self._reason = os_error_reason(OSError(number, os.strerror(number)))
