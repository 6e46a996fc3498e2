"""Which results follow which, by what they name: over long chains too, and over circles, which nobody should make."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from desktop_rater.audit.filed import Received


class Following:
    """The results of one bundle by their SHA-256. Nobody's results follow another rater's."""

    def __init__(self, received: Iterable[Received]) -> None:
        zips = {one.sha256: one for one in received}
        self._before = {name: _named(one, zips) for name, one in zips.items()}
        self._after: dict[str, list[str]] = defaultdict(list)
        for name, before in self._before.items():
            for one in before:
                self._after[one].append(name)
        self._depths: dict[str, int] = {}

    def before(self, names: Iterable[str]) -> set[str]:
        """All that any of these follow, as far as they are here."""
        return _reached(names, self._before)

    def after(self, names: Iterable[str]) -> set[str]:
        """All that follow any of these."""
        return _reached(names, self._after)

    def depth(self, name: str) -> int:
        """How many steps lead to results at most: more than to any that they follow."""
        waiting = [name]
        met: set[str] = set()
        while waiting:
            step = waiting[-1]
            before = [one for one in self._before.get(step, ()) if one not in self._depths and one not in met]
            met.add(step)
            if before:
                waiting += before
                continue
            waiting.pop()
            self._depths[step] = 1 + max((self._depths.get(one, 0) for one in self._before.get(step, ())), default=0)
        return self._depths[name]


def _named(one: Received, zips: Mapping[str, Received]) -> tuple[str, ...]:
    named = dict.fromkeys(name for name in (one.supersedes, one.sent_back_from) if name is not None)
    return tuple(name for name in named if name in zips and zips[name].rater == one.rater)


def _reached(names: Iterable[str], steps: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        for one in steps.get(waiting.pop(), ()):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
