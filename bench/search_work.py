"""Searches in the task list, letter by letter, beside bare indexed queries whose first page a bare list shows."""

from __future__ import annotations

import sqlite3
import string
import time
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QListView

from bench.window_stage import Painted, Stage
from bench.workload import BUNDLE, RATER
from desktop_rater.operations.rating.open_task import task_list_page
from desktop_rater.store.connection import NAME
from desktop_rater.ui.rating.task_model import SEARCH_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.store.tasks import ListState

STATES: tuple[ListState, ...] = ("all", "unfinished", "blocked")
Plain = dict[str, dict[str, list[float]]]  # samples by figure, in milliseconds, as JSON


def measure(store: str) -> Plain:
    """Open the window on a store of one's own, and search in its list for each text in each state.

    `search` is the time from a text to the painted first page, `search processor` the processor time of it, and
    `search query` that of the query alone.
    """
    with Stage(Path(store)) as stage, closing(BareList(stage, Path(store))) as bare:
        task, page = stage.room.session.task, ListPage(stage)
        assert task is not None
        figures: Plain = {name: {"ours": [], "floor": []} for name in ("search", "search processor", "search query")}
        for state, text in product(STATES, texts(task.responses[0].text)):
            for side, shown in (("ours", page), ("floor", bare)):
                stage.rest(0.02)
                took, worked = _clocked(partial(shown.paint, text, state))
                figures["search"][side].append(took)
                figures["search processor"][side].append(worked)
                figures["search query"][side].append(_clocked(partial(shown.query, text, state))[1])
        page.paint("", "all")
    return figures


def texts(response: str) -> list[str]:
    """Return what raters may type: letters, the beginnings of words, words, phrases, ids, numbers, other scripts."""
    words = [word.strip(".,").lower() for word in response.split() if word.isalpha()][:8]
    beginnings = [word[:length] for word in words for length in range(2, len(word))]
    pairs = [f"{first} {second}" for first, second in zip(words, [*words[1:], "si"], strict=True)]
    rest = ["", "site", "site42", "see therefore", "site42 si", "te te", "t-0", "t-00012", "42", "nothing like this"]
    scripts = ["é", "при", "日本", "ä ö"]
    quoted = [f'"{pairs[0]}"', f'"{pairs[0][:-1]}']
    return list(
        dict.fromkeys([*string.ascii_lowercase, *string.digits, *beginnings, *words, *pairs, *quoted, *rest, *scripts])
    )


class ListPage:
    """The task list of the window."""

    def __init__(self, stage: Stage) -> None:
        self._stage, self._model = stage, stage.window.task_list.model
        self._painted = Painted(stage.window.task_list.list.viewport())
        self._filled: list[bool] = []
        self._model.filled.connect(lambda: self._filled.append(True))

    def paint(self, text: str, state: ListState) -> None:
        """Search until the first page is painted, or known to be empty."""
        self._filled.clear()
        self._painted.forget()
        self._model.show(BUNDLE, text, state)
        self._stage.until(lambda: self._filled)
        if self._model.rowCount():
            self._stage.until(lambda: self._painted.yet)

    def query(self, text: str, state: ListState) -> None:
        """Read the first page."""
        task_list_page(self._stage.room.reader, BUNDLE, RATER, text=text, state=state, limit=SEARCH_PAGE_SIZE)


class BareList:
    """Bare query of the index for whole words, with the titles of a page, and a bare list that shows them."""

    def __init__(self, stage: Stage, store: Path) -> None:
        self._stage = stage
        self._db = sqlite3.connect(f"file:{store / NAME}?mode=ro", uri=True, isolation_level=None)
        (self._first,) = self._db.execute("SELECT min(key) FROM tasks").fetchone()
        self._view, self._model = QListView(), QStringListModel()
        self._view.setUniformItemSizes(True)
        self._view.setModel(self._model)
        self._view.resize(stage.window.task_list.list.size())
        self._view.show()
        self._painted = Painted(self._view.viewport())
        stage.window.activateWindow()
        stage.until(stage.window.isActiveWindow)

    def paint(self, text: str, state: ListState) -> None:
        """Search in all states until the titles are painted, or known to be none."""
        self._painted.forget()
        self._model.setStringList([title for (_key, _id, title) in self.query(text, state)])
        if self._model.rowCount():
            self._stage.until(lambda: self._painted.yet)

    def query(self, text: str, _state: ListState) -> list[tuple[int, str, str]]:
        """Return the first page of the tasks with all words, or of all tasks."""
        words = " ".join(f'"{word}"' for word in text.replace('"', "").split())
        if not words:
            query = "SELECT key, id, title FROM tasks WHERE key >= ? ORDER BY key LIMIT ?"
            return self._db.execute(query, (self._first, SEARCH_PAGE_SIZE)).fetchall()
        query = "SELECT key, id, title FROM texts CROSS JOIN tasks ON key = texts.rowid WHERE texts MATCH ? LIMIT ?"
        return self._db.execute(query, (words, SEARCH_PAGE_SIZE)).fetchall()

    def close(self) -> None:
        self._view.close()
        self._db.close()


def _clocked(work: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds that something takes, and the processor time of this process in them."""
    started, worked = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - started) * 1_000, (time.process_time() - worked) * 1_000
