"""Builds the parts of a window and wires them."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rater.app import lead_rooms
from desktop_rater.ui import companions, rater_page
from desktop_rater.ui.active_time import ActiveTime
from desktop_rater.ui.application import LOOKS, apply_look
from desktop_rater.ui.claim_search import ClaimSearch
from desktop_rater.ui.commands import Commands
from desktop_rater.ui.crash import CrashReport
from desktop_rater.ui.desk import Desk
from desktop_rater.ui.history.commands import HistoryCommands
from desktop_rater.ui.hub.around import AroundHub
from desktop_rater.ui.hub.commands import HubCommands
from desktop_rater.ui.hub.lead import LeadHub
from desktop_rater.ui.hub.reach import Reach
from desktop_rater.ui.jobs import Jobs
from desktop_rater.ui.main_window import MainWindow
from desktop_rater.ui.perform import Perform
from desktop_rater.ui.practice.practising import Practising
from desktop_rater.ui.preferences import Preferences, why_not_used
from desktop_rater.ui.preview.browsing import Browsing
from desktop_rater.ui.preview.link_fetching import LinkFetching
from desktop_rater.ui.preview.link_watch import LinkWatch
from desktop_rater.ui.rate_room import RateRoom
from desktop_rater.ui.returned.commands import ReturnedCommands
from desktop_rater.ui.rooms import Rooms
from desktop_rater.ui.saving import Saver
from desktop_rater.ui.session import Session
from desktop_rater.ui.signing.signer import Signer
from desktop_rater.ui.store_care.read_only import ReadOnly
from desktop_rater.ui.store_care.restoring import Restoring
from desktop_rater.ui.store_care.store_check import StoreCheck
from desktop_rater.ui.store_care.stores import open_stores
from desktop_rater.ui.stored_commands import StoredCommands
from desktop_rater.ui.task_model import TaskModel
from desktop_rater.ui.transfer import FileChoice, FileDialogs, Transfer
from desktop_rater.web.guard import Guard
from desktop_rater.web.limits import WebLimits
from desktop_rater.web.open_web import Web
from desktop_rater.work import rate
from desktop_rater.work.keep_settings import Kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.change import Change
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.ui.companions import Companions
    from desktop_rater.ui.preview.live_available import Machine
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.store_care.stores import Stores, Updated


@dataclass(frozen=True)
class Room:
    """All parts of an open window."""

    stores: Stores
    jobs: Jobs
    perform: Perform
    saver: Saver
    session: Session
    web: Web
    browsing: Browsing
    desk: Desk
    window: MainWindow
    transfer: Transfer
    commands: Commands
    crash: CrashReport
    preferences: Preferences
    beside: Companions
    restoring: Restoring
    store_check: StoreCheck
    read_only: ReadOnly
    rooms: Rooms
    hub: HubCommands
    lead_hub: LeadHub

    @property
    def writer(self) -> Store:
        """The store to write to, where this window may."""
        assert self.stores.writer is not None, self.stores.why
        return self.stores.writer

    @property
    def reader(self) -> Store:
        return self.stores.reader

    def close(self) -> None:
        """Finish every write that was asked for, then close the stores."""
        self.preferences.flush()
        self.jobs.close()
        self.web.close()
        self.stores.close()


def _open_in_browser(url: str) -> None:
    QDesktopServices.openUrl(QUrl(url))


def build(  # noqa: PLR0913 - what a test or the tour puts in the place of the real thing
    folder: Path,
    *,
    rater: str,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    files: FileChoice | None = None,
    open_url: Callable[[str], None] = _open_in_browser,
    save: Callable[..., Change] = rate.save,
    kept: Kept | None = None,
    web: Web | None = None,
    machine: Machine | None = None,
    window: MainWindow | None = None,
    updated: Updated | None = None,
    reach: Reach | None = None,
) -> Room:
    """Open the store and build a window on it. Raises `RaterError` where the store can't be opened.

    `window` is a bare frame that is shown already, `updated` what became of a store of an older version. `kept` are the
    settings, forgotten without a file, `reach` how hubs are reached. Where neither the settings nor `rater` say who
    rates, the window asks.
    """
    kept = kept or Kept()
    rater = rater or kept.settings.rater
    stores = open_stores(folder, now(), updated)
    jobs = Jobs()
    perform = Perform(jobs, stores.writer, stores.reader, jobs, read_only=stores.why)
    saver = Saver(perform, save, now, jobs)
    preferences = Preferences(kept, jobs, jobs)
    session = Session(saver, ActiveTime(clock, kept.settings.pause_after), jobs)
    desk = Desk(perform, session, rater, jobs)
    web = web or Web(Guard(proxy=kept.settings.proxy), WebLimits(), clock, now)
    browsing = Browsing(perform, session, web, now, jobs)
    live = partial(_live_view, web.guard, secrets.token_urlsafe(24), machine)
    window = window or MainWindow()
    window.furnish(session, saver, TaskModel(perform, rater, jobs), browsing, live)
    reach, files = reach or Reach(folder, now), files or FileDialogs()
    around = AroundHub(window, perform, saver, session, desk, preferences, files, reach, rater, now)
    below = (stores, jobs, perform, saver, session, web, browsing, desk)
    return _started(_furnished(around, below, folder, machine, open_url), kept)


Below: TypeAlias = "tuple[Stores, Jobs, Perform, Saver, Session, Web, Browsing, Desk]"


def _furnished(
    around: AroundHub, below: Below, folder: Path, machine: Machine | None, open_url: Callable[[str], None]
) -> Room:
    """What the user can do in the window, on the parts below it."""
    stores, _jobs, perform, _saver, session, web, browsing, desk = below
    window, files, preferences, now = around.window, around.files, around.preferences, around.now
    signer = Signer(perform, window.banners, around.reach.keys, around.rater, window)
    transfer = Transfer(perform, session, desk, window.banners, files, signer, now=now, parent=window)
    of_task = _commands_of_task(perform, session, browsing, window, now, web, desk)
    search = ClaimSearch(window, session, browsing, preferences, machine)
    copies = Restoring(perform, session, window, folder, now=now, choose=files.backup)
    checks = StoreCheck(window, perform, folder, copies.ask)
    hub = HubCommands(around)
    lead_hub = LeadHub(around, hub.exchange, hub.joining.open)
    more = (*of_task, search, copies, checks, hub, lead_hub)
    makers = lead_rooms.around(around, session, web, lead_hub)
    rooms = Rooms(window, preferences, RateRoom(window, session), makers, lead_rooms.MAKERS)
    lead_hub.enter(rooms)
    commands = Commands(window, session, desk, transfer, preferences, browsing, more, rooms=rooms, open_url=open_url)
    beside = companions.follow(perform, session, desk, window, around.rater, now)
    looking = ReadOnly(window, folder, stores, commands.actions)
    after = (window, transfer, commands, CrashReport(window), preferences, beside, copies, checks, looking, rooms)
    return Room(*below, *after, hub, lead_hub)


def _started(room: Room, kept: Kept) -> Room:
    _wire(room)
    follow_settings(room, kept)
    if room.stores.log_was_gone:
        room.store_check.say_log_was_gone()
    room.desk.start()
    room.hub.start()
    room.restoring.backing_up.start_later()
    return room


def _commands_of_task(
    perform: Perform,
    session: Session,
    browsing: Browsing,
    window: MainWindow,
    now: Callable[[], datetime],
    web: Web,
    desk: Desk,
) -> tuple[LinkFetching, StoredCommands, HistoryCommands, Practising, ReturnedCommands]:
    watch = LinkWatch(perform, session, browsing, window.preview.links, now)
    fetching = LinkFetching(perform, session, web, window.banners, watch)
    stored = StoredCommands(window, session, browsing, perform, web)
    practising = Practising(window, session, desk, perform, browsing.open)
    return fetching, stored, HistoryCommands(window, session, perform), practising, ReturnedCommands(window, session)


def _wire(room: Room) -> None:
    window, desk, perform = room.window, room.desk, room.perform
    titles: dict[str, str] = {}

    def listed(rows: tuple[BundleRow, ...]) -> None:
        titles.update({row.id: row.title for row in rows})
        window.task_list.show_bundles(rows, desk.bundle)
        if not rows:
            window.show_bundle(None)

    def opened(bundle: str) -> None:
        window.show_bundle(titles.get(bundle, bundle))
        window.task_list.show_bundle(bundle)

    desk.bundles_listed.connect(listed)
    desk.bundle_opened.connect(opened)
    room.session.opened.connect(lambda: window.task_list.show_open(desk.task, desk.position))
    window.task_list.model.filled.connect(lambda: window.task_list.show_open(desk.task, desk.position))
    perform.trouble.connect(room.store_check.show_trouble)
    perform.crashed.connect(room.crash.show)
    room.commands.history.said.connect(room.beside.announcer.say)
    room.commands.practising.shown.connect(room.beside.announcer.say)
    room.commands.returned.said.connect(room.beside.announcer.say)
    room.hub.exchange.ended.connect(room.transfer.signer.after_sync)


def follow_settings(room: Room, kept: Kept) -> None:
    """What the parts of a window do when a setting changes, and what is said of the file at the start."""
    window, preferences = room.window, room.preferences

    def follow(name: str) -> None:
        if name in LOOKS:
            apply_look(preferences.now)
        elif name == "pause_after":
            room.session.active_time.awake_seconds = preferences.now.pause_after

    preferences.changed.connect(follow)
    preferences.not_kept.connect(lambda error: window.banners.trouble(error, "settings"))
    room.desk.rater_wanted.connect(lambda: rater_page.show_in(window.stack, preferences))
    words = why_not_used(kept)
    if words:
        window.banners.show_banner("settings", "warn", words)


def _live_view(guard: Guard, token: str, machine: Machine | None) -> LiveView:
    """Made when a page is wanted live for the first time; nothing of it is loaded before."""
    from desktop_rater.ui.preview.live_view import LiveView  # noqa: PLC0415

    return LiveView(guard, token, machine=machine)
