"""Where in a task the lead's comments are shown. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.difference import differences, place_named
from desktop_rater.ui.moves import stop_of, where_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Rating
    from desktop_rater.model.returned import Comment
    from desktop_rater.model.task import Task


def comments_at(task: Task, stops: Sequence[Place]) -> dict[Place, tuple[Comment, ...]]:
    """The comments by the stop where they are shown, in the order of the stops.

    What is said of something that is no stop of this task, as of the whole of it, is shown at the nearest one.
    """
    if task.returned is None or not stops:
        return {}
    found: dict[Place, list[Comment]] = {stop: [] for stop in stops}
    shown = _Shown(stops)
    for comment in task.returned.comments:
        found[shown.at(comment)].append(comment)
    return {stop: tuple(said) for stop, said in found.items() if said}


class _Shown:
    """Finds the stop of a comment, of many quickly."""

    def __init__(self, stops: Sequence[Place]) -> None:
        self._first = stops[0]
        self._known = {where_of(stop): stop for stop in stops}
        self._of_response = {stop.response: stop for stop in reversed(stops)}  # the first of each

    def at(self, comment: Comment) -> Place:
        """The stop itself, the target of a claim, else the first of the response, else the first of all."""
        place = place_named(comment.where)
        target = self._known.get(f"targets/{place.target}")
        near = self._of_response.get(place.response) if place.target is None else None
        return self._known.get(comment.where) or target or near or self._first


def same_target(stop: Place, place: Place) -> bool:
    """Whether a place belongs to a stop that is a target."""
    return stop.target is not None and stop.target == place.target


def is_changed(task: Task, rating: Rating, stop: Place) -> bool:
    """Whether the rater has done anything at a stop since the task came back."""
    if task.returned is None:
        return False
    return any(
        stop_of(one.place) == stop or same_target(stop, one.place)
        for one in differences(task.returned.rating, rating)
        if one.kind not in {"finished", "unfinished", "taken_up"}
    )
