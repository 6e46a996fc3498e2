"""The window that the tour plays in, with simulated files and saves, and ratings of the sample."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.app.lead_screens import LeadScreens
from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating import save
from desktop_rater.operations.self_test import sample_ratings_path
from desktop_rater.ui.hub.commands import HubCommands
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.window.commands import Commands
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import Screens
from desktop_rater.ui.window.transfer import Transfer
from tools.tour.web import SampleWeb

LONGEST_WAIT = 20.0
QUIET_MS = 100  # no view changes later than that after its data is there; lists follow after painting
LEAST_ROUNDS = 10  # on a busy machine one round of the loop may take as long


@dataclass(frozen=True)
class ChosenFiles:
    """File choices that a rater would make in dialogs."""

    results_file: Path

    def bundles(self, parent: QWidget) -> tuple[Path, ...]:
        """Return nothing: the sample needs no choice."""
        del parent
        return ()

    def folder(self, parent: QWidget, title: str = "") -> Path | None:
        """Return nothing: no folder is chosen in the tour."""
        del parent, title
        return None

    def report(self, parent: QWidget, suggested: str) -> Path | None:
        """Return a path beside the results."""
        del parent
        return self.results_file.with_name(suggested)

    def results(self, parent: QWidget, suggested: str) -> Path | None:
        """Return the path of the results."""
        del parent, suggested
        return self.results_file

    def final(self, parent: QWidget, suggested: str) -> Path | None:
        """Return a path beside the results."""
        del parent
        return self.results_file.with_name(suggested)

    def backup(self, parent: QWidget) -> Path | None:
        """Return nothing: backups are chosen from the list."""
        del parent
        return None

    def hub(self, parent: QWidget) -> Path | None:
        """Return nothing: the hub's address is typed."""
        del parent
        return None

    def certificates(self, parent: QWidget) -> Path | None:
        """Return nothing: no certificate is needed."""
        del parent
        return None

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        """Return nothing: no file is chosen in the tour."""
        del parent, title, filters
        return None

    def save_file(self, parent: QWidget, title: str, suggested: str, filters: str) -> Path | None:
        """Return a path beside the results."""
        del parent, title, filters
        return self.results_file.with_name(suggested)


class Saves:
    """Save function that can report a full disk."""

    def __init__(self) -> None:
        self.full = False

    def __call__(self, *given: Any, **named: Any) -> Change:
        if self.full:
            raise RaterError("The disk is full.")
        return save.save_rating(*given, **named)


@dataclass(frozen=True)
class Stage:
    """The parts of the window that scenes use."""

    app: QApplication
    folder: Path
    perform: WorkRunner
    saver: RatingSaver
    window: MainWindow
    session: Session
    desk: TaskLoader
    transfer: Transfer
    commands: Commands
    saves: Saves
    web: SampleWeb
    browsing: PageBrowser
    screens: Screens
    lead_screens: LeadScreens
    preferences: Preferences
    hub: HubCommands
    reach: HubAccess
    rater: str
    now: Callable[[], datetime]

    def wait(self, there: Callable[[], bool]) -> None:
        """Process events until a condition holds; raise `TimeoutError` if it never does: a picture would show less."""
        if not wait_until(self.app, there):
            raise TimeoutError(f"The scene waited for {LONGEST_WAIT:g} s in vain.")

    def open(self, task: str) -> None:
        """Open a task of the sample."""
        self.desk.open_task(task)
        self.wait(lambda: self.session.task is not None and self.session.task.id == task)

    def go(self, target: str, claim: int = 0) -> None:
        """Go to a target of the open task, and to one of its claims by number."""
        stop = next(one for one in self.session.stops if one.target == target)
        self.session.go_to(stop)
        for _one in range(claim - 1):
            self.session.move_claim(1)

    def act(self, name: str) -> None:
        """Trigger an action of the menus."""
        self.commands.actions[name].trigger()

    def read(self, ask: Callable[[], object]) -> None:
        """Open a page, and wait until it or the reason for its absence is shown."""
        before = self.browsing.page
        ask()
        self.wait(lambda: not self.browsing.is_loading and self.browsing.page is not before)

    def answer(self, keys: str) -> None:
        """Press keys of the rubric."""
        for key in keys:
            self.screens.take_key(key)

    def export(self) -> None:
        """Export, and wait for the result."""
        ended: list[bool] = []
        self.transfer.export_ended.connect(lambda: ended.append(True))
        self.act("export")
        self.wait(lambda: bool(ended))

    def take_ratings(self, kept: Mapping[str, tuple[str, ...] | None]) -> None:
        """Take over the sample's ratings of some tasks; for named targets only, where a task lists them."""
        self.session.close()
        self.wait(lambda: not self.saver.unsaved)
        path = self.folder / "ratings.jsonl"
        lines = map(json.loads, sample_ratings_path().read_text(encoding="utf-8").split("\n")[:-1])
        ours = (_cut(plain, kept[plain["task"]]) for plain in lines if plain["task"] in kept)
        path.write_text("".join(f"{json.dumps(one)}\n" for one in ours), encoding="utf-8")
        done: list[object] = []
        self.perform.perform(
            partial(save.rate_from_file, now=self.now),
            self.desk.bundle,
            path,
            self.rater,
            done=done.append,
            progressed=lambda _done, _total: None,
        )
        self.wait(lambda: bool(done))
        self.desk.task = None  # it is read anew, even where it is the one that was put away


_PAUSE = 0.002  # seconds; a loop without a pause takes the interpreter from the threads that it waits for


def wait_until(app: QApplication, there: Callable[[], bool]) -> bool:
    """Process events until a condition holds; return `False` after `LONGEST_WAIT` seconds."""
    end = time.monotonic() + LONGEST_WAIT
    while not there():
        if time.monotonic() > end:
            return False
        app.processEvents()
        time.sleep(_PAUSE)
    return True


def rest(app: QApplication) -> None:
    """Process events until nothing changes, and delete what waits for deletion: no Qt event loop runs here."""
    timer = QElapsedTimer()
    timer.start()
    rounds = 0
    while timer.elapsed() < QUIET_MS or rounds < LEAST_ROUNDS:
        app.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        rounds += 1


def _cut(plain: dict[str, Any], targets: tuple[str, ...] | None) -> dict[str, Any]:
    """Return a rating without the parts about other targets."""
    if targets is None:
        return plain
    plain["status"] = "incomplete"
    answers = plain["answers"]["targets"]
    plain["answers"]["targets"] = {name: given for name, given in answers.items() if name in targets}
    plain["claims"] = {name: claims for name, claims in plain.get("claims", {}).items() if name in targets}
    plain["evidence"] = [one for one in plain.get("evidence", []) if one["target"] in targets]
    read = {one["url"] for one in plain["evidence"]}
    plain["links_opened"] = [url for url in plain.get("links_opened", []) if url in read]
    here = tuple(f"targets/{name}" for name in targets)
    plain["acknowledged"] = [one for one in plain.get("acknowledged", []) if one["where"].startswith(here)]
    return plain
