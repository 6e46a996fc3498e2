"""The window syncs by itself, and knows when that would help nobody."""

from PySide6.QtNetwork import QNetworkInformation

from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from tests.operations.bundles import RATER
from tests.ui.hubs import NEVER, assigned, banner, failing, joined_window, outgoing, rate_all, status, sync


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
