"""What stands in the window while there is no bundle: how to get one, and what happens to the answers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import BOX_RADIUS

WIDTH = 760
BESIDE = 560  # from this width on two cards stand beside each other
WAYS = ("palette", "keys")  # the actions that lead on from here


class Box(QWidget):
    """A frame around what belongs together; dashed where a file can be dropped."""

    def __init__(self, *, dashed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dashed = dashed

    def sizeHint(self) -> QSize:
        # A generous place to drop something, as long as there is room for it.
        return super().sizeHint().expandedTo(QSize(0, theme.px(226))) if self._dashed else super().sizeHint()

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
    hub_wanted = Signal()

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
        column.addWidget(Cards(self._hub_card(), self._sample_card()))
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

    def _hub_card(self) -> Box:
        words = self.tr(
            "A shared folder, a WebDAV server or an object store that your project gave you. Bundles come from it, "
            "results go to it."
        )
        opens = KeyButton(self.tr("Connect …"), "Ctrl Shift H")
        opens.setObjectName("first_hub")
        opens.clicked.connect(self.hub_wanted)
        return _card("globe", self.tr("Connect to a hub"), words, opens)

    def _sample_card(self) -> Box:
        words = self.tr(
            "Twelve tasks to try everything on, or four to practise with the gold answer after each. Works with no "
            "network."
        )
        opens = KeyButton(self.tr("Open"), "Ctrl Shift O")
        opens.setObjectName("first_sample")
        opens.clicked.connect(self.sample_wanted)
        practises = KeyButton(self.tr("Practise"))
        practises.setObjectName("first_practice")
        practises.clicked.connect(self.practice_wanted)
        return _card("sample", self.tr("Open the sample"), words, opens, practises)

    def _make_foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        saved = self.tr("Every answer is saved as you give it, on this laptop only.")
        said = WrappedLabel("\n".join((saved, self.tr("Nothing leaves it until you export or sync."))))
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


class Cards(QWidget):
    """Two boxes beside each other, as high as the higher one; one above the other where there is no room."""

    def __init__(self, *boxes: Box) -> None:
        super().__init__()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        for box in boxes:
            self._row.addWidget(box, 1)
        theme.follow(self, lambda: self._row.setSpacing(theme.px(16)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= theme.px(BESIDE)
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)


def _card(icon: str, title: str, said: str, *buttons: KeyButton) -> Box:
    box = Box(dashed=False)
    row = QHBoxLayout(box)
    theme.pad(row, 16, 16, 16, 16)
    row.setSpacing(12)
    row.addWidget(Icon(icon, size=20), 0, Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(4)
    head = PlainLabel(title)
    theme.write(head, bold=True)
    column.addWidget(head)
    label = WrappedLabel(said)
    theme.quiet(label)
    column.addWidget(label)
    column.addSpacing(8)
    ways = QWidget()
    flow = FlowLayout(ways, spacing=8, alike=False)
    for button in buttons:
        button.setAccessibleName(f"{title}: {button.accessibleName()}")
        flow.addWidget(button)
    column.addWidget(ways)
    column.addStretch(1)
    row.addLayout(column, 1)
    return box
