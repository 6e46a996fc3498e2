"""A zoom step and a long text cost what they show: counted in events, selections and laid-out paragraphs."""

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFont, QTextDocument
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop_rater.format.rubric import Choice, Question
from desktop_rater.format.task import Target
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.text_document import height_up_to
from desktop_rater.ui.widgets.text_view import TextView

PARAGRAPH = "A paragraph of a long response, which takes about one line of the view.\n"


class StyleChanges(QObject):
    """Counter of the style changes of each widget."""

    def __init__(self):
        super().__init__()
        self.counts = Counter()

    def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.StyleChange:
            self.counts[watched] += 1
        return False


@pytest.fixture
def light(qapp):
    theme.apply(qapp, theme.Look("light", "normal"))
    yield
    theme.apply(qapp, theme.Look("light", "normal"))


def lay_out():
    """Process events until the parts of the window have taken their sizes."""
    for _ in range(6):
        QApplication.processEvents()


def test_a_zoom_step_polishes_a_widget_once(room, rooms, qapp, light):
    changes = StyleChanges()
    qapp.installEventFilter(changes)
    theme.apply(qapp, theme.Look("light", "normal", zoom=120))
    qapp.removeEventFilter(changes)
    widgets = room.window.findChildren(QWidget)
    counts = [changes.counts[widget] for widget in widgets if changes.counts[widget]]
    assert set(counts) == {1}, "a whole style sheet polishes a widget once for each of its ancestors"
    assert len(counts) < len(widgets) / 2


def test_a_step_looks_like_a_whole_style_sheet(room, rooms, qapp, light):
    panes = [room.window.form_pane, room.window.text_pane]
    for zoom in (150, 120):
        theme.apply(qapp, theme.Look("light", "normal", zoom=zoom))
        lay_out()
    stepped = [pane.grab().toImage() for pane in panes]
    qapp.setStyleSheet(f"{qapp.styleSheet()} ")
    lay_out()
    assert stepped == [pane.grab().toImage() for pane in panes]


def test_widgets_that_were_deleted_after_a_step_are_forgotten(qtbot, qapp, light):
    parent = QWidget()
    qtbot.addWidget(parent)
    fields = [QLineEdit(parent) for _ in range(20)]
    parent.show()
    theme.apply(qapp, theme.Look("light", "normal", zoom=110))
    for field in fields:
        field.setParent(None)
        field.deleteLater()
    del fields
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.apply(qapp, theme.Look("dark", "normal", zoom=110))
    later = QLineEdit(parent)
    later.show()
    assert later.palette().color(later.backgroundRole()) is not None


def test_a_hidden_text_is_laid_out_when_it_is_next_shown(qtbot, qapp, light):
    window = QWidget()
    qtbot.addWidget(window)
    view = TextView("view", window)
    view.show_text("A text of a hidden pane.")
    view.hide()
    window.show()
    before = view.document()
    theme.apply(qapp, theme.Look("light", "normal", zoom=200))
    assert view.document() is before
    view.show()
    assert view.document().defaultFont().pixelSize() == theme.reading_px() == 30


def test_only_words_near_the_view_are_coloured(qtbot):
    text = PARAGRAPH * 300
    targets = [
        Target(id=f"s{number}", response="a", start=start, end=start + len(PARAGRAPH) - 1)
        for number, start in enumerate(range(0, len(text), len(PARAGRAPH)))
    ]
    view = ResponseView("view")
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    view.show_response(text, targets)
    choice = Choice(id="no", label="No", tone="not factual")
    no_fact = TargetState("label", (Question(id="factual", per="target", ask="Is it a fact?", kind="choice"), choice))
    view.show_states({target.id: no_fact for target in targets}, "s0")
    view.grab()
    assert 0 < len(view.extraSelections()) < 60
    view.show_states({target.id: no_fact for target in targets}, "s299")
    view.grab()
    selections = view.extraSelections()
    assert 0 < len(selections) < 60
    assert max(selection.cursor.selectionEnd() for selection in selections) > len(text) - 2 * len(PARAGRAPH)


@pytest.mark.parametrize("last", ["", "<table><tr><td>a</td><td>b</td></tr></table>"], ids=["text", "table"])
def test_the_height_of_a_long_text_is_not_laid_out_to_its_end(qapp, last):
    short = QTextDocument()
    short.setHtml(f"<p>One line.</p>{last}")
    short.setDefaultFont(QFont(qapp.font()))
    assert height_up_to(short, 500) == short.size().height() < 500
    long = QTextDocument()
    long.setTextWidth(600)
    long.setPlainText(PARAGRAPH * 2_000)
    assert height_up_to(long, 500) == 500
    assert not long.lastBlock().layout().lineCount()
