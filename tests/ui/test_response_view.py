"""What is marked and what is selected are the very characters of the file, and nothing that is marked moves."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontDatabase
from PySide6.QtWidgets import QApplication

from desktop_rater.format.rubric import Choice, Question
from desktop_rater.format.task import Target
from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.review.compare_page import ExcerptView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.text_view import VisibleText
from tests.shown import QUOTES, notes_of, text_of, with_boxes
from tests.ui.responses import ARABIC, ENGLISH, JAPANESE, point_at, sentences, target

TEXTS = [
    "One line.\r\nAnother\rand\nmore.\r\n\r\nEnd",
    "👨‍👩‍👧‍👦 families 🇮🇸 and a\u2028line separator, no-break\u00a0space",
    "\ufeffBOM at the start, \ufffc object, tab\tand U+0085 \u0085 here\x0bVT",
    "أهلًا بك، وشكرًا على هذا السؤال الجميل!",
]
QUESTION = Question(id="label", per="claim", ask="How accurate is it?", kind="choice")


def label(tone):
    return TargetState("label", (QUESTION, Choice(id="x", label="X", tone=tone)))


TODO, SUGGESTED, SKIPPED = TargetState("todo"), TargetState("suggested"), TargetState("skipped")


@pytest.fixture
def dressed(qapp):
    """Puts a look on the application, and the usual one back."""
    yield lambda look: theme.apply(qapp, look)
    theme.apply(qapp, theme.Look(theme="light"))


def marked(view, name):
    """The text that a target's mark lies on, as Qt has it."""
    (mark,) = (one for one in view._marks if view._targets[one.number - 1].id == name)
    return view._between(*mark.span)


def lines_of(view):
    """Where each line begins and how wide each is."""
    found, block = [], view.document().begin()
    while block.isValid():
        layout = block.layout()
        lines = [layout.lineAt(number) for number in range(layout.lineCount())]
        found += [(line.textStart(), line.textLength(), line.naturalTextWidth(), line.y()) for line in lines]
        block = block.next()
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_a_selection_gives_code_points_of_the_source(view, text):
    view.show_response(text, [])
    for start in range(0, len(text), 3):
        end = min(len(text), start + 5)
        first, last = view.shown_map.shown_span(start, end)
        view.setTextCursor(view._cursor(first, last))
        assert view.selected_stretch() == view.shown_map.source_span(first, last)
        if "\r\n" not in text:
            assert view.selected_stretch() == (start, end)


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "markdown"])
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES.keys())
def test_the_mark_is_the_quote_to_the_character(view, quote, plain):
    text = f"Zwölf\r\n\r\n- 😀 **Boxer** מ {quote} and 🎉 so on\r\n\r\nend"
    view.show_response(text, [target("s1", text, quote)], plain=plain)
    assert view.is_rendered is not plain
    assert marked(view, "s1") == with_boxes(quote)
    view.setTextCursor(view._cursor(*view._marks[0].span))
    assert text[slice(*view.selected_stretch())] == quote


def test_a_selection_in_markdown_is_a_stretch_of_its_source(view):
    text = "A **bold [word](http://example.org/bold)** here &amp; there."
    view.show_response(text, [target("s1", text, "**bold [word]")], plain=False)
    assert marked(view, "s1") == "bold word"
    at = view.document().toPlainText().index("word here &")
    view.setTextCursor(view._cursor(at, at + len("word here &")))
    assert text[slice(*view.selected_stretch())] == "word](http://example.org/bold)** here &amp;"


def test_a_target_that_nobody_would_see_brings_the_source(view):
    text = "See [it][1].\n\n[1]: http://example.org/page"
    view.show_response(text, [target("s1", text, "http://example.org/page")], plain=False)
    assert not view.is_rendered
    assert marked(view, "s1") == "http://example.org/page"


@pytest.mark.parametrize("text", [ENGLISH, ARABIC, JAPANESE], ids=["English", "Arabic", "Japanese"])
def test_marking_and_selecting_move_nothing(view, text):
    targets = sentences(text)
    view.show_response(text, targets)
    before = lines_of(view)
    for current, tone in (("s1", "accurate"), ("s2", "not factual"), ("s3", "disputed")):
        view.show_states({one.id: label(tone) for one in targets}, current, ((2, 9),))
        view.setTextCursor(view._cursor(3, 12))
        view.grab()
        assert lines_of(view) == before
    assert view.choose_words()
    view.grab()
    assert lines_of(view) == before


def pixels(view, piece, look):
    """Colours above the letters of a piece, and where its line runs."""
    image = view.viewport().grab().toImage()
    x = round((piece.left + piece.right) / 2)
    scroll = view.verticalScrollBar().value()
    up = image.pixelColor(x, round(piece.baseline - scroll - 13.5 * look.size / 15))
    column = [
        image.pixelColor(x + step, round(piece.baseline - scroll + down)) for step in range(12) for down in range(3, 9)
    ]
    return up, {one.name().upper() for one in column}


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("text", [ENGLISH, ARABIC, JAPANESE], ids=["English", "Arabic", "Japanese"])
def test_tints_lines_and_box_are_where_the_words_are(view, dressed, text, name):
    if text is JAPANESE and not QFontDatabase.families(QFontDatabase.WritingSystem.Japanese):
        pytest.skip("no font with Japanese glyphs is installed")
    dressed(theme.Look(theme=name))
    colors = theme.tokens()
    view.show_response(text, sentences(text))
    view.show_states({"s1": label("accurate"), "s2": TODO, "s3": label("disputed")}, "s2")
    QApplication.processEvents()
    sight = VisibleText(view.document(), 0, view.viewport().height())
    fills = {}
    for mark in view._marks:
        fills[mark.number] = [pixels(view, piece, view._read.look) for piece in sight.pieces(*mark.span)]
    assert {up.name().upper() for up, _line in fills[1]} == {colors.tones["accurate"].tint}
    assert {up.name().upper() for up, _line in fills[2]} == {colors.cur}
    assert {up.name().upper() for up, _line in fills[3]} == {colors.tones["disputed"].tint}
    assert any(colors.tones["accurate"].ink in line for _up, line in fills[1])
    assert any(colors.tones["disputed"].ink in line for _up, line in fills[3])


def inked(view, left, right, top, bottom):
    """Whether something is painted in that part of the picture."""
    image = view.viewport().grab().toImage()
    ground = QColor(theme.tokens().surface)
    area = [image.pixelColor(x, y) for x in range(left, right) for y in range(top, bottom)]
    return any(one != ground for one in area)


def test_the_margin_is_on_the_side_where_reading_begins(view):
    for text, right in ((ENGLISH, False), (ARABIC, True)):
        view.show_response(text, sentences(text))
        view.show_states({"s1": label("accurate"), "s2": SUGGESTED, "s3": SKIPPED}, "s2")
        width = view.viewport().width()
        assert view.backwards is right
        near, far = (width - 54, width - 26), (2, 20)
        if not right:
            near, far = (6, 54), (width - 20, width - 2)
        assert inked(view, *near, 0, 120)
        assert not inked(view, *far, 0, 120)


def test_each_span_of_a_claim_of_the_current_target_is_underlined_inside_its_box(view):
    text = ENGLISH
    view.show_response(text, sentences(text))
    start = text.index("struck")
    spans = (start, start + 6), (start + 9, start + 12)
    view.show_states({}, "s1", spans)
    sight = VisibleText(view.document(), 0, 400)
    claims = [next(iter(sight.pieces(*view.shown_map.shown_span(*span)))) for span in spans]
    before = next(iter(sight.pieces(*view.shown_map.shown_span(0, start - 1))))
    image = view.viewport().grab().toImage()
    edge = theme.tokens().cur_edge
    for claim in claims:
        assert image.pixelColor(round(claim.left) + 4, round(claim.baseline + 5)).name().upper() == edge
    assert image.pixelColor(round(before.left) + 4, round(before.baseline + 4)).name().upper() != edge


def test_a_stretch_in_both_directions_is_marked_where_it_is_seen(view):
    text = "בשנת 1396 כתב Ibn Khaldun ספר."
    view.show_response(text, [target("s1", text, "כתב Ibn")])
    sight = VisibleText(view.document(), 0, 400)
    seen = list(sight.pieces(*view._marks[0].span))
    middle = [QPointF((one.left + one.right) / 2, one.baseline - 4) for one in seen]
    hits = [view.document().documentLayout().hitTest(one, Qt.HitTestAccuracy.FuzzyHit) for one in middle]
    first, last = view._marks[0].span
    assert len(seen) == 2
    assert all(first <= hit <= last for hit in hits)


def test_a_picture_is_its_words_and_is_never_loaded(view, tmp_path):
    (tmp_path / "x.png").write_bytes(b"no picture")
    view.show_response(f"Look: ![a *red* fox]({tmp_path / 'x.png'}) there", [], plain=False)
    assert text_of(view.document()) == "Look: a red fox there"
    assert notes_of(view.document()) == [f"Only in the source: {tmp_path / 'x.png'}"]


def test_hidden_characters_are_named_and_flagged(view):
    text = "Pay\u200b attention to \u202eevil\u202c words"
    view.show_response(text, [])
    assert [name for _at, name in view.hidden] == [
        "ZERO WIDTH SPACE U+200B",
        "RIGHT-TO-LEFT OVERRIDE U+202E",
        "POP DIRECTIONAL FORMATTING U+202C",
    ]
    assert "ZERO WIDTH SPACE" in view._tip(point_at(view, 3))
    assert view._cursor(3, 4).charFormat().foreground().color() == QColor(theme.tokens().warn)
    assert view.document().begin().text() == "Pay▯ attention to ▯evil▯ words"
    assert view.selected_stretch() is None
    view.selectAll()
    assert view.selected_stretch() == (0, len(text)), "offsets are those of the text"


def test_each_text_runs_its_own_way(view):
    view.show_text(TEXTS[3])
    assert view.document().defaultTextOption().textDirection() == Qt.LayoutDirection.RightToLeft
    view.show_text("Left to right")
    assert view.document().defaultTextOption().textDirection() == Qt.LayoutDirection.LeftToRight


def test_a_target_out_of_view_is_brought_into_it(view):
    text = "\n".join(f"Line {number} of many." for number in range(200))
    view.show_response(text, [target("s1", text, "Line 150")])
    view.show_states({}, "s1")
    assert view.viewport().rect().contains(point_at(view, text.index("Line 150")))


def test_other_borders_leave_the_text_where_it_is(view):
    text = "\n".join(f"Line {number} of many." for number in range(200))
    view.show_response(text, [target("s1", text, "Line 150")])
    view.show_states({}, "s1")
    scrolled, document = view.verticalScrollBar().value(), view.document()
    view.show_response(text, [target("s1", text, "Line 150 of many.")])
    view.show_states({}, "s1")
    assert marked(view, "s1") == "Line 150 of many."
    assert view.verticalScrollBar().value() == scrolled > 0
    assert view.document() is document


def test_a_larger_reading_size_keeps_the_marks_on_their_words(view, dressed):
    view.show_response(ENGLISH, sentences(ENGLISH))
    view.show_states({"s1": label("accurate")}, "s2")
    dressed(theme.Look(theme="light", zoom=150, reading_size=20))
    assert view.document().defaultFont().pixelSize() == 30
    assert marked(view, "s1") == "The first wave struck a camp in Kansas."
    assert view._current == "s2"


@pytest.mark.parametrize("ends", ["\n\n", " "], ids=["many paragraphs", "one paragraph"])
def test_a_very_long_response_scrolls_without_delay(view, qtbot, ends):
    sentence = "The quick brown fox jumps over the lazy dog and then it rests for a while."
    text = (f"{sentence} {sentence}{ends}" * 2_000)[:200_000]
    starts = range(0, len(text) - len(sentence), len(sentence) * 2 + 1 + len(ends))
    targets = [Target(id=f"s{at}", response="a", start=at, end=at + len(sentence)) for at in starts]
    view.show_response(text, targets)
    bar = view.verticalScrollBar()
    height = view.document().size().height()  # asked for, it is no estimate
    qtbot.waitUntil(lambda: abs(bar.maximum() + view.viewport().height() - height) < 2)
    for at in (0, bar.maximum() // 2, bar.maximum()):
        bar.setValue(at)
        view.grab()
        sight = VisibleText(view.document(), bar.value(), bar.value() + view.viewport().height())
        looked_at = sight.visible_marks(view._marks)
        assert 0 < len(looked_at) < 60, "only what is in sight is looked at"


def test_a_text_of_fewer_targets_takes_the_place_of_one_that_scrolled(qtbot):
    """The scroll bar goes while the new text comes in, and the view is resized between the two."""
    excerpt = ExcerptView("excerpt")
    qtbot.addWidget(excerpt)
    excerpt.setFixedSize(400, 60)
    excerpt.show()
    excerpt.show_response(ENGLISH, sentences(ENGLISH))
    excerpt.show_states({}, "s3")
    assert excerpt.verticalScrollBar().maximum() > 0
    excerpt.show_response("So it is.", sentences("So it is."))
    excerpt.show_states({}, "s1")
    assert excerpt.verticalScrollBar().maximum() == 0
    assert [mark.number for mark in excerpt._marks] == [1]
