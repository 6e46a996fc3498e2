"""The window's composition root: builds the parts and wires them; nothing else knows them all."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rater.settings import Settings
from desktop_rater.ui import companions, rater_page
from desktop_rater.ui.active_time import ActiveTime
from desktop_rater.ui.application import LOOKS, application, apply_look
from desktop_rater.ui.claim_search import ClaimSearch
from desktop_rater.ui.commands import Commands
from desktop_rater.ui.crash import CrashReport
from desktop_rater.ui.desk import Desk
from desktop_rater.ui.first_paint import dress
from desktop_rater.ui.history.commands import HistoryCommands
from desktop_rater.ui.jobs import Jobs
from desktop_rater.ui.main_window import MainWindow
from desktop_rater.ui.perform import Perform
from desktop_rater.ui.practice.practising import Practising
from desktop_rater.ui.preferences import Preferences, why_not_used
from desktop_rater.ui.preview.browsing import Browsing
from desktop_rater.ui.preview.link_fetching import LinkFetching
from desktop_rater.ui.preview.link_watch import LinkWatch
from desktop_rater.ui.saving import Saver
from desktop_rater.ui.session import Session
from desktop_rater.ui.store_care.read_only import ReadOnly
from desktop_rater.ui.store_care.restoring import Restoring
from desktop_rater.ui.store_care.stay_open import stay_open
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
from desktop_rater.work.self_test import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.change import Change
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.ui.companions import Companions
    from desktop_rater.ui.first_paint import FirstPaint
    from desktop_rater.ui.preview.live_available import Machine
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.store_care.stores import Stores, Updated
    from desktop_rater.ui.tour.scenes import Scene
    from desktop_rater.ui.tour.stage import Stage
    from desktop_rater.work.preview_rubric import Previewed

SAMPLE_RATER = "sample"


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


def build(  # noqa: PLR0913 - what a test or the tour puts in the place of the real thing
    folder: Path,
    *,
    rater: str,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    files: FileChoice | None = None,
    open_url: Callable[[str], None] | None = None,
    save: Callable[..., Change] = rate.save,
    kept: Kept | None = None,
    web: Web | None = None,
    machine: Machine | None = None,
    window: MainWindow | None = None,
    updated: Updated | None = None,
) -> Room:
    """Open the store and build a window on it. Raises `RaterError` where the store can't be opened.

    `window` is a bare frame that is shown already, `updated` what became of a store of an older version. `kept` are the
    settings, forgotten without a file. Where neither they nor `rater` say who rates, the window asks.
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
    files = files or FileDialogs()
    transfer = Transfer(perform, session, desk, window.banners, files, rater=rater, now=now, parent=window)
    fetching = _link_fetching(perform, session, browsing, window, now, web)
    search = ClaimSearch(window, session, browsing, preferences, machine)
    copies = Restoring(perform, session, window, folder, now=now, choose=files.backup)
    checks = StoreCheck(window, perform, folder, copies.ask)
    stored = StoredCommands(window, session, browsing, perform, web)
    practising = Practising(window, session, desk, perform, browsing.open)
    more = (fetching, stored, search, copies, checks, HistoryCommands(window, session, perform), practising)
    parts = (session, desk, transfer, preferences, browsing, more)
    commands = Commands(window, *parts, open_url=open_url or _open_in_browser)
    beside = companions.follow(perform, session, desk, window, rater, now)
    looking = ReadOnly(window, folder, stores, commands.actions)
    below = (stores, jobs, perform, saver, session, web, browsing, desk)
    room = Room(*below, window, transfer, commands, CrashReport(window), preferences, beside, copies, checks, looking)
    return _started(room, kept)


def _started(room: Room, kept: Kept) -> Room:
    _wire(room)
    follow_settings(room, kept)
    if room.stores.log_was_gone:
        room.store_check.say_log_was_gone()
    room.desk.start()
    room.restoring.backing_up.start_later()
    return room


def _link_fetching(
    perform: Perform, session: Session, browsing: Browsing, window: MainWindow, now: Callable[[], datetime], web: Web
) -> LinkFetching:
    watch = LinkWatch(perform, session, browsing, window.preview.links, now)
    return LinkFetching(perform, session, web, window.banners, watch)


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


def _open_in_browser(url: str) -> None:
    QDesktopServices.openUrl(QUrl(url))


def open_window(folder: Path, *, now: Callable[[], datetime], rater: str = "", first: FirstPaint | None = None) -> int:
    """Open the window on a store until it is closed; the exit status. Raises `RaterError`.

    `first` is what is on the screen already.
    """
    frames = [first.window] if first is not None else []

    def furnished(kept: Kept, updated: Updated) -> Room:
        frame = frames.pop() if frames else None
        try:
            return build(folder, rater=rater, now=now, kept=kept, window=frame, updated=updated)
        except BaseException:
            if frame is not None:  # what is shown instead is another window
                frame.hide()
                frame.deleteLater()
            raise

    kept = first.kept if first is not None else None
    return stay_open(folder, furnished, now=now, kept=kept, frame=first.window if first is not None else None)


def try_window(folder: Path, *, now: Callable[[], datetime]) -> Step:
    """Build the window once, with the sample, and close it: for a package that was just built."""
    from desktop_rater.ui.tour import stage as tour_stage  # noqa: PLC0415 - a rater's window needs none of the tour

    app = application()
    room = build(folder, rater=SAMPLE_RATER, now=now)
    try:
        room.window.show()
        room.transfer.open_sample()
        opened = tour_stage.wait_until(app, lambda: room.session.task is not None)
        return Step(name="open the window", passed=opened, detail=room.window.windowTitle())
    finally:
        room.window.close()
        tour_stage.wait_until(app, lambda: not room.window.isVisible())  # it first saves what is to be saved
        room.close()


def preview_rubric(previewed: Previewed, settings: Settings, *, now: Callable[[], datetime]) -> int:
    """Open the window on a rubric that is being written, in a store that nobody else knows; the exit status."""
    from desktop_rater.work.preview_rubric import RATER  # noqa: PLC0415 - only whoever writes a rubric needs it

    kept = Kept(settings=replace(settings, rater=RATER))
    dress(application(), kept)
    return stay_open(previewed.store, partial(preview_room, previewed, now=now), now=now, kept=kept)


def preview_room(
    previewed: Previewed, kept: Kept, updated: Updated | None = None, *, now: Callable[[], datetime]
) -> Room:
    """The window of a preview that was begun."""
    from desktop_rater.ui.rubric_preview import RubricPreview  # noqa: PLC0415 - see above

    room = build(previewed.store, rater=kept.settings.rater, now=now, kept=kept, updated=updated)
    RubricPreview(room.window, room.perform, room.session, room.commands.actions, previewed, now)
    return room


def take_tour(
    folder: Path,
    out: Path,
    *,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    only: Collection[str] = (),
    scenes: tuple[Scene, ...] | None = None,
    everywhere: bool = False,
) -> list[Path]:
    """Pictures of every screen, or of those named `only`, with the sample in a new store in `folder`.

    `everywhere`: each in all sizes and looks, and not only in those where it differs most.
    """
    from desktop_rater.ui.tour import tour  # noqa: PLC0415 - see `try_window`
    from desktop_rater.ui.tour.scenes import chosen  # noqa: PLC0415 - as above

    room, stage = _staged(folder, now, clock)
    try:
        return tour.tour(stage, out, only, chosen(scenes, everywhere=everywhere))
    finally:
        room.close()


def _staged(folder: Path, now: Callable[[], datetime], clock: Callable[[], float]) -> tuple[Room, Stage]:
    """A window on a new store, and what plays scenes in it."""
    from desktop_rater.ui.tour import stage, web  # noqa: PLC0415 - see `try_window`

    app = application()
    chosen, saves = stage.ChosenFiles(folder / "results.zip"), stage.Saves()
    pages = web.SampleWeb(folder / "store", now)
    room = build(
        folder / "store",
        rater=SAMPLE_RATER,
        now=now,
        clock=clock,
        files=chosen,
        open_url=lambda _url: None,
        save=saves,
        kept=Kept(settings=Settings(rater=SAMPLE_RATER)),
        web=pages,
    )
    return room, stage.Stage(
        app=app,
        folder=folder,
        perform=room.perform,
        saver=room.saver,
        window=room.window,
        session=room.session,
        desk=room.desk,
        transfer=room.transfer,
        commands=room.commands,
        saves=saves,
        web=pages,
        browsing=room.browsing,
        rater=SAMPLE_RATER,
        now=now,
    )
