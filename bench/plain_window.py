"""What Qt itself takes for the next task: a window of plain widgets that holds as much as ours, driven from Python.

It has the same texts, a strip of targets, the tool output and five questions of four buttons, without marks, rules,
key caps, problems or a store. Its floor is the bare text widget that the window is compared with, too.
"""

from __future__ import annotations

import os
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from bench.window_stage import Painted, rest, wait_until
from bench.workload import tasks
from desktop_rater.ui.window.startup import application

if TYPE_CHECKING:
    from collections.abc import Callable

_TURNS, _TASKS = 200, 100
_LABELS = ("Accurate", "Inaccurate", "Unsupported", "Disputed")


class PlainWindow(QMainWindow):
    """Window of plain Qt widgets for a task."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.size_label, self.strip, self.calls = QLabel(), QLabel(), QListWidget(), QListWidget()
        self.strip.setFlow(QListView.Flow.LeftToRight)
        self.strip.addItems([str(number) for number in range(1, 11)])
        self.prompt, self.response, self.output = QTextEdit(), QTextEdit(), QPlainTextEdit()
        self.prompt.setFixedHeight(65)
        self.strip.setFixedHeight(30)
        self.calls.setFixedHeight(30)
        texts, form, panes = QWidget(), QWidget(), QSplitter()
        column = QVBoxLayout(texts)
        for part in (self.title, self.strip, self.prompt, self.size_label, self.response, self.calls, self.output):
            column.addWidget(part)
        questions = QVBoxLayout(form)
        self.hints = [self._add_question(questions, number) for number in range(1, 6)]
        questions.addStretch(1)
        for pane in (texts, form):
            panes.addWidget(pane)
        self.setCentralWidget(panes)
        self.resize(1440, 900)

    def _add_question(self, column: QVBoxLayout, number: int) -> tuple[QLabel, list[QPushButton]]:
        hint, row = QLabel(), QHBoxLayout()
        buttons = [QPushButton(label) for label in _LABELS]
        for button in buttons:
            button.setCheckable(True)
            row.addWidget(button)
        column.addWidget(QLabel(f"Question {number}: is it so?"))
        column.addLayout(row)
        column.addWidget(hint)
        return hint, buttons

    def show_task(self, task: dict[str, Any], turn: int) -> None:
        """Show a task; with every second one a question comes or goes, as the rules have it."""
        self.title.setText(task["prompt"]["text"])
        self.prompt.setPlainText(task["prompt"]["text"])
        self.response.setPlainText(task["responses"][0]["text"])
        self.size_label.setText(f"{len(task['responses'][0]['text'])} characters")
        self.calls.clear()
        self.calls.addItem(f"search → {turn} results")
        self.output.setPlainText(str(task["responses"][0]["tools"][0]["output"]))
        for number, (hint, buttons) in enumerate(self.hints):
            hint.setText(f"The guideline on question {number} of task {turn}.")
            buttons[turn % 4].toggle()
        hint, buttons = self.hints[3]
        for part in (hint, *buttons):
            part.setVisible(turn % 2 == 0)


def measure() -> dict[str, dict[str, list[float]]]:
    """Return the milliseconds until the next task is painted, in the plain window and in a bare text widget."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application()
    window, bare = PlainWindow(), QTextEdit()
    window.show()
    wait_until(window.isVisible)
    bare.resize(window.response.size())
    bare.show()
    ours, floor = [], []
    for turn, task in zip(range(_TURNS), cycle(tasks(_TASKS)), strict=False):
        text = f"{task['prompt']['text']}\n\n{task['responses'][0]['text']}"
        ours.append(_painted(window.response, lambda task=task, turn=turn: window.show_task(task, turn)))
        floor.append(_painted(bare, lambda text=text: bare.setPlainText(text)))
    return {"plain": {"ours": ours, "floor": floor}}


def _painted(edit: QTextEdit, show: Callable[[], None]) -> float:
    rest()
    painted, started = Painted(edit.viewport()), time.perf_counter()
    show()
    wait_until(lambda: painted.yet)
    return painted.milliseconds(started)
