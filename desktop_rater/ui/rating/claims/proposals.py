"""Proposed claims: the bundle's, or a split by rule or by a model. They join the rating when confirmed. Pure."""

from collections.abc import Collection
from typing import Literal

from msgspec.structs import replace

from desktop_rater.model import edit
from desktop_rater.model.rating import Claim, Rating
from desktop_rater.model.task import Target
from desktop_rater.model.values import Place
from desktop_rater.rubric.check import excess_of_rating
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.rating_state import RatingState, claim_in_words
from desktop_rater.ui.rating.task_stops import FormQuestion

ProposalSource = Literal["bundle", "rule", "model"]


class ClaimProposals:
    """Proposals for the targets of the open task that are neither confirmed nor dismissed.

    A confirmed proposal keeps its id as a claim. `current` is the proposal that the rater looks at. What is dismissed,
    or split by rule or by a model, is forgotten when the task is left.
    """

    def __init__(self) -> None:
        self.current: str | None = None
        self._requested: set[str] = set()
        self._by_rule: dict[tuple[str, int | None, int | None], tuple[Claim, ...]] = {}
        self._by_model: dict[tuple[str, int | None, int | None], tuple[Claim, ...]] = {}  # instead of all others
        self._dismissed: set[tuple[str, str]] = set()
        self._confirmed: tuple[RatingState, str, RatingState] | None = None  # with this proposal

    def open_at(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Return the open proposals for the target of a place."""
        target = _target(state, place)
        if target is None:
            return ()
        recorded = {claim.id for claim in state.claims(place)}
        return tuple(
            claim
            for claim in self._proposed(state, target)
            if claim.id not in recorded and (target.id, claim.id) not in self._dismissed
        )

    def rows(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Return claims and open proposals, in the order of the proposals."""
        return self._with_claims(state, place, {claim.id for claim in self.open_at(state, place)})

    def confirmed(self, state: RatingState, place: Place, ids: Collection[str], words: str = "") -> Rating:
        """Return the rating with proposals recorded as claims, in `words` if there are any."""
        assert place.target is not None, "only targets have claims"
        claims = self._with_claims(state, place, ids)
        claims = tuple(replace(claim, text=words) if words and claim.id in ids else claim for claim in claims)
        return edit.with_claims(state.rating, place.target, claims)

    def questions(self, state: RatingState, place: Place) -> tuple[FormQuestion, ...]:
        """Return the questions that the proposal at hand brings when it is confirmed; empty without one."""
        claim = self.current
        if claim is None or not any(proposal.id == claim for proposal in self.open_at(state, place)):
            return ()
        if self._confirmed is None or self._confirmed[:2] != (state, claim):
            rating = self.confirmed(state, place, [claim])
            too_many = excess_of_rating(state.rubric, state.task, rating)
            self._confirmed = state, claim, state if too_many else state.with_rating(rating)
        return self._confirmed[2].questions(Place(place.response, place.target, claim))

    def source(self, state: RatingState, place: Place) -> ProposalSource:
        target = _target(state, place)
        if target is not None and (target.id, target.start, target.end) in self._by_model:
            return "model"
        return "bundle" if target is not None and bundle_claims(state, target) else "rule"

    def offered(self, state: RatingState, place: Place) -> int:
        """Return the number of claims that a split by rule would propose for a target that is not split."""
        target = _target(state, place)
        if target is None or state.claims(place) or self.open_at(state, place):
            return 0
        return len(bundle_claims(state, target) or rule_claims(state, target))

    def split(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Propose a split of the target, also one that was dismissed; return the open proposals."""
        target = _target(state, place)
        if target is None:
            return ()
        self._undismiss(target)
        self._requested.add(target.id)
        self._by_rule[target.id, target.start, target.end] = by_rule = rule_claims(state, target)
        if by_rule or bundle_claims(state, target):
            self._by_model.pop((target.id, target.start, target.end), None)
        return self.open_at(state, place)

    def propose(self, state: RatingState, target: Target, claims: Collection[Claim]) -> None:
        """Propose the claims of a model for a target without any, instead of those of the bundle or by rule."""
        self._undismiss(target)
        ids = [claim.id for claim in bundle_claims(state, target)]
        proposed = []
        for claim in claims:
            ids.append(edit.new_id("c", ids))  # the bundle's claims keep their ids, and can be proposed again
            proposed.append(replace(claim, id=ids[-1]))
        self._by_model[target.id, target.start, target.end] = tuple(proposed)
        self.current = None

    def _undismiss(self, target: Target) -> None:
        self._dismissed = {(name, claim) for name, claim in self._dismissed if name != target.id}

    def dismiss(self, place: Place, claim: str) -> None:
        self._dismissed.add((place.target or "", claim))
        self.current = None

    def restore(self, place: Place, claim: str) -> None:
        """Propose a dismissed claim again."""
        self._dismissed.discard((place.target or "", claim))
        self.current = claim

    def as_proposed(self, state: RatingState, place: Place, claim: Claim) -> str:
        """Return the words of a claim as they were proposed, else those of its spans."""
        target = _target(state, place)
        response = state.task.response(place.response or "")
        if target is None or response is None:
            return ""
        words = next((other.text for other in self._proposed(state, target) if other.id == claim.id), "")
        return words or claim_in_words(claim.id, response, claim.ranges_in(response.text)).text

    def _proposed(self, state: RatingState, target: Target) -> tuple[Claim, ...]:
        """Return all proposals; a rating that is complete has none of the bundle's, unless they are requested."""
        if by_model := self._by_model.get((target.id, target.start, target.end)):
            return by_model
        claims = bundle_claims(state, target)
        if claims:
            return claims if state.rating.status != "complete" or target.id in self._requested else ()
        return self._by_rule.get((target.id, target.start, target.end), ())

    def _with_claims(self, state: RatingState, place: Place, ids: Collection[str]) -> tuple[Claim, ...]:
        target = _target(state, place)
        claims = {claim.id: claim for claim in state.claims(place)}
        proposed = self._proposed(state, target) if target is not None else ()
        rows = [claims.pop(claim.id, claim) for claim in proposed if claim.id in claims or claim.id in ids]
        return (*rows, *claims.values())


def _target(state: RatingState, place: Place) -> Target | None:
    """Return the target of a place, if claims of it can be recorded."""
    accepted = task_stops.place_path(task_stops.stop_of(place)) in state.outcome.claims
    return state.task.target(place.target) if accepted and place.target is not None else None


def bundle_claims(state: RatingState, target: Target) -> tuple[Claim, ...]:
    """Return the claims that the bundle suggests for a target, without answers and blank ones."""
    suggested = state.task.suggestions.claims.get(target.id, ()) if state.task.suggestions is not None else ()
    return tuple(
        replace(claim, text=text, answers={})
        for claim in suggested
        if (text := claim.text.strip() or edit.words_of_spans(claim.spans).strip())
    )


def rule_claims(state: RatingState, target: Target) -> tuple[Claim, ...]:
    """Return the claims of a target by rule, except for recorded ones; empty where no rule applies."""
    from desktop_rater.text.claim_split import split_claims  # noqa: PLC0415 - only when it is used

    response = state.task.response(target.response)
    if response is None or target.start is None or target.end is None:
        return ()
    recorded = state.rating.claims.get(target.id, ())
    known = {claim.ranges for claim in recorded}
    ids = [claim.id for claim in recorded]
    claims = []
    for ranges in split_claims(response.text, target.start, target.end):
        if ranges not in known:
            ids.append(edit.new_id("c", ids))
            claims.append(claim_in_words(ids[-1], response, ranges))
    return tuple(claims)
