"""What a rater who hears the window, or who only has keys, is told and can reach."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLineEdit,
    QSplitter,
    QToolButton,
    QWidget,
)

from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window import welcome
from desktop_rater.ui.window.crash_report import CrashReport
from tests.ui.rooms import part, press, press_and_settle, press_until, settle
from tests.ui.window_parts import WindowParts

SMALLEST_TARGET = 24


def face(widget):
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None, widget
    return found


def name_of(widget):
    return face(widget).text(QAccessible.Text.Name)


def rows_of(view):
    """What a reader hears of each row of a list."""
    spoken = face(view)
    rows = (spoken.child(at) for at in range(spoken.childCount()))
    return [row.text(QAccessible.Text.Name) for row in rows if row is not None]


def controls(window):
    """All that can take the focus or be pressed, but for what Qt itself puts into a field."""
    for widget in (window, *window.findChildren(QWidget)):
        pressed = isinstance(widget, QAbstractButton) and not isinstance(widget.parent(), QLineEdit)
        if widget.isVisible() and (widget.focusPolicy() != Qt.FocusPolicy.NoFocus or pressed):
            yield widget


def nameless(window):
    return [f"{type(one).__name__} {one.objectName()}" for one in controls(window) if not name_of(one)]


@pytest.fixture
def rated(wide):
    """The second target with a page on each side, and a label that they contradict."""
    press("J", "Y")
    for number, stance in enumerate(("supporting", "contradicting"), 1):
        name = wide.session.add_evidence(f"https://example.org/{number}")
        wide.session.change_evidence(name, stance=stance, title=f"Page {number}")
    press_and_settle("3", "A")
    return wide


# -- names


def test_each_control_of_the_window_has_a_name(rated):
    assert nameless(rated.window) == []
    press("X")
    assert nameless(rated.window) == []
    press("Escape", "V")
    assert nameless(rated.window) == []
    press("Escape", "Ctrl+F")
    assert nameless(rated.window) == []
    press("Escape", "Q")
    assert nameless(rated.window) == []


def test_each_control_of_the_sample_has_a_name(rooms):
    room = rooms.with_bundle(sample_bundle_path())
    for row in range(room.window.task_list.model.rowCount()):
        name = room.window.task_list.model.task_at(row)
        rooms.open_task(room, name)
        assert nameless(room.window) == []
    press("G")
    assert nameless(room.window) == []


def test_each_control_before_the_first_bundle_has_a_name(rooms):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    assert nameless(room.window) == []
    welcome.ask_rater_name(WindowParts(room).stack, room.preferences)
    assert nameless(room.window) == []


@pytest.mark.parametrize("key", ["F1", "Ctrl+,", "Ctrl+K"])
def test_each_control_of_a_dialog_has_a_name(wide, key):
    press_and_settle(key)
    dialogs = [one for one in wide.window.findChildren(QDialog) if one.isVisible()]
    assert len(dialogs) == 1
    assert nameless(dialogs[0]) == []
    assert name_of(dialogs[0])
    dialogs[0].reject()


def test_each_control_of_the_crash_dialog_has_a_name(wide):
    report = CrashReport(wide.window, wide.transfer.files)
    report.show(ValueError("x"))
    report.show_details()
    assert nameless(report.dialog) == []
    report.dialog.reject()


def test_the_panes_have_names(wide):
    panes = (wide.window.task_list, wide.window.text_pane, wide.window.form_pane)
    assert [name_of(pane) for pane in panes] == ["Tasks", "Text", "Questions"]


def test_the_name_of_no_part_is_skipped(rated):
    """Qt reports a plain widget as filler, which screen readers pass over with its name."""
    named = [one for one in rated.window.findChildren(QWidget) if one.isVisible() and one.accessibleName()]
    skipped = [one for one in named if face(one).role() == QAccessible.Role.Client]
    assert [one for one in skipped if not isinstance(one, QAbstractScrollArea)] == []


def test_panes_are_read_in_the_order_in_which_they_stand(rated):
    for split in rated.window.findChildren(QSplitter):
        panes = [split.widget(index) for index in range(split.count())]
        assert [one for one in split.children() if one in panes] == panes, split.objectName()


def test_a_pointer_can_hit_each_button(rated):
    buttons = [one for one in controls(rated.window) if isinstance(one, QAbstractButton)]
    assert buttons
    small = [
        (one.objectName(), one.width(), one.height())
        for one in buttons
        if min(one.width(), one.height()) < SMALLEST_TARGET
    ]
    assert small == []


# -- what is spoken


def test_a_choice_says_its_key_its_place_and_whether_it_is_chosen(rated):
    accurate, disputed = part(rated, "choice_accuracy_accurate"), part(rated, "choice_accuracy_disputed")
    assert name_of(accurate) == "Accurate, A, 1 of 4, chosen"
    assert name_of(disputed) == "Disputed, D, 4 of 4"
    meaning = "Pages on both sides, and those who know are divided"
    assert face(disputed).text(QAccessible.Text.Description) == f"How accurate is it? {meaning}"
    assert face(accurate).state().checked
    press("D")
    assert name_of(disputed) == "Disputed, D, 4 of 4, chosen"


def test_a_piece_of_evidence_is_one_sentence(rated):
    first, second = rows_of(part(rated, "evidence_list"))
    assert first.startswith("Supports, Page 1, example.org, ")
    assert first.endswith("not opened")
    assert second.startswith("Contradicts, Page 2, ")


def test_a_target_says_where_it_is_and_how_it_stands(rated):
    assert rows_of(rated.window.text_pane.strip) == [
        "1 of 3, to do",
        "2 of 3, current, Accurate, blocked",
        "3 of 3, to do",
    ]
    rated.session.add_claim(32, 42)
    rated.session.add_claim(43, 53)
    assert rows_of(rated.window.text_pane.strip)[1].startswith("2 of 3, current, claim 2 of 2")


def test_a_claim_says_its_label(rated):
    rated.session.add_claim(32, 42)
    press("U")
    (claim,) = rows_of(part(rated, "claim_list"))
    assert claim == "c1, It lies on, Unsupported"


def test_a_task_says_how_it_stands(wide, rooms):
    tasks = wide.window.task_list.list
    assert rows_of(tasks) == ["What about t1?, to do, t1, 3 targets", "What about t2?, to do, t2, 1 target"]
    rooms.press_and_save(wide, "N")
    rooms.qtbot.waitUntil(lambda: rows_of(tasks)[0] == "What about t1?, begun, t1, 1 of 3")


def test_a_problem_says_whether_it_blocks(rated):
    spoken = rows_of(rated.window.form_pane.problems.list)
    assert any("The guideline says Disputed" in row and row.endswith("blocks") for row in spoken)


# -- what is announced


@pytest.fixture
def heard(wide):
    words = []
    wide.companions.announcer.announced.connect(words.append)
    return words


def test_a_new_label_and_new_problems_are_announced(wide, heard):
    press("Y", "1")
    assert heard == []
    press("A")
    assert heard == ["Accurate"]
    press("I")
    assert heard[1:] == ["Inaccurate. 1 problem blocks the export"]
    press("A")
    assert heard[2:] == ["Accurate. No problems here"]


def test_going_elsewhere_is_no_news(wide, heard):
    press("Y", "1", "I")
    heard.clear()
    press("J", "K", "Ctrl+PgDown")
    assert heard == []


def test_saving_is_announced_only_around_a_failure(wide, rooms, heard):
    rooms.press_and_save(wide, "N")
    assert "Saved" not in heard
    wide.writer.db.execute("PRAGMA query_only = ON")
    press_until(rooms.qtbot, lambda: "Not saved. Retrying …" in heard, "J", "N")
    wide.writer.db.execute("PRAGMA query_only = OFF")
    wide.saver.try_now()
    rooms.wait_until_saved(wide)
    assert heard[-1] == "Saved"


# -- keys alone


def focused():
    focus = QApplication.focusWidget()
    assert focus is not None, "nothing has the focus"
    return focus.objectName()


def walk(room, start, steps):
    """Where Tab goes, by the names of the parts."""
    start.setFocus()
    seen = [focused()]
    for _ in range(steps):
        press("Tab")
        seen.append(focused())
    return list(dict.fromkeys(seen))


def test_tab_goes_through_the_window_as_one_reads_it(rated):
    names = walk(rated, rated.window.task_list.filter, 40)
    order = [
        "filter",
        "task_list",
        "target_strip",
        "prompt_text",
        "response_text_a",
        "choice_factual_yes",
        "add_claim",
        "evidence_list",
        "choice_consensus_for",
        "choice_accuracy_accurate",
        "text_comment",
        "problem_list",
        "skip",
        "go_on",
        "find_action",
    ]
    assert [name for name in names if name in order] == order


def test_f6_goes_round_the_panes(rated):
    rated.window.task_list.list.setFocus()
    seen = []
    for _ in range(4):
        seen.append(focused())
        press("F6")
    assert seen == ["task_list", "response_text_a", "form", "problem_list"]
    assert QApplication.focusWidget() is rated.window.task_list.list
    press("Shift+F6")
    assert QApplication.focusWidget() is rated.window.form_pane.problems.list


def test_the_focus_comes_back_from_the_palette(rated):
    part(rated, "text_comment").setFocus()
    press("Ctrl+K", "Escape")
    assert QApplication.focusWidget() is part(rated, "text_comment")


def test_the_focus_comes_back_from_a_banner(rated):
    before = part(rated, "evidence_list")
    before.setFocus()
    banner = rated.window.form_pane.banners.show_banner("test", "info", "Something.", [("Do it", lambda: None)])
    assert QApplication.focusWidget() is before, "a banner never takes the focus"
    banner.buttons[0].setFocus()
    press("Space")
    assert QApplication.focusWidget() is before
    banner = rated.window.form_pane.banners.show_banner("test", "info", "Something.")
    button = banner.findChild(QToolButton)
    button.setFocus()
    press("Space")
    assert QApplication.focusWidget() is before


def test_the_ring_stands_two_pixels_wide_one_pixel_away(rated):
    button = part(rated, "skip")
    button.setFocus()
    settle()
    ring = WindowParts(rated).focus_ring
    assert ring.isVisible()
    at = ring.mapToGlobal(ring.rect().topLeft())
    corner = button.mapToGlobal(button.rect().topLeft())
    assert (corner - at).toTuple() == (3, 3)
    picture = rated.window.grab().toImage()
    edge = rated.window.mapFromGlobal(button.mapToGlobal(button.rect().center()))
    above = [picture.pixelColor(edge.x(), edge.y() - button.height() // 2 - step).name() for step in (1, 2, 3)]
    accent = theme.color(None, "accent").name()
    assert accent in above
