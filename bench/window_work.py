"""A rater's day in one window with all tasks, for processes of their own, with plain figures as results."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QTextEdit

from bench.window_stage import Painted, Stage
from bench.workload import FURTHER
from desktop_rater.ui.store.connections import BackupRunner
from tests.ui.loop_gap import IdleLoop, Watched

TIMES = 200
_READING = 2.0  # seconds
_GAPS = 3
Plain = dict[str, dict[str, list[float]]]  # samples by figure, in milliseconds, as JSON
Work = Callable[[Stage, Callable[[object], None]], None]  # begins something, and calls back at its end


def measure_keys(store: str) -> Plain:
    """Open the window on a store of one's own, and press the keys of a rater."""
    folder = Path(store)
    with Stage(folder) as stage:
        stage.settle()
        bare = BareText(stage)
        keys = {"next": next_tasks(stage, bare, "Ctrl+PgDown"), "previous": next_tasks(stage, bare, "Ctrl+PgUp")}
        keys |= answers(stage, folder, bare)
        bare.edit.close()
    return keys


def measure_gaps(store: str, further: str, out: str) -> Plain:
    """Open the window on a store of one's own, let the background work beside it, and answer meanwhile.

    The floor of an answer beside work is an answer in the same window beside none.
    """
    folder, works = Path(store), _works(further, out)
    with IdleLoop() as idle, Stage(folder) as stage:
        gaps = {name: _gap(stage, idle, partial(_await, stage, works[name]), _GAPS) for name in ("backup", "export")}
        gaps["searching"] = _gap(stage, idle, lambda: _type_searches(stage), _GAPS)
        quiet = answers(stage, folder)["durable"]["ours"]
        for name, work in works.items():
            beside: list[float] = []
            gap = _gap(stage, idle, lambda work=work, beside=beside: beside.extend(_answer(stage, folder, work)), 1)
            gaps.setdefault(name, gap)
            gaps[f"answer {name}"] = {"ours": beside, "floor": quiet}
    return gaps


def work_once(store: str, further: str, out: str) -> None:
    """Let the background work once, unmeasured."""
    with Stage(Path(store)) as stage:
        for work in _works(further, out).values():
            _await(stage, work)


def _works(further: str, out: str) -> dict[str, Work]:
    return {
        "backup": _back_up,
        "export": partial(_export, out=Path(out)),
        "import": partial(_import, further=Path(further)),
        "index": _index,  # it follows the import
    }


def open_task(store: str) -> None:
    """Open the window on a store and rest, as a rater who reads."""
    with Stage(Path(store)) as stage:
        stage.rest(_READING)


def open_bare_window() -> None:
    """Open a bare window and rest as long."""
    app = QApplication([])
    window = QMainWindow()
    window.resize(1440, 900)
    window.show()
    QTest.qWait(round(_READING * 1_000))
    app.quit()


class BareText:
    """Bare text widget of the size of the response: the floor of whatever paints a text."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.edit = QTextEdit()
        self.edit.setReadOnly(True)
        self.edit.resize(stage.text.size())
        self.edit.show()
        stage.window.activateWindow()
        stage.until(stage.window.isActiveWindow)

    def paint(self) -> float:
        """Show the texts of the present task, and return the milliseconds until they were painted."""
        task = self._stage.room.session.task
        assert task is not None
        self._stage.rest()
        painted = Painted(self.edit.viewport())
        started = time.perf_counter()
        self.edit.setPlainText(f"{task.prompt.text}\n\n{task.responses[0].text}")
        self._stage.until(lambda: painted.yet)
        return painted.milliseconds(started)


def next_tasks(stage: Stage, bare: BareText, key: str) -> dict[str, list[float]]:
    """Measure from the key to the painted text of the task; and a bare text widget with the same text."""
    session, ours, floor = stage.room.session, [], []
    for _ in range(TIMES):
        stage.rest(0.2)  # no rater is quicker, and it is time enough to read the task behind
        before, painted = session.task, Painted(stage.text)
        started = time.perf_counter()
        stage.press(key)
        stage.until(lambda before=before: session.task is not before)
        # Nothing of it was painted before, since the one look at the loop that opens it ends before it paints.
        stage.until(lambda painted=painted: painted.yet)
        ours.append(painted.milliseconds(started))
        floor.append(bare.paint())
    return {"ours": ours, "floor": floor}


def answers(
    stage: Stage, folder: Path, bare: BareText | None = None, still: Callable[[], bool] = lambda: True
) -> Plain:
    """Measure from the key to the answer on disk, beside a bare commit of as many bytes.

    With a bare text widget, also from the key to the painted window, beside the widget.
    """
    durable: dict[str, list[float]] = {"ours": [], "floor": []}
    shown: dict[str, list[float]] = {"ours": [], "floor": []}
    with closing(sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)) as db:
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE IF NOT EXISTS answers (key INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        for _ in range(TIMES):
            stage.rest(0.02)
            if not still():
                break
            known, painted = len(stage.stored), Painted(stage.window)
            started = time.perf_counter()
            stage.press("N" if known % 2 else "Y")  # an answer that the last one was not
            stage.until(lambda painted=painted: painted.yet)
            shown["ours"].append(painted.milliseconds(started))
            # At the end of an import the window goes to the first task of the new bundle, which drops a key.
            stage.until(lambda known=known: len(stage.stored) > known or not still())
            if len(stage.stored) == known:
                break
            durable["ours"].append((stage.stored[known] - started) * 1_000)
            durable["floor"].append(_commit(db))
            if bare is not None:
                shown["floor"].append(bare.paint())
    return {"durable": durable, "painted": shown}


def _commit(db: sqlite3.Connection) -> float:
    started = time.perf_counter()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO answers (body) VALUES (?)", (bytes(2_500),))
    db.execute("COMMIT")
    return (time.perf_counter() - started) * 1_000


def _gap(stage: Stage, idle: IdleLoop, work: Callable[[], object], times: int) -> dict[str, list[float]]:
    """Measure the longest gap of the event loop while something is done, and that of an idle loop in the same time."""
    ours, floor = [], []
    for _ in range(times):
        stage.rest()
        with Watched(idle) as watched:
            work()
        ours.append(watched.longest * 1_000)
        floor.append(max(0.0, watched.longest - watched.beyond) * 1_000)
    return {"ours": ours, "floor": floor}


def _await(stage: Stage, work: Work) -> None:
    ended: list[object] = []
    work(stage, ended.append)
    stage.until(lambda: ended)


def _answer(stage: Stage, folder: Path, work: Work) -> list[float]:
    """Answer until some work has ended; return the milliseconds from each key to the answer on disk."""
    ended: list[object] = []
    work(stage, ended.append)
    took = answers(stage, folder, still=lambda: not ended)["durable"]["ours"]
    stage.until(lambda: ended)
    return took


def _back_up(stage: Stage, ended: Callable[[object], None]) -> None:
    copies = stage.window.findChild(BackupRunner)
    assert isinstance(copies, BackupRunner)
    copies.ended.connect(ended)
    copies.back_up()


def _type_searches(stage: Stage) -> None:
    field, task = stage.window.task_list.filter, stage.room.session.task
    assert task is not None
    stage.window.filter_tasks()
    for word in task.responses[0].text.split()[:6]:
        for letter in word.lower():
            if letter.isalnum():
                stage.press(letter)
                stage.rest(0.2)
        field.clear()
    stage.window.form_pane.form.setFocus()


def _import(stage: Stage, ended: Callable[[object], None], *, further: Path) -> None:
    def imported() -> None:
        assert FURTHER in {row.id for row in stage.bundles()}
        ended(further)

    stage.room.transfer.import_ended.connect(imported)
    stage.room.transfer.import_bundle(further)


def _index(stage: Stage, ended: Callable[[object], None]) -> None:
    stage.room.transfer.perform.changed.connect(lambda change: ended(change) if change.indexed else None)


def _export(stage: Stage, ended: Callable[[object], None], *, out: Path) -> None:
    def exported() -> None:
        assert out.exists(), "there were results to write"
        out.unlink()
        ended(out)

    out.unlink(missing_ok=True)
    stage.room.transfer.export_ended.connect(exported, Qt.ConnectionType.SingleShotConnection)
    stage.room.transfer.export_to(out, partial_too=True)
