"""What raters said of the same things: for each question the units, and each rater's value of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit.judged import Judged, Value, plain_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop_rater.audit.filed import Filed
    from desktop_rater.audit.reviews import Values

Place = tuple[str, str]
"""A task and where in it."""

Counts = tuple[tuple[Value, int], ...]


class Unit(Struct, frozen=True):
    """One thing that was judged. `people`: rater → value; `counts`: how often they gave each, by value.

    `models`: what raters said whose word counts in no figure of people.
    """

    place: Place
    people: dict[str, Value]
    counts: Counts
    models: dict[str, Value]

    def others(self, rater: str) -> Counts:
        """What people other than this rater gave."""
        own = self.people.get(rater)
        if own is None:
            return self.counts
        return tuple((value, n - (value == own)) for value, n in self.counts if n - (value == own))


class Units(Struct, frozen=True):
    """All units of a question, in the order of their tasks."""

    question: Judged
    units: tuple[Unit, ...]

    @property
    def shared(self) -> tuple[Unit, ...]:
        """Those that two people or more judged."""
        return tuple(unit for unit in self.units if len(unit.people) > 1)


def units_of(
    questions: Sequence[Judged], ratings: Iterable[Filed], tasks: Sequence[str], models: frozenset[str]
) -> tuple[Units, ...]:
    """The units of each question, as the ratings that count say."""
    given: dict[str, dict[Place, dict[str, Value]]] = {question.id: {} for question in questions}
    composed = [question for question in questions if question.id != question.question]
    for one in ratings:
        for id_, place, value in judgements(one.task, one.digest.values, given, composed):
            given[id_].setdefault(place, {})[one.rater] = value
    at = {task: number for number, task in enumerate(tasks)}
    found = []
    for question in questions:
        places = sorted(given[question.id].items(), key=lambda item: at.get(item[0][0], len(at)))
        found.append(Units(question, tuple(_unit(place, values, models) for place, values in places)))
    return tuple(found)


def judgements(
    task: str, said: Values, known: Mapping[str, object], composed: Sequence[Judged]
) -> list[tuple[str, Place, Value]]:
    """Every judgement of a rating: question, place, value."""
    found: list[tuple[str, Place, Value]] = []
    for where, values in said.items():
        place = task, where
        for name, raw in values.items():
            if name in known:
                value = raw if type(raw) is str else plain_value(raw)
                if value is not None:
                    found.append((name, place, value))
        for question in composed:
            value = question.value(values)
            if value is not None:
                found.append((question.id, place, value))
    return found


def majority(counts: Counts) -> Value | None:
    """What more of them gave than anything else; `None` where they tie, or are none."""
    best = max((n for _, n in counts), default=0)
    most = [value for value, n in counts if n == best]
    return most[0] if len(most) == 1 else None


def _unit(place: Place, values: dict[str, Value], models: frozenset[str]) -> Unit:
    if models.isdisjoint(values):
        people, of_models = values, {}
    else:
        people = {rater: value for rater, value in values.items() if rater not in models}
        of_models = {rater: value for rater, value in values.items() if rater in models}
    counts = Counter(people.values())
    return Unit(place, people, tuple(sorted(counts.items())), of_models)
