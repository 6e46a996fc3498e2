"""A reader sees what is in a text: what has no ink is marked, nothing turns the words round, nothing is left out."""

import re
from html import escape
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QFont, QImage, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.charts.svg import escape_text
from desktop_rater.format.task import ToolCall
from desktop_rater.text.untrusted import BOX, UNSEEN, hidden_characters
from desktop_rater.ui.pages.context_pane import PassageView
from desktop_rater.ui.pages.page_document import PageDocument
from desktop_rater.ui.rating.guidelines import GuidelineView
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.tool_calls import ToolOutput
from desktop_rater.ui.widgets import labels
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.labels import (
    ElidedLabel,
    PlainLabel,
    WrappedLabel,
    isolated,
    plain_tooltip,
    set_window_title,
)
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel
from desktop_rater.ui.widgets.text_document import Typography
from desktop_rater.ui.widgets.text_view import FittedTextView, TextView
from desktop_rater.ui.window.welcome import RaterPage
from tests.shown import notes_of, text_of

# What somebody hides between the words, by name: an order, a number, a whole message.
CORPUS = {
    "an override": "\u202e0001\u202c",
    "an isolate": "\u20670001\u2069",
    "an embedding": "\u202b0001\u202c",
    "directional marks": "\u200f\u200e\u061c",
    "zero-width space": "\u200b",
    "joiners between Latin letters": "\u200d\u200c",
    "word joiner and its kin": "\u2060\u2062\u2064\u206a",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "bytes in variation selectors": "\ufe00\ufe01\ufe0e\ufe0f" * 6,
    "bytes in supplementary selectors": "".join(map(chr, range(0xE0100, 0xE0118))),
    "a message in tags": "".join(chr(0xE0000 + ord(letter)) for letter in "approve"),
    "Hangul fillers": "\u3164\uffa0\u115f\u1160",
    "grapheme joiner": "\u034f",
    "Khmer vowels without ink": "\u17b4\u17b5",
    "Mongolian separator and selector": "\u180e\u180b",
    "blank Braille": "\u2800",
    "musical controls": "\U0001d173\U0001d17a",
    "shorthand controls": "\U0001bca0",
    "annotation": "\ufff9\ufffa\ufffb",
    "C1 controls": "\x9b\x90",
    "C0 controls": "\x07\x1b",
    "next line and vertical tab": "\x85\x0b",
}
LOOK = Typography(15, 27, 12, 20, QColor("blue"), QColor("grey"), QColor("grey"), QColor("red"))
MARK = re.compile(rf"{BOX}|\[U\+[0-9A-F]{{4,6}}\]")


def _label(kind):
    return lambda text: kind(text).text()


def _tooltip(text):
    document = QTextDocument()
    document.setHtml(plain_tooltip(text))
    return document.toPlainText()


def _title(text):
    window = QWidget()
    set_window_title(window, text)
    return window.windowTitle()


def _row(text):
    model = ListRowModel()
    model.show([ListRow("id", text, detail=text)])
    return model.data(model.index(0))


def _view(kind, **how):
    def shown(text):
        view = kind("view") if kind is not FittedTextView else kind("view", 5)
        view.show_text(text, **how)
        return text_of(view.document())

    return shown


def _tool_text(text):
    output = ToolOutput("tools")
    output.show_call(ToolCall(name="search", output=text))
    return output.text.toPlainText()


def _page(text):
    document = PageDocument(None, QFont(), LOOK)
    document.begin_page(f"<p>{escape(text)}</p>", text, title=text, byline=[text])
    return document.toRawText()


DOORS = {
    "label": _label(PlainLabel),
    "wrapped label": _label(WrappedLabel),
    "elided label": _label(ElidedLabel),
    "isolated name in a label": lambda text: PlainLabel(isolated(text)).text(),
    "tooltip": _tooltip,
    "window title": _title,
    "row of a list": _row,
    "choice": lambda text: ChoiceButton(text).label,
    "button": lambda text: KeyButton(text).accessibleName(),
    "prompt": _view(FittedTextView),
    "context": _view(PassageView),
    "plain response": _view(ResponseView),
    "Markdown response": _view(ResponseView, plain=False),
    "guidelines": _view(GuidelineView, plain=False),
    "tool output": _tool_text,
    "stored page": _page,
    "HTML report": escape_text,
}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("hidden", CORPUS.values(), ids=CORPUS.keys())
@pytest.mark.parametrize("shown", DOORS.values(), ids=DOORS.keys())
def test_what_is_hidden_between_the_words_is_marked_wherever_the_text_is_shown(shown, hidden):
    seen = shown(f"take {hidden}mg")
    assert MARK.search(seen)
    assert re.search(f"[{UNSEEN}]", seen.replace("\u2029", "").strip("\u2068\u2069")) is None, "and has no effect"


ENTITIES = {name: hidden for name, hidden in CORPUS.items() if re.search("[\x00-\x1f\x7f-\x9f]", hidden) is None}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("hidden", ENTITIES.values(), ids=ENTITIES.keys())
def test_a_character_that_markdown_writes_as_an_entity_is_marked_and_named_below_the_text(hidden):
    view = TextView("view")
    view.show_text("take " + "".join(f"&#x{ord(letter):x};" for letter in hidden) + "mg", plain=False)
    assert view.is_rendered
    assert BOX in text_of(view.document())
    assert hidden_characters(f"take {hidden}mg")[0][1] in notes_of(view.document())[-1]


@pytest.mark.usefixtures("qapp")
def test_markdown_that_turns_a_dose_round_shows_the_dose_of_the_file():
    view = TextView("view")
    view.show_text("An adult may take &#x202E;0001&#x202C; mg", plain=False)
    assert text_of(view.document()) == f"An adult may take {BOX}0001{BOX} mg"
    assert notes_of(view.document()) == [
        f"{BOX} marks characters that can’t be seen: RIGHT-TO-LEFT OVERRIDE U+202E, POP DIRECTIONAL FORMATTING U+202C"
    ]


LEFT_OUT = {
    "a definition of a link": ("See [one].\n\n[one]: https://a.example 'take 1000 mg'", "take 1000 mg"),
    "an unused definition": ("See.\n\n[x]: <take 1000 mg>", "take 1000 mg"),
    "the title of a link": ('See [one](https://a.example "take 1000 mg").', "take 1000 mg"),
    "an info string": ("```python take 1000 mg\nprint()\n```", "python take 1000 mg"),
    "a surplus cell": ("|a|b|\n|-|-|\n|1|2|take 1000 mg|", "take 1000 mg"),
    "the address of a picture": ("See ![it](take/1000.png) here", "take/1000.png"),
}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("source", "part"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_markdown_does_not_show_is_listed_below_the_text(source, part):
    view = TextView("view")
    view.show_text(source, plain=False)
    assert view.is_rendered
    assert part not in text_of(view.document())
    assert notes_of(view.document())[0].startswith("Only in the source: ")
    assert part in notes_of(view.document())[0]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "source",
    [
        "# A title\n\nSome **bold** and *soft* `code`, [a link](https://a.example/x_(y)) and <https://b.example>.",
        "1. one\n2. two\n   - [x] done\n   - [ ] not yet\n\n> so\n> on\n\n---\n\nSet\n===\n",
        "|a|b|\n|:-|-:|\n|`1`|c\\|d|\n\nx &amp; y, 5 \\* 3\n\n```\ncode\n```\n\n    more\n",
        "<b>tags</b> <!-- and comments --> are text",
    ],
)
def test_markdown_that_shows_everything_has_no_line_below_it(source):
    view = TextView("view")
    view.show_text(source, plain=False)
    assert view.is_rendered
    assert notes_of(view.document()) == [""]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("plain", [True, False])
def test_the_lines_below_a_text_are_no_part_of_it(plain):
    text = "take \u202e0001 mg\n\n[x]: http://a.example"
    view = ResponseView("view")
    view.show_response(text, [], plain=plain)
    view.selectAll()
    assert view.selected_stretch() == (0, len(text) if plain else text.index("\n"))
    end = QTextCursor(view.document())
    end.movePosition(QTextCursor.MoveOperation.End)
    view.setTextCursor(end)
    assert view.selected_stretch() is None


@pytest.mark.parametrize("kind", [PlainLabel, ElidedLabel, ChoiceButton, KeyButton])
@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\U000e0041", "\u3164"])
def test_a_name_with_a_hidden_character_is_painted_unlike_the_name_itself(qtbot, kind, hidden):
    pictures = []
    for text in ("r-17", f"r-{hidden}17"):
        widget = kind(text)
        qtbot.addWidget(widget)
        widget.resize(200, 30)
        pictures.append(widget.grab().toImage())
    assert pictures[0] != pictures[1]
    name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    assert f"[U+{ord(hidden):04X}]" in name, "and a screen reader says so"


SPELLINGS = {
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "an astronaut and a burning heart": "\U0001f469\U0001f3fd\u200d\U0001f680 \u2764\ufe0f\u200d\U0001f525",
    "a key cap and a face in text style": "1\ufe0f\u20e3 \u263a\ufe0e",
    "a variant of an ideograph": "\u845b\U000e0100\u57ce",
    "Thai": "\u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
    "blanks that do not break": "10\u202f000\u00a0km",
    "a name that the window isolates": "\u2068\u05e9\u05dc\u05d5\u05dd 5\u2069",
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_text_that_needs_what_has_no_ink_is_shown_as_it_is(qtbot, text):
    label = PlainLabel(text)
    qtbot.addWidget(label)
    assert label.text() == text


def test_the_name_that_a_rater_types_has_one_spelling(qtbot):
    page = RaterPage("r-17")
    qtbot.addWidget(page)
    named = []
    page.named.connect(named.append)
    page.field.setText(" Jose\u0301\u3164\u2003 B\u200b. ")
    page._confirm()
    assert named == ["Jos\u00e9 B."]
    page.field.setText("\u3164")
    page._confirm()
    assert named == ["Jos\u00e9 B."], "a name that can't be seen is none"


UI = Path(labels.__file__).parents[1]


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: path.stem)
def test_only_the_door_paints_text(path):
    own = path.name == "labels.py"
    assert own or re.findall(r"\.drawText\(|\.drawStaticText\(|\.drawItemText\(", path.read_text("utf-8")) == []


def test_an_elided_arabic_word_ends_in_an_ellipsis_and_in_no_box(qapp):
    text = "ابني في الصف السادس ويحضّر عرضًا عن ابن بطوطة"
    drawn = []
    for draw in (labels.draw_text, QPainter.drawText):
        image = QImage(300, 40, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, 130)
        assert "…" in elided
        shown = elided if draw is labels.draw_text else elided.replace("\u200d", "")
        draw(painter, QRect(0, 0, 300, 40), Qt.AlignmentFlag.AlignRight, shown)
        painter.end()
        drawn.append(image)
    assert drawn[0] == drawn[1]
