"""Puts the questions of each response under it, and those of the task under both; and takes them away again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop_rater.model.place import TASK, Place
from desktop_rater.ui import theme
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.pair.when import is_pair
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from desktop_rater.ui.form_pane import FormPane
    from desktop_rater.ui.pair.compact_form import CompactForm
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.text_pane import TextPane

LEAST, LEAST_OF_ALL = 216, 60  # of the questions of a half, and where a bar has opened in a low window
MOST_SHARE, MOST_SHARE_LOW = 0.52, 0.46  # of a half: the height of its questions, also in a low window
BENEATH = 0.45  # of the pane: the most of what stands beneath both halves


class PairRoom(QObject):
    """Its forms are made once, with the first pair, and go from task to task."""

    def __init__(self, session: Session, text_pane: TextPane, form_pane: FormPane) -> None:
        super().__init__(text_pane)
        self._session = session
        self._texts, self._pane = text_pane, form_pane
        self._halves: tuple[CompactForm, ...] = ()
        self._strip: CompactForm | None = None
        self.is_on = False
        text_pane.panes_going.connect(self._let_go)
        session.place_changed.connect(self._show_strip)

    @property
    def is_wanted(self) -> bool:
        """Whether the task at hand is a pair."""
        # Both responses stay in view beside the gold answer, which takes the place of all questions.
        return is_pair(self._session.rubric, self._session.task) and not self._session.beside_gold

    def arrange(self, *, on: bool) -> None:
        """Show the task at hand as a pair, or as every other one."""
        if not on and not self.is_on:
            return
        form, focus = self._pane.form, QApplication.focusWidget()
        had_keys = focus is not None and (focus is form or focus in form.blocks or form.holds(focus))
        field = focus.objectName() if focus is not None and had_keys and is_typing(focus) else ""
        changes = on is not self.is_on
        self.is_on = on
        if on:
            self._fill()
        else:
            self._let_go()
        self._texts.set_pair(on=on)
        self._pane.set_pair(on=on)
        self._show_strip()
        if changes and had_keys:
            same = form.field(field) if field else None
            (same or form).setFocus()

    def _show_strip(self) -> None:
        """Beside a page there is room for the questions about both once the rater is there."""
        if self._strip is not None:
            shut = self._texts.one_alone and self._session.task is not None and self._session.stop != TASK
            self._strip.setVisible(self.is_on and not shut)
            self._even()

    def _fill(self) -> None:
        if self._strip is None:
            self._make()
        assert self._strip is not None
        for half, pane in zip(self._halves, self._texts.panes, strict=True):
            words = self.tr("Questions about response {name}").format(name=spoken(pane.response.id))
            half.stand_for(Place(response=pane.response.id), words)
            pane.hold(half, first=half is self._halves[0])
            half.show()
        self._strip.stand_for(TASK, self.tr("Questions about both"))
        if not self._pane.form.blocks:
            self._pane.form.take_blocks((*self._halves, self._strip))
        else:
            self._pane.form.refresh()
        self._even()

    def _make(self) -> None:
        from desktop_rater.ui.pair.compact_form import CompactForm  # noqa: PLC0415 - not before the first pair

        problems = self._pane.problems
        names = ("first_half", "second_half")
        self._halves = tuple(CompactForm(name, self._session, problems, wide=False) for name in names)
        self._strip = CompactForm("strip", self._session, problems, wide=True)
        self._pane.hold(self._strip)
        for form in (*self._halves, self._strip):
            form.grown.connect(self._even)
            form.guideline_wanted.connect(self._pane.form.guideline_wanted)
        for pane in (self._texts, self._pane):
            pane.installEventFilter(self)

    def _let_go(self) -> None:
        """Take the halves out of panes that may go."""
        self._pane.form.drop_blocks()
        for pane in self._texts.panes:
            pane.let_go()
        for half in self._halves:
            half.hide()
            half.setParent(self._pane)

    def _even(self) -> None:
        """Both halves give their questions the same height, so that the texts end in one line."""
        if not self.is_on or self._strip is None:
            return
        shown = [half for half in self._halves if half.isVisible()]
        room = self._room()
        wanted = max((half.content_height for half in shown or self._halves), default=0)
        low = bool(self._texts.window().property("low"))
        height = min(max(wanted, theme.px(LEAST)), round(room * (MOST_SHARE_LOW if low else MOST_SHARE)))
        height = max(height, theme.px(LEAST_OF_ALL))
        for half in self._halves:
            if half.height() != height:
                half.setFixedHeight(height)
        # In a low window the first of its questions stands for all of them until the rater is there.
        whole = self._strip.content_height if not low or self._strip.is_current else self._strip.first_height
        strip = min(whole, max(self._strip.first_height, self._strip_room()))
        if self._strip.height() != strip:
            self._strip.setFixedHeight(strip)

    def _room(self) -> int:
        """The height of a half, once all that stands around it has its own."""
        both = self._texts.parentWidget()
        if both is None or self._pane.parentWidget() is not both:
            return self._texts.halves_height
        return both.height() - self._beneath() - (self._texts.height() - self._texts.halves_height)

    def _beneath(self) -> int:
        """What stands under both halves needs so much."""
        layout, width = self._pane.layout(), self._texts.width()
        if layout is None:
            return 0
        needed = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
        return max(needed, layout.totalMinimumSize().height())

    def _strip_room(self) -> int:
        """What the questions about both may take beside what else stands there, such as an open bar."""
        both = self._texts.parentWidget()
        others = self._beneath() - (self._strip.height() if self._strip is not None and self._strip.isVisible() else 0)
        return round(both.height() * BENEATH) - others if both is not None else 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self._texts, self._pane) and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._even()
        return False
