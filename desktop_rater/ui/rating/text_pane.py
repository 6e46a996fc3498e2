"""Middle pane of the window: the task's title, the prompt with related texts, and the responses."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.format.citations import Citation, cited_passage, citing_words, find_citations
from desktop_rater.format.task import Response, Task
from desktop_rater.format.values import Place
from desktop_rater.text.markdown import shown_words
from desktop_rater.ui.pages.context_pane import CitedView, ContextPane, ContextSplitter, document_name
from desktop_rater.ui.rating.prompt_pane import PromptPane, PromptSplitter
from desktop_rater.ui.rating.response_painter import TARGET_MARGIN
from desktop_rater.ui.rating.response_pane import ResponsePane
from desktop_rater.ui.rating.response_view import FAR_MARGIN, PLAIN_MARGIN
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.stepper import StepMenuButton, Stepper
from desktop_rater.ui.rating.target_strip import TargetStrip
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import NamedGroup, OrderedSplitter, horizontal_line, tight_column, tight_row
from desktop_rater.ui.window.window_place import WHOLE, PaneSizes

Span = tuple[int, int]
MAX_SEARCHED = 1_000_000  # characters searched for the passages of one document


class ResponseCitations:
    """Citations of a response, and the words of the sentences around them."""

    def __init__(self, response: Response, task: Task) -> None:
        self.citations = tuple(find_citations(response.text, task.context, response.id))
        self.words = citing_words(response.text, self.citations, markdown=response.format == "markdown")


class CitationNavigator(QObject):
    """Marks citations and shows what they cite. The views are replaced with each task."""

    def __init__(self, session: Session, documents: ContextSplitter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.documents = documents
        self.context = context = documents.context
        self._task: Task | None = None
        self._views: tuple[tuple[str, CitedView], ...] = ()
        self._citations: dict[str, ResponseCitations] = {}
        self._current: tuple[str, int] | None = None
        context.document_chosen.connect(self._show_passages)
        context.next_wanted.connect(self.go_to_next)

    def show_task(self, task: Task, views: Sequence[tuple[str, CitedView]]) -> None:
        """Mark the citations of a new task; `views` are those of its responses, by name."""
        self._task, self._views, self._current = task, tuple(views), None
        self._citations = {item.id: ResponseCitations(item, task) for item in task.responses} if task.context else {}
        for name, view in self._views:
            cited = self._citations[name].citations if name in self._citations else ()
            view.show_citations(cited, [document_name(task.context[item.document]) for item in cited])
        counts = Counter(item.document for cited in self._citations.values() for item in cited.citations)
        self.context.show_documents(task.context, counts)

    def go_to(self, response: str, index: int) -> None:
        self._current = response, index
        for name, view in self._views:
            view.show_citation(index if name == response else None)
        self.documents.set_open(True)
        citation = self._citations[response].citations[index]
        if citation.document == self.context.document:
            self._show_passages(citation.document)
        else:
            self.context.show_document(citation.document)

    def go_to_next(self) -> None:
        """Go to the next citation, those of the current response first."""
        order = self._order()
        if not order:
            has_documents = self._task is not None and bool(self._task.context)
            uncited, none = self.tr("No response cites any of the documents."), self.tr("This task has no documents.")
            self._session.hinted.emit(uncited if has_documents else none)
            return
        index = order.index(self._current) + 1 if self._current in order else 0
        self.go_to(*order[index % len(order)])

    def _order(self) -> list[tuple[str, int]]:
        here = self._session.place.response
        names = sorted(self._citations, key=lambda name: self._current is None and name != here)
        return [(name, index) for name in names for index in range(len(self._citations[name].citations))]

    def _show_passages(self, document: int) -> None:
        """Mark the cited passages of the visible document."""
        if self._task is None:
            return
        text = self._task.context[document].text
        current = None
        if self._current is not None:
            response, index = self._current
            if self._citations[response].citations[index].document == document:
                current = self._passage(text, response, index)
        every = [
            (name, index)
            for name, cited in self._citations.items()
            for index, item in enumerate(cited.citations)
            if item.document == document
        ]
        few = every[: max(1, MAX_SEARCHED // max(1, len(text)))]
        spans = {self._passage(text, *item) for item in few}
        self.context.view.show_passages(sorted(span for span in spans if span is not None), current)

    def _passage(self, text: str, response: str, index: int) -> Span | None:
        cited = self._citations[response]
        citation: Citation = cited.citations[index]
        return cited_passage(text, cited.words[index], citation.label, citation.passage)


TEXT_HEAD_HEIGHT = 44


class TaskTextPane(NamedGroup):
    """Text pane, filled anew for each task; within a task only the marks change."""

    link_wanted = Signal()
    page_wanted = Signal(str)
    pictures_placed = Signal(object)  # ResponseView that shows places of pictures
    picture_wanted = Signal(object, str)  # ResponseView, and the address of the picture
    words_chosen = Signal()
    choosing_ended = Signal()
    target_picked = Signal(str, bool)  # to be answered with others; with Shift the range up to it
    widths_changed = Signal()  # of the responses
    panes_about_to_change = Signal()  # the panes of the responses are about to be replaced by those of another task

    def __init__(self, session: Session, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="text_pane")
        self.setAccessibleName(self.tr("Text"))
        self._session, self._sizes = session, sizes
        self._panes: list[ResponsePane] = []
        self._to_prepare: list[Callable[[], None]] = []
        self._prepare_timer = DelayedCall(self, 0, self._prepare_text)
        self._as_source = False
        self._shows_strip = True
        self._paired = self.shows_one_response = False
        theme.set_ground(self, "surface")
        self._head, self._head_line = self._make_head(), horizontal_line()
        self.prompt = PromptPane()
        theme.follow(self.prompt, self._measure_prompt)
        lower = QWidget()
        lower.setMinimumHeight(1)  # in a low window the prompt stays whole
        self.stepper = Stepper(session)
        self._step_line = horizontal_line()
        self._split = OrderedSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("responses")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.splitterMoved.connect(self._save_share)
        sizes.changed.connect(self._apply_shares)
        self._citing: CitationNavigator | None = None
        self._low = False
        self._lower = tight_column(lower, self.stepper, self._step_line, (self._split, 1), spacing=0)
        self._step_menu: StepMenuButton | None = None  # of a pair, instead of the stepper
        self._prompt_room = PromptSplitter(self.prompt, lower, sizes)
        tight_column(self, self._head, self._head_line, (self._prompt_room, 1), spacing=0)
        session.opened.connect(self._open)
        session.updated.connect(self.refresh)

    def add_bar(self, bar: QWidget) -> None:
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        if bar.parentWidget() is not self:
            column.insertWidget(column.indexOf(self._prompt_room) + 1, bar)

    @property
    def citing(self) -> CitationNavigator:
        """The view of a task's documents, made with the first task that has some."""
        if self._citing is None:
            documents = ContextSplitter(self._split, ContextPane(), self._sizes)
            documents.context.page_wanted.connect(self.page_wanted)
            self._lower.addWidget(documents, 1)
            documents.show()  # at once, not in the next turn of the event loop
            documents.fold(low=self._low)
            self._citing = CitationNavigator(self._session, documents, self)
        return self._citing

    @property
    def document_panes(self) -> tuple[QWidget, ...]:
        """The panes of the documents, if there were any so far."""
        return () if self._citing is None else (self._citing.context.list, self._citing.context.view)

    def add_below(self, pane: QWidget) -> None:
        """Add a pane below the texts, which takes part of their height."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.addWidget(pane, 1)

    def _make_head(self) -> QWidget:
        head = QWidget()
        self._title = ElidedLabel(name="task_title", bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.follow_language(self._title)
        self._id = PlainLabel(name="task_id", size="small", ink="text2")
        self.strip = TargetStrip(self._session)
        row = tight_row(head, self._title, self._id, 1, self.strip, spacing=8)

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
            head.setFixedHeight(theme.px(TEXT_HEAD_HEIGHT))

        theme.follow(head, measure)
        return head

    def _measure_prompt(self) -> None:
        """Align the prompt with the responses; the wide margin is at the leading side."""
        task = self._session.task
        has_targets = task is not None and bool(task.targets)
        self.prompt.set_margins(*((TARGET_MARGIN, FAR_MARGIN) if has_targets else (PLAIN_MARGIN, PLAIN_MARGIN)))

    def toggle_prompt(self) -> None:
        """Unfold the prompt, or fold it to its first line."""
        self.prompt.toggle()

    def fold(self, *, low: bool, strip: bool, one_alone: bool = False, paired: bool = False) -> None:
        """Save space in a low window or one with a pair; with `one_alone` show one response at a time."""
        self.prompt.set_low(low)
        self._shows_strip = strip
        self._low = not strip or paired
        if self._citing is not None:
            self._citing.documents.fold(low=self._low)
        self.shows_one_response = one_alone
        self._refresh_strip()
        self._show_panes()

    def set_pair(self, *, on: bool) -> None:
        """Give the space that a pair does not need to its halves: the prompt and its label share a line."""
        self._paired = on
        self._head.setHidden(on)
        self._head_line.setHidden(on)
        self._prompt_room.set_pair(on=on)
        if on and self._step_menu is None:
            self._step_menu = StepMenuButton(self.stepper.steps)
            self.prompt.add_to_line(self._step_menu)
        self._show_steps()
        self._show_panes()
        self._apply_shares()

    def _show_steps(self) -> None:
        """Show the order of work as a row, or for a pair as a button with a list."""
        if self._step_menu is not None:
            self._step_menu.setVisible(self._paired)
            self._step_menu.refresh()
        self.stepper.setVisible(bool(self.stepper.steps.steps) and not self._paired)
        self._step_line.setHidden(self.stepper.isHidden())

    @property
    def widths(self) -> list[int]:
        """Return the widths of the responses."""
        return self._split.sizes()

    def set_widths(self, widths: list[int]) -> None:
        """Set the widths of the responses as the rater dragged them."""
        self._split.setSizes(widths)
        self._save_share()

    @property
    def responses_top(self) -> int:
        """Return the height of the parts above the responses."""
        return self._split.mapTo(self, QPoint(0, 0)).y()

    def _show_panes(self) -> None:
        """Show both responses, or without space for both, the current or last one."""
        if not self.shows_one_response or len(self._panes) != 2:
            for pane in self._panes:
                pane.show()
            return
        here = self._session.place.response if self._session.task is not None else None
        current = [pane for pane in self._panes if pane.response.id == here]
        visible = next(iter(current), None) or next(
            (pane for pane in self._panes if not pane.isHidden()), self._panes[0]
        )
        for pane in self._panes:
            pane.setHidden(pane is not visible)

    def _refresh_strip(self) -> None:
        if self._shows_strip:
            self.strip.setMaximumWidth(max(theme.px(72), self.width() // 2))
            self.strip.refresh()
        else:
            self.strip.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.setMaximumWidth(max(theme.px(72), self.width() // 2))
        if len(self._panes) == 2 and event.size().width() != event.oldSize().width():
            self._apply_shares()

    @property
    def panes(self) -> tuple[ResponsePane, ...]:
        return tuple(self._panes)

    @property
    def current_pane(self) -> ResponsePane | None:
        """Return the pane of the current response, else the first one."""
        here = self._session.place.response if self._session.task is not None else None
        return next((pane for pane in self._panes if pane.response.id == here), next(iter(self._panes), None))

    def show_response(self, response: str) -> None:
        """Show a response that is hidden behind the other one."""
        if any(pane.response.id == response and pane.isHidden() for pane in self._panes):
            self._session.go_to(Place(response=response))

    def selected_stretch(self) -> tuple[str, int, int] | None:
        """Return response, start and end of the selection in one of the responses."""
        for pane in self._panes:
            stretch = pane.view.selected_stretch()
            if stretch is not None:
                return pane.response.id, *stretch
        return None

    def drop_selection(self) -> None:
        for pane in self._panes:
            pane.view.drop_selection()

    def choose_words(self) -> bool:
        """Choose words of the current target with the keyboard; return `False` if there is no target."""
        return any(pane.view.choose_words() for pane in self._panes)

    def toggle_source(self) -> None:
        self._as_source = not self._as_source
        for pane in self._panes:
            pane.show_text(as_source=self._as_source)
            pane.refresh()
            pane.view.show_current()

    def toggle_tools(self) -> None:
        """Open or close the tool output, if there is any."""
        parts = [pane.tool_part for pane in self._panes if pane.response.tools]
        shut = any(not part.is_open for part in parts)
        for part in parts:
            part.set_open(shut)

    def refresh(self) -> None:
        self._refresh_strip()
        self._show_steps()
        self._show_panes()
        if self._session.task is not None:
            for pane in self._panes:
                pane.refresh()

    def _open(self) -> None:
        task = self._session.task
        self._to_prepare.clear()
        self._make_panes(task.responses if task is not None else ())
        if task is None:
            self.refresh()
            return
        self._title.setText(shown_words(task.prompt.text[:300]))
        self._id.setText(self._place_text(task))
        self.prompt.show_task(task)
        self._measure_prompt()
        for pane, response in zip(self._panes, task.responses, strict=True):
            pane.take_up(response, as_source=self._as_source)
        if task.context or self._citing is not None:
            self.citing.show_task(task, [(pane.response.id, pane.view) for pane in self._panes])
        self.refresh()

    def prepare(self, task: Task) -> None:
        """Lay out the texts of a task that may be opened next, one in each turn of the event loop."""
        self._to_prepare.append(partial(self.prompt.prepare, task))
        responses = {response.id: response for response in task.responses}
        for pane in self._panes:
            if pane.response.id in responses:
                self._to_prepare.append(partial(pane.prepare, task, responses[pane.response.id]))
        self._prepare_timer.start()

    def _prepare_text(self) -> None:
        if self._to_prepare:
            self._to_prepare.pop(0)()
            self._prepare_timer.start()

    def _make_panes(self, responses: tuple[Response, ...]) -> None:
        """Create a pane for each response, or reuse those of the same names, since creating them is slow."""
        names = [response.id for response in responses]
        if names == [pane.response.id for pane in self._panes]:
            return
        self.panes_about_to_change.emit()
        for pane in self._panes:
            pane.setParent(None)
            pane.deleteLater()
        self._panes = [self._make_pane(response, alone=len(names) == 1) for response in responses]
        for pane in self._panes:
            self._split.addWidget(pane)
        self._apply_shares()

    @property
    def _share_name(self) -> str:
        return f"{'pair' if self._paired else 'two'}/first"

    def _apply_shares(self) -> None:
        """Give the responses equal widths, unless the rater resized the first of two."""
        shares = [WHOLE] * len(self._panes)
        if len(shares) == 2:
            first = round(WHOLE * self._sizes.share(self._share_name, 0.5))
            shares = [first, WHOLE - first]
        self._split.setSizes(shares)
        self.widths_changed.emit()

    def _save_share(self) -> None:
        self.widths_changed.emit()
        if len(self._panes) == 2:
            self._sizes.store_share(self._share_name, self._split, 0)

    def _make_pane(self, response: Response, *, alone: bool) -> ResponsePane:
        pane = ResponsePane(self._session, response, self._sizes, alone=alone)
        pane.target_clicked.connect(lambda target, name=response.id: self._go_to(name, target))
        pane.link_wanted.connect(self._want_link)
        pane.page_wanted.connect(self.page_wanted)
        pane.words_chosen.connect(self.words_chosen)
        pane.choosing_ended.connect(self.choosing_ended)
        pane.view.target_picked.connect(self.target_picked)
        pane.view.pictures_placed.connect(lambda view=pane.view: self.pictures_placed.emit(view))
        pane.view.picture_wanted.connect(lambda url, view=pane.view: self.picture_wanted.emit(view, url))
        pane.view.citation_clicked.connect(lambda position, name=response.id: self.citing.go_to(name, position))
        return pane

    def _want_link(self, response: str) -> None:
        self._session.go_to(Place(response=response))
        self.link_wanted.emit()

    def _go_to(self, response: str, target: str) -> None:
        self._session.go_to(Place(response=response, target=target))

    def _place_text(self, task: Task) -> str:
        """Return the task's id, with its turn if it is one of a conversation's."""
        turn, turns = (task.meta.get(name) for name in ("turn", "turns"))
        if type(turn) is not int or type(turns) is not int or not 1 <= turn <= turns or turns == 1:
            return task.id[:80]
        return self.tr("{id}, turn {n} of {turns}").format(id=task.id[:80], n=turn, turns=turns)
