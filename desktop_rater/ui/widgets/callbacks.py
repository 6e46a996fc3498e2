"""Callbacks that wait for a pause, as in typing, and callbacks of requests of which only the last one counts."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, SignalInstance

MAX_DELAY_MS = 2_000


class DelayedCall(QTimer):
    """Calls a function after a delay. Each start postpones the call, but never beyond `limit` after the first start.

    Every part that waits for a pause uses this class instead of a single-shot timer, which somebody who types on
    without a pause would postpone for ever. Without a `limit` the call can wait as long as it is postponed.
    """

    def __init__(
        self,
        parent: QObject,
        delay: int,
        call: Callable[[], object] | SignalInstance,
        *,
        limit: int | None = MAX_DELAY_MS,
    ) -> None:
        super().__init__(parent, singleShot=True, interval=delay)
        self._limit = limit
        self._waiting = QElapsedTimer()
        self.timeout.connect(call)

    def start(self) -> None:  # ty: ignore[incompatible-method-override] - the delay is given once
        """Start or postpone the call. If that would exceed the limit, the call stays due when it is."""
        if not self.isActive():
            self._waiting.start()
        elif self._limit is not None and self._waiting.elapsed() + self.interval() > self._limit:
            return
        super().start()


class LatestRequest:
    """Makes the callbacks of earlier requests do nothing once `replace` was called."""

    def __init__(self) -> None:
        self._number = 0

    def replace(self) -> None:
        """Begin another request, or cancel the current one."""
        self._number += 1

    def only(self, callback: Callable[..., object]) -> Callable[..., None]:
        """Return the callback of the current request; it does nothing after the next `replace`."""
        number = self._number

        def call(*args: object) -> None:
            if number == self._number:
                callback(*args)

        return call
