"""Commands on the rating of the open task: answers, claims, evidence, problem fixes, notes, pauses, guidelines."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rater.format import edit
from desktop_rater.format.rating import Claim, Problem
from desktop_rater.operations.rating.rater_state import BundleOverview
from desktop_rater.text.urls import find_links, page_key
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import RatingPlace
from desktop_rater.ui.rating.problem_fixes import ProblemFix
from desktop_rater.ui.rating.problems_pane import problem_text
from desktop_rater.ui.rating.research_pane import ResearchList
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.bars import TextInputBar
from desktop_rater.ui.widgets.labels import isolated, visible
from desktop_rater.ui.widgets.layouts import announce
from desktop_rater.ui.window.focus import is_typing
from desktop_rater.ui.window.keys import cap_text

if TYPE_CHECKING:
    from desktop_rater.ui.rating.guidelines import GuidelinesPane


class ClaimCommands(QObject):
    """Connect the claims of the form, the text, and the session. `ask` asks for a text."""

    def __init__(self, texts: TaskTextPane, form_pane: FormPane, session: Session, input_bar: TextInputBar) -> None:
        super().__init__(form_pane)
        self._session = session
        self._texts = texts
        self._form_pane = form_pane
        self._input_bar = input_bar
        self._pane = pane = form_pane.form.claims
        pane.wanted.connect(self.add)
        pane.span_wanted.connect(self.add_span)
        pane.split_wanted.connect(self.split)
        pane.confirm_wanted.connect(self.confirm)
        pane.confirm_all_wanted.connect(self.confirm_for_question)
        texts.words_chosen.connect(self.add)

    def actions(self) -> dict[str, Callable[[], object]]:
        session = self._session
        return {
            "next_claim": lambda: session.move_claim(1),
            "previous_claim": lambda: session.move_claim(-1),
            "claim": self.add,
            "split_claims": self.split,
            "claim_span": self.add_span,
            "claim_words": self._pane.edit_words,
            "confirm_suggestions": self.confirm,
            "confirm_suggestion": self.confirm_for_question,
            "confirm_all_suggestions": self.confirm_everywhere,
        }

    def add(self) -> None:
        """Record a claim from the selection; without one, choose words with the keyboard."""
        session, span = self._session, self._selection()
        if span is None and session.accepts_claims and self._texts.choose_words():
            hint = self.tr(
                "Select words with the arrow keys; hold Shift to extend. Enter records the claim, Esc cancels."
            )
            session.hinted.emit(hint)
            return
        session.add_claim(*(span or (0, 0)))
        if span is not None:
            self._texts.drop_selection()

    def split(self) -> None:
        """Propose a split of the current target, and look at its first claim."""
        session = self._session
        if session.state is None or not session.accepts_claims or session.read_only:
            session.hinted.emit(session.read_only or self.tr("Claims can't be recorded here."))
            return
        proposals = session.proposals.split(session.state, session.place)
        if proposals:
            session.go_to_claim(proposals[0].id)
            self._pane.show_list()
        else:
            text = self.tr(
                "No split is proposed here. Select the words of a claim and press L, or type one with {key}."
            )
            session.hinted.emit(text.format(key=cap_text("Ctrl L")))

    def edit_first_proposal(self) -> None:
        """Propose a split and put the cursor into its first claim; without a proposal ask for a claim in words."""
        self.split()
        if self._session.open_proposals:
            self._pane.edit_words()
        elif self._session.accepts_claims:
            self._ask_for_claim()

    def confirm(self) -> None:
        """Confirm the proposed claim at hand, else the first one; without one the suggested answers."""
        session = self._session
        proposal = session.proposal or next(iter(session.open_proposals), None)
        if proposal is not None:
            session.confirm_claims([proposal.id])
        else:
            session.confirm_suggestions()

    def confirm_for_question(self) -> None:
        """Confirm all proposed claims of this target; without one the suggestion for this question."""
        proposals = self._session.open_proposals
        if proposals:
            self._session.confirm_claims([claim.id for claim in proposals])
        else:
            self._session.confirm_suggestion()

    def confirm_everywhere(self) -> None:
        """Take back the words of the claim while they are edited, else confirm all suggestions of the task."""
        if self._pane.is_editing:
            self._pane.take_back_words()
        else:
            self._session.confirm_all_suggestions()

    def add_span(self) -> None:
        """Add the selection to the spans of the claim at hand; without a selection ask for a claim in words."""
        session, span = self._session, self._selection()
        if not session.accepts_claims or session.task is None:
            session.hinted.emit(self.tr("Claims can't be recorded here."))
            return
        claim, response = session.claim_at_hand, session.task.response(session.place.response or "")
        if span is None:
            self._ask_for_claim()
        elif claim is None or response is None:
            self.add()
        else:
            if session.proposal is not None:
                session.confirm_claims([claim.id])
            session.put_claim(edit.with_span(claim, response.text, *span), "change claim")
            self._texts.drop_selection()
            if self._pane.is_editing:
                self._pane.edit_words()

    def remove(self) -> bool:
        """Dismiss the proposed claim at hand, or remove the current claim if the list has the focus."""
        session, proposal = self._session, self._session.proposal
        place, claim = session.place, session.place.claim
        if proposal is not None:
            session.proposals.dismiss(place, proposal.id)
            session.show_place()

            def restore() -> None:
                session.proposals.restore(place, proposal.id)
                session.show_place()

            message = self.tr("The proposed claim was taken out.")
            self._form_pane.banners.show_banner("undo", "info", message, [(self.tr("Undo"), restore)])
            return True
        if claim is None or not self._pane.list.hasFocus():
            return False
        session.remove_claim(claim)
        message = self.tr("Removed: {what}").format(what=self.tr("the claim"))
        self._form_pane.banners.show_banner("undo", "info", message, [(self.tr("Undo"), session.undo)])
        return True

    def _selection(self) -> tuple[int, int] | None:
        """Return the selected span of the current response."""
        stretch = self._texts.selected_stretch()
        return stretch[1:] if stretch is not None and stretch[0] == self._session.place.response else None

    def _ask_for_claim(self) -> None:
        title = self.tr("What is claimed? Say it in words that stand by themselves.")
        target = self._session.place.target
        draft, keep = self._session.draft(f"claim {target}"), self.tr("Record the claim")
        self._input_bar.ask(title, self._record_words, draft, keep=keep, needed=True, place=target)

    def _record_words(self, text: str) -> None:
        session, target = self._session, self._session.target
        if session.state is not None and target is not None:
            claim = Claim(id=session.state.new_claim_id(target), text=" ".join(text.split()))
            session.put_claim(claim, "add claim")
            session.go_to_claim(claim.id)


MAX_LINK_LENGTH = 10_000
MAX_PASTED_LINKS = 50


class AnswerCommands(QObject):
    """Connect the text pane and the form to the session that both show."""

    def __init__(self, place: RatingPlace, session: Session) -> None:
        super().__init__(place.form_pane)
        self._session = session
        self._texts, self._place = place.text_pane, place
        self._form_pane = place.form_pane
        self._form = place.form_pane.form
        self._connect()

    def actions(self) -> dict[str, Callable[[], object]]:
        session, problems = self._session, self._form_pane.problems
        return {
            "undo": session.undo,
            "redo": session.redo,
            "clear": session.clear,
            "next_target": lambda: session.move(1),
            "previous_target": lambda: session.move(-1),
            "next_problem": lambda: problems.go(1) if session.task else None,
            "previous_problem": lambda: problems.go(-1) if session.task else None,
            "skip": self.skip,
            "evidence": self.add_evidence,
            "paste_links": self.add_copied_links,
            "tools": self._texts.toggle_tools,
            "markdown_source": self._texts.toggle_source,
        }

    def _connect(self) -> None:
        session, pane, form = self._session, self._form_pane, self._form
        pane.skip_wanted.connect(self.skip)
        pane.skip_bar.closed.connect(form.setFocus)
        pane.problems.chosen.connect(self.go_to_problem)
        form.evidence.wanted.connect(self.add_evidence)
        form.evidence.removed.connect(self._say_removed)
        form.evidence.address_entered.connect(self._add_page)
        form.evidence.address_left.connect(form.setFocus)
        self._texts.choosing_ended.connect(lambda: pane.banners.drop("hint"))
        session.refused.connect(self._show_refused)
        session.stepped_elsewhere.connect(self._say_stepped)
        session.stuck.connect(self._show_stuck)
        session.hinted.connect(lambda text: pane.banners.show_banner("hint", "info", text))
        session.rating_changed.connect(lambda: pane.banners.drop("undo"))
        session.updated.connect(lambda: pane.banners.drop("hint"))
        session.rating_changed.connect(lambda: pane.banners.drop("refused"))

    def take_key(self, key: str) -> bool:
        """Pass a key to the skip bar while it is open, else to the form; return whether it was used."""
        self._session.active_time.touch()
        if self._form_pane.skip_bar.isVisible():
            return self._form_pane.skip_bar.take_key(key)
        return not self._session.shows_gold and self._form.take_key(key)

    def leave(self) -> bool:
        """Close the skip bar, leave the text field, or end the selection; return `False` if nothing applies."""
        if self._form_pane.skip_bar.isVisible():
            self._form_pane.skip_bar.shut()
        elif is_typing(QApplication.focusWidget()):
            self._form.setFocus()
        elif len(self._session.selection) and not self._place.page_has_focus:
            self._session.selection.clear()
            self._session.show_place()
        else:
            return False
        return True

    def confirm_skip(self) -> bool:
        """Confirm the skip bar on Enter; return `False` if it is closed."""
        if not self._form_pane.skip_bar.isVisible():
            return False
        self._form_pane.skip_bar.confirm()
        return True

    def go_on(self) -> None:
        """Confirm the skip bar on Enter, or else go on to the next open question."""
        if self.confirm_skip():
            return
        self.leave_field()
        self._session.go_on()
        self._form.write_open_text()

    def finish(self) -> None:
        self.leave_field()
        self._session.finish()

    def leave_field(self) -> None:
        """Return the focus from a text field to the form."""
        if is_typing(QApplication.focusWidget()):
            self._form.setFocus()

    def skip(self) -> None:
        """Ask why the task can't be rated."""
        if self._session.task is not None and self._session.rating.status != "skipped":
            self._form_pane.skip_bar.open()

    def add_evidence(self) -> None:
        """Add the link on the clipboard as evidence; ask for an address if there is no new link."""
        copied = QGuiApplication.clipboard().text()[:MAX_LINK_LENGTH].strip()
        pages = {page_key(piece.url) for piece in self._session.evidence_here}
        if page_key(copied) is not None and page_key(copied) not in pages:
            self._add_page(copied)
        elif self._session.may_add_evidence():
            self._form.show_evidence()
            self._form.evidence.ask_address()

    def _add_page(self, url: str) -> None:
        name = self._session.add_evidence(url)
        if name is not None:
            self._form.evidence.select(name)
            self._form.show_evidence()

    def add_copied_links(self) -> None:
        """Add a piece of evidence for every new link in the copied text."""
        text = QGuiApplication.clipboard().text()
        copied = find_links(text) if len(text) <= MAX_LINK_LENGTH * 10 else ()
        pages = {page_key(piece.url) for piece in self._session.evidence_here}
        fresh: dict[str | None, str] = {}
        for url in copied:
            if page_key(url) not in {None, *pages}:
                fresh.setdefault(page_key(url), url)
        name = self._session.add_links(list(fresh.values())[:MAX_PASTED_LINKS])
        if name is not None:
            self._form.evidence.select(name)
            self._form.show_evidence()
        if len(text) > MAX_LINK_LENGTH * 10:
            template = self.tr("The copied text has {n} characters. Copy at most {most} to take links from.")
            numbers = {"n": formatting.number(len(text)), "most": formatting.number(MAX_LINK_LENGTH * 10)}
            self._session.hinted.emit(template.format(**numbers))
        elif name is not None and len(fresh) > MAX_PASTED_LINKS:
            more = formatting.number(len(fresh) - MAX_PASTED_LINKS)
            template = self.tr("{n} links are added, {more} are not: copy at most {n} at once.")
            self._session.hinted.emit(template.format(n=MAX_PASTED_LINKS, more=more))
        elif not fresh:
            self._session.hinted.emit(self.tr("The clipboard has no new links."))

    def go_to_problem(self, problem: Problem) -> None:
        session = self._session
        if session.rubric is None:
            return
        place = session.outcome.places[problem.where]
        question = task_stops.question_of_problem(session.rubric, problem)
        session.go_to(place, question)
        if question is not None and task_stops.is_unanswered(problem):
            self._form.point_at(question)
        if place.evidence is not None:
            self._form.evidence.select(place.evidence)
            self._form.show_evidence()

    def _say_removed(self, what: str) -> None:
        message = self.tr("Removed: {what}").format(what=what) if what else self.tr("Removed.")
        self._form_pane.banners.show_banner("undo", "info", message, [(self.tr("Undo"), self._session.undo)])

    def _say_stepped(self, action: str, task: str) -> None:
        """Say that a step was made in another task, which is open now."""
        text = self.tr("Undone in {task}, which is open again.")
        if action == "redo":
            text = self.tr("Done again in {task}, which is open again.")
        self._session.hinted.emit(text.format(task=isolated(task[:80])))

    def _show_stuck(self, question: str) -> None:
        """Point at the question that has to be answered before the rater can go on."""
        self._form.point_at(question)
        asked = next(one.question for one in self._session.form_questions if one.question.id == question)
        announce(self._form, self.tr("Not answered yet: {question}").format(question=visible(asked.ask)))

    def _show_refused(self) -> None:
        count = self._session.outcome.blocking
        message = (
            self.tr("Not finished: 1 problem blocks.") if count == 1 else self.tr("Not finished: {n} problems block.")
        )
        self._form_pane.problems.go_first()
        self._form_pane.banners.show_banner("refused", "block", message.format(n=count))


class RatingCommands(QObject):
    """Connect the form pane, the guidelines and the session."""

    def __init__(self, place: RatingPlace, session: Session) -> None:
        super().__init__(place.form_pane)
        self._session = session
        self._text_pane = place.text_pane
        self._pane = place.form_pane
        self._form = place.form_pane.form
        self.section_here: Callable[[], str] = str  # section shown by another view, if any
        self.input_bar = TextInputBar()
        column = self._pane.layout()
        assert column is not None
        column.insertWidget(column.indexOf(self._pane.skip_bar), self.input_bar)  # ty: ignore[missing-attribute]
        self.claims = ClaimCommands(place.text_pane, place.form_pane, session, self.input_bar)
        self._guidelines: GuidelinesPane | None = None
        self._guidelines_read: tuple[str, Mapping[str, bytes]] = "", {}
        session.opened.connect(self.input_bar.hide)
        session.place_changed.connect(self._leave_asked_place)
        session.rating_changed.connect(self._drop_notices)
        session.borders_changed.connect(self._show_borders)
        self.input_bar.closed.connect(self._form.setFocus)
        self._form.guideline_wanted.connect(self.open_guideline)
        self._pane.problems.fix_chosen.connect(self.apply_fix)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            **self.claims.actions(),
            "remove": self.remove,
            "write": self.write,
            "acknowledge": self.acknowledge_first,
            "note": self.note,
            "border": self.border,
            "pause": self.pause,
            "guideline": self.guideline,
        }

    def bind(self, built: Mapping[str, QAction]) -> None:
        """Hide the notice about the task just finished on the next command."""
        for action in built.values():
            action.triggered.connect(lambda _checked=False: self._pane.banners.drop("left"))

    # -- problem fixes

    def apply_fix(self, problem: Problem, way: ProblemFix) -> None:
        """Apply the fix that a problem's button offers."""
        session = self._session
        if session.task is None or session.rubric is None:
            return
        place = session.outcome.places[problem.where]
        question = way.question.id if way.question is not None else None
        session.go_to(place, question)
        self._form.setFocus()
        if way.kind == "split":
            self.claims.edit_first_proposal()
        elif way.kind == "change" and question is not None:
            session.answer(question, way.value)
        elif way.kind == "write":
            self._form.write()
        elif way.kind in ("weigh", "neutral"):
            self._form.evidence.list.setFocus()
            self._form.show_evidence()
            if way.kind == "neutral":
                self._form.evidence.mark_neutral(way.field, place.claim)
        elif way.kind == "acknowledge":
            self.acknowledge(problem)
        elif way.kind == "take_back":
            session.withdraw_acknowledgement(problem.rule, problem.where)
        elif place.evidence is not None:
            self._form.evidence.select(place.evidence)
            self._form.show_evidence()
            if way.kind == "open":
                self._form.evidence.open_selected()
            elif way.kind == "mend":
                self._form.evidence.edit(way.field)

    def acknowledge_first(self) -> None:
        """Acknowledge the warning selected in the list, else the first one at this stop."""
        if self._session.task is None:
            return
        problem = self._pane.problems.to_acknowledge
        if problem is None:
            self._session.hinted.emit(self.tr("There are no warnings here."))
            return
        self.acknowledge(problem)

    def acknowledge(self, problem: Problem) -> None:
        """Ask for the reason to accept a warning."""

        def keep(comment: str) -> None:
            self._session.acknowledge(problem.rule, problem.where, comment)

        title = self.tr("Why is this warning acceptable?")
        about = problem_text(self._session, problem)
        draft = self._session.draft(f"acknowledge {problem.rule} {problem.where}")
        self.input_bar.ask(title, keep, draft, about=about, keep=self.tr("Acknowledge"), needed=True, offers="reason")

    def write(self) -> None:
        """Put the cursor into the comment of the skip bar while it is open, else into that of the form."""
        if self._pane.skip_bar.isVisible():
            self._pane.skip_bar.comment.setFocus()
        else:
            self._form.write()

    def remove(self) -> None:
        """Remove the proposed claim, the current claim if its list has the focus, or else the selected evidence."""
        focus = QApplication.focusWidget()
        inside = self._form.holds(focus) or (focus is not None and self._pane.isAncestorOf(focus))
        if isinstance(focus, ResearchList):
            focus.removal_wanted.emit()
            return
        if inside and not self.claims.remove():
            self._form.evidence.remove()

    # -- notes, borders, pauses

    def note(self) -> None:
        """Write or change the note to the QA lead."""
        if self._session.task is not None:
            title = self.tr("Note to the QA lead about this task")
            session = self._session
            self.input_bar.ask(title, session.note_to_lead, session.draft("note"), text=session.rating.note)

    def border(self) -> None:
        """Move the borders of the current target to the selection; without one, ask what is wrong with them."""
        session = self._session
        if session.target is None:
            session.hinted.emit(self.tr("Select a target first: only targets have borders."))
            return
        stretch = self._text_pane.selected_stretch()
        if stretch is not None and stretch[0] == session.place.response:
            session.correct_border(stretch[1], stretch[2])
            self._text_pane.drop_selection()
            ways = [(self.tr("Undo"), session.undo)]
            self._pane.banners.show_banner("undo", "info", self.tr("The target's borders were changed."), ways)
            return
        border = session.rating.borders.get(session.target.id)
        title = self.tr("What is wrong with the borders of this target?")
        about = self.tr("To correct them, first select the words that the target should contain.")
        text, draft = border.comment if border is not None else "", session.draft(f"border {session.target.id}")
        self.input_bar.ask(title, session.report_border, draft, about=about, text=text, place=session.target.id)

    def _leave_asked_place(self) -> None:
        """Close a bar whose text would be about another target now; the text is offered there again."""
        if self.input_bar.place not in {None, self._session.place.target}:
            self.input_bar.hide()

    def _show_borders(self) -> None:
        """Show the responses again after a change of borders."""
        for pane in self._text_pane.panes:
            pane.show_text()
            pane.refresh()
            pane.view.show_current()

    def pause(self) -> None:
        active = self._session.active_time
        if active.paused:
            active.resume()
            self._pane.banners.drop("pause")
            return
        active.pause()
        ways = [(self.tr("Resume"), self.pause)]
        message = self.tr("Timer paused. It resumes with your next answer.")
        self._pane.banners.show_banner("pause", "info", message, ways)

    def _drop_notices(self) -> None:
        self._pane.banners.drop("left")
        if not self._session.active_time.paused:
            self._pane.banners.drop("pause")

    # -- guidelines

    @property
    def guidelines(self) -> "GuidelinesPane":
        """The pane, made when it is first needed."""
        if self._guidelines is None:
            from desktop_rater.ui.rating.guidelines import GuidelinesPane  # noqa: PLC0415 - only when it is used

            self._guidelines = GuidelinesPane()
            self._text_pane.add_below(self._guidelines)
            self._guidelines.shut_wanted.connect(self.guideline)
            self._guidelines.show_text(*self._guidelines_read)
        return self._guidelines

    def show_guidelines(self, text: str, pictures: Mapping[str, bytes]) -> None:
        """Show the guidelines of a bundle in the pane as soon as it is made."""
        self._guidelines_read = text, pictures
        if self._guidelines is not None:
            self._guidelines.show_text(text, pictures)

    def guideline(self) -> None:
        """Open the guidelines at the current question; close them if they are open."""
        if self._guidelines is not None and self._guidelines.isVisible():
            self._guidelines.hide()
            self._form.setFocus()
            return
        session = self._session
        question = next(
            (candidate for candidate in session.form_questions if candidate.question.id == session.current_question),
            None,
        )
        self.open_guideline(self.section_here() or (question.question.section if question is not None else ""))

    def leave(self) -> bool:
        """Close the guidelines; return `False` if they are closed."""
        if self._guidelines is None or not self._guidelines.isVisible():
            return False
        inside = self._guidelines.isAncestorOf(QApplication.focusWidget() or self._form)
        self._guidelines.hide()
        if inside:
            self._form.setFocus()
        return True

    def open_guideline(self, section: str) -> None:
        """Open the guidelines at a section."""
        if self.guidelines.is_empty:
            self._session.hinted.emit(self.tr("This bundle has no guidelines."))
            return
        self.guidelines.open_at(section)

    # -- after a task

    def show_work_left(self, progress: BundleOverview) -> None:
        """Show how much of the bundle is left."""
        if not progress.open:
            return
        left, unit = progress.total - progress.done, progress.unit
        if not left:  # every target is answered, in a task that is not finished
            left, unit = progress.tasks - progress.finished, "tasks"
        message = self.tr("{count} left").format(count=formatting.unit_count(unit, left))
        if progress.seconds_left is not None:
            message = f"{message}, {formatting.remaining_time(progress.seconds_left)}"
        self._pane.banners.show_banner("left", "info", message)
