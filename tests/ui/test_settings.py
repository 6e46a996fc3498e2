"""The settings in the window: asked once, changed at once, kept for the next time."""

import json
import sys

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_rater import app, settings
from desktop_rater.operations.rating.settings_file import SETTINGS_FORMAT, SettingsFile, read_settings, write_settings
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.theme import Look
from desktop_rater.ui.window import startup
from desktop_rater.ui.window.focus import KEYS_DIMMED, TYPING
from desktop_rater.ui.window.welcome import RaterPage, login_name
from tests.operations.bundles import make, noon, task
from tests.ui.articles import serve
from tests.ui.rooms import loopback_web, part, press, type_text


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.json"


@pytest.fixture
def kept_room(rooms, file, qapp):
    """A window whose settings are kept in a file."""

    def build(rater="r"):
        room = app.build_application(
            rooms.folder / "store", rater=rater, now=noon, clock=rooms.clock, settings=read_settings(file, now=noon())
        )
        rooms.open_now.append(room)
        room.window.resize(1280, 720)
        room.window.show()
        room.window.activateWindow()
        rooms.qtbot.waitUntil(room.window.isActiveWindow)
        return room

    yield build
    theme.apply(qapp, Look())


@pytest.fixture
def bundle(tmp_path):
    return make(tmp_path / "bundle.zip", [task("t1"), task("t2")])


def stored(file):
    return read_settings(file, now=noon()).settings


# -- who rates


def test_the_rater_is_asked_once_at_the_first_bundle(kept_room, rooms, bundle, file):
    room = kept_room(rater="")
    assert room.window.findChild(RaterPage) is None, "nobody is asked while there is nothing to rate"
    room.transfer.import_bundle(bundle)
    rooms.qtbot.waitUntil(lambda: room.window.findChild(RaterPage) is not None)
    field = part(room, "rater_name")
    assert field.hasFocus()
    assert field.text() == login_name()
    assert room.session.task is None
    type_text("r-17", "Return")
    assert room.preferences.now.rater == "r-17"
    rooms.shut(room)
    assert stored(file).rater == "r-17"
    again = kept_room(rater="")
    rooms.wait_for_task(again)
    assert again.window.findChild(RaterPage) is None
    assert again.session.rating.rater == "r-17"


def test_without_a_name_there_is_no_way_on(kept_room, rooms, bundle):
    room = kept_room(rater="")
    room.transfer.import_bundle(bundle)
    rooms.qtbot.waitUntil(lambda: room.window.findChild(RaterPage) is not None)
    part(room, "rater_name").setText("  ")
    assert not part(room, "rater_take").isEnabled()
    press("Return", "Y", "Ctrl+Return")
    assert room.preferences.now.rater == ""
    assert room.session.task is None


@pytest.fixture
def started(rooms, tmp_path, bundle, monkeypatch, qapp):
    """`open_window` as a user starts it, with a bundle; the event loop is the test's."""

    def start(story):
        built = []
        build = app.build_application

        def remembered(*args, **named):
            built.append(build(*args, web=loopback_web(), **named))
            return built[-1]

        def exec_(_app=None):
            built[0].transfer.import_bundle(bundle)
            story(built)
            built[-1].window.close()
            rooms.qtbot.waitUntil(lambda: not built[-1].window.isVisible())
            return 0

        monkeypatch.setattr(app, "build_application", remembered)
        monkeypatch.setattr(type(QApplication.instance()), "exec", exec_)
        assert app.open_window(tmp_path / "store", now=noon) == 0
        built[-1].window.deleteLater()
        return built

    yield start
    startup.install_language(qapp, "en")


class Disappearances(QObject):
    """Counts how often a window was hidden."""

    def __init__(self, window):
        super().__init__()
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, _watched, event):  # noqa: N802 - a method of Qt
        self.count += event.type() in {QEvent.Type.Hide, QEvent.Type.Close}
        return False


def test_the_first_name_leaves_the_window_where_it_is(started, rooms, file):
    def give_a_name(built):
        window = built[0].window
        rooms.qtbot.waitUntil(lambda: window.findChild(RaterPage) is not None)
        part(built[0], "rater_name").setText("r-9")
        window.showNormal()
        window.setGeometry(QRect(40, 50, 1300, 800))
        hidden = Disappearances(window)
        rooms.qtbot.waitUntil(lambda: window.property(KEYS_DIMMED) == TYPING)
        part(built[0], "rater_take").click()
        rooms.qtbot.waitUntil(lambda: len(built) == 2)
        rooms.wait_for_task(built[1])
        assert built[1].window is window
        assert hidden.count == 0
        assert window.isVisible()
        assert not part(built[1], "focus_ring").isVisible(), "no button has had the focus yet"
        rooms.qtbot.waitUntil(lambda: not window.property(KEYS_DIMMED))  # the keys answer now, and look like it
        assert built[1].session.rating.rater == "r-9"
        assert window.geometry() == QRect(40, 50, 1300, 800)

    started(give_a_name)
    assert json.loads((file.parent / "store" / "settings.json").read_bytes())["rater"] == "r-9"


def test_another_language_leaves_the_window_its_dialog_the_page_and_what_was_typed(started, rooms, httpserver):
    def change_the_language(built):
        room = built[0]
        rooms.qtbot.waitUntil(lambda: room.window.findChild(RaterPage) is not None)
        room.preferences.set("rater", "r-9")
        rooms.qtbot.waitUntil(lambda: len(built) == 2)
        room = built[1]
        rooms.wait_for_task(room)
        press("Y")
        place = room.session.place
        page = serve(httpserver)
        room.browsing.open(page)
        rooms.wait_for_page(room, page)
        httpserver.clear()
        room.window.task_list.focus_filter()
        type_text("t", "Ctrl+,")
        dialog = room.commands.view.settings
        choice = part(room, "setting_language_de")
        choice.setFocus()
        choice.click()
        rooms.qtbot.waitUntil(lambda: len(built) == 3)
        room = built[2]
        rooms.wait_for_task(room)
        assert room.window is built[0].window
        assert room.window.isVisible()
        assert room.window.updatesEnabled()
        assert room.commands.view.settings is dialog
        assert dialog.isVisible()
        assert dialog.windowTitle().startswith("Einstellungen")
        choice = part(room, "setting_language_de")
        assert QApplication.focusWidget() is choice
        assert choice.isChecked()
        assert room.session.place == place
        rooms.wait_for_page(room, page)
        assert room.browsing.page.stored, "nothing is fetched again"
        assert QApplication.focusWidget() is choice
        dialog.accept()
        field = room.window.task_list.findChild(QLineEdit)
        rooms.qtbot.waitUntil(field.hasFocus, timeout=5000)
        assert field.text() == "t"
        assert field.placeholderText() == "Aufgaben filtern"

    started(change_the_language)


# -- the dialog


@pytest.fixture
def dialog(kept_room, rooms, bundle):
    room = kept_room()
    room.transfer.import_bundle(bundle)
    rooms.wait_for_task(room)
    press("Ctrl+,")
    opened = room.commands.view.settings
    assert opened.isVisible()
    opened.room = room
    yield opened
    opened.hide()


def test_it_has_a_control_for_every_row_that_is_not_set_in_the_window_itself(dialog):
    unlisted = {row.id for row in settings.SETTINGS if not row.section}
    assert unlisted >= {"panes", "window_place"}
    for row in (row for row in settings.SETTINGS if row.section):
        control = dialog.findChild(object, f"setting_{row.id}")
        assert control is not None, row.id
        assert control.accessibleName()


def test_a_choice_holds_at_once_and_is_kept(dialog, rooms, file):
    dialog.findChild(object, "setting_theme_dark").click()
    assert theme.look().theme == "dark"
    for _ in range(2):
        dialog.findChild(object, "setting_zoom").step(1)
    rooms.qtbot.waitUntil(lambda: theme.look().zoom == 120)
    size = dialog.findChild(object, "setting_reading_size").field
    size.setFocus()
    size.setText("18")
    QTest.keyClick(size, Qt.Key.Key_Return)
    rooms.qtbot.waitUntil(lambda: theme.look().reading_size == 18)
    rest = dialog.findChild(object, "setting_pause_after").field
    rest.setFocus()
    for _ in range(6):
        QTest.keyClick(rest, Qt.Key.Key_Up)
    assert dialog.room.session.active_time.awake_seconds == 180
    wanted = {"theme": "dark", "zoom": 120, "reading_size": 18, "pause_after": 180}
    rooms.qtbot.waitUntil(lambda: {name: getattr(stored(file), name) for name in wanted} == wanted)


@pytest.mark.parametrize("typed", ["", "twelve", "1000", "7"])
def test_a_number_that_can_t_be_is_put_back(dialog, typed):
    zoom = dialog.findChild(object, "setting_zoom").field
    zoom.setFocus()
    zoom.selectAll()
    QTest.keyClick(zoom, Qt.Key.Key_Backspace)
    QTest.keyClicks(zoom, typed)
    QTest.keyClick(zoom, Qt.Key.Key_Return)
    assert zoom.text() == "100 %"
    assert dialog.room.preferences.now.zoom == 100
    assert dialog.isVisible()


def test_the_choice_that_holds_stays_marked(dialog):
    button = dialog.findChild(object, "setting_theme_system")
    button.click()
    button.click()
    assert button.isChecked()


def test_esc_closes_and_the_focus_goes_back(dialog, rooms):
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    rooms.qtbot.waitUntil(lambda: QApplication.focusWidget() is dialog.room.window.form_pane.form)


def test_what_stands_in_the_name_counts_when_the_dialog_closes(dialog):
    field = dialog.findChild(object, "setting_rater")
    field.setFocus()
    field.setText("  r-3 ")
    dialog.accept()
    assert dialog.room.preferences.now.rater == "r-3"


def test_a_proxy_is_taken_only_as_one_is_written_and_can_be_taken_away(dialog):
    field = dialog.findChild(object, "setting_proxy")
    for typed, kept in (("http://proxy.example:3128", "http://proxy.example:3128"), ("proxy", None), (" ", "")):
        before = dialog.room.preferences.now.proxy
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert dialog.room.preferences.now.proxy == (before if kept is None else kept)
        assert field.text() == dialog.room.preferences.now.proxy


def test_pages_come_through_the_proxy_that_is_set(kept_room, file):
    write_settings(file, Settings(proxy="http://proxy.example:3128"), {})
    room = kept_room()
    assert room.web.guard.proxy.host == "proxy.example"
    room.preferences.set("proxy", "http://other.example:3128")
    assert room.web.guard.proxy.host == "other.example", "at once, for all later pages"
    room.preferences.set("proxy", "")
    assert room.web.guard.proxy is None


def test_keys_are_changed_by_pressing_them(dialog):
    keys_editor = dialog.findChild(object, "setting_keys")
    model = keys_editor.model
    keys_editor.list.setCurrentIndex(model.index(model.row_of("skip")))
    field = dialog.findChild(object, "new_key")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A)
    assert keys_editor.message.text() == "A is reserved for rubric answers."
    assert dialog.room.preferences.now.keys == {}
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(field, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.room.preferences.now.keys == {"skip": "Shift+F12"}
    assert model.rows[model.row_of("skip")].end == "Shift F12"
    assert dialog.room.commands.actions["skip"].shortcut().toString() == "Shift+F12"
    dialog.findChild(object, "usual_key").click()
    assert dialog.room.preferences.now.keys == {}
    assert dialog.room.commands.actions["skip"].shortcut().toString() == "X"


# -- the file


def test_a_broken_file_is_named_in_a_banner(kept_room, file):
    file.write_bytes(b"{")
    room = kept_room()
    assert "set-aside" in room.window.banners.text("settings")
    room.preferences.set("zoom", 120)
    assert len(list(file.parent.glob("settings.set-aside-*.json"))) == 1


def test_a_wrong_value_is_named(kept_room, file):
    file.write_text(json.dumps({"format": SETTINGS_FORMAT, "zoom": 7}), "utf-8")
    assert "zoom" in kept_room().window.banners.text("settings")


def test_a_file_that_can_t_be_written_is_told_of_and_the_window_goes_on(kept_room, rooms, file):
    room = kept_room()
    file.mkdir()
    room.preferences.set("zoom", 120)
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("settings") is not None)
    assert room.preferences.now.zoom == 120


def test_the_last_change_is_written_when_the_window_closes(kept_room, rooms, file):
    room = kept_room()
    room.preferences.set("zoom", 140)
    rooms.shut(room)
    assert stored(file).zoom == 140


def test_without_a_file_nothing_is_written(rooms, file):
    room = app.build_application(rooms.folder / "store", rater="r", now=noon, settings=SettingsFile())
    rooms.open_now.append(room)
    room.window.show()
    room.preferences.set("pause_after", 30)
    rooms.shut(room)
    assert not file.exists()
    assert not (rooms.folder / "store" / "settings.json").exists()


def test_settings_of_the_file_hold_from_the_start(kept_room, file):
    write_settings(file, Settings(pause_after=30, keys={"skip": "F12"}), {})
    room = kept_room()
    assert room.session.active_time.awake_seconds == 30
    assert room.commands.actions["skip"].shortcut().toString() == "F12"


def test_a_missing_dictionary_is_said_beside_the_setting(kept_room, monkeypatch):
    monkeypatch.setitem(sys.modules, "enchant", None)  # as without its C library
    room = kept_room()
    press("Ctrl+,")
    hint = part(room, "hint_spelling")
    assert hint.text().startswith("No dictionary for English is installed")
    assert "libenchant" in hint.text()
    room.preferences.set("spelling", "de")
    assert hint.text().startswith("No dictionary for Deutsch is installed")
    room.preferences.set("spelling", "off")
    assert hint.text() == "With the dictionaries that the system has."
