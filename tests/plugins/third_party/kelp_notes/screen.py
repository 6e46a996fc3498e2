"""A screen of the window."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel


class KelpScreen(QObject):
    """Shows a text."""

    changed = Signal()
    mode = "kelp"
    title = "Kelp"
    status_text = "3 m high"

    def __init__(self, context):
        super().__init__(context.window)
        self.widget = QLabel("Kelp")

    def actions(self):
        return {}

    def take_key(self, key):
        return False

    def enter(self):
        self.widget.setText("Kelp, 3 m high")

    def leave(self):
        self.widget.setText("Kelp")

    def panes(self):
        return (self.widget,)
