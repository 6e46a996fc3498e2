"""The keys that are drawn on buttons, and whether pressing one does what a click on its button does.

Each is tried in a copy of the process, so that the window stays as it is, whatever a key does.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from types import FrameType
from typing import NamedTuple

from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from desktop_rater.ui.widgets.buttons import is_key_dimmed
from desktop_rater.ui.window.focus import IN_BAR, KEYS_DIMMED, TYPING
from desktop_rater.ui.window.main_window import Parts
from desktop_rater.ui.window.screens import Screens
from tests.ui.rooms import press

CAN_COPY = hasattr(os, "fork") and sys.platform == "linux"
LONGEST = 30  # seconds
FIELD_KEYS = {"Enter", "Esc", "Del", "Delete", "Backspace"}  # some fields and lists take them, some do not
ANSWER_WORDS = 2  # an answer is given by the names of its question and of the choice
TYPES = (QWidget, QAbstractButton, QLineEdit, QPlainTextEdit, QTextEdit)
RUN = Screens.run.__code__  # calls the functions of actions
BETWEEN = {Parts._run.__code__, Parts._call.__code__}  # call those of parts that are made by then


class Call(NamedTuple):
    """A function of the program, the object whose method it is, and the strings that it is given."""

    name: str
    owner: int
    words: tuple[str, ...]


@dataclass
class Outcome:
    """The functions that were called, those that were called first, and how the window has changed."""

    calls: set[Call] = field(default_factory=set)
    first: set[Call] = field(default_factory=set)
    changes: set[tuple[object, ...]] = field(default_factory=set)


def call_of(frame: FrameType) -> Call:
    code = frame.f_code
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    owner = id(given[0]) if code.co_varnames[:1] == ("self",) else 0
    return Call(code.co_qualname, owner, tuple(one for one in given if isinstance(one, str)))


def is_between(frame: FrameType) -> bool:
    """Return whether a function is only on the way: Qt 6.12 asks a button for its next state before it is clicked."""
    return frame.f_code.co_name in {"<lambda>", "nextCheckState"} or frame.f_code in BETWEEN


def caller_of(frame: FrameType) -> FrameType | None:
    """Return the frame that called a function, past lambdas and the calls of parts."""
    back = frame.f_back
    while back is not None and is_between(back):
        back = back.f_back
    return back


def state_of(widget: QWidget) -> object:
    if isinstance(widget, QTextEdit):
        return widget.textCursor().anchor(), widget.textCursor().position()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()
    return (
        widget.text() if isinstance(widget, QLineEdit) else isinstance(widget, QAbstractButton) and widget.isChecked()
    )


def looks() -> set[tuple[object, ...]]:
    """Return what the windows show, and where the focus is."""
    focus = QApplication.focusWidget()
    parts = chain.from_iterable((window, *window.findChildren(QWidget)) for window in QApplication.topLevelWidgets())
    shown = (widget for widget in parts if widget.isVisible())
    return {
        (type(widget), widget.objectName(), widget.accessibleName(), state_of(widget), widget is focus)
        for widget in shown
    }


def tried(
    act: Callable[[], object],
    before: set[tuple[object, ...]],
    is_end: Callable[[Call, bool], bool] = lambda _call, _first: False,
) -> Outcome:
    """Do something in a copy of the process, until `is_end` holds for a call; no thread runs there."""
    reading, writing = os.pipe()
    copy = os.fork()
    if not copy:
        try:
            signal.alarm(LONGEST)
            threading.Thread.start = lambda _thread: None  # ty: ignore[invalid-assignment]
            with os.fdopen(writing, "wb") as out:
                _do(act, before, is_end, lambda outcome: (out.write(pickle.dumps(outcome)), out.flush(), os._exit(0)))
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        sent = answer.read()
    os.waitpid(copy, 0)
    assert sent, "the copy of the process has died"
    return pickle.loads(sent)


def _do(
    act: Callable[[], object],
    before: set[tuple[object, ...]],
    is_end: Callable[[Call, bool], bool],
    leave: Callable[[Outcome], object],
) -> None:
    outcome, here = Outcome(), sys._getframe()

    def on_call(frame: FrameType, event: str, _argument: object) -> None:
        ours = event == "call" and str(frame.f_globals.get("__name__", "")).startswith("desktop_rater.")
        if not ours or is_between(frame) or frame.f_code is Parts.__getitem__.__code__:
            return
        call, caller = call_of(frame), caller_of(frame)
        is_first = caller is here or (caller is not None and caller.f_code is RUN and frame.f_code.co_name != "actions")
        outcome.calls.add(call)
        if is_first:
            outcome.first.add(call)
        if is_end(call, is_first):
            sys.setprofile(None)
            leave(outcome)

    sys.setprofile(on_call)
    act()
    sys.setprofile(None)
    QApplication.processEvents()
    QApplication.processEvents()
    outcome.changes = before ^ looks()
    leave(outcome)


def is_heard(button: QAbstractButton, key: str, before: set[tuple[object, ...]], *, exactly: bool) -> bool:
    """Return whether pressing a key where the focus is does what a click on the button does.

    `exactly`: it calls the same function, not only another one that changes the window likewise.
    """
    is_answer = button.group() is not None
    clicked = tried(
        button.click, before, lambda call, is_first: len(call.words) >= ANSWER_WORDS if is_answer else is_first
    )
    known = clicked.first | {call for call in clicked.calls if len(call.words) >= ANSWER_WORDS}
    pressed = tried(
        lambda: press(key.replace(" ", "+").replace("Enter", "Return")), before, lambda call, _is_first: call in known
    )
    if pressed.calls & known:
        return True
    if exactly or not (pressed.first or pressed.changes):
        return False
    clicked = tried(button.click, before)
    # A click on a button of one problem or row also goes there.
    same = pressed.changes <= clicked.changes or clicked.changes <= pressed.changes
    return bool(pressed.first & clicked.calls) or (bool(pressed.changes and clicked.changes) and same)


def is_one_key(key: str) -> bool:
    """Return whether a sign is a key, not the keys of the answers among which a button lets one choose."""
    parts = key.split()
    return "–" not in key and (len(parts) == 1 or any(len(part) > 1 for part in parts))


def signed_buttons(window: QWidget) -> list[QAbstractButton]:
    """Return the buttons in sight on which a key is drawn; a chosen answer stays as it is."""
    shown = (one for one in window.findChildren(QAbstractButton) if one.window() is window and one.isEnabled())
    signed = (one for one in shown if is_one_key(getattr(one, "_key", "")) and getattr(one, "_cap", True))
    return [one for one in signed if one.isVisible() and not one.visibleRegion().isEmpty() and not one.isChecked()]


def faults_of_signs(seen: set[tuple[object, ...]]) -> list[str]:
    """Return the keys of the active window that are drawn but not heard, or dimmed on all buttons but heard.

    `seen` has what needs no other look.
    """
    window = QApplication.activeWindow()
    assert window is not None, "no window is active"
    focus = QApplication.focusWidget()
    where = focus.objectName() or type(focus).__name__ if focus is not None else ""
    state = window.property(KEYS_DIMMED) or ""
    faults, drawn_plainly, before = [], set[str](), looks()
    for button in signed_buttons(window):
        key = getattr(button, "_key", "")
        is_dimmed = is_key_dimmed(key, button)
        is_letter = len(key.removeprefix("Shift ")) == 1
        if not is_dimmed:
            drawn_plainly.add(key)
        what = "letter" if is_dimmed and is_letter else (button.objectName(), key)
        sign = what, is_dimmed, state, where if (is_dimmed and is_letter) or key in FIELD_KEYS else ""
        if sign not in seen:
            seen.add(sign)
            heard = is_heard(button, key, before, exactly=is_dimmed)
            if heard is is_dimmed:
                faults.append((button.objectName() or button.accessibleName(), key, heard))
    # Esc leaves a field first; in a bar, Enter is of the bar until it has what it asks for.
    others = {"Esc"} if state == TYPING else {"Enter"} if state == IN_BAR else set()
    return [
        f"{key} on {name} is {'heard but dimmed' if heard else 'not heard'} with the focus in {where}"
        for name, key, heard in faults
        if key not in others | (drawn_plainly if heard else set())
    ]
