"""Walks over all widgets that there are and says what of each a rater sees, hears or is shown at the pointer.

Every text property of every class is looked at, so a new kind of widget is not passed over: a property that nobody
here knows, and that holds a hostile text, is a fault until somebody says how Qt shows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt, QUrl
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QToolBox,
    QWidget,
)

from desktop_rater.ui.read_document import ReadDocument
from tests.ui.hostile_sample import PICTURE, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKED = re.compile(r"<b>([^<]*)<u>")
HEAD, TAIL = mark("|").rstrip().split("<b>|<u>")
MOST_ROWS = 300

# How Qt shows a property, by its name: as it stands, after a guess whether it is HTML, or with & as a mnemonic.
PLAIN = {"accessibleName", "accessibleDescription", "accessibleIdentifier", "placeholderText"}
PLAIN |= {"displayText", "currentText", "windowFilePath", "iconText", "objectName", "selectedText", "lastFormat"}
GUESSED = {"toolTip", "whatsThis", "statusTip", "text"}
MNEMONIC = {"text", "title"}
# Not shown, or the same text in other words: what a window is called is asked of the window system.
PASSED_OVER = {"html", "plainText", "markdown", "windowTitle", "windowIconText", "styleSheet", "windowRole", "documentTitle"}
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
class Shown:
    """A text that somebody meets: where, what, and what is wrong with it."""

    where: str
    text: str
    fault: str = ""
    rendered: bool = False  # Markdown says what an entity or a star in it means

    @property
    def faults(self) -> list[str]:
        """Why it is not literally what the file holds."""
        found = [self.fault] if self.fault else []
        for one in MARKED.finditer(self.text):
            before, after = self.text[: one.start()], self.text[one.end() :]
            whole = before.endswith(HEAD) and (self.rendered or after.startswith(TAIL) or _is_cut(after))
            found += [] if whole else [f"{one[1]!r} is not shown as it stands: {self.text!r}"]
        if PICTURE in self.text and HEAD[: HEAD.index(PICTURE)] not in self.text:
            found.append(f"a tag is gone: {self.text!r}")
        return [f"{self.where}: {one}" for one in found]


def _is_cut(after: str) -> bool:
    """Whether a text ends early, as a long title does."""
    rest = re.match(r"[^,…\n]*", after)
    return rest is not None and TAIL.startswith(rest[0].rstrip())


class Greedy(QTextDocument):
    """Notes what a text would have loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: list[str] = []

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        self.wanted.append(QUrl(name).toString())
        return None


def guessed(where: str, text: str) -> Shown:
    """A text for which Qt guesses whether it is HTML, as tooltips do."""
    if not GuiQt.mightBeRichText(text):
        return Shown(where, text)
    document = Greedy()
    document.setHtml(text)
    document.size()
    block, dressed = document.begin(), []
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            form = pieces.fragment().charFormat()
            if form.isImageFormat() or form.isAnchor() or form.fontWeight() > 500:
                dressed.append(pieces.fragment().text())
            pieces += 1
        block = block.next()
    fault = f"it is taken for HTML: {text!r}" if dressed or document.wanted else ""
    return Shown(where, document.toPlainText().replace("\xa0", " "), fault)


def with_mnemonics(where: str, text: str) -> Shown:
    """A text in which a single & underlines the letter behind it."""
    return Shown(where, re.sub(r"&(.)", r"\1", text, flags=re.DOTALL))


def everything_shown() -> Iterator[Shown]:
    """What is met on every widget, also on those that are hidden at the moment."""
    models = set()
    for widget in QApplication.allWidgets():
        yield from _properties(widget)
        yield from _special(widget)
        for action in widget.actions():
            yield from _action(action)
        model = _model(widget)
        if model is not None and model not in models:
            models.add(model)
            yield from rows(model, _name(widget))


def _name(one: QObject) -> str:
    parent = one.parent()
    above = f"{_name(parent)}/" if parent is not None and parent.objectName() else ""
    return f"{above}{one.metaObject().className()}#{one.objectName()}"


def _properties(widget: QWidget) -> Iterator[Shown]:
    meta = widget.metaObject()
    for number in range(meta.propertyCount()):
        prop = meta.property(number)
        name = prop.name()
        if prop.typeName() != "QString" or name in PASSED_OVER:
            continue
        text = str(prop.read(widget) or "")
        if not text:
            continue
        where = f"{_name(widget)}.{name}"
        if name in MNEMONIC and _draws_mnemonics(widget):
            yield with_mnemonics(where, text)
        elif name in PLAIN or (name in GUESSED and _draws_plain(widget, name)):
            yield Shown(where, text)
        elif name in GUESSED:
            yield guessed(where, text)
        elif "<b>" in text:
            yield Shown(where, text, "nobody knows how Qt shows this property")


def _draws_mnemonics(widget: QWidget) -> bool:
    """Whether Qt's style writes the text; what paints itself writes it as it stands."""
    own = any("paintEvent" in vars(one) for one in type(widget).__mro__ if not one.__module__.startswith("PySide6"))
    kinds = ("QAbstractButton", "QMenu", "QGroupBox", "QDockWidget")
    return not own and any(widget.inherits(kind) for kind in kinds)


def _draws_plain(widget: QWidget, name: str) -> bool:
    if name != "text":
        return False
    return not isinstance(widget, QLabel) or widget.textFormat() == Qt.TextFormat.PlainText


def _special(widget: QWidget) -> Iterator[Shown]:
    where = _name(widget)
    handle = widget.windowHandle() if widget.isWindow() else None
    if handle is not None and handle.title():
        yield Shown(f"{where}.title", handle.title())
    if isinstance(widget, QLabel) and widget.openExternalLinks():
        yield Shown(where, "", "it opens links")
    if isinstance(widget, QTextBrowser):
        yield Shown(where, "", "it follows links by itself")
    if isinstance(widget, QTextEdit) and widget.acceptRichText():
        yield Shown(where, "", "it takes rich text")
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        document = widget.document()
        yield Shown(where, document.toRawText(), rendered=isinstance(document, ReadDocument) and document.is_rendered)
    if isinstance(widget, QAbstractButton) and "<b>" in widget.text() and not widget.shortcut().isEmpty():
        yield Shown(where, "", f"a text from outside has the key {widget.shortcut().toString()}")
    if isinstance(widget, QComboBox):
        yield from (Shown(where, widget.itemText(at)) for at in range(widget.count()))
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield with_mnemonics(where, widget.tabText(at))
            yield guessed(where, widget.tabToolTip(at))
    assert not isinstance(widget, QToolBox), "say how its titles are looked at"


def _action(action: QAction) -> Iterator[Shown]:
    where = f"{_name(action)} {action.text()[:30]!r}"
    yield with_mnemonics(where, action.text())
    yield guessed(f"{where}.toolTip", action.toolTip())
    yield guessed(f"{where}.whatsThis", action.whatsThis())
    yield Shown(f"{where}.statusTip", action.statusTip())


def _model(widget: QWidget) -> QAbstractItemModel | None:
    return widget.model() if isinstance(widget, QAbstractItemView) else None


def rows(model: QAbstractItemModel, where: str, parent: QModelIndex | None = None) -> Iterator[Shown]:
    """What a model says of its rows, in every role in which a view or a screen reader asks."""
    parent = parent if parent is not None else QModelIndex()
    flat = isinstance(model, QAbstractListModel)
    for row in range(min(model.rowCount(parent), MOST_ROWS)):
        for column in range(1 if flat else model.columnCount(parent)):
            index = model.index(row, column, parent)
            for role in ROLES:
                said = model.data(index, role)
                if said is not None:
                    yield _said(f"{where}[{row}].{role.name}", str(said), guess=role in GUESSED_ROLES)
            if not flat and column == 0 and model.hasChildren(index):
                yield from rows(model, f"{where}[{row}]", index)


def _said(where: str, text: str, *, guess: bool) -> Shown:
    return guessed(where, text) if guess else Shown(where, text)
