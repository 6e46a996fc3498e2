"""What the tour plays on: the parts of a window, files and saves that it has in its own hands, and ready ratings."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent

from desktop_rater.model.trouble import RaterError
from desktop_rater.work import rate
from desktop_rater.work.self_test import sample_ratings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

    from desktop_rater.model.change import Change
    from desktop_rater.ui.commands import Commands
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.hub.commands import HubCommands
    from desktop_rater.ui.hub.reach import Reach
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.rooms import Rooms
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.tour.web import SampleWeb
    from desktop_rater.ui.transfer import Transfer

LONGEST_WAIT = 20.0
QUIET_MS = 60  # no view changes later than that after its data is there
LEAST_ROUNDS = 10  # on a busy machine one round of the loop may take as long


@dataclass(frozen=True)
class ChosenFiles:
    """Names files where a rater would choose them in a dialog."""

    results_file: Path

    def bundles(self, parent: QWidget) -> tuple[Path, ...]:
        """None: the sample needs no choice."""
        del parent
        return ()

    def folder(self, parent: QWidget) -> Path | None:
        """None, as above."""
        del parent
        return None

    def report(self, parent: QWidget, suggested: str) -> Path | None:
        """Beside the results."""
        del parent
        return self.results_file.with_name(suggested)

    def results(self, parent: QWidget, suggested: str) -> Path | None:
        """Where the results go."""
        del parent, suggested
        return self.results_file

    def final(self, parent: QWidget, suggested: str) -> Path | None:
        """Beside the results."""
        del parent
        return self.results_file.with_name(suggested)

    def backup(self, parent: QWidget) -> Path | None:
        """None: what is restored stands in the list."""
        del parent
        return None

    def hub(self, parent: QWidget) -> Path | None:
        """None: the address of a hub is typed."""
        del parent
        return None

    def certificates(self, parent: QWidget) -> Path | None:
        """None, as above."""
        del parent
        return None


class Saves:
    """Saves as ever, but for the time in which the disk is said to be full."""

    def __init__(self) -> None:
        self.full = False

    def __call__(self, *given: Any, **named: Any) -> Change:
        if self.full:
            raise RaterError("The disk is full.")
        return rate.save(*given, **named)


@dataclass(frozen=True)
class Stage:
    """The parts of the window that the tour plays on."""

    app: QApplication
    folder: Path
    perform: Perform
    saver: Saver
    window: MainWindow
    session: Session
    desk: Desk
    transfer: Transfer
    commands: Commands
    saves: Saves
    web: SampleWeb
    browsing: Browsing
    rooms: Rooms
    preferences: Preferences
    hub: HubCommands
    reach: Reach
    rater: str
    now: Callable[[], datetime]

    def wait(self, there: Callable[[], bool]) -> None:
        """Let the window work until something is so."""
        wait_until(self.app, there)

    def open(self, task: str) -> None:
        """Take up a task of the sample."""
        self.desk.open_task(task)
        self.wait(lambda: self.session.task is not None and self.session.task.id == task)

    def go(self, target: str, claim: int = 0) -> None:
        """To a target of the task at hand, and there to a claim by its number."""
        stop = next(one for one in self.session.stops if one.target == target)
        self.session.go_to(stop)
        for _one in range(claim - 1):
            self.session.move_claim(1)

    def act(self, name: str) -> None:
        """Do an action of the menus."""
        self.commands.actions[name].trigger()

    def read(self, ask: Callable[[], object]) -> None:
        """Ask for a page, and wait until it stands there, or why there is none."""
        before = self.browsing.page
        ask()
        self.wait(lambda: not self.browsing.is_loading and self.browsing.page is not before)

    def answer(self, keys: str) -> None:
        """Press keys of the rubric."""
        for key in keys:
            self.commands.take_key(key)

    def export(self) -> None:
        """Export, and wait for what comes of it."""
        ended: list[bool] = []
        self.transfer.export_ended.connect(lambda: ended.append(True))
        self.act("export")
        self.wait(lambda: bool(ended))

    def take_ratings(self, kept: Mapping[str, tuple[str, ...] | None]) -> None:
        """The sample's ratings of those tasks, as if given in the window; of some only those of the named targets."""
        self.session.close()
        self.wait(lambda: not self.saver.unsaved)
        path = self.folder / "ratings.jsonl"
        lines = map(json.loads, sample_ratings().read_text(encoding="utf-8").split("\n")[:-1])
        ours = (_cut(plain, kept[plain["task"]]) for plain in lines if plain["task"] in kept)
        path.write_text("".join(f"{json.dumps(one)}\n" for one in ours), encoding="utf-8")
        done: list[object] = []
        self.perform.perform(
            partial(rate.rate_from_file, now=self.now),
            self.desk.bundle,
            path,
            self.rater,
            done=done.append,
            progressed=lambda _done, _total: None,
        )
        self.wait(lambda: bool(done))
        self.desk.task = None  # it is read anew, even where it is the one that was put away


def wait_until(app: QApplication, there: Callable[[], bool]) -> bool:
    """Let the window work until something is so; `False` where it never comes."""
    end = time.monotonic() + LONGEST_WAIT
    while not there():
        if time.monotonic() > end:
            return False
        app.processEvents()
    return True


def rest(app: QApplication) -> None:
    """Let the window come to rest, and let what is to be deleted go: no loop of Qt's runs here that would see to it."""
    timer = QElapsedTimer()
    timer.start()
    rounds = 0
    while timer.elapsed() < QUIET_MS or rounds < LEAST_ROUNDS:
        app.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        rounds += 1


def _cut(plain: dict[str, Any], targets: tuple[str, ...] | None) -> dict[str, Any]:
    """A rating without what belongs to other targets."""
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
