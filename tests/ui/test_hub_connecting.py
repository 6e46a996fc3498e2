"""A rater connects the window to the hub, by keyboard: it is tried first, and nothing secret is kept in the open."""

import socket

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from desktop_rater.format.change import Progress
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import SignIn
from desktop_rater.operations.hub.connect import HUB_PASSWORD_VARIABLE, HUB_USER_VARIABLE
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store import hubs
from desktop_rater.ui.hub.exchange import HubAccess
from tests.hub.scripted import Scripted, say
from tests.hub.servers.apache import PASSWORD, USER
from tests.operations.bundles import noon
from tests.ui.hubs import (
    ServedTeam,
    assigned,
    close_dialog,
    connect,
    dialog_of,
    open_dialog,
    reach_for,
    settled,
    window_on,
)
from tests.ui.rooms import Files, Text, part, press, type_text
from tests.ui.window_parts import WindowParts


def findings(room):
    model = part(room, "hub_findings").model()
    return [model.index(at, 0).data() for at in range(model.rowCount())]


def said(room, name):
    label = part(room, name)
    return label.text() if not label.isHidden() else ""


def test_by_keyboard_from_the_first_page_to_the_first_task(rooms, team, tmp_path):
    assigned(team, tmp_path, "kelp", "t1", "t2")
    room = window_on(rooms)
    assert WindowParts(room).empty_page.isVisible()
    assert WindowParts(room).status.hub.text() == "No hub"
    dialog = open_dialog(rooms, room)
    type_text(str(tmp_path / "hub"), "Return")
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=15_000)
    assert dialog.page.title.text() == "Connected: Kelp"
    assert len(findings(room)) >= 3
    rooms.qtbot.waitUntil(lambda: said(room, "hub_there") == "1 bundle is available:", timeout=15_000)
    rooms.press_for_task(room, "t1", "Return")
    assert not dialog.isVisible()
    settled(rooms, room)
    assert WindowParts(room).status.hub.text() == "Synced just now"


def test_a_place_that_is_no_hub_yet_is_not_connected_and_nothing_stays_there(rooms, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    room = window_on(rooms)
    open_dialog(rooms, room)
    type_text(f"folder:{plain}", "Return")
    dialog = dialog_of(room)
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=15_000)
    assert dialog.page.title.text() == "This hub can't be used"
    assert "hub init" in said(room, "hub_found_words")
    assert not part(room, "hub_import").isVisible()
    assert not (plain / "hub.json").exists()
    press("Return")
    assert dialog.page is dialog.connect_page, "Enter goes back to the address"
    close_dialog(rooms, room)
    assert hubs.current_hub(room.reader) is None


def test_an_address_that_can_t_be_one_is_refused_in_words_that_do_not_quote_it(rooms):
    room = window_on(rooms)
    open_dialog(rooms, room)
    type_text("webdavs://anna:canary-9@hub.example.org/x", "Return")
    rooms.qtbot.waitUntil(lambda: bool(said(room, "hub_trouble")), timeout=15_000)
    assert "canary-9" not in said(room, "hub_trouble")
    assert "password" in said(room, "hub_trouble")
    assert part(room, "hub_address").hasFocus()


def test_a_folder_can_be_chosen_and_needs_no_sign_in(rooms, team, tmp_path):
    rooms.files = Files(hub_folder=tmp_path / "hub")
    room = window_on(rooms)
    open_dialog(rooms, room)
    part(room, "hub_folder").click()
    assert part(room, "hub_address").text() == f"folder:{tmp_path / 'hub'}"
    for name in ("hub_user", "hub_password", "hub_certificates"):
        assert not part(room, name).isVisible(), name


def test_fields_are_named_after_the_kind_of_hub(rooms):
    room = window_on(rooms)
    open_dialog(rooms, room)
    fields = dialog_of(room).connect_page.fields
    assert fields.password.echoMode() == QLineEdit.EchoMode.Password
    fields.address.setText("webdavs://hub.example.org/kelp")
    assert (fields.user.accessibleName(), fields.password.accessibleName()) == ("User", "Password")
    fields.address.setText("s3://kelp/november")
    assert (fields.user.accessibleName(), fields.password.accessibleName()) == ("Access key id", "Secret key")


def test_who_has_no_name_yet_is_asked_for_it_here(rooms, team, tmp_path):
    room = window_on(rooms, rater="", settings=SettingsFile(settings=Settings(sync_minutes=0)))
    open_dialog(rooms, room)
    type_text(str(tmp_path / "hub"))
    dialog = dialog_of(room)
    assert not part(room, "hub_go").isEnabled()
    press("Return", Text("r-17"), "Return")
    rooms.qtbot.waitUntil(lambda: room.preferences.now.rater == "r-17", timeout=15_000)
    assert not dialog.isVisible()


class Keyring:
    """What the system's own keyring does, in memory."""

    def __init__(self):
        self.kept = {}

    def get_password(self, service, account):
        return self.kept.get((service, account))

    def set_password(self, service, account, password):
        self.kept[service, account] = password


Keyring.__module__, Keyring.__qualname__ = "keyring.backends.SecretService", "Keyring"


def sign_in(rooms, room, served, folder="kelp", password=PASSWORD):
    """Connect to Apache, with a password that is typed."""
    fields = dialog_of(room).connect_page.fields
    open_dialog(rooms, room)
    fields.address.setText(served.url(folder))
    fields.user.setText(USER)
    fields.password.setText(password)
    press("Return")


def dav_team(served, folder):
    """A hub on Apache."""
    return ServedTeam(served.url(folder), USER, PASSWORD, served.files)


def test_apache_with_a_password_that_no_keyring_keeps(rooms, apache, tmp_path):
    team = dav_team(apache, f"{tmp_path.name}-session")
    assigned(team, tmp_path)
    room = window_on(rooms)
    sign_in(rooms, room, apache, f"{tmp_path.name}-session")
    dialog = dialog_of(room)
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=20_000)
    assert "is not saved" in said(room, "hub_kept")
    rooms.qtbot.waitUntil(lambda: bool(room.hub.exchange.hub_state.to_import), timeout=20_000)
    assert dialog.connect_page.fields.password.text() == "", "nothing of it stays in the window"
    settled(rooms, room)
    for path in (rooms.folder / "store").rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes(), path


def test_apache_with_a_password_in_the_keyring_is_known_to_the_next_window(rooms, apache, tmp_path):
    folder = f"{tmp_path.name}-kept"
    dav_team(apache, folder)
    keyring = Keyring()
    room = window_on(rooms, reach=reach_for(rooms.folder / "store", lambda: [keyring]))
    sign_in(rooms, room, apache, folder)
    dialog = dialog_of(room)
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=20_000)
    assert said(room, "hub_kept") == "The password is stored in the system's Secret Service."
    settled(rooms, room)
    close_dialog(rooms, room)
    rooms.shut(room)
    again = window_on(rooms, reach=reach_for(rooms.folder / "store", lambda: [keyring]))
    rooms.qtbot.waitUntil(lambda: again.hub.exchange.hub_state.hub is not None)
    again.hub.sync()
    rooms.qtbot.waitUntil(lambda: "Synced." in (again.hub.banners.text("hub") or ""), timeout=20_000)
    assert "There was nothing new." in (again.hub.banners.text("hub") or "")
    assert "clock" in (again.hub.banners.text("hub") or ""), "that of the test stands still at noon"


def test_a_wrong_password_is_said_and_nothing_is_connected(rooms, apache, tmp_path):
    folder = f"{tmp_path.name}-wrong"
    dav_team(apache, folder)
    room = window_on(rooms)
    sign_in(rooms, room, apache, folder, password="canary-17")
    rooms.qtbot.waitUntil(lambda: bool(said(room, "hub_trouble")), timeout=20_000)
    assert "canary-17" not in said(room, "hub_trouble")
    assert hubs.current_hub(room.reader) is None
    assert part(room, "hub_password").hasFocus()


def test_a_trial_can_be_stopped(rooms, tmp_path):
    """A server that takes the call and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        room = window_on(rooms)
        open_dialog(rooms, room)
        type_text(f"webdav://127.0.0.1:{server.getsockname()[1]}/x", "Return")
        dialog = dialog_of(room)
        rooms.qtbot.waitUntil(lambda: dialog.connect_page.is_trying)
        assert "Trying the hub" in said(room, "hub_far")
        press("Escape")
        assert not dialog.connect_page.is_trying
        assert dialog.isVisible()
        close_dialog(rooms, room)


def test_disconnecting_asks_first_and_keeps_what_waits(rooms, team, tmp_path):
    room = window_on(rooms)
    connect(rooms, room, f"folder:{tmp_path / 'hub'}")
    close_dialog(rooms, room)
    dialog = open_dialog(rooms, room)
    part(room, "hub_disconnect").click()
    assert dialog.page.title.text() == "Disconnect from Kelp?"
    press("Escape")
    assert dialog.page.title.text() == "Kelp"
    assert dialog.isVisible()
    part(room, "hub_disconnect").click()
    part(room, "hub_sync").click()
    rooms.qtbot.waitUntil(lambda: WindowParts(room).status.hub.text() == "No hub")
    assert [one.project for one in hubs.list_hubs(room.reader)] == ["kelp-2026"], "it is known, should it come back"
    assert (tmp_path / "hub" / "hub.json").exists()


def test_the_focus_goes_back_to_where_it_was(rooms, team, tmp_path):
    room = window_on(rooms)
    assert WindowParts(room).empty_page.import_button.hasFocus()
    open_dialog(rooms, room)
    assert part(room, "hub_address").hasFocus()
    press("Tab", "Tab", "Tab")
    assert part(room, "hub_password").hasFocus()
    close_dialog(rooms, room)
    rooms.qtbot.waitUntil(WindowParts(room).empty_page.import_button.hasFocus)


def test_a_token_that_was_copied_with_the_end_of_its_line_is_the_token(rooms):
    room = window_on(rooms)
    open_dialog(rooms, room)
    fields = dialog_of(room).connect_page.fields
    fields.address.setText("webdavs://hub.example/team")
    QGuiApplication.clipboard().setText("a-token\n")
    fields.password.paste()
    assert fields.entered.password.reveal() == "a-token"


def test_a_folder_as_the_hub_takes_no_certificates_away_from_the_server(rooms, team, tmp_path):
    """A stick for a day: the hub before it is still trusted by the file that the project gave out."""
    assigned(team, tmp_path, "kelp", "t1")
    room = window_on(rooms)
    room.preferences.set("hub_certificates", "/teams/roots.pem")
    connect(rooms, room, team.url)
    assert room.preferences.now.hub_certificates == "/teams/roots.pem"


@pytest.mark.parametrize("user", ["ana", ""])
def test_a_window_sends_no_hub_a_password_that_a_script_left_in_the_environment(tmp_path, monkeypatch, user):
    """It was set for another hub, for a run by script in the same shell."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv(HUB_USER_VARIABLE, "robot")
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, "canary")
    reach = HubAccess(tmp_path / "store", noon, allow_loopback=True)
    with Scripted(lambda _asked: say(401)) as server:
        url = f"webdav://127.0.0.1:{server.port}/kelp"
        for hub in (reach.open(url, user), reach.open_for_trial(url, SignIn(user), "")):
            with pytest.raises(HubError):
                hub.exists("hub.json", Progress())
            hub.close()
    said = [one.headers.get("authorization", "") for one in server.asked]
    assert said == ["Basic YW5hOg==" if user else ""] * 2  # ana, and no password
