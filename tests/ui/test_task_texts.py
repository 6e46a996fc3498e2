"""Reading everything of a task to its end: prompt, conversation and tool output; finding and copying in all of it."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QTabBar

from desktop_rater.format.task import Task, ToolCall
from desktop_rater.text.text_search import folded
from desktop_rater.ui.rating.prompt_pane import PromptPane
from desktop_rater.ui.rating.tool_output import MAX_JSON_LENGTH, ToolOutput
from desktop_rater.ui.widgets.find_bar import SearchedTexts
from desktop_rater.ui.widgets.json_tree import MAX_FLAT, JsonModel, json_row_text, json_texts, scalar_text
from tests.operations.bundles import make, task
from tests.ui.rooms import part, press, resize, settle

PARAGRAPH = "The newspaper of early 1918 reported severe cases of influenza in the south west of Kansas. "
PAGE = "# Haskell\n\n" + (PARAGRAPH * 3 + "\n\n") * 20 + "THE-END"
HITS = [{"title": f"Result {number}", "url": f"https://example.org/{number}", "n": number} for number in range(1_500)]
CALLS = [
    {"name": "search", "at": "2024-05-01T10:00:00Z", "input": {"q": "origin"}, "output": {"hits": HITS, "total": 1500}},
    {"name": "open_page", "input": {"url": "x"}, "output": {"meta": {"deep": {"page": {"content": PAGE}}}}},
    {"name": "clock", "status": "error", "input": {}, "output": "no route to host"},
]
HISTORY = [
    {"role": role, "text": f"{role} says {number}. {PARAGRAPH * 2}"}
    for number in range(12)
    for role in ("user", "assistant")
]
CONTEXT = [
    {"id": "d1", "title": "A book", "text": "Nothing of Haskell."},
    {"id": "d2", "text": "A zebra in Überlingen."},
]


def full_task(name="t1", **more):
    whole = {"history": HISTORY, "reference": "Probably a camp in Haskell.", "context": CONTEXT, **more}
    plain = task(name, "It began in **Haskell** County.", "It spread.", **whole)
    plain["responses"][0] |= {"tools": CALLS}
    return plain


@pytest.fixture
def full(rooms):
    room = rooms.with_tasks(full_task(), task("t2"))
    room.window.resize(1440, 900)
    room.window.form_pane.form.setFocus()
    rooms.qtbot.waitUntil(lambda: room.window.text_pane.panes[0].view.height() > 60)
    return room


def output_of(room, name):
    tools = part(room, "tools_a")
    row = next(row for row in range(tools.model.rowCount()) if tools.model.call(row).name == name)
    tools.list.setCurrentIndex(tools.model.index(row))
    return tools.output


def find(room, text):
    """Search as a rater does, by keys; return what the bar says."""
    press("Ctrl+F")
    bar = room.commands.view.find_bar
    bar.field.setText(text)
    press("Return")
    return bar.count.text()


def menu_of(view, place):
    view.customContextMenuRequested.emit(place)
    return next(menu for menu in view.findChildren(QMenu) if menu.isVisible())


# -- tool output


def test_a_long_value_of_tool_output_is_read_to_its_end_and_copied(full):
    output = output_of(full, "open_page")
    path = next(path for path, is_key, text in json_texts({"i": 1, "o": CALLS[1]["output"]}) if text == PAGE)
    output.tree.show_path(path)
    assert output.text.toPlainText() == PAGE, "with its line breaks"
    assert part(full, "tools_a_value").text() == f"output.meta.deep.page.content · {len(PAGE):,} characters"
    output.text.setFocus()
    press("Ctrl+A", "Ctrl+C")
    assert QGuiApplication.clipboard().text() == PAGE
    output.tree.setFocus()
    QGuiApplication.clipboard().clear()
    press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == PAGE, "from the row as well"


def test_every_result_of_a_long_list_has_a_row_that_names_it(full):
    tree = output_of(full, "search").tree
    hits = tree.values.index_at((1, 0))
    assert hits.data() == "hits: [1500]"
    assert tree.values.rowCount(hits) == len(HITS)
    last = tree.values.index_at((1, 0, 1_499))
    assert last.data() == "1499: Result 1499 {3}"
    tree.show_path((1, 0, 1_499, 1))
    assert tree.currentIndex().data() == "url: https://example.org/1499"
    assert tree.isExpanded(last)


def test_a_hundred_thousand_entries_are_reached_through_few_rows(qtbot):
    output = ToolOutput("tools")
    qtbot.addWidget(output)
    output.resize(700, 300)
    output.show()
    numbers = list(range(100_000))
    output.show_call(ToolCall(name="dump", output={"numbers": numbers, "after": "yes"}))
    values = output.tree.values
    assert values.rowCount(values.index_at((0, 0))) == 100
    assert values.index(99, 0, values.index_at((0, 0))).data() == "99000 … 99999"
    output.tree.show_path((0, 0, 98_765))
    assert output.tree.currentIndex().data() == "98765: 98765"
    assert output.text.toPlainText() == "98765"
    assert values.index_at((0, 1)).data() == "after: yes", "what follows the list is there"


def test_text_beyond_what_a_view_can_take_is_shown_in_parts(qtbot):
    output = ToolOutput("tools")
    qtbot.addWidget(output)
    output.show()
    words = "word " * 100_000
    output.show_call(ToolCall(name="dump", output=words + "the last word"))
    title, following = output.findChild(QLabel, "tools_value"), output.findChild(QAbstractButton, "tools_next")
    assert title is not None
    assert following is not None
    text = output.text.toPlainText()
    while following.isEnabled():
        following.click()
        text += output.text.toPlainText()
    assert text == f"Output\n{words}the last word"
    assert title.text() == f"{len(text):,} characters · part 3 of 3"
    output.show_call(ToolCall(name="dump", output="x" * MAX_JSON_LENGTH))
    assert not following.isVisible()


@pytest.mark.parametrize(
    ("value", "row"),
    [
        ({"title": "A warning", "n": 1}, "0: A warning {2}"),
        ({"km": 6.1, "mode": "car"}, "0: 6.1, car {2}"),
        ({"inner": {}}, "0: {} {1}"),
        ([1, 2, 3, 4, 5], "0: [5] 1, 2, 3, 4, …"),
        ("one\n\ntwo", "0: one ↵ two"),
        ("\u202egnp.exe", "0: [U+202E]gnp.exe"),
        ("x" * 500, "0: " + "x" * 400 + " …"),
        ([], "0: []"),
        (None, "0: null"),
    ],
)
def test_a_row_says_what_its_value_holds(value, row):
    assert json_row_text("0", value) == row


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@settings(max_examples=40)
@given(st.lists(values, min_size=1, max_size=4), st.integers(0, 3))
def test_every_text_of_a_value_is_found_at_its_row(value, more):
    value = value + [0] * (MAX_FLAT * (more == 3))
    model = JsonModel()
    model.show_value(value)
    for path, is_key, text in json_texts(value):
        node = model.node(model.index_at(path))
        assert text == (node.name if is_key else scalar_text(node.value))
        assert model.index_at(path).parent().isValid() == (len(path) > 1 or len(value) > MAX_FLAT)


def test_tool_output_opens_in_the_height_that_a_short_response_leaves(full, rooms):
    tools = part(full, "tools_a")
    rooms.qtbot.waitUntil(lambda: tools.output.height() >= 4 * tools.output.text.fontMetrics().lineSpacing())
    assert tools.list.height() >= tools.list.sizeHintForRow(0)


def test_rows_of_tool_output_are_copied_from_their_menus(full):
    tree = output_of(full, "search").tree
    tree.show_path((1, 0, 2, 0))
    menu = menu_of(tree, tree.visualRect(tree.currentIndex()).center())
    texts = {action.text(): action for action in menu.actions()}
    for text, copied in (("Copy path", "output.hits[2].title"), ("Copy row", "title: Result 2")):
        texts[text].trigger()
        assert QGuiApplication.clipboard().text() == copied
    assert part(full, "action_find") in menu.actions(), "the window's own action, with its key"
    menu.close()
    calls = part(full, "tools_a").list
    menu = menu_of(calls, calls.visualRect(calls.model().index(1, 0)).center())
    menu.actions()[0].trigger()
    assert json.loads(QGuiApplication.clipboard().text()) == CALLS[0]["output"]
    menu.close()


def test_a_link_of_tool_output_is_opened_from_its_row_and_its_text(full):
    output, opened = output_of(full, "search"), []
    full.window.text_pane.page_wanted.connect(opened.append)
    output.tree.show_path((1, 0, 3, 1))
    menu = menu_of(output.tree, output.tree.visualRect(output.tree.currentIndex()).center())
    menu.actions()[0].trigger()
    menu.close()
    place = output.text.cursorRect(output.text.document().find("example")).center()
    QTest.mouseClick(output.text.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert opened == ["https://example.org/3"] * 2


# -- prompt and conversation


def test_a_conversation_opens_at_its_last_turn_under_headings(full, rooms):
    tabs, text = part(full, "prompt_tabs"), part(full, "prompt_text")
    tabs.setCurrentIndex(1)
    assert "Assistant, turn 24 of 24\nassistant says 11." in text.toPlainText()
    assert "user:" not in text.toPlainText()
    last = text.document().find("Assistant, turn 24 of 24")
    first = text.document().find("User, turn 1 of 24")
    rooms.qtbot.waitUntil(lambda: text.viewport().rect().contains(text.cursorRect(last)))
    assert text.cursorRect(first).bottom() < 0
    assert first.block().blockFormat().background().style() != Qt.BrushStyle.NoBrush
    assert first.charFormat().fontWeight() == QFont.Weight.DemiBold


def test_prompts_conversations_and_references_are_rendered_like_responses(rooms):
    said = [
        {"role": "user", "text": "Cancel it:\n- the *first* flight\n- the second"},
        {"role": "assistant", "text": "**Two** flights, see [the list](https://example.org/list).\n\n```\nx = 1"},
        {"role": "user", "text": "Thanks.\nBoth."},
    ]
    room = rooms.with_tasks(
        full_task(
            prompt={"text": "Which **ports**?\nSay `why`."}, history=[*HISTORY, *said], reference="## Two\n\nPorts."
        ),
        task("t2", history=[*said, {"role": "user", "text": "Why does def __init__(self) fail?"}]),
    )
    tabs, text = part(room, "prompt_tabs"), part(room, "prompt_text")
    assert text.toPlainText() == "Which ports?\nSay why."
    assert part(room, "task_title").text().startswith("Which ports?")
    tabs.setCurrentIndex(1)
    shown = text.toPlainText()
    assert "Two flights, see the list." in shown
    assert "User, turn 27 of 27\nThanks.\nBoth." in shown, "a fence that is not closed ends with its turn"
    heading = text.document().find("User, turn 27 of 27")
    rooms.qtbot.waitUntil(lambda: text.viewport().rect().contains(text.cursorRect(heading)))
    assert heading.charFormat().fontWeight() == QFont.Weight.DemiBold
    assert text.anchorAt(text.cursorRect(text.document().find("the list")).center()) == "https://example.org/list"
    assert find(room, "flights, see") == "1 of 1, in turn 26 of the conversation"
    tabs.setCurrentIndex(2)
    assert text.toPlainText() == "Two\nPorts."
    rooms.press_for_task(room, "t2", "Escape", "Ctrl+PgDown")
    tabs.setCurrentIndex(1)
    assert "def __init__(self)" in text.toPlainText(), "what rendering would drop is shown as its source"


def test_a_conversation_that_is_left_for_the_prompt_or_a_task_without_one_raises_nothing(full, rooms):
    tabs, text = part(full, "prompt_tabs"), part(full, "prompt_text")
    tabs.setCurrentIndex(1)
    rooms.qtbot.waitUntil(lambda: text.verticalScrollBar().maximum() > 0)
    tabs.setCurrentIndex(0)
    tabs.setCurrentIndex(1)
    rooms.qtbot.waitUntil(lambda: text.verticalScrollBar().value() > 0)
    rooms.press_for_task(full, "t2", "Ctrl+PgDown")
    assert text.toPlainText() == "What about t2?"


def test_tabs_are_as_high_as_their_text_when_a_hidden_pane_is_laid_out_before_it_has_any(qtbot):
    pane = PromptPane()
    pane.setWindowTitle("Prompt")
    qtbot.addWidget(pane)
    pane.resize(600, 300)
    column, tabs = pane.layout(), pane.findChild(QTabBar)
    assert column is not None
    assert tabs is not None
    assert column.minimumSize().isValid()  # Qt keeps the size of the empty tabs
    pane.show_task(msgspec.convert(full_task(), Task))
    assert pane.needed_height > 0  # asking a tab bar for its height makes it forget that its layout has an older one
    pane.show()
    settle()
    assert tabs.height() == tabs.sizeHint().height() > 0


def test_the_prompt_takes_what_it_needs_up_to_a_share_that_is_dragged_and_kept(rooms):
    room = rooms.with_tasks(task("t1"), task("t2", prompt={"text": (PARAGRAPH + "\n") * 60}))
    room.window.resize(1440, 900)
    text, split = part(room, "prompt_text"), part(room, "prompt_room")
    rooms.qtbot.waitUntil(lambda: text.height() >= text.needed_height)
    short = text.height()
    assert short < 3 * text.fontMetrics().lineSpacing()
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.qtbot.waitUntil(lambda: split.sizes()[0] > 0.3 * split.height())
    assert split.sizes()[0] < 0.5 * split.height()
    split.moveSplitter(round(split.height() * 0.6), 1)
    assert room.commands.view.preferences.now.panes["rate prompt/share"] in range(590, 611)
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    rooms.qtbot.waitUntil(lambda: text.height() == short)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.qtbot.waitUntil(lambda: split.sizes()[0] > 0.55 * split.height())


def test_alt_p_folds_the_prompt_and_unfolds_it_in_a_low_window_too(full, rooms):
    line, text = part(full, "prompt_line"), part(full, "prompt_text")
    press("Alt+P")
    assert (line.isVisible(), text.isVisible()) == (True, False)
    press("Alt+P")
    assert (line.isVisible(), text.isVisible()) == (False, True)
    full.window.resize(1280, 720)
    rooms.press_for_task(full, "t2", "Ctrl+PgDown")
    assert text.isVisible(), "unfolded by hand, for later tasks too"
    press("Alt+P")
    assert line.isVisible()


def test_a_low_window_shows_two_lines_of_the_prompt_if_it_has_them(rooms):
    room = rooms.with_tasks(task("t1", prompt={"text": PARAGRAPH}), task("t2", prompt={"text": PARAGRAPH * 9}))
    resize(room, 1366, 768)
    line = part(room, "prompt_line")
    for zoom in (100, 150, 100):
        room.preferences.set("zoom", zoom)
        settle()
        assert line.height() > 2 * line.fontMetrics().height()
        line.grab()
        assert line.toolTip() == "", "nothing is left out"
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    settle()
    line.grab()
    assert line.height() < 3 * line.fontMetrics().lineSpacing()
    assert line.toolTip().startswith("<p>The")


def test_the_menu_of_the_prompt_copies(full):
    text = part(full, "prompt_text")
    menu = menu_of(text, QPoint(5, 5))
    copy, whole, select_all = menu.actions()[:3]
    assert not copy.isEnabled(), "nothing is selected"
    whole.trigger()
    assert QGuiApplication.clipboard().text() == "What about t1?"
    select_all.trigger()
    assert text.textCursor().selectedText() == "What about t1?"
    menu.close()
    part(full, "prompt_tabs").setCurrentIndex(1)
    menu = menu_of(text, text.cursorRect(text.document().find("assistant says 11")).center())
    menu.actions()[1].trigger()
    assert QGuiApplication.clipboard().text() == HISTORY[-1]["text"]
    menu.close()


# -- find


def test_finding_searches_everything_of_the_task_and_opens_it(full, rooms):
    tools, context = part(full, "tools_a"), part(full, "context_pane")
    assert find(full, "THE-END") == "1 of 1, in the output of open_page"
    assert tools.output.text.textCursor().selectedText() == "THE-END"
    assert tools.output.tree.currentIndex().data().startswith("content: # Haskell ↵")
    assert find(full, "result 1499") == "1 of 1, in the output of search"
    assert tools.output.tree.currentIndex().data() == "title: Result 1499"
    assert find(full, "deep") == "1 of 1, in the output of open_page", "keys as well"
    assert find(full, "no route") == "1 of 1, in the output of clock"
    assert find(full, "user says 3") == "1 of 1, in turn 7 of the conversation"
    assert part(full, "prompt_text").textCursor().selectedText() == "user says 3"
    assert find(full, "probably a") == "1 of 1, in the reference"
    assert find(full, "UBERLINGEN") == "1 of 1, in the document A zebra in Überlingen."
    assert context.view.textCursor().selectedText() == "Überlingen"
    assert find(full, "xyzzy") == "not found"
    rooms.press_for_task(full, "t2", "Esc", "Ctrl+PgDown")
    assert find(full, "THE-END") == "not found", "in another task"


def test_next_and_previous_go_through_all_places_from_where_one_reads(full):
    bar = full.commands.view.find_bar
    assert find(full, "haskell") == "2 of 4, in the response", "the response at hand comes first"
    places = []
    for key in ("Return", "Return", "Return", "Shift+Return"):
        press(key)
        places.append(bar.count.text().partition(", ")[2])
    assert places == [
        "in the output of open_page",
        "in the document A book",
        "in the reference",
        "in the document A book",
    ]
    press("Esc")
    part(full, "context_pane").view.setFocus()
    assert find(full, "haskell") == "4 of 4, in the document A book", "the document that is read comes first"
    full.window.form_pane.form.setFocus()
    press("Esc")
    full.window.form_pane.form.setFocus()
    press("Ctrl+F", "Esc")
    assert QApplication.focusWidget() is full.window.form_pane.form


def test_finding_goes_through_both_responses_and_names_them(rooms):
    texts = {"a": "A camp in **Kansas**.", "b": "No camp."}
    responses: list[dict[str, object]] = [
        {"id": name, "text": text, "format": "markdown"} for name, text in texts.items()
    ]
    responses[1]["tools"] = [{"name": "search", "output": [{"place": "Camp Funston"}]}]
    plain = {"id": "t1", "prompt": {"text": "Where was it?"}, "responses": responses}
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric="side-by-side"))
    bar = room.commands.view.find_bar
    assert find(room, "camp") == "1 of 3, in response A"
    press("Return")
    assert bar.count.text() == "2 of 3, in response B"
    press("Return")
    assert bar.count.text() == "3 of 3, in the output of search, response B"
    assert part(room, "calls_b").output.text.textCursor().selectedText() == "Camp"
    assert find(room, "**Kansas") == "1 of 1, in the Markdown source"
    assert find(room, "in kansas") == "1 of 1, in response A"


def test_the_filter_and_the_find_bar_agree(full, rooms):
    """Whatever the filter finds a task by is found in the open task, also words apart from each other."""
    tasks = full.window.task_list
    for query in ("THE-END", "zebra nothing", "probably", "assistant says 11", "uberlingen", "open_page", "origin"):
        tasks.filter.setText(query)
        tasks.filter.textEdited.emit(query)
        rooms.qtbot.waitUntil(lambda query=query: tasks.model.rowCount() == 1 and tasks._pause.isActive() is False)
        assert find(full, query).startswith("1 of ") or " of " in full.commands.view.find_bar.count.text(), query
        press("Esc")
    tasks.filter.setText("xyzzy")
    tasks.filter.textEdited.emit("xyzzy")
    rooms.qtbot.waitUntil(lambda: tasks.model.rowCount() == 0)
    full.commands.view.find_bar.field.clear()
    press("Ctrl+F")
    assert full.commands.view.find_bar.field.text() == "xyzzy", "what was filtered for is offered"


@given(st.lists(st.text(), min_size=1), st.data())
def test_folding_keeps_each_offset(texts, data):
    assert [len(folded(text)) for text in texts] == [len(text) for text in texts]
    text = data.draw(st.integers(0, len(texts) - 1))
    start = data.draw(st.integers(0, len(texts[text])))
    wanted = texts[text][start : start + 3]
    if wanted.split() and "\0" not in wanted:
        assert any(match.text == text for match in SearchedTexts(texts).find(wanted))


def test_what_a_log_cites_and_does_not_show_is_beside_the_text(rooms):
    plain = task("t1", "Kelp is brown.")
    hidden = {"type": "image", "where": "message 2", "reason": "it is not a text"}
    plain["responses"][0] |= {"not_shown": [hidden], "tools": [{"name": "web_search", "status": "not_recorded"}]}
    place = {"response": "a", "start": 0, "end": 4, "quote": "Kelp", "passage": "It is big."}
    source = {"id": "c1", "text": "Sand. It is big.", "url": "https://a.example/", "cited": [place]}
    room = rooms.with_tasks({**plain, "context": [source]})
    label = part(room, "hidden_a")
    assert (label.isHidden(), label.text()) == (False, "Not shown: image")
    assert "message 2 – it is not a text" in label.toolTip().replace("\xa0", " ")
    press("Shift+D")
    _, document = room.window.text_pane.document_panes
    assert document.current == (6, 16)
    rooms.qtbot.waitUntil(lambda: [link.source for link in room.window.preview.links.links] == ["cited"])
