"""The first-run page, and the page that asks for the rater's name."""

import getpass

from PySide6.QtCore import QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.paths import offered_samples
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.text.untrusted import normalised_name
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import FieldEdit
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, name_widget
from desktop_rater.ui.widgets.layouts import FlowLayout, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import BOX_RADIUS
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.preferences import Preferences

EMPTY_PAGE_WIDTH = 760
CARDS_WIDTH = 560  # from this width on, two cards are side by side


class FramedBox(QWidget):
    """A frame around a group; dashed as a drop target."""

    def __init__(self, *, dashed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dashed = dashed

    def sizeHint(self) -> QSize:
        # A large drop target, if there is space for it.
        return super().sizeHint().expandedTo(QSize(0, theme.px(226))) if self._dashed else super().sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        with smooth_painter(self) as painter:
            pen = QPen(QColor(colors.edge if self._dashed else colors.line), 2 if self._dashed else 1)
            if self._dashed:
                pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(QColor(colors.panel if self._dashed else colors.surface))
            radius = theme.px(BOX_RADIUS)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


class EmptyPage(QScrollArea):
    """The first-run page with its actions and their keys."""

    def __init__(self, stack: QStackedWidget, import_wanted: SignalInstance, hub_wanted: SignalInstance) -> None:
        super().__init__(stack)
        self._links: dict[str, KeyButton] = {}  # by action
        self.setObjectName("empty_page")
        theme.set_ground(self, "surface")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        theme.set_ground(page, "surface")
        self._column = QVBoxLayout()
        fill(QHBoxLayout(page), 1, (self._column, 100), 1)
        self._box = QWidget()
        fill(self._column, 2, self._box, 3)
        self._fill(QVBoxLayout(self._box), import_wanted, hub_wanted)
        self.setWidget(page)
        theme.follow(self, lambda: self._box.setMaximumWidth(theme.px(EMPTY_PAGE_WIDTH)))
        stack.addWidget(self)
        self.update_keys()

    def _fill(self, column: QVBoxLayout, import_wanted: SignalInstance, hub_wanted: SignalInstance) -> None:
        column.setContentsMargins(0, 24, 0, 24)
        column.setSpacing(0)
        title = PlainLabel(self.tr("No tasks yet"), size="title", bold=True)
        column.addWidget(title)
        text = self.tr("Tasks come in a bundle: a zip file with the texts to rate and the questions to answer.")
        introduction = WrappedLabel(text, size="prompt", ink="text2")
        column.addSpacing(4)
        column.addWidget(introduction)
        column.addSpacing(16)
        column.addWidget(self._make_drop(import_wanted))
        column.addSpacing(16)
        column.addWidget(CardPair(self._hub_card(hub_wanted), self._sample_card()))
        column.addSpacing(24)
        column.addWidget(horizontal_line())
        column.addSpacing(16)
        column.addLayout(self._make_foot())

    def _make_drop(self, import_wanted: SignalInstance) -> FramedBox:
        box = FramedBox(dashed=True)
        column = tight_column(box, 1, spacing=8, margins=(24, 16, 24, 16))
        column.addWidget(Icon("page", size=32), 0, Qt.AlignmentFlag.AlignHCenter)
        head = PlainLabel(self.tr("Drop a bundle here"), size="prompt", bold=True)
        column.addWidget(head, 0, Qt.AlignmentFlag.AlignHCenter)
        note = PlainLabel(self.tr("The bundle is checked before it is stored."), ink="text2")
        column.addWidget(note, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(4)
        self.import_button = KeyButton(
            self.tr("Choose a file …"), "Ctrl O", primary=True, name="first_import", clicked=import_wanted
        )
        column.addWidget(self.import_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return box

    def _hub_card(self, hub_wanted: SignalInstance) -> FramedBox:
        text = self.tr(
            "A shared folder, a WebDAV server or an object store that your project gave you. Bundles come from it, "
            "results go to it."
        )
        button_row = QWidget()
        flow = FlowLayout(button_row, spacing=8)
        opens = KeyButton(self.tr("Connect …"), "Ctrl Shift H", name="first_hub", clicked=hub_wanted)
        opens.setAccessibleName(f"{self.tr('Connect to a hub')}: {opens.accessibleName()}")
        flow.addWidget(opens)
        return _card("globe", self.tr("Connect to a hub"), text, button_row)

    def _sample_card(self) -> FramedBox:
        text = self.tr("Tasks to try everything out, or practice with the gold answer after each task. Works offline.")
        kinds = (
            (self.tr("Sentences"), "sample", "practice"),
            (self.tr("Pairs of responses"), "sample_pairs", "practice_pairs"),
            (self.tr("Scales"), "sample_scales", "practice_scales"),
            (self.tr("Documents"), "sample_documents"),
        )
        grid = QWidget()
        rows = QGridLayout(grid)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.setColumnStretch(0, 1)
        offered = offered_samples()
        for row, (kind, *names) in enumerate(kinds):
            rows.addWidget(PlainLabel(kind), row, 0)
            for column, (name, label) in enumerate(zip(names, (self.tr("Open"), self.tr("Practise")), strict=False), 1):
                if name in offered:
                    rows.addWidget(self._linked(name, KeyButton(label)), row, column)
                    self._links[name].setAccessibleDescription(kind)
        return _card("sample", self.tr("Try a sample"), text, grid)

    def _make_foot(self) -> QHBoxLayout:
        saved = self.tr("Every answer is saved at once, on this computer only.")
        note = WrappedLabel("\n".join((saved, self.tr("Nothing is sent until you export or sync."))), ink="text2")
        row = tight_row(None, (note, 1), spacing=8)
        self._put_away = KeyButton("", flat=True, name="first_bundles", clicked=lambda: self._trigger("bundles"))
        self._put_away.hide()
        row.addWidget(self._put_away, 0, Qt.AlignmentFlag.AlignTop)
        for name, text in (("palette", self.tr("Find an action")), ("keys", self.tr("Keyboard shortcuts"))):
            row.addWidget(self._linked(name, KeyButton(text, flat=True)), 0, Qt.AlignmentFlag.AlignTop)
        return row

    def show_put_away(self, count: int) -> None:
        """Show how many bundles are put away, and open their list on a click."""
        text = self.tr("1 bundle is put away …") if count == 1 else self.tr("{n} bundles are put away …")
        self._put_away.set_label(text.format(n=formatting.number(count)))
        self._put_away.setVisible(count > 0)

    def _linked(self, name: str, button: KeyButton) -> KeyButton:
        """Let a button trigger an action, and show its key."""
        button.setObjectName(f"first_{name}")
        button.clicked.connect(lambda: self._trigger(name))
        self._links[name] = button
        return button

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.import_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def update_keys(self) -> None:
        """Show the available actions with their current keys."""
        for name, button in self._links.items():
            action = self._action(name)
            button.setVisible(action is not None)
            if action is not None:
                button.set_key(keys.KeyText(keys.key_text(action.shortcut().toString())))

    def _action(self, name: str) -> QAction | None:
        return self.window().findChild(QAction, f"action_{name}")

    def _trigger(self, name: str) -> None:
        action = self._action(name)
        if action is not None:
            action.trigger()


class CardPair(QWidget):
    """Two boxes side by side and equally high; stacked if there is no space."""

    def __init__(self, *boxes: FramedBox) -> None:
        super().__init__()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        for box in boxes:
            self._row.addWidget(box, 1)
        theme.follow(self, lambda: self._row.setSpacing(theme.px(16)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fits = self.width() >= theme.px(CARDS_WIDTH)
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)


def _card(icon: str, title: str, text: str, control: QWidget) -> FramedBox:
    box = FramedBox(dashed=False)
    row = tight_row(box, spacing=12)
    theme.pad(row, 16, 16, 16, 16)
    row.addWidget(Icon(icon, size=20), 0, Qt.AlignmentFlag.AlignTop)
    head = PlainLabel(title, bold=True)
    label = WrappedLabel(text, ink="text2")
    column = tight_column(None, head, label, spacing=4)
    column.addSpacing(8)
    column.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
    column.addStretch(1)
    row.addLayout(column, 1)
    return box


RATER_PAGE_WIDTH = 460


class NameField(FieldEdit):
    """A field in which Return confirms the name."""

    confirmed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.confirmed.emit()
            return
        super().keyPressEvent(event)


class RaterPage(QFrame):
    """A page with one question, suggesting the login name."""

    named = Signal(str)

    def __init__(self, suggested: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rater_page")
        theme.set_ground(self, "surface")
        box = QWidget()
        box.setMaximumWidth(theme.px(RATER_PAGE_WIDTH))
        title = PlainLabel(self.tr("What is your name?"), size="title", bold=True)
        explanation = WrappedLabel(
            self.tr("Your ratings and results carry this name. It can be changed in the settings."), ink="text2"
        )
        self.field = NameField()
        name_widget(self.field, "rater_name", self.tr("Your name in ratings"))
        self.field.setMaxLength(SETTINGS_BY_ID["rater"].max)
        self.field.setText(suggested)
        self.field.textChanged.connect(lambda _text: self._show())
        self.field.confirmed.connect(self._confirm)
        self._button = KeyButton(
            self.tr("Continue"), "Enter", primary=True, name="rater_take", clicked=self._confirm, enter_at=self.field
        )
        row = tight_row(None, (self.field, 1), self._button, spacing=8)
        tight_column(box, title, explanation, row, spacing=12)
        middle = fill(QHBoxLayout(), 1)
        middle.addWidget(box, 2, Qt.AlignmentFlag.AlignTop)
        middle.addStretch(1)
        tight_column(self, 2, middle, 3, margins=(24, 24, 24, 24))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the focus now, not when the page is made: it may wait behind the start page, which takes keys then."""
        super().showEvent(event)
        self.field.setFocus()
        self.field.selectAll()

    def _name(self) -> str:
        return normalised_name(self.field.text())

    def _show(self) -> None:
        self._button.setEnabled(bool(self._name()) and SETTINGS_BY_ID["rater"].accepts(self._name()))

    def _confirm(self) -> None:
        if self._button.isEnabled():
            self.named.emit(self._name())


def login_name() -> str:
    """Return the login name, as a suggestion for the rater's name."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # no login name in the system's user database
        return "rater"


def ask_rater_name(stack: QStackedWidget, preferences: Preferences) -> None:
    """Show the page instead of the panes; the name is saved as a setting."""
    page = stack.findChild(RaterPage)
    if page is None:
        page = RaterPage(login_name())
        page.named.connect(lambda name: preferences.set("rater", name))
        stack.addWidget(page)
    stack.setCurrentWidget(page)
