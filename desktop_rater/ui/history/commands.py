"""The history of a task: reading it, looking at an earlier state, and going back to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal

from desktop_rater.model.difference import differences, plain_content
from desktop_rater.ui.guidelines import Guidelines
from desktop_rater.ui.history.pane import HistoryPane
from desktop_rater.ui.history.words import all_words, way_words
from desktop_rater.ui.preview.said_of_page import day_and_time
from desktop_rater.ui.rows import Line
from desktop_rater.work.history import MOST, Told, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.change import Change
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

NOT_SAVED = -1  # the number of what the store does not know yet


class HistoryCommands(QObject):
    """Knows the session, the pane, and what was read for it."""

    said = Signal(str)  # which state stands before the rater now, for those who hear it

    def __init__(self, window: MainWindow, session: Session, perform: Perform) -> None:
        super().__init__(window)
        self._session = session
        self._perform = perform
        self._form_pane = window.form_pane
        self._told: dict[str, Told] = {}
        self._looked_at = ""  # the id of the row whose state is shown
        self._asking: Progress | None = None
        self.pane = HistoryPane()
        texts = window.text_pane.layout()
        assert texts is not None
        texts.addWidget(self.pane)
        texts.setStretchFactor(self.pane, 1)  # ty: ignore[missing-attribute]
        self.pane.show_wanted.connect(self.show_chosen)
        self.pane.back_wanted.connect(self.go_back)
        self.pane.shut_wanted.connect(self.leave)
        session.opened.connect(self._shut)
        session.saver.not_saved.connect(lambda _error: self._refresh())
        perform.changed.connect(self._changed)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"history": self.toggle}

    def toggle(self) -> None:
        """Open the history of the task at hand, or shut it."""
        if self.leave() or self._session.task is None:
            return
        guidelines = self.pane.window().findChild(Guidelines)
        if guidelines is not None:
            guidelines.hide()
            guidelines.installEventFilter(self)
        self._session.pause_typing()
        self.pane.show()
        self.pane.list.setFocus()
        # What was typed last is on its way to the store: it comes with the change that it makes.
        self._refresh()

    def leave(self) -> bool:
        """Come back to what counts and shut the pane; False where it is not open."""
        if self.pane.isHidden():
            return False
        self.come_back()
        self._shut()
        self._form_pane.form.setFocus()
        return True

    def show_chosen(self) -> None:
        """Show the chosen state, to look at only; what counts is shown as it is, to be changed."""
        one = self._told.get(self.pane.chosen or "")
        if one is None or one.rating is None:
            return
        if self.pane.chosen == self._counts():
            self.come_back()
            return
        self._session.look_back(one.rating, self._as_it(one), one.differences)
        words = self.tr("You look at an earlier state: {state}. Nothing can be changed in it.")
        words = words.format(state=self._as_it(one))
        ways: list[tuple[str, Callable[[], object]]] = [(self.tr("Back to now"), self.come_back)]
        if self._session.may_go_back:
            ways.insert(0, (self.tr("Go back to here"), self.go_back))
        self._form_pane.banners.show_banner("looking_back", "info", words, ways)
        self.said.emit(words)
        self._looked_at = str(one.revision)
        self._show()

    def come_back(self) -> None:
        """Show what counts again."""
        self._form_pane.banners.drop("looking_back")
        if self._session.looks_back:
            self._looked_at = ""
            self._session.come_back()
            self._show()
            self.said.emit(self.tr("Back to now"))

    def go_back(self) -> None:
        """Make the chosen state the one that counts."""
        one = self._told.get(self.pane.chosen or "")
        if one is None or one.rating is None or not self._session.may_go_back:
            return
        self._form_pane.banners.drop("looking_back")
        self._session.go_back(one.rating)
        words = self.tr("Went back: {state}.").format(state=self._as_it(one))
        self._form_pane.banners.show_banner("undo", "info", words, [(self.tr("Undo"), self._session.undo)])
        self._shut()
        self._form_pane.form.setFocus()

    def _changed(self, change: Change) -> None:
        session = self._session
        if session.task is not None and (session.bundle, session.task.id) in change.tasks:
            self._refresh()

    def _refresh(self) -> None:
        """Read the revisions, where somebody looks at them."""
        session = self._session
        if self.pane.isHidden() or session.task is None:
            return
        if self._asking is not None:
            self._perform.cancel(self._asking)
        task = session.task.id

        def arrived(found: tuple[Told, ...]) -> None:
            self._asking = None
            if session.task is not None and session.task.id == task and not self.pane.isHidden():
                self._told = {str(one.revision): one for one in (*self._not_saved(found), *found)}
                self._show()

        self._asking = self._perform.ask(told, session.bundle, task, session.rating.rater, done=arrived)

    def _not_saved(self, found: tuple[Told, ...]) -> tuple[Told, ...]:
        """What stands here and is not in the store yet."""
        now, last = self._session.present, found[0].rating if found else None
        if last is None or plain_content(last) == plain_content(now):
            return ()
        changed = differences(last, now)
        return (Told(revision=NOT_SAVED, changed="", status=now.status, done=(), rating=now, differences=changed),)

    def _counts(self) -> str:
        """The id of the state that counts: the latest one."""
        return next(iter(self._told), "")

    def _show(self) -> None:
        task, rubric = self._session.task, self._session.rubric
        if task is None or rubric is None:
            return
        rows = [self._line(one, all_words(one, task, rubric)) for one in self._told.values()]
        words = self.tr("1 state") if len(rows) == 1 else self.tr("{n} states").format(n=len(rows))
        if rows and "0" not in self._told:
            words = self.tr("the latest {n} states").format(n=MOST)
        self.pane.show_rows(rows, words, counts=self._counts(), may_go_back=self._session.may_go_back)

    def _line(self, one: Told, said: tuple[str, ...]) -> Line:
        name = str(one.revision)
        end = self.tr("not saved yet") if one.revision == NOT_SAVED else ""
        if one.revision > 0:
            end = self.tr("revision {n}").format(n=one.revision)
        counts = name == self._counts()
        beside = self.tr("now") if counts else self.tr("shown") if name == self._looked_at else ""
        more = "; ".join(part for part in (*said[1:], way_words(one)) if part)
        return Line(
            name,
            said[0],
            end=day_and_time(one.changed) if one.changed else "",
            detail=more,
            detail_end=", ".join(part for part in (beside, end) if part),
            bold=counts,
        )

    def _as_it(self, one: Told) -> str:
        time = day_and_time(one.changed)
        return self.tr("as it was on {time}").format(time=time) if one.changed else self.tr("as it came")

    def _shut(self) -> None:
        self._form_pane.banners.drop("looking_back")
        self._told, self._looked_at = {}, ""
        self.pane.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """There is room under the response for one of the two."""
        if isinstance(watched, Guidelines) and event.type() == QEvent.Type.ShowToParent:
            self.come_back()
            self._shut()
        return False
