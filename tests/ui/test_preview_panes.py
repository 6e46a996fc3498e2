"""What becomes of the panes while a page is open: widths, folds, and that nothing is cut off."""

import pytest
from PySide6.QtCore import QPoint, Qt

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.window_place import pane_layout
from tests.ui.rooms import part, press, press_and_settle, settle
from tests.ui.test_preview import FOLDED, SHARED, SMALL, WIDE, read, resize
from tests.ui.test_window import cut_off


@pytest.mark.parametrize(
    ("width", "rail", "shared", "one_pane", "form"),
    [
        (1700, False, False, False, 528),
        (1699, True, False, False, 440),
        (1100, True, False, False, 440),
        (1099, True, True, False, 440),
        (960, True, True, False, 440),
        (959, False, False, True, 440),
    ],
)
def test_what_folds_while_a_page_is_open(width, rail, shared, one_pane, form):
    fold = pane_layout(width, 900, preview=True)
    assert (fold.rail, fold.shared, fold.one_pane, fold.form) == (rail, shared, one_pane, form)


def test_the_panes_have_the_widths_of_the_design_while_a_page_is_open(room, qtbot, server):
    resize(room, WIDE)
    read(room, qtbot, server.url("/page"))
    window = room.window

    def widths():
        rail = part(room, "rail")
        tasks = rail.width() if rail.isVisible() else window.task_list.width()
        return [tasks, window.text_pane.width(), window.preview.width(), window.form_pane.width()]

    assert widths() == [44, 1440 - 44 - 472 - 440 - 3, 472, 440]
    resize(room, FOLDED)
    assert widths() == [44, 365, 428, 440]
    resize(room, (1720, 900))
    assert widths() == [248, 1720 - 248 - 472 - 528 - 3, 472, 528]
    press("Esc")
    resize(room, WIDE)
    assert widths()[0] == 248
    assert window.form_pane.width() == 528


def test_text_and_page_share_one_place_in_a_narrow_window(room, qtbot, server):
    resize(room, SHARED)
    read(room, qtbot, server.url("/page"))
    window = room.window

    def seen():
        wide = {"text": window.text_pane, "page": window.preview}
        corners = {name: pane.mapTo(window, QPoint(300, 40)) for name, pane in wide.items() if pane.isVisible()}
        return [name for name, corner in corners.items() if window.rect().contains(corner)]

    assert seen() == ["page"]
    press_and_settle("Ctrl+Tab")
    assert seen() == ["text"]
    assert window.text_pane.panes[0].view.hasFocus()
    press_and_settle("Ctrl+Tab")
    assert seen() == ["page"]
    assert window.preview.has_focus
    press("F6")
    assert window.form_pane.form.hasFocus(), "the way back to the form is one key"
    assert seen() == ["page"]
    press_and_settle("Esc")
    assert seen() == ["text"]


def test_in_the_smallest_window_the_page_is_one_of_the_panes(room, qtbot, server):
    resize(room, SMALL)
    assert not part(room, "pane_switch_page").isVisible()
    read(room, qtbot, server.url("/page"))
    assert part(room, "pane_switch_page").isChecked()
    assert part(room, "reader").height() > 100, "there is room to read"
    assert room.window.preview.width() >= 720 - 4, "it has all of the window"
    part(room, "page_back").setFocus()
    press("F6")
    assert part(room, "pane_switch_form").isChecked(), "from wherever in the preview the keys are"
    press("Esc")
    assert not part(room, "pane_switch_page").isVisible()


def test_the_form_shows_the_way_back_while_the_keys_read(room, qtbot, server):
    resize(room, WIDE)
    read(room, qtbot, server.url("/page"))
    assert part(room, "back_to_form").isVisible()
    assert not part(room, "next_stop").isVisible()
    part(room, "back_to_form").click()
    assert room.window.form_pane.form.hasFocus()
    assert not part(room, "back_to_form").isVisible()
    assert part(room, "next_stop").isVisible()


@pytest.mark.parametrize(
    ("size", "zoom"), [(SMALL, 100), (WIDE, 200), (SHARED, 100), (FOLDED, 100), ((1100, 800), 100)]
)
def test_nothing_is_cut_off_while_a_page_is_open(room, qapp, qtbot, server, size, zoom):
    theme.apply(qapp, theme.Look(zoom=zoom))
    resize(room, size)
    try:
        press("Y")
        for path in ("/page", "/missing"):
            read(room, qtbot, server.url(path))
            for pane in room.window.panes():
                if pane.isVisible():
                    pane.setFocus()
                settle()
                assert cut_off(room.window) == []
                assert (room.window.width(), room.window.height()) == size
    finally:
        theme.apply(qapp, theme.Look())


def test_a_window_that_runs_the_other_way_mirrors_the_panes_and_not_the_address(room, qapp, qtbot, server):
    resize(room, WIDE)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        read(room, qtbot, server.url("/page"))
        window = room.window
        lefts = [pane.mapTo(window, QPoint(0, 0)).x() for pane in (window.form_pane, window.preview, window.text_pane)]
        assert lefts == sorted(lefts)
        assert cut_off(window) == []
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
