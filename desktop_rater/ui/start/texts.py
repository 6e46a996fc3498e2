"""Words of the start page: progress, due dates and places."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from desktop_rater.operations.rating.overview import StartOverview
from desktop_rater.operations.rating.rater_state import BundleOrder, BundleOverview, BundleState, days_left, due_moment
from desktop_rater.rubric.check import Unit
from desktop_rater.ui.widgets import formatting

translate = QCoreApplication.translate
MAX_TITLE = 200


def title_text(bundle: BundleOverview) -> str:
    """Return the title of a bundle as one line."""
    return " ".join((bundle.title or bundle.id).split())[:MAX_TITLE]


def units_text(unit: Unit, count: int) -> str:
    """Return a number of what is counted: "94 targets"."""
    one = {
        "targets": translate("Start", "1 target"),
        "responses": translate("Start", "1 response"),
        "pairs": translate("Start", "1 pair"),
        "tasks": translate("Start", "1 task"),
    }
    many = {
        "targets": translate("Start", "{n} targets"),
        "responses": translate("Start", "{n} responses"),
        "pairs": translate("Start", "{n} pairs"),
        "tasks": translate("Start", "{n} tasks"),
    }
    return one[unit] if count == 1 else many[unit].format(n=formatting.number(count))


def progress_text(bundle: BundleOverview) -> str:
    """Return the progress of a bundle: "41 of 94 targets"."""
    text = translate("Start", "{done} of {total}")
    return text.format(done=formatting.number(bundle.done), total=units_text(bundle.unit, bundle.total))


def state_text(state: BundleState) -> str:
    """Return the state of a bundle in words."""
    return {
        "new": translate("Start", "not started"),
        "going": translate("Start", "in progress"),
        "done": translate("Start", "done, not handed in"),
        "left": translate("Start", "handed in"),
    }[state]


def kind_text(unit: Unit) -> str:
    """Return how the tasks of a bundle are rated, by what is counted."""
    return {
        "targets": translate("Start", "Sentence by sentence"),
        "responses": translate("Start", "Response by response"),
        "pairs": translate("Start", "Side by side"),
        "tasks": translate("Start", "Task by task"),
    }[unit]


def detail_text(bundle: BundleOverview) -> str:
    """Return the second line of a bundle: its kind, its state where the progress does not show it, what came back."""
    missing = translate("Start", "Library missing: {names}").format(names=", ".join(bundle.missing_libraries))
    parts = [missing] if bundle.missing_libraries else []
    parts.append(kind_text(bundle.unit))
    if bundle.for_trying:
        parts.append(translate("Start", "practice") if bundle.practice else translate("Start", "sample"))
    if bundle.put_away:
        parts.append(translate("Start", "hidden"))
    if bundle.state != "going":
        parts.append(state_text(bundle.state))
    if bundle.sent_back:
        text = translate("Start", "1 sent back") if bundle.sent_back == 1 else translate("Start", "{n} sent back")
        parts.append(text.format(n=formatting.number(bundle.sent_back)))
    return " · ".join(parts)


def libraries_text(bundle: BundleOverview) -> str:
    """Return which libraries a bundle wants and the store lacks, and what to do; empty if there are none."""
    text = translate(
        "Start",
        "It is to be researched in libraries that are missing here:\n{names}.\n"
        "Get them from the hub with `library fetch`, or ask your lead for them.",
    )
    return text.format(names=", ".join(bundle.missing_libraries)) if bundle.missing_libraries else ""


def due_text(bundle: BundleOverview) -> str:
    """Return the due day of a bundle, with the time of day if it has one."""
    if not bundle.open:
        return translate("Start", "Nothing to do")
    moment = due_moment(bundle.due)
    if moment is None:
        return translate("Start", "No due date")
    day = formatting.weekday(moment.date())
    text = translate("Start", "{day}, {time}")
    return text.format(day=day, time=formatting.clock(moment)) if "T" in bundle.due else day


def due_detail(bundle: BundleOverview, now: datetime) -> str:
    """Return how long there is, and how much work is left: "in 6 days, about 5 h left"."""
    if not bundle.open:
        return ""
    days = days_left(bundle.due, now)
    parts = [] if days is None else [_days_text(days)]
    if bundle.seconds_left:
        parts.append(formatting.remaining_time(bundle.seconds_left))
    return ", ".join(parts)


def _days_text(days: int) -> str:
    if days == 0:
        return translate("Start", "today")
    if days == 1:
        return translate("Start", "tomorrow")
    if days == -1:
        return translate("Start", "1 day late")
    text = translate("Start", "in {n} days") if days > 0 else translate("Start", "{n} days late")
    return text.format(n=formatting.number(abs(days)))


def order_text(order: BundleOrder) -> str:
    """Return the order of the list in words."""
    return {
        "due": translate("Start", "first due first"),
        "recent": translate("Start", "recent first"),
        "name": translate("Start", "by name"),
    }[order]


def reason_text(overview: StartOverview, bundle: BundleOverview) -> str:
    """Return the heading of the place to go on at: why it is this bundle, or what it is for the rater."""
    if bundle.returned and bundle.state == "new":
        return translate("Start", "Came back from the lead")
    if bundle.id != overview.last and overview.next == (bundle.id, "due"):
        return translate("Start", "Due first")
    return translate("Start", "Not started yet") if bundle.state == "new" else translate("Start", "Where you left off")


def place_text(unit: Unit, number: int, total: int) -> str:
    """Return a place in a task: "target 3 of 7"."""
    if unit == "targets":
        return translate("Start", "target {n} of {total}").format(n=number, total=total)
    return translate("Start", "response {n} of {total}").format(n=number, total=total)


def moment_text(moment: str, now: datetime) -> str:
    """Return a time as "today at 11:52", or its day."""
    try:
        when = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    if when.date() == now.astimezone().date():
        return translate("Start", "today at {time}").format(time=formatting.clock(when))
    return formatting.weekday(when.date())


def days_text(names: Sequence[str]) -> tuple[str, ...]:
    """Return the short names of days, given as dates."""
    return tuple(formatting.short_weekday(datetime.fromisoformat(name).date()) for name in names)
