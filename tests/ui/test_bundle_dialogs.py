"""In the window no bundle hides work unasked, and bundles and revisions come back as they went."""

import pytest

from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import WrappedLabel
from desktop_rater.ui.window.bundle_dialogs import BundlesDialog, HiddenWorkQuestion
from tests.operations.bundles import make, task
from tests.ui.rooms import press, press_until


@pytest.fixture
def finished(room, rooms, qtbot):
    """A window with a bundle of which one task is finished and one is begun."""
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    rooms.press_and_save(room, "Y")
    return room


def hijack(rooms, revision=7):
    return make(rooms.folder / "hijack.zip", [task("t-9")], id="bundle", revision=revision)


def asked(room, rooms, path):
    """The question that an import leads to, with the focus in it."""
    rooms.files.to_import = path
    press("Ctrl+O")

    def question():
        found = room.window.findChild(HiddenWorkQuestion)
        return found is not None and found.isVisible() and found.isActiveWindow()

    rooms.qtbot.waitUntil(question)
    return room.window.findChild(HiddenWorkQuestion)


def open_bundles(room, qtbot) -> BundlesDialog:
    room.commands.actions["bundles"].trigger()
    dialog = room.window.findChild(BundlesDialog)
    qtbot.waitUntil(lambda: dialog.isVisible() and dialog.isActiveWindow() and dialog.model.rowCount() > 0)
    return dialog


def titles(room):
    boxes = room.window.task_list.bundles
    return [boxes.itemText(index) for index in range(boxes.count())]


def test_a_bundle_that_would_hide_work_is_asked_about_and_enter_keeps_the_work(finished, rooms, qtbot):
    question = asked(finished, rooms, hijack(rooms))
    text = question.findChild(WrappedLabel, "hides_work_text").text()
    assert "1 finished, 1 begun" in text
    label = question.findChild(WrappedLabel, "hides_work_text")
    assert label.height() >= label.heightForWidth(label.width())  # nothing of it is cut off
    assert "The store has revision 1, so 2 would be next." in text
    with qtbot.waitSignal(finished.transfer.import_ended):
        press("Return")
    assert finished.session.task.id == "t2"
    assert finished.window.task_list.model.rowCount() == 2


def test_what_was_imported_all_the_same_is_undone_from_its_message(finished, rooms, qtbot):
    asked(finished, rooms, hijack(rooms))
    with qtbot.waitSignal(finished.transfer.import_ended):
        press("I")
    rooms.wait_for_task(finished, "t-9")
    back = finished.window.banners.banner("transfer").buttons[0]
    assert back.text() == "Go to revision 1"
    back.click()
    rooms.wait_for_task(finished, "t2")
    assert "Revision 1 of" in finished.window.banners.text("transfer")
    assert finished.session.rating.answers.targets["s1"]["factual"] == "yes"


def test_an_earlier_revision_is_imported_from_the_message_that_refuses_it(finished, rooms, qtbot):
    both = [task("t1"), task("t2")]
    finished.transfer.import_bundle(make(rooms.folder / "b5.zip", both, id="bundle", revision=5), replace=True)
    model = finished.window.task_list.model
    finished.transfer.import_bundle(make(rooms.folder / "b2.zip", [*both, task("t3")], id="bundle", revision=2))
    banners = finished.window.banners
    qtbot.waitUntil(lambda: "since revision 5 of" in (banners.text("transfer") or ""))
    (anyway,) = banners.banner("transfer").buttons
    assert anyway.text() == "Import revision 2 anyway"
    anyway.click()
    qtbot.waitUntil(lambda: model.rowCount() == 3)


def test_of_several_files_the_next_one_waits_for_the_answer(finished, rooms, qtbot):
    other = make(rooms.folder / "other.zip", [task("o1")])
    asked(finished, rooms, (hijack(rooms), other))
    assert finished.session.task.id == "t2"
    rooms.press_for_task(finished, "o1", "Escape")


def test_a_bundle_is_put_away_and_brought_back_by_keys(finished, rooms, qtbot):
    rooms.files.to_import = make(rooms.folder / "other.zip", [task("o1")])
    rooms.press_for_task(finished, "o1", "Ctrl+O")
    dialog = open_bundles(finished, qtbot)
    assert [row.id for row in dialog.model.rows] == [("bundle", 1), ("other", 1)]
    press("Down", "Return")
    rooms.wait_for_task(finished, "t2")  # the open bundle was put away
    qtbot.waitUntil(lambda: dialog.model.rows[1].detail_end == "put away")
    assert titles(finished) == ["bundle", "1 put away …"]
    press_until(qtbot, lambda: titles(finished) == ["bundle", "other"], "Return")
    assert "is in the list again" in dialog.text.text()
    press_until(qtbot, lambda: not dialog.isVisible(), "Escape")
    assert finished.session.task.id == "t2"


def test_the_open_bundle_follows_to_an_earlier_revision_and_back(finished, rooms, qtbot):
    rooms.files.to_import = make(rooms.folder / "b2.zip", [task("t0"), task("t1"), task("t2")], id="bundle", revision=2)
    press("Ctrl+O")
    model = finished.window.task_list.model
    qtbot.waitUntil(lambda: model.rowCount() == 3)
    dialog = open_bundles(finished, qtbot)
    assert [row.detail_end for row in dialog.model.rows] == ["current", ""]
    press_until(qtbot, lambda: model.rowCount() == 2, "Down", "Return")
    qtbot.waitUntil(lambda: [row.detail_end for row in dialog.model.rows] == ["", "current"])
    press_until(qtbot, lambda: model.rowCount() == 3, "Up", "Return")


def test_with_all_bundles_put_away_the_first_page_leads_to_them(room, rooms, qtbot):
    dialog = open_bundles(room, qtbot)
    press_until(qtbot, lambda: room.window.is_empty, "Return")
    press_until(qtbot, lambda: not dialog.isVisible(), "Escape")
    button = room.window.findChild(KeyButton, "first_bundles")
    assert button.isVisible()
    assert "1 bundle is put away" in button.accessibleName()
    button.click()
    qtbot.waitUntil(dialog.isVisible)
    rooms.press_for_task(room, "t1", "Return")
    assert not room.window.is_empty
