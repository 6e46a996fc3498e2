"""Completeness of a bundle's results: missing ratings by rater and by task."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from desktop_rater.audit.results import (
    Audit,
    Caution,
    Fork,
    HeldResults,
    ReceivedRating,
    ReceivedResults,
    ResultsSignature,
    most_urgent_signature,
    open_cautions,
)


class RaterState(msgspec.Struct, frozen=True, kw_only=True):
    """State of one rater.

    `due`: number of tasks assigned to the rater, 0 if unknown, as where the answers come from another tool. `lacking`:
    those without a rating, if known; `lacks`: their number. `results` counts zips. `earlier`: number of superseded
    ratings. `forked` and `stale`: tasks. `unsent`: returning verdicts not yet in a bundle; `out`: returned tasks that
    are not back yet. `unknown_before`: SHA-256 of predecessors that were not received. `strange`: tasks that were not
    assigned. `signings`: signatures of the results with effective ratings, and of those that are held. `held`: number
    of results that wait for the lead's word.
    """

    rater: str
    results: int = 0
    ratings: int = 0
    complete: int = 0
    skipped: int = 0
    due: int = 0
    lacks: int = 0
    lacking: tuple[str, ...] = ()
    partial: bool = False
    practice: bool = False
    model: bool = False
    earlier: int = 0
    reworked: int = 0
    unsent: int = 0
    out: tuple[str, ...] = ()
    forked: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    unknown_before: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    signings: tuple[ResultsSignature, ...] = ()
    held: int = 0

    @property
    def signing(self) -> ResultsSignature | None:
        return most_urgent_signature(self.signings)

    @property
    def whole(self) -> bool:
        return not (self.lacks or self.forked or self.stale or self.unknown_before or not self.results)


class TaskRatings(msgspec.Struct, frozen=True, kw_only=True):
    """Number of people who rated a task, and assigned raters who have not."""

    task: str
    ratings: int
    lacking: tuple[str, ...] = ()


class AuditStatus(msgspec.Struct, frozen=True, kw_only=True):
    """State of one bundle.

    `known`: the bundle itself was imported, so unrated tasks are listed. `short`: tasks with fewer ratings by people
    than most, or with ratings missing; with none, if all ratings come from other tools. `held`: results that wait for
    the lead's word, or have had it. `cautions`: what keeps the figures from being final.
    """

    bundle: str
    title: str
    known: bool
    tasks: int
    ratings: int
    units: int
    raters: tuple[RaterState, ...]
    short: tuple[TaskRatings, ...]
    usual: int = 0
    forks: tuple[Fork, ...] = ()
    earlier: int = 0
    received: tuple[ReceivedResults, ...] = ()
    held: tuple[HeldResults, ...] = ()
    cautions: tuple[Caution, ...] = ()

    @property
    def whole(self) -> bool:
        return not self.short and not open_cautions(self.cautions) and all(rater.whole for rater in self.raters)

    def plain(self) -> dict[str, Any]:
        """Return plain JSON, without the names of imported files so that equal results give equal output."""
        plain = msgspec.to_builtins(self)
        for results in plain["received"]:
            del results["file"]
        del plain["held"]
        quarantined = [
            {
                "sha256": entry.results.sha256,
                "rater": entry.results.rater,
                "revision": entry.results.revision,
                "reasons": msgspec.to_builtins(entry.reasons),
                "decision": msgspec.to_builtins(entry.decision),
            }
            for entry in self.held
        ]
        return {**plain, "whole": self.whole, "raters": [*map(_plain, self.raters)], "quarantined": quarantined}


def _plain(state: RaterState) -> dict[str, Any]:
    return {**msgspec.to_builtins(state), "whole": state.whole}


def bundle_status(
    audit: Audit, *, known: Sequence[str] | None, assigned: Mapping[str, Sequence[str]] | None = None
) -> AuditStatus:
    """Determine the state of a bundle.

    `known`: the tasks of the bundle itself, if imported. `assigned`: rater → tasks, if known; with it, raters who sent
    nothing are listed too.
    """
    waiting = {entry.results.rater for entry in audit.held if entry.held}
    names = sorted({*audit.raters, *waiting, *(assigned or ())})
    of_raters = _grouped(audit, names)
    raters = tuple(_state(audit, of_raters[name], known=known, assigned=assigned) for name in names)
    tasks = audit.tasks if known is None else known
    people = Counter(task for task, rater in audit.ratings if rater not in audit.models)
    usual = max(Counter(people.values()).items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))[0]
    all_imported = bool(audit.received) and all(results.imported for results in audit.received)
    return AuditStatus(
        bundle=audit.bundle,
        title=audit.title,
        known=known is not None,
        tasks=len(tasks),
        ratings=len(audit.ratings),
        units=sum(own.units for own in of_raters.values()),
        raters=raters,
        short=tuple(_short(tasks, people, 1 if all_imported else usual, raters, assigned)),
        usual=usual,
        forks=audit.forks,
        earlier=len(audit.earlier),
        received=audit.received,
        held=audit.held,
        cautions=audit.cautions,
    )


class _Own(msgspec.Struct):
    """Everything received from one rater."""

    rater: str
    zips: list[ReceivedResults] = []
    rated: list[ReceivedRating] = []
    states: Counter[str] = msgspec.field(default_factory=Counter)
    units: int = 0
    stale: set[str] = set()
    earlier: int = 0
    held: set[str] = set()


def _grouped(audit: Audit, names: Sequence[str]) -> dict[str, _Own]:
    of_raters = {name: _Own(name) for name in names}
    for results in audit.received:
        of_raters[results.rater].zips.append(results)
    for entry in audit.held:
        if entry.held:
            of_raters[entry.results.rater].held.add(entry.results.sha256)
    for rating in audit.ratings.values():
        own, digest = of_raters[rating.rater], rating.digest
        own.rated.append(rating)
        own.states[digest.status] += 1
        own.units += len(digest.values)
    for stale_rating in audit.stale:
        of_raters[stale_rating.rater].stale.add(stale_rating.task)
    for earlier_rating in audit.earlier:
        of_raters[earlier_rating.rater].earlier += 1
    return of_raters


def _state(
    audit: Audit, own: _Own, *, known: Sequence[str] | None, assigned: Mapping[str, Sequence[str]] | None
) -> RaterState:
    rated = {rating.task for rating in own.rated}
    due, lacking = _due(audit.bundle, own, rated, known=known, assigned=assigned)
    counting = {rating.results for rating in own.rated}
    reworks = {results.sha256 for results in own.zips if results.rework}
    model = own.rater in audit.models
    return RaterState(
        rater=own.rater,
        results=len(own.zips) + len(own.held),
        held=len(own.held),
        ratings=len(rated),
        complete=own.states["complete"],
        skipped=own.states["skipped"],
        due=due,
        lacks=len(lacking) if lacking else max(0, due - len(rated)),
        lacking=tuple(lacking),
        partial=any(
            results.partial and not results.rework and not results.imported
            for results in own.zips
            if results.sha256 in counting
        ),
        practice=any(results.practice for results in own.zips),
        model=model,
        earlier=own.earlier,
        reworked=sum(rating.results in reworks for rating in own.rated),
        forked=tuple(sorted({task for fork in audit.forks if fork.rater == own.rater for task in fork.tasks})),
        stale=tuple(sorted(own.stale - rated)),
        unknown_before=tuple(
            before for results in own.zips if (before := audit.missing.get(results.sha256)) is not None
        ),
        strange=tuple(sorted(rated - set(assigned.get(own.rater, ())))) if assigned is not None and not model else (),
        signings=tuple(audit.signings[name] for name in sorted(counting | own.held) if name in audit.signings),
    )


def _due(
    bundle: str,
    own: _Own,
    rated: set[str],
    *,
    known: Sequence[str] | None,
    assigned: Mapping[str, Sequence[str]] | None,
) -> tuple[int, list[str]]:
    if assigned is not None:
        tasks = assigned.get(own.rater, ())
        return len(tasks), [task for task in tasks if task not in rated]
    bundles = [results for results in own.zips if not results.rework and not results.imported]
    if known is not None and any(results.of == bundle for results in bundles):
        return len(known), [task for task in known if task not in rated]
    # Of a part of the bundle only the size is known; the newest revision has the current one.
    parts: dict[str, tuple[int, int]] = {}
    for results in bundles:
        parts[results.of] = max(parts.get(results.of, (0, 0)), (results.revision, results.tasks))
    return sum(tasks for _, tasks in parts.values()), []


def _short(
    known: Sequence[str],
    people: Counter[str],
    usual: int,
    raters: tuple[RaterState, ...],
    assigned: Mapping[str, Sequence[str]] | None,
) -> list[TaskRatings]:
    lacking: dict[str, list[str]] = defaultdict(list)
    for rater in raters if assigned is not None else ():
        for task in rater.lacking:
            lacking[task].append(rater.rater)
    states = []
    for task in dict.fromkeys((*known, *lacking)):
        short = task in lacking if assigned is not None else people[task] < usual
        if short or not people[task]:
            states.append(TaskRatings(task=task, ratings=people[task], lacking=tuple(lacking[task])))
    return states


_NUMBER = re.compile("([0-9]{1,18})")  # longer digit sequences are read in parts


def natural_key(text: str) -> tuple[list[str | int], str]:
    """Return the natural sort key of a name; no two names have equal keys, so the order is total."""
    # Every second part is a number.
    return [int(part) if index % 2 else part for index, part in enumerate(_NUMBER.split(text))], text
