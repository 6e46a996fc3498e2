"""What is judged, where it stands: the prompt in one line, and the text around the place that is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.response.view import MARGIN, ResponseView
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.place import Place
    from desktop_rater.model.task import Response, Task
    from desktop_rater.ui.labels import TargetState

HEAD, MOST_LINES, FEW_LINES = 44, 5, 2


class ExcerptView(ResponseView):
    """A response as high as its text, up to a few lines; the place that is looked at stays in view."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.most_lines = MOST_LINES
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _frame(self) -> None:
        near, far = theme.px(MARGIN if self.has_targets else PANE), theme.px(PANE)
        self._set_margins(near, far, top=theme.px(2), bottom=theme.px(6))

    def _lay_anew(self) -> None:
        super()._lay_anew()
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bring_into_view()

    def sizeHint(self) -> QSize:
        most = self.most_lines * self._read.look.line + theme.px(10)
        return QSize(200, min(int(self.document().size().height()) + 2, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), 2 * self._read.look.line + 4))


class Excerpt(QWidget):
    """The head says which task it is; several responses that are judged together stand beside each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_excerpt")
        self.setAccessibleName(self.tr("What is judged"))
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        column.addWidget(self._make_prompt())
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column.addWidget(self._split)
        column.addWidget(line())
        self._views: list[ExcerptView] = []
        self._names: list[PlainLabel] = []
        self._task: Task | None = None
        self._lines = MOST_LINES
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        self._title = ElidedLabel(name="review_title")
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._title, bold=True)
        row.addWidget(self._title)
        self._where = ElidedLabel(name="review_where")
        theme.write(self._where, "small")
        theme.quiet(self._where)
        row.addWidget(self._where, 1)
        self._page = KeyButton(self.tr("See the page as the rater saw it"), "V", flat=True)
        self._page.setObjectName("review_as_rated")
        row.addWidget(self._page)

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), 0, theme.px(PANE), 0)
            row.setSpacing(theme.px(10))
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    def _make_prompt(self) -> QWidget:
        self._prompt_box = QWidget()
        self._prompt_row = QHBoxLayout(self._prompt_box)
        self._prompt = ElidedLabel(name="review_prompt")
        theme.write(self._prompt, "small")
        theme.quiet(self._prompt)
        self._prompt_row.addWidget(self._prompt)
        return self._prompt_box

    @property
    def page_wanted(self) -> SignalInstance:
        """The rater's own page is wanted."""
        return self._page.clicked

    @property
    def views(self) -> tuple[ExcerptView, ...]:
        """What F6 goes to."""
        return tuple(self._views)

    def _measure(self) -> None:
        near = theme.px(MARGIN if any(view.has_targets for view in self._views) else PANE)
        self._prompt_row.setContentsMargins(near, theme.px(8), theme.px(PANE), theme.px(2))

    def set_low(self, *, low: bool) -> None:
        """Take fewer lines where the window is low."""
        self._lines = FEW_LINES if low else MOST_LINES
        for view in self._views:
            view.most_lines = self._lines
            view.updateGeometry()
        self._prompt_box.setHidden(low)

    def show_place(self, task: Task, place: Place, states: Mapping[str, TargetState], where: str) -> None:
        """Show a task at a place; `states`: how its targets stand, `where` the place in words."""
        if self._task is None or task != self._task:
            self._task = task
            self._title.setText(task.id[:80])
            words = self.tr("Prompt: {text}").format(text=" ".join(task.prompt.text.split())[:2_000])
            self._prompt.setText(words)
        self._where.setText(where)
        shown = [one for one in task.responses if place.response in {None, one.id}]
        self._show_responses(task, shown)
        self._measure()
        for view, response in zip(self._views, shown, strict=True):
            mine = {target.id: states[target.id] for target in task.targets or () if target.id in states}
            view.show_states(mine, place.target if place.response == response.id else None)

    def clear(self) -> None:
        """Nothing is judged."""
        self._task = None
        for words in (self._title, self._where, self._prompt):
            words.setText("")
        self._show_responses(None, [])

    def _show_responses(self, task: Task | None, shown: list[Response]) -> None:
        while len(self._views) > len(shown):
            view, name = self._views.pop(), self._names.pop()
            box = view.parentWidget()
            name.setParent(None)
            if box is not None:
                box.setParent(None)
                box.deleteLater()
        while len(self._views) < len(shown):
            self._split.addWidget(self._make_view(len(self._views)))
        several = task is not None and len(task.responses) > 1
        for view, name, response in zip(self._views, self._names, shown, strict=True):
            targets = [one for one in (task.targets or () if task is not None else ()) if one.response == response.id]
            view.setAccessibleName(self.tr("Response {name}").format(name=spoken(response.id)))
            view.show_response(response.text, targets, plain=response.format == "plain")
            name.setText(self.tr("Response {name}").format(name=spoken(response.id)))
            name.setVisible(several)

    def _make_view(self, number: int) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        name = PlainLabel()
        theme.write(name, "small", bold=True)
        theme.follow(name, lambda: name.setContentsMargins(theme.px(PANE), theme.px(4), theme.px(PANE), 0))
        view = ExcerptView(f"review_text_{number + 1}")
        view.most_lines = self._lines
        column.addWidget(name)
        column.addWidget(view)
        column.addStretch(1)  # a shorter response begins where the one beside it does
        self._views.append(view)
        self._names.append(name)
        return box
