"""Raters that are made up: each with own care, pace and taste, who rate as somebody did, with noise. Pure and seeded.

They are there to try an audit before there are results, and to see how many raters a bundle needs.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.judged import Value
from desktop_rater.audit.mending import Mending
from desktop_rater.audit.ways import Way, Ways, values_at, way_of, with_way
from desktop_rater.model import edit
from desktop_rater.model.rating import Rating, TimeSpent
from desktop_rater.model.task import Target, Task
from desktop_rater.rubric import check
from desktop_rater.rubric.domains import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric import Outcome

MOST_NOISE = 0.9
_HARD, _HARDER = 0.12, 4.0  # the share of targets that are hard, and how much oftener they are judged otherwise
_LEAST, _SEARCH = 8, 600  # seconds for a target, and what a careful rater takes before finding nothing


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """A rater. `error`: the share of judgements that differ; `care`: of pages opened and quoted; `pace` 1 is usual.

    `taste`: label → how readily a wrong judgement falls on it. `lean`: how much higher it judges on scales.
    """

    name: str
    error: float
    care: float
    pace: float
    taste: dict[Value, float]
    lean: float = 0


class Known(msgspec.Struct, frozen=True):
    """A target of a task as it was rated first: its label and what leads there. `hard`: people differ about it."""

    target: Target
    label: Value | None
    way: Way | None
    hard: bool
    tempting: Value | None


class Base(msgspec.Struct, frozen=True):
    """A task with the rating that all made-up ones start from."""

    task: Task
    rating: Rating
    known: tuple[Known, ...]


def traits(name: str, noise: float, labels: tuple[Value, ...], random: Random) -> Traits:
    """A rater at random: most err about as often as `noise` says, some much less or more."""
    return Traits(
        name=name,
        error=min(MOST_NOISE, noise * exp(random.gauss(0, 0.5))),
        care=min(1.0, max(0.2, random.gauss(0.85, 0.15))),
        pace=exp(random.gauss(0, 0.4)),
        taste={label: exp(random.gauss(0, 0.8)) for label in labels},
        lean=random.gauss(0, 0.5),
    )


def base_of(ways: Ways, task: Task, rating: Rating, random: Random) -> Base:
    """A task and what was said of it, made ready once for all raters."""
    labels = [look.id for look in ways.main.looks] if ways.main is not None else []
    known = []
    for target in task.targets or ():
        label, way = ways.base(rating, task, target)
        others = [one for one in labels if one != label]
        hard = random.random() < _HARD
        known.append(Known(target, label, way, hard, random.choice(others) if others else None))
    return Base(task, rating, tuple(known))


def made_up(ways: Ways, base: Base, rater: Traits, random: Random) -> tuple[Rating, Outcome]:
    """That rater's rating of the task; nothing of it blocks. A task that can't be rated so is skipped."""
    task = base.task
    mending = Mending(ways.rubric, task, random)
    rating = _judged(ways, base, rater, random)
    mended = mending.mended(_researched(rating, rater, random))
    if mended is None:
        skipped = edit.skipped(Rating(task=task.id), "other", "A made-up rater found no way to rate it.")
        mended = skipped, check(ways.rubric, task, skipped)
    rating, outcome = mended
    rating = replace(rating, time=_time(ways, task, rating, outcome, rater, random))
    outcome = check(ways.rubric, task, rating)
    return _acknowledged(rating, outcome, rater, random), outcome


def _judged(ways: Ways, base: Base, rater: Traits, random: Random) -> Rating:
    """The answers of the first rating, with errors."""
    given = base.rating.answers
    rating = Rating(
        task=base.task.id,
        answers=replace(given, targets={}) if ways.main is not None else given,
        evidence=tuple(one for one in base.rating.evidence if one.target is None or ways.main is None),
        claims={} if ways.main is not None else base.rating.claims,
        links_opened=base.rating.links_opened,
    )
    for known in base.known if ways.main is not None else ():
        way = _chosen(ways, base.task, known, rater, random)
        if way is not None:
            rating = with_way(rating, known.target.id, way)
    return _with_noise(ways, base.task, rating, rater, random)


def _chosen(ways: Ways, task: Task, known: Known, rater: Traits, random: Random) -> Way | None:
    assert ways.main is not None
    error = min(MOST_NOISE, rater.error * (_HARDER if known.hard else 1))
    label = known.label
    if label is not None and random.random() >= error:
        return known.way
    others = [look.id for look in ways.main.looks if look.id not in (label, "skipped")]
    if known.hard and known.tempting in others and random.random() < 0.6:
        others = [one for one in others if one == known.tempting]
    while others:
        weights = [rater.taste.get(one, 1.0) for one in others]
        wanted = random.choices(others, weights)[0]
        found = ways.to(wanted, task, known.target)
        if found:
            return _own_pages(random.choice(found), random)
        others.remove(wanted)
    return known.way


def _own_pages(way: Way, random: Random) -> Way:
    """The same way with pages of its own: no two targets rest on one page by chance."""
    pieces = (replace(one, url=f"{one.url}-{random.randrange(10**6):06}") for one in way.evidence)
    return replace(way, evidence=tuple(pieces))


def _with_noise(ways: Ways, task: Task, rating: Rating, rater: Traits, random: Random) -> Rating:
    """Other answers to some questions asked of the task, of responses and, where there is no label, of targets."""
    outcome = check(ways.rubric, task, rating)
    for where, asked in outcome.asked.items():
        place = outcome.places[where]
        if place.target is not None and ways.main is not None:
            continue
        for one in asked:
            if one.value is None or one.question.kind in {"text", "number"} or random.random() >= 2 * rater.error:
                continue
            rating = edit.with_answer(
                rating, place, one.question.id, _other(ways, one.question, one.value, rater, random)
            )
    return rating


def _other(ways: Ways, question: Question, value: Any, rater: Traits, random: Random) -> Any:
    domain = ways.rubric.questions[question.id].domain
    if isinstance(domain, Steps):
        steps = domain.all()
        moved = steps.index(value) + round(random.gauss(rater.lean, 1.2))
        return steps[min(max(moved, 0), len(steps) - 1)]
    others = [choice.id for choice in question.choices if choice.id != value]
    other = random.choice(others) if others else value
    return [other] if question.kind == "choices" else other


def _researched(rating: Rating, rater: Traits, random: Random) -> Rating:
    """Some pages stay unopened, and some pieces of evidence without a quote."""
    opened = list(rating.links_opened)
    evidence = []
    for piece in rating.evidence:
        if random.random() < rater.care:
            opened.append(piece.url)
        quoted = random.random() < rater.care
        evidence.append(piece if quoted else replace(piece, quote=""))
    return replace(rating, evidence=tuple(evidence), links_opened=tuple(dict.fromkeys(opened)))


def _time(ways: Ways, task: Task, rating: Rating, outcome: Outcome, rater: Traits, random: Random) -> TimeSpent:
    if rating.status == "skipped":
        return TimeSpent(active_seconds=_LEAST)
    targets: dict[str, int | float] = {}
    for target in task.targets or ():
        way = way_of(rating, target.id)
        pages = len(way.evidence)
        seconds = rater.pace * exp(random.gauss(3.4 + 0.5 * min(pages, 4), 0.6))
        asked = ways.main.value(values_at(outcome, f"targets/{target.id}")) if ways.main is not None else None
        if asked == "unsupported" and random.random() < rater.care:
            seconds = max(seconds, _SEARCH + random.randrange(300))
        targets[target.id] = max(_LEAST, round(seconds))
    whole = sum(targets.values()) + max(_LEAST, round(rater.pace * exp(random.gauss(4, 0.5))))
    return TimeSpent(active_seconds=whole, idle_seconds=random.randrange(120), targets=targets)


def _acknowledged(rating: Rating, outcome: Outcome, rater: Traits, random: Random) -> Rating:
    for problem in outcome.problems:
        if random.random() < rater.care:
            rating = edit.with_acknowledged(rating, problem.rule, problem.where, "It stands.")
    return rating


def earlier_states(task: Task, rating: Rating, random: Random) -> Iterator[Rating]:
    """States in which the rating was before: with its first targets only, or nothing of it said yet."""
    targets = [one.id for one in task.targets or ()]
    if rating.status == "skipped" or random.random() < 0.6:
        return
    for share in (0.3, 0.7) if random.random() < 0.3 and targets else (0.5,):
        kept = set(targets[: int(len(targets) * share)])
        answers = rating.answers
        yield replace(
            rating,
            status="incomplete",
            answers=replace(answers, targets={name: given for name, given in answers.targets.items() if name in kept}),
            claims={name: given for name, given in rating.claims.items() if name in kept},
            evidence=tuple(one for one in rating.evidence if one.target is None or one.target in kept),
            acknowledged=(),
            time=TimeSpent(active_seconds=int(rating.time.active_seconds * share)),
        )
