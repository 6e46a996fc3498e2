"""Texts as the world writes them: from the file through import, store and widget, and back into the exported file."""

import json
import zipfile
from itertools import combinations, count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtGui import QFont, QFontDatabase, QTextCursor

from desktop_rater.format.change import Progress
from desktop_rater.format.edit import new_id, with_claim
from desktop_rater.format.rating import Claim
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_rubric, open_task
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from tests.examples import examples
from tests.operations.bundles import RATER, make, noon, take_in, write, writer
from tests.rubric.toml_texts import TEXT, question, rubric_text
from tests.shown import reads_as
from tests.ui.rooms import part, press, settle

QUOTES = {
    "emoji": "so 😀 it 🎉🏽 is",
    "a family joined by ZWJ": "the 👩‍👩‍👧 family",
    "a flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f and 🇮🇸",
    "combining marks": "cafe\u0301 Zu\u0308rich Z\u0351\u036b\u0343\u036aA\u0334\u0335L\u0338GO",
    "Arabic": "مرحبا بالعالم",
    "Hebrew with points": "שָׁלוֹם עולם",
    "Persian with ZWNJ": "می‌خواهم بدانم",
    "Arabic and digits and Latin": "عام 1396 كتب Ibn Khaldun المقدمة",
    "Devanagari": "क्षत्रिय नमस्ते",
    "Thai": "ภาษาไทย",
    "Chinese beyond the BMP": "漢字𠮷野家",
    "Japanese": "これはテスト。",
    "U+0085": "one\x85two",
    "U+2028": "one\u2028two",
    "vertical tab": "one\x0btwo",
    "tabs": "one\ttwo\t\tthree",
    "no-break spaces": "10\xa0km, 5\u202f%",
    "bidi controls": "pay \u202ereversed\u202c and \u2067isolated\u2069 words",
    "byte order mark": "in\ufeffside",
}
OVER_LINES = {
    "CRLF": "one\r\ntwo\r\n\r\nthree",
    "old Mac line ends": "one\rtwo",
    "U+2029": "one\u2029two",
    "line feeds": "one\n\n\ntwo",
}
AWKWARD = [
    "\r\n",
    "\r",
    "\n",
    "\n\r",
    "\u2028",
    "\u2029",
    "\x0b",
    "\x0c",
    "\x85",
    "\xa0",
    "\t",
    "\xad",
    "\u200b",
    "\ufeff",
]
AWKWARD += [
    "\ufffe",
    "\uffff",
    "\ufdd0",
    "\ufdd1",
    "\ufffc",
    "\U000e0041",
    "\u202e",
    "\u2066",
    "\u200d",
    "\u200c",
    "\ufe0f",
]
AWKWARD += ["😀", "👩‍👩‍👧", "🇮🇸", "e\u0301", "漢", "𠮷", "の", "ك", "لا", "ש", "نمی‌شود", "क्ष", "word", " "]
MARKDOWN = [
    "**",
    "*",
    "_",
    "`",
    "\n- ",
    "\n> ",
    "\n# ",
    "[",
    "](https://example.org/a)",
    "![",
    "&amp;",
    "\\",
    "|",
    "\n|-|\n",
]
BREAKS = "\u2029\ufdd0\ufdd1"  # Qt's own, in what it made of Markdown
# What JSON may hold: no lone surrogate and no U+0000.
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
TEXTS = st.lists(st.sampled_from(AWKWARD + MARKDOWN) | ANY, min_size=1, max_size=20).map("".join)
NUMBERS = count(1)

RUBRIC = rubric_text("free", question("comment", body=TEXT, ask="Comment"), more='title = "Whatever"\n[claims]')


@st.composite
def responses(draw):
    """A text with its format, and stretches of it: those that are targets, and those that a rater selects."""
    text = draw(TEXTS)
    places = st.integers(0, len(text))
    stretch = st.tuples(places, places).map(lambda ends: (min(ends), max(ends))).filter(lambda ends: ends[0] < ends[1])
    spans = draw(st.lists(stretch, min_size=1, max_size=3))
    return (
        text,
        draw(st.sampled_from(["plain", "markdown"])),
        spans,
        draw(st.tuples(places, places)),
        draw(st.booleans()),
    )


def plain_task(name, text, form, spans, *, quoted=True):
    """A task as it stands in a file; its offsets count code points."""
    targets = [
        {"id": f"s{number}", "response": "a", "start": start, "end": end}
        for number, (start, end) in enumerate(spans, 1)
    ]
    for target in targets if quoted else ():
        target["quote"] = text[target["start"] : target["end"]]
    responses = [{"id": "a", "text": text, "format": form}]
    return {"id": name, "prompt": {"text": text}, "responses": responses, "targets": targets}


def selected(view, span):
    cursor = QTextCursor(view.document())
    cursor.setPosition(span[0])
    cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
    return cursor


def between(text, first, last):
    """What stands between two places of Qt's, which count UTF-16 units."""
    return text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le")


def as_shown(quote):
    """A quote as Qt shows it: each line end is a new line, and what Qt would swallow has a stand-in."""
    # "x": only at the start of a whole text has U+FEFF a stand-in.
    return WidgetTextMap(f"x{quote}").shown[1:].replace("\ufeff", "\u2060").replace("\n", "\u2029")


def cuts_a_line_end(text, span):
    """Whether a stretch begins or ends between the CR and the LF of a CRLF: Qt has no such place."""
    return any(text[at - 1 : at + 1] == "\r\n" for at in span)


def check_marks(view, text, targets):
    """What is marked is the quote: in plain text to the character, of Markdown all that is seen of it and no more."""
    marks = {view._targets[mark.number - 1].id: mark.span for mark in view._marks}
    assert set(marks) == {target.id for target in targets}, "a target that nobody could see would bring the source"
    for target in targets:
        span, shown = (target.start, target.end), selected(view, marks[target.id]).selectedText()
        if not view.is_rendered:
            assert reads_as(shown.replace("\ufeff", "\u2060"), as_shown(target.quote)) or cuts_a_line_end(text, span)
            continue
        start, end = view.shown_map.source_span(*marks[target.id])
        assert view.shown_map.shown_span(start, end) == marks[target.id]
        # Not by a cursor: one that reaches into a table takes all of it.
        shown = between(view.document().toRawText(), *marks[target.id])
        assert reads_as(shown, shown_of(view, span)), "all that it has a part of, and nothing beside it"


def shown_of(view, span):
    """Return what is seen of a stretch of Markdown (half an entity is a whole one), with the breaks between."""
    found = view.shown_map
    within = [
        at
        for at, (start, end) in enumerate(zip(found.starts, found.ends, strict=True))
        if start < span[1] and span[0] < end and start < end and found.rendered[at] not in BREAKS
    ]
    return found.rendered[within[0] : within[-1] + 1]


def select(view, text, ends):
    """Select as a rater would, and give the stretch that it stands for."""
    last = view.document().in_text(view.document().characterCount())
    first, second = (round(end / len(text) * last) for end in sorted(ends))
    view.setTextCursor(selected(view, (first, second)))
    return view.selected_stretch()


@pytest.fixture(scope="module")
def view(qapp):
    view = ResponseView("world")
    view.resize(500, 400)
    yield view
    view.deleteLater()


@pytest.fixture(scope="module")
def rubric_file(tmp_path_factory):
    return write(tmp_path_factory.mktemp("rubric") / "free.toml", RUBRIC)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with writer(tmp_path_factory.mktemp("world") / "store") as store:
        yield store


def one_of(text, quote=None, form="plain"):
    start = text.index(quote or text)
    return text, form, [(start, start + len(quote or text))], (0, len(text)), True


@settings(max_examples=examples(30), deadline=None)
@given(drawn=st.lists(responses(), min_size=1, max_size=6))
@example(
    drawn=[one_of(f"Zwölf\r\n- 😀 מ {quote} 🎉 so\r\nend", quote, "plain") for quote in (QUOTES | OVER_LINES).values()]
)
@example(drawn=[one_of(f"Zwölf\r\n- 😀 **B** {quote} 🎉\r\n\r\nend", quote, "markdown") for quote in QUOTES.values()])
@example(drawn=[("0\r\n\u2028", "markdown", [(2, 4), (2, 3)], (0, 0), False)])
@example(drawn=[one_of("\ufeffa"), one_of("\ufffea"), one_of("\r\n"), one_of("\n"), one_of("\u2028"), one_of("\ufdd0")])
def test_any_span_of_any_text_goes_from_the_file_to_the_eye_and_back_into_the_file(
    view, store, rubric_file, tmp_path_factory, drawn
):
    name = f"b{next(NUMBERS)}"
    folder = tmp_path_factory.getbasetemp()
    tasks = [plain_task(f"t{at}", *one[:3], quoted=one[4]) for at, one in enumerate(drawn)]
    take_in(store, make(folder / f"{name}.zip", tasks, rubric=str(rubric_file)))
    rubric = bundle_rubric(store, name)
    claimed = {}
    for at, (text, form, spans, ends, _quoted) in enumerate(drawn):
        opened = open_task(store, name, f"t{at}", RATER)
        task, rating, targets = opened.task, opened.rating, opened.task.targets
        assert targets is not None
        assert task.responses[0].text == text
        assert [(one.start, one.end, one.quote) for one in targets] == [(*one, text[slice(*one)]) for one in spans]
        view.show_response(text, list(targets), plain=form == "plain")
        check_marks(view, text, targets)
        stretch = select(view, text, ends)
        claimed[f"t{at}"] = stretch
        if stretch is not None:
            claim = Claim(id=new_id("c", ()), text=text[slice(*stretch)], start=stretch[0], end=stretch[1])
            rating = with_claim(rating, targets[0].id, claim)
        save.save_rating(store, rubric, name, task, replace(rating, status="complete"), done="test", now=noon)
    path = folder / f"{name}.results.zip"
    assert export_results(store, name, RATER, path, progress=Progress()).written
    check_results_file(path, {one["id"]: one["responses"][0]["text"] for one in tasks}, claimed)


def check_results_file(path, texts, claimed):
    """Every text left as it came, and what was selected is what the claim's offsets cut out of it."""
    with zipfile.ZipFile(path) as results:
        tasks = [json.loads(line) for line in results.read("tasks.jsonl").split(b"\n")[:-1]]
        ratings = [json.loads(line) for line in results.read("ratings.jsonl").split(b"\n")[:-1]]
    assert {one["id"]: one["responses"][0]["text"] for one in tasks} == texts
    for one in tasks:
        cuts = [texts[one["id"]][target["start"] : target["end"]] for target in one["targets"]]
        assert [target.get("quote", cut) for target, cut in zip(one["targets"], cuts, strict=True)] == cuts
    for rating in ratings:
        claims = [claim for claims in rating.get("claims", {}).values() for claim in claims]
        stretch = claimed[rating["task"]]
        assert [(one["start"], one["end"]) for one in claims] == ([stretch] if stretch is not None else [])
        assert all(one["text"] == texts[rating["task"]][one["start"] : one["end"]] for one in claims)


def test_in_the_window_a_selected_quote_becomes_a_claim_with_the_very_offsets_of_the_file(rooms, qtbot, rubric_file):
    texts = {}
    for number, quote in enumerate((QUOTES | OVER_LINES).values()):
        texts[f"plain-{number}"] = one_of(f"Zwölf\r\n- 😀 מ {quote} 🎉 so\r\nend", quote)
    for number, quote in enumerate(QUOTES.values()):
        texts[f"markdown-{number}"] = one_of(f"Zwölf\r\n- 😀 **B** {quote} 🎉\r\n\r\nend", quote, "markdown")
    tasks = [plain_task(name, *drawn[:3]) for name, drawn in texts.items()]
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks, rubric=str(rubric_file)))
    for name, (text, form, [span], _ends, _quoted) in texts.items():
        rooms.open_task(room, name)
        view = room.window.text_pane.panes[0].view
        assert view.is_rendered is (form == "markdown")
        (mark,) = view._marks
        quote = as_shown(text[slice(*span)])
        assert reads_as(selected(view, mark.span).selectedText().replace("\ufeff", "\u2060"), quote)
        view.setTextCursor(selected(view, mark.span))
        room.window.form_pane.form.setFocus()
        press("L")
        (claim,) = room.session.claims
        assert (claim.ranges, claim.text) == ((tuple(span),), text[slice(*span)])
    rooms.wait_until_saved(room)
    for name, (text, _form, [span], _ends, _quoted) in texts.items():
        (claim,) = rooms.stored(name).claims["s1"]
        assert claim.spans[0].quote == claim.text == text[slice(*span)]


def test_each_language_has_its_own_shapes_of_han_characters(rooms):
    if "Noto Sans CJK JP" not in QFontDatabase.families():
        pytest.skip("Noto Sans CJK is not installed")
    languages = ("zh-CN", "zh-TW", "ja", "ko", "en")
    call = {"name": "search", "input": {"q": "直骨"}, "output": "直骨海"}
    response = {"id": "a", "text": "直骨海漢角今令画 房屋与骨头。", "tools": [call]}
    tasks = [{"id": lang, "prompt": {"text": "直骨", "lang": lang}, "responses": [response]} for lang in languages]
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks))
    looks, families = {}, {}
    for lang in (*languages, *languages):
        rooms.open_task(room, lang)
        settle()
        prompt, text = room.window.text_pane.prompt.text, part(room, "response_text_a")
        fonts = [prompt.document().defaultFont(), text.document().defaultFont()]
        looks[lang] = text.viewport().grab().toImage()
        around = (room.window.task_list.list, part(room, "tools_a_calls"), room.window.findChild(GrowingTextEdit))
        for widget in (*around, part(room, "tools_a_text")):
            first = theme.han_families(lang)[:1]
            assert not first or first[0] in widget.font().families(), widget.objectName()
            assert first or not set(theme.han_families("ja")) & set(widget.font().families())
        assert {tuple(font.families()) for font in fonts} == {tuple(fonts[0].families())}
        assert families.setdefault(lang, fonts[0].families()) == fonts[0].families()

    assert families["en"] == theme.interface_font(QFont()).families()
    looks.pop("en")
    for first, second in combinations(looks.values(), 2):
        assert first != second
    assert families["ja"] == [*theme.han_families("ja"), *families["en"]]


@pytest.mark.parametrize(
    ("lang", "table"),
    [
        ("zh", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh_TW", "zh-Hant"),
        ("zh-Hant-MO", "zh-HK"),
        ("yue", "zh-HK"),
        ("JA-jp", "ja"),
        ("ko-KR", "ko"),
        ("en", None),
        ("", None),
    ],
)
def test_a_language_tag_names_the_fonts_of_its_script(qapp, monkeypatch, lang, table):
    every = [family for families in theme.HAN_FAMILIES.values() for family in families]
    monkeypatch.setattr(QFontDatabase, "families", lambda: every)
    assert theme.han_families(lang) == list(theme.HAN_FAMILIES.get(table, ()))
