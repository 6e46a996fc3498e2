"""One response with its head, its text and its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import moves
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.response_view import ResponseView
from desktop_rater.ui.tokens import quiet
from desktop_rater.ui.tool_view import ToolView

if TYPE_CHECKING:
    from desktop_rater.model.task import Response
    from desktop_rater.ui.session import Session


HEAD = 38
LINK_FACTS = {"links_unopened", "tool_links_unopened"}


class ResponsePane(QWidget):
    """The text above, what the tools said below; without tools there is no such part."""

    target_clicked = Signal(str)
    link_wanted = Signal(str)

    def __init__(self, session: Session, response: Response, *, alone: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"response_{response.id}")
        self._session = session
        self.response = response
        self._alone = alone
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QWidget()
        top.setFixedHeight(HEAD)  # the same with and without the button, so that responses side by side stay level
        head = QHBoxLayout(top)
        head.setContentsMargins(24, 4, 12, 4)
        head.setSpacing(8)
        self._called = PlainLabel(self._name())
        head.addWidget(self._called)
        words = len(response.text.split())
        kind = self.tr("Markdown") if response.format == "markdown" else self.tr("plain text")
        size = ElidedLabel(self.tr("{n} words, {kind}").format(n=words, kind=kind))
        quiet(size)
        head.addWidget(size, 1)
        self._open = KeyButton(self.tr("Open link"), "Shift O", flat=True)
        self._open.setObjectName(f"open_links_{response.id}")
        self._open.clicked.connect(lambda: self.link_wanted.emit(response.id))
        head.addWidget(self._open)
        column.addWidget(top)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        column.addWidget(self._split, 1)
        reading = QWidget()
        inner = QVBoxLayout(reading)
        inner.setContentsMargins(24, 0, 8, 0)
        self.view = ResponseView(f"response_text_{response.id}")
        self.view.setAccessibleName(self._name())
        self.view.target_clicked.connect(self.target_clicked)
        inner.addWidget(self.view)
        self._split.addWidget(reading)
        self.tools = ToolView(f"tools_{response.id}")
        self._split.addWidget(self.tools)
        self._split.setStretchFactor(0, 65)
        self._split.setStretchFactor(1, 35)
        self._split.setSizes([650, 350])
        self.tools.setVisible(bool(response.tools))
        task = session.task
        mine = [target for target in (task.targets if task else None) or () if target.response == response.id]
        self.view.show_response(response.text, mine)
        self.tools.show_tools(response)
        self.refresh()

    def refresh(self) -> None:
        """Show which targets are done and which one is current."""
        session = self._session
        blocked = moves.blocked(session.outcome)
        done = {
            stop.target: stop not in blocked
            for stop in session.stops
            if stop.target is not None and stop.response == self.response.id
        }
        here = session.place.response == self.response.id
        claims = [(one.start, one.end) for one in session.claims if one.id == session.place.claim] if here else []
        kept = [(start, end) for start, end in claims if start is not None and end is not None]
        self.view.show_state(done, session.place.target if here else None, kept)
        self._open.setVisible(self._links_asked_for())
        quiet(self._called, "accent" if here and not self._alone else "text2")

    def _links_asked_for(self) -> bool:
        """Whether a rule breaks here because links were not opened."""
        session = self._session
        rules = session.rubric.file.rules if session.rubric is not None else ()
        about = {rule.id for rule in rules if rule.require is not None and not LINK_FACTS.isdisjoint(rule.require)}
        where = f"responses/{self.response.id}"
        return any(one.where == where and one.rule in about for one in session.outcome.problems)

    def _name(self) -> str:
        return self.tr("Response") if self._alone else self.tr("Response {name}").format(name=spoken(self.response.id))
