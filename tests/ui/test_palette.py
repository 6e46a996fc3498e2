"""Finding an action by typing, and words in the texts."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window import actions
from tests.operations.bundles import make, task
from tests.ui.rooms import Text, part, press, type_text


@pytest.fixture
def palette(room):
    press("Ctrl+K")
    opened = room.window.parts["palette"]
    assert opened.isVisible()
    yield opened
    opened.hide()


def titles(palette):
    return [line.title for line in palette.model.rows]


def test_it_shows_every_action_with_its_key(palette):
    assert len(titles(palette)) == len(actions.actions_in(actions.ActionScope()))
    lines = {line.id: line.end for line in palette.model.rows}
    assert lines["import"] == "Ctrl O"
    assert lines["go_on"] == "Enter"
    assert lines["undo"] == "unavailable"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("pane next", ["View: Next pane"]),
        ("CLAIM sel", ["Target: Claim from the selection"]),
        ("ctrl shift e", ["File: Export results…"]),
        ("no such words", []),
    ],
)
def test_words_match_anywhere_and_in_any_order(palette, typed, found):
    type_text(typed)
    assert [title for title in titles(palette) if title in found or not found] == found


def test_arrows_choose_and_enter_does_it_with_the_focus_back(room):
    view = room.window.text_pane.panes[0].view
    view.setFocus()
    press("Ctrl+K")
    palette = room.window.parts["palette"]
    type_text("next target", "Down", "Up", "Return")
    assert not palette.isVisible()
    assert room.session.place.target == "s2", "the first that is found is the next target"
    assert QApplication.focusWidget() is view


def test_esc_leaves_without_doing_anything(palette, room):
    type_text("quit", "Esc")
    assert not palette.isVisible()
    assert room.window.isVisible()
    assert QApplication.focusWidget() is room.window.form_pane.form


def test_an_action_that_is_not_possible_is_shown_and_does_nothing(palette, room):
    type_text("undo", "Return")
    assert room.session.rating.answers.targets == {}


def test_nothing_found_says_so(palette):
    type_text("xyzzy")
    assert not palette.list.isVisible()
    assert palette._none.isVisible()
    press("Return")
    assert palette.isVisible()


# -- settings, bundles, tasks, pages and guidelines


def found(palette, heading):
    """The rows under a heading."""
    rows = palette.model.rows
    start = next((number for number, row in enumerate(rows) if row.heading and row.title == heading), None)
    if start is None:
        return []
    after = rows[start + 1 :]
    return list(after[: next((at for at, row in enumerate(after) if row.heading), len(after))])


def test_a_setting_is_found_by_its_words_and_set(palette, room, qapp):
    type_text("dark")
    assert [row.title for row in found(palette, "Settings")] == ["Theme: Dark"]
    press("Return")
    assert room.preferences.now.theme == "dark"
    assert not palette.isVisible()
    press("Ctrl+K", Text("theme"))
    assert [row.title for row in found(palette, "Settings") if row.end == "current"] == ["Theme: Dark"]
    theme.apply(qapp, theme.Look())


def test_a_setting_that_is_typed_is_opened_in_its_dialog(palette, room):
    type_text("company proxy", "Return")
    dialog = room.commands.view.settings
    assert dialog.isVisible()
    assert dialog.focusWidget().objectName() == "setting_proxy"
    dialog.accept()


def test_tasks_are_found_by_their_id_and_by_words_of_their_prompt(palette, room, rooms):
    type_text("t2")
    rooms.qtbot.waitUntil(lambda: [row.end for row in found(palette, "Tasks")] == ["t2"])
    rooms.press_for_task(room, "t2", "Return")
    assert not palette.isVisible()
    press("Ctrl+K", Text(room.session.task.prompt.text))
    rooms.qtbot.waitUntil(lambda: [row.end for row in found(palette, "Tasks")] != [])


def test_enter_waits_for_what_is_being_looked_up(palette, room, rooms):
    type_text("t2")
    press("Return")  # before the store has answered
    rooms.wait_for_task(room, "t2")


def test_bundles_pages_and_guidelines_are_found(rooms, tmp_path):
    guidelines = tmp_path / "guidelines.md"
    guidelines.write_text("# How to rate\n\nText.\n\n## Quotations\n\nMore text.")
    linked = task("t1", "It says so on https://museum.example/geese, and nowhere else.")
    room = rooms.with_bundle(make(tmp_path / "second.zip", [linked], guidelines=guidelines, title="Geese"))
    room.transfer.import_bundle(make(tmp_path / "first.zip", [task("u1")], title="Markets"))
    rooms.wait_for_task(room, "u1")
    palette = room.window.parts["palette"]
    press("Ctrl+K", Text("gee"))
    assert [row.title for row in found(palette, "Bundles")] == ["Geese"]
    rooms.press_for_task(room, "t1", "Return")
    press("Ctrl+K", Text("museum"))
    assert [row.title for row in found(palette, "Links of this task")] == ["museum.example/geese"]
    palette.field.selectAll()
    type_text("quotations")
    assert [row.title for row in found(palette, "Guidelines")] == ["Quotations"]
    press("Return")
    assert part(room, "guidelines").isVisible()


def test_arrows_skip_the_headings(palette):
    type_text("theme")
    rows = palette.model.rows
    seen = set()
    for _ in range(len(rows)):
        seen.add(rows[palette.list.currentIndex().row()].heading)
        press("Down")
    for _ in range(len(rows)):
        press("Up")
        seen.add(rows[palette.list.currentIndex().row()].heading)
    assert seen == {False}
    assert palette.list.currentIndex().row() == 1


# -- find in the text


def test_finding_goes_from_place_to_place_and_counts(room, rooms):
    view = room.window.text_pane.panes[0].view
    press("Ctrl+F")
    bar = room.commands.view.find_bar
    type_text("is")
    rooms.qtbot.waitUntil(lambda: view.textCursor().selectedText() == "is")
    total = view.toPlainText().lower().count("is")
    assert total > 1
    assert bar.count.text() == f"1 of {total}, in the response"
    press("Return")
    assert bar.count.text() == f"2 of {total}, in the response"
    press("Shift+Return", "Shift+Return")
    assert bar.count.text() == f"{total} of {total}, in the response", "round to the last"
    press("Esc")
    assert not bar.isVisible()
    assert QApplication.focusWidget() is room.window.form_pane.form
    assert room.session.task.id == "t1", "Enter did not go on"


def test_finding_begins_in_the_pane_that_has_the_focus(room):
    room.window.resize(1440, 900)
    prompt = part(room, "prompt_text")
    prompt.setFocus()
    assert prompt.hasFocus()
    press("Ctrl+F")
    bar = room.commands.view.find_bar
    assert bar.field.placeholderText() == "Find in: everything of this task"
    type_text("t")
    bar.go(1)
    assert bar.count.text().endswith("in the prompt")
    assert prompt.textCursor().selectedText() == "t"
    bar.field.selectAll()
    type_text("zebra")
    bar.go(1)
    assert bar.count.text() == "not found"
    press("Esc")
    assert prompt.hasFocus()


def test_the_bar_outlives_the_task_it_looked_in(room, rooms):
    press("Ctrl+F", Text("is"), "Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the text it looked in goes now
    room.commands.view.find_bar.go(1)
    press("Esc")
    assert not room.commands.view.find_bar.isVisible()


def test_the_palette_leaves_when_the_focus_does(palette, room):
    room.window.form_pane.form.setFocus()
    assert not palette.isVisible()


@pytest.mark.parametrize(("height", "zoom"), [(450, 100), (768, 200)])
def test_it_stays_within_a_low_window(room, rooms, qapp, height, zoom):
    room.window.resize(720, height)
    theme.apply(qapp, theme.Look(zoom=zoom))
    press("Ctrl+K")
    palette = room.window.parts["palette"]
    type_text("the")
    rooms.qtbot.waitUntil(lambda: found(palette, "Tasks") != [])
    assert room.window.rect().contains(palette.geometry())
    press("PgDown")
    assert palette.list.viewport().rect().contains(palette.list.visualRect(palette.list.currentIndex()))
    press("Esc")
    theme.apply(qapp, theme.Look())


def test_ctrl_k_again_leaves(palette):
    press("Ctrl+K")
    assert not palette.isVisible()
