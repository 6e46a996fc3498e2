"""What raters said of the same things: for each question the units, and each rater's value of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit.judged import Judged, Value, plain_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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

    def said(self, rater: str) -> Value | None:
        """What a rater gave, or a model."""
        own = self.people.get(rater)
        return self.models.get(rater) if own is None else own

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


Judgements = dict[tuple[str, Place], Value]
"""Question and place → what was said."""


def said_by(ratings: Iterable[Filed], questions: Sequence[Judged]) -> dict[str, Judgements]:
    """Rater → every judgement of the ratings that count."""
    found: dict[str, Judgements] = {}
    for one in ratings:
        found.setdefault(one.rater, {}).update(judgements(one.task, one.digest.values, questions))
    return found


def units_of(
    questions: Sequence[Judged], said: Mapping[str, Judgements], tasks: Sequence[str], models: frozenset[str]
) -> tuple[Units, ...]:
    """The units of each question."""
    given: dict[str, dict[Place, dict[str, Value]]] = {question.id: {} for question in questions}
    for rater, own in said.items():
        for (name, place), value in own.items():
            given[name].setdefault(place, {})[rater] = value
    at = {task: number for number, task in enumerate(tasks)}
    found = []
    for question in questions:
        places = sorted(given[question.id].items(), key=lambda item: at.get(item[0][0], len(at)))
        found.append(Units(question, tuple(_unit(place, values, models) for place, values in places)))
    return tuple(found)


def judgements(task: str, values: Values, questions: Sequence[Judged]) -> Iterator[tuple[tuple[str, Place], Value]]:
    """Every judgement of a rating, as the items of `Judgements`."""
    known = {question.id for question in questions}
    composed = [question for question in questions if question.id != question.question]
    for where, at_place in values.items():
        place = task, where
        for name, raw in at_place.items():
            if name in known:
                value = raw if type(raw) is str else plain_value(raw)
                if value is not None:
                    yield (name, place), value
        for question in composed:
            value = question.value(at_place)
            if value is not None:
                yield (question.id, place), value


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
