"""A newer version is named once, only to who looks for it, and only its file is put into the folder of downloads."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.plugins.updates import release
from desktop_rater.plugins.updates.update_notice import UPDATE_BANNER, UpdateNotice
from tests.operations.bundles import NOON
from tests.plugins.updates.releases import CONTENT, KEY, OTHER_KEY, PROGRAM, lay
from tests.ui.hubs import NEVER, window_on


@pytest.fixture(autouse=True)
def trusted(monkeypatch):
    monkeypatch.setattr(release, "release_keys", lambda: (KEY.public,))


@pytest.fixture
def stick(tmp_path):
    return lay(tmp_path / "stick")


@pytest.fixture
def moments():
    """What time it was; the last one is now."""
    return [NOON]


@pytest.fixture
def opened(rooms, stick, moments, tmp_path):
    """Open a window that looks for updates on the stick, and have it look."""

    def open_window(check="daily"):
        settings = replace(NEVER, update_place=str(stick), update_check=check)
        room = window_on(rooms, settings=SettingsFile(settings=settings), now=lambda: moments[-1])
        notice_of(room).downloads = tmp_path / "downloads"
        look(rooms, room)
        return room

    return open_window


def notice_of(room) -> UpdateNotice:
    return room.plugin_parts["updates"]


def look(rooms, room):
    notice_of(room).look()
    rooms.qtbot.waitUntil(lambda: room.jobs.is_idle("net"))


def said(room):
    return room.window.banners.text(UPDATE_BANNER)


def test_a_newer_version_is_named_once_and_downloaded_on_request(rooms, opened, moments, tmp_path):
    room = opened()
    assert "9.9.0 is available" in said(room)
    room.window.banners.banner(UPDATE_BANNER).buttons[0].click()
    rooms.qtbot.waitUntil(lambda: PROGRAM in (said(room) or ""))
    assert (tmp_path / "downloads" / PROGRAM).read_bytes() == CONTENT
    room.window.banners.drop(UPDATE_BANNER)
    moments.append(NOON + timedelta(days=1))
    look(rooms, room)
    assert said(room) is None


def test_who_does_not_look_or_has_looked_today_reads_nothing(rooms, opened, moments, stick, tmp_path):
    quiet = opened(check="off")
    assert said(quiet) is None
    quiet.preferences.set("update_check", "daily")
    quiet.preferences.set("update_place", "")
    look(rooms, quiet)
    assert not (tmp_path / "store" / "updates.json").exists()
    quiet.preferences.set("update_place", str(stick.parent / "not plugged in"))
    look(rooms, quiet)
    assert said(quiet) is None
    quiet.preferences.set("update_place", str(stick))
    lay(stick, release="0.1.0")
    look(rooms, quiet)
    lay(stick, number=8)
    look(rooms, quiet)
    assert said(quiet) is None
    moments.append(NOON + timedelta(days=1))
    look(rooms, quiet)
    assert "9.9.0" in said(quiet)
    quiet.window.banners.banner(UPDATE_BANNER).buttons[-1].click()
    assert quiet.preferences.now.update_check == "off"


def test_a_release_that_somebody_else_signed_is_refused_in_words(opened, stick):
    lay(stick, key=OTHER_KEY)
    room = opened()
    assert "unknown key" in said(room)
    assert room.window.banners.banner(UPDATE_BANNER).kind == "warn"
