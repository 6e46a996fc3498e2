"""Claims that a bundle suggests for a target: their spans are located like targets, and what can't be used is named."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from desktop_rater.model.rating import Claim, ClaimSpan
from desktop_rater.model.task import Target, Task
from desktop_rater.text.quotes import place_quote
from desktop_rater.text.untrusted import is_blank

MOST_SEARCHED = 2 * 10**8  # characters searched for quotes, for all claims of a task together
_LONGEST = 60


def suggested_claims(task: Task) -> Mapping[str, tuple[Claim, ...]]:
    """Return the claims that a task brings, by target, as they are in its file."""
    return task.suggestions.claims if task.suggestions is not None else {}


def with_placed_claims(task: Task) -> Task:
    """Return the task with usable suggested claims: each id once per target, spans where their quotes are."""
    if task.suggestions is None or not task.suggestions.claims:
        return task
    return replace(task, suggestions=replace(task.suggestions, claims=_PlacedClaims(task).claims))


def unusable_claims(task: Task) -> Iterator[tuple[str, str]]:
    """Yield the target and the reason for each suggested claim, or span of one, that is left out."""
    if suggested_claims(task):
        yield from _PlacedClaims(task).unusable


class _PlacedClaims:
    def __init__(self, task: Task) -> None:
        self.claims: dict[str, tuple[Claim, ...]] = {}
        self.unusable: list[tuple[str, str]] = []
        self._searched = 0
        targets = {target.id: target for target in task.targets or ()}
        for name, claims in suggested_claims(task).items():
            target = targets.get(name)
            response = task.response(target.response) if target is not None else None
            if target is None or response is None:
                self.unusable.append((name, f'claims for the target "{name[:_LONGEST]}", which is not there'))
                continue
            placed: dict[str, Claim] = {}
            for claim in claims:
                if claim.id in placed:
                    self._leave_out(target, claim, "another suggested claim has the same id")
                    continue
                usable = self._placed(target, claim, response.text)
                if usable.spans or not is_blank(usable.text):
                    placed[claim.id] = usable
                else:
                    self._leave_out(target, claim, "it has neither words nor a place")
            self.claims[name] = tuple(placed.values())

    def _placed(self, target: Target, claim: Claim, text: str) -> Claim:
        if claim.answers:
            self._leave_out(target, claim, "its answers are ignored; only its words and spans are suggested")
        given = claim.spans
        if not given and claim.start is not None and claim.end is not None:
            given = (ClaimSpan(start=max(0, claim.start), end=max(0, claim.end)),)
        spans = tuple(span for part in given if (span := self._span(target, claim, part, text)) is not None)
        return replace(claim, spans=spans, start=None, end=None, answers={})

    def _span(self, target: Target, claim: Claim, span: ClaimSpan, text: str) -> ClaimSpan | None:
        """Return the span where its quote is: at its offsets, once in the response, or once in the target."""
        if span.quote:
            self._searched += len(text)
        place = None
        if self._searched <= MOST_SEARCHED:
            place = place_quote(text, span.start, span.end, span.quote)
            if place is None and span.quote and target.start is not None:
                inside = place_quote(text[target.start : target.end], None, None, span.quote)
                if inside is not None:
                    start = target.start + inside.start
                    return replace(span, start=start, end=start + len(span.quote))
        if place is not None:
            return replace(span, start=place.start, end=place.end, quote=text[place.start : place.end])
        if self._searched > MOST_SEARCHED:
            why = "the text is too long for so many quotes"
        elif not span.quote:
            why = f"it runs from {span.start:,} to {span.end:,} in a text of {len(text):,} characters"
        else:
            why = f"its quote occurs {'more than once' if span.quote in text else 'nowhere'} in the response"
        self._leave_out(target, claim, f"a span is left out: {why}")
        return None

    def _leave_out(self, target: Target, claim: Claim, why: str) -> None:
        self.unusable.append((target.id, f'target "{target.id}": suggested claim "{claim.id[:_LONGEST]}": {why}'))
