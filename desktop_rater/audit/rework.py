"""Rework rounds for a rater, and the changes of a rater since a rating was returned."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from desktop_rater.audit.effective_ratings import SupersedeGraph
from desktop_rater.audit.results import AuditedTask, RaterOnTask, ReceivedRating, ReceivedResults, Verdict
from desktop_rater.audit.status import natural_key
from desktop_rater.format.edit import Difference, differences
from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Comment

_CLAIM = re.compile(r"(?P<where>.+)/claims/(?P<claim>[^/]+)")


class ReworkTask(msgspec.Struct, frozen=True, kw_only=True):
    """Returned task: SHA-256 of its results zip, rating and text; `at` is the time of the lead's last comment."""

    task: str
    text: str
    results: str
    rating: str
    by: str
    at: str
    comments: tuple[Comment, ...]


class Rework(msgspec.Struct, frozen=True, kw_only=True):
    """One round.

    `id` is that of the bundle, `results` are those that its results will supersede. A round without any results yet is
    sent again, with a higher revision, when the lead adds comments.
    """

    id: str
    rater: str
    round: int
    revision: int
    results: str
    tasks: tuple[ReworkTask, ...]

    @property
    def at(self) -> str:
        return max(task.at for task in self.tasks)

    @property
    def comments(self) -> int:
        return sum(len(task.comments) for task in self.tasks)


class NextRound(msgspec.Struct, frozen=True, kw_only=True):
    """Next round, if any.

    `again`: it was sent before and is unchanged. `waiting`: tasks to be sent once this round is back, since they are in
    results that do not follow each other. `unchanged`: tasks that came back unchanged; they are sent again once the
    lead comments on them again.
    """

    rework: Rework | None
    again: bool = False
    unchanged: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


class ReworkState(msgspec.Struct, frozen=True, kw_only=True):
    """State of a rater's rework. `unsent`: verdicts not yet in a bundle; `out`: tasks not back yet."""

    rater: str
    unsent: int = 0
    out: tuple[str, ...] = ()


def returned_tasks(
    rater: str, counting: Mapping[tuple[str, str], ReceivedRating], verdicts: Iterable[Verdict]
) -> tuple[tuple[ReworkTask, ...], tuple[Verdict, ...]]:
    """Return a rater's tasks to be returned, in natural order, and the verdicts that refer to an earlier rating."""
    valid: dict[str, list[Verdict]] = {}
    outdated: list[Verdict] = []
    for verdict in verdicts:
        if verdict.rater != rater or verdict.kind != "returned":
            continue
        filed = counting.get((verdict.task, rater))
        if filed is None or filed.sha256 != verdict.rating:
            outdated.append(verdict)
        else:
            valid.setdefault(verdict.task, []).append(verdict)
    tasks = sorted(valid, key=natural_key)
    return tuple(_sent_back(counting[task, rater], valid[task]) for task in tasks), tuple(outdated)


def _sent_back(filed: ReceivedRating, verdicts: list[Verdict]) -> ReworkTask:
    comments = []
    for verdict in sorted(verdicts, key=lambda verdict: natural_key(verdict.where)):
        match = _CLAIM.fullmatch(verdict.where)
        where, claim = (match["where"], match["claim"]) if match is not None else (verdict.where, None)
        comments.append(Comment(where=where, reason=verdict.reason, comment=verdict.comment, claim=claim))
    last = max(verdicts, key=lambda verdict: (verdict.changed, verdict.where))
    return ReworkTask(
        task=filed.task,
        text=filed.text,
        results=filed.results,
        rating=filed.sha256,
        by=last.lead,
        at=last.changed,
        comments=tuple(comments),
    )


def next_round(
    tasks: Sequence[ReworkTask],
    previous: Sequence[Rework],
    received: Iterable[ReceivedResults],
    *,
    rater: str,
    name: str,
) -> NextRound:
    """Return the next round, from the current verdicts and the previous rounds.

    `name`: the ids of its rounds without their number.
    A task that is out is not sent twice, unless the lead has commented on it since.
    """
    zips = {results.sha256: results for results in received if results.rater == rater}
    last = previous[-1] if previous else None
    came_back = last is not None and any(results.of == last.id for results in zips.values())
    done = [rework for rework in previous if came_back or rework.id != previous[-1].id]
    out = {(task.task, task.rating): (task.comments, rework.round) for rework in done for task in rework.tasks}
    rest = [task for task in tasks if task.comments == out.get((task.task, task.rating), (None, 0))[0]]
    fresh = [task for task in tasks if task not in rest]
    rounds = {rework.id: rework.round for rework in previous}
    unchanged = tuple(
        task.task for task in rest if rounds.get(zips[task.results].of, 0) >= out[task.task, task.rating][1]
    )
    if not fresh:
        last_ids = {task.task for task in last.tasks} if last is not None else set()
        pending = any(task.task in last_ids and task.task not in unchanged for task in rest)
        return NextRound(rework=last if pending else None, again=pending, unchanged=unchanged)
    results, together = _best_predecessor(fresh, zips)
    waiting = tuple(task.task for task in fresh if task not in together)
    if last is not None and not came_back:
        if _visible_part(last.tasks) == _visible_part(together):
            return NextRound(rework=last, again=True, waiting=waiting, unchanged=unchanged)
        id_, number, revision = last.id, last.round, last.revision + 1
    else:
        number, revision = (last.round + 1 if last is not None else 1), 1
        id_ = f"{name}{number}"
    rework = Rework(id=id_, rater=rater, round=number, revision=revision, results=results, tasks=together)
    return NextRound(rework=rework, waiting=waiting, unchanged=unchanged)


def rework_state(
    next_round: NextRound,
    previous: Sequence[Rework],
    counting: Mapping[tuple[str, str], ReceivedRating],
    received: Iterable[ReceivedResults],
    *,
    rater: str,
) -> ReworkState:
    """Return the state of a rater's rework, from the next round and the previous ones."""
    sent: defaultdict[tuple[str, str], list[Comment]] = defaultdict(list)
    for task in (task for rework in previous for task in rework.tasks):
        sent[task.task, task.rating] += task.comments
    going = next_round.rework.tasks if next_round.rework is not None and not next_round.again else ()
    unsent = sum(comment not in sent[task.task, task.rating] for task in going for comment in task.comments)
    rounds = {rework.id: rework.round for rework in previous}
    round_of_results = {results.sha256: rounds.get(results.of, 0) for results in received if results.rater == rater}
    last = {task.task: (task.rating, rework.round) for rework in previous for task in rework.tasks}
    out = []
    for task, (rating, number) in last.items():
        filed = counting.get((task, rater))
        if filed is not None and filed.sha256 == rating and round_of_results.get(filed.results, 0) < number:
            out.append(task)
    return ReworkState(rater=rater, unsent=unsent, out=tuple(sorted(out, key=natural_key)))


def _visible_part(tasks: Sequence[ReworkTask]) -> list[tuple[str, str, tuple[Comment, ...]]]:
    """Return what the rater sees of the tasks, without times."""
    return [(task.task, task.rating, task.comments) for task in tasks]


def _best_predecessor(
    tasks: Sequence[ReworkTask], zips: Mapping[str, ReceivedResults]
) -> tuple[str, tuple[ReworkTask, ...]]:
    """Return the results to follow so that the most tasks are superseded, and those tasks."""
    following = SupersedeGraph(zips.values())
    held = Counter(task.results for task in tasks)
    reach: Counter[str] = Counter()
    for results, count in held.items():
        for name in {results, *following.after((results,))}:
            reach[name] += count
    best = max(zips, key=lambda name: (reach[name], following.depth(name), name))
    superseded = {best, *following.before((best,))}
    return best, tuple(task for task in tasks if task.results in superseded)


def changes_by_rater(audited: AuditedTask, received: Iterable[ReceivedResults]) -> dict[str, tuple[Difference, ...]]:
    """Return each rater's changes since the rating was returned, otherwise since the previous one.

    Raters who changed nothing have an empty entry; without an earlier rating there is none.
    """
    zips = {results.sha256: results for results in received}
    following = SupersedeGraph(zips.values())
    by_rater = {}
    for row in audited.raters:
        before = _before(audited, row, zips, following)
        if before is not None:
            by_rater[row.rater] = differences(before, row.rating)
    return by_rater


def _before(
    audited: AuditedTask, row: RaterOnTask, zips: dict[str, ReceivedResults], following: SupersedeGraph
) -> Rating | None:
    """Return the rating to compare with: the last returned one if the effective one came after it, else the last."""
    returned = {
        verdict.rating
        for (_, rater), verdict in audited.verdicts.items()
        if rater == row.rater and verdict.kind == "returned"
    }
    earlier = sorted(row.earlier, key=lambda previous: following.depth(previous[0].results), reverse=True)
    came_back = row.received.results in zips and zips[row.received.results].rework
    others = [(received, rating) for received, rating in earlier if received.sha256 != row.received.sha256]
    sent_back = [rating for received, rating in (earlier if came_back else others) if received.sha256 in returned]
    return next(iter((*sent_back, *(rating for _, rating in others))), None)
