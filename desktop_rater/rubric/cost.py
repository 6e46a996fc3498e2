"""Limit on the tests that checking one rating may take: those of the rubric, times targets, claims and evidence.

A count instead of a clock: a task is accepted or refused alike on every computer. The limit was measured on one core of
a shared virtual machine (`python -m bench limit`): a task at the limit of which every test is evaluated takes 0.3 to
0.6 s, and 0.8 s if each of its rules is broken. The built-in rubrics have at most 113 tests per target, so that the
largest tasks, of 10,000 targets, stay below it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from desktop_rater.model.rating import Claim, Evidence, Rating
from desktop_rater.model.task import Task
from desktop_rater.rubric.compiled import Rubric

MAX_TESTS = 1_200_000


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
    inner = tests["target"].total(most) + tests["claim"].total(most) * most
    total = outer + inner * len(targets) + tests["evidence"].total(most) * len(evidence)
    if total > MAX_TESTS:  # counted exactly, since few targets may have many claims
        pieces = Counter(piece.target for piece in evidence)
        total = outer + tests["evidence"].total(1) * len(evidence)
        for target in targets:
            count = len(claims.get(target.id, ())) or 1
            total += tests["target"].total(count) + tests["claim"].total(count) * count
            total += (tests["evidence"].total(count) - tests["evidence"].total(1)) * pieces[target.id]
    if total <= MAX_TESTS:
        return ""
    many = f"{sum(map(len, claims.values())):,} claims and {len(evidence):,} pieces of evidence"
    product = f"{len(task.responses):,} responses with {many}"
    if targets:
        product = f"{-(-total // len(targets)):,} tests of the rubric x {len(targets):,} targets"
        product += f" with {many}" if claims or evidence else ""
    return f"{product} = {total:,} tests; at most {MAX_TESTS:,} can be checked"
