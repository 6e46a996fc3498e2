"""Earlier comments and pages, and text blocks, offered under the field in which one types.

Nothing is changed until a row is accepted: by Tab, by a click, or by Enter after an arrow key has chosen it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, SignalInstance
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from shiboken6 import isValid

from desktop_rater.model.edit import answers_at
from desktop_rater.ui.rating.form.typed_questions import FieldEdit, GrowingTextEdit
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import announce
from desktop_rater.ui.widgets.banners import LEAST_WIDTH, place_under
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.work.rating.recent_texts import (
    RecentTexts,
    UsedPage,
    matching_comments,
    matching_pages,
    merged,
    recent_texts,
    texts_of_ratings,
)

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
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

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

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
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
            return [Offer(page.url, name=page.title) for page in pages][:MAX_OFFERS]
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

    def _pages(self) -> list[UsedPage]:
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
