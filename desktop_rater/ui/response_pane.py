"""One response with its head, its text and its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.direction import has_no_blanks
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, set_tooltip
from desktop_rater.ui.response_view import FAR_MARGIN, MARGIN, PLAIN_MARGIN, ResponseView
from desktop_rater.ui.theme import quiet
from desktop_rater.ui.tool_view import ToolView

if TYPE_CHECKING:
    from desktop_rater.model.task import Response, Target
    from desktop_rater.ui.session import Session


HEAD, HEAD_TOP = 36, 8
LINK_FACTS = {"links_unopened", "tool_links_unopened"}
MOST_NAMED = 12


class ResponsePane(QWidget):
    """The text above, what the tools said below."""

    target_clicked = Signal(str)
    link_wanted = Signal(str)
    page_wanted = Signal(str)
    words_chosen = Signal()
    choosing_ended = Signal()

    def __init__(self, session: Session, response: Response, *, alone: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"response_{response.id}")
        self._session = session
        self.response = response
        self._alone = alone
        self._as_source = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        column.addWidget(self._split, 1)
        self.view = ResponseView(f"response_text_{response.id}")
        self.view.setAccessibleName(self._name())
        self.view.target_clicked.connect(self.target_clicked)
        self.view.page_wanted.connect(self.page_wanted)
        self.view.words_chosen.connect(self.words_chosen)
        self.view.choosing_ended.connect(self.choosing_ended)
        self._split.addWidget(self.view)
        self.tools = ToolView(f"tools_{response.id}")
        self._split.addWidget(self.tools)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        self._top = QWidget()
        self._head = QHBoxLayout(self._top)
        self._head.setSpacing(8)
        self._called = PlainLabel(self._name())
        theme.write(self._called, "small")
        self._head.addWidget(self._called)
        self._size = ElidedLabel(name=f"size_{self.response.id}")
        theme.write(self._size, "small")
        quiet(self._size)
        self._head.addWidget(self._size, 1)
        self._warning = PlainLabel(name=f"hidden_{self.response.id}")
        theme.write(self._warning, "small")
        quiet(self._warning, "warn")
        self._head.addWidget(self._warning)
        self._open = KeyButton(self.tr("Open link"), "Shift O", flat=True)
        self._open.setObjectName(f"open_links_{self.response.id}")
        self._open.clicked.connect(lambda: self.link_wanted.emit(self.response.id))
        self._head.addWidget(self._open)
        return self._top

    def take_up(self, response: Response, *, as_source: bool) -> None:
        """Show the response of that name of another task, from its start."""
        self.response = response
        self.tools.show_tools(response)
        self.view.forget()
        self.show_text(as_source=as_source)
        self.refresh()

    def show_text(self, *, as_source: bool | None = None) -> None:
        """Show the response with its targets; its Markdown as what it means, or as its source, or as before."""
        self._as_source = self._as_source if as_source is None else as_source
        plain = self._as_source or self.response.format == "plain"
        self.view.show_response(self.response.text, self._targets(), plain=plain)
        self._size.setText(self._size_words())
        names = [name for _at, name in self.view.hidden]
        self._warning.setVisible(bool(names))
        one = self.tr("1 hidden character")
        self._warning.setText(one if len(names) == 1 else self.tr("{n} hidden characters").format(n=len(names)))
        set_tooltip(self._warning, "\n".join(dict.fromkeys(names[:MOST_NAMED])))
        self._measure()

    def refresh(self) -> None:
        """Show how each target stands and which one is current."""
        session = self._session
        mine = {stop.target: state for stop, state in session.states.items() if stop.response == self.response.id}
        states = {target: state for target, state in mine.items() if target is not None}
        here = session.place.response == self.response.id
        claims = [(one.start, one.end) for one in session.claims if one.id == session.place.claim] if here else []
        claim = next(((start, end) for start, end in claims if start is not None and end is not None), None)
        self.view.show_states(states, session.place.target if here else None, claim)
        self.view.setAccessibleDescription(self._place_words() if here else "")
        self._open.setVisible(self._links_asked_for())
        quiet(self._called, "accent" if here and not self._alone else "text2")

    def _place_words(self) -> str:
        """Which target is current and how it stands, for those who hear it."""
        session = self._session
        stops = [stop for stop in session.stops if stop.target is not None]
        if session.stop not in stops:
            return ""
        state = session.states.get(session.stop)
        words = self.tr("Target {n} of {total}").format(n=stops.index(session.stop) + 1, total=len(stops))
        return ", ".join(filter(None, (words, state.words if state is not None else "")))

    def _targets(self) -> list[Target]:
        task = self._session.task
        return [target for target in (task.targets if task else None) or () if target.response == self.response.id]

    def _measure(self) -> None:
        """The head stands in line with the text, and is as high with the button as without."""
        near = MARGIN if self.view.has_targets else PLAIN_MARGIN
        left = FAR_MARGIN if self.view.backwards and self.view.has_targets else near
        self._head.setContentsMargins(theme.px(left), theme.px(HEAD_TOP), theme.px(12), 0)
        self._top.setFixedHeight(theme.px(HEAD))

    def _size_words(self) -> str:
        text = self.response.text
        kind = self.tr("plain text")
        if self.response.format == "markdown":
            kind = self.tr("Markdown") if self.view.is_rendered else self.tr("source of Markdown")
        if has_no_blanks(text):
            return self.tr("{n} characters, {kind}").format(n=len("".join(text.split())), kind=kind)
        return self.tr("{n} words, {kind}").format(n=len(text.split()), kind=kind)

    def _links_asked_for(self) -> bool:
        """Whether a rule breaks here because links were not opened."""
        session = self._session
        rules = session.rubric.file.rules if session.rubric is not None else ()
        about = {rule.id for rule in rules if rule.require is not None and not LINK_FACTS.isdisjoint(rule.require)}
        where = f"responses/{self.response.id}"
        return any(one.where == where and one.rule in about for one in session.outcome.problems)

    def _name(self) -> str:
        return self.tr("Response") if self._alone else self.tr("Response {name}").format(name=spoken(self.response.id))
