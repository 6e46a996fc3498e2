"""The documents of a task stand beside its response, and a citation leads to the passage that it rests on."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from tests.operations.bundles import make
from tests.ui.rooms import banner, part, press, press_and_settle, resize, settle

TEXT = "The lock fills in eleven minutes [doc1]. Both paddles need seven [doc2]. A boat pays two pence."
DOCUMENTS = [
    {
        "id": "c1",
        "title": "The keeper's book",
        "text": "Nobody sleeps here.\n\nThe lock fills in eleven minutes.",
        "url": "https://example.org/book",
    },
    {"id": "c2", "title": "", "text": "With both paddles it needs seven minutes.", "url": "no address"},
    {"id": "c3", "title": "Tolls", "text": "A boat pays two pence."},
]
TASK = {
    "id": "t1",
    "prompt": {"text": "How long does it take?"},
    "responses": [{"id": "a", "text": TEXT}],
    "context": DOCUMENTS,
}
BARE = {"id": "t2", "prompt": {"text": "Hello"}, "responses": [{"id": "a", "text": "Hello [1]."}]}


def opened(rooms, *tasks, rubric="response-quality"):
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks or [TASK], rubric=rubric))


def context_of(room):
    return room.window.text_pane.citing.context


def passage(room):
    """What of the document at hand is boxed."""
    context = context_of(room)
    span = context.view.current
    return context.view._text[slice(*span)] if span is not None else None


def click_on(view, words):
    at = view._text.index(words) + 2
    cursor = view._cursor(at, at)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cursorRect(cursor).center() + QPoint(2, 0))


def test_the_documents_are_listed_and_the_first_cited_one_is_shown(rooms):
    room = opened(rooms)
    context = context_of(room)
    assert context.isVisible()
    assert [line.spoken for line in context.model.rows] == [
        "The keeper's book, cited, 1×",
        "With both paddles it needs seven minutes., cited, 1×",
        "Tolls",
    ]
    assert part(room, "context_count").text() == "3 documents, 2 cited"
    assert context.view.accessibleName() == "Document 1 of 3: The keeper's book"
    assert context.view._spans == ((21, 54),), "what is cited is marked before anybody asks"


def test_a_key_goes_from_citation_to_citation_and_the_form_keeps_the_keys(rooms):
    room = opened(rooms)
    press("Shift+D")
    assert passage(room) == "The lock fills in eleven minutes."
    press("Shift+D")
    assert context_of(room).document == 1
    assert passage(room) == "With both paddles it needs seven minutes."
    press("Shift+D", "4")
    assert context_of(room).document == 0, "after the last one comes the first"
    assert room.session.rating.answers.responses["a"] == {"groundedness": 4}


def test_a_click_on_a_citation_shows_its_passage_and_one_beside_it_does_not(rooms):
    room = opened(rooms)
    view = room.window.text_pane.panes[0].view
    click_on(view, "boat")
    assert passage(room) is None
    click_on(view, "[doc2]")
    assert passage(room) == "With both paddles it needs seven minutes."
    click_on(view, "[doc1]")
    assert passage(room) == "The lock fills in eleven minutes."


def test_the_list_shows_another_document_and_leaves_the_citation(rooms):
    room = opened(rooms)
    press("Shift+D")
    context_of(room).list.setFocus()
    press("Down", "Down")
    assert context_of(room).document == 2
    assert passage(room) is None
    press("Up", "Up")
    assert passage(room) == "The lock fills in eleven minutes."


def test_it_folds_by_a_key_and_stays_folded_in_the_next_task(rooms):
    room = opened(rooms, TASK, TASK | {"id": "t3"})
    context = context_of(room)
    assert context.view.isVisible()
    press("Ctrl+D")
    assert not context.view.isVisible()
    assert context.isVisible(), "its head says that there are documents"
    rooms.open_task(room, "t3")
    assert not context.view.isVisible()
    press("Shift+D")
    assert context.view.isVisible(), "who wants a citation wants to see it"


def test_without_documents_there_is_no_pane_and_the_keys_say_so(rooms):
    room = opened(rooms, BARE, TASK)
    assert not context_of(room).isVisible()
    press("Ctrl+D", "Shift+D")
    assert banner(room, "hint") == "This task has no documents."
    rooms.open_task(room, "t1")
    assert context_of(room).view.isVisible(), "a key that did nothing has folded nothing"


def test_a_response_that_cites_nothing_says_so(rooms):
    room = opened(rooms, TASK | {"responses": [{"id": "a", "text": "I don't know."}]})
    press("Shift+D")
    assert banner(room, "hint") == "No response cites any of the documents."


def test_beside_the_response_where_there_is_room_else_below(rooms):
    room = opened(rooms)
    pane, response = context_of(room), room.window.text_pane.panes[0]
    for size, beside in (((1920, 1080), True), ((1280, 720), False), ((1920, 1080), True)):
        resize(room, *size)
        left, above = pane.x() >= response.width(), pane.y() >= response.height()
        assert (left, above) == ((True, False) if beside else (False, True)), size


def test_two_responses_need_more_room_before_it_stands_beside_them(rooms):
    two = TASK | {"responses": [{"id": "a", "text": "One [1]."}, {"id": "b", "text": "Two [doc2]."}]}
    room = opened(rooms, two)
    resize(room, 1_700, 900)
    assert context_of(room).width() > 700, "below, and as wide as both"
    press("Shift+D", "Shift+D")
    assert context_of(room).document == 1
    resize(room, 2_200, 900)
    assert context_of(room).x() > 700


def test_a_low_window_folds_it_until_it_is_wanted(rooms):
    room = opened(rooms)
    resize(room, 960, 560)
    assert not context_of(room).view.isVisible()
    press_and_settle("Ctrl+D")
    assert context_of(room).view.isVisible()


def test_an_address_opens_in_the_preview_and_what_is_none_is_only_said(rooms):
    room = opened(rooms)
    button = part(room, "open_document")
    assert button.isVisible()
    button.click()
    rooms.wait_for_page(room, "https://example.org/book")
    press("Shift+D", "Shift+D")
    assert not button.isVisible()
    assert part(room, "document_address").text() == "no address"


def test_f6_comes_to_the_documents(rooms):
    room = opened(rooms)
    room.window.text_pane.panes[0].view.setFocus()
    press("F6")
    assert context_of(room).list.hasFocus()
    press("F6")
    assert context_of(room).view.hasFocus()


def test_one_document_needs_no_list(rooms):
    room = opened(rooms, TASK | {"context": DOCUMENTS[:1]})
    assert not context_of(room).list.isVisible()
    assert context_of(room).view.isVisible()


def test_citations_of_markdown_are_marked_where_they_are_shown(rooms):
    marked = "**The lock** fills in *eleven* minutes [doc1].\n\n- and [the book](https://example.org/book)\n"
    room = opened(rooms, TASK | {"responses": [{"id": "a", "text": marked, "format": "markdown"}]})
    view = room.window.text_pane.panes[0].view
    shown = [view._between(*span) for span, _at in view._spans()]
    assert shown == ["[doc1]", "the book"]


def test_marks_move_nothing(rooms):
    room = opened(rooms)
    view = room.window.text_pane.panes[0].view
    before = view.document().size(), view.toPlainText()
    press("Shift+D")
    assert (view.document().size(), view.toPlainText()) == before


def test_the_mark_is_seen(rooms):
    room = opened(rooms)
    view = room.window.text_pane.panes[0].view
    settle()
    before = view.grab().toImage()
    press_and_settle("Shift+D")
    boxed = view.grab().toImage()
    assert boxed != before
    view.show_citations((), ())
    settle()
    assert view.grab().toImage() not in (before, boxed)


def test_thousands_of_documents_and_a_huge_one_are_taken(rooms):
    many = [{"id": f"c{at}", "title": f"Report number {at}", "text": f"The lock {at} is shut."} for at in range(3_000)]
    many[4]["text"] = "The lock fills in eleven minutes. " * 20_000
    room = opened(rooms, TASK | {"context": many, "responses": [{"id": "a", "text": "Eleven minutes [doc5]. " * 400}]})
    context = context_of(room)
    assert context.document == 4
    assert len(context.view.toPlainText()) <= MAX_SHOWN_CHARACTERS + 2
    assert len(context.model.rows) == 3_000
    press("Shift+D")
    assert passage(room) == "The lock fills in eleven minutes."


def test_the_reference_and_the_conversation_stay_in_reach(rooms):
    room = opened(rooms, TASK | {"reference": "Eleven.", "history": [{"role": "user", "text": "Which lock?"}]})
    tabs = part(room, "prompt_tabs")
    assert [tabs.tabText(at) for at in range(tabs.count())] == ["Prompt", "Conversation", "Reference"]
    tabs.setCurrentIndex(2)
    assert part(room, "prompt_text").toPlainText() == "Eleven."


def test_a_passage_stays_in_view_while_the_window_changes_its_width(rooms):
    filler = "Nobody sleeps here, and nobody has slept here for years. " * 40
    book = {"id": "c1", "title": "Book", "text": f"{filler}The lock fills in eleven minutes. {filler}"}
    room = opened(rooms, {**TASK, "context": [book]})
    press_and_settle("Shift+D")
    view = context_of(room).view
    assert passage(room) == "The lock fills in eleven minutes."
    for size in ((1440, 900), (1180, 800), (1280, 900)):
        resize(room, *size)
        cursor = view.textCursor()
        cursor.setPosition(view.current[0])
        assert view.viewport().rect().intersects(view.cursorRect(cursor)), size


def test_a_document_that_nobody_scrolled_stands_at_its_start(rooms):
    text = "The lock fills in eleven minutes. " * 80
    room = opened(rooms, {**TASK, "context": [{"id": "c1", "title": "Book", "text": text}]})
    for size in ((1440, 900), (1280, 900)):
        resize(room, *size)
        assert context_of(room).view.verticalScrollBar().value() == 0
