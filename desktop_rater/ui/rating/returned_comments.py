"""Comments of a QA lead: their texts, and the stops at which they are shown."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rater.format.edit import differences, parse_place
from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Comment, Task
from desktop_rater.format.values import Place
from desktop_rater.ui.rating.task_stops import place_path, stop_of
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated

MAX_COMMENT_LENGTH = 4_000  # characters of a comment; the bundle has all of it
_LONGEST_NAME = 60

translate = QCoreApplication.translate


def return_reason_text(reason: str) -> str:
    """Return a reason in the language of the window; one of another program unchanged."""
    return {
        "guideline-gap": translate("Returned", "The guideline has a gap"),
        "ambiguous-text": translate("Returned", "The text is ambiguous"),
        "search-too-thin": translate("Returned", "Search insufficient"),
        "label-does-not-follow": translate("Returned", "Label does not follow"),
        "evidence-does-not-say-it": translate("Returned", "Evidence does not support it"),
        "claim-missed": translate("Returned", "Missing claim"),
        "edge-case": translate("Returned", "Edge case"),
        "other": translate("Returned", "Other"),
    }.get(reason, reason[:_LONGEST_NAME])


def return_reasons_text(comments: Iterable[Comment]) -> str:
    """Return the distinct reasons of some comments, without "other", which adds nothing to the comment."""
    return "; ".join(
        dict.fromkeys(return_reason_text(comment.reason) for comment in comments if comment.reason not in {"", "other"})
    )


def sender_text(by: str) -> str:
    """Return the name of the sender."""
    name = " ".join(by.split())[:_LONGEST_NAME]
    return isolated(name) if name else translate("Returned", "the QA lead")


def comment_header_text(by: str, comments: Iterable[Comment]) -> str:
    """Return the header of the comments on a place."""
    reasons = return_reasons_text(comments)
    if not reasons:
        return translate("Returned", "Sent back by {name}").format(name=sender_text(by))
    return translate("Returned", "Sent back by {name}: {reasons}").format(name=sender_text(by), reasons=reasons)


def quoted_comment(comment: Comment) -> str:
    """Return the lead's text, quoted; a long text is cut and ends in "…"."""
    text = comment.comment.strip()
    if not text:
        return ""
    excerpt = f"{text[:MAX_COMMENT_LENGTH].rstrip()} …" if len(text) > MAX_COMMENT_LENGTH else text
    return formatting.quoted(excerpt)


def comments_by_stop(task: Task, stops: Sequence[Place]) -> dict[Place, tuple[Comment, ...]]:
    """Return the comments by the stop where they are shown, in the order of the stops.

    A comment on a place that is no stop of this task, such as the whole of it, is shown at the nearest one.
    """
    if task.returned is None or not stops:
        return {}
    by_stop: dict[Place, list[Comment]] = {stop: [] for stop in stops}
    index = _StopIndex(stops)
    for comment in task.returned.comments:
        by_stop[index.at(comment)].append(comment)
    return {stop: tuple(comments) for stop, comments in by_stop.items() if comments}


class _StopIndex:
    """Index from a comment's place to its stop."""

    def __init__(self, stops: Sequence[Place]) -> None:
        self._first = stops[0]
        self._by_path = {place_path(stop): stop for stop in stops}
        self._by_response = {stop.response: stop for stop in reversed(stops)}  # the first of each

    def at(self, comment: Comment) -> Place:
        """Return the stop itself, the target of a claim, else the first stop of the response, else the first of all."""
        place = parse_place(comment.where)
        target = self._by_path.get(f"targets/{place.target}")
        near = self._by_response.get(place.response) if place.target is None else None
        return self._by_path.get(comment.where) or target or near or self._first


def is_same_target(stop: Place, place: Place) -> bool:
    """Return whether a place belongs to a stop that is a target."""
    return stop.target is not None and stop.target == place.target


def is_changed_since_return(task: Task, rating: Rating, stop: Place) -> bool:
    """Return whether the rater has changed anything at a stop since the task came back."""
    if task.returned is None:
        return False
    return any(
        stop_of(difference.place) == stop or is_same_target(stop, difference.place)
        for difference in differences(task.returned.rating, rating)
        if difference.kind not in {"finished", "unfinished", "taken_up"}
    )
