"""What stands in the window while there is no bundle: how to get one, and what happens to the answers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import BOX_RADIUS

WIDTH = 760
WAYS = ("palette", "keys")  # the actions that lead on from here


class Box(QWidget):
    """A frame around what belongs together; dashed where a file can be dropped."""

    def __init__(self, *, dashed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dashed = dashed

    def sizeHint(self) -> QSize:
        # A generous place to drop something, as long as there is room for it.
        return super().sizeHint().expandedTo(QSize(0, theme.px(172))) if self._dashed else super().sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colors.edge if self._dashed else colors.line), 2 if self._dashed else 1)
        if self._dashed:
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(QColor(colors.panel if self._dashed else colors.surface))
        radius = theme.px(BOX_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        painter.end()


class EmptyPage(QScrollArea):
    """What belongs here, and the keys that bring it."""

    import_wanted = Signal()
    sample_wanted = Signal()
    practice_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty_page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        theme.ground(page, "surface")
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        self._column = QVBoxLayout()
        outer.addLayout(self._column, 100)
        outer.addStretch(1)
        self._box = QWidget()
        self._column.addStretch(2)
        self._column.addWidget(self._box)
        self._column.addStretch(3)
        self._fill(QVBoxLayout(self._box))
        self.setWidget(page)
        theme.follow(self, lambda: self._box.setMaximumWidth(theme.px(WIDTH)))

    def _fill(self, column: QVBoxLayout) -> None:
        column.setContentsMargins(0, 24, 0, 24)
        column.setSpacing(0)
        title = PlainLabel(self.tr("No tasks yet"))
        theme.write(title, "title", bold=True)
        column.addWidget(title)
        words = self.tr("Tasks come as a bundle: one zip file with the texts to rate and the questions to answer.")
        said = WrappedLabel(words)
        theme.write(said, "prompt")
        theme.quiet(said)
        column.addSpacing(4)
        column.addWidget(said)
        column.addSpacing(16)
        column.addWidget(self._make_drop())
        column.addSpacing(16)
        for name, title, said, key, wanted in self._samples():
            column.addWidget(_sample_box(name, title, said, key, self.tr("Open"), wanted))
            column.addSpacing(8)
        column.addSpacing(24)
        column.addWidget(line())
        column.addSpacing(16)
        column.addLayout(self._make_foot())

    def _make_drop(self) -> Box:
        box = Box(dashed=True)
        column = QVBoxLayout(box)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(Icon("page", size=32), 0, Qt.AlignmentFlag.AlignHCenter)
        head = PlainLabel(self.tr("Drop a bundle here"))
        theme.write(head, "prompt", bold=True)
        column.addWidget(head, 0, Qt.AlignmentFlag.AlignHCenter)
        said = PlainLabel(self.tr("It is checked before anything is stored."))
        theme.quiet(said)
        column.addWidget(said, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(4)
        self.import_button = KeyButton(self.tr("Choose a file …"), "Ctrl O", primary=True)
        self.import_button.setObjectName("first_import")
        self.import_button.clicked.connect(self.import_wanted)
        column.addWidget(self.import_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return box

    def _samples(self) -> tuple[tuple[str, str, str, str, SignalInstance], ...]:
        """What comes with the program: the name of the button, what it is, its key, and who is told."""
        sample = self.tr("Twelve tasks to try everything on. Works with no network.")
        practice = self.tr("Four tasks. After each you see the gold answer, why it is so, and what differs from yours.")
        return (
            ("first_sample", self.tr("Open the sample"), sample, "Ctrl Shift O", self.sample_wanted),
            ("first_practice", self.tr("Practise"), practice, "", self.practice_wanted),
        )

    def _make_foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        said = WrappedLabel(
            self.tr("Every answer is saved as you give it, on this laptop only.\nNothing leaves it until you export.")
        )
        theme.quiet(said)
        row.addWidget(said, 1)
        self._ways = {
            name: KeyButton(words, flat=True)
            for name, words in zip(WAYS, (self.tr("Find an action"), self.tr("All keys")), strict=True)
        }
        for name, button in self._ways.items():
            button.setObjectName(f"first_{name}")
            button.clicked.connect(lambda _on=False, name=name: self._trigger(name))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.import_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_ways(self) -> None:
        """Offer the actions that there are, with the keys that they have now."""
        for name, button in self._ways.items():
            action = self._action(name)
            button.setVisible(action is not None)
            if action is not None:
                button.set_key(keys.Shown(keys.shown(action.shortcut().toString())))

    def _action(self, name: str) -> QAction | None:
        return self.window().findChild(QAction, f"action_{name}")

    def _trigger(self, name: str) -> None:
        action = self._action(name)
        if action is not None:
            action.trigger()


def _sample_box(name: str, title: str, said: str, key: str, opens: str, wanted: SignalInstance) -> Box:
    box = Box(dashed=False)
    row = QHBoxLayout(box)
    row.setContentsMargins(16, 12, 16, 12)
    row.setSpacing(12)
    row.addWidget(Icon("sample", size=20), 0, Qt.AlignmentFlag.AlignTop)
    words = QVBoxLayout()
    words.setSpacing(4)
    head = PlainLabel(title)
    theme.write(head, bold=True)
    words.addWidget(head)
    label = WrappedLabel(said)
    theme.quiet(label)
    words.addWidget(label)
    row.addLayout(words, 1)
    button = KeyButton(opens, key)
    button.setObjectName(name)
    button.setAccessibleName(f"{title}: {opens}" + (f", {key}" if key else ""))
    button.clicked.connect(wanted)
    row.addWidget(button)
    return box
