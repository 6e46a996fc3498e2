"""Decide if a task is shown as a pair, arrange the questions under each response, and split the height."""

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitter, QSplitterHandle, QWidget

from desktop_rater.format.task import Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.response_pane import PAIR_HEAD_HEIGHT
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import set_tooltip
from desktop_rater.ui.widgets.layouts import OrderedSplitter
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.focus import is_typing
from desktop_rater.ui.window.window_place import PaneSizes

if TYPE_CHECKING:
    from desktop_rater.ui.pages.preview_pane import PreviewPane
    from desktop_rater.ui.rating.pair.compact_form import CompactForm


HANDLE_HEIGHT, GRIP_WIDTH, GRIP_HEIGHT = 8, 40, 2
QWIDGETSIZE_MAX = 16_777_215
TEXTS_SHARE = 0.5  # of the window's height, at least, unless the rater dragged the handle
STEP = 24  # of the handle by a key


class GripHandle(QSplitterHandle):
    """Handle with a grip in its middle."""

    def __init__(self, splitter: QSplitter) -> None:
        super().__init__(Qt.Orientation.Vertical, splitter)
        name, key_names = self.tr("Height of texts and questions"), "Ctrl Shift ↑ ↓"
        self.setAccessibleName(name)
        set_tooltip(self, f"{name}, {keys.cap_text(key_names)}")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the handle go where it is dragged."""
        heights = self.splitter()
        assert isinstance(heights, PairSplitter)
        heights.is_dragged = True
        super().mouseMoveEvent(event)
        heights.is_dragged = False

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color(self, "hover" if self.underMouse() else "win"))
            for y in (0, self.height() - 1):
                painter.fillRect(0, y, self.width(), 1, theme.color(self, "line"))
            wide, high = theme.px(GRIP_WIDTH), theme.px(GRIP_HEIGHT)
            grip = QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)
            painter.fillRect(grip, theme.color(self, "edge"))


class PairSplitter(OrderedSplitter):
    """The text pane and, of a pair, the form pane below it. A dragged handle stays there on screens of this size."""

    def __init__(self, text: QWidget, sizes: PaneSizes) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setObjectName("pair_heights")
        self.setChildrenCollapsible(False)
        self._text, self._sizes = text, sizes
        self._form: QWidget | None = None
        self.is_dragged = False
        self.addWidget(text)
        self.setStretchFactor(0, 1)
        self.splitterMoved.connect(lambda: sizes.store_share(self._name, self, 1))
        theme.follow(self, lambda: self.setHandleWidth(theme.px(HANDLE_HEIGHT)))

    def createHandle(self) -> QSplitterHandle:
        return GripHandle(self)

    @property
    def _name(self) -> str:
        """Return the name of the share in the settings: another screen has another one."""
        screen = self.screen()
        size = screen.size()
        return f"pair {screen.name()[:40]} {size.width()}x{size.height()}/questions"

    def hold(self, form: QWidget) -> None:
        self._form = form
        self.addWidget(form)
        self.setStretchFactor(1, 0)

    def fit(self, wanted: int, least: int, around_texts: int, *, fixed: bool) -> None:
        """Give the form the `wanted` height, but the texts at least half of the window's; a dragged share decides.

        `least` is the form's lowest height, `around_texts` that of the text pane's parts above the texts. A `fixed`
        form has its lowest height and no handle.
        """
        if self._form is None or self.indexOf(self._form) < 0 or self.is_dragged:
            return
        total = self.height() - self.handleWidth()
        most = total - around_texts - ceil(self.window().height() * TEXTS_SHARE)
        share = self._sizes.share(self._name, 0)
        height = least if fixed else round(total * share) if share else max(least, min(wanted, most))
        self._form.setMaximumHeight(least if fixed else QWIDGETSIZE_MAX)
        self.handle(1).setEnabled(not fixed)
        if self.sizes() != [total - height, height]:
            self.setSizes([total - height, height])

    def move_handle(self, by: int) -> None:
        """Move the handle down (1) or up (-1) by one line of the form."""
        if self.count() > 1 and self.handle(1).isEnabled():
            texts, questions = self.sizes()
            self.is_dragged = True
            self.setSizes([texts + by * theme.px(STEP), questions - by * theme.px(STEP)])
            self.is_dragged = False
            self._sizes.store_share(self._name, self, 1)


PAIR_SIZE = 2


def is_pair(rubric: Rubric | None, task: Task | None) -> bool:
    """Return whether a task compares two responses: questions on the whole task, none on targets or claims."""
    if rubric is None or task is None or len(task.responses) != PAIR_SIZE:
        return False
    return (
        not rubric.per_target
        and bool(rubric.questions_by_scope["task"])
        and bool(rubric.questions_by_scope["response"])
    )


MIN_FORM_HEIGHT = 52  # of the questions of a response
MAX_STRIP_SHARE = 0.6  # of the questions' height: those about both responses


class PairArrangement(QObject):
    """Layout of a pair. Its forms are created with the first pair and reused for later tasks."""

    def __init__(self, session: Session, text_pane: TaskTextPane, form_pane: FormPane, sizes: PaneSizes) -> None:
        super().__init__(text_pane)
        self._session = session
        self._texts, self._pane = text_pane, form_pane
        self.heights = PairSplitter(text_pane, sizes)  # the caller puts the form there while a pair is shown
        self._row = OrderedSplitter(Qt.Orientation.Horizontal)
        self._halves: tuple[CompactForm, ...] = ()
        self._strip: CompactForm | None = None
        self.is_on = self.texts_only = False
        self._grown = 0, 0  # width, and the height that the questions of this task needed at most
        self._is_fitting = False
        text_pane.panes_about_to_change.connect(self._detach)
        form_pane.texts_only_wanted.connect(self.toggle_texts_only)
        session.opened.connect(lambda: QTimer.singleShot(0, self, self._forget_height))  # once the forms show the task
        session.place_changed.connect(self._place_changed)
        sizes.changed.connect(self._fit)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "texts_only": self.toggle_texts_only,
            "taller_texts": lambda: self.heights.move_handle(1),
            "lower_texts": lambda: self.heights.move_handle(-1),
        }

    @property
    def is_wanted(self) -> bool:
        # Beside the gold answer, which replaces all questions, both responses stay in view.
        is_replaced = self._session.shows_gold or self._session.shows_research
        return is_pair(self._session.rubric, self._session.task) and not is_replaced

    @property
    def is_outdated(self) -> bool:
        """Return whether the current task needs another layout, or its panes are not those of the forms."""
        return self.is_wanted is not self.is_on or (self.is_on and not self._pane.form.blocks)

    def arrange(self, *, on: bool) -> None:
        """Show the current task as a pair, or in the usual layout."""
        if not on and not self.is_on:
            return
        form, focus = self._pane.form, QApplication.focusWidget()
        had_keys = focus is not None and (focus is form or focus in form.blocks or form.holds(focus))
        field = focus.objectName() if focus is not None and had_keys and is_typing(focus) else ""
        changes = on is not self.is_on
        self.is_on = on
        if on:
            self._bind_forms()
        else:
            self._detach()
        self._texts.set_pair(on=on)
        self._pane.set_pair(on=on)
        self._show_forms(shown=not self.texts_only)
        if changes and had_keys:
            same = form.field(field) if field else None
            (same or form).setFocus()

    def toggle_texts_only(self) -> None:
        """Give the questions' space to the texts, or take it back."""
        if not self.is_on:
            return
        focus, form = QApplication.focusWidget(), self._pane.form
        inside = focus is None or form.holds(focus) or focus in form.blocks
        if inside and not self.texts_only:
            here = self._session.place.response
            views = {pane.response.id: pane.view for pane in self._texts.panes if pane.isVisible()}
            (views.get(here or "") or next(iter(views.values()))).setFocus()
        self._show_forms(shown=self.texts_only)
        if not self.texts_only:
            form.setFocus()

    def _show_forms(self, *, shown: bool) -> None:
        self.texts_only = not shown
        self._pane.show_texts_only(on=self.texts_only)
        self._row.setVisible(self.is_on and shown)
        self.show_strip()

    def _place_changed(self) -> None:
        """Show the question that the rater went to."""
        if self.texts_only:
            self._show_forms(shown=True)
        else:
            self.show_strip()

    def show_strip(self) -> None:
        """Show the questions about both responses while they are current; else the footer names them."""
        if self._strip is not None:
            here = self._session.task is not None and self._session.stop == TASK_PLACE
            self._strip.setVisible(self.is_on and here and not self.texts_only)
            self._fit()

    def _bind_forms(self) -> None:
        if self._strip is None:
            self._create_forms()
        assert self._strip is not None
        for half, pane in zip(self._halves, self._texts.panes, strict=True):
            name = self.tr("Questions about response {name}").format(name=response_letter(pane.response.id))
            half.bind_place(Place(response=pane.response.id), name)
            pane.join_pair(first=half is self._halves[0])
        self._row.show()
        self._strip.bind_place(TASK_PLACE, self.tr("Questions about both"))
        if not self._pane.form.blocks:
            self._pane.form.use_pair_forms((*self._halves, self._strip))
        else:
            self._pane.form.refresh()

    def _create_forms(self) -> None:
        from desktop_rater.ui.rating.pair.compact_form import CompactForm  # noqa: PLC0415 - not before the first pair

        problems = self._pane.problems
        names = ("first_half", "second_half")
        self._halves = tuple(CompactForm(name, self._session, problems, wide=False) for name in names)
        self._strip = CompactForm("strip", self._session, problems, wide=True)
        self._row.setObjectName("pair_forms")
        self._row.setHandleWidth(1)
        self._row.setChildrenCollapsible(False)
        for half in self._halves:
            self._row.addWidget(half)
        self._pane.hold(self._row, self._strip)
        for form in (*self._halves, self._strip):
            form.setMinimumHeight(theme.px(MIN_FORM_HEIGHT))
            form.grown.connect(self._fit)
            form.hidden_key.connect(lambda: self._show_forms(shown=True) if self.texts_only else None)
            form.guideline_wanted.connect(self._pane.form.guideline_wanted)
        self._row.splitterMoved.connect(lambda: self._texts.set_widths(self._row.sizes()))
        self._texts.widths_changed.connect(self._fit)
        for part in (self._texts, self._pane, self.heights):
            part.installEventFilter(self)

    def _detach(self) -> None:
        """Remove the halves from panes that may be deleted."""
        self._pane.form.drop_pair_forms()
        for pane in self._texts.panes:
            pane.leave_pair()
        self._row.hide()

    def _fit(self) -> None:
        """Divide the height between texts and questions, and align the questions with their texts."""
        if not self.is_on or self._strip is None:
            return
        panes = self._texts.panes
        for half, pane in zip(self._halves, panes, strict=False):
            half.setHidden(pane.isHidden())
        visible = [half for half in self._halves if not half.isHidden()]
        if len(visible) == len(self._halves) and self._row.sizes() != self._texts.widths:
            self._row.setSizes(self._texts.widths)
        strip = 0
        if not self._strip.isHidden():
            whole, most = self._strip.content_height, round(self._row.height() + self._strip.height()) * MAX_STRIP_SHARE
            strip = min(whole, max(theme.px(2 * MIN_FORM_HEIGHT), round(most)))
            if self._strip.height() != strip:
                self._strip.setFixedHeight(strip)
        wanted = max((half.content_height for half in visible), default=0)
        width, before = self._grown
        if visible:  # the texts do not move with every question
            wanted = max(wanted, before if width == self._row.width() else 0)
            self._grown = self._row.width(), wanted
        around_texts = self._texts.responses_top + theme.px(PAIR_HEAD_HEIGHT) + 1
        least = self._least_height()
        rows = 0 if self._row.isHidden() else max(0, wanted - theme.px(MIN_FORM_HEIGHT))
        notice = 0 if self.texts_only else self._pane.banners.sizeHint().height()  # takes space from the questions
        self.heights.fit(least + rows - notice, least, around_texts, fixed=self.texts_only)

    def _forget_height(self) -> None:
        self._grown = 0, 0
        self._fit()

    def _least_height(self) -> int:
        """Return the lowest height of the form pane: its bars, and the least of the questions."""
        layout, width = self._pane.layout(), self._texts.width()
        if layout is None:
            return 0
        needed = layout.totalMinimumHeightForWidth(width) if layout.hasHeightForWidth() else 0
        return max(needed, layout.totalMinimumSize().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest} and not self._is_fitting:
            self._is_fitting = True  # the parts are resized by this, too, perhaps to other heights than they are given
            self._fit()
            self._is_fitting = False
        return super().eventFilter(watched, event)


class RatingPlace(Protocol):
    """Text, page and form of the task that is rated there."""

    @property
    def text_pane(self) -> TaskTextPane: ...
    @property
    def preview(self) -> "PreviewPane": ...
    @property
    def page_has_focus(self) -> bool: ...
    @property
    def form_pane(self) -> FormPane: ...

    def switch_text_and_page(self) -> None: ...
