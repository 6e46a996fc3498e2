"""The lead's own rating of a task: given before the raters' are seen, or as a correction of one of them."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.place import TASK
from desktop_rater.model.rating import Rating, TimeSpent
from desktop_rater.ui import moves, theme
from desktop_rater.ui.active_time import ActiveTime
from desktop_rater.ui.answering import Answering
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form_pane import FormPane
from desktop_rater.ui.pair.room import PairRoom
from desktop_rater.ui.pane_sizes import PaneSizes
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.preview.browsing import Browsing
from desktop_rater.ui.preview.pane import PreviewPane
from desktop_rater.ui.preview_commands import PreviewCommands
from desktop_rater.ui.rating_commands import RatingCommands
from desktop_rater.ui.review.own_panes import OwnPanes
from desktop_rater.ui.review.standing import place_of
from desktop_rater.ui.saving import Saver, Unsaved
from desktop_rater.ui.separator import line
from desktop_rater.ui.session import Session
from desktop_rater.ui.taking_commands import TakingCommands
from desktop_rater.ui.text_pane import TextPane
from desktop_rater.work.review import Lead, keep_own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop_rater.audit.audited_task import AuditedTask
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.store.store import Store
    from desktop_rater.ui.rooms import Around
    from desktop_rater.work.review import Reviewed


NOT_HERE = {"skip", "note", "pause"}


class OwnAnswer(QWidget):
    """The same parts as where a rater works, on a session of its own. What is answered is kept as it is given.

    `kept`: the lead is done, and nothing blocks; of a blind answer nothing at the place that it was asked for.
    """

    kept = Signal(str)  # the task
    left = Signal()
    changed = Signal()  # it opened or shut

    def __init__(self, around: Around, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("own_answer")
        self.setAccessibleName(self.tr("Your own rating"))
        theme.ground(self, "surface")
        self._around = around
        self._of: dict[str, tuple[AuditedTask, bool]] = {}  # task → what it was opened on, and whether blind
        self._audited: AuditedTask | None = None
        self._blind = False
        self._stop = TASK
        self._last = Rating(task="")
        self.saver = Saver(around.perform, self._keep, around.now, self)
        self.session = Session(self.saver, ActiveTime(time.monotonic), self)
        self.browsing = Browsing(around.perform, self.session, around.web, around.now, self)
        sizes = PaneSizes(self)
        self.text_pane = TextPane(self.session, sizes)
        self.preview = PreviewPane(self.session, self.browsing, around.window.make_live)
        self.form_pane = FormPane(self.session, alone=True)
        self._panes = OwnPanes(
            self.text_pane, self.preview, self.form_pane, PairRoom(self.session, self.text_pane, self.form_pane)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        column.addWidget(self._panes, 1)
        self.answering = Answering(self.session, self.text_pane, self.form_pane, self)
        self.rating_commands = RatingCommands(self, self.session)
        self.page_commands = PreviewCommands(self, self.session, self.browsing, open_url=_open_outside)
        self.taking = TakingCommands(self, self.session, self.browsing)
        self._connect()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.ground(head, "info_back")
        row = QHBoxLayout(head)
        theme.pad(row, 16, 6, 12, 6)
        row.setSpacing(8)
        self.words = ElidedLabel(name="own_words")
        row.addWidget(self.words, 1)
        self._done = KeyButton(self.tr("Done"), "Ctrl Shift Enter", primary=True)
        self._done.setObjectName("own_done")
        self._done.clicked.connect(lambda _on=False: self.finish())
        row.addWidget(self._done)
        self._leave = KeyButton(self.tr("Leave it"), "Esc")
        self._leave.setObjectName("own_leave")
        self._leave.clicked.connect(lambda _on=False: self.shut())
        row.addWidget(self._leave)
        return head

    def _connect(self) -> None:
        self.form_pane.go_on_wanted.connect(self.go_on)
        self.saver.not_saved.connect(lambda error: self.form_pane.banners.trouble(error, "own"))
        self.saver.saved.connect(lambda _when: self.form_pane.banners.drop("own"))
        for told in (self.session.opened, self.session.rating_changed):
            told.connect(self._show_possible)

    # -- what is rated

    @property
    def is_open(self) -> bool:
        """Whether a task is being rated here."""
        return self._audited is not None

    @property
    def rating(self) -> Rating:
        """The lead's own rating as it stands, or as it was left."""
        return self.session.rating if self.is_open else self._last

    def open(self, audited: AuditedTask, start_from: str | None, *, blind: bool = False, where: str = "") -> None:
        """Rate a task: from the lead's own rating where there is one, else from that rater's, else from nothing."""
        self._audited, self._blind = audited, blind
        self._of[audited.id] = audited, blind
        place = place_of(audited.task, where) if where else None
        self.words.setText(self._said(audited, start_from))
        self.rating_commands.guidelines.show_text(audited.guidelines)
        self.session.open(audited.bundle, audited.task, self._begun(audited, start_from), audited.rubric, at=place)
        self._stop = moves.stop_of(self.session.place)
        self._panes.arrange()
        self.changed.emit()
        self.form_pane.form.setFocus()

    def _begun(self, audited: AuditedTask, start_from: str | None) -> Rating:
        """What the lead begins with; nothing that is said of how a rater worked is taken over."""
        known = self.saver.newest(audited.bundle, audited.id) or (audited.own.rating if audited.own else None)
        of = audited.of(start_from) if start_from is not None and known is None else None
        rating = of.rating if of is not None else known or Rating(task=audited.id)
        if known is None:
            rating = replace(rating, time=TimeSpent(), note="", status="incomplete")
        return replace(rating, rater=self._lead_name, rubric=audited.rubric.ref)

    def _said(self, audited: AuditedTask, start_from: str | None) -> str:
        if self._blind:
            return self.tr("Your own answer first: what the raters said shows when you are done.")
        if start_from is None or audited.own is not None:
            return self.tr("Your own rating of {task}.").format(task=isolated(audited.id[:80]))
        words = self.tr("Your correction, begun with the rating of {rater}. It follows the same rules.")
        return words.format(rater=isolated(start_from[:80]))

    @property
    def _lead_name(self) -> str:
        return self._around.preferences.now.rater or self._around.lead

    def _keep(  # what a `Saver` calls, on the store's lane
        self,
        store: Store,
        _rubric: Rubric,
        _bundle: str,
        task: Task,
        rating: Rating,
        *,
        done: str,
        now: Callable[[], datetime],
    ) -> Reviewed:
        del done
        audited, blind = self._of[task.id]
        return keep_own(store, audited, rating, Lead(self._lead_name, now), blind=blind)

    # -- keys

    def does(self) -> Mapping[str, Callable[[], object]]:
        """What the actions do while it is open."""
        parts = (self.answering, self.rating_commands, self.page_commands, self.taking)
        does = {name: do for part in parts for name, do in part.does().items() if name not in NOT_HERE}
        own = {"go_on": self.go_on, "finish": self.finish, "leave": self.leave_part}
        return {name: partial(self._do, do) for name, do in {**does, **own}.items()}

    def _do(self, do: Callable[[], object]) -> None:
        self.session.active_time.touch()
        do()

    def take_key(self, key: str) -> bool:
        """A key of the rubric."""
        return self.answering.take_key(key)

    def panes(self) -> tuple[QWidget, ...]:
        """What F6 goes round."""
        form = self.form_pane.form
        texts = tuple(pane.view for pane in self.text_pane.panes)
        return (*(form.blocks or (form,)), *texts, self.preview, self.form_pane.problems.list)

    def switch_text_and_page(self) -> None:
        """Between the text and the page beside it."""
        self._panes.switch_text_and_page()

    def go_on(self) -> None:
        """Enter: the next open question; where all is answered at the place that was asked for, done."""
        if self.answering.confirms():
            return
        self.answering.leave_field()
        session = self.session
        here = moves.stop_of(session.place) == self._stop
        if (
            session.task is not None
            and here
            and self._stop not in moves.blocked(session.outcome)
            and not self._open_here
        ):
            self.finish()
        else:
            session.go_on()
            self.form_pane.form.write_open_text()

    @property
    def _open_here(self) -> bool:
        return any(one.open for one in self.session.shown)

    def finish(self) -> None:
        """Done, unless something blocks."""
        session = self.session
        if session.task is None or session.rubric is None:
            return
        self.answering.leave_field()
        session.pause_typing()
        blocked = moves.blocked(session.outcome)
        if (self._stop in blocked) if self._blind else bool(blocked):
            session.refused.emit()
            return
        task = session.task.id
        if self.saver.newest(session.bundle, task) is None:  # the lead finds that all is right as it stands
            self.saver.submit(Unsaved(session.rubric, session.bundle, session.task, session.rating, ("finish",)))
        self.saver.when_settled(lambda saved: self._settled(task, saved=saved))

    def _settled(self, task: str, *, saved: bool) -> None:
        if saved and self._audited is not None and self._audited.id == task:
            self._put_away()
            self.kept.emit(task)

    def leave_part(self) -> None:
        """Esc: out of the field, then the page, then this."""
        if not self.answering.leave() and not self.page_commands.leave():
            self.shut()

    def shut(self) -> None:
        """Leave it: what is answered so far is kept, and can be gone on with."""
        if self.is_open:
            self.session.pause_typing()
            self._put_away()
            self.left.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_possible()  # another page of the room may have said what is
        self.session.active_time.set_window_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Time counts only while it is before the lead."""
        super().hideEvent(event)
        self.session.active_time.set_window_active(False)

    def _put_away(self) -> None:
        self._last = self.session.rating
        self._audited = None
        self.session.close()
        self.changed.emit()

    def _show_possible(self) -> None:
        enable, there = self._around.rooms.enable, self.is_open
        if there:
            enable("review", "undo", self.session.can_undo)
            enable("review", "redo", self.session.can_redo)


def _open_outside(url: str) -> None:
    QDesktopServices.openUrl(QUrl(url))
