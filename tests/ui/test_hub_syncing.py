"""A rater's window and its hub: bundles come, results go, and what stands in the way is said in words."""

import shutil
from datetime import timedelta

import pytest
from PySide6.QtNetwork import QNetworkInformation
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.hub.errors import HubError
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store import hubs
from desktop_rater.ui.hub.texts import DAY
from tests.operations.bundles import NOON, RATER, make, task
from tests.operations.hubs import PROJECT
from tests.ui.hubs import (
    NEVER,
    assigned,
    banner,
    close_dialog,
    dialog_of,
    failing,
    joined_window,
    open_dialog,
    outgoing,
    rate_all,
    reach_for,
    settled,
    slow,
    status,
    sync,
    window_on,
)
from tests.ui.rooms import part, press, press_until
from tests.ui.window_parts import WindowParts


def test_what_was_rated_goes_with_f5_and_is_read_back(rooms, joined, team):
    rate_all(rooms, joined)
    synced = sync(rooms, joined)
    assert [one.bundle for one in synced.uploaded if one.kind == "results"] == ["kelp"]
    assert outgoing(rooms) == [("kelp", "verified")]
    assert len(team.results(RATER)) == 1
    assert status(joined) == "Synced just now"
    assert banner(joined, "hub") == "Synced. 1 upload was sent and verified."


def test_what_is_not_finished_stays_and_is_named(rooms, team, tmp_path):
    assigned(team, tmp_path, "kelp", "t1", "t2")
    room = joined_window(rooms, team)
    rooms.press_for_task(room, "t2", "N", "Ctrl+Shift+Return")
    rooms.wait_until_saved(room)
    sync(rooms, room)
    assert banner(room, "hub") == "Synced. There was nothing new. kelp was not sent: 1 task is not finished."
    assert not team.results(RATER)
    press("N")
    assert banner(room, "hub") is None, "it was seen"


def test_what_came_from_elsewhere_stays_and_is_named(rooms, joined, team, tmp_path):
    joined.transfer.import_bundle(make(tmp_path / "own.zip", [task("o1")]))
    rooms.wait_for_task(joined, "o1")
    rate_all(rooms, joined)
    sync(rooms, joined)
    assert "own was not sent: it did not come from this hub." in (banner(joined, "hub") or "")
    assert not team.results(RATER)


def test_a_bundle_that_comes_later_is_asked_about_once(rooms, joined, team, tmp_path):
    assigned(team, tmp_path, "algae", "a1", "a2")
    sync(rooms, joined)
    rooms.qtbot.waitUntil(lambda: banner(joined, "arrivals") == "A bundle is available: “ALGAE”.")
    later = joined.hub.banners.banner("arrivals").buttons[1]
    assert later.text() == "Later"
    later.click()
    sync(rooms, joined)
    assert banner(joined, "arrivals") is None, "the rater has said so"
    dialog = open_dialog(rooms, joined)
    assert dialog.page is dialog.state_page
    part(joined, "hub_state_import").click()
    rooms.qtbot.waitUntil(lambda: joined.window.task_list.bundles.count() == 2, timeout=15_000)
    assert joined.session.task.id == "t1", "what is being rated stays"
    assert banner(joined, "importing") == "2 tasks were imported."


def test_offline_is_no_trouble_and_what_waits_is_counted(rooms, joined):
    rate_all(rooms, joined)
    mend = failing(joined, "away", "get", "hub.json")
    synced = sync(rooms, joined)
    assert synced.stopped.kind == "away"
    assert status(joined) == "Offline, 1 waits, synced just now"
    assert (banner(joined, "hub") or "").endswith("1 result is waiting for the next sync.")
    assert WindowParts(joined).status.hub.ink == "text2"
    assert joined.hub.banners.banner("hub").kind == "info"
    mend()
    joined.hub.banners.banner("hub").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: status(joined) == "Synced just now", timeout=15_000)
    assert outgoing(rooms) == [("kelp", "verified")]


def test_a_sync_that_goes_by_itself_says_nothing_of_being_offline(rooms, joined):
    failing(joined, "away", "get", "hub.json")
    joined.hub.exchange.sync(at_once=False)
    rooms.qtbot.waitUntil(lambda: status(joined).startswith("Offline"), timeout=15_000)
    assert banner(joined, "hub") is None


def test_a_password_that_is_refused_stops_all_until_somebody_signs_in(rooms, joined):
    rate_all(rooms, joined)
    failing(joined, "sign_in", "get", "hub.json")
    sync(rooms, joined)
    shown = joined.hub.banners.banner("hub")
    assert shown.kind == "warn"
    assert [one.text() for one in shown.buttons] == ["Sign in …"]
    assert status(joined).startswith("Paused")
    ended = []
    joined.hub.exchange.ended.connect(ended.append)
    joined.hub.schedule._sync()
    assert not joined.hub.exchange.is_running, "it is not tried again by itself"
    shown.buttons[0].click()
    dialog = dialog_of(joined)
    assert dialog.page.title.text() == "Sign in again"
    assert part(joined, "hub_address").isReadOnly()


def test_a_hub_that_was_swapped_pauses_and_loses_nothing(rooms, joined, team, tmp_path):
    rate_all(rooms, joined)
    marker = tmp_path / "hub" / "hub.json"
    marker.chmod(0o644)
    marker.write_bytes(marker.read_bytes().replace(PROJECT.encode(), b"other-2026"))
    sync(rooms, joined)
    assert "other-2026" in (banner(joined, "hub") or "")
    assert status(joined).startswith("Paused")
    assert not team.results(RATER)
    marker.write_bytes(marker.read_bytes().replace(b"other-2026", PROJECT.encode()))
    sync(rooms, joined)
    assert outgoing(rooms) == [("kelp", "verified")]
    assert status(joined) == "Synced just now"


def test_what_can_never_go_is_named_and_can_be_tried_again(rooms, joined):
    rate_all(rooms, joined)
    mend = failing(joined, "too_large", "put_new", "results/")
    sync(rooms, joined)
    assert "1 transfer failed" in (banner(joined, "hub") or "")
    assert outgoing(rooms) == [("kelp", "failed")]
    assert status(joined) == "1 stopped, synced just now"
    mend()
    open_dialog(rooms, joined)
    rows = part(joined, "hub_outgoing").model()
    assert "stopped" in rows.index(0, 0).data()
    part(joined, "hub_again").click()
    rooms.qtbot.waitUntil(lambda: outgoing(rooms) == [("kelp", "verified")], timeout=15_000)


def test_red_after_days_without_a_sync(rooms, team, tmp_path):
    days = [0]

    def now():
        return NOON + timedelta(days=days[0])

    assigned(team, tmp_path)
    room = joined_window(rooms, team, now=now, reach=reach_for(rooms.folder / "store", now=now))
    hub = WindowParts(room).status.hub
    assert hub.ink == "text2"
    days[0] = 1
    room.hub._show()
    assert (hub.text(), hub.ink) == ("Synced yesterday", "text2")
    days[0] = 5
    room.hub._show()
    assert (hub.text(), hub.ink) == ("Synced 5 days ago", "block")
    room.preferences.set("sync_red_days", 7)
    assert hub.ink == "text2"
    assert DAY == 86_400


def test_closing_amid_a_sync_ends_within_a_moment_and_the_outbox_is_true(rooms, joined, team):
    rate_all(rooms, joined)
    reached = slow(joined, "put_new", "results/")
    joined.hub.sync()
    rooms.qtbot.waitUntil(reached.is_set, timeout=15_000)
    rooms.qtbot.waitUntil(lambda: status(joined).startswith("Sending"))
    rooms.shut(joined)
    assert outgoing(rooms) == [("kelp", "queued")]
    again = window_on(rooms)
    rooms.qtbot.waitUntil(lambda: again.hub.exchange.hub_state.hub is not None)
    sync(rooms, again)
    assert outgoing(rooms) == [("kelp", "verified")]
    assert len(team.results(RATER)) == 1


def test_a_sync_can_be_cancelled_and_the_rater_goes_on(rooms, joined):
    reached = slow(joined, "list")
    press("F5")
    rooms.qtbot.waitUntil(reached.is_set, timeout=15_000)
    rooms.press_and_save(joined, "N")
    assert joined.session.rating.answers.targets, "the rater is not held up"
    rooms.qtbot.waitUntil(lambda: joined.hub.banners.banner("hub") is not None)
    joined.hub.banners.banner("hub").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: not joined.hub.exchange.is_running)
    assert banner(joined, "hub") is None


def test_two_laptops_of_one_rater_both_stay(rooms, joined, team, tmp_path):
    rate_all(rooms, joined)
    sync(rooms, joined)
    rooms.shut(joined)
    shutil.move(rooms.folder / "store", rooms.folder / "first")
    other = joined_window(rooms, team, now=lambda: NOON + timedelta(hours=1))
    rate_all(rooms, other)
    sync(rooms, other)
    rooms.qtbot.waitUntil(lambda: "Another computer" in (banner(other, "fork") or ""))
    assert len(team.results(RATER)) == 2


def test_a_window_that_may_only_look_does_not_sync(rooms, joined):
    again = window_on(rooms)
    rooms.qtbot.waitUntil(lambda: again.hub.exchange.hub_state.hub is not None)
    assert not again.hub.exchange.can_sync
    again.hub.sync()
    assert not again.hub.exchange.is_running


def test_trouble_of_the_keyring_is_a_banner(rooms, joined):
    def broken(_url, _user):
        raise HubError("sign_in", "The keyring did not answer.")

    joined.hub.exchange._means.open = broken
    joined.hub.sync()
    rooms.qtbot.waitUntil(lambda: "The keyring did not answer." in (banner(joined, "hub") or ""), timeout=15_000)
    rooms.qtbot.waitUntil(lambda: not joined.hub.exchange.is_running)
    assert hubs.current_hub(joined.reader) is not None


def test_esc_closes_what_f5_began_in_the_dialog(rooms, joined):
    open_dialog(rooms, joined)
    press_until(rooms.qtbot, lambda: joined.hub.exchange.hub_state.hub.asked != "", "F5")
    settled(rooms, joined)
    assert banner(joined, "hub") is None, "the dialog says it"
    close_dialog(rooms, joined)


def test_it_syncs_by_itself_when_a_bundle_is_complete(rooms, team, tmp_path):
    assigned(team, tmp_path)
    room = joined_window(rooms, team, settings=SettingsFile(settings=Settings(rater=RATER, sync_minutes=60)))
    rate_all(rooms, room)
    assert room.hub.schedule.retry_timer.isActive()
    rooms.qtbot.waitUntil(lambda: outgoing(rooms) == [("kelp", "verified")], timeout=15_000)
    assert banner(room, "hub") is None, "nobody asked"


def test_with_nothing_by_itself_no_timer_runs(rooms, team, tmp_path):
    assigned(team, tmp_path)
    room = joined_window(rooms, team, settings=SettingsFile(settings=NEVER))
    rate_all(rooms, room)
    schedule = room.hub.schedule
    assert not schedule.round.isActive()
    assert not schedule.retry_timer.isActive()
    room.preferences.set("sync_minutes", 5)
    assert schedule.round.interval() == 300_000


def test_a_hub_that_is_away_is_tried_again_when_it_may_be(rooms, team, tmp_path):
    assigned(team, tmp_path)
    room = joined_window(rooms, team, settings=SettingsFile(settings=Settings(rater=RATER, sync_minutes=60)))
    failing(room, "busy", "get", "hub.json", retry_after=120.0)
    sync(rooms, room)
    assert 60_000 < room.hub.schedule.retry_timer.remainingTime() <= 121_000


def test_the_network_s_return_is_a_reason_to_sync(rooms, team, tmp_path):
    assigned(team, tmp_path)
    room = joined_window(rooms, team, settings=SettingsFile(settings=Settings(rater=RATER, sync_minutes=60)))
    rate_all(rooms, room)
    rooms.qtbot.waitUntil(lambda: outgoing(rooms) == [("kelp", "verified")], timeout=15_000)
    mend = failing(room, "away", "get", "hub.json")
    sync(rooms, room)
    room.hub.schedule.retry_timer.stop()
    mend()
    room.hub.schedule._reached(QNetworkInformation.Reachability.Online)
    rooms.qtbot.waitUntil(lambda: status(room) == "Synced just now", timeout=15_000)


def test_a_hotel_s_login_page_is_left_behind_without_anybody_s_doing(rooms, joined):
    mend = failing(joined, "not_a_hub", "get", "hub.json")
    sync(rooms, joined)
    assert status(joined).startswith("Paused")
    mend()
    joined.hub.schedule._sync()
    rooms.qtbot.waitUntil(lambda: status(joined) == "Synced just now", timeout=15_000)
    assert banner(joined, "hub") is None


@pytest.fixture
def elsewhere(rooms, joined):
    """Another window that has the keys."""
    other = QWidget()
    other.setWindowTitle("Another program")
    other.show()
    other.activateWindow()
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is other)
    yield other
    other.deleteLater()


@pytest.fixture
def messages(joined):
    shown = []
    joined.hub.notifier.notified.connect(shown.append)
    return shown


def receive(rooms, room, team, tmp_path, *names):
    for name in names:
        assigned(team, tmp_path, name)
    room.hub.sync()
    rooms.qtbot.waitUntil(lambda: len(room.hub.exchange.hub_state.arrivals) > len(names))
    settled(rooms, room)


def test_work_that_arrives_in_the_background_is_said_once(rooms, joined, team, tmp_path, elsewhere, messages):
    receive(rooms, joined, team, tmp_path, "second", "third")
    assert messages == ["2 bundles have arrived."]
    joined.hub.sync()
    settled(rooms, joined)
    assert len(messages) == 1


def test_nothing_is_said_to_a_rater_who_is_looking(rooms, joined, team, tmp_path, messages):
    receive(rooms, joined, team, tmp_path, "second")
    assert messages == []


def test_it_can_be_switched_off(rooms, joined, team, tmp_path, elsewhere, messages):
    joined.preferences.set("notify", "off")
    receive(rooms, joined, team, tmp_path, "second")
    assert messages == []
