"""In the window, what the lead has not signed waits for the rater's word, and so does a lead's new key."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER, fingerprint
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.hub.connect import init_hub
from desktop_rater.operations.hub.publish import publish_bundle
from tests.operations.bundles import NOON, RATER, make, task
from tests.operations.hubs import PROJECT, Team
from tests.ui.hubs import banner, close_dialog, connect, open_dialog, settled, sync, window_on
from tests.ui.rooms import part, press

LEAD, OTHER = SigningKey(bytes(range(32))), SigningKey(bytes(range(1, 33)))


def name_lead(folder, key):
    """The hub's marker, set up anew by a lead with that key; None: by one without."""
    (folder / MARKER).unlink(missing_ok=True)
    with Team.in_folder(folder).opened() as hub:
        (folder / MARKER).unlink()
        init_hub(hub, PROJECT, "Kelp", NOON, Progress(), key.public if key else "")


@pytest.fixture
def team(tmp_path):
    name_lead(tmp_path / "hub", LEAD)
    return Team(f"folder:{tmp_path / 'hub'}", Team.in_folder(tmp_path / "other")._means)


def publish(team, path, key):
    with team.opened() as hub:
        publish_bundle(hub, path, [RATER], key=key, chance=lambda: 0.0, progress=Progress())


def bundle(folder, name, *tasks, revision=1):
    place = folder / f"{name}-{revision}"
    place.mkdir()
    return make(place / f"{name}.zip", [task(one) for one in tasks or ("t1",)], title=name.title(), revision=revision)


@pytest.fixture
def joined(rooms, team, tmp_path):
    """A window that is connected, with one bundle of the lead's and one of nobody's."""
    publish(team, bundle(tmp_path, "kelp", "t1", "t2"), LEAD)
    publish(team, bundle(tmp_path, "moss"), None)
    room = window_on(rooms)
    connect(rooms, room, team.url)
    rooms.qtbot.waitUntil(lambda: bool(room.hub.exchange.hub_state.to_import), timeout=15_000)
    return room


def test_only_the_leads_bundle_is_offered_and_the_other_is_named(rooms, joined):
    assert fingerprint(LEAD.public) in part(joined, "hub_found_lead").text()
    assert [one.bundle for one in joined.hub.exchange.hub_state.to_import] == ["kelp"]
    press("Return")
    rooms.wait_for_task(joined)
    settled(rooms, joined)
    assert {one.bundle: one.state for one in joined.hub.exchange.hub_state.arrivals} == {
        "kelp": "taken",
        "moss": "fetched",
    }
    assert "Moss" in (banner(joined, "held") or "")
    dialog = open_dialog(rooms, joined)
    state = dialog.state_page
    assert fingerprint(LEAD.public) in state.lead_label.text()
    assert part(joined, "hub_take").isVisible()
    assert not part(joined, "hub_state_import").isVisible()
    assert not part(joined, "hub_trust").isVisible()
    assert "The lead has not signed it" in part(joined, "hub_arrivals_why").text()


def test_an_unsigned_bundle_is_imported_only_after_a_question(rooms, joined):
    press("Return")
    rooms.wait_for_task(joined)
    dialog = open_dialog(rooms, joined)
    part(joined, "hub_take").click()
    assert "Moss" in dialog.state_page.title.text()
    press("Return")  # the focus is on Cancel
    assert "Moss" not in dialog.state_page.title.text()
    assert [one.bundle for one in joined.hub.exchange.hub_state.held] == ["moss"]
    part(joined, "hub_take").click()
    part(joined, "hub_sync").click()
    rooms.qtbot.waitUntil(lambda: not joined.hub.exchange.hub_state.held, timeout=15_000)
    settled(rooms, joined)
    assert {one.bundle: one.state for one in joined.hub.exchange.hub_state.arrivals} == {
        "kelp": "taken",
        "moss": "taken",
    }
    assert banner(joined, "held") is None


def test_a_lead_who_changes_is_shown_and_trusted_by_hand(rooms, joined, team, tmp_path):
    press("Return")
    rooms.wait_for_task(joined)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is joined.window)
    name_lead(tmp_path / "hub", OTHER)
    publish(team, bundle(tmp_path, "dunes"), OTHER)
    sync(rooms, joined)
    assert fingerprint(OTHER.public) in (banner(joined, "lead_key") or "")
    assert {one.bundle for one in joined.hub.exchange.hub_state.held} == {"moss", "dunes"}
    dialog = open_dialog(rooms, joined)
    state = dialog.state_page
    assert fingerprint(OTHER.public) in state.lead_warning.text()
    part(joined, "hub_trust").click()
    assert fingerprint(LEAD.public) in state.text_label.text()
    assert fingerprint(OTHER.public) in state.text_label.text()
    press("Escape")
    assert joined.hub.exchange.hub_state.hub.lead_key == LEAD.public
    part(joined, "hub_trust").click()
    part(joined, "hub_sync").click()
    rooms.qtbot.waitUntil(lambda: joined.hub.exchange.hub_state.hub.lead_key == OTHER.public, timeout=15_000)
    rooms.qtbot.waitUntil(
        lambda: [one.bundle for one in joined.hub.exchange.hub_state.to_import] == ["dunes"], timeout=15_000
    )
    assert not part(joined, "hub_trust").isVisible()


def test_a_hub_that_names_no_lead_says_that_nobody_vouches(rooms, team, tmp_path):
    name_lead(tmp_path / "hub", None)
    publish(team, bundle(tmp_path, "kelp"), None)
    room = window_on(rooms)
    connect(rooms, room, team.url)
    rooms.qtbot.waitUntil(lambda: bool(room.hub.exchange.hub_state.to_import), timeout=15_000)
    assert "Nobody vouches" in part(room, "hub_found_lead").text()
    close_dialog(rooms, room)
    dialog = open_dialog(rooms, room)
    assert "Nobody vouches" in dialog.state_page.lead_warning.text()
    close_dialog(rooms, room)
    name_lead(tmp_path / "hub", LEAD)
    sync(rooms, room)
    assert fingerprint(LEAD.public) in (banner(room, "lead_key") or "")
    assert open_dialog(rooms, room).state_page.lead_warning.isHidden()


def test_a_bundle_that_would_hide_work_asks_though_the_lead_signed_it(rooms, joined, team, tmp_path):
    press("Return")
    rooms.wait_for_task(joined)
    rooms.press_and_save(joined, "N", "Ctrl+Shift+Return")
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is joined.window)
    publish(team, bundle(tmp_path, "kelp", "t9", revision=2), LEAD)
    sync(rooms, joined)
    joined.hub.arrivals.import_all()
    rooms.qtbot.waitUntil(lambda: banner(joined, "hiding") is not None, timeout=15_000)
    assert [one.revision for one in joined.hub.exchange.hub_state.to_import] == [2]
    shown = joined.hub.banners.banner("hiding")
    next(button for button in shown.buttons if "anyway" in button.text()).click()
    rooms.qtbot.waitUntil(lambda: not joined.hub.exchange.hub_state.to_import, timeout=15_000)
