"""Nothing that comes from a file is ever taken for HTML."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTextBrowser, QTextEdit, QWidget

import desktop_rater.ui
from desktop_rater.ui.widgets.labels import PlainLabel, plain_tooltip
from tests.operations.bundles import make, task, write
from tests.ui.rooms import part, press

HOSTILE = '<img src="file:///etc/hostname"><b>bold</b>'
UI = Path(desktop_rater.ui.__file__).parent

RUBRIC = f"""
id = "hostile"
title = '{HOSTILE}'
[evidence]
per = "target"
[claims]
[[questions]]
id = "choice"
per = "target"
ask = '{HOSTILE}'
hint = '{HOSTILE}'
kind = "choice"
choices = [{{ id = "x", label = '{HOSTILE}', key = "y", hint = '{HOSTILE}' }}, {{ id = "n", label = "No", key = "n" }}]
required = true
[[questions]]
id = "scale"
per = "target"
ask = '{HOSTILE}'
kind = "scale"
min = 1
max = 3
step = 1
anchors = [{{ at = 1, label = '{HOSTILE}' }}, {{ at = 3, label = '{HOSTILE}' }}]
[[questions]]
id = "text"
per = "target"
ask = '{HOSTILE}'
kind = "text"
[[rules]]
id = "rule"
level = "block"
per = "target"
require = {{ text = {{ filled = true }} }}
message = '{HOSTILE}'
"""


@pytest.fixture
def hostile(rooms):
    rubric = write(rooms.folder / "hostile.toml", RUBRIC)
    plain = task(
        f"t {HOSTILE}",
        HOSTILE,
        "Another.",
        prompt={"text": HOSTILE},
        history=[{"role": HOSTILE, "text": HOSTILE}],
        context=[{"id": "c", "title": HOSTILE, "text": HOSTILE, "url": HOSTILE}],
        reference=HOSTILE,
    )
    tool = {"name": HOSTILE, "status": "error", "input": HOSTILE, "output": {HOSTILE: HOSTILE}}
    plain["responses"][0]["tools"] = [tool]
    guidelines = write(rooms.folder / "guidelines.md", HOSTILE)
    bundle = make(rooms.folder / "bundle.zip", [plain], rubric=str(rubric), title=HOSTILE, guidelines=guidelines)
    return rooms.with_bundle(bundle)


def test_every_widget_shows_hostile_text_as_it_stands(hostile):
    session = hostile.session
    press("Y")
    session.add_claim(0, len(HOSTILE))
    name = session.add_evidence(HOSTILE)
    session.change_evidence(name, title=HOSTILE, quote=HOSTILE, note=HOSTILE, stance="supporting")
    hostile.window.form_pane.banners.show_banner("x", "block", HOSTILE, [(HOSTILE, lambda: None)])
    hostile.commands.answering._say_removed(HOSTILE)
    session.answer("text", HOSTILE)
    QApplication.processEvents()
    widgets = hostile.window.findChildren(QWidget)
    labels = [one for one in widgets if isinstance(one, QLabel)]
    # Qt makes labels of its own for shortcuts of menus and the like; those of this window are all plain.
    assert [one.objectName() or one.text() for one in labels if one.textFormat() != Qt.TextFormat.PlainText] == []
    assert [one.objectName() for one in widgets if isinstance(one, QTextEdit) and one.acceptRichText()] == []
    assert not [one for one in widgets if isinstance(one, QTextBrowser)]
    tips = [one.toolTip() for one in widgets if one.toolTip()]
    assert tips
    assert not any("<img" in tip or "<b>" in tip for tip in tips)
    assert part(hostile, "task_title").text() == HOSTILE
    assert hostile.window.text_pane.panes[0].view.toPlainText().startswith(HOSTILE)
    shown = {one.label for one in widgets if isinstance(one, QAbstractButton) and hasattr(one, "label")}
    assert HOSTILE in shown


def test_tooltips_and_labels_are_plain(qtbot):
    assert "&lt;b&gt;" in plain_tooltip("<b>x</b>")
    assert plain_tooltip("") == ""
    label = PlainLabel(HOSTILE)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText


FORBIDDEN = re.compile(
    r"\bQLabel\(|\.setToolTip\(|\bQMessageBox\b|\.setHtml\(|\.insertHtml\("
    r"|\.appendHtml\(|\.setMarkdown\(|\.insertMarkdown\(|\.fromHtml\(|\.fromMarkdown\(|setTextFormat\(|import \*"
    r"|\bQ(?:TextBrowser|StaticText|ErrorMessage|InputDialog|ProgressDialog|SystemTrayIcon|WhatsThis)\b"
    r"|\.setWindowTitle\((?!self\.tr\()|QToolTip\.showText\((?![^\n]*\bplain_tooltip\()"
    r"|\.set(?:Item)?Data\((?![^\n]*\bplain_tooltip\()[^\n]*\bToolTipRole\b"
)


NOTIFIER = UI / "hub" / "commands.py"  # its notifier hands numbers to the desktop and no text of others


@pytest.mark.parametrize(
    "path", [one for one in sorted(UI.rglob("*.py")) if one.name != "labels.py"], ids=lambda one: one.stem
)
def test_only_one_module_makes_labels_tooltips_and_boxes(path):
    found = set(FORBIDDEN.findall(path.read_text("utf-8")))
    assert found == ({"QSystemTrayIcon"} if path == NOTIFIER else set())


# Words of the program, as opposed to what stands in the braces of an f-string.
UNTRANSLATED = re.compile(
    r"(?:PlainLabel|WrappedLabel|ElidedLabel|KeyButton|ChoiceButton|setText|setWindowTitle|setPlaceholderText"
    r"|setAccessibleName|set_label|addTab|addItem)\(\s*(?:\"[^\"]*[A-Za-z]{2}|f\"(?:\{[^}]*\}|[^\"{A-Za-z])*[A-Za-z]{2})"
)


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda one: one.stem)
def test_every_word_can_be_translated(path):
    assert UNTRANSLATED.findall(path.read_text("utf-8")) == []
