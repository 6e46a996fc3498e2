"""Help for text fields: earlier texts that continue one, spelling, and blocks of text."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, SignalInstance
from PySide6.QtGui import (
    QColor,
    QInputMethodEvent,
    QKeyEvent,
    QShortcut,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QMenu, QPlainTextEdit, QWidget
from shiboken6 import isValid

from desktop_rater.format.change import Progress
from desktop_rater.format.edit import answers_at
from desktop_rater.format.page import PageLink
from desktop_rater.operations.rating.history import (
    RecentTexts,
    matching_comments,
    matching_pages,
    merged,
    recent_texts,
    texts_of_ratings,
)
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.text.spelling import dictionary_tag, spelled_words
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import LEAST_WIDTH, place_under
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import FieldEdit, GrowingTextEdit, LineField
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, name_widget, select_range, visible
from desktop_rater.ui.widgets.layouts import announce, fill, tight_column
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences

MAX_OFFERS, LEAST_TYPED = 6, 2
BLOCK_SIGN = ";"  # before the name of a text block


class Offer(NamedTuple):
    """A text that replaces the last `typed` characters before the cursor; all of the field if that is negative."""

    text: str
    typed: int = -1
    name: str = ""


class OfferList(RowList):
    """The list under a field. It never has the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__("offers", two_lines=False, marks=False, parent=window)
        self.setAccessibleName(self.tr("Used before"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows = ListRowModel(self)
        self.setModel(self.rows)
        self.hide()

    def show_under(self, field: QWidget, offers: list[Offer]) -> None:
        """Show the offers, none of them chosen, under a field or above it."""
        key = self.tr("Tab takes the first")
        self.rows.show(
            [
                ListRow(number, " ".join(offer.text.split())[:300], end=offer.name or ("" if number else key))
                for number, offer in enumerate(offers)
            ]
        )
        self.setCurrentIndex(QModelIndex())
        self.fit_rows(MAX_OFFERS)
        self.place_under(field)
        self.show()

    def place_under(self, field: QWidget) -> None:
        self.resize(min(max(field.width(), theme.px(LEAST_WIDTH)), self.window().width()), self.height())
        place_under(self, field)


class WritingOffers(QObject):
    """Offers texts in comment fields and addresses: of this rater in this bundle, and the rater's own text blocks."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        perform: WorkRunner,
        rater: str,
        blocks: Callable[[], dict[str, str]],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._perform = window, session, perform
        self._rater, self._blocks = rater, blocks
        self._recent = RecentTexts()
        self._bundle = ""  # whose texts they are
        self._length = 0  # of the text in the field
        self._is_commit = False  # an input method is about to put a word into the field
        self._offers: list[Offer] = []
        self._field: GrowingTextEdit | FieldEdit | LineField | None = None
        self._list: OfferList | None = None
        session.leaving.connect(self._keep_texts)
        QApplication.instance().focusChanged.connect(self.follow_focus)  # ty: ignore[missing-attribute]

    def _keep_texts(self) -> None:
        """Keep the texts of the task that is left."""
        if self._session.bundle == self._bundle:
            self._recent = merged(self._here(), self._recent)

    def _read(self) -> None:
        """Read the earlier texts of the bundle in the read queue when one first writes in it."""
        bundle = self._session.bundle
        if bundle == self._bundle:
            return
        self._bundle, self._recent = bundle, RecentTexts()

        def keep(texts: RecentTexts) -> None:
            if self._bundle == bundle:
                self._recent = merged(self._recent, texts)

        self._perform.ask(recent_texts, bundle, self._rater, self._questions(), done=keep)

    def _questions(self) -> frozenset[str]:
        rubric = self._session.rubric
        questions = rubric.file.questions if rubric is not None else ()
        return frozenset(question.id for question in questions if question.kind == "text")

    def follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is self._field:
            return
        if self._field is not None and isValid(self._field):
            self._field.removeEventFilter(self)
            self._typed_signal(self._field).disconnect(self._typed)
        self._hide()
        self._field = None
        fits = isinstance(new, GrowingTextEdit | FieldEdit | LineField) and new.property("offers")
        if fits and self._session.task is not None and self._window.rating_widget.isAncestorOf(new):
            self._field = new
            new.installEventFilter(self)
            self._typed_signal(new).connect(self._typed)
            self._read()
            self._length = len(new.text())

    def _typed_signal(self, field: GrowingTextEdit | FieldEdit | LineField) -> SignalInstance:
        return field.typed if isinstance(field, GrowingTextEdit) else field.textEdited

    def _typed(self, text: str) -> None:
        """Offer texts after a key; not after a paste, which is what the rater wants to say."""
        grown, self._length = len(text) - self._length, len(text)
        committed, self._is_commit = self._is_commit, False
        typed = (self._before_cursor() or "") if grown <= 1 or committed else ""
        asks = len(typed.strip()) >= LEAST_TYPED or self._block_name(typed)
        self._show(self._matches(typed) if asks else [])

    def _before_cursor(self) -> str | None:
        """Return the text before the cursor; `None` if there is text after it, which an offer would replace."""
        field = self._field
        if isinstance(field, GrowingTextEdit):
            text, position = field.toPlainText(), field.textCursor().position()
            whole = field.textCursor().atEnd()
            return text if whole else text[:position] if self._block_name(text[:position]) else None
        return field.text() if field is not None else None

    def _block_name(self, typed: str) -> str:
        """Return the name of a text block before the cursor, with its sign."""
        words = typed.split()
        word = words[-1] if words and not typed[-1:].isspace() else ""
        return word if word.startswith(BLOCK_SIGN) else ""

    def _matches(self, typed: str) -> list[Offer]:
        field = self._field
        if field is None or field.property("offers") == "page":
            pages = matching_pages(self._pages(), typed)
            return [Offer(page.url, name=page.text) for page in pages][:MAX_OFFERS]
        name = self._block_name(typed)
        if name:
            wanted = name[len(BLOCK_SIGN) :].casefold()
            blocks = [item for item in sorted(self._blocks().items()) if item[0].casefold().startswith(wanted)]
            return [Offer(text, len(name), BLOCK_SIGN + word) for word, text in blocks][:MAX_OFFERS]
        is_comment = field.property("offers") == "comment"
        texts = self._comments() if is_comment else merged(self._here(), self._recent).reasons
        return [Offer(text) for text in matching_comments(texts, typed)][:MAX_OFFERS]

    def _here(self) -> RecentTexts:
        rating = self._session.current_rating if self._session.task is not None else None
        return texts_of_ratings((rating,), self._questions()) if rating is not None else RecentTexts()

    def _comments(self) -> list[str]:
        own = set(map(str, answers_at(self._session.current_rating, self._session.place).values()))
        return [text for text in merged(self._here(), self._recent).comments if text not in own]

    def _pages(self) -> list[PageLink]:
        own = {piece.url for piece in self._session.evidence_here}
        return [page for page in merged(self._here(), self._recent).pages if page.url not in own]

    def _show(self, offers: list[Offer]) -> None:
        self._offers = offers
        if not offers or self._field is None:
            self._hide()
            return
        if self._list is None:
            self._list = OfferList(self._window)
            self._list.clicked.connect(lambda index: self._accept(index.row()))
        self._list.show_under(self._field, offers)
        announce(self._field, self.tr("Offered, Tab takes it: {text}").format(text=visible(offers[0].text)))

    def _hide(self) -> None:
        if self._list is not None:
            self._list.hide()

    def _accept(self, row: int) -> None:
        """Put an offered text into the field, as if it were typed: the field's own undo takes it back."""
        field, offer = self._field, self._offers[row]
        if isinstance(field, QPlainTextEdit):
            cursor = field.textCursor()
            if offer.typed < 0:
                cursor.select(QTextCursor.SelectionType.Document)
            else:
                cursor.setPosition(cursor.position() - offer.typed, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(offer.text)
            field.setTextCursor(cursor)
        elif field is not None:
            field.selectAll()
            field.insert(offer.text)
        self._hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Tab, Enter, Esc and the arrows while offers are shown."""
        shown = self._list is not None and self._list.isVisible()
        if watched is self._field and event.type() == QEvent.Type.Resize and self._list is not None and self._field:
            self._list.place_under(self._field)
        if watched is self._field and isinstance(event, QInputMethodEvent):
            self._is_commit = bool(event.commitString())
            if event.preeditString():
                self._hide()  # the input method shows its own list there
        is_key = watched is self._field and isinstance(event, QKeyEvent)
        if not is_key or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if not shown:
            asks = event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down
            if asks and self._before_cursor() == "":
                self._show(self._matches(""))
                return bool(self._offers)
            return False
        return self._handle(event)

    def _handle(self, event: QKeyEvent) -> bool:
        assert self._list is not None
        row, key = self._list.currentIndex().row(), event.key()
        enters = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and row >= 0
        if key not in {Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Up} and not enters:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            if key == Qt.Key.Key_Escape:
                self._hide()
            elif enters or key == Qt.Key.Key_Tab:
                self._accept(max(0, row))
            else:
                self._list.select_row((row + (1 if key == Qt.Key.Key_Down else -1)) % len(self._offers))
        return event.type() in {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress}


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

    def __init__(self, edit: GrowingTextEdit, spelling: "SpellingHelp") -> None:
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
        QApplication.instance().focusChanged.connect(self.follow_focus)  # ty: ignore[missing-attribute]
        preferences.changed.connect(self._setting_changed)

    def knows(self, word: str) -> bool:
        """Return whether a word is known, or can't be checked."""
        if self._dictionary is None or word.casefold() in self._own_words:
            return True
        return self._dictionary.check(word)

    @property
    def _own_words(self) -> dict[str, str]:
        return self._preferences.now.own_words

    def follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
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
        select_range(QTextCursor(edit.document()), start, start + length).insertText(text)

    def _add_word(self, word: str, _checked: bool = False) -> None:
        self._preferences.set("own_words", {**self._own_words, word.casefold(): ""})


WIDTH, HEIGHT = 560, 460


def edit_text_blocks(window: QWidget, preferences: Preferences) -> None:
    """Open the dialog over a window."""
    dialog = TextBlocksDialog(window, preferences)
    dialog.finished.connect(dialog.deleteLater)
    dialog.ask()


class TextBlocksDialog(WindowDialog):
    """The blocks in a list, and the fields of the one that is added or changed. Changes apply at once."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window, "text_blocks", self.tr("Text blocks"))
        self._preferences = preferences
        hint = self.tr("In a comment, type ; and the name, then Tab: the text takes its place.")
        column = tight_column(self, WrappedLabel(hint, ink="text2"), spacing=theme.px(8))
        theme.pad(column, 24, 16, 24, 12)
        self.list = RowList("text_block_list", two_lines=True, marks=False, label=self.tr("Text blocks"))
        self.rows = ListRowModel(self)
        self.list.setModel(self.rows)
        self.list.selectionModel().currentChanged.connect(self._show_block)
        fill(column, (self.list, 1), self._make_fields(), self._make_foot())
        QShortcut("Del", self.list, self.remove)
        self._refresh()

    def _make_fields(self) -> QGridLayout:
        grid = QGridLayout()
        self.name, self.text = FieldEdit(), GrowingTextEdit()
        for row, (field, name, label) in enumerate(
            ((self.name, "block_name", self.tr("Name")), (self.text, "block_text", self.tr("Text")))
        ):
            name_widget(field, name, visible(label))
            grid.addWidget(PlainLabel(label, ink="text2"), row, 0)
            grid.addWidget(field, row, 1)
        self.name.textChanged.connect(self._show_state)
        self.text.textChanged.connect(self._show_state)
        return grid

    def _make_foot(self) -> QHBoxLayout:
        self._remove = KeyButton(self.tr("Remove"), "Del", name="block_remove", clicked=self.remove)
        self._keep = KeyButton(self.tr("Keep"), "Ctrl Enter", primary=True, name="block_keep", clicked=self.keep)
        close = KeyButton(self.tr("Close"), "Esc", name="block_close", clicked=self.accept)
        for key in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(key, self, self.keep)
        return fill(QHBoxLayout(), self._remove, 1, close, self._keep)

    @property
    def _entry(self) -> tuple[str, str]:
        """Return name and text as typed; a name is one word, without its sign."""
        return "".join(self.name.text().split()).lstrip(";"), self.text.text().strip()

    def ask(self) -> None:
        self.open_with(WIDTH, HEIGHT)
        self.name.setFocus()

    def keep(self) -> None:
        """Add the block, or replace the text of the one with this name."""
        name, text = self._entry
        if not self._keep.isEnabled():
            return
        self._preferences.set("text_blocks", {**self._preferences.now.text_blocks, name: text})
        self.name.show_text("")
        self.text.show_text("")
        self._refresh()
        self.name.setFocus()

    def remove(self) -> None:
        """Remove the block with the name in the field."""
        blocks = dict(self._preferences.now.text_blocks)
        if blocks.pop(self._entry[0], None) is not None:
            self._preferences.set("text_blocks", blocks)
            self._refresh()

    def _refresh(self) -> None:
        blocks = sorted(self._preferences.now.text_blocks.items())
        self.rows.show([ListRow(name, f";{name}", detail=" ".join(text.split())[:300]) for name, text in blocks])
        self._show_state()

    def _show_block(self, index: QModelIndex) -> None:
        if index.isValid():
            name = index.data(LIST_ROW_ROLE).id
            self.name.show_text(name)
            self.text.show_text(self._preferences.now.text_blocks[name])
            self._show_state()

    def _show_state(self) -> None:
        name, text = self._entry
        blocks = self._preferences.now.text_blocks
        setting = {**blocks, name: text}
        self._keep.setEnabled(bool(name and text) and SETTINGS_BY_ID["text_blocks"].accepts(setting))
        self._remove.setEnabled(name in blocks)


class WritingCommands(QObject):
    """Connect the comment fields of a window with what helps to fill them."""

    def __init__(
        self, window: MainWindow, session: Session, perform: WorkRunner, preferences: Preferences, rater: str
    ) -> None:
        super().__init__(window)
        self._window, self._preferences = window, preferences
        self.offers = WritingOffers(window, session, perform, rater, lambda: preferences.now.text_blocks)
        self.spelling = SpellingHelp(window, session, perform, preferences)
        QApplication.instance().focusChanged.connect(self.follow_focus)  # ty: ignore[missing-attribute]
        for part in (self.offers, self.spelling, self):  # a field that has the focus already
            part.follow_focus(None, QApplication.focusWidget())

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"text_blocks": self.edit_blocks}

    def edit_blocks(self) -> None:
        edit_text_blocks(self._window, self._preferences)

    def follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Give a comment field the menu when it has the focus for the first time."""
        custom = Qt.ContextMenuPolicy.CustomContextMenu
        if not isinstance(new, GrowingTextEdit) or not new.property("offers") or new.contextMenuPolicy() == custom:
            return
        if new.window() is self._window:
            new.setContextMenuPolicy(custom)
            new.customContextMenuRequested.connect(lambda point: self.show_menu(new, point))

    def show_menu(self, edit: GrowingTextEdit, point: QPoint) -> None:
        """Show the field's usual menu with suggestions for an unknown word above, and text blocks below."""
        menu = edit.createStandardContextMenu()
        menu.setObjectName("comment_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.spelling.add_to_menu(menu, edit, point)
        menu.addSeparator()
        blocks = menu.addMenu(self.tr("Text blocks"))
        for name, text in sorted(self._preferences.now.text_blocks.items()):
            action = blocks.addAction(visible(BLOCK_SIGN + name).replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, text=text: edit.insertPlainText(text))
        blocks.addSeparator()
        blocks.addAction(self.tr("Edit…")).triggered.connect(self.edit_blocks)
        menu.popup(edit.viewport().mapToGlobal(point))
