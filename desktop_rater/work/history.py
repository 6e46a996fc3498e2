"""What was done to the rating of a task: to take back and do again what an earlier sitting did, and to look at.

Nothing but the revisions is kept for it. What was undone and done again is seen by the words that are stored with each
revision, and by which earlier state it is equal to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from desktop_rater.model.difference import Difference, content, differences
from desktop_rater.model.rating import Rating, Status
from desktop_rater.store import bundles, tasks
from desktop_rater.store import history as stored
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.open_task import beginning, task_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.store.history import Written
    from desktop_rater.store.store import Store

MOST = 500  # revisions: of older ones nothing is undone
UNDO, REDO, OPEN_LINK = "undo", "redo", "open link"  # as they stand in what was done


_State = tuple[Rating, Rating]  # and its content


class Trail(msgspec.Struct, frozen=True):
    """Two stacks of states, the nearest last, around the state that is there now."""

    undo: tuple[Rating, ...]
    now: Rating
    redo: tuple[Rating, ...]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A revision as the history shows it. `rating` is `None` where it can't be read; then nothing is known of it."""

    revision: int
    changed: str
    status: Status
    done: tuple[str, ...]
    rating: Rating | None
    differences: tuple[Difference, ...]


def trail(store: Store, bundle_id: str, task_id: str, rater: str, last: int) -> Trail:
    """What can be undone and done again at revision `last`. Raises `StoreError`."""
    states = [one for one in _states(store, bundle_id, task_id, rater, last) if one.rating is not None]
    first = _beginning(store, bundle_id, task_id, rater)
    if states and states[0].row.revision > 1 and states[0].rating is not None:
        first, states = states[0].rating, states[1:]
    found = replay(first, states)
    since = _imported(store, bundle_id)
    return Trail(
        undo=tuple(_of_now(one, since) for one in found.undo),
        now=_of_now(found.now, since),
        redo=tuple(_of_now(one, since) for one in found.redo),
    )


def told(store: Store, bundle_id: str, task_id: str, rater: str) -> tuple[Told, ...]:
    """What was done, the latest first; revisions in which only time passed are left out. Raises `StoreError`.

    The last one is the task as it came, revision 0, unless there are more revisions than are looked at.
    """
    states = _states(store, bundle_id, task_id, rater, None)
    since = _imported(store, bundle_id)
    before: Rating | None = _beginning(store, bundle_id, task_id, rater)
    rows = [Told(revision=0, changed="", status="incomplete", done=(), rating=before, differences=())]
    if states and states[0].row.revision > 1:
        before, states, rows = states[0].rating, states[1:], []
    for one in states:
        if one.rating is not None and before is not None and content(before) == content(one.rating):
            continue
        rows.append(_told(one, before, since))
        before = one.rating or before
    return tuple(reversed(rows))


def replay(first: Rating, states: Sequence[Written]) -> Trail:
    """Go through the revisions once more, from the state before the first of them.

    Several steps may have been saved as one. Where such a one went back to a state that was never stored, that state
    lies between those that were: what is known before and after it stays where it is.
    """
    undo: list[_State] = []
    redo: list[_State] = []
    now = first, content(first)
    for one in states:
        if one.rating is None:
            continue
        there = one.rating, content(one.rating)
        if there[1] != now[1]:
            _step(set(one.row.done.split(", ")) - {OPEN_LINK}, undo, redo, now, there)
        now = there
    return Trail(tuple(rating for rating, _ in undo), now[0], tuple(rating for rating, _ in redo))


def _step(done: set[str], undo: list[_State], redo: list[_State], now: _State, there: _State) -> None:
    """Put the stacks as they are once `there` stands in the place of `now`."""
    ways = ((UNDO, undo, redo), (REDO, redo, undo)) if done and done <= {UNDO, REDO} else ()
    for word, ahead, behind in ways:
        at = next((at for at in reversed(range(len(ahead))) if ahead[at][1] == there[1]), None)
        if word in done and at is not None:
            behind += [now, *reversed(ahead[at + 1 :])]
            del ahead[at:]
            return
    for word, ahead, behind in ways:
        if word in done and ahead:
            behind.append(now)
            return
    undo.append(now)
    redo.clear()


def _states(store: Store, bundle_id: str, task_id: str, rater: str, last: int | None) -> list[Written]:
    """The revisions up to the last one that counts, and the one before the first of them."""
    return stored.written(store, bundle_id, task_id, rater, last=last, most=MOST + 1)


def _beginning(store: Store, bundle_id: str, task_id: str, rater: str) -> Rating:
    """The state before the first revision; of a task that is gone nothing is known."""
    bundle = bundles.find(store, bundle_id)
    try:
        task = task_of(tasks.get(store, bundle_id, task_id)) if bundle is not None else None
    except NotThere:
        task = None
    if bundle is None or task is None:
        return Rating(task=task_id, rater=rater)
    return replace(beginning(task, bundle.rubric), rater=rater, rubric=bundle.rubric)


def _imported(store: Store, bundle_id: str) -> str:
    bundle = bundles.find(store, bundle_id)
    return bundle.imported if bundle is not None else ""


def _of_now(rating: Rating, since: str) -> Rating:
    """A state of before the last import was complete for what the task was then."""
    stale = rating.status == "complete" and (rating.changed or "") < since
    return replace(rating, status="incomplete") if stale else rating


def _told(one: Written, before: Rating | None, since: str) -> Told:
    row, rating = one.row, one.rating
    return Told(
        revision=row.revision,
        changed=row.changed,
        status=row.status,
        done=tuple(row.done.split(", ")),
        rating=_of_now(rating, since) if rating is not None else None,
        differences=differences(before, rating) if rating is not None and before is not None else (),
    )
