"""A rater's day in one window with all tasks: `measure_all` runs in a process of its own and gives plain figures."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTextEdit

from bench.window_stage import Painted, Stage, p95
from bench.workload import BUNDLE, FURTHER
from desktop_rater.ui.store.backups import BackupRunner
from tests.ui.loop_gap import IdleLoop, Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.store.tasks import ListState

TIMES = 200
Pair = list[float]  # ours and the floor's, in milliseconds


def measure_all(store: str, further: str, out: str) -> dict[str, Pair]:
    """Open the window on a store of one's own and do everything once."""
    folder = Path(store)
    with IdleLoop() as idle, Stage(folder) as stage:
        found = {"backup": _gap(stage, idle, lambda: _backup(stage))}
        found["next"] = next_tasks(stage)
        found["answer"] = answers(stage, folder, TIMES)
        found["search"] = searches(stage)
        found["searching"] = _gap(stage, idle, lambda: _type_searches(stage))
        found["export"] = _gap(stage, idle, lambda: _export(stage, Path(out)))
        beside: list[Pair] = []
        found["import"] = _gap(stage, idle, lambda: beside.append(_import(stage, folder, Path(further))))
        found["answer while importing"] = beside[0]
    return found


def next_tasks(stage: Stage) -> Pair:
    """From the key to the painted text of the next task; and a bare text widget with the same text."""
    session, ours, bare = stage.room.session, [], []
    edit = QTextEdit()
    edit.setReadOnly(True)
    edit.resize(stage.text.size())
    edit.show()
    stage.window.activateWindow()
    stage.until(stage.window.isActiveWindow)
    for _ in range(TIMES):
        stage.rest(0.2)  # no rater is quicker, and it is time enough to read the task behind
        before, painted = session.task, Painted(stage.text)
        started = time.perf_counter()
        stage.press("Ctrl+PgDown")
        stage.until(lambda before=before: session.task is not before)
        # Nothing of it was painted before, since the one look at the loop that opens it ends before it paints.
        stage.until(lambda painted=painted: painted.yet)
        ours.append(time.perf_counter() - started)
        painted.setParent(None)
        assert session.task is not None
        bare.append(_bare(stage, edit, f"{session.task.prompt.text}\n\n{session.task.responses[0].text}"))
    edit.close()
    return [p95(ours), p95(bare)]


def _bare(stage: Stage, edit: QTextEdit, text: str) -> float:
    stage.rest()
    painted = Painted(edit.viewport())
    started = time.perf_counter()
    edit.setPlainText(text)
    stage.until(lambda: painted.yet)
    took = time.perf_counter() - started
    painted.setParent(None)
    return took


def answers(stage: Stage, folder: Path, times: int, still: Callable[[], bool] = lambda: True) -> Pair:
    """From the key to the answer on disk; and a bare commit of as many bytes."""
    ours, bare = [], []
    with closing(sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)) as db:
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE IF NOT EXISTS answers (key INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        for number in range(times):
            stage.rest(0.02)
            if not still():
                break
            known = len(stage.stored)
            started = time.perf_counter()
            stage.press("N" if number % 2 else "Y")
            stage.until(lambda known=known: len(stage.stored) > known)
            ours.append(stage.stored[known] - started)
            started = time.perf_counter()
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO answers (body) VALUES (?)", (bytes(2_500),))
            db.execute("COMMIT")
            bare.append(time.perf_counter() - started)
    return [p95(ours), p95(bare)]


def searches(stage: Stage) -> Pair:
    """From a question to the list of its first page, painted: words of the texts, and what a rater types on the way."""
    task, model, took = stage.room.session.task, stage.window.task_list.model, []
    assert task is not None
    words = [word.strip(".,").lower() for word in task.responses[0].text.split() if word.isalpha()][:8]
    texts = ["", *words, *(word[:3] for word in words), f"{words[0]} {words[1]}", "site42", "nothing like this"]
    states: tuple[ListState, ...] = ("all", "unfinished", "blocked")
    painted, filled = Painted(stage.window.task_list.list.viewport()), list[bool]()
    model.filled.connect(lambda: filled.append(True))
    for text, state in product(texts, states):
        stage.rest(0.02)
        filled.clear()
        painted.forget()
        started = time.perf_counter()
        model.show(BUNDLE, text, state)
        stage.until(lambda: filled)
        if model.rowCount():
            stage.until(lambda: painted.yet)
        took.append(time.perf_counter() - started)
    model.show(BUNDLE)
    return [p95(took), 0.0]


def _gap(stage: Stage, idle: IdleLoop, work: Callable[[], object]) -> Pair:
    """The longest gap of the event loop while something is done, and that of an idle loop in the same time."""
    stage.rest()
    with Watched(idle) as watched:
        work()
    return [watched.longest * 1_000, max(0.0, watched.longest - watched.beyond) * 1_000]


def _backup(stage: Stage) -> None:
    copies = stage.window.findChild(BackupRunner)
    assert isinstance(copies, BackupRunner)
    ended: list[object] = []
    copies.ended.connect(ended.append)
    copies.back_up()
    stage.until(lambda: ended)


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


def _import(stage: Stage, folder: Path, further: Path) -> Pair:
    ended: list[bool] = []
    stage.room.transfer.import_ended.connect(lambda: ended.append(True))
    stage.room.transfer.import_bundle(further)
    took = answers(stage, folder, TIMES, still=lambda: not ended)
    stage.until(lambda: ended)
    assert FURTHER in {row.id for row in stage.bundles()}
    return took


def _export(stage: Stage, out: Path) -> None:
    ended: list[bool] = []
    stage.room.transfer.export_ended.connect(lambda: ended.append(True))
    stage.room.transfer.export_to(out, partial_too=True)
    stage.until(lambda: ended)
    assert out.exists(), "there were results to write"
