"""Sources of the palette besides actions: settings, bundles, guidelines, tasks and stored pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject

from desktop_rater import settings
from desktop_rater.settings import Setting
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.pages import PageHit
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import TaskListRow
from desktop_rater.text.markdown import shown_words
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.hub.context import HubContext
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.link_list import displayed_address
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.ui.window.action_palette import PaletteEntry, PaletteSection
from desktop_rater.ui.window.commands import Commands
from desktop_rater.ui.window.preferences import setting_text
from desktop_rater.ui.window.screens import RATE, START, Screens
from desktop_rater.work.pages.stored_pages import search_stored_pages
from desktop_rater.work.rating.open_task import task_list_page

MOST_TASKS, MOST_PAGES = 20, 10


class _Hits(NamedTuple):
    tasks: tuple[TaskListRow, ...]
    pages: Sequence[PageHit]


class PaletteSources(QObject):
    """Adds its sections to the palette. What belongs to the open bundle is not found on the lead's screens."""

    def __init__(self, context: HubContext, commands: Commands, browsing: PageBrowser, screens: Screens) -> None:
        palette = commands.view.palette
        super().__init__(palette)
        self._perform, self._preferences, self._desk = context.perform, context.preferences, context.desk
        self._preview, self._rater = context.window.preview, context.rater
        self._view, self._rating = commands.view, commands.rating
        self._browsing = browsing
        self._screens = screens
        self._bundles: tuple[BundleRow, ...] = ()
        context.desk.bundles_listed.connect(self._take_bundles)
        palette.sections += [self._settings, self._listed_bundles, self._links, self._guidelines]
        palette.search = self._search

    def _take_bundles(self, rows: tuple[BundleRow, ...]) -> None:
        self._bundles = tuple(row for row in rows if not row.put_away)

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
            for row in self._bundles
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

        def arrived(hits: _Hits) -> None:
            tasks = tuple(map(self._task_entry, hits.tasks))
            pages = tuple(map(self._page_entry, hits.pages))
            show((PaletteSection(self.tr("Tasks"), tasks), PaletteSection(self.tr("Stored pages"), pages)))

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


def _search_store(store: Store, bundle: str, rater: str, text: str) -> _Hits:
    tasks = task_list_page(store, bundle, rater, text=text, limit=MOST_TASKS).rows
    return _Hits(tasks, search_stored_pages(store, bundle, text, MOST_PAGES))
