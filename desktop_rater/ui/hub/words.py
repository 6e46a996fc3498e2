"""What is said of a hub: the age of the last sync, what waits, what came."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from desktop_rater.hub.findings import SKEWED
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.rows import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.hub.interface import Finding
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.store.outbox import Outgoing
    from desktop_rater.ui.hub.shown import Shown
    from desktop_rater.work.between import Step

translate = QCoreApplication.translate

MINUTE, HOUR, DAY = 60, 3_600, 86_400
MOST_NAMED = 3


class Said(NamedTuple):
    """Words, and the colour that they are written in."""

    words: str
    ink: str = "text2"


def status(shown: Shown, now: datetime, red_days: int) -> Said:
    """What stands in the status line."""
    if shown.hub is None:
        return Said(translate("Hub", "No hub"))
    if shown.running is not None:
        return Said(step(shown.running))
    parts = [translate("Hub", "{n} stopped").format(n=spelling.number(len(shown.stopped)))] if shown.stopped else []
    if shown.waiting:
        waits = translate("Hub", "1 waits") if len(shown.waiting) == 1 else translate("Hub", "{n} wait")
        parts.append(waits.format(n=spelling.number(len(shown.waiting))))
    parts.append(age(shown.hub.verified, now))
    if shown.hub.paused_kind:
        parts.insert(0, translate("Hub", "Paused"))
    elif shown.offline:
        parts.insert(0, translate("Hub", "Offline"))
    return Said(_sentence(parts), _ink(shown, now, red_days))


def step(now: Step) -> str:
    """What a sync does at the moment."""
    words = {
        "asking": translate("Hub", "Asking the hub …"),
        "fetching": translate("Hub", "Fetching {n} of {total}"),
        "making": translate("Hub", "Making results …"),
        "sending": translate("Hub", "Sending {n} of {total}"),
        "comparing": translate("Hub", "Comparing with the hub …"),
    }[now.doing]
    if now.doing in {"fetching", "sending"} and not now.total:
        return translate("Hub", "Syncing …")
    # While it is being sent it has a name; done it is counted.
    at = min(now.total, now.done + bool(now.words))
    return words.format(n=spelling.number(at), total=spelling.number(now.total))


def _ink(shown: Shown, now: datetime, red_days: int) -> str:
    assert shown.hub is not None
    since = seconds_since(shown.hub.verified or shown.hub.connected, now)
    if since is not None and since > red_days * DAY:
        return "block"
    return "warn" if shown.hub.paused_kind or shown.stopped or is_ahead(shown.hub.verified, now) else "text2"


def _sentence(parts: Sequence[str]) -> str:
    first, *rest = parts
    return translate("Hub", ", ").join((first[:1].upper() + first[1:], *rest))


def age(verified: str, now: datetime) -> str:
    """How long ago the last sync ended well, as the end of a sentence."""
    since = seconds_since(verified, now)
    if since is None:
        return translate("Hub", "not synced yet")
    if since < MINUTE:
        set_back = translate("Hub", "synced before the clock was set back")
        return set_back if is_ahead(verified, now) else translate("Hub", "synced just now")
    if since < HOUR:
        return translate("Hub", "synced {n} min ago").format(n=int(since // MINUTE))
    if since < DAY:
        return translate("Hub", "synced {n} h ago").format(n=int(since // HOUR))
    if since < 2 * DAY:
        return translate("Hub", "synced yesterday")
    return translate("Hub", "synced {n} days ago").format(n=spelling.number(int(since // DAY)))


def seconds_since(time: str, now: datetime) -> float | None:
    """From a time of the store until now, and never less than none: a clock may have been put back."""
    try:
        then = datetime.fromisoformat(time)
    except ValueError:
        return None
    return max(0.0, (now - then.astimezone(UTC)).total_seconds())


def is_ahead(time: str, now: datetime) -> bool:
    """Whether a time of the store is still to come: then nobody knows how long ago it was."""
    try:
        return (datetime.fromisoformat(time) - now).total_seconds() > SKEWED
    except ValueError:
        return False


def capital(words: str) -> str:
    """Words as the begin of a sentence."""
    return words[:1].upper() + words[1:]


def _until(time: str, now: datetime) -> str:
    """How long it is until a time, roughly."""
    try:
        seconds = (datetime.fromisoformat(time) - now).total_seconds()
    except ValueError:
        seconds = 0.0
    if seconds <= 1:
        return translate("Hub", "goes with the next sync")
    if seconds < 2 * MINUTE:
        return translate("Hub", "next try in {n} s").format(n=int(seconds))
    return translate("Hub", "next try in {n} min").format(n=round(seconds / MINUTE))


def outgoing_line(one: Outgoing, now: datetime) -> Line:
    """A row of what goes to the hub: what it is, how it stands, why it waits, and how often it was tried."""
    mark, state = _STATES[one.state]()
    since = one.changed if one.state == "verified" else one.queued
    if one.state == "queued" and one.attempts:
        mark, state = "warns", _until(one.next_try, now)
    tries = translate("Hub", "1 try") if one.attempts == 1 else translate("Hub", "{n} tries")
    return Line(
        str(one.key),
        named_outgoing(one),
        end=state,
        detail=one.last_error or translate("Hub", "Since {when}").format(when=moment(since)),
        detail_end=tries.format(n=spelling.number(one.attempts)) if one.attempts and one.state != "verified" else "",
        mark=mark,
    )


def named_outgoing(one: Outgoing) -> str:
    """What it is that goes."""
    words = {
        "results": translate("Hub", "Results of {bundle}, no. {n}"),
        "bundle": translate("Hub", "Bundle {bundle}, revision {n}"),
        "assignment": translate("Hub", "{bundle} for {rater}"),
        "returned": translate("Hub", "{bundle} back to {rater}"),
        "key": translate("Hub", "The public key of {rater}"),
    }[one.kind]
    return words.format(bundle=isolated(one.bundle[:80]), rater=isolated(one.rater[:80]), n=one.revision)


def moment(time: str) -> str:
    """A time of the store as it is read here; what is none is given back as it stands."""
    try:
        return spelling.day_and_clock(datetime.fromisoformat(time).astimezone())
    except ValueError:
        return time


_STATES = {
    "queued": lambda: ("todo", translate("Hub", "waits")),
    "uploading": lambda: ("part", translate("Hub", "is being sent")),
    "uploaded": lambda: ("part", translate("Hub", "sent, not read back yet")),
    "verified": lambda: ("sent", translate("Hub", "on the hub")),
    "failed": lambda: ("blocked", translate("Hub", "stopped")),
}


def arrival_line(one: Arrival) -> Line:
    """A row of what came: a bundle, or work that was sent back."""
    mark, state = _ARRIVED[one.state]()
    return Line(
        str(one.key),
        isolated((one.title or one.bundle)[:120]),
        end=state,
        detail=one.last_error or arrival_detail(one),
        mark="back" if one.kind == "returned" and one.state != "taken" else mark,
    )


def arrival_detail(one: Arrival) -> str:
    """What kind of work it is, and how much."""
    many = translate("Hub", "1 task") if one.tasks == 1 else translate("Hub", "{n} tasks")
    many = many.format(n=spelling.number(one.tasks))
    if one.kind == "returned":
        return translate("Hub", "Sent back by the QA lead, {tasks}").format(tasks=many)
    return translate("Hub", "Revision {n}, {tasks}").format(n=one.revision, tasks=many)


_ARRIVED = {
    "seen": lambda: ("todo", translate("Hub", "on the hub")),
    "fetched": lambda: ("part", translate("Hub", "not imported yet")),
    "taken": lambda: ("done", translate("Hub", "imported")),
    "refused": lambda: ("blocked", translate("Hub", "refused")),
}


def arrived(there: Sequence[Arrival]) -> str:
    """One sentence on what came."""
    names = translate("Hub", ", ").join(
        spelling.quoted(" ".join((one.title or one.bundle).split())[:60]) for one in there[:MOST_NAMED]
    )
    if len(there) > MOST_NAMED:
        more = spelling.number(len(there) - MOST_NAMED)
        names = translate("Hub", "{names} and {n} more").format(names=names, n=more)
    back = sum(one.kind == "returned" for one in there)
    if back == len(there):
        words = translate("Hub", "The QA lead sent work back: {names}.")
    elif len(there) == 1:
        words = translate("Hub", "A bundle is there: {names}.")
    else:
        words = translate("Hub", "{n} bundles are there: {names}.")
    return words.format(n=spelling.number(len(there)), names=names)


def there(came: Sequence[Arrival]) -> str:
    """The same above a list that names them."""
    if len(came) == 1:
        return translate("Hub", "1 bundle is there:")
    return translate("Hub", "{n} bundles are there:").format(n=spelling.number(len(came)))


def finding_line(one: Finding) -> Line:
    """A row of what a probe found."""
    mark = "done" if one.passed else "blocked" if one.matters else "warns"
    state = translate("Hub", "works") if one.passed else translate("Hub", "does not work")
    return Line(one.id, one.words, mark=mark, state=state)


def waiting(count: int, *, goes: bool = True) -> str:
    """How much waits, as a sentence of its own. Where the hub is paused nobody knows which sync it `goes` with."""
    if not count:
        return ""
    one, many = translate("Hub", "1 result waits."), translate("Hub", "{n} results wait.")
    if goes:
        one = translate("Hub", "1 result waits and goes with the next sync.")
        many = translate("Hub", "{n} results wait and go with the next sync.")
    return (one if count == 1 else many).format(n=spelling.number(count))


def waits(shown: Shown) -> str:
    """The same, after how much is not tried again by itself; "" where all is on the hub."""
    paused = shown.hub is not None and bool(shown.hub.paused_kind)
    stopped, goes = len(shown.stopped), waiting(len(shown.waiting), goes=not paused)
    words = translate("Hub", "1 did not go through.") if stopped == 1 else translate("Hub", "{n} did not go through.")
    return " ".join(part for part in (words.format(n=spelling.number(stopped)) if stopped else "", goes) if part)


def skewed(skew: float | None) -> str:
    """A word on clocks that differ; "" where they don't, or where it is not known."""
    if skew is None or abs(skew) <= SKEWED:
        return ""
    minutes = spelling.number(round(abs(skew) / MINUTE))
    if skew > 0:
        return translate("Hub", "The clock of this computer is {n} min behind the hub's.").format(n=minutes)
    return translate("Hub", "The clock of this computer is {n} min ahead of the hub's.").format(n=minutes)
