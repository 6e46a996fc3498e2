"""Pane of one response: header, text and tool calls."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.format.rating import Problem
from desktop_rater.format.rubric import Question
from desktop_rater.format.task import Response, Target, Task
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.links import response_pages
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.context_pane import CitedView
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.response_painter import TARGET_MARGIN
from desktop_rater.ui.rating.response_view import FAR_MARGIN, PLAIN_MARGIN
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import TargetState, response_letter
from desktop_rater.ui.rating.tool_calls import ToolCalls, ToolChips, ToolView
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, has_no_blanks, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import OrderedSplitter, horizontal_line, tight_row
from desktop_rater.ui.widgets.theme import font_of, set_ink
from desktop_rater.ui.widgets.theme_tokens import TYPE
from desktop_rater.ui.window.window_place import PaneSizes

MAX_F1_CHARACTERS = 1_000_000  # characters; no score for longer texts


def asks_about_reference(question: Question) -> bool:
    """Return whether a question is asked only for tasks with a reference."""
    return "reference" in question.relevant


def has_reference_question(rubric: Rubric | None) -> bool:
    """Return whether a response question is about the reference, so that the score is shown next to it."""
    questions = rubric.file.questions if rubric is not None else ()
    return any(question.per == "response" and asks_about_reference(question) for question in questions)


class TokenF1Label(PlainLabel):
    """Label with the token F1 of a response and the reference; hidden without a reference."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent, name=name)
        self._shown_texts: tuple[str, str | None] | None = None
        # No wider than its text, so that the rest of the row stays at the trailing side, also from right to left.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self, "small")
        theme.set_ink(self)
        why = QCoreApplication.translate("TokenF1", "Overlap of words between both texts: 0 means none, 1 means all.")
        set_tooltip(self, why)
        self.hide()

    def show_for(self, task: Task | None, response: Response | None) -> None:
        """Show the score of a response of a task."""
        reference = task.reference if task is not None else None
        texts = (response.text, reference) if response is not None and reference is not None else None
        self.setVisible(texts is not None)
        if texts is not None and texts != self._shown_texts:
            self._shown_texts = texts
            self.setText(self._words(*texts))

    def _words(self, response: str, reference: str) -> str:
        if len(response) + len(reference) > MAX_F1_CHARACTERS:
            return self.tr("Token F1 with the reference: not computed, the texts are too long")
        from desktop_rater.stats.scores import token_f1  # noqa: PLC0415 - only when it is used

        figure = formatting.decimal(token_f1(response, reference), 2)
        return self.tr("Token F1 with the reference: {figure}").format(figure=figure)


class QuestionTokenF1(TokenF1Label):
    """Score beneath the question about the reference; it follows the current response."""

    def __init__(self, session: Session, question: Question, parent: QWidget) -> None:
        super().__init__(f"token_f1_{question.id}", parent)  # without a parent it would be shown as a window
        self._session = session
        session.opened.connect(self._follow)
        session.place_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        task = self._session.task
        self.show_for(task, task.response(self._session.place.response or "") if task is not None else None)


RESPONSE_HEAD_HEIGHT, PAIR_HEAD_HEIGHT, RESPONSE_HEAD_TOP, MIN_RESPONSE_TEXT_HEIGHT = 36, 32, 8, 44
MAX_NAMED_CHARACTERS, MAX_NAMED_PARTS = 12, 60


class ResponsePane(QWidget):
    """Response pane: the text above the tool output. In a pair, the calls are chips of the header."""

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
        self.calls: ToolCalls | None = None  # of a pair: at the top, instead of `tools`
        self._chips: ToolChips | None = None
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self._split = OrderedSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        column.addWidget(self._split, 1)
        self.view = CitedView(f"response_text_{response.id}")
        self.view.setAccessibleName(visible(self._name()))
        self.view.target_clicked.connect(self.target_clicked)
        self.view.page_wanted.connect(self.page_wanted)
        self.view.words_chosen.connect(self.words_chosen)
        self.view.choosing_ended.connect(self.choosing_ended)
        self._split.addWidget(self.view)
        self.tools = ToolView(f"tools_{response.id}", sizes)
        self._split.splitterMoved.connect(lambda: self.tools.dragged(self._split))
        self.tools.output.page_wanted.connect(self.page_wanted)
        self._split.addWidget(self.tools)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        self._top = QWidget()
        self._name_label = PlainLabel(self._name())
        theme.follow(self._name_label, self._style_name)
        self._size = ElidedLabel(name=f"size_{self.response.id}", size="small", ink="text2")
        self._token_f1 = TokenF1Label(f"token_f1_{self.response.id}")
        self._warning = PlainLabel(name=f"hidden_{self.response.id}", size="small", ink="warn")
        self._links = ElidedLabel(name=f"links_{self.response.id}", size="small", ink="text2")
        self._links.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._links.hide()
        self._open = KeyButton(
            self.tr("Open link"),
            "Shift O",
            flat=True,
            name=f"open_links_{self.response.id}",
            clicked=lambda: self.link_wanted.emit(self.response.id),
        )
        self._head = tight_row(
            self._top,
            self._name_label,
            (self._size, 1),
            self._token_f1,
            self._warning,
            self._links,
            self._open,
            spacing=8,
        )
        return self._top

    @property
    def tool_part(self) -> ToolCalls | ToolView:
        """Return the widget that shows the tool calls now."""
        return self.calls if self.calls is not None else self.tools

    def add_below_text(self, widget: QWidget) -> None:
        """Insert a widget below the text, and below the tool output that is there."""
        self._column.insertWidget(self._column.indexOf(self._split) + 1, widget)

    def join_pair(self, *, first: bool) -> None:
        """Become half of a pair. The `first` half shows the key of the tool calls."""
        if self.calls is not None:
            return
        self.calls, self._chips = (
            ToolCalls(f"calls_{self.response.id}", cap=first),
            ToolChips(f"chips_{self.response.id}"),
        )
        self.calls.output.page_wanted.connect(self.page_wanted)
        self._edge = horizontal_line()
        for index, widget in enumerate((self._edge, self.calls), self._column.indexOf(self._split)):
            self._column.insertWidget(index, widget)
        self._head.insertWidget(self._head.indexOf(self._size) + 1, self._chips, 1)
        self._head.setStretchFactor(self._size, 0)
        self._size.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._chips.chosen.connect(self.calls.toggle_call)
        self.calls.opened.connect(self._chips.mark)
        self.tools.hide()
        self.view.setMinimumHeight(theme.px(MIN_RESPONSE_TEXT_HEIGHT))
        self._show_calls()
        self._fit_calls()
        self._update_layout()

    def _show_calls(self) -> None:
        if self.calls is not None and self._chips is not None:
            self.calls.show_tools(self.response)
            self._chips.show_calls(self.calls.model)
        else:
            self.tools.show_tools(self.response)

    def leave_pair(self) -> None:
        """Become a single response again."""
        if self.calls is None or self._chips is None:
            return
        for widget in (self.calls, self._chips, self._edge):
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self.calls = self._chips = None
        self._head.setStretchFactor(self._size, 1)
        self._size.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._links.hide()
        self.view.setMinimumHeight(0)
        self.tools.show()
        if self.tools.response is self.response:
            self.tools.set_open(self.tools.is_open)
        else:
            self.tools.show_tools(self.response)
        self._update_layout()

    def _update_layout(self) -> None:
        self._style_name()
        self._measure()
        self.refresh()

    def _style_name(self) -> None:
        """Write the name of a half larger than that of a single response."""
        in_pair = self.calls is not None
        font = font_of(
            self._name_label.font(), pixels=theme.px(TYPE["interface" if in_pair else "small"][0]), bold=in_pair
        )
        self._name_label.setFont(font)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_calls()

    def _fit_calls(self) -> None:
        if self.calls is not None:
            self.calls.fit(self.height())

    def take_up(self, response: Response, *, as_source: bool) -> None:
        """Show the response of this name in another task, from its start; `refresh` shows its marks."""
        self.response = response
        self.view.forget()
        self.show_text(as_source=as_source)
        self._show_calls()  # in the height that the text leaves
        self.view.show_current()

    def prepare(self, task: Task, response: Response) -> None:
        """Lay out the text of this response in a task that may be opened next."""
        plain = self._as_source or response.format == "plain"
        self.view.prepare_response(response.text, _targets_of(task, response.id), plain=plain)

    def show_text(self, *, as_source: bool | None = None) -> None:
        """Show the response with its targets; Markdown rendered, as source, or as before."""
        self._as_source = self._as_source if as_source is None else as_source
        plain = self._as_source or self.response.format == "plain"
        task = self._session.task
        targets = _targets_of(task, self.response.id) if task is not None else []
        self.view.show_response(self.response.text, targets, *self._marks(), plain=plain)
        self._size.setText(self._size_text())
        names = [name for _at, name in self.view.hidden]
        single = self.tr("1 hidden character")
        parts = list(dict.fromkeys(part.get("type", "") for part in self.response.not_shown))
        hidden = single if len(names) == 1 else self.tr("{n} hidden characters").format(n=len(names))
        not_shown = self.tr("Not shown: {parts}").format(parts=", ".join(parts)[:MAX_NAMED_PARTS])
        self._warning.setVisible(bool(names or parts))
        self._warning.setText(" · ".join([hidden] * bool(names) + [not_shown] * bool(parts)))
        reasons = (" – ".join(filter(None, part.values())) for part in self.response.not_shown)
        set_tooltip(self._warning, "\n".join(list(dict.fromkeys([*names, *reasons]))[:MAX_NAMED_CHARACTERS]))
        self._measure()

    def refresh(self) -> None:
        session = self._session
        here = session.place.response == self.response.id
        self.view.show_states(*self._marks())
        self.view.show_selected(session.selection.targets, session.selection.end)
        self.view.setAccessibleDescription(visible(self._position_text() if here else ""))
        in_pair, unopened = self.calls is not None, self._link_problems()
        self._open.setVisible(bool(unopened))
        self._open.set_label("" if in_pair else self.tr("Open link"))  # the count of opened links is beside it
        self._open.set_meaning(self.tr("Open the next link") if in_pair else "")
        in_form = has_reference_question(session.rubric) and not in_pair
        self._token_f1.show_for(None if in_form else session.task, self.response)
        set_ink(self._name_label, "accent" if here and not self._alone else "text" if in_pair else "text2")
        self._links.setVisible(in_pair)
        if in_pair:
            self._links.setText(self._link_text())
            blocks = [problem for problem in unopened if problem.level == "block"]
            set_ink(self._links, "block" if blocks else "text2")
            set_tooltip(self._links, "\n".join(map(problem_message, blocks)))

    def _marks(self) -> tuple[dict[str, TargetState], str | None, tuple[tuple[int, int], ...]]:
        """Return the states of the targets, the current target, and where the current claim is."""
        session, name = self._session, self.response.id
        states = {stop.target: state for stop, state in session.target_states.items() if stop.response == name}
        of_targets = {target: state for target, state in states.items() if target is not None}
        if session.place.response != name:
            return of_targets, None, ()
        claim = session.claim_at_hand
        return of_targets, session.place.target, claim.ranges_in(self.response.text) if claim is not None else ()

    def _link_text(self) -> str:
        session = self._session
        rubric = session.rubric
        pages = response_pages(self.response, tuple(rubric.file.links.placeholders) if rubric is not None else ())
        if not pages:
            return self.tr("no links")
        opened = set(map(page_key, session.rating.links_opened))
        opened_count = sum(page in opened for page in pages)
        return self.tr("{n} of {total} links opened").format(n=opened_count, total=len(pages))

    def _position_text(self) -> str:
        """Return the current target and its state, for screen readers."""
        session = self._session
        stops = [stop for stop in session.stops if stop.target is not None]
        if session.stop not in stops:
            return ""
        state = session.target_states.get(session.stop)
        text = self.tr("Target {n} of {total}").format(n=stops.index(session.stop) + 1, total=len(stops))
        blocked = self.tr("blocked") if state is not None and state.blocked else ""
        count = len(session.selection)
        selected = self.tr("{n} targets selected").format(n=count) if count else ""
        return ", ".join(filter(None, (text, state.text if state is not None else "", blocked, selected)))

    def _measure(self) -> None:
        """Align the header with the text, at one height with or without the button."""
        near = TARGET_MARGIN if self.view.has_targets else PLAIN_MARGIN
        left = FAR_MARGIN if self.view.backwards and self.view.has_targets else near
        top, height = (0, PAIR_HEAD_HEIGHT) if self.calls is not None else (RESPONSE_HEAD_TOP, RESPONSE_HEAD_HEIGHT)
        self._head.setContentsMargins(theme.px(left), theme.px(top), theme.px(12), 0)
        self._top.setFixedHeight(theme.px(height))

    def _size_text(self) -> str:
        text = self.response.text
        kind = self.tr("plain text")
        if self.response.format == "markdown":
            kind = self.tr("Markdown") if self.view.is_rendered else self.tr("Markdown source")
        if not text.strip():
            return self.tr("the response is empty")
        if has_no_blanks(text):
            count, several = len("".join(text.split())), self.tr("{n} characters, {kind}")
            single = self.tr("1 character, {kind}")
        else:
            count, several = len(text.split()), self.tr("{n} words, {kind}")
            single = self.tr("1 word, {kind}")
        return (single if count == 1 else several).format(n=formatting.number(count), kind=kind)

    def _link_problems(self) -> list[Problem]:
        session = self._session
        if session.rubric is None:
            return []
        where = f"responses/{self.response.id}"
        here = (problem for problem in session.outcome.problems if problem.where == where)
        return [problem for problem in here if task_stops.is_about_links(session.rubric, problem)]

    def _name(self) -> str:
        return (
            self.tr("Response")
            if self._alone
            else self.tr("Response {name}").format(name=response_letter(self.response.id))
        )


def _targets_of(task: Task, response: str) -> list[Target]:
    return [target for target in task.targets or () if target.response == response]
