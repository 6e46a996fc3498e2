"""The one task that is being rated, and all that can be done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model import edit
from desktop_rater.model.place import Place
from desktop_rater.model.rating import Border, Claim, Evidence, Stance
from desktop_rater.rubric import suggestions
from desktop_rater.text.pages import page_of
from desktop_rater.ui import moves
from desktop_rater.ui.walk import Walk

if TYPE_CHECKING:
    from desktop_rater.model.task import Target


class Session(Walk):
    """Views read it and call it; they hold no answers of their own."""

    def answer(self, question: str, value: Any, *, typing: bool = False) -> None:
        """Answer a question of the form; `None` takes the answer away. A choice moves the rail to what is open."""
        shown = next((one for one in self.shown if one.question.id == question), None)
        if shown is None:
            return
        if not typing:
            self.rail = question
        self.read(None)
        changed = edit.with_answer(self.rating, shown.place, question, value)
        name = (moves.where_of(shown.place), question)
        self.change(
            changed, f"answer {question}" if value is not None else f"clear {question}", name if typing else None
        )
        if typing or value is None or shown.question.kind == "choices":
            return
        onward = moves.next_open(self.shown, question)
        if onward is not None and onward.question.id != self.rail:
            self.set_rail(onward.question.id)

    def confirm_suggestions(self) -> None:
        """Take what is suggested for this target as the rater's own answers, and what that brings up with it."""
        self._confirm((self.stop,))

    def confirm_suggestion(self) -> None:
        """Take what is suggested for the question at the rail, and nothing else."""
        if self.rail is not None:
            self._confirm((self.stop,), self.rail)

    def confirm_all_suggestions(self) -> None:
        """Take all that is suggested in this task."""
        if self.task is not None:
            self._confirm(suggestions.places_of(self.task))

    def _confirm(self, places: tuple[Place, ...], only: str | None = None) -> None:
        if self.task is None or self.rubric is None:
            return
        rating = suggestions.confirmed(self.rubric, self.task, self.rating, places, only)
        if rating == self.rating:
            self.hinted.emit(self.tr("Nothing is suggested here that is not answered."))
            return
        self.change(rating, "confirm suggestions")
        onward = moves.next_open(self.shown, only)
        if onward is not None:
            self.set_rail(onward.question.id)

    def acknowledge(self, rule: str, where: str, comment: str = "") -> None:
        """Let a warning stand, with why."""
        if self.task is not None:
            self.change(edit.with_acknowledged(self.rating, rule, where, comment), "acknowledge")

    def take_back(self, rule: str, where: str) -> None:
        """Let a warning that was acknowledged be open again."""
        if self.task is not None:
            self.change(edit.without_acknowledged(self.rating, rule, where), "acknowledge no more")

    def note_to_lead(self, text: str) -> None:
        """What the QA lead should know of this task; an empty text takes the note away."""
        if self.task is not None:
            self.change(replace(self.rating, note=text), "note")

    def correct_border(self, start: int, end: int, comment: str = "") -> None:
        """Put the target at hand where it should stand: code points of its response, without the blanks at its ends."""
        target, response = self.target, self.task.response(self.place.response or "") if self.task else None
        if target is None or response is None:
            self.hinted.emit(self.tr("Only a target has borders."))
            return
        text = response.text[start:end]
        if not text.strip():
            self.hinted.emit(self.tr("Select the words that the target should hold."))
            return
        start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
        was = self._was(target)
        border = Border(
            start=start, end=end, quote=response.text[start:end], was_start=was[0], was_end=was[1], comment=comment
        )
        self.change(edit.with_border(self.rating, target.id, border), "correct border")

    def report_border(self, comment: str) -> None:
        """Say what is wrong with the borders of the target at hand, and leave it where it stands."""
        target = self.target
        if target is not None:
            self.correct_border(target.start or 0, target.end or 0, comment)

    def _was(self, target: Target) -> tuple[int, int]:
        """Where the bundle has a target."""
        known = self.rating.borders.get(target.id)
        if known is not None and (known.start, known.end) == (target.start, target.end):
            return known.was_start, known.was_end
        return target.start or 0, target.end or 0

    def clear(self) -> None:
        """Take away the answer at the rail."""
        if self.task is not None and self.rail is not None:
            self.answer(self.rail, None)

    def add_claim(self, start: int, end: int) -> None:
        """Record a claim from a stretch of the response: what of it lies in the target at hand."""
        target, response = self.target, self.task.response(self.place.response or "") if self.task else None
        if target is None or response is None or not self.takes_claims:
            self.hinted.emit(self.tr("No claims are asked for here."))
            return
        start, end = max(start, target.start or 0), min(end, target.end or 0)
        text = response.text[start:end]
        if not text.strip():
            self.hinted.emit(self.tr("Select the words of the claim inside this target, then press L."))
            return
        start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
        taken = [claim.id for claim in self.rating.claims.get(target.id, ())]
        claim = Claim(id=edit.new_id("c", taken), text=response.text[start:end], start=start, end=end)
        self.change(edit.with_claim(self.rating, target.id, claim), "add claim")
        self.go_to(Place(self.place.response, target.id, claim.id))

    def remove_claim(self, claim: str) -> None:
        if self.place.target is not None:
            self.change(edit.without_claim(self.rating, self.place.target, claim), "remove claim")

    def add_evidence(self, url: str = "") -> str | None:
        """Add a piece of evidence where the rater stands, and give its id."""
        return self.put_evidence(Evidence(id="new", url=url), "add evidence")

    def put_evidence(self, piece: Evidence, done: str = "take evidence") -> str | None:
        """Put a piece where the rater stands, in one step, and give its id: a fresh one gets its id and its place."""
        if self.task is None or not self.takes_evidence:
            self.hinted.emit(self.tr("No evidence is asked for here."))
            return None
        place, known = self.place, [one.id for one in self.rating.evidence]
        if piece.id not in known:
            # It names a target or a response, not both.
            response = place.response if place.target is None else None
            name = edit.new_id("e", known)
            piece = replace(piece, id=name, target=place.target, response=response, claim=place.claim)
        elif place.claim is not None and piece.claim not in {claim.id for claim in self.claims}:
            piece = replace(piece, claim=place.claim)
        self.change(edit.with_evidence(self.rating, piece), done)
        return piece.id

    def change_evidence(self, evidence: str, *, typing: bool = False, **fields: Any) -> None:
        """Give fields of a piece of evidence new values."""
        piece = next((one for one in self.rating.evidence if one.id == evidence), None)
        if piece is not None:
            changed = edit.with_evidence(self.rating, replace(piece, **fields))
            self.change(changed, "change evidence", (evidence, *fields) if typing else None)

    def set_stance(self, evidence: str, stance: Stance) -> None:
        self.change_evidence(evidence, stance=stance)

    def remove_evidence(self, evidence: str) -> None:
        self.change(edit.without_evidence(self.rating, evidence), "remove evidence")

    def opened_link(self, url: str, when: str) -> None:
        """A page stands before the rater: its link is opened, and so is the evidence that names it."""
        page = page_of(url)
        if self.task is None or page is None:
            return
        links = self.rating.links_opened
        known = page in map(page_of, links)
        evidence = tuple(
            replace(one, opened=when) if one.opened is None and page_of(one.url) == page else one
            for one in self.rating.evidence
        )
        links = links if known else (*links, url)
        self.note(replace(self.rating, links_opened=links, evidence=evidence), "open link")

    def skip_task(self, reason: str, comment: str = "") -> None:
        """Say that the task as a whole can't be rated."""
        if self.task is not None:
            self.change(edit.skipped(self.rating, reason, comment), "skip")

    def take_up(self) -> None:
        """Rate a skipped task after all."""
        if self.task is not None and self.rating.status == "skipped":
            self.change(edit.not_skipped(self.rating), "take up")
