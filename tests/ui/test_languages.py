"""The window in another language: nothing is left in English, and the translators' file is what the sources say."""

import ast
import json
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from desktop_rater import app
from desktop_rater.operations.rating.rater_state import BundleOverview
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.paths import resources
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE
from desktop_rater.ui.window import keys, startup
from desktop_rater.ui.window.key_dialogs import KeySheet
from tests.operations.bundles import noon
from tests.ui.rooms import part, press, press_and_settle
from tests.ui.test_window import cut_off

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import translations  # ty: ignore[import-not-found]  # noqa: E402 - scripts, not a package

FILES = sorted((resources() / "translations").glob("*.ts"))
FIELD = re.compile(r"\{[^}]*\}")


translators_tools = pytest.mark.skipif(
    shutil.which("pyside6-lupdate", path=Path(sys.executable).parent) is None,
    reason="the tools for translators are not installed beside this Python",
)


def messages(file):
    """(context, source) → translation element."""
    tree = ET.parse(file)
    return {
        (context.findtext("name"), message.findtext("source")): message.find("translation")
        for context in tree.iter("context")
        for message in context.iter("message")
    }


# -- the translators' file


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def file(request):
    return request.param


def test_there_is_one_for_each_language_that_can_be_chosen():
    assert {file.stem.removeprefix("desktop_rater_") for file in FILES} == set(startup.available_languages()) - {"en"}


@translators_tools
def test_it_says_all_that_the_sources_say_and_nothing_else(file, tmp_path):
    fresh = tmp_path / file.name
    shutil.copy(file, fresh)
    translations.update(fresh)
    assert set(messages(file)) == set(messages(fresh)), "run `make translations`, and translate what is new"


def test_everything_is_translated(file):
    assert [key for key, said in messages(file).items() if said.get("type") or not said.text] == []


def test_the_same_fields_are_filled_in(file):
    found = {key: said.text for key, said in messages(file).items()}
    assert [key for key, text in found.items() if sorted(FIELD.findall(key[1])) != sorted(FIELD.findall(text))] == []
    ends = {key: text for key, text in found.items() if key[1].endswith("…") != text.endswith("…")}
    assert ends == {}


@translators_tools
def test_what_the_window_loads_is_compiled_from_it(file, tmp_path):
    translations.compile_into(file, tmp_path / "fresh.qm")
    assert (tmp_path / "fresh.qm").read_bytes() == file.with_suffix(".qm").read_bytes(), "run `make translations`"


def test_no_text_is_shouted(file):
    assert [said.text for said in messages(file).values() if "!" in said.text] == []


def texts_of(path):
    """(context, text) of each call that marks a text, as Python reads it."""

    def walk(node, inside):
        for child in ast.iter_child_nodes(node):
            here = child.name if isinstance(child, ast.ClassDef) else inside
            if isinstance(child, ast.Call):
                name = child.func.attr if isinstance(child.func, ast.Attribute) else getattr(child.func, "id", "")
                said = [one.value if isinstance(one, ast.Constant) else None for one in child.args]
                if name == "tr":
                    yield here, said[0]
                elif name in {"translate", "N_"} and len(said) > 1 and None not in said[:2]:
                    yield said[0], said[1]
            yield from walk(child, here)

    yield from walk(ast.parse(path.read_bytes()), None)


def test_the_tools_find_every_text(file):
    known = set(messages(file))
    found = {(path.name, *text) for path in (ROOT / "desktop_rater").rglob("*.py") for text in texts_of(path)}
    assert {one for one in found if one[1:] not in known} == set()


# -- the window


def test_the_language_of_the_system_is_taken_where_it_is_there(monkeypatch):
    for asked, taken in ((["de-AT", "en"], "de"), (["fr-FR", "de"], "de"), (["fr-FR"], "en"), (["en-GB", "de"], "en")):
        monkeypatch.setattr(QLocale, "uiLanguages", lambda _self, asked=asked: asked)
        assert startup.resolve_language("system") == taken
    assert startup.resolve_language("de") == "de"
    assert startup.resolve_language("xx") == "en"


@pytest.fixture
def german(rooms, qapp):
    assert startup.install_language(qapp, "de") == "de"
    room = app.build_application(
        rooms.folder / "store",
        rater="r",
        now=noon,
        settings=SettingsFile(settings=Settings(language="de")),
        open_url=print,
    )
    rooms.open_now.append(room)
    room.window.resize(1440, 900)
    room.window.show()
    room.window.activateWindow()
    rooms.qtbot.waitUntil(room.window.isActiveWindow)
    yield room
    startup.install_language(qapp, "en")


def shown_texts(window):
    """Every word that a rater sees or hears: (where, text)."""
    for action in window.findChildren(QAction):
        yield "action", action.text().replace("&", "")
    yield "title", window.windowTitle()
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.objectName().startswith("qt_"):
            continue
        name = widget.objectName() or type(widget).__name__
        yield name, widget.accessibleName()
        yield name, QTextDocumentFragment.fromHtml(widget.toolTip()).toPlainText()
        if isinstance(widget, QLabel):
            yield name, widget.text()
        if isinstance(widget, QAbstractButton):
            yield name, widget.text()
            yield name, getattr(widget, "label", "")
        if isinstance(widget, (QLineEdit, QPlainTextEdit)):
            yield name, widget.placeholderText()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from ((name, text) for text in _rows(widget.model()))


def _rows(model):
    for at in range(min(model.rowCount(), 40)):
        line = model.index(at, 0).data(LIST_ROW_ROLE)
        for field in ("title", "end", "detail", "detail_end"):
            yield str(getattr(line, field, "") or "")


def strings(value):
    """Every string in decoded JSON, and every object as it is written."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield json.dumps(value, ensure_ascii=False)
        yield from (text for one in value.items() for text in strings(one))
    elif isinstance(value, (list, tuple)):
        yield from (text for one in value for text in strings(one))


class Accounted:
    """What a German window may say: the German of the file, and what the bundle brings."""

    def __init__(self, room):
        said = {one.text for one in messages(resources() / "translations" / "desktop_rater_de.ts").values()}
        plain = (" ".join(text.replace("&", "").split()) for text in said)
        patterns = sorted("(.*)".join(map(re.escape, FIELD.split(text))) for text in plain)
        self._templates = [re.compile(pattern, re.DOTALL) for pattern in patterns if re.search(r"\w{2}|„", pattern)]
        names = "|".join(re.escape(keys.key_text(key)) for key in (*keys.KEY_NAMES, "Tab"))
        self._day = re.compile(r"\d+\. \w+\.? \d{4}")  # of Qt's own German
        self._keys = re.compile(rf"({names}|F[0-9]+|\S)([ ,]+({names}|F[0-9]+|\S))*")
        self._room = room
        self._brought = ""

    def take_in(self):
        """The texts of the task that is open, of its bundle and its rubric."""
        session = self._room.session
        brought = [session.task, session.rating, session.rubric.file]
        self.take(" ".join(strings(msgspec.to_builtins(brought))))
        self.take(f"{session.bundle} {self._room.window.windowTitle().rpartition(' – ')[0]}")

    def take(self, text):
        """A text that the bundle brings."""
        self._brought += " " + " ".join(text.split())

    def for_(self, text, depth=0):
        lines = text.strip().splitlines()
        text = " ".join(text.split()).strip("• ")
        if not re.search(r"[^\W\d_]{2}", text) or text.removesuffix("…").rstrip() in self._brought:
            return True
        if self._keys.fullmatch(text) or self._day.fullmatch(text):
            return True
        if depth > 3:
            return False
        for template in self._templates:
            match = template.fullmatch(text)
            if match and all(self.for_(part, depth + 1) for part in match.groups()):
                return True
        cuts = [text.split(separator) for separator in (", ", ": ", ". ", "? ", " – ", " → ", "  ")]
        for cut in (lines, *cuts):
            parts = [part for part in cut if part]
            if len(parts) > 1 and all(self.for_(part, depth + 1) for part in parts):
                return True
        return False


def walk(room, rooms):
    """Through the window as a rater goes; a name for each scene."""
    yield "first run"
    room.transfer.open_sample()
    rooms.wait_for_task(room)
    yield "a new task"
    press("Y", "1", "I")
    yield "a problem"
    room.session.add_evidence("https://example.org/a")
    press("S")
    yield "evidence"
    press("X")
    yield "skipping"
    press("Esc", "G")
    yield "guidelines"
    press("G", "Ctrl+F")
    yield "finding"
    press("Esc", "Ctrl+K")
    yield "the palette"
    press("Esc")
    for _ in range(3):
        press("Ctrl+PgDown")
        QApplication.processEvents()
        rooms.qtbot.waitUntil(lambda: room.session.task is not None)
        press("T")
        yield "another task"
    press("Ctrl+Shift+Return")
    yield "refused"
    room.transfer.export_to(rooms.folder / "results.zip")
    rooms.qtbot.waitUntil(lambda: not room.transfer.is_running)
    yield "not exported"
    press("X", "1", "Return")
    yield "skipped"


FROM_BELOW = {  # what the rooms below Qt say is English in every language, as on the command line
    "span-factuality-sample.zip",
    "span-factuality-sample",
}


def test_nothing_in_the_window_is_english(german, rooms):
    accounted = Accounted(german)
    left = set()
    for scene in walk(german, rooms):
        QApplication.processEvents()
        if german.session.task is not None:
            accounted.take_in()
        model = german.window.task_list.model
        accounted.take(" ".join(row.title or row.id for row in model._rows))
        left |= {(scene, name, text) for name, text in shown_texts(german.window) if not accounted.for_(text)}
    assert {one for one in left if not any(known in one[2] for known in FROM_BELOW)} == set()


def test_its_longer_words_are_whole_beside_a_page_on_a_small_screen(german, rooms):
    german.transfer.open_sample()
    rooms.wait_for_task(german)
    german.window.resize(1280, 700)
    german.window.preview.open_empty()
    german.window.form_pane.form.setFocus()
    press_and_settle("X")
    assert cut_off(german.window) == []
    german.window.task_list.model.progressed.emit(
        BundleOverview(
            id="b", revision=1, title="", rubric="", unit="targets", done=31, total=122, tasks=14, finished=3
        )
    )
    assert part(german, "rail_of").text() == "122", "“von 122” is wider than the rail"


def test_the_sheet_and_the_settings_speak_it_too(german, rooms):
    german.transfer.open_sample()
    rooms.wait_for_task(german)
    accounted = Accounted(german)
    accounted.take_in()
    german.commands.actions["keys"].trigger()
    sheet = german.window.findChild(KeySheet)
    assert {text for _name, text in shown_texts(sheet) if not accounted.for_(text)} == set()
    sheet.close()
    german.commands.actions["settings"].trigger()
    dialog = german.commands.view.settings
    accounted.take("English Deutsch DuckDuckGo Google Bing Wikipedia Tagesziel")  # the label of the goal has a colon
    assert {text for _name, text in shown_texts(dialog) if not accounted.for_(text)} == set()
    dialog.accept()


def test_keys_are_called_as_they_are_printed_there(german):
    texts = [action.text() for action in german.commands.actions.values()]
    assert "Bündel einlesen …" in texts
    press("Ctrl+K")
    lines = {line.id: line.end for line in german.window.parts["palette"].model.rows}
    assert lines["sample"] == "Strg Umschalt O"
    part(german, "palette").reject()
