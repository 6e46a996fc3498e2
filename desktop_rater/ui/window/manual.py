"""The menu Help: the manual, the log, a report about a crash, and what the program is."""

import re
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import distributions
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QToolTip, QTreeWidget, QTreeWidgetItem, QWidget

from desktop_rater.operations.event_log import read_log
from desktop_rater.operations.manual import ManualHeading, read_manual
from desktop_rater.paths import program_document
from desktop_rater.ui.pages.page_document import PositionedLink, link_after, link_before
from desktop_rater.ui.pages.reader_view import LINK_KEYS, OPEN_KEYS
from desktop_rater.ui.rating.guidelines import GuidelineView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import (
    PlainLabel,
    WrappedLabel,
    isolated,
    name_widget,
    plain_tooltip,
    select_range,
    visible,
)
from desktop_rater.ui.widgets.layouts import OrderedSplitter, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.window.crash_report import DetailsDialog, versions
from desktop_rater.ui.window.file_dialogs import FileChoice
from desktop_rater.ui.window.focus import FocusRing, WindowDialog
from desktop_rater.ui.window.startup import application_icon
from desktop_rater.ui.window.window_place import TITLE_HEIGHT, available_size, keep_within_screen

WIDTH, HEIGHT, CONTENTS_WIDTH = 1080, 760, 300
INDENT, ROW_HEIGHT = 14, 26
LICENCE_FILE = re.compile(r"\.dist-info/.*(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)


class ManualView(GuidelineView):
    """A page of the manual. Links are opened by a click, or by the keys of stored pages."""

    link_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("manual_text")
        self.setMouseTracking(True)

    @property
    def _link(self) -> PositionedLink | None:
        """The selected link."""
        cursor = self.textCursor()
        link = link_after(self.document(), cursor.selectionStart())
        selected = link is not None and (link.first, link.last) == (cursor.selectionStart(), cursor.selectionEnd())
        return link if selected else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, link = Qt.Key(event.key()), self._link
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in LINK_KEYS:
            self._select_link(LINK_KEYS[key])
        elif plain and key in OPEN_KEYS and link is not None:
            self.link_wanted.emit(link.url)
        else:
            super().keyPressEvent(event)

    def _select_link(self, by: int) -> None:
        """Select the next or previous link, from the selection or the top of the view."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            cursor = self.cursorForPosition(QPoint(1, 1))
        document = self.document()
        found = (
            link_after(document, cursor.selectionEnd()) if by > 0 else link_before(document, cursor.selectionStart())
        )
        if found is not None:
            select_range(cursor, found.first, found.last)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over_link = bool(self.anchorAt(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if over_link else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.anchorAt(event.position().toPoint())
        if link and event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.link_wanted.emit(link)


class ManualWindow(WindowDialog):
    """Contents beside the text. Searching leaves the headings whose text contains the words."""

    def __init__(self, folder: Path, window: QWidget) -> None:
        super().__init__(window, "manual", self.tr("Manual"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._manual = read_manual(folder)
        self._history: list[ManualHeading] = []
        self._hits: list[ManualHeading] = []
        self.here: ManualHeading | None = None
        column = tight_column(self, self._make_head(), horizontal_line(), spacing=0)
        self.contents = self._make_contents()
        self.view = ManualView()
        self.view.setAccessibleName(self.tr("Manual"))
        self.view.link_wanted.connect(self._follow_link)
        self._panes = panes = OrderedSplitter(Qt.Orientation.Horizontal)
        panes.setObjectName("manual_panes")
        panes.addWidget(self.contents)
        panes.addWidget(self.view)
        panes.setStretchFactor(1, 1)
        column.addWidget(panes, 1)
        FocusRing(self)
        self._show_headings(set(self._manual.headings))
        self.go_to(self._manual.headings[0])

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "panel")
        row = tight_row(head, spacing=8, margins=(8, 8, 8, 8))
        self.back = KeyButton(self.tr("Back"), "Alt Left", flat=True, name="manual_back", clicked=self.go_back)
        QShortcut(QKeySequence("Alt+Left"), self).activated.connect(self.go_back)
        self.back.setEnabled(False)
        row.addWidget(self.back)
        self.search = LineField(
            name="manual_search",
            placeholder=self.tr("Search the manual"),
            label=self.tr("Search the manual"),
            entered=lambda _by: self._open_first(),
            left=self._leave_search,
        )
        self.search.textChanged.connect(self._search)
        row.addWidget(self.search, 1)
        self.count = PlainLabel(name="manual_count", ink="text2")
        fill(row, self.count, KeyButton(self.tr("Close"), "Esc", flat=True, name="manual_close", clicked=self.reject))
        return head

    def _make_contents(self) -> QTreeWidget:
        contents = QTreeWidget()
        name_widget(contents, "manual_contents", self.tr("Contents"))
        contents.setHeaderHidden(True)
        contents.setUniformRowHeights(True)
        contents.setFrameShape(QTreeWidget.Shape.NoFrame)
        contents.setIndentation(INDENT)
        contents.setTextElideMode(Qt.TextElideMode.ElideRight)
        contents.currentItemChanged.connect(lambda item, _previous: self._open_item(item))
        return contents

    def open(self) -> None:
        """Show the window beside the main one, which can be used meanwhile."""
        if not self.isVisible():
            wanted = self._window.size().boundedTo(available_size(self) - QSize(0, TITLE_HEIGHT))
            self.resize(min(theme.px(WIDTH), wanted.width()), min(theme.px(HEIGHT), wanted.height()))
            contents = min(theme.px(CONTENTS_WIDTH), self.width() // 3)
            self._panes.setSizes([contents, self.width() - contents])
        self.show()
        keep_within_screen(self)
        self.activateWindow()
        self.search.setFocus()

    def _leave_search(self) -> None:
        """Clear the search; close the manual if nothing is searched for."""
        if self.search.text():
            self.search.clear()
        else:
            self.reject()

    def go_to(self, heading: ManualHeading) -> None:
        """Show a heading with the rest of its section, and select it in the contents."""
        if self.here is not None and heading != self.here:
            self._history.append(self.here)
        self._show(heading)

    def go_back(self) -> None:
        if self._history:
            self._show(self._history.pop())

    def _show(self, heading: ManualHeading) -> None:
        self.here = heading
        self.back.setEnabled(bool(self._history))
        text = self._manual.section(heading)
        self.view.show_guidelines(text, self._manual.pictures(text))
        self.view.verticalScrollBar().setValue(0)
        if not self._select_words():
            self.view.go_to_heading(heading.title)
        item = self._items.get(heading)
        if item is not None:
            blocked = self.contents.blockSignals(True)
            self.contents.setCurrentItem(item)
            self.contents.blockSignals(blocked)

    def _select_words(self) -> bool:
        """Select the searched words below the heading; return whether they are there."""
        words, here = self.search.text().strip(), self.here
        if not words or here is None or not here.contains(words):
            return False
        start = self.view.document().find(here.title)
        words_found = self.view.document().find(words, start)
        if words_found.isNull():
            return False
        self.view.setTextCursor(words_found)
        self.view.ensureCursorVisible()
        return True

    def _show_headings(self, listed: Collection[ManualHeading]) -> None:
        """Fill the contents, with the pages and sections that the listed headings belong to."""
        blocked = self.contents.blockSignals(True)
        self.contents.clear()
        self._items: dict[ManualHeading, QTreeWidgetItem] = {}
        above: list[ManualHeading] = []
        for heading in self._manual.headings:
            above = [other for other in above if other.level < heading.level and other.page == heading.page]
            if heading in listed:
                for entry in (*above, heading):
                    self._add_entry(entry, above)
            above.append(heading)
        self.contents.blockSignals(blocked)

    def _add_entry(self, entry: ManualHeading, above: Sequence[ManualHeading]) -> None:
        if entry not in self._items:
            parents = [other for other in above if other.level < entry.level]
            item = QTreeWidgetItem([visible(entry.title)])
            item.setSizeHint(0, QSize(0, theme.px(ROW_HEIGHT)))
            item.setData(0, Qt.ItemDataRole.ToolTipRole, plain_tooltip(entry.title))
            self._items[entry] = item
            if parents:
                self._items[parents[-1]].addChild(item)
            else:
                self.contents.addTopLevelItem(item)

    def _search(self, words: str) -> None:
        words = words.strip()
        headings = [heading for heading in self._manual.headings if heading.contains(words)]
        self._show_headings(set(headings))
        if words:
            self.contents.expandAll()
        count = self.tr("1 section") if len(headings) == 1 else self.tr("{n} sections").format(n=len(headings))
        self.count.setText(count if words else "")
        self._hits = headings if words else []

    def _open_first(self) -> None:
        if self._hits:
            self.go_to(self._hits[0])
            self.contents.setFocus()

    def _open_item(self, item: QTreeWidgetItem | None) -> None:
        heading = next((heading for heading, other in self._items.items() if other is item), None)
        if heading is not None:
            self.go_to(heading)

    def _follow_link(self, link: str) -> None:
        """Follow a link within the manual; say where others lead, to files or pages that are not part of it."""
        target = self._manual.target(link, self.here.page if self.here is not None else "")
        if target is not None:
            self.go_to(target)
        else:
            self.count.setText(self.tr("Not in the manual"))
            QToolTip.showText(QCursor.pos(), plain_tooltip(link), self.view)


REPORTED_LINES = 200  # of the log
ABOUT_WIDTH, ABOUT_ICON = 520, 64


class HelpCommands(QObject):
    """The actions of the menu Help that concern the program as a whole."""

    def __init__(self, window: QWidget, files: FileChoice, log: Path) -> None:
        super().__init__(window)
        self._window = window
        self._files = files
        self._log = log
        self._manual: ManualWindow | None = None

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "manual": self.show_manual,
            "show_log": self.show_log,
            "report_problem": self.report_problem,
            "about": self.show_about,
        }

    def show_manual(self) -> None:
        """Open the manual, where it was left."""
        if self._manual is None:
            self._manual = ManualWindow(program_document("docs"), self._window)
        self._manual.open()

    def show_log(self) -> None:
        text = read_log(self._log) or self.tr("The log is empty.")
        notice = self.tr("This is the log of the program, {path}. It contains no rated texts, names or addresses.")
        self._show("log", self.tr("Log"), notice.format(path=isolated(str(self._log))), text, at_end=True)

    def report_problem(self) -> None:
        """Show what a report about a crash should contain."""
        notice = self.tr(
            "Save this report, and send it with a description of what you did to those who look after the program. It "
            "contains versions and the latest events, but no rated texts, names or addresses."
        )
        log = "\n".join(read_log(self._log).splitlines()[-REPORTED_LINES:])
        self._show("report", self.tr("Report a crash"), notice, "\n".join((*versions(), "", log)))

    def show_about(self) -> None:
        dialog = AboutDialog(self._window, "\n".join(versions()))
        for button, file in ((dialog.licence, "LICENSE"), (dialog.notices, "THIRD-PARTY-NOTICES.txt")):
            button.clicked.connect(lambda _checked=False, name=file: self._show_document(name))
        dialog.ask()

    def _show_document(self, name: str) -> None:
        file = program_document(name)
        if file.exists():
            notice, text = self.tr("{name}, as it came with the program.").format(name=name), file.read_text("utf-8")
        else:
            notice = self.tr(
                "This copy of the program runs from its sources. These are the licences of the installed packages. "
                "`make notices` writes those of all packages, also for other systems, to {name} in build/."
            ).format(name=name)
            text = installed_licences()
        self._show("document", self.tr("About Desktop Rater"), notice, text)

    def _show(self, name: str, title: str, notice: str, text: str, *, at_end: bool = False) -> None:
        dialog = DetailsDialog(self._window, self._files, name, title)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show_details(notice, text, at_end=at_end)


def installed_licences() -> str:
    """Return the names of the installed Python packages with their licences, and each licence text once."""
    names = dict[str, list[str]]()
    for package in sorted(distributions(), key=lambda package: package.metadata["Name"].casefold()):
        stated = [text for key in ("License-Expression", "License") for text in package.metadata.get_all(key) or ()]
        name = f"{package.metadata['Name']} {package.version}: {''.join(stated[:1]).partition(chr(10))[0]}"
        for file in [file for file in package.files or () if LICENCE_FILE.search(file.as_posix())] or [None]:
            text = Path(str(file.locate())).read_text("utf-8", "replace") if file is not None else ""
            names.setdefault(text, []).append(name)
    return f"\n\n{'=' * 72}\n\n".join("\n".join((*dict.fromkeys(of), "", text)) for text, of in names.items())


class AboutDialog(WindowDialog):
    """Name, versions and licence, with buttons for the texts of the licences."""

    def __init__(self, window: QWidget, versions: str) -> None:
        super().__init__(window, "about", self.tr("About Desktop Rater"))
        self.finished.connect(self.deleteLater)
        column = tight_column(self, spacing=12, margins=(24, 20, 24, 16))
        head = tight_row(spacing=16)
        icon = PlainLabel()
        icon.setPixmap(application_icon().pixmap(theme.px(ABOUT_ICON)))
        icon.setAccessibleName(self.tr("Desktop Rater"))
        fill(head, icon, (PlainLabel(self.tr("Desktop Rater"), name="about_name", size="title", bold=True), 1))
        column.addLayout(head)
        text = self.tr("Judge, offline and with evidence, whether what an AI wrote is true.")
        column.addWidget(WrappedLabel(text))
        self.versions = WrappedLabel(versions, name="about_versions", ink="text2")
        column.addWidget(self.versions)
        licence = self.tr(
            "Licensed under the Apache License 2.0. The program contains Qt and other software with licences of "
            "their own, which the third-party notices reproduce."
        )
        column.addWidget(WrappedLabel(licence, ink="text2"))
        foot = tight_row(spacing=8)
        copy = KeyButton(
            self.tr("Copy versions"), name="about_copy", clicked=lambda: QGuiApplication.clipboard().setText(versions)
        )
        self.licence = KeyButton(self.tr("Licence"), name="about_licence", clicked=self.accept)
        self.notices = KeyButton(self.tr("Third-party notices"), name="about_notices", clicked=self.accept)
        for button in (copy, self.licence, self.notices):
            foot.addWidget(button)
        foot.addStretch(1)
        self._close = KeyButton(self.tr("Close"), "Esc", primary=True, name="about_close", clicked=self.reject)
        foot.addWidget(self._close)
        column.addLayout(foot)

    def ask(self) -> None:
        self.open_with(ABOUT_WIDTH)
        self._close.setFocus()
