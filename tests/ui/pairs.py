"""What the tests of two responses side by side share."""

from typing import Any

from PySide6.QtWidgets import QApplication

from desktop_rater.format.values import Place
from tests.ui.rooms import settle, two_responses

A, B = Place(response="a"), Place(response="b")
WIDE, LAPTOP, NARROW, LOW = (1440, 900), (1280, 720), (940, 800), (1280, 620)


def focused() -> Any:
    """What the keys go to."""
    return QApplication.focusWidget()


def two_pairs(rooms):
    """A window with two pairs, the first one open."""
    room = rooms.with_tasks(two_responses(), two_responses("t2"), rubric="side-by-side")
    room.window.banners.drop("transfer")
    resize(room, WIDE)
    return room


def resize(room, size):
    room.window.resize(*size)
    settle()


def half(room, response):
    return room.window.form_pane.form.blocks["ab".index(response)]


def strip(room):
    return room.window.form_pane.form.blocks[2]
