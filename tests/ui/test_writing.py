"""Help with comments: earlier texts are offered, names of text blocks are replaced, unknown words are underlined."""

import threading

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from desktop_rater.format.change import Progress
from desktop_rater.ui.rating import task_loader
from desktop_rater.ui.rating.writing import load_dictionary
from desktop_rater.ui.widgets.banners import Banner
from desktop_rater.ui.widgets.buttons import KeyButton
from tests.operations.bundles import task
from tests.ui.rooms import Text, banner, part, press, press_and_settle, press_until, settle, type_text

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def writing(room):
    return room.window.parts["writing"]


def offered(room):
    offers = room.window.findChild(object, "offers")
    return [row.title for row in offers.rows.rows] if offers is not None and offers.isVisible() else []


def comment(room):
    return room.session.rating.answers.targets[room.session.place.target].get("comment")


def test_earlier_comments_and_pages_are_offered_and_never_taken_by_themselves(rooms):
    room = rooms.with_tasks(task("t1", "One.", "Two."), task("t2"))
    press("Y", "W", Text("Searched IMDb and Wikipedia."))
    QApplication.clipboard().setText("https://example.org/population")
    press("Esc", "E", "S", "J", "Y", "W", Text("Se"))
    assert offered(room) == ["Searched IMDb and Wikipedia."]
    press("Return")
    assert comment(room) == "Se\n", "Enter alone takes nothing"
    press("Backspace", "Down", "Return")
    assert comment(room) == "Searched IMDb and Wikipedia."
    assert offered(room) == []
    rooms.press_and_save(room, "Ctrl+Z", "Esc", "Esc")
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    press("Y", "W", Text("wiki"))
    assert offered(room) == ["Searched IMDb and Wikipedia."], "also from another task, by any of its words"
    press("Esc")
    assert offered(room) == []
    assert comment(room) == "wiki", "Esc closes the offers first"
    type_text(" x", "Esc")
    QApplication.clipboard().setText("")
    room.session.add_evidence("")
    room.window.form_pane.form.evidence.edit("url")
    type_text("popul")
    assert offered(room) == ["https://example.org/population"]
    press("Tab")
    assert [piece.url for piece in room.session.evidence] == ["https://example.org/population"]
    rooms.wait_until_saved(room)
    room = rooms.reopened(room, "t2")
    press_until(rooms.qtbot, lambda: len(writing(room).offers._recent.comments) > 1, "W")
    press("Ctrl+A", "Backspace", Text("sea"))
    assert offered(room) == ["Searched IMDb and Wikipedia."], "from the store after a restart"


def test_a_text_block_takes_the_place_of_its_name(room, rooms):
    room.commands.actions["text_blocks"].trigger()
    rooms.qtbot.waitUntil(part(room, "text_blocks").isActiveWindow)
    part(room, "block_name").setFocus()
    type_text(";src")
    part(room, "block_text").setFocus()
    type_text("Searched Wikipedia and IMDb.")
    part(room, "block_keep").click()
    assert room.preferences.now.text_blocks == {"src": "Searched Wikipedia and IMDb."}
    part(room, "block_close").click()
    rooms.qtbot.waitUntil(room.window.isActiveWindow)
    press("Y", "W", Text("Nothing. ;s"))
    assert offered(room) == ["Searched Wikipedia and IMDb."]
    press("Tab")
    assert comment(room) == "Nothing. Searched Wikipedia and IMDb."
    edit = part(room, "text_comment")
    writing(room).show_menu(edit, QPoint(5, 5))
    menu = next(menu for menu in edit.findChildren(QMenu) if menu.objectName() == "comment_menu")
    actions = menu.actions()  # held, since PySide 6.9 lets a menu go with its title
    blocks = next(action.menu() for action in actions if action.menu() is not None)
    assert [action.text() for action in blocks.actions() if action.text()] == [";src", "Edit…"]
    menu.close()


def underlined(edit):
    layout = edit.document().firstBlock().layout()
    text = edit.toPlainText()
    return [text[form.start : form.start + form.length] for form in layout.formats()]


def test_unknown_words_of_a_comment_are_underlined_and_can_be_put_right(room, rooms):
    if load_dictionary("en", Progress()) is None:
        pytest.skip("the system has no English dictionary, or not the library that reads them")
    spelling = writing(room).spelling
    press_until(rooms.qtbot, lambda: spelling._dictionary is not None, "Y", "W")
    edit = part(room, "text_comment")
    type_text("Teh village of Xyzzyville")
    assert underlined(edit) == ["Teh"], "not the word that is being typed"
    type_text(" is smal.")
    assert underlined(edit) == ["Teh", "Xyzzyville", "smal"]
    menu = QMenu()
    menu.addAction("Copy")
    spelling.add_to_menu(menu, edit, edit.cursorRect().topLeft() - QPoint(20, -4))
    labels = [action.text() for action in menu.actions()]
    assert "small" in labels
    assert labels[-1] == "Copy"
    next(action for action in menu.actions() if action.text() == "small").trigger()
    assert comment(room) == "Teh village of Xyzzyville is small."
    room.preferences.set("own_words", {"xyzzyville": ""})
    assert underlined(edit) == ["Teh"]
    room.preferences.set("spelling", "off")
    rooms.qtbot.waitUntil(lambda: underlined(edit) == [])


def test_without_a_dictionary_nothing_is_underlined(room, rooms):
    assert load_dictionary("tlh", Progress()) is None
    room.preferences.set("spelling", "off")
    press("Y", "W", Text("Teh village"))
    assert underlined(part(room, "text_comment")) == []


# -- input methods


def compose(text, commit=""):
    """Let an input method show a text that is not committed yet, or commit one."""
    event = QInputMethodEvent(text, [])
    event.setCommitString(commit)
    field = QApplication.focusWidget()
    assert field is not None
    QApplication.sendEvent(field, event)


def test_what_is_being_composed_stays_where_it_was_composed(rooms):
    room = rooms.with_tasks(task("t1", "One.", "Two."), task("t2"))
    press("Y", "W")
    compose("さくら")
    room.session.move(1)
    assert room.session.rating.answers.targets["s1"]["comment"] == "さくら"
    press("M")
    compose("メモ")
    part(room, "word_bar_cancel").setFocus()
    assert part(room, "word_bar_field").text() == "メモ"
    press("Esc")
    room.session.move(-1)
    press("W")
    compose("の木")
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers.targets["s1"]["comment"] == "さくらの木"


def click_in_window(room, widget):
    """Click where a widget is: the window is told first, as by the system."""
    QTest.mouseClick(room.window.windowHandle(), LEFT, pos=widget.mapTo(room.window, widget.rect().center()))


def test_a_click_that_leaves_the_focus_in_a_field_acts_on_what_is_composed_there_too(room):
    press("M")
    compose("メモ")
    click_in_window(room, part(room, "word_bar_keep"))
    assert room.session.rating.note == "メモ"


def test_a_shortcut_acts_on_what_is_composed_too(room, rooms):
    room.commands.actions["text_blocks"].trigger()
    rooms.qtbot.waitUntil(part(room, "text_blocks").isActiveWindow)
    part(room, "block_name").setText("src")
    part(room, "block_text").setFocus()
    type_text("Searched ")
    compose("日本語")
    QTest.keyPress(part(room, "block_text"), Qt.Key.Key_Control, CONTROL)
    assert part(room, "block_text").text() == "Searched ", "Ctrl alone may be the input method's own"
    press("Ctrl+Return")
    assert room.preferences.now.text_blocks == {"src": "Searched 日本語"}


def test_nothing_is_offered_while_an_input_method_composes(rooms):
    room = rooms.with_tasks(task("t1", "One.", "Two."), task("t2"))
    press("Y", "W")
    compose("", "これは日本語です")
    press("Esc", "J", "Y", "W")
    compose("", "これ")
    assert offered(room) == ["これは日本語です"]
    compose("は")
    assert offered(room) == [], "the input method shows its own list there"
    compose("", "は")
    assert offered(room) == ["これは日本語です"]


def test_a_composition_that_is_cancelled_is_no_text(room):
    press("Y", "W")
    compose("さくら")
    compose("")
    settle()
    press("Esc")
    assert "comment" not in room.session.rating.answers.targets["s1"]


def test_earlier_comments_are_offered_after_a_commit_but_not_after_a_paste(rooms):
    room = rooms.with_tasks(task("t1", "One.", "Two."), task("t2"))
    press("Y", "W")
    compose("", "これは日本語です")
    press("Esc", "J", "Y", "W")
    compose("日本語")
    compose("", "日本語")
    assert offered(room) == ["これは日本語です"]
    press("Esc", "Ctrl+A")
    QApplication.clipboard().setText("日本語")
    press("Ctrl+V")
    assert offered(room) == []


def test_several_links_are_pasted_and_undone_in_one_step(room):
    press("Y")
    QApplication.clipboard().setText("https://example.org/a https://example.org/b https://example.org/c")
    room.commands.actions["paste_links"].trigger()
    assert len({piece.id for piece in room.session.evidence}) == 3
    press("Ctrl+Z")
    assert room.session.evidence == ()


def test_a_comment_is_written_on_at_its_end(room, rooms):
    press("Y", "W", Text("One."), "Home", "Esc", "W", Text(" Two."), "Esc")
    assert comment(room) == "One. Two."
    rooms.wait_until_saved(room)
    room = rooms.reopened(room)
    press("W", Text(" Three."))
    assert comment(room) == "One. Two. Three."


# -- texts that are too long

FIELDS = {
    "comment": ("text_comment", 20_000, ("W",)),
    "quote": ("evidence_quote", 20_000, ("Q",)),
    "address of evidence": ("new_address", 32_767, ("E",)),
    "note": ("word_bar_field", 2_000, ("M",)),
    "claim": ("word_bar_field", 2_000, ("Ctrl+L",)),
    "reason of a border": ("word_bar_field", 2_000, ("B",)),
    "comment of a skip": ("skip_comment", 32_767, ("X", "5")),
    "filter of the tasks": ("filter", 32_767, ("/",)),
    "search of the texts": ("find_field", 32_767, ("Ctrl+F",)),
    "address of a page": ("address_field", 10_000, ("Alt+D",)),
}


def refusals(window):
    return [message.label.text() for message in window.findChildren(Banner, "refused_text") if message.isVisible()]


def test_a_text_of_three_million_characters_is_refused_with_its_count(room):
    press("Y")
    room.session.add_evidence("https://example.org/a")
    for name in FIELDS:
        check_limit(room, name)
        press("Ctrl+A", "Backspace", "Esc", "Esc")
        room.window.form_pane.form.setFocus()


def check_limit(room, name):
    field_name, most, keys = FIELDS[name]
    QApplication.clipboard().setText("")
    press(*keys)
    field = part(room, field_name)
    assert field.hasFocus(), name
    type_text("ab")
    QApplication.clipboard().setText("x" * 2_900_000)
    press_and_settle("Ctrl+V")
    assert text_in(field) == "ab"
    assert refusals(room.window) == [
        f"Nothing was inserted: the field would hold 2,900,002 characters, and takes at most {most:,}."
    ]
    type_text("c")
    assert refusals(room.window) == []
    assert text_in(field) == "abc"
    QApplication.clipboard().setText("x" * (most - 3))
    press("Ctrl+V")
    assert len(text_in(field)) == most


def text_in(field):
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def test_a_text_that_is_dropped_on_a_field_is_refused_as_a_pasted_one(room):
    press("Y", "W")
    data = QMimeData()
    data.setText("x" * 30_000)
    part(room, "text_comment").insertFromMimeData(data)
    assert "30,000 characters" in refusals(room.window)[0]
    assert comment(room) is None
    press("Esc")
    assert refusals(room.window) == []


def test_links_that_are_not_taken_from_a_copied_text_are_counted(room):
    press("Y")
    QApplication.clipboard().setText(" ".join(f"https://example.org/{number}" for number in range(60)))
    room.commands.actions["paste_links"].trigger()
    assert len(room.session.evidence) == 50
    assert banner(room, "hint") == "50 links are added, 10 are not: copy at most 50 at once."
    QApplication.clipboard().setText("https://example.org/new " * 100_000)
    room.commands.actions["paste_links"].trigger()
    assert len(room.session.evidence) == 50
    assert "2,400,000 characters" in banner(room, "hint")


def test_earlier_reasons_of_warnings_are_offered_and_the_key_is_on_one_button(rooms):
    room = rooms.with_tasks(task("t1", "One.", "Two."), task("t2"))
    reason = "Three archives have nothing."
    press("Y", "3", "5", "U", "W", Text("Nothing was found."), "Esc")
    buttons = room.window.form_pane.problems.list.findChildren(KeyButton, "way_acknowledge")
    assert [button._key for button in buttons if button.isVisible()] == ["V"]
    press("V", Text(reason), "Return", "J", "Y", "3", "5", "U", "W", Text("Nothing was found either."), "Esc", "V")
    type_text("Thr")
    assert offered(room) == [reason]
    press("Tab", "Return")
    assert [entry.comment for entry in room.session.rating.acknowledged] == [reason, reason]
    press("M", Text("Thr"))
    assert offered(room) == [], "a note is no reason"


def test_keys_pressed_while_the_first_task_is_opened_act_on_it_in_order(rooms, monkeypatch):
    rooms.shut(rooms.with_tasks())
    gate, read = threading.Event(), task_loader._read_bundle
    monkeypatch.setattr(task_loader, "_read_bundle", lambda *given: gate.wait(30) and read(*given))
    room = rooms.empty()
    room.desk.open_bundle("bundle")
    assert room.session.task is None, "nothing can be read yet"
    press("Y", "3", "5", "U", "W", Text("Ja"))
    assert room.session.task is None
    gate.set()
    rooms.qtbot.waitUntil(lambda: room.session.task is not None and part(room, "text_comment").hasFocus())
    answers = room.session.rating.answers.targets["s1"]
    assert answers["comment"] == "Ja"
    assert "unsupported" in answers.values()
