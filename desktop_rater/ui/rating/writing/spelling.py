"""Spell check in comments, by the dictionaries of the system; without its library nothing is offered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.text.spelling import dictionary_tag, spelled_words
from desktop_rater.ui.rating.form.typed_questions import GrowingTextEdit
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.preferences import Preferences

if TYPE_CHECKING:
    from desktop_rater.model.change import Progress

MAX_SUGGESTIONS, MAX_TEXT_LENGTH = 5, 20_000
OFF, BY_TASK = "off", "task"


def load_dictionary(language: str, _progress: Progress) -> Any:
    """Load the system's dictionary of a language; `None` if there is none, or not the library."""
    try:
        import enchant  # noqa: PLC0415 - only when one writes
    except ImportError:  # its C library is missing
        return None
    broker = enchant.Broker()
    tag = dictionary_tag(language, broker.list_languages())
    return broker.request_dict(tag) if tag else None


class SpellingMarks(QSyntaxHighlighter):
    """Underlines unknown words of one field, but not the word that is being typed."""

    def __init__(self, edit: GrowingTextEdit, spelling: SpellingHelp) -> None:
        super().__init__(edit.document())
        self._edit, self._spelling = edit, spelling
        self._block = -1
        edit.cursorPositionChanged.connect(self._cursor_moved)

    def _cursor_moved(self) -> None:
        """Check the line again that the cursor is in, and the one that it has left."""
        block = self._edit.textCursor().block()
        for number in {block.blockNumber(), self._block}:
            self.rehighlightBlock(self._edit.document().findBlockByNumber(number))
        self._block = block.blockNumber()

    def highlightBlock(self, text: str) -> None:
        cursor = self._edit.textCursor()
        here = cursor.positionInBlock() if self._edit.hasFocus() and cursor.block() == self.currentBlock() else -1
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        form.setUnderlineColor(QColor(theme.color(self._edit, "block")))
        for start, length, word in shown_words(text):
            if start + length != here and not self._spelling.knows(word):
                self.setFormat(start, length, form)


def shown_words(text: str) -> list[tuple[int, int, str]]:
    """Return the words to check with offset and length in the units of Qt."""
    if len(text) > MAX_TEXT_LENGTH:
        return []
    units = WidgetTextMap(text)
    words = []
    for start, word in spelled_words(text):
        first, last = units.shown_span(start, start + len(word))
        words.append((first, last - first, word))
    return words


class SpellingHelp(QObject):
    """Checks the comment fields in which one writes, in the language of the task or of the settings."""

    def __init__(self, window: QWidget, session: Session, perform: WorkRunner, preferences: Preferences) -> None:
        super().__init__(window)
        self._window, self._session, self._perform, self._preferences = window, session, perform, preferences
        self._language = ""
        self._dictionary: Any = None
        self._marks: dict[GrowingTextEdit, SpellingMarks] = {}
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        preferences.changed.connect(self._setting_changed)

    def knows(self, word: str) -> bool:
        """Return whether a word is known, or can't be checked."""
        if self._dictionary is None or word.casefold() in self._own_words:
            return True
        return self._dictionary.check(word)

    @property
    def _own_words(self) -> dict[str, str]:
        return self._preferences.now.own_words

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, GrowingTextEdit) and new.property("offers") and new.window() is self._window:
            self._load()
            if new not in self._marks:
                self._marks[new] = SpellingMarks(new, self)
                new.destroyed.connect(lambda _gone=None: self._marks.pop(new, None))

    def _load(self) -> None:
        """Load the dictionary of the current language in the background, unless it is loaded."""
        wanted = self._preferences.now.spelling
        if wanted == BY_TASK:
            task = self._session.task
            wanted = (task.prompt.lang if task is not None else "") or formatting.current_language()
        if wanted == self._language:
            return
        self._language, self._dictionary = wanted, None

        def use(dictionary: Any) -> None:
            if self._language == wanted:
                self._dictionary = dictionary
                self._check_again()

        if wanted == OFF:
            self._check_again()
        else:
            self._perform.fetch(partial(load_dictionary, wanted), done=use)

    def _check_again(self) -> None:
        for marks in self._marks.values():
            marks.rehighlight()

    def _setting_changed(self, name: str) -> None:
        if name == "spelling":
            self._load()
        elif name == "own_words":
            self._check_again()

    def add_to_menu(self, menu: QMenu, edit: GrowingTextEdit, point: QPoint) -> None:
        """Add suggestions for the unknown word at a point, and the way to make it known, to the top of a menu."""
        cursor = edit.cursorForPosition(point)
        block, at = cursor.block(), cursor.positionInBlock()
        words = shown_words(block.text())
        hit = next((item for item in words if item[0] <= at <= item[0] + item[1] and not self.knows(item[2])), None)
        if hit is None or edit.isReadOnly():
            return
        first = menu.actions()[0]
        start, length, word = hit
        for suggestion in self._dictionary.suggest(word)[:MAX_SUGGESTIONS]:
            action = menu.addAction(suggestion.replace("&", "&&"))
            action.triggered.connect(partial(self._replace, edit, block.position() + start, length, suggestion))
            menu.insertAction(first, action)
        add = menu.addAction(self.tr("Add to my words"))
        add.triggered.connect(partial(self._add_word, word))
        menu.insertAction(first, add)
        menu.insertSeparator(first)

    def _replace(self, edit: GrowingTextEdit, start: int, length: int, text: str, _checked: bool = False) -> None:
        cursor = QTextCursor(edit.document())
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)

    def _add_word(self, word: str, _checked: bool = False) -> None:
        self._preferences.set("own_words", {**self._own_words, word.casefold(): ""})
