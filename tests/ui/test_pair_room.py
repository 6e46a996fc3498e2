"""Where the parts of a pair stand, and what becomes of them where there is less room."""

from textwrap import dedent

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_rater.format.values import TASK_PLACE
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form.scale import WideScaleQuestion
from desktop_rater.ui.rating.pair.compact_form import CompactForm
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.window.window_place import pane_layout
from tests.operations.bundles import make, task, write
from tests.ui.pairs import LAPTOP, LOW, NARROW, WIDE, A, B, focused, half, resize, strip
from tests.ui.rooms import Text, part, press, press_and_settle, settle, two_responses
from tests.ui.test_window import cut_off

THREE_STEPS = dedent("""
    id = "three"
    version = 1
    title = "Three steps"
    [[questions]]
    id = "good"
    per = "response"
    ask = "Is it good?"
    kind = "choice"
    choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]
    required = true
    [[questions]]
    id = "choice"
    per = "task"
    ask = "Which is better?"
    kind = "scale"
    min = -1
    max = 1
    step = 1
    anchors = [{ at = -1, label = "A" }, { at = 0, label = "Both alike" }, { at = 1, label = "B" }]
    relevant = { responses = { min = 2 } }
    required = true
    [[questions]]
    id = "sure"
    per = "task"
    ask = "How sure are you?"
    kind = "scale"
    min = 1
    max = 5
    step = 1
    anchors = [{ at = 1, label = "Not at all" }, { at = 5, label = "Entirely" }]
""")


def top_of(room, widget):
    return widget.mapTo(room.window, QPoint(0, 0)).y()


def test_everything_of_a_pair_is_in_view_at_once(pairs):
    window = pairs.window
    assert part(pairs, "rail").width() == 44
    assert not window.task_list.isVisible()
    first, second = window.text_pane.panes
    assert abs(first.width() - second.width()) <= 1
    questions = [half(pairs, name) for name in "ab"]
    assert questions[0].height() == questions[1].height()
    assert [abs(half.width() - pane.width()) <= 1 for half, pane in zip(questions, (first, second), strict=True)]
    assert top_of(pairs, questions[0]) == top_of(pairs, questions[1]), "the texts end in one line"
    assert not strip(pairs).isVisible()
    assert part(pairs, "comparing_preference").isVisible(), "what is asked about both is in the footer"
    press_and_settle("J", "J")
    assert top_of(pairs, strip(pairs)) > top_of(pairs, questions[0]) + questions[0].height() - 1
    assert strip(pairs).width() > 2 * first.width() - 4, "what is asked about both goes over the whole width"
    assert questions[0].verticalScrollBar().maximum() == 0
    assert part(pairs, "links_a").text() == "0 of 1 links opened"
    assert part(pairs, "links_b").text() == "no links"


@pytest.mark.parametrize("size", [(1366, 768), (1280, 720)])
def test_the_texts_have_half_of_the_window_whatever_is_asked(pairs, size):
    views = [pane.view for pane in pairs.window.text_pane.panes]
    resize(pairs, size)
    for keys in ((), ("1",), ("J", "1", "1", "2"), ("J", "4", "W")):
        press_and_settle(*keys)
        assert [view.height() >= size[1] // 2 for view in views] == [True, True], keys
        here = pairs.window.form_pane.form.blocks[pairs.session.stops.index(pairs.session.stop)]
        row = here.row(pairs.session.current_question)
        assert row.visibleRegion().boundingRect().height() == row.height(), "the question at hand is in full"
        assert cut_off(pairs.window) == []


def drag(handle, by):
    """Drag a horizontal handle with the pointer."""
    start = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    end = handle.mapToGlobal(start) + QPoint(0, by)
    QTest.mouseMove(handle, handle.mapFromGlobal(end))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=handle.mapFromGlobal(end))
    settle()


def test_the_handle_under_the_texts_stays_where_it_was_dragged_on_this_screen(pairs, rooms):
    heights, view = part(pairs, "pair_heights"), pairs.window.text_pane.panes[0].view
    before = view.height()
    drag(heights.handle(1), -150)
    dragged = view.height()
    assert abs(before - 150 - dragged) <= 2
    press("1", "3")
    pairs.desk.move(1)
    rooms.wait_for_task(pairs, "t2")
    settle()
    assert view.height() == dragged
    press("Ctrl+Shift+Down")
    assert view.height() == dragged + 24
    press("Ctrl+Shift+Up", "Ctrl+Shift+Up")
    assert view.height() == dragged - 24
    (name,) = pairs.preferences.now.panes
    screen = pairs.window.screen()
    assert f"{screen.size().width()}x{screen.size().height()}" in name
    pairs.window.sizes.reset()
    settle()
    assert view.height() >= before - 2


def test_texts_only_and_back_and_nothing_is_answered_unseen(pairs):
    view = pairs.window.text_pane.panes[0].view
    before, halves = view.height(), [half(pairs, name) for name in "ab"]
    press_and_settle("F9")
    assert view.height() > before + 60
    assert [one.isVisible() for one in halves] == [False, False]
    assert view.hasFocus(), "the keys scroll the text"
    assert part(pairs, "go_on").isVisible()
    press("1")
    assert [one.isVisible() for one in halves] == [True, True], "a key that answers shows first what it answers"
    assert pairs.session.rating.answers.responses == {}
    settle()
    assert view.height() == before
    for leave in (lambda: press("J"), lambda: press("W", "Esc"), lambda: part(pairs, "texts_only").click()):
        part(pairs, "texts_only").click()
        assert not halves[0].isVisible()
        leave()
        assert halves[0].isVisible()


def test_a_notice_is_one_line_above_the_footer_and_covers_no_text(pairs):
    view = pairs.window.text_pane.panes[0].view
    pairs.session.hinted.emit("A notice that is longer than the window is wide. " * 8)
    settle()
    banners = pairs.window.form_pane.banners
    notice = banners.banner("hint")
    assert notice.height() <= 34
    bottom = top_of(pairs, notice) + notice.height()
    assert bottom <= top_of(pairs, part(pairs, "go_on"))
    assert top_of(pairs, notice) >= top_of(pairs, half(pairs, "a")) + half(pairs, "a").height()
    assert view.height() >= pairs.window.height() // 2
    assert cut_off(pairs.window) == []


def test_the_steps_are_a_number_with_a_list(pairs):
    button = part(pairs, "step_menu")
    assert not pairs.window.text_pane.stepper.isVisible()
    assert button.label == "Step 1 of 10"
    press("1")
    assert button.label == "Step 3 of 10"
    button.click()
    menu = button.menu
    steps = [tuple(action.text().split("\t")) for action in menu.actions()]
    assert steps[:3] == [("Prompt", "done"), ("Response A", "blocked"), ("A: fulfilment", "to do")]
    assert menu.activeAction().text() == "A: fulfilment\tto do"
    next(action for action in menu.actions() if action.text().startswith("Choose")).trigger()
    menu.hide()
    assert (pairs.session.stop, strip(pairs).isVisible()) == (TASK_PLACE, True)


def test_the_prompt_is_one_line_until_its_key(pairs):
    line, text = part(pairs, "prompt_line"), part(pairs, "prompt_text")
    assert (line.isVisible(), text.isVisible()) == (True, False)
    press("Alt+P")
    assert (line.isVisible(), text.isVisible()) == (False, True)
    press("Alt+P")
    assert line.isVisible()


def test_a_form_that_fits_has_no_scroll_bar(pairs):
    for name in "ab":
        assert half(pairs, name).verticalScrollBar().maximum() == 0
        assert not any(bar.isVisible() for bar in half(pairs, name).findChildren(OverlayScrollBar))


def test_a_page_takes_the_place_of_the_half_that_is_not_at_hand(pairs, rooms):
    first, second = pairs.window.text_pane.panes
    press("Shift+O")
    rooms.wait_for_page(pairs, "https://example.org/a")
    settle()
    assert pairs.window.preview.isVisible()
    assert first.isVisible()
    assert not second.isVisible()
    assert not strip(pairs).isVisible(), "the room is that of the text"
    assert abs(pairs.window.preview.width() - first.width()) <= 2
    pairs.session.go_to(B)
    settle()
    assert [pane.isVisible() for pane in (first, second)] == [False, True]
    pairs.session.go_to(TASK_PLACE)
    settle()
    assert strip(pairs).isVisible()
    assert second.isVisible(), "the one that was read last stays"
    assert cut_off(pairs.window) == []
    press_and_settle("Esc")
    assert [pane.isVisible() for pane in (first, second)] == [True, True]


def test_where_there_is_no_room_the_form_stands_by_itself_again(pairs):
    form = pairs.window.form_pane.form
    press("W", Text("kept"))
    for size in (LOW, LAPTOP, NARROW, WIDE):
        resize(pairs, size)
        assert bool(form.blocks) is (size in {LAPTOP, WIDE})
        assert form.isVisible() is (size in {LOW, NARROW})
        assert focused().objectName() == "text_explanation", "who types goes on typing"
        assert focused().text() == "kept"
        assert cut_off(pairs.window) == []
    press("Esc", "1")
    assert pairs.session.rating.answers.responses["a"]["explanation"] == "kept"


@pytest.mark.parametrize(
    ("size", "pair", "rail", "one_pane"),
    [
        ((1440, 900), True, True, False),
        ((1900, 1000), True, True, False),
        ((960, 640), True, True, False),
        ((959, 900), False, False, True),
        ((1440, 639), False, False, False),
    ],
)
def test_what_folds_of_a_pair_at_which_size(size, pair, rail, one_pane):
    fold = pane_layout(*size, pair=True)
    assert (fold.pair, fold.rail, fold.one_pane) == (pair, rail, one_pane)
    assert not pane_layout(*size).pair


def test_nothing_of_a_pair_is_cut_off(pairs, qapp):
    for keys in (("1", "3", "3", "E"), ("Esc", "J", "1", "1", "2"), ("J", "4", "X")):
        press(*keys)
        for size in (WIDE, LAPTOP, (960, 640)):
            resize(pairs, size)
            assert cut_off(pairs.window) == [], (keys, size)
            assert (pairs.window.width(), pairs.window.height()) == size
    try:
        for zoom, direction in ((125, Qt.LayoutDirection.RightToLeft), (200, Qt.LayoutDirection.LeftToRight)):
            theme.apply(qapp, theme.Look(zoom=zoom))
            qapp.setLayoutDirection(direction)
            resize(pairs, WIDE)
            assert cut_off(pairs.window) == [], (zoom, direction)
    finally:
        theme.apply(qapp, theme.Look())
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_parts_come_to_rest_after_each_zoom_with_the_questions_about_both_open(pairs, qapp, monkeypatch):
    nested, deepest, fit = [], [], pairs.window.pair._fit

    def counted():
        nested.append(1)
        deepest.append(len(nested))
        if len(nested) < 5:
            fit()
        nested.pop()

    monkeypatch.setattr(pairs.window.pair, "_fit", counted)
    pairs.session.go_to(TASK_PLACE)
    try:
        for zoom in (200, 100, 200, 100):
            theme.apply(qapp, theme.Look(zoom=zoom))
            settle()
    finally:
        theme.apply(qapp, theme.Look())
    assert 0 < max(deepest) < 5
    assert strip(pairs).isVisible()


def test_what_is_no_pair_stands_as_ever(rooms):
    plain = two_responses()
    alone = {**two_responses("t2"), "responses": plain["responses"][:1]}
    third = {"id": "c", "text": "And a third one."}
    three = {**two_responses("t3"), "responses": [*plain["responses"], third]}
    named = {
        "id": "t4",
        "prompt": {"text": "?"},
        "responses": [{"id": "left", "text": "x"}, {"id": "right", "text": "y"}],
    }
    room = rooms.with_tasks(plain, alone, three, named, rubric="side-by-side")
    resize(room, WIDE)
    form = room.window.form_pane.form
    for name, is_pair in (("t1", True), ("t2", False), ("t4", True), ("t3", False), ("t1", True)):
        rooms.open_task(room, name)
        settle()
        assert bool(form.blocks) is is_pair
        assert form.isVisible() is not is_pair
        assert any(one.isVisible() for one in room.window.findChildren(CompactForm)) is is_pair
        press("1")
        assert len(room.session.rating.answers.responses) == 1
        press("Ctrl+Z")
        assert cut_off(room.window) == []
    rooms.open_task(room, "t2")
    press("1", "3", "1")
    assert TASK_PLACE not in room.session.stops, "one response alone is not compared"
    rooms.open_task(room, "t3")
    assert len(room.window.text_pane.panes) == 3


def test_responses_with_targets_are_no_pair(rooms):
    plain = task("t1", "One.", "Two.")
    second = {"id": "b", "text": "Three."}
    target = {"id": "s9", "response": "b", "start": 0, "end": 6, "quote": "Three."}
    plain = {**plain, "responses": [*plain["responses"], second], "targets": [*plain["targets"], target]}
    room = rooms.with_tasks(plain)
    resize(room, WIDE)
    assert not room.window.form_pane.form.blocks
    assert room.window.text_pane.strip.isVisible()


def test_as_many_steps_as_the_rubric_has(rooms):
    path = write(rooms.folder / "three.toml", THREE_STEPS)
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [two_responses()], rubric=str(path)))
    resize(room, WIDE)
    row = strip(room).row("choice")
    assert isinstance(row, WideScaleQuestion)
    assert [button.label for button in row.buttons] == ["A", "Both alike", "B"]
    assert len({button.width() for button in row.buttons}) <= 2
    assert not isinstance(strip(room).row("sure"), WideScaleQuestion), "steps without a name are figures"
    room.session.go_to(TASK_PLACE)
    press("3")
    assert room.session.rating.answers.task["choice"] == 1
    press("Backspace")
    assert room.session.rating.answers.task == {}


def test_the_keys_go_round_all_parts_of_a_pair(pairs):
    seen = []
    for _ in range(7):
        press("F6")
        seen.append(focused().objectName())
    assert set(seen) >= {"task_rail", "response_text_a", "response_text_b", "first_half", "second_half"}


def test_tool_calls_are_chips_that_open_their_output(pairs):
    calls = pairs.window.text_pane.panes[1].calls
    chip = part(pairs, "chips_b").chips["0"]
    assert chip.accessibleName() == "search, error"
    assert chip.accessibleDescription() == "q: x"
    assert not calls.isVisible()
    press("T")
    assert calls.output.isVisible()
    assert chip.isChecked()
    press("T")
    assert not calls.isVisible()
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert calls.output.isVisible()
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert not chip.isChecked()


def test_the_head_counts_the_words_as_one_speaks(rooms):
    texts = ("", "Something.", "word " * 1_200)
    responses = [{"id": name, "text": text} for name, text in zip("abc", texts, strict=True)]
    room = rooms.with_tasks({"id": "t1", "prompt": {"text": "?"}, "responses": responses}, rubric="side-by-side")
    heads = [pane._size.text() for pane in room.window.text_pane.panes]
    assert heads == ["the response is empty", "1 word, plain text", "1,200 words, plain text"]


def test_the_day_counts_responses_as_such(pairs):
    pairs.session.record_opened_link("https://example.org/a", "2026-11-20T12:00:00Z")
    press("1", "3", "1")
    assert part(pairs, "status_today").text().startswith("1 response, ")


def test_a_low_window_does_not_speak_of_targets_where_there_are_none(pairs):
    resize(pairs, LOW)
    assert "target" not in part(pairs, "footer_word").text()


def test_what_an_untouched_pair_has_still_to_get_is_not_shown_as_wrong(pairs):
    assert part(pairs, "summary_count").text().endswith("questions open")
    assert "block" not in part(pairs, "summary_count").text()
    problems = pairs.window.form_pane.problems
    [unopened] = problems.at(A)
    assert (unopened.problem.level, unopened.line.mark, unopened.line.back) == ("block", "todo", "")
    for _question in range(6):
        if A in task_stops.stops_with_questions(pairs.session.outcome):
            press("1")
    assert "block" in part(pairs, "summary_count").text()
    assert next(stated.line.back for stated in problems.at(A) if stated.problem == unopened.problem) == "block_back"
