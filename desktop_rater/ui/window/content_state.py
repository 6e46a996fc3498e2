"""State of a window for the user: kept while its content is replaced behind the same frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.rating.savers import cursor_of, put_cursor
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.screens import Screens

Field = QLineEdit | QPlainTextEdit
WidgetKey = tuple[str, int]  # object name, and the number among the widgets of that name
LOAD_TIMEOUT_MS = 10_000
SETTLING_ROUNDS = 5


@dataclass(frozen=True)
class ContentState:
    """The screen, the page, typed texts, scrolled places and the focus; the open task is remembered in the store."""

    screen: str
    page: str  # its URL
    had_task: bool
    focus: WidgetKey | None
    texts: dict[WidgetKey, tuple[str, int]]
    places: dict[WidgetKey, int]

    @classmethod
    def of(cls, window: MainWindow, screens: Screens, session: Session, browsing: PageBrowser) -> ContentState:
        focus = window.focusWidget()
        texts, places, found = {}, {}, None
        for key, widget in _named_widgets(window):
            if widget is focus:
                found = key
            if isinstance(widget, Field) and not widget.isReadOnly():
                if window.form_pane.isAncestorOf(widget):
                    continue  # answers are in the store, and belong to their rater
                texts[key] = _text_of(widget), cursor_of(widget)
            elif isinstance(widget, QAbstractScrollArea) and widget.verticalScrollBar().value():
                places[key] = widget.verticalScrollBar().value()
        page = browsing.page.url if browsing.is_open and browsing.page is not None else ""
        return cls(screens.name, page, session.task is not None, found, texts, places)

    def restore(self, window: MainWindow, screens: Screens, desk: TaskLoader, browsing: PageBrowser) -> None:
        """Wait until the task is open again, and restore the state. Typed keys wait as well."""
        arrived: list[object] = []
        for signal in (desk.settled, desk.rater_wanted, desk.all_done):
            signal.connect(lambda: arrived.append(True))
        deadline = QDeadlineTimer(LOAD_TIMEOUT_MS)
        while not (arrived or (window.rating_widget.currentIndex() > 0 and not self.had_task) or deadline.hasExpired()):
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 50)
        screens.go(self.screen)
        if self.page:
            browsing.open_stored(self.page)
        while browsing.is_loading and not deadline.hasExpired():  # a page takes the focus when it is shown
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 50)
        for _ in range(SETTLING_ROUNDS):  # layouts, and texts that are filled after the first layout
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        widgets = dict(_named_widgets(window))
        for key, (text, cursor) in self.texts.items():
            widget = widgets.get(key)
            if isinstance(widget, Field):
                _put_text(widget, text)
                put_cursor(widget, cursor)
        for key, place in self.places.items():
            widget = widgets.get(key)
            if isinstance(widget, QAbstractScrollArea):
                widget.verticalScrollBar().setValue(place)
        focused = widgets.get(self.focus) if self.focus is not None else None
        if focused is not None:
            focused.setFocus()


def _named_widgets(window: QWidget) -> Iterator[tuple[WidgetKey, QWidget]]:
    """Yield the visible widgets of a window that have a name, not those of its dialogs."""
    numbers: Counter[str] = Counter()
    for widget in window.findChildren(QWidget):
        name = widget.objectName()
        if name and widget.window() is window and widget.isVisible():
            numbers[name] += 1
            yield (name, numbers[name]), widget


def _text_of(field: Field) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def _put_text(field: Field, text: str) -> None:
    if _text_of(field) == text:
        return
    if isinstance(field, QLineEdit):
        field.clear()
        field.insert(text)  # counts as typed, unlike `setText`: filters follow
    else:
        field.setPlainText(text)
