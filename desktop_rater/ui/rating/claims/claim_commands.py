"""Commands on claims: record, split, confirm and dismiss them, and edit their words and spans."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop_rater.model import edit
from desktop_rater.model.rating import Claim
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets.bars import TextInputBar
from desktop_rater.ui.window.keys import cap_text


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
