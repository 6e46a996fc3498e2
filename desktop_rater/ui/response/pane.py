"""One response with its head, its text and its tools; as half of a pair with its questions too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from desktop_rater.rubric.links import response_pages
from desktop_rater.text.pages import page_of
from desktop_rater.ui import moves, spelling, theme
from desktop_rater.ui.computed import TokenF1, has_place_in_form
from desktop_rater.ui.context.cited_view import CitedView
from desktop_rater.ui.direction import has_no_blanks
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, set_tooltip
from desktop_rater.ui.problems.language import said_of
from desktop_rater.ui.response.view import FAR_MARGIN, MARGIN, PLAIN_MARGIN
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme import quiet
from desktop_rater.ui.theme_tokens import TYPE
from desktop_rater.ui.tools.view import ToolView

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.rating import Problem
    from desktop_rater.model.task import Response, Target
    from desktop_rater.ui.pane_sizes import PaneSizes
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.tools.calls import ToolCalls


HEAD, HEAD_TOP, LEAST_TEXT = 36, 8, 44
MOST_NAMED = 12


class ResponsePane(QWidget):
    """The text above, what the tools said below. As half of a pair: what they said, the text, the questions."""

    target_clicked = Signal(str)
    link_wanted = Signal(str)
    page_wanted = Signal(str)
    words_chosen = Signal()
    choosing_ended = Signal()

    def __init__(
        self, session: Session, response: Response, sizes: PaneSizes, *, alone: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"response_{response.id}")
        self._session = session
        self.response = response
        self._alone = alone
        self._as_source = False
        self.calls: ToolCalls | None = None  # of a pair: at the top, in the place of `tools`
        self._questions: QWidget | None = None
        self._edges: list[QWidget] = []
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        column.addWidget(self._split, 1)
        self.view = CitedView(f"response_text_{response.id}")
        self.view.setAccessibleName(self._name())
        self.view.target_clicked.connect(self.target_clicked)
        self.view.page_wanted.connect(self.page_wanted)
        self.view.words_chosen.connect(self.words_chosen)
        self.view.choosing_ended.connect(self.choosing_ended)
        self._split.addWidget(self.view)
        self.tools = ToolView(f"tools_{response.id}", sizes)
        self._split.splitterMoved.connect(lambda: self.tools.dragged(self._split))
        self._split.addWidget(self.tools)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        self._top = QWidget()
        self._head = QHBoxLayout(self._top)
        self._head.setSpacing(8)
        self._called = PlainLabel(self._name())
        theme.follow(self._called, self._write_name)
        self._head.addWidget(self._called)
        self._size = ElidedLabel(name=f"size_{self.response.id}")
        theme.write(self._size, "small")
        quiet(self._size)
        self._head.addWidget(self._size, 1)
        self._figure = TokenF1(f"token_f1_{self.response.id}")
        self._head.addWidget(self._figure)
        self._warning = PlainLabel(name=f"hidden_{self.response.id}")
        theme.write(self._warning, "small")
        quiet(self._warning, "warn")
        self._head.addWidget(self._warning)
        self._links = ElidedLabel(name=f"links_{self.response.id}")
        self._links.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._links, "small")
        quiet(self._links)
        self._links.hide()
        self._head.addWidget(self._links)
        self._open = KeyButton(self.tr("Open link"), "Shift O", flat=True)
        self._open.setObjectName(f"open_links_{self.response.id}")
        self._open.clicked.connect(lambda: self.link_wanted.emit(self.response.id))
        self._head.addWidget(self._open)
        return self._top

    @property
    def tool_part(self) -> ToolCalls | ToolView:
        """What shows the tool calls now."""
        return self.calls if self.calls is not None else self.tools

    def hold(self, questions: QWidget, *, first: bool) -> None:
        """Be half of a pair: its questions stand beneath the text. The `first` one shows the key of the tool calls."""
        if self._questions is questions:
            return
        from desktop_rater.ui.tools.calls import ToolCalls  # noqa: PLC0415 - not before the first pair

        self._questions = questions
        self.calls = ToolCalls(f"calls_{self.response.id}", cap=first)
        self._edges = [line(), line()]
        for at, widget in enumerate((self._edges[0], self.calls), self._column.indexOf(self._split)):
            self._column.insertWidget(at, widget)
        for widget in (self._edges[1], questions):
            self._column.addWidget(widget)
        self.tools.hide()
        self.view.setMinimumHeight(theme.px(LEAST_TEXT))
        self.calls.show_tools(self.response)
        self._fit_calls()
        self._name_it()

    def let_go(self) -> None:
        """Be a response by itself again. What was held is the caller's."""
        if self._questions is None or self.calls is None:
            return
        for widget in (self.calls, *self._edges):
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self._questions = self.calls = None
        self._edges = []
        self._links.hide()
        self.view.setMinimumHeight(0)
        self.tools.show()
        self.tools.set_open(self.tools.is_open)
        self._name_it()

    def _name_it(self) -> None:
        self._write_name()
        self._measure()
        self.refresh()

    def _write_name(self) -> None:
        """The name of a half is written larger than that of a response by itself."""
        in_pair = self._questions is not None
        font = QFont(self._called.font())
        font.setPixelSize(theme.px(TYPE["interface" if in_pair else "small"][0]))
        font.setWeight(QFont.Weight.DemiBold if in_pair else QFont.Weight.Normal)
        self._called.setFont(font)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_calls()

    def _fit_calls(self) -> None:
        if self.calls is not None:
            self.calls.fit(self.height())

    def take_up(self, response: Response, *, as_source: bool) -> None:
        """Show the response of that name of another task, from its start."""
        self.response = response
        self.tools.show_tools(response)
        if self.calls is not None:
            self.calls.show_tools(response)
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
        in_pair, unopened = self._questions is not None, self._link_problems()
        self._open.setVisible(bool(unopened))
        in_form = has_place_in_form(session.rubric) and not in_pair
        self._figure.show_for(None if in_form else session.task, self.response)
        quiet(self._called, "accent" if here and not self._alone else "text" if in_pair else "text2")
        self._links.setVisible(in_pair)
        if in_pair:
            self._links.setText(self._link_words())
            blocks = [one for one in unopened if one.level == "block"]
            quiet(self._links, "block" if blocks else "text2")
            set_tooltip(self._links, "\n".join(map(said_of, blocks)))

    def _link_words(self) -> str:
        """How many links of the response's own text are opened."""
        session = self._session
        rubric = session.rubric
        pages = response_pages(self.response, tuple(rubric.file.links.placeholders) if rubric is not None else ())
        if not pages:
            return self.tr("no links")
        opened = set(map(page_of, session.rating.links_opened))
        done = sum(page in opened for page in pages)
        return self.tr("{n} of {total} links opened").format(n=done, total=len(pages))

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
        top = 0 if self._questions is not None else HEAD_TOP
        self._head.setContentsMargins(theme.px(left), theme.px(top), theme.px(12), 0)
        self._top.setFixedHeight(theme.px(HEAD))

    def _size_words(self) -> str:
        text = self.response.text
        kind = self.tr("plain text")
        if self.response.format == "markdown":
            kind = self.tr("Markdown") if self.view.is_rendered else self.tr("source of Markdown")
        if not text.strip():
            return self.tr("the response is empty")
        if has_no_blanks(text):
            count, words = len("".join(text.split())), self.tr("{n} characters, {kind}")
            one = self.tr("1 character, {kind}")
        else:
            count, words = len(text.split()), self.tr("{n} words, {kind}")
            one = self.tr("1 word, {kind}")
        return (one if count == 1 else words).format(n=spelling.number(count), kind=kind)

    def _link_problems(self) -> list[Problem]:
        """The rules that break here because links were not opened."""
        session = self._session
        if session.rubric is None:
            return []
        where = f"responses/{self.response.id}"
        here = (one for one in session.outcome.problems if one.where == where)
        return [one for one in here if moves.is_about_links(session.rubric, one)]

    def _name(self) -> str:
        return self.tr("Response") if self._alone else self.tr("Response {name}").format(name=spoken(self.response.id))
