"""Rating session: the open task and all operations on it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_rater.format import edit
from desktop_rater.format.edit import Difference, differences
from desktop_rater.format.rating import (
    NEUTRAL,
    Claim,
    Evidence,
    LinkVerdict,
    NeutralReason,
    Precedents,
    Rating,
    ResearchEntry,
    Stance,
    TimeSpent,
)
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.operations.rating.history import PRECEDENTS_ACTION, RESEARCH_ACTION
from desktop_rater.rubric import CheckOutcome, Rubric, suggest
from desktop_rater.rubric.check import excess_of_rating
from desktop_rater.rubric.links import link_verdicts
from desktop_rater.rubric.repeat import mirrored
from desktop_rater.rubric.research import ResearchEdit, research_totals
from desktop_rater.text.urls import page_key
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.open_rating import ClaimProposals, UndoableRating
from desktop_rater.ui.rating.rating_saver import Drafts, PendingSave, RatingSaver
from desktop_rater.ui.rating.rating_state import (
    Navigation,
    RatingState,
    ReadingProgress,
    UndoHistory,
    UndoStep,
    with_opened_link,
)
from desktop_rater.ui.rating.task_stops import WorkStep
from desktop_rater.ui.rating.work_time import ActiveTime, ResearchRecord
from desktop_rater.ui.widgets.bars import Draft
from desktop_rater.ui.window.focus import commit_composition

WENT_BACK = "go back"  # stored with the revision


class Session(UndoableRating):
    """The open task and its operations. Views read it and call it; they hold no answers of their own.

    Only `go_on` and explicit moves leave a target. An earlier state of the rating can be shown; it is read-only.
    """

    leaving = Signal()  # the open task is about to be left
    opened = Signal()  # another task, or none
    finished = Signal()  # the rater goes on to the next task
    refused = Signal()  # finishing is blocked by a problem
    updated = Signal()  # the rating, the place or both: once for a change, before the signals for each
    rating_changed = Signal()
    borders_changed = Signal()  # a target has other borders
    place_changed = Signal()  # the place or the current question
    hinted = Signal(str)  # why a request can't be carried out here
    targets_refused = Signal(tuple)  # the selected targets that a change does not fit, and that are no longer selected
    stuck = Signal(str)  # going on is not possible before this question is answered

    def __init__(self, saver: RatingSaver, active_time: ActiveTime, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.saver = saver
        self.active_time = active_time
        self.research = ResearchRecord(active_time)
        self.drafts = Drafts(self)
        self._pending_save = PendingSave(saver, self)

    # -- opening and closing

    def open(  # noqa: PLR0913 - the complete state of a task
        self,
        bundle: str,
        task: Task,
        rating: Rating,
        rubric: Rubric,
        *,
        at: Place | None = None,
        question: str | None = None,
        spent: TimeSpent | None = None,
        research: Sequence[ResearchEntry] = (),
        read_only: str = "",
        outcome: CheckOutcome | None = None,
    ) -> None:
        """Open a task at the given place, or at the first stop with an open question.

        `spent` is all the time known to be spent on the task, if that may be more than the rating says, and `research`
        the entries stored beside the rating. `read_only` is the reason why nothing can be changed. `outcome` is the
        result of checking `rating`, if known.
        """
        self._leave_task()
        self._follows_finished, self._finishing = self._finishing, False
        # The saver may have a newer rating than the store.
        newest = self.saver.newest(bundle, task.id) or rating
        state = RatingState.of(bundle, task, rubric, newest, outcome if newest is rating else None)
        self._current, self.lock_reason = state, read_only
        self.undo_history = self._undo_histories.take(state.key, newest) or UndoHistory(rating.revision)
        self.active_time.register_task(bundle, newest, spent or newest.time)
        self.research.register_task(bundle, newest, research)
        self.navigation = Navigation.start(state, at, question)
        if at is None and not state.comments:
            self.reading.start(state, self.navigation)
        else:
            self.reading.resume(state, self.navigation)
        self._start_timing_here()
        self.opened.emit()
        self._finish_step_elsewhere()

    def close(self) -> None:
        self._leave_task()
        self._start_timing_here()
        self.opened.emit()

    def _leave_task(self) -> None:
        commit_composition()
        self._earlier = None
        self.leaving.emit()
        self.store_research()
        self._pending_save.flush()
        if self._current is not None:
            self._undo_histories.keep(self._current.key, self.undo_history, self._current.rating)
        self._current = None
        self.lock_reason, self.shows_gold = "", False
        self.undo_history, self.navigation, self.reading = UndoHistory(), Navigation(), ReadingProgress()
        self.proposals = ClaimProposals()
        self.selection.clear()

    def resume_reading(self, step: str) -> None:
        """Resume the reading step of an earlier sitting."""
        state = self._current
        if state is not None and step in [candidate.id for candidate in state.steps]:
            self.reading.resume(state, self.navigation, step)
            self.show_place()

    @property
    def unsaved(self) -> frozenset[str]:
        """Return the ids of the tasks with ratings or typed text not in the store yet."""
        return frozenset((*self._pending_save.tasks, *self.saver.unsaved))

    def draft(self, kind: str) -> Draft:
        """Return the text of a kind that was begun in the open task."""
        return self.drafts.draft(self.bundle, self.task.id if self.task is not None else "", kind)

    def seconds_here(self) -> float:
        target = self.place.target
        if self.task is None or target is None:
            return 0.0
        return self.rating.time.targets.get(target, 0) + self.active_time.waiting((self.bundle, self.task.id, target))

    @property
    def reported_seconds(self) -> float:
        """Return the seconds of research outside of the program that the rater reported for the current target."""
        place = self.place
        return research_totals(self.rating, place.target, None).reported if self.task is not None else 0.0

    def _start_timing_here(self) -> None:
        self.active_time.move((self.bundle, self.task.id, self.place.target) if self.task is not None else None)

    # -- navigation

    def go_to(self, place: Place, question: str | None = None, *, step: str = "") -> None:
        """Go to a place, and there to a question or the first open one; `step` is the reading step to start."""
        state = self.state
        if state is None:
            return
        self.pause_typing()
        if not step and question is None and task_stops.stop_of(place) != self.stop:
            step = self.reading.first_at(state, place) or ""
        self.reading.read(step or None)
        self.proposals.current = None
        self.navigation.go_to(state, place, question)
        if self.place.target not in self.selection.targets:
            self.selection.clear()
        self._start_timing_here()
        self.show_place()

    def show_place(self) -> None:
        """Have the views show a place or a selection that has changed."""
        self.updated.emit()
        self.place_changed.emit()

    def go_to_step(self, step: WorkStep) -> None:
        """Go to a step of the order of work, to read it or to answer its questions."""
        if self.task is None:
            return
        # The prompt is visible at every place, so reading it changes no other state.
        place = self.place if step.kind == "prompt" else step.place
        self.go_to(place, task_stops.first_question_of_step(step, self.outcome), step=step.id if step.reads else "")

    def set_current_question(self, question: str) -> None:
        if any(candidate.question.id == question for candidate in self.form_questions) and (
            question != self.current_question or self.reading_step
        ):
            self.reading.read(None)
            self.navigation.question = question
            self.show_place()

    def move_question(self, by: int) -> None:
        """Make the next or previous question the current one."""
        names = [question.question.id for question in self.form_questions]
        if names:
            index = names.index(self.current_question) + by if self.current_question in names else 0
            self.set_current_question(names[max(0, min(index, len(names) - 1))])

    def move(self, by: int) -> None:
        index = self.stops.index(self.stop) + by if self.task is not None else -1
        if 0 <= index < len(self.stops):
            self.go_to(self.stops[index])

    def move_claim(self, by: int) -> None:
        names, here = [claim.id for claim in self.claim_rows], self.claim_at_hand
        index = names.index(here.id) + by if here is not None else 0
        if 0 <= index < len(names):
            self.go_to_claim(names[index])

    def go_to_claim(self, claim: str) -> None:
        """Go to a claim of the current target, or look at one that is proposed."""
        self.go_to(Place(self.place.response, self.place.target, claim))
        if any(proposal.id == claim for proposal in self.open_proposals):
            self.proposals.current = claim
            self.show_place()

    def go_on(self) -> None:
        """Go to the next open question, else to the next unfinished claim or stop, else finish the task."""
        state = self.state
        if state is None:
            return
        self.pause_typing()
        following = self.reading.following(state, self.navigation)
        self.reading.read(None)
        if following is not None:
            self.go_to_step(following)
            return
        here = task_stops.next_open_question(self.form_questions, self.current_question)
        if here is not None and self.proposal is None:
            self.navigation.question = here.question.id
            self.show_place()
            self.stuck.emit(here.question.id)
            return
        place = self.navigation.next_unfinished(state)
        proposed = self.open_proposals if self.claims and self.proposal is None else ()
        if proposed and (place is None or task_stops.stop_of(place) != self.stop):
            self.go_to_claim(proposed[0].id)
            self.hinted.emit(self.tr("This claim is only proposed: Z confirms it, Delete takes it out."))
        elif place is not None:
            self.go_to(place, task_stops.blocking_question(state.rubric, state.outcome, place))
        else:
            self.finish()

    def finish(self) -> None:
        if self.task is None:
            return
        self.pause_typing()
        if self.rating.status != "skipped" and self.outcome.blocking:
            self.refused.emit()
            return
        if self.rating.status != "skipped" and not self.read_only:
            self.change(replace(self.rating, status="complete"), "finish")
        self._finishing = True
        self.finished.emit()

    # -- changes

    def change(
        self, rating: Rating, action: str, typing: object = None, *, together: bool = False, chosen: str = ""
    ) -> None:
        """Apply a change. `typing` identifies a text field, whose text is saved when typing pauses.

        `together`: a change of the current target is one of all selected targets. `chosen`: the question that was
        answered by a choice, after which the next open one becomes the current one.
        """
        if rating == self.rating:
            return
        if self.read_only:
            self.hinted.emit(self.read_only)
            return
        refused: tuple[str, ...] = ()
        if together and self.place.target is not None and self.place.target in self.selection.targets:
            state, here, selected = self._open_state, self.place.target, self.selection.targets
            rating, refused = mirrored(state.rubric, state.task, state.rating, rating, state.outcome, here, selected)
        if excess_of_rating(self._open_state.rubric, self._open_state.task, rating):
            self.hinted.emit(self.tr("This task has as many claims and pieces of evidence as can be checked."))
            return
        self.active_time.resume()
        research = ResearchEdit.between(self.rating, rating)
        self._follows_finished = False
        self.undo_history.add(UndoStep(self.rating, self.place, self.current_question, research=research), typing)
        self.selection.leave_out(refused)
        self._apply(rating, action, at_once=typing is None, chosen=chosen)
        if refused:
            self.targets_refused.emit(refused)

    def _note(self, rating: Rating, action: str) -> None:
        """Apply a change that is not an answer, and so can't be undone."""
        if rating != self.rating and not self.read_only:
            self._apply(rating, action, at_once=True)

    def _apply(self, rating: Rating, action: str, *, at_once: bool, chosen: str = "") -> None:
        before, position = self._open_state, self.navigation.position
        rating = self.research.added_to(self.active_time.added_to(rating, before.bundle), before.bundle)
        state = before.with_rating(rating)
        if state.rating.status == "complete" and state.outcome.blocking:
            state = replace(state, rating=replace(state.rating, status="incomplete"))
        self._current = state
        self.navigation.adjust(state)
        following = task_stops.next_open_question(self.form_questions, chosen) if chosen else None
        if following is not None:
            self.navigation.question = following.question.id
        # Before the views, so that saving runs while they update.
        self._pending_save.add(state, action, at_once=at_once)
        if state.rating.borders != before.rating.borders:
            self.borders_changed.emit()
        self.updated.emit()
        self.rating_changed.emit()
        if self.navigation.position != position or action in ("undo", "redo"):
            self.place_changed.emit()

    def store_research(self) -> None:
        """End the visit of a page, and add the research to the rating; without a rating it stays beside the task."""
        self.research.close_page()
        state = self._current
        if state is None or not (state.rating.revision or state.rating.links_opened or self.undo_history.has_undo_step):
            return
        self.add_research()

    def add_research(self) -> None:
        """Add the research of this sitting to the rating."""
        state = self._open_state
        if self.research.has_waiting(state.bundle, state.rating):
            self._note(self.research.with_all(state.bundle, state.rating), RESEARCH_ACTION)

    def pause_typing(self) -> None:
        """End a typing step when a field is left: save its text, and let further typing be a new step."""
        commit_composition()
        self.undo_history.pause()
        self._pending_save.flush()
        self.drafts.flush()

    # -- earlier states

    @property
    def can_restore_state(self) -> bool:
        return not self.lock_reason

    def show_earlier_state(self, rating: Rating, reason: str, changed: Sequence[Difference] = ()) -> None:
        """Show an earlier state at its first change; `reason` says why nothing can be changed now."""
        self.pause_typing()
        if self._current is not None:
            self.navigation.go_to_change(self._open_state, changed)
            self._earlier = self._current.with_rating(self._current.rebased(rating))
            self._earlier_reason = reason
            self._show_state()

    def show_current_state(self) -> None:
        if self._earlier is not None:
            self._earlier = None
            self._show_state()

    def restore_state(self, rating: Rating) -> None:
        """Make an earlier state the current one, as a step that can be undone."""
        stays = self.shows_earlier_state
        self.show_current_state()
        self.pause_typing()
        state = self._open_state
        rating = state.rebased(rating)
        self.change(rating, WENT_BACK)
        if not stays and not self.read_only:
            self.navigation.go_to_change(state, differences(state.rating, rating))
            self.navigation.adjust(self._open_state)
            self._start_timing_here()
            self.show_place()

    def _show_state(self) -> None:
        self.navigation.adjust(self._open_state)
        self.borders_changed.emit()
        self.updated.emit()
        self.rating_changed.emit()
        self.place_changed.emit()

    # -- answers

    def answer(self, question: str, value: Any, *, typing: bool = False) -> None:
        """Answer a question of the form; `None` clears it. A choice makes the next open question the current one."""
        form_question = next(
            (candidate for candidate in self.form_questions if candidate.question.id == question), None
        )
        if form_question is None:
            return
        if self.proposal is not None and form_question.question.per == "claim":
            self.confirm_claims([self.proposal.id])  # the answer is about it
        if not typing:
            self.navigation.question = question
        self.reading.read(None)
        changed = edit.with_answer(self.rating, form_question.place, question, value)
        name = (task_stops.place_path(form_question.place), question)
        action = f"answer {question}" if value is not None else f"clear {question}"
        stays = typing or value is None or form_question.question.kind in {"choices", "list"}
        self.change(changed, action, name if typing else None, together=True, chosen="" if stays else question)
        if stays:
            return
        next_question = task_stops.next_open_question(self.form_questions, question)
        if next_question is not None and next_question.question.id != self.current_question:
            self.set_current_question(next_question.question.id)

    def confirm_suggestions(self) -> None:
        """Confirm the suggestions for this stop, and those for questions that this brings up."""
        self._confirm((self.stop,))

    def confirm_suggestion(self) -> None:
        """Confirm the suggestion for the current question only."""
        if self.current_question is not None:
            self._confirm((self.stop,), self.current_question)

    def confirm_all_suggestions(self) -> None:
        if self.task is not None:
            self._confirm(suggest.places_of_task(self.task))

    def _confirm(self, places: tuple[Place, ...], only: str | None = None) -> None:
        state = self.state
        if state is None:
            return
        rating = suggest.with_confirmed_suggestions(state.rubric, state.task, state.rating, places, only)
        if rating == self.rating:
            self.hinted.emit(self.tr("There are no unconfirmed suggestions here."))
            return
        self.change(rating, "confirm suggestions")
        next_question = task_stops.next_open_question(self.form_questions, only)
        if next_question is not None:
            self.set_current_question(next_question.question.id)

    def acknowledge(self, rule: str, where: str, comment: str = "") -> None:
        if self.task is not None:
            self.change(edit.with_acknowledged(self.rating, rule, where, comment), "acknowledge")

    def withdraw_acknowledgement(self, rule: str, where: str) -> None:
        if self.task is not None:
            self.change(edit.without_acknowledged(self.rating, rule, where), "acknowledge no more")

    def note_to_lead(self, text: str) -> None:
        """Set the note to the QA lead; an empty text removes it."""
        if self.task is not None:
            self.change(replace(self.rating, note=text), "note")

    def correct_border(self, start: int, end: int, comment: str = "") -> None:
        """Move the borders of the current target: code points of its response, without blanks at the ends."""
        state, target = self.state, self.target
        if state is None or target is None:
            self.hinted.emit(self.tr("Select a target first: only targets have borders."))
            return
        border = state.border(target, start, end, comment)
        if border is None:
            self.hinted.emit(self.tr("Select the words that the target should contain."))
        else:
            self.change(edit.with_border(self.rating, target.id, border), "correct border")

    def report_border(self, comment: str) -> None:
        """Report wrong borders of the current target without moving it."""
        if self.target is not None:
            self.correct_border(self.target.start or 0, self.target.end or 0, comment)

    def clear(self) -> None:
        if self.task is not None and self.current_question is not None:
            self.answer(self.current_question, None)

    def add_claim(self, start: int, end: int) -> None:
        """Add a claim from the part of a span of the response that is in the current target."""
        state, target = self.state, self.target
        if state is None or target is None or not self.accepts_claims:
            self.hinted.emit(self.tr("Claims can't be recorded here."))
            return
        claim = state.claim(target, start, end)
        if claim is None:
            self.hinted.emit(self.tr("Select the words of the claim within this target, then press L."))
            return
        self.put_claim(claim, "add claim")
        self.go_to_claim(claim.id)

    def put_claim(self, claim: Claim, action: str, *, typing: bool = False) -> None:
        """Add or replace a claim of the current target."""
        target = self.place.target
        if target is not None and not self.read_only:
            changed = edit.with_claim(self.rating, target, claim)
            self.change(changed, action, ("claim", target, claim.id) if typing else None)

    def confirm_claims(self, ids: Collection[str], words: str = "") -> None:
        """Record proposed claims of the current target, also in other words, and go to the first of them."""
        state = self.state
        first = next((claim.id for claim in self.claim_rows if claim.id in ids), None)
        if state is None or first is None or self.read_only:
            self.hinted.emit(self.read_only)
            return
        confirmed = self.proposals.confirmed(state, self.place, ids, words)
        self.navigation.place = Place(self.place.response, self.place.target, first)
        self.change(confirmed, "confirm claim")
        self.go_to_claim(first)

    def remove_claim(self, claim: str) -> None:
        if self.place.target is not None:
            self.change(edit.without_claim(self.rating, self.place.target, claim), "remove claim")

    def add_evidence(self, url: str = "") -> str | None:
        """Add evidence at the current place and return its id."""
        return self.put_evidence(Evidence(id="new", url=url), "add evidence")

    def add_links(self, urls: Sequence[str]) -> str | None:
        """Add a piece of evidence for each page in one step, and return the id of the last one."""
        state = self.state
        if state is None or not urls or not self.may_add_evidence():
            return None
        rating, piece = self.rating, Evidence(id="new")
        for url in urls:
            piece = state.with_rating(rating).placed_evidence(Evidence(id="new", url=url), self.place)
            rating = edit.with_evidence(rating, piece)
        self.change(rating, "add evidence", together=True)
        return piece.id

    def may_add_evidence(self) -> bool:
        """Return whether evidence can be added at the current place; if not, say so."""
        accepts = self.state is not None and self.accepts_evidence
        reason = self.read_only if accepts else self.tr("No evidence is needed here.")
        if reason:
            self.hinted.emit(reason)
        return not reason

    def put_evidence(
        self, piece: Evidence, action: str = "take evidence", others: Mapping[str, Evidence | None] | None = None
    ) -> str | None:
        """Add or replace evidence in one step and return its id; new evidence gets an id and the current place.

        `others`: id → the new state of other evidence that changes with it, `None` if it is removed.
        """
        state = self.state
        if state is None or not self.may_add_evidence():
            return None
        piece = state.placed_evidence(piece, self.place)
        rating = edit.with_evidence(self.rating, piece)
        for name, other in (others or {}).items():
            rating = edit.with_evidence(rating, other) if other is not None else edit.without_evidence(rating, name)
        self.change(rating, action, together=True)
        return piece.id

    def change_evidence(self, evidence: str, *, typing: bool = False, **fields: Any) -> None:
        piece = next((candidate for candidate in self.rating.evidence if candidate.id == evidence), None)
        if piece is not None:
            changed = edit.with_evidence(self.rating, replace(piece, **fields))
            self.change(changed, "change evidence", (evidence, *fields) if typing else None, together=True)

    def set_stance(self, evidence: str, stance: Stance | None, reason: NeutralReason | None = None) -> None:
        """Set the stance of a piece of evidence; only one that does not decide has a reason."""
        self.change_evidence(evidence, stance=stance, reason=reason if stance == NEUTRAL else None)

    def remove_evidence(self, evidence: str) -> None:
        self.change(edit.without_evidence(self.rating, evidence), "remove evidence", together=True)

    def record_opened_link(self, url: str, when: str, *, seen: bool = True) -> None:
        """Record that a page was opened, or only counted as opened."""
        if self.task is not None and page_key(url) is not None:
            changed = with_opened_link(self.rating, url, when, seen=seen)
            self._note(changed, "open link" if seen else "count link as opened")

    def record_precedents(self, record: Precedents) -> None:
        """Record the decided cases that were found for a place, or that the rater has opened them."""
        others = [other for other in self.rating.precedents or () if other.where != record.where]
        self._note(replace(self.rating, precedents=(*others, record)), PRECEDENTS_ACTION)

    def judge_link(self, page: str, verdict: LinkVerdict | None) -> None:
        """Set the verdict for a link by its normalised URL; `None` or the same verdict again clears it."""
        if self.task is not None:
            verdicts = link_verdicts(self.rating)
            verdict = None if verdicts.get(page) == verdict else verdict
            rating = replace(self.rating, link_verdicts=verdicts)
            self.change(edit.with_link_verdict(rating, page, verdict), "judge link")

    def skip_task(self, reason: str, comment: str = "") -> None:
        if self.task is not None:
            self.change(edit.with_skip(self.rating, reason, comment), "skip")

    def withdraw_skip(self) -> None:
        if self.task is not None and self.rating.status == "skipped":
            self.change(edit.without_skip(self.rating), "take up")
