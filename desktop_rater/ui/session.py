"""The one task that is being rated: where the rater stands in it, and all that can be done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import Signal

from desktop_rater.model import edit
from desktop_rater.model.place import Place
from desktop_rater.model.rating import Claim, Evidence, Rating, Stance
from desktop_rater.text.pages import page_of
from desktop_rater.ui import moves
from desktop_rater.ui.ledger import Ledger

if TYPE_CHECKING:
    from desktop_rater.model.task import Target, Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.moves import Shown


class Session(Ledger):
    """Views read it and call it; they hold no answers of their own."""

    finished = Signal()  # the rater goes on to the next task
    refused = Signal()  # the rater wanted to, and something blocks
    hinted = Signal(str)  # what was asked for can't be done here, and why

    # -- what stands there

    @property
    def stops(self) -> tuple[Place, ...]:
        """What is rated one after the other in this task."""
        if self.rubric is None or self.task is None:
            return ()
        return moves.stops(self.rubric, self.task, self.outcome)

    @property
    def stop(self) -> Place:
        """The target, response or task where the rater stands."""
        return moves.stop_of(self.place)

    @property
    def target(self) -> Target | None:
        """The target at hand."""
        return self.task.target(self.place.target) if self.task is not None and self.place.target is not None else None

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The questions of the form."""
        return moves.shown_at(self.rubric, self.outcome, self.place) if self.rubric is not None else ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims recorded for the target at hand."""
        return moves.claims_at(self.outcome, self.rating, self.place.target) if self.task is not None else ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence of the stop; where a claim is current, its own and what names no claim that is there."""
        if self.task is None:
            return ()
        where = moves.where_of(self.stop)
        known = {claim.id for claim in self.claims}
        here = (one for one in self.rating.evidence if f"{where}/evidence/{one.id}" in self.outcome.kept)
        return tuple(one for one in here if not known or one.claim == self.place.claim or one.claim not in known)

    @property
    def takes_evidence(self) -> bool:
        return self.task is not None and moves.where_of(self.stop) in self.outcome.evidence

    @property
    def takes_claims(self) -> bool:
        return self.task is not None and moves.where_of(self.stop) in self.outcome.claims

    # -- where the rater stands

    def open(self, bundle: str, task: Task, rating: Rating, rubric: Rubric) -> None:
        """Take up a task, at the first place where something is open."""
        self.take(bundle, task, rating, rubric)
        stops = self.stops
        blocked = moves.blocked(self.outcome)
        self.place = next((one for one in stops if one in blocked), stops[0])
        self.settle()
        self.count_here()
        self.opened.emit()

    def close(self) -> None:
        """Put the task away."""
        self.take("", None, None, None)
        self.count_here()
        self.opened.emit()

    def go_to(self, place: Place, question: str | None = None) -> None:
        """Stand at a place, the rail at a question there or at the first open one."""
        if self.task is None:
            return
        self.pause_typing()
        known = moves.stop_of(place) in self.stops
        self.place = Place(place.response, place.target, place.claim) if known else self._nearest(place)
        self.rail = question
        self.settle()
        self.count_here()
        self.place_changed.emit()

    def set_rail(self, question: str) -> None:
        """Make a question of the form the current one."""
        if question != self.rail and any(one.question.id == question for one in self.shown):
            self.rail = question
            self.place_changed.emit()

    def move_rail(self, by: int) -> None:
        """The rail to the next or the previous question."""
        names = [one.question.id for one in self.shown]
        if names:
            at = names.index(self.rail) + by if self.rail in names else 0
            self.set_rail(names[max(0, min(at, len(names) - 1))])

    def move(self, by: int) -> None:
        """To the next or the previous target, response or task."""
        at = self.stops.index(self.stop) + by if self.task is not None else -1
        if 0 <= at < len(self.stops):
            self.go_to(self.stops[at])

    def move_claim(self, by: int) -> None:
        """To the next or the previous claim of the target."""
        names = [claim.id for claim in self.claims] if self.task is not None else []
        at = names.index(self.place.claim) + by if self.place.claim in names else -1
        if 0 <= at < len(names):
            self.go_to(Place(self.place.response, self.place.target, names[at]))

    def go_on(self) -> None:
        """To the next open question, then the next claim and target that are not finished, then the next task."""
        if self.task is None:
            return
        self.pause_typing()
        here = moves.next_open(self.shown, self.rail)
        if here is not None:
            self.rail = here.question.id
            self.place_changed.emit()
            return
        onward = self._next_claim() or self._next_stop()
        if onward is not None:
            self.go_to(onward)
        else:
            self.finish()

    def finish(self) -> None:
        """Done with this task, unless something blocks."""
        if self.task is None:
            return
        self.pause_typing()
        if self.rating.status != "skipped":
            if self.outcome.blocking:
                self.refused.emit()
                return
            self.change(replace(self.rating, status="complete"), "finish")
        self.finished.emit()

    @property
    def is_last(self) -> bool:
        """Whether nothing is left to do in this task but to finish it."""
        return not any(one.open for one in self.shown) and (self._next_claim() or self._next_stop()) is None

    def _next_claim(self) -> Place | None:
        names = [claim.id for claim in self.claims]
        at = names.index(self.place.claim) + 1 if self.place.claim in names else 0
        for name in (*names[at:], *names[:at]):
            there = Place(self.place.response, self.place.target, name)
            asked = self.outcome.asked.get(moves.where_of(there), ())
            if name != self.place.claim and any(one.required and one.value is None for one in asked):
                return there
        return None

    def _next_stop(self) -> Place | None:
        stops, blocked = self.stops, moves.blocked(self.outcome)
        at = stops.index(self.stop)
        return next((one for one in (*stops[at + 1 :], *stops[:at]) if one in blocked), None)

    def _nearest(self, place: Place) -> Place:
        response = Place(response=place.response)
        return response if response in self.stops else self.stops[-1]

    def settle(self) -> None:
        stops = self.stops
        if self.stop not in stops:
            self.place = self._nearest(self.place)
        names = [claim.id for claim in self.claims]
        if self.place.claim not in names:
            self.place = Place(self.place.response, self.place.target, names[0] if names else None)
        if not any(one.question.id == self.rail for one in self.shown):
            self.rail = self._first_question()

    def _first_question(self) -> str | None:
        """What is open, else what has to be answered, else what can be: a digit must not hit what nobody looks at."""
        required = next((one for one in self.shown if one.asked.required), None)
        first = moves.next_open(self.shown, None) or required or next(iter(self.shown), None)
        return first.question.id if first is not None else None

    # -- what is done to it

    def answer(self, question: str, value: Any, *, typing: bool = False) -> None:
        """Answer a question of the form; `None` takes the answer away. A choice moves the rail to what is open."""
        shown = next((one for one in self.shown if one.question.id == question), None)
        if shown is None:
            return
        if not typing:
            self.rail = question
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
        if self.task is None or not self.takes_evidence:
            self.hinted.emit(self.tr("No evidence is asked for here."))
            return None
        place = self.place
        name = edit.new_id("e", [one.id for one in self.rating.evidence])
        # It names a target or a response, not both.
        response = place.response if place.target is None else None
        piece = Evidence(id=name, target=place.target, response=response, claim=place.claim, url=url)
        self.change(edit.with_evidence(self.rating, piece), "add evidence")
        return name

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

    def opened_link(self, url: str) -> None:
        """The rater has opened a page."""
        page = page_of(url)
        if self.task is not None and page is not None and url not in self.rating.links_opened:
            self.note(replace(self.rating, links_opened=(*self.rating.links_opened, url)), "open link")

    def skip_task(self, reason: str, comment: str = "") -> None:
        """Say that the task as a whole can't be rated."""
        if self.task is not None:
            self.change(edit.skipped(self.rating, reason, comment), "skip")

    def take_up(self) -> None:
        """Rate a skipped task after all."""
        if self.task is not None and self.rating.status == "skipped":
            self.change(edit.not_skipped(self.rating), "take up")
