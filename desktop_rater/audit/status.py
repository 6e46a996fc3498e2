"""Is everything here? Who is missing what."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.filed import Audit, Filed, Fork, Received
from desktop_rater.audit.signed import Signing, weightiest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class RaterState(msgspec.Struct, frozen=True, kw_only=True):
    """How far one rater is. `due`: tasks that the rater has to rate, 0 where that is not known.

    `lacking`: those of them that have no rating, as far as it is known which they are; `lacks` says how many.
    `results` counts zips. `earlier`: ratings that others took the place of. `forked` and `stale`: tasks.
    `unsent`: verdicts that send back and are in no bundle yet; `out`: tasks that were sent back and are not here again.
    `unknown_before`: the SHA-256 of predecessors that were not received. `strange`: tasks that were not assigned.
    `signings`: how those results are signed that hold ratings that count.
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
    signings: tuple[Signing, ...] = ()

    @property
    def signing(self) -> Signing | None:
        """What there is to say of how the results are signed: of the most doubtful ones."""
        return weightiest(self.signings)

    @property
    def whole(self) -> bool:
        """Whether nothing of this rater is missing or open."""
        return not (self.lacks or self.forked or self.stale or self.unknown_before or not self.results)


class TaskState(msgspec.Struct, frozen=True, kw_only=True):
    """How many people have rated a task, and who of those it was assigned to has not."""

    task: str
    ratings: int
    lacking: tuple[str, ...] = ()


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """What is here of one bundle. `known`: the bundle itself was opened, so what nobody rated shows.

    `short`: tasks with fewer ratings of people than most have, or with raters who still have to rate them.
    """

    bundle: str
    title: str
    known: bool
    tasks: int
    ratings: int
    units: int
    raters: tuple[RaterState, ...]
    short: tuple[TaskState, ...]
    usual: int = 0
    forks: tuple[Fork, ...] = ()
    earlier: int = 0
    received: tuple[Received, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everything is here."""
        return not self.short and all(one.whole for one in self.raters)

    def plain(self) -> dict[str, Any]:
        """For JSON: without how the file was called when results came, so that the same give the same."""
        plain = msgspec.to_builtins(self)
        for one in plain["received"]:
            del one["file"]
        return {**plain, "whole": self.whole, "raters": [_plain(one) for one in self.raters]}


def _plain(one: RaterState) -> dict[str, Any]:
    return {**msgspec.to_builtins(one), "whole": one.whole}


def status_of(
    audit: Audit, *, known: Sequence[str] | None, assigned: Mapping[str, Sequence[str]] | None = None
) -> Status:
    """`known`: the tasks that the bundle itself has, where it was opened. `assigned`: rater → tasks, where it is known.

    With `assigned` who sent nothing shows too.
    """
    names = sorted({*audit.raters, *(assigned or ())})
    of_raters = _grouped(audit, names)
    raters = tuple(_Rater(audit, of_raters[name]).state(known=known, assigned=assigned) for name in names)
    tasks = audit.tasks if known is None else known
    people = Counter(task for task, rater in audit.ratings if rater not in audit.models)
    usual = max(Counter(people.values()).items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))[0]
    return Status(
        bundle=audit.bundle,
        title=audit.title,
        known=known is not None,
        tasks=len(tasks),
        ratings=len(audit.ratings),
        units=sum(len(one.digest.values) for one in audit.ratings.values()),
        raters=raters,
        short=tuple(_short(tasks, people, usual, raters, assigned)),
        usual=usual,
        forks=audit.forks,
        earlier=len(audit.earlier),
        received=audit.received,
    )


class _Own(msgspec.Struct):
    """What is of one rater."""

    rater: str
    zips: list[Received] = []
    rated: list[Filed] = []
    stale: set[str] = set()
    forked: set[str] = set()
    earlier: int = 0


def _grouped(audit: Audit, names: Sequence[str]) -> dict[str, _Own]:
    of_raters = {name: _Own(name) for name in names}
    for results in audit.received:
        of_raters[results.rater].zips.append(results)
    for one in audit.ratings.values():
        of_raters[one.rater].rated.append(one)
    for one in audit.stale:
        of_raters[one.rater].stale.add(one.task)
    for fork in audit.forks:
        of_raters[fork.rater].forked.update(fork.tasks)
    for one in audit.earlier:
        of_raters[one.rater].earlier += 1
    return of_raters


class _Rater:
    def __init__(self, audit: Audit, own: _Own) -> None:
        self._audit = audit
        self._own = own
        self._rater = own.rater
        self._zips = own.zips

    def state(self, *, known: Sequence[str] | None, assigned: Mapping[str, Sequence[str]] | None) -> RaterState:
        audit, own = self._audit, self._own
        held = {one.task for one in own.rated}
        due, lacking = self._due(held, known=known, assigned=assigned)
        states = Counter(one.digest.status for one in own.rated)
        counting = {one.results for one in own.rated}
        reworks = {one.sha256 for one in own.zips if one.rework}
        model = own.rater in audit.models
        return RaterState(
            rater=own.rater,
            results=len(own.zips),
            ratings=len(held),
            complete=states["complete"],
            skipped=states["skipped"],
            due=due,
            lacks=len(lacking) if lacking else max(0, due - len(held)),
            lacking=tuple(lacking),
            partial=any(one.partial and not one.rework for one in own.zips if one.sha256 in counting),
            practice=any(one.practice for one in own.zips),
            model=model,
            earlier=own.earlier,
            reworked=sum(one.results in reworks for one in own.rated),
            forked=tuple(sorted(own.forked)),
            stale=tuple(sorted(own.stale - held)),
            unknown_before=tuple(before for one in own.zips if (before := audit.missing.get(one.sha256)) is not None),
            strange=tuple(sorted(held - set(assigned.get(own.rater, ()))))
            if assigned is not None and not model
            else (),
            signings=tuple(audit.signings[name] for name in sorted(counting) if name in audit.signings),
        )

    def _due(
        self, held: set[str], *, known: Sequence[str] | None, assigned: Mapping[str, Sequence[str]] | None
    ) -> tuple[int, list[str]]:
        """How many tasks the rater has to rate, and which of them have no rating, where that is known."""
        if assigned is not None:
            own = assigned.get(self._rater, ())
            return len(own), [task for task in own if task not in held]
        bundles = [one for one in self._zips if not one.rework]
        if known is not None and any(one.of == self._audit.bundle for one in bundles):
            return len(known), [task for task in known if task not in held]
        # Of a part of the bundle only its size is known. A newer revision says how many they are now.
        parts: dict[str, tuple[int, int]] = {}
        for one in bundles:
            parts[one.of] = max(parts.get(one.of, (0, 0)), (one.revision, one.tasks))
        return sum(tasks for _, tasks in parts.values()), []


def _short(
    known: Sequence[str],
    people: Counter[str],
    usual: int,
    raters: tuple[RaterState, ...],
    assigned: Mapping[str, Sequence[str]] | None,
) -> list[TaskState]:
    lacking: dict[str, list[str]] = defaultdict(list)
    for rater in raters if assigned is not None else ():
        for task in rater.lacking:
            lacking[task].append(rater.rater)
    tasks = dict.fromkeys((*known, *lacking))
    found = []
    for task in tasks:
        short = task in lacking if assigned is not None else people[task] < usual
        if short or not people[task]:
            found.append(TaskState(task=task, ratings=people[task], lacking=tuple(lacking[task])))
    return found
