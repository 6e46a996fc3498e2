"""Walks over all widgets that there are and says where a marked text is met, and whether it is met as it stands.

Every text property of every class is looked at, so a new kind of widget is not passed over: a property that nobody
here knows, and that holds a marked text, is a fault until somebody says how Qt shows it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    QUrl,
)
from PySide6.QtGui import QAction, QHelpEvent, QTextCursor, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QToolTip,
    QWidget,
)

from desktop_rater.ui.widgets.text_document import ReadDocument
from tests.ui.hostile_sample import PICTURE, TURNS, mark

MARKED = re.compile(r"<b>([^<]*)<u>")
HEAD, TAIL = mark("|").rstrip().removesuffix(TURNS).split("<b>|<u>")
SIGNS = (PICTURE, "<b>", "<u>", "&lt;b&gt;", "&lt;u&gt;")
MOST_ROWS = 300

# How Qt shows a property, by its name: as it stands, after a guess whether it is HTML, or with & as a mnemonic.
PLAIN = {"accessibleName", "accessibleDescription", "placeholderText", "displayText", "currentText", "statusTip"}
GUESSED = {"toolTip", "whatsThis", "text"}
MNEMONIC = {"text", "title"}
# The same text in other words: what a window is called is asked of the window system, a text of its document.
PASSED_OVER = {"html", "markdown", "plainText", "windowTitle", "windowIconText"}
DRAWN_BY_STYLE = ("QAbstractButton", "QMenu", "QGroupBox", "QDockWidget")
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
GUESSED_ROLES = {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.WhatsThisRole}


@dataclass(frozen=True)
class Met:
    """A marked text as somebody meets it: where, what, and what is wrong with how it is shown."""

    where: str
    text: str
    fault: str = ""
    rendered: bool = False  # Markdown says what an entity or a star in it means
    editable: bool = False  # what is typed over is what the file holds, to the character

    @property
    def fields(self) -> list[str]:
        """Whose texts are in it."""
        return MARKED.findall(self.text)

    @property
    def faults(self) -> list[str]:
        """Why it is not literally what the file holds."""
        found = [self.fault] if self.fault else []
        if TURNS in self.text and not self.editable:
            found.append("a character that turns the text round is shown as it stands")
        for one in MARKED.finditer(self.text):
            before, after = self.text[: one.start()], self.text[one.end() :]
            if not before.endswith(HEAD) or not (self.rendered or after.startswith(TAIL) or _is_cut(after)):
                found.append(f"{one[1]!r} is not shown as it stands")
        return [f"{self.where}: {one}: {self.text[:200]!r}" for one in found]


def _is_cut(after: str) -> bool:
    """Whether a text ends early, as a long title does."""
    rest = re.match(r"[^,…\n]*", after)
    return rest is not None and TAIL.startswith(rest[0].rstrip())


class Greedy(QTextDocument):
    """Notes what a text would have loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: list[str] = []

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 - Qt's name
        self.wanted.append(QUrl(name).toString())
        return None


def guessed(where: str, text: str) -> Met:
    """A text for which Qt guesses whether it is HTML, as it does for tooltips."""
    if not GuiQt.mightBeRichText(text):
        return Met(where, text)
    document = Greedy()
    document.setHtml(text)
    document.size()
    dressed = any(
        form.isImageFormat() or form.isAnchor() or form.fontWeight() > 500 or form.fontUnderline()
        for form in document.allFormats()
        if form.isCharFormat()
        for form in [form.toCharFormat()]
    )
    fault = "it is taken for HTML" if dressed or document.wanted else ""
    return Met(where, document.toPlainText().replace("\xa0", " "), fault)


def with_mnemonics(where: str, text: str) -> Met:
    """A text in which a single & underlines the letter behind it."""
    return Met(where, re.sub(r"&(.)", r"\1", text, flags=re.DOTALL))


def met_everywhere() -> Iterator[Met]:
    """What is met of marked texts on every widget, also on those that are hidden at the moment."""
    models = set()
    for widget in QApplication.allWidgets():
        yield from _properties(widget)
        yield from _ways_in(widget)
        yield from _texts(widget)
        for action in widget.actions():
            yield from _action(action)
        model = widget.model() if isinstance(widget, QAbstractItemView) else None
        if model is not None and model not in models:
            models.add(model)
            yield from rows(model, path(widget))
        if isinstance(widget, QTextEdit) and widget.isVisible():
            yield from _tips_of_links(widget)


def path(one: QObject) -> str:
    """A widget by its class and the names above it."""
    parent = one.parent()
    above = f"{path(parent)}/" if parent is not None and parent.objectName() else ""
    return f"{above}{one.metaObject().className()}#{one.objectName()}"


def is_marked(text: str) -> bool:
    """Whether something of a marked text is in it, however it was altered."""
    return any(sign in text for sign in SIGNS)


def _properties(widget: QWidget) -> Iterator[Met]:
    meta = widget.metaObject()
    for number in range(meta.propertyCount()):
        prop = meta.property(number)
        name = prop.name()
        text = str(prop.read(widget) or "") if prop.typeName() == "QString" and name not in PASSED_OVER else ""
        if not is_marked(text):
            continue
        where = f"{path(widget)}.{name}"
        if (
            name in {"text", "displayText", "selectedText"}
            and isinstance(widget, QLineEdit)
            and not widget.isReadOnly()
        ):
            yield Met(where, text, editable=True)
            continue
        if name in MNEMONIC and _drawn_by_style(widget):
            yield with_mnemonics(where, text)
        elif name in PLAIN or (name == "text" and not _is_guessed(widget)):
            yield Met(where, text)
        elif name in GUESSED:
            yield guessed(where, text)
        else:
            yield Met(where, text, "nobody knows how Qt shows this property")


def _drawn_by_style(widget: QWidget) -> bool:
    """Whether Qt's style writes the text; what paints itself writes it as it stands."""
    own = any("paintEvent" in vars(one) for one in type(widget).__mro__ if not one.__module__.startswith("PySide6"))
    return not own and any(widget.inherits(kind) for kind in DRAWN_BY_STYLE)


def _is_guessed(widget: QWidget) -> bool:
    return isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText


def _ways_in(widget: QWidget) -> Iterator[Met]:
    """What a widget would do with a text that is HTML, whatever it shows now."""
    if isinstance(widget, QLabel) and (widget.openExternalLinks() or widget.textFormat() == Qt.TextFormat.RichText):
        yield Met(path(widget), widget.text(), "it shows HTML")
    if isinstance(widget, QTextBrowser):
        yield Met(path(widget), "", "it follows links and loads files by itself")
    if isinstance(widget, QTextEdit) and widget.acceptRichText():
        yield Met(path(widget), "", "rich text can be pasted into it")
    if isinstance(widget, QAbstractButton) and is_marked(widget.text()) and not widget.shortcut().isEmpty():
        yield Met(path(widget), "", f"a text from outside made {widget.shortcut().toString()} a key of it")


def _texts(widget: QWidget) -> Iterator[Met]:
    """What is not a property."""
    handle = widget.windowHandle() if widget.isWindow() else None
    if handle is not None and is_marked(handle.title()):
        yield Met(f"{path(widget)}.title", handle.title())
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        document = widget.document()
        text = document.toRawText()
        if is_marked(text):
            rendered = isinstance(document, ReadDocument) and document.is_rendered
            yield Met(f"{path(widget)}.document", text, rendered=rendered, editable=not widget.isReadOnly())
    if isinstance(widget, QComboBox):
        yield from (Met(path(widget), widget.itemText(at)) for at in range(widget.count()))
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield with_mnemonics(path(widget), widget.tabText(at))
            yield guessed(path(widget), widget.tabToolTip(at))


def _tips_of_links(widget: QTextEdit) -> Iterator[Met]:
    """What the pointer brings up over each link in view."""
    document, area = widget.document(), widget.viewport().rect()
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            pieces += 1
            cursor = QTextCursor(document)
            cursor.setPosition(piece.position() + piece.length() // 2)
            at = widget.cursorRect(cursor).center()
            if piece.charFormat().isAnchor() and area.contains(at):
                yield guessed(f"{path(widget)}.tip", _tip(widget.viewport(), at))
        block = block.next()


def _tip(widget: QWidget, at: QPoint) -> str:
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def _action(action: QAction) -> Iterator[Met]:
    for shown in (
        with_mnemonics(action.objectName(), action.text()),
        guessed(f"{action.objectName()}.toolTip", action.toolTip()),
        guessed(f"{action.objectName()}.whatsThis", action.whatsThis()),
        Met(f"{action.objectName()}.statusTip", action.statusTip()),
    ):
        if is_marked(shown.text) or shown.fault:
            yield shown


def rows(model: QAbstractItemModel, where: str, parent: QModelIndex | None = None) -> Iterator[Met]:
    """What a model says of its rows, in every role in which a view or a screen reader asks."""
    parent = parent if parent is not None else QModelIndex()
    flat, table = isinstance(model, QAbstractListModel), isinstance(model, QAbstractTableModel)
    for row in range(min(model.rowCount(parent), MOST_ROWS)):
        for column in range(1 if flat else model.columnCount(parent)):
            index = model.index(row, column, parent)
            for role in ROLES:
                text = str(model.data(index, role) or "")
                if is_marked(text):
                    said = f"{where}[{row}].{role.name}"
                    yield guessed(said, text) if role in GUESSED_ROLES else Met(said, text)
            if not flat and not table and column == 0 and model.hasChildren(index):
                yield from rows(model, f"{where}[{row}]", index)
