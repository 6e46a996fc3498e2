"""The whole sample of each rubric by mouse alone, and by keyboard alone, in a window as large as a small laptop.

The sample of sentences by keyboard, with all its evidence, is in `test_sample_by_keyboard`.
"""

from abc import ABC, abstractmethod

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit

from tests.ui.mouse import Mouse
from tests.ui.rooms import Text, part, press, press_and_settle, settle, type_text

LAPTOP = 1366, 730
MOST_MOVES = 400
# What somebody in a hurry says of everything, by question; of any other question the first choice.
ANSWERS = {"factual": 1, "tool_needed_and_failed": 1, "fulfilment": 2, "groundedness": 2, "preference": 3}


class Rater(ABC):
    """Answers what is open, reads what is linked, and goes on. How it is done with the hand is left to each hand."""

    def __init__(self, rooms):
        self.rooms = rooms
        self.room = rooms.empty()
        self.room.window.resize(*LAPTOP)
        self.session = self.room.session

    @abstractmethod
    def ask_for_sample(self, name): ...
    @abstractmethod
    def read_links(self): ...
    @abstractmethod
    def count_as_opened(self): ...
    @abstractmethod
    def answer(self, question): ...
    @abstractmethod
    def go_on(self): ...
    @abstractmethod
    def ask_for_export(self): ...

    def open_sample(self, name):
        self.ask_for_sample(name)
        self.rooms.wait_for_task(self.room)
        self.rooms.qtbot.waitUntil(lambda: not self.room.transfer.is_running)
        settle()

    def state(self):
        """Where the rater is, what is open there, and whether all is done."""
        open_here = [one.question.id for one in self.session.form_questions if one.open]
        task = self.session.task and self.session.task.id
        return task, self.session.place, open_here, self.room.window.banners.text("all_done")

    def rate_all(self):
        read = None
        for _ in range(MOST_MOVES):
            if self.room.window.banners.text("all_done") is not None:
                return
            if self.session.task is not read:
                read = self.session.task
                self.read_links()
            before = self.state()
            open_here = [one for one in self.session.form_questions if one.open]
            if open_here:
                self.answer(open_here[0].question)
            else:
                self.go_on()
            self.rooms.qtbot.waitUntil(lambda before=before: self.state() != before)
        raise AssertionError(f"not finished: {self.session.task.id}, {self.session.place}")

    def row(self, question):
        rows = self.room.window.findChildren(object, f"question_{question.id}")
        return next(row for row in rows if row.isVisible())

    def choice(self, question):
        """The button of the choice that is given."""
        row = self.row(question)
        buttons = [one for one in row.findChildren(QAbstractButton) if one.isVisible() and hasattr(one, "key")]
        return buttons[ANSWERS.get(question.id, 0)]

    def settle_page(self, url):
        """Wait for the page of a link; where there is no network and no copy of it, say so."""
        self.rooms.wait_for_page(self.room, url)
        settle()
        if not self.room.browsing.page.shows:
            self.count_as_opened()

    def export(self):
        self.rooms.files.to_write = self.rooms.folder / "results.zip"
        self.ask_for_export()
        self.rooms.qtbot.waitUntil(self.rooms.files.to_write.exists)


class MouseRater(Rater):
    def __init__(self, rooms):
        super().__init__(rooms)
        self.mouse = Mouse(self.room, rooms.qtbot)

    def ask_for_sample(self, name):
        self.mouse.menu("File", f"Open the sample of {name}")

    def answer(self, question):
        if question.kind == "text":
            self.mouse.click(self.row(question).findChild(QPlainTextEdit).viewport())
            type_text("Both say so.")
        else:
            self.mouse.click(self.choice(question))

    def read_links(self):
        for pane in self.room.window.text_pane.panes:
            for start, url in links_of(pane.view.document()) if pane.isVisible() else ():
                self.mouse.click_text(pane.view, start + 1)
                self.settle_page(url)
                self.mouse.click(part(self.room, "close_preview"))

    def count_as_opened(self):
        self.mouse.press("Count as opened")

    def take_evidence(self):
        """Judge the second target by a page: click a link, a sentence there, and what it says."""
        self.mouse.press("Next, J")
        self.mouse.press("Yes, Y")
        pane = self.room.window.text_pane.panes[0]
        for start, url in links_of(pane.view.document()):
            self.mouse.click_text(pane.view, start + 1)
            self.settle_page(url)
            if self.room.browsing.page.shows:  # its page comes with the sample
                break
        self.mouse.click_text(self.room.window.preview.reader, 200)
        self.mouse.press("Supports", part(self.room, "take_bar"))
        assert self.session.evidence[0].quote
        self.mouse.click(part(self.room, "close_preview"))
        self.mouse.press("Previous, K")

    def go_on(self):
        self.mouse.click(part(self.room, "go_on"))
        settle()

    def ask_for_export(self):
        self.mouse.press("Export results", self.room.window.banners)


class KeyboardRater(Rater):
    def ask_for_sample(self, name):
        press("Ctrl+K", Text(f"Open the sample of {name}"), "Return")

    def answer(self, question):
        if question.kind == "text":
            press("W", Text("Both say so."), "Esc")
        else:
            button = self.choice(question)
            press(button.key or button.label)  # a step says its digit itself

    def read_links(self):
        panes = [pane for pane in self.room.window.text_pane.panes if pane.isVisible()]
        for url in dict.fromkeys(url for pane in panes for _start, url in links_of(pane.view.document())):
            press("Shift+O")
            self.settle_page(url)
            press("Esc")

    def count_as_opened(self):
        for _ in range(40):
            if getattr(QApplication.focusWidget(), "objectName", str)() == "count_as_opened":
                break
            press("Tab")
        press("Space")

    def go_on(self):
        press_and_settle("Return")

    def ask_for_export(self):
        press("Ctrl+Shift+E")


def links_of(document):
    """Yield the position and the address of each link of a document."""
    block = document.begin()
    while block.isValid():
        for piece in block:
            url = piece.fragment().charFormat().anchorHref()
            if url:
                yield piece.fragment().position(), url
        block = block.next()


def test_sentences_by_mouse_alone(rooms):
    rater = MouseRater(rooms)
    rater.open_sample("sentences")
    rater.mouse.press("End the guide")
    rater.take_evidence()
    rater.rate_all()
    rater.export()


@pytest.mark.parametrize("hand", [MouseRater, KeyboardRater])
@pytest.mark.parametrize("name", ["pairs", "scales"])
def test_it_is_rated_and_exported(rooms, hand, name):
    rater = hand(rooms)
    rater.open_sample(name)
    rater.rate_all()
    rater.export()
