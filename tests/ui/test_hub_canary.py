"""A password that is typed into the window goes to the hub, and is found nowhere else: not even after a crash."""

import sys

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.format.change import NO_CHANGE
from tests.hub.canaries import Canary, Watch
from tests.hub.servers.fault_proxy import FaultProxy
from tests.pages.servers import HostileServer
from tests.ui.hub_plays import HubPlay, OnAServer
from tests.ui.rooms import press, type_text

CANARY = Canary("team", "canary/K7x+Q 9z&w=3")
WRONG = Canary("team", "canary/that is+wrong:8=1")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at by /proc")


@pytest.fixture
def play(qtbot, tmp_path, clock, own_apache):
    """A rater's window, and a hub behind something that notes what it is asked. No keyring is there."""
    apache = own_apache(users={CANARY.user: CANARY.text})
    with FaultProxy(apache.port) as proxy:
        place = OnAServer(apache, CANARY.user, CANARY.text, proxy)
        played = HubPlay(qtbot, tmp_path, clock, place, keyrings=())
        yield played
        played.close()


def all_that_is_shown():
    """Every text of every widget, seen or not, and what was copied."""
    yield QGuiApplication.clipboard().text()
    for widget in QApplication.allWidgets():
        yield from (widget.accessibleName(), widget.toolTip(), widget.windowTitle(), widget.objectName())
        match widget:
            case QLabel() | QLineEdit():
                yield widget.text()
            case QPlainTextEdit():
                yield widget.document().toRawText()


def test_a_window_keeps_a_password_to_itself(play, capfd, caplog):
    """Connect, sync, read a page, export, sign in wrongly, and a bug of the program amid it all."""
    caplog.set_level(0)
    with Watch() as watch, HostileServer() as pages:
        room = play.window("ana")
        room.transfer.import_bundle(play.bundle)
        play.rooms["ana"].wait_for_task(room)
        room.browsing.open(pages.url("/page"))
        play.rooms["ana"].wait_for_page(room, pages.url("/page"))
        play.connect("ana")
        assert "is not saved" in room.hub.joining.dialog.found_page.password_label.text()
        press("Escape")
        assert play.sync("ana").stopped is None
        exported(play, room)
        a_wrong_password(play, room)
        crash = a_bug(play, room)
        room.preferences.set("sync_red_days", 5)
        room.preferences.flush()
        watch.look()
    play.wait((play.folder / "ana" / "settings.json").exists)
    said = capfd.readouterr()
    assert watch.environments, "the process that reads pages was seen"
    for canary in (CANARY, WRONG):
        assert not any(canary.is_in(words) for words in all_that_is_shown())
        assert canary.in_files(play.folder, play.place.apache.files) == []
        assert canary.in_requests(play.place.proxy.requests, but="authorization") == []
        assert not any(canary.is_in(one) for one in (*watch.lines.values(), *watch.environments.values()))
        assert not any(canary.is_in(words) for words in (said.out, said.err, caplog.text, crash))
    assert CANARY.in_requests(play.place.proxy.requests, but=""), "else nothing was looked at"
    assert WRONG.in_requests(play.place.proxy.requests, but=""), "as above"


def exported(play, room):
    play.rate_all("ana")
    out = play.rooms["ana"].files.to_write = play.folder / "results.zip"
    with play.qtbot.waitSignal(room.transfer.export_ended, timeout=15_000):
        press("Ctrl+Shift+E")
    assert out.exists()


def a_wrong_password(play, room):
    """The hub does not know the password any more, and the rater types a wrong one."""
    play.place.apache.set_users({CANARY.user: "another one"})
    assert play.sync("ana").stopped.kind == "sign_in"
    dialog = room.hub.joining.dialog
    room.hub.banners.banner("hub").buttons[0].click()
    play.wait(dialog.isActiveWindow)
    dialog.connect_page.fields.password.setFocus()
    type_text(WRONG.text, "Return")
    play.wait(lambda: dialog.connect_page.error_label.text() != "")
    play.press_until(lambda: not dialog.isVisible(), "Escape", "Escape")


def a_bug(play, room):
    """In the middle of a sync, with the password in its message and in its variables: what the report says."""
    play.place.apache.set_users({CANARY.user: CANARY.text})

    def also(*_given):
        password = CANARY.text
        raise KeyError(f"no such thing: {password}")

    room.hub.exchange.after_sync = also
    play.to_front("ana")
    play.press_until(lambda: room.window.banners.banner("crash") is not None, "F5")
    room.window.parts["crash"].show_details()
    report = room.window.parts["crash"].dialog.findChild(QWidget, "crash_details").toPlainText()
    assert "KeyError" in report
    room.window.parts["crash"].dialog.close()
    room.hub.exchange.after_sync = lambda *_given: NO_CHANGE
    return report
