"""What the status line and the dialog say of a hub, for each way in which things can stand."""

from datetime import timedelta
from typing import Any

import pytest

from desktop_rater.operations.hub.context import SyncStep
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import Arrival, Outgoing
from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.exchange import HubState
from tests.operations.bundles import NOON


def hub(**more):
    plain: dict[str, Any] = {
        "project": "kelp",
        "title": "Kelp",
        "url": "folder:/x",
        "user": "",
        "connected": "2026-11-20T11:00:00Z",
    }
    rest: dict[str, Any] = {"verified": "", "asked": "", "skew": None, "paused_kind": "", "paused": "", "current": True}
    return HubRow(**plain | rest | more)


def item(state="queued", **more):
    plain: dict[str, Any] = {
        "project": "kelp",
        "kind": "results",
        "rater": "r-17",
        "bundle": "b",
        "revision": 2,
        "name": "results/x",
    }
    rest: dict[str, Any] = {
        "sha256": "0" * 64,
        "size": 9,
        "key": 1,
        "state": state,
        "attempts": 0,
        "next_try": "",
        "error_kind": "",
    }
    last: dict[str, Any] = {"last_error": "", "queued": "2026-11-20T11:00:00Z", "changed": "2026-11-20T11:00:00Z"}
    return Outgoing(**plain | rest | last | more)


def came(**more):
    plain: dict[str, Any] = {
        "project": "kelp",
        "kind": "assignment",
        "rater": "r-17",
        "name": "n",
        "file": "f",
        "sha256": "0" * 64,
    }
    rest: dict[str, Any] = {
        "size": 9,
        "bundle": "b",
        "revision": 1,
        "title": "Kelp",
        "tasks": 3,
        "key": 1,
        "state": "fetched",
    }
    last: dict[str, Any] = {"last_error": "", "changed": ""}
    return Arrival(**plain | rest | last | more)


def ago(**gone):
    return (NOON - timedelta(**gone)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (HubState(), ("No hub", "text2")),
        (HubState(hub=hub()), ("Not synced yet", "text2")),
        (HubState(hub=hub(verified=ago(seconds=9))), ("Synced just now", "text2")),
        (HubState(hub=hub(verified=ago(minutes=3))), ("Synced 3 min ago", "text2")),
        (HubState(hub=hub(verified=ago(hours=3)), outgoing=(item(), item())), ("2 wait, synced 3 h ago", "text2")),
        (HubState(hub=hub(verified=ago(hours=3)), outgoing=(item("failed"),)), ("1 stopped, synced 3 h ago", "warn")),
        (HubState(hub=hub(verified=ago(days=4))), ("Synced 4 days ago", "block")),
        (HubState(hub=hub(connected=ago(days=4))), ("Not synced yet", "block")),
        (HubState(hub=hub(verified=ago(hours=1)), offline=True), ("Offline, synced 1 h ago", "text2")),
        (HubState(hub=hub(paused_kind="gone", paused="It is gone.")), ("Paused, not synced yet", "warn")),
        (HubState(hub=hub(), running=SyncStep("asking")), ("Asking the hub …", "text2")),
        (HubState(hub=hub(), running=SyncStep("sending", 1, 3, "b")), ("Sending 2 of 3", "text2")),
        (HubState(hub=hub(), running=SyncStep("sending", 3, 3)), ("Sending 3 of 3", "text2")),
        (HubState(hub=hub(), running=SyncStep("fetching")), ("Syncing …", "text2")),
    ],
)  # fmt: skip
def test_the_status_line(qapp, shown, said):
    assert texts.status_text(shown, NOON, 3) == said


def test_a_clock_that_was_put_back_makes_no_time_before_now(qapp):
    assert texts.sync_age_text("2026-11-20T12:04:00Z", NOON) == "synced just now"


def test_a_sync_in_the_year_to_come_is_not_taken_for_one_just_now(qapp):
    ahead = HubState(hub=hub(verified="2036-11-20T12:00:00Z"))
    assert texts.status_text(ahead, NOON, 3) == ("Synced before the clock was set back", "warn")


@pytest.mark.parametrize(
    ("one", "spoken"),
    [
        (item(), "Results of b, no. 2, waits, Since 20 Nov 2026"),
        (item(attempts=2, next_try="2026-11-20T12:04:00Z", last_error="No."), "next try in 4 min, No., 2 tries"),
        (item(attempts=1, next_try="2020-01-01T00:00:00Z", last_error="No answer."), "next try at the next sync"),
        (item("failed", attempts=1, last_error="It is too large."), "stopped, It is too large., 1 try"),
        (item("uploaded"), "sent, not verified yet"),
        (item("verified", attempts=1), "on the hub"),
        (item(kind="key"), "The public key of"),
        (item(kind="returned"), "back to"),
        (item(kind="bundle"), "Bundle b, revision 2"),
        (item(kind="assignment"), "waits"),
    ],
)  # fmt: skip
def test_a_row_of_what_goes(qapp, one, spoken):
    line = texts.outgoing_row(one, NOON)
    plain = "".join(letter for letter in line.spoken if letter not in "\u2066\u2067\u2068\u2069")
    assert spoken in plain


def test_what_came_in_one_sentence(qapp):
    def said(*some):
        return texts.arrivals_text(some).replace("\u2068", "").replace("\u2069", "")

    assert said(came()) == "A bundle is available: “Kelp”."
    assert said(came(), came(title="Algae")) == "2 bundles are available: “Kelp”, “Algae”."
    assert said(came(kind="returned")) == "The QA lead sent work back: “Kelp”."
    assert said(*(came(title=str(one)) for one in range(5))) == "5 bundles are available: “0”, “1”, “2” and 2 more."


@pytest.mark.parametrize(("skew", "said"), [(None, ""), (300, ""), (-600, "ahead"), (600, "behind")])
def test_clocks_that_differ_are_said_from_five_minutes_on(qapp, skew, said):
    assert (said in texts.clock_skew_text(skew)) if said else not texts.clock_skew_text(skew)
