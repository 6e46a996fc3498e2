"""What values a name can have: which ones a question offers, and whether a set of tests can hold at once."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.rubric.values import is_number, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric.condition import Test


class _Values(Struct, frozen=True):
    """`always` says that the name has one of these values in every rating.

    Each kind says what it `offers` as a whole answer, and gives `witnesses`: values enough that, if any value passes
    some tests, one of these does.
    """

    always: bool = False


class Truth(_Values, frozen=True):
    """True or false."""

    def offers(self, value: Any) -> bool:
        return isinstance(value, bool)

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        del tests
        return True, False


class OneOf(_Values, frozen=True):
    """One of a list."""

    values: tuple[Any, ...] = ()

    def offers(self, value: Any) -> bool:
        if type(value) is str:
            return value in self.values
        return any(same(value, offered) for offered in self.values)

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        del tests
        return self.values


class SomeOf(_Values, frozen=True):
    """Several of a list of ids; the value is a list without repetition."""

    values: tuple[str, ...] = ()

    def offers(self, value: Any) -> bool:
        if not isinstance(value, list | tuple) or not value:
            return False
        return all(map(self.knows, value)) and len({str(part) for part in value}) == len(value)

    def knows(self, value: Any) -> bool:
        """Whether `value` can be one of them."""
        return isinstance(value, str) and value in self.values

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        banned = {value for test in tests for value in test.unlike if isinstance(value, str)}
        rest = [value for value in self.values if value not in banned]
        return [rest] if rest else []


class Steps(_Values, frozen=True):
    """A scale."""

    low: float = 0
    high: float = 0
    step: float = 1

    def offers(self, value: Any) -> bool:
        if not is_number(value) or not self.low <= value <= self.high:
            return False
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        del tests
        return self.all()

    def all(self) -> list[float]:
        """Every step from low to high; whole ones as whole numbers. Three tenths are 0.3, as anybody writes them."""
        count = math.floor((self.high - self.low) / self.step + 1e-9)
        low, step = (Fraction(repr(one)) for one in (self.low, self.step))
        steps = [float(low + index * step) for index in range(count + 1)]
        return [int(step) if float(step).is_integer() else step for step in steps]


class Amount(_Values, frozen=True):
    """A number, whole where `whole` is set."""

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False

    def offers(self, value: Any) -> bool:
        return is_number(value) and self.low <= value <= self.high and (not self.whole or float(value).is_integer())

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        mentioned: list[Any] = [self.low, self.high, 0]
        for test in tests:
            mentioned += [test.low, test.high, *(test.like or ()), *test.unlike]
        marks: set[float] = {value for value in mentioned if is_number(value)}
        ordered = sorted(marks)
        between = [(one + other) / 2 for one, other in itertools.pairwise(ordered)]
        near = [change(mark) for mark in ordered for change in (math.floor, math.ceil)]
        around = [mark + change for mark in (*ordered, *near) for change in (-1, 1)]
        return [value for value in (*ordered, *near, *between, *around) if self.offers(value)]


class Text(_Values, frozen=True):
    """Words; white space alone is no value."""

    def offers(self, value: Any) -> bool:
        return isinstance(value, str) and bool(value.strip())

    def witnesses(self, tests: Iterable[Test]) -> Sequence[Any]:
        listed = [value for test in tests for value in test.like or ()]
        return [*listed, "\N{REPLACEMENT CHARACTER}" + "".join(map(str, listed))]


Domain = Truth | OneOf | SomeOf | Steps | Amount | Text

COUNT = Amount(always=True, low=0, whole=True)
TRUTH = Truth(always=True)
TEXT = Text()


def domain_of(question: Question) -> Domain:
    """The values that a question offers."""
    match question.kind:
        case "choice":
            return OneOf(values=tuple(choice.id for choice in question.choices))
        case "choices":
            return SomeOf(values=tuple(choice.id for choice in question.choices))
        case "scale":
            return Steps(low=question.min or 0, high=question.max or 0, step=question.step or 1)
        case "number":
            low = -math.inf if question.min is None else question.min
            return Amount(low=low, high=math.inf if question.max is None else question.max)
    return TEXT
