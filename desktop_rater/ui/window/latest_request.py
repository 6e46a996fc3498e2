"""Callbacks of requests of which only the last one counts."""

from collections.abc import Callable


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
