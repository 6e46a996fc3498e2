"""What goes back to a rater, in rounds: each is a bundle of its own, of the tasks that were sent back since."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.following import Following
from desktop_rater.audit.natural import natural
from desktop_rater.model.returned import Comment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop_rater.audit.filed import Filed, Received
    from desktop_rater.audit.verdicts import Verdict

_CLAIM = re.compile(r"(?P<where>.+)/claims/(?P<claim>[^/]+)")


class SentBack(msgspec.Struct, frozen=True, kw_only=True):
    """A task that goes back. `results` is the zip that its rating is in, `rating` and `text` are SHA-256.

    `at`: when the lead last said something to it.
    """

    task: str
    text: str
    results: str
    rating: str
    by: str
    at: str
    comments: tuple[Comment, ...]


class Rework(msgspec.Struct, frozen=True, kw_only=True):
    """One round. `id` is that of the bundle, `results` what its results will take the place of.

    A round of which nothing has come back yet is sent again, with a higher revision, where the lead says more.
    """

    id: str
    rater: str
    round: int
    revision: int
    results: str
    tasks: tuple[SentBack, ...]

    @property
    def at(self) -> str:
        """When the lead last said something to any of it."""
        return max(one.at for one in self.tasks)

    @property
    def comments(self) -> int:
        return sum(len(one.comments) for one in self.tasks)


class Next(msgspec.Struct, frozen=True, kw_only=True):
    """What goes back now, if anything. `again`: it went before, and is the same.

    `waiting`: tasks that go once this round has come back, since they are in results that do not follow each other.
    `unchanged`: tasks that came back as they were; they go again once the lead says something else to them.
    """

    rework: Rework | None
    again: bool = False
    unchanged: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


class OnTheWay(msgspec.Struct, frozen=True, kw_only=True):
    """What is under way to a rater. `unsent`: verdicts that no bundle holds yet; `out`: tasks that are not back."""

    rater: str
    unsent: int = 0
    out: tuple[str, ...] = ()


def sent_back(
    rater: str, counting: Mapping[tuple[str, str], Filed], verdicts: Iterable[Verdict]
) -> tuple[tuple[SentBack, ...], tuple[Verdict, ...]]:
    """The tasks of a rater that are to go back, in their natural order, and the verdicts that are out of date.

    A verdict counts as long as it is about the rating that counts.
    """
    found: dict[str, list[Verdict]] = {}
    outdated: list[Verdict] = []
    for one in verdicts:
        if one.rater != rater or one.kind != "returned":
            continue
        filed = counting.get((one.task, rater))
        if filed is None or filed.sha256 != one.rating:
            outdated.append(one)
        else:
            found.setdefault(one.task, []).append(one)
    tasks = sorted(found, key=natural)
    return tuple(_sent_back(counting[task, rater], found[task]) for task in tasks), tuple(outdated)


def _sent_back(filed: Filed, verdicts: list[Verdict]) -> SentBack:
    verdicts.sort(key=lambda one: natural(one.where))
    last = max(verdicts, key=lambda one: (one.changed, one.where))
    return SentBack(
        task=filed.task,
        text=filed.text,
        results=filed.results,
        rating=filed.sha256,
        by=last.lead,
        at=last.changed,
        comments=tuple(map(_comment, verdicts)),
    )


def _comment(verdict: Verdict) -> Comment:
    found = _CLAIM.fullmatch(verdict.where)
    where, claim = (found["where"], found["claim"]) if found is not None else (verdict.where, None)
    return Comment(where=where, reason=verdict.reason, comment=verdict.comment, claim=claim)


def next_round(
    tasks: Sequence[SentBack], known: Sequence[Rework], received: Iterable[Received], *, rater: str, name: str
) -> Next:
    """What to send, by what stands now and the rounds before. `name`: the ids of its rounds without their number.

    What is out and not back yet does not go twice, unless the lead said something else to it since.
    """
    zips = {one.sha256: one for one in received if one.rater == rater}
    last = known[-1] if known else None
    came_back = last is not None and any(one.of == last.id for one in zips.values())
    done = [one for one in known if came_back or one.id != known[-1].id]
    out = {(one.task, one.rating): (one.comments, rework.round) for rework in done for one in rework.tasks}
    rest = [one for one in tasks if one.comments == out.get((one.task, one.rating), (None, 0))[0]]
    fresh = [one for one in tasks if one not in rest]
    rounds = {rework.id: rework.round for rework in known}
    unchanged = tuple(one.task for one in rest if rounds.get(zips[one.results].of, 0) >= out[one.task, one.rating][1])
    if not fresh:
        there = {one.task for one in last.tasks} if last is not None else set()
        still = any(one.task in there and one.task not in unchanged for one in rest)
        return Next(rework=last if still else None, again=still, unchanged=unchanged)
    results, together = _tip(fresh, zips)
    waiting = tuple(one.task for one in fresh if one not in together)
    if last is not None and not came_back:
        if _essence(last.tasks) == _essence(together):
            return Next(rework=last, again=True, waiting=waiting, unchanged=unchanged)
        id_, number, revision = last.id, last.round, last.revision + 1
    else:
        number, revision = (last.round + 1 if last is not None else 1), 1
        id_ = f"{name}{number}"
    rework = Rework(id=id_, rater=rater, round=number, revision=revision, results=results, tasks=together)
    return Next(rework=rework, waiting=waiting, unchanged=unchanged)


def on_the_way(
    found: Next,
    known: Sequence[Rework],
    counting: Mapping[tuple[str, str], Filed],
    received: Iterable[Received],
    *,
    rater: str,
) -> OnTheWay:
    """What is between lead and rater now, by what would go next and the rounds before."""
    said: defaultdict[tuple[str, str], list[Comment]] = defaultdict(list)
    for one in (one for rework in known for one in rework.tasks):
        said[one.task, one.rating] += one.comments
    going = found.rework.tasks if found.rework is not None and not found.again else ()
    unsent = sum(comment not in said[one.task, one.rating] for one in going for comment in one.comments)
    rounds = {rework.id: rework.round for rework in known}
    came = {one.sha256: rounds.get(one.of, 0) for one in received if one.rater == rater}
    last = {one.task: (one.rating, rework.round) for rework in known for one in rework.tasks}
    out = []
    for task, (rating, number) in last.items():
        filed = counting.get((task, rater))
        if filed is not None and filed.sha256 == rating and came.get(filed.results, 0) < number:
            out.append(task)
    return OnTheWay(rater=rater, unsent=unsent, out=tuple(sorted(out, key=natural)))


def _essence(tasks: Sequence[SentBack]) -> list[tuple[str, str, tuple[Comment, ...]]]:
    """What the rater gets to see of it: not when it was said."""
    return [(one.task, one.rating, one.comments) for one in tasks]


def _tip(tasks: Sequence[SentBack], zips: Mapping[str, Received]) -> tuple[str, tuple[SentBack, ...]]:
    """The results that new ones can follow so that they take the place of the most tasks, and those tasks."""
    following = Following(zips.values())
    held = Counter(one.results for one in tasks)
    reach: Counter[str] = Counter()
    for results, count in held.items():
        for name in {results, *following.after((results,))}:
            reach[name] += count
    best = max(zips, key=lambda name: (reach[name], following.depth(name), name))
    taken = {best, *following.before((best,))}
    return best, tuple(one for one in tasks if one.results in taken)
