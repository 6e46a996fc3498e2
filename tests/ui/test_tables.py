"""Tables of a response: no word and no number is split; what is wider than the pane scrolls."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import theme
from tests.ui.articles import read, serve
from tests.ui.pairs import LAPTOP, resize
from tests.ui.responses import target

VIEW_SIZE = (420, 400)

HEAD = "| Country | Population | GDP | Area | Central bank | Inflation | Founded | Federal republic |"
ROWS = [
    "| Germany | 83237124 | 4259934911821 | 357592 | Deutsche **Bundes**bank | 5.9 % | 1957-08-01 | Federal republic |",
    "| United States | 331893745 | 23315080560000 | 9833517 | Federal Reserve | 4.1 % | 1913-12-23 | no, `states` |",
]
TABLE = "\n".join(("Before it.", "", HEAD, "|---|--:|--:|--:|---|---|---|---|", *ROWS, "", "After it."))
HEBREW = f"לפני הטבלה.\n\n{'| מדינה ' * 8}|\n{'|---' * 8}|\n{'| 23315080560000 ' * 8}|\n\nאחרי הטבלה, $x^2$."
FORMULAS = f"The roots of \\(x^2 = 2\\) for $5.\n\n$$\\frac{{a}}{{b}}$$\n\n{TABLE}\n\n```python\nreturn 1\n```"


def split_words(view):
    """The words of the document that a line break runs through."""
    words, block = [], view.document().begin()
    while block.isValid():
        layout, text = block.layout(), block.text()
        for number in range(layout.lineCount() - 1):
            end = layout.lineAt(number).textStart() + layout.lineAt(number).textLength()
            if not text[end - 1].isspace() and text[end - 1] != "-" and not text[end].isspace():
                words.append(text)
        block = block.next()
    return words


@pytest.mark.parametrize("width", [300, 420, 700, 1200])
@pytest.mark.parametrize("zoom", [100, 200])
def test_a_table_never_splits_words_and_numbers(view, qapp, width, zoom):
    theme.apply(qapp, theme.Look(theme="light", zoom=zoom))
    view.resize(width, 400)
    view.show_response(TABLE, [], plain=False)
    QApplication.processEvents()
    view.grab()
    split = split_words(view)
    theme.apply(qapp, theme.Look(theme="light"))
    assert split == []


def test_a_table_wider_than_the_pane_scrolls_and_takes_its_marks_along(view):
    view.show_response(TABLE, [target("s1", TABLE, "Before it."), target("s2", TABLE, "1913-12-23")], plain=False)
    QApplication.processEvents()
    across = view.horizontalScrollBar()
    assert across.maximum() > 0
    view.show_states({}, "s2")
    assert across.value() > 0
    first, _last = view._marks[1].span
    assert view.viewport().rect().contains(view.cursorRect(view._cursor(first, first)).center())
    assert view.cursorForPosition(view.cursorRect(view._cursor(first, first)).center()).position() == first


def test_a_wider_pane_needs_no_scroll_bar_and_a_narrower_one_does_again(view):
    view.show_response("|a|b|\n|-|-|\n|one|" + "several words " * 8 + "|", [], plain=False)
    assert view.horizontalScrollBar().maximum() == 0
    view.show_response(TABLE, [], plain=False)
    for width, scrolls in ((2_000, False), (420, True)):
        view.resize(width, 400)
        QApplication.processEvents()
        assert (view.horizontalScrollBar().maximum() > 0) is scrolls


def test_an_address_in_a_cell_may_be_split(view):
    view.resize(900, 400)
    view.show_response(f"|page|year|\n|-|-|\n|https://x.example/{'a' * 400}|1986|", [], plain=False)
    QApplication.processEvents()
    assert view.horizontalScrollBar().maximum() == 0
    assert split_words(view)


def cells(view):
    """The rectangles of the texts of the table, in the document."""
    (table,) = view.document().rootFrame().childFrames()
    places = [(row, column) for row in range(table.rows()) for column in range(table.columns())]
    blocks = [table.cellAt(*place).firstCursorPosition().block() for place in places]
    return [view.document().documentLayout().blockBoundingRect(block) for block in blocks]


def lines(view):
    """The rectangles of the first lines of the first and the last paragraph, in the view."""
    document = view.document()
    return [
        block.layout()
        .lineAt(0)
        .rect()
        .translated(view.document().documentLayout().blockBoundingRect(block).topLeft())
        .translated(-view.scrolled.x(), 0)
        for block in (document.begin(), document.lastBlock())
    ]


@pytest.mark.parametrize("width", [300, 420, 700])
def test_a_wide_table_in_right_to_left_text_grows_away_from_the_margin_of_the_marks(view, width):
    view.resize(500, 400)
    view.show_response(HEBREW, [target("s1", HEBREW, "לפני הטבלה.")], plain=False)
    view.resize(width, 400)
    QApplication.processEvents()
    across, margin = view.horizontalScrollBar(), view.document().rootFrame().frameFormat().rightMargin()
    assert across.value() == across.maximum() > 0
    assert min(rect.left() for rect in cells(view)) >= 0
    assert max(rect.right() for rect in cells(view)) <= view.document().size().width() - margin
    assert all(0 <= rect.left() < rect.right() <= width - margin for rect in lines(view))


def test_right_to_left_text_with_a_table_is_as_wide_as_the_view_again_when_there_is_space(view):
    for text, width, scrolls in ((HEBREW, 420, True), (HEBREW, 2_400, False), (HEBREW, 420, True), (TABLE, 420, True)):
        view.resize(width, 400)
        view.show_response(text, [], plain=False)
        QApplication.processEvents()
        assert (view.horizontalScrollBar().maximum() > 0) is scrolls
        assert all(0 <= rect.left() < rect.right() <= width for rect in lines(view))


def test_tables_and_formulas_of_a_pair_are_side_by_side_from_their_start(rooms):
    responses = [{"id": name, "format": "markdown", "text": FORMULAS} for name in "ab"]
    room = rooms.with_tasks({"id": "t1", "prompt": {"text": "?"}, "responses": responses}, rubric="side-by-side")
    resize(room, LAPTOP)
    for pane in room.window.text_pane.panes:
        assert pane.view.is_rendered
        assert split_words(pane.view) == []
        assert pane.view.horizontalScrollBar().maximum() > 0
        assert pane.view.scrolled.x() == 0


def test_a_table_beside_an_open_page_scrolls_and_begins_at_its_start(rooms, qtbot, httpserver):
    tasks = [
        {"id": f"t{number}", "prompt": {"text": "?"}, "responses": [{"id": "a", "format": "markdown", "text": text}]}
        for number, text in enumerate((HEBREW, FORMULAS), 1)
    ]
    room = rooms.with_tasks(*tasks)
    view = room.window.text_pane.panes[0].view
    for name, at_end in (("t1", True), ("t2", False)):
        rooms.open_task(room, name)
        read(room, qtbot, serve(httpserver))
        resize(room, LAPTOP)

        across = view.horizontalScrollBar()
        assert view.is_rendered
        assert split_words(view) == []
        assert across.maximum() > 0
        assert across.value() == (across.maximum() if at_end else 0)
