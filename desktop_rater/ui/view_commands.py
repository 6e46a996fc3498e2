"""What the keys of the window itself do: finding actions and words, going round the panes, size, settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from desktop_rater.ui import actions
from desktop_rater.ui.comparing import Comparing
from desktop_rater.ui.find_bar import FindBar
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.guidelines import Guidelines
from desktop_rater.ui.keyboard.fallback import KeyFallback
from desktop_rater.ui.keyboard.keys import ANSWER_KEYS, normal, usable, use
from desktop_rater.ui.keyboard.sheet import KeySheet
from desktop_rater.ui.palette import Palette
from desktop_rater.ui.rooms import RATE, REPORT, REVIEW
from desktop_rater.ui.settings_dialog import SettingsDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.rooms import Rooms
    from desktop_rater.ui.session import Session


class ViewCommands(QObject):
    """Knows the window and the settings; what is rated it leaves to `Commands`."""

    def __init__(self, window: MainWindow, session: Session, preferences: Preferences, rooms: Rooms) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self.preferences = preferences
        self._rooms = rooms
        self._actions: Mapping[str, QAction] = {}
        self._take_answer: Callable[[str], bool] = lambda _key: False
        self.palette: Palette | None = None
        self.find_bar = FindBar()
        window.text_pane.take_in(self.find_bar)
        window.preview.shut.connect(self._leave_page)
        self.comparing = Comparing(window.text_pane, session, preferences)
        self.settings = SettingsDialog(window, preferences, self._rubric_keys)
        preferences.changed.connect(self._set)
        rooms.rebound.connect(lambda: self._set("keys"))
        window.sizes.take(preferences.now.panes)
        window.sizes.kept.connect(lambda sizes: preferences.set("panes", sizes))

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {
            "palette": self.ask,
            "keys": self.show_keys,
            "find": self.find,
            "toggle_tasks": self._window.toggle_tasks,
            "settings": self.settings.ask,
            "zoom_in": lambda: self.preferences.step("zoom", 1),
            "zoom_out": lambda: self.preferences.step("zoom", -1),
            "zoom_reset": lambda: self.preferences.step("zoom", 0),
            "usual_panes": self._window.sizes.forget,
            "full_screen": self.toggle_full_screen,
            "context": self._window.text_pane.context_room.toggle,
            "next_citation": self._window.text_pane.citing.go_on,
            "room_rate": lambda: self._rooms.go(RATE),
            "room_review": lambda: self._rooms.go(REVIEW),
            "room_report": lambda: self._rooms.go(REPORT),
            "next_pane": lambda: self._go_round(1),
            "previous_pane": lambda: self._go_round(-1),
            **self.comparing.does(),
        }

    def bind(self, built: Mapping[str, QAction], take_answer: Callable[[str], bool]) -> None:
        """Give the actions their keys, and take the keys that no shortcut takes."""
        self._actions, self._take_answer = built, take_answer
        self.palette = Palette(self._window, built, lambda: self._rooms.shown)
        self._set("keys")
        self._window.winId()  # the window's handle is there from now on
        KeyFallback(self._window.windowHandle(), self.take)

    def take(self, key: str) -> bool:
        """Do what is bound to a key, and say whether something is."""
        wanted = normal(key)
        for action in self._actions.values():
            if wanted in [one.toString() for one in action.shortcuts()]:
                action.trigger()
                return True
        return wanted in ANSWER_KEYS and self._take_answer(wanted)

    def ask(self) -> None:
        """Open the palette."""
        if self.palette is not None:
            self.palette.ask()

    def show_keys(self) -> None:
        """Open the sheet of keys."""
        rubric = self._session.rubric if self._rooms.room.mode == RATE else None
        KeySheet(self._window, usable(self.preferences.now.keys), rubric, self._rooms.shown).open()

    def find(self) -> None:
        """Find in the text that has the focus, else in the response at hand."""
        focus = QApplication.focusWidget()
        guidelines = self._window.findChild(Guidelines)
        if guidelines is not None and focus is not None and guidelines.isAncestorOf(focus):
            guidelines.search.setFocus()  # they have a field of their own
            return
        view = self._text_at_hand()
        if view is not None:
            pane = self._window.preview if self._window.preview.isAncestorOf(view) else self._window.text_pane
            pane.take_in(self.find_bar)
            self.find_bar.look_in(view)

    def _leave_page(self) -> None:
        """What was looked for on the page goes with it."""
        if self._window.preview.isAncestorOf(self.find_bar):
            self.find_bar.hide()

    def toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _text_at_hand(self) -> QTextEdit | None:
        focus = QApplication.focusWidget()
        if isinstance(focus, QTextEdit) and focus.isReadOnly() and self._window.isAncestorOf(focus):
            return focus
        panes = self._window.text_pane.panes
        here = [pane for pane in panes if pane.response.id == self._session.place.response]
        return next((pane.view for pane in (*here, *panes)), None)

    def _go_round(self, by: int) -> None:
        panes = [pane for pane in self._rooms.room.panes() if pane.isVisible()]
        focus = QApplication.focusWidget()
        at = next(
            (i for i, one in enumerate(panes) if focus is not None and (one is focus or one.isAncestorOf(focus))), -1
        )
        if panes:
            panes[(at + by) % len(panes)].setFocus()

    def _rubric_keys(self) -> frozenset[str]:
        rubric = self._session.rubric
        questions = rubric.file.questions if rubric is not None else ()
        return frozenset(choice.key for question in questions for choice in question.choices if choice.key)

    def _set(self, name: str) -> None:
        if name == "keys" and self._actions:
            own = usable(self.preferences.now.keys)
            actions.set_keys(self._actions, own, self._rooms.shown)
            use(own, self._rooms.shown)
            for widget in self._window.findChildren(QWidget):  # a cap that changes its width moves its neighbours
                widget.updateGeometry()
                if isinstance(widget, ChoiceButton):
                    widget.say_key()
            self._window.update()
