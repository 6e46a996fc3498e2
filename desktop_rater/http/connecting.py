"""A connection to the first of several addresses that answers.

An address that swallows packets must not hold up the others: each next one is tried beside those before (RFC 8305).
"""

from __future__ import annotations

import errno
import os
import selectors
import socket
from collections import deque
from typing import TYPE_CHECKING, cast

from desktop_rater.http.patience import SLICE
from desktop_rater.http.trouble import HttpTrouble, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEAD_START = round(0.25 / SLICE)  # waits that an address has for itself
# EWOULDBLOCK: what Windows says where others say EINPROGRESS.
_UNDER_WAY = frozenset({0, errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EAGAIN})


def connect(addresses: Sequence[str], port: int, waits: Iterable[float]) -> socket.socket:
    """Connect to one of the addresses, which are numbers and not names.

    `waits` is how long to wait, again and again, and raises when it is enough.
    """
    race = _Race(port)
    try:
        return race.run(deque(addresses), waits)
    finally:
        race.close()


class _Race:
    """Connections under way; all but the first that stands are closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pending = selectors.DefaultSelector()
        self._reason = "there is no address"

    def run(self, untried: deque[str], waits: Iterable[float]) -> socket.socket:
        for turn, seconds in enumerate(waits):
            while untried and (turn % _HEAD_START == 0 or not self._pending.get_map()):
                if self._started(untried.popleft()):
                    break
            if not self._pending.get_map():
                break  # all were tried, and each said no
            winner = self._winner(seconds)
            if winner is not None:
                return winner
        raise HttpTrouble("unreachable", self._reason)

    def close(self) -> None:
        for key in list(self._pending.get_map().values()):
            cast("socket.socket", key.fileobj).close()
        self._pending.close()

    def _started(self, address: str) -> bool:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # a system without IPv6
            self._reason = reason_of(error)
            return False
        connection.settimeout(0)
        number = connection.connect_ex((address, self._port))
        if number not in _UNDER_WAY:
            self._lost(connection, number)
            return False
        self._pending.register(connection, selectors.EVENT_WRITE)
        return True

    def _winner(self, seconds: float) -> socket.socket | None:
        for key, _events in self._pending.select(seconds):
            connection = cast("socket.socket", key.fileobj)
            self._pending.unregister(connection)
            number = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if not number:
                return connection
            self._lost(connection, number)
        return None

    def _lost(self, connection: socket.socket, number: int) -> None:
        connection.close()
        self._reason = reason_of(OSError(number, os.strerror(number)))
