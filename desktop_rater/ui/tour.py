"""Pictures of the main screens, taken by doing what a rater does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.work.rate import rate_from_file
from desktop_rater.work.self_test import sample_ratings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

    from desktop_rater.model.task import Task
    from desktop_rater.ui.commands import Commands
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.transfer import Transfer

SIZE = (1440, 900)
LONGEST_WAIT = 20.0
QUIET_MS = 60  # no view changes later than that after its data is there
PAGE = "https://www.britannica.com/biography/Hannibal-Carthaginian-general-247-183-BCE"
OTHER_PAGE = "https://www.livius.org/articles/person/hannibal"


@dataclass(frozen=True)
class ChosenFiles:
    """Names files where a rater would choose them in a dialog."""

    results_file: Path

    def bundle(self, parent: QWidget) -> Path | None:
        """None: the sample needs no choice."""
        del parent
        return None

    def results(self, parent: QWidget, suggested: str) -> Path | None:
        """Where the results go."""
        del parent, suggested
        return self.results_file


@dataclass(frozen=True)
class Stage:
    """The parts of the window that the tour plays on."""

    app: QApplication
    perform: Perform
    window: MainWindow
    session: Session
    desk: Desk
    transfer: Transfer
    commands: Commands
    rater: str
    now: Callable[[], datetime]


def wait_until(app: QApplication, there: Callable[[], bool]) -> bool:
    """Let the window work until something is so; `False` where it never comes."""
    end = time.monotonic() + LONGEST_WAIT
    while not there():
        if time.monotonic() > end:
            return False
        app.processEvents()
    return True


def tour(stage: Stage, out: Path) -> list[Path]:
    """Take the pictures, in the order in which a rater sees the screens."""
    out.mkdir(parents=True, exist_ok=True)
    stage.window.resize(*SIZE)
    stage.window.show()
    taken = []
    for number, name in enumerate(_scenes(stage), 1):
        _rest(stage.app)
        path = out / f"{number:02d}-{name}.png"
        stage.window.grab().save(str(path))
        taken.append(path)
    stage.window.close()
    wait_until(stage.app, lambda: not stage.window.isVisible())
    return taken


def _rest(app: QApplication) -> None:
    timer = QElapsedTimer()
    timer.start()
    while timer.elapsed() < QUIET_MS:
        app.processEvents()


def _scenes(stage: Stage) -> Iterator[str]:
    """Each name comes when its screen is there."""
    session, commands, window = stage.session, stage.commands, stage.window
    wait_until(stage.app, lambda: window.stack.currentWidget() is window.empty_page)
    yield "first-run"
    stage.transfer.open_sample()
    wait_until(stage.app, lambda: session.task is not None)
    yield "new-task"
    for key in "NYNYN":
        commands.take_key(key)
        session.move(1)
    session.move(-4)
    _add_page(stage, PAGE, SUPPORTING)
    commands.take_key("A")
    yield "rating-a-target"
    _add_page(stage, OTHER_PAGE, CONTRADICTING)
    commands.take_key("3")
    yield "problems-open"
    _open(stage, lambda task: any(response.tools for response in task.responses))
    yield "tool-output"
    _open(stage, lambda task: task.prompt.lang in {"ar", "he", "fa", "ur"})
    commands.take_key("Y")
    commands.skip()
    yield "right-to-left-and-skipping"
    commands.leave()
    commands.actions["export"].trigger()
    _wait_for_export(stage)
    yield "export-refused"
    stage.window.banners.drop("transfer")
    _rate_all(stage)
    first = stage.window.task_list.model.task_at(0)
    stage.desk.open_task(first or "")
    wait_until(stage.app, lambda: stage.desk.task == first)
    session.move(1)
    yield "finished-task"
    commands.actions["export"].trigger()
    _wait_for_export(stage)
    yield "exported"


def _add_page(stage: Stage, url: str, stance: str) -> None:
    name = stage.session.add_evidence(url)
    if name is not None:
        stage.window.form_pane.form.evidence.select(name)
        stage.session.change_evidence(name, stance=stance, title=url.rpartition("/")[2].replace("-", " ")[:40])


def _open(stage: Stage, wanted: Callable[[Task], bool]) -> None:
    """Go through the tasks to the first that is like that."""
    model = stage.window.task_list.model
    for row in range(model.rowCount()):
        name = model.task_at(row) or ""
        stage.desk.open_task(name)
        wait_until(stage.app, lambda name=name: stage.desk.task == name)
        if stage.session.task is not None and wanted(stage.session.task):
            return


def _wait_for_export(stage: Stage) -> None:
    wait_until(stage.app, lambda: not stage.transfer.is_running)


def _rate_all(stage: Stage) -> None:
    """The ratings that come with the sample, as if given in the window."""
    stage.session.close()
    done: list[object] = []
    stage.perform.perform(
        partial(rate_from_file, now=stage.now),
        stage.desk.bundle,
        sample_ratings(),
        stage.rater,
        done=done.append,
        progressed=lambda _done, _total: None,
    )
    wait_until(stage.app, lambda: bool(done))
