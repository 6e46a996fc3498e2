"""Choose the rating that counts per task and rater; independent of time and import order."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from typing import Any

from msgspec import Struct

from desktop_rater.audit.results import Fork, ReceivedRating, ReceivedResults


class SupersedeGraph:
    """Supersede graph of one bundle's results, by SHA-256. Results never supersede another rater's."""

    def __init__(self, received: Iterable[ReceivedResults]) -> None:
        zips = {results.sha256: results for results in received}
        self._before = {name: _predecessors(results, zips) for name, results in zips.items()}
        self._after: dict[str, list[str]] = defaultdict(list)
        for name, before in self._before.items():
            for predecessor in before:
                self._after[predecessor].append(name)
        self._depths: dict[str, int] = {}

    def before(self, names: Iterable[str]) -> set[str]:
        return _reachable(names, self._before)

    def after(self, names: Iterable[str]) -> set[str]:
        return _reachable(names, self._after)

    def depth(self, name: str) -> int:
        """Return the length of the longest chain of predecessors: greater than that of any predecessor."""
        waiting = [name]
        visited: set[str] = set()
        while waiting:
            step = waiting[-1]
            before = [
                earlier
                for earlier in self._before.get(step, ())
                if earlier not in self._depths and earlier not in visited
            ]
            visited.add(step)
            if before:
                waiting += before
                continue
            waiting.pop()
            self._depths[step] = 1 + max(
                (self._depths.get(earlier, 0) for earlier in self._before.get(step, ())), default=0
            )
        return self._depths[name]


def _predecessors(results: ReceivedResults, zips: Mapping[str, ReceivedResults]) -> tuple[str, ...]:
    named = dict.fromkeys(name for name in (results.supersedes, results.sent_back_from) if name is not None)
    return tuple(name for name in named if name in zips and zips[name].rater == results.rater)


def _reachable(names: Iterable[str], steps: Mapping[str, Collection[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        for name in steps.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


class EffectiveRatings(Struct, frozen=True, kw_only=True):
    """Effective ratings.

    `counting`: (task, rater) → the rating that counts. `earlier`: superseded ratings. `stale`: ratings of another text
    or rubric than the effective one. `missing`: SHA-256 of results → that of their predecessors, which were not
    received. `texts`: task → the effective text.
    """

    counting: dict[tuple[str, str], ReceivedRating]
    earlier: tuple[ReceivedRating, ...] = ()
    stale: tuple[ReceivedRating, ...] = ()
    forks: tuple[Fork, ...] = ()
    missing: dict[str, str] = {}
    texts: dict[str, str] = {}


def effective_ratings(
    received: Iterable[ReceivedResults],
    filed: Iterable[ReceivedRating],
    *,
    other_rubric: Collection[str] = (),
    texts: Mapping[str, str] | None = None,
) -> EffectiveRatings:
    """Determine the effective ratings of a bundle's results.

    `texts`: task → text of the lead's copy of the bundle, the only authority; `None` if there is no copy.
    """
    zips = {results.sha256: results for results in received}
    ratings = sorted(
        (rating for rating in filed if texts is None or rating.task in texts),  # the others have left the bundle
        key=lambda rating: (rating.task, rating.rater, rating.results),
    )
    current = _majority_texts(zips, ratings, other_rubric) if texts is None else dict(texts)
    heads, copies = _Heads(zips), _Copies(zips, ratings)
    counting: dict[tuple[str, str], ReceivedRating] = {}
    earlier: list[ReceivedRating] = []
    stale: list[ReceivedRating] = []
    forked: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (task, rater), ratings_of_task in groupby(ratings, key=lambda rating: (rating.task, rating.rater)):
        group = list(ratings_of_task)
        superseded = heads.superseded(rater, group)
        earlier += (rating for rating in group if rating.results in superseded)
        remaining = [rating for rating in group if rating.results not in superseded]
        fresh = [rating for rating in remaining if rating.text == current[task] and rating.results not in other_rubric]
        stale += {rating.sha256: rating for rating in remaining if rating not in fresh}.values()
        if not fresh:
            continue
        last = max((rating.revision, rating.sha256) for rating in fresh)
        counting[task, rater] = copies.chosen([rating for rating in fresh if (rating.revision, rating.sha256) == last])
        if len({rating.sha256 for rating in fresh}) > 1:
            forked[rater, tuple(sorted(rating.results for rating in fresh))].append(task)
    return EffectiveRatings(
        counting=counting,
        earlier=tuple(earlier),
        stale=tuple(stale),
        forks=tuple(
            Fork(rater=who, results=which, tasks=tuple(tasks)) for (who, which), tasks in sorted(forked.items())
        ),
        missing={
            results.sha256: results.supersedes
            for results in sorted(zips.values(), key=lambda results: results.sha256)
            if results.supersedes and results.supersedes not in zips
        },
        texts=current,
    )


def _majority_texts(
    zips: Mapping[str, ReceivedResults], ratings: list[ReceivedRating], other_rubric: Collection[str]
) -> dict[str, str]:
    """Return the text of each task that most raters had in the highest revision: a preview, while no copy is held.

    A single rater cannot make all others stale.
    """
    effective = {}
    for task, ratings_of_task in groupby(ratings, key=lambda rating: rating.task):
        group = list(ratings_of_task)
        rated = [rating for rating in group if rating.results not in other_rubric] or group
        highest = max(zips[rating.results].revision for rating in rated)
        votes = Counter(
            text
            for text, _ in {(rating.text, rating.rater) for rating in rated if zips[rating.results].revision == highest}
        )
        effective[task] = max(votes, key=lambda text: (votes[text], text))
    return effective


class _Copies:
    """Choice among zips that contain the same rating of a task.

    Hashes decide only between zips with the same content: a signature changes the hash but must not affect any figure.
    """

    def __init__(self, zips: Mapping[str, ReceivedResults], ratings: Iterable[ReceivedRating]) -> None:
        self._zips = zips
        self._ratings = ratings  # by task

    def chosen(self, same: list[ReceivedRating]) -> ReceivedRating:
        return same[0] if len(same) == 1 else max(same, key=self._priority)

    def _priority(self, rating: ReceivedRating) -> tuple[int, bool, bool, str, str]:
        results = self._zips[rating.results]
        return results.revision, not results.rework, not results.partial, self._contents[rating.results], rating.results

    @cached_property
    def _contents(self) -> dict[str, str]:
        """Map the SHA-256 of results to that of their ratings. Rarely needed."""
        hashes: dict[str, Any] = defaultdict(sha256)
        for rating in self._ratings:
            hashes[rating.results].update(f"{rating.task}\n{rating.sha256} {rating.revision}\n".encode())
        return {results: content.hexdigest() for results, content in hashes.items()}


class _Heads:
    """Detection of superseded ratings of one rater."""

    def __init__(self, zips: Mapping[str, ReceivedResults]) -> None:
        self._following = SupersedeGraph(zips.values())
        self._whole: dict[str, set[str]] = defaultdict(set)  # a rater's results that are no rework
        for name, results in zips.items():
            if not results.rework:
                self._whole[results.rater].add(name)
        self._under_whole = {rater: self._following.before(names) for rater, names in self._whole.items()}

    def superseded(self, rater: str, group: list[ReceivedRating]) -> set[str]:
        """Return the results whose rating of the task is superseded."""
        whole = self._whole[rater]
        if len(group) == 1 and len(whole) < 2:
            return set()
        holding = {rating.results: rating.sha256 for rating in group}
        reworks = holding.keys() - whole
        gone = holding.keys() & (self._under_whole.get(rater, set()) | self._following.before(reworks))
        # The same rating arrived in other results, where it was changed or withdrawn later.
        emptied = (self._following.after(holding) & whole) - holding.keys()
        left = holding.keys() - gone
        gone |= self._replaced(left, holding, emptied)
        left = holding.keys() - gone
        changed = self._replaced(left, holding, left)
        return gone | changed if changed < left else gone

    def _replaced(self, names: Collection[str], holding: Mapping[str, str], takers: Collection[str]) -> set[str]:
        """Return the results whose rating was replaced by other successors of the same rating."""
        said_by: dict[str, list[str]] = defaultdict(list)
        for name, content in holding.items():
            said_by[content].append(name)
        replaced: set[str] = set()
        later: dict[str, set[str]] = {}
        for name in names:
            rating = holding[name]
            if rating not in later:
                after = self._following.after(said_by[rating])
                later[rating] = {taker for taker in after.intersection(takers) if holding.get(taker) != rating}
            if later[rating] and later[rating] - {name} - self._following.before((name,)):
                replaced.add(name)
        return replaced
