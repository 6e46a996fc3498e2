"""The middle of the window: the task's title, the prompt and what belongs to it, the responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabBar, QVBoxLayout, QWidget

from desktop_rater.model.place import Place
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.read_text import FittedText
from desktop_rater.ui.response_pane import ResponsePane
from desktop_rater.ui.separator import line
from desktop_rater.ui.tokens import quiet

if TYPE_CHECKING:
    from desktop_rater.model.task import Task
    from desktop_rater.ui.session import Session

MOST_PROMPT_LINES = 5


class TextPane(QWidget):
    """Built anew for each task; while it stays only the marks change."""

    link_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("text_pane")
        self._session = session
        self._parts: list[tuple[str, str]] = []
        self._panes: list[ResponsePane] = []
        self.guidelines = ""
        self.setAutoFillBackground(True)
        self.setBackgroundRole(self.palette().ColorRole.Base)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        column.addLayout(self._make_prompt())
        column.addWidget(line())
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("responses")
        self._split.setChildrenCollapsible(False)
        column.addWidget(self._split, 1)
        session.opened.connect(self._open)
        session.rating_changed.connect(self.refresh)
        session.place_changed.connect(self.refresh)

    def _make_head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(44)
        row = QHBoxLayout(head)
        row.setContentsMargins(24, 0, 16, 0)
        row.setSpacing(12)
        self._title = ElidedLabel(name="task_title")
        font = QFont(self._title.font())
        font.setWeight(QFont.Weight.DemiBold)
        self._title.setFont(font)
        row.addWidget(self._title, 1)
        self._id = PlainLabel(name="task_id")
        quiet(self._id)
        row.addWidget(self._id)
        return head

    def _make_prompt(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(24, 8, 16, 12)
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
        quiet(self._prompt_label)
        column.addWidget(self._prompt_label)
        self.prompt = FittedText("prompt_text", MOST_PROMPT_LINES)
        self.prompt.setAccessibleName(self.tr("Prompt"))
        column.addWidget(self.prompt)
        return column

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

    def show_guidelines(self, text: str) -> None:
        """The guidelines of the bundle, for the tab beside the prompt."""
        self.guidelines = text
        if self._session.task is not None:
            self._fill_parts(self._session.task)

    def toggle_tools(self) -> None:
        """Show or hide the tool output, where there is some."""
        panes = [pane for pane in self._panes if pane.response.tools]
        hidden = any(pane.tools.isHidden() for pane in panes)
        for pane in panes:
            pane.tools.setVisible(hidden)

    def refresh(self) -> None:
        if self._session.task is not None:
            for pane in self._panes:
                pane.refresh()

    def _open(self) -> None:
        task = self._session.task
        for pane in self._panes:
            pane.setParent(None)
            pane.deleteLater()
        self._panes = []
        if task is None:
            return
        self._title.setText(task.prompt.text[:300])
        self._id.setText(task.id[:80])
        self._fill_parts(task)
        for response in task.responses:
            pane = ResponsePane(self._session, response, alone=len(task.responses) == 1)
            pane.target_clicked.connect(lambda target, name=response.id: self._go_to(name, target))
            pane.link_wanted.connect(self._want_link)
            self._panes.append(pane)
            self._split.addWidget(pane)
        self._split.setSizes([1_000] * len(self._panes))
        self.refresh()

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
        if task.context:
            documents = "\n\n".join("\n".join(filter(None, (one.title, one.url, one.text))) for one in task.context)
            parts.append((self.tr("Context"), documents))
        if task.reference is not None:
            parts.append((self.tr("Reference"), task.reference))
        if self.guidelines:
            parts.append((self.tr("Guidelines"), self.guidelines))
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
            self.prompt.setAccessibleName(name)
            self.prompt.show_text(text)
