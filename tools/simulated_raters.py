"""Simulate raters from an existing rating, with noise and a seed. Pure."""

from collections.abc import Iterator
from itertools import islice
from math import exp
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.questions import JudgedQuestion, Value, main_question
from desktop_rater.format import edit
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, Claim, Evidence, Problem, Rating, Stance, TimeSpent
from desktop_rater.format.rubric import Question, Scope
from desktop_rater.format.task import Target, Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.condition import (
    ChoicesDomain,
    Condition,
    ConditionTest,
    ListDomain,
    NumberDomain,
    ScaleDomain,
)
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.links import response_pages, tool_pages
from desktop_rater.rubric.validate import ValueAssignment, holds_for, value_assignments

DEFAULT_TEXT = "Looked it up; the pages named here decide it."
DEFAULT_QUOTE = "So it stands on that page."
_ROUNDS = 30
_SIDES: dict[str, Stance] = {"supporting": SUPPORTING, "contradicting": CONTRADICTING}
_SITES = ("almanac.example", "archive.example", "encyclopedia.example", "gazette.example", "library.example")


class RatingRepairer:
    """Repairs ratings of one task. `random` chooses where the rubric leaves a choice."""

    def __init__(self, rubric: Rubric, task: Task, random: Random) -> None:
        self.rubric = rubric
        self.task = task
        self._random = random
        self._rules = {ruling.rule.id: ruling for scope in rubric.rules_by_scope.values() for ruling in scope}
        self._sets = {row.id: row.sets for row in rubric.file.decide}

    def repaired(self, rating: Rating) -> tuple[Rating, CheckOutcome] | None:
        for _ in range(_ROUNDS):
            outcome = check_rating(self.rubric, self.task, rating)
            if not outcome.blocking:
                return rating, outcome
            before = rating
            for problem in outcome.problems:
                if problem.level == "block":
                    rating = self._repair(rating, outcome, problem)
            if rating == before:
                return None
        return None

    def gathered(self, rating: Rating, place: Place, stance: Stance) -> Rating:
        """Return the rating with one more page for a stance, at a target, response or claim."""
        name = edit.new_id("e", [piece.id for piece in rating.evidence])
        site = self._random.choice(_SITES)
        piece = Evidence(
            id=name,
            target=place.target,
            response=place.response if place.target is None else None,
            claims=(place.claim,) if place.claim is not None else (),
            stance=stance,
            url=f"https://{site}/{self._random.randrange(10**6)}",
            title=site,
            quote=DEFAULT_QUOTE,
        )
        return edit.with_evidence(rating, piece)

    def answer(self, question: Question) -> Any:
        domain = self.rubric.questions[question.id].domain
        if isinstance(domain, ScaleDomain):
            return self._random.choice(domain.all())
        if isinstance(domain, ChoicesDomain):
            return [self._random.choice(domain.values)]
        if isinstance(domain, NumberDomain):
            return next(iter(domain.witnesses(())), 0)
        choice = self._random.choice(question.choices).id if question.choices else DEFAULT_TEXT
        if isinstance(domain, ListDomain):
            named = {"documents": [1]} if choice in domain.documents else {}
            return [{"text": DEFAULT_TEXT, **({"choice": choice} if domain.values else {}), **named}] * domain.fewest
        return choice

    def _repair(self, rating: Rating, outcome: CheckOutcome, problem: Problem) -> Rating:
        kind, _, name = problem.rule.partition(":")
        place = outcome.places[problem.where]
        decided = outcome.decided.get(problem.where, {})
        if kind == "required" and name in self.rubric.questions:
            value = decided[name].value if name in decided else self._fitting(rating, problem.where, place, name)
            return edit.with_answer(rating, place, name, value)
        if kind == "contradicts" and name in self._sets and self._sets[name] in decided:
            question = self._sets[name]
            return edit.with_answer(rating, place, question, decided[question].value)
        rule = self._rules.get(problem.rule)
        if rule is None or rule.require is None:
            return rating
        for test in _first_alternative(rule.require):
            rating = self._satisfy(rating, place, test)
        return rating

    def _fitting(self, rating: Rating, where: str, place: Place, name: str) -> Any:
        """Return an answer with which the facts agree with the other answers, if there is one."""
        question = self.rubric.questions[name].question
        given = edit.answers_at(rating, place)
        offered = [choice.id for choice in question.choices] if question.kind == "choice" else []
        self._random.shuffle(offered)
        if not any(decided in given for decided in self._sets.values()):
            return offered[0] if offered else self.answer(question)
        for value in offered:
            outcome = check_rating(self.rubric, self.task, edit.with_answer(rating, place, name, value))
            if not any(
                problem.where == where and problem.rule.startswith("contradicts:") for problem in outcome.problems
            ):
                return value
        return offered[0] if offered else self.answer(question)

    def _satisfy(self, rating: Rating, place: Place, test: ConditionTest) -> Rating:
        """Change the part of the rating that a rule refers to, as a rater reading its message would."""
        asking = self.rubric.questions.get(test.name)
        if asking is not None:
            at = _enclosing_place(place, asking.question.per)
            steps = asking.domain.all() if isinstance(asking.domain, ScaleDomain) else []
            fitting = [*filter(test.passes, steps)]
            value = test.like[0] if test.like else None
            if value is None:
                value = self._random.choice(fitting) if fitting else self.answer(asking.question)
            return edit.with_answer(rating, at, test.name, value)
        if test.name in _SIDES and (test.low or 0) > 0:
            return self.gathered(rating, place, _SIDES[test.name])
        if test.name in {"links_unopened", "tool_links_unopened"}:
            return replace(rating, links_opened=tuple(dict.fromkeys([*rating.links_opened, *self._pages(place)])))
        if test.name == "research_seconds" and place.target is not None:
            return edit.with_seconds(rating, place.target, test.low or 0)
        if place.evidence is not None:
            return self._other_evidence(rating, place.evidence, test)
        return rating

    def _other_evidence(self, rating: Rating, name: str, test: ConditionTest) -> Rating:
        piece = next(candidate for candidate in rating.evidence if candidate.id == name)
        if test.name == "quote":
            return edit.with_evidence(rating, replace(piece, quote=DEFAULT_QUOTE))
        if test.name == "opened":
            return replace(rating, links_opened=(*rating.links_opened, piece.url))
        return edit.without_evidence(rating, name)

    def _pages(self, place: Place) -> Iterator[str]:
        placeholders = self.rubric.file.links.placeholders
        for response in self.task.responses:
            if place.response in (None, response.id):
                yield from response_pages(response, placeholders)
                yield from tool_pages(response, placeholders)


def _first_alternative(condition: Condition) -> Iterator[ConditionTest]:
    """Yield the tests to be met for a condition; of several alternatives the first."""
    yield from condition.tests
    if condition.alternatives:
        yield from _first_alternative(condition.alternatives[0])


def _enclosing_place(place: Place, scope: Scope) -> Place:
    match scope:
        case "task":
            return TASK_PLACE
        case "response":
            return Place(response=place.response)
        case "target":
            return Place(response=place.response, target=place.target)
    return replace(place, evidence=None)


_MOST_WORLDS, _ENOUGH = 40, 4


class LabelPath(msgspec.Struct, frozen=True):
    """Answers, claims and evidence of one target."""

    answers: dict[str, Any]
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]


def values_at(outcome: CheckOutcome, where: str) -> dict[str, Any]:
    """Return the values of a place: combined from claims, otherwise answered."""
    given = {answer.question.id: answer.value for answer in outcome.asked.get(where, ()) if answer.value is not None}
    decided = outcome.decided.get(where, {})
    return given | {name: decision.value for name, decision in decided.items() if decision.by == BY_CLAIMS}


def label_path_of(rating: Rating, target: str) -> LabelPath:
    """Return the content of a rating at a target."""
    return LabelPath(
        rating.answers.targets.get(target, {}),
        rating.claims.get(target, ()),
        tuple(piece for piece in rating.evidence if piece.target == target),
    )


def with_path(rating: Rating, target: str, way: LabelPath) -> Rating:
    """Return the rating with this content, and nothing else, at the target."""
    evidence = [other for other in rating.evidence if other.target != target]
    for piece in way.evidence:
        name = edit.new_id("e", [piece.id for piece in evidence])
        evidence.append(replace(piece, id=name, target=target))
    answers = replace(rating.answers, targets={**rating.answers.targets, target: way.answers})
    claims = {name: target_claims for name, target_claims in rating.claims.items() if name != target}
    if way.claims:
        claims[target] = way.claims
    return replace(rating, answers=answers, claims=claims, evidence=tuple(evidence))


class LabelPaths:
    """Ways to the labels of targets. They are found with the first target and valid for all."""

    def __init__(self, rubric: Rubric, random: Random) -> None:
        self.rubric = rubric
        main = main_question(rubric)
        self.main: JudgedQuestion | None = main if main is not None and main.per == "target" and main.looks else None
        self._random = random
        self._by_label: dict[Value, tuple[LabelPath, ...]] = {}

    def to(self, label: Value, task: Task, target: Target) -> tuple[LabelPath, ...]:
        """Return some ways to a label; none if the rubric reaches it by claims only, or not at all."""
        if self.main is None:
            return ()
        if label not in self._by_label:
            alone = replace(task, targets=(target,))
            self._by_label[label] = tuple(islice(self._search(self.main, label, alone, target), _ENOUGH))
        return self._by_label[label]

    def base(self, rating: Rating, task: Task, target: Target) -> tuple[Value | None, LabelPath | None]:
        """Return the label of a rating at a target, and its content there, repaired if it is not consistent."""
        alone = replace(task, targets=(target,))
        own = with_path(Rating(task=task.id, answers=replace(rating.answers, targets={})), target.id,
                       label_path_of(rating, target.id))  # fmt: skip
        mended = RatingRepairer(self.rubric, alone, self._random).repaired(
            replace(own, links_opened=rating.links_opened)
        )
        if mended is None or self.main is None:
            return None, None
        label = self.main.value(values_at(mended[1], f"targets/{target.id}"))
        return label, label_path_of(mended[0], target.id)

    def _search(self, main: JudgedQuestion, label: Value, task: Task, target: Target) -> Iterator[LabelPath]:
        mending = RatingRepairer(self.rubric, task, self._random)
        for start in self._starting_points(main, label, mending, target):
            mended = mending.repaired(start)
            if mended is not None and main.value(values_at(mended[1], f"targets/{target.id}")) == label:
                yield label_path_of(mended[0], target.id)

    def _starting_points(
        self, main: JudgedQuestion, label: Value, mending: RatingRepairer, target: Target
    ) -> Iterator[Rating]:
        empty = Rating(task=mending.task.id)
        place = Place(response=target.response, target=target.id)
        for question, value, closes in main.closing:
            if closes == label:
                yield edit.with_answer(empty, place, question, value)
        if any(closes == label for _, _, closes in main.closing):
            return
        asking = self.rubric.questions[main.question]
        rows = [row for scope in self.rubric.decisions_by_scope.values() for row in scope]
        whens = [row.when for row in rows if row.row.sets == main.question and row.row.then == label]
        for when in whens:
            assignments = value_assignments(self.rubric, (when, asking.relevant)) or []
            fitting = [
                assignment
                for assignment in assignments
                if holds_for(when, assignment) and holds_for(asking.relevant, assignment)
            ]
            for assignment in fitting[:_MOST_WORLDS]:
                yield _with_assignment(empty, place, assignment, mending, {main.question: label})
        for assignment in (value_assignments(self.rubric, (asking.relevant,)) or [])[:_MOST_WORLDS]:
            if holds_for(asking.relevant, assignment):
                yield _with_assignment(empty, place, assignment, mending, {main.question: label})


def _with_assignment(
    rating: Rating, place: Place, assignment: ValueAssignment, mending: RatingRepairer, extra: dict[str, Any]
) -> Rating:
    for name, value in {**assignment, **extra}.items():
        if value is None:
            continue
        if name in {"supporting", "contradicting"}:
            for _ in range(min(int(value), 2)):
                rating = mending.gathered(rating, place, SUPPORTING if name == "supporting" else CONTRADICTING)
        elif name in mending.rubric.questions:
            per = mending.rubric.questions[name].question.per
            answer_place = (
                place
                if per in {"target", "claim"}
                else Place(response=place.response)
                if per == "response"
                else Place()
            )
            rating = edit.with_answer(rating, answer_place, name, value)
    return rating


MOST_NOISE = 0.9
_HARD, _HARDER = 0.12, 4.0  # share of hard targets, and factor of their error rate
_LEAST, _SEARCH = 8, 600  # minimum seconds for a target, and of a careful search without result


class RaterTraits(msgspec.Struct, frozen=True, kw_only=True):
    """Traits of a simulated rater.

    `error`: share of judgements that differ; `care`: share of pages opened and quoted; `pace` 1 is average. `taste`:
    label → weight of a wrong judgement. `lean`: bias on scales.
    """

    name: str
    error: float
    care: float
    pace: float
    taste: dict[Value, float]
    lean: float = 0


class KnownTarget(msgspec.Struct, frozen=True):
    """Target of a task as it was rated originally: its label and what leads there. `hard`: people differ about it."""

    target: Target
    label: Value | None
    way: LabelPath | None
    hard: bool
    tempting: Value | None


class BaseRating(msgspec.Struct, frozen=True):
    """Task with the rating that all simulated ratings are based on."""

    task: Task
    rating: Rating
    known: tuple[KnownTarget, ...]


def random_traits(name: str, noise: float, labels: tuple[Value, ...], random: Random) -> RaterTraits:
    """Return a random rater: most err about as often as `noise`, some much less or more."""
    return RaterTraits(
        name=name,
        error=min(MOST_NOISE, noise * exp(random.gauss(0, 0.5))),
        care=min(1.0, max(0.2, random.gauss(0.85, 0.15))),
        pace=exp(random.gauss(0, 0.4)),
        taste={label: exp(random.gauss(0, 0.8)) for label in labels},
        lean=random.gauss(0, 0.5),
    )


def base_rating(ways: LabelPaths, task: Task, rating: Rating, random: Random) -> BaseRating:
    """Prepare a task and its rating once for all raters."""
    labels = [look.id for look in ways.main.looks] if ways.main is not None else []
    targets = []
    for target in task.targets or ():
        label, way = ways.base(rating, task, target)
        others = [candidate for candidate in labels if candidate != label]
        hard = random.random() < _HARD
        targets.append(KnownTarget(target, label, way, hard, random.choice(others) if others else None))
    return BaseRating(task, rating, tuple(targets))


def simulate_rating(
    ways: LabelPaths, base: BaseRating, rater: RaterTraits, random: Random
) -> tuple[Rating, CheckOutcome]:
    """Return the rater's rating of the task, without blocking problems; skipped if it cannot be rated this way."""
    task = base.task
    mending = RatingRepairer(ways.rubric, task, random)
    rating = _judged(ways, base, rater, random)
    mended = mending.repaired(_researched(rating, rater, random))
    if mended is None:
        skipped = edit.with_skip(Rating(task=task.id), "other", "The simulated rater could not rate it.")
        mended = skipped, check_rating(ways.rubric, task, skipped)
    rating, outcome = mended
    rating = replace(rating, time=_time(ways, task, rating, outcome, rater, random))
    outcome = check_rating(ways.rubric, task, rating)
    return _acknowledged(rating, outcome, rater, random), outcome


def _judged(ways: LabelPaths, base: BaseRating, rater: RaterTraits, random: Random) -> Rating:
    given = base.rating.answers
    rating = Rating(
        task=base.task.id,
        answers=replace(given, targets={}) if ways.main is not None else given,
        evidence=tuple(piece for piece in base.rating.evidence if piece.target is None or ways.main is None),
        claims={} if ways.main is not None else base.rating.claims,
        links_opened=base.rating.links_opened,
    )
    for target in base.known if ways.main is not None else ():
        way = _chosen(ways, base.task, target, rater, random)
        if way is not None:
            rating = with_path(rating, target.target.id, way)
    return _with_noise(ways, base.task, rating, rater, random)


def _chosen(ways: LabelPaths, task: Task, target: KnownTarget, rater: RaterTraits, random: Random) -> LabelPath | None:
    assert ways.main is not None
    error = min(MOST_NOISE, rater.error * (_HARDER if target.hard else 1))
    label = target.label
    if label is not None and random.random() >= error:
        return target.way
    others = [look.id for look in ways.main.looks if look.id not in (label, "skipped")]
    if target.hard and target.tempting in others and random.random() < 0.6:
        others = [candidate for candidate in others if candidate == target.tempting]
    while others:
        weights = [rater.taste.get(candidate, 1.0) for candidate in others]
        wanted = random.choices(others, weights)[0]
        ways_there = ways.to(wanted, task, target.target)
        if ways_there:
            way = random.choice(ways_there)
            # Unique pages: no two targets share a page by chance.
            pieces = (replace(piece, url=f"{piece.url}-{random.randrange(10**6):06}") for piece in way.evidence)
            return replace(way, evidence=tuple(pieces))
        others.remove(wanted)
    return target.way


def _with_noise(ways: LabelPaths, task: Task, rating: Rating, rater: RaterTraits, random: Random) -> Rating:
    """Change some answers of the task, of responses and, where there is no label, of targets.

    Where there is one, what claims combine of answers is changed too.
    """
    outcome = check_rating(ways.rubric, task, rating)
    for where, answers in outcome.asked.items():
        place = outcome.places[where]
        has_label = place.target is not None and ways.main is not None
        for answer in answers:
            if has_label and answer.question.id not in ways.rubric.combined_answers:
                continue
            if (
                answer.value is None
                or answer.question.kind in {"text", "number", "list"}
                or random.random() >= 2 * rater.error
            ):
                continue
            rating = edit.with_answer(
                rating, place, answer.question.id, _other(ways, answer.question, answer.value, rater, random)
            )
    return rating


def _other(ways: LabelPaths, question: Question, value: Any, rater: RaterTraits, random: Random) -> Any:
    domain = ways.rubric.questions[question.id].domain
    if isinstance(domain, ScaleDomain):
        steps = domain.all()
        moved = steps.index(value) + round(random.gauss(rater.lean, 1.2))
        return steps[min(max(moved, 0), len(steps) - 1)]
    others = [choice.id for choice in question.choices if choice.id != value]
    other = random.choice(others) if others else value
    return [other] if question.kind == "choices" else other


def _researched(rating: Rating, rater: RaterTraits, random: Random) -> Rating:
    """Leave some pages unopened, and some evidence without a quote."""
    opened = list(rating.links_opened)
    evidence = []
    for piece in rating.evidence:
        if random.random() < rater.care:
            opened.append(piece.url)
        quoted = random.random() < rater.care
        evidence.append(piece if quoted else replace(piece, quote=""))
    return replace(rating, evidence=tuple(evidence), links_opened=tuple(dict.fromkeys(opened)))


def _time(
    ways: LabelPaths, task: Task, rating: Rating, outcome: CheckOutcome, rater: RaterTraits, random: Random
) -> TimeSpent:
    if rating.status == "skipped":
        return TimeSpent(active_seconds=_LEAST)
    targets: dict[str, int | float] = {}
    for target in task.targets or ():
        way = label_path_of(rating, target.id)
        pages = len(way.evidence)
        seconds = rater.pace * exp(random.gauss(3.4 + 0.5 * min(pages, 4), 0.6))
        label = ways.main.value(values_at(outcome, f"targets/{target.id}")) if ways.main is not None else None
        if label == "unsupported" and random.random() < rater.care:
            seconds = max(seconds, _SEARCH + random.randrange(300))
        targets[target.id] = max(_LEAST, round(seconds))
    whole = sum(targets.values()) + max(_LEAST, round(rater.pace * exp(random.gauss(4, 0.5))))
    return TimeSpent(active_seconds=whole, idle_seconds=random.randrange(120), targets=targets)


def _acknowledged(rating: Rating, outcome: CheckOutcome, rater: RaterTraits, random: Random) -> Rating:
    for problem in outcome.problems:
        if random.random() < rater.care:
            rating = edit.with_acknowledged(rating, problem.rule, problem.where, "It stands.")
    return rating


def earlier_states(task: Task, rating: Rating, random: Random) -> Iterator[Rating]:
    """Yield earlier states of the rating: with its first targets only, or empty."""
    targets = [target.id for target in task.targets or ()]
    if rating.status == "skipped" or random.random() < 0.6:
        return
    for share in (0.3, 0.7) if random.random() < 0.3 and targets else (0.5,):
        finished = set(targets[: int(len(targets) * share)])
        answers = rating.answers
        yield replace(
            rating,
            status="incomplete",
            answers=replace(
                answers, targets={name: given for name, given in answers.targets.items() if name in finished}
            ),
            claims={name: given for name, given in rating.claims.items() if name in finished},
            evidence=tuple(piece for piece in rating.evidence if piece.target is None or piece.target in finished),
            acknowledged=(),
            time=TimeSpent(active_seconds=int(rating.time.active_seconds * share)),
        )
