"""What a QA lead does with the hub in the window, and what happens where it does not go well."""

import hashlib

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.format import hub_names
from tests.operations.bundles import make, task
from tests.ui.hub_plays import HubPlay, OnAStick
from tests.ui.rooms import Text, part, press, type_text


@pytest.fixture
def play(qtbot, tmp_path, clock):
    played = HubPlay(qtbot, tmp_path, clock, OnAStick(tmp_path))
    yield played
    played.close()


@pytest.fixture
def lead(play):
    """A lead's window, connected."""
    room = play.window("Lena", role="lead")
    play.connect("Lena")
    play.press_until(room.window.isActiveWindow, "Escape")
    return room


def ask(play, room, bundle, *raters):
    """The dialog with a bundle and raters in it, by key."""
    play.rooms["Lena"].files.to_import = bundle
    play.press_until(room.hub.lead.dialog.isActiveWindow, "Ctrl+K", Text("publish a bundle"), "Return")
    if not part(room, "publish_file").text().endswith(".zip"):
        press("Space")
    for rater in raters:
        type_text(rater, "Return")
    return room.hub.lead.dialog


def put(play, content, rater="ana"):
    """Something that lies among a rater's results; its name."""
    digest = hashlib.sha256(content).hexdigest()
    name = hub_names.results_name(rater, "kelp", 1, digest)
    path = play.place.files / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_bundle_that_is_refused_stays_in_the_dialog_with_the_reason(play, lead):
    dialog = ask(play, lead, play.bundle, "ana")
    play.press_until(lambda: not dialog.isVisible(), "Ctrl+Return")
    other = make(play.folder / "other" / "kelp.zip", [task("t9")]) if (play.folder / "other").mkdir() is None else None
    dialog = ask(play, lead, other, "ben")
    play.press_until(lambda: "with other files" in part(lead, "publish_trouble").text(), "Ctrl+Return")
    assert dialog.isVisible()
    assert dialog.entered_raters == ("ben",), "nothing that was typed is lost"
    assert "revision" in part(lead, "publish_trouble").text()
    play.press_until(lambda: not dialog.isVisible(), "Escape")
    assert not (play.place.files / "assignments" / "ben").exists()


def test_without_a_bundle_or_a_rater_nothing_can_be_published(play, lead):
    dialog = ask(play, lead, play.bundle)
    press("Ctrl+Return")
    assert dialog.isVisible()
    assert not (play.place.files / "bundles").exists()
    type_text("ana", "Ctrl+Return")
    play.wait(lambda: not dialog.isVisible())
    assert (play.place.files / "bundles").exists()


def test_raters_who_are_known_there_are_written_down_by_one_button_and_the_lead_is_none(play, lead):
    play.window("ana")
    play.connect("ana")
    press("Escape")
    play.sync("ana")
    play.sync("Lena")
    room = play.to_front("Lena")
    dialog = ask(play, room, play.bundle)
    assert dialog.all.label == "Add all raters of this hub (1)"
    dialog.all.click()
    assert dialog.entered_raters == ("ana",)
    assert QApplication.focusWidget() is dialog.raters


def test_a_hub_that_is_away_says_so_in_the_dialog(play, lead):
    dialog = ask(play, lead, play.bundle, "ana")
    play.place.away()
    play.press_until(lambda: part(lead, "publish_trouble").text() != "", "Ctrl+Return")
    assert dialog.isVisible()
    play.place.back()
    play.press_until(lambda: not dialog.isVisible(), "Ctrl+Return")
    assert play.says("Lena", "hub_published").endswith("Newly assigned to: 1.")


def test_torn_and_strange_results_are_told_and_come_once_they_are_whole(play, lead):
    torn = put(play, b"whole")
    torn.write_bytes(b"half")
    play.sync("Lena")
    play.wait(lambda: play.says("Lena", "hub_collected").startswith("Some results could not be collected: 1."))
    torn.write_bytes(b"whole")
    with play.qtbot.waitSignal(lead.lead_screens.context.results.ended, timeout=15_000) as ended:
        play.sync("Lena")
    assert [one.file for one in ended.args[0].refused] == [torn.relative_to(play.place.files).as_posix()]
    assert play.says("Lena", "results") == "Results received from the hub: 0. Refused: 1."
    lead.window.banners.drop("results")
    play.sync("Lena")
    assert play.says("Lena", "results") == play.says("Lena", "hub_collected") == "", "what was refused is told once"


def test_a_raters_sync_collects_nothing_and_offers_no_publishing(play):
    put(play, b"whole")
    room = play.window("ana")
    play.connect("ana")
    press("Escape")
    play.sync("ana")
    assert ("results", "fetched") not in play.came("ana")
    assert room.hub.lead.hub is None
    assert not room.commands.actions["hub_publish"].isVisible()


def test_closing_the_window_amid_collecting_leaves_nothing_half(play, lead):
    for at in range(60):
        put(play, b"x" * 10_000 + str(at).encode(), f"r-{at}")
    play.press_until(lambda: lead.hub.exchange.is_running, "F5")
    play.rooms["Lena"].shut(lead)
    states = {state for _, state in play.came("Lena")} if (play.folder / "Lena" / "store").exists() else set()
    assert states <= {"seen", "fetched", "refused"}
    inbox = play.folder / "Lena" / "store" / "inbox"
    for file in inbox.iterdir() if inbox.exists() else ():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == file.name
