"""The middle of the window: the task's title, the prompt and what belongs to it, the responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QSplitter, QTabBar, QVBoxLayout, QWidget

from desktop_rater.model.place import Place
from desktop_rater.text.weight import MOST_SHOWN
from desktop_rater.ui import theme
from desktop_rater.ui.context.citing import Citing
from desktop_rater.ui.context.pane import ContextPane
from desktop_rater.ui.context.room import ContextRoom
from desktop_rater.ui.pane_sizes import WHOLE
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.prompt_text import PromptText
from desktop_rater.ui.response.pane import ResponsePane
from desktop_rater.ui.response.view import FAR_MARGIN, MARGIN, PLAIN_MARGIN
from desktop_rater.ui.separator import line
from desktop_rater.ui.stepper import Stepper
from desktop_rater.ui.target_strip import TargetStrip
from desktop_rater.ui.theme import quiet

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.task import Response, Task
    from desktop_rater.ui.pane_sizes import PaneSizes
    from desktop_rater.ui.session import Session

MOST_PROMPT_LINES = 5
HEAD, LINE = 44, 46  # the head, and the prompt of a pair


class TextPane(QWidget):
    """Filled anew for each task; while it stays only the marks change."""

    link_wanted = Signal()
    page_wanted = Signal(str)
    words_chosen = Signal()
    choosing_ended = Signal()
    panes_going = Signal()  # those of the responses: others are made for those of another task

    def __init__(self, session: Session, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("text_pane")
        self.setAccessibleName(self.tr("Text"))
        self._session, self._sizes = session, sizes
        self._parts: list[tuple[str, str]] = []
        self._panes: list[ResponsePane] = []
        self._as_source = False
        self._strip_there = True
        self._paired = self.one_alone = False
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head, self._head_line = self._make_head(), line()
        column.addWidget(self._head)
        column.addWidget(self._head_line)
        column.addWidget(self._make_prompt())
        column.addWidget(line())
        self.stepper = Stepper(session)
        self._step_line = line()
        column.addWidget(self.stepper)
        column.addWidget(self._step_line)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("responses")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.splitterMoved.connect(self._dragged)
        sizes.changed.connect(self._share_out)
        self.context = ContextPane()
        self.context.page_wanted.connect(self.page_wanted)
        self.context_room = ContextRoom(self._split, self.context, sizes)
        column.addWidget(self.context_room, 1)
        self.citing = Citing(session, self.context, self)
        self.citing.opened.connect(lambda: self.context_room.set_open(True))
        session.opened.connect(self._open)
        session.rating_changed.connect(self.refresh)
        session.place_changed.connect(self.refresh)

    def take_in(self, bar: QWidget) -> None:
        """Put a bar at the foot of the texts."""
        column = self.layout()
        if column is not None and bar.parentWidget() is not self:
            column.addWidget(bar)

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setSpacing(8)
        self._title = ElidedLabel(name="task_title")
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._title, bold=True)
        row.addWidget(self._title)
        self._id = PlainLabel(name="task_id")
        theme.write(self._id, "small")
        quiet(self._id)
        row.addWidget(self._id)
        row.addStretch(1)
        self.strip = TargetStrip(self._session)
        row.addWidget(self.strip)

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    def _make_prompt(self) -> QWidget:
        box = QWidget()
        theme.ground(box, "panel")
        self._prompt_row = column = QBoxLayout(QBoxLayout.Direction.TopToBottom, box)
        column.setSpacing(4)
        self._tabs = QTabBar()
        self._tabs.setObjectName("prompt_tabs")
        self._tabs.setAccessibleName(self.tr("Prompt and what belongs to it"))
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self._tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tabs.currentChanged.connect(self._show_part)
        column.addWidget(self._tabs)
        self._prompt_label = PlainLabel(self.tr("Prompt"))
        theme.write(self._prompt_label, "small")
        quiet(self._prompt_label)
        column.addWidget(self._prompt_label)
        self.prompt = PromptText(MOST_PROMPT_LINES)
        self.prompt.text.setAccessibleName(self.tr("Prompt"))
        column.addWidget(self.prompt)
        self._prompt_box = box
        theme.follow(box, self._measure_prompt)
        return box

    def _measure_prompt(self) -> None:
        """In line with the response: the wide margin is where reading begins."""
        backwards = self.prompt.text.backwards
        task = self._session.task
        near, far = (MARGIN, FAR_MARGIN) if task is not None and task.targets else (PLAIN_MARGIN, PLAIN_MARGIN)
        left, right = (far, near) if backwards else (near, far)
        above = 0 if self._paired else theme.px(12)
        self._prompt_row.setContentsMargins(theme.px(left), above, theme.px(right), above)
        self._prompt_row.setSpacing(theme.px(12) if self._paired else 4)
        self._prompt_box.setMinimumHeight(theme.px(LINE) if self._paired else 0)

    def fold(self, *, low: bool, strip: bool, one_alone: bool = False, paired: bool = False) -> None:
        """Take less room in a low window, and in that of a pair; `one_alone` where one response at a time has room."""
        self.prompt.set_low(low)
        self._strip_there = strip
        self.context_room.fold(low=not strip or paired)
        self.one_alone = one_alone
        self._refresh_strip()
        self._show_panes()

    def set_pair(self, *, on: bool) -> None:
        """Give the room of what a pair does not need to its halves: the prompt and its name stand in one line."""
        self._paired = on
        self._head.setHidden(on)
        self._head_line.setHidden(on)
        way = QBoxLayout.Direction.LeftToRight if on else QBoxLayout.Direction.TopToBottom
        self._prompt_row.setDirection(way)
        self._prompt_row.setStretchFactor(self.prompt, int(on))
        self._measure_prompt()
        self._show_panes()
        self._share_out()

    @property
    def halves_height(self) -> int:
        """The height of what stands under the prompt and the stepper."""
        return self._split.height()

    def _show_panes(self) -> None:
        """Both responses, or where there is no room for both, the one where the rater is or was last."""
        if not self.one_alone or len(self._panes) != 2:
            for pane in self._panes:
                pane.show()
            return
        here = self._session.place.response if self._session.task is not None else None
        known = [pane for pane in self._panes if pane.response.id == here]
        shown = next(iter(known), None) or next((pane for pane in self._panes if not pane.isHidden()), self._panes[0])
        for pane in self._panes:
            pane.setHidden(pane is not shown)

    def _refresh_strip(self) -> None:
        if self._strip_there:
            self.strip.setMaximumWidth(max(theme.px(72), self.width() // 2))
            self.strip.refresh()
        else:
            self.strip.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.setMaximumWidth(max(theme.px(72), self.width() // 2))

    @property
    def panes(self) -> tuple[ResponsePane, ...]:
        return tuple(self._panes)

    def selected_stretch(self) -> tuple[str, int, int] | None:
        """The response, start and end of what is selected in one of the responses."""
        for pane in self._panes:
            stretch = pane.view.selected_stretch()
            if stretch is not None:
                return pane.response.id, *stretch
        return None

    def drop_selection(self) -> None:
        for pane in self._panes:
            pane.view.drop_selection()

    def choose_words(self) -> bool:
        """Let the keys choose words of the current target; `False` where there is none."""
        return any(pane.view.choose_words() for pane in self._panes)

    def toggle_source(self) -> None:
        """Show Markdown as its source, or as what it means."""
        self._as_source = not self._as_source
        for pane in self._panes:
            pane.show_text(as_source=self._as_source)
            pane.refresh()

    def toggle_tools(self) -> None:
        """Open or shut the tool output, where there is some."""
        parts = [pane.tool_part for pane in self._panes if pane.response.tools]
        shut = any(not part.is_open for part in parts)
        for part in parts:
            part.set_open(shut)

    def refresh(self) -> None:
        self._refresh_strip()
        self._step_line.setHidden(self.stepper.isHidden())
        self._show_panes()
        if self._session.task is not None:
            for pane in self._panes:
                pane.refresh()

    def _open(self) -> None:
        task = self._session.task
        self._make_panes(task.responses if task is not None else ())
        if task is None:
            self.refresh()
            return
        self._title.setText(task.prompt.text[:300])
        self._id.setText(task.id[:80])
        self._fill_parts(task)
        for pane, response in zip(self._panes, task.responses, strict=True):
            pane.take_up(response, as_source=self._as_source)
        self.citing.take_up(task, [(pane.response.id, pane.view) for pane in self._panes])
        self.refresh()

    def _make_panes(self, responses: tuple[Response, ...]) -> None:
        """One for each response. Those that are there stay where the names are the same: making them costs most."""
        names = [response.id for response in responses]
        if names == [pane.response.id for pane in self._panes]:
            return
        self.panes_going.emit()
        for pane in self._panes:
            pane.setParent(None)
            pane.deleteLater()
        self._panes = [self._make_pane(response, alone=len(names) == 1) for response in responses]
        for pane in self._panes:
            self._split.addWidget(pane)
        self._share_out()

    @property
    def _share_name(self) -> str:
        return f"{'pair' if self._paired else 'two'}/first"

    def _share_out(self) -> None:
        """Responses beside each other are of one width, unless the rater gave the first of two another one."""
        shares = [WHOLE] * len(self._panes)
        if len(shares) == 2:
            first = round(WHOLE * self._sizes.share(self._share_name, 0.5))
            shares = [first, WHOLE - first]
        self._split.setSizes(shares)

    def _dragged(self) -> None:
        if len(self._panes) == 2:
            self._sizes.keep_share(self._share_name, self._split, 0)

    def _make_pane(self, response: Response, *, alone: bool) -> ResponsePane:
        pane = ResponsePane(self._session, response, self._sizes, alone=alone)
        pane.target_clicked.connect(lambda target, name=response.id: self._go_to(name, target))
        pane.link_wanted.connect(self._want_link)
        pane.page_wanted.connect(self.page_wanted)
        pane.words_chosen.connect(self.words_chosen)
        pane.choosing_ended.connect(self.choosing_ended)
        pane.view.citation_clicked.connect(lambda at, name=response.id: self.citing.go_to(name, at))
        return pane

    def _want_link(self, response: str) -> None:
        self._session.go_to(Place(response=response))
        self.link_wanted.emit()

    def _go_to(self, response: str, target: str) -> None:
        self._session.go_to(Place(response=response, target=target))

    def _fill_parts(self, task: Task) -> None:
        parts = [(self.tr("Prompt"), task.prompt.text)]
        if task.history:
            turns = "\n\n".join(f"{turn.role}: {turn.text}" for turn in task.history)
            parts.append((self.tr("Conversation"), turns))
        if task.reference is not None:
            parts.append((self.tr("Reference"), task.reference))
        self._parts = parts
        self._tabs.blockSignals(True)
        while self._tabs.count():
            self._tabs.removeTab(0)
        for name, _text in parts:
            self._tabs.addTab(name)
        self._tabs.blockSignals(False)
        self._tabs.setVisible(len(parts) > 1)
        self._prompt_label.setVisible(len(parts) == 1)
        self._show_part(0)

    def _show_part(self, at: int) -> None:
        if 0 <= at < len(self._parts):
            name, text = self._parts[at]
            self.prompt.text.setAccessibleName(name)
            self.prompt.show_text(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …")
            self._measure_prompt()
