"""Check of a rating by a rubric, and its exported form: without hidden parts, with the decisions. Pure."""

import operator
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format.change import CancelCheck
from desktop_rater.format.rating import Claim, DecidedValue, Evidence, Problem, Rating, Status
from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.task import Target, Task
from desktop_rater.format.values import Answers, Place
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import same_value
from desktop_rater.rubric.evaluation import RatingEvaluation, ScopeNode, TargetInputs, offered_text
from desktop_rater.rubric.load import RubricError, label_of_value

MAX_TESTS = 2_000_000


def excess_of_task(rubric: Rubric, task: Task) -> str:
    """Return why a task takes too many tests, with the claims that it brings along; "" if it does not."""
    suggested = task.suggestions.claims if task.suggestions is not None else {}
    why = _excess(rubric, task, suggested, ())
    return why or (excess_of_rating(rubric, task, task.returned.rating) if task.returned is not None else "")


def excess_of_rating(rubric: Rubric, task: Task, rating: Rating) -> str:
    """Return why checking a rating takes too many tests; "" if it does not."""
    return _excess(rubric, task, rating.claims, rating.evidence)


def _excess(rubric: Rubric, task: Task, claims: Mapping[str, Sequence[Claim]], evidence: Sequence[Evidence]) -> str:
    tests, targets = rubric.tests_by_scope, task.targets or ()
    # A target without claims is rated like one claim.
    most = max(map(len, claims.values()), default=0) or 1
    outer = tests["task"].total(1) + tests["response"].total(1) * len(task.responses)
    outer += rubric.tests_of_looks["response"].total(1) * len(task.responses)
    inner = tests["target"].total(most) + tests["claim"].total(most) * most
    inner += rubric.tests_of_looks["target"].total(most)
    total = outer + inner * len(targets) + tests["evidence"].total(most) * len(evidence)
    if total > MAX_TESTS:  # counted exactly, since few targets may have many claims
        pieces = Counter(piece.target for piece in evidence)
        total = outer + tests["evidence"].total(1) * len(evidence)
        for target in targets:
            count = len(claims.get(target.id, ())) or 1
            total += tests["target"].total(count) + tests["claim"].total(count) * count
            total += rubric.tests_of_looks["target"].total(count)
            total += (tests["evidence"].total(count) - tests["evidence"].total(1)) * pieces[target.id]
    if total <= MAX_TESTS:
        return ""
    many = f"{sum(map(len, claims.values())):,} claims and {len(evidence):,} pieces of evidence"
    product = f"{len(task.responses):,} responses with {many}"
    if targets:
        product = f"{-(-total // len(targets)):,} tests of the rubric x {len(targets):,} targets"
        product += f" with {many}" if claims or evidence else ""
    return f"{product} = {total:,} tests; at most {MAX_TESTS:,} can be checked"


class TargetFingerprints:
    """Fingerprints by one rubric: equal only if the evaluation of two targets, of any task and rater, is the same.

    They hold what `RatingEvaluation.inputs_of` returns, as Python writes it, since 1, 1.0 and `True` differ in a
    rubric; but of a value that only conditions read which tests it passes, and of evidence which pieces are of one
    page.
    """

    def __init__(self, rubric: Rubric) -> None:
        self._outer = [_passes(rubric, name) for name in rubric.outer_names]
        self._seconds = _passes(rubric, "research_seconds")
        self._proposed = _passes(rubric, "claims_proposed")
        self._is_split_always = rubric.counts_claims_without_pages
        self._quote = _passes(rubric, "quote")
        self._snapshot = _passes(rubric, "snapshot")

    def of_rating(self, reading: RatingEvaluation) -> Callable[[Target], str]:
        """Return the function that makes the fingerprint of a target of one rating, whose answers are strict JSON."""
        rating, pieces, seconds = reading.rating, reading.pieces, reading.research_seconds
        answers, claims = rating.answers.targets, rating.claims
        outer: dict[str | None, Any] = {}

        def fingerprint(target: Target) -> str:
            name, response = target.id, target.response
            if response not in outer:
                parent = reading.parent_of(target)
                values = zip(self._outer, reading.outer_values(parent), strict=True)
                outer[response] = parent.where, reading.skipped, [_passed(tests, value) for tests, value in values]
            evidence = self._evidence(reading, pieces[name]) if name in pieces else None
            within = _passed(self._seconds, seconds(name)) if self._seconds else None
            is_split = self._proposed and (name in pieces or self._is_split_always)  # splitting takes its time
            proposed = _passed(self._proposed, reading.claims_proposed(target)) if is_split else None
            return repr((name, outer[response], answers.get(name), claims.get(name), evidence, within, proposed))

        return fingerprint

    def _evidence(self, reading: RatingEvaluation, pieces: list[Evidence]) -> list[Any]:
        pages: dict[str, int] = {}
        result = []
        for piece in pieces:
            page = reading.page(piece.url)
            number = None if page is None else pages.setdefault(page, len(pages))
            texts = (
                _passed(self._quote, offered_text(piece.quote)),
                _passed(self._snapshot, offered_text(piece.snapshot)),
            )
            result.append((piece.id, piece.stance, piece.claim_ids, number, page in reading.opened, texts))
        return result


def _passes(rubric: Rubric, name: str) -> list[Callable[[Any], bool]]:
    return [test.passes for test in rubric.inner_tests(name)]


def _passed(tests: list[Callable[[Any], bool]], value: Any) -> list[bool]:
    return [passes(value) for passes in tests]


class ActiveQuestion(Struct, frozen=True, gc=False):
    """A question that is currently asked. `value` is the answer if it is one that the question offers.

    `gap`: why an answer that is a list is not finished.
    """

    question: Question
    required: bool
    value: Any
    gap: str = ""

    @property
    def is_open(self) -> bool:
        return bool(self.gap) or (self.required and self.value is None)


_TASK_PART = ""  # among the parts: no target has this id
_FEW = 100  # one problem of so many
_PROBLEM_ORDER = operator.attrgetter("rule", "level", "where")


class CheckedPart(Struct, frozen=True, gc=False):
    """The part of an outcome for the task and its responses, or for one target, which depends on `inputs` only."""

    inputs: TargetInputs | None
    decided: dict[str, dict[str, DecidedValue]]
    problems: tuple[Problem, ...]
    asked: dict[str, tuple[ActiveQuestion, ...]]
    claims: tuple[str, ...]
    evidence: tuple[str, ...]
    kept: tuple[str, ...]
    places: dict[str, Place]


@dataclass(frozen=True)
class CheckOutcome:
    """Outcome of a check.

    `asked` holds, by `where`, the questions in the rubric's order; a target without claims has its claim's questions
    too. `claims` and `evidence`: the `where` of each target that takes claims, and of each place that takes evidence.
    `kept`: the `where` of each recorded claim and piece of evidence that is not hidden. `parts`, by target, serve the
    check after an edit.
    """

    decided: dict[str, dict[str, DecidedValue]]
    problems: tuple[Problem, ...]
    asked: dict[str, tuple[ActiveQuestion, ...]]
    claims: frozenset[str]
    evidence: frozenset[str]
    kept: frozenset[str]
    places: dict[str, Place]
    parts: dict[str, CheckedPart] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def blocking(self) -> int:
        return sum([problem.level == "block" for problem in self.problems])

    @property
    def warnings(self) -> int:
        return len(self.problems) - self.blocking

    def problems_of(self, target: str | None) -> list[Problem]:
        """Return the problems of a target, its claims and evidence; or those of the task and all responses."""
        part = self.parts.get(target or _TASK_PART)
        return sorted(part.problems if part is not None else (), key=_PROBLEM_ORDER)


_MOST_SHARED = 1_000_000  # characters of fingerprints, which bound the parts: some megabytes of memory


class SharedParts:
    """Checked parts of targets that many ratings by one rubric have in common: equal answers are evaluated once.

    They are kept by fingerprint, and all dropped when there are too many.
    """

    def __init__(self, rubric: Rubric) -> None:
        self.fingerprints = TargetFingerprints(rubric)
        self.by_fingerprint: dict[str, CheckedPart] = {}
        self._size = 0

    def add(self, fingerprint: str, part: CheckedPart) -> None:
        self._size += len(fingerprint)
        if self._size > _MOST_SHARED:
            self.by_fingerprint.clear()
            self._size = len(fingerprint)
        self.by_fingerprint[fingerprint] = part


def check_rating(
    rubric: Rubric,
    task: Task,
    rating: Rating,
    *,
    before: CheckOutcome | None = None,
    shared: SharedParts | None = None,
    check_cancelled: CancelCheck = lambda: None,
) -> CheckOutcome:
    """Check one rating. The task's targets must have offsets.

    `before` is the outcome before an edit: targets that the edit does not concern are not evaluated again. `shared`:
    parts of other ratings by the same rubric, which this one's are added to; the answers are those of strict JSON then.
    `check_cancelled` is called after each few thousand tests. Raises `RubricError` if the rating takes more than
    `MAX_TESTS`, and nothing else, whatever the answers hold.
    """
    excess = excess_of_rating(rubric, task, rating)
    if excess:
        title = f'Task "{task.id}" can\'t be checked by {rubric.ref}'
        raise RubricError(title, f"It takes too many tests: {excess}.", "Use fewer rules, or fewer targets per task.")
    checker = _Checker(RatingEvaluation(rubric, task, rating, check_cancelled))
    return checker.outcome(before) if shared is None else checker.outcome_with(shared)


class _Checker:
    def __init__(self, reading: RatingEvaluation) -> None:
        self.reading = reading
        self.rubric = reading.rubric
        self.problems: dict[tuple[str, str], Problem] = {}
        self.asked: dict[str, tuple[ActiveQuestion, ...]] = {}
        self.decided: dict[str, dict[str, DecidedValue]] = {}
        self.places: dict[str, Place] = {}

    def outcome(self, before: CheckOutcome | None) -> CheckOutcome:
        reading, earlier = self.reading, before.parts if before is not None else {}
        parts = {_TASK_PART: self._task_part()}
        checked = [parts[_TASK_PART]]
        for target in reading.task.targets or ():
            part = earlier.get(target.id)
            inputs = reading.inputs_of(target, part.inputs if part is not None else None)
            if part is None or inputs is not part.inputs:
                part = self._target_part(reading.target_node(target), inputs)
                checked.append(part)
            parts[target.id] = part
        problems = before.problems if before is not None else ()
        replaced = [part for name, part in earlier.items() if parts.get(name) is not part]
        return _merged(parts, _sorted_problems(parts, problems, replaced, checked))

    def outcome_with(self, shared: SharedParts) -> CheckOutcome:
        reading, parts = self.reading, {_TASK_PART: self._task_part()}
        shared_parts, fingerprint = shared.by_fingerprint, shared.fingerprints.of_rating(reading)
        for target in reading.task.targets or ():
            key = fingerprint(target)
            part = shared_parts.get(key)
            if part is None:
                part = self._target_part(reading.target_node(target), None)
                shared.add(key, part)
            parts[target.id] = part
        return _merged(parts, _sorted_problems(parts, (), [], list(parts.values())))

    def _task_part(self) -> CheckedPart:
        """Check the task and its responses."""
        reading = self.reading
        pieces = [piece for response in reading.responses for piece in reading.evidence(response)]
        nodes = [reading.root]
        for response in reading.responses:
            nodes += [response, *reading.evidence(response)]
        evidence = [node.where for node in reading.responses if self._takes_evidence(node)]
        return self._part(nodes, None, (), tuple(evidence), tuple([piece.where for piece in pieces]))

    def _target_part(self, target: ScopeNode, inputs: TargetInputs | None) -> CheckedPart:
        """Check a target, its claims first, so that `decided` is read from the claims upwards."""
        reading, condition = self.reading, self.rubric.claims
        visible = [*reading.claims(target), *(pieces := reading.evidence(target))]
        takes_claims = condition is not None and not reading.skipped and reading.holds(condition, target)
        claims = (target.where,) if takes_claims else ()
        evidence = (target.where,) if self._takes_evidence(target) else ()
        nodes = [*reading.units(target), target, *pieces]
        return self._part(nodes, inputs, claims, evidence, tuple([node.where for node in visible]))

    def _part(
        self,
        nodes: Iterable[ScopeNode],
        inputs: TargetInputs | None,
        claims: tuple[str, ...],
        evidence: tuple[str, ...],
        kept: tuple[str, ...],
    ) -> CheckedPart:
        reading = self.reading
        self.problems, self.asked, self.decided, self.places = {}, {}, {}, {}
        for node in nodes:
            reading.count_tests(self.rubric.tests_by_scope[node.scope].total(1))
            self.places[node.where] = _place(node)
            self._ask(node)
            self._decide(node)
            self._check_rules(node)
        problems = tuple(self.problems.values())
        return CheckedPart(inputs, self.decided, problems, self.asked, claims, evidence, kept, self.places)

    def _ask(self, node: ScopeNode) -> None:
        reading = self.reading
        active = [
            ActiveQuestion(
                reading.question_at(node, compiled),
                reading.is_required(node, compiled),
                reading.value(node, compiled.question.id),
                reading.gap(node, compiled),
            )
            for compiled in self.rubric.questions_by_scope[node.scope]
            if reading.is_asked(node, compiled)
        ]
        if not active:
            return
        before = self.asked.get(node.where)
        both = active
        if before is not None:  # a target without claims asks the questions of both
            order = self.rubric.order
            both = sorted((*before, *active), key=lambda item: order[item.question.id])
        self.asked[node.where] = tuple(both)
        for item in active:
            if item.is_open:
                ask = item.question.ask
                message = f"Not answered: {ask}" if ask.endswith("?") else f"{ask} is not answered."
                message = f"{ask} {item.gap}" if item.gap else message
                self._add_problem(f"required:{item.question.id}", "block", node, message)

    def _decide(self, node: ScopeNode) -> None:
        decided = self.reading.decided(node)
        if not decided:
            return
        self.decided.setdefault(node.where, {}).update(decided)
        for name, label in decided.items():
            if self.rubric.questions[name].question.per != node.scope:
                continue
            answer = self.reading.value(node, name)
            if answer is not None and not same_value(answer, label.value):
                decision = self.rubric.decisions[label.by].row
                expected = label_of_value(self.rubric.questions[name].question, label.value)
                unsplit = node.parent is not None and node.where == node.parent.where
                several = self.rubric.several
                is_single = not unsplit or several is None or not self.reading.holds(several, node)
                rule = "The guideline" if decision.source == "guideline" and is_single else "This project's rule"
                reason = (decision.message_unsplit if unsplit else "") or decision.message
                message = f"{reason} {rule} says {expected}.".strip()
                self._add_problem(f"contradicts:{decision.id}", decision.level, node, message)

    def _check_rules(self, node: ScopeNode) -> None:
        if self.reading.skipped:
            return
        for ruling in self.rubric.rules_by_scope[node.scope]:
            if not self.reading.holds(ruling.when, node):
                continue
            if ruling.require is None or not self.reading.holds(ruling.require, node):
                self._add_problem(ruling.rule.id, ruling.rule.level, node, ruling.rule.message)

    def _add_problem(self, rule: str, level: Any, node: ScopeNode, message: str) -> None:
        problem = Problem(rule=rule, level=level, where=node.where, message=message)
        self.problems.setdefault((rule, node.where), problem)

    def _takes_evidence(self, holder: ScopeNode) -> bool:
        table, condition = self.rubric.file.evidence, self.rubric.evidence
        if table is None or condition is None or self.reading.skipped or table.per != holder.scope:
            return False
        return self.reading.holds(condition, holder)


def _sorted_problems(
    parts: dict[str, CheckedPart],
    before: tuple[Problem, ...],
    replaced: list[CheckedPart],
    checked: list[CheckedPart],
) -> list[Problem]:
    """Return the problems of all parts in order; if only few differ from those `before`, without sorting all."""
    stale = [problem for part in replaced for problem in part.problems]
    fresh = [problem for part in checked for problem in part.problems]
    if _FEW * (len(stale) + len(fresh)) > len(before):
        return sorted([problem for part in parts.values() for problem in part.problems], key=_PROBLEM_ORDER)
    problems = list(before)
    for problem in stale:
        del problems[bisect_left(problems, _PROBLEM_ORDER(problem), key=_PROBLEM_ORDER)]
    for problem in fresh:
        insort(problems, problem, key=_PROBLEM_ORDER)
    return problems


def _merged(parts: dict[str, CheckedPart], problems: list[Problem]) -> CheckOutcome:
    decided: dict[str, dict[str, DecidedValue]] = {}
    asked: dict[str, tuple[ActiveQuestion, ...]] = {}
    places: dict[str, Place] = {}
    claims: set[str] = set()
    evidence: set[str] = set()
    kept: set[str] = set()
    for part in parts.values():
        decided.update(part.decided)
        asked.update(part.asked)
        places.update(part.places)
        claims.update(part.claims)
        evidence.update(part.evidence)
        kept.update(part.kept)
    return CheckOutcome(
        decided=decided,
        problems=tuple(problems),
        asked=asked,
        claims=frozenset(claims),
        evidence=frozenset(evidence),
        kept=frozenset(kept),
        places=places,
        parts=parts,
    )


def _place(node: ScopeNode) -> Place:
    ids: dict[str, str] = {}
    current: ScopeNode | None = node
    while current is not None:
        recorded = current.scope != "claim" or current.parent is None or current.where != current.parent.where
        if current.scope != "task" and recorded:
            ids[current.scope] = current.item.id
        current = current.parent
    return Place(**ids)


# Keys left out of the SHA-256 of a rating: they change without a change of the rater's judgement.
UNHASHED_KEYS = frozenset({"revision", "changed", "status", "time", "links_opened", "decided", "problems"})


def exported_form(rating: Rating, outcome: CheckOutcome) -> Rating:
    """Return a rating in exported form: only answers, claims and evidence that are asked for, and offered values."""
    answers = rating.answers
    return replace(
        rating,
        answers=Answers(
            unknown=answers.unknown,
            task=_asked_answers(outcome, "task"),
            responses=_all_asked_answers(outcome, "responses", answers.responses),
            targets=_all_asked_answers(outcome, "targets", answers.targets),
        ),
        claims=_claims(rating, outcome),
        evidence=tuple(
            piece
            for piece in rating.evidence
            if f"targets/{piece.target}/evidence/{piece.id}" in outcome.kept
            or f"responses/{piece.response}/evidence/{piece.id}" in outcome.kept
        ),
        decided=outcome.decided,
        problems=tuple([replace(problem, message=None) for problem in outcome.problems]),
    )


def exported_sha256(rating: Rating) -> str:
    """Return the SHA-256 of an exported rating: of its canonical JSON without the keys in `UNHASHED_KEYS`."""
    return exported_json_sha256(to_plain(rating))


def exported_json_sha256(plain: dict[str, Any]) -> str:
    """Return the same for an exported rating that was read from a file."""
    return sha256(canonical_json({key: value for key, value in plain.items() if key not in UNHASHED_KEYS}))


def _asked_answers(outcome: CheckOutcome, where: str) -> dict[str, Any]:
    return {item.question.id: item.value for item in outcome.asked.get(where, ()) if item.value is not None}


def _all_asked_answers(outcome: CheckOutcome, kind: str, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    visible = {name: _asked_answers(outcome, f"{kind}/{name}") for name in given}
    return {name: answers for name, answers in visible.items() if answers}


def _claims(rating: Rating, outcome: CheckOutcome) -> dict[str, tuple[Claim, ...]]:
    visible = {}
    for target, claims in rating.claims.items():
        wheres = [(claim, f"targets/{target}/claims/{claim.id}") for claim in claims]
        shown_claims = tuple(
            replace(claim, answers=_asked_answers(outcome, where)) for claim, where in wheres if where in outcome.kept
        )
        if shown_claims:
            visible[target] = shown_claims
    return visible


Unit = Literal["targets", "responses", "pairs", "tasks"]


def counted_unit(rubric: Rubric) -> Unit:
    """Return what a rubric's progress counts: the smallest thing that all its questions are about."""
    if rubric.per_target:
        return "targets"
    if rubric.questions_by_scope["response"]:
        return "pairs" if rubric.questions_by_scope["task"] else "responses"
    return "tasks"


def finished_units(rubric: Rubric, outcome: CheckOutcome, status: Status) -> int:
    """Return how many targets or responses of an unfinished task are done: all their required questions answered.

    Of a pair or task it is 1 once the rating is finished.
    """
    unit = counted_unit(rubric)
    if unit in {"pairs", "tasks"}:
        return int(status != "incomplete")
    open_units: dict[str, bool] = {}
    for where, questions in outcome.asked.items():
        place = outcome.places.get(where, Place())
        name = place.target if unit == "targets" else place.response
        if name is not None:
            for question in questions:
                if question.required:
                    open_units[name] = open_units.get(name, False) or question.value is None
    return list(open_units.values()).count(False)
