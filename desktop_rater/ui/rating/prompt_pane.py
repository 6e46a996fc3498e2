"""The prompt, the conversation before it and the reference, above the responses."""

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QTabBar, QWidget

from desktop_rater.format.task import Task, Turn
from desktop_rater.text.markdown import chat_markdown, is_rendered_whole, looks_like_markdown, shown_words
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, name_widget, right_to_left, select_range, visible
from desktop_rater.ui.widgets.layouts import OrderedSplitter, tight_column
from desktop_rater.ui.widgets.menu_chooser import MenuRow, copy_text, offer_menu, text_rows
from desktop_rater.ui.widgets.text_view import TextView, height_at
from desktop_rater.ui.widgets.theme_tokens import TYPE
from desktop_rater.ui.window.window_place import PaneSizes

MAX_ROLE_LENGTH, MAX_LINE_LENGTH = 60, 400


class TaskText(Struct, frozen=True):
    """A text of the pane. `turns` are the beginnings of a conversation's turns, each with a heading of its own."""

    name: str
    text: str
    turns: tuple[tuple[int, int], ...] = ()  # offset and length of each heading
    markdown: bool = False

    @property
    def first_line(self) -> str:
        """Return what is shown of a folded text: its beginning, or that of the last turn."""
        if not self.turns:
            return shown_words(self.text[:MAX_LINE_LENGTH])
        start, length = self.turns[-1]
        words = self.text[start + length : start + length + MAX_LINE_LENGTH].strip()
        return f"{self.text[start : start + length]}: {shown_words(words)}"


class PromptView(TextView):
    """A text with a heading for each turn of a conversation. It opens at the last turn."""

    KIND = "prompt"
    needed_height_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._turns: tuple[tuple[int, int], ...] = ()
        self._followed: int | None = None  # offset of the last turn, until the rater scrolls
        super().__init__("prompt_text", parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.verticalScrollBar().rangeChanged.connect(self._show_last_turn)

    def show_part(self, part: TaskText) -> None:
        self._followed = None  # the scroll range changes while the text is shown
        self._turns = part.turns
        self.show_text(part.text, plain=not part.markdown)
        self._followed = part.turns[-1][0] if part.turns else None
        self._show_last_turn()

    @property
    def needed_height(self) -> int:
        """Return the height that shows the whole text."""
        return int(self.document().size().height()) + 2

    def stop_following(self) -> None:
        """Stay where the rater scrolls, or a match is shown."""
        self._followed = None

    def _lay_anew(self) -> None:
        super()._lay_anew()
        for number, (start, length) in enumerate(self._turns):
            self._format_heading(start, length, first=number == 0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.needed_height_changed.emit())
        self.needed_height_changed.emit()

    def _format_heading(self, start: int, length: int, *, first: bool) -> None:
        cursor = QTextCursor(self.document())
        begin, end = self.shown_map.shown_span(start, start + length) or (0, 0)
        select_range(cursor, begin, end)
        letters = QTextCharFormat()
        letters.setProperty(QTextFormat.Property.FontPixelSize, theme.px(TYPE["small"][0]))
        letters.setFontWeight(QFont.Weight.DemiBold)
        letters.setForeground(theme.color(self, "text2"))
        cursor.mergeCharFormat(letters)
        form = QTextBlockFormat()
        form.setBackground(theme.color(self, "hover"))
        form.setTopMargin(0 if first else theme.px(6))
        form.setBottomMargin(theme.px(2))
        form.setLineHeight(theme.px(20), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.mergeBlockFormat(form)

    def _show_last_turn(self) -> None:
        if self._followed is not None:
            span = self.shown_map.shown_span(self._followed, self._followed + 1) or (0, 0)
            self.verticalScrollBar().setValue(int(height_at(self.document(), span[0])))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Wheel, QEvent.Type.MouseButtonPress}:
            self.stop_following()
        return super().viewportEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._read.look.line + 4)


class PromptFirstLine(ElidedLabel):
    """Beginning of the prompt: two lines, or one above a pair. A click or the focus opens the whole."""

    most_lines = 2

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, name="prompt_line")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.set_type(self, "prompt")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        lines = self.most_lines if hint.width() > self.width() else 1
        return hint.grownBy(QMargins(0, 0, 0, (lines - 1) * self.fontMetrics().lineSpacing()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


PAIR_PROMPT_HEIGHT, PROMPT_PADDING, TAB_GAP = 32, 12, 4


class PromptPane(QWidget):
    """The prompt and, in tabs, the conversation and the reference. In a low window it is one line.

    `toggle` folds it to its first line, or unfolds it, for later tasks too.
    """

    needed_height_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_pane")
        theme.set_ground(self, "panel")
        self._parts: list[TaskText] = []
        self._low = self._paired = False
        self._by_hand: bool | None = None  # unfolded
        self._is_wanted = False  # unfolded for this task: a tab was clicked, or a match is shown
        self._margins = (0, 0)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._tabs = self._make_tabs()
        self._row.addWidget(self._tabs)
        self._label = PlainLabel(self.tr("Prompt"), size="small", ink="text2")
        self._row.addWidget(self._label)
        self.text = PromptView()
        self.text.setAccessibleName(self.tr("Prompt"))
        theme.set_paper(self.text, "panel")
        self._line = PromptFirstLine()
        self._texts = QWidget()
        tight_column(self._texts, self._line, self.text, spacing=0)
        self._row.addWidget(self._texts, 1)
        self._key = LinkButton("", "Alt P", clicked=self.toggle)
        self._key.set_meaning(self.tr("Show the whole prompt, or its first line"))
        self._key.hide()
        self._row.addWidget(self._key)
        self._line.hide()
        offer_menu(self.text, self._menu_rows)
        self._line.installEventFilter(self)
        self.text.installEventFilter(self)
        self.text.needed_height_changed.connect(self.needed_height_changed)
        theme.follow(self, self._measure)

    def _make_tabs(self) -> QTabBar:
        tabs = QTabBar()
        name_widget(tabs, "prompt_tabs", self.tr("Prompt and related texts"))
        tabs.setDrawBase(False)
        tabs.setExpanding(False)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tabs.currentChanged.connect(self._show_part)
        tabs.tabBarClicked.connect(self.show_part)
        return tabs

    # -- content

    @property
    def parts(self) -> Sequence[TaskText]:
        """Return the texts of the task, in the order of the tabs."""
        return tuple(self._parts)

    @property
    def part(self) -> int:
        """Return the index of the visible text."""
        return max(0, self._tabs.currentIndex())

    def prepare(self, task: Task) -> None:
        """Lay out the prompt of a task that may be opened next."""
        part = _task_text("", task.prompt.text)
        self.text.prepare(part.text, plain=not part.markdown)

    def show_task(self, task: Task) -> None:
        self._parts = [_task_text(self.tr("Prompt"), task.prompt.text)]
        if task.history:
            self._parts.append(self._conversation(task.history))
        if task.reference is not None:
            self._parts.append(_task_text(self.tr("Reference"), task.reference))
        blockers = QSignalBlocker(self), QSignalBlocker(self._tabs)  # the height is announced once, at the end
        names = [visible(part.name) for part in self._parts]
        if names != [self._tabs.tabText(index) for index in range(self._tabs.count())]:
            while self._tabs.count():
                self._tabs.removeTab(0)
            for name in names:
                self._tabs.addTab(name)
        self._tabs.setCurrentIndex(0)
        self._tabs.setVisible(len(self._parts) > 1)
        self._tabs.updateGeometry()  # which Qt forgets while the pane is hidden, as it is when the program starts
        self._label.setVisible(len(self._parts) == 1)
        self._show_part(0)
        self._is_wanted = False
        self._fold()
        for blocker in blockers:
            blocker.unblock()
        self.needed_height_changed.emit()

    def _conversation(self, history: Sequence[Turn]) -> TaskText:
        """Return the turns with their headings; of a conversation as long as a book, the last ones."""
        names = {"user": self.tr("User"), "assistant": self.tr("Assistant"), "system": self.tr("System")}
        pieces: list[tuple[str, str]] = []
        space = MAX_SHOWN_CHARACTERS
        for number, turn in reversed(list(enumerate(history, 1))):
            role = names.get(turn.role.casefold(), " ".join(turn.role.split())[:MAX_ROLE_LENGTH])
            heading = self.tr("{role}, turn {n} of {total}").format(role=role, n=number, total=len(history))
            if space <= 0:
                pieces.append((self.tr("The first {n} turns are too long to be shown.").format(n=number), ""))
                break
            pieces.append((heading, _shortened(turn.text, space)))
            space -= len(turn.text)
        text, turns = "", []
        markdown = is_rendered_whole([said for _heading, said in pieces])
        for heading, said in reversed(pieces):
            turns.append((len(text), len(heading)))
            text += f"{heading}\n\n{chat_markdown(said)}\n\n" if markdown else f"{heading}\n{said}\n\n"
        return TaskText(self.tr("Conversation"), text.rstrip("\n"), tuple(turns), markdown)

    def show_part(self, index: int) -> None:
        """Show one of the texts, unfolded."""
        self._tabs.setCurrentIndex(index)
        if self._line.isVisibleTo(self):
            self._is_wanted = True
            self._unfold(on=True)

    def _show_part(self, index: int) -> None:
        if 0 <= index < len(self._parts):
            part = self._parts[index]
            self.text.setAccessibleName(visible(part.name))
            self._line.setText(part.first_line)
            self.text.show_part(part)
            self._measure()

    def _menu_rows(self, place: QPoint) -> list[MenuRow | str]:
        part = self._parts[self.part] if self._parts else TaskText("", "")
        rows = [*text_rows(self.text), "toggle_prompt"]
        offset = self.text.shown_map.to_source(self.text.cursorForPosition(place).position())
        number = bisect_right([start for start, _length in part.turns], offset) - 1
        if number >= 0:
            start, length = part.turns[number]
            end = part.turns[number + 1][0] if number + 1 < len(part.turns) else len(part.text)
            turn = part.text[start + length : end].strip("\n").replace("  \n", "\n")
            rows.insert(1, MenuRow(self.tr("Copy this turn"), lambda: copy_text(turn)))
        else:
            rows.insert(1, MenuRow(self.tr("Copy the whole text"), lambda: copy_text(part.text.replace("  \n", "\n"))))
        return rows

    # -- layout

    def set_low(self, low: bool) -> None:
        """Fold to one line while the window is low, unless unfolded by hand."""
        if low != self._low:
            self._low = low
            self._fold()

    def set_pair(self, *, on: bool) -> None:
        """Put the label and the prompt into one line above a pair."""
        self._paired = on
        self._line.most_lines = 1 if on else 2
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if on else QBoxLayout.Direction.TopToBottom)
        self._key.setVisible(on)
        self._measure()

    def add_to_line(self, widget: QWidget) -> None:
        """Add a widget at the end of the line above a pair."""
        self._row.addWidget(widget)

    def set_margins(self, near: int, far: int) -> None:
        """Set the margins of the responses' text, so that both are aligned."""
        if self._margins != (near, far):
            self._margins = near, far
            self._measure()

    def toggle(self) -> None:
        """Unfold the whole text, or fold it to its first line."""
        self._by_hand, self._is_wanted = self._line.isVisibleTo(self), False
        self._fold()

    def _fold(self) -> None:
        usual = not self._low or self._is_wanted or self.text.hasFocus()
        self._unfold(on=usual if self._by_hand is None else self._by_hand)

    def _unfold(self, *, on: bool) -> None:
        self.text.setVisible(on)
        self._line.setVisible(not on)
        self.needed_height_changed.emit()

    def _measure(self) -> None:
        near, far = self._margins
        left, right = (far, near) if right_to_left(self.text.toPlainText()[:400]) else (near, far)
        above = 0 if self._paired else theme.px(PROMPT_PADDING)
        self._row.setContentsMargins(theme.px(left), above, theme.px(right), above)
        self._row.setSpacing(theme.px(12) if self._paired else TAB_GAP)
        self.needed_height_changed.emit()

    @property
    def needed_height(self) -> int:
        """Return the height that shows everything."""
        text = self.text.needed_height if self.text.isVisibleTo(self) else self._line.sizeHint().height()
        return max(self._height_around() + text, theme.px(PAIR_PROMPT_HEIGHT) if self._paired else 0)

    @property
    def least_height(self) -> int:
        """Return the height with two lines of text."""
        line = self.text.minimumSizeHint().height() * 2 if self.text.isVisibleTo(self) else 0
        return min(self.needed_height, max(self._height_around() + line, theme.px(PAIR_PROMPT_HEIGHT)))

    def _height_around(self) -> int:
        margins = self._row.contentsMargins()
        head = self._tabs if self._tabs.isVisibleTo(self) else self._label
        above = 0 if self._paired else head.sizeHint().height() + self._row.spacing()
        return margins.top() + margins.bottom() + above

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._line and event.type() in {QEvent.Type.Resize, QEvent.Type.FontChange}:
            self._line.updateGeometry()
            self.needed_height_changed.emit()
        if not self._low or self._by_hand is not None or self._is_wanted or not isinstance(event, QFocusEvent):
            return False
        if watched is self._line and event.type() == QEvent.Type.FocusIn:
            self._unfold(on=True)
            self.text.setFocus(event.reason())
        elif watched is self.text and event.type() == QEvent.Type.FocusOut:
            # A menu or another window takes the focus only temporarily.
            temporary = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
            self._unfold(on=event.reason() in temporary)
        return False


def _task_text(name: str, text: str) -> TaskText:
    shown, markdown = _shortened(text), looks_like_markdown(text)
    return TaskText(name, chat_markdown(shown) if markdown else shown, markdown=markdown)


def _shortened(text: str, most: int = MAX_SHOWN_CHARACTERS) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


PROMPT_SHARE = 0.38  # of the pane, at most, unless the rater dragged it


class PromptSplitter(OrderedSplitter):
    """Splitter with the prompt above the responses: as high as it needs to be, up to a share that can be dragged."""

    def __init__(self, prompt: PromptPane, lower: QWidget, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("prompt_room")
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self._prompt, self._sizes = prompt, sizes
        self._paired = False
        for pane in (prompt, lower):
            self.addWidget(pane)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        prompt.needed_height_changed.connect(self._divide)
        sizes.changed.connect(self._divide)
        self.splitterMoved.connect(self._store_share)

    def set_pair(self, *, on: bool) -> None:
        self._paired = on
        self._prompt.set_pair(on=on)

    @property
    def _share_name(self) -> str:
        return f"{'pair' if self._paired else 'rate'} prompt/share"

    def _divide(self) -> None:
        height, needed = self.height(), self._prompt.needed_height
        share = round(height * self._sizes.share(self._share_name, PROMPT_SHARE))
        least = self._prompt.least_height
        prompt = max(least, min(needed, share))
        self._prompt.setMinimumHeight(least)
        self._prompt.setMaximumHeight(needed)
        if self.sizes() != [prompt, height - prompt]:
            self.setSizes([prompt, height - prompt])

    def _store_share(self) -> None:
        """Store the share that was dragged; a prompt shown whole sets no limit for longer ones."""
        usual = self._sizes.share(self._share_name, PROMPT_SHARE) * self.height()
        if self._prompt.height() < min(self._prompt.needed_height, usual) or self._prompt.height() > usual:
            self._sizes.store_share(self._share_name, self, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()
