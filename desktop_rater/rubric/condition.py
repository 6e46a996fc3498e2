"""A condition of a rubric: names, and what each must be.

A name without a value makes every test false but `{ filled = false }`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.rubric.values import is_number, same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANY = "any"
SOME_CLAIM = "some_claim"
RESERVED = frozenset({ANY, SOME_CLAIM})

_PARTS = frozenset({"min", "max", "filled", "not"})


class Test(Struct, frozen=True, kw_only=True, dict=True):
    """What one name must be: each part that is given must hold."""

    name: str
    like: tuple[Any, ...] | None = None
    unlike: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    filled: bool | None = None

    @property
    def wants_value(self) -> bool:
        """False only for `{ filled = false }`."""
        return self.filled is not False

    @property
    def ranged(self) -> bool:
        """Whether it asks for a range."""
        return self.low is not None or self.high is not None

    @cached_property
    def passes(self) -> Callable[[Any], bool]:
        """Whether a value is what the name must be; `None` is no value.

        Nearly all tests are of a few kinds, and each has a short way: this is the engine's inmost loop.
        """
        if self.like is not None and self == Test(name=self.name, like=self.like):
            return _one_of(self.like, self._passes)
        if self == Test(name=self.name, filled=False):
            return _is_missing
        if self == Test(name=self.name, low=self.low) and self.low is not None:
            return _at_least(self.low, self._passes)
        return self._passes

    def _passes(self, value: Any) -> bool:
        if value is None:
            return self.filled is False and self.like is None and not self.unlike and not self.ranged
        if self.filled is False:
            return False
        parts = value if isinstance(value, list | tuple) else (value,)
        if self.like is not None and not _overlap(parts, self.like):
            return False
        if self.unlike and _overlap(parts, self.unlike):
            return False
        return not self.ranged or all(map(self._in_range, parts))

    def _in_range(self, value: Any) -> bool:
        if not is_number(value):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def _one_of(wanted: tuple[Any, ...], otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    # To Python 1 is `True`, and to a rubric it is not, so each kind is looked for among its own.
    numbers = frozenset(value for value in wanted if is_number(value))
    of_kind = {
        str: frozenset(value for value in wanted if isinstance(value, str)),
        bool: frozenset(value for value in wanted if isinstance(value, bool)),
        int: numbers,
    }

    def passes(value: Any) -> bool:
        known = of_kind.get(type(value))
        if known is not None:
            return value in known
        return value is not None and otherwise(value)

    return passes


def _at_least(low: float, otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def passes(value: Any) -> bool:
        return value >= low if type(value) is int else otherwise(value)

    return passes


def _is_missing(value: Any) -> bool:
    return value is None


def _overlap(parts: tuple[Any, ...] | list[Any], wanted: tuple[Any, ...]) -> bool:
    for part in parts:  # noqa: SIM110 - a generator costs as much again, and this is the engine's inmost loop
        # `in` takes 1 for True, so a hit is looked at again.
        if part in wanted and any(same(part, want) for want in wanted):
            return True
    return False


class Condition(Struct, frozen=True, kw_only=True):
    """All `tests` hold, and one of `alternatives` where there are any, and one claim meets `some_claim` if given."""

    tests: tuple[Test, ...] = ()
    alternatives: tuple[Condition, ...] = ()
    some_claim: Condition | None = None

    def names(self) -> Iterator[str]:
        """Every name that it asks, those asked of a claim included."""
        for test in self.tests:
            yield test.name
        for part in (*self.alternatives, *([self.some_claim] if self.some_claim else [])):
            yield from part.names()


ALWAYS = Condition()


def parse(table: Any) -> Condition:
    """Read a condition's table. Raises `ValueError` saying what is wrong with it."""
    if not isinstance(table, dict):
        raise ValueError(f"a condition is a table, not {table!r}")  # noqa: TRY004 - it is a fault of a file
    tests = tuple(_test(name, want) for name, want in table.items() if name not in RESERVED)
    alternatives: tuple[Condition, ...] = ()
    if ANY in table:
        if not isinstance(table[ANY], list) or not table[ANY]:
            raise ValueError("`any` is a list of conditions")
        alternatives = tuple(map(parse, table[ANY]))
    some_claim = parse(table[SOME_CLAIM]) if SOME_CLAIM in table else None
    return Condition(tests=tests, alternatives=alternatives, some_claim=some_claim)


def _test(name: str, want: Any) -> Test:
    if isinstance(want, dict):
        return _table_test(name, want)
    values = tuple(want) if isinstance(want, list) else (want,)
    if not values:
        raise ValueError(f"`{name}` is to be one of nothing")
    return Test(name=name, like=values)


def _table_test(name: str, want: dict[str, Any]) -> Test:
    strange = sorted(want.keys() - _PARTS)
    if strange or not want:
        raise ValueError(f"`{name}` can be asked for min, max, filled and not; here stands {strange or 'nothing'}")
    for bound in ("min", "max"):
        if bound in want and not is_number(want[bound]):
            raise ValueError(f"`{bound}` of `{name}` is a number, not {want[bound]!r}")
    if "filled" in want and not isinstance(want["filled"], bool):
        raise ValueError(f"`filled` of `{name}` is true or false")
    banned = want.get("not", ())
    return Test(
        name=name,
        low=want.get("min"),
        high=want.get("max"),
        filled=want.get("filled"),
        unlike=tuple(banned) if isinstance(banned, list | tuple) else (banned,),
    )
