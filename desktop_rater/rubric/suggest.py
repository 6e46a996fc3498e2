"""Suggested claims, and questions that a model answers or suggests: none that rests on pages that have to be opened."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.rating import Claim, ClaimSpan, Rating, SuggestionCounts
from desktop_rater.format.rubric import Question
from desktop_rater.format.task import Target, Task
from desktop_rater.format.values import Place
from desktop_rater.rubric.check import CheckOutcome, check_rating
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import CompiledQuestion, Rubric
from desktop_rater.rubric.condition import Condition, same_value
from desktop_rater.rubric.load import RubricError
from desktop_rater.rubric.validate import RubricFault
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
        from desktop_rater.text.quotes import place_quote  # noqa: PLC0415 - only for claims that a bundle proposes

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


# Facts about evidence, opened links and time of research. A model opens nothing.
_RESEARCH = frozenset({
    "supporting", "contradicting", "urls_on_both_sides", "url_valid", "url_repeated", "claim_known", "opened", "quote",
    "snapshot", "links_unopened", "tool_links_unopened", "links_differing", "research_seconds",
})  # fmt: skip


REASONS_KEY = "reasons"
"""Key of a model's rating for its reasons: place → question id → text."""


def reasons_at(rating: Rating, where: str) -> dict[str, str]:
    """Return the reasons that a model gave for its answers at a place: question id → text. A file may hold anything."""
    places = rating.unknown.get(REASONS_KEY)
    given = places.get(where) if isinstance(places, dict) else None
    texts = given.items() if isinstance(given, dict) else ()
    return {name: text for name, text in texts if isinstance(text, str) and not is_blank(text)}


def without_research(rubric: Rubric) -> tuple[str, ...]:
    """Return the questions that are asked whatever pages were opened."""
    return tuple(question.question.id for question in _kept(rubric, rubric.questions))


def with_questions_before(rubric: Rubric, chosen: Iterable[str]) -> set[str]:
    """Return the chosen questions, with those whose answers decide whether they are asked."""
    names: set[str] = set()
    waiting = [name for name in chosen if name in rubric.questions]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += [before for before in rubric.questions[name].relevant.names() if before in rubric.questions]
    return names


def rubric_for_model(rubric: Rubric, questions: Collection[str] | None) -> Rubric:
    """Return the rubric by which a model is checked that was asked only these questions; `None` means all.

    It has no evidence, and only those decisions and rules that test nothing else. Raises `RubricError`.
    """
    if questions is None:
        return rubric
    file, kept = rubric.file, _kept(rubric, questions)
    names = {question.question.id for question in kept}
    gone = _gone(rubric, names)
    decide = tuple(
        row.row
        for row in rubric.decisions.values()
        if row.row.sets in names and gone.isdisjoint((*row.when.names(), *row.row.needs))
    )
    gone |= {"decided_by"} if len(decide) < len(file.decide) else set()
    compare = file.compare if file.compare is not None and names.issuperset(file.compare.by) else None
    gone |= {"better"} if compare is None else set()
    rules = tuple(
        rule.rule
        for scope in rubric.rules_by_scope.values()
        for rule in scope
        if rule.rule.per != "evidence" and gone.isdisjoint(_names(rule.when, rule.require))
    )
    claims = None if rubric.claims is None or not gone.isdisjoint(rubric.claims.names()) else file.claims
    if claims is not None and not gone.isdisjoint(_names(rubric.several)):
        claims = replace(claims, several=None)
    new = replace(
        file,
        evidence=None,
        claims=claims,
        combine={name: values for name, values in file.combine.items() if name in names},
        compare=compare,
        questions=tuple(_without_names(question, gone) for question in kept),
        decide=decide,
        rules=rules,
    )
    try:
        return RubricCompiler(new).rubric()
    except RubricFault as fault:
        title = f"{rubric.ref} has no part with these questions alone"
        raise RubricError(title, f"{fault}.", "Nothing was loaded.") from None


def _kept(rubric: Rubric, chosen: Collection[str]) -> list[CompiledQuestion]:
    """Return the chosen questions, without those that depend on research or on a question that is not chosen."""
    kept = [question for name, question in rubric.questions.items() if name in chosen]
    while True:
        gone = _gone(rubric, {question.question.id for question in kept})
        fewer = [question for question in kept if gone.isdisjoint(question.relevant.names())]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _without_names(compiled: CompiledQuestion, gone: set[str]) -> Question:
    """Return a question without what depends on names that are gone: being required, other words, offers of choices.

    A choice that depends on pages alone is not offered, since there are none.
    """
    question, questions = compiled.question, gone - _RESEARCH
    free = {name for name, condition in compiled.choices.items() if not questions.isdisjoint(condition.names())}
    return replace(
        question,
        choices=tuple(replace(item, relevant={}) if item.id in free else item for item in question.choices),
        required=question.required if gone.isdisjoint(_names(compiled.required)) else False,
        wording=question.wording if gone.isdisjoint(_names(compiled.wording)) else None,
    )


def _gone(rubric: Rubric, kept: set[str]) -> set[str]:
    return {*_RESEARCH, *rubric.questions} - kept


def _names(*conditions: Condition | None) -> Iterator[str]:
    return (name for condition in conditions if condition is not None for name in condition.names())


class IgnoredSuggestion(Struct, frozen=True):
    """An ignored suggestion: its target, if it names one, and the reason."""

    target: str | None
    why: str


def path_of_place(place: Place) -> str:
    """Return the name of the target, response or task in an outcome."""
    if place.target is not None:
        return f"targets/{place.target}"
    return f"responses/{place.response}" if place.response is not None else "task"


def places_of_task(task: Task) -> tuple[Place, ...]:
    """Return the places of a task that can have suggestions."""
    responses = (Place(response=response.id) for response in task.responses)
    targets = (Place(response=target.response, target=target.id) for target in task.targets or ())
    return (Place(), *responses, *targets)


def suggested_places(task: Task) -> Iterator[str]:
    """Yield the name of each place for which a task suggests answers."""
    return (path_of_place(place) for place in places_of_task(task) if _raw(task, place))


def usable_suggestions(rubric: Rubric, task: Task) -> Iterator[tuple[Place, str, Any]]:
    """Yield place, question and value of every suggestion that can be given as an answer there."""
    if task.suggestions is None:
        return
    for place in places_of_task(task):
        for name, value in _raw(task, place).items():
            if not _why_not(rubric, place, name, value):
                yield place, name, value


def ignored_suggestions(rubric: Rubric, task: Task) -> Iterator[IgnoredSuggestion]:
    """Yield every ignored suggestion: not offered by the rubric, or for a place that the task does not have."""
    if task.suggestions is None:
        return
    for place in places_of_task(task):
        prefix = f'response "{place.response}": ' if place.response is not None else ""
        if place.target is not None:
            prefix = f'target "{place.target}": '
        for name, value in _raw(task, place).items():
            why = _why_not(rubric, place, name, value)
            if why:
                yield IgnoredSuggestion(place.target, prefix + why)
    targets = {target.id for target in task.targets or ()}
    for name in task.suggestions.targets:
        if name not in targets:
            yield IgnoredSuggestion(name, f'suggestions for the target "{name[:_LONGEST]}", which is not there')
    for name in task.suggestions.responses:
        if task.response(name) is None:
            yield IgnoredSuggestion(None, f'suggestions for the response "{name[:_LONGEST]}", which is not there')
    if task.suggestions.claims and rubric.claims is None:
        yield IgnoredSuggestion(None, "claims are suggested, but the rubric does not split targets into claims")
        return
    for name, why in unusable_claims(task):
        yield IgnoredSuggestion(name, why)


def open_suggestions(rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome, place: Place) -> dict[str, Any]:
    """Return the suggestions at a place that the rater has not answered yet: question → value.

    A suggestion for a target with claims is one for the whole target; it does not answer what is asked of its claims.
    At a place that is held out there is none.
    """
    if task.suggestions is None or place.claim is not None or rating.status == "skipped":
        return {}
    if not _raw(task, place) or path_of_place(place) in (rating.suggestions.held_out or ()):
        return {}
    own = edit.answers_at(rating, place)
    split = any(where.startswith(f"{path_of_place(place)}/claims/") for where in outcome.kept)
    return {
        name: value
        for name, value in _raw(task, place).items()
        if name not in own
        and not _why_not(rubric, place, name, value)
        and not (split and rubric.questions[name].question.per == "claim")
    }


def with_confirmed_suggestions(
    rubric: Rubric, task: Task, rating: Rating, places: Iterable[Place], only: str | None = None
) -> Rating:
    """Return the rating with the suggestions for asked questions at `places` as answers, repeated for new questions.

    `only` restricts it to one question. Returns the same rating if none is open.
    """
    places = tuple(places)
    outcome = None
    while True:
        outcome = check_rating(rubric, task, rating, before=outcome)
        before = rating
        for place in places:
            questions = {item.question.id for item in outcome.asked.get(path_of_place(place), ())}
            for name, value in open_suggestions(rubric, task, rating, outcome, place).items():
                if name in questions and only in (None, name):
                    rating = edit.with_answer(rating, place, name, value)
        if rating == before:
            return rating


def count_suggestions(rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome) -> SuggestionCounts:
    """Count suggestions as answered so, answered otherwise and not answered, like every question that is not asked.

    Those that the rater never sees count in none.
    """
    accepted = changed = ignored = 0
    given: dict[str, dict[str, Any]] = {}
    held_out = rating.suggestions.held_out or ()
    for place, question, suggested in usable_suggestions(rubric, task):
        where = path_of_place(place)
        if where in held_out:
            continue
        if where not in given:
            given[where] = {item.question.id: item.value for item in outcome.asked.get(where, ())}
        value = given[where].get(question)
        ignored += value is None
        accepted += value is not None and same_answer(value, suggested)
        changed += value is not None and not same_answer(value, suggested)
    return replace(rating.suggestions, accepted=accepted, changed=changed, ignored=ignored)


def _raw(task: Task, place: Place) -> Mapping[str, Any]:
    if task.suggestions is None:
        return {}
    if place.target is not None:
        return task.suggestions.targets.get(place.target, {})
    if place.response is not None:
        return task.suggestions.responses.get(place.response, {})
    return task.suggestions.task


def _why_not(rubric: Rubric, place: Place, name: str, value: Any) -> str:
    asking = rubric.questions.get(name)
    scope = "target" if place.target is not None else "response" if place.response is not None else "task"
    if asking is None or asking.question.per not in (scope, "claim" if scope == "target" else scope):
        return f'"{name[:_LONGEST]}" is suggested, and is no question of a {scope}'
    if not asking.domain.offers(value):
        return f'"{_short(value)}" is suggested for "{name}", which does not offer it'
    return ""


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def same_answer(answer: Any, other: Any) -> bool:
    """Return whether two answers are the same; the order of several choices does not matter."""
    if isinstance(answer, list | tuple) and isinstance(other, list | tuple):
        rest = list(other)
        for part in answer:
            index = next((index for index, item in enumerate(rest) if same_value(part, item)), None)
            if index is None:
                return False
            del rest[index]
        return not rest
    return same_value(answer, other)
