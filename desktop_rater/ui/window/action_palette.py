"""The palette: finds actions, settings, bundles, tasks, pages and guidelines by typing."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QWidget

from desktop_rater import settings
from desktop_rater.operations.pages.stored_pages import search_stored_pages
from desktop_rater.operations.rating.open_task import task_list_page
from desktop_rater.settings import Setting
from desktop_rater.store.pages import PageHit
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import TaskListRow
from desktop_rater.text.markdown import shown_words
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.hub.exchange import HubContext
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.link_list import displayed_address
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import PlainLabel, name_widget, visible
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.commands import Commands
from desktop_rater.ui.window.focus import FocusRestorer
from desktop_rater.ui.window.preferences import setting_text
from desktop_rater.ui.window.screens import RATE, START, Screens

WIDTH, MOST_ROWS, TOP = 520, 12, 44
PAD = 8
MOST_FOUND = 8  # in each section, if there are several
STEPS: dict[int, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}
ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}
STAYS = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}


@dataclass(frozen=True)
class PaletteEntry:
    """Something to be found: by the text of its row, and by `words`. `name` decides which match is better."""

    row: ListRow
    choose: Callable[[], object]
    name: str
    words: str = ""

    def matches(self, terms: Sequence[str]) -> bool:
        text = f"{self.row.title} {self.row.end} {self.words}".casefold()
        return all(word in text for word in terms)

    def rank(self, text: str) -> tuple[bool, bool, bool]:
        """Return how well a text matches; the smallest is best."""
        name = self.name.casefold()
        return name != text, not name.startswith(text), f" {text}" not in f" {name}"


@dataclass(frozen=True)
class PaletteSection:
    """Entries under a heading."""

    title: str
    entries: tuple[PaletteEntry, ...]

    def found(self, text: str) -> "PaletteSection":
        """Return the entries that have all words of a text, the best first."""
        matching = [entry for entry in self.entries if entry.matches(text.split())]
        return PaletteSection(self.title, tuple(sorted(matching, key=lambda entry: entry.rank(text))))


PaletteSearch = Callable[[str, Callable[[Sequence[PaletteSection]], None]], None]


class ActionPalette(QDialog):
    """The actions available on the current screen; while words are typed, also what other parts offer.

    It can also `offer` other things to choose from. Typed words match anywhere. The arrows choose, Enter runs the
    action, Esc closes; the focus returns. `sections` return what is searched here, anew each time the palette opens;
    `search` looks up a text in the store.
    """

    def __init__(
        self, window: QWidget, built: Callable[[], Mapping[str, QAction]], available: Callable[[], Collection[str]]
    ) -> None:
        super().__init__(window)
        # Inside the window: no window manager has to place it, and the focus returns at once.
        self.setWindowFlags(Qt.WindowType.Widget)
        name_widget(self, "palette", self.tr("Find an action"))
        theme.set_ground(self, "surface")
        self.hide()
        self.sections: list[Callable[[], PaletteSection]] = []
        self.search: PaletteSearch = lambda _text, _show: None
        self._offered: Callable[[], Sequence[PaletteSection]] | None = None  # instead of actions
        self._stays = False
        self._window = window
        self._built = built
        self._available = available
        self._focus = FocusRestorer()
        self._here: list[PaletteSection] = []
        self._stored: tuple[PaletteSection, ...] = ()  # what `search` found
        self._entries: dict[object, PaletteEntry] = {}
        self._awaits = ""  # the text that is being looked up
        self._choose_next = False  # Enter was pressed before anything was found
        self._lay_out()

    def _lay_out(self) -> None:
        self._frame = frame = QFrame()
        frame.setObjectName("palette_frame")
        frame.setFrameShape(QFrame.Shape.Box)
        tight_column(self, frame)
        column = tight_column(frame, spacing=PAD, margins=(PAD, PAD, PAD, PAD))
        self.field = QLineEdit()
        name_widget(self.field, "palette_field", self.tr("Find an action"))
        self.field.setPlaceholderText(self.tr("Find an action, a setting, a bundle, a task or a page"))
        self.field.textChanged.connect(lambda _text: self._typed())
        self.field.installEventFilter(self)
        column.addWidget(self.field)
        self.list = RowList("palette_list", two_lines=False, marks=False, label=self.tr("Found"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._choose)
        column.addWidget(self.list)
        self._none = PlainLabel(self.tr("Nothing matches."), ink="text2")
        self._none.setContentsMargins(8, 4, 8, 8)
        column.addWidget(self._none)

    def ask(self) -> None:
        """Open over the window with every action; close it if it is open."""
        if self.isVisible():
            self._leave()
            return
        available = self._available()
        rows = (row for row in actions.ROWS if row.id in available)
        entries = PaletteSection(self.tr("Actions"), tuple(map(self._action_entry, rows)))
        self._offered, self._stays = None, False
        text = self.tr("Find an action, a setting, a bundle, a task or a page")
        self._open([entries, *(section() for section in self.sections)], text)

    def offer(self, title: str, sections: Callable[[], Sequence[PaletteSection]], *, stays: bool = False) -> None:
        """Open with other things to choose from. `stays`: it stays open, so that several can be chosen."""
        if self.isVisible():
            self._leave()
        self._offered, self._stays = sections, stays
        self._open(sections(), title)

    def _open(self, sections: Sequence[PaletteSection], title: str) -> None:
        self._focus.remember()
        self._here = list(sections)
        self.field.setPlaceholderText(visible(title))
        self.field.clear()
        self._typed()
        self.show()
        self.raise_()
        self.field.setFocus()

    @property
    def _text(self) -> str:
        return " ".join(self.field.text().casefold().split())

    def _typed(self) -> None:
        self._choose_next = False
        if self._offered is not None:
            self.list.setCurrentIndex(QModelIndex())  # the best match is the current one
        if not self._text:
            self._stored, self._awaits = (), ""
        elif not self._awaits and self._offered is None:
            self._look_up()
        self._fill()

    def _look_up(self) -> None:
        """Search the store for the typed text. One search runs at a time; meanwhile typing goes on."""
        text = self._awaits = self._text

        def show(sections: Sequence[PaletteSection]) -> None:
            self._awaits = ""
            if not self.isVisible() or not self._text:
                return
            self._stored = tuple(sections)
            if text != self._text:
                self._look_up()
                return
            self._fill()
            if self._choose_next:
                self._choose(self.list.currentIndex())

        self.search(text, show)

    def _fill(self) -> None:
        chosen = self.list.currentIndex().row()
        before = self.model.rows[chosen].id if 0 < chosen < len(self.model.rows) else None
        sections = self._matching()
        self._entries = {entry.row.id: entry for section in sections for entry in section.entries}
        rows: list[ListRow] = []
        for section in sections:
            if self._text or self._offered is not None:
                rows.append(ListRow(("heading", section.title), section.title, heading=True))
            rows += [entry.row for entry in section.entries]
        self.model.show(rows)
        self.list.setVisible(bool(rows))
        self._none.setVisible(not rows)
        if rows:
            self.list.setCurrentIndex(self.model.index(max(self.model.row_of(before), int(rows[0].heading))))
            self.list.scrollToTop()
        around = self.field.sizeHint().height() + 2 * self._frame.frameWidth() + 3 * PAD
        room = (self._window.height() - theme.px(TOP) - PAD - around) // self.list.row_delegate.height()
        self.list.fit_rows(max(1, min(MOST_ROWS, room)))
        width = min(theme.px(WIDTH), self._window.width() - 32)
        self.resize(width, around + (self.list.height() if rows else self._none.sizeHint().height()))
        self.move((self._window.width() - width) // 2, theme.px(TOP))

    def _matching(self) -> list[PaletteSection]:
        """Return the sections to show. What comes from the store follows, so that nothing moves when it arrives."""
        text = self._text
        if not text:
            return self._here[:1] if self._offered is None else self._here
        here = [found for section in self._here if (found := section.found(text)).entries]
        here.sort(key=lambda section: section.entries[0].rank(text))
        sections = [*here, *(section for section in self._stored if section.entries)]
        if len(sections) == 1 or self._offered is not None:
            return sections
        return [PaletteSection(section.title, section.entries[:MOST_FOUND]) for section in sections]

    def _action_entry(self, row: actions.ActionRow) -> PaletteEntry:
        action = self._built()[row.id]
        key = keys.key_text(action.shortcut().toString()) if not action.shortcut().isEmpty() else ""
        end = key if action.isEnabled() else self.tr("unavailable")
        text = actions.plain_action_text(row.text)
        line = ListRow(row.id, f"{actions.plain_action_text(row.menu)}: {text}", end=end)
        return PaletteEntry(line, action.trigger, text)

    def _choose(self, index: QModelIndex) -> None:
        entry = self._entries.get(self.model.rows[index.row()].id) if index.isValid() else None
        if entry is None:
            self._choose_next = bool(self._awaits)
            return
        if self._stays and self._offered is not None:
            entry.choose()
            self._here = list(self._offered())
            self._fill()
            return
        self._leave()
        entry.choose()  # the focus has returned by then: some actions depend on it

    def _leave(self) -> None:
        self.hide()
        self._focus.restore()

    def reject(self) -> None:
        """Close without running an action."""
        self._leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field:
            return False
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() not in STAYS:
                self.hide()
            return False
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() not in STEPS and event.key() not in ENDS:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # otherwise the window's shortcut would take it
        elif event.type() == QEvent.Type.KeyPress:
            self._handle_key(event.key())
        return True

    def _handle_key(self, key: int) -> None:
        if key == Qt.Key.Key_Escape:
            self._leave()
        elif key in ENDS:
            self._choose(self.list.currentIndex())
        elif self.model.rows:
            step = STEPS[key]
            row = max(0, min(self.list.currentIndex().row() + step, self.model.rowCount() - 1))
            if self.model.rows[row].heading:
                row += 1 if step > 0 or row == 0 else -1
            self.list.setCurrentIndex(self.model.index(row))


MOST_TASKS, MOST_PAGES = 20, 10


class PaletteSources(QObject):
    """Adds its sections to the palette. What belongs to the open bundle is not found on the lead's screens."""

    def __init__(self, context: HubContext, commands: Commands, browsing: PageBrowser, screens: Screens) -> None:
        palette = context.window.parts["palette"]
        super().__init__(palette)
        self._perform, self._preferences, self._desk = context.perform, context.preferences, context.desk
        self._preview, self._rater = context.window.preview, context.rater
        self._view, self._rating = commands.view, commands.rating
        self._browsing = browsing
        self._screens = screens
        palette.sections += [self._settings, self._listed_bundles, self._links, self._guidelines]
        palette.search = self._search

    # -- settings

    def _settings(self) -> PaletteSection:
        listed = [setting for setting in settings.SETTINGS if setting.section]
        entries = [entry for setting in listed for entry in self._setting_entries(setting)]
        return PaletteSection(self.tr("Settings"), tuple(entries))

    def _setting_entries(self, setting: Setting) -> list[PaletteEntry]:
        label, words = setting_text(setting.label), setting_text(setting.section)
        if setting.kind != "choice":
            row = ListRow(("setting", setting.id), label, end=self.tr("Settings …"))
            return [PaletteEntry(row, lambda: self._view.settings.ask_for(setting.id), label, words)]
        entries = []
        for value, text in setting.choices:
            name = setting_text(text)
            current = getattr(self._preferences.now, setting.id) == value
            row = ListRow(("setting", setting.id, value), f"{label}: {name}", end=self.tr("current") if current else "")
            entries.append(PaletteEntry(row, partial(self._preferences.set, setting.id, value), name, words))
        return entries

    # -- bundles and their guidelines

    def _listed_bundles(self) -> PaletteSection:
        entries = (
            PaletteEntry(
                ListRow(("bundle", row.id), row.title, end=self.tr("current") if row.id == self._desk.bundle else ""),
                self._on_rating_screen(partial(self._desk.open_bundle, row.id)),
                row.title,
                row.id,
            )
            for row in self._desk.bundles
            if not row.put_away
        )
        return PaletteSection(self.tr("Bundles"), tuple(entries))

    def _links(self) -> PaletteSection:
        links = self._preview.links.links if self._is_rater_screen else ()
        entries = []
        for link in (link for link in links if link.counts):
            address = displayed_address(link.url)
            row = ListRow(("link", link.url), address)
            entries.append(PaletteEntry(row, self._on_rating_screen(partial(self._browsing.open, link.url)), address))
        return PaletteSection(self.tr("Links of this task"), tuple(entries))

    def _guidelines(self) -> PaletteSection:
        headings = [block.text() for block in self._rating.guidelines.text.headings()] if self._is_rater_screen else []
        entries = (
            PaletteEntry(
                ListRow(("guideline", text), text),
                self._on_rating_screen(partial(self._rating.open_guideline, text)),
                text,
            )
            for text in dict.fromkeys(headings)
        )
        return PaletteSection(self.tr("Guidelines"), tuple(entries))

    # -- the store

    def _search(self, text: str, show: Callable[[Sequence[PaletteSection]], None]) -> None:
        if not self._desk.bundle or not self._is_rater_screen:
            show(())
            return

        def arrived(hits: tuple[Sequence[TaskListRow], Sequence[PageHit]]) -> None:
            rows, pages = hits
            show(
                (
                    PaletteSection(self.tr("Tasks"), tuple(map(self._task_entry, rows))),
                    PaletteSection(self.tr("Stored pages"), tuple(map(self._page_entry, pages))),
                )
            )

        self._perform.ask(
            _search_store, self._desk.bundle, self._rater, text, done=arrived, failed=lambda _error: show(())
        )

    def _task_entry(self, row: TaskListRow) -> PaletteEntry:
        line = ListRow(("task", row.id), shown_words(row.title) or row.id, end=row.id)
        return PaletteEntry(line, self._on_rating_screen(partial(self._desk.open_task, row.id)), row.id)

    def _page_entry(self, hit: PageHit) -> PaletteEntry:
        line = ListRow(("page", hit.url), hit.title or readable_url(hit.url), end=hit.site)
        return PaletteEntry(
            line, self._on_rating_screen(partial(self._browsing.open_stored, hit.url, hit.sha256)), hit.title
        )

    @property
    def _is_rater_screen(self) -> bool:
        return self._screens.name in {RATE, START}

    def _on_rating_screen(self, choose: Callable[[], object]) -> Callable[[], None]:
        def go() -> None:
            self._screens.go(RATE)
            choose()

        return go


def _search_store(store: Store, bundle: str, rater: str, text: str) -> tuple[Sequence[TaskListRow], Sequence[PageHit]]:
    tasks = task_list_page(store, bundle, rater, text=text, limit=MOST_TASKS).rows
    return tasks, search_stored_pages(store, bundle, text, MOST_PAGES)
