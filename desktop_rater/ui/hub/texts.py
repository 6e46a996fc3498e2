"""Texts on the hub: age of the last sync, pending uploads, arrivals."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication

from desktop_rater.format.hub_names import MAX_CLOCK_SKEW, fingerprint
from desktop_rater.hub.interface import ProbeFinding
from desktop_rater.operations.hub.context import LeadKey, SyncStep
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import Arrival, Outgoing
from desktop_rater.ui.hub.exchange import HubState
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow

translate = QCoreApplication.translate

MINUTE, HOUR, DAY = 60, 3_600, 86_400
MOST_NAMED = 3


QUIET = "text2"  # colour of a text that nothing has to be done about


def status_text(state: HubState, now: datetime, red_days: int) -> tuple[str, str]:
    """Return the text for the status line, and the name of its colour."""
    if state.hub is None:
        return translate("Hub", "No hub"), QUIET
    if state.running is not None:
        return sync_step_text(state.running), QUIET
    parts = [translate("Hub", "{n} stopped").format(n=formatting.number(len(state.stopped)))] if state.stopped else []
    if state.waiting:
        waits = translate("Hub", "1 waits") if len(state.waiting) == 1 else translate("Hub", "{n} wait")
        parts.append(waits.format(n=formatting.number(len(state.waiting))))
    parts.append(sync_age_text(state.hub.verified, now))
    if state.hub.paused_kind:
        parts.insert(0, translate("Hub", "Paused"))
    elif state.offline:
        parts.insert(0, translate("Hub", "Offline"))
    return _sentence(parts), _ink(state, now, red_days)


def sync_step_text(now: SyncStep) -> str:
    """Return the text for the current step of a sync."""
    text = {
        "asking": translate("Hub", "Asking the hub …"),
        "fetching": translate("Hub", "Fetching {n} of {total}"),
        "making": translate("Hub", "Exporting results …"),
        "sending": translate("Hub", "Sending {n} of {total}"),
        "comparing": translate("Hub", "Comparing with the hub …"),
    }[now.activity]
    if now.activity in {"fetching", "sending"} and not now.total:
        return translate("Hub", "Syncing …")
    # `words` is set while an item is in transfer, which counts as one more
    number = min(now.total, now.done + bool(now.title))
    return text.format(n=formatting.number(number), total=formatting.number(now.total))


def _ink(state: HubState, now: datetime, red_days: int) -> str:
    assert state.hub is not None
    since = seconds_since(state.hub.verified or state.hub.connected, now)
    if since is not None and since > red_days * DAY:
        return "block"
    return "warn" if state.hub.paused_kind or state.stopped or is_in_future(state.hub.verified, now) else QUIET


def _sentence(parts: Sequence[str]) -> str:
    first, *rest = parts
    return translate("Hub", ", ").join((formatting.capitalized(first), *rest))


def sync_age_text(verified: str, now: datetime) -> str:
    """Return how long ago the last successful sync was, as the end of a sentence."""
    since = seconds_since(verified, now)
    if since is None:
        return translate("Hub", "not synced yet")
    if since < MINUTE:
        set_back = translate("Hub", "synced before the clock was set back")
        return set_back if is_in_future(verified, now) else translate("Hub", "synced just now")
    if since < HOUR:
        return translate("Hub", "synced {n} min ago").format(n=int(since // MINUTE))
    if since < DAY:
        return translate("Hub", "synced {n} h ago").format(n=int(since // HOUR))
    if since < 2 * DAY:
        return translate("Hub", "synced yesterday")
    return translate("Hub", "synced {n} days ago").format(n=formatting.number(int(since // DAY)))


def seconds_since(time: str, now: datetime) -> float | None:
    """Return the seconds since a stored time, at least 0: the clock may have been set back."""
    try:
        then = datetime.fromisoformat(time)
    except ValueError:
        return None
    return max(0.0, (now - then.astimezone(UTC)).total_seconds())


def is_in_future(time: str, now: datetime) -> bool:
    """Return whether a stored time is in the future, so that its age is unknown."""
    try:
        return (datetime.fromisoformat(time) - now).total_seconds() > MAX_CLOCK_SKEW
    except ValueError:
        return False


def _until(time: str, now: datetime) -> str:
    """Return roughly how long it is until a time."""
    try:
        seconds = (datetime.fromisoformat(time) - now).total_seconds()
    except ValueError:
        seconds = 0.0
    if seconds <= 1:
        return translate("Hub", "next try at the next sync")
    if seconds < 2 * MINUTE:
        return translate("Hub", "next try in {n} s").format(n=int(seconds))
    return translate("Hub", "next try in {n} min").format(n=round(seconds / MINUTE))


def outgoing_row(outgoing: Outgoing, now: datetime) -> ListRow:
    """Return the row of an upload: name, state, error and number of attempts."""
    mark, state = _STATES[outgoing.state]()
    since = outgoing.changed if outgoing.state == "verified" else outgoing.queued
    if outgoing.state == "queued" and outgoing.attempts:
        mark, state = "warns", _until(outgoing.next_try, now)
    tries = translate("Hub", "1 try") if outgoing.attempts == 1 else translate("Hub", "{n} tries")
    return ListRow(
        str(outgoing.key),
        outgoing_name(outgoing),
        end=state,
        detail=outgoing.last_error or translate("Hub", "Since {when}").format(when=local_time_text(since)),
        detail_end=tries.format(n=formatting.number(outgoing.attempts))
        if outgoing.attempts and outgoing.state != "verified"
        else "",
        mark=mark,
    )


def outgoing_name(outgoing: Outgoing) -> str:
    """Return the name of an upload."""
    template = {
        "results": translate("Hub", "Results of {bundle}, no. {n}"),
        "bundle": translate("Hub", "Bundle {bundle}, revision {n}"),
        "assignment": translate("Hub", "{bundle} for {rater}"),
        "returned": translate("Hub", "{bundle} back to {rater}"),
        "key": translate("Hub", "The public key of {rater}"),
    }[outgoing.kind]
    return template.format(
        bundle=isolated(outgoing.bundle[:80]), rater=isolated(outgoing.rater[:80]), n=outgoing.revision
    )


def local_time_text(time: str) -> str:
    """Return a stored time in local notation; an invalid one unchanged."""
    try:
        return formatting.day_and_clock(datetime.fromisoformat(time).astimezone())
    except ValueError:
        return time


_STATES = {
    "queued": lambda: ("todo", translate("Hub", "waits")),
    "uploading": lambda: ("part", translate("Hub", "is being sent")),
    "uploaded": lambda: ("part", translate("Hub", "sent, not verified yet")),
    "verified": lambda: ("sent", translate("Hub", "on the hub")),
    "failed": lambda: ("blocked", translate("Hub", "stopped")),
}


def arrival_row(arrival: Arrival, *, held: bool = False) -> ListRow:
    """Return the row of a download: a bundle, or returned work. `held`: the lead has not signed it."""
    mark, state = _ARRIVED[arrival.state]()
    if held:
        mark, state = "warns", translate("Hub", "not signed by the lead")
    return ListRow(
        str(arrival.key),
        isolated((arrival.title or arrival.bundle)[:120]),
        end=state,
        detail=arrival.last_error or arrival_detail_text(arrival),
        mark="back" if arrival.kind == "returned" and arrival.state != "taken" and not held else mark,
    )


def arrival_detail_text(arrival: Arrival) -> str:
    """Return the kind and the number of tasks of a download."""
    count = translate("Hub", "1 task") if arrival.tasks == 1 else translate("Hub", "{n} tasks")
    count = count.format(n=formatting.number(arrival.tasks))
    if arrival.kind == "returned":
        return translate("Hub", "Sent back by the QA lead, {tasks}").format(tasks=count)
    return translate("Hub", "Revision {n}, {tasks}").format(n=arrival.revision, tasks=count)


_ARRIVED = {
    "seen": lambda: ("todo", translate("Hub", "on the hub")),
    "fetched": lambda: ("part", translate("Hub", "not imported yet")),
    "taken": lambda: ("done", translate("Hub", "imported")),
    "refused": lambda: ("blocked", translate("Hub", "refused")),
}


def signer_text(arrival: Arrival) -> str:
    """Return a sentence on who signed a download, if not the lead."""
    if arrival.signed == "foreign":
        return translate("Hub", "It is signed with a key that is not the lead's.")
    return translate("Hub", "The lead has not signed it.")


def held_text(arrivals: Sequence[Arrival]) -> str:
    """Return a sentence that names the downloads that the lead has not signed."""
    template = translate("Hub", "Not imported, because the lead has not signed it: {names}.")
    if len(arrivals) > 1:
        template = translate("Hub", "Not imported, because the lead has not signed them: {names}.")
    return template.format(names=_names(arrivals))


def lead_key_text(hub: HubRow, lead: LeadKey) -> tuple[str, str]:
    """Return who vouches for the bundles of a hub, and the name of its colour. `lead`: what the last sync found."""
    if not hub.lead_key:
        text = translate("Hub", "Nobody vouches for the bundles of this hub: it names no key of a lead.")
        return text, "warn"
    if lead.has_changed:
        return changed_lead_key_text(lead), "warn"
    template = translate("Hub", "The lead's key is {key}. Only what is signed with it counts as the lead's.")
    return template.format(key=fingerprint(hub.lead_key)), QUIET


def changed_lead_key_text(lead: LeadKey) -> str:
    """Return a warning that the hub no longer names the trusted key."""
    template = translate("Hub", "The hub names no lead's key any more. {key} is still trusted.")
    if lead.named:
        template = translate(
            "Hub",
            "The hub now names another lead's key, {named}. It is not trusted; {key} still is. Ask the lead, for "
            "example by telephone, before you trust the new one.",
        )
    return template.format(key=fingerprint(lead.pinned), named=fingerprint(lead.named))


def arrivals_text(arrivals: Sequence[Arrival]) -> str:
    """Return one sentence that names the downloads."""
    returned = sum(arrival.kind == "returned" for arrival in arrivals)
    if returned == len(arrivals):
        template = translate("Hub", "The QA lead sent work back: {names}.")
    elif len(arrivals) == 1:
        template = translate("Hub", "A bundle is available: {names}.")
    else:
        template = translate("Hub", "{n} bundles are available: {names}.")
    return template.format(n=formatting.number(len(arrivals)), names=_names(arrivals))


def _names(arrivals: Sequence[Arrival]) -> str:
    names = translate("Hub", ", ").join(
        formatting.quoted(" ".join((arrival.title or arrival.bundle).split())[:60]) for arrival in arrivals[:MOST_NAMED]
    )
    if len(arrivals) <= MOST_NAMED:
        return names
    more = formatting.number(len(arrivals) - MOST_NAMED)
    return translate("Hub", "{names} and {n} more").format(names=names, n=more)


def arrivals_heading(arrivals: Sequence[Arrival]) -> str:
    """Return the heading of a list of downloads."""
    if len(arrivals) == 1:
        return translate("Hub", "1 bundle is available:")
    return translate("Hub", "{n} bundles are available:").format(n=formatting.number(len(arrivals)))


def finding_row(finding: ProbeFinding) -> ListRow:
    """Return the row of a finding."""
    mark = "done" if finding.passed else "blocked" if finding.matters else "warns"
    state = translate("Hub", "works") if finding.passed else translate("Hub", "does not work")
    return ListRow(finding.id, finding.words, mark=mark, state=state)


def waiting_text(count: int, *, goes: bool = True) -> str:
    """Return a sentence with the number of pending uploads. `goes`: they are sent with the next sync."""
    if not count:
        return ""
    singular, plural = translate("Hub", "1 result waits."), translate("Hub", "{n} results wait.")
    if goes:
        singular = translate("Hub", "1 result is waiting for the next sync.")
        plural = translate("Hub", "{n} results are waiting for the next sync.")
    return (singular if count == 1 else plural).format(n=formatting.number(count))


def pending_text(state: HubState) -> str:
    """Return a text on failed and pending uploads; "" if all are on the hub."""
    paused = state.hub is not None and bool(state.hub.paused_kind)
    stopped, goes = len(state.stopped), waiting_text(len(state.waiting), goes=not paused)
    template = translate("Hub", "1 transfer failed.") if stopped == 1 else translate("Hub", "{n} transfers failed.")
    return " ".join(part for part in (template.format(n=formatting.number(stopped)) if stopped else "", goes) if part)


def clock_skew_text(skew: float | None) -> str:
    """Return a text on differing clocks; "" if they agree or the difference is unknown."""
    if skew is None or abs(skew) <= MAX_CLOCK_SKEW:
        return ""
    minutes = formatting.number(round(abs(skew) / MINUTE))
    if skew > 0:
        return translate("Hub", "The clock of this computer is {n} min behind the hub's.").format(n=minutes)
    return translate("Hub", "The clock of this computer is {n} min ahead of the hub's.").format(n=minutes)
