"""Conditions of a rubric: names, tests on their values, and the domains of values that names have."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from desktop_rater.format.rubric import Question, Scope
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import MAX_ROWS, AnswerRow
from desktop_rater.text.untrusted import is_blank


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; `True` and `False` are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def same_value(value: Any, other: Any) -> bool:
    """Return whether two values are equal as in JSON: 1 equals 1.0, but neither equals `True`."""
    return isinstance(value, bool) is isinstance(other, bool) and value == other


ANY = "any"
# Keys of a condition that look inwards, from a task, a response or a target: the scope, and whether all must meet it.
LOOKS: dict[str, tuple[Scope, bool]] = {
    "some_claim": ("claim", False),
    "some_target": ("target", False),
    "every_target": ("target", True),
    "some_response": ("response", False),
    "every_response": ("response", True),
}
SHARES: dict[str, Scope] = {"share_of_targets": "target", "share_of_responses": "response"}
RESERVED = frozenset({ANY, *LOOKS, *SHARES})

_PARTS = frozenset({"min", "max", "filled", "not", "share"})


class ConditionTest(Struct, frozen=True, kw_only=True, dict=True):
    """Tests of one name: each part that is given must hold. `share`: the range is that of the rows with this choice."""

    name: str
    like: tuple[Any, ...] | None = None
    unlike: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    filled: bool | None = None
    share: str | None = None

    @property
    def wants_value(self) -> bool:
        """Return whether a value is needed; false only for `{ filled = false }`."""
        return self.filled is not False

    @property
    def ranged(self) -> bool:
        return self.low is not None or self.high is not None

    @cached_property
    def passes(self) -> Callable[[Any], bool]:
        """Return the function that tests a value; `None` is no value.

        Nearly all tests are of a few kinds, which have short cuts: this is the innermost loop of the engine.
        """
        if self.like is not None and self == ConditionTest(name=self.name, like=self.like):
            return _one_of(self.like, self._passes)
        if self == ConditionTest(name=self.name, filled=False):
            return lambda value: value is None
        if self == ConditionTest(name=self.name, low=self.low) and self.low is not None:
            return _at_least(self.low, self._passes)
        return self._passes

    @cached_property
    def _texts(self) -> tuple[frozenset[Any], frozenset[Any]]:
        """Return the texts of `like` and `unlike`: nearly all values are texts, and a rubric may list thousands."""
        return _texts_in(self.like or ()), _texts_in(self.unlike)

    def _passes(self, value: Any) -> bool:
        if value is None:
            return self.filled is False and self.like is None and not self.unlike and not self.ranged
        if self.filled is False:
            return False
        if self.share is not None:
            value = share_of_rows(value, self.share)
        parts = value if isinstance(value, list | tuple) else (value,)
        if self.like is not None and not _overlap(parts, self.like, self._texts[0]):
            return False
        if self.unlike and _overlap(parts, self.unlike, self._texts[1]):
            return False
        return not self.ranged or all(map(self._in_range, parts))

    def _in_range(self, value: Any) -> bool:
        if not is_number(value):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def _one_of(wanted: tuple[Any, ...], otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    # 1 == True in Python but not in a rubric, so each type has a set of its own.
    numbers = frozenset(value for value in wanted if is_number(value))
    of_kind = {
        str: frozenset(value for value in wanted if isinstance(value, str)),
        bool: frozenset(value for value in wanted if isinstance(value, bool)),
        int: numbers,
    }

    def passes(value: Any) -> bool:
        allowed = of_kind.get(type(value))
        if allowed is not None:
            return value in allowed
        return value is not None and otherwise(value)

    return passes


def _at_least(low: float, otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def passes(value: Any) -> bool:
        kind = type(value)
        if kind is float:
            return low <= value < math.inf
        return value >= low if kind is int else otherwise(value)

    return passes


def _texts_in(values: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(value for value in values if isinstance(value, str))


def _overlap(parts: tuple[Any, ...] | list[Any], wanted: tuple[Any, ...], texts: frozenset[Any]) -> bool:
    for part in parts:
        if isinstance(part, str):
            if part in texts:
                return True
        # `in` takes 1 for True, so a hit is checked again.
        elif part in wanted and any(same_value(part, want) for want in wanted):
            return True
    return False


class InwardLook(Struct, frozen=True, kw_only=True):
    """A condition on each object of a scope further in: one of them meets it, or `every` one, also where none is.

    With `share`, the share of those that meet it passes this test instead.
    """

    key: str
    scope: Scope
    every: bool
    condition: "Condition"
    share: ConditionTest | None = None


class Condition(Struct, frozen=True, kw_only=True, dict=True):
    """All `tests` hold, one of `alternatives` if there are any, and all `looks` inwards."""

    tests: tuple[ConditionTest, ...] = ()
    alternatives: "tuple[Condition, ...]" = ()
    looks: tuple[InwardLook, ...] = ()

    @cached_property
    def size(self) -> int:
        """Return the number of tests, without those of looks inwards."""
        return len(self.tests) + sum(part.size for part in self.alternatives)

    def all_parts(self) -> "Iterator[Condition]":
        """Yield the condition and those in it."""
        yield self
        for part in (*self.alternatives, *(look.condition for look in self.looks)):
            yield from part.all_parts()

    def all_tests(self) -> Iterator[ConditionTest]:
        return (test for part in self.all_parts() for test in part.tests)

    def names(self) -> Iterator[str]:
        return (test.name for test in self.all_tests())

    def names_read(self, known: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names that an evaluation may read: it goes in order, and ends where `known` values decide it."""
        for test in self.tests:
            yield test.name
            if test.name in known and not test.passes(known[test.name]):
                return
        for part in self.alternatives:
            yield from part.names_read(known)
            simple = not part.alternatives and not part.looks
            if simple and all(test.name in known and test.passes(known[test.name]) for test in part.tests):
                break
        for look in self.looks:
            yield from look.condition.names()


ALWAYS = Condition()


def parse_condition(table: Any) -> Condition:
    """Parse a condition's table. Raises `ValueError` with the reason if it is invalid."""
    if not isinstance(table, dict):
        raise ValueError(f"a condition is a table, not {table!r}")  # noqa: TRY004 - a fault of a file, not of the caller
    tests = tuple(_test(name, want) for name, want in table.items() if name not in RESERVED)
    alternatives: tuple[Condition, ...] = ()
    if ANY in table:
        if not isinstance(table[ANY], list) or not table[ANY]:
            raise ValueError("`any` is a list of conditions")
        alternatives = tuple(map(parse_condition, table[ANY]))
    looks = tuple(
        InwardLook(key=key, scope=scope, every=every, condition=parse_condition(table[key]))
        for key, (scope, every) in LOOKS.items()
        if key in table
    )
    looks += tuple(_share_look(key, scope, table[key]) for key, scope in SHARES.items() if key in table)
    return Condition(tests=tests, alternatives=alternatives, looks=looks)


def _share_look(key: str, scope: Scope, table: Any) -> InwardLook:
    if not isinstance(table, dict) or "of" not in table or not {"min", "max"} & table.keys():
        raise ValueError(f"`{key}` is a table with `of`, a condition, and `min` or `max`")
    share = _table_test(key, {name: want for name, want in table.items() if name != "of"})
    _check_share(share)
    return InwardLook(key=key, scope=scope, every=False, condition=parse_condition(table["of"]), share=share)


def _check_share(test: ConditionTest) -> None:
    low, high = test.low if test.low is not None else 0, test.high if test.high is not None else 1
    only_range = test == ConditionTest(name=test.name, low=test.low, high=test.high, share=test.share)
    if not (only_range and test.ranged and 0 <= low <= high <= 1):
        raise ValueError(f"a share of `{test.name}` has only a `min` and a `max`, from 0 to 1")


def _test(name: str, want: Any) -> ConditionTest:
    if isinstance(want, dict):
        return _table_test(name, want)
    values = tuple(want) if isinstance(want, list) else (want,)
    if not values:
        raise ValueError(f"`{name}` has an empty list of values")
    return ConditionTest(name=name, like=values)


def _table_test(name: str, want: dict[str, Any]) -> ConditionTest:
    unknown = sorted(want.keys() - _PARTS)
    if unknown or not want:
        raise ValueError(f"`{name}` allows min, max, filled, not and share; found {unknown or 'nothing'}")
    for bound in ("min", "max"):
        if bound in want and not is_number(want[bound]):
            raise ValueError(f"`{bound}` of `{name}` is a number, not {want[bound]!r}")
    if "filled" in want and not isinstance(want["filled"], bool):
        raise ValueError(f"`filled` of `{name}` is true or false")
    banned = want.get("not", ())
    test = ConditionTest(
        name=name,
        low=want.get("min"),
        high=want.get("max"),
        filled=want.get("filled"),
        unlike=tuple(banned) if isinstance(banned, list | tuple) else (banned,),
        share=want.get("share"),
    )
    if test.share is not None:
        _check_share(test)
    return test


class _Values(Struct, frozen=True, dict=True):
    """Base of the domains. `always`: the name has one of these values in every rating.

    Each domain tells if it `offers` a value as a whole answer, and gives `witnesses`: enough values that, if any value
    passes some tests, one of these does.
    """

    always: bool = False


class TruthDomain(_Values, frozen=True):
    """True or false."""

    def offers(self, value: Any) -> bool:
        return isinstance(value, bool)

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        del tests
        return True, False


class ChoiceDomain(_Values, frozen=True):
    """One value of a list."""

    values: tuple[Any, ...] = ()

    @cached_property
    def _texts(self) -> frozenset[Any]:
        return _texts_in(self.values)

    def offers(self, value: Any) -> bool:
        if type(value) is str:
            return value in self._texts
        return any(same_value(value, offered) for offered in self.values)

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        del tests
        return self.values


class ChoicesDomain(_Values, frozen=True):
    """A subset of a list of ids; the value is a list without repetition."""

    values: tuple[str, ...] = ()

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(self.values)

    def offers(self, value: Any) -> bool:
        if not isinstance(value, list | tuple) or not value:
            return False
        return all(map(self.knows, value)) and len({str(part) for part in value}) == len(value)

    def knows(self, value: Any) -> bool:
        return isinstance(value, str) and value in self._texts

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        banned = {value for test in tests for value in test.unlike if isinstance(value, str)}
        rest = [value for value in self.values if value not in banned]
        return [rest] if rest else []


class ScaleDomain(_Values, frozen=True):
    """A scale."""

    low: float = 0
    high: float = 0
    step: float = 1

    def offers(self, value: Any) -> bool:
        if not is_number(value) or not self.low <= value <= self.high:
            return False
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        del tests
        return self.all()

    def all(self) -> list[float]:
        """Return every step from low to high, exact in decimals; whole ones as `int`."""
        from fractions import Fraction  # noqa: PLC0415 - only for scales

        count = math.floor((self.high - self.low) / self.step + 1e-9)
        low, step = (Fraction(repr(bound)) for bound in (self.low, self.step))
        steps = [float(low + index * step) for index in range(count + 1)]
        return [int(step) if float(step).is_integer() else step for step in steps]


class NumberDomain(_Values, frozen=True):
    """A number; `whole` restricts it to integers."""

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False

    def offers(self, value: Any) -> bool:
        return is_number(value) and self.low <= value <= self.high and (not self.whole or float(value).is_integer())

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        mentioned: list[Any] = [self.low, self.high, 0]
        for test in tests:
            mentioned += [test.low, test.high, *(test.like or ()), *test.unlike]
        marks: set[float] = {value for value in mentioned if is_number(value)}
        ordered = sorted(marks)
        between = [(lower + upper) / 2 for lower, upper in itertools.pairwise(ordered)]
        near = [change(mark) for mark in ordered for change in (math.floor, math.ceil)]
        beyond = [mark + change for mark in (*ordered, *near) for change in (-1, 1)]
        return [value for value in (*ordered, *near, *between, *beyond) if self.offers(value)]


class TextDomain(_Values, frozen=True):
    """Text; what shows nothing is no value."""

    def offers(self, value: Any) -> bool:
        return isinstance(value, str) and not is_blank(value)

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        listed = [value for test in tests for value in test.like or ()]
        return [*listed, "\N{REPLACEMENT CHARACTER}" + "".join(map(str, listed))]


class ListDomain(_Values, frozen=True):
    """Rows of text, each with one of `values` if there are any; those with one of `documents` name documents."""

    values: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    fewest: int = 1
    most: int = MAX_ROWS

    def offers(self, value: Any) -> bool:
        """Return whether the value is a list of rows; they may not be finished."""
        rows, choices = answer_rows(value), {None, *self.values}
        distinct = all(row.choice in choices and len({*row.documents}) == len(row.documents) for row in rows)
        return 0 < len(rows) <= self.most and distinct

    def gap(self, value: Any, documents: int) -> str:
        """Return why a value with rows is not finished, where a task has so many `documents`; "" if it is."""
        rows = answer_rows(value)
        for number, row in enumerate(rows, 1):
            if is_blank(row.text):
                return f"Row {number} has no text."
            if self.values and row.choice is None:
                return f"Row {number} is not answered."
            if (row.choice in self.documents) is not bool(row.documents):
                return f"Row {number} names {'documents' if row.documents else 'no document'}."
            if max(row.documents, default=0) > documents:
                return f"Row {number} names document {max(row.documents)}; the task has {documents}."
        return f"{len(rows)} rows; at least {self.fewest} are needed." if len(rows) < self.fewest else ""

    def witnesses(self, tests: Iterable[ConditionTest]) -> Sequence[Any]:
        """Return rows of two choices in the proportions of few rows and of the bounds, and a row of each choice."""
        from fractions import Fraction  # noqa: PLC0415 - as above

        bounds = {bound for test in tests for bound in (test.low, test.high) if bound is not None}
        parts = {Fraction(part, whole) for whole in range(1, 13) for part in range(whole + 1)}
        parts |= {Fraction(bound).limit_denominator(self.most) for bound in bounds}
        named = {test.share for test in tests}
        choices = sorted(self.values, key=lambda value: value not in named)[:_MOST_MIXED] or [None]
        mixed = [
            [first] * part.numerator + [second] * (part.denominator - part.numerator)
            for first, second in itertools.permutations([*choices, choices[0]], 2)
            for part in parts
        ]
        return [[{"text": "\N{REPLACEMENT CHARACTER}", "choice": name} for name in rows] for rows in (choices, *mixed)]


_MOST_MIXED = 4  # choices of which every two are tried


def answer_rows(value: Any) -> tuple[AnswerRow, ...]:
    """Return the rows of an answer of kind `list`; none if it is not one."""
    try:
        return msgspec.convert(value, prepared_type(tuple[AnswerRow, ...]))
    except msgspec.ValidationError:
        return ()


def share_of_rows(value: Any, choice: str) -> float | None:
    """Return the share of the rows with a choice; `None` without rows."""
    rows = answer_rows(value)
    return sum(row.choice == choice for row in rows) / len(rows) if rows else None


Domain = TruthDomain | ChoiceDomain | ChoicesDomain | ScaleDomain | NumberDomain | TextDomain | ListDomain


COUNT_DOMAIN = NumberDomain(always=True, low=0, whole=True)


TRUTH_DOMAIN = TruthDomain(always=True)


TEXT_DOMAIN = TextDomain()


def domain_of(question: Question) -> Domain:
    """Return the values that a question offers."""
    match question.kind:
        case "choice":
            return ChoiceDomain(values=tuple(choice.id for choice in question.choices))
        case "choices":
            return ChoicesDomain(values=tuple(choice.id for choice in question.choices))
        case "scale":
            return ScaleDomain(low=question.min or 0, high=question.max or 0, step=question.step or 1)
        case "number":
            low = -math.inf if question.min is None else question.min
            return NumberDomain(low=low, high=math.inf if question.max is None else question.max)
        case "list":
            values = tuple(choice.id for choice in question.choices)
            most = MAX_ROWS if question.max is None else int(question.max)
            return ListDomain(values=values, documents=question.documents, fewest=int(question.min or 1), most=most)
    return TEXT_DOMAIN
