"""The right side of the review screen: the judged text, the raters side by side, a stored page, the verdict."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.model.task import Response, Task
from desktop_rater.model.values import Place
from desktop_rater.text.unrendered import shown_words
from desktop_rater.ui.rating.response_painter import TARGET_MARGIN
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.target_state import TargetState
from desktop_rater.ui.rating.target_strip import state_text
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.review.choice_panel import SamplePanel
from desktop_rater.ui.review.grid import ComparisonGrid
from desktop_rater.ui.review.label_panel import LabelPanel
from desktop_rater.ui.review.stored_page import StoredPagePane
from desktop_rater.ui.review.verdict_bar import DecideBar, VerdictBar
from desktop_rater.ui.review.votes_panel import VotesPanel
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup, OrderedSplitter
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, visible
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.web.web_client import Web

HEAD, MAX_EXCERPT_LINES, LOW_EXCERPT_LINES = 44, 5, 2


class ExcerptView(ResponseView):
    """A response as high as its text, up to a few lines, scrolled to the current place."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.most_lines = MAX_EXCERPT_LINES
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _frame(self) -> None:
        near, far = theme.px(TARGET_MARGIN if self.has_targets else PANE), theme.px(PANE)
        self._set_margins(near, far, top=theme.px(2), bottom=theme.px(6))

    def _lay_anew(self) -> None:
        super()._lay_anew()
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())
        self.updateGeometry()
        self.show_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_current()

    def sizeHint(self) -> QSize:
        most = self.most_lines * self._read.look.line + theme.px(10)
        return QSize(200, min(int(self.document().size().height()) + 2, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), 2 * self._read.look.line + 4))


class Excerpt(NamedGroup):
    """The head names the task; several responses that are judged together are shown side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_excerpt")
        self.setAccessibleName(self.tr("Text being judged"))
        theme.set_ground(self, "surface")
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        column.addWidget(horizontal_line())
        column.addWidget(self._make_prompt())
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=1)
        self._split.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column.addWidget(self._split)
        column.addWidget(horizontal_line())
        self._views: list[ExcerptView] = []
        self._names: list[PlainLabel] = []
        self._task: Task | None = None
        self._lines = MAX_EXCERPT_LINES
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        self._title = ElidedLabel(name="review_title")
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self._title, bold=True)
        row.addWidget(self._title)
        self._where = ElidedLabel(name="review_where", size="small", ink="text2")
        row.addWidget(self._where, 1)
        self._page = KeyButton(self.tr("Show the page as the rater saw it"), "V", flat=True, name="review_as_rated")
        row.addWidget(self._page)
        theme.pad(row, PANE, 0, PANE, 0, spacing=10, height=HEAD)
        return head

    def _make_prompt(self) -> QWidget:
        self._prompt_box = QWidget()
        self._prompt_row = QHBoxLayout(self._prompt_box)
        self._prompt = ElidedLabel(name="review_prompt", size="small", ink="text2")
        self._prompt_row.addWidget(self._prompt)
        return self._prompt_box

    @property
    def page_wanted(self) -> SignalInstance:
        """The signal that asks for the page as the rater saw it."""
        return self._page.clicked

    @property
    def views(self) -> tuple[ExcerptView, ...]:
        return tuple(self._views)

    def _measure(self) -> None:
        near = theme.px(TARGET_MARGIN if any(view.has_targets for view in self._views) else PANE)
        self._prompt_row.setContentsMargins(near, theme.px(8), theme.px(PANE), theme.px(2))

    def set_low(self, *, low: bool) -> None:
        """Show fewer lines where the window is low."""
        self._lines = LOW_EXCERPT_LINES if low else MAX_EXCERPT_LINES
        for view in self._views:
            view.most_lines = self._lines
            view.updateGeometry()
        self._prompt_box.setHidden(low)

    def show_place(self, task: Task, place: Place, states: Mapping[str, TargetState], where: str) -> None:
        """Show a task at a place. `states`: the states of its targets, `where`: the place as text."""
        if self._task is None or task != self._task:
            self._task = task
            theme.use_language(task.prompt.lang)
            self._title.setText(task.id[:80])
            text = self.tr("Prompt: {text}").format(text=" ".join(shown_words(task.prompt.text[:2_000]).split()))
            self._prompt.setText(text)
        self._where.setText(where)
        responses = [response for response in task.responses if place.response in {None, response.id}]
        self._show_responses(task, responses)
        self._measure()
        for view, response in zip(self._views, responses, strict=True):
            mine = {target.id: states[target.id] for target in task.targets or () if target.id in states}
            view.show_states(mine, place.target if place.response == response.id else None)
            marks = (f"{number} {state_text(state)}" for number, state in enumerate(mine.values(), 1))
            view.setAccessibleDescription(visible(", ".join(marks)))

    def clear(self) -> None:
        self._task = None
        for label in (self._title, self._where, self._prompt):
            label.setText("")
        self._show_responses(None, [])

    def _show_responses(self, task: Task | None, responses: list[Response]) -> None:
        while len(self._views) > len(responses):
            view, name = self._views.pop(), self._names.pop()
            box = view.parentWidget()
            name.setParent(None)
            if box is not None:
                box.setParent(None)
                box.deleteLater()
        while len(self._views) < len(responses):
            self._split.addWidget(self._make_view(len(self._views)))
        several = task is not None and len(task.responses) > 1
        for view, name, response in zip(self._views, self._names, responses, strict=True):
            targets = [
                target for target in (task.targets or () if task is not None else ()) if target.response == response.id
            ]
            view.setAccessibleName(visible(self.tr("Response {name}").format(name=response_letter(response.id))))
            view.show_response(response.text, targets, plain=response.format == "plain")
            name.setText(self.tr("Response {name}").format(name=response_letter(response.id)))
            name.setVisible(several)

    def _make_view(self, number: int) -> QWidget:
        box = QWidget()
        column = tight_column(box, spacing=0)
        name = PlainLabel(size="small", bold=True)
        theme.follow(name, lambda: name.setContentsMargins(theme.px(PANE), theme.px(4), theme.px(PANE), 0))
        view = ExcerptView(f"review_text_{number + 1}")
        view.most_lines = self._lines
        column.addWidget(name)
        column.addWidget(view)
        column.addStretch(1)  # align a shorter response with the top of the other one
        self._views.append(view)
        self._names.append(name)
        return box


LOW, LOW_VOTES, MIN_GRID_HEIGHT, SIDE_BY_SIDE, PAGE = 620, 760, 96, 1_000, 440


class ComparePage(QWidget):
    """Hides the excerpt of a low window while a verdict is written; shows a page over the raters in a narrow one.

    While `labels`, the panel below the list, takes the keys, no verdict is offered.
    """

    def __init__(self, perform: WorkRunner, web: Web, labels: LabelPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels = labels
        self.setObjectName("compare_page")
        theme.set_ground(self, "surface")
        column = tight_column(self, spacing=0)
        self.excerpt = Excerpt(self)
        column.addWidget(self.excerpt)
        self.votes = VotesPanel(self)
        column.addWidget(self.votes)
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, self)
        self.grid = ComparisonGrid(self._split)
        self.stored = StoredPagePane(perform, web, self._split)
        self._split.setObjectName("review_split")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self.grid)
        self._split.addWidget(self.stored)
        self._split.setStretchFactor(0, 1)
        column.addWidget(self._split, 1)
        self.banners = Banners(self)
        column.addWidget(self.banners)
        self.decide = DecideBar(self)
        column.addWidget(self.decide)
        self.sample = SamplePanel(self)
        column.addWidget(self.sample)
        self.verdict = VerdictBar(self)
        column.addWidget(self.verdict)
        self.stored.left.connect(self.shut_page)
        theme.follow(self, self.refold)

    def open_page(self) -> None:
        self.refold()
        wide = self._split.width()
        if wide >= theme.px(SIDE_BY_SIDE):
            page = max(theme.px(PAGE), wide * 2 // 5)
            self._split.setSizes([wide - page, page])

    def shut_page(self) -> bool:
        """Close the page and return the focus to the raters; return whether a page was open."""
        had_keys = self.stored.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        was_open = self.stored.close_page()
        self.refold()
        if was_open and had_keys:
            self.grid.setFocus()
        return was_open

    def refold(self) -> None:
        low = self.height() < theme.px(LOW)
        self.excerpt.set_low(low=low)
        self.decide.set_low(low=low)
        self.votes.set_low(low=self.height() < theme.px(LOW_VOTES))
        offered = self.decide.is_open and self.decide.stays
        self.verdict.setVisible(not (self.sample.is_open or self._labels.is_open or offered))
        writing = self.verdict.is_writing or (self.decide.is_open and not offered) or self.sample.is_open
        self.excerpt.setVisible(not (low and writing))
        self.grid.setMinimumHeight(theme.px(MIN_GRID_HEIGHT))
        self.grid.setVisible(not self.stored.is_open or self.width() >= theme.px(SIDE_BY_SIDE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
