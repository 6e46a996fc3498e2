"""What keys and buttons do to the rating beside answering: the ways out of problems, notes, borders, pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.ui import spelling
from desktop_rater.ui.guidelines import Guidelines
from desktop_rater.ui.problems.pane import problem_words
from desktop_rater.ui.spoken_time import about_left
from desktop_rater.ui.word_bar import WordBar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.problems.ways_out import WayOut
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.workplace import Workplace
    from desktop_rater.work.today import Left


class RatingCommands(QObject):
    """Knows the form's pane, the guidelines and the session."""

    def __init__(self, window: Workplace, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._pane = window.form_pane
        self._form = window.form_pane.form
        self.section_here: Callable[[], str] = str  # where something else than a question says what to read
        self.words = WordBar()
        column = self._pane.layout()
        assert column is not None
        column.insertWidget(column.indexOf(self._pane.skip_bar), self.words)  # ty: ignore[missing-attribute]
        self.guidelines = Guidelines()
        texts = window.text_pane.layout()
        assert texts is not None
        texts.addWidget(self.guidelines)
        texts.setStretchFactor(self.guidelines, 1)  # ty: ignore[missing-attribute]
        session.opened.connect(self.words.hide)
        session.rating_changed.connect(self._rated)
        session.borders_changed.connect(self._show_borders)
        self.words.closed.connect(self._form.setFocus)
        self.guidelines.shut_wanted.connect(self.guideline)
        self._form.guideline_wanted.connect(self.open_guideline)
        self._pane.problems.way_taken.connect(self.take_way)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {
            "confirm_suggestions": self._session.confirm_suggestions,
            "confirm_suggestion": self._session.confirm_suggestion,
            "confirm_all_suggestions": self._session.confirm_all_suggestions,
            "write": self.write,
            "acknowledge": self.acknowledge_first,
            "note": self.note,
            "border": self.border,
            "pause": self.pause,
            "guideline": self.guideline,
        }

    def bind(self, built: Mapping[str, QAction]) -> None:
        """What is said of the task that was just finished goes with the next key."""
        for action in built.values():
            action.triggered.connect(lambda _checked=False: self._pane.banners.drop("left"))

    # -- the ways out of a problem

    def take_way(self, problem: Problem, way: WayOut) -> None:
        """Do what the button of a problem says."""
        session = self._session
        if session.task is None or session.rubric is None:
            return
        place = session.outcome.places[problem.where]
        question = way.question.id if way.question is not None else None
        session.go_to(place, question)
        self._form.setFocus()
        if way.kind == "change" and question is not None:
            session.answer(question, way.value)
        elif way.kind == "write":
            self._form.write()
        elif way.kind == "weigh":
            self._form.evidence.list.setFocus()
            self._form.show_evidence()
        elif way.kind == "acknowledge":
            self.acknowledge(problem)
        elif way.kind == "take_back":
            session.take_back(problem.rule, problem.where)
        elif place.evidence is not None:
            self._to_evidence(place.evidence, way)

    def _to_evidence(self, evidence: str, way: WayOut) -> None:
        self._form.evidence.select(evidence)
        self._form.show_evidence()
        if way.kind == "open":
            self._form.evidence.open_selected()
        elif way.kind == "mend":
            self._form.evidence.edit(way.field)

    def acknowledge_first(self) -> None:
        """Acknowledge the warning that is chosen in the list, else the first one here."""
        if self._session.task is None:
            return
        warnings = [one for one in self._pane.problems.here if one.level == "warn"]
        chosen = self._pane.problems.chosen_problem
        problem = chosen if chosen in warnings else next(iter(warnings), None)
        if problem is None:
            self._session.hinted.emit(self.tr("No warning here."))
            return
        self.acknowledge(problem)

    def acknowledge(self, problem: Problem) -> None:
        """Ask why a warning may stand."""

        def keep(comment: str) -> None:
            self._session.acknowledge(problem.rule, problem.where, comment)

        title = self.tr("Why may this warning stand?")
        about = problem_words(self._session, problem)
        self.words.ask(title, keep, about=about, keep=self.tr("Acknowledge"), needed=True)

    def write(self) -> None:
        """Put the cursor into the comment: that of the bar for skipping while it is open, else that of the form."""
        if self._pane.skip_bar.isVisible():
            self._pane.skip_bar.comment.setFocus()
        else:
            self._form.write()

    # -- notes, borders, pauses

    def note(self) -> None:
        """Write a note to the QA lead, or change the one that stands there."""
        if self._session.task is not None:
            title = self.tr("Note to the QA lead about this task")
            self.words.ask(title, self._session.note_to_lead, text=self._session.rating.note)

    def border(self) -> None:
        """Correct the borders of the target at hand to the words that are selected, or say what is wrong with them."""
        session = self._session
        if session.target is None:
            session.hinted.emit(self.tr("Only a target has borders."))
            return
        stretch = self._window.text_pane.selected_stretch()
        if stretch is not None and stretch[0] == session.place.response:
            session.correct_border(stretch[1], stretch[2])
            self._window.text_pane.drop_selection()
            ways = [(self.tr("Undo"), session.undo)]
            self._pane.banners.show_banner("undo", "info", self.tr("The target has new borders."), ways)
            return
        known = session.rating.borders.get(session.target.id)
        title = self.tr("What is wrong with the borders of this target?")
        about = self.tr("To correct them, select the words that it should hold first.")
        self.words.ask(title, session.report_border, about=about, text=known.comment if known is not None else "")

    def _show_borders(self) -> None:
        """A target stands elsewhere: the responses are marked anew."""
        for pane in self._window.text_pane.panes:
            pane.show_text()
            pane.refresh()

    def pause(self) -> None:
        """Stop counting the time, or go on counting."""
        active = self._session.active_time
        if active.paused:
            active.resume()
            self._pane.banners.drop("pause")
            return
        active.pause()
        ways = [(self.tr("Count again"), self.pause)]
        words = self.tr("Paused. No time is counted until the next answer.")
        self._pane.banners.show_banner("pause", "info", words, ways)

    def _rated(self) -> None:
        self._pane.banners.drop("left")
        if not self._session.active_time.paused:
            self._pane.banners.drop("pause")

    # -- guidelines

    def guideline(self) -> None:
        """Open the guidelines at the question at hand; shut them where they are open there already."""
        if self.guidelines.isVisible():
            self.guidelines.hide()
            self._form.setFocus()
            return
        session = self._session
        shown = next((one for one in session.shown if one.question.id == session.rail), None)
        self.open_guideline(self.section_here() or (shown.question.section if shown is not None else ""))

    def open_guideline(self, section: str) -> None:
        """Open the guidelines at a section."""
        if self.guidelines.is_empty:
            self._session.hinted.emit(self.tr("This bundle has no guidelines."))
            return
        self.guidelines.open_at(section)

    # -- after a task

    def say_left(self, left: Left) -> None:
        """How much of the bundle is still to do."""
        if not left.tasks:
            return
        words = self.tr("1 task left") if left.tasks == 1 else self.tr("{n} tasks left")
        words = words.format(n=spelling.number(left.tasks))
        if left.seconds is not None:
            words = f"{words}, {about_left(left.seconds)}"
        self._pane.banners.show_banner("left", "info", words)
